"""Models from hand histories: frequencies by line, counts by hand, and what is answered to them."""

from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.exploiting.tendencies import apply_tendencies, read_tendencies
from equilibrist.poker.histories.observe import tilt

RIVER = {
    "board": "Kh9s4d7c2h",
    "oop": "AA,99,AKs,KQs,QJs,JTs,A5s",
    "ip": "QQ-TT,77,AKo,KJs,QJs,T8s",
    "pot": 100,
    "stack": 300,
    "bets": "50%, a; a",
}


@pytest.fixture(scope="module")
def solved():
    return eq.solve(eq.poker.Holdem(**RIVER), until="0.1%")


@pytest.fixture(scope="module")
def folding(solved, tmp_path_factory):
    """A run whose IP folds 20 % more, and hands that it deals: so many that each line is met often."""
    return deal_folding(solved, tmp_path_factory, hands=3_000)


@pytest.fixture(scope="module")
def folding_some(solved, tmp_path_factory):
    """The same with fewer hands."""
    return deal_folding(solved, tmp_path_factory, hands=1_000)


def deal_folding(solved, tmp_path_factory, *, hands):
    form = solved.strategy.form
    base = form.average_from_sums(solved.strategy.slots.weights)
    slots, (effect,) = apply_tendencies(form, 1, base, read_tendencies("folds 20% more"))
    dealing = replace(solved, strategy=eq.Strategy.from_weights(form, slots))
    path = tmp_path_factory.mktemp("hands") / "hands.phhs"
    eq.poker.write_hands(dealing, path, hands=hands, seed=1)
    return slots, effect, path


def test_a_tilt_meets_its_frequencies_with_the_same_log_odds_for_all_hands():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet([5, 5, 5], 20).T
    reach = rng.dirichlet(np.ones(20))
    target = np.array([0.5, 0.3, 0.2])
    tilted, shifts = tilt(shares, reach, target)
    assert tilted @ reach == pytest.approx(target, abs=1e-9)
    moved = np.log(tilted / tilted[0]) - np.log(shares / shares[0])
    assert moved == pytest.approx(np.repeat((shifts - shifts[0])[:, None], 20, axis=1), abs=1e-6)


def test_a_tilt_of_pure_hands():
    """A hand that never does something is taken to do it one time in a thousand; the shifts have mean 0."""
    shares = np.array([[1.0, 0.0], [0.0, 1.0]])
    tilted, shifts = tilt(shares, np.array([0.5, 0.5]), np.array([0.8, 0.2]))
    assert tilted @ [0.5, 0.5] == pytest.approx([0.8, 0.2], abs=1e-8)
    odds = np.log(tilted[0] / tilted[1])
    assert odds - (shifts[0] - shifts[1]) == pytest.approx([np.log(1000.0), -np.log(1000.0)])
    assert shifts.sum() == pytest.approx(0.0, abs=1e-12)
    never, _ = tilt(shares, np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    assert never[1] @ [0.5, 0.5] < 1e-5


@pytest.mark.slow
def test_frequencies_by_line_are_those_of_the_histories(solved, folding):
    slots, effect, path = folding
    model = eq.poker.model_from_hands(path, solved, player=1, k=1e-6)
    form = solved.strategy.form
    for node in form.betting.nodes:
        if node.player == 1 and "F" in node.actions:
            places = form.slots_of(node, 0)
            base = form.average_from_sums(solved.strategy.slots.weights)
            reach = (form.reach(base) * form.cf_reach_at_slots(base))[places].sum(axis=0)
            dealt = slots[places] @ (reach / reach.sum())
            guessed = model.probabilities[places] @ (reach / reach.sum())
            assert guessed == pytest.approx(dealt, abs=0.12)
    assert effect.after > effect.before


@pytest.mark.slow
def test_few_hands_move_a_model_less(solved, folding):
    path = folding[2]
    believed = eq.poker.model_from_hands(path, solved, k=1.0)
    doubted = eq.poker.model_from_hands(path, solved, k=1e6)
    base = solved.strategy.form.average_from_sums(solved.strategy.slots.weights)
    distance = [float(np.abs(model.probabilities - base).max()) for model in (believed, doubted)]
    assert distance[1] < 0.1 * distance[0]
    assert believed.bias.max() > 0.99
    assert doubted.bias.max() < 0.01


def test_known_cards_are_counted_hand_by_hand(solved, folding_some):
    path = folding_some[2]
    model = eq.poker.model_from_hands(path, solved, k=7, cards_known=True)
    places = np.flatnonzero(model.bias > 0.5)
    assert len(places) > 20
    assert "with known cards" in model.text
    assert np.abs(model.probabilities - folding_some[0])[places].mean() < 0.15


def test_an_opponent_who_folds_too_much_is_exploited(solved, folding_some):
    model = eq.poker.model_from_hands(folding_some[2], solved, player=1)
    answer = eq.exploit(solved, model, trust=0.9, until="0.2%")
    assert answer.trust == 0.9
    assert answer.gain > 1.0
    assert answer.bounds[0] <= answer.bounds[1]
    frontier = eq.exploit_frontier(solved, model, until="0.5%")
    assert frontier.points[-1].gain > answer.gain - 1.0
    with pytest.raises(eq.AlgorithmError, match="answered at a trust"):
        eq.exploit(solved, model, risk=1.0)


def test_a_player_is_found_by_name_and_what_does_not_fit_is_told(solved, tmp_path):
    path = tmp_path / "hands.phhs"
    eq.poker.write_hands(solved, path, hands=50, seed=1)
    with pytest.raises(eq.SolutionError, match="No decision of IP in the histories fits"):
        eq.poker.model_from_hands(path, solved, name="nobody")
    with pytest.raises(eq.SolutionError, match="above 0"):
        eq.poker.model_from_hands(path, solved, k=0)
    with pytest.raises(eq.SolutionError, match="0 \\(OOP\\) or 1"):
        eq.poker.model_from_hands(path, solved, player=2)
    other = eq.solve(eq.poker.Holdem(**RIVER | {"board": "2h3s4d7cKh"}), iterations=3)
    with pytest.raises(eq.SolutionError, match="No decision of IP"):
        eq.poker.model_from_hands(path, other)
