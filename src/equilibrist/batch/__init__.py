"""Batches: many solves, item by item, by an executor on this machine or on a cluster."""
