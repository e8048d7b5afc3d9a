"""A run: configuration, estimate of resources, iterating, checkpoints, recording, and the solution.

Import `solving.solve` and `solving.solution`; this room imports the solvers and what is before
them.
"""
