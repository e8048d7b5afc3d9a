"""Samples drawn from rules in Python, with no tree: slower, and for any game."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..errors import EquilibristError, GameError
from ..form.tree import Infoset
from ..game import CHANCE, TERMINAL, Game, action_label, game_name
from .positions import SOURCES, UNKNOWN

MOST_MOVES = 4096
"""Of one history: the rules cannot say beforehand."""


class PythonSource:
    """Any :class:`~equilibrist.game.Game`, and a dictionary of the infosets met so far.

    The kernels are run by Python itself here, and put their questions to the methods of the same names.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.index: dict[tuple[int, str], int] = {}
        self.infosets: list[Infoset] = []
        self.first_slot: list[int] = []
        self.filled = game.players  # slots in use: an empty sequence for each player comes first
        self._states: dict[int, Any] = {}
        self._actions: tuple[Hashable, ...] = ()
        self._probabilities: Any = ()

    def set_out(self, drawn: Any, k: int) -> None:
        """Begin the game."""
        self._states[k] = self.game.start()

    def look(self, drawn: Any, k: int, player: int) -> None:
        """Ask the rules who moves, among how many actions, at which slots; at an end for the payoff."""
        here = drawn[k]
        try:
            state = self._states[k]
            here.mover, here.count = mover, _ = self.game.player(state), 0
            if mover == TERMINAL:
                here.value = self.game.payoffs(state)[player]
                return
            self._actions = tuple(self.game.actions(state))
            here.count = len(self._actions)
            if here.count > MOST_MOVES:
                raise GameError(
                    f"{game_name(self.game)}: sampling without a tree allows {MOST_MOVES:,} moves at a history; "
                    f"got {len(self._actions):,}."
                )
            if mover == CHANCE:
                self._probabilities = self.game.probabilities(state)
            else:
                here.slot = self._slot(mover, state)
        except (EquilibristError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise GameError(
                f"{game_name(self.game)}: the rules failed with {type(error).__name__}: {error}. Run check_game on it, "
                "or on a small version of it."
            ) from error

    def _slot(self, mover: int, state: Any) -> int:
        key = str(self.game.infoset(state))
        number = self.index.get((mover, key))
        if number is None:
            return UNKNOWN
        known = len(self.infosets[number].actions)
        if known != len(self._actions):
            raise GameError(
                f"{game_name(self.game)}: player {mover} has {len(self._actions)} actions at a history of infoset "
                f"{key!r} and {known} at another, and cannot tell them apart."
            )
        return self.first_slot[number]

    def chance(self, drawn: Any, k: int, n: int) -> float:
        """Return the probability of an outcome."""
        return float(self._probabilities[n])

    def step(self, drawn: Any, k: int, n: int, new: int) -> None:
        """Keep the state after a move."""
        self._states[new] = self.game.next(self._states[k], self._actions[n])

    def child(self, drawn: Any, k: int, n: int) -> int:
        """Return nothing of use: histories have no numbers here."""
        return 0

    def enter(self, drawn: Any, k: int) -> int:
        """Return the slot of an infoset, and give it one if it is new."""
        state, mover = self._states[k], int(drawn[k].mover)
        key = str(self.game.infoset(state))
        if (mover, key) not in self.index:
            labels = tuple(action_label(self.game, state, action) for action in self.game.actions(state))
            self.add(Infoset(mover, key, labels))
        return self.first_slot[self.index[mover, key]]

    def add(self, infoset: Infoset) -> None:
        """Give slots to a new infoset."""
        self.index[infoset.player, infoset.key] = len(self.infosets)
        self.infosets.append(infoset)
        self.first_slot.append(self.filled)
        self.filled += len(infoset.actions)

    def newcomers(self, drawn: Any, slots: Any, end: int) -> int:
        """Return how many histories of a sample are at infosets without a slot, or -1 if there are too few slots."""
        new = [int(drawn[k].count) for k in range(end) if drawn[k].mover >= 0 and drawn[k].slot == UNKNOWN]
        return len(new) if self.filled + sum(new) <= len(slots.strategy) else -1


SOURCES[PythonSource] = vars(PythonSource)
