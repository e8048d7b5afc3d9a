"""Hands are numbered up to suits: without gaps, each once, as plain enumeration and canonical forms have it."""

from itertools import combinations, permutations

import numpy as np
import pytest

import equilibrist as eq

HandIndexer = eq.poker.HandIndexer

PAPER = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (3,): 1_755,
    (5,): 134_459,
}
"""Hands of hold'em up to suits, as papers and calculators report them."""


def deal(rounds, cards):
    """Yield all hands of a deck: the cards of each round as a set."""
    if not rounds:
        yield ()
        return
    for first in combinations(cards, rounds[0]):
        for rest in deal(rounds[1:], [card for card in cards if card not in first]):
            yield first + rest


def canonical(hand, rounds):
    """Return the least hand that differs by suits alone."""
    images = []
    for suits in permutations(range(4)):
        cards = [card // 4 * 4 + suits[card % 4] for card in hand]
        image = []
        first = 0
        for count in rounds:
            image += sorted(cards[first : first + count])
            first += count
        images.append(tuple(image))
    return min(images)


@pytest.mark.slow
def test_counts_are_those_of_the_papers():
    assert {rounds: HandIndexer(rounds).size for rounds in PAPER} == PAPER


@pytest.mark.parametrize(
    ("rounds", "ranks"),
    [((2,), 13), ((1, 1, 1), 3), ((2, 2), 3), ((2, 1, 1), 3), ((4,), 4), ((1, 2, 1), 3)],
)
def test_numbers_are_those_of_an_enumeration(rounds, ranks):
    """Two hands have one number where they have one canonical form, and all numbers are taken."""
    indexer = HandIndexer(rounds, ranks=ranks)
    hands = list(deal(rounds, list(range(4 * ranks))))
    numbers = indexer.index(hands).tolist()
    form_of = {}
    for hand, number in zip(hands, numbers, strict=True):
        form = canonical(hand, rounds)
        assert form_of.setdefault(number, form) == form
    assert sorted(form_of) == list(range(indexer.size))
    assert len(set(form_of.values())) == indexer.size


@pytest.mark.parametrize("rounds", PAPER)
def test_each_number_has_a_hand_and_each_hand_its_number(rounds):
    indexer = HandIndexer(rounds)
    source = np.random.default_rng(0)
    numbers = np.concatenate([[0, indexer.size - 1], source.integers(0, indexer.size, 500)])
    hands = indexer.hands(numbers)
    assert (np.diff(np.sort(hands, axis=1), axis=1) > 0).all()
    assert hands.min() >= 0
    assert hands.max() < 52
    assert np.array_equal(indexer.index(hands), numbers)
    for suits in permutations(range(4)):
        renamed = hands // 4 * 4 + np.array(suits)[hands % 4]
        assert np.array_equal(indexer.index(renamed), numbers)


def test_random_hands_are_told_apart_as_their_canonical_forms_are():
    """Of few ranks, so that many of them are alike."""
    rounds = (2, 3, 1)
    indexer = HandIndexer(rounds)
    source = np.random.default_rng(1)
    hands = np.array([source.permutation(12)[:6] for _ in range(3000)])
    numbers = indexer.index(hands).tolist()
    forms = [canonical(hand, rounds) for hand in hands.tolist()]
    pairs = set(zip(numbers, forms, strict=True))
    assert len(pairs) == len(set(numbers)) == len(set(forms)) < 2900


def test_the_order_of_cards_in_a_round_makes_no_difference():
    indexer = HandIndexer((2, 3))
    assert indexer.index([[51, 0, 7, 9, 30]]) == indexer.index([[0, 51, 30, 7, 9]])
    assert indexer.index([[51, 0, 7, 9, 30]]) != indexer.index([[51, 7, 0, 9, 30]])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: HandIndexer(()), "rounds are how many cards"),
        (lambda: HandIndexer((2, 0)), "rounds are how many cards"),
        (lambda: HandIndexer((9,), ranks=2), r"got rounds=\(9,\) and ranks=2"),
        (lambda: HandIndexer((2,)).index([[1, 2, 3]]), r"a row of 2 cards; got .* \(1, 3\)"),
        (lambda: HandIndexer((2,)).index([[1, 52]]), "from 0 to 51; got some from 1 to 52"),
        (lambda: HandIndexer((2,)).hands([169]), "from 0 to 168; got some from 169 to 169"),
    ],
)
def test_what_is_no_hand_is_refused(call, sentence):
    with pytest.raises(eq.GameError, match=sentence):
        call()
