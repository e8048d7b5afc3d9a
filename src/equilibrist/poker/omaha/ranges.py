"""Ranges of Omaha: a weight for each hand of four cards, and the text that people write for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ...errors import GameError
from ..cards.cards import CARDS, RANKS, SUITS, cards_text, parse_card, plain_suits
from ..cards.ranges import read_weight
from .hands import NUM_HANDS, SUITS_OF, all_hands, rank_counts, rows_of, suit_counts

GRAMMAR = (
    "write hands such as AsAhKdQc, ranks such as AA, KK+, AAxx or AKQJ (x is any card) with ds "
    "(double-suited), ss (single-suited) or r (four suits) behind, random or 100%, with a weight "
    "from 0 to 1 as in AAxx:0.5, and commas between"
)
"""How a range is written, for messages."""

_TOKEN = re.compile(r"[^\s,;]+")
_RANKS = re.compile(rf"([{RANKS}x*]{{1,4}})(\+?)\$?(ds|ss|r|)", re.IGNORECASE)
_PATTERNS = {"xxyy": "ds", "xxyz": "ss", "xyzw": "r"}
"""Suits of four cards as other programs write them, ``AA:xxyy``, and as they are written here."""
_CARDS = re.compile(rf"(?:[{RANKS}][{SUITS}]){{4}}", re.IGNORECASE)


class OmahaRange(NamedTuple):
    """A weight from 0 to 1 for each hand that the board leaves.

    Attributes
    ----------
    text : str
        The range as it is written.
    hands : int array, shape (n, 4)
        Cards of the hands of weight above 0.
    weights : float array, shape (n,)
        Their weights.
    """

    text: str
    hands: Ints
    weights: Floats

    def __str__(self) -> str:
        return self.text

    @property
    def combos(self) -> float:
        """Number of hands, each counted by its weight."""
        return float(self.weights.sum())

    def treats_suits_alike(self, gone: Sequence[int] = ()) -> bool:
        """Return whether the text says the same of hands that differ by suits alone, whatever cards are ``gone``."""
        full_range = read_range(self.text)
        weights = np.zeros(NUM_HANDS)
        weights[rows_of(full_range.hands)] = full_range.weights
        swaps = (np.array([1, 0, 2, 3]), np.array([1, 2, 3, 0]))  # which make all others
        return all(
            np.array_equal(
                weights,
                weights[rows_of(np.sort(4 * (all_hands() // 4) + swap[all_hands() % 4], axis=1))],
            )
            for swap in swaps
        )


def read_range(text: object, board: Collection[int] = (), name: str = "range") -> OmahaRange:
    """Return the range that a text says.

    Tokens stand between commas (semicolons, blanks and new lines will do), and a later one replaces
    what an earlier one said of the same hands:

    * ``AsAhKdQc``: one hand, its cards in any order
    * ``AAxx, AKQJ``: all hands with these ranks, with any other cards for x: AAxx includes AAAK and
      AAKK
    * ``AA, AKQ``: the same: cards that are not written are any
    * ``KK+``: all hands with this pair or a higher one: AAxx and KKxx
    * ``AAxxds``: of these, those that are double-suited: two cards of one suit, two of another
    * ``AAxxss``: those that are single-suited: two cards of one suit, one each of two others
    * ``AAxxr``: those of four suits
    * ``AA:xxyy``: the same as AAxxds; ``AA:xxyz`` is AAxxss, and ``AA:xyzw`` is AAxxr; ``AA$ds``
      will do
    * ``random, 100%``: all hands
    * ``:0.5`` after it: the weight, 1 if there is none

    Raises
    ------
    GameError
        The text cannot be read, or no hand has any weight; the message says what can be written.

    Examples
    --------
    >>> whole = read_range("AAxxds, AsAhKsKh:0.5")
    >>> whole.text, len(whole.hands), whole.combos
    ('AAxxds,AsAhKsKh:0.5', 864, 863.5)
    """
    if not isinstance(text, str):
        raise GameError(
            f"{name}: a range of Omaha is a text; {GRAMMAR}; got {text!r}.", wrong_use=True
        )
    weights = np.zeros(NUM_HANDS)
    is_possible = np.asarray(~np.isin(all_hands(), list(board)).any(axis=1))
    written = []
    for match in _TOKEN.finditer(plain_suits(text)):
        token = match[0]
        place_text = f"{name}: {match[0]!r} at character {match.start() + 1}"
        try:
            part, colon, number = _split_token(token)
            canonical, rows = _read_hands(part, place_text)
            weight = read_weight(number, place_text, GRAMMAR) if colon else 1.0
            possible_rows = rows[is_possible[rows]]
            if not len(possible_rows):
                raise GameError(
                    f"{place_text} holds a card of {cards_text(board)} in each of its hands; leave it "
                    "out.",
                    wrong_use=True,
                )
        except GameError as error:
            error.span = (match.start(), len(token))
            raise
        weights[possible_rows] = weight
        written.append(canonical if weight == 1.0 else f"{canonical}:{weight!r}")
    has_weight = np.flatnonzero(weights)
    if not len(has_weight):
        raise GameError(f"{name}: no hand has any weight; {GRAMMAR}; got {text!r}.", wrong_use=True)
    return OmahaRange(",".join(written), all_hands()[has_weight], weights[has_weight])


def range_tokens(text: str) -> list[str]:
    """Return the tokens of a range."""
    return _TOKEN.findall(plain_suits(text))


def hands_of_token(token: str) -> NDArray[np.bool_]:
    """Return which of all hands a token without a weight stands for, shape (270725,).

    Raises
    ------
    GameError
        It stands for none, or has a weight.
    """
    part, colon, _ = _split_token(token)
    if colon:
        raise GameError(f"{token!r} has a weight; {GRAMMAR}.", wrong_use=True)
    _, rows = _read_hands(part, repr(token))
    is_named = np.zeros(NUM_HANDS, bool)
    is_named[rows] = True
    return is_named


def _split_token(token: str) -> tuple[str, str, str]:
    """Return hands, a colon where there is a weight, and the weight; suits as in ``AA:xxyy`` belong to the hands."""
    hands, colon, rest = token.partition(":")
    pattern, colon_of_weight, number = rest.partition(":")
    if pattern.lower() in _PATTERNS:
        return hands + _PATTERNS[pattern.lower()], colon_of_weight, number
    return hands, colon, rest


def _read_hands(part: str, place_text: str) -> tuple[str, Ints]:
    """Return a token without its weight in the one way of writing it, and the rows of the hands it stands for."""
    if part.lower() in ("random", "all", "any", "100%"):
        return "random", np.arange(NUM_HANDS)
    if part.endswith("%"):
        raise GameError(
            f"{place_text}: there is no order of the hands of Omaha here; {GRAMMAR}.",
            wrong_use=True,
        )
    part = part.replace("10", "T")
    if match := _RANKS.fullmatch(part):
        ranks = match[1].upper().replace("X", "").replace("*", "")
        plus = match[2]
        suits = match[3].lower()
        is_chosen = np.ones(NUM_HANDS, bool)
        if plus:
            if len(ranks) != 2 or ranks[0] != ranks[1]:
                raise GameError(
                    f"{place_text}: a plus stands behind a pair, as in KK+; {GRAMMAR}.",
                    wrong_use=True,
                )
            is_chosen &= (rank_counts()[:, RANKS.index(ranks[0]) :] >= 2).any(axis=1)
        else:
            for rank, count in Counter(ranks).items():
                is_chosen &= rank_counts()[:, RANKS.index(rank)] >= count
        if suits:
            is_chosen &= (suit_counts()[:, : len(SUITS_OF[suits])] == SUITS_OF[suits]).all(axis=1)
        if not is_chosen.any():
            raise GameError(
                f"{place_text} is no hand: four cards of a rank have four suits.", wrong_use=True
            )
        ranks = "".join(sorted(ranks, key=RANKS.index, reverse=True))
        canonical = f"{ranks.ljust(4, 'x')}{plus}{suits}"
        return canonical, np.flatnonzero(is_chosen)
    if _CARDS.fullmatch(part):
        cards = sorted(
            card for k in range(0, 8, 2) if (card := parse_card(part[k : k + 2])) is not None
        )
        if len(set(cards)) < len(cards):
            raise GameError(
                f"{place_text} holds the same card twice; name four different cards.",
                wrong_use=True,
            )
        return "".join(CARDS[card] for card in reversed(cards)), rows_of(np.array([cards]))
    raise GameError(f"{place_text} cannot be read; {GRAMMAR}.", wrong_use=True)
