"""Counterfactual regret minimisation: the rows, the kernels, and the loop around them."""
