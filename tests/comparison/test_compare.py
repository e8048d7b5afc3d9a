"""Comparing: the same budget for each, resumed and extended, who is best when, and what is written."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.comparison.comparison import MEASURE_OF, Comparison
from equilibrist.comparison.series import Run
from equilibrist.mccfr.sampling import Outcome
from equilibrist.solving.trace import Checkpoint
from support.command import ended, python, start

FILES = [
    "comparison.csv",
    "comparison.json",
    "comparison.png",
    "comparison.svg",
    "results.jsonl",
    "runs",
]
TWO = {"algorithms": "cfr,cfr+", "iterations": 30}


pytestmark = pytest.mark.usefixtures("somewhere")


@pytest.fixture
def solved(monkeypatch):
    """Count the runs that are solved, not the tries beforehand."""
    solved = []
    solve = eq.solve

    def counting(form, algorithm, **options):
        if options.get("save") is not None:
            solved.append((algorithm.name, options))
        return solve(form, algorithm, **options)

    monkeypatch.setattr("equilibrist.batches.task.solve", counting)
    return solved


def table(path="out/comparison.csv"):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def saved(title, out="out"):
    """Return the folder of a run; its name ends in a digest of the game and the options."""
    (folder,) = Path(out, "runs").glob(f"{title}-{'[0-9a-f]' * 12}")
    return folder


def alike(point):
    """Return what does not depend on the machine."""
    return point._replace(seconds=0.0)


def made(algorithm, points, *, sampling="full", seed=0, finished=True):
    """Return a run from (iteration, nodes, seconds, exploitability)."""
    trace = (
        Checkpoint(i, nodes, seconds, (0.0, 0.0), (e, e), {"nash_conv": 2 * e, "exploitability": e})
        for i, nodes, seconds, e in points
    )
    return Run(algorithm, sampling, seed, tuple(trace), finished)


def comparison(*runs, limit="seconds", budget=10.0):
    return Comparison("kuhn", "", limit, budget, len({run.seed for run in runs}), runs)


# --- What is compared ---


def test_the_checkpoints_are_those_of_solve(undrawn):
    result = eq.compare("kuhn", algorithms=["cfr", "dcfr"], iterations=50, save="out")
    assert sorted(os.listdir("out")) == FILES
    rows = table()
    assert list(rows[0]) == [
        *("game", "algorithm", "sampling", "seed", "iteration", "nodes_touched", "seconds"),
        *("nash_conv", "exploitability", "value_0", "value_1"),
    ]
    for run in result.runs:
        trace = eq.solve("kuhn", run.algorithm, iterations=50).trace
        assert [alike(point) for point in run.trace] == [alike(point) for point in trace]
        own = [row for row in rows if row["algorithm"] == run.algorithm]
        assert [float(row["nash_conv"]) for row in own] == [point.nash_conv for point in trace]
        assert [float(row["exploitability"]) for row in own] == [
            point.exploitability for point in trace
        ]
        assert [int(row["iteration"]) for row in own] == [point.iteration for point in trace]
        assert [int(row["nodes_touched"]) for row in own] == [
            point.nodes_touched for point in trace
        ]
        assert [float(row["value_1"]) for row in own] == [point.value[1] for point in trace]
        assert {(row["game"], row["sampling"], row["seed"]) for row in own} == {
            ("kuhn", "full", "0")
        }
    assert len(rows) == sum(len(run.trace) for run in result.runs)
    assert json.loads(Path("out/comparison.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(result.summary())
    )


def test_a_run_is_a_saved_solution(undrawn):
    result = eq.compare("kuhn", **TWO, save="out")
    assert sorted(os.listdir("out/runs")) == [saved("cfr+-full").name, saved("cfr-full").name]
    solution = eq.load_solution(saved("cfr+-full"))
    assert (solution.game, solution.trace) == ("kuhn", result.runs[1].trace)
    assert eq.solve(resume=saved("cfr+-full"), iterations=40).iterations == 40


@pytest.mark.parametrize("budget", [{"seconds": 0.02}, {"iterations": 20}, {"nodes": 5000}])
def test_budgets(budget):
    ((limit, number),) = budget.items()
    result = eq.compare("kuhn", algorithms="cfr,dcfr", **budget)
    assert (result.limit, result.budget, result.finished) == (limit, number, True)
    for run in result.runs:
        assert getattr(run.trace[-1], MEASURE_OF[limit]) >= number


def test_algorithms_may_be_named_in_many_ways(undrawn):
    mine = eq.Algorithm("mine $1/2", "here", gamma=2.0)
    names = ["cfr", "sapcfr+", "mine $1/2", "dcfr"]
    result = eq.compare(
        "kuhn", algorithms=["CFR, auto", mine, "sapcfr+", "dcfr"], iterations=9, save="out"
    )
    assert [run.algorithm for run in result.runs] == names
    assert len(os.listdir("out/runs")) == 4
    assert [
        run.algorithm for run in eq.compare("kuhn", algorithms=mine, iterations=9).runs
    ] == names[2:3]
    other = replace(mine, gamma=3.0)
    with pytest.raises(eq.AlgorithmError, match="Two different algorithms are called"):
        eq.compare("kuhn", algorithms=[mine, other], iterations=9)
    (run,) = eq.compare(
        "kuhn", algorithms=[other], iterations=9, save="out"
    ).runs  # which is another run
    assert run.trace[-1].nash_conv == eq.solve("kuhn", other, iterations=9).nash_conv
    assert len(os.listdir("out/runs")) == 5


def test_a_game_may_be_given_in_any_form():
    form = eq.compile_game(eq.load("kuhn(cards=4)"))
    for game in ("kuhn(cards=4)", eq.load("kuhn(cards=4)"), form):
        assert eq.compare(game, algorithms="cfr", iterations=3).game == "kuhn(cards=4)"


def test_three_players(undrawn):
    result = eq.compare("kuhn(players=3)", algorithms="cfr", iterations=3, save="out")
    assert "value_2" in table()[0]
    assert len(result.runs[0].trace[0].value) == 3


def test_progress_is_told():
    begun, points, stages = [], [], []
    result = eq.compare(
        "kuhn",
        **TWO,
        callbacks=eq.Callbacks(
            on_run=lambda run, number, of: begun.append((run.algorithm, number, of)),
            on_checkpoint=points.append,
            on_stage=stages.append,
        ),
    )
    assert begun == [("cfr", 1, 2), ("cfr+", 2, 2)]
    assert points == [point for run in result.runs for point in run.trace]
    assert stages[-2:] == ["Run 1 of 2: cfr, full", "Run 2 of 2: cfr+, full"]


# --- Sampling ---


@pytest.mark.slow
def test_sampled_runs_are_those_of_solve_with_their_seeds(undrawn):
    result = eq.compare(
        "kuhn", algorithms="cfr", sampling="full,external", seeds=3, iterations=100, save="out"
    )
    assert [(run.sampling, run.seed) for run in result.runs] == [
        ("full", 0),
        *(("external", seed) for seed in range(3)),
    ]
    for run in result.runs[1:]:
        trace = eq.solve("kuhn", "cfr", sampling="external", seed=run.seed, iterations=100).trace
        assert [alike(point) for point in run.trace] == [alike(point) for point in trace]
    assert len({run.trace[-1].nash_conv for run in result.runs}) == 4
    names = [*(f"cfr-external-seed-{seed}" for seed in range(3)), "cfr-full"]
    assert sorted(os.listdir("out/runs")) == [saved(name).name for name in names]
    assert {(row["sampling"], row["seed"]) for row in table()} == {
        (run.sampling, str(run.seed)) for run in result.runs
    }
    curve = next(curve for curve in result.curves if curve.sampling == "external")
    assert (curve.seeds, curve.last.iteration) == (3, 100)
    assert curve.last.lowest < curve.last.exploitability < curve.last.highest


@pytest.mark.slow
def test_sampled_runs_go_on_and_more_seeds_are_added(solved, undrawn):
    which = {"algorithms": "cfr", "sampling": "outcome", "save": "out"}
    first = eq.compare("kuhn", **which, seeds=2, nodes=500)
    assert all(run.finished and run.trace[-1].nodes_touched >= 500 for run in first.runs)
    result = eq.compare("kuhn", **which, seeds=3, nodes=2000)
    assert [options["resume"] is None for _, options in solved] == [True, True, False, False, True]
    for run in result.runs:
        expected = eq.solve(
            "kuhn", "cfr", sampling="outcome", seed=run.seed, limits=eq.Limits(nodes=2000)
        )
        assert [alike(point) for point in run.trace] == [alike(point) for point in expected.trace]
    assert eq.compare("kuhn", **which, seeds=3, nodes=2000) == result
    assert len(solved) == 5


@pytest.mark.slow
def test_samplings_may_have_options(run):
    text = "outcome(epsilon=0.4, average='lazy'),full(pruning='zero-reach'), external"
    result = eq.compare("kuhn", algorithms="cfr", sampling=text, iterations=30, save="out")
    names = ["outcome(average='lazy', epsilon=0.4)", "full(pruning='zero-reach')", "external"]
    assert [run.sampling for run in result.runs] == names
    options = [Outcome(epsilon=0.4, average="lazy"), "full(pruning='zero-reach')", "EXTERNAL"]
    assert (
        eq.compare("kuhn", algorithms="cfr", sampling=options, iterations=30, save="out") == result
    )
    ran = run(
        "compare", "kuhn", "-a", "cfr", "--sampling", text, "-n", 30, "--out", "out", "--json"
    )
    assert ran.json == json.loads(json.dumps(result.summary()))


def test_auto_is_another_row_where_samples_are_drawn():
    result = eq.compare("kuhn", algorithms="auto,cfr", sampling="full,external", iterations=9)
    assert [run.combination for run in result.runs] == [
        *(("sapcfr+", "full"), ("cfr", "external"), ("cfr", "full")),
    ]


def test_samplings_that_make_no_sense_are_skipped(run):
    sampling = "external,external(tree=False)"
    ran = run(
        "compare", "kuhn", "-a", "cfr,lcfr,hs-dcfr", "--sampling", sampling, "-n", 9, "--json"
    )
    skipped = {(row["algorithm"], row["sampling"]): row["reason"] for row in ran.json["skipped"]}
    assert set(skipped) == {
        ("hs-dcfr", "external"),
        *((name, "external(tree=False)") for name in ("cfr", "lcfr", "hs-dcfr")),
    }
    assert "must be 'full'; got 'external'" in skipped["hs-dcfr", "external"]
    ran = run("compare", "kuhn", "-a", "cfr,lcfr", "--sampling", sampling, "-n", 9)
    assert (
        "Skipped cfr with external(tree=False), lcfr with external(tree=False): Without a tree there is no exact "
        "exploitability to compare." in " ".join(ran.out.split())
    )
    run("compare", "kuhn", "-a", "cfr", "--sampling", "external(tree=False)", "-n", 9).fails(
        2, "Without a tree"
    )


def test_a_form_without_its_tree_cannot_be_sampled():
    form = eq.compile_game(eq.load("kuhn"))
    with pytest.raises(eq.GameError, match="compiled without its tree"):
        eq.compare(form, algorithms="cfr", sampling="external", iterations=9)
    form = eq.compile_game(eq.load("kuhn"), keep_tree=True)
    assert eq.compare(form, algorithms="cfr", sampling="external", iterations=9).finished


# --- What makes no sense ---


def test_combinations_that_make_no_sense_are_skipped(run):
    ran = run("compare", "kuhn", "-a", "cfr,hs-dcfr", "--seconds", 0.01)
    assert ran.code == 0
    assert "Skipped hs-dcfr with full: 'hs-dcfr' is a schedule" in " ".join(ran.out.split())
    summary = run("compare", "kuhn", "-a", "cfr,hs-dcfr", "--seconds", 0.01, "--json").json
    assert [skipped["algorithm"] for skipped in summary["skipped"]] == ["hs-dcfr"]
    assert [result["algorithm"] for result in summary["results"]] == ["cfr"]
    run("compare", "kuhn", "-a", "hs-dcfr,hs-pcfr+", "--seconds", 0.01).fails(
        2, "'hs-dcfr' is a schedule"
    )


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["khun"], "There is no game 'khun'. Did you mean 'kuhn'?"),
        (["kuhn", "-a", "cfr,dcr"], "There is no algorithm 'dcr'."),
        (["kuhn", "-a", ","], "Give at least one algorithm; got ','."),
        (["kuhn", "--sampling", " "], "Give at least one sampling; got ' '."),
        (
            ["kuhn", "--sampling", "full,externl"],
            "There is no sampling 'externl'. Did you mean 'external'?",
        ),
        (["kuhn", "--seeds", 0], "seeds must be a whole number, 1 to 1,000,000; got 0."),
        (
            ["kuhn", "--seeds", 10**10],
            "seeds must be a whole number, 1 to 1,000,000; got 10000000000.",
        ),
        (["kuhn", "--seconds", 0], "seconds must be a number above 0; got 0.0."),
        (["kuhn", "--seconds", "nan"], "seconds must be a number above 0; got nan."),
        (["kuhn", "--nodes", 0], "nodes must be a whole number, 1 or more; got 0."),
        (["kuhn", "-n", -1], "iterations must be a whole number, 1 or more; got -1."),
        (
            ["kuhn", "--seconds", 1, "--nodes", 9],
            "one of seconds, nodes and iterations; got seconds and nodes.",
        ),
        (["kuhn", "-n", "many"], "Invalid value for '--iterations'"),
    ],
)
def test_wrong_use(run, args, sentence):
    assert run("compare", *args, "--out", "out").fails(2, sentence).out == ""
    assert not os.path.exists("out/runs")


def test_what_was_compared_is_shown_before_a_game_that_fails(run):
    ran = run("compare", "kuhn", "leduc", "-a", "cfr", "-n", 2, "--max-histories", 1000)
    ran.fails(1, "leduc: more than 1,000 histories")
    assert "kuhn  2 iterations a run" in ran.out
    ran = run("compare", "kuhn", "leduc", "-a", "cfr", "-n", 2, "--max-histories", 1000, "--json")
    assert "more than 1,000 histories" in json.loads(ran.out)["error"]


@pytest.mark.slow
def test_the_form_is_the_users_choice(run):
    """The same nodes whatever the form, the values up to rounding; a folder belongs to one form."""
    which = {"algorithms": "cfr", "sampling": "full,external", "iterations": 30}
    sequence, public = (
        eq.compare("leduc", **which, form=form, save=form) for form in ("sequence", "public")
    )
    assert (sequence.form, public.form) == ("sequence", "public")
    for one, other in zip(sequence.runs[:1], public.runs[:1], strict=True):
        assert [point.nodes_touched for point in one.trace] == [
            point.nodes_touched for point in other.trace
        ]
        assert one.trace[-1].nash_conv == pytest.approx(other.trace[-1].nash_conv, abs=1e-9)
    args = ("compare", "leduc", "-a", "cfr", "--sampling", "full,external", "-n", 30)
    ran = run(*args, "--form", "public", "--out", "public", "--json")
    assert ran.json == json.loads(json.dumps(public.summary()))
    assert "public form" in run(*args, "--form", "public", "--out", "public").out
    sentence = "public holds a comparison on the public form of leduc; got the sequence one. Give form='public'"
    run(*args, "--out", "public").fails(2, sentence)
    run("compare", "goofspiel(cards=3)", "--form", "public").fails(
        2, "does not say what is public in it"
    )
    run("compare", "kuhn", "--form", "tree").fails(
        2, "form must be one of 'auto', 'sequence', 'public'"
    )


def test_what_draws_nothing_is_run_once(undrawn):
    sampling = ["full(pruning='zero-reach')", "chance", "full(pruning='regret')"]
    result = eq.compare("kuhn", algorithms="cfr", sampling=sampling, iterations=5, seeds=2)
    assert [run.seed for run in result.runs if run.sampling == sampling[0]] == [0]
    assert [run.seed for run in result.runs if run.sampling == sampling[2]] == [0, 1]
    assert ["seed" in str(run) for run in result.runs] == [
        run.sampling != sampling[0] for run in result.runs
    ]


def test_wrong_use_in_python():
    for wrong in (
        {"seeds": True},
        {"seeds": 1.5},
        {"iterations": True},
        {"nodes": 1.5},
        {"seconds": "1"},
    ):
        with pytest.raises(eq.AlgorithmError, match=f"^{next(iter(wrong))} must be a") as error:
            eq.compare("kuhn", **wrong)
        assert error.value.wrong_use


# --- Stopped, resumed, extended ---


@pytest.mark.slow
def test_what_is_finished_is_not_run_again(solved, undrawn):
    first = eq.compare("kuhn", **TWO, save="out")
    again = eq.compare("kuhn", **TWO, save="out")
    assert [name for name, _ in solved] == ["cfr", "cfr+"]
    assert again == first
    more = eq.compare("kuhn", algorithms="dcfr,cfr", iterations=30, save="out")
    assert [name for name, _ in solved[2:]] == ["dcfr"]
    assert [run.algorithm for run in more.runs] == ["dcfr", "cfr"]
    assert len(os.listdir("out/runs")) == 3


def test_files_that_a_kill_left_out_of_a_finished_run_are_written(monkeypatch, solved, undrawn):
    def kill(*_, **__):
        raise KeyboardInterrupt  # as it is pressed where solve() does not listen

    with monkeypatch.context() as patch:
        patch.setattr(eq.Strategy, "write_csv", kill)
        eq.compare("kuhn", algorithms="cfr", iterations=30, save="out")
    (folder,) = Path("out/runs").iterdir()
    assert {path.name for path in folder.iterdir()} == {"checkpoint.npz"}
    eq.compare("kuhn", algorithms="cfr", iterations=30, save="out")
    assert {path.name for path in folder.iterdir()} == {
        "checkpoint.npz",
        "solution.json",
        "strategy.csv",
    }
    assert len(solved) == 1


@pytest.mark.slow
def test_a_larger_budget_extends(solved, undrawn):
    eq.compare("kuhn", **TWO, save="out")
    result = eq.compare("kuhn", algorithms="cfr,cfr+", iterations=100, save="out")
    assert all("resume" in options and options["resume"] is not None for _, options in solved[2:])
    whole = eq.compare("kuhn", algorithms="cfr,cfr+", iterations=100)
    for extended, uninterrupted in zip(result.runs, whole.runs, strict=True):
        assert [alike(point) for point in extended.trace] == [
            alike(point) for point in uninterrupted.trace
        ]
        assert extended.finished


def test_more_seconds_extend(solved, undrawn):
    eq.compare("kuhn", algorithms="cfr", seconds=0.02, save="out")
    before = eq.load_solution(saved("cfr-full"))
    result = eq.compare("kuhn", algorithms="cfr", seconds=0.2, save="out")
    assert solved[1][1]["seconds"] == pytest.approx(0.2 - before.trace[-1].seconds)
    assert result.runs[0].trace[-1].iteration > before.iterations
    assert result.finished


@pytest.mark.slow
def test_a_longer_schedule_starts_afresh(undrawn):
    eq.compare("kuhn", algorithms="hs-dcfr", iterations=20, save="out")
    result = eq.compare("kuhn", algorithms="hs-dcfr", iterations=40, save="out")
    expected = eq.solve("kuhn", "hs-dcfr", iterations=40)
    assert result.runs[0].trace[-1].nash_conv == expected.nash_conv
    assert sorted(eq.load_solution(path).config.horizon for path in Path("out/runs").iterdir()) == [
        20,
        40,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["heard", "unheard"])
def test_an_interrupt_reports_what_there_is_and_goes_on(how, solved):
    """Heard by the run at work, which stops cleanly; or between two runs, where nobody listens but compare()."""

    def press(*_):
        if len(solved) == 1 and how == "unheard":
            raise KeyboardInterrupt

    def press_at(point):
        if len(solved) == 2 and point.iteration == 8:
            signal.raise_signal(signal.SIGINT)

    cut = eq.compare(
        "kuhn", **TWO, save="out", callbacks=eq.Callbacks(on_run=press, on_checkpoint=press_at)
    )
    assert [run.finished for run in cut.runs] == [True, False]
    assert not cut.finished
    assert bool(cut.runs[1].trace) == (how == "heard")
    assert sorted(os.listdir("out")) == FILES
    assert {row["algorithm"] for row in table()} == ({"cfr", "cfr+"} if how == "heard" else {"cfr"})
    assert "interrupted: 1 of 2 runs finished" in Path("out/comparison.svg").read_text(
        encoding="utf-8"
    )

    whole = eq.compare("kuhn", **TWO, save="out")
    assert whole.finished
    assert [alike(point) for point in whole.runs[1].trace] == [
        alike(point) for point in eq.solve("kuhn", "cfr+", iterations=30).trace
    ]
    assert whole.runs[0] == cut.runs[0]


def test_an_interrupt_before_anything():
    def press(*_):
        raise KeyboardInterrupt

    result = eq.compare("kuhn", **TWO, save="out", callbacks=eq.Callbacks(on_run=press))
    assert (result.curves, result.standings, result.finished) == ((), (), False)
    assert sorted(os.listdir("out")) == ["comparison.json", "results.jsonl"]
    with pytest.raises(eq.SolutionError, match="nothing to draw"):
        result.plot()
    assert "Interrupted: 0 of 2 runs are finished." in result._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_command(tmp_path, run, as_json):
    args = ["compare", "kuhn", "-a", "cfr,cfr+", "--out", "out"]
    process = start(*args, "--seconds", 3600, *["--json"] * as_json, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not (tmp_path / "out" / "comparison.json").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    ran = ended(process)
    assert ran.code == 0
    if as_json:
        assert ran.json["finished"] is False
    else:
        assert "cfr (unfinished)" in ran.out
        assert "Interrupted: 0 of 2 runs are finished. The same command goes on." in ran.out
    assert sorted(os.listdir("out")) == FILES


def test_another_comparison_is_refused(run, undrawn):
    eq.compare("kuhn", **TWO, save="out")
    before = {name: os.stat(f"out/{name}").st_mtime_ns for name in FILES}
    run("compare", "leduc", "-n", 30, "--out", "out").fails(
        2, "out holds a comparison on another game: leduc"
    )
    for args in (["-n", 29], ["--seconds", 60], ["--nodes", 10**6]):
        ran = run("compare", "kuhn", *args, "--out", "out")
        ran.fails(
            2,
            "out holds a comparison on kuhn with 30 iterations a run, which can be extended but not changed",
        )
    assert {name: os.stat(f"out/{name}").st_mtime_ns for name in FILES} == before


def test_runs_of_another_game_are_not_taken(undrawn):
    eq.compare("leduc", algorithms="cfr", iterations=30, save="out")
    os.unlink("out/comparison.json")
    result = eq.compare("kuhn", **TWO, save="out")
    assert [run.trace[-1].nash_conv for run in result.runs] == [
        eq.solve("kuhn", name, iterations=30).nash_conv for name in ("cfr", "cfr+")
    ]


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", "3", '{"format": "other"}', '{"format": "equilibrist comparison 1"}'],
)
def test_a_broken_summary(run, tmp_path, content):
    (tmp_path / "comparison.json").write_text(content)
    run("compare", "kuhn", "-n", 3, "--out", ".").fails(
        1, "comparison.json is broken, or was not written by Equilibrist"
    )


def test_folders_that_cannot_be_written(run, tmp_path, undrawn):
    (tmp_path / "file").write_text("")
    run("compare", "kuhn", "-n", 3, "--out", "file").fails(
        1, "Nothing can be written to the folder file"
    )
    (tmp_path / "out" / "comparison.png").mkdir(parents=True)
    run("compare", "kuhn", "-n", 3, "--out", "out").fails(1, "comparison.png cannot be written")


# --- Who is best when ---


def test_curves_are_medians_over_the_seeds():
    grids = [
        [(1, 10, 0.1, 1.0), (2, 20, 0.2, 0.5), (3, 30, 0.30, 0.3)],
        [(1, 12, 0.2, 0.8), (2, 22, 0.4, 0.9), (4, 44, 0.50, 0.1)],
        [(1, 14, 0.6, 0.9), (2, 28, 0.8, 0.7), (4, 50, 0.90, 0.2)],
    ]
    (curve,) = comparison(*(made("cfr", grid, seed=seed) for seed, grid in enumerate(grids))).curves
    assert (curve.seeds, curve.finished) == (3, True)
    assert curve.points == (
        (1, 12, 0.2, 1.8, 0.9, 0.8, 1.0),
        (2, 22, 0.4, 1.4, 0.7, 0.5, 0.9),
        (4, 44, 0.5, 0.4, 0.2, 0.1, 0.3),
    )


def test_unfinished_runs_count_where_there_are_no_others():
    long, short = [(1, 10, 0.1, 1.0), (2, 20, 0.2, 0.5)], [(1, 10, 0.1, 0.9)]
    mixed = comparison(made("cfr", long), made("cfr", short, seed=1, finished=False))
    assert (mixed.curves[0].seeds, mixed.curves[0].finished, len(mixed.curves[0].points)) == (
        1,
        True,
        2,
    )
    runs = [
        made("cfr", points, seed=seed, finished=False) for seed, points in enumerate((short, long))
    ]
    (curve,) = comparison(*runs).curves
    assert (curve.finished, curve.last.exploitability) == (False, 0.5)
    assert comparison(made("cfr", [], finished=False)).curves == ()


def test_a_curve_is_read_on_straight_lines_in_the_picture():
    (curve,) = comparison(
        made("cfr", [(1, 10, 0.1, 1.0), (100, 1000, 10.0, 0.01), (200, 2000, 20.0, 0.0)])
    ).curves
    assert curve.at("iteration", 10) == pytest.approx(0.1)
    assert curve.at("nodes_touched", 100) == pytest.approx(0.1)
    assert (curve.at("seconds", 0.1), curve.at("seconds", 10.0)) == (1.0, pytest.approx(0.01))
    assert 0 < curve.at("iteration", 150) < 0.01
    assert curve.at("iteration", 200) == 0
    assert curve.at("iteration", 0.5) is None
    assert curve.at("iteration", 201) is None


def test_the_winner_depends_on_the_budget():
    quick = made("quick", [(1, 1000, 0.01, 0.5), (2, 2000, 0.02, 0.4), (1000, 10**6, 10.0, 0.1)])
    thorough = made(
        "thorough", [(1, 10, 0.05, 1.0), (2, 2000, 0.5, 0.9), (100, 10**5, 12.0, 0.001)]
    )
    standings = comparison(quick, thorough).standings
    found = {(standing.measure, standing.fraction): standing for standing in standings}
    assert len(found) == len(standings) == 6
    assert found["seconds", 0.01].budget == pytest.approx(0.1)
    assert found["seconds", 1.0].budget == 10.0
    assert found["nodes_touched", 1.0].budget == 10**5
    assert found["seconds", 0.01].winner.algorithm == "quick"
    assert found["seconds", 1.0].winner.algorithm == "thorough"
    assert [entry.algorithm for entry in found["nodes_touched", 1.0].ranking] == [
        "thorough",
        "quick",
    ]
    assert found["nodes_touched", 1.0].winner == ("thorough", "full", pytest.approx(0.001))


def test_no_winner_is_named_after_more_than_a_run_was_given():
    """A run ends with the iteration in which it has used the budget up: what it did beyond is nobody's."""
    first = made("first", [(1, 100, 1.0, 0.5), (9, 990, 9.0, 0.3), (10, 1100, 10.0, 0.1)])
    second = made("second", [(1, 120, 2.0, 0.6), (8, 960, 7.0, 0.2), (9, 1080, 8.0, 0.15)])
    standings = comparison(first, second, limit="nodes", budget=1000).standings
    budgets = {(standing.measure, standing.fraction): standing.budget for standing in standings}
    for fraction in (0.1, 1.0):
        assert budgets["nodes_touched", fraction] == pytest.approx(fraction * 1000)
        assert budgets.get(("seconds", fraction), 0.0) in (0.0, pytest.approx(fraction * 8.0))
    assert budgets["seconds", 1.0] == 8.0  # both have used so many, and none is bounded by seconds


def test_there_is_no_winner_after_nothing():
    """A clock may be too coarse for a run: it has used 0 seconds, and is ranked by its nodes alone."""
    standings = comparison(made("cfr", [(1, 10, 0.0, 1.0), (2, 1000, 0.0, 0.5)])).standings
    assert {standing.measure for standing in standings} == {"nodes_touched"}


def test_an_unfinished_run_shortens_nothing():
    done, begun = (
        made("done", [(1, 1, 0.1, 1.0), (9, 9, 9.0, 0.5)]),
        made("cut", [(1, 1, 0.2, 0.1)], finished=False),
    )
    standings = comparison(done, begun).standings
    assert max(standing.budget for standing in standings if standing.measure == "seconds") == 9.0
    assert standings[2].ranking == (("done", "full", 0.5),)


@pytest.mark.slow
def test_a_game_solved_exactly_can_be_drawn(recwarn):
    solved = comparison(
        made("a", [(1, 1, 0.1, 0.0), (2, 2, 0.2, 0.0)]), made("b", [(1, 1, 0.1, -1e-17)])
    )
    solved.write("out")
    assert solved.standings[0].winner.exploitability <= 0
    assert not recwarn.list


# --- What is shown ---


@pytest.mark.slow
def test_the_report(run):
    ran = run("compare", "kuhn", "-a", "cfr,cfr+", "-n", 64, "--out", "out")
    assert (ran.code, ran.err) == (0, "")
    text = " ".join(ran.out.split())
    assert "kuhn 64 iterations a run" in text
    assert re.search(r"│ cfr\+ +│ +64 │ +7.42 k │", ran.out)
    assert ran.out.index("│ cfr+ ") < ran.out.index("│ cfr ")  # the best first
    assert re.search(r"│ 1/10 +│ +742 nodes │ \S+ +│ +\d\.\d{3}e-\d\d │ \S+ +\(\S+×\) +│", ran.out)
    assert (
        "Written to out: comparison.svg, comparison.png, comparison.csv, comparison.json; each run in runs/"
        in text
    )


def test_ten_seconds_are_the_default(run, monkeypatch):
    from equilibrist.comparison.compare import compare

    monkeypatch.setattr("equilibrist.comparison.compare.DEFAULT_SECONDS", 0.01)
    assert compare("kuhn", algorithms="cfr").budget == 0.01
    assert "10 seconds" in compare.__doc__
    help_text = " ".join(run("compare", "--help").out.split())
    assert "[10, if no other is given]" in re.sub(r"[│ ]+", " ", help_text)


def test_the_command_has_the_same_defaults():
    import inspect

    from equilibrist.cli import options
    from equilibrist.cli.compare import compare as command
    from equilibrist.comparison import compare

    assert options.DEFAULT_ALGORITHMS == compare.DEFAULT_ALGORITHMS
    assert inspect.signature(command).parameters["sampling"].default == "full"


def test_json(run, undrawn):
    ran = run("compare", "kuhn", "-a", "cfr,cfr+", "-n", 30, "--json")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    summary = ran.json
    assert (summary["game"], summary["limit"], summary["budget"]) == ("kuhn", "iterations", 30)
    assert [result["algorithm"] for result in summary["results"]] == ["cfr+", "cfr"]
    assert summary["standings"][-1]["ranking"][0]["algorithm"] == "cfr+"
    assert [len(run["trace"][0]["value"]) for run in summary["runs"]] == [2, 2]
    assert list(run("compare", "kuhn", "-a", "cfrr", "--json").fails(2).json) == ["error"]


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_narrow_terminals(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("compare", "kuhn", "-a", "cfr,cfr+", "-n", 100)
    assert ran.code == 0
    assert all(len(line) <= columns for line in ran.out.splitlines())
    if columns >= 60:
        assert re.search(r" \d\.\d{3}e-\d\d │", ran.out)
    assert ("nash_conv" in ran.out) == (columns >= 80)


def test_the_live_picture(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    ran = run("compare", "kuhn", "-a", "cfr,cfr+", "--seconds", 0.2)
    assert ran.code == 0
    assert "Comparing on kuhn" in ran.out
    assert "Run 2 of 2: cfr+, full" in ran.out


def test_the_picture():
    result = eq.compare("kuhn", **TWO)
    figure = result.plot()
    assert [axes.get_xlabel().split()[0] for axes in figure.axes] == [
        "nodes",
        "seconds",
        "iterations",
    ]
    for axes, measure in zip(figure.axes, ("nodes_touched", "seconds", "iteration"), strict=True):
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        line = axes.lines[0]
        assert list(line.get_xdata()) == [getattr(point, measure) for point in result.runs[0].trace]
        assert list(line.get_ydata()) == [point.exploitability for point in result.runs[0].trace]
    assert "payoff per game" in figure.axes[0].get_ylabel()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "cfr",
        "cfr+",
    ]  # as the lines end
    assert figure.get_suptitle().strip() == "kuhn"
    assert "30 iterations a run" in [text.get_text() for text in figure.texts]


@pytest.mark.slow
def test_lines_can_be_told_apart():
    runs = [
        made(algorithm, [(1, 1, 0.1, 1.0), (2, 2, 0.2, 0.5)], sampling=sampling, seed=seed)
        for algorithm in ("cfr", "cfr+", "dcfr")
        for sampling in (
            "full",
            "chance",
            "external",
            "outcome",
            "average-strategy",
            "public-chance",
        )
        for seed in (0, 1)
    ]
    figure = comparison(*runs).plot()
    lines = [line for line in figure.axes[0].lines if not line.get_label().startswith("_")]
    looks = {(line.get_color(), str(line._unscaled_dash_pattern)) for line in lines}
    assert len(looks) == len(lines) == 18
    assert len(figure.axes[0].collections) == 18  # the bands
    assert any("median over 2 seeds" in text.get_text() for text in figure.texts)
    many = comparison(*(made(f"row {i}", [(1, 1, 0.1, 1.0)]) for i in range(20)))
    lines = [line for line in many.plot().axes[0].lines if not line.get_label().startswith("_")]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 20


@pytest.mark.slow
def test_odd_names_are_shown_as_they_are(recwarn):
    odd = replace(
        comparison(made("_a$b$", [(1, 1, 0.1, 1.0)])), game="♠\x1b[31m\n$x$ 漢 <b>" + "long " * 99
    )
    odd.write("out")
    svg = Path("out/comparison.svg").read_text(encoding="utf-8")
    assert "_a$b$" in svg
    assert "\x1b" not in svg
    assert "&lt;b&gt;" in odd._repr_html_()
    assert not recwarn.list


@pytest.mark.slow
def test_the_same_picture_gives_the_same_file():
    drawn = comparison(made("cfr", [(1, 1, 0.1, 1.0), (2, 2, 0.2, 0.5)]))
    drawn.write("a")
    drawn.write("b")
    for name in ("comparison.svg", "comparison.png"):
        assert Path(f"a/{name}").read_bytes() == Path(f"b/{name}").read_bytes()


def test_a_notebook_shows_it(undrawn):
    text = eq.compare("kuhn", **TWO)._repr_html_()
    assert "<table>" in text
    assert "data:image/svg+xml;base64," in text


@pytest.mark.slow
def test_matplotlib_is_imported_only_to_draw():
    ran = python(
        "import sys, equilibrist as eq\n"
        "result = eq.compare('kuhn', algorithms='cfr', iterations=3)\n"
        "print('matplotlib' in sys.modules)\n"
        "result.plot()\n"
        "print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    assert ran.out.splitlines() == ["False", "True False"], ran.err


def test_help_imports_nothing_heavy():
    program = (
        "import sys; sys.argv = ['equilibrist', 'compare', '--help']\n"
        "from equilibrist.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
