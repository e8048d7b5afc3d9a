"""What hands of two cards make of a board: made hands, from a straight flush to nothing, and draws.

Each hand is one made hand. From a straight on it is what its best five cards are, whether or not
the board has them by itself; below, only what the player's own cards add counts: with A5 on 7722K
it is ace high. A hand may have several draws. There are none on the river but overcards and
blockers, and none to what the hand already beats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from .cards import CLASS_OF_HAND, CLASSES, HAND_NAMES, HANDS, NUM_CARDS, blocked
from .hand_ranks import (
    CATEGORIES,
    FLUSH,
    FULL_DECK,
    NUM_RANKS,
    STRAIGHT,
    THREE,
    Deck,
    category_of,
    strength_of,
)

MADE_HANDS = {
    "straight flush": "five cards in a row of one suit",
    "four of a kind": "four cards of a rank",
    "full house": "three of a rank and two of another",
    "flush": "five cards of one suit",
    "straight": "five cards in a row",
    "set": "three of a rank, two of them the player's own",
    "trips": "three of a rank, two of them on the board",
    "two pair": "both cards pair cards of the board",
    "overpair": "a pocket pair above every card of the board",
    "top pair": "a card pairs the highest rank of the board",
    "underpair": "a pocket pair below the highest card of the board",
    "second pair": "a card pairs the second highest rank of the board",
    "low pair": "a card pairs a lower rank of the board",
    "ace high": "no pair of the player's own, but an ace",
    "king high": "no pair of the player's own, and a king is the highest card",
    "nothing": "no pair of the player's own, and neither ace nor king",
}
"""What the made hands are, the strongest first in the full deck; each hand is the first of them that it fits."""

DRAWS = {
    "flush draw": "four cards of a suit, at least one of them the player's own",
    "open-ended": "a card of any of two ranks or more makes a straight: double gutshots, too",
    "gutshot": "a card of one rank makes a straight",
    "backdoor flush": "three cards of a suit on the flop, at least one of them the player's own",
    "overcards": "both cards are above the board",
    "nut blocker": "it holds a card that one of the strongest hands needs (none that may be any), and is none of them",
}
"""What the draws are."""

_MADE, _DRAWS = tuple(MADE_HANDS), tuple(DRAWS)
_FROM_STRAIGHT = {name: number for number, name in enumerate(CATEGORIES) if number >= STRAIGHT}
_FROM_THREE = _FROM_STRAIGHT | dict.fromkeys(("set", "trips"), THREE)
_ACE = NUM_RANKS - 1
_KING = NUM_RANKS - 2
_FLOP = 3
_RIVER = 5
_HAND_NAMES, _CLASS_NAMES = np.array(HAND_NAMES, object), np.array(CLASSES, object)
_BOARDS_KEPT = 256


def made_hands(board: Sequence[int], deck: Deck = FULL_DECK) -> NDArray[np.int64]:
    """Return what each hand is on a board of three to five cards, an index into :data:`MADE_HANDS`; shape (1326,).

    -1 for hands that hold a card of the board, or one that the deck lacks.
    """
    is_possible = ~blocked([*deck.missing, *board])
    low, high = HANDS[is_possible].T // 4
    on_board = np.bincount(np.array(board) // 4, minlength=NUM_RANKS)
    ranked = np.flatnonzero(on_board)[::-1]  # the ranks of the board, the highest first
    place = np.full(NUM_RANKS, len(ranked))
    place[ranked] = np.arange(len(ranked))
    pocket = high == low
    paired = np.minimum(place[high], place[low])
    category = category_of(strength_of(_with_board(board, is_possible), deck), deck)
    is_made = {
        **{name: category == number for name, number in _FROM_STRAIGHT.items()},
        "set": pocket & (on_board[high] == 1),
        "trips": ~pocket & ((on_board[high] == 2) | (on_board[low] == 2)),
        "two pair": ~pocket & (on_board[high] > 0) & (on_board[low] > 0),
        "overpair": pocket & (high > ranked[0]),
        "top pair": paired == 0,
        "underpair": pocket,
        "second pair": (paired == 1) & (len(ranked) > 1),
        "low pair": paired < len(ranked),
        "ace high": high == _ACE,
        "king high": high == _KING,
        "nothing": np.ones(len(high), bool),
    }
    made_index = np.full(len(HANDS), -1)
    made_index[is_possible] = np.argmax([is_made[name] for name in _MADE], axis=0)
    return made_index


def draws(board: Sequence[int], deck: Deck = FULL_DECK) -> NDArray[np.bool_]:
    """Return which draws each hand has on a board of three to five cards, in the order of :data:`DRAWS`.

    Shape (draws, 1326); hands that hold a card of the board, or one that the deck lacks, have none.
    """
    is_possible = ~blocked([*deck.missing, *board])
    hands = HANDS[is_possible]
    cards_with_board = _with_board(board, is_possible)
    low, high = hands.T // 4
    strength = strength_of(cards_with_board, deck)
    places = deck.places
    place = places[category_of(strength, deck)]
    if len(board) < _RIVER:
        outs = _straight_outs(board, cards_with_board, deck)
    else:
        outs = np.zeros(len(hands), np.int64)
    of_suit = (cards_with_board[:, :, None] % 4 == np.arange(4)).sum(axis=1)
    suited = np.where((hands[:, :, None] % 4 == np.arange(4)).any(axis=1), of_suit, 0).max(axis=1)
    is_strongest = strength == strength.max()
    needed = _needed_cards(hands[is_strongest], NUM_CARDS - len(deck.missing) - len(board))
    is_draw = {
        "flush draw": (suited == 4) & (len(board) < _RIVER) & (place < places[FLUSH]),
        "open-ended": (outs > 1) & (place < places[STRAIGHT]),
        "gutshot": (outs == 1) & (place < places[STRAIGHT]),
        "backdoor flush": (suited == 3) & (len(board) == _FLOP) & (place < places[FLUSH]),
        "overcards": (high != low) & (low > max(board) // 4),
        "nut blocker": needed[hands].any(axis=1) & ~is_strongest,
    }
    has_draw = np.zeros((len(_DRAWS), len(HANDS)), bool)
    has_draw[:, is_possible] = [is_draw[name] for name in _DRAWS]
    return has_draw


def hand_columns(
    board: Sequence[int], hands: NDArray[np.int64], deck: Deck = FULL_DECK
) -> dict[str, NDArray[Any]]:
    """Return what hands are on a board, as arrays by heading: hand, class, made, draws."""
    made_names, draw_names = _names_on(tuple(board), deck)
    return {
        "hand": _HAND_NAMES[hands],
        "class": _CLASS_NAMES[CLASS_OF_HAND[hands]],
        "made": made_names[hands],
        "draws": draw_names[hands],
    }


def made_hand(hand: int, board: Sequence[int], deck: Deck = FULL_DECK) -> str | None:
    """Return what one hand is on a board in words, a key of :data:`MADE_HANDS`; None if it cannot be held there."""
    number = int(_made_on(tuple(board), deck)[hand])
    if number < 0:
        return None
    return _MADE[number]


def by_made_hand(
    board: Sequence[int],
    hands: NDArray[np.int64],
    probabilities: Floats,
    values: Sequence[Floats],
    deck: Deck = FULL_DECK,
) -> dict[str, tuple[float, list[float]]]:
    """Return, by made hand, the strongest first, how much of a range it is, and means of values of its hands."""
    made_index = _made_on(tuple(board), deck)[hands]
    values = [numbers[made_index >= 0] for numbers in values]
    probabilities = probabilities[made_index >= 0]
    made_index = made_index[made_index >= 0]
    share = np.bincount(made_index, probabilities, len(_MADE))
    weighted = [np.where(probabilities > 0, probabilities * numbers, 0.0) for numbers in values]
    sums = [np.bincount(made_index, numbers, len(_MADE)) for numbers in weighted]
    return {
        _MADE[number]: (
            float(share[number]),
            [float(total[number] / share[number]) for total in sums],
        )
        for number in _strongest_first(deck)
        if share[number] > 0
    }


def _strongest_first(deck: Deck) -> list[int]:
    """Return the made hands in the order of a deck, which is that of :data:`MADE_HANDS` below three of a kind."""
    places = deck.places
    return sorted(
        range(len(_MADE)),
        key=lambda number: (
            -places[_FROM_THREE[_MADE[number]]] if _MADE[number] in _FROM_THREE else 0
        ),
    )


_made_on = lru_cache(_BOARDS_KEPT)(made_hands)  # many look at the same board


@lru_cache(_BOARDS_KEPT)
def _names_on(board: tuple[int, ...], deck: Deck) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the made hand and the draws of each hand in words: ``"top pair"``, ``"flush draw, gutshot"``."""
    drawing = [
        ", ".join(name for name, is_draw in zip(_DRAWS, row, strict=True) if is_draw)
        for row in draws(board, deck).T.tolist()
    ]
    return np.array([*_MADE, ""], object)[_made_on(board, deck)], np.array(drawing, object)


def _with_board(board: Sequence[int], hands: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the cards of each hand and of the board, a row a hand."""
    cards = HANDS[hands]
    return np.hstack([cards, np.broadcast_to(np.array(board), (len(cards), len(board)))])


def _needed_cards(nuts: NDArray[np.int64], cards: int) -> NDArray[np.bool_]:
    """Return which cards the strongest hands need, of so many that may be held: not one beside which any will do."""
    # The strongest with any other card.
    alone = np.bincount(nuts.ravel(), minlength=NUM_CARDS) == cards - 1
    needed = np.zeros(NUM_CARDS, bool)
    for card, other in (nuts.T, nuts.T[::-1]):
        needed[card[~alone[other]]] = True
    return needed


def _straight_outs(
    board: Sequence[int], cards_with_board: NDArray[np.int64], deck: Deck
) -> NDArray[np.int64]:
    """Return by how many ranks the next card may make a straight that the board has not by itself."""
    outs = np.zeros(len(cards_with_board), np.int64)
    for card in range(deck.first, NUM_CARDS, 4):
        next_card = np.full((len(cards_with_board), 1), card)
        with_card = strength_of(np.hstack([cards_with_board, next_card]), deck, suited=False)
        if len(board) > _FLOP:
            alone = strength_of(np.array([[*board, card]]), deck, suited=False)[0]
        else:
            alone = -1
        outs += (category_of(with_card, deck) == STRAIGHT) & (with_card > alone)
    return outs
