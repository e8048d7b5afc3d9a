"""Showdowns without any more betting: what each hand gets of the pot on average over the cards to come."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Floats, Ints
from ...game.deal import Deal, mend_remaining, nearly_blocked
from .hand_ranks import Strengths

_RIVER = 5
NOBODY = 1e-250
"""Weight of the other player's hands below this is too near to the least numbers to divide by."""


class _Hands(NamedTuple):
    """The hands of a player on some boards of five cards."""

    cards: Ints  # shape (hands, 2)
    masks: Ints  # shape (hands,): their cards as bits
    strengths: NDArray[np.int16]  # shape (boards, hands)
    order: Ints  # shape (boards, hands): the hands of each board, the weakest first


def masses(deal: Deal, ranges: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return, for each hand of each player, the weight of the other's hands that go with it; NaN where it is none."""
    both = []
    for player, weights in enumerate(reversed(ranges)):
        mass = _mass(deal, weights, player)
        both.append(np.where(mass > NOBODY, mass, np.nan))
    return both[0], both[1]


def _mass(deal: Deal, weights: Floats, player: int) -> Floats:
    """Return, for each hand of a player, the weight of the other's hands that go with it, right to the last digits."""
    cards, others = (np.array(deal.hands[who]) for who in (player, 1 - player))
    held = np.bincount(others.ravel(), np.repeat(weights, 2), deal.cards)
    same = _same_hands(cards, others, deal.cards)
    mass: Floats = weights.sum() - held[cards].sum(axis=1) + np.where(same < 0, 0.0, weights[same])
    holds = deal.holds()
    mend_remaining(mass, holds[player], holds[1 - player], weights)
    return mass


def showdown_shares(
    deal: Deal,
    strengths_on: Callable[[Ints], tuple[Strengths, Strengths]],
    board: Sequence[int],
    ranges: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """Return, for each hand of each player, the sum of weight × share of the pot over the hands of the other player.

    It is the mean over the cards to come, where the other's hands are those that go with it.
    ``strengths_on`` returns the strengths of the hands of both players on boards of five cards;
    ``ranges`` are weights of all hands of the deal, 0 where the board blocks them. All run-outs of
    a flop with all hands take 0.1 s.
    """
    left = [card for card in range(deal.cards) if card not in board]
    to_come = _RIVER - len(board)
    boards = np.array([(*board, *cards) for cards in combinations(left, to_come)])
    hands = [
        _Hands(cards, _as_bits(cards), strengths, np.argsort(strengths, axis=1, kind="stable"))
        for cards, strengths in zip(map(np.array, deal.hands), strengths_on(boards), strict=True)
    ]
    dealt = comb(len(left) - 4, to_come)  # of the boards, those that two hands leave
    both = []
    for player, weights in enumerate(reversed(ranges)):
        won = np.zeros(len(hands[player].cards))
        scratch = np.empty(deal.cards + 1)
        same = _same_hands(hands[player].cards, hands[1 - player].cards, deal.cards)
        _add_shares(
            _as_bits(boards),
            hands[player],
            hands[1 - player],
            same,
            np.array(weights),
            scratch,
            won,
        )
        little = nearly_blocked(_mass(deal, weights, player), weights)
        won[little] = 0.0
        _add_shares_by_hand(
            _as_bits(boards), hands[player], hands[1 - player], little, np.array(weights), won
        )
        both.append(won / dealt)
    return both[0], both[1]


def shared(weights: Floats) -> Floats:
    """Return weights with the sum 1, or zeros; NaN counts as 0."""
    weights = np.nan_to_num(weights)
    total = weights.sum()
    return np.asarray(weights / total if total > 0 else weights)


def _as_bits(cards: Ints) -> Ints:
    return np.asarray((np.int64(1) << cards).sum(axis=1))


def _same_hands(cards: Ints, others: Ints, deck: int) -> Ints:
    """Return the number of the same hand among the other player's, or -1; ``deck`` is how many cards there are."""
    numbers = np.full((deck, deck), -1)
    numbers[others[:, 0], others[:, 1]] = np.arange(len(others))
    return np.asarray(numbers[cards[:, 0], cards[:, 1]])


@compiled(allocates=False, nogil=True)
def _add_shares(boards, hands, others, same, weights, scratch, won):
    """Add to ``won`` what each hand gets, on each board, of the weights of the other's hands that go with it.

    It is half the weight of those that are weaker, and half of those that are no stronger. Running
    sums of weights in the order of strength, all and by card, give both: a hand goes with all that
    hold neither of its cards, and its own cards are taken off twice where the other may hold the
    same hand.
    """
    cards = len(scratch) - 1
    for board in range(len(boards)):
        for tie in range(2):
            scratch[:] = 0.0
            first = 0
            for place in range(len(won)):
                hand = hands.order[board, place]
                if hands.masks[hand] & boards[board]:
                    continue
                while first < len(weights):
                    other = others.order[board, first]
                    if others.strengths[board, other] >= hands.strengths[board, hand] + tie:
                        break
                    first += 1
                    if not others.masks[other] & boards[board]:
                        scratch[cards] += weights[other]
                        scratch[others.cards[other, 0]] += weights[other]
                        scratch[others.cards[other, 1]] += weights[other]
                weaker = (
                    scratch[cards] - scratch[hands.cards[hand, 0]] - scratch[hands.cards[hand, 1]]
                )
                if tie and same[hand] >= 0:
                    weaker += weights[same[hand]]
                won[hand] += weaker / 2


@compiled(allocates=False, nogil=True)
def _add_shares_by_hand(boards, hands, others, numbers, weights, won):
    """Add the same to ``won`` for the hands of these numbers, of which nearly all of the other's are blocked.

    Nothing is taken off: the other's hands are gone through one by one.
    """
    for board in range(len(boards)):
        for hand in numbers:
            if hands.masks[hand] & boards[board]:
                continue
            for other in range(len(weights)):
                if others.masks[other] & (boards[board] | hands.masks[hand]):
                    continue
                if others.strengths[board, other] < hands.strengths[board, hand]:
                    won[hand] += weights[other]
                elif others.strengths[board, other] == hands.strengths[board, hand]:
                    won[hand] += weights[other] / 2
