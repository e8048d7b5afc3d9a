"""Equity: each hand's share of the pot at the showdown if nobody bets any more, against the range of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._util.arrays import Floats
from ..._util.display import Display
from ...strategy.tables import Tabular, write_csv
from ..cards.cards import CARDS, HANDS, hand_numbers, parse_cards
from ..cards.hand_ranks import FULL_DECK, Deck
from ..cards.made_hands import by_made_hand, hand_columns
from ..cards.ranges import Range
from .game import Holdem
from .showdown import hand_masses, normalise_weights

if TYPE_CHECKING:
    import pyarrow

Arrays = tuple[Floats, Floats]


def equity(
    board: str,
    oop: str | Range | ArrayLike,
    ip: str | Range | ArrayLike,
    *,
    folded: Sequence[str | Range | ArrayLike] = (),
    deck: str = "full",
) -> Equity:
    """Return the equity of two ranges against each other on a board, exactly, over all cards to come.

    Parameters
    ----------
    board : str
        Three, four or five public cards: ``"QsJh2h"``.
    oop, ip : str, Range or array-like of float with shape (1326,)
        Two ranges, such as ``"66+,A8s+,KQo:0.5"``.
    folded : sequence of the same
        The range of each player who folded before the board was dealt.
    deck : {"full", "short", "short, trips beat straights"}
        As for :class:`equilibrist.poker.Holdem`.

    Raises
    ------
    GameError
        Board or ranges cannot be read, or no two hands of them can be dealt together.

    Examples
    --------
    >>> import equilibrist as eq
    >>> result = eq.poker.equity("QsJh2h", "AhKh", "QdQc,JcJd")
    >>> [round(share, 4) for share in result.equities]
    [0.3293, 0.6707]
    >>> {name: round(values[0], 4) for name, (share, values) in result.made(1).items()}
    {'set': 0.6707}
    """
    game = Holdem(board, oop, ip, pot=1, stack=1, folded=folded, deck=deck)
    ranges = (game.deal.weights[0], game.deal.weights[1])
    mass = hand_masses(game.deal, ranges)
    won = game.showdown_on(game.board)(ranges)
    return Equity(
        board=game.settings["board"],
        hands=game.hands,
        ranges=ranges,
        probabilities=(
            normalise_weights(ranges[0] * mass[0]),
            normalise_weights(ranges[1] * mass[1]),
        ),
        equity=(won[0] / mass[0], won[1] / mass[1]),
        deck=game.deck,
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Equity(Tabular, Display):
    """The equity of two ranges on a board; player 0 is OOP, player 1 is IP.

    Attributes
    ----------
    board : str
        The public cards.
    hands : pair of sequences of str
        The names of the hands of both players.
    ranges : pair of float64 arrays
        The weight of each hand.
    probabilities : pair of float64 arrays
        The probability that the player holds each hand, given both ranges; sums to 1.
    equity : pair of float64 arrays
        Share of the pot at the showdown of each hand; NaN where the other's range leaves nothing to
        play against.
    deck : Deck
        The deck, and which hands beat which in it.
    """

    board: str
    hands: tuple[Sequence[str], Sequence[str]]
    ranges: Arrays
    probabilities: Arrays
    equity: Arrays
    deck: Deck = FULL_DECK

    def __repr__(self) -> str:
        return f"<Equity on {self.board}: OOP {self.equities[0]:.2%}, IP {self.equities[1]:.2%}>"

    @property
    def equities(self) -> tuple[float, float]:
        """Equity of both ranges; they sum to 1."""
        return self._mean(0), self._mean(1)

    def _mean(self, player: int) -> float:
        held = self.probabilities[player]
        return float((held * np.where(held > 0, self.equity[player], 0.0)).sum())

    def distribution(self, player: int, bins: int = 10) -> Floats:
        """Return how much of a player's range has which equity, in so many bins from 0 to 1; sums to 1."""
        held = self.probabilities[player] > 0
        edges = np.linspace(0, 1, bins + 1)
        edges[-1] += 1e-9  # equities that rounding puts above 1
        return np.histogram(
            self.equity[player][held], edges, weights=self.probabilities[player][held]
        )[0]

    def made(self, player: int) -> dict[str, tuple[float, list[float]]]:
        """Return, by made hand, how much of a player's range it is, and its equity; the strongest first."""
        board = parse_cards(self.board)
        numbers = self._hand_numbers(player)
        return by_made_hand(
            board, numbers, self.probabilities[player], [self.equity[player]], self.deck
        )

    def removal(self, player: int, *, least: float = 0.0) -> dict[str, float]:
        """Return, by card, the share of a player's range that holds it: what a hand with this card takes from it.

        ``least`` leaves hands with less equity out: what is taken from those that call.
        """
        cards = HANDS[self._hand_numbers(player)]
        weights = np.where(self.equity[player] < least, 0.0, self.ranges[player])
        if not weights.any():
            return {}
        held = np.bincount(cards.ravel(), np.repeat(weights, 2), len(CARDS)) / weights.sum()
        return {card: float(share) for card, share in zip(CARDS, held, strict=True) if share > 0}

    def columns(self, player: int) -> dict[str, NDArray[Any]]:
        """Return a table of a player's hands, as arrays by heading."""
        return hand_columns(parse_cards(self.board), self._hand_numbers(player), self.deck) | {
            "range": self.ranges[player],
            "probability": self.probabilities[player],
            "equity": self.equity[player],
        }

    def _hand_numbers(self, player: int) -> NDArray[np.int64]:
        """Return the numbers of a player's hands among all hands of the deck."""
        return hand_numbers(self.hands[player])

    def to_arrow(self) -> pyarrow.Table:
        """Return the hands of both players as an Arrow table, a row a hand.

        The columns are player, hand, class, made, draws, range, probability and equity.
        """
        import pyarrow as pa

        return pa.table(self._columns())

    def _columns(self) -> dict[str, NDArray[Any]]:
        both = [self.columns(0), self.columns(1)]
        players = np.repeat([0, 1], [len(names) for names in self.hands])
        return {"player": players} | {
            name: np.concatenate([columns[name] for columns in both]) for name in both[0]
        }

    def write_csv(self, path: str | Path) -> None:
        """Write the same table as CSV; numbers are written with all digits.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self._columns()
        write_csv(
            path, columns, zip(*(column.tolist() for column in columns.values()), strict=True)
        )

    def summary(self) -> dict[str, Any]:
        """Return the numbers as plain data for JSON."""
        return {
            "board": self.board,
            "equity": list(self.equities),
            "distribution": [self.distribution(player).tolist() for player in range(2)],
            "made": [self.made(player) for player in range(2)],
        }
