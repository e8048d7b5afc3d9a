"""Full-width CFR on a sequence form by a team of threads: the passes of :mod:`.kernels`, cut into parts.

Rounds follow each other as passes do: the payoff, the infosets of each bucket, what they add to the
slots that lead to them, the average, the reach of each bucket. Every slot is written by one part,
which adds in the order in which one thread would: the bits are the same.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit.compile import compiled, inline_ir
from .._jit.simd import LANES, load, load_like, store, zeros
from .._jit.thread_team import barrier, finish_item, finished_last, next_item
from .._util.arrays import Floats, Indices, Ints
from ..form.sequence.passes import block_values, fill_reach_of, row_value
from ..form.sequence.payoff.layout import Payoff
from ..form.sequence.treeplex import Treeplex
from .kernels import add_to_deviations, pay_player, update_infosets
from .minimiser import add_to_values, averages, fill_others_reach, rule_at


class Parts(NamedTuple):
    """The parts of each pass.

    Attributes
    ----------
    slot : int array, shape (players, parts + 1)
        The slots that a part fills with payoffs, from one number to the next.
    block : int array, shape (players, parts + 1)
        The blocks that begin there.
    row : int array, shape (players, parts + 1)
        The rows that begin there.
    ends : float array, shape (8 × parts,)
        Room for the last slots of a part.
    child : uint32 array, shape (infosets,)
        The infosets of each bucket, those with the same parent slot next to each other.
    first_child : int array, shape (buckets, parts + 1)
        Where the parts of a bucket begin there: a parent slot is in one alone.
    value : float array, shape (infosets,)
        The values of infosets, until they are added to the slots that lead to them.
    """

    slot: Ints
    block: Ints
    row: Ints
    ends: Floats
    child: Indices
    first_child: Ints
    value: Floats


def make_parts(treeplex: Treeplex, payoff: Payoff, count: int) -> Parts:
    """Return so many parts of about the same work for each pass."""
    children = []
    firsts = []
    for first, size in zip(
        treeplex.bucket_infoset.tolist(), treeplex.bucket_size.tolist(), strict=True
    ):
        parents = treeplex.parent_slot[first : first + size]
        order = np.argsort(parents, kind="stable")
        begins = np.flatnonzero(np.diff(parents[order], prepend=-1))  # of each parent slot
        boundaries = np.arange(count) * size // count
        firsts.append([*np.append(begins, size)[np.searchsorted(begins, boundaries)], size])
        children.append(first + order)
    first_child = np.array(firsts, np.int64).reshape(-1, count + 1)
    first_child += treeplex.bucket_infoset.astype(np.int64)[:, None]
    return Parts(
        *_split_payoff(treeplex, payoff, count),
        ends=zeros(LANES * count, payoff.weights.dtype),
        child=np.concatenate(children or [np.zeros(0)]).astype(np.uint32),
        first_child=first_child,
        value=zeros(len(treeplex.parent_slot), payoff.weights.dtype),
    )


def _split_payoff(treeplex: Treeplex, payoff: Payoff, count: int) -> tuple[Ints, Ints, Ints]:
    """Return where the parts of each player's payoff begin: slots, blocks and rows."""
    parts: tuple[list[Ints], ...] = ([], [], [])
    for player in range(len(treeplex.first_slot) - 1):
        blocks, rows = (
            slice(*first[player : player + 2].tolist())
            for first in (payoff.first_block, payoff.first_row)
        )
        slots = np.concatenate([payoff.block_slot[blocks], payoff.row_slot[rows]]).astype(np.int64)
        entries = [
            np.diff(start.astype(np.int64))[numbers]
            for start, numbers in ((payoff.block_start, blocks), (payoff.row_start, rows))
        ]
        order = np.argsort(slots, kind="stable")
        work = np.cumsum(1 + np.concatenate(entries)[order])
        boundaries = np.searchsorted(work, np.arange(1, count) * (work[-1:].sum() / count))
        first, last = treeplex.first_slot[player : player + 2].tolist()
        part_begins = np.array(
            [first, *slots[order][boundaries[boundaries < len(slots)]].tolist()], np.int64
        )
        part_begins = np.append(part_begins, np.full(count + 1 - len(part_begins), last))
        parts[0].append(part_begins)
        for firsts, slot_of, numbers in (
            (parts[1], payoff.block_slot, blocks),
            (parts[2], payoff.row_slot, rows),
        ):
            firsts.append(numbers.start + np.searchsorted(slot_of[numbers], part_begins))
    slot, block, row = (np.array(begins_of_players, np.int64) for begins_of_players in parts)
    return slot, block, row


@inline_ir
def _fill_values(payoff, parts, player, part, reach, cf_value):
    """Fill ``cf_value`` at the slots of a part with the terminal counterfactual values."""
    first = parts.slot[player, part]
    last = parts.slot[player, part + 1]
    for slot in range(first, last):
        cf_value[slot] = 0.0
    for block in range(parts.block[player, part], parts.block[player, part + 1]):
        total = block_values(payoff, block, reach)
        slot = np.int64(payoff.block_slot[block])
        if slot + LANES <= last:
            store(cf_value, slot, total)
        else:  # what is behind belongs to another part
            store(parts.ends, LANES * part, total)
            for i in range(last - slot):
                cf_value[slot + i] = parts.ends[LANES * part + i]
    for row in range(parts.row[player, part], parts.row[player, part + 1]):
        cf_value[payoff.row_slot[row]] = row_value(payoff, row, reach)


@inline_ir
def _part_range(size, part, parts):
    """Return the first and last + 1 of a part of so many numbers, in whole lanes."""
    groups = np.int64(size) // LANES
    return groups * part // parts * LANES, groups * (part + 1) // parts * LANES


@inline_ir
def _update_part(treeplex, parts, b, part, state, rule):
    """Update infosets of a bucket; their values are kept until all are there."""
    begin, end = _part_range(treeplex.bucket_size[b], part, parts.slot.shape[1] - 1)
    for i in range(begin, end, LANES):
        value = update_infosets(
            treeplex, b, i, state.cf_value, state.strategy, state.regret_sum, rule
        )
        store(parts.value, treeplex.bucket_infoset[b] + i, value)


@inline_ir
def _back_up_part(treeplex, parts, b, part, cf_value):
    """Add the values of infosets of a bucket to some of the slots that lead to them."""
    for k in range(parts.first_child[b, part], parts.first_child[b, part + 1]):
        child = parts.child[k]
        cf_value[treeplex.parent_slot[child]] += parts.value[child]


@inline_ir
def _add_to_average(treeplex, player, part, parts, state, discount):
    """Discount the sums of the average strategy at some slots, and add the reach."""
    start = np.int64(treeplex.first_slot[player])
    begin, end = _part_range(treeplex.first_slot[player + 1] - start, part, parts)
    for s in range(start + begin, start + end, LANES):
        store(
            state.strategy_sum,
            s,
            load_like(state.reach, state.strategy_sum, s) * discount + load(state.reach, s),
        )


@compiled(allocates=False, nogil=True)
def iterate_together(treeplex, payoff, state, rules, average_discounts, alternating, parts, team):
    """Run the iterations whose rules these are, as :func:`.kernels.iterate` does.

    The rounds of a player's turn: 0, the payoff; then two for each bucket, bottom-up; the average;
    the reach of each bucket, top-down. Where updates are simultaneous or the play is tracked, the
    payoffs of all come first.
    """
    players = len(treeplex.first_slot) - 1
    tracked = len(state.deviation_sum) > 0
    for t in range(len(average_discounts)):
        rule = rule_at(rules, t)
        discount = float(average_discounts[t])
        for turn in range(2 * players):
            player = turn % players
            updates = turn >= players
            first = np.int64(treeplex.first_bucket[player])
            buckets = np.int64(treeplex.first_bucket[player + 1]) - first
            together = tracked or not alternating  # the payoffs of all
            begin = 0
            end = int(together)
            if updates:
                begin = int(together and (player == 0 or not alternating))
                end = 3 * buckets + 2
            for number in range(begin, end):
                part = next_item(team)
                while part >= 0:
                    if number == 0:
                        _fill_values(payoff, parts, player, part, state.reach, state.cf_value)
                    elif number > 2 * buckets + 1:
                        b = first + number - 2 * buckets - 2
                        begin_infoset, end_infoset = _part_range(
                            treeplex.bucket_size[b], part, parts.slot.shape[1] - 1
                        )
                        for i in range(begin_infoset, end_infoset, LANES):
                            fill_reach_of(treeplex, b, i, state.strategy, state.reach)
                    elif number > 2 * buckets:
                        if averages(rule):
                            _add_to_average(treeplex, player, part, team.items, state, discount)
                    elif number % 2 == 1:
                        _update_part(
                            treeplex, parts, first + buckets - 1 - number // 2, part, state, rule
                        )
                    else:
                        _back_up_part(
                            treeplex, parts, first + buckets - number // 2, part, state.cf_value
                        )
                    finish_item(team)
                    part = next_item(team)
                if number == 0 and finished_last(team):
                    fill_others_reach(rule, treeplex, player, state.reach)
                if tracked and not updates and finished_last(team):
                    add_to_deviations(
                        treeplex, player, state.cf_value, state.reach, state.deviation_sum, discount
                    )
                if number == 0 and finished_last(team):
                    add_to_values(rule, treeplex, player, state.reach, state.cf_value)
                    pay_player(treeplex, player, rule, state.cf_value)
                barrier(team)
