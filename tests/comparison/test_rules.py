"""Comparisons of rules of one's own: beside algorithms, from files, and where one of them fails on the way."""

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import equilibrist as eq

EXAMPLES = Path(__file__).parents[2] / "examples" / "rules.py"

FAILING = '''
import numpy as np

class Failing:
    """Plays uniformly before an iteration, and no distribution from there on."""

    def __init__(self, at=20):
        self.at = at

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions)}

    def strategy(self, state, t):
        infosets, actions = state["regret"].shape
        probability = 1 / actions if t < self.at else np.nan
        return np.full((infosets, actions), probability)

    def observe(self, state, strategy, values, t):
        return state
'''
REASON = r"nan.* in iteration 20 on kuhn"

pytestmark = pytest.mark.usefixtures("somewhere")


@pytest.fixture
def failing_rule():
    """Write the file of the failing rule, and return its class."""
    Path("failing.py").write_text(FAILING, encoding="utf-8")
    names = {}
    exec(FAILING, names)
    return names["Failing"]


def traces(comparison):
    """Return the points of each run by its algorithm, without what depends on the clock."""
    return {
        run.algorithm: [point._replace(seconds=0) for point in run.trace] for run in comparison.runs
    }


def test_rules_in_files_stand_beside_algorithms():
    place = f"{EXAMPLES}:Hedge(eta=0.5)"
    comparison = eq.compare("kuhn", algorithms=["cfr", place], iterations=50)
    expected = eq.solve("kuhn", rule=place, iterations=50)
    assert [run.algorithm for run in comparison.runs] == ["cfr", "Hedge(eta=0.5)"]
    assert comparison.runs[1].trace[-1].nash_conv == expected.nash_conv
    in_text = eq.compare("kuhn", algorithms=f"cfr,{place}", iterations=50)
    assert traces(in_text) == traces(comparison)


@pytest.mark.slow
def test_rules_in_files_travel_between_processes():
    asked = {"algorithms": f"cfr,{EXAMPLES}:Hedge(eta=0.5)", "iterations": 50}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert traces(eq.compare("kuhn", **asked, executor=executor)) == traces(
            eq.compare("kuhn", **asked)
        )


@pytest.mark.parametrize("threads", [0, 2])
def test_a_rule_that_fails_fails_alone(failing_rule, threads):
    asked = {"algorithms": [failing_rule(), "cfr", "dcfr"], "iterations": 50}
    if threads:
        with ThreadPoolExecutor(threads) as executor:
            comparison = eq.compare("kuhn", **asked, executor=executor)
    else:
        comparison = eq.compare("kuhn", **asked)
    (failed,) = comparison.failed
    assert failed.algorithm == "Failing(at=20)"
    assert not failed.finished
    assert failed.trace == ()
    assert [curve.algorithm for curve in comparison.results] == ["dcfr", "cfr"]
    assert all(curve.finished for curve in comparison.curves)
    assert comparison.finished  # it was not interrupted
    with pytest.raises(eq.AlgorithmError, match=REASON):
        raise eq.AlgorithmError(failed.error)


def test_a_rule_that_failed_is_tried_again_and_the_others_are_not(failing_rule, undrawn):
    asked = {"algorithms": ["cfr", "failing.py:Failing()"], "iterations": 50, "save": "out"}
    begun = []
    watch = eq.Callbacks(on_run=lambda run, *_: begun.append(run.algorithm))
    first = eq.compare("kuhn", **asked)
    again = eq.compare("kuhn", **asked, callbacks=watch)
    assert begun == ["Failing(at=20)"]
    assert again.failed[0].error == first.failed[0].error
    Path("failing.py").write_text(FAILING.replace("np.nan", "1 / actions"), encoding="utf-8")
    mended = eq.compare("kuhn", **asked)
    assert mended.failed == ()
    assert [run.finished for run in mended.runs] == [True, True]


@pytest.mark.parametrize("at", [1, 2])
def test_a_rule_that_fails_at_once_has_failed_and_was_not_skipped(failing_rule, at):
    comparison = eq.compare("kuhn", algorithms=["cfr", failing_rule(at=at)], iterations=50)
    assert [run.algorithm for run in comparison.failed] == [f"Failing(at={at})"]
    assert comparison.skipped == ()
    assert [curve.algorithm for curve in comparison.results] == ["cfr"]


def test_where_all_fail_the_comparison_does(failing_rule):
    with pytest.raises(eq.AlgorithmError, match=REASON) as caught:
        eq.compare("kuhn", algorithms=failing_rule(), iterations=50)
    assert not caught.value.wrong_use


def test_an_error_of_a_callback_is_no_failure_of_a_rule(failing_rule):
    def complain(point):
        raise ZeroDivisionError("of the caller")

    with pytest.raises(ZeroDivisionError, match="of the caller"):
        eq.compare("kuhn", algorithms="cfr,dcfr", iterations=50, callbacks=complain)


def test_the_command_compares_rules_and_says_which_failed(run, failing_rule):
    ran = run("compare", "kuhn", "-a", f"cfr,{EXAMPLES}:Hedge(eta=2)", "-n", 30, "--json")
    assert ran.code == 0
    summary = json.loads(ran.out)
    assert {result["algorithm"] for result in summary["results"]} == {"cfr", "Hedge(eta=2)"}
    ran = run("compare", "kuhn", "-a", "failing.py:Failing,cfr", "-n", 30)
    assert ran.code == 1
    assert "Failed Failing(at=20), full: " in ran.out
    assert "iteration 20 on kuhn" in " ".join(ran.out.split())
    assert "Interrupted" not in ran.out
    ran = run("compare", "kuhn", "-a", "failing.py:Filing,cfr", "-n", 30)
    assert ran.code == 2
    assert "Failing" in ran.err  # which was meant
