"""Games from files of Gambit: the tree of a file as rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .._util.display import Display
from ..errors import GameError
from ..game.protocol import TERMINAL

PROBABILITY_SLACK = Fraction(1, 10**9)
"""How far probabilities may be from summing to 1: Gambit wants exactly 1, other programs write thirds as 0.333333."""

ESCAPED = (
    "Written by Equilibrist. In labels, %xx stands for a byte of UTF-8 that Gambit does not "
    "allow there."
)
"""The comment of files in which labels are escaped as URLs are: only files with this comment are read back this way.

Gambit allows printable ASCII in labels and single spaces between.
"""


@dataclass(slots=True)
class GambitInfoset:
    """One infoset of a file; player 0 is chance, as there."""

    player: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]
    name: str = ""
    child_of: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class GambitNode:
    """One node: its infoset (``None`` at the end), all that has been paid on the way to it, and its children."""

    infoset: GambitInfoset | None
    paid: tuple[Fraction, ...]
    children: list[int] = field(default_factory=list)

    def complete(self) -> bool:
        return self.infoset is None or len(self.children) == len(self.infoset.actions)


class GambitGame(Display):
    """A game from an ``.efg`` file; make it with :func:`~equilibrist.games.gambit_read.read_efg`.

    States are the numbers of the nodes in the order of the file. Actions and infosets are their
    labels where these are there and unique (within the infoset, within the player), else their
    numbers, as text.
    """

    def __init__(self, title: str, names: Sequence[str], nodes: Sequence[GambitNode]) -> None:
        self.title = title
        self.names = tuple(names)
        self.players = len(names)
        self._nodes = nodes

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.title!r}: {self.players} players, "
            f"{len(self._nodes):,} nodes>"
        )

    def _infoset(self, state: int) -> GambitInfoset:
        infoset = self._nodes[state].infoset
        if infoset is None:
            raise GameError(
                f"Node {state} of '{self}' is an end of the game: nobody moves there.",
                wrong_use=True,
            )
        return infoset

    def in_fractions(self) -> FractionGambitGame:
        """Return the same game, whose payoffs and probabilities are the fractions of the file."""
        return FractionGambitGame(self.title, self.names, self._nodes)

    def start(self) -> int:
        return 0

    def player(self, state: int) -> int:
        infoset = self._nodes[state].infoset
        # The file's player 0 is chance, our CHANCE is -1.
        if infoset is None:
            return TERMINAL
        return infoset.player - 1

    def actions(self, state: int) -> list[str]:
        return list(self._infoset(state).child_of)

    def probabilities(self, state: int) -> list[float]:
        return [float(probability) for probability in self._infoset(state).probabilities]

    def next(self, state: int, action: str) -> int:
        return self._nodes[state].children[self._infoset(state).child_of[action]]

    def payoffs(self, state: int) -> list[float]:
        """Return the payoff of every player at the end: the exact sum of the outcomes on the way, rounded once."""
        return [float(payoff) for payoff in self._nodes[state].paid]

    def infoset(self, state: int) -> str:
        return self._infoset(state).name


class FractionGambitGame(GambitGame):
    """A game from a file whose numbers are fractions, as the file has them."""

    def probabilities(self, state: int) -> list[Fraction]:  # type: ignore[override]
        return list(self._infoset(state).probabilities)

    def payoffs(self, state: int) -> list[Fraction]:  # type: ignore[override]
        return list(self._nodes[state].paid)
