"""Measurements, each run as ``python -m benchmarks.NAME``: peers, quality, compiling, startup."""
