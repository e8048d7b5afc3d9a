"""Monte Carlo CFR: sampling schemes, the table of infosets, the sources of samples and the solver.

Import `mccfr.sampling` and `mccfr.solver`; this room imports `cfr` and what is before it.
"""
