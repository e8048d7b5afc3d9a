"""What takes a strategy takes a result that has one: a solution, an answer to an opponent, a solution in fractions."""

import pytest

import equilibrist as eq

TREELESS = "external(tree=False)"


@pytest.fixture(scope="module")
def solution():
    return eq.solve("kuhn", "cfr+", iterations=50)


USES = {
    "evaluate": lambda source: eq.evaluate("kuhn", source).nash_conv,
    "walk": lambda source: eq.evaluate("kuhn", source, form="walk").nash_conv,
    "fractions": lambda source: eq.evaluate("kuhn", source, rational=True).nash_conv,
    "team_responses": lambda source: eq.team_responses("kuhn", source, teams=[[0], [1]])[0].gain,
    "local_best_response": lambda source: (
        eq.local_best_response("kuhn", source, hands=None).exploitability
    ),
    "play_match": lambda source: (
        eq.play_match("kuhn", source, against=source, hands=40, seed=1).summary()
    ),
    "baseline": lambda source: (
        eq.play_match(
            "kuhn", source, against={}, hands=40, seed=1, missing="uniform",
            variance=eq.AIVAT(baseline=source),
        ).summary()
    ),
    "exploit": lambda source: eq.exploit("kuhn", source, trust=0.9).gain,
    "landscape": lambda source: len(eq.plot.landscape("kuhn", strategy=source).axes),
    "strategy": lambda source: len(eq.plot.strategy(source, game="kuhn").axes),
    "tree": lambda source: len(eq.plot.tree("kuhn", source).axes),
}  # fmt: skip


@pytest.mark.thinned(4)
@pytest.mark.parametrize("use", USES)
def test_a_solution_is_its_strategy(use, solution):
    assert USES[use](solution) == USES[use](solution.strategy)


def test_other_results_hold_strategies_as_well():
    answer = eq.exploit("kuhn", eq.solve("kuhn", iterations=3), trust=0.9)
    assert eq.evaluate("kuhn", answer).value == eq.evaluate("kuhn", answer.strategy).value
    in_fractions = eq.exact("kuhn", rational=True)
    assert eq.evaluate("kuhn", in_fractions).exploitability == pytest.approx(0, abs=1e-15)
    options = {"against": {}, "missing": "uniform", "hands": 10, "seed": 1}
    match = eq.play_match("kuhn", answer, **options)
    assert match.summary() == eq.play_match("kuhn", answer.strategy, **options).summary()


def test_a_solution_without_a_tree_plays_uniformly_where_it_has_met_nothing():
    met = eq.solve("leduc", "cfr", sampling=TREELESS, iterations=3, seed=1)
    assert not met.is_complete
    completed = eq.evaluate("leduc", met.strategy, missing="uniform")
    for form in ("sequence", "walk"):
        assert eq.evaluate("leduc", met, form=form).nash_conv == pytest.approx(
            completed.nash_conv, abs=1e-12
        )
    with pytest.raises(eq.SolutionError, match="The strategy lacks"):
        eq.evaluate("leduc", met.strategy)
    assert eq.evaluate(
        "kuhn", eq.solve("kuhn", "cfr", sampling=TREELESS, iterations=3), rational=True
    )


def test_what_is_no_strategy_is_said_to_be_none(solution):
    with pytest.raises(eq.SolutionError, match=r"a result that has one \(a Solution\).*got 3"):
        eq.evaluate("kuhn", 3)
    with pytest.raises(eq.SolutionError, match="got <Trace"):
        eq.evaluate("kuhn", solution.trace)
