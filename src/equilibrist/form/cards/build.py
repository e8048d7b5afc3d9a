"""Compile the rules of a card game: its betting tree, its boards, and the numbering of slots."""

from __future__ import annotations

import numpy as np

from ..._util.arrays import offsets
from ...game.card_game import CardGame
from ...game.protocol import game_name
from .betting import betting_arrays, walk_betting
from .boards import list_boards
from .form import CardForm
from .lanes import make_lanes
from .walk import CardArrays


def compile_cards(game: CardGame) -> CardForm:
    """Return the card form of a game, having checked its betting on the way.

    Parameters
    ----------
    game : CardGame
        The rules.

    Raises
    ------
    GameError
        The game is not well formed.
    """
    tree = walk_betting(game)
    betting = betting_arrays(tree)
    boards = list_boards(game)
    arrays, possible = boards.arrays, boards.streets[0][0].hands
    each = np.diff(arrays.first_board)
    street = np.arange(len(betting.rows)) // 2
    sizes = (betting.rows - betting.lines[street]) * each[street] * arrays.width
    counts, width = arrays.counts[:2], arrays.width[:2]
    own = [
        np.pad(weights[arrays.hand[first : first + count]], (0, size - count))
        for weights, first, count, size in zip(game.deal.weights, arrays.first_position, counts, width, strict=False)
    ]
    first_weight = offsets(width)
    total = _total(game, possible)
    weights = np.concatenate(own)
    lanes = make_lanes(tree, betting.rows, arrays.width, betting.shift)
    return CardForm(
        name=game_name(game),
        game=game,
        betting=tree,
        boards=boards,
        arrays=CardArrays(betting, arrays, lanes, offsets(sizes), weights / total, weights, first_weight),
    )


def _total(game: CardGame, possible: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the sum of the products of weights over pairs of hands that the board and each other leave possible."""
    deal = game.deal
    left = type(deal)(
        [[deal.hands[player][hand] for hand in own.tolist()] for player, own in enumerate(possible)],
        [deal.weights[player][own] for player, own in enumerate(possible)],
        cards=deal.cards,
    )
    return left.total
