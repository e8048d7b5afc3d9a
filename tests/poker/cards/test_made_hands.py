"""Made hands and draws, against a plain reading of five cards at a time, and against counts by hand."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from equilibrist.poker.cards.cards import CARDS, HAND_NAMES, blocked, parse_cards, parse_hand
from equilibrist.poker.cards.made_hands import DRAWS, MADE_HANDS, draws, hand_columns, made_hands

BOARDS = (
    "QsJh2h",
    "8c8d3s",
    "7c7d7h",
    "Td9d6hQc",
    "AsKs7s2s",
    "9h8h7h6h5c",
    "7c7d2h2sKd",
    "AsKsQsJsTs",
    "Ah2c3d4s9h",
)


def straight(ranks):
    """Return the highest rank of a straight among some ranks, or None."""
    there = set(ranks) | ({-1} if 12 in ranks else set())
    return max((top for top in range(3, 13) if there >= set(range(top - 4, top + 1))), default=None)


def best(cards):
    """Return the category of the best five of some cards, and what decides within it."""
    ranked = []
    for five in combinations(cards, 5):
        ranks = sorted((card // 4 for card in five), reverse=True)
        counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
        flush, top = len({card % 4 for card in five}) == 1, straight(ranks)
        shape = [count for count, _ in counts]
        if flush and top is not None:
            ranked.append((8, top))
        elif top is not None:
            ranked.append((4, top))
        else:
            category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(
                tuple(shape), 0
            )
            ranked.append((max(category, 5 * flush), *(rank for _, rank in counts)))
    return max(ranked)


def reading(hand, board):
    """Return what a hand is on a board, read off by the words of the definitions, and its draws but the blockers."""
    category = best(hand + board)[0]
    high, low = sorted((card // 4 for card in hand), reverse=True)
    on_board = [card // 4 for card in board]
    pairs = sorted({rank for rank in (high, low) if rank in on_board}, reverse=True)
    by_rank = sorted(set(on_board), reverse=True)
    draws = set()
    suits = [sum(card % 4 == suit for card in hand + board) for suit in {card % 4 for card in hand}]
    outs = [
        rank
        for rank in range(13)
        if straight({high, low, rank, *on_board}) not in (None, straight({rank, *on_board}))
        and category != 4
    ]
    if len(board) < 5 and category < 4:
        draws |= {"open-ended"} if len(outs) > 1 else {"gutshot"} if outs else set()
    if category < 5:
        draws |= {"flush draw"} if max(suits) == 4 and len(board) < 5 else set()
        draws |= {"backdoor flush"} if max(suits) == 3 and len(board) == 3 else set()
    draws |= {"overcards"} if high > low > max(on_board) else set()
    if category >= 4:
        return ("straight", "flush", "full house", "four of a kind", "straight flush")[
            category - 4
        ], draws
    if high == low:
        name = "set" if pairs else "overpair" if high > max(on_board) else "underpair"
        return name, draws
    if any(on_board.count(rank) == 2 for rank in pairs):
        return "trips", draws
    if len(pairs) == 2:
        return "two pair", draws
    if pairs:
        return ("top pair", "second pair", "low pair")[min(by_rank.index(pairs[0]), 2)], draws
    return {12: "ace high", 11: "king high"}.get(high, "nothing"), draws


@pytest.mark.slow
@pytest.mark.parametrize("text", BOARDS)
def test_hands_are_what_the_words_say(text):
    board = list(parse_cards(text))
    free = np.flatnonzero(~blocked(board))
    table = hand_columns(board, free)
    for name, made, has in zip(table["hand"], table["made"], table["draws"], strict=True):
        hand = list(parse_cards(name))
        assert (made, set(filter(None, has.split(", "))) - {"nut blocker"}) == reading(
            hand, board
        ), name
    assert (made_hands(board)[blocked(board)] == -1).all()
    assert not draws(board)[:, blocked(board)].any()


def test_made_hands_of_a_flop_by_counting():
    """On QsJh2h: three sets of three, 3 · 3 of each two pair, 3 · 40 of each pair, and pocket pairs by six."""
    made = hand_columns(parse_cards("QsJh2h"), np.flatnonzero(~blocked(parse_cards("QsJh2h"))))[
        "made"
    ]
    assert Counter(made) == {
        "set": 9,
        "two pair": 27,
        "overpair": 12,
        "top pair": 120,
        "underpair": 48,
        "second pair": 120,
        "low pair": 120,
        "ace high": 4 * 36,
        "king high": 4 * 32,
        "nothing": 28 * 16,
    }


def test_draws_of_a_flop_by_counting():
    """On QsJh2h: 11 hearts make C(11, 2) flush draws; KT and T9 are open-ended; AK, AT, K9 and 98 lack one rank."""
    has = dict(zip(DRAWS, draws(parse_cards("QsJh2h")).sum(axis=1).tolist(), strict=True))
    assert has["flush draw"] == 55
    assert has["open-ended"] == 32
    assert has["gutshot"] == 5 * 16  # and T8
    assert has["overcards"] == 16


def test_blockers_of_the_nuts():
    blockers = draws(parse_cards("KhQh7h2c3d"))[list(DRAWS).index("nut blocker")]
    assert {HAND_NAMES[hand] for hand in np.flatnonzero(blockers)} == {
        HAND_NAMES[parse_hand(f"{card}{other}")]
        for card in ("Ah", "Jh")
        for other in CARDS
        if other not in ("Kh", "Qh", "7h", "2c", "3d", "Ah", "Jh")
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "needed"),
    [
        ("8c8d8hAs3s", []),  # four eights with any card, so that no hand beside them has an eight
        ("KsQsJsTs2d", ["As"]),  # and any card: one hand of 46 is not enough to need it
        ("8c8d8hKs3s", ["8s", "Ac", "Ad", "Ah", "As"]),  # an ace beside the last eight
        ("AsKsQsJsTs", []),  # the board plays
        ("7c7d2h2sKd", ["7h", "7s"]),
        ("Td9d6hQc2s", ["Kc", "Kd", "Kh", "Ks", "Jc", "Jd", "Jh", "Js"]),
    ],
)
def test_a_card_that_may_be_any_blocks_nothing(board, needed):
    """By trying: a card of a strongest hand is needed if some other card in its place makes a weaker one."""
    cards = list(parse_cards(board))
    free = [card for card in range(52) if card not in cards]
    strength = {frozenset(hand): best([*hand, *cards]) for hand in combinations(free, 2)}
    nuts = {hand for hand, each in strength.items() if each == max(strength.values())}
    by_trying = {
        card
        for hand in nuts
        for card in hand
        if any((hand - {card}) | {other} not in nuts for other in free if other not in hand)
    }
    blockers = draws(cards)[list(DRAWS).index("nut blocker")]
    assert {frozenset(parse_cards(HAND_NAMES[hand])) for hand in np.flatnonzero(blockers)} == {
        hand for hand in strength if hand & by_trying and hand not in nuts
    }
    assert {CARDS[card] for card in by_trying} >= set(needed)


def test_all_made_hands_and_draws_occur():
    columns = [
        hand_columns(board, np.flatnonzero(~blocked(board))) for board in map(parse_cards, BOARDS)
    ]
    assert {name for table in columns for name in table["made"]} == set(MADE_HANDS)
    assert {
        name for table in columns for has in table["draws"] for name in has.split(", ") if name
    } == set(DRAWS)


def test_the_documentation_says_the_same():
    page = (Path(__file__).parents[3] / "docs" / "holdem.md").read_text(encoding="utf-8")
    for name, words in (MADE_HANDS | DRAWS).items():
        assert f"| {name} | {words} |" in page
