"""Recorded runs as frames, and values of games as fractions, by the routes of the page."""

import math
from fractions import Fraction

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.study.inspect.recordings import choose_frames
from equilibrist.web.quality import _fraction_text, _simplest_fraction, find_fractions


def test_frames_are_those_of_the_recording(get, workspace):
    recording = workspace.run("kuhn-cfr").solution.recording
    reply = get("kuhn-cfr/recording")
    assert reply["iteration"] == recording.iteration.tolist()
    assert [row["infoset"] for row in reply["infosets"]][:6] == ["J", "Q", "K", "Jpb", "Qpb", "Kpb"]
    for row in reply["infosets"]:
        recorded = recording.at((row["player"], row["infoset"]))
        for name in ("strategy", "average_strategy", "regret_sum"):
            assert np.abs(np.array(row[name]) - getattr(recorded, name)).max() <= 1e-7
    few = get("kuhn-cfr/recording", frames=4, start=10, count=5)
    assert (few["total"], few["start"], [row["infoset"] for row in few["infosets"]]) == (
        12,
        10,
        ["Qb", "Kb"],
    )
    assert len(few["iteration"]) <= 4
    assert few["iteration"][-1] == recording.iteration[-1]
    assert get("kuhn-cfr/recording", start=12)["infosets"] == []


def test_the_tree_is_that_of_the_game(get):
    nodes = get("kuhn-cfr/recording")["tree"]
    assert len(nodes) == eq.compile_game(eq.load("kuhn")).histories
    assert all(node["parent"] < number for number, node in enumerate(nodes))
    ends = [node for node in nodes if node["payoffs"]]
    assert len(ends) == 30
    value = 0.0  # of uniform play, by hand: the reach of each end times what it pays player 0
    children = [sum(other["parent"] == number for other in nodes) for number in range(len(nodes))]
    for node in ends:
        reach, below = 1.0, node
        while below["parent"] >= 0:
            reach *= (
                below["chance"] if below["chance"] is not None else 1 / children[below["parent"]]
            )
            below = nodes[below["parent"]]
        value += reach * node["payoffs"][0]
    assert value == pytest.approx(
        eq.evaluate("kuhn", eq.Strategy.from_dict({}), missing="uniform").value[0]
    )


@pytest.mark.parametrize("count", [1, 2, 5, 399, 400, 401, 5_000])
@pytest.mark.parametrize("most", [2, 10, 400])
def test_frames_begin_and_end_with_the_recording(count, most):
    frames = choose_frames(range(count), most).tolist()
    assert frames[0] == 0
    assert frames[-1] == count - 1
    assert len(frames) <= most or count <= most
    assert frames == sorted(set(frames))


@pytest.mark.parametrize(
    ("run", "fields", "status", "message"),
    [
        ("kuhn", {}, 422, "--record all"),
        ("kuhn-cfr", {"frames": 1}, 400, "from 2"),
        ("kuhn-cfr", {"count": 0}, 400, "from 1"),
        ("kuhn-cfr", {"start": "x"}, 400, "whole number"),
        ("kuhn-cfr", {"colour": 1}, 400, "no field"),
        ("none", {}, 404, "no run"),
    ],
)
def test_frames_refused(get, run, fields, status, message):
    assert message in get(f"{run}/recording", status, **fields)["error"]["message"]


def test_the_value_of_kuhn_poker_is_a_fraction(get):
    solution = eq.solve("kuhn", "pcfr+", iterations=200)
    assert find_fractions(solution) == ["-1/18", "1/18"]
    assert get("kuhn-cfr/overview")["fractions"] == [
        None,
        None,
    ]  # 50 iterations do not tell it from others
    assert (
        find_fractions(eq.solve("kuhn(players=3)", iterations=10)) == [None] * 3
    )  # no value that all equilibria have
    assert find_fractions(eq.solve("leduc", iterations=100)) == [None, None]


def test_the_simplest_fraction_is_that_of_a_search():
    rng = np.random.default_rng(0)
    for _ in range(300):
        low = float(rng.uniform(-2, 2))
        high = low + float(10 ** rng.uniform(-5, -0.5))
        least = next(
            (
                Fraction(numerator, bottom)
                for bottom in range(1, 101)
                if (numerator := math.ceil(low * bottom)) <= high * bottom
            ),
            None,
        )
        simplest = _simplest_fraction(low, high)
        if least is None:
            assert simplest is None
        else:
            assert simplest is not None
            assert simplest.denominator == least.denominator
            assert low <= simplest <= high


def test_a_number_at_random_is_hardly_ever_called_a_fraction():
    rng = np.random.default_rng(1)
    called = sum(
        _fraction_text(value, value + 1e-4, 1.0) is not None
        for value in rng.uniform(0.0, 1.0, 2_000).tolist()
    )
    assert called / 2_000 <= 0.03
