"""Saved runs in folders: the catalogue, its search, and the report of one."""
