"""Folded hands: chances of pairs of hands against brute force over all deals, sampled ones within their error."""

import math
from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.game import folded
from equilibrist.game.folded import FoldedHands

DECK = 12
BOARD = (1, 5)
HANDS = np.array(list(combinations(range(DECK), 2)))
FREE = [card for card in range(DECK) if card not in BOARD]


def random_weights(count, seed=7):
    """Return weights of all hands of so many players, of whom each folds less than half of them."""
    source = np.random.default_rng(seed)
    weights = source.random((count, len(HANDS))) * (source.random((count, len(HANDS))) < 0.4)
    return list(weights)


def fold(weights, most=4):
    return FoldedHands([HANDS] * len(weights), weights, cards=DECK, board=BOARD, most=most)


def weight_of_deals(weights, gone):
    """Return the weight of all deals of the folded hands that have no card that is gone, hand by hand."""
    if not weights:
        return 1.0
    return math.fsum(
        weight * weight_of_deals(weights[1:], gone | set(hand))
        for hand, weight in zip(HANDS.tolist(), weights[0].tolist(), strict=True)
        if weight > 0 and gone.isdisjoint(hand)
    )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_chances_are_those_of_all_deals(count):
    weights = random_weights(count)
    hands = fold(weights, most=5)
    whole = weight_of_deals(weights, set(BOARD))
    source = np.random.default_rng(count)
    for shown in (0, 1):
        for _ in range(8):
            cards = source.permutation(FREE)[: 4 + shown].tolist()
            pair = np.array([cards[:2]]), np.array([cards[2:4]])
            chance = hands.pair_chances(*pair, (*BOARD, *cards[4:]))[0, 0]
            expected = weight_of_deals(weights, {*BOARD, *cards}) / whole
            assert chance == pytest.approx(expected, abs=1e-14)


def test_four_hands_are_dealt_beside_two_others():
    # Ten free cards: four hands of eight, and one hand of the others leaves none for a second pair.
    weights = random_weights(4)
    hands = fold(weights, most=2)
    whole = weight_of_deals(weights, set(BOARD))
    nothing = np.zeros((1, 0), np.int64)
    for pair in list(combinations(FREE, 2))[::6]:
        chance = hands.pair_chances(np.array([pair]), nothing, BOARD)[0, 0]
        assert chance == pytest.approx(weight_of_deals(weights, {*BOARD, *pair}) / whole, abs=1e-14)


def test_hands_that_share_cards_have_no_chance():
    hands = fold(random_weights(1))
    chances = hands.pair_chances(np.array([[0, 2], [1, 2]]), np.array([[2, 3], [4, 6]]), BOARD)
    assert chances[0, 0] == 0.0  # both hold card 2
    assert not chances[1].any()  # card 1 is on the board
    assert chances[0, 1] > 0.0


def test_more_cards_on_the_board_are_a_board_of_their_own():
    weights = random_weights(2)
    pair = np.array([[0, 2]]), np.array([[4, 6]])
    hands = fold(weights, most=5)
    later = hands.on((*BOARD, 8))
    whole = weight_of_deals(weights, {*BOARD, 8}) / weight_of_deals(weights, set(BOARD))
    chance = later.pair_chances(*pair, (*BOARD, 8))[0, 0]
    assert chance * whole == pytest.approx(hands.pair_chances(*pair, (*BOARD, 8))[0, 0], abs=1e-14)


def test_sampled_deals_are_within_their_standard_error(monkeypatch):
    weights = random_weights(2)
    exact = fold(weights)
    pairs = HANDS[np.isin(HANDS, FREE).all(axis=1)]
    chance = exact.pair_chances(pairs, pairs, BOARD)
    monkeypatch.setattr(folded, "MOST_EXACT", 1)
    monkeypatch.setattr(folded, "SAMPLES", 1 << 14)
    sampled = fold(weights)
    estimate = sampled.pair_chances(pairs, pairs, BOARD)
    error = np.sqrt(chance * (1.0 - chance) / (1 << 14))
    assert not sampled.is_exact
    assert 0.0 < sampled.standard_error < 0.05
    assert (np.abs(estimate - chance) <= 4.5 * error + 1e-12).all()
    assert np.abs(estimate - chance).max() > 0.0
    assert "16,384 sampled deals" in sampled.describe()


def test_sampled_deals_are_counted_one_by_one(monkeypatch):
    """Three hands of two cards, of which no more than four cards are asked for at once."""
    monkeypatch.setattr(folded, "MOST_EXACT", 1)
    monkeypatch.setattr(folded, "SAMPLES", 11)
    hands = fold(random_weights(3))
    deals = hands.sample_deals(11)
    pairs = [HANDS[[k]] for k in range(len(HANDS)) if set(HANDS[k].tolist()) <= set(FREE)]
    for first, second in combinations(pairs, 2):
        cards = {*first[0].tolist(), *second[0].tolist()}
        if len(cards) < 4:
            continue
        mask = sum(1 << FREE.index(card) for card in cards)
        expected = np.mean(deals & mask == 0)
        chance = hands.pair_chances(first, second, BOARD)[0, 0]
        assert chance == pytest.approx(expected, abs=1e-12)


def test_hands_that_cannot_be_dealt_are_refused():
    weights = np.zeros(len(HANDS))
    weights[0] = 1.0  # cards 0 and 1, of which one is on the board
    with pytest.raises(GameError, match="folded: the hands that were folded cannot be dealt"):
        fold([weights]).pair_chances(np.array([[2, 3]]), np.array([[4, 6]]), BOARD)


def test_symmetry_and_digest_are_those_of_the_weights():
    weights = np.ones(len(HANDS))
    same = fold([weights])
    weights = weights.copy()
    weights[3] = 0.5
    other = fold([weights])
    swap = np.arange(DECK)
    swap[[0, 2]] = swap[[2, 0]]
    assert same.is_symmetric(swap)
    assert not other.is_symmetric(swap)
    assert same.digest() == fold([np.ones(len(HANDS))]).digest() != other.digest()
