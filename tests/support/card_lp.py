"""The value of a constant-sum card game by one linear programme, straight from its rules, every board dealt.

Nothing of the library is used but the protocol. Player 0 chooses a realisation plan x; player 1 answers, with each hand
j and at each of her states s, with the action that leaves player 0 least:

    maximise Σ_j V(start, j)   subject to   V(s, j) ≤ V(s·a, j) for each a of player 1 at s,   x a plan

where V(s, j) is what player 0 receives below s, summed over his hands × his plan × prior × chance.
"""

from itertools import combinations
from math import comb

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from equilibrist import CHANCE, TERMINAL
from equilibrist.game.card_game import ShowdownPayoffs


def received(game, state, board):
    """Return what player 0 receives at an end: a number, or one for each pair of hands."""
    paid = game.payoff(state)
    if not isinstance(paid, ShowdownPayoffs):
        return paid[0]
    one, other = (own[0][..., None] for own in game.strengths(np.array([board], np.int64)))
    return np.select([one > other.T, one < other.T], [paid.win[0], paid.lose[0]], paid.tie[0])


def holdings(game):
    """Return which cards each hand of each player holds, bool arrays of shape (hands, cards)."""
    deck = range(game.deal.cards)
    return [np.array([[card in hand for card in deck] for hand in own]) for own in game.deal.hands]


def pair_weights(game):
    """Return the product of the weights of each pair of hands; 0 where they or the board share a card."""
    held = [own.astype(int) for own in holdings(game)]
    free = [own[:, list(game.board)].sum(axis=1) == 0 for own in held]
    return np.outer(*game.deal.weights) * (held[0] @ held[1].T == 0) * np.outer(*free)


def chance(game, board, dealt, reach):
    """Yield each set of cards that the next street may show, and the reach of pairs of hands after it."""
    count = game.streets[dealt]
    hidden = [card for card in range(game.deal.cards) if card not in board]
    ways = comb(len(hidden) - len(game.deal.hands[0][0]) - len(game.deal.hands[1][0]), count)
    held = holdings(game)
    for shown in combinations(hidden, count):
        one, other = (own[:, list(shown)].any(axis=1) for own in held)
        yield shown, np.where(one[:, None] | other, 0.0, reach / ways)


def equity(game):
    """Return the share of the pot that player 0 has where all hands are shown down, over all boards."""

    def visit(board, dealt, reach):
        if dealt < len(game.streets):
            return sum(
                visit((*board, *shown), dealt + 1, after)
                for shown, after in chance(game, board, dealt, reach)
            )
        one, other = (own[0][..., None] for own in game.strengths(np.array([board], np.int64)))
        return (reach * np.select([one > other.T, one < other.T], [1.0, 0.0], 0.5)).sum()

    weights = pair_weights(game)
    return visit(tuple(game.board), 0, weights) / weights.sum()


def value(game):
    """Return what player 0 receives in equilibrium."""
    sizes, hands = (
        [len(own) for own in game.deal.hands],
        [np.arange(len(own)) for own in game.deal.hands],
    )
    columns, answers, upper, equal = 1, [], [], []  # column 0 is the constant 1

    def new(player):
        nonlocal columns
        columns += sizes[player]
        return np.arange(columns - sizes[player], columns)

    def visit(state, board, dealt, plan, reach):
        """Return V(state, j) as triplets (j, column, number)."""
        player = game.player(state)
        if player == TERMINAL:
            one, other = np.nonzero(reach)
            return other, plan[one], (reach * received(game, state, board))[one, other]
        if player == CHANCE:
            after = game.next(state, None)
            outcomes = chance(game, board, dealt, reach)
            return together(
                visit(after, (*board, *shown), dealt + 1, plan, left) for shown, left in outcomes
            )
        if player == 0:
            plans = [new(0) for _ in game.actions(state)]
            equal.append(
                together(
                    [(hands[0], plan, -np.ones(sizes[0]))]
                    + [(hands[0], p, np.ones(sizes[0])) for p in plans]
                )
            )
            children = [game.next(state, action) for action in game.actions(state)]
            return together(
                visit(child, board, dealt, p, reach)
                for child, p in zip(children, plans, strict=True)
            )
        least = hands[1], new(1), np.ones(sizes[1])
        answers.append(least[1])
        for action in game.actions(state):
            rows, places, numbers = visit(game.next(state, action), board, dealt, plan, reach)
            upper.append(together([least, (rows, places, -numbers)]))
        return least

    weights = pair_weights(game)
    _, places, numbers = visit(game.start(), tuple(game.board), 0, np.zeros(sizes[0], int), weights)
    cost = np.bincount(places, numbers, columns)
    bounds = np.tile([0.0, 1.0], (columns, 1))
    bounds[0] = 1.0
    bounds[np.concatenate(answers or [[]]).astype(int)] = -np.inf, np.inf
    above, flow = stacked(upper, sizes[1], columns), stacked(equal, sizes[0], columns)
    found = linprog(
        -cost,
        above,
        np.zeros(above.shape[0]),
        flow,
        np.zeros(flow.shape[0]),
        bounds,
        method="highs",
    )
    assert found.status == 0, found.message
    return -found.fun / weights.sum()


def together(triplets):
    """Return triplets of arrays as one."""
    return tuple(np.concatenate(parts) for parts in zip(*triplets, strict=True))


def stacked(blocks, rows, columns):
    """Return blocks of so many rows, each given as triplets, below each other."""
    placed = [
        (own + number * rows, place, entry) for number, (own, place, entry) in enumerate(blocks)
    ]
    if not placed:
        return csr_array((0, columns))
    own, place, entry = together(placed)
    return csr_array((entry, (own, place)), shape=(len(blocks) * rows, columns))
