"""The card form: the same values and best responses as histories dealt card by card, with boards merged or not."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.form.cards.build import compile_cards
from equilibrist.form.public.build import compile_public
from equilibrist.game.unfold_cards import unfold_boards
from support.card_reference import Dealt, close
from support.card_symmetries import symmetric_strategy, symmetries_of
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame, without_symmetries
from support.random_games import random_strategy
from support.reference import best_response, nodes, unfold, values
from support.solvers import seeds


def judged(form, table):
    """Return the values of a strategy, and of the best responses to it; uniform where nothing is said."""
    rows = [
        table.get((p, key), {}).get(a, 1 / len(actions))
        for p, key, actions in form.infosets
        for a in actions
    ]
    found = form.values(form.to_slots(np.array(rows)))
    return [*found.value, *found.best_response_value]


def by_recursion(root, table):
    return [
        *values(root, table),
        *(best_response(root, table, player=player)[1] for player in range(2)),
    ]


@settings(max_examples=15)
@given(seed=seeds, rake=st.booleans(), uneven=st.booleans())
def test_values_and_best_responses_equal_the_recursion(seed, rake, uneven):
    game = without_symmetries(RandomCardGame(seed, rake=rake, hands=4, cards=7, uneven=uneven))
    form = compile_cards(game)
    table = random_strategy(form.infosets, seed)
    root = unfold(Dealt(game))
    written = {node.key: list(node.children) for node in nodes(root) if node.key}
    assert {(player, key): list(actions) for player, key, actions in form.infosets} == written
    assert list(form.infosets) == [form.infosets[number] for number in range(len(form.infosets))]
    assert judged(form, table) == pytest.approx(by_recursion(root, table), abs=close(game))


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=seeds)
def test_the_same_game_as_the_public_form(seed):
    compare_with_public(RandomCardGame(seed, hands=6, cards=8, depth=2))


@pytest.mark.parametrize("seed", [15, 35])
def test_more_hands_than_lanes_are_those_of_the_public_form(seed):
    game = RandomCardGame(seed, hands=40, cards=10, streets=(1,), depth=1)
    assert min(map(len, game.deal.hands)) > 8
    compare_with_public(game)


def compare_with_public(game):
    game = without_symmetries(game)
    form, public = compile_cards(game), compile_public(unfold_boards(game), check_names=False)
    assert form.histories == public.histories
    assert form.depth == public.depth
    table = random_strategy(form.infosets, game.seed)
    expected = [number + game.pot / 2 for number in judged(public, table)]
    assert judged(form, table) == pytest.approx(expected, abs=close(game))


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=seeds, rake=st.booleans(), uneven=st.booleans())
def test_merged_boards_give_the_values_of_all_boards(seed, rake, uneven):
    game = RandomCardGame(seed, rake=rake, hands=6, cards=8, depth=2, uneven=uneven)
    merged, full = compile_cards(game), compile_cards(without_symmetries(game))
    assert merged.histories == full.histories
    everywhere = symmetric_strategy(game, full.infosets, seed)
    kept = [(infoset.player, infoset.key) for infoset in merged.infosets]
    assert judged(merged, {key: everywhere[key] for key in kept}) == pytest.approx(
        judged(full, everywhere), abs=close(game)
    )


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=seeds)
def test_boards_that_are_alike_are_merged(seed):
    game = RandomCardGame(seed, hands=6, cards=9)
    merged, full = compile_cards(game), compile_cards(without_symmetries(game))
    permutations = symmetries_of(game)
    for own, every in zip(merged.boards.streets, full.boards.streets, strict=True):
        alike = {boards_alike(game, permutations, board.cards) for board in every}
        assert sorted(boards_alike(game, permutations, board.cards) for board in own) == sorted(
            alike
        )


def boards_alike(game, permutations, board):
    """Return the least of the boards that are like a board, street by street."""
    cuts = np.cumsum([0, len(game.board), *game.streets])
    streets = [board[first:last] for first, last in pairwise(cuts)]
    return min(
        str([sorted(int(to[card]) for card in street) for street in streets]) for to in permutations
    )


# --- Odd cards ---

PAIRS = [(0, 1), (2, 3), (1, 2), (4, 5)]
LITTLE = [[1e-9, 2e-9, 0, 1e-9], [1e-9, 1e-9, 1e-9, 0]]
ODD = {
    "one hand each": KuhnCards([[(0, 1)], [(2, 3)]], cards=4),
    "one card and one hand each": KuhnCards([[(0,)], [(1,)]], cards=2),
    "hands without cards": KuhnCards([[(), ()], [(), ()]], cards=6, strength=lambda hand, board: 0),
    "no cards at all": KuhnCards([[()], [()]], cards=0, strength=lambda hand, board: 0),
    "the same card twice in a range": KuhnCards([[(0,), (0,), (1,)], [(1,), (1,), (2,)]], cards=3),
    "a hand with no opponent": KuhnCards(
        [[(0, 1), (2, 3)], [(0, 2), (4, 5), (1, 5)]], [[1, 1], [1, 0, 1]], cards=6
    ),
    "a street that blocks all hands": KuhnCards(
        [[(0, 1), (0, 2)], [(3, 4)]], cards=6, streets=(1,)
    ),
    "a board in any order": KuhnCards([PAIRS, PAIRS], cards=8, board=(7, 6), streets=(1,)),
    "a board that blocks hands": KuhnCards([PAIRS, PAIRS], cards=8, board=(4,), streets=(1,)),
    "little weights": KuhnCards([PAIRS, PAIRS], LITTLE, cards=7, streets=(1,)),
    "a street without cards": KuhnCards([PAIRS, PAIRS], cards=7, streets=(0,)),
    "two streets in a row": KuhnCards([PAIRS, PAIRS], cards=9, streets=(1, 2)),
    "300 cards": KuhnCards(
        [[(c,) for c in range(0, 300, 7)], [(c,) for c in range(5, 300, 7)]], cards=300
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_cards(name):
    form, root = compile_cards(ODD[name]), unfold(Dealt(ODD[name]))
    assert {(player, key) for player, key, _ in form.infosets} == {
        node.key for node in nodes(root) if node.key
    }
    for seed in range(3):
        table = random_strategy(form.infosets, seed)
        expected = [
            *values(root, table),
            *(best_response(root, table, player=p)[1] for p in range(2)),
        ]
        assert judged(form, table) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("tie", [1.0, 0.7])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_cards_may_differ_in_strength_between_the_players(seed, tie):
    """On each board a hand is weaker, as strong or stronger than the same one of the other; a tie need not be half."""
    whole, random = KuhnCards([PAIRS, PAIRS], cards=7, streets=(1,)), np.random.default_rng(seed)
    strengths = random.integers(3, size=(2, 7, len(PAIRS)))
    game = Narrowed(
        whole,
        strengths=lambda boards: tuple(strengths[:, boards[:, 0]]),
        payoff=lambda line: (
            whole.payoff(line)._replace(tie=(tie, tie)) if "/" in line else whole.payoff(line)
        ),
    )
    form = compile_cards(game)
    assert set(form.arrays.boards.order.tolist()) == {-1, 0, 1}
    table = random_strategy(form.infosets, seed)
    assert judged(form, table) == pytest.approx(
        by_recursion(unfold(Dealt(game)), table), abs=close(game)
    )


def refused(**answers):
    return Narrowed(KuhnCards([PAIRS, PAIRS], cards=6), **answers)


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (
            KuhnCards([[(0,)], [(1, 2)]], cards=3),
            r"^KuhnCards: all hands must hold the same number of cards.*\[1, 2\]",
        ),
        (KuhnCards([[(0, 1, 2, 3, 4)], [(5, 6, 7, 8, 9)]], cards=10), r"at most four; got \[5\]"),
        (
            KuhnCards([PAIRS, [(0, 1), (1, 0)]], cards=6),
            r"two hands of player 1 are the cards \(0, 1\); give one",
        ),
        (
            KuhnCards([[(0,)], [(1,)]], cards=2, board=(2,)),
            r"the board must be different cards from 0 to 1; got \(2,\)",
        ),
        (KuhnCards([[(0,)], [(1,)]], cards=3, board=(2, 2)), "the board must be different cards"),
        (
            KuhnCards([[(0,)], [(1,)]], cards=3, board=(0,)),
            "the board blocks all hands of player 0",
        ),
        (
            KuhnCards([[(0,)], [(1,)]], cards=3, streets=(2,)),
            "2 cards are to be dealt, but only 1 are left",
        ),
        (
            KuhnCards([[(0,)], [(1,)]], cards=3, streets=(-1,)),
            "streets must be numbers of cards, 0 or more",
        ),
        (
            KuhnCards([[(0,)], [(1,)]], cards=3, symmetries=[[0, 1, 1]]),
            "symmetries must be permutations of the 3 cards",
        ),
        (
            KuhnCards([[(0,)], [(1,)]], cards=3, symmetries=[[0, 1]]),
            r"symmetries must be .* got an array of shape \(1, 2",
        ),
        (
            refused(hands=("abcd", "abc")),
            "the 4 hands of player 1 need as many different names; got 3 names",
        ),
        (
            refused(hands=("abca", "abcd")),
            "player 0 need as many different names; got 4 names, 3 different ones",
        ),
        (
            refused(strengths=lambda boards: [np.zeros((1, 4))] * 2),
            r"strengths\(\) must return .* got float64 \(1, 4\)",
        ),
        (
            refused(strengths=lambda boards: [np.zeros((1, 3), int)] * 2),
            r"shapes \(1, 4\) and \(1, 4\); got int64 \(1, 3",
        ),
    ],
)
def test_cards_that_are_refused(game, match):
    with pytest.raises(eq.GameError, match=match):
        compile_cards(game)


def test_boards_are_counted_before_they_are_listed(monkeypatch):
    monkeypatch.setattr("equilibrist.form.limits.free_memory", lambda: 8.0)
    monkeypatch.setattr("equilibrist.form.cards.build.list_boards", None)
    game = KuhnCards([[(0,), (1,)], [(2,), (3,)]], cards=200, streets=(5,))
    match = (
        r"2,535,650,040 boards or more, with 4 hands each, take 710 GB; this machine has 8 GB "
        r"free\. Begin on a later"
    )
    with pytest.raises(eq.GameError, match=match):
        compile_cards(game)
    game.streets = (100, 90)
    with pytest.raises(eq.GameError, match=r"1,000,000,000,000,000,000 boards or more"):
        compile_cards(game)


class ManyBets(KuhnCards):
    """Eighty moves with ten actions each."""

    def start(self):
        return ()

    def player(self, state):
        return len(state) % 2 if len(state) < 80 else eq.TERMINAL

    def actions(self, state):
        return range(10)

    def next(self, state, action):
        return (*state, action)

    def payoff(self, state):
        return (1.0, -1.0)


def test_a_betting_tree_is_counted_and_played_at_random_while_it_is_walked(monkeypatch):
    game = ManyBets([[(0,), (1,)], [(2,), (3,)]], cards=4)
    monkeypatch.setattr("equilibrist.form.cards.betting._LOOK_AT", 100)
    monkeypatch.setattr("equilibrist.form.limits.free_memory", lambda: 1e-4)
    with pytest.raises(
        eq.GameError,
        match=r"the 200 betting states found so far take 0.0002 GB; .* Allow fewer bet sizes",
    ):
        compile_cards(game)
    monkeypatch.setattr("equilibrist.form.limits.free_memory", lambda: 8.0)
    monkeypatch.setattr("equilibrist.form.cards.betting._PROJECT_AT", 150)
    with pytest.raises(
        eq.GameError, match=r"about 1e\+30 or more betting states, by random plays, would take"
    ):
        compile_cards(game)


def test_too_little_memory_for_a_card_game_is_told_in_a_sentence(monkeypatch):
    def fail(*args):
        raise MemoryError

    monkeypatch.setattr("equilibrist.form.cards.build.list_boards", fail)
    with pytest.raises(
        eq.GameError,
        match=r"takes more memory than there is\. Give fewer bet sizes or raises \(max_raises=",
    ):
        compile_cards(KuhnCards([[(0,), (1,)], [(2,), (3,)]], cards=4))


def test_a_strategy_that_tells_suits_apart_is_not_judged_where_boards_are_merged():
    hands, suits = [[(0,), (1,)], [(2,), (3,)]], [[0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4]]

    def strength(hand, board):
        return hand[0] if board[0] > 3 else 3 - hand[0] // 2

    game = KuhnCards(hands, cards=6, streets=(1,), symmetries=suits, strength=strength)
    form = compile_cards(game)
    assert len(form.boards.streets[1]) == 3
    alike = {(0, hand): {"p": 0.25, "b": 0.75} for hand in game.hands[0]}
    assert eq.evaluate(form, alike, missing="uniform").nash_conv > 0
    for player, hand, actions in ((0, "0:0", "pb"), (1, "0:2 b", "fc")):
        apart = {(player, hand): dict(zip(actions, (0.501, 0.499), strict=True))}
        with pytest.raises(
            eq.GameError, match=f"{hand!r} is played differently with 1:[13], which is the same but"
        ):
            eq.evaluate(form, apart, missing="uniform")
    river = KuhnCards(hands, cards=6, symmetries=suits)
    assert eq.evaluate(river, {(0, "0:0"): {"p": 0.0, "b": 1.0}}, missing="uniform").nash_conv > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["every other", "float32", "read-only"])
def test_values_of_weights_in_arrays_of_any_kind(kind):
    form = compile_cards(RandomCardGame(3))
    weights = np.random.default_rng(0).random(form.length)
    expected = form.values(weights)
    if kind == "every other":
        weights = np.repeat(weights, 2)[::2]
    elif kind == "float32":
        weights = weights.astype(np.float32)
    weights.flags.writeable = kind != "read-only"
    found, responses = form.values(weights), form.best_responses(weights)
    assert [*found.value, *found.best_response_value] == pytest.approx(
        [*sum(expected, ())], rel=1e-5
    )
    assert responses.values == found


def test_weights_of_hands_are_those_of_the_ranges():
    """At the slots of each hand, up to one number for both players."""
    form = eq.compile_game(
        eq.poker.Holdem(board="Td9d6hQc2s", oop="AA,KQs:0.25", ip="JJ,98s:0.5", pot=10, stack=20),
        form="cards",
    )
    weights = form.hand_weights()
    shares = {"A": 1.0, "K": 0.25, "J": 1.0, "9": 0.5}
    for number, infoset in enumerate(form.infosets):
        first, last = form.first_action[number], form.first_action[number + 1]
        share = weights[form.slot[first:last]] / weights[form.slot[0]]
        expected = shares[infoset.key[0]] / shares[form.infosets[0].key[0]]
        np.testing.assert_allclose(share, expected, rtol=1e-12)
