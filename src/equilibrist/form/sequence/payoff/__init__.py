"""The payoff of a sequence form: canonical entries, a sparse matrix a player, and the layout that kernels read."""
