"""Hands of three and four cards: the same values and best responses as histories dealt card by card."""

from itertools import combinations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.cards.build import compile_cards
from equilibrist.form.cards.terminal.blockers import Blockers
from equilibrist.game.deal import joint_weight
from support.card_reference import Dealt, close
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame, without_symmetries
from support.random_games import random_strategy
from support.reference import best_response, unfold, values

FOURS = [*combinations(range(8), 4)]


def judged(form, table):
    """Return the values of a strategy, and of the best responses to it; uniform where nothing is said."""
    rows = [
        table.get((p, key), {}).get(a, 1 / len(actions))
        for p, key, actions in form.infosets
        for a in actions
    ]
    result = form.values(form.to_slots(np.array(rows)))
    return [*result.value, *result.best_response_value]


def compare_with_recursion(game, seed):
    form, root = compile_cards(game), unfold(Dealt(game))
    table = random_strategy(form.infosets, seed)
    expected = [
        *values(root, table),
        *(best_response(root, table, player=player)[1] for player in range(2)),
    ]
    assert judged(form, table) == pytest.approx(expected, abs=close(game))


@pytest.mark.parametrize("held", [3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_values_and_best_responses_equal_the_recursion(held, seed):
    streets = ((), (1,), (1,))[seed % 3]
    game = RandomCardGame(
        seed,
        rake=seed % 2 == 0,
        uneven=seed > 3,
        held=held,
        hands=12,
        cards=11,
        depth=2,
        streets=streets,
    )
    compare_with_recursion(without_symmetries(game), seed)


@pytest.mark.parametrize("tie", [1.0, 0.7])
def test_the_same_four_cards_may_differ_in_strength_between_the_players(tie):
    """More hands than lanes, each of which the other may hold too: weaker, as strong, or stronger than the own one."""
    strengths = np.random.default_rng(4).integers(3, size=(2, 1, len(FOURS)))
    whole = KuhnCards([FOURS, FOURS], cards=8)
    game = Narrowed(
        whole,
        strengths=lambda boards: tuple(strengths),
        payoff=lambda line: (
            eq.ShowdownPayoffs(paid.win, (tie, tie), paid.lose)
            if isinstance(paid := whole.payoff(line), eq.ShowdownPayoffs)
            else paid
        ),
    )
    compare_with_recursion(game, 1)


def test_boards_that_differ_by_suits_are_walked_as_one():
    game = RandomCardGame(16, held=4, hands=30, cards=9, depth=1, streets=(1,))
    merged, full = compile_cards(game), compile_cards(without_symmetries(game))
    assert sum(map(len, merged.boards.streets)) < sum(map(len, full.boards.streets))
    assert judged(merged, {}) == pytest.approx(judged(full, {}), abs=close(game))


@pytest.mark.parametrize("held", [2, 3, 4])
def test_weights_of_hands_that_share_no_card(held):
    deck, random = range(10), np.random.default_rng(held)
    every = [*combinations(deck, held)]
    hands = [[every[k] for k in random.permutation(len(every))[:40]] for _ in range(2)]
    weights = [random.random(40), random.random(40)]
    apart = np.array([[not set(one) & set(other) for other in hands[1]] for one in hands[0]])
    assert joint_weight(hands, weights) == pytest.approx(weights[0] @ apart @ weights[1], rel=1e-13)
    blockers = Blockers(eq.Deal(hands, weights, cards=10))
    assert blockers.mass_of_others((weights[0], weights[1]), 0) == pytest.approx(
        apart @ weights[1], abs=1e-12
    )
    assert blockers.mass_of_others((weights[0], weights[1]), 1) == pytest.approx(
        apart.T @ weights[0], abs=1e-12
    )


def test_two_hands_of_the_same_four_cards_are_refused():
    game = KuhnCards([[(0, 1, 2, 3), (3, 2, 1, 0)], [(4, 5, 6, 7)]], cards=8)
    with pytest.raises(eq.GameError, match=r"two hands of player 0 are the cards \(0, 1, 2, 3\)"):
        compile_cards(game)
