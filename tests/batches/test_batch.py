"""Batches: the runs of a study are those of solve, whatever carries them out; nothing is lost or done twice."""

import errno
import io
import json
import os
import re
import signal
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import pytest

import equilibrist as eq
from equilibrist._util.workers import STOP
from equilibrist.batches import schedule
from equilibrist.batches.log import Log
from equilibrist.batches.picture import draw_convergence
from equilibrist.batches.processes import Processes
from equilibrist.batches.ray_executor import RayExecutor
from equilibrist.batches.task import Outcome
from support.systems import posix, signals

pytestmark = pytest.mark.usefixtures("somewhere", "undrawn")

STUDY = {
    "game": "kuhn",
    "iterations": 40,
    "vary": {
        "cards": [3, 4],
        "algorithm": ["cfr", "dcfr"],
        "sampling": ["full", "external"],
        "seeds": 2,
    },
}
KEYS = ("cards", "algorithm", "sampling", "seed")


class Now(Executor):
    """Carries out each call at once; for some of them a worker dies instead."""

    def __init__(self, deaths=()):
        self.calls, self.deaths = [], list(deaths)

    def submit(self, call, /, *args, **kwargs):
        future = Future()
        self.calls.append(call.name)
        if self.deaths and call.name == self.deaths[0]:
            self.deaths.pop(0)
            future.set_exception(BrokenExecutor("killed"))
        else:
            future.set_result(call(*args, **kwargs))
        return future


FILES = {"checkpoint.npz", "solution.json", "strategy.csv"}


class Killed(BaseException):
    """What a dead process would have done next."""


def killed(*_, **__):
    raise Killed


def exact(result):
    """Return the rows without what depends on the clock."""
    return [{key: value for key, value in row.items() if key != "seconds"} for row in result.rows()]


@pytest.fixture(scope="module")
def one_by_one():
    return exact(eq.batch(STUDY))


# --- What is run ---


@pytest.mark.slow
def test_items_are_the_runs_of_solve(one_by_one):
    assert len(one_by_one) == 2 * 2 * (1 + 2)  # what draws nothing is run once
    for row in one_by_one:
        solution = eq.solve(
            f"kuhn(cards={row['cards']})",
            row["algorithm"],
            sampling=row["sampling"],
            seed=row.get("seed"),
            iterations=40,
        )
        assert (row["exploitability"], row["value_0"]) == (
            solution.exploitability,
            solution.value[0],
        )
        assert (row["state"], row["iterations"], row["stop_reason"]) == (
            "finished",
            40,
            "iterations",
        )
    assert len({tuple(row.get(key) for key in KEYS) for row in one_by_one}) == len(one_by_one)


@pytest.mark.slow
def test_rows_of_three_players_have_their_largest_gain():
    study = {"game": "kuhn", "iterations": 8, "vary": {"players": [2, 3]}}
    result = eq.batch(study)
    two, three = result.rows()
    solution = eq.solve("kuhn(players=3)", iterations=8)
    assert three["largest_gain"] == max(solution.deviation_gains)
    assert "exploitability" not in three
    assert "largest_gain" not in two
    assert two["exploitability"] > 0
    figure = draw_convergence(result)
    assert figure.axes[0].get_ylabel().startswith("exploitability / largest gain")
    drawn = figure.axes[0].get_lines()[1].get_ydata()
    assert drawn[-1] == three["largest_gain"]


@pytest.mark.slow
def test_any_executor_gives_the_same(one_by_one):
    with ThreadPoolExecutor(3) as executor:
        assert exact(eq.batch(STUDY, executor=executor)) == one_by_one
    assert exact(eq.batch(STUDY, executor=Now(), save="out")) == one_by_one
    again = Now()
    assert exact(eq.batch(STUDY, executor=again, save="out")) == one_by_one
    assert again.calls == []


@pytest.mark.slow
def test_runs_are_kept_or_results_alone():
    result = eq.batch(STUDY, save="runs")
    folder = Path("runs/runs", result.rows()[0]["run"])
    assert eq.load_solution(folder).exploitability == result.rows()[0]["exploitability"]
    eq.batch(STUDY, save="results", keep="results")
    assert sorted(os.listdir("results")) == [
        "report.html",
        "results.jsonl",
        "results.parquet",
        "study.json",
    ]


@pytest.mark.slow
@pytest.mark.needs("pandas", "polars")
def test_the_table_is_read_by_others():
    import pandas
    import polars

    result = eq.batch(STUDY, save="out")
    rows = result.rows()
    frame = pandas.read_parquet("out/results.parquet")
    assert frame["exploitability"].tolist() == [row["exploitability"] for row in rows]
    assert polars.read_parquet("out/results.parquet")["cards"].to_list() == [
        row["cards"] for row in rows
    ]
    told = json.loads(Path("out/study.json").read_text(encoding="utf-8"))
    assert (told["finished"], told["failed"], len(told["items"])) == (12, 0, 12)


@pytest.mark.slow
def test_a_study_grows_and_only_the_new_is_computed():
    small = {**STUDY, "vary": {**STUDY["vary"], "cards": [3]}}
    assert eq.batch(small, save="out").computed == 6
    assert eq.batch(STUDY, save="out").computed == 6
    more = {
        **STUDY,
        "vary": {**STUDY["vary"], "ante": [1, 2]},
    }  # a new axis, of which the old has the default
    assert eq.batch(more, save="out").computed == 12
    assert eq.batch(small, save="out").computed == 0


@pytest.mark.slow
def test_more_iterations_go_on_with_the_runs(monkeypatch):
    eq.batch(STUDY, save="out")
    resumed, solve = [], eq.solve

    def noting(*args, **options):
        resumed.append(options["resume"])
        return solve(*args, **options)

    monkeypatch.setattr("equilibrist.batches.task.solve", noting)
    longer = {**STUDY, "iterations": 60}
    assert exact(eq.batch(longer, save="out")) == exact(eq.batch(longer))
    assert all(resumed[:12])
    assert eq.batch(longer, save="out").computed == 0


def test_listed_items_and_settings_that_change_together():
    study = {
        "name": "ranges",
        "game": "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')",
        "until": "1%",
        "items": [{"name": "deep", "stack": 40}, {"stack": 10}],
        "vary": {
            "ranges": [
                {"name": "two", "oop": "AsAh,QsQh"},
                {"name": "one", "oop": "AsAh", "ip": "KsKh,KdKc"},
            ],
            "oop.bets": ["a", "50%"],
        },
    }
    rows = eq.batch(study).rows()
    assert [
        (row.get("item"), row.get("stack"), row["ranges"], row["oop.bets"]) for row in rows[:4]
    ] == [
        ("deep", None, "two", "a"),
        ("deep", None, "two", "50%"),
        ("deep", None, "one", "a"),
        ("deep", None, "one", "50%"),
    ]
    last = eq.load(rows[-1]["game"])
    assert (last.settings["stack"], str(last.ranges[1])) == (10, "KsKh,KdKc")
    assert last.settings["oop"] == {"range": "AsAh", "bets": "50%"}
    assert all(row["exploitability_percent"] <= 1 for row in rows)


def test_a_spot_file_is_found_beside_the_study(tmp_path):
    (tmp_path / "studies").mkdir()
    eq.poker.write_spot(
        eq.load("holdem(board='2s3h4d6c7c', oop='AsAh', ip='KsKh', pot=20, stack=10)"),
        "studies/spot.toml",
    )
    Path("studies/mine.toml").write_text(
        'game = "spot.toml"\niterations = 3\n[vary]\nstack = [10, 20]\n', encoding="utf-8"
    )
    study = eq.read_study("studies/mine.toml")
    assert study.name == "mine"
    assert [eq.load(item.game).settings["stack"] for item in study.items] == [10, 20]


@pytest.mark.slow
def test_rules_that_changed_are_other_runs():
    rules = """
class Flip:
    players = 1
    def __init__(self, prize=1): self.prize = prize
    def start(self): return ''
    def player(self, s): return -2 if s else 0
    def actions(self, s): return ['a', 'b']
    def probabilities(self, s): return []
    def next(self, s, a): return a
    def payoffs(self, s): return [self.prize if s == 'a' else 0]
    def infoset(self, s): return 'i'
"""
    study = {"game": "rules.py:Flip", "iterations": 20, "vary": {"prize": [1, 5]}}
    Path("rules.py").write_text(rules, encoding="utf-8")
    assert [round(row["value_0"]) for row in eq.batch(study, save="out").rows()] == [1, 5]
    Path("rules.py").write_text(
        rules.replace("s == 'a' else 0", "s == 'a' else 9"), encoding="utf-8"
    )
    changed = eq.batch(study, save="out")
    assert changed.computed == 2
    assert [round(row["value_0"]) for row in changed.rows()] == [9, 9]


def test_a_study_file_runs_no_python_without_consent(run):
    Path("mine.toml").write_text(
        'iterations = 3\n[vary]\ngame = ["kuhn", "rules.py:Flip"]\n', encoding="utf-8"
    )
    Path("rules.py").write_text(
        "open('canary', 'w')\nfrom equilibrist.games import Kuhn as Flip\n", encoding="utf-8"
    )
    for more in ((), ("--dry-run",)):
        run("batch", "mine.toml", "--out", "out", *more).fails(
            2, "'rules.py:Flip' is a Python file"
        )
    with pytest.raises(eq.GameError, match="is a Python file"):
        eq.batch("mine.toml", trust=["other.py"])
    assert not Path("canary").exists()
    assert len(eq.read_study("mine.toml", trust=["rules.py"])) == 2
    assert run("batch", "mine.toml", "--out", "out", "--dry-run", "--trust").code == 0
    assert Path("canary").exists()


def test_a_game_is_compiled_once_for_runs_in_a_row(monkeypatch):
    from equilibrist.batches import variants

    made, compile_any = [], variants.compile_any
    monkeypatch.setattr(
        variants,
        "compile_any",
        lambda *args, **options: made.append(args[0]) or compile_any(*args, **options),
    )
    variants._NEWEST.clear()
    study = {
        "game": "kuhn",
        "iterations": 3,
        "vary": {"cards": [3, 4], "sampling": ["external"], "seeds": 5},
    }
    assert eq.batch(study).finished
    assert made == ["kuhn(cards=3)", "kuhn(cards=4)"]


def test_a_measure_of_ones_own():
    def bet(solution):
        return {"bet": solution.strategy["K"]["bet"], "odd": float("nan")}

    rows = eq.batch({"game": "kuhn", "iterations": 5}, save="out", measure=bet).rows()
    assert rows[0]["bet"] == eq.solve("kuhn", iterations=5).strategy["K"]["bet"]
    assert rows[0]["odd"] is None


# --- What goes wrong ---


def test_an_item_that_fails_is_reported_and_the_others_go_on():
    study = {
        "game": "kuhn",
        "iterations": 5,
        "vary": {"cards": [3, "four", 4], "sampling": ["full"]},
    }
    with pytest.raises(
        eq.GameError, match="cards must be a whole number"
    ):  # known before anything runs
        eq.batch(study)

    def measure(solution):
        return {"share": 1 / (solution.infosets - 12)}

    study["vary"]["cards"] = [3, 4]
    result = eq.batch(study, save="out", measure=measure)
    assert [row["state"] for row in result.rows()] == ["failed", "finished"]
    assert result.failed == {"cards 3, sampling full": "ZeroDivisionError: division by zero"}
    assert eq.batch(study, save="out").finished  # which tries again what failed


@pytest.mark.parametrize("out", [None, "out"])
@pytest.mark.parametrize("results", [5, {"game": object()}, None])
def test_a_measure_that_returns_no_plain_values_fails_its_item(results, out):
    result = eq.batch({"game": "kuhn", "iterations": 2}, save=out, measure=lambda solution: results)
    assert result.records[0]["state"] == "failed"
    assert "measure must return plain values by name" in result.records[0]["error"]


def test_a_number_that_no_column_holds_is_a_text():
    table = eq.batch(
        {"game": "kuhn", "iterations": 2}, save="out", measure=lambda solution: {"huge": 10**400}
    ).to_arrow()
    assert table["huge"].to_pylist() == [str(10**400)]


def test_what_is_no_executor():
    with pytest.raises(eq.AlgorithmError, match="executor must be a concurrent"):
        eq.batch({"game": "kuhn", "iterations": 2}, executor="5")


def test_a_worker_that_dies_is_repeated_by_itself():
    executor = Now(["cards 3", "cards 4", "cards 4"])
    result = eq.batch(
        {"game": "kuhn", "iterations": 5, "vary": {"cards": [3, 4, 5]}}, executor=executor
    )
    assert [row["state"] for row in result.rows()] == ["finished", "failed", "finished"]
    assert "Its worker process ended 2 times before the run did: killed" in result.failed["cards 4"]
    assert executor.calls.count("cards 3") == 2


def test_an_executor_that_takes_no_more_runs_ends_the_batch_with_one_error():
    """As Ray's does where the process is lost over which this one asks for calls."""

    class LocalRayletDiedError(Exception):
        pass

    executor = object.__new__(RayExecutor)
    executor._lock, executor._closed, executor._broken, executor._refused = Lock(), False, "", {}
    kinds = {
        "TaskCancelledError": KeyError,
        "RayTaskError": KeyError,
        "LocalRayletDiedError": LocalRayletDiedError,
    }
    executor._ray = SimpleNamespace(exceptions=SimpleNamespace(**kinds))
    executor._waiting, calls = [], []

    def lose():
        for call in executor._waiting:
            calls.append(call)
            lost = Future()
            lost.set_exception(LocalRayletDiedError("gone"))
            executor._fill(call.future, lost)
        executor._waiting.clear()

    executor._submit_waiting, executor._cpus, executor._memory = lose, 1, None
    with pytest.raises(
        eq.SolutionError,
        match=r"takes no more runs \(Ray lost the call: LocalRayletDiedError: gone\)",
    ):
        eq.batch(STUDY, executor=executor, save="out")
    assert len(calls) == 1
    assert eq.batch(STUDY, save="out").computed == 12


def test_what_does_not_fit_waits_or_is_refused():
    class Load:
        def __init__(self, name, gigabytes):
            self.name, self.gigabytes = name, gigabytes

        def __call__(self):
            return Outcome("iterations")

    class Slow(Executor):
        """Finishes the oldest call when it is full of three."""

        def __init__(self):
            self.open, self.taken = [], []

        def submit(self, call, /):
            future = Future()
            self.open.append((call, future))
            self.taken.append(sum(own.gigabytes for own, _ in self.open))
            if len(self.open) == 3:
                self.finish()
            return future

        def finish(self):
            call, future = self.open.pop(0)
            future.set_result(call())

    loads = [Load(str(n), size) for n, size in enumerate([3.0, 3.0, 1.0, 9.0, 3.0, 0.5])]
    executor = Slow()
    monkey = schedule.wait

    def wait(futures, *options):
        if futures and not any(future.done() for future in futures):
            executor.finish()
        return monkey(futures, *options)

    schedule.wait = wait
    try:
        outcomes = dict(
            schedule.run_side_by_side(executor, range(6), loads.__getitem__, memory=5.0)
        )
    finally:
        schedule.wait = monkey
    assert max(executor.taken) <= 5.0
    assert "It takes 9 GB, and there are 5 GB" in outcomes[3].error
    assert [outcomes[n].finished for n in (0, 1, 2, 4, 5)] == [True] * 5


def test_an_executor_that_places_memory_is_given_everything():
    class Placing(Now):
        places_memory = True

    task = type(
        "Task", (), {"name": "x", "gigabytes": 1e9, "__call__": lambda self: Outcome("iterations")}
    )()
    assert dict(schedule.run_side_by_side(Placing(), [0], lambda _: task, memory=1.0))[0].finished


@pytest.mark.thinned(2)
@pytest.mark.parametrize("keep", ["runs", "results"])
def test_an_interrupt_loses_nothing(keep):
    study = {"game": "leduc", "iterations": 30, "vary": {"algorithm": ["cfr", "dcfr", "cfr+"]}}

    class Press:
        """A tracker that presses Ctrl-C in the middle of the second run."""

        runs = 0

        def on_start(self, _):
            Press.runs += 1

        def on_checkpoint(self, point):
            if Press.runs == 2 and point.iteration == 12:
                signal.raise_signal(signal.SIGINT)

    cut = eq.batch(study, save="out", keep=keep, callbacks=Press())
    assert [row["state"] for row in cut.rows()] == ["finished", "unfinished", "unfinished"]
    saved = eq.load_solution(Path("out/runs", cut.rows()[1]["run"]))
    assert 12 <= saved.iterations < 30
    whole = eq.batch(study, save="out", keep=keep)
    assert whole.computed == 2
    assert exact(whole) == exact(eq.batch(study))
    assert (keep == "runs") == bool(list(Path("out/runs").iterdir()))
    assert not STOP.is_set()


@posix
def test_files_that_a_kill_left_out_of_a_finished_run_are_written(monkeypatch):
    study = {"game": "leduc", "iterations": 20}
    folder = Path("out/runs", eq.batch(study, save="other").rows()[0]["run"])
    with monkeypatch.context() as patch:
        patch.setattr(eq.Strategy, "write_csv", killed)
        with pytest.raises(Killed):
            eq.batch(study, save="out")
    assert not (folder / "solution.json").exists()
    (folder / ".solution.json.x.part").touch()
    assert eq.batch(study, save="out").rows()[0]["state"] == "finished"
    assert {path.name for path in folder.iterdir()} == FILES
    loaded = eq.load_solution(folder)
    assert eq.Strategy.read_csv(folder / "strategy.csv") == loaded.strategy
    assert json.loads((folder / "solution.json").read_text())["run_id"] == loaded.info.run_id
    Path("out/results.jsonl").unlink()
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    eq.batch(study, save="out")
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_full_disk_is_told_in_a_sentence(monkeypatch):
    """What cannot be written stays in the buffer, and closing the file tries again."""

    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, _):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log = Log(Path())
    monkeypatch.setattr(log, "_file", io.BufferedWriter(Full()))
    with (
        pytest.raises(eq.SolutionError, match=r"results.jsonl cannot be written: No space left"),
        log,
    ):
        log.add({"name": "one"})
    again = Log(Path())
    unwritten = io.BufferedWriter(Full())
    unwritten.write(b"one")
    monkeypatch.setattr(again, "_file", unwritten)
    with pytest.raises(eq.SolutionError, match="cannot be written: No space left"):
        again.__exit__(None, None, None)


def test_a_line_that_was_cut_off_is_computed_again():
    study = {"game": "kuhn", "iterations": 5, "vary": {"cards": [3, 4, 5]}}
    before = eq.batch(study, save="out", keep="results")
    log = Path("out/results.jsonl")
    log.write_bytes(log.read_bytes()[:-20])
    again = eq.batch(study, save="out", keep="results")
    assert again.computed == 1
    assert exact(again) == exact(before)
    log.write_text("{}\n", encoding="utf-8")
    with pytest.raises(eq.SolutionError, match=r"results.jsonl is broken in line 1"):
        eq.batch(study, save="out")


@pytest.mark.parametrize(
    "change",
    [
        {"trace": 5},
        {"trace": [5]},
        {"trace": [{}]},
        {"seconds": 5},
        {"results": []},
        {"state": "done"},
    ],
)
def test_a_log_of_somebody_else_is_refused_where_it_is_none(change):
    study = {"game": "kuhn", "iterations": 5}
    eq.batch(study, save="out")
    log = Path("out/results.jsonl")
    log.write_text(
        json.dumps(json.loads(log.read_text(encoding="utf-8")) | change) + "\n", encoding="utf-8"
    )
    with pytest.raises(eq.SolutionError, match=r"results.jsonl is broken in line 1"):
        eq.batch(study, save="out")


def test_two_batches_into_one_folder_are_refused():
    def measure(solution):
        with pytest.raises(eq.SolutionError, match="Another run is saving to out"):
            eq.batch({"game": "kuhn"}, save="out")
        return {"asked": True}

    assert eq.batch({"game": "kuhn", "iterations": 2}, save="out", measure=measure).rows()[0][
        "asked"
    ]


@pytest.mark.parametrize(
    ("study", "sentence"),
    [
        ({}, "A study names its game"),
        ({"game": "khun"}, "There is no game 'khun'. Did you mean 'kuhn'?"),
        ({"game": "kuhn", "itrations": 3}, "kuhn has no parameter 'itrations'"),
        ({"game": "kuhn", "iterations": 0}, "iterations must be a whole number, 1 or more; got 0"),
        ({"game": "kuhn", "vary": {"algorithm": "cfr"}}, "vary.algorithm must be a list"),
        ({"game": "kuhn", "vary": {"algorithm": ["cfr9"]}}, "There is no algorithm 'cfr9'"),
        ({"game": "kuhn", "vary": {"seeds": 0}}, "seeds must be a whole number"),
        (
            {"game": "kuhn", "vary": {"seeds": 10**30, "cards": [3, 4]}},
            "A study has 1 to 1,000,000 runs; this one has 2,000,000,000,000,000,000,000,000,000,000",
        ),
        (
            {"game": "kuhn", "vary": {"cards": range(3, 2_000_004)}},
            "A study has 1 to 1,000,000 runs; this one has 2,000,001",
        ),
        ({"game": "kuhn", "vary": []}, "vary must be a table of lists"),
        ({"game": "kuhn", "items": 3}, "items must be a list of tables"),
        ({"game": "kuhn", "vary": {"cards": []}}, "vary.cards must be a list of one value or more"),
        (
            {"game": "openspiel:leduc_poker", "vary": {"ranks": [3]}},
            "openspiel:leduc_poker has no settings that a study could change",
        ),
        (
            {"game": "holdem(board='2s3h4d6c7c', pot=1)", "vary": {"flop": ["a"]}},
            "The spot needs the setting 'oop'",
        ),
    ],
)
def test_studies_that_cannot_be(study, sentence):
    with pytest.raises(
        eq.EquilibristError, match="^" + sentence.replace("(", r"\(").replace("?", r"\?")
    ) as caught:
        eq.batch(study)
    assert caught.value.wrong_use


# --- The command ---


def test_the_command(run):
    Path("mine.toml").write_text(
        'game = "kuhn"\niterations = 9\n[vary]\ncards = [3, 4]\nalgorithm = ["cfr", "dcfr"]\n',
        encoding="utf-8",
    )
    told = run("batch", "mine.toml", "--out", "out")
    assert (told.code, told.err) == (0, "")
    assert "mine: 4 runs" in told.out
    assert "4 computed now" in " ".join(told.out.split())
    assert run("batch", "mine.toml", "--out", "out", "--json").json["computed"] == 0
    plan = run("batch", "mine.toml", "--out", "other", "--dry-run", "--json").json["items"]
    assert len(plan) == 4
    assert 0 < plan[0]["gigabytes"] < 1
    assert not Path("other").exists()
    run("batch", "none.toml", "--out", "out").fails(2, "none.toml cannot be read")
    Path("mine.toml").write_text("game = ", encoding="utf-8")
    run("batch", "mine.toml", "--out", "out").fails(2, "'mine.toml' is no TOML")


@signals
@pytest.mark.slow
def test_a_worker_that_is_killed_and_a_parent_that_is_interrupted(one_by_one):
    """Kill -9 one of two processes in the middle: all items come out, with the same bits."""
    killed = []

    def kill(progress):
        if progress.done == 2 and not killed:
            import multiprocessing

            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    result = eq.batch(STUDY, save="out", executor=2, callbacks=kill)
    assert killed
    assert exact(result) == one_by_one


@pytest.mark.slow
def test_processes_are_asked_to_save():
    study = {"game": "leduc", "seconds": 3600, "vary": {"algorithm": ["cfr", "dcfr", "cfr+"]}}
    pressed = []

    def press():
        while len(list(Path("out/runs").glob("*"))) < 2:
            time.sleep(0.05)
        time.sleep(1)
        pressed.append(os.kill(os.getpid(), signal.SIGINT))

    import threading

    threading.Thread(target=press, daemon=True).start()
    result = eq.batch(study, save="out", executor=2)
    assert pressed
    assert [row["state"] for row in result.rows()] == ["unfinished"] * 3
    begun = [eq.load_solution(path).iterations for path in Path("out/runs").iterdir()]
    assert len(begun) == 2
    assert min(begun) > 0


def test_threads_hear_of_a_stop():
    STOP.set()
    try:
        assert eq.batch({"game": "kuhn", "iterations": 3}).finished  # a new batch begins afresh
    finally:
        assert not STOP.is_set()
    assert Processes(2).interrupt() is None


def test_processes_are_made_once():
    with Processes(2) as processes:
        assert processes._open_pool() is processes._open_pool()


class _Elsewhere:
    """Is pickled, but found by no other process: as the class of a notebook."""

    def __reduce__(self):
        return import_module, ("not_there",)


class _Unsendable:
    def __init__(self):
        self.function = lambda: None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (_Unsendable(), "cannot be sent to another process: Can't pickle"),
        (_Elsewhere(), "cannot be read in another process: .*'not_there'"),
    ],
    ids=["send", "read"],
)
def test_what_other_processes_do_not_find_fails_its_run_with_a_sentence(setting, message, capfd):
    rule = _Uniform()
    rule.setting = setting
    result = eq.batch({"game": "kuhn", "iterations": 2, "vary": {"rule": [rule]}}, executor=2)
    (row,) = result.rows()
    assert row["state"] == "failed"
    assert re.search(message, row["error"])
    assert "at the top of a file" in row["error"]
    assert "Traceback" not in capfd.readouterr().err


class _Uniform:
    def init(self, num_actions):
        return {}

    def strategy(self, state, t):
        return [[0.5, 0.5]] * 6

    def observe(self, state, strategy, values, t):
        return {}


@pytest.mark.slow
def test_concepts_of_a_batch_are_compiled_as_they_need():
    """Quantal responses need the tree of a game that the run before was compiled without."""
    rows = eq.batch(
        {"game": "kuhn", "until": 1e-5, "vary": {"concept": ["nash", "qre(1)", "floors(0.01)"]}}
    ).rows()
    assert [row["concept"] for row in rows] == ["nash", "qre(1)", "floors(0.01)"]
    assert [row["value_0"] for row in rows] == pytest.approx(
        [-1 / 18, -0.033624847, -0.052767], abs=1e-4
    )


MIXED = """
import numpy as np
open("canary", "w").close()
class Mixed:
    def __init__(self, first=0.5):
        self.first = first
    def init(self, num_actions):
        return {"play": np.array([self.first, 1 - self.first])}
    def strategy(self, state, t):
        return state["play"]
    def observe(self, state, strategy, values, t):
        return None
"""


def test_a_study_takes_rules_in_files_when_it_is_trusted(run):
    """Where the file of the rule is edited, all is computed anew."""
    Path("rules.py").write_text(MIXED, encoding="utf-8")
    Path("mine.toml").write_text(
        'game = "kuhn"\niterations = 3\n[vary]\nrule = ["rules.py:Mixed", "rules.py:Mixed(first=1)"]\n',
        encoding="utf-8",
    )
    run("batch", "mine.toml", "--out", "out").fails(2, "'rules.py:Mixed' is a Python file")
    assert not Path("canary").exists()
    assert run("batch", "mine.toml", "--out", "out", "--trust").code == 0
    batch = eq.batch("mine.toml", save="out", trust=True)
    assert batch.computed == 0
    # By coins: pass and bet folds -1/4 · 1/2, bet folds 1/2 · 1/2, and cards are even. All pass: 0.
    assert [row["value_0"] for row in batch.rows()] == pytest.approx([1 / 8, 0])
    Path("rules.py").write_text(
        MIXED.replace('return state["play"]', 'return state["play"] * 0 + [1, 0]'), encoding="utf-8"
    )
    edited = eq.batch("mine.toml", save="out", trust=True)
    assert edited.computed == 2
    assert [row["value_0"] for row in edited.rows()] == pytest.approx([0, 0])
