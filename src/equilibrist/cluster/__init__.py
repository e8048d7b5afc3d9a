"""One game over several machines: actors hold the tables of its subtrees, and exchange reach and values with a driver."""
