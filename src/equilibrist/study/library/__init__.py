"""Runs that are saved: the served folder, its index, exports, reports, and the lines that make a run again."""
