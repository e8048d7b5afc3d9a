"""Solved spots, looked at node by node: EV, equity, frequencies; who plays them, and what luck had to do with it."""
