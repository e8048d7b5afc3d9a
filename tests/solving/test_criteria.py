"""Criteria: what ends a run, and one of somebody's own through all that a run goes through."""

import json
import math
import pickle
import re

import pytest

import equilibrist as eq
from equilibrist.cfr.criteria import find_criteria
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.runs.catalogue import read_run
from equilibrist.solving.solution_blocks import certificate_facts
from equilibrist.track.buffered import chart_values


class Toy(eq.types.Criterion):
    """1 / iteration: known for every solver."""

    name = "toy"
    needs_tree = False

    def evaluate(self, solver):
        return 1 / solver.iteration

    def promise(self, form):
        return True


@pytest.mark.parametrize(
    ("until", "criteria"),
    [
        (None, ()),
        (0.01, (eq.Exploitability(0.01),)),
        ("0.5%", (eq.Exploitability("0.5%"),)),
        ("cce_distance(1e-3)", (eq.CCE(0.001),)),
        ((0.01, eq.CCE(0.001)), (eq.Exploitability(0.01), eq.CCE(0.001))),
        ([Toy(0.1)], (Toy(0.1),)),
    ],
)
def test_what_until_takes(until, criteria):
    assert find_criteria(until) == criteria
    for criterion in criteria:
        again = pickle.loads(pickle.dumps(criterion))
        assert (again, hash(again), repr(again)) == (criterion, hash(criterion), repr(criterion))
        assert (
            eq.types.Criterion.from_plain(json.loads(json.dumps(criterion.to_plain()))) == criterion
        )


@pytest.mark.parametrize(
    ("until", "sentence"),
    [
        (
            "toy(0.1)",
            "unknown criterion 'toy'; use one of exploitability, cce_distance, exploitability_within_floors",
        ),
        ("cce_distance(x)", r"until must be a number above 0, .*; got 'cce_distance\(x\)'"),
        ("cce_distance(0)", "threshold of CCE must be a number above 0; got 0.0"),
        ((0.1, eq.Exploitability(0.2)), "twice: exploitability, exploitability"),
        ([0.1, None], "got None"),
    ],
)
def test_what_until_does_not_take(until, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence):
        eq.solve("kuhn", until=until)


def test_one_that_is_defined_outside_of_the_package(tmp_path):
    with pytest.raises(
        eq.AlgorithmError, match=r"threshold of Toy must be a number above 0; got -1"
    ):
        Toy(-1)
    points = []
    solution = eq.solve(
        "kuhn", "cfr", until=(1e-9, Toy(0.05)), save=tmp_path, callbacks=points.append
    )
    assert (solution.stop_reason, solution.iterations) == ("until", 20)
    assert [point.measures["toy"] for point in points] == [
        1 / point.iteration for point in solution.trace
    ]
    assert solution.trace.to_arrow()["toy"].to_pylist() == [
        1 / point.iteration for point in solution.trace
    ]
    assert chart_values(points[-1])["toy"] == solution.summary()["toy"] == 0.05
    toys = [fact.texts for fact in certificate_facts(solution) if fact.name == "toy"]
    assert toys == [["5.000000e-02"]]

    loaded = eq.load_solution(tmp_path)
    assert (loaded.trace, loaded.config) == (solution.trace, solution.config)
    row, trace = read_run("toy", tmp_path)
    assert (row["measures"], [point["measures"] for point in trace]) == (
        solution.final.measures,
        [point.measures for point in solution.trace],
    )
    with pytest.raises(
        eq.AlgorithmError, match=re.escape("until=toy(0.05): give that criterion itself")
    ):
        loaded.config.stop.until[1].evaluate(None)

    resumed = eq.solve("kuhn", resume=tmp_path, save=tmp_path, until=Toy(0.02))
    whole = eq.solve("kuhn", "cfr", until=Toy(0.02))
    assert (resumed.iterations, resumed.trace.to_arrow()["toy"]) == (
        50,
        whole.trace.to_arrow()["toy"],
    )
    assert eq.load_solution(tmp_path).final.measures == whole.final.measures


def test_one_that_needs_no_tree_ends_a_run_without_a_tree():
    solution = eq.solve("kuhn", sampling="external(tree=False)", until=Toy(0.1))
    assert (solution.stop_reason, solution.final.measures) == ("until", {"toy": 0.1})


def test_one_without_a_promise_is_warned_of():
    class Unpromised(Toy):
        promise = eq.types.Criterion.promise

    with pytest.warns(
        eq.EquilibristWarning,
        match=r"no small toy for kuhn, so that until=toy\(0\.5\) alone may never end",
    ):
        eq.solve("kuhn", until=Unpromised(0.5))


@pytest.mark.parametrize("number", [math.nan, None, "small"])
def test_what_it_makes_must_be_a_number(number):
    class Broken(Toy):
        def evaluate(self, solver):
            return number

    with pytest.raises(
        eq.AlgorithmError, match=rf"Broken.evaluate\(\) must return a number; got {number!r}"
    ) as caught:
        eq.solve("kuhn", until=Broken(0.5))
    assert caught.value.solution.stop_reason == "error"  # nothing is lost


def test_a_coarse_correlated_equilibrium_needs_a_solver_that_tracks_the_play():
    form = eq.compile_game(eq.load("kuhn(players=3)"))
    eq.CCE(0.1).check(SequenceCFR(form, eq.ALGORITHMS["cfr"]))
    with pytest.raises(eq.AlgorithmError, match="where the play is tracked; got kuhn"):
        eq.CCE(0.1).check(SequenceCFR(form, eq.ALGORITHMS["cfr"], track_play=False))
