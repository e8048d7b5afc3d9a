"""Omaha after the flop: hands of four cards, of which exactly two count, with three of the board."""
