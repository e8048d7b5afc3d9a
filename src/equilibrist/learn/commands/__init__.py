"""Commands for learners."""
