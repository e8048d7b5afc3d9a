"""The linear programme against everything that can contradict it: analysis, other programmes, CFR."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

import equilibrist as eq
from support.random_games import RandomGame
from support.reference import best_response, infosets, unfold, values
from support.spelled import Spelled, end

seeds = st.integers(0, 2**32 - 1)


def normal_form_value(game):
    """Return the value of a game from the matrix of all pure strategies: the long way round."""
    root = unfold(game)
    plans = []
    for player in range(2):
        own = {
            key: list(group[0].children)
            for key, group in infosets(root).items()
            if key[0] == player
        }
        pures = (dict(zip(own, chosen, strict=True)) for chosen in itertools.product(*own.values()))
        plans.append(
            [{key: {a: float(a == pure[key]) for a in own[key]} for key in own} for pure in pures]
        )
    matrix = np.array([[values(root, row | column)[0] for column in plans[1]] for row in plans[0]])
    height, width = matrix.shape
    result = linprog(
        [*[0] * height, -1],  # maximise v subject to v ≤ Σ_i x_i matrix[i, j] for each column j
        A_ub=np.hstack([-matrix.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[[*[1] * height, 0]],
        b_eq=[1],
        bounds=[(0, None)] * height + [(None, None)],
    )
    return -result.fun


def pure_strategies(game):
    return math.prod(len(infoset.actions) for infoset in eq.compile_game(game).infosets)


@pytest.mark.thinned(5)
@pytest.mark.parametrize(
    "spec",
    [
        "kuhn(pass_ends=True)",
        "kuhn",
        "biased_rps",
        "goofspiel(cards=2)",
        "matrix(payoffs=[[3, -1, 2], [0, 4, 1]])",
    ],
)
def test_the_normal_form_has_the_same_value(spec):
    game = eq.load(spec)
    assert eq.exact(game).value[0] == pytest.approx(normal_form_value(game), abs=1e-9)


@pytest.mark.slow
@given(seed=seeds, ties=st.booleans())
def test_the_normal_form_of_random_games_has_the_same_value(seed, ties):
    game = RandomGame(seed, players=2, depth=4, ties=ties)
    assume(pure_strategies(game) <= 500)
    assert eq.exact(game).value[0] == pytest.approx(normal_form_value(game), abs=1e-8)


@given(seed=seeds, ties=st.booleans())
def test_the_equilibrium_of_a_random_game_is_certified(seed, ties):
    game = RandomGame(seed, players=2, ties=ties)
    solution = eq.exact(game)
    assert abs(solution.nash_conv) < 1e-9
    # The certificate does not come from our own arrays alone:
    root, strategy = unfold(game), dict(solution.strategy)
    gain = sum(best_response(root, strategy, player=p)[1] for p in range(2)) - sum(
        values(root, strategy)
    )
    assert abs(gain) < 1e-9


@given(seed=seeds, name=st.sampled_from(sorted(eq.ALGORITHMS)), alternating=st.booleans())
def test_cfr_and_the_linear_programme_agree(seed, name, alternating):
    """At equilibrium up to nash_conv, the value is off by nash_conv at most."""
    game = RandomGame(seed, players=2)
    exact = eq.exact(game)
    solution = eq.solve(game, f"{name}(alternating={alternating})", iterations=300)
    assert abs(solution.value[0] - exact.value[0]) <= solution.nash_conv + 1e-9
    assert solution.value[0] == pytest.approx(-solution.value[1], abs=1e-12)


@pytest.mark.slow
@given(seed=seeds)
def test_swapping_the_players_swaps_the_value(seed):
    class Swapped:
        players = 2

        def __getattr__(self, name):
            return getattr(game, name)

        def player(self, state):
            player = game.player(state)
            return 1 - player if player in (0, 1) else player

        def payoffs(self, state):
            return game.payoffs(state)[::-1]

    game = RandomGame(seed, players=2)
    assert eq.exact(Swapped()).value == pytest.approx(eq.exact(game).value[::-1], abs=1e-9)


@pytest.mark.parametrize("factor", [1e-3, 1e4])
def test_units_of_payoff_do_not_matter(factor):
    matrix = np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0]]) * factor
    solution = eq.exact(eq.load(f"matrix(payoffs={matrix.tolist()})"))
    assert abs(solution.nash_conv) < 1e-9 * max(1, factor)
    assert list(solution.strategy["row"].values()) == pytest.approx([1 / 16, 10 / 16, 5 / 16])


def test_what_the_solution_says():
    solution = eq.exact("kuhn")
    assert (solution.algorithm, solution.stop_reason, solution.iterations) == (
        "exact",
        "optimal",
        0,
    )
    assert (solution.game, solution.infosets, solution.histories, solution.config) == (
        "kuhn",
        12,
        58,
        None,
    )
    assert solution.exploitability == solution.nash_conv / 2
    assert len(solution.trace) == 1
    assert all(sum(row.values()) == pytest.approx(1) for row in solution.strategy.values())


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (eq.load("kuhn(players=3)"), "has 3 players"),
        (eq.compile_game(eq.load("kuhn(players=3)")), "has 3 players"),
        (eq.load("matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])"), "is general-sum"),
        (Spelled(1, (0, "x", {"a": end(1), "b": end(2)})), "has 1 player"),
    ],
)
def test_other_games_are_refused(game, kind):
    with pytest.raises(
        eq.AlgorithmError, match=rf"solves two-player zero-sum games; .* {kind}\. Use solve"
    ) as caught:
        eq.exact(game)
    assert caught.value.wrong_use


@pytest.mark.parametrize("scale", [1e-11, 1e-6, 1.0, 1e6])
def test_the_equilibrium_is_the_same_at_any_scale_of_payoffs(scale):
    solution = eq.exact(eq.load(f"matrix(payoffs={[[scale, 2 * scale], [3 * scale, scale]]})"))
    assert solution.nash_conv <= 1e-9 * scale
    assert solution.value[0] == pytest.approx(5 / 3 * scale, rel=1e-9)


# --- Payoffs of very different sizes ---


class Illegal:
    """Kuhn poker in which every infoset has an illegal action that costs its player a fortune."""

    players = 2

    def __init__(self, fine):
        self.kuhn, self.fine = eq.load("kuhn"), fine

    def start(self):
        return self.kuhn.start(), None

    def player(self, state):
        return self.kuhn.player(state[0]) if state[1] is None else eq.TERMINAL

    def actions(self, state):
        actions = list(self.kuhn.actions(state[0]))
        return actions if self.kuhn.player(state[0]) == eq.CHANCE else [*actions, "illegal"]

    def probabilities(self, state):
        return self.kuhn.probabilities(state[0])

    def next(self, state, action):
        if action == "illegal":
            return state[0], self.kuhn.player(state[0])
        return self.kuhn.next(state[0], action), None

    def payoffs(self, state):
        if state[1] is None:
            return self.kuhn.payoffs(state[0])
        return [-self.fine, self.fine] if state[1] == 0 else [self.fine, -self.fine]

    def infoset(self, state):
        return self.kuhn.infoset(state[0])


@pytest.mark.parametrize("fine", [1e3, 1e6, 1e9, 1e12])
def test_an_action_that_costs_a_fortune_is_not_taken(fine):
    solution = eq.exact(Illegal(fine))
    assert solution.value == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)
    assert abs(solution.nash_conv) <= 1e-12


@pytest.mark.parametrize("large", [1e6, 1e9, 1e10])
def test_payoffs_that_differ_by_orders_of_magnitude(large):
    """Diagonal games: each row is played with the inverse of its payoff, and the value is 1 / Σ 1 / payoff."""
    solution = eq.exact(eq.load(f"matrix(payoffs=[[{large}, 0], [0, 1]])"))
    assert solution.value[0] == pytest.approx(1 / (1 / large + 1), rel=1e-12)
    assert abs(solution.nash_conv) <= 1e-12


@pytest.mark.parametrize("game", [eq.load("matrix(payoffs=[[1e15, 0], [0, 1]])"), Illegal(1e15)])
def test_what_is_no_equilibrium_is_refused_with_the_numbers(game):
    with pytest.raises(
        eq.SolutionError, match=r"found no equilibrium: its answer has a nash_conv of \d.*use solve"
    ):
        eq.exact(game)


# --- Within floors ---

RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,KK,JJ,88,A5s,54s', ip='QJs,QTs,T9s,99,AQo,KQs', pot=100, stack=200, "
    "bets='100%; a')"
)


@pytest.mark.thinned(7)
@pytest.mark.parametrize(
    ("game", "floors", "value"),
    [
        ("kuhn", 0.01, -0.052767),
        ("kuhn", {(0, "*"): 0.01}, -0.057244444444),
        ("kuhn", {(1, "*"): 0.01}, -0.051111111111),
        ("kuhn", 0.1, -0.027),
        ("openspiel:leduc_poker", 0.01, -0.087216643),
        (RIVER, 0.001, 14.012669409),
        (RIVER, 0.05, 7.557015263),
    ],
)
def test_values_within_floors_are_the_known_ones(game, floors, value):
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    solution = eq.exact(game, concept=eq.Floors(floors))
    assert solution.value[0] == pytest.approx(value, abs=1e-9)
    assert solution.final.measures["exploitability_within_floors"] == pytest.approx(0, abs=1e-9)
    assert "floors" in solution.guarantee
    if not isinstance(floors, dict):
        assert min(solution.strategy.probabilities) >= floors


@pytest.mark.slow
@given(seed=seeds, ties=st.booleans(), floor=st.sampled_from([1e-3, 0.05, 0.15]))
def test_cfr_and_the_linear_programme_agree_within_floors(seed, ties, floor):
    game = RandomGame(seed, players=2, ties=ties)
    try:
        exact = eq.exact(game, concept=eq.Floors(floor))
    except eq.AlgorithmError:
        assume(False)  # an infoset of too many actions
    solution = eq.solve(game, "pcfr+", concept=eq.Floors(floor), iterations=300)
    left = 2 * solution.final.measures["exploitability_within_floors"]
    assert abs(solution.value[0] - exact.value[0]) <= left + 1e-9
    assert abs(exact.final.measures["exploitability_within_floors"]) < 1e-9


@pytest.mark.parametrize("concept", ["qre(1)", "qre(0)", "floors(0.1, decay=1)"])
def test_other_concepts_are_refused(concept):
    with pytest.raises(eq.AlgorithmError, match="linear programme finds Nash equilibria"):
        eq.exact("kuhn", concept=concept)
