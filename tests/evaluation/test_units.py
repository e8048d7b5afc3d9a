"""Units and scales: every function that takes payoffs, at payoffs × c: the same strategy and the value × c.

At powers of two, where no rounding changes, strategies are the same to the last bit.
"""

import warnings
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import equilibrist as eq

SCALES = [1e-9, 2.0**-30, 2.0**30, 1e9]
PENNIES = ((2.0, -1.0), (-1.0, 1.0))  # the value is 1/5, both play the first with 2/5
HAWKS = ((0.0, 4.0), (1.0, 3.0))  # chicken: the best correlated equilibrium has the sum 16/3


def matrix(rows, c=1.0, second=None):
    other = "" if second is None else f", payoffs2={[[c * x for x in row] for row in second]}"
    return f"matrix(payoffs={[[c * x for x in row] for row in rows]}{other})"


def chicken(c):
    return matrix(HAWKS, c, np.array(HAWKS).T.tolist())


class Times:
    """A game whose payoffs are × c."""

    def __init__(self, game, c):
        self.game, self.c = game, c
        self.players = game.players

    def __getattr__(self, name):
        return getattr(self.__dict__["game"], name)

    def payoffs(self, state):
        return [self.c * payoff for payoff in self.game.payoffs(state)]


def kuhn(c):
    return Times(eq.load("kuhn"), c)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


def is_power_of_two(c):
    return float(np.frexp(c)[0]) == 0.5


def assert_alike(strategy, expected, c):
    mine, other = strategy.probabilities, expected.probabilities
    if is_power_of_two(c):
        assert (mine == other).all()
    else:
        assert mine == pytest.approx(other, abs=1e-7)


@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr+", "pcfr+"])
def test_cfr(c, algorithm):
    one, scaled = (eq.solve(kuhn(each), algorithm, iterations=60) for each in (1.0, c))
    assert_alike(scaled.strategy, one.strategy, c)
    assert scaled.value == pytest.approx([c * value for value in one.value], rel=1e-6)
    assert scaled.nash_conv == pytest.approx(c * one.nash_conv, rel=1e-4)


@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("concept", [lambda c: eq.Floors(0.02), lambda c: eq.LastIterate()])
def test_concepts_without_a_unit(c, concept):
    one, scaled = (eq.solve(kuhn(each), concept=concept(each), iterations=60) for each in (1.0, c))
    assert_alike(scaled.strategy, one.strategy, c)


@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("dilated", [False, True])
def test_quantal_responses_whose_temperature_has_the_unit(c, dilated):
    one, scaled = (
        eq.solve(kuhn(e), concept=eq.QRE(0.5 * e, dilated=dilated), iterations=300)
        for e in (1.0, c)
    )
    assert scaled.strategy.probabilities == pytest.approx(one.strategy.probabilities, abs=1e-6)


@pytest.mark.parametrize("c", [*SCALES, 1e-300, 1e299])
def test_exact(c):
    solution = eq.exact(matrix(PENNIES, c))
    assert solution.value == pytest.approx((c / 5, -c / 5), rel=1e-9)
    assert solution.nash_conv <= 1e-9 * c


@pytest.mark.parametrize("c", [*SCALES, 1e-300, 3e-310, 1e155, 1e299])
@pytest.mark.parametrize("kind", ["efce", "efcce", "nfcce", "ce"])
def test_correlated(c, kind):
    """2 × 2 by hand; a guarantee says the gain that was computed."""
    result = eq.correlated_equilibrium(matrix(PENNIES, c), kind)
    assert result.value == pytest.approx((c / 5, -c / 5), rel=1e-9)
    assert result.largest_gain <= 1e-12 * c
    assert (f"{result.largest_gain:.3g}" in result.guarantee) == (result.largest_gain > 0)
    assert {payoff for outcome in result.outcomes for payoff in outcome.payoffs} <= {
        2 * c,
        -2 * c,
        c,
        -c,
    }
    if kind in ("efce", "ce"):
        assert sum(eq.correlated_equilibrium(chicken(c), kind).value) == pytest.approx(
            16 / 3 * c, rel=1e-9
        )


def test_correlated_where_players_have_other_units():
    """Deviations of each compare payoffs of their own: no unit of the other changes who follows."""
    second = (1e-9 * np.array(HAWKS).T).tolist()
    result = eq.correlated_equilibrium(matrix(HAWKS, 1.0, second), objective="player 1")
    alike = eq.correlated_equilibrium(chicken(1.0), objective="player 1")
    assert result.value[1] == pytest.approx(1e-9 * alike.value[1], rel=1e-9)
    assert max(d.gain for d in result.deviations if d.player == 1) <= 1e-20


@pytest.mark.parametrize("c", [*SCALES, 1e-300, 1e299])
def test_teams(c):
    result = eq.team_equilibrium(matrix(PENNIES, c), "0/1")
    assert result.value == pytest.approx(c / 5, rel=1e-9)
    assert abs(result.gap) <= 1e-9 * c


@pytest.mark.parametrize("c", SCALES)
def test_regret_dynamics(c):
    one, scaled = (
        eq.correlated_equilibrium(kuhn(e), method=eq.TriggerRegrets(50)) for e in (1.0, c)
    )
    assert scaled.largest_gain == pytest.approx(c * one.largest_gain, rel=1e-6)


@pytest.mark.parametrize("c", SCALES)
def test_resolving(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    values = []
    for each in (1.0, c):
        part = eq.resolve(strategy, "Qp", player=1, game=kuhn(each))
        after = eq.evaluate(kuhn(each), eq.splice(strategy, part))
        assert part.part.excess <= 1e-9 * each
        values.append(
            (after.exploitability / each, *(part.part.blueprint / each), *(part.part.weight))
        )
    assert values[1] == pytest.approx(values[0], rel=1e-9)


@pytest.mark.parametrize("c", SCALES)
def test_evaluations(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    one, scaled = (eq.evaluate(kuhn(each), strategy) for each in (1.0, c))
    assert scaled.value == pytest.approx([c * value for value in one.value], rel=1e-12)
    assert scaled.nash_conv == pytest.approx(c * one.nash_conv, rel=1e-12)
    teams = [eq.team_responses(kuhn(each), strategy, "0/1", starts=0) for each in (1.0, c)]
    assert [t.gain for t in teams[1]] == pytest.approx([c * t.gain for t in teams[0]], rel=1e-9)
    assert all(t.is_exact for t in teams[1])


@pytest.mark.parametrize("c", SCALES)
def test_prizes_and_chips(c):
    assert eq.poker.icm([50, 30, 20], [50 * c, 30 * c, 20 * c]) == pytest.approx(
        c * eq.poker.icm([50, 30, 20], [50, 30, 20])
    )
    assert eq.poker.icm([50 * c, 30 * c, 20 * c], [50, 30, 20]) == pytest.approx(
        eq.poker.icm([50, 30, 20], [50, 30, 20])
    )


@pytest.mark.parametrize(
    "stacks",
    [
        (1e-12, 0, 1),
        (1, 0, 1e13),
        (1e-15, 1e-3, 1),
        (1e300, 1e-5, 1),
        (1e308, 1e308, 1e308),
        (3, 1e-20, 1e-20),
    ],
)
def test_icm_of_tiny_stacks_in_fractions(stacks):
    """All orders in which players may finish, in fractions."""
    prizes = (Fraction(50), Fraction(3))
    worth = [Fraction(0)] * len(stacks)
    chips = [Fraction(float(stack)) for stack in stacks]
    for order in permutations(range(len(stacks))):
        probability, remaining = Fraction(1), list(range(len(stacks)))
        for player in order:
            total = sum(chips[other] for other in remaining)
            probability *= chips[player] / total if total else Fraction(1, len(remaining))
            remaining.remove(player)
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += probability * prize
    assert eq.poker.icm(list(stacks), [50, 3]) == pytest.approx(
        [float(each) for each in worth], rel=1e-12
    )


@pytest.mark.parametrize("large", [1e3, 1e9, 1e12, 1e20, 1e100, 1e250])
def test_exact_is_right_or_says_that_it_is_not(large):
    """The value is (B - 1) / (B + 3), by hand."""
    game = f"matrix(payoffs=[[{large!r}, -1], [-1, 1]])"
    if large >= 1e12:
        with pytest.raises(eq.EquilibristError, match="found no equilibrium"):
            eq.exact(game)
        return
    solution = eq.exact(game)
    assert solution.value[0] == pytest.approx((large - 1) / (large + 3), rel=1e-6)
    assert solution.nash_conv <= 1e-6


def test_payoffs_that_cannot_be_added_up_are_refused():
    for solve in (eq.exact, eq.correlated_equilibrium, lambda game: eq.solve(game, iterations=1)):
        with pytest.raises(
            eq.GameError, match=r"payoffs may be up to 1e\+300 in size.*got 1.7e\+308"
        ):
            solve("matrix(payoffs=[[1.7e308, -1], [-1, 1]])")
