"""Reports of runs, batches and boards."""
