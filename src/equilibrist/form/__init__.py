"""A game compiled into flat arrays: the sequence form (any game) and the public form (a DAG of public states).

`form.build` compiles; solvers and evaluation read `form.sequence` and `form.public`; imports `game` alone.
"""
