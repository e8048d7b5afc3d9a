"""A search for a better row of numbers: the variants of CFR as parameters of Optuna."""
