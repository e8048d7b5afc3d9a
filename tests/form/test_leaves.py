"""Leaf values: a game that is cut, its leaves answered from a solved run, is worth what the run says."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.quantal import MIRROR_DESCENT, QuantalResponse
from equilibrist.cluster.public import PublicSplit
from equilibrist.form.public.leaves import find_leaf_cut
from equilibrist.form.public.tree import END
from equilibrist.form.public.walker import find_cut
from support.public_cut import SolvedLeaves, find_street_starts, with_leaves
from support.random_public_games import RandomPublicGame

GAMES = ["leduc", "liars_dice(faces=3)", RandomPublicGame(5), RandomPublicGame(7)]


def form_of(game):
    return eq.compile_public(eq.load(game).public_states() if isinstance(game, str) else game)


def solved(form, iterations=30):
    solver = PublicCFR(form, eq.ALGORITHMS["dcfr"])
    solver.run(iterations)
    return solver


def above(form, leaves, weights):
    """Return the weights of the slots that are above a cut: both numberings go depth first."""
    cut, below = find_leaf_cut(form.public, leaves), np.zeros(form.length, bool)
    for state, slot in zip(cut.state, cut.slot, strict=True):
        below[slot : slot + form.public.slots[state]] = True
    return weights[~below]


def some_states(form, seed):
    """Return a third of the public states, at random."""
    chosen = np.random.default_rng(seed).random(form.root + 1) < 1 / 3
    chosen[form.root] = False
    return chosen


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_values_of_the_cut_game_are_those_of_the_whole(game, seed):
    form = form_of(game)
    weights = solved(form).average_weights()
    leaves = (
        find_street_starts(form)
        if seed == 0 and find_street_starts(form).any()
        else some_states(form, seed)
    )
    top = with_leaves(form, leaves, SolvedLeaves(form, leaves, weights))
    assert top.length < form.length
    values, whole = (
        top.values(above(form, leaves, weights), weights=True),
        form.values(weights, weights=True),
    )
    assert values.value == pytest.approx(whole.value, abs=1e-9)
    for best, least, most in zip(
        values.best_response_value, values.value, whole.best_response_value, strict=True
    ):
        assert least - 1e-9 <= best <= most + 1e-9


def test_cfr_solves_the_first_round_of_leduc_against_the_second_of_a_solution():
    form = form_of("leduc")
    leaves = find_street_starts(form)
    top = solved(
        with_leaves(form, leaves, SolvedLeaves(form, leaves, solved(form, 300).average_weights())),
        300,
    )
    assert top.values().value[0] == pytest.approx(-0.0856, abs=2e-3)
    assert sum(top.values().best_response_value) < 5e-3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_quantal_responses_above_a_cut_are_those_of_the_whole_game(game, seed):
    form = form_of(game)
    leaves = some_states(form, seed)
    whole = PublicCFR(form, MIRROR_DESCENT, minimiser=QuantalResponse(form, 0.5))
    whole.run(1000)
    weights = whole.average_weights()
    cut = with_leaves(form, leaves, SolvedLeaves(form, leaves, weights))
    top = PublicCFR(cut, MIRROR_DESCENT, minimiser=QuantalResponse(cut, 0.5))
    top.run(1000)
    assert max(solver.minimiser.gap(solver) for solver in (whole, top)) < 1e-9
    np.testing.assert_allclose(top.average_weights(), above(form, leaves, weights), atol=1e-9)


def test_leaves_are_asked_with_both_ranges():
    """Of leaves that are worth the reach of the other, each player gets the probability that they are reached."""
    form = form_of("kuhn")
    counts = []

    def other_reach(states, ranges):
        counts.append(len(states))
        assert (form.public.mover[states] != END).all()
        prior = form.joint_hands.prior
        first, second = (ranges[:, player, : len(form.hands[player])] for player in range(2))
        values = np.zeros_like(ranges)
        values[:, 0, : len(form.hands[0])] = second @ prior.T
        values[:, 1, : len(form.hands[1])] = first @ prior
        return values

    leaves = np.arange(form.root + 1) != form.root  # all but the root: player 0 checks or bets
    top = with_leaves(form, leaves, other_reach)
    assert top.values(np.ones(top.length), weights=True).value == pytest.approx((1.0, 1.0))
    assert counts == [2, 2]


@pytest.mark.parametrize("most", [16, 24, 100, 150, 300, 400])
def test_a_cut_above_which_chance_leads_to_leaves_alone(most):
    """Chance above three subtrees is a leaf of the top: once, a cluster counted the three and found the one."""
    split = PublicSplit(form_of("leduc"), 2, max_subtree_slots=most)
    top = split.top(None)
    assert len(find_cut(top.public, 0).state) == split.ranges[-1][1]
    assert top.length + sum(split.lengths) == split.form.length
