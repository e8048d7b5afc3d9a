"""Rhode Island hold'em: its hands against a definition of a few lines, its sizes by formula, its texts."""

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.games import RhodeIsland
from equilibrist.games.rhode_island import (
    CARDS,
    CATEGORIES,
    CHANCE,
    FOLDED,
    NOBODY,
    PAID,
    strength_of_three,
)
from support.known import KNOWN
from support.trees import walk

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")


def hand(cards, ranks, suits):
    """Return the rank of three cards: the place of its category, and what decides within it."""
    counts = Counter(card // suits for card in cards)
    deciding = [
        rank for _, rank in sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    ]
    flush = len({card % suits for card in cards}) == 1
    low_ace = [-1 if rank == ranks - 1 else rank for rank in deciding]
    for run in (deciding, sorted(low_ace, reverse=True)):
        if len(counts) == 3 and run[0] - run[2] == 2:
            return (5 if flush else 3), run
    return {1: 4, 2: 1, 3: 2 if flush else 0}[len(counts)], deciding


@pytest.mark.parametrize(("ranks", "suits"), [(13, 4), (3, 2), (4, 1), (5, 3), (2, 2)])
def test_hands_are_ordered_as_defined(ranks, suits):
    deck = list(combinations(range(ranks * suits), 3))
    strength = {cards: strength_of_three(*cards, ranks, suits) for cards in deck}
    order = sorted(deck, key=lambda cards: hand(cards, ranks, suits))
    for weaker, stronger in pairwise(order):
        same = hand(weaker, ranks, suits) == hand(stronger, ranks, suits)
        assert (
            (strength[weaker] == strength[stronger])
            if same
            else (strength[weaker] < strength[stronger])
        )
    for cards in deck[:: max(1, len(deck) // 200)]:
        assert {strength_of_three(*again, ranks, suits) for again in permutations(cards)} == {
            strength[cards]
        }
        assert strength[cards] // ranks**3 == hand(cards, ranks, suits)[0]


def test_all_hands_of_three_cards():
    counts = Counter(
        CATEGORIES[strength_of_three(*cards, 13, 4) // 13**3]
        for cards in combinations(range(52), 3)
    )
    assert counts == {
        "straight flush": 48,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high card": 16_440,
    }


@pytest.mark.parametrize(("ranks", "suits"), [(13, 4), (4, 3), (4, 1)])
def test_strengths_on_boards_are_those_of_three_cards(ranks, suits):
    deck = range(ranks * suits)
    boards = list(permutations(deck, 2))[:: max(1, ranks * suits // 4)]
    strengths, same = RhodeIsland(ranks=ranks, suits=suits).card_game().strengths(np.array(boards))
    assert np.array_equal(strengths, same)
    for board, row in zip(boards, strengths.tolist(), strict=True):
        for card in set(deck) - set(board):
            assert row[card] == strength_of_three(card, *board, ranks, suits)


def sizes(cards, raises):
    """Return histories, and infosets and sequences of either player, by rounds and cards.

    A round with r bets and raises at most goes on after two checks, or after 1 to r bets opened by either player and a
    call; it ends as often in a fold. Each player may move at the start of it, and after each bet of the other.
    """
    on, folds, moves = 1 + 2 * raises, 2 * raises, 1 + raises
    actions = 3 * (raises + 1) - 2  # fold, call, raise; no fold at the start, no raise at the end
    histories, infosets, sequences = 1 + cards, 0, 1
    for turn in range(3):
        seen = cards  # by a player: the private card and the public ones
        for public in range(turn):
            seen *= cards - 1 - public
        dealt = seen * (cards - 1 - turn)
        histories += dealt * on**turn * (2 * moves + folds + on)
        infosets += seen * on**turn * moves
        sequences += seen * on**turn * actions
    return histories, infosets, sequences


@pytest.mark.slow
@pytest.mark.parametrize(("ranks", "suits", "raises"), [(2, 2, 3), (5, 1, 1), (3, 2, 2), (7, 1, 1)])
def test_sizes(ranks, suits, raises):
    tree = walk(RhodeIsland(ranks=ranks, suits=suits, raises=raises))
    histories, infosets, sequences = sizes(ranks * suits, raises)
    assert len(tree.player) == histories
    for player in (0, 1):
        own = [infoset for infoset in tree.infosets if infoset.player == player]
        assert len(own) == infosets
        assert 1 + sum(len(infoset.actions) for infoset in own) == sequences


def test_the_linear_programme_has_the_rows_of_the_paper():
    """Gilpin and Sandholm 2007: 91,224,226 rows, the infosets of one player and the sequences of the other."""
    _, infosets, sequences = sizes(52, 3)
    assert (infosets, sequences) == (26_064_064, 65_160_161)
    assert infosets + 1 + sequences == 91_224_226
    for number in (infosets + 1, sequences, infosets + 1 + sequences):
        assert f"{number:,}" in PAGE


def test_the_page_says_the_sizes():
    section = PAGE.partition("## Rhode Island hold'em")[2].partition("\n## ")[0]
    rows = re.findall(
        r"^\| (\d+) × (\d+) \| (\d) \| ([\d,]+) \| ([\d,]+) \| (\S*?) ?\|$", section, re.MULTILINE
    )
    assert len(rows) == 4
    for ranks, suits, raises, infosets, histories, value in rows:
        counts = sizes(int(ranks) * int(suits), int(raises))
        assert (histories, infosets) == (f"{counts[0]:,}", f"{2 * counts[1]:,}")
        game = str(RhodeIsland(ranks=int(ranks), suits=int(suits), raises=int(raises)))
        known = [float(row.number) for row in KNOWN if row.game == game and row.quantity == "value"]
        assert [float(Fraction(value))] == known if value else not known


def line(game, *words):
    """Return the state after cards and moves, by their words."""
    state = game.start()
    for word in words:
        (action,) = [
            action for action in game.actions(state) if game.action_label(state, action) == word
        ]
        state = game.next(state, action)
    return state


def test_texts_and_payoffs():
    game = eq.load("rhode_island")
    state = line(game, "Ks", "3h", "bet", "call", "Qh", "check", "check", "Ad", "bet")
    assert game.player(state) == 1
    assert game.infoset(state) == "3hrc/Qhcc/Adr"
    assert game.table(state, 1) == [
        ("your card", "3h"),
        ("public cards", "Qh Ad"),
        ("pot", "50"),
        ("paid", "player 0 35, you 15"),
    ]
    assert game.payoffs(line(game, "Ks", "3h", "bet", "raise", "raise", "fold")) == [25, -25]
    calls = "check", "check", "Qh", "check", "check", "2h", "bet", "raise", "call"
    assert game.payoffs(line(game, "Ks", "3h", *calls)) == [-45, 45]  # a flush
    assert game.payoffs(line(game, "Qs", "Ts", *calls)) == [45, -45]  # a pair
    assert game.payoffs(line(game, "Ts", "Td", *calls)) == [0, 0]
    with pytest.raises(eq.GameError, match=r"the deck must hold 4 cards; got ranks=3 × suits=1"):
        RhodeIsland(ranks=3, suits=1)
    with pytest.raises(
        eq.GameError,
        match=r"rhode_island: bets must be 3 whole numbers, each 1 or more; got \(10, 20\)",
    ):
        RhodeIsland(bets=(10, 20))


def test_random_plays_of_the_whole_game():
    """Payoffs sum to 0, the better hand wins what the other has paid, and the names of infosets tell all cards."""
    game, rng = eq.load("rhode_island"), np.random.default_rng(3)
    for _ in range(200):
        state = game.start()
        while game.player(state) >= 0 or game.player(state) == CHANCE:
            assert game.player(state) == CHANCE or len(
                re.findall(r"[2-9TJQKA][shdc]", game.infoset(state))
            ) in (
                1,
                2,
                3,
            )
            state = game.next(state, int(rng.choice(game.actions(state))))
        first, second, *public = state[CARDS : CARDS + 4]
        paid, payoffs = state[PAID : PAID + 2], game.payoffs(state)
        assert sum(payoffs) == 0
        if state[FOLDED] != NOBODY:
            assert payoffs[state[FOLDED]] == -paid[state[FOLDED]]
        else:
            own, other = (hand((card, *public), 13, 4) for card in (first, second))
            assert paid[0] == paid[1] == payoffs[0] * ((own > other) - (own < other)) or (
                own == other and payoffs[0] == 0
            )
