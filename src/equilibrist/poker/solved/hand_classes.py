"""What the 169 classes of hands play before the flop, by line: push or fold with any number of seats, and raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.display import Display
from ...errors import GameError
from ...game.card_places import line_tokens
from ...strategy.tables import write_csv
from ..cards.cards import CLASS_OF_HAND, CLASSES, parse_hand
from ..preflop.game import Preflop, PushFold
from ..preflop.stakes import POSITIONS
from ..preflop.stakes import seat_names as position_names
from ..spot.lines import place_in_words

COMBOS = np.bincount(CLASS_OF_HAND)
"""Number of hands of each class."""


def seat_names(game: str, players: int) -> tuple[str, ...]:
    """Return what the players of a game before the flop are called, in the order in which they act; none of others.

    Who straddles is the last of three and more players; of two the small blind is the first player
    even so.

    >>> seat_names("push_fold(seats=3)", 3), seat_names("kuhn", 2)
    (('BTN', 'SB', 'BB'), ())
    >>> seat_names("push_fold(seats=3, straddle=2)", 3)
    ('SB', 'BB', 'BTN')
    """
    before_flop = game.partition("(")[0] in (PushFold.name, Preflop.name)
    if before_flop and players <= len(POSITIONS):
        return position_names(players, straddle="straddle=" in game)
    return ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ClassNode(Display):
    """A decision before the flop: what each class of hands plays after a line.

    Attributes
    ----------
    line : str
        The actions before, ``"push-fold"``; empty at the start.
    player : int
        Who decides.
    name : str
        What the player is called: ``"BTN"``.
    actions : tuple of str
        The actions there.
    weights : float64 array, shape (169,)
        The probability that the player's actions before lead there, of each class: 1 where the
        player acts first.
    strategy : float64 array, shape (actions, 169)
        The probability of each action; NaN where a sampled run has not met the class.
    """

    line: str
    player: int
    name: str
    actions: tuple[str, ...]
    weights: Floats
    strategy: Floats

    def __repr__(self) -> str:
        mix = ", ".join(
            f"{action} {share:.1%}"
            for action, share in zip(self.actions, self.frequencies, strict=True)
        )
        return f"<ClassNode {self.name} {self.where}: {mix}>"

    @property
    def where(self) -> str:
        """Where the decision is in the betting, in words."""
        return place_in_words(self.line)

    @property
    def frequencies(self) -> Floats:
        """The probability of each action over the hands that come there, whatever the others hold; shape (actions,)."""
        is_dealt = ~np.isnan(self.strategy[0])
        combos = (self.weights * COMBOS)[is_dealt]
        return np.asarray(self.strategy[:, is_dealt] @ combos / max(combos.sum(), 1e-300))

    def classes(self, player: int | None = None) -> tuple[Floats, Floats]:
        """Return the weight of each class, and the probability of each action: see :meth:`SpotNode.classes`."""
        return np.where(np.isnan(self.strategy[0]), 0.0, self.weights), self.strategy

    def number(self, hand: str) -> int:
        """Return the number of a class, which may be named by a hand: ``"AKs"``, ``"AhKh"``.

        Raises
        ------
        GameError
            It is neither.
        """
        if hand in CLASSES:
            return CLASSES.index(hand)
        return int(CLASS_OF_HAND[parse_hand(hand)])

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return a table of the classes as arrays by heading: class, combos, range, and each action."""
        columns = {"class": np.array(CLASSES), "combos": COMBOS, "range": self.weights}
        return columns | dict(zip(self.actions, self.strategy, strict=True))

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self.columns()
        write_csv(
            path, columns, zip(*(column.tolist() for column in columns.values()), strict=True)
        )

    def summary(self) -> dict[str, Any]:
        """Return the node as plain data for JSON."""
        shares = [
            [None if np.isnan(share) else share for share in row] for row in self.strategy.tolist()
        ]
        return {
            "line": self.line,
            "player": self.player,
            "name": self.name,
            "frequencies": dict(zip(self.actions, self.frequencies.tolist(), strict=True)),
            "weights": self.weights.tolist(),
            "strategy": dict(zip(self.actions, shares, strict=True)),
        }


class HandClasses:
    """The decisions of a strategy whose infosets are a class of hands and a line each: ``AKs push-fold``.

    Parameters
    ----------
    strategy : mapping of (player, infoset) to a mapping of actions to probabilities
        ``solution.strategy``.
    names : sequence of str
        What the players are called.

    Attributes
    ----------
    lines : dict of str to int
        The lines after which somebody decides, and who does, the start first.
    """

    def __init__(
        self, strategy: Mapping[tuple[int, str], Mapping[str, float]], names: tuple[str, ...] = ()
    ) -> None:
        self._strategy = strategy
        self._names = names
        self.lines: dict[str, int] = {}
        for player, key in strategy:
            self.lines.setdefault(key.partition(" ")[2], player)
        self.lines = dict(
            sorted(self.lines.items(), key=lambda item: item[0].count("-") + bool(item[0]))
        )

    @classmethod
    def of(cls, solution: Any) -> HandClasses | None:
        """Return the decisions of a solution; None where its infosets are no classes of hands."""
        infosets = solution.strategy.infosets
        if not len(infosets) or any(
            infoset.key.partition(" ")[0] not in CLASSES for infoset in infosets
        ):
            return None
        return cls(solution.strategy, seat_names(solution.game, solution.players))

    def node(self, line: str = "") -> ClassNode:
        """Return the decision after a line, the first one by default.

        Raises
        ------
        GameError
            Nobody decides there.
        """
        tokens = line_tokens(line)
        match = next(
            (line_name for line_name in self.lines if line_tokens(line_name) == tokens), None
        )
        if match is None:
            line_names = ", ".join(repr(line_name) for line_name in list(self.lines)[:12])
            raise GameError(
                f"line: nobody decides after {line!r}; lines after which somebody does are {line_names}.",
                wrong_use=True,
            )
        line = match
        player = self.lines[match]
        moves = [move for move in match.split("-") if move]
        rows = [self._play_of_hand(player, name, line) for name in CLASSES]
        actions = tuple(next(row for row in rows if row))
        weights = np.ones(len(CLASSES))
        for count, move in enumerate(moves):
            line_before = "-".join(moves[:count])
            if self.lines.get(line_before) == player:
                weights *= [
                    self._play_of_hand(player, name, line_before).get(move, 0.0) for name in CLASSES
                ]
        return ClassNode(
            line=line,
            player=player,
            name=self._names[player] if self._names else f"player {player}",
            actions=actions,
            weights=weights,
            strategy=np.array([[row.get(action, np.nan) for row in rows] for action in actions]),
        )

    def _play_of_hand(self, player: int, hand: str, line: str) -> Mapping[str, float]:
        return self._strategy.get((player, f"{hand} {line}".rstrip()), {})
