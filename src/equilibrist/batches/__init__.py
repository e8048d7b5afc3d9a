"""Batches of runs: studies and their items, executors, results; each item is begun, resumed and repeated by itself.

Import `batches.batch`; this room imports `solving` and what is before it.
"""
