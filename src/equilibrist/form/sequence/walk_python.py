"""Compile the rules of a game into a tree of flat arrays, checking them on the way."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ...errors import EquilibristError, EquilibristWarning, GameError
from ...game.checked import CheckedGame, check_players
from ...game.plays import check_repeatable, name_moves
from ...game.protocol import CHANCE, TERMINAL, Game
from ..infosets import Infoset, NamedInfosets
from ..limits import CompileBudget, Meter
from .tree import NO_INFOSET, ROOT, GameTree, PublicChance, child_numbers, public_chance

BYTES_PER_HISTORY = 200
"""What compiling rules in Python takes at its peak, measured by benchmarks.compiling."""

_LOOK_AT = 16  # histories, for a first look at the memory and the time
_PROJECT_AT = 1 << 13  # histories after which the size of the whole game is estimated

_COLUMNS = {"player": np.int8, "probability": np.float64} | dict.fromkeys(
    ("parent", "first_child", "num_children", "infoset", "leaf"), np.uint32
)


def walk_python(game: Game, limits: CompileBudget) -> GameTree:
    """Return the tree of a game, having checked each history on the way."""
    players = check_players(game)
    check_repeatable(game)
    return _Walk(game, players, limits).run()


class _Walk:
    def __init__(self, game: Game, players: int, limits: CompileBudget) -> None:
        self.game = game
        self.ask = CheckedGame(game, players, self.history)
        self.name = self.ask.name
        self.players = players
        self.limits = limits
        self.player = array("b")
        self.parent = array("I")
        self.first_child = array("I")
        self.num_children = array("I")
        self.probability = array("d")
        self.infoset = array("I")
        self.leaf = array("I")
        self.payoffs = array("d")
        self.infosets: list[Infoset] = []
        self.actions_of: list[tuple[Hashable, ...]] = []  # of each infoset, as the rules gave them
        self.first_met = array("I")  # of each infoset: a history in it
        self.index: list[dict[Hashable, int]] = [{} for _ in range(self.players)]
        self.shared: dict[Any, Any] = {}  # equal tuples are kept once
        public = getattr(game, "public", None)
        self.public = public if callable(public) else None
        self.public_history = array("I")
        self.public_group = array("I")
        self.public_count = array("I")
        self.public_outcome = array("I")
        self.groups: dict[Hashable, int] = {}
        self.outcomes: list[dict[Hashable, int]] = []  # of each group, numbered as they are met
        self.depth = 0
        self.here = ROOT  # the history at work

    def run(self) -> GameTree:
        try:
            self._walk()
        except (EquilibristError, EquilibristWarning, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self.ask.rule_error(self.here, error) from error
        return self._tree()

    def _walk(self) -> None:
        ask = self.ask
        stack = []
        limits = self.limits
        look_at = _LOOK_AT
        twin = getattr(self.game, "built_in", None)
        meter = Meter(limits, self.name, game=self.game, project_at=_PROJECT_AT, twin=twin)
        self._grow(ROOT, [1.0])
        stack.append((ROOT, 0, self.game.start()))
        while stack:
            h, depth, state = stack.pop()
            self.here = h
            mover = ask.mover(h, state)
            if mover == TERMINAL:
                self.leaf.append(h)
                self.payoffs.extend(ask.payoffs(h, state))
                self.depth = max(self.depth, depth)
                continue
            actions = ask.actions(h, state)
            count = len(actions)
            if depth == limits.max_depth:
                raise limits.too_deep(self.name, self.history(h))
            self.player[h] = mover
            if mover == CHANCE:
                probabilities = ask.probabilities(h, state, count)
                self._note_public_chance(h, state, actions)
            else:
                self.infoset[h] = self._find_infoset(h, mover, state, actions)
                probabilities = [1.0] * count
            first = len(self.player)
            if limits.max_histories is not None and first + count > limits.max_histories:
                raise limits.too_many(self.name, f"{first:,} of them found so far")
            self.first_child[h] = first
            self.num_children[h] = count
            self._grow(h, probabilities)
            # Reversed, so that the first action is walked first.
            for number in range(count - 1, -1, -1):
                stack.append((first + number, depth + 1, ask.next(h, state, actions[number])))
            if first >= look_at:
                look_at = meter.look(first, BYTES_PER_HISTORY, self._share_walked(h))

    def _share_walked(self, h: int) -> float:
        """Return the share of the game that is walked before a history, if all actions of each lead to as much."""
        share = 0.0
        while h != ROOT:
            parent = self.parent[h]
            share = (share + h - self.first_child[parent]) / self.num_children[parent]
            h = parent
        return share

    def _grow(self, parent: int, probabilities: Sequence[float]) -> None:
        """Add the children of a history, terminal until we know better."""
        count = len(probabilities)
        self.player.extend([TERMINAL] * count)
        self.parent.extend([parent] * count)
        self.first_child.extend([0] * count)
        self.num_children.extend([0] * count)
        self.probability.extend(probabilities)
        self.infoset.extend([NO_INFOSET] * count)

    def _find_infoset(self, h: int, mover: int, state: Any, actions: tuple[Hashable, ...]) -> int:
        """Return the index of the infoset, new or known; a known one must offer the same actions."""
        key = self.game.infoset(state)
        index = self.index[mover].get(key)
        if index is None:
            index = len(self.infosets)
            labels = self.ask.labels(h, state, actions, str(key))
            self.index[mover][key] = index
            self.infosets.append(Infoset(mover, str(key), self.shared.setdefault(labels, labels)))
            self.actions_of.append(self.shared.setdefault(actions, actions))
            self.first_met.append(h)
        elif actions != self.actions_of[index]:
            other = self.first_met[index]
            raise GameError(
                f"{self.name}: player {mover} cannot tell {self.history(other)} from "
                f"{self.history(h)} (infoset {key!r}), yet the actions differ: "
                f"{list(self.actions_of[index])!r} against {list(actions)!r}."
            )
        return index

    def _note_public_chance(self, h: int, state: Any, actions: tuple[Hashable, ...]) -> None:
        public = None if self.public is None else self.public(state)
        if public is None:
            return
        group = self.groups.setdefault(public, len(self.groups))
        if group == len(self.outcomes):
            self.outcomes.append({})
        numbers = self.outcomes[group]
        self.public_history.append(h)
        self.public_group.append(group)
        self.public_count.append(len(actions))
        self.public_outcome.extend([numbers.setdefault(action, len(numbers)) for action in actions])

    def history(self, h: int) -> str:
        """Return the moves that lead to a history, by replaying them, for error messages."""
        return name_moves(self.game, child_numbers(self.parent, self.first_child, h))

    def _public_chance(self) -> PublicChance:
        fields = (self.public_history, self.public_group, self.public_count, self.public_outcome)
        return public_chance(*(np.array(field, np.uint32) for field in fields))

    def _tree(self) -> GameTree:
        names = {(infoset.player, infoset.key) for infoset in self.infosets}
        if len(names) < len(self.infosets):
            raise GameError(
                f"{self.name}: two infosets of a player have the same text; let infoset() return "
                "strings."
            )
        return GameTree(
            name=self.name,
            players=self.players,
            **{name: np.frombuffer(getattr(self, name), kind) for name, kind in _COLUMNS.items()},
            payoffs=np.frombuffer(self.payoffs, np.float64).reshape(-1, self.players),
            infosets=NamedInfosets(self.infosets),
            depth=self.depth,
            public=self._public_chance(),
        )
