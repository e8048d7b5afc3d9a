"""The walk over a game of compiled rules, with no Python for each history.

The same depth-first walk as that of :mod:`equilibrist.form.build_python`, over a
:class:`~equilibrist.game.compiled_rules.CompiledRules`: histories, infosets and public moves of chance get the same
numbers. One compiled function takes some thousand steps at a time; before each run of it, Python sees to it that
whatever these steps find has room. Whatever is wrong with a game is left to the walk in Python, which knows how to say
it.

What the sequence form needs of each leaf is found on the way down, so that the tree itself need not be kept.
"""

# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from .._jit.compile import compiled
from .._jit.hashtable import KEY, KEYS, NUMBER, WORDS, HashTable, append, insert, make_table, with_room
from ..game.checked import PROBABILITY_TOLERANCE
from ..game.compiled_rules import CompiledRules, compile_rules
from ..game.plays import name_moves
from ..game.protocol import CHANCE, TERMINAL, game_name
from ..game.rules import RulesGame
from .canonical import CanonicalForm, Walked
from .game_tree import NO_INFOSET, SUM_TOLERANCE, GameTree, PublicChance, common_sum, public_chance
from .infosets import StateInfosets
from .limits import NEVER, REPORT_EVERY, Limits

Whole = NDArray[np.int64]
Index = NDArray[np.uint32]

_FIRST_STEPS, _MOST_STEPS = 1 << 8, 1 << 14  # between two looks at what has to grow, and whether to stop
_LEVELS = 64  # of the stack, at first
_PROJECT_AT = 1 << 20  # histories after which the size of the whole game is estimated

# What compiling takes at its peak, measured by benchmarks.compiling: bytes for each leaf, for each payoff of a leaf,
# for each infoset besides its key, and for each history that is kept.
_BYTES_PER_LEAF, _BYTES_PER_PAYOFF, _BYTES_PER_INFOSET, _BYTES_IN_TREE = 30, 16, 100, 25
_TOLERANCE = PROBABILITY_TOLERANCE / 2  # sums here are less exact than those of the walk in Python

RUNNING, DONE, DEEPER, TOO_LARGE, TOO_DEEP, WRONG = range(6)
"""How a run of steps ends: with more to do, at the end, for want of levels, at a limit, or in a game that is wrong."""

# What has been counted so far.
HISTORIES, LEAVES, LEVEL, DEPTH, BASE, PUBLIC, OUTCOMES, SEQUENCES, FORGETS = range(9)
"""BASE is the number of infosets when the run of steps began; FORGETS is 1 when somebody's recall is not perfect."""

# Of the sums of payoffs: see :func:`~equilibrist.form.game_tree.common_sum`; and the largest payoff without its sign.
LOW, HIGH, SUREST, MARGIN, LARGEST = range(5)


class _Histories(NamedTuple):
    """What :class:`GameTree` says of each history and each leaf; empty where the tree is not kept."""

    player: NDArray[np.int8]
    parent: Index
    first_child: Index
    num_children: Index
    probability: NDArray[np.float64]
    infoset: Index
    leaf: Index
    payoffs: NDArray[np.float64]  # (leaves, players)


class _Leaves(NamedTuple):
    """What :class:`~equilibrist.form.canonical.CanonicalForm` says of each leaf."""

    last: Index  # (leaves, players)
    weight: NDArray[np.float64]  # (leaves, players)
    sums: NDArray[np.float64]  # what all leaves say of the sum of payoffs; indexed by the constants below


class _Stack(NamedTuple):
    """The way down to the history at work, level by level.

    Of each level: the state, its actions and, of chance, their probabilities; who moves, the sequence of the first
    action, the first child, how many there are, and the next to be walked; the reach of chance, and everybody's last
    sequence.
    """

    state: Whole  # (levels, integers)
    actions: Whole  # (levels, most actions)
    probability: NDArray[np.float64]  # (levels, most actions)
    mover: Whole
    sequence: Whole
    first: Whole
    children: Whole
    following: Whole
    reach: NDArray[np.float64]
    last: Whole  # (levels, players)


class _Met(NamedTuple):
    """What is noted besides.

    Of each infoset its player, its number of actions, the sequence that leads to it, and a state in it (for those met
    in this run of steps); of each public move of chance its history, group, number of
    outcomes, and outcomes.
    """

    owner: Index
    num_actions: Index
    parent_sequence: Index
    states: Whole  # (steps, integers)
    public_history: Index
    public_group: Index
    public_count: Index
    outcomes: Whole


class _Scratch(NamedTuple):
    """Where the rules write what is looked at once."""

    observation: Whole
    payoffs: NDArray[np.float64]


class _Found(NamedTuple):
    """All that a walk fills in place."""

    histories: _Histories
    leaves: _Leaves
    stack: _Stack
    infosets: HashTable
    groups: HashTable
    met: _Met
    scratch: _Scratch
    counted: Whole


@compiled(allocates=False)
def _walk(rules, found, steps, limits, report_at):
    """Visit so many histories, or fewer; return how it ended. Everything is filled in place, from ``counted`` on.

    ``limits`` are the most histories and the most moves; a run also ends when ``report_at`` histories are found.
    """
    stack, counted = found.stack, found.counted
    level = counted[LEVEL]
    status = RUNNING
    for _ in range(steps):
        while level >= 0 and stack.following[level] == stack.children[level]:
            level -= 1
        if level < 0:
            status = DONE
            break
        if level + 2 >= len(stack.children):
            status = DEEPER
            break
        h = _step_down(rules, stack, level)
        level += 1
        status = _visit(rules, found, limits, h, level)
        if status != RUNNING or counted[HISTORIES] >= report_at:
            break
    counted[LEVEL] = level
    return status


@compiled(allocates=False, inline=True)
def _step_down(rules, stack, level):
    """Go from a level to the next child, which fills the level below; return the child's history."""
    number, below, mover = stack.following[level], level + 1, stack.mover[level]
    for i in range(stack.state.shape[1]):
        stack.state[below, i] = stack.state[level, i]
    for player in range(stack.last.shape[1]):
        stack.last[below, player] = stack.last[level, player]
    stack.reach[below] = stack.reach[level]
    stack.following[level] = number + 1
    stack.children[below] = stack.following[below] = 0
    if mover == CHANCE:
        stack.reach[below] *= stack.probability[level, number]
    elif mover >= 0:
        stack.last[below, mover] = stack.sequence[level] + number
    if level > 0:
        rules.play(rules.parameters, stack.state[below], stack.actions[level, number])
    return stack.first[level] + number


@compiled(allocates=False, inline=True)
def _visit(rules, found, limits, h, level):
    """Find out what is known of one history, and make room for its children; return how it went."""
    stack, counted = found.stack, found.counted
    state, actions = stack.state[level], stack.actions[level]
    who = rules.player(rules.parameters, state)
    if who == TERMINAL:
        return _end(rules, found, h, level)
    if who < CHANCE or who >= stack.last.shape[1]:
        return WRONG
    count = rules.actions(rules.parameters, state, actions)
    if count < 1 or count > len(actions):
        return WRONG
    if level - 1 == limits[1]:
        return TOO_DEEP
    if who == CHANCE:
        infoset = np.int64(NO_INFOSET)
        if not _chance(rules, found, h, level, count):
            return WRONG
    else:
        infoset = _decision(rules, found, level, who, count)
        if infoset < 0:
            return WRONG
    first = counted[HISTORIES]
    if first + count > limits[0]:
        return TOO_LARGE
    counted[HISTORIES] = first + count
    stack.mover[level], stack.first[level], stack.children[level] = who, first, count
    if len(found.histories.player) > 0:
        _keep(found.histories, stack, h, level, infoset)
    return RUNNING


@compiled(allocates=False, inline=True)
def _keep(histories, stack, h, level, infoset):
    """Fill in a history, and its children as far as they are known from above."""
    first, count, who = stack.first[level], stack.children[level], stack.mover[level]
    histories.player[h] = who
    histories.infoset[h] = infoset
    histories.first_child[h] = first
    histories.num_children[h] = count
    for number in range(count):
        child = first + number
        histories.player[child] = TERMINAL
        histories.infoset[child] = NO_INFOSET
        histories.parent[child] = h
        histories.first_child[child] = histories.num_children[child] = 0
        histories.probability[child] = stack.probability[level, number] if who == CHANCE else 1.0


@compiled(allocates=False, inline=True)
def _end(rules, found, h, level):
    """Fill in a leaf; return how it went."""
    histories, leaves, stack, counted = found.histories, found.leaves, found.stack, found.counted
    scratch = found.scratch
    rules.payoffs(rules.parameters, stack.state[level], scratch.payoffs)
    leaf, whole, size, largest = counted[LEAVES], 0.0, 0.0, 0.0
    for player in range(stack.last.shape[1]):
        payoff = scratch.payoffs[player]
        if not np.isfinite(payoff):
            return WRONG
        leaves.last[leaf, player] = stack.last[level, player]
        leaves.weight[leaf, player] = payoff * stack.reach[level]
        largest = max(largest, abs(payoff))
        size += abs(payoff)
        whole += payoff
    margin, sums = SUM_TOLERANCE * size, leaves.sums
    sums[LOW], sums[HIGH] = max(sums[LOW], whole - margin), min(sums[HIGH], whole + margin)
    if margin < sums[MARGIN]:
        sums[MARGIN], sums[SUREST] = margin, whole
    sums[LARGEST] = max(sums[LARGEST], largest)
    if len(histories.player) > 0:
        histories.leaf[leaf] = h
        for player in range(stack.last.shape[1]):
            histories.payoffs[leaf, player] = scratch.payoffs[player]
    counted[LEAVES] = leaf + 1
    counted[DEPTH] = max(counted[DEPTH], level - 1)
    return RUNNING


@compiled(allocates=False, inline=True)
def _chance(rules, found, h, level, count):
    """Find the probabilities of the outcomes, and note the move if all see it; return whether all is right."""
    stack, groups, met, scratch, counted = found.stack, found.groups, found.met, found.scratch, found.counted
    probability = stack.probability[level]
    rules.chances(rules.parameters, stack.state[level], probability)
    whole = 0.0
    for number in range(count):
        if not probability[number] >= 0.0:
            return False
        whole += probability[number]
    if not abs(whole - 1.0) <= _TOLERANCE:
        return False
    known = rules.public(rules.parameters, stack.state[level], scratch.observation)
    if known > len(scratch.observation):
        return False
    if known >= 0:
        at = counted[PUBLIC]
        met.public_history[at] = h
        met.public_group[at] = groups.words[insert(groups, CHANCE, scratch.observation, known) + NUMBER]
        met.public_count[at] = count
        for number in range(count):
            met.outcomes[counted[OUTCOMES] + number] = stack.actions[level, number]
        counted[PUBLIC] += 1
        counted[OUTCOMES] += count
    return True


@compiled(allocates=False, inline=True)
def _decision(rules, found, level, who, count):
    """Return the infoset at a level, or -1 if something is wrong with it: a known one must offer the same actions."""
    stack, infosets, met, scratch, counted = found.stack, found.infosets, found.met, found.scratch, found.counted
    known = rules.observe(rules.parameters, stack.state[level], scratch.observation)
    if known < 0 or known > len(scratch.observation):
        return -1
    before = infosets.used[KEYS]
    record = insert(infosets, who, scratch.observation, known)
    infoset, more = infosets.words[record + NUMBER], record + KEY + known
    if infoset == before:
        met.owner[infoset], met.num_actions[infoset] = who, count
        met.parent_sequence[infoset] = stack.last[level, who]
        for i in range(stack.state.shape[1]):
            met.states[infoset - counted[BASE], i] = stack.state[level, i]
        stack.sequence[level] = counted[SEQUENCES]
        counted[SEQUENCES] += count
        append(infosets, stack.sequence[level])
        append(infosets, stack.last[level, who])
        append(infosets, count)
        for number in range(count):
            append(infosets, stack.actions[level, number])
        return infoset
    stack.sequence[level] = infosets.words[more]
    if infosets.words[more + 1] != stack.last[level, who]:
        counted[FORGETS] = 1
    if infosets.words[more + 2] != count:
        return -1
    for number in range(count):
        if infosets.words[more + 3 + number] != stack.actions[level, number]:
            return -1
    return infoset


def walk_jit(game: RulesGame, limits: Limits, *, keep_tree: bool) -> Walked | None:
    """Return what a walk by compiled rules finds, or None where there are none or something is wrong.

    Raises
    ------
    GameError
        The game is larger or deeper than the limits.
    """
    if not is_what_its_rules_say(game):
        return None
    try:
        rules = compile_rules(game)
    except NumbaError:  # rules that only Python understands
        return None
    return _Walk(game, rules, limits, keep_tree).run()


def is_what_its_rules_say(game: RulesGame) -> bool:
    """Return whether all that is known of a game follows from its rules: nobody has put other methods in their place.

    The texts of infosets must come from the class that has the rules: others might merge what the rules tell apart.
    """
    protocol = ("start", "player", "actions", "probabilities", "next", "payoffs", "infoset", "public")
    cls = type(game)
    own = all(getattr(cls, name) is getattr(RulesGame, name) and name not in vars(game) for name in protocol)
    named_by = next(base for base in cls.__mro__ if "infoset_name" in vars(base))
    return own and not vars(game).keys() & {"rules", "infoset_name"} and "rules" in vars(named_by)


class _Walk:
    """One walk, and the arrays that grow with it."""

    def __init__(self, game: RulesGame, rules: CompiledRules, limits: Limits, keep_tree: bool) -> None:
        self.game, self.rules, self.limits, self.keep_tree = game, rules, limits, keep_tree
        width, most, players = len(rules.start), game.max_actions, game.players
        self.most = most
        self.histories = _Histories(
            np.zeros(0, np.int8),
            _index(0),
            _index(0),
            _index(0),
            np.zeros(0),
            _index(0),
            _index(0),
            np.zeros((0, players)),
        )
        if keep_tree:
            self.histories = _all_grown(self.histories, [1] * 8)
            self.histories.player[0], self.histories.probability[0] = TERMINAL, 1.0
            self.histories.parent[0] = self.histories.first_child[0] = self.histories.num_children[0] = 0
            self.histories.infoset[0] = NO_INFOSET
        self.leaves = _Leaves(_index(0, players), np.zeros((0, players)), np.array([-np.inf, np.inf, 0.0, np.inf, 0.0]))
        self.stack = _Stack(
            _whole(_LEVELS, width),
            _whole(_LEVELS, most),
            np.zeros((_LEVELS, most)),
            _whole(_LEVELS),
            _whole(_LEVELS),
            _whole(_LEVELS),
            _whole(_LEVELS),
            _whole(_LEVELS),
            np.zeros(_LEVELS),
            _whole(_LEVELS, players),
        )
        # Level 0 stands above the start, and nobody moves there: its only child is the start itself.
        self.stack.state[0] = rules.start
        self.stack.mover[0], self.stack.children[0], self.stack.reach[0] = TERMINAL, 1, 1.0
        self.infosets, self.groups = make_table(game.max_observation), make_table(game.max_observation)
        self.met = _Met(_index(0), _index(0), _index(0), _whole(0, width), _index(0), _index(0), _index(0), _whole(0))
        self.scratch = _Scratch(_whole(game.max_observation), np.zeros(players))
        self.counted = _whole(9)
        self.counted[HISTORIES] = self.counted[SEQUENCES] = 1
        self.states: list[NDArray[Any]] = []

    def run(self) -> Walked | None:
        """Walk to the end, some steps at a time, so that Ctrl-C is heard in between."""
        limits = self.limits
        status, steps, report_at, project_at = RUNNING, _FIRST_STEPS, REPORT_EVERY, _PROJECT_AT
        while status in (RUNNING, DEEPER):
            status = self._walk(steps, report_at)
            found = int(self.counted[HISTORIES])
            if found >= report_at:
                if report_at >= project_at:
                    limits.check_projection(self.game, game_name(self.game), found, self._bytes_each())
                    project_at = NEVER
                limits.report(game_name(self.game), found, self._bytes_each())
                report_at = found + REPORT_EVERY
            steps = min(2 * steps, _MOST_STEPS)
        if status == TOO_LARGE:
            raise limits.too_many(game_name(self.game), found)
        if status == TOO_DEEP:
            numbers = self.stack.following[1 : self.counted[LEVEL]] - 1
            raise limits.too_deep(game_name(self.game), name_moves(self.game, numbers.tolist()))
        return self._walked() if status == DONE else None

    def _walk(self, steps: int, report_at: int) -> int:
        """Run so many steps, or fewer; return how they ended."""
        self._make_room(steps)
        counted, limits = self.counted, np.array([self.limits.max_histories or NEVER, self.limits.max_depth], np.int64)
        counted[BASE] = self.infosets.used[KEYS]
        tables = (self.histories, self.leaves, self.stack, self.infosets, self.groups, self.met, self.scratch)
        status: int = _walk(self.rules, _Found(*tables, counted), steps, limits, report_at)
        self.states.append(_narrow(self.met.states[: self.infosets.used[KEYS] - counted[BASE]]))
        return status

    def _make_room(self, steps: int) -> None:
        """Let the arrays grow so that so many steps find room for the most that they can meet."""
        counted, words = self.counted, steps * (KEY + len(self.scratch.observation))
        leaves, children = counted[LEAVES] + steps, steps * self.most
        if self.keep_tree:
            sizes = [counted[HISTORIES] + children] * 6 + [leaves] * 2
            self.histories = _all_grown(self.histories, sizes)
        self.leaves = _Leaves(_grown(self.leaves.last, leaves), _grown(self.leaves.weight, leaves), self.leaves.sums)
        self.stack = _all_grown(self.stack, [counted[LEVEL] + 4] * len(self.stack))
        self.infosets = with_room(self.infosets, steps, words + steps * (3 + self.most))
        self.groups = with_room(self.groups, steps, words)
        infosets, public = self.infosets.used[KEYS] + steps, counted[PUBLIC] + steps
        lengths = [infosets] * 3 + [steps] + [public] * 3 + [counted[OUTCOMES] + children]
        self.met = _all_grown(self.met, lengths)

    def _walked(self) -> Walked:
        counted, known, leaves = self.counted, self.infosets.used[KEYS], self.counted[LEAVES]
        owner, num_actions, parent_sequence = (array[:known].copy() for array in self.met[:3])
        infosets = StateInfosets(self.game, owner, num_actions, np.concatenate(self.states))
        sums = self.leaves.sums.tolist()
        canonical = CanonicalForm(
            name=game_name(self.game),
            histories=int(counted[HISTORIES]),
            depth=int(counted[DEPTH]),
            payoff_sum=common_sum(sums[LOW], sums[HIGH], sums[SUREST]),
            largest_payoff=sums[LARGEST],
            infosets=infosets,
            parent_sequence=parent_sequence,
            leaf_sequence=self.leaves.last[:leaves],
            weights=self.leaves.weight[:leaves],
        )
        return Walked(self._tree(infosets) if self.keep_tree else None, None if counted[FORGETS] else canonical)

    def _bytes_each(self) -> float:
        """Return about how many bytes compiling takes at its peak for each history found so far."""
        counted, players = self.counted, self.game.players
        taken = counted[LEAVES] * (_BYTES_PER_LEAF + _BYTES_PER_PAYOFF * players)
        taken += 8 * self.infosets.used[WORDS] + self.infosets.used[KEYS] * _BYTES_PER_INFOSET
        if self.keep_tree:
            taken += counted[HISTORIES] * _BYTES_IN_TREE + 8 * players * counted[LEAVES]
        return float(taken / counted[HISTORIES])

    def _tree(self, infosets: StateInfosets) -> GameTree:
        counted = self.counted
        sizes = [counted[HISTORIES]] * 6 + [counted[LEAVES]] * 2
        arrays: Any = zip(_Histories._fields, self.histories, sizes, strict=True)
        return GameTree(
            name=game_name(self.game),
            players=self.game.players,
            **{name: array[:size] for name, array, size in arrays},
            infosets=infosets,
            depth=int(counted[DEPTH]),
            public=self._public_chance(),
        )

    def _public_chance(self) -> PublicChance:
        history, group, count = (
            array[: self.counted[PUBLIC]]
            for array in (self.met.public_history, self.met.public_group, self.met.public_count)
        )
        action = self.met.outcomes[: self.counted[OUTCOMES]]
        return public_chance(history, group, count, _numbered_within(np.repeat(group, count), action))


def _numbered_within(group: Index, action: Whole) -> Index:
    """Return the number of each action among the different ones of its group, in the order of first appearance."""
    lowest = action.min(initial=0)
    span = action.max(initial=0) - lowest + 1
    distinct, met, inverse = np.unique(group * span + (action - lowest), return_index=True, return_inverse=True)
    order = np.lexsort((met, distinct // span))
    owner = (distinct // span)[order]
    first = np.searchsorted(owner, owner)  # where each group begins
    number = np.zeros(len(distinct), np.uint32)
    number[order] = np.arange(len(distinct)) - first
    return number[inverse]


def _whole(*shape: int) -> Whole:
    return np.zeros(shape, np.int64)


def _index(*shape: int) -> Index:
    return np.zeros(shape, np.uint32)


def _all_grown(record: Any, lengths: Sequence[int]) -> Any:
    """Return a record of arrays that are at least so long, each as :func:`_grown` says."""
    return type(record)(*map(_grown, record, lengths))


def _grown(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return an array that is at least so long, and then twice as long as it was, with the same items at its start.

    What is behind them is not touched, so that it takes no memory until it is written.
    """
    if len(array) >= length:
        return array
    larger = np.empty((int(length) + len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def _narrow(array: Whole) -> NDArray[np.signedinteger[Any]]:
    """Return a copy in the smallest kind of integer that holds all of it."""
    lowest, highest = array.min(initial=0), array.max(initial=0)
    return array.astype(
        np.promote_types(np.min_scalar_type(min(lowest, -1)), np.min_scalar_type(min(-highest - 1, -1)))
    )
