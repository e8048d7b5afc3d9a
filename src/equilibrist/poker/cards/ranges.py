"""Ranges of hands: a weight in [0, 1] for each of the 1,326 hands, and the text that people write for them."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from decimal import Decimal
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._util.arrays import Floats
from ...errors import EquilibristWarning, GameError
from .cards import (
    CLASS_OF_HAND,
    CLASSES,
    HANDS,
    NUM_CARDS,
    NUM_HANDS,
    RANKS,
    SUITS,
    blocked,
    cards_text,
    hand_index,
    hand_name,
    parse_card,
    plain_suits,
    tokens,
)
from .hand_ranks import FULL_DECK, Deck

GRAMMAR = (
    "write AA, AKs, AKo, AK, QQ+, ATs+, QQ-88, A9s-A6s, 98o-65o, AsAh, random or top 20%, with a "
    "weight from 0 to 1 as in AA:0.5, and commas between"
)
"""How a range is written, for messages."""

_NAME = r"[^\s,;:\[\]]+"
_WEIGHT = r"(?:\s*:\s*[^\s,;\[\]]*)?"
_PERCENT = r"[\d.]+\s*%"
TOKEN = (
    rf"\[[^\]\s,;]*\]?|\]|[\d.]+\s*%?\s*[-–]\s*{_PERCENT}{_WEIGHT}|(?:(?i:top)\s*)?{_PERCENT}{_WEIGHT}|"
    rf"{_NAME}(?:\s*[-–]\s*{_NAME})?{_WEIGHT}|:[^\s,;\[\]]*"
)
"""A token of a range, as a pattern; a bracket is one, too."""
_SHARE = r"(?:\d+\.?\d*|\.\d+)(?:\s*%)?"
_GROUP = re.compile(
    rf"(?:(?<![^\s,;])(?P<before>{_SHARE}))?\((?P<inside>[^()]*)\)"
    rf"(?:(?:\s*[:@=]\s*)?(?P<after>{_SHARE}(?=[\s,;]|$)))?"
)
_OF_TOKEN = re.compile(r"\s*(?:[01]|\d*\.\d+|[\d.]+\s*%)\s*")
"""A weight between round brackets; other numbers there are hands, as in (99)."""
_WEIGHTED = re.compile(r"(?P<hands>[^:=@]*?)\s*(?:(?P<sign>[:=@])\s*(?P<weight>.*))?", re.DOTALL)
_QUOTES = str.maketrans(dict.fromkeys("\"'“”„’‘", " "))
_BRACKET = re.compile(r"\[(/?)(\d+\.?\d*|\.\d+)\]")
_TOP = re.compile(r"(top\s*)?(\d+\.?\d*|\.\d+)\s*%", re.IGNORECASE)
_BAND = re.compile(r"(\d+\.?\d*|\.\d+)\s*%?\s*-\s*(\d+\.?\d*|\.\d+)\s*%")
_ALL = ("random", "all", "any", "xx", "**")
_BEST_FIRST = {
    0: "AA KK QQ JJ TT 99 88 77 AKs AQs AJs AKo AQo ATs 66 AJo KQs KJs ATo A9s A8s KQo KTs 55 A7s KJo QJs A9o A6s A8o "
    "K9s A5s QTs KTo A7o A4s 44 K8s A3s QJo K7s Q9s JTs K9o A6o A2s A5o QTo K6s A4o K8o Q8s A3o K7o K5s J9s 33 JTo "
    "K4s Q9o A2o Q7s K3s K6o J8s T9s K2s Q8o K5o Q6s J9o J7s K4o Q5s Q7o T8s K3o 22 Q4s J8o T7s T9o K2o Q3s J6s "
    "Q6o J7o J5s Q2s 98s Q5o J4s T8o Q4o J3s 97s T7o T6s Q3o 87s J6o J2s 98o J5o Q2o T5s 96s J4o T4s T3s J3o 97o "
    "86s T6o 95s 87o 76s J2o T2s 85s 75s 96o T5o 94s 93s T4o T3o 84s 65s 86o 74s 95o 92s 76o 54s T2o 83s 64s 85o "
    "75o 73s 82s 94o 93o 53s 63s 65o 84o 74o 43s 92o 72s 54o 52s 64o 83o 73o 42s 62s 82o 32s 53o 63o 43o 72o 52o "
    "42o 62o 32o",
    4: "AA KK QQ JJ TT AKs AQs AKo AJs KQs AQo ATs KJs AJo QJs KTs KQo JTs QTs 99 ATo KJo A9s QJo KTo JTo QTo A8s A9o "
    "K9s T9s A8o Q9s J9s A7s K9o T9o Q9o J9o A7o 88 A6s K8s 98s T8s Q8s J8s K7s A6o K8o 98o T8o Q8o J8o K6s K7o 97s "
    "T7s Q7s J7s 77 Q6s K6o 97o T7o 87s Q7o J7o 96s Q6o T6s J6s 87o 96o 86s T6o J6o 66 76s 86o 76o",
}
"""Classes by the share of the pot that they win against any hand without betting, best first, by the lowest rank of
the deck: of 52 cards on 6,000 random boards, of 36 on all, where a straight beats three of a kind."""
_HOLDING = re.compile(rf"([{RANKS}])[x*]([so]?)(\+?)", re.IGNORECASE)
_SUITED = re.compile(rf"(.+?)\{{([{SUITS}x*])([{SUITS}x*])\}}", re.IGNORECASE)
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)(\+?)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e-?\d+)?", re.IGNORECASE)
_OF_PIO = np.lexsort((HANDS[:, 0], HANDS[:, 1]))
"""The hands in the order of PioSOLVER, shape (1326,): by the higher card, then by the lower one."""


class RangeWarning(EquilibristWarning):
    """A token of a range that other programs read in another way."""


class _Classes(NamedTuple):
    """Hands of two ranks, 0 … 12: the high one, the low one, and "s", "o" or "" for suited, offsuit or both."""

    high: int
    low: int
    suits: str

    @property
    def gap(self) -> int:
        return self.high - self.low

    def at(self, high: int, low: int) -> _Classes:
        return _Classes(high, low, self.suits)

    def __str__(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.suits


class Range:
    """A weight in [0, 1] for each of the 1,326 hands of two cards.

    In text, tokens stand between commas (semicolons, blanks, quotation marks and new lines will
    do), and a later one replaces what an earlier one said of the same hands; in postflop-solver the
    earlier one counts, so there is a warning. The dialect is otherwise that of PioSOLVER and
    postflop-solver; signs of suits are read as their letters, and 10 as T:

    * ``AA``: the six pairs of aces
    * ``AKs, AKo, AK``: the four suited hands, the twelve offsuit ones, all sixteen
    * ``QQ+``: QQ, KK, AA
    * ``ATs+``: the low card goes up to just below the high one: ATs, AJs, AQs, AKs
    * ``T9s+``: two neighbouring ranks go up together: T9s, JTs, QJs, KQs, AKs. Other programs read
      T9s alone, so there is a warning; ``AKs-T9s`` says the same and is read everywhere
    * ``QQ-88, A9s-A6s``: all from one to the other, in either order
    * ``98o-65o``: the same with both ranks going down: 98o, 87o, 76o, 65o
    * ``AsAh``: one hand
    * ``Ax, Axs, Jx+``: all hands with an ace, AA among them; the suited ones; all hands with a jack
      or better (other programs may not read it, so there is a warning); ``*`` will do for x
    * ``-55``, ``55-``: 55 and all pairs below; ``A9s-`` is A9s-A2s
    * ``random``: all hands; ``all``, ``any``, ``xx`` and ``100%`` will do
    * ``top 20%``: the best hands by their equity against any hand, in whole classes; ``20%`` alone
      is read so, with a warning, as other programs order hands otherwise; ``5%-15%`` is what is
      between
    * ``AKs{ss}, AK{hx}``: of these the hands whose higher card is the first suit, and whose lower
      card the second; x is any suit, and the cards of a pair may change places
    * ``QQ,!QhQs``: without the hands of the token behind ``!``: their weight is 0
    * ``:0.5`` after it: the weight, 1 if there is none: ``QQ-88:0.5``; also ``AA:50%``, ``AA=0.5``,
      ``AA(0.5)``, and ``AA@50`` in percent, as ProPokerTools writes it
    * ``(AA,KK)0.5``: the weight of all tokens between that have none; ``0.5(AA,KK)`` and
      ``(AA,KK):50%`` will do
    * ``[50]AA,KK[/50]``: the same in percent, as GTO+ and Flopzilla write it
    * ``{"AA": 1, …}``: an object of JSON: tokens without weights, and the weight of each
    * ``0 0.5 1 …``: 1,326 weights in the order of PioSOLVER: 2d2c, 2h2c, 2h2d, 2s2c … AsAh; or 169
      of the classes, row by row of the usual grid from AA to 22, with a warning

    Parameters
    ----------
    weights : str, Range or array-like of float, shape (1326,)
        A text as above; or a weight for each hand, in the order of
        :data:`~equilibrist.poker.cards.cards.HANDS`.
    board : collection of int
        Cards that no hand can hold, whose hands get weight 0. A token of which nothing is left is
        refused.
    name : str
        What the range is called in messages.
    deck : Deck
        Hands with cards that it lacks get weight 0, too.

    Attributes
    ----------
    weights : float64 array, shape (1326,), read-only

    Raises
    ------
    GameError
        The text cannot be read, a weight is not in [0, 1], or no hand has any weight.

    Examples
    --------
    >>> print(Range("KK, AA, A5s - A2s:0.5, AKo, AKs"))
    KK+,AKs,A5s-A2s:0.5,AKo
    >>> Range("AA,AsAh:0.5").combos
    5.5
    """

    __slots__ = ("weights",)

    def __init__(
        self,
        weights: str | Range | ArrayLike,
        *,
        board: Collection[int] = (),
        name: str = "range",
        deck: Deck = FULL_DECK,
    ) -> None:
        if isinstance(weights, Range):
            numbers = weights.weights.copy()
        elif isinstance(weights, str):
            numbers = _read_text(weights, board, name, deck)
        else:
            numbers = _check_weights(weights, name)
        has_weight = numbers.any()
        if board or deck.first:
            numbers[blocked([*deck.missing, *board])] = 0.0
        if not numbers.any():
            if has_weight:
                blocked_text = f" but those that hold {_blocked_text(board, deck)}"
            else:
                blocked_text = ""
            raise GameError(
                f"{name}: no hand has any weight{blocked_text}; {GRAMMAR}.", wrong_use=True
            )
        numbers += 0.0  # -0.0 is 0.0
        numbers.setflags(write=False)
        self.weights: Floats = numbers

    def __str__(self) -> str:
        return self.export()

    def treats_suits_alike(self, gone: Sequence[int] = ()) -> bool:
        """Return whether all hands of a class have one weight; cards that are ``gone`` are in no hand."""
        free = ~blocked(gone)
        classes = CLASS_OF_HAND[free]
        highest = np.zeros(CLASS_OF_HAND.max() + 1)
        lowest = np.ones(CLASS_OF_HAND.max() + 1)
        np.maximum.at(highest, classes, self.weights[free])
        np.minimum.at(lowest, classes, self.weights[free])
        return bool((highest[classes] - lowest[classes] <= 1e-9).all())

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool(np.array_equal(self.weights, other.weights))

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Range, (np.array(self.weights),)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.array(self.weights, dtype)

    def __mul__(self, factor: Range | ArrayLike) -> Range:
        """Return the range with each weight multiplied, by a number or by a number for each hand."""
        return Range(self.weights * np.asarray(factor, np.float64))

    __rmul__ = __mul__

    def without(self, cards: Collection[int], name: str = "range") -> Range:
        """Return the range without the hands that hold one of some cards.

        Raises
        ------
        GameError
            No hand is left.
        """
        return Range(self, board=cards, name=name)

    def export(self, dialect: str = "text") -> str:
        """Return the range as other programs read it.

        Parameters
        ----------
        dialect : {"text", "gto+", "json", "weights"}
            ``AA,KQs:0.5`` of PioSOLVER, postflop-solver and most others; ``AA,[50]KQs[/50]`` of
            GTO+ and Flopzilla; an object of JSON; or the 1,326 weights of PioSOLVER. :class:`Range`
            reads all of them.

        Raises
        ------
        GameError
            There is no such dialect.

        Examples
        --------
        >>> Range("AA,KQs:0.5,JJ:0.5").export("gto+")
        'AA,[50]JJ,KQs[/50]'
        """
        if dialect not in DIALECTS:
            raise GameError(
                f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}.", wrong_use=True
            )
        return _WRITERS[dialect](self.weights)

    @property
    def combos(self) -> float:
        """Number of hands, each counted by its weight."""
        return float(self.weights.sum())

    @property
    def percentage(self) -> float:
        """Share of the weights of all 1,326 hands, in percent."""
        return 100.0 * self.combos / NUM_HANDS

    @property
    def grid(self) -> Floats:
        """Mean weight of the hands of each class, shape (13, 13): aces first, suited hands above the diagonal."""
        sums = np.bincount(CLASS_OF_HAND, self.weights, minlength=len(CLASSES))
        return (sums / np.bincount(CLASS_OF_HAND)).reshape(13, 13)


def _check_weights(weights: ArrayLike, name: str) -> Floats:
    try:
        numbers = np.array(weights, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (NUM_HANDS,) or not ((numbers >= 0) & (numbers <= 1)).all():
        raise GameError(
            f"{name}: give a text, or {NUM_HANDS} weights from 0 to 1, one for each hand; got "
            f"{weights!r}.",
            wrong_use=True,
        )
    return numbers


def _blocked_text(board: Collection[int], deck: Deck) -> str:
    """Return in words the cards that no hand can hold."""
    board_text = f"a card of {cards_text(board)}"
    low = f"one below {RANKS[deck.lowest]} that the deck lacks"
    return " or ".join([board_text] * bool(board) + [low] * bool(deck.lowest))


def _read_text(text: str, board: Collection[int], name: str, deck: Deck) -> Floats:
    """Return the weights of a text in any dialect."""
    if text.lstrip().startswith("{"):
        try:
            return _parse_weights(_json_tokens(text, name), board, name, deck)
        except GameError as error:
            error.span = None  # of tokens, which the text has elsewhere
            raise
    numbers = text.replace(",", " ").split()
    if len(numbers) in (NUM_HANDS, len(CLASSES)) and all(map(_NUMBER.fullmatch, numbers)):
        values = np.array(numbers, np.float64)
        if (values > 1).any():
            raise GameError(
                f"{name}: {len(values)} weights are from 0 to 1; got {values.max():g}.",
                wrong_use=True,
            )
        if len(values) == NUM_HANDS:
            weights = np.empty(NUM_HANDS)
            weights[_OF_PIO] = values
            return weights
        _warn(
            f"{name}: 169 weights are read row by row of the grid: AA, AKs, AQs … A2s, AKo, KK … "
            "22."
        )
        of_hands: Floats = values[CLASS_OF_HAND]
        return of_hands
    return _parse_weights(text, board, name, deck)


def _json_tokens(text: str, name: str) -> str:
    """Return an object of JSON as tokens with weights."""
    try:
        weights = json.loads(text)
    except (ValueError, RecursionError):
        raise GameError(
            f'{name}: the JSON cannot be read; write {{"AA": 1, "AKs": 0.5}}.', wrong_use=True
        ) from None
    for token, weight in weights.items():
        if not re.fullmatch(TOKEN, token) or set(token) & set(":[]"):
            raise GameError(f"{name}: {token!r} cannot be read; {GRAMMAR}.", wrong_use=True)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise GameError(
                f"{name}: the weight of {token!r} is a number from 0 to 1; got {weight!r}.",
                wrong_use=True,
            )
    return ",".join(f"{token}:{float(weight)!r}" for token, weight in weights.items())


class _Group(NamedTuple):
    """Tokens between round brackets, by the places of the characters, and the weight of those that have none."""

    first: int
    last: int
    weight: str


def range_tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield each token of a range with its weight, if it has one of its own, and its place as :func:`tokens` does."""
    yield from tokens(_cut_groups(text)[0], TOKEN)


def _cut_groups(text: str) -> tuple[str, list[_Group]]:
    """Return a text without quotation marks, signs of suits and round brackets; and what is between the last ones.

    Each character stays in its place.
    """
    plain = plain_suits(text).translate(_QUOTES)
    groups: list[_Group] = []

    def blank(match: re.Match[str]) -> str:
        inside = match["inside"]
        if _OF_TOKEN.fullmatch(inside) and match["before"] is None:  # of the token before: AKs(0.5)
            return f":{''.join(inside.split())}".ljust(len(match[0]))
        weight = match["before"] or match["after"] or ""
        groups.append(_Group(match.start(), match.end(), "".join(weight.split())))
        start = match.start("inside") - match.start()
        return f"{' ' * start}{inside}".ljust(len(match[0]))

    return _GROUP.sub(blank, plain), groups


def _parse_weights(text: str, board: Collection[int], name: str, deck: Deck) -> Floats:
    weights = np.full(NUM_HANDS, np.nan)
    is_possible = ~blocked([*deck.missing, *board])
    bracket: tuple[str, str] | None = None  # the one that is open: its number, and where it is
    plain, groups = _cut_groups(text)
    for token, place in tokens(plain, TOKEN):
        place_text = f"{name}: {token!r} at character {place}"
        try:
            if token[0] in "[]":
                bracket = _find_bracket(token, bracket, place_text)
                continue
            part, number = _split_weight(token)
            if part.startswith("!"):
                if number is not None:
                    raise GameError(
                        f"{place_text}: what ! leaves out has no weight; write {part}.",
                        wrong_use=True,
                    )
                weights[hands_of_token(part[1:], place_text, deck)] = np.nan
                continue
            hands = hands_of_token(part, place_text, deck)
            if not is_possible[hands].any():
                raise GameError(
                    f"{place_text} holds {_blocked_text(board, deck)} in each of its hands; leave it out.",
                    wrong_use=True,
                )
            group = next(
                (group.weight for group in groups if group.first < place <= group.last), ""
            )
            if number is None and group:
                number = group
            usual = 1.0 if bracket is None else float(f"{bracket[0]}e-2")
            if number is None:
                weight = usual
            else:
                weight = read_weight(number, place_text)
            weights_before = weights[hands]
            _warn_of_other_weights(
                hands[is_possible[hands] & (weights_before >= 0) & (weights_before != weight)],
                weights,
                weight,
                place_text,
            )
            weights[hands] = weight
        except GameError as error:
            error.span = (place - 1, len(token))
            raise
    if bracket is not None:
        raise GameError(
            f"{bracket[1]} is not closed; write [/{bracket[0]}] after its hands.", wrong_use=True
        )
    filled: Floats = np.nan_to_num(weights)
    return filled


def _split_weight(token: str) -> tuple[str, str | None]:
    """Return the hands of a token, and its weight as :func:`read_weight` takes it, if it has one."""
    match = _WEIGHTED.fullmatch(token)
    if match is None or match["sign"] is None:
        return token.strip(), None
    weight = match["weight"].strip()
    if match["sign"] == "@":
        weight = f"{weight.removesuffix('%').strip()}%"
    return match["hands"].strip(), weight


def _warn(sentence: str) -> None:
    warnings.warn(sentence, RangeWarning, stacklevel=2)


def _warn_of_other_weights(
    hands: NDArray[np.int64], weights: Floats, weight: float, place_text: str
) -> None:
    """Warn of hands to which a token gives another weight than one before it did."""
    if len(hands):
        warnings.warn(
            f"{place_text} gives {hand_name(int(hands[0]))} a second weight: {weight:g} counts here, "
            f"where the last token does, and {weights[hands[0]]:g} in postflop-solver, where the "
            "first one does; name each hand once.",
            RangeWarning,
            stacklevel=2,
        )


def _find_bracket(
    token: str, opened: tuple[str, str] | None, place_text: str
) -> tuple[str, str] | None:
    """Return the bracket that is open after one such as ``[50]`` or ``[/50]``."""
    match = _BRACKET.fullmatch(token)
    if (
        match is None
        or bool(match[1]) != (opened is not None)
        or (opened and match[2] != opened[0])
    ):
        raise GameError(
            f"{place_text} cannot be read; write [50]AA,KK[/50] for a weight of 50 %.",
            wrong_use=True,
        )
    if not float(match[2]) <= 100:
        raise GameError(f"{place_text}: a weight in brackets is at most 100 %.", wrong_use=True)
    if opened:
        return None
    return (match[2], place_text)


def read_weight(text: str, place_text: str, grammar: str = GRAMMAR) -> float:
    """Return the weight that a text is, 0.5 or 50%; ``place_text`` and ``grammar`` are for the message of the error."""
    number = text.strip()
    percent = number.endswith("%")
    try:
        weight = float(f"{number[:-1].strip()}e-2" if percent else number)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        if 2 <= weight <= 100 and not percent:
            hint = f" ({number} % is {number}%)"
        else:
            hint = ""
        raise GameError(
            f"{place_text}: a weight is a number from 0 to 1{hint}; {grammar}.", wrong_use=True
        )
    return weight


def hands_of_token(part: str, place_text: str, deck: Deck = FULL_DECK) -> NDArray[np.int64]:
    """Return the hands that a token without its weight stands for, ``place_text`` being how a message begins.

    Raises
    ------
    GameError
        The token cannot be read.
    """
    part = part.replace("–", "-")
    if suited := _SUITED.fullmatch(part):
        return _hands_of_suits(suited, place_text, deck)
    if part.lower() in _ALL:
        return np.arange(NUM_HANDS)
    if top := _TOP.fullmatch(part):
        percent = float(top[2])
        if not top[1] and percent < 100:
            _warn(
                f"{place_text} is read as top {top[2]}%: the best hands by their equity against any "
                "hand; other programs order hands otherwise."
            )
        return _best_hands(percent, place_text, deck)
    if band := _BAND.fullmatch(part):
        return _hands_between(float(band[1]), float(band[2]), place_text, deck)
    part = part.replace("10", "T")
    card = parse_card(part[:2])
    other = parse_card(part[2:])
    if card is not None and other is not None:
        if card == other:
            raise GameError(
                f"{place_text} holds the same card twice; name two different cards.", wrong_use=True
            )
        return np.array([hand_index(card, other)])
    if holding := _HOLDING.fullmatch(part):
        return _hands_with_rank(holding, place_text)
    return np.concatenate([_hands_of_class(classes) for classes in _read_classes(part, place_text)])


def _hands_of_suits(match: re.Match[str], place_text: str, deck: Deck) -> NDArray[np.int64]:
    """Return the hands of a token whose higher card has one suit, and whose lower card another: ``AK{hx}``."""
    hands = hands_of_token(match[1], place_text, deck)
    low, high = HANDS[hands].T
    higher_suits, lower_suits = (
        [SUITS.find(letter.lower())] if letter.lower() in SUITS else list(range(len(SUITS)))
        for letter in match.group(2, 3)
    )
    fits = np.isin(high % 4, higher_suits) & np.isin(low % 4, lower_suits)
    is_pair = low // 4 == high // 4
    fits |= is_pair & np.isin(low % 4, higher_suits) & np.isin(high % 4, lower_suits)
    if not fits.any():
        raise GameError(
            f"{place_text} has no hand of these suits; leave it out, or write other suits.",
            wrong_use=True,
        )
    return hands[fits]


def _hands_between(first: float, last: float, place_text: str, deck: Deck) -> NDArray[np.int64]:
    """Return the best hands without the very best ones; both are shares of all of a deck, in per cent."""
    if not first < last:
        raise GameError(
            f"{place_text}: the shares of the best hands go up, as in 5%-15%.", wrong_use=True
        )
    best_hands = _best_hands(last, place_text, deck)
    between = best_hands[len(_best_hands(first, place_text, deck)) if first else 0 :]
    if not len(between):
        raise GameError(f"{place_text} has no whole class of hands; make it wider.", wrong_use=True)
    _warn(
        f"{place_text} is read as what top {last:g}% has and top {first:g}% has not, by their equity "
        "against any hand; other programs order hands otherwise."
    )
    return between


def _hands_with_rank(match: re.Match[str], place_text: str) -> NDArray[np.int64]:
    """Return the hands with a card of some rank, or with a plus of one not below it; suited or offsuit, or both."""
    rank = RANKS.index(match[1].upper())
    suits = match[2].lower()
    ranks = HANDS // 4
    suited = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
    if match[3]:
        holds = (ranks >= rank).any(axis=1)
        if rank < len(RANKS) - 1:
            _warn(
                f"{place_text} is read as all such hands with a card that is {match[1].upper()} or "
                "better."
            )
    else:
        holds = (ranks == rank).any(axis=1)
    pairs = ranks[:, 0] == ranks[:, 1]
    of_suits = {"s": suited, "o": ~suited & ~pairs, "": np.ones(NUM_HANDS, bool)}[suits]
    return np.flatnonzero(holds & of_suits)


def _best_hands(percent: float, place_text: str, deck: Deck) -> NDArray[np.int64]:
    """Return the best hands, a share of all of a deck: each class of which at least half belongs to it."""
    if not 0 < percent <= 100:
        raise GameError(
            f"{place_text}: the share of the best hands is above 0 and at most 100 %.",
            wrong_use=True,
        )
    num_left = percent / 100 * comb(NUM_CARDS - deck.first, 2)
    class_hands = [np.empty(0, np.int64)]
    for name in _BEST_FIRST[deck.lowest].split():
        hands = _hands_of_class(_read_class(name, place_text)[0])
        if num_left < len(hands) / 2:
            break
        num_left -= len(hands)
        class_hands.append(hands)
    return np.concatenate(class_hands)


def _read_classes(part: str, place_text: str) -> list[_Classes]:
    """Return the classes of hands of a token such as ``QQ+`` or ``98o-65o``."""
    first, dash, last = (piece.strip() for piece in part.partition("-"))
    if dash and not (first and last):
        start, plus = _read_class(first or last, place_text)
        if plus:
            raise GameError(f"{place_text} cannot be read; {GRAMMAR}.", wrong_use=True)
        if not start.gap:
            return _classes_with_gap(start, 0, start.high)
        return [start.at(start.high, rank) for rank in range(start.low + 1)]
    start, plus = _read_class(first, place_text)
    if dash:
        other, last_has_plus = _read_class(last, place_text)
        if (
            plus
            or last_has_plus
            or start.suits != other.suits
            or (start.gap == 0) != (other.gap == 0)
        ):
            raise GameError(f"{place_text} cannot be read; {GRAMMAR}.", wrong_use=True)
        if start.gap == other.gap:
            return _classes_with_gap(start, *sorted((start.high, other.high)))
        if start.high != other.high:
            raise GameError(
                f"{place_text}: the ends of a dash share their high card, as A9s-A6s, or are as far "
                f"apart, as 98o-65o; {GRAMMAR}.",
                wrong_use=True,
            )
        low, high = sorted((start.low, other.low))
        return [start.at(start.high, rank) for rank in range(low, high + 1)]
    if not plus:
        return [start]
    if start.gap > 1:
        return [start.at(start.high, rank) for rank in range(start.low, start.high)]
    classes = _classes_with_gap(start, start.high, len(RANKS) - 1)
    if start.gap == 1 and len(classes) > 1:
        warnings.warn(
            f"{place_text} is read as {', '.join(map(str, classes))}; other programs read {start} "
            f"alone: write {classes[-1]}-{start}, or {start}.",
            RangeWarning,
            stacklevel=2,
        )
    return classes


def _classes_with_gap(start: _Classes, first: int, last: int) -> list[_Classes]:
    """Return the classes with the same distance of ranks whose high card is from the first to the last."""
    return [start.at(high, high - start.gap) for high in range(first, last + 1)]


def _read_class(text: str, place_text: str) -> tuple[_Classes, bool]:
    """Return a class of hands such as ``AKs``, and whether a plus follows."""
    match = _CLASS.fullmatch(text)
    if match is None or (match[1].upper() == match[2].upper() and match[3]):
        raise GameError(f"{place_text} cannot be read; {GRAMMAR}.", wrong_use=True)
    low, high = sorted(RANKS.index(rank.upper()) for rank in match.group(1, 2))
    return _Classes(high, low, match[3].lower()), bool(match[4])


@cache
def _hands_of_class(classes: _Classes) -> NDArray[np.int64]:
    ranks = HANDS // 4
    suited = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
    has_ranks = (ranks[:, 0] == classes.low) & (ranks[:, 1] == classes.high)
    return np.flatnonzero(has_ranks & {"s": suited, "o": ~suited, "": True}[classes.suits])


def weight_of_classes(weights: Floats, is_possible: NDArray[np.bool_]) -> Floats:
    """Return the weight of each class of which all possible hands weigh the same, and nan where they do not."""
    least_weight = np.full(len(CLASSES), np.inf)
    largest_weight = np.full(len(CLASSES), -np.inf)
    np.minimum.at(least_weight, CLASS_OF_HAND[is_possible], weights[is_possible])
    np.maximum.at(largest_weight, CLASS_OF_HAND[is_possible], weights[is_possible])
    return np.where(least_weight == largest_weight, least_weight, np.nan)


def _write_tokens(weights: Floats) -> Iterator[tuple[str, float]]:
    """Yield the tokens of a range and their weights: pairs, and for each high card suited hands, then offsuit ones."""
    of_class = weight_of_classes(weights, np.ones(NUM_HANDS, bool)).tolist()
    pairs, rows = _order_classes()
    yield from _write_runs(weights, of_class, pairs)
    for pair_classes, suited, offsuit in rows:
        if all(_class_weight(of_class, member) is not None for member in pair_classes):
            yield from _write_runs(weights, of_class, pair_classes)
        else:
            yield from _write_runs(weights, of_class, suited)
            yield from _write_runs(weights, of_class, offsuit)


@cache
def _order_classes() -> tuple[list[_Classes], list[list[list[_Classes]]]]:
    """Return the pairs, and for each high card all hands with it, the suited and the offsuit ones, highest first."""
    ranks = range(len(RANKS) - 1, -1, -1)
    rows = [
        [[_Classes(high, low, suits) for low in ranks if low < high] for suits in ("", "s", "o")]
        for high in ranks
    ]
    return [_Classes(rank, rank, "") for rank in ranks], rows


def _class_weight(of_class: list[float], classes: _Classes) -> float | None:
    """Return the weight of hands of two ranks, where it is the same for all."""
    high, low, suits = classes
    suited = of_class[168 - 13 * high - low]
    offsuit = of_class[168 - 13 * low - high]
    first = suited if suits != "o" else offsuit
    last = offsuit if suits != "s" else suited
    if first == last:
        return first
    return None


def _write_runs(
    weights: Floats, of_class: list[float], classes: list[_Classes]
) -> Iterator[tuple[str, float]]:
    """Yield tokens for classes in a row, highest first: one for those with the same weight, or one for each hand."""
    first = 0
    while first < len(classes):
        weight = _class_weight(of_class, classes[first])
        last = first + 1
        if weight is None:
            for hand in reversed(_hands_of_class(classes[first])):
                if weights[hand]:
                    yield hand_name(int(hand)), float(weights[hand])
        else:
            while last < len(classes) and _class_weight(of_class, classes[last]) == weight:
                last += 1
            if weight:
                highest = str(classes[first])
                lowest = str(classes[last - 1])
                yield (
                    highest
                    if last == first + 1
                    else f"{lowest}+"
                    if first == 0
                    else f"{highest}-{lowest}",
                    weight,
                )
        first = last


def _write_brackets(weights: Floats) -> str:
    """Return a range with the weights in brackets, those of 1 first."""
    groups: dict[float, list[str]] = {1.0: []}
    for token, weight in _write_tokens(weights):
        groups.setdefault(weight, []).append(token)
    parts = []
    for weight, names in groups.items():
        percent = f"{Decimal(repr(weight)).scaleb(2):f}"
        parts += [",".join(names)] if weight == 1 else [f"[{percent}]{','.join(names)}[/{percent}]"]
    return ",".join(filter(None, parts))


_WRITERS: dict[str, Callable[[Floats], str]] = {
    "text": lambda weights: ",".join(
        f"{token}:{weight!r}".removesuffix(":1.0") for token, weight in _write_tokens(weights)
    ),
    "gto+": _write_brackets,
    "json": lambda weights: json.dumps(dict(_write_tokens(weights))),
    "weights": lambda weights: " ".join(
        f"{weight!r}".removesuffix(".0") for weight in weights[_OF_PIO].tolist()
    ),
}
DIALECTS = tuple(_WRITERS)
