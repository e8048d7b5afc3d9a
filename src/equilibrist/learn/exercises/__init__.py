"""Exercises that end in programs: their starters, and what judges a reader's program.

The tests hold the referee to the package; it answers at once, where the package would compile
kernels first.
"""
