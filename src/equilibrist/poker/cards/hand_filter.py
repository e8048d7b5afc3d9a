"""Filters of hands: by hand, made hand, draw, suit, card held, weight, equity, EV and action, with and, or, not.

The page has the same grammar in ``page/js/poker/filter-grammar.js``; the cases in
``tests/data/hand_filters.json`` hold for both.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ...errors import GameError
from .cards import HANDS, parse_card, plain_suits
from .hand_ranks import FULL_DECK, Deck
from .made_hands import DRAWS, MADE_HANDS, draws, made_hands
from .ranges import RangeWarning, hands_of_token

GRAMMAR = (
    "write top pair, flush draw, QQ+, AhKd, Ah, hearts, suited, weight > 50, equity > 50, EV > 10 "
    "or an action such as B50 > 20, with commas, and, or, not and parentheses"
)
"""How a filter is written, for messages."""
MOST_WORDS = 200
"""Names, limits, signs and parentheses of a filter."""

_SUITS = {"clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3}
_SHAPES = ("suited", "offsuit", "pocket pair")
_SIGN = re.compile(r"([(),!]|\b(?:and|or|not)\b)", re.IGNORECASE)
_LIMIT = re.compile(r"(.+?) ?(>=|<=|≥|≤|>|<) ?([−-]?[0-9]+(?:\.[0-9]+)?) ?%?")
_LONGEST = 60  # of a word in a message
_NOISE = 1e-9  # what rounding leaves of a limit
_COMPARISONS: Mapping[str, Callable[[Floats, float], NDArray[np.bool_]]] = {
    ">": lambda values, limit: values > limit + _NOISE,
    "<": lambda values, limit: values < limit - _NOISE,
    "≥": lambda values, limit: values >= limit - _NOISE,
    "≤": lambda values, limit: values <= limit + _NOISE,
}


@dataclass(frozen=True, kw_only=True)
class HandTable:
    """What a filter may ask of hands, an entry for each.

    Attributes
    ----------
    hands : int array, shape (n,)
        Rows of :data:`~equilibrist.poker.cards.cards.HANDS`; of hands of four cards these, shape (n, 4).
    board : tuple of int
        Three to five public cards.
    deck : Deck
        The deck, and which hands beat which in it.
    weight : float64 array, shape (n,)
        The part of each hand that is in the range, from 0 to 1.
    equity : float64 array, shape (n,), or None
        Share of the pot, from 0 to 1; NaN where it is not known. None: filters may not name it.
    ev : float64 array, shape (n,), or None
        EV in the unit in which limits are written; likewise.
    mix : mapping of str to float64 array, shape (n,)
        The probability of each action of who decides.
    """

    hands: NDArray[np.int64]
    board: tuple[int, ...]
    deck: Deck
    weight: Floats
    equity: Floats | None = None
    ev: Floats | None = None
    mix: Mapping[str, Floats]

    @property
    def cards(self) -> NDArray[np.int64]:
        """The cards of each hand, shape (n, cards of a hand)."""
        return HANDS[self.hands]


Test = Callable[[Any], NDArray[np.bool_]]
"""Which hands of a :class:`HandTable` something is true of, shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class HandWords:
    """What a filter may name of the hands of a game, beside cards, suits and limits, and what each name asks of them.

    Attributes
    ----------
    made_hands, draws, shapes : mapping of str to Test
        By their names, in lower case.
    read_hands : callable
        Returns the test of a text that names hands as ranges do, and raises GameError where it names none.
    grammar : str
        How a filter is written, for messages.
    """

    made_hands: Mapping[str, Test]
    draws: Mapping[str, Test]
    shapes: Mapping[str, Test]
    read_hands: Callable[[str, Deck], Test]
    grammar: str


@dataclass(frozen=True)
class HandFilter:
    """A filter that was read.

    Attributes
    ----------
    text : str
        As it was written.
    passes : callable
        Returns which hands of a :class:`HandTable` pass, shape (n,); raises GameError where the table
        lacks what the filter asks of it.
    """

    text: str
    passes: Test


@dataclass(frozen=True)
class _Word:
    """A name, a limit or a sign, in lower case where it is a sign, and where it begins."""

    text: str
    start: int
    is_sign: bool


def read_filter(
    text: str,
    actions: Sequence[str] = (),
    *,
    deck: Deck = FULL_DECK,
    name: str = "filter",
    hand_words: HandWords | None = None,
) -> HandFilter:
    """Return the filter that a text says.

    Parts stand between commas. A hand passes that is one of the made hands which are parts of their
    own, if there are any, and that has one of the draws, one of the suits, one of the cards, one of the
    shapes, and is one of the hands, as ranges name them; and that keeps to all other parts: limits,
    and parts with ``and``, ``or``, ``not`` (or ``!``) and parentheses. ``and`` binds closer than
    ``or``. Between parentheses stands a filter again.

    Parameters
    ----------
    text : str
        Such as ``"top pair, not (hearts or equity > 70)"``.
    actions : sequence of str
        The actions of the decision, which limits may name.
    deck : Deck
        The deck, for ``top 20%``.
    name : str
        What the filter is called in messages.
    hand_words : HandWords
        What may be named of hands; by default of those of two cards.

    Raises
    ------
    GameError
        The text cannot be read; ``span`` of the error says where.

    Examples
    --------
    >>> from equilibrist.poker.cards.cards import hand_numbers, parse_cards
    >>> table = HandTable(
    ...     hands=hand_numbers(["AhKd", "QhQd", "Th9h"]), board=parse_cards("QsJh2h"), deck=FULL_DECK,
    ...     weight=np.ones(3), mix={},
    ... )
    >>> read_filter("set or flush draw").passes(table).tolist()
    [False, True, True]
    >>> read_filter("hearts and not open-ended").passes(table).tolist()
    [True, True, False]
    """
    words = _split_words(text)
    possible_words = TWO_CARDS if hand_words is None else hand_words
    if len(words) > MOST_WORDS:
        raise _filter_error(
            f"{name}: a filter has at most {MOST_WORDS} names, limits and signs; this one has "
            f"{len(words)}; {possible_words.grammar}.",
            (0, len(text)),
        )
    return HandFilter(
        text, _Reader(words, len(text), tuple(actions), deck, name, possible_words).read()
    )


def is_filter(text: str, hand_words: HandWords | None = None) -> bool:
    """Return whether a text is to be read as a filter, not as a range: a part of it is no token of a range.

    ``hand_words`` are what may be named of hands; by default of those of two cards.

    >>> is_filter("QQ+, AKs"), is_filter("top pair"), is_filter("QQ+ and hearts"), is_filter("Ah")
    (False, True, True, True)
    """
    words = _split_words(text)
    names = [" ".join(word.text.lower().split()) for word in words if not word.is_sign]
    has_operator = any(word.text in ("and", "or", "not") for word in words if word.is_sign)
    possible = TWO_CARDS if hand_words is None else hand_words
    words_of_filters = {*possible.made_hands, *possible.draws, *possible.shapes, *_SUITS}
    return has_operator or any(
        name in words_of_filters or _LIMIT.fullmatch(name) or parse_card(name) is not None
        for name in names
    )


def _split_words(text: str) -> list[_Word]:
    words = []
    start = 0
    for place, piece in enumerate(_SIGN.split(text)):
        name = piece.strip()
        if name:
            first = start + len(piece) - len(piece.lstrip())
            is_sign = place % 2 == 1
            words.append(_Word(name.lower() if is_sign else name, first, is_sign))
        start += len(piece)
    return words


class _Reader:
    """The words of a filter, and how far they are read."""

    def __init__(
        self,
        words: list[_Word],
        length: int,
        actions: tuple[str, ...],
        deck: Deck,
        name: str,
        hand_words: HandWords,
    ) -> None:
        self.words = words
        self.length = length  # of the text
        self.actions = actions
        self.deck = deck
        self.name = name
        self.hand_words = hand_words
        self.place = 0

    def read(self) -> Test:
        passes = self._read_parts(opened=None)
        if self.place < len(self.words):  # a bracket that nothing opened
            word = self.words[self.place]
            raise self._error(f"the parenthesis at character {word.start + 1} closes nothing", word)
        return passes

    def _read_parts(self, opened: _Word | None) -> Test:
        """Return what all parts up to a closing bracket, or to the end, ask of hands."""
        groups: dict[str, list[Test]] = {}
        limits: list[Test] = []
        while True:
            while self._take(","):
                pass
            if self._next() in ("", ")"):
                break
            first = self.place
            kind, passes = self._read_either()
            if self.place == first + 1 and kind != "limit":
                groups.setdefault(kind, []).append(passes)
            else:
                limits.append(passes)
            if self._next() not in ("", ",", ")"):
                word = self.words[self.place]
                raise self._error(
                    f"{_quote(word.text)} at character {word.start + 1} needs and, or, or a comma before it",
                    word,
                )
        alternatives = [_any_of(group) for group in groups.values()]
        if opened is not None and not (alternatives or limits):
            raise self._missing()
        return _all_of([*alternatives, *limits])

    def _read_either(self) -> tuple[str, Test]:
        kind, passes = self._read_both()
        while self._take("or"):
            passes = _any_of([passes, self._read_both()[1]])
        return kind, passes

    def _read_both(self) -> tuple[str, Test]:
        kind, passes = self._read_single()
        while self._take("and"):
            passes = _all_of([passes, self._read_single()[1]])
        return kind, passes

    def _read_single(self) -> tuple[str, Test]:
        if self._take("not") or self._take("!"):
            return "limit", _not(self._read_single()[1])
        if self._take("("):
            opened = self.words[self.place - 1]
            passes = self._read_parts(opened)
            if not self._take(")"):
                raise self._error(
                    f"the parenthesis at character {opened.start + 1} is not closed", opened
                )
            return "limit", passes
        if self.place == len(self.words) or self.words[self.place].is_sign:
            raise self._missing()
        word = self.words[self.place]
        self.place += 1
        return self._read_name(word)

    def _read_name(self, word: _Word) -> tuple[str, Test]:
        """Return the kind of a name or a limit, and what it asks of hands."""
        name = " ".join(word.text.split())
        lower = name.lower()
        if lower in self.hand_words.made_hands:
            return "made", self.hand_words.made_hands[lower]
        if lower in self.hand_words.draws:
            return "draw", self.hand_words.draws[lower]
        if lower in _SUITS:
            return "suit", _has_suit(_SUITS[lower])
        if lower in self.hand_words.shapes:
            return "shape", self.hand_words.shapes[lower]
        card = parse_card(name)
        if card is not None:
            return "card", _holds_card(card)
        limit = _LIMIT.fullmatch(name)
        if limit:
            return "limit", self._read_limit(limit, word)
        try:
            return "hand", self.hand_words.read_hands(plain_suits(name), self.deck)
        except GameError:
            raise self._error(
                f"{_quote(name)} at character {word.start + 1} is no hand, made hand, draw, suit, card or "
                "limit",
                word,
            ) from None

    def _read_limit(self, match: re.Match[str], word: _Word) -> Test:
        name, sign, number = match.groups()
        limit = float(number.replace("−", "-"))
        fits = _COMPARISONS[sign.replace(">=", "≥").replace("<=", "≤")]
        action = next((action for action in self.actions if action.lower() == name.lower()), None)
        if action is not None:
            return lambda table: fits(100 * table.mix[action], limit)
        if name.lower() == "weight":
            return lambda table: fits(100 * table.weight, limit)
        if name.lower() == "equity":
            return lambda table: fits(100 * self._known(table.equity, word), limit)
        if name.lower() == "ev":
            return lambda table: fits(self._known(table.ev, word), limit)
        listed = ", ".join(("weight", "equity", "EV", *self.actions))
        raise self._error(
            f"{_quote(name)} at character {word.start + 1} is none of {listed}, which have limits",
            word,
        )

    def _known(self, values: Floats | None, word: _Word) -> Floats:
        """Return EVs or equities, or say that they are not known before a spot is solved."""
        if values is None:
            raise _filter_error(
                f"{self.name}: {_quote(word.text)} at character {word.start + 1} asks for what is known of "
                "a solved spot alone; leave it out.",
                (word.start, len(word.text)),
            )
        return values

    def _next(self) -> str:
        """Return the next word, or nothing at the end."""
        if self.place < len(self.words):
            return self.words[self.place].text
        return ""

    def _take(self, sign: str) -> bool:
        """Return whether the next word is a sign, and pass over it."""
        is_next = self.place < len(self.words) and self.words[self.place].is_sign
        if not is_next or self.words[self.place].text != sign:
            return False
        self.place += 1
        return True

    def _missing(self) -> GameError:
        """Return the error of a place where a name should stand."""
        if self.place < len(self.words):
            word = self.words[self.place]
            return self._error(
                f"a hand or a limit is missing before {_quote(word.text)} at character {word.start + 1}",
                word,
            )
        return self._error(
            "a hand or a limit is missing at the end", self.words[-1] if self.words else None
        )

    def _error(self, problem: str, word: _Word | None) -> GameError:
        span = (0, self.length) if word is None else (word.start, len(word.text))
        return _filter_error(f"{self.name}: {problem}; {self.hand_words.grammar}.", span)


def _quote(text: str) -> str:
    """Return a text, or its beginning, between quotation marks."""
    return f"'{text[:_LONGEST]} …'" if len(text) > _LONGEST else f"'{text}'"


def _filter_error(message: str, span: tuple[int, int]) -> GameError:
    error = GameError(message, wrong_use=True)
    error.span = span
    return error


def _any_of(tests: Sequence[Test]) -> Test:

    def passes_any(table: HandTable) -> NDArray[np.bool_]:
        is_shown = np.zeros(len(table.hands), bool)
        for passes in tests:
            is_shown |= passes(table)
        return is_shown

    return passes_any


def _all_of(tests: Sequence[Test]) -> Test:
    """Return whether all tests are passed; all hands pass none."""

    def passes_all(table: HandTable) -> NDArray[np.bool_]:
        is_shown = np.ones(len(table.hands), bool)
        for passes in tests:
            is_shown &= passes(table)
        return is_shown

    return passes_all


def _not(passes: Test) -> Test:
    return lambda table: ~passes(table)


def _has_made_hand(name: str) -> Test:
    number = list(MADE_HANDS).index(name)
    return lambda table: made_hands(table.board, table.deck)[table.hands] == number


def _has_draw(name: str) -> Test:
    number = list(DRAWS).index(name)
    return lambda table: draws(table.board, table.deck)[number, table.hands]


def _has_suit(suit: int) -> Test:
    return lambda table: (table.cards % 4 == suit).any(axis=1)


def _holds_card(card: int) -> Test:
    return lambda table: (table.cards == card).any(axis=1)


def _has_shape(name: str) -> Test:
    def passes(table: HandTable) -> NDArray[np.bool_]:
        low, high = table.cards.T
        is_suited = low % 4 == high % 4
        is_pair = low // 4 == high // 4
        shape = {"suited": is_suited, "pocket pair": is_pair, "offsuit": ~is_suited & ~is_pair}
        return np.asarray(shape[name])

    return passes


def _read_two_cards(name: str, deck: Deck) -> Test:
    """Return whether hands are among those that a text names as ranges do, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RangeWarning)
        hands = hands_of_token(name, "", deck)
    return lambda table: np.isin(table.hands, hands)


TWO_CARDS = HandWords(
    made_hands={name: _has_made_hand(name) for name in MADE_HANDS},
    draws={name: _has_draw(name) for name in DRAWS},
    shapes={name: _has_shape(name) for name in _SHAPES},
    read_hands=_read_two_cards,
    grammar=GRAMMAR,
)
"""The names of hands of two cards."""
