"""Equilibria of teams: published values, and the linear programme over all pairs of joint plans."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from tests.correlation.test_correlated import Signal, signal

import equilibrist as eq
from equilibrist.correlation.plans import sequence_game
from equilibrist.errors import EquilibristError
from equilibrist.form.limits import CompileBudget


@pytest.mark.slow
def test_kuhn_with_the_adversary_last():
    told = []
    result = eq.team_equilibrium("kuhn(players=3, cards=4)", "0,1/2", callbacks=told.append)
    assert told[0].startswith("Adding best responses: 2 and 2 plans, which gain ")
    assert result.value == pytest.approx(-1 / 24, abs=1e-9)
    assert abs(result.gap) <= 1e-9
    assert sum(share for share, _ in result.plans[0]) == pytest.approx(1.0)


def test_what_both_teams_earn_together_is_no_gap():
    result = eq.team_equilibrium(
        "matrix(payoffs=[[1, 0], [0, 1]], payoffs2=[[0, 1], [1, 0]])", "0/1"
    )
    assert (result.value, result.payoff_sum) == pytest.approx((0.5, 1.0))
    assert abs(result.gap) <= 1e-9


class Partners(Signal):
    """Players 0 and 1 see a coin each, 2 and 3 none; all choose a side, and nobody sees what the others do."""

    players, movers = 4, (eq.CHANCE, eq.CHANCE, 0, 1, 2, 3)

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        worth = {z: float(rng.integers(-4, 5)) for z in product((0, 1), repeat=6)}
        self.table = {z: [value / 2, value / 2, -value, 0.0] for z, value in worth.items()}

    def infoset(self, state):
        return {2: f"{state[0]}", 3: f"{state[1]}", 4: "", 5: ""}[len(state)]


def value_by_all_plans(rules, teams):
    """Return the value of the matrix of all joint plans of two teams."""
    game = sequence_game(rules, CompileBudget())
    joint = []
    for team in teams:
        plans = [game.pure_plans(player) for player in team]
        joint.append([frozenset().union(*choice) for choice in product(*plans)])
    gain = game.payoffs[:, list(teams[0])].sum(axis=1) * game.chance
    masks = [
        np.array(
            [
                [all(leaf[p] in plan for p in team) for leaf in game.leaves.tolist()]
                for plan in plans
            ],
            float,
        )
        for team, plans in zip(teams, joint, strict=True)
    ]
    matrix = masks[0] @ (gain[:, None] * masks[1].T)
    rows, columns = matrix.shape
    upper = np.hstack([-matrix.T, np.ones((columns, 1))])
    total = np.append(np.ones(rows), 0.0)[None]
    bounds = [(0, None)] * rows + [(None, None)]
    return -linprog(
        np.append(np.zeros(rows), -1.0), upper, np.zeros(columns), total, [1.0], bounds
    ).fun


@pytest.mark.thinned(3)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("teams", [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0], [1, 2, 3]]])
def test_the_matrix_of_all_plans_has_the_same_value(seed, teams):
    rules = Partners(seed)
    result = eq.team_equilibrium(rules, teams)
    assert result.value == pytest.approx(value_by_all_plans(rules, teams), abs=1e-8)
    assert result.best_response_value[0] == pytest.approx(result.value, abs=1e-8)


def test_what_is_wrong_is_said_in_a_sentence():
    with pytest.raises(EquilibristError, match=r"name each of the players 0 to 1 once.*got '0/2'"):
        eq.team_equilibrium("kuhn", "0/2")
    with pytest.raises(EquilibristError, match=r"teams must be two.*got '0/1/2'"):
        eq.team_equilibrium("kuhn(players=3)", "0/1/2")
    with pytest.raises(EquilibristError, match="payoffs with the same sum"):
        eq.team_equilibrium(signal(0), "0/1")
