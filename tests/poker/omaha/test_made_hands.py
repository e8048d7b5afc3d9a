"""Made hands and draws of Omaha: compared with rules that go through all sets of five cards one by one."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from equilibrist.poker.cards.cards import CARDS, parse_cards
from equilibrist.poker.omaha.made_hands import (
    DRAWS,
    MADE_HANDS,
    cards_of_names,
    draws,
    made_hands,
    straight_outs,
)

RANKS = "23456789TJQKA"
STRAIGHTS = [set("A2345"), *(set(RANKS[k : k + 5]) for k in range(9))]
WELL_KNOWN = {
    ("Kh9s4d", "KsKdQc3c"): ("set", ""),
    ("Kh9s4d", "9c9dAsQh"): ("set", ""),
    ("9h9s4d", "9cAdKsQh"): ("trips", ""),
    ("9h9s9d", "AcKdQs2h"): ("trips", ""),
    ("Kh9s4d", "AsAdTc3c"): ("overpair", ""),
    ("Kh9s4d", "KsAdTc3c"): ("top pair", ""),
    ("Kh9s4d", "9dAcTc3c"): ("pair", ""),
    ("Kh9s4d", "Kc9cAd3s"): ("two pair", ""),
    ("KhKs4d", "AcQd7s2h"): ("pair", ""),
    ("KhKs4d", "AcAd7s2h"): ("two pair", ""),
    ("Kh9s4d", "QsJdTc2c"): ("high card", "wrap"),
    ("8h7h2d", "JsTc9d6c"): ("high card", "wrap"),
    ("8h7h2d", "9hAh6cKc"): ("high card", "flush draw and open-ended"),
    ("8h7h2d", "AhKh3c3s"): ("pair", "flush draw"),
    ("8h7h2d", "JhTsAhQc"): ("high card", "flush draw and gutshot"),
    ("8h7h2h", "AhKh3c3s"): ("flush", ""),
    ("QhJhTh", "AcKc2d3s"): ("straight", ""),
    ("8h7h2d4c6s", "JhThAh3c"): ("high card", ""),
}


def plain_category(five):
    """Return what five cards are, by counting."""
    ranks = [card[0] for card in five]
    is_flush = len({card[1] for card in five}) == 1
    is_straight = set(ranks) in STRAIGHTS
    counts = sorted(Counter(ranks).values(), reverse=True)
    if is_flush and is_straight:
        return "straight flush"
    named = {(4, 1): "four of a kind", (3, 2): "full house"}
    if name := named.get(tuple(counts)):
        return name
    if is_flush:
        return "flush"
    if is_straight:
        return "straight"
    return {3: "three of a kind", 2: "two pair" if counts[1:2] == [2] else "pair"}.get(
        counts[0], "high card"
    )


def plain_made_hand(board, hand):
    order = [
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    ]
    found = [
        plain_category([*two, *three])
        for two in combinations(hand, 2)
        for three in combinations(board, 3)
    ]
    best = min(found, key=order.index)
    board_ranks = [card[0] for card in board]
    pockets = [one[0] for one, other in combinations(hand, 2) if one[0] == other[0]]
    highest = max(board_ranks, key=RANKS.index)
    if best == "three of a kind":
        return "set" if any(board_ranks.count(rank) == 1 for rank in pockets) else "trips"
    if best == "pair":
        if any(RANKS.index(rank) > RANKS.index(highest) for rank in pockets):
            return "overpair"
        if highest in [card[0] for card in hand]:
            return "top pair"
    return best


def plain_straight_outs(board, hand):
    """Return how many unseen cards make a straight of two cards of the hand and three of the longer board."""
    outs = 0
    for card in CARDS:
        if card in board or card in hand:
            continue
        outs += any(
            {one[0] for one in (*two, *three)} in STRAIGHTS
            for two in combinations(hand, 2)
            for three in combinations([*board, card], 3)
        )
    return outs


def plain_draw(board, hand):
    if len(board) == 5:
        return ""
    made = list(MADE_HANDS).index(plain_made_hand(board, hand))
    outs = plain_straight_outs(board, hand) if made > list(MADE_HANDS).index("straight") else 0
    straight = ""
    if outs:
        straight = "gutshot" if outs <= 4 else "open-ended" if outs <= 8 else "wrap"
    has_flush_draw = made > list(MADE_HANDS).index("flush") and any(
        [card[1] for card in board].count(suit) == 2 and [card[1] for card in hand].count(suit) >= 2
        for suit in "cdhs"
    )
    if has_flush_draw:
        return f"flush draw and {straight}" if straight else "flush draw"
    return straight


def described(board_text, names):
    board = parse_cards(board_text)
    hands = cards_of_names(names)
    made = made_hands(board, hands)
    drawn = draws(board, hands, made)
    draw_names = (*DRAWS, "")
    return [
        (list(MADE_HANDS)[kind], draw_names[draw])
        for kind, draw in zip(made.tolist(), drawn.tolist(), strict=True)
    ]


def split(text):
    return [text[k : k + 2] for k in range(0, len(text), 2)]


@pytest.mark.parametrize(("board", "hand"), WELL_KNOWN)
def test_hands_are_what_players_call_them(board, hand):
    assert described(board, [hand]) == [WELL_KNOWN[board, hand]]


def test_names_are_the_cards_that_they_say():
    names = ["AsAhKdQc", "Tc9d8h2s"]
    expected = [sorted(map(CARDS.index, split(name))) for name in names]
    assert cards_of_names(names).tolist() == expected


@pytest.mark.thinned(3)
@pytest.mark.parametrize("count", [3, 4, 5])
def test_hands_and_draws_are_those_of_all_sets_of_five_cards(count):
    random = np.random.default_rng(count)
    seen = Counter()
    for _ in range(12):
        cards = random.permutation(52)
        board = [CARDS[card] for card in cards[:count]]
        hands = [
            "".join(
                CARDS[card] for card in sorted(random.choice(cards[count:], 4, replace=False))[::-1]
            )
            for _ in range(25)
        ]
        found = described("".join(board), hands)
        expected = [
            (plain_made_hand(board, split(hand)), plain_draw(board, split(hand))) for hand in hands
        ]
        assert found == expected
        seen.update(found)
    assert len(seen) > 10 or count == 5


def test_outs_are_counted_card_by_card():
    random = np.random.default_rng(9)
    for _ in range(30):
        cards = random.permutation(52)
        board, hand = cards[:4].tolist(), np.sort(cards[4:8])
        outs = straight_outs(board, hand[None])[0]
        names = [CARDS[card] for card in board], [CARDS[card] for card in hand]
        assert outs == plain_straight_outs(*names)
