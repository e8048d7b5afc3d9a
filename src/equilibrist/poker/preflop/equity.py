"""Equity before the flop: two hands or ranges all-in against each other, over all boards, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._util.arrays import Floats
from ..._util.display import Display
from ...errors import GameError
from ...strategy.tables import Tabular, write_csv
from ..cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS, SUIT_PERMUTATIONS
from ..cards.hand_ranks import strengths
from ..cards.ranges import Range
from .all_in import BOARDS, load_all_in

if TYPE_CHECKING:
    import pyarrow

MOST_PAIRS = 300
"""Pairs of hands, up to suits, whose boards are dealt one by one: each takes about 5 ms."""
_BOARD = 5
_MOST_LISTED = len(SUIT_PERMUTATIONS) * MOST_PAIRS
"""Pairs of hands beyond which there are too many up to suits as well."""
_CHUNK = 200_000  # boards that are ranked at a time
_LONGEST_NAME = 40
_COMBOS = np.bincount(CLASS_OF_HAND)


class _Outcomes(NamedTuple):
    """How much of the weight of all pairs of hands and boards each class wins and ties, by player; shape (2, 169)."""

    mass: Floats
    won: Floats
    tied: Floats


def preflop_equity(
    first: str | Range | ArrayLike, second: str | Range | ArrayLike
) -> PreflopEquity:
    """Return the equity of two hands or ranges that are all-in before the flop, exactly, over all boards.

    Parameters
    ----------
    first, second : str, Range or array-like of float with shape (1326,)
        Two ranges, such as ``"AKs"`` and ``"QQ+,AKo:0.5"``.

    Raises
    ------
    GameError
        A range cannot be read, no two hands of them can be dealt together, or both name suits in
        more than 300 pairs of hands.

    Notes
    -----
    Where one of the ranges treats suits alike, all hands of a class of the other have the same
    equity, and the exact table of the 169 classes says it. Where both name suits, as in ``"AsKs"``
    against ``"QsQd"``, all 1,712,304 boards of each pair of hands are dealt.

    Examples
    --------
    >>> import equilibrist as eq
    >>> print(f"{eq.poker.preflop_equity('AKs', 'QQ').equities[0]:.6f}")
    0.460485
    >>> eq.poker.preflop_equity("AhKh", "QQ+")
    <PreflopEquity: AhKh 34.59%, QQ+ 65.41%>
    """
    ranges = (Range(first, name="first"), Range(second, name="second"))
    if any(player_range.treats_suits_alike() for player_range in ranges):
        outcomes = _sum_over_classes(*ranges)
    else:
        outcomes = _sum_over_boards(*ranges)
    if not outcomes.mass.any():
        raise GameError(
            "No hand of the first range can be dealt with one of the second: each pair shares a card.",
            wrong_use=True,
        )
    return PreflopEquity(ranges=ranges, mass=outcomes.mass, won=outcomes.won, tied=outcomes.tied)


def _sum_over_classes(first: Range, second: Range) -> _Outcomes:
    """Return what is won and tied, by the table of classes."""
    table = load_all_in()
    weights = [
        np.bincount(CLASS_OF_HAND, player_range.weights) / _COMBOS
        for player_range in (first, second)
    ]
    joint = np.outer(*weights)
    mass = joint * table.pairs
    won = joint * table.wins / BOARDS
    lost = joint * table.wins.T / BOARDS
    tied = joint * table.ties / BOARDS
    return _Outcomes(
        np.stack([mass.sum(axis=1), mass.sum(axis=0)]),
        np.stack([won.sum(axis=1), lost.sum(axis=0)]),
        np.stack([tied.sum(axis=1), tied.sum(axis=0)]),
    )


def _sum_over_boards(first: Range, second: Range) -> _Outcomes:
    """Return what is won and tied, by all boards of each pair of hands up to suits."""
    count = int((first.weights > 0).sum() * (second.weights > 0).sum())
    if count > _MOST_LISTED:
        raise _too_many_pairs(count)
    pairs = _pair_weights(first, second)
    if len(pairs) > MOST_PAIRS:
        raise _too_many_pairs(len(pairs))
    outcomes = _Outcomes(*np.zeros((3, 2, len(CLASSES))))
    if not pairs:
        return outcomes
    hands = np.array([np.concatenate(pair) for pair in pairs]).reshape(-1, 4)
    wins = np.zeros(len(hands), np.int64)
    losses = np.zeros(len(hands), np.int64)
    for boards in _deal_boards():
        is_held = (boards[:, :, None] == np.arange(NUM_CARDS)).any(axis=1)
        both = strengths(boards, hands.reshape(-1, 2))
        for number, cards in enumerate(hands):
            possible = ~is_held[:, cards].any(axis=1)
            first_strength = both[possible, 2 * number]
            second_strength = both[possible, 2 * number + 1]
            wins[number] += np.count_nonzero(first_strength > second_strength)
            losses[number] += np.count_nonzero(first_strength < second_strength)
    for number, parts in enumerate(pairs.values()):
        for first_class, second_class, weight in parts:
            tied = weight * (BOARDS - wins[number] - losses[number]) / BOARDS
            outcomes.mass[0, first_class] += weight
            outcomes.mass[1, second_class] += weight
            outcomes.won[0, first_class] += weight * wins[number] / BOARDS
            outcomes.won[1, second_class] += weight * losses[number] / BOARDS
            outcomes.tied[0, first_class] += tied
            outcomes.tied[1, second_class] += tied
    return outcomes


def _too_many_pairs(count: int) -> GameError:
    return GameError(
        f"Both ranges name suits, and have {count:,} pairs of hands; at most {MOST_PAIRS} that "
        "differ by more than suits are dealt board by board. Leave suits out of one of them, or "
        "name fewer hands.",
        wrong_use=True,
    )


def _pair_weights(
    first: Range, second: Range
) -> dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, int, float]]]:
    """Return the pairs of hands that can be dealt, up to suits: of each the classes and weights behind it."""
    pairs: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, int, float]]] = {}
    for hand in np.flatnonzero(first.weights).tolist():
        for other in np.flatnonzero(second.weights).tolist():
            cards = np.concatenate([HANDS[hand], HANDS[other]])
            if len(set(cards.tolist())) < len(cards):
                continue
            renamed = SUIT_PERMUTATIONS[:, cards]
            key = min((tuple(sorted(row[:2])), tuple(sorted(row[2:]))) for row in renamed.tolist())
            weight = float(first.weights[hand] * second.weights[other])
            of_both = int(CLASS_OF_HAND[hand]), int(CLASS_OF_HAND[other]), weight
            pairs.setdefault(key, []).append(of_both)
    return pairs


def _deal_boards() -> Iterator[NDArray[np.int64]]:
    """Yield all boards of the deck, some at a time, shape (boards, 5)."""
    count = comb(NUM_CARDS, _BOARD)
    cards = chain.from_iterable(combinations(range(NUM_CARDS), _BOARD))
    boards = np.fromiter(cards, np.int8, count * _BOARD).reshape(count, _BOARD)
    for begin in range(0, count, _CHUNK):
        yield boards[begin : begin + _CHUNK].astype(np.int64)


def _name_range(player_range: Range) -> str:
    text = str(player_range)
    if len(text) <= _LONGEST_NAME:
        return text
    return f"{player_range.combos:.6g} hands"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PreflopEquity(Tabular, Display):
    """The equity of two hands or ranges before the flop; player 0 has the first.

    Attributes
    ----------
    ranges : pair of Range
    mass : float64 array, shape (2, 169)
        The weight of the pairs of hands that can be dealt, by the class of a player's hand.
    won, tied : float64 array, shape (2, 169)
        How much of this weight the class wins and ties, on average over all boards.
    """

    ranges: tuple[Range, Range]
    mass: Floats
    won: Floats
    tied: Floats

    def __repr__(self) -> str:
        first, second = (
            f"{name} {equity:.2%}" for name, equity in zip(self.names, self.equities, strict=True)
        )
        return f"<PreflopEquity: {first}, {second}>"

    @property
    def names(self) -> tuple[str, str]:
        """Both ranges as texts; of long ones the number of hands."""
        first, second = (_name_range(player_range) for player_range in self.ranges)
        return first, second

    @property
    def equities(self) -> tuple[float, float]:
        """Equity of both ranges; they sum to 1."""
        first, second = (self.won + 0.5 * self.tied).sum(axis=1) / self.mass.sum(axis=1)
        return float(first), float(second)

    @property
    def wins(self) -> tuple[float, float]:
        """How often each of both wins; the rest are ties."""
        first, second = self.won.sum(axis=1) / self.mass.sum(axis=1)
        return float(first), float(second)

    @property
    def tie(self) -> float:
        """How often they tie."""
        return float(self.tied[0].sum() / self.mass[0].sum())

    def columns(self, player: int) -> dict[str, list[Any]]:
        """Return a table of a player's classes of hands, the best first: combos, share of the range, equity."""
        mass = self.mass[player]
        held = np.flatnonzero(mass)
        won = self.won[player, held] / mass[held]
        tied = self.tied[player, held] / mass[held]
        equity = won + 0.5 * tied
        order = np.argsort(-equity, kind="stable")
        combos = np.bincount(CLASS_OF_HAND, self.ranges[player].weights)[held]
        return {
            "hand": [CLASSES[number] for number in held[order]],
            "combos": combos[order].tolist(),
            "probability": (mass[held] / mass.sum())[order].tolist(),
            "equity": equity[order].tolist(),
            "win": won[order].tolist(),
            "tie": tied[order].tolist(),
        }

    def to_arrow(self) -> pyarrow.Table:
        """Return the classes of both players as an Arrow table, a row a class."""
        import pyarrow as pa

        return pa.table(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        both = [self.columns(player) for player in (0, 1)]
        players = [player for player in (0, 1) for _ in both[player]["hand"]]
        return {"player": players} | {name: both[0][name] + both[1][name] for name in both[0]}

    def write_csv(self, path: str | Path) -> None:
        """Write the same table as CSV; numbers are written with all digits.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self._columns()
        write_csv(path, columns, zip(*columns.values(), strict=True))

    def summary(self) -> dict[str, Any]:
        """Return the numbers as plain data for JSON."""
        return {
            "ranges": [str(player_range) for player_range in self.ranges],
            "equity": list(self.equities),
            "win": list(self.wins),
            "tie": self.tie,
            "classes": [self.columns(player) for player in (0, 1)],
        }
