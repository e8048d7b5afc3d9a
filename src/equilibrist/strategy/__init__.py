"""Strategies: probabilities by infoset, their tables and files, and Gambit's profiles.

Import `strategy.strategy` and `strategy.convert`; this room imports `form` and what is before it.
"""
