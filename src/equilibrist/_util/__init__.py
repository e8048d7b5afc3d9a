"""Helpers that know nothing of games: files, interrupts, validation of arguments, call specifications, text.

Every room may import it; it imports only `errors`.
"""
