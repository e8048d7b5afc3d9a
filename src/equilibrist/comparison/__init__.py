"""Comparison of algorithms and samplings over seeds: runs side by side, curves, standings.

Import `comparison.compare`; this room imports `solving` and what is before it.
"""
