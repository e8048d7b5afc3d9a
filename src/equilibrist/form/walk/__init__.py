"""Exact values of strategies in games that are too large to be stored: a walk through one player's infosets.

This folder imports `form.responses`, rules that compile, and what is before them.
"""
