"""The kernels of CFR on a card form: walks of the boards that update regrets and averages on the way back up."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from .._jit.compile import compiled, merged
from .._jit.simd import LANES, broadcast, load, prefetch, store
from ..form.cards.ends import end_values
from ..form.cards.walk import (
    BELOW,
    NOT_ENTERED,
    begin_walk,
    bring_up,
    clear_values,
    enter,
    fetch,
    first_slot_of,
    lanes_of,
    next_board,
    play,
)
from .update_rule import next_probability, regret_matching, rule_at


class CardTables(NamedTuple):
    """What CFR knows between iterations: a number a slot.

    Attributes
    ----------
    played : array
        What the current strategy follows from: ``regret_sum`` itself, or a table of probabilities.
    regret_sum, strategy_sum : array
        Sums of regrets and of the average.
    following : array
        Where the next strategy is written; empty where it follows from ``regret_sum``.
    """

    played: NDArray[Any]
    regret_sum: NDArray[Any]
    strategy_sum: NDArray[Any]
    following: NDArray[Any]


@compiled(allocates=False, beside=True)
def iterate(game, scratch, span, tables, players, steps, constants):
    """Run iterations, each with a turn for each of the players from ``players[0]`` to ``players[1] - 1``.

    ``span`` is the part of the boards that is walked (:class:`~equilibrist.form.cards.walk.Span`).
    """
    for t in range(len(steps.discount_average)):
        rule, discount = rule_at(steps, t, constants), steps.discount_average[t]
        for player in range(players[0], players[1]):
            street = begin_walk(scratch)
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
                    if street > 0 or span.part != BELOW:
                        if street == 0:
                            fetch(game, scratch, span, scratch.value, span.values, player)
                        _update(game, tables, scratch, street, player, rule, discount)
                        bring_up(game, scratch, span, scratch.value, span.values, street, player)
                street = below


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
