"""Fitting a quantal response equilibrium to observed play: Gambit's estimate, and play that an equilibrium dealt."""

import math

import pytest

import equilibrist as eq
from equilibrist.games.gambit_write import write_efg

COUNTS = {
    "J": {"pass": 70, "bet": 30},
    "Jp": {"pass": 60, "bet": 40},
    "Qp": {"pass": 75, "bet": 25},
    "Kp": {"pass": 20, "bet": 80},
    "Jpb": {"fold": 80, "call": 20},
    "Qpb": {"fold": 45, "call": 55},
    "Kpb": {"fold": 5, "call": 95},
    "Q": {"pass": 80, "bet": 20},
    "K": {"pass": 35, "bet": 65},
    "Jb": {"fold": 90, "call": 10},
    "Qb": {"fold": 55, "call": 45},
    "Kb": {"fold": 3, "call": 97},
}


@pytest.mark.slow
def test_expected_play_leads_back_to_its_precision():
    """Counts that are the probabilities of an equilibrium are explained by nothing better than that."""
    dealt = eq.solve("leduc", concept=eq.QRE(1 / 1.5), until=1e-10)
    counts = {
        key: {action: 100 * p for action, p in row.items()} for key, row in dealt.strategy.items()
    }
    fit = eq.fit_qre("leduc", counts)
    assert fit.precision == pytest.approx(1.5, rel=1e-5)
    entropy = sum(100 * p * math.log(p) for row in dealt.strategy.values() for p in row.values())
    assert fit.log_likelihood == pytest.approx(entropy, abs=1e-5)
    assert fit.temperature == 1 / fit.precision
    assert not fit.at_bound


def test_the_estimate_is_that_of_gambit(tmp_path):
    pygambit = pytest.importorskip("pygambit")
    if not hasattr(pygambit, "Infoset"):
        pytest.skip("its tracing is asked here as version 16 has it")
    path = tmp_path / "kuhn.efg"
    write_efg(eq.load("kuhn"), path)
    theirs = pygambit.read_efg(path)
    data = theirs.mixed_behavior_profile()
    for player in theirs.players:
        for infoset in player.infosets:
            for action in infoset.actions:
                data[action] = COUNTS[infoset.label][action.label]
    # What logit_estimate calls; that itself raises for behaviour profiles (16.7), as it asks for the profile.
    tracing = {"local_max": True, "first_step": 0.03, "max_accel": 1.1}
    estimate = pygambit.qre.libgbt._logit_behavior_estimate(data, **tracing)
    fit = eq.fit_qre("kuhn", COUNTS)
    assert fit.precision == pytest.approx(estimate.lam, rel=1e-6)
    assert fit.log_likelihood == pytest.approx(estimate.log_like, abs=1e-5)


@pytest.mark.slow
def test_random_play_is_at_the_bound():
    assert eq.fit_qre("kuhn", {"J": {"pass": 1, "bet": 1}, "Kb": {"fold": 1, "call": 1}}).at_bound


def pennies(precision):
    """Return how often both take their first action in the equilibrium of [[2, -1], [-1, 1]], by bisection.

    Player 0 gains 5q - 2 by the first action where player 1 takes theirs with q; player 1 gains 2 - 5p.
    """
    low, high = 0.0, 1.0
    for _ in range(200):
        p = (low + high) / 2
        q = (1 + math.tanh(precision * (2 - 5 * p) / 2)) / 2
        if p > (1 + math.tanh(precision * (5 * q - 2) / 2)) / 2:
            high = p
        else:
            low = p
    return p, q


@pytest.mark.slow
@pytest.mark.parametrize(("precision", "unit"), [(0.7, 1), (1.0, 100)])
def test_play_of_an_equilibrium_by_bisection_leads_back_to_its_precision(precision, unit):
    """On both sides of the point of the grid that lies next to it, and in another unit of payoffs."""
    p, q = pennies(precision)
    game = f"matrix(payoffs=[[{2 * unit}, {-unit}], [{-unit}, {unit}]])"
    counts = {"row": {"r1": p, "r2": 1 - p}, "column": {"c1": q, "c2": 1 - q}}
    fit = eq.fit_qre(game, counts)
    assert fit.precision == pytest.approx(precision / unit, rel=1e-4)
    assert fit.temperature == pytest.approx(unit / precision, rel=1e-4)
    assert not fit.at_bound


@pytest.mark.slow
def test_play_without_errors_is_at_the_upper_bound():
    """Those of the Nash equilibrium are explained the better the larger the precision: 1,000 ÷ 2 is the largest."""
    counts = {"row": {"r1": 2, "r2": 3}, "column": {"c1": 2, "c2": 3}}
    fit = eq.fit_qre("matrix(payoffs=[[2, -1], [-1, 1]])", counts)
    assert fit.at_bound
    assert fit.precision == pytest.approx(500, rel=1e-4)
    expected = sum(2 * math.log(p) + 3 * math.log(1 - p) for p in pennies(fit.precision))
    assert fit.log_likelihood == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"X": {"pass": 1}}, "no infoset 'X'"),
        ({"J": {"fold": 1}}, "actions of kuhn are pass, bet; got 'fold'"),
        ({"J": {"pass": -1}}, "0 or more; got -1"),
        ({}, "Nothing was counted"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(counts, message):
    with pytest.raises(eq.SolutionError, match=message):
        eq.fit_qre("kuhn", counts)
