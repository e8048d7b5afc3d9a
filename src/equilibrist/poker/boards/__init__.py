"""Reports over many boards."""
