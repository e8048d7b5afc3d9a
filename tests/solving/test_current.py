"""The strategy that is played last, and runs in which it is the answer: `solution.current`, `concept=eq.QRE(0)`."""

import numpy as np
import pytest
from tests.support.reference import CFR

import equilibrist as eq

RIVER = "holdem(board='Td9d6hQc2s', oop='AA,KK,A5s', ip='QJs,99,KQs', pot=100, stack=200, bets='100%; a')"


@pytest.mark.parametrize("name", ["cfr", "cfr+", "pcfr+"])
def test_it_is_what_a_plain_recursion_plays_next(name):
    reference = CFR(eq.load("kuhn"), eq.ALGORITHMS[name])
    for _ in range(30):
        reference.iterate()
    current = eq.solve("kuhn", name, iterations=30).current
    for (player, key), played in reference.strategy.items():
        np.testing.assert_allclose(
            list(current[player, key].values()), list(played.values()), atol=1e-12
        )


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("leduc", {}),
        ("leduc", {"sampling": "external"}),
        ("leduc", {"sampling": "external(tree=False)"}),
        ("liars_dice(faces=3)", {"form": "public"}),
        ("kuhn", {"concept": "qre(0)"}),
        (RIVER, {}),
    ],
)
def test_a_saved_run_has_the_same(game, options, tmp_path):
    solution = eq.solve(game, iterations=20, **options)
    solution.save(tmp_path)
    loaded = eq.load_solution(tmp_path)
    np.testing.assert_array_equal(solution.current.probabilities, loaded.current.probabilities)
    assert list(solution.current) == list(solution.strategy)
    difference = np.abs(solution.current.probabilities - solution.strategy.probabilities).max()
    assert (difference > 1e-3) == ("concept" not in options)


def test_forms_agree_on_it():
    cards, sequences = (
        eq.solve(RIVER, "cfr+", iterations=50, form=form, precision="float64")
        for form in ("cards", "sequence")
    )
    assert eq.evaluate(RIVER, cards.current).nash_conv == pytest.approx(
        eq.evaluate(RIVER, sequences.current).nash_conv, abs=1e-8
    )


def test_an_exact_solution_plays_nothing_next():
    with pytest.raises(eq.SolutionError, match="holds no tables"):
        _ = eq.exact("kuhn").current


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("game", "iterations"),
    [("kuhn", 4096), ("leduc", 8192), ("liars_dice(faces=3)", 2048), ("goofspiel(cards=4)", 4096)],
)
def test_what_is_played_last_approaches_an_equilibrium(game, iterations):
    """With a temperature that falls without end; by CFR it does not, or not so near."""
    solution = eq.solve(game, concept=eq.QRE(0), iterations=iterations)
    scale = eq.compile_game(eq.load(game)).largest_payoff
    assert solution.exploitability < 1e-3 * scale
    assert solution.exploitability < 0.1 * solution.trace[8].exploitability
    assert solution.value[0] == pytest.approx(eq.exact(game).value[0], abs=1e-3 * scale)
    np.testing.assert_allclose(
        solution.current.probabilities, solution.strategy.probabilities, atol=1e-12
    )


def test_until_counts_the_exploitability():
    solution = eq.solve("kuhn", concept="qre(0)", until=1e-3)
    assert solution.stop_reason == "until"
    assert solution.exploitability <= 1e-3
    assert solution.algorithm == "mmd"
    assert "qre_gap" not in solution.final.measures
    assert solution.guarantee.startswith("Two-player zero-sum: a Nash equilibrium")


def test_it_goes_on_bit_for_bit(tmp_path):
    eq.solve("leduc", concept="qre(0)", iterations=100, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=400)
    whole = eq.solve("leduc", concept="qre(0)", iterations=400)
    np.testing.assert_array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)


def test_no_gap_tells_of_the_limit():
    with pytest.raises(eq.AlgorithmError, match="with a temperature above 0"):
        eq.solve("kuhn", concept="qre(0)", until=eq.QREGap(1e-3))


@pytest.mark.parametrize("text", ["qre(-1)", "qre(0%)", "qre()", "qre(x)"])
def test_wrong_temperatures_are_refused(text):
    with pytest.raises(eq.AlgorithmError):
        eq.solve("kuhn", concept=text)
