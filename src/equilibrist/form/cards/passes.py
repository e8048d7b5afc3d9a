"""Passes over a card form: values, best responses, and strategies from sums."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, inline_ir
from ..._jit.simd import (
    LANES,
    broadcast,
    broadcast_like,
    load,
    load_like,
    maximum,
    store,
    where_positive,
    zeros,
)
from ..._util.arrays import Floats
from ..floors import NO_FLOORS, Terms, add_payments, are_pinned, free_at, pinned_at
from ..responses import NO_TABLES, BestResponses, ResponseTables, Values
from .terminal.values import terminal_values
from .walk import (
    NOBODY,
    NOT_ENTERED,
    CardArrays,
    Shares,
    back_up,
    begin_walk,
    clear_values,
    end_board,
    end_walk,
    first_slot_of,
    gather_children,
    leaves_board,
    next_board,
    play,
    propagate_reach,
    whole_lanes,
)
from .walker import CardWalker


def average_from_sums(game: CardArrays, sums: NDArray[Any]) -> Floats:
    """Return the strategy that plays each slot by its share of its infoset's sum; uniformly where that is 0."""
    strategy = zeros(len(sums))
    normalise(game, sums, strategy)
    return strategy


def values(
    walker: CardWalker,
    weights: NDArray[Any],
    tables: ResponseTables = NO_TABLES,
    floors: Terms = NO_FLOORS,
    players: Sequence[int] = (0, 1),
) -> Values:
    """Return the value of the strategy with these shares, and of the best responses to it; fill the tables.

    Only of some players where ``players`` are fewer than both.
    """
    sums = np.zeros((2, 4))
    # Tables have the own reach, and threads room for stored values, of one player at a time.
    one_by_one = walker.stores or len(tables.best_value) or len(players) < 2
    turns = [(player, player + 1) for player in players] if one_by_one else [(0, 2)]
    for turn in turns:
        walker.walk(response_walk, weights, turn, tables, floors, sums)
    return values_from_sums(walker.game, sums)


def values_from_sums(game: CardArrays, sums: Floats) -> Values:
    """Return what :func:`response_walk` added up as values."""
    (value, error, best, best_error) = sums.T
    shift = game.betting.shift
    return Values(
        tuple((value + error + shift).tolist()), tuple((best + best_error + shift).tolist())
    )


def best_responses(walker: CardWalker, weights: NDArray[Any]) -> BestResponses:
    """Return the same with the arrays behind it."""
    game = walker.game
    tables = ResponseTables.of_length(len(weights))
    response_values = values(walker, weights, tables)
    weigh_values(game, tables.best_value)
    return BestResponses(*response_values, *tables)


def weigh_values(game: CardArrays, values: Floats) -> None:
    """Multiply the values at the slots by the weights of the hands, which walks leave out."""
    by_hand = np.zeros((2, game.boards.num_hands))
    for player in range(2):
        first = int(game.boards.first_position[player])
        hands = game.boards.hand[first : first + int(game.boards.counts[player])]
        begin = game.first_weight[player]
        by_hand[player, hands] = game.own_weights[begin : begin + len(hands)]
    _weigh_by_hand(game, by_hand, values)


def street_values(walker: CardWalker, weights: NDArray[Any]) -> list[tuple[Floats, Floats]]:
    """Return the values of the first street's rows, for each player: payoff × probability of all but the own hand.

    First those of the strategy with these shares at each infoset, then those with the best response
    to it afterwards, shape (rows, hands on the first board); half of a constant sum of payoffs
    (:attr:`Betting.shift`) is left out.
    """
    game = walker.game
    both = []
    for player in range(2):
        walker.walk(
            response_walk, weights, (player, player + 1), NO_TABLES, NO_FLOORS, np.zeros((2, 4))
        )
        first = game.terminal.first_row[player]
        rows = game.betting.rows[player]
        width = game.boards.width[player]
        value, best_value = (
            table[first : first + rows * width]
            .reshape(rows, width)[:, : game.boards.counts[player]]
            .copy()
            for table in (walker.scratch.value, walker.scratch.best_value)
        )
        both.append((value, best_value))
    return both


@compiled(allocates=False)
def normalise(game, sums, strategy):
    """Fill a strategy at the slots with the share of each in its infoset's sum; uniform where that is 0."""
    betting = game.betting
    boards = game.boards
    for q in range(len(betting.rows)):
        street = q // 2
        player = q % 2
        width = boards.width[q]
        for board in range(boards.first_board[street], boards.first_board[street + 1]):
            base = first_slot_of(game, street, board, player)
            for n in range(betting.first_node[q], betting.first_node[q + 1]):
                node = betting.nodes[n]
                slot = base + node.first * width
                uniform = broadcast_like(strategy, 1.0 / node.actions)
                for i in range(0, width, LANES):
                    total = broadcast_like(strategy, 0.0)
                    for action in range(node.actions):
                        total = total + maximum(
                            load_like(strategy, sums, slot + action * width + i), 0.0
                        )
                    for action in range(node.actions):
                        at = slot + action * width + i
                        share = maximum(load_like(strategy, sums, at), 0.0) / total
                        store(strategy, at, where_positive(total, share, uniform))


@compiled(allocates=False)
def _weigh_by_hand(game, by_hand, values):
    """Multiply the values at the slots by the weights of each player's hands."""
    betting = game.betting
    boards = game.boards
    for q in range(len(betting.rows)):
        street = q // 2
        player = q % 2
        width = boards.width[q]
        for board in range(boards.first_board[street], boards.first_board[street + 1]):
            base = first_slot_of(game, street, board, player)
            at = boards.first_position[2 * board + player]
            for i in range(boards.counts[2 * board + player]):
                for row in range(betting.lines[street], betting.rows[q]):
                    values[base + row * width + i] *= by_hand[player, boards.hand[at + i]]


@compiled(allocates=False, nogil=True)
def response_walk(game, scratch, span, weights, players, tables, floors, sums):
    """Walk boards for each of the players from ``players[0]`` to ``players[1] - 1``: values of the strategy with these
    shares, and of the best response to it within floors.

    The values of the hands on the first board are left in its line of ``value`` and ``best_value``,
    and added up over the hands with their weights in ``sums``, shape (2, 4): the value and the
    rounding errors that were made on the way, both once more with the best response.
    """
    _respond_on_boards(game, scratch, span, weights, players, tables, floors)
    if leaves_board(span, 0):
        for player in range(players[0], players[1]):
            _add_up_hands(game, scratch.value, player, sums[player, :2])
            _add_up_hands(game, scratch.best_value, player, sums[player, 2:])
    end_walk(span)


@inline_ir
def certified_gain(game, sums, player):
    """Return what a player gains by deviating, with the bits of :func:`values_from_sums`."""
    shift = game.betting.shift[player]
    return (sums[player, 2] + sums[player, 3] + shift) - (sums[player, 0] + sums[player, 1] + shift)


@inline_ir
def _add_up_hands(game, values, player, sums):
    """Add the values of the hands on the first board up, and what is lost to rounding apart (Knuth's two-sum)."""
    total = 0.0
    error = 0.0
    first = game.first_weight[player]
    row = game.terminal.first_row[player]
    for i in range(game.boards.counts[player]):
        term = game.own_weights[first + i] * values[row + i]
        new = total + term
        rest = new - total
        error += (total - (new - rest)) + (term - rest)
        total = new
    sums[0] = total
    sums[1] = error


@inline_ir
def _respond_on_boards(game, scratch, span, weights, players, tables, floors):
    """Walk the boards, each once for all the players."""
    alone = players[0] if players[1] == players[0] + 1 else NOBODY  # whose own reach is asked for
    street = begin_walk(scratch, span)
    while street >= 0:
        if scratch.next_child[street] == NOT_ENTERED:
            propagate_reach(game, scratch, span, street, alone)
            for owner in range(2):
                play(game, scratch, street, owner, weights, Shares(0.0), scratch.reach, True)
            for player in range(players[0], players[1]):
                clear_values(game, scratch.value, street, player)
                terminal_values(game, scratch, street, player, scratch.value)
                _copy_values(game, scratch, street, player)
        below = next_board(game, scratch, span, street)
        if below == street:
            below = street - 1
            if leaves_board(span, street):
                for player in range(players[0], players[1]):
                    if street == 0:
                        gather_children(game, scratch, span, scratch.value, span.values, player)
                        gather_children(
                            game, scratch, span, scratch.best_value, span.best_values, player
                        )
                    _respond(game, scratch, tables, floors, street, player)
                    back_up(game, scratch, span, scratch.value, span.values, street, player)
                    back_up(
                        game, scratch, span, scratch.best_value, span.best_values, street, player
                    )
                end_board(span, street)
        street = below


@inline_ir
def _copy_values(game, scratch, street, player):
    """Begin with the values of the ends in ``best_value`` as well."""
    q = 2 * street + player
    for i in range(game.terminal.first_row[q], game.terminal.first_row[q + 1], LANES):
        store(scratch.best_value, i, load(scratch.value, i))


@inline_ir
def _respond(game, scratch, tables, floors, street, player):
    """Choose the best action at the player's nodes on the open board, the last ones first; fill the tables."""
    betting = game.betting
    q = 2 * street + player
    board = scratch.open_board[street]
    width = game.boards.width[q]
    count = whole_lanes(game.boards.counts[2 * board + player])
    begin = game.terminal.first_row[q]
    base = first_slot_of(game, street, board, player)
    values = scratch.value
    best_values = scratch.best_value
    fills_tables = len(tables.best_value) > 0
    fills_responses = len(tables.reach) > 0
    row = betting.lines[street] * width
    slots = (betting.rows[q] - betting.lines[street]) * width
    keeps = are_pinned(floors)
    add_payments(floors.payments, player, values, begin + row, base + row, slots)
    add_payments(floors.payments, player, best_values, begin + row, base + row, slots)
    for n in range(betting.first_node[q + 1] - 1, betting.first_node[q] - 1, -1):
        node = betting.nodes[n]
        slot = base + node.first * width
        row = begin + node.first * width
        parent = begin + node.parent * width
        for i in range(0, count, LANES):
            value = broadcast(0.0)
            best = load(best_values, row + i)
            pinned = broadcast(0.0)
            for action in range(node.actions):
                at = row + action * width + i
                value = value + load(scratch.sigma, at) * load(values, at)
                best = maximum(best, load(best_values, at))
                if keeps:
                    least = pinned_at(floors, best_values, slot + action * width + i)
                    pinned = pinned + load(best_values, at) * least
            worth = best
            if keeps:
                worth = pinned + best * free_at(floors, best_values, slot + i, float(node.actions))
            if floors.detached:
                worth = best * 0.0
            locked = broadcast(0.0)
            if node.lock >= 0:
                local = board - game.boards.first_board[street]
                locked = load(betting.locked, node.lock + local * width + i)
                locked_value = broadcast(0.0)
                for action in range(node.actions):
                    at = row + action * width + i
                    locked_value = locked_value + load(scratch.sigma, at) * load(best_values, at)
                worth = where_positive(locked, locked_value, worth)
            store(values, parent + i, load(values, parent + i) + value)
            store(best_values, parent + i, load(best_values, parent + i) + worth)
            if fills_tables:
                free = broadcast(1.0)  # whether no action before was the best
                for action in range(node.actions):
                    at = row + action * width + i
                    s = slot + action * width + i
                    action_value = load(best_values, at)
                    chosen = where_positive(best - action_value, 0.0, free)
                    chosen = where_positive(locked, load(scratch.sigma, at), chosen)
                    free = free - chosen
                    store(tables.best_value, s, action_value)
                    if fills_responses:
                        store(tables.reach, s, load(scratch.reach, at))
                        store(tables.best_response, s, chosen)
