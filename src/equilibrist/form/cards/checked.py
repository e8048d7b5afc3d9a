"""Checks of what a card game says of its cards, and of strategies where boards are taken for one."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.validate import is_whole
from ...errors import GameError
from ...game.card_game import CardGame
from ...game.protocol import game_name
from .terminal.blockers import MOST_CARDS_HELD, HandMap, hand_places

_TOLERANCE = 1e-4  # of probabilities
_MOST_NUMBERS = {2: np.iinfo(np.uint16).max, 4: np.iinfo(np.uint32).max}
"""Positions and sums of boards are kept in as many bits, by the places for cards of a hand."""


def check_cards(game: CardGame) -> None:
    """Refuse hands, a board, streets or symmetries that make no sense, or more than fit the card form."""
    name = game_name(game)
    deal = game.deal
    held = sorted(set(chain.from_iterable(map(len, player_hands) for player_hands in deal.hands)))
    if held[-1] > MOST_CARDS_HELD or len(held) > 1:
        raise GameError(
            f"{name}: all hands must hold the same number of cards, at most four; got {held}."
        )
    for player in range(2):
        _check_hands(game, name, player)
    board = list(game.board)
    streets = list(game.streets)
    if len(set(board)) < len(board) or not all(is_whole(card, 0, deal.cards - 1) for card in board):
        raise GameError(
            f"{name}: the board must be different cards from 0 to {deal.cards - 1}; got "
            f"{game.board!r}."
        )
    if not all(is_whole(num_shown, 0) for num_shown in streets):
        raise GameError(
            f"{name}: streets must be numbers of cards, 0 or more; got {game.streets!r}."
        )
    cards_left = deal.cards - len(board) - 2 * held[0]
    if sum(streets) > cards_left:
        raise GameError(
            f"{name}: {sum(streets)} cards are to be dealt, but only {cards_left} are left."
        )
    for player, (player_hands, weights) in enumerate(zip(deal.hands, deal.weights, strict=True)):
        if not any(
            weight > 0 and not set(hand) & set(board)
            for hand, weight in zip(player_hands, weights, strict=True)
        ):
            raise GameError(f"{name}: the board blocks all hands of player {player}.")
    permutations = np.asarray(game.symmetries)
    deck = np.arange(deal.cards)
    if (
        permutations.ndim != 2
        or permutations.shape[1] != deal.cards
        or (np.sort(permutations, axis=1) != deck).any()
    ):
        raise GameError(
            f"{name}: symmetries must be permutations of the {deal.cards} cards, shape (n, "
            f"{deal.cards}); got an array of shape {permutations.shape}."
        )


def _check_hands(game: CardGame, name: str, player: int) -> None:
    """Refuse hands of a player that are too many, have no names of their own, or are the same cards."""
    hands = game.deal.hands[player]
    names = [str(hand) for hand in game.hands[player]]
    places = hand_places(hands[0])
    if places * len(hands) + game.deal.cards >= _MOST_NUMBERS[places]:
        raise GameError(
            f"{name}: player {player} has {len(hands):,} hands; some "
            f"{_MOST_NUMBERS[places] // places:,} are the most."
        )
    if len(set(names)) != len(hands) or len(names) != len(hands):
        raise GameError(
            f"{name}: the {len(hands)} hands of player {player} need as many different names; "
            f"got {len(names)} names, {len(set(names))} different ones."
        )
    if len(hands[0]) > 1 and len(set(hands)) < len(hands):
        twice = next(hand for hand in hands if hands.count(hand) > 1)
        raise GameError(
            f"{name}: two hands of player {player} are the cards {twice}; give one hand the "
            "weight of both."
        )


def check_strengths(
    game: CardGame, strengths: Any, boards: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the strengths of the hands of both players as arrays, shape (boards, hands)."""
    arrays = [np.asarray(answer) for answer in strengths]
    shapes = [(boards, len(hands)) for hands in game.deal.hands]
    if [array.shape for array in arrays] != shapes or any(
        array.dtype.kind not in "biu" for array in arrays
    ):
        received = " and ".join(f"{array.dtype} {array.shape}" for array in arrays)
        raise GameError(
            f"{game_name(game)}: strengths() must return arrays of integers of shapes "
            f"{shapes[0]} and {shapes[1]}; got {received}."
        )
    return arrays[0], arrays[1]


def check_symmetric(form: Any, strategy: Floats) -> None:
    """Refuse a strategy under which boards that a :class:`~.form.CardForm` walks as one differ.

    They follow on a board with symmetries: permutations under which it and both ranges are as they
    are. If hands that one of them exchanges play differently there, they come to its boards in
    another mix than to those walked.
    """
    game = form.game
    maps = [HandMap(hands_of_player, game.deal.cards) for hands_of_player in game.deal.hands]
    for street, nodes in enumerate(form.betting.streets[:-1]):
        for number, board in enumerate(form.boards.streets[street]):
            for player in range(2) if len(board.symmetries) > 1 else ():
                hands = form.hands_on(street, number, player)
                place = np.zeros(len(maps[player].cards), np.int64)
                place[hands] = np.arange(len(hands))
                images = np.array([maps[player].permute(to)[hands] for to in board.symmetries])
                for node in nodes.nodes[player]:
                    played = strategy[form.slots_of(node, number)]
                    wrong = (
                        np.abs(played[:, place[images]] - played[:, None]).max(axis=0) > _TOLERANCE
                    )
                    if wrong.any():
                        to, hand = map(int, np.argwhere(wrong)[0])
                        other = game.hands[player][images[to, hand]]
                        infoset = form.infosets.key(
                            player, int(hands[hand]), board.cards, node.line
                        )
                        raise GameError(
                            f"{form.name}: {infoset!r} is played differently with {other}, which "
                            "is the same but for suits; so boards to come that are walked as one "
                            "would differ. Play both alike, or give a game without symmetries.",
                            wrong_use=True,
                        )
