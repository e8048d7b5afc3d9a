"""Names of cards, shared by the card games."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import GameError

MAX_CARDS = 2_000
"""The most ranks of a deck: beyond that a game is too large to be walked, and dealing alone takes minutes."""

_RANKS = "23456789TJQKA"
_SUITS = "shdc"


def rank_names(ranks: int) -> list[str]:
    """Return names for ``ranks`` ranks, lowest first: J, Q, K for three, up to the ace for 4 to 13, else numbers."""
    if ranks == 3:
        return ["J", "Q", "K"]
    if ranks <= len(_RANKS):
        return list(_RANKS[-ranks:])
    return [str(number) for number in range(1, ranks + 1)]


def suit_names(suits: int) -> list[str]:
    """Return names for ``suits`` suits: s, h, d, c; a deck has at most four."""
    if suits > len(_SUITS):
        raise GameError(f"A deck has at most {len(_SUITS)} suits; got {suits}.", wrong_use=True)
    return list(_SUITS[:suits])


def glue(names: list[str]) -> str:
    """Return what to write between a card and the moves after it: a space where the names are numbers."""
    return "" if all(len(name) == 1 for name in names) else " "


def chips(paid: Sequence[int], player: int) -> list[tuple[str, str]]:
    """Return what a player sees of the chips on a table, as rows of label and text: the pot, and who has paid what."""
    shares = [f"{'you' if i == player else f'player {i}'} {amount}" for i, amount in enumerate(paid)]
    return [("pot", str(sum(paid))), ("paid", ", ".join(shares))]
