"""Certificates of runs without a tree: the same numbers as with one, as often as their cost allows."""

import math

import pytest

import equilibrist as eq
from equilibrist.form.walk import compiled, hashed
from equilibrist.form.walk.walk import WalkEstimate
from equilibrist.solving import run

WAY = "external(tree=False)"


@pytest.mark.thinned(3)
@pytest.mark.parametrize("game", ["kuhn", "leduc", "dark_hex(size=2)"])
def test_certificates_are_those_of_the_tree(game):
    solution = eq.solve(game, "cfr", sampling=WAY, until=1e-9, iterations=60, seed=2)
    plain = eq.solve(game, "cfr", sampling=WAY, iterations=60, seed=2)
    assert solution.stop_reason == "iterations"
    assert dict(solution.strategy) == dict(plain.strategy)  # a certificate changes nothing
    assert [point.iteration for point in solution.trace] == [
        point.iteration for point in plain.trace
    ]
    expected = eq.evaluate(game, solution.strategy, missing="uniform")
    assert solution.final.value == pytest.approx(expected.value, abs=1e-12)
    assert solution.nash_conv == pytest.approx(expected.nash_conv, abs=1e-12)
    assert solution.exploitability == solution.final.measures["exploitability"]
    assert "walking the whole game" in solution.guarantee
    assert math.isnan(plain.exploitability)
    assert not plain.final.is_certified
    assert "nothing is proved" in plain.guarantee
    for point in solution.trace:
        assert point.is_certified
    again = eq.evaluate(
        game, solution.strategy, missing="uniform", form="walk"
    )  # by its states, not by names
    assert again.value == solution.final.value


def test_a_run_without_a_tree_ends_at_its_goal(tmp_path):
    solution = eq.solve("kuhn", "cfr", sampling=WAY, until=0.05, seed=1, save=tmp_path / "run")
    assert solution.stop_reason == "until"
    assert solution.exploitability <= 0.05
    assert eq.load_solution(tmp_path / "run").final == solution.final
    more = eq.solve(resume=tmp_path / "run", until=0.03)
    whole = eq.solve("kuhn", "cfr", sampling=WAY, until=0.03, seed=1)
    assert (more.iterations, more.final.measures) == (whole.iterations, whole.final.measures)


@pytest.mark.slow
def test_certificates_that_take_long_are_rare(monkeypatch):
    monkeypatch.setattr(compiled, "estimate_walk", lambda rules, *, threads: WalkEstimate(1e6, 1e3))
    texts = []
    solution = eq.solve(
        "kuhn",
        "cfr",
        sampling=WAY,
        until=1e-9,
        iterations=40,
        callbacks=eq.Callbacks(on_stage=texts.append),
    )
    assert [not point.is_certified for point in solution.trace] == [True] * (
        len(solution.trace) - 1
    ) + [False]
    assert any(
        "1,000,000 histories by random plays, 17 minutes at most each" in text for text in texts
    )
    monkeypatch.setattr(run, "ITERATING", 0)
    solution = eq.solve("kuhn", "cfr", sampling=WAY, until=1e-9, iterations=40)
    assert all(point.is_certified for point in solution.trace)
    monkeypatch.setattr(
        compiled, "estimate_walk", lambda rules, *, threads: WalkEstimate(1e14, 1e6)
    )
    with pytest.raises(
        eq.AlgorithmError, match=r"12 days at most for one certificate.*local_best_response"
    ):
        eq.solve("kuhn", "cfr", sampling=WAY, until=1e-9)


@pytest.mark.slow
def test_threads_walk_certificates_where_one_draws(monkeypatch):
    walked_by = []
    walk_values = hashed.walk_values

    def noted(*arguments, threads, **keywords):
        walked_by.append(threads)
        return walk_values(*arguments, threads=threads, **keywords)

    monkeypatch.setattr(hashed, "walk_values", noted)
    one, two = (
        eq.solve("dark_hex(size=2)", sampling=WAY, until=1e-9, iterations=40, seed=1, threads=n)
        for n in (1, 2)
    )
    assert set(walked_by) == {1, 2}
    assert (one.strategy, one.final.value) == (two.strategy, two.final.value)
    with pytest.raises(
        eq.AlgorithmError, match="threads=2 would do nothing"
    ):  # no certificate is asked for
        eq.solve("dark_hex(size=2)", sampling=WAY, iterations=40, threads=2)


def test_a_signal_leaves_a_walk(monkeypatch):
    calls = []
    solution = eq.solve(
        "kuhn",
        "cfr",
        sampling=WAY,
        until=1e-9,
        iterations=10**6,
        callbacks=eq.Callbacks(should_stop=lambda: calls.append(0) or len(calls) > 200),
    )
    assert solution.stop_reason == "stop"
