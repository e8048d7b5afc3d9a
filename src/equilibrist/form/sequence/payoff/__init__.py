"""The payoff of a sequence form: canonical entries, and the layout of blocks and rows that kernels read.

`payoff.entries` is canonical, a sparse matrix for each player; `payoff.layout` is derived from it.
"""
