"""Showdowns without any more betting: what each hand gets of the pot on average over the cards to come."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Floats, Ints
from ...form.cards.build import compile_cards
from ...form.cards.subgame import Subgame
from ...game.card_game import CardGame, ShowdownPayoffs
from ...game.card_subgame import CardSubgame
from ...game.deal import Deal, find_nearly_blocked, mend_remaining
from ...game.folded import FoldedHands
from ...game.protocol import CHANCE, TERMINAL
from ..cards.hand_ranks import Strengths

_RIVER = 5
NOBODY = 1e-250
"""Weight of the other player's hands below this is too near to the least numbers to divide by."""


class _Hands(NamedTuple):
    """The hands of a player on some boards of five cards.

    Attributes
    ----------
    cards : int array, shape (hands, 2)
    masks : int array, shape (hands,)
        Their cards as bits.
    strengths : int16 array, shape (boards, hands)
    order : int array, shape (boards, hands)
        The hands of each board, the weakest first.
    """

    cards: Ints
    masks: Ints
    strengths: NDArray[np.int16]
    order: Ints


def hand_masses(deal: Deal, ranges: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return, for each hand of each player, the weight of the other's hands that go with it; NaN where it is none.

    The hands are those of the board at the start of the game.
    """
    player_masses = []
    for player, weights in enumerate(reversed(ranges)):
        if deal.folded is None:
            mass = _player_mass(deal, weights, player)
        else:
            mass = _folded_mass(deal, deal.folded, weights, player)
        player_masses.append(np.where(mass > NOBODY, mass, np.nan))
    return player_masses[0], player_masses[1]


def _player_mass(deal: Deal, weights: Floats, player: int) -> Floats:
    """Return, for each hand of a player, the weight of the other's hands that go with it, right to the last digits."""
    cards, other_cards = (np.array(deal.hands[who]) for who in (player, 1 - player))
    weight_of_card = np.bincount(other_cards.ravel(), np.repeat(weights, 2), deal.cards)
    same_hand = _find_same_hands(cards, other_cards, deal.cards)
    mass: Floats = (
        weights.sum()
        - weight_of_card[cards].sum(axis=1)
        + np.where(same_hand < 0, 0.0, weights[same_hand])
    )
    holds = deal.holds()
    mend_remaining(mass, holds[player], holds[1 - player], weights)
    return mass


def _folded_mass(deal: Deal, folded: FoldedHands, weights: Floats, player: int) -> Floats:
    """Return the same, by pairs of hands, where hands were folded before."""
    first, second = map(np.array, deal.hands)
    chances = folded.pair_chances(first, second, folded.board)
    if player == 1:
        chances = chances.T
    return np.asarray(chances @ weights)


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
    cards_left = [card for card in range(deal.cards) if card not in board]
    to_come = _RIVER - len(board)
    boards = np.array([(*board, *cards) for cards in combinations(cards_left, to_come)])
    hands = []
    for cards, strengths in zip(map(np.array, deal.hands), strengths_on(boards), strict=True):
        rows = np.ascontiguousarray(strengths)  # another layout would be compiled for itself
        order = np.argsort(rows, axis=1, kind="stable")
        hands.append(_Hands(cards, _card_bits(cards), rows, order))
    num_boards = comb(len(cards_left) - 4, to_come)  # of the boards, those that two hands leave
    player_shares = []
    for player, weights in enumerate(reversed(ranges)):
        shares = np.zeros(len(hands[player].cards))
        scratch = np.empty(deal.cards + 1)
        same_hand = _find_same_hands(hands[player].cards, hands[1 - player].cards, deal.cards)
        _add_shares(
            _card_bits(boards),
            hands[player],
            hands[1 - player],
            same_hand,
            np.array(weights),
            scratch,
            shares,
        )
        little = find_nearly_blocked(_player_mass(deal, weights, player), weights)
        shares[little] = 0.0
        _add_shares_by_hand(
            _card_bits(boards), hands[player], hands[1 - player], little, np.array(weights), shares
        )
        player_shares.append(shares / num_boards)
    return player_shares[0], player_shares[1]


class _CheckedDown(CardSubgame):
    """What follows on a board where nobody bets any more; the pot is 1, and a state is the number of streets dealt."""

    def __init__(self, game: CardGame, board: tuple[int, ...]) -> None:
        super().__init__(game, 0, board)

    def player(self, state: int) -> int:
        if state < len(self.streets):
            return CHANCE
        return TERMINAL

    def next(self, state: int, action: Any) -> int:
        return state + 1

    def payoff(self, state: int) -> ShowdownPayoffs:
        return ShowdownPayoffs((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


class CheckedDownShares:
    """For each hand of each player, the sum of weight × share of the pot over the hands of the other player.

    It is the mean over the cards to come, as the ends of a card form compute it. What a board takes
    to compile is done once, for whatever ranges are asked about then.
    """

    def __init__(self, game: CardGame, board: tuple[int, ...]) -> None:
        self._board = board
        self._part = compile_cards(_CheckedDown(game, board))
        self._subgame = Subgame(self._part, np.zeros(self._part.length))

    def __call__(self, ranges: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        both = []
        for player, rows in enumerate(self._subgame.values(ranges).value):
            mass = self._part.mass_of_others(ranges, player, self._board)
            both.append(rows[0] + self._subgame.shift[player] * mass)
        return both[0], both[1]


def normalise_weights(weights: Floats) -> Floats:
    """Return weights with the sum 1, or zeros; NaN counts as 0."""
    weights = np.nan_to_num(weights)
    total = weights.sum()
    return np.asarray(weights / total if total > 0 else weights)


def _card_bits(cards: Ints) -> Ints:
    return np.asarray((np.int64(1) << cards).sum(axis=1))


def _find_same_hands(cards: Ints, other_cards: Ints, deck: int) -> Ints:
    """Return the number of the same hand among the other player's, or -1; ``deck`` is how many cards there are."""
    numbers = np.full((deck, deck), -1)
    numbers[other_cards[:, 0], other_cards[:, 1]] = np.arange(len(other_cards))
    return np.asarray(numbers[cards[:, 0], cards[:, 1]])


@compiled(allocates=False, nogil=True)
def _add_shares(boards, hands, others, same_hand, weights, scratch, shares):
    """Add to ``shares`` what each hand gets, on each board, of the weights of the other's hands that go with it.

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
            for place in range(len(shares)):
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
                if tie and same_hand[hand] >= 0:
                    weaker += weights[same_hand[hand]]
                shares[hand] += weaker / 2


@compiled(allocates=False, nogil=True)
def _add_shares_by_hand(boards, hands, others, numbers, weights, shares):
    """Add the same to ``shares`` for the hands of these numbers, of which nearly all of the other's are blocked.

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
                    shares[hand] += weights[other]
                elif others.strengths[board, other] == hands.strengths[board, hand]:
                    shares[hand] += weights[other] / 2
