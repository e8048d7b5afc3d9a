"""Checks of what a card game says of its cards, before its boards are listed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.validate import is_whole
from ...errors import GameError
from ...game.card_game import CardGame
from ...game.protocol import game_name

MOST_CARDS_HELD = 2
"""Cards of a hand: what hands exclude each other is found by inclusion and exclusion of single cards and pairs."""

_MOST_NUMBERS = np.iinfo(np.uint16).max  # positions and sums of boards are kept as uint16


def check_cards(game: CardGame) -> None:
    """Refuse hands, a board, streets or symmetries that make no sense, or more than fit the card form.

    Raises
    ------
    GameError
        The first thing that is wrong.
    """
    name, deal = game_name(game), game.deal
    held = sorted({len(hand) for own in deal.hands for hand in own})
    if held[-1] > MOST_CARDS_HELD or len(held) > 1:
        raise GameError(f"{name}: all hands must hold the same number of cards, at most two; got {held}.")
    for player in range(2):
        _check_hands(game, name, player)
    board, streets = list(game.board), list(game.streets)
    if len(set(board)) < len(board) or not all(is_whole(card, 0, deal.cards - 1) for card in board):
        raise GameError(f"{name}: the board must be different cards from 0 to {deal.cards - 1}; got {game.board!r}.")
    if not all(is_whole(shown, 0) for shown in streets):
        raise GameError(f"{name}: streets must be numbers of cards, 0 or more; got {game.streets!r}.")
    left = deal.cards - len(board) - 2 * held[0]
    if sum(streets) > left:
        raise GameError(f"{name}: {sum(streets)} cards are to be dealt, but only {left} are left.")
    for player, (own, weights) in enumerate(zip(deal.hands, deal.weights, strict=True)):
        if not any(weight > 0 and not set(hand) & set(board) for hand, weight in zip(own, weights, strict=True)):
            raise GameError(f"{name}: the board blocks all hands of player {player}.")
    permutations = np.asarray(game.symmetries)
    deck = np.arange(deal.cards)
    if permutations.ndim != 2 or permutations.shape[1] != deal.cards or (np.sort(permutations, axis=1) != deck).any():
        raise GameError(
            f"{name}: symmetries must be permutations of the {deal.cards} cards, shape (n, {deal.cards}); got an array "
            f"of shape {permutations.shape}."
        )


def _check_hands(game: CardGame, name: str, player: int) -> None:
    """Refuse hands of a player that are too many, have no names of their own, or are the same two cards."""
    hands, names = game.deal.hands[player], [str(hand) for hand in game.hands[player]]
    if MOST_CARDS_HELD * len(hands) + game.deal.cards >= _MOST_NUMBERS:
        raise GameError(f"{name}: player {player} has {len(hands):,} hands; some 32,000 are the most.")
    if len(set(names)) != len(hands) or len(names) != len(hands):
        raise GameError(
            f"{name}: the {len(hands)} hands of player {player} need as many different names; got {len(names)} names, "
            f"{len(set(names))} different ones."
        )
    if len(hands[0]) == MOST_CARDS_HELD and len(set(hands)) < len(hands):
        twice = next(hand for hand in hands if hands.count(hand) > 1)
        raise GameError(
            f"{name}: two hands of player {player} are the cards {twice}; give one hand the weight of both."
        )


def check_strengths(game: CardGame, strengths: Any, boards: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the strengths of the hands of both players as arrays, shape (boards, hands).

    Raises
    ------
    GameError
        They are not a whole number for each hand on each board.
    """
    found = [np.asarray(own) for own in strengths]
    shapes = [(boards, len(own)) for own in game.deal.hands]
    if [own.shape for own in found] != shapes or any(own.dtype.kind not in "biu" for own in found):
        given = " and ".join(f"{own.dtype} {own.shape}" for own in found)
        raise GameError(
            f"{game_name(game)}: strengths() must return arrays of integers of shapes {shapes[0]} and {shapes[1]}; got "
            f"{given}."
        )
    return found[0], found[1]
