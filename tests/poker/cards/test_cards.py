"""Cards, hands and classes of hands: their numbers and names."""

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.poker.cards.cards import (
    CARDS,
    CLASS_OF_HAND,
    CLASSES,
    HANDS,
    SUIT_PERMUTATIONS,
    blocked,
    cards_text,
    hand_index,
    hand_name,
    parse_cards,
    parse_hand,
)


def test_cards_are_numbered_by_rank_then_suit():
    assert CARDS[:5] == ("2c", "2d", "2h", "2s", "3c")
    assert CARDS[51] == "As"
    assert len(set(CARDS)) == 52


def test_hands_are_the_pairs_of_cards_in_order():
    assert HANDS.tolist() == [list(pair) for pair in combinations(range(52), 2)]
    for hand, (low, high) in enumerate(HANDS.tolist()):
        assert hand_index(low, high) == hand_index(high, low) == hand
        assert parse_hand(hand_name(hand)) == hand
    assert hand_name(hand_index(CARDS.index("Kd"), CARDS.index("Ah"))) == "AhKd"


def test_every_hand_is_in_the_class_of_its_ranks_and_suits():
    assert (CLASSES[0], CLASSES[1], CLASSES[13], CLASSES[168]) == ("AA", "AKs", "AKo", "22")
    for hand, number in enumerate(CLASS_OF_HAND.tolist()):
        high, suit, low, other = hand_name(hand)
        assert CLASSES[number] == high + low + (
            "" if high == low else "s" if suit == other else "o"
        )
    sizes = {len(name): set() for name in CLASSES}
    for number, size in enumerate(np.bincount(CLASS_OF_HAND).tolist()):
        sizes[len(CLASSES[number])].add((CLASSES[number][2:], size))
    assert sizes == {2: {("", 6)}, 3: {("s", 4), ("o", 12)}}


def test_permutations_of_suits_keep_ranks():
    assert SUIT_PERMUTATIONS.shape == (24, 52)
    assert SUIT_PERMUTATIONS[0].tolist() == list(range(52))
    assert len({tuple(row) for row in SUIT_PERMUTATIONS.tolist()}) == 24
    for row in SUIT_PERMUTATIONS:
        assert sorted(row) == list(range(52))
        assert (row // 4 == np.arange(52) // 4).all()
        assert len({(card % 4, image % 4) for card, image in enumerate(row.tolist())}) == 4


@pytest.mark.parametrize("text", ["QsJh2h", "Qs Jh 2h", "Qs,Jh,2h", " qS, JH 2h "])
def test_cards_are_read_with_or_without_what_stands_between(text):
    assert cards_text(parse_cards(text, "board", count=(3,))) == "QsJh2h"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "QsJx2h",
            "board: 'Jx' at character 3 of 'QsJx2h' is no card; a card is one of 23456789TJQKA and then one of",
        ),
        ("Qs 1h 2h", "board: '1h' at character 4"),
        ("QsJhQs", "board: Qs is there twice in 'QsJhQs', at character 5 again"),
        ("QsJh", "board must be 3 or 4 or 5 cards; got 2 in 'QsJh'"),
        (7, "board: write the cards as a text, 'QsJh2h'; got 7"),
    ],
)
def test_what_is_no_board_is_refused_with_the_token(text, message):
    with pytest.raises(GameError, match=message) as caught:
        parse_cards(text, "board", count=(3, 4, 5))
    assert caught.value.wrong_use


def test_hands_are_blocked_by_either_card():
    board = parse_cards("QsJh2h")
    there = [hand for hand in range(1326) if not set(board) & set(HANDS[hand].tolist())]
    assert np.flatnonzero(~blocked(board)).tolist() == there
    assert len(there) == 49 * 48 / 2
