"""Runs that are asked for: requests, estimates before they start, the queue, and the processes that solve."""
