"""Cards, shared by the card games: dealing them one by one, and their names."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..game.card_rules import CardRules
from ..game.rules import helper

MAX_CARDS = 2_000
"""The most ranks of a deck: beyond that a game is too large to be walked, and dealing alone takes minutes."""

_RANKS = "23456789TJQKA"
_SUITS = "shdc"

MAX_SUITS = len(_SUITS)


@helper
def copies_left(s: Sequence[int], first: int, num_dealt: int, kind: int, copies: int) -> int:
    """Return how many of the copies of a kind of card are not among the cards dealt, ``s[first : first + dealt]``."""
    for hand in range(first, first + num_dealt):
        if s[hand] == kind:
            copies -= 1
    return copies


@helper
def kinds_left(
    s: Sequence[int], first: int, num_dealt: int, kinds: int, copies: int, out: MutableSequence[int]
) -> int:
    """Write the kinds of card of which a copy is left; return how many."""
    count = 0
    for kind in range(kinds):
        if copies_left(s, first, num_dealt, kind, copies) > 0:
            out[count] = kind
            count += 1
    return count


@helper
def chances_of_kinds(
    s: Sequence[int],
    first: int,
    num_dealt: int,
    kinds: int,
    copies: int,
    out: MutableSequence[float],
) -> int:
    """Write, for each kind left, the share of its copies among the cards left."""
    count = 0
    for kind in range(kinds):
        cards_of_kind = copies_left(s, first, num_dealt, kind, copies)
        if cards_of_kind > 0:
            out[count] = cards_of_kind / (kinds * copies - num_dealt)
            count += 1
    return 0


def rank_names(ranks: int) -> list[str]:
    """Return names for ``ranks`` ranks, lowest first: J, Q, K for three, up to the ace for 4 to 13, else numbers."""
    if ranks == 3:
        return ["J", "Q", "K"]
    if ranks <= len(_RANKS):
        return list(_RANKS[-ranks:])
    return [str(number) for number in range(1, ranks + 1)]


def card_names(game: str, names: object, cards: int) -> list[str]:
    """Return names that a user gives for the ranks of a deck, lowest first, if there are as many different ones.

    A text stands for its letters. Neither spaces nor slashes, which stand between cards and moves,
    can be in a name.
    """
    name_list = list(names) if isinstance(names, str | list | tuple) else []
    texts = [
        name for name in name_list if isinstance(name, str) and name and not set(name) & set(" /")
    ]
    if not len(name_list) == len(texts) == len(set(texts)) == cards:
        raise GameError(
            f"{game}: names must be {cards} different names of cards, lowest first, as 'QKA'; "
            f"got {names!r}.",
            wrong_use=True,
        )
    return texts


def suit_names(suits: int) -> list[str]:
    """Return names for ``suits`` suits: s, h, d, c; a deck has at most four."""
    if suits > MAX_SUITS:
        raise GameError(f"A deck has at most {MAX_SUITS} suits; got {suits}.", wrong_use=True)
    return list(_SUITS[:suits])


class CardKinds(NamedTuple):
    """The kinds of cards that players of a deck tell apart.

    Attributes
    ----------
    names : list of str
        Of each kind, lowest rank first.
    copies : int
        Cards of each kind.
    per_rank : int
        Kinds of each rank.
    """

    names: list[str]
    copies: int
    per_rank: int


def card_kinds(ranks: int, suits: int, *, merge_suits: bool) -> CardKinds:
    """Return the kinds of cards of a deck: its ranks, or with suits that count each card."""
    names = rank_names(ranks)
    if merge_suits:
        return CardKinds(names, suits, 1)
    cards = [rank + suit for rank in names for suit in suit_names(suits)]
    return CardKinds(cards, 1, suits)


def suit_permutations(ranks: int, suits: int) -> NDArray[np.int64]:
    """Return what each permutation of the suits makes of each card, shape (suits!, cards); the identity is row 0.

    Cards are numbered suits · rank + suit.
    """
    orders = np.array(list(permutations(range(suits))))
    lowest = suits * np.arange(ranks)
    images: NDArray[np.int64] = lowest[:, None] + orders[:, None, :]
    return images.reshape(len(orders), ranks * suits)


def separator(names: list[str]) -> str:
    """Return what to write between a card and the moves after it: a space where the names are numbers."""
    if all(len(name) == 1 for name in names):
        return ""
    return " "


def chips(paid: Sequence[int], player: int) -> list[tuple[str, str]]:
    """Return what a player sees of the chips on a table, as rows of label and text: the pot, and who has paid what."""
    shares = [
        f"{'you' if i == player else f'player {i}'} {amount}" for i, amount in enumerate(paid)
    ]
    return [("pot", str(sum(paid))), ("paid", ", ".join(shares))]


class SymmetricCards(CardRules):
    """A game by its cards, where a hand is as strong in either seat: as its public states say."""

    def strengths(self, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        public: Any = self._public
        return (public.strengths(boards),) * 2
