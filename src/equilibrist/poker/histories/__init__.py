"""Histories of hands in files: read, written by a solution that plays itself, and graded by runs.

Import `histories.deal` and `histories.grade`; this room imports `play` and what is before it.
"""
