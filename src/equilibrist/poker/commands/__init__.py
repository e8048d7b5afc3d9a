"""Commands of poker."""
