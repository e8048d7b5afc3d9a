"""Heads-up no-limit hold'em from the first card to the last: its game, and what is solved of it by buckets of hands."""
