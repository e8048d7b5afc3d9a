"""Forecasts of how long a run takes to its goal."""

import math

import pytest

import equilibrist as eq
from equilibrist.games.compile import compile_any
from equilibrist.solving import forecast as module
from equilibrist.solving.forecast import forecast, iterations_to

SPOT = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK,JJ', pot=20, stack=10, bets='a')"


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_a_power_law_is_followed(power):
    points = [(t, 3 * t**-power) for t in (1, 2, 4, 8, 16, 32)]
    goal = 3 * 500**-power
    assert iterations_to(points, goal) == pytest.approx(500)
    assert iterations_to(points, goal, slope_times=2) == pytest.approx(32 * math.sqrt(500 / 32))
    assert iterations_to(points, 1e9) == pytest.approx(32)  # which is reached


@pytest.mark.parametrize(
    "points", [[], [(1, 1.0), (2, 0.5), (4, 0.2), (8, 0.1)], [(4, 0.0), (8, 0.1), (16, 0.1)]]
)
def test_too_few_points_tell_nothing(points):
    assert iterations_to(points, 1e-3) is None


def test_what_ends_within_the_trial_is_known():
    told = forecast(compile_any(eq.load("kuhn")), until=1e-3)
    assert told.measured
    assert told.iterations == (solved := eq.solve("kuhn", until=1e-3).iterations, solved)


def test_the_rest_is_extrapolated(monkeypatch):
    points = [
        eq.types.Checkpoint(
            t, 0, 0.01 * t, (0.0,), (), {"nash_conv": 1 / t, "exploitability": 0.5 / t}
        )
        for t in (1, 2, 4, 8, 16)
    ]
    solved = eq.solve("kuhn", until=1e-9, iterations=16)
    solved = type(
        "Solved",
        (),
        {
            "iterations": 16,
            "seconds": {"solve": 0.16},
            "stop_reason": "seconds",
            "trace": points,
            "config": solved.config,
        },
    )
    monkeypatch.setattr("equilibrist.solving.solve.solve", lambda *args, **options: solved)
    told = forecast(compile_any(eq.load("kuhn")), until=1e-9)
    few, many = ((0.5e9 / 16) ** (1 / times) * 16 for times in (1.4, 1 / 1.4))
    assert told.iterations == pytest.approx((few, many))
    assert told.seconds == pytest.approx((0.01 * few, 0.013 * many))


def test_a_large_spot_takes_what_others_took(monkeypatch):
    form = compile_any(eq.load(SPOT))
    monkeypatch.setattr(module, "_MOST_TRIED", 0)
    told = forecast(form, seconds=2.0, until="1%")
    assert not told.measured
    assert told.iterations == pytest.approx((28, 69))
    assert told.seconds == pytest.approx((56, 2 * 69 * 1.3))
    assert forecast(form, seconds=2.0, until=0.2).iterations == pytest.approx(
        (28, 69)
    )  # of a pot of 20
    assert forecast(form, seconds=2.0, until="0.1%").iterations == pytest.approx(
        (28 * 10**0.6, 69 * 10**0.6)
    )
    assert forecast(form, seconds=2.0, until="1%", algorithm="cfr") is None
    assert forecast(form, until="1%") is None
    assert forecast(compile_any(eq.load("kuhn")), seconds=2.0, until=1e-3) is None
