"""Solve a part of a game again, with what a solution brings there, and splice it into the whole.

Imports ``form`` (parts and what the opponent decides above them) and the rest of ``solving``.
"""
