"""Strategies: probabilities by infoset, their tables and files, and Gambit's profiles.

Import `strategy.strategy`; this room imports `form` and what is before it.
"""
