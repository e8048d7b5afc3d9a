"""Buckets of hands: hands numbered up to suits, what tells them apart, and the clusters that they make."""
