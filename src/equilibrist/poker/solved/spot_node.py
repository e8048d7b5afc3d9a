"""One decision of a solved spot of hold'em, as arrays over hands and as a grid: ranges, EV, equity, what is played."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.display import Display
from ...errors import GameError, nearest
from ...evaluation.off_path import MARK
from ...evaluation.units import CHIPS, Unit
from ...strategy.tables import Tabular, write_csv, write_parquet
from ..cards.cards import (
    CLASS_OF_HAND,
    CLASSES,
    blocked,
    hand_name,
    hand_numbers,
    parse_cards,
    parse_hand,
)
from ..cards.hand_filter import TWO_CARDS, HandTable, HandWords, read_filter
from ..cards.hand_ranks import FULL_DECK, Deck
from ..cards.made_hands import DRAWS, MADE_HANDS, by_made_hand, hand_columns
from ..spot.betting_tree import PLAYERS

if TYPE_CHECKING:
    import pyarrow

Numbers = tuple[float, ...]
Arrays = tuple[Floats, ...]
SIDE = 13
"""Of the grid of hands."""
_NONE = 1e-6
"""Equities up to this are what the averages of a run leave of none."""
# the largest power of ten that a float64 has exactly: quotients by it are the nearest to their
# digits
_EXACT = 22
_LEAST = 0.005  # of the hands of a class: below, it counts as not in the range


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SpotNode(Tabular, Display):
    """A decision in a spot of hold'em under a strategy, of two ranges or of three.

    What is of the players is a tuple with an entry for each. Arrays over the hands of a player have
    the order of :attr:`hands`; what is not known, for the board or the ranges of the others leave
    nothing to play against, is NaN.

    Attributes
    ----------
    line, board : str
        Where it is: ``"X-B100"``, ``"QsJh2h"``.
    player : int
        Who decides, as a number: of two players 0 (OOP) or 1 (IP).
    actions : tuple of str
        The actions there.
    pot : float
        Chips in the middle, all bets so far included.
    stacks : tuple of float
        What the players have left.
    hands : tuple of sequences of str
        The names of the hands of each player.
    ranges : tuple of float64 arrays
        Weight × own reach of each hand.
    probabilities : tuple of float64 arrays
        The probability that the player holds each hand here, given all ranges; sums to 1.
    ev : tuple of float64 arrays
        EV of each hand in chips: what is received in the end less what is put in from here on.
        Without rake the EVs of the players sum to the pot. In a spot with prizes it is what the
        stack is worth at the end, in their unit.
    equity : tuple of float64 arrays
        Share of the pot at the showdown if nobody bets any more, against the ranges of the others.
    strategy : float64 array, shape (actions, hands of the player)
        The probability of each action.
    action_ev : float64 array, shape (actions, hands of the player)
        EV of each action with the strategies of both afterwards; folding is 0, but with prizes.
    after : str
        The line before the spot began, where it is a part of a hand (``holdem(after=…)``).
    reach : float
        The probability with which the players take the line, once the board is dealt.
    off_path : str
        Where that is 0.1 % at most, a sentence about what the strategy promises there; else empty.
    deck : Deck
        The deck, and which hands beat which in it.
    in_chips : bool
        Whether EVs are chips; else they are prizes.
    names : tuple of str
        What the players are called.
    folded : str
        How many hands were folded before the board, and how exactly they are counted, in words; empty
        where none were.
    only : str
        What :meth:`only_hands` says of the hands that are left, in words; else empty.
    """

    has_grid: ClassVar[bool] = True  # whether hands have classes that make a grid
    hand_words: ClassVar[HandWords] = TWO_CARDS  # what filters may name
    made_hands: ClassVar[dict[str, str]] = MADE_HANDS  # what they are, in words
    draws: ClassVar[dict[str, str]] = DRAWS

    line: str
    board: str
    player: int
    actions: tuple[str, ...]
    pot: float
    stacks: Numbers
    hands: tuple[Any, ...]
    ranges: Arrays
    probabilities: Arrays
    ev: Arrays
    equity: Arrays
    strategy: Floats
    action_ev: Floats
    after: str = ""
    reach: float = 1.0
    off_path: str = ""
    deck: Deck = FULL_DECK
    in_chips: bool = True
    names: tuple[str, ...] = PLAYERS
    folded: str = ""
    only: str = ""

    def __repr__(self) -> str:
        mix = ", ".join(
            f"{action} {share:.1%}"
            for action, share in zip(self.actions, self.frequencies, strict=True)
        )
        place_text = f"{self.board} {self.line}".strip()
        return f"<SpotNode {place_text}: {self.names[self.player]} to act, pot {self.pot:g}; {mix}>"

    @property
    def where(self) -> str:
        """Where the decision is in the betting, in words, with a mark where play does not come."""
        line = ", then ".join(filter(None, (self.after, self.line)))
        if line:
            return f"after {line}{f' {MARK}' * bool(self.off_path)}"
        return "at the start"

    @property
    def frequencies(self) -> Floats:
        """The probability of each action over the range of the player, shape (actions,)."""
        return mean_frequencies(self.strategy, self.probabilities[self.player])

    @property
    def evs(self) -> Numbers:
        """EV of each player: chips, or prizes."""
        return tuple(self._mean(player, self.ev) for player in range(len(self.names)))

    @property
    def equities(self) -> Numbers:
        """Equity of each player."""
        return tuple(self._mean(player, self.equity) for player in range(len(self.names)))

    @property
    def eqrs(self) -> Numbers:
        """EQR of each player: EV / (equity × pot), what share of the equity becomes money.

        NaN without equity, and where EVs are prizes.
        """
        if not self.in_chips:
            return (float("nan"),) * len(self.names)
        pairs = zip(self.evs, self.equities, strict=True)
        return tuple(
            ev / (equity * self.pot) if equity > _NONE else float("nan") for ev, equity in pairs
        )

    def find_player(self, player: int | str | None) -> int:
        """Return the number of a player, given by number or by name; by default of who decides.

        Raises
        ------
        GameError
            There is no such player.
        """
        if player is None:
            return self.player
        if isinstance(player, int) and 0 <= player < len(self.names):
            return player
        names = [name.lower() for name in self.names]
        if isinstance(player, str) and player.lower() in names:
            return names.index(player.lower())
        listed = f"{', '.join(names[:-1])} or {names[-1]}"
        raise GameError(
            f"player must be {listed}; got {player!r}.{nearest(str(player), names)}", wrong_use=True
        )

    def passes(
        self, text: str, player: int | None = None, *, unit: Unit = CHIPS
    ) -> NDArray[np.bool_]:
        """Return which hands of a player, by default of who decides, pass a filter; shape (hands of the player,).

        Parameters
        ----------
        text : str
            A filter such as ``"top pair and not hearts, equity > 50"``, as the page and the command take
            it; limits of actions are known of who decides alone.
        player : int, optional
            Whose hands.
        unit : Unit
            The unit in which the filter writes EVs.

        Raises
        ------
        GameError
            The filter cannot be read.
        """
        player = self.player if player is None else player
        mix = {}
        if player == self.player:
            mix = dict(zip(self.actions, self.strategy, strict=True))
        table = self._make_table(
            player,
            board=parse_cards(self.board),
            deck=self.deck,
            weight=self.ranges[player],
            equity=self.equity[player],
            ev=np.array([unit.ev(ev, self.pot) for ev in self.ev[player].tolist()]),
            mix=mix,
        )
        hand_filter = read_filter(text, tuple(mix), deck=self.deck, hand_words=self.hand_words)
        return hand_filter.passes(table)

    def _make_table(self, player: int, **columns: Any) -> HandTable:
        """Return what a filter may ask of the hands of a player."""
        return HandTable(hands=self._hand_numbers(player), **columns)

    def only_hands(self, text: str, player: int | None = None, *, unit: Unit = CHIPS) -> SpotNode:
        """Return the decision with the hands of a player that pass a filter, and no others.

        Means over the player's range are then those over these hands, given how often each is held here.
        What hands earn, and what the other player has, stays as it is: against the whole range.

        Parameters
        ----------
        text, player, unit
            As for :meth:`passes`.

        Raises
        ------
        GameError
            As for :meth:`passes`; or no hand of the range passes.
        """
        player = self.player if player is None else player
        passes = self.passes(text, player, unit=unit)
        share = float(self.probabilities[player][passes].sum())
        if not share > 0:
            raise GameError(
                f"filter: no hand in the range of {self.names[player]} passes {text!r} here; ask "
                "for other hands.",
                wrong_use=True,
            )

        def change(rows: Arrays, hands: Any) -> tuple[Any, ...]:
            return (*rows[:player], hands, *rows[player + 1 :])

        is_own = player == self.player
        hands = tuple(np.array(self.hands[player], object)[passes].tolist())
        return replace(
            self,
            hands=change(self.hands, hands),
            ranges=change(self.ranges, self.ranges[player][passes]),
            probabilities=change(self.probabilities, self.probabilities[player][passes] / share),
            ev=change(self.ev, self.ev[player][passes]),
            equity=change(self.equity, self.equity[player][passes]),
            strategy=self.strategy[:, passes] if is_own else self.strategy,
            action_ev=self.action_ev[:, passes] if is_own else self.action_ev,
            only=f"{self.names[player]} with {text.strip()} alone: {share:.1%} of the range",
        )

    def _mean(self, player: int, values: Arrays) -> float:
        probabilities = self.probabilities[player]
        if probabilities.any():
            return float((probabilities * np.where(probabilities > 0, values[player], 0.0)).sum())
        return float("nan")

    def number(self, hand: str, player: int | None = None) -> int:
        """Return the number of a hand among those of a player, by default of who decides.

        Raises
        ------
        GameError
            It is no hand, or the player cannot hold it here.
        """
        player = self.player if player is None else player
        name = hand_name(parse_hand(hand))
        if set(parse_cards(hand)) & set(parse_cards(self.board)):
            raise GameError(
                f"hand: {name} has a card of the board {self.board}; give another hand.",
                wrong_use=True,
            )
        if name not in self.hands[player]:
            kind = CLASS_OF_HAND[parse_hand(name)]
            held = [
                other for other in self.hands[player] if CLASS_OF_HAND[parse_hand(other)] == kind
            ]
            if not held:
                hands_text = f"{len(self.hands[player])} hands, none of them"
            else:
                hands_text = f"{', '.join(held)} of"
            raise GameError(
                f"hand: {name} is not in the range of {self.names[player]}; it has {hands_text} "
                f"{CLASSES[kind]}.",
                wrong_use=True,
            )
        return list(self.hands[player]).index(name)

    def classes(self, player: int | None = None) -> tuple[Floats, Floats]:
        """Return, for the 169 classes of hands, the share of their hands in the range, and what they play.

        Returns
        -------
        held : float64 array, shape (169,)
            Mean of weight × own reach over the hands that the board leaves possible.
        mix : float64 array, shape (actions, 169)
            The probability of each action; NaN where nothing is held. One row of ones for who does
            not decide.
        """
        player = self.player if player is None else player
        classes = CLASS_OF_HAND[self._hand_numbers(player)]
        weights = self.ranges[player]
        possible = np.bincount(
            CLASS_OF_HAND[~blocked(parse_cards(self.board))], minlength=len(CLASSES)
        )
        held = np.bincount(classes, weights, len(CLASSES))
        if player == self.player:
            played = self.strategy
        else:
            played = np.ones((1, len(weights)))
        weighted = np.where(weights > 0, played * weights, 0.0)
        mix = np.array([np.bincount(classes, row, len(CLASSES)) for row in weighted])
        with np.errstate(invalid="ignore", divide="ignore"):
            return held / np.maximum(possible, 1), mix / held

    def made(self, player: int | None = None) -> dict[str, tuple[float, list[float]]]:
        """Return how a player's range divides into made hands, by default of who decides; the strongest first.

        Returns
        -------
        dict of tuples
            The share of the range, and a list: EV, equity, and of who decides the probability of
            each action.
        """
        player = self.player if player is None else player
        values = [
            self.ev[player],
            self.equity[player],
            *(self.strategy if player == self.player else ()),
        ]
        board = parse_cards(self.board)
        numbers = self._hand_numbers(player)
        return by_made_hand(board, numbers, self.probabilities[player], values, self.deck)

    def made_cells(self, player: int) -> list[dict[str, Any]] | None:
        """Return None: a range of hands of two cards is shown by classes, not by made hand and draw."""

    def _hand_numbers(self, player: int) -> NDArray[np.int64]:
        """Return the numbers of a player's hands among all hands of the deck."""
        return hand_numbers(self.hands[player])

    def columns(self, player: int | None = None) -> dict[str, NDArray[Any]]:
        """Return a table of the hands that a player can hold, as arrays by heading."""
        player = self.player if player is None else player
        numbers = self._hand_numbers(player)
        board = parse_cards(self.board)
        is_possible = ~blocked(board)[numbers]
        columns = hand_columns(board, numbers[is_possible], self.deck) | {
            "range": self.ranges[player][is_possible],
            "probability": self.probabilities[player][is_possible],
            "ev": self.ev[player][is_possible],
            "equity": self.equity[player][is_possible],
        }
        if player == self.player:
            columns |= {
                action: row[is_possible]
                for action, row in zip(self.actions, self.strategy, strict=True)
            }
            columns |= {
                f"ev {action}": row[is_possible]
                for action, row in zip(self.actions, self.action_ev, strict=True)
            }
        return columns

    def to_arrow(self) -> pyarrow.Table:
        """Return the hands of who decides as an Arrow table, a row a hand.

        The columns are hand, class, made (hand), draws, range (weight × own reach), probability,
        ev, equity; then the probability of each action, and ``ev`` and the action for its EV.
        """
        import pyarrow as pa

        return pa.table(self.columns())

    def write_csv(self, path: str | Path, player: int | None = None) -> None:
        """Write the table of a player, by default of who decides, as CSV; numbers are written with all digits.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self.columns(player)
        write_csv(
            path, columns, zip(*(column.tolist() for column in columns.values()), strict=True)
        )

    def write_parquet(self, path: str | Path, player: int | None = None) -> None:
        """Write the same table as Parquet.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        import pyarrow as pa

        write_parquet(path, pa.table(self.columns(player)))

    def summary(self, *, digits: int | None = None) -> dict[str, Any]:
        """Return the numbers of the node, and those of each hand of who decides, as :meth:`table`; data for JSON."""
        return {
            "line": self.line,
            "board": self.board,
            "player": self.player,
            "pot": self.pot,
            "reach": self.reach,
            "off_path": self.off_path,
            "stacks": list(self.stacks),
            "ev": replace_nan(self.evs),
            "equity": replace_nan(self.equities),
            "eqr": replace_nan(self.eqrs),
            "frequencies": dict(zip(self.actions, self.frequencies.tolist(), strict=True)),
            "hands": self.table(digits=digits),
            "made": {
                name: [share, *replace_nan(values)] for name, (share, values) in self.made().items()
            },
        }

    def table(
        self, player: int | None = None, *, digits: int | None = None
    ) -> dict[str, list[Any]]:
        """Return :meth:`columns` as plain data for JSON: None for NaN, and by default all digits of a number."""
        return {name: plain_column(column, digits) for name, column in self.columns(player).items()}


def mean_frequencies(strategy: Floats, probabilities: Floats) -> Floats:
    """Return the probability of each action, shape (actions,), over hands that are held with these probabilities."""
    return np.asarray(np.where(probabilities > 0, strategy * probabilities, 0.0).sum(axis=1))


class Cell(NamedTuple):
    """A class of hands in the grid: pairs on the diagonal, suited hands above it.

    Attributes
    ----------
    name : str
        "AKs".
    row : int
    column : int
    weight : float
        The part of its hands that is in the range, from 0 to 1; 0 where it is next to nothing.
    shares : tuple of float
        What the hands play on average, by action, or 1 for who does not decide; zeros where nothing
        is held.
    """

    name: str
    row: int
    column: int
    weight: float
    shares: tuple[float, ...]


class InClasses(Protocol):
    """A decision that tells what classes of hands play: :class:`SpotNode` is one."""

    def classes(self, player: int | None = None) -> tuple[Floats, Floats]: ...


def hand_grid(node: InClasses, player: int | None = None) -> tuple[Cell, ...]:
    """Return the 169 cells of a player's range at a decision, row by row; by default of who decides."""
    weights, mix = node.classes(player)
    nothing = (0.0,) * len(mix)
    cells = []
    for number, (name, weight) in enumerate(zip(CLASSES, weights.tolist(), strict=True)):
        in_range = weight >= _LEAST
        shares = tuple(mix[:, number].tolist()) if in_range else nothing
        cells.append(
            Cell(name, *divmod(number, SIDE), min(weight, 1.0) if in_range else 0.0, shares)
        )
    return tuple(cells)


def find_grid_place(hand: str) -> tuple[int, int]:
    """Return the row and the column of the class of a hand."""
    return divmod(int(CLASS_OF_HAND[parse_hand(hand)]), SIDE)


def replace_nan(values: Iterable[Any]) -> list[Any]:
    """Return values with None in the place of NaN, which JSON has not."""
    return [None if isinstance(value, float) and math.isnan(value) else value for value in values]


def plain_column(column: NDArray[Any], digits: int | None) -> list[Any]:
    """Return a column as a list, None for NaN; numbers in so many significant digits."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "f":
        return values
    if digits is not None:
        size = np.abs(np.where(column == 0, 1.0, column))
        scale = 10.0 ** np.minimum(digits - 1 - np.floor(np.log10(size)), _EXACT)
        values = (np.round(column * scale) / scale).tolist()
    for number in np.flatnonzero(np.isnan(column)):
        values[number] = None
    return values
