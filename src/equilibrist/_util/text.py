"""Texts of users and their games, made fit to be shown."""

from __future__ import annotations


def visible(text: str) -> str:
    """Return a text in which control characters are spelled out, so that no name can move the cursor."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
