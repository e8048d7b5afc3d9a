"""A search for a better algorithm: the variants of CFR as parameters of Optuna."""
