"""One game over several machines: actors hold the tables of its subtrees, and exchange vectors with a driver."""
