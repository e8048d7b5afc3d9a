"""The walk over a game of compiled rules, with no Python for each history.

The same depth-first walk as that of :mod:`equilibrist.form.sequence.walk_python`, over a
:class:`~equilibrist.game.compiled_rules.CompiledRules`: histories, infosets and public moves of chance get the same
numbers. One compiled function (:mod:`.walk_jit_kernels`) takes some thousand steps at a time;
before each run of it, Python sees to it that whatever these steps find has room. Whatever is wrong
with a game is left to the walk in Python, which knows how to say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba  # noqa: F401  # whole before its parts
import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from ..._jit.hashtable import KEY, KEYS, WORDS, make_table, with_room
from ...game.checked import LARGEST_PAYOFF, payoff_error
from ...game.compiled_rules import CompiledRules, compile_rules
from ...game.plays import name_moves
from ...game.protocol import TERMINAL, game_name
from ...game.rules import RulesGame
from ..infosets import StateInfosets
from ..limits import NEVER, CompileBudget, Meter
from . import walk_jit_kernels as kernels
from .canonical import CanonicalForm, Walked
from .tree import NO_INFOSET, GameTree, PublicChance, common_sum, public_chance
from .walk_jit_kernels import Histories, Index, Leaves, Notes, Scratch, Stack, WalkTables, Whole

# between two looks at what has to grow, and whether to stop
_FIRST_STEPS = 1 << 8
_MOST_STEPS = 1 << 14
_LEVELS = 64  # of the stack, at first
_LOOK_AT = 1 << 14  # histories, for a first look at the memory and the time
_PROJECT_AT = 1 << 20  # histories after which the size of the whole game is estimated

# What compiling takes at its peak, measured by benchmarks.compiling: bytes for each leaf, for each
# payoff of a leaf, for each infoset besides its key, and for each history that is kept.
_BYTES_PER_LEAF = 30
_BYTES_PER_PAYOFF = 16
_BYTES_PER_INFOSET = 100
_BYTES_IN_TREE = 25
_LEAST_BYTES = 20  # for each history: half of them are leaves at least where no move is forced


def walk_jit(game: RulesGame, limits: CompileBudget, *, keep_tree: bool) -> Walked | None:
    """Return what a walk by compiled rules finds, or None where there are none or something is wrong."""
    if not follows_its_rules(game):
        return None
    try:
        rules = compile_rules(game)
    except NumbaError:  # rules that only Python understands
        return None
    return _Walk(game, rules, limits, keep_tree).run()


def follows_its_rules(game: RulesGame) -> bool:
    """Return whether all that is known of a game follows from its rules: nobody has put other methods in their place.

    The texts of infosets must come from the class that has the rules or from one that it inherits
    from: those of others might merge what the rules tell apart.
    """
    protocol = (
        "start",
        "player",
        "actions",
        "probabilities",
        "next",
        "payoffs",
        "infoset",
        "public",
    )
    cls = type(game)
    unchanged = all(
        getattr(cls, name) is getattr(RulesGame, name) and name not in vars(game)
        for name in protocol
    )
    defined = {
        name: [name in vars(base) for base in cls.__mro__].index(True)
        for name in ("rules", "infoset_name")
    }
    return (
        unchanged
        and not vars(game).keys() & defined.keys()
        and defined["infoset_name"] >= defined["rules"]
    )


class _Walk:
    def __init__(
        self, game: RulesGame, rules: CompiledRules, limits: CompileBudget, keep_tree: bool
    ) -> None:
        self.game = game
        self.rules = rules
        self.limits = limits
        self.keep_tree = keep_tree
        width = len(rules.start)
        most_actions = game.max_actions
        players = game.players
        self.most = most_actions
        links = (_zero_indices(0), _zero_indices(0), _zero_indices(0))
        infoset = _zero_indices(0)
        leaf = _zero_indices(0)
        self.histories = Histories(
            np.zeros(0, np.int8), *links, np.zeros(0), infoset, leaf, np.zeros((0, players))
        )
        if keep_tree:
            self.histories = _grow_record(self.histories, [1] * 8)
            self.histories.player[0] = TERMINAL
            self.histories.probability[0] = 1.0
            self.histories.parent[0] = self.histories.first_child[0] = self.histories.num_children[
                0
            ] = 0
            self.histories.infoset[0] = NO_INFOSET
        self.leaves = Leaves(
            _zero_indices(0, players),
            np.zeros((0, players)),
            np.array([-np.inf, np.inf, 0.0, np.inf, 0.0]),
        )
        moves = (
            _zero_integers(_LEVELS, width),
            _zero_integers(_LEVELS, most_actions),
            np.zeros((_LEVELS, most_actions)),
        )
        numbers = (
            _zero_integers(_LEVELS),
            _zero_integers(_LEVELS),
            _zero_integers(_LEVELS),
            _zero_integers(_LEVELS),
            _zero_integers(_LEVELS),
        )
        self.stack = Stack(*moves, *numbers, np.zeros(_LEVELS), _zero_integers(_LEVELS, players))
        # Level 0 stands above the start, and nobody moves there: its only child is the start
        # itself.
        self.stack.state[0] = rules.start
        self.stack.mover[0] = TERMINAL
        self.stack.children[0] = 1
        self.stack.reach[0] = 1.0
        self.infosets = make_table(game.max_observation)
        self.groups = make_table(game.max_observation)
        self.notes = Notes(
            _zero_indices(0),
            _zero_indices(0),
            _zero_indices(0),
            _zero_integers(0, width),
            _zero_indices(0),
            _zero_indices(0),
            _zero_indices(0),
            _zero_integers(0),
        )
        self.scratch = Scratch(_zero_integers(game.max_observation), np.zeros(players))
        self.counted = _zero_integers(9)
        self.counted[kernels.HISTORIES] = self.counted[kernels.SEQUENCES] = 1
        self.states: list[NDArray[Any]] = []

    def run(self) -> Walked | None:
        """Walk to the end, some steps at a time, so that Ctrl-C is heard in between."""
        limits = self.limits
        status = kernels.RUNNING
        steps = _FIRST_STEPS
        look_at = _LOOK_AT
        meter = Meter(
            limits,
            game_name(self.game),
            game=self.game,
            project_at=_PROJECT_AT,
            compiled_rules=True,
        )
        meter.foresee(_LEAST_BYTES)
        while status in (kernels.RUNNING, kernels.DEEPER):
            status = self._walk(steps, look_at)
            count = int(self.counted[kernels.HISTORIES])
            if count >= look_at:
                look_at = meter.look(count, self._bytes_each(), self._share_walked())
            steps = min(2 * steps, _MOST_STEPS)
        if status == kernels.TOO_LARGE:
            raise limits.too_many(game_name(self.game), f"{count:,} of them found so far")
        if status == kernels.TOO_DEEP:
            numbers = self.stack.following[1 : self.counted[kernels.LEVEL]] - 1
            raise limits.too_deep(game_name(self.game), name_moves(self.game, numbers.tolist()))
        if status == kernels.DONE:
            return self._make_walked()
        return None

    def _walk(self, steps: int, look_at: int) -> int:
        self._make_room(steps)
        counted = self.counted
        limits = np.array([self.limits.max_histories or NEVER, self.limits.max_depth], np.int64)
        counted[kernels.BASE] = self.infosets.used[KEYS]
        tables = (
            self.histories,
            self.leaves,
            self.stack,
            self.infosets,
            self.groups,
            self.notes,
            self.scratch,
        )
        status: int = kernels.walk(self.rules, WalkTables(*tables, counted), steps, limits, look_at)
        self.states.append(
            _narrow_integers(self.notes.states[: self.infosets.used[KEYS] - counted[kernels.BASE]])
        )
        return status

    def _share_walked(self) -> float:
        """Return the share of the game that is walked, if all actions of each history lead to as much."""
        share = 0.0
        end = self.counted[kernels.LEVEL] + 1
        for number, count in zip(
            self.stack.following[1:end][::-1], self.stack.children[1:end][::-1], strict=True
        ):
            share = (max(0, number - 1) + share) / max(1, count)
        return float(share)

    def _make_room(self, steps: int) -> None:
        """Let the arrays grow so that so many steps find room for the most that they can meet."""
        counted = self.counted
        words = steps * (KEY + len(self.scratch.observation))
        leaves = counted[kernels.LEAVES] + steps
        children = steps * self.most
        if self.keep_tree:
            sizes = [counted[kernels.HISTORIES] + children] * 6 + [leaves] * 2
            self.histories = _grow_record(self.histories, sizes)
        self.leaves = Leaves(
            grow_array(self.leaves.last, leaves),
            grow_array(self.leaves.weight, leaves),
            self.leaves.sums,
        )
        self.stack = _grow_record(self.stack, [counted[kernels.LEVEL] + 4] * len(self.stack))
        self.infosets = with_room(self.infosets, steps, words + steps * (3 + self.most))
        self.groups = with_room(self.groups, steps, words)
        infosets = self.infosets.used[KEYS] + steps
        public = counted[kernels.PUBLIC] + steps
        lengths = [infosets] * 3 + [steps] + [public] * 3 + [counted[kernels.OUTCOMES] + children]
        self.notes = _grow_record(self.notes, lengths)

    def _make_walked(self) -> Walked:
        counted = self.counted
        infosets_met = self.infosets.used[KEYS]
        leaves = self.counted[kernels.LEAVES]
        owner, num_actions, parent_sequence = (
            array[:infosets_met].copy() for array in self.notes[:3]
        )
        infosets = StateInfosets(self.game, owner, num_actions, np.concatenate(self.states))
        sums = self.leaves.sums.tolist()
        if sums[kernels.LARGEST] > LARGEST_PAYOFF:
            raise payoff_error(game_name(self.game), sums[kernels.LARGEST])
        canonical = CanonicalForm(
            name=game_name(self.game),
            histories=int(counted[kernels.HISTORIES]),
            depth=int(counted[kernels.DEPTH]),
            payoff_sum=common_sum(sums[kernels.LOW], sums[kernels.HIGH], sums[kernels.SUREST]),
            largest_payoff=sums[kernels.LARGEST],
            infosets=infosets,
            parent_sequence=parent_sequence,
            leaf_sequence=self.leaves.last[:leaves],
            weights=self.leaves.weight[:leaves],
        )
        return Walked(
            self._tree(infosets) if self.keep_tree else None,
            None if counted[kernels.FORGETS] else canonical,
        )

    def _bytes_each(self) -> float:
        """Return about how many bytes compiling takes at its peak for each history found so far."""
        counted = self.counted
        players = self.game.players
        taken = counted[kernels.LEAVES] * (_BYTES_PER_LEAF + _BYTES_PER_PAYOFF * players)
        taken += 8 * self.infosets.used[WORDS] + self.infosets.used[KEYS] * _BYTES_PER_INFOSET
        if self.keep_tree:
            taken += (
                counted[kernels.HISTORIES] * _BYTES_IN_TREE + 8 * players * counted[kernels.LEAVES]
            )
        return float(taken / counted[kernels.HISTORIES])

    def _tree(self, infosets: StateInfosets) -> GameTree:
        counted = self.counted
        sizes = [counted[kernels.HISTORIES]] * 6 + [counted[kernels.LEAVES]] * 2
        arrays: Any = zip(Histories._fields, self.histories, sizes, strict=True)
        return GameTree(
            name=game_name(self.game),
            players=self.game.players,
            **{name: array[:size] for name, array, size in arrays},
            infosets=infosets,
            depth=int(counted[kernels.DEPTH]),
            public=self._public_chance(),
        )

    def _public_chance(self) -> PublicChance:
        notes = self.notes
        moves = self.counted[kernels.PUBLIC]
        history = notes.public_history[:moves]
        group = notes.public_group[:moves]
        count = notes.public_count[:moves]
        action = self.notes.outcomes[: self.counted[kernels.OUTCOMES]]
        return public_chance(
            history, group, count, _number_within_group(np.repeat(group, count), action)
        )


def _number_within_group(group: Index, action: Whole) -> Index:
    """Return the number of each action among the different ones of its group, in the order of first appearance."""
    lowest = action.min(initial=0)
    span = action.max(initial=0) - lowest + 1
    distinct, first_index, inverse = np.unique(
        group * span + (action - lowest), return_index=True, return_inverse=True
    )
    order = np.lexsort((first_index, distinct // span))
    owner = (distinct // span)[order]
    first = np.searchsorted(owner, owner)  # where each group begins
    number = np.zeros(len(distinct), np.uint32)
    number[order] = np.arange(len(distinct)) - first
    return number[inverse]


def _zero_integers(*shape: int) -> Whole:
    return np.zeros(shape, np.int64)


def _zero_indices(*shape: int) -> Index:
    return np.zeros(shape, np.uint32)


def _grow_record(record: Any, lengths: Sequence[int]) -> Any:
    """Return a record of arrays that are at least so long, each as :func:`grow_array` says."""
    return type(record)(*map(grow_array, record, lengths))


def grow_array(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return an array that is at least so long, and then twice as long as it was, with the same items at its start.

    What is behind them is not touched, so that it takes no memory until it is written.
    """
    if len(array) >= length:
        return array
    larger = np.empty((int(length) + len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def _narrow_integers(array: Whole) -> NDArray[np.signedinteger[Any]]:
    """Return a copy in the smallest kind of integer that holds all of it."""
    lowest = array.min(initial=0)
    highest = array.max(initial=0)
    return array.astype(
        np.promote_types(
            np.min_scalar_type(min(lowest, -1)), np.min_scalar_type(min(-highest - 1, -1))
        )
    )
