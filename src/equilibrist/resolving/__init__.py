"""Solve a part of a game again, with what a solution brings there, and splice it into the whole.

Imports ``solving`` and what is before it: the parts are those of ``form``.
"""
