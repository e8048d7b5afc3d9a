"""The kernels of CFR on a card form: walks of the boards that update regrets and averages on the way back up."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from .._jit.compile import compiled, merged
from .._jit.simd import LANES, broadcast, largest, load, maximum, prefetch, store
from ..form.cards.ends import end_values
from ..form.cards.walk import (
    NOT_ENTERED,
    begin_walk,
    bring_up,
    clear_values,
    end_board,
    end_walk,
    enter,
    fetch,
    first_slot_of,
    lanes_of,
    leaves,
    next_board,
    play,
)
from .card_tables import FULL
from .update_rule import next_probability, regret_matching, rule_at


@compiled(allocates=False, beside=True)
def iterate(game, scratch, span, tables, players, steps, constants, scales):
    """Run iterations, each with a turn for each of the players from ``players[0]`` to ``players[1] - 1``.

    ``span`` is the part of the boards that is walked (:class:`~equilibrist.form.cards.walk.Span`); ``scales`` are those
    of tables of 16 bits, else None.
    """
    for t in range(len(steps.discount_average)):
        rule, discount = rule_at(steps, t, constants), steps.discount_average[t]
        for player in range(players[0], players[1]):
            street = begin_walk(scratch, span)
            while street >= 0:
                if scratch.next_child[street] == NOT_ENTERED:
                    enter(game, scratch, span, street, player)
                    play(game, scratch, street, player, tables.played, rule.rounding, tables.played, True)
                    play(game, scratch, street, 1 - player, tables.played, rule.rounding, tables.played, False)
                    clear_values(game, scratch.value, street, player)
                    end_values(game, scratch, street, player, scratch.value)
                below = next_board(game, scratch, span, street)
                if below == street:
                    below = street - 1
                    if leaves(span, street):
                        if street == 0:
                            fetch(game, scratch, span, scratch.value, span.values, player)
                        if scales is None:
                            _update(game, tables, scratch, street, player, rule, discount)
                        else:
                            _update_scaled(game, tables, scales, scratch, (street, player), rule, discount)
                        bring_up(game, scratch, span, scratch.value, span.values, street, player)
                        end_board(span, street)
                street = below
            end_walk(span)


@merged
def _update(game, tables, scratch, street, player, rule, discount):
    """Update the player's nodes on a board, the last ones first: values of actions become regrets.

    The value of a node is added to the row that leads to it.
    """
    betting, q, board = game.betting, 2 * street + player, scratch.open_board[street]
    width, count = game.boards.width[q], lanes_of(game.boards.counts[2 * board + player])
    begin, base = game.lanes.first_row[q], first_slot_of(game, street, board, player)
    sigma, values, keeps = scratch.sigma, scratch.value, len(tables.following) > 0
    for n in range(betting.first_node[q + 1] - 1, betting.first_node[q] - 1, -1):
        node = betting.nodes[n]
        actions = node.actions
        before = (betting.nodes[max(n - 1, betting.first_node[q])].first - node.first) * width
        slot, row, parent = base + node.first * width, begin + node.first * width, begin + node.parent * width
        uniform = broadcast(1.0 / actions)
        for i in range(0, count, LANES):
            value = broadcast(0.0)
            for action in range(actions):
                at = row + action * width + i
                value = value + load(sigma, at) * load(values, at)
            store(values, parent + i, load(values, parent + i) + value)
            total, weight = broadcast(0.0), load(scratch.reach, parent + i)
            for action in range(actions):
                at, s = row + action * width + i, slot + action * width + i
                prefetch(tables.regret_sum, s + before)
                prefetch(tables.strategy_sum, s + before)
                regret, share = regret_matching(load(tables.regret_sum, s), load(values, at) - value, rule)
                store(tables.regret_sum, s, regret)
                store(tables.strategy_sum, s, load(tables.strategy_sum, s) * discount + load(sigma, at) * weight)
                if keeps:
                    total = total + share
                    store(values, at, share)
            if keeps:
                for action in range(actions):
                    share = load(values, row + action * width + i)
                    following = next_probability(share, total, uniform, rule)
                    store(tables.following, slot + action * width + i, following)


@merged
def _update_scaled(game, tables, scales, scratch, place, rule, discount):
    """Do the same on tables of 16 bits, whose blocks are scaled anew: the largest number of each becomes ``FULL``.

    New sums stand in rows of the scratch that nobody needs any more until the largest of a block is known.
    """
    street, player = place
    betting, q, board = game.betting, 2 * street + player, scratch.open_board[street]
    width, count = game.boards.width[q], lanes_of(game.boards.counts[2 * board + player])
    begin, base, local = (
        game.lanes.first_row[q],
        first_slot_of(game, street, board, player),
        board - game.boards.first_board[street],
    )
    first_node, last_node = betting.first_node[q], betting.first_node[q + 1]
    sigma, values, reach, keeps = scratch.sigma, scratch.value, scratch.reach, len(tables.following) > 0
    for n in range(last_node - 1, first_node - 1, -1):
        node = betting.nodes[n]
        actions = node.actions
        slot, row, parent = base + node.first * width, begin + node.first * width, begin + node.parent * width
        block = scales.first[q] + (local * (last_node - first_node) + n - first_node) * (width // LANES)
        uniform = broadcast(1.0 / actions)
        for i in range(0, count, LANES):
            value = broadcast(0.0)
            for action in range(actions):
                at = row + action * width + i
                value = value + load(sigma, at) * load(values, at)
            store(values, parent + i, load(values, parent + i) + value)
            total, weight = broadcast(0.0), load(reach, parent + i)
            highest, most, k = broadcast(0.0), broadcast(0.0), block + i // LANES
            regret_unit, sum_unit = broadcast(scales.regret_sum[k]), broadcast(scales.strategy_sum[k] * discount)
            for action in range(actions):
                at, s = row + action * width + i, slot + action * width + i
                regret, share = regret_matching(
                    load(tables.regret_sum, s) * regret_unit, load(values, at) - value, rule
                )
                added = load(tables.strategy_sum, s) * sum_unit + load(sigma, at) * weight
                highest = maximum(highest, maximum(regret, broadcast(0.0) - regret))
                most, total = maximum(most, added), total + share
                store(values, at, regret)
                store(sigma, at, added)
                store(reach, at, share)
            scales.regret_sum[k], scales.strategy_sum[k] = largest(highest) / FULL, largest(most) / FULL
            regret_unit = broadcast(_inverse(scales.regret_sum[k]))
            sum_unit = broadcast(_inverse(scales.strategy_sum[k]))
            for action in range(actions):
                at, s = row + action * width + i, slot + action * width + i
                store(tables.regret_sum, s, load(values, at) * regret_unit)
                store(tables.strategy_sum, s, load(sigma, at) * sum_unit)
                if keeps:
                    following = next_probability(load(reach, at), total, uniform, rule)
                    store(tables.following, s, following * broadcast(1.0 * FULL))


@merged
def _inverse(unit):
    """Return 1 / unit, or 0."""
    return 1.0 / unit if unit > 0.0 else 0.0
