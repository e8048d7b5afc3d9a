"""The passes over a public tree, with a vector of hands at each node: CFR and best responses on the way back up.

``public`` and ``terminal_payoffs`` are the records of :mod:`equilibrist.form`. A walk goes depth first, and
holds what it needs of the nodes between the root and where it is in ``scratch``, which stays in the processor's cache.
Only the tables, with a number a slot, are in memory: one walk reads and writes each once.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, merged
from .._jit.simd import LANES, broadcast, broadcast_load, load, maximum, prefetch, store, where_positive, zeros
from ..form.public import END, NATURE, PublicForm
from ..form.terminal import DENSE
from .kernels import regret_matching

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_AHEAD = 256  # slots: so far before it is needed, what comes next is asked for
WHOLE, DOWN, UP = range(3)
"""Which part a walk goes through: all, or what is above the tasks: on the way down to them, or with their results."""


class Tables(NamedTuple):
    """What CFR remembers between iterations: a number a slot, float64 or float32."""

    strategy: NDArray[Any]
    regret_sum: NDArray[Any]
    strategy_sum: NDArray[Any]


class BestResponseArrays(NamedTuple):
    """What a judging walk leaves behind: a number a slot, or empty where nobody asks.

    The own reach of each slot; what it earns with the best play below; 1 where it is the best reply and else 0.
    """

    reach: Floats
    best_value: Floats
    best_response: Floats


class Scratch(NamedTuple):
    """What a walk knows of the nodes that are open; each row of hands is ``width`` long.

    Attributes
    ----------
    width, depths, moves : int
        Length of a row; how many nodes can be open; the most moves of a node.
    public state, base, done : int64 array, shape (depths,)
        Of each open node its public state, its first slot, and how many of its moves have been followed.
    reach : float64 array, shape (2 × depths × width,), flat
        Own reach of each player's hands.
    value : float64 array, like reach
        The counterfactual values of the hands of each player who updates, or of the one who is judged: by the average
        strategy, and by the best reply.
    sigma : float64 array, shape (depths × moves × width,), flat
        The mover's strategy.
    action_cfv : float64 array, shape (2 × depths × moves × width,), flat
        The values of each move of the mover, like ``value``.
    sums : float64 array
        Of a sorted payoff.
    """

    width: int
    depths: int
    moves: int
    public_state: Whole
    base: Whole
    done: Whole
    reach: Floats
    value: Floats
    sigma: Floats
    action_cfv: Floats
    sums: Floats


class Tasks(NamedTuple):
    """Subtrees that can be walked independently: where they begin, and what goes in and comes out. The first is all.

    Attributes
    ----------
    public state, base : int64 array, shape (tasks,)
        Situation and first slot of each.
    reach, value : float64 array, shape (tasks × 2 × width,), flat
        The rows of :class:`Scratch` at its root.
    """

    public_state: Whole
    base: Whole
    reach: Floats
    value: Floats


def make_scratch(form: PublicForm) -> Scratch:
    """Return scratch for walks of a game."""
    public = form.public
    width, depths = int(public.width.max()), form.depth + 1
    moves = int(np.diff(public.first_child).max(initial=1))
    public_state, base, done = (np.zeros(depths, np.int64) for _ in range(3))
    return Scratch(
        width=width,
        depths=depths,
        moves=moves,
        public_state=public_state,
        base=base,
        done=done,
        reach=zeros(2 * depths * width),
        value=zeros(2 * depths * width),
        sigma=zeros(depths * moves * width),
        action_cfv=zeros(2 * depths * moves * width),
        sums=zeros(width + 1),
    )


def make_tasks(form: PublicForm, count: int) -> Tasks:
    """Return room for so many tasks besides the whole tree, which every hand reaches with 1."""
    width = int(form.public.width.max())
    reach, value = (zeros((1 + count) * 2 * width) for _ in range(2))
    reach[: 2 * width] = 1.0
    public_state, base = np.zeros(1 + count, np.int64), np.zeros(1 + count, np.int64)
    public_state[0] = form.root
    return Tasks(public_state, base, reach, value)


@merged
def _copy(source, start, target, begin, width):
    """Copy a row."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(source, start + i))


@merged
def _add(source, start, target, begin, width):
    """Add a row to another."""
    for i in range(0, width, LANES):
        store(target, begin + i, load(target, begin + i) + load(source, start + i))


@merged
def _earn(public, terminal_payoffs, here, player, reach, start, value, begin, sums):
    """Fill a row of ``value`` with what an end pays each hand of a player against the other's reach."""
    which, scale = public.terminal[here], public.scale[here]
    width, others = public.width[player], public.hands[1 - player]
    at = terminal_payoffs.start[which, player]
    if terminal_payoffs.kind[which] == DENSE:
        triples = width // (3 * LANES) * (3 * LANES)
        for i in range(0, triples, 3 * LANES):  # side by side, as each sum has to wait for itself
            one, two, three, place = broadcast(0.0), broadcast(0.0), broadcast(0.0), at + i
            for j in range(others):
                there = broadcast_load(reach, start + j)
                one = one + load(terminal_payoffs.numbers, place) * there
                two = two + load(terminal_payoffs.numbers, place + LANES) * there
                three = three + load(terminal_payoffs.numbers, place + 2 * LANES) * there
                place += width
            store(value, begin + i, one * scale)
            store(value, begin + i + LANES, two * scale)
            store(value, begin + i + 2 * LANES, three * scale)
        for i in range(triples, width, LANES):
            total, place = broadcast(0.0), at + i
            for j in range(others):
                total = total + load(terminal_payoffs.numbers, place) * broadcast_load(reach, start + j)
                place += width
            store(value, begin + i, total * scale)
        return
    numbers, ranks = terminal_payoffs.numbers, terminal_payoffs.ranks
    win, tie, lose = numbers[at], numbers[at + 1], numbers[at + 2]
    own = at + LANES
    diagonal, other, order = own + width, own + 2 * width, terminal_payoffs.places[which, player]
    weaker, not_stronger = order + others, order + others + width
    sums[0] = 0.0
    for k in range(others):
        j = ranks[order + k]
        sums[k + 1] = sums[k] + numbers[other + j] * reach[start + j]
    for i in range(width):
        below, level = sums[ranks[weaker + i]], sums[ranks[not_stronger + i]]
        action_cfv = win * below + tie * (level - below) + lose * (sums[others] - level)
        value[begin + i] = scale * (numbers[own + i] * action_cfv + numbers[diagonal + i] * reach[start + i])


@merged
def _load_odds(table, slot, moves, width, judged, sigma, begin, stride):
    """Fill ``sigma`` with the mover's strategy at a node; for a judge, with the shares that the table gives."""
    for i in range(0, width, LANES):
        total = broadcast(0.0)
        for move in range(moves):
            share = load(table, slot + move * width + i)
            total = total + share
            store(sigma, begin + move * stride + i, share)
        if judged:
            uniform = broadcast(1.0 / moves)
            for move in range(moves):
                at = begin + move * stride + i
                store(sigma, at, where_positive(total, load(sigma, at) / total, uniform))


@merged
def _update(tables, slot, moves, width, stride, reach, start, sigma, played, action_cfv, begin, value, row, step):
    """Update the regrets, the average and the strategy of a node; fill its row of ``value``."""
    strategy, regret_sum, strategy_sum = tables
    keep, discount_average, predict, lowest = step
    uniform = broadcast(1.0 / moves)
    for i in range(0, width, LANES):
        node_cfv = broadcast(0.0)
        for move in range(moves):
            at = move * stride + i
            node_cfv = node_cfv + load(sigma, played + at) * load(action_cfv, begin + at)
        store(value, row + i, node_cfv)
        total, own = broadcast(0.0), load(reach, start + i)
        for move in range(moves):
            at, s = move * stride + i, slot + move * width + i
            share = regret_matching(regret_sum, s, load(action_cfv, begin + at) - node_cfv, keep, predict, lowest)
            store(action_cfv, begin + at, share)
            total = total + share
            store(strategy_sum, s, load(strategy_sum, s) * discount_average + load(sigma, played + at) * own)
        for move in range(moves):
            share = load(action_cfv, begin + move * stride + i)
            store(strategy, slot + move * width + i, where_positive(total, share / total, uniform))


@merged
def _judge(moves, width, stride, sigma, played, action_cfv, average, best, value, row, best_row):
    """Fill the rows of ``value`` of a node of the player who is judged: as it is played, and played best."""
    for i in range(0, width, LANES):
        node_cfv, most = broadcast(0.0), load(action_cfv, best + i)
        for move in range(moves):
            at = move * stride + i
            node_cfv = node_cfv + load(sigma, played + at) * load(action_cfv, average + at)
            most = maximum(load(action_cfv, best + at), most)
        store(value, row + i, node_cfv)
        store(value, best_row + i, most)


@merged
def _record(replies, slot, moves, width, stride, reach, start, sigma, played, action_cfv, best):
    """Write down what a node's slots are reached with and earn, and which is the best reply: of equals the first."""
    for i in range(width):
        chosen = 0
        for move in range(moves):
            at, s = move * stride + i, slot + move * width + i
            replies.reach[s] = reach[start + i] * sigma[played + at]
            replies.best_value[s] = action_cfv[best + at]
            replies.best_response[s] = 0.0
            if action_cfv[best + at] > action_cfv[best + chosen * stride + i]:
                chosen = move
        replies.best_response[slot + chosen * width + i] = 1.0


@merged
def _arrive(public, tables, scratch, tasks, job, depth, task):
    """Fill what is known of a node on the way down; return 1 if it is a task, whose values are not looked for here."""
    judged, first, last, part, cut = job
    low, high = (0, 2) if judged else (first, last)
    width, depths = scratch.width, scratch.depths
    here, base = scratch.public_state[depth], scratch.base[depth]
    mover = public.mover[here]
    reach, value = scratch.reach, scratch.value
    if public.slots[here] <= cut:
        for r in range(2):
            row, place = (r * depths + depth) * width, (2 * task + r) * width
            if part == DOWN:
                tasks.public_state[task], tasks.base[task] = here, base
                _copy(reach, row, tasks.reach, place, width)
            else:
                _copy(tasks.value, place, value, row, width)
        return 1
    for r in range(low, high):
        row = (r * depths + depth) * width
        for i in range(0, width, LANES):
            store(value, row + i, broadcast(0.0))
    if mover < NATURE:
        moves, own = public.first_child[here + 1] - public.first_child[here], public.width[mover]
        table = tables.strategy_sum if judged else tables.strategy
        _load_odds(table, base, moves, own, judged, scratch.sigma, depth * scratch.moves * width, width)
        for s in range(base, base + moves * own, LANES):
            prefetch(table, s + _AHEAD)
        if not judged and first <= mover < last:  # what will be updated on the way up
            for s in range(base, base + moves * own, LANES):
                prefetch(tables.regret_sum, s)
                prefetch(tables.strategy_sum, s)
    return 0


@merged
def _follow(public, scratch, depth):
    """Open the next move of the node at this depth: the mover's reach takes in the strategy."""
    width, depths = scratch.width, scratch.depths
    here, done, reach = scratch.public_state[depth], scratch.done[depth], scratch.reach
    mover, move = public.mover[here], public.first_child[here] + done
    for p in range(2):
        row = (p * depths + depth) * width
        if p == mover:
            chosen = (depth * scratch.moves + done) * width
            for i in range(0, public.width[p], LANES):
                store(reach, row + width + i, load(reach, row + i) * load(scratch.sigma, chosen + i))
        else:
            _copy(reach, row, reach, row + width, public.width[p])
    scratch.done[depth] = done + 1
    scratch.public_state[depth + 1] = public.child[move]
    scratch.base[depth + 1] = scratch.base[depth] + public.child_slot[move]
    scratch.done[depth + 1] = 0


@merged
def _settle(public, terminal_payoffs, scratch, job, depth, end):
    """Take what the next move of the node at this depth earns, where the game ends after it."""
    judged, first, last, _, _ = job
    low, high = (0, 2) if judged else (first, last)
    width, depths, reach, value = scratch.width, scratch.depths, scratch.reach, scratch.value
    here, done = scratch.public_state[depth], scratch.done[depth]
    mover = public.mover[here]
    for r in range(low, high):
        player = first if judged else r
        row, place = (r * depths + depth) * width, ((r * depths + depth) * scratch.moves + done) * width
        own = public.width[player]
        if judged and r == 1:  # the end leaves nothing to play better
            if mover == player:
                _copy(scratch.action_cfv, place - depths * scratch.moves * width, scratch.action_cfv, place, own)
            else:
                _add(value, row + width - depths * width, value, row, own)
            continue
        start = ((1 - player) * depths + depth) * width
        if mover == 1 - player:
            chosen = (depth * scratch.moves + done) * width
            for i in range(0, public.width[mover], LANES):
                store(reach, start + width + i, load(reach, start + i) * load(scratch.sigma, chosen + i))
            start += width
        if mover == player:
            _earn(public, terminal_payoffs, end, player, reach, start, scratch.action_cfv, place, scratch.sums)
        else:
            _earn(public, terminal_payoffs, end, player, reach, start, value, row + width, scratch.sums)
            _add(value, row + width, value, row, own)
    scratch.done[depth] = done + 1


@merged
def _leave(public, tables, replies, scratch, job, step, depth):
    """Do at a node, once the values of its moves are known, what the walk is for; fill its values."""
    judged, first, last, _, _ = job
    width, depths, block = scratch.width, scratch.depths, scratch.moves * scratch.width
    here, base = scratch.public_state[depth], scratch.base[depth]
    mover = public.mover[here]
    if mover >= NATURE or not first <= mover < last:
        return
    moves, own = public.first_child[here + 1] - public.first_child[here], public.width[mover]
    reach, value, sigma, action_cfv = scratch.reach, scratch.value, scratch.sigma, scratch.action_cfv
    start, played = (mover * depths + depth) * width, depth * block
    if judged:
        row, best = depth * width, (depths + depth) * block
        _judge(moves, own, width, sigma, played, action_cfv, played, best, value, row, row + depths * width)
        if len(replies.reach) > 0:
            _record(replies, base, moves, own, width, reach, start, sigma, played, action_cfv, best)
    else:
        values = (mover * depths + depth) * block
        _update(tables, base, moves, own, width, reach, start, sigma, played, action_cfv, values, value, start, step)


@merged
def _hand_up(public, scratch, job, depth):
    """Give the values of the node below to the node at this depth: its mover's, move by move; the other's are added."""
    judged, first, last, _, _ = job
    low, high = (0, 2) if judged else (first, last)
    width, depths = scratch.width, scratch.depths
    mover = public.mover[scratch.public_state[depth]]
    value = scratch.value
    for r in range(low, high):
        player = first if judged else r
        row = (r * depths + depth) * width
        if mover == player:
            place = ((r * depths + depth) * scratch.moves + scratch.done[depth] - 1) * width
            _copy(value, row + width, scratch.action_cfv, place, public.width[player])
        else:
            _add(value, row + width, value, row, public.width[player])


@compiled(allocates=False, beside=True)
def walk(public, terminal_payoffs, tables, replies, scratch, tasks, span, job, turns, steps, predict, lowest):
    """Walk subtrees depth first, once for each turn of each step, and leave the values of each with its task.

    ``span`` is (first, last): the tasks ``first … last - 1``, where task 0 is the whole tree. ``job`` is (judged, part,
    cut): whether to judge a player rather than update, and which part of the tree to go through, where nodes with at
    most ``cut`` slots below are tasks. ``turns`` are pairs (first, last): the players ``first … last - 1`` are updated,
    or player ``first`` is judged. The rest are the scalars of the iterations, as in :mod:`equilibrist.cfr.kernels`.
    """
    width, depths = scratch.width, scratch.depths
    judged, part, cut = job
    for t in range(len(steps.discount_positive)):
        keep = (steps.discount_positive[t], steps.discount_negative[t], steps.discount_predicted[t])
        step = (keep, steps.discount_average[t], predict, lowest)
        for first, last in turns:
            whole_job = (judged, first, last, part, cut)
            for root in range(span[0], span[1]):
                scratch.public_state[0], scratch.base[0], scratch.done[0] = (
                    tasks.public_state[root],
                    tasks.base[root],
                    0,
                )
                for p in range(2):
                    _copy(tasks.reach, (2 * root + p) * width, scratch.reach, p * depths * width, width)
                depth, task = 0, 1
                while depth >= 0:
                    here, done = scratch.public_state[depth], scratch.done[depth]
                    is_task = 0
                    if done == 0:
                        is_task = _arrive(public, tables, scratch, tasks, whole_job, depth, task)
                        task += is_task
                    if is_task == 0:
                        move = public.first_child[here] + done
                        if move < public.first_child[here + 1]:
                            after = public.child[move]
                            if public.mover[after] != END:
                                _follow(public, scratch, depth)
                                depth += 1
                            elif part == DOWN:
                                scratch.done[depth] += 1
                            else:
                                _settle(public, terminal_payoffs, scratch, whole_job, depth, after)
                            continue
                        if part != DOWN:
                            _leave(public, tables, replies, scratch, whole_job, step, depth)
                    depth -= 1
                    if depth >= 0 and part != DOWN:
                        _hand_up(public, scratch, whole_job, depth)
                for r in range(2):
                    _copy(scratch.value, r * depths * width, tasks.value, (2 * root + r) * width, width)


@compiled(allocates=False)
def normalise(public, scratch, total, strategy):
    """Fill ``strategy`` with each infoset's share of ``total``; uniform where an infoset has none."""
    public_state, base, done = scratch.public_state, scratch.base, scratch.done
    public_state[0], base[0], done[0] = len(public.mover) - 1, 0, 0
    depth = 0
    while depth >= 0:
        here, slot = public_state[depth], base[depth]
        moves, mover = public.first_child[here + 1] - public.first_child[here], public.mover[here]
        if done[depth] == 0 and mover < NATURE:
            width = public.width[mover]
            _load_odds(total, slot, moves, width, True, strategy, slot, width)
        if done[depth] == moves:
            depth -= 1
            continue
        move = public.first_child[here] + done[depth]
        done[depth] += 1
        depth += 1
        public_state[depth], base[depth], done[depth] = public.child[move], slot + public.child_slot[move], 0
