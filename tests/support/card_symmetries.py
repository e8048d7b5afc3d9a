"""What is symmetric in a card game, by definition: permutations of the cards that leave board and weights alone."""

import random

import numpy as np


def symmetries_of(game):
    """Return the permutations under which the board, and the weights of all hands that may be held, are the same."""
    weights = []
    for own, given in zip(game.deal.hands, game.deal.weights, strict=True):
        weights.append(
            {frozenset(hand): weight for hand, weight in zip(own, given, strict=True) if weight}
        )

    def kept(to):
        moved = [
            {frozenset(int(to[card]) for card in hand): w for hand, w in own.items()}
            for own in weights
        ]
        return moved == weights and {int(to[card]) for card in game.board} == set(game.board)

    return [to for to in np.asarray(game.symmetries) if kept(to)]


def parsed(game, player, key):
    """Return the cards of the hand, those of each street, and the line, from the name of an infoset."""
    hand, *rest = key.split(" ")
    number = {name: card for card, name in enumerate(game.cards)}
    shown = rest.pop(0) if rest and rest[0][:2] in number else ""
    board = [number[shown[at : at + 2]] for at in range(0, len(shown), 2)]
    streets, at = [], 0
    for count in (len(game.board), *game.streets):
        streets.append(board[at : at + count])
        at += count
    assert game.hands[player].count(hand) == 1
    return game.deal.hands[player][list(game.hands[player]).index(hand)], streets, " ".join(rest)


def canonical(game, permutations, player, key):
    """Return what is the same for all infosets that are alike: the least of their hands, boards and lines."""
    hand, streets, line = parsed(game, player, key)
    moved = (
        [sorted(int(to[card]) for card in part) for part in (*streets, hand)] for to in permutations
    )
    return player, str(min(moved)), line


def symmetric_strategy(game, infosets, seed):
    """Return a random strategy, the same at infosets that are alike, from [(player, key, actions)]."""
    permutations, table = symmetries_of(game), {}
    for player, key, actions in infosets:
        dice = random.Random(f"{seed} {canonical(game, permutations, player, key)}")
        weights = [dice.choice((0.0, 0.01, dice.random(), 1.0)) for _ in actions]
        weights = weights if sum(weights) else [1.0] * len(actions)
        table[player, key] = {a: w / sum(weights) for a, w in zip(actions, weights, strict=True)}
    return table
