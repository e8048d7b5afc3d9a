"""Tables and kernels of CFR on a card form: walks of the boards that update regrets and averages on the way back up."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled, inline_ir, record
from .._jit.simd import (
    LANES,
    broadcast_like,
    largest,
    load,
    load_like,
    maximum,
    prefetch,
    store,
    store_dithered,
    zeros,
)
from .._util.arrays import Floats, Ints, offsets
from ..form.cards.passes import certified_gain, response_walk
from ..form.cards.terminal.values import terminal_values
from ..form.cards.walk import (
    NOT_ENTERED,
    CardArrays,
    back_up,
    begin_walk,
    clear_values,
    end_board,
    end_walk,
    first_slot_of,
    gather_children,
    leaves_board,
    make_symmetric,
    next_board,
    play,
    propagate_reach,
    whole_lanes,
)
from .card_gadget import NOTHING, decide, enter
from .minimiser import (
    add_share,
    averages,
    fill_others_reach_on_board,
    next_share,
    no_shares,
    pay_at,
    pinned_value,
    reference_value,
    rule_at,
    rule_at_row,
    update_regret,
    value_above,
)

FULL = 32766
"""What the largest number of a node is stored as in 16 bits, with room for a dither; of probabilities, what 1 is."""
_SMALLEST = 2.0**-110  # the least unit: 2^16 over a smaller one may exceed the largest float32


@record
class CardTables(NamedTuple):
    """What CFR knows between iterations: a number a slot.

    Attributes
    ----------
    played : array
        What the current strategy follows from: ``regret_sum`` itself, or a table of probabilities.
    regret_sum : array
        Sums of regrets.
    strategy_sum : array
        Sums of the average.
    following : array
        Where the next strategy is written; empty where it follows from ``regret_sum``.
    """

    played: NDArray[Any]
    regret_sum: NDArray[Any]
    strategy_sum: NDArray[Any]
    following: NDArray[Any]


@record
class CardScales(NamedTuple):
    """What sums of whole numbers are multiplied by, a number for each node on a board; shares need none.

    Attributes
    ----------
    first : int array, shape (2 · streets + 1,)
        Where those of a street and player begin, by ``q = 2 · street + player``: ``[board][node]``.
    regret_sum : float32 array, shape (nodes on boards,)
    strategy_sum : float32 array, shape (nodes on boards,)
    full : float
        What the largest regret sum of a node is stored as.
    """

    first: Ints
    regret_sum: NDArray[np.float32]
    strategy_sum: NDArray[np.float32]
    full: float


@record
class Iterations(NamedTuple):
    """Some iterations in a row.

    Attributes
    ----------
    rules : object
        What :mod:`.minimiser` describes.
    average_discounts : float array
        Of the sums of the average, shape (iterations,).
    first : int
        The number of the first of them.
    above : object
        What is decided above the first board: :mod:`.card_gadget`.
    """

    rules: Any
    average_discounts: Floats
    first: int
    above: Any = NOTHING


@record
class Certificates(NamedTuple):
    """Where and with what a run looks at its certificate."""

    after: Ints  # so many iterations, shape (looks,)
    threshold: float  # the exploitability at which the run ends
    # of the walks of :func:`~equilibrist.form.cards.passes.response_walk`, as the three that follow
    scratch: Any
    span: Any
    tables: Any
    floors: Any
    sums: Floats  # what is added up by the walks, shape (looks, 2, 4)
    passed: Ints  # shape (1,): how many there are by now


@compiled(allocates=False, nogil=True)
def iterate(game, scratch, span, tables, players, iterations, scales):
    """Run iterations, each with a turn for each of the players from ``players[0]`` to ``players[1] - 1``.

    ``span`` is the part of the boards that is walked (:class:`~equilibrist.form.cards.walk.Span`),
    and ``scales`` are those of tables of whole numbers, else None.
    """
    _iterate(
        game,
        scratch,
        span,
        tables,
        players,
        iterations,
        (0, len(iterations.average_discounts)),
        scales,
    )


@compiled(allocates=False, nogil=True)
def iterate_until(game, scratch, span, tables, iterations, certificates, scales):
    """Run iterations as :func:`iterate` does, and compute certificates on the way, until one is good enough."""
    begin = 0
    exploitability = np.inf
    # Of the type that all who walk give: plain numbers have one of their own.
    players = (
        np.int64(0),
        np.int64(2),
    )
    while (
        certificates.passed[0] < len(certificates.after) and exploitability > certificates.threshold
    ):
        look = certificates.passed[0]
        sums = certificates.sums[look]
        end = certificates.after[look]
        _iterate(game, scratch, span, tables, (0, 2), iterations, (begin, end), scales)
        response_walk(
            game,
            certificates.scratch,
            certificates.span,
            tables.strategy_sum,
            players,
            certificates.tables,
            certificates.floors,
            sums,
        )
        gains = certified_gain(game, sums, 0) + certified_gain(game, sums, 1)
        begin = end
        exploitability = gains / 2
        certificates.passed[0] = look + 1


@inline_ir
def _iterate(game, scratch, span, tables, players, iterations, part, scales):
    for t in range(part[0], part[1]):
        rule = rule_at(iterations.rules, t)
        discount = float(iterations.average_discounts[t])
        for player in range(players[0], players[1]):
            street = begin_walk(scratch, span)
            while street >= 0:
                if scratch.next_child[street] == NOT_ENTERED:
                    propagate_reach(game, scratch, span, street, player)
                    enter(iterations.above, game, scratch, street, player)
                    play(game, scratch, street, player, tables.played, rule, tables.played, True)
                    play(
                        game, scratch, street, 1 - player, tables.played, rule, tables.played, False
                    )
                    clear_values(game, scratch.value, street, player)
                    terminal_values(game, scratch, street, player, scratch.value)
                    fill_others_reach_on_board(rule, scratch, street, player)
                below = next_board(game, scratch, span, street)
                if below == street:
                    below = street - 1
                    if leaves_board(span, street):
                        if street == 0:
                            gather_children(game, scratch, span, scratch.value, span.values, player)
                        rows = game.betting.rows[2 * street + player]
                        begin = game.terminal.first_row[2 * street + player]
                        make_symmetric(game, scratch, scratch.value, begin, rows, street, player)
                        _pay(game, scratch, street, player, rule)
                        if scales is None:
                            _update(game, tables, scratch, street, player, rule, discount)
                        else:
                            place = street, player, iterations.first + t
                            _update_scaled(game, tables, scales, scratch, place, rule, discount)
                        decide(iterations.above, game, scratch, street, player, rule, discount)
                        back_up(game, scratch, span, scratch.value, span.values, street, player)
                        end_board(span, street)
                street = below
            end_walk(span)


@inline_ir
def _pay(game, scratch, street, player, rule):
    """Add what the player receives beside the payoffs to the values of the actions on the open board."""
    first_row, first_slot, width, _, _, _ = _open_rows(game, scratch, street, player)
    lines = game.betting.lines[street] * width
    slots = game.betting.rows[2 * street + player] * width - lines
    pay_at(rule, player, scratch.value, first_row + lines, first_slot + lines, slots)


@inline_ir
def _open_rows(game, scratch, street, player):
    """Return a player's first row and slot on the open board, width and hands of a row, first node and one after the
    last.
    """
    betting = game.betting
    group = 2 * street + player
    board = scratch.open_board[street]
    hands = whole_lanes(game.boards.counts[2 * board + player])
    first_row = game.terminal.first_row[group]
    first_slot = first_slot_of(game, street, board, player)
    first_node = betting.first_node[group]
    end_node = betting.first_node[group + 1]
    return first_row, first_slot, game.boards.width[group], hands, first_node, end_node


@inline_ir
def _node_values(scratch, at, slot, width, actions, uniform, rule):
    """Return the value of eight hands at a node, and the reference value."""
    value = broadcast_like(scratch.value, 0.0)
    sum_values = broadcast_like(scratch.value, 0.0)
    for action in range(actions):
        action_value = load(scratch.value, at + action * width)
        value = value + load(scratch.sigma, at + action * width) * action_value
        at_slot = slot + action * width
        sum_values = sum_values + pinned_value(rule, scratch.value, at_slot, action_value)
    return value, reference_value(rule, value, sum_values, uniform)


@inline_ir
def _update(game, tables, scratch, street, player, rule, discount):
    """Update the player's nodes on a board, last ones first: regrets from values, which are added to the row above."""
    first_row, first_slot, width, hands, first_node, end_node = _open_rows(
        game, scratch, street, player
    )
    values = scratch.value
    stores_next = len(tables.following) > 0
    for n in range(end_node - 1, first_node - 1, -1):
        node = game.betting.nodes[n]
        previous = game.betting.nodes[max(n - 1, first_node)]
        actions = node.actions
        ahead = (previous.first - node.first) * width
        slot = first_slot + node.first * width
        row = first_row + node.first * width
        parent = first_row + node.parent * width
        uniform = broadcast_like(values, 1.0 / actions)
        for i in range(0, hands, LANES):
            local = rule_at_row(rule, values, slot + i, actions, scratch.best_value, row + i)
            value, reference = _node_values(
                scratch, row + i, slot + i, width, actions, uniform, local
            )
            total = no_shares(rule, broadcast_like(values, 0.0))
            weight = load(scratch.reach, parent + i)
            for action in range(actions):
                at = row + action * width + i
                s = slot + action * width + i
                prefetch(tables.regret_sum, s + ahead)
                prefetch(tables.strategy_sum, s + ahead)
                regret_sum = load_like(values, tables.regret_sum, s)
                regret, share = update_regret(local, regret_sum, load(values, at) - reference)
                store(tables.regret_sum, s, regret)
                if averages(rule):
                    added = load(scratch.sigma, at) * weight
                    store(
                        tables.strategy_sum,
                        s,
                        load_like(values, tables.strategy_sum, s) * discount + added,
                    )
                if stores_next:
                    total = add_share(rule, total, share)
                    store(values, at, share)
            store(values, parent + i, load(values, parent + i) + value_above(local, value, total))
            if stores_next:
                for action in range(actions):
                    share = load(values, row + action * width + i)
                    probability = next_share(local, share, total, uniform)
                    store(tables.following, slot + action * width + i, probability)


@inline_ir
def _update_scaled(game, tables, scales, scratch, place, rule, discount):
    """Do the same on tables of whole numbers, whose nodes are scaled anew: the largest number of each becomes ``FULL``.

    Until that is known, new numbers stand in rows of the scratch that nobody needs any more.
    Rounding to the nearest would lose what each iteration adds to small sums, until the average no
    longer gets better: they are dithered.
    """
    street, player, iteration = place
    first_row, first_slot, width, hands, first_node, end_node = _open_rows(
        game, scratch, street, player
    )
    board_number = scratch.open_board[street] - game.boards.first_board[street]
    values = scratch.value
    new_regrets = scratch.value
    new_sums = scratch.sigma
    shares = scratch.reach
    for n in range(end_node - 1, first_node - 1, -1):
        node = game.betting.nodes[n]
        previous = game.betting.nodes[max(n - 1, first_node)]
        actions = node.actions
        ahead = (previous.first - node.first) * width
        slot = first_slot + node.first * width
        row = first_row + node.first * width
        parent = first_row + node.parent * width
        uniform = broadcast_like(values, 1.0 / actions)
        scale = (
            scales.first[2 * street + player]
            + board_number * (end_node - first_node)
            + n
            - first_node
        )
        regret_unit = broadcast_like(values, scales.regret_sum[scale])
        sum_unit = broadcast_like(values, float(scales.strategy_sum[scale]) * discount)
        largest_regret = broadcast_like(values, 0.0)
        largest_sum = broadcast_like(values, 0.0)
        for i in range(0, hands, LANES):
            local = rule_at_row(rule, values, slot + i, actions, scratch.best_value, row + i)
            value, reference = _node_values(
                scratch, row + i, slot + i, width, actions, uniform, local
            )
            total = no_shares(rule, broadcast_like(values, 0.0))
            weight = load(scratch.reach, parent + i)
            free = broadcast_like(values, 1.0)
            if node.lock >= 0:  # what is written to these tables at locked hands has no unit
                free = free - load_like(
                    values, game.betting.locked, node.lock + board_number * width + i
                )
            for action in range(actions):
                at = row + action * width + i
                s = slot + action * width + i
                prefetch(tables.regret_sum, s + ahead)
                prefetch(tables.strategy_sum, s + ahead)
                old_regret = load_like(values, tables.regret_sum, s) * regret_unit
                regret, share = update_regret(local, old_regret, load(values, at) - reference)
                regret = regret * free
                largest_regret = maximum(largest_regret, maximum(regret, regret * -1.0))
                store(new_regrets, at, regret)
                if averages(rule):
                    added = load(scratch.sigma, at) * weight
                    new_sum = (load_like(values, tables.strategy_sum, s) * sum_unit + added) * free
                    largest_sum = maximum(largest_sum, new_sum)
                    store(new_sums, at, new_sum)
                if len(tables.following) > 0:
                    total = add_share(rule, total, share)
                    store(shares, at, share)
            store(values, parent + i, load(values, parent + i) + value_above(local, value, total))
            if len(tables.following) > 0:
                for action in range(actions):
                    share = load(shares, row + action * width + i)
                    probability = next_share(local, share, total, uniform)
                    store(tables.following, slot + action * width + i, probability * float(FULL))
        scales.regret_sum[scale] = largest(largest_regret) / scales.full
        scales.strategy_sum[scale] = largest(largest_sum) / FULL
        regret_unit = broadcast_like(values, _inverse_unit(scales.regret_sum[scale]))
        sum_unit = broadcast_like(values, _inverse_unit(scales.strategy_sum[scale]))
        for action in range(actions):
            for i in range(action * width, action * width + hands, LANES):
                store_dithered(
                    tables.regret_sum, slot + i, load(new_regrets, row + i) * regret_unit, iteration
                )
                if averages(rule):
                    store_dithered(
                        tables.strategy_sum, slot + i, load(new_sums, row + i) * sum_unit, iteration
                    )
        make_symmetric(game, scratch, tables.regret_sum, slot, actions, street, player)
        make_symmetric(game, scratch, tables.strategy_sum, slot, actions, street, player)


@inline_ir
def _inverse_unit(unit):
    """Return 2^16 / unit, or 0 where that may exceed the largest float32: the sums of such a node are 0."""
    if unit >= _SMALLEST:
        return 65536.0 / np.float64(unit)
    return 0.0


def make_scales(game: CardArrays, regrets: NDArray[Any]) -> CardScales:
    """Return scales of 0 for all nodes of a game, for a table of regret sums of whole numbers."""
    first = offsets(
        np.diff(game.betting.first_node) * np.repeat(np.diff(game.boards.first_board), 2)
    )
    full = float(np.iinfo(regrets.dtype).max - 1)
    regret_scale, strategy_scale = (zeros(int(first[-1]), np.float32) for _ in range(2))
    return CardScales(first, regret_scale, strategy_scale, full)


def find_scales(game: CardArrays, scales: CardScales, slots: Ints) -> Ints:
    """Return where the scales of each slot stand."""
    group = np.searchsorted(game.first_slot, slots, side="right") - 1  # 2 · street + player
    lines = game.betting.lines[group // 2]
    width = game.boards.width[group]
    row = (slots - game.first_slot[group]) // width
    board, row = np.divmod(row, game.betting.rows[group] - lines)
    node = np.empty(len(slots), np.int64)
    for number in np.unique(group).tolist():
        first_row = game.betting.nodes[slice(*game.betting.first_node[number : number + 2])].first
        # nodes are in the order of a walk, as their rows are
        order = np.argsort(first_row)
        in_group = group == number
        node[in_group] = order[
            np.searchsorted(first_row[order], (row + lines)[in_group], side="right") - 1
        ]
    nodes = np.diff(game.betting.first_node)[group]
    return np.asarray(scales.first[group] + board * nodes + node)
