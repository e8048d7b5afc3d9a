"""Units and scales: every function that takes payoffs, at payoffs × c: the same strategy and the value × c.

At powers of two, where no rounding changes, strategies are the same to the last bit.
"""

import re
import warnings
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.learn.explanation.story import tell_story
from equilibrist.play.hand import Move
from equilibrist.play.match import Payoff
from equilibrist.plot.pairs import strongest_interaction
from equilibrist.resolving.finer import FinerGame
from equilibrist.solving.sources import read_at_slots
from equilibrist.web.quality import find_fractions
from support.kuhn_cards import KuhnCards

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


@pytest.mark.thinned(8)
@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("concept", [lambda c: eq.Floors(0.02), lambda c: eq.LastIterate()])
def test_concepts_without_a_unit(c, concept):
    one, scaled = (eq.solve(kuhn(each), concept=concept(each), iterations=60) for each in (1.0, c))
    assert_alike(scaled.strategy, one.strategy, c)


@pytest.mark.thinned(8)
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


@pytest.mark.thinned(16)
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


@pytest.mark.thinned(4)
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
        (1.5e308, 1.5e308, 1e3),
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


# --- Runs that draw samples, other forms, and precisions ---


def assert_scaled(scaled, one, c):
    """See that a run is one of payoffs × c: the same play, and values × c."""
    assert_alike(scaled.strategy, one.strategy, c)
    assert scaled.iterations == one.iterations
    assert scaled.stop_reason == one.stop_reason
    assert scaled.zero_sum == one.zero_sum
    assert scaled.guarantee == one.guarantee
    assert np.array(scaled.value) / c == pytest.approx(np.array(one.value), rel=1e-6)
    if one.final.is_certified:
        assert scaled.nash_conv / c == pytest.approx(one.nash_conv, rel=1e-4)


@pytest.mark.thinned(12)
@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("way", ["external", "outcome", "external(tree=False)"])
def test_sampled_runs(c, way):
    one, scaled = (eq.solve(kuhn(e), sampling=way, iterations=80, seed=1) for e in (1.0, c))
    assert_scaled(scaled, one, c)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("c", SCALES)
def test_walked_runs(c):
    one, scaled = (eq.solve(kuhn(e), "cfr", form="walk", iterations=20) for e in (1.0, c))
    assert_scaled(scaled, one, c)


class ScaledKuhnCards(KuhnCards):
    """Kuhn poker with cards of 1 to 3, whose chips are worth c."""

    def __init__(self, c):
        super().__init__([[[0], [1], [2]]] * 2, cards=3)
        self.c = c

    def payoff(self, line):
        paid = super().payoff(line)
        if isinstance(paid, ShowdownPayoffs):
            return ShowdownPayoffs(*(tuple(self.c * each for each in pair) for pair in paid))
        return tuple(self.c * each for each in paid)


@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("form", ["public", "cards"])
def test_forms_of_cards(c, form):
    settings = {"form": form, "precision": "float64", "iterations": 60}
    one, scaled = (eq.solve(ScaledKuhnCards(e), **settings) for e in (1.0, c))
    assert_scaled(scaled, one, c)


def river(c):
    """A spot whose chips are worth c."""
    chips = {"pot": 100 * c, "stack": 200 * c}
    return eq.poker.Holdem("Td9d6hQc2s", "AA,KK", "QQ,JJ,98s", **chips, bets="100%; a")


@pytest.mark.parametrize("c", SCALES)
def test_spots(c):
    one, scaled = (eq.solve(river(e), precision="float64", iterations=60) for e in (1.0, c))
    assert_scaled(scaled, one, c)
    assert scaled.exploitability_percent == pytest.approx(one.exploitability_percent, rel=1e-4)
    nodes = [eq.poker.SolvedSpot(solution).node("") for solution in (one, scaled)]
    assert np.array(nodes[1].evs) / c == pytest.approx(np.array(nodes[0].evs), rel=1e-6)
    assert nodes[1].equities == pytest.approx(nodes[0].equities, rel=1e-9)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("c", [2.0**-30, 2.0**30])
@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_precisions_of_spots(c, precision):
    one, scaled = (eq.solve(river(e), precision=precision, iterations=60) for e in (1.0, c))
    assert_scaled(scaled, one, c)


@pytest.mark.parametrize("c", [2.0**-30, 2.0**40])
def test_runs_end_at_the_same_iteration(c):
    """By an exploitability × c; what a run of quantal responses ends by is a probability."""
    one, scaled = (eq.solve(kuhn(e), until=0.01 * e) for e in (1.0, c))
    assert_scaled(scaled, one, c)
    quantal = {"until": 1e-9, "iterations": 20_000}
    one, scaled = (eq.solve(kuhn(e), concept=eq.QRE(1e-4 * e), **quantal) for e in (1.0, c))
    assert one.stop_reason == "iterations"  # it gets nearer so slowly, far from any rounding
    assert_scaled(scaled, one, c)


# --- What is told of play ---


@pytest.mark.parametrize("c", SCALES)
def test_comparisons(c):
    results = []
    for each in (1.0, c):
        comparison = eq.compare(kuhn(each), algorithms=["cfr", "cfr+"], iterations=40)
        results.append([curve.last.exploitability / each for curve in comparison.results])
    assert results[1] == pytest.approx(results[0], rel=1e-6)


@pytest.mark.parametrize("c", SCALES)
def test_matches_with_luck_taken_out(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    matches = []
    for each in (1.0, c):
        settings = {"against": {}, "missing": "uniform", "hands": 500, "seed": 1}
        match = eq.play_match(kuhn(each), strategy, variance=eq.AIVAT(sides=()), **settings)
        matches.append(match.overall)
    one, scaled = matches
    for told, expected in ((scaled, one), (scaled.aivat, one.aivat)):
        assert told.mean / c == pytest.approx(expected.mean, rel=1e-9)
        assert told.standard_error / c == pytest.approx(expected.standard_error, rel=1e-9)
        assert told.exact / c == pytest.approx(expected.exact, rel=1e-9)
        assert told.z_score == pytest.approx(expected.z_score, rel=1e-6)
        assert told.holds_exact == expected.holds_exact
    assert scaled.worth == pytest.approx(one.worth, rel=1e-6)


@pytest.mark.parametrize("c", [1e-15, 1e-9, 1.0, 1e9])
def test_intervals_do_not_hold_what_lies_outside(c):
    outside = Payoff(100, 0.0, 0.1 * c, 0.5 * c, largest=c)
    assert outside.holds_exact is False
    assert outside.z_score == pytest.approx(-5.0)
    rounded = Payoff(100, 1e-17 * c, 1e-19 * c, 0.0, largest=c)
    assert rounded.holds_exact is True
    assert rounded.z_score is None


@pytest.mark.parametrize("c", [1e-15, 1e-9, 1.0, 1e9])
def test_the_best_actions(c):
    values = (0.5 * c, 0.75 * c, -2.0 * c, 0.75 * c * (1 + 1e-12))
    move = Move(0, "I", ("a", "b", "c", "d"), 0, action_values=values)
    assert move.best == ("b", "d")


@pytest.mark.parametrize("c", SCALES)
def test_action_values(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    tables = []
    for each in (1.0, c):
        told = eq.evaluate(kuhn(each), strategy, action_values=True, off_path=True)
        values = [row["value"] / each for row in told.action_values.rows()]
        gains = [row["gain"] / each for row in told.off_path.rows()]
        tables.append([values, gains])
    assert np.concatenate(tables[1]) == pytest.approx(np.concatenate(tables[0]), abs=1e-12)


@pytest.mark.parametrize("c", SCALES)
def test_local_best_responses(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    gains = []
    for each in (1.0, c):
        response = eq.local_best_response(kuhn(each), strategy, hands=None)
        gains.append([response.gains[player].gain / each for player in range(2)])
    assert gains[1] == pytest.approx(gains[0], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("c", [2.0**-30, 1e9])
def test_fitted_quantal_responses(c):
    """The precision is per unit of payoff."""
    counts = {"J": {"pass": 70, "bet": 30}, "Jb": {"fold": 90, "call": 10}}
    one, scaled = (eq.fit_qre(kuhn(each), counts) for each in (1.0, c))
    assert scaled.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-9)
    assert scaled.precision * c == pytest.approx(one.precision, rel=1e-9)
    assert_alike(scaled.solution.strategy, one.solution.strategy, c)


@pytest.mark.parametrize("temperature", [1e9, 1e10, 1e11])
def test_values_of_quantal_responses_are_right_to_rounding_of_what_is_paid(temperature):
    """Payoffs of 1e12 that are hardly ever paid: values are right up to rounding of E|payoff|.

    They are negatives of each other up to that, which is more where nearly all of it cancels.
    """
    game = "matrix(payoffs=[[1e12, -1], [-1, 1]])"
    solution = eq.solve(game, concept=eq.QRE(temperature), until=1e-9, iterations=20_000)
    first = [Fraction(float(p)) for p in solution.strategy.probabilities[:2]]
    second = [Fraction(float(p)) for p in solution.strategy.probabilities[2:]]
    payoffs = [[Fraction(1e12), Fraction(-1)], [Fraction(-1), Fraction(1)]]
    terms = [first[i] * second[j] * payoffs[i][j] for i in range(2) for j in range(2)]
    rounding = 4 * 2.0**-53 * float(sum(map(abs, terms)))
    assert abs(solution.value[0] - float(sum(terms))) <= rounding
    assert abs(solution.value[1] + float(sum(terms))) <= rounding


# --- Teams ---


class Partners:
    """Player 0 sees a coin and says a side, player 1 guesses, and 2, who saw nothing, answers."""

    players = 3

    def __init__(self, c):
        self.c = c

    def start(self):
        return ""

    def player(self, state):
        return (eq.CHANCE, 0, 1, 2, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return "ht"

    def probabilities(self, state):
        return [0.5, 0.5]

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        coin, said, guess, answer = state
        won = (3 if coin == "h" else 2) * (answer == coin) + 0.7 * (said == coin)
        won -= (guess == said) + (guess == answer)
        return [self.c * won / 2, -self.c * won, self.c * won / 2]

    def infoset(self, state):
        return state if len(state) == 1 else str(len(state))


@pytest.mark.thinned(5)
@pytest.mark.parametrize("c", [*SCALES, 1e-15])
def test_teams_of_partners(c):
    strategy = eq.solve(Partners(1.0), "cfr", iterations=5).strategy
    told = []
    for each in (1.0, c):
        result = eq.team_equilibrium(Partners(each), "0,2/1")
        assert abs(result.gap) <= 1e-9 * each
        responses = eq.team_responses(Partners(each), strategy, "0,2/1", starts=4)
        numbers = [
            (r.value / each, r.best_response_value / each, r.upper_bound / each) for r in responses
        ]
        told.append((result.value / each, numbers, [r.is_exact for r in responses]))
    assert told[1][0] == pytest.approx(told[0][0], rel=1e-9)
    assert np.array(told[1][1]) == pytest.approx(np.array(told[0][1]), rel=1e-9)
    assert told[1][2] == told[0][2]
    assert any(upper > best + 1e-3 for _, best, upper in told[0][1])  # telling earns more there
    assert not all(told[0][2])


# --- Parts that are solved again ---


@pytest.mark.thinned(4)
@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("method", ["refined", "resolve", "maxmargin", "reach"])
def test_methods_of_resolving(c, method):
    strategy = eq.solve("kuhn", iterations=5).strategy
    told = []
    for each in (1.0, c):
        part = eq.resolve(strategy, "Qp", player=1, game=kuhn(each), method=method)
        after = eq.evaluate(kuhn(each), eq.splice(strategy, part))
        told.append((after.exploitability / each, *(part.part.blueprint / each)))
    assert told[1] == pytest.approx(told[0], rel=1e-6)


@pytest.mark.parametrize("c", [1e-15, 1e-9, 1.0, 1e9])
def test_games_with_other_payoffs_are_not_finer_ones(c):
    coarse, finer = (
        eq.compile_game(each, keep_tree=True)
        for each in (kuhn(c), Times(eq.load("kuhn"), 1.001 * c))
    )
    FinerGame(coarse, coarse)
    with pytest.raises(eq.GameError, match="the same plays have other payoffs"):
        FinerGame(coarse, finer)


# --- What is said of payoffs ---


@pytest.mark.parametrize("c", [1e-13, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("form", ["sequence", "walk"])
def test_what_sums_to_zero(c, form):
    """Also where payoffs are rounded, and where large ones stand beside those that do not."""
    pennies = [[c / 3, -c / 7], [-c / 7, c / 3]]
    other = [[-x * (1 + 2**-52) for x in row] for row in pennies]
    zero = eq.evaluate(matrix(pennies, 1.0, other), {}, missing="uniform", form=form)
    assert zero.zero_sum
    general = matrix([[1e3 * c, c], [0.0, 1.0 * c]], 1.0, [[-1e3 * c, c], [0.0, c]])
    assert not eq.evaluate(general, {}, missing="uniform", form=form).zero_sum
    assert not eq.solve(general, "cfr", form=form, iterations=1).zero_sum


@pytest.mark.parametrize("c", [2.0**-50, 2.0**-20, 2.0**20])
def test_fractions_of_values(c):
    """Only numbers of about 1 have simple fractions; small ones are not all called 0."""
    solution = eq.solve(kuhn(1.0), "pcfr+", iterations=200)
    assert find_fractions(solution) == ["-1/18", "1/18"]
    assert find_fractions(eq.solve(kuhn(c), "pcfr+", iterations=200)) == [None, None]
    pennies = matrix(((1.0, -1.0), (-1.0, 1.0)), c)
    assert find_fractions(eq.solve(pennies, "cfr", iterations=10)) == ["0", "0"]


def sentences(c):
    """Return the sentences that tell an iteration, without their numbers."""
    number = r"−?\d+(,\d{3})*(\.\d+)?(e[+−-]?\d+)?"
    steps = tell_story(eq.learn.explain(kuhn(c), "cfr+", iteration=3))
    return [re.sub(number, "#", step.sentence) for step in steps]


@pytest.mark.parametrize("c", [2.0**-50, 2.0**30])
def test_stories_of_iterations(c):
    expected = sentences(1.0)
    assert sentences(c) == expected
    assert any("floored" in sentence for sentence in expected)
    assert not any("estimated" in sentence for sentence in expected)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("c", [2.0**-50, 2.0**30])
def test_the_landscape_of_payoffs(c):
    strategy = eq.solve("kuhn", iterations=5).strategy
    choices, pictures = [], []
    for each in (1.0, c):
        form = eq.compile_game(kuhn(each), keep_tree=True)
        choices.append(strongest_interaction(form, read_at_slots(strategy, form)))
        figure = eq.plot.landscape(form, *choices[-1], strategy=strategy, points=3)
        drawn = figure.axes[0].get_children()
        pictures.append({type(each).__name__ for each in drawn})  # but for how many labels fit
    assert choices[1] == choices[0]
    assert "Quiver" in pictures[0]
    assert pictures[1] == pictures[0]
