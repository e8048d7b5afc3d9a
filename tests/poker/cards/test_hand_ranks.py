"""Strengths of hands: counts of all hands of five and of seven cards, another evaluator, and names."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from equilibrist.poker.cards.cards import HANDS, parse_cards
from equilibrist.poker.cards.hand_ranks import (
    CATEGORIES,
    rank_of_five,
    strength_of,
    strengths,
    tables,
)

# https://en.wikipedia.org/wiki/Poker_probability
FIVE = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
SEVEN = {
    "straight flush": 41_584,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}


def by_category(counts):
    """Return the number of hands of each category, from those of each strength."""
    ranks = tables().ranks
    found = Counter()
    for strength, count in counts.items():
        found[CATEGORIES[ranks[strength][0]]] += count
    return dict(found)


@pytest.mark.slow
def test_all_hands_of_five_cards():
    cards = np.array(list(combinations(range(52), 5)), np.int64)
    counts = np.bincount(np.concatenate([strength_of(some) for some in np.array_split(cards, 20)]))
    assert len(counts) == 7_462
    assert counts.min() > 0
    assert by_category(dict(enumerate(counts.tolist()))) == FIVE


@cache
def best_without_flush(ranks):
    """Return the best rank of five among more, straight from the definition."""
    return max(rank_of_five(five, False) for five in combinations(ranks, 5))


@pytest.mark.slow
def test_all_hands_of_seven_cards():
    """Count them by the multiset of their ranks: all ways to suit it, less those in which five or more are suited."""
    suited = Counter()  # by multiset of ranks: hands with five cards or more of one suit
    counts = Counter()
    known = tables()
    for cards in (5, 6, 7):
        for own in combinations(range(13), cards):
            counts[int(known.flush[sum(1 << rank for rank in own)])] += 4 * comb(39, 7 - cards)
            for others in combinations_with_replacement(range(13), 7 - cards):
                ways = 4 * prod(comb(3, others.count(rank)) for rank in set(others))
                suited[tuple(sorted((*own, *others)))] += ways
    for number, ranks in enumerate(combinations_with_replacement(range(13), 7)):
        ways = prod(comb(4, ranks.count(rank)) for rank in set(ranks)) - suited[ranks]
        if ways:
            strength = int(known.plain[7][index(ranks)])
            counts[strength] += ways
            assert number % 50 or known.ranks[strength] == best_without_flush(ranks)
    assert sum(counts.values()) == 133_784_560
    assert by_category(counts) == SEVEN
    assert len(counts) == 4_824


def index(ranks):
    """Return the place of a multiset in the table."""
    return sum(comb(rank + place, place + 1) for place, rank in enumerate(sorted(ranks)))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_another_evaluator_agrees(size):
    phevaluator = pytest.importorskip("phevaluator")
    rng = np.random.default_rng(size)
    cards = np.array([rng.permutation(52)[:size] for _ in range(3_000)])
    assert strength_of(cards).tolist() == [
        7462 - phevaluator.evaluate_cards(*own) for own in cards.tolist()
    ]


def test_hands_on_boards_are_hands_of_seven_cards():
    rng = np.random.default_rng(7)
    suited = [
        np.append(rng.choice(13, 3, replace=False) * 4 + 2, rng.choice(13, 2) * 4) for _ in range(8)
    ]
    suited = [board for board in suited if len(set(board.tolist())) == 5]
    boards = np.array([rng.permutation(52)[:5] for _ in range(12)] + suited)
    found = strengths(boards, HANDS)
    assert found.shape == (len(boards), 1326)
    for board, row in zip(boards, found, strict=True):
        free = ~np.isin(HANDS, board).any(axis=1)
        together = np.hstack([np.broadcast_to(board, (free.sum(), 5)), HANDS[free]])
        assert np.array_equal(row[free], strength_of(together))
    assert np.array_equal(strengths(boards, HANDS[::-1, ::-1]), found[:, ::-1])


@pytest.mark.parametrize(
    ("cards", "rank"),
    [
        ("TsTh6c6dKd", (2, 8, 4, 11)),
        ("2c2dKsQsAsJsTs", (8, 12)),
        ("6s6h6dTcTd", (6, 4, 8)),
        ("6s6h6d6cTd2c", (7, 4, 8)),
        ("Ah2c3d4s5c", (4, 3)),
        ("Ah2h3h4h5h", (8, 3)),
        ("JcJd2h3s9c4dKs", (1, 9, 11, 7, 2)),
        ("2c4c6c8cAc", (5, 12, 6, 4, 2, 0)),
        ("QcQdQh2c3c", (3, 10, 1, 0)),
        ("2c3d4h5s7c", (0, 5, 3, 2, 1, 0)),
    ],
)
def test_the_best_five_cards_count(cards, rank):
    """Category, then the ranks that decide: two pair of tens and sixes with a king, a royal flush, …."""
    assert tables().ranks[strength_of(np.array([parse_cards(cards)]))[0]] == rank
