"""Histories of a game, walked move by move: who moves, what is known, and what the strategy of a run makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from .._util.arrays import Floats
from ..errors import EquilibristError
from ..form.limits import CompileBudget
from ..form.sequence.build import check_and_unfold, compile_sequence
from ..form.sequence.tree import (
    GameTree,
    child_numbers,
    history_reach,
    history_values,
    move_probabilities,
)
from ..game.protocol import CHANCE, TERMINAL, action_label
from .answers import TreeMove, TreePlace, TreeStep
from .infosets import infoset_table
from .respond import RequestError

if TYPE_CHECKING:
    from .infosets import InfosetTable
    from .workspace import OpenRun

_MOST_VALUED = 1_000_000  # histories of which values are computed, all at once
_KINDS = {CHANCE: "chance", TERMINAL: "end"}


class HistoryWalk:
    """The histories of the game of a run, with values under its strategy where the game is not too large."""

    def __init__(self, run: OpenRun, table: InfosetTable) -> None:
        if table.form is not None and table.form.num_streets:
            raise RequestError(
                "The histories of a game in the card form are not walked, for boards that are "
                "alike are one there; solve it with form='sequence'.",
                status=422,
            )
        self.rules = check_and_unfold(run.game)
        self.players = self.rules.players
        self.table = table

    @cached_property
    def tree(self) -> GameTree | None:
        """The compiled tree; None where the game has more histories than are valued, or cannot be compiled."""
        form = self.table.form
        if form is None or form.histories > _MOST_VALUED:
            return None
        try:
            return (
                form.tree
                or compile_sequence(self.rules, CompileBudget(_MOST_VALUED), keep_tree=True).tree
            )
        except EquilibristError:
            return None

    @cached_property
    def sigma(self) -> Floats | None:
        """The probability of the move that leads to each history."""
        if self.tree is None:
            return None
        table = self.table
        infosets = self.tree.infosets
        if table.form is not None and infosets is table.form.infosets:
            return move_probabilities(self.tree, table.probabilities)
        slots = [table.slots(table.number(player, key)) for player, key, _ in infosets]
        return move_probabilities(
            self.tree, np.concatenate([table.probabilities[action_slots] for action_slots in slots])
        )

    @cached_property
    def values(self) -> Floats | None:
        """The value of each history to each player, shape (histories, players)."""
        if self.tree is None or self.sigma is None:
            return None
        return history_values(self.tree, self.sigma)

    def at(self, path: Sequence[int], *, start: int, count: int) -> TreePlace:
        """Return the history after moves given by number, with some of its own moves."""
        state = self.rules.start()
        index = 0
        steps: list[TreeStep] = []
        reach = [1.0] * self.players
        chance = 1.0
        for depth, number in enumerate(path):
            player, labels, probabilities, infoset = self._ask_rules(state)
            if number >= len(labels):
                raise RequestError(
                    f"path: there are {len(labels)} moves after {depth} of them; got number "
                    f"{number}.",
                    field="path",
                )
            steps.append(
                {
                    "player": player,
                    "infoset": infoset,
                    "action": labels[number],
                    "moves": len(labels),
                    "number": number,
                }
            )
            if player == CHANCE:
                chance *= probabilities[number]
            else:
                reach[player] *= probabilities[number]
            state = self.rules.next(state, self.rules.actions(state)[number])
            index = self._child(index, number)
        player, labels, probabilities, infoset = self._ask_rules(state)
        numbers = range(start, min(len(labels), start + count))
        return {
            "path": list(path),
            "steps": steps,
            "kind": _KINDS.get(player, "decision"),
            "player": player,
            "infoset": infoset,
            "reach": reach,
            "chance_reach": chance,
            "value": self._value(state, index),
            "total": len(labels),
            "start": start,
            "moves": [
                self._move(state, index, number, labels[number], probabilities[number])
                for number in numbers
            ],
        }

    def _ask_rules(self, state: Any) -> tuple[int, list[str], list[float], str | None]:
        """Return who moves at a state, the names of the moves, their probabilities, and the infoset."""
        player = self.rules.player(state)
        if player == TERMINAL:
            return player, [], [], None
        labels = [action_label(self.rules, state, action) for action in self.rules.actions(state)]
        if player == CHANCE:
            return player, labels, list(map(float, self.rules.probabilities(state))), None
        key = str(self.rules.infoset(state))
        try:
            row = self.table.row(self.table.number(player, key))["probabilities"]
        except RequestError:  # a sampled run has not met it, and plays uniformly there
            row = [1 / len(labels)] * len(labels)
        return player, labels, row, key

    def _child(self, index: int, number: int) -> int:
        """Return the number of a history in the compiled tree; -1 where there is none."""
        tree = self.tree
        if tree is None or index < 0:
            return -1
        return int(tree.first_child[index]) + number

    def _value(self, state: Any, index: int) -> list[float | None] | None:
        if self.rules.player(state) == TERMINAL:
            return list(map(float, self.rules.payoffs(state)))
        if self.values is None or index < 0:
            return None
        return list(self.values[index].tolist())

    def _move(
        self, state: Any, index: int, number: int, label: str, probability: float
    ) -> TreeMove:
        next_state = self.rules.next(state, self.rules.actions(state)[number])
        player = self.rules.player(next_state)
        return {
            "number": number,
            "action": label,
            "probability": probability,
            "kind": _KINDS.get(player, "decision"),
            "player": player,
            "infoset": str(self.rules.infoset(next_state)) if player >= 0 else None,
            "moves": 0 if player == TERMINAL else len(self.rules.actions(next_state)),
            "value": self._value(next_state, self._child(index, number)),
        }

    def path_to(self, player: int, key: str) -> list[int]:
        """Return the moves that lead to an infoset, by number: to its most probable history."""
        tree = self.tree
        if tree is None or self.sigma is None:
            raise RequestError(
                "infoset: the game has too many histories to look for one of this infoset; walk "
                "the tree to it.",
                field="infoset",
            )
        number = next(
            (
                k
                for k, infoset in enumerate(tree.infosets)
                if (infoset.player, infoset.key) == (player, key)
            ),
            None,
        )
        if number is None:
            raise RequestError(
                f"infoset: player {player} has no infoset {key!r}.", field="infoset", status=404
            )
        histories = np.flatnonzero(tree.infoset == number)
        history = int(histories[np.argmax(history_reach(tree, self.sigma)[histories])])
        return child_numbers(tree.parent, tree.first_child, history)

    def deal_of(self, path: Sequence[int]) -> list[str]:
        """Return the outcomes of chance on a path."""
        state = self.rules.start()
        outcomes = []
        for number in path:
            actions = self.rules.actions(state)
            if self.rules.player(state) == CHANCE:
                outcomes.append(action_label(self.rules, state, actions[number]))
            state = self.rules.next(state, actions[number])
        return outcomes


_walks: WeakKeyDictionary[OpenRun, HistoryWalk] = WeakKeyDictionary()


def find_walk(run: OpenRun) -> HistoryWalk:
    """Return the walk through the histories of a run, made once; hold its lock."""
    if run not in _walks:
        _walks[run] = HistoryWalk(run, infoset_table(run))
    return _walks[run]
