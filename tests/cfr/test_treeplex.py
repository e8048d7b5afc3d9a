"""Treeplexes: best response, entropy, prox and projection against linear programmes, minimisers and enumeration."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

import equilibrist as eq
from equilibrist.cfr.treeplex import make_treeplex

GAMES = ["kuhn", "leduc(ranks=2, raises=1)", "kuhn(players=3)"]


def make(game, player=0):
    return make_treeplex(eq.compile_game(eq.load(game)), player).treeplex


def constraints(treeplex):
    """Return the matrix and the right-hand side of E x = e, of von Stengel."""
    matrix = np.zeros((treeplex.num_infosets + 1, treeplex.num_sequences))
    matrix[0, 0] = 1
    for infoset in range(treeplex.num_infosets):
        matrix[infoset + 1, treeplex.first[infoset] : treeplex.first[infoset + 1]] = 1
        matrix[infoset + 1, treeplex.parent[infoset]] = -1
    return matrix, np.eye(treeplex.num_infosets + 1)[0]


def draw_plan(treeplex, rng):
    """Return a plan of random probabilities, some of them small."""
    share = rng.gamma(0.5, size=treeplex.num_sequences)
    return treeplex.to_plan(treeplex.to_behaviour(share))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [0, 1])
def test_sequences_follow_the_moves_of_their_player(game, player):
    treeplex = make(game, player)
    form = eq.compile_game(eq.load(game))
    keys = {infoset.key for infoset in form.infosets if infoset.player == player}
    assert {infoset.key for infoset in treeplex.infosets} == keys
    assert [len(infoset.actions) for infoset in treeplex.infosets] == np.diff(
        treeplex.first
    ).tolist()
    assert (treeplex.parent < treeplex.first[:-1]).all()
    assert treeplex.levels[-1] == treeplex.num_infosets
    matrix, right = constraints(treeplex)
    plan = draw_plan(treeplex, np.random.default_rng(1))
    assert matrix @ plan == pytest.approx(right, abs=1e-12)
    assert treeplex.to_plan(treeplex.to_behaviour(plan)) == pytest.approx(plan, abs=1e-12)
    assert matrix @ treeplex.uniform_plan() == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_a_best_response_is_that_of_the_linear_programme(game):
    treeplex = make(game)
    values = np.random.default_rng(2).normal(size=treeplex.num_sequences)
    matrix, right = constraints(treeplex)
    best = linprog(-values, A_eq=matrix, b_eq=right)
    plan = treeplex.best_response(values)
    assert values @ plan == pytest.approx(-best.fun, abs=1e-9)
    assert matrix @ plan == pytest.approx(right, abs=0)
    assert set(plan.tolist()) == {0.0, 1.0}


def test_counterfactual_values_lead_to_the_value_of_the_plan():
    treeplex = make("leduc(ranks=2, raises=1)")
    rng = np.random.default_rng(3)
    plan = draw_plan(treeplex, rng)
    values = rng.normal(size=treeplex.num_sequences)
    worth = treeplex.counterfactual_values(treeplex.to_behaviour(plan), values)
    assert worth[0] == pytest.approx(values @ plan, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_the_gradient_of_the_entropy_is_its_difference_quotient(game):
    treeplex = make(game)
    weights = treeplex.entropy_weights()
    rng = np.random.default_rng(4)
    plan, other = draw_plan(treeplex, rng), treeplex.uniform_plan()
    direction = plan - other
    middle = (plan + other) / 2
    step = 1e-6
    quotient = (
        treeplex.entropy(middle + step * direction, weights)
        - treeplex.entropy(middle - step * direction, weights)
    ) / (2 * step)
    gradient = treeplex.entropy_gradient(middle, weights)
    assert gradient @ direction == pytest.approx(quotient, rel=1e-6)
    bregman = treeplex.entropy(plan, weights) - treeplex.entropy(middle, weights)
    bregman -= gradient @ (plan - middle)
    assert treeplex.divergence(plan, middle, weights) == pytest.approx(bregman, abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_the_weights_make_the_entropy_strongly_convex(game):
    """⟨∇d(x) − ∇d(y), x − y⟩ ≥ ‖x − y‖₁² / M (Kroer et al. 2020)."""
    treeplex = make(game)
    weights = treeplex.entropy_weights()
    most = float(treeplex.best_response(np.ones(treeplex.num_sequences)).sum())
    rng = np.random.default_rng(5)
    for _ in range(20):
        x = 0.99 * draw_plan(treeplex, rng) + 0.01 * treeplex.uniform_plan()
        y = 0.99 * draw_plan(treeplex, rng) + 0.01 * treeplex.uniform_plan()
        slope = treeplex.entropy_gradient(x, weights) - treeplex.entropy_gradient(y, weights)
        assert slope @ (x - y) >= np.abs(x - y).sum() ** 2 / most - 1e-12


def test_weights_are_those_of_the_recursion():
    treeplex = make("kuhn")
    after = [np.flatnonzero(treeplex.parent == s) for s in range(treeplex.num_sequences)]

    def weight(infoset):
        sequences = range(treeplex.first[infoset], treeplex.first[infoset + 1])
        return 2 + 2 * max(sum(weight(below) for below in after[s]) for s in sequences)

    expected = [weight(infoset) for infoset in range(treeplex.num_infosets)]
    assert treeplex.entropy_weights().tolist() == expected
    assert set(expected) == {2, 6}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("player", [0, 1])
def test_the_prox_is_the_maximum_that_a_minimiser_finds(weighted, player):
    treeplex = make("kuhn", player)
    rng = np.random.default_rng(6)
    weights = treeplex.entropy_weights() if weighted else 0.7
    center = draw_plan(treeplex, rng)
    values = rng.normal(size=treeplex.num_sequences)
    plan = treeplex.prox(values, center, weights)

    def objective(x):
        return treeplex.divergence(x, center, weights) - values @ x

    def plan_of(logits):
        share = np.append(1.0, np.exp(logits))
        return treeplex.to_plan(treeplex.to_behaviour(share))

    start = np.zeros(treeplex.num_sequences - 1)
    found = minimize(lambda logits: objective(plan_of(logits)), start, method="BFGS")
    assert objective(plan) <= found.fun + 1e-9
    assert plan == pytest.approx(plan_of(found.x), abs=1e-3)
    # Of first order: the gradient is that of the constraints alone.
    slope = values - treeplex.entropy_gradient(plan, weights)
    slope += treeplex.entropy_gradient(center, weights)
    for other in (center, treeplex.uniform_plan()):
        assert slope @ (other - plan) == pytest.approx(0, abs=1e-9)


def test_the_prox_stays_where_nothing_is_played_and_bears_large_values():
    treeplex = make("kuhn")
    center = treeplex.best_response(np.arange(treeplex.num_sequences, dtype=float))
    assert (treeplex.prox(-center, center)[center == 0] == 0).all()
    far = treeplex.prox(1e5 * np.ones(treeplex.num_sequences), treeplex.uniform_plan())
    assert np.isfinite(far).all()


@pytest.mark.thinned(5)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scale", [0.1, 1.0, 5.0])
def test_the_projection_meets_its_conditions(game, scale):
    """The nearest plan x to y is that for which no plan z has ⟨y − x, z − x⟩ > 0: one best response tells."""
    treeplex = make(game)
    rng = np.random.default_rng(7)
    matrix, right = constraints(treeplex)
    for _ in range(10):
        vector = scale * rng.normal(size=treeplex.num_sequences)
        plan = treeplex.project(vector)
        assert matrix @ plan == pytest.approx(right, abs=1e-12)
        assert plan.min() >= 0
        residual = vector - plan
        best = treeplex.best_response(residual)
        assert residual @ (best - plan) <= 1e-9
    plan = draw_plan(treeplex, rng)
    assert treeplex.project(plan) == pytest.approx(plan, abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
def test_the_projection_is_that_of_a_quadratic_programme(player):
    treeplex = make("kuhn", player)
    vector = 2 * np.random.default_rng(8).normal(size=treeplex.num_sequences)
    matrix, right = constraints(treeplex)
    found = minimize(
        lambda x: 0.5 * ((x - vector) ** 2).sum(),
        treeplex.uniform_plan(),
        jac=lambda x: x - vector,
        constraints={"type": "eq", "fun": lambda x: matrix @ x - right, "jac": lambda x: matrix},
        bounds=[(0, None)] * treeplex.num_sequences,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert treeplex.project(vector) == pytest.approx(found.x, abs=1e-6)


def test_the_projection_onto_a_simplex_is_the_nearest_of_all_faces():
    treeplex = make("matrix(payoffs=[[1, 2], [3, 4], [0, 1]])")
    vector = np.array([0.0, 0.9, 0.4, -0.7])
    nearest = []
    for size in (1, 2, 3):
        for face in itertools.combinations(range(3), size):
            point = np.zeros(3)
            chosen = list(face)
            point[chosen] = vector[1:][chosen] - (vector[1:][chosen].sum() - 1) / size
            if point.min() >= 0:
                nearest.append(point)
    best = min(nearest, key=lambda point: ((point - vector[1:]) ** 2).sum())
    assert treeplex.project(vector)[1:] == pytest.approx(best, abs=1e-12)
