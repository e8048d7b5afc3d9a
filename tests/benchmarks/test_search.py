"""The search for an algorithm: what it counts, what it can express, and that a study goes on as if nothing had been."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import equilibrist as eq

optuna = pytest.importorskip("optuna", reason="the search needs Optuna, of the extra 'search'")
sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.search import counting, judgement, space, study  # noqa: E402
from benchmarks.search.games import HELD_OUT, TRAINING  # noqa: E402

GAMES = {"pennies": "matching_pennies", "rps": "biased_rps"}
LIMIT = counting.Limit(times=2, iterations=200, nodes=1e9)
SETUP = study.Setup(seed=3, planned=False, at_once=1)


@pytest.fixture(scope="module")
def counted():
    return counting.compiled_goals(GAMES, LIMIT, None)


def tried(path, counted, *, trials):
    """Return parameters and values of the trials of a study with so many."""
    goals, reference = counted
    found = study.open_study(path, SETUP, goals)
    study.search(found, goals, reference, SETUP, trials=trials)
    return found, [
        (trial.params, trial.value, trial.state)
        for trial in found.trials
        if trial.state.name != "FAIL"
    ]


def test_an_interrupted_study_goes_on_as_if_nothing_had_been(tmp_path, counted, monkeypatch):
    monkeypatch.setattr(study, "seeds", lambda *, planned: [eq.ALGORITHMS["pcfr+"]])
    monkeypatch.setattr(study, "_RANDOM", 1)  # the third trial follows from the first two
    _, whole = tried(tmp_path / "whole.journal", counted, trials=3)
    cut, _ = tried(tmp_path / "cut.journal", counted, trials=2)
    cut.ask()  # killed in the middle of a trial
    _, resumed = tried(tmp_path / "cut.journal", counted, trials=3)
    assert len(whole) == 3
    assert resumed == whole
    assert whole[0][0] == space.parameters(eq.ALGORITHMS["pcfr+"])
    assert whole[1][0] != whole[2][0]


def test_a_study_of_other_games_is_refused(tmp_path, counted):
    goals, _ = counted
    study.open_study(tmp_path / "one.journal", SETUP, goals)
    with pytest.raises(eq.SolutionError, match="holds a study with another games"):
        study.open_study(tmp_path / "one.journal", SETUP, goals[:1])
    with pytest.raises(eq.SolutionError, match="There is no study"):
        study.read_study(tmp_path / "none.journal")


@pytest.mark.parametrize("planned", [False, True])
def test_published_algorithms_are_in_the_space(planned):
    for algorithm in space.seeds(planned=planned):
        made = space.suggest(optuna.trial.FixedTrial(space.parameters(algorithm)), planned=planned)
        assert (
            made.steps(1, 50, horizon=50)._asdict().keys()
            == algorithm.steps(1, 50, horizon=50)._asdict().keys()
        )
        for mine, theirs in zip(
            made.steps(1, 50, horizon=50), algorithm.steps(1, 50, horizon=50), strict=True
        ):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12)
        assert (made.floor, made.predict) == (algorithm.floor, algorithm.predict)


def test_iterations_are_read_off_the_way_down(counted):
    goal = counted[0][0]._replace(most=10)
    largest = goal.form.largest_payoff
    falling = [(n, 3 * largest / n) for n in (1, 2, 4, 8, 1000)]
    assert counting.needed(falling, goal) == pytest.approx(
        [3 / precision for precision in counting.PRECISIONS]
    )
    assert counting.needed([(1, -1e-17)], goal) == [1, 1, 1, 1]


def test_exploitabilities_on_the_way_are_those_of_solve(counted):
    goals, reference = counted
    for name in ("sapcfr+", "hs-pcfr+"):
        algorithm, goal = eq.ALGORITHMS[name], goals[1]
        way = counting.ways_down([algorithm], [goal], None)[name, goal.name]
        iterations, exploitability = way[-1]
        assert (
            eq.solve(goal.form, algorithm, iterations=int(iterations)).exploitability
            == exploitability
        )
        assert exploitability <= goal.until or iterations == goal.most
    assert counting.log_ratio(reference["rps"], reference["rps"]) == 0


def test_means_over_games_have_the_interval_of_a_t_test():
    taken = {
        "candidate": {"a": [2.0] * 4, "b": [3.0] * 4, "c": [2.5] * 4},
        "cfr": {"a": [4.0] * 4, "b": [3.0] * 4, "c": [9.0] * 4},
    }
    found = judgement.over_games({"taken": taken, "seconds": {}}, "cfr")
    expected = stats.ttest_1samp(np.log([2 / 4, 3 / 3, 2.5 / 9]), 0).confidence_interval(0.95)
    assert math.log(found.mean) == pytest.approx(np.log([0.5, 1, 2.5 / 9]).mean())
    assert (math.log(found.low), math.log(found.high)) == pytest.approx(
        (expected.low, expected.high)
    )


def test_games_are_held_out():
    assert len(HELD_OUT) == 8
    assert not set(HELD_OUT.values()) & set(TRAINING)
