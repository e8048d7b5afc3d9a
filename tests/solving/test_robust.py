"""Nothing that is computed is lost: stops from outside, callbacks that raise, signals, locks, processes, drills."""

import itertools
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import equilibrist as eq
from equilibrist._util.files import lock_folder, whole_file
from support.runs import FOREVER, GENERAL, without_seconds
from support.spelled import turns
from support.systems import START_METHODS, alone, posix

# --- Stops from outside ---


def test_a_run_is_stopped_from_outside(tmp_path):
    calls = []

    def stop():
        calls.append(time.perf_counter())
        return len(calls) == 5

    cut = eq.solve(
        "kuhn", "cfr", iterations=FOREVER, callbacks=eq.Callbacks(should_stop=stop), save=tmp_path
    )
    assert cut.stop_reason == "stop"
    assert len(calls) == 5  # it is not asked again
    last = cut.iterations + 10
    whole = eq.solve("kuhn", "cfr", iterations=last)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=last)) == without_seconds(whole)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("oh"), KeyboardInterrupt(), SystemExit(3)], ids=repr
)
@pytest.mark.parametrize("where", ["on_checkpoint", "should_stop"])
def test_what_a_callback_raises_costs_no_result(error, where, tmp_path):
    def stumble(*given):
        if not given or given[0].iteration == 8:
            raise error

    with pytest.raises(type(error)) as caught:
        eq.solve(
            "kuhn", "cfr", iterations=100, save=tmp_path, callbacks=eq.Callbacks(**{where: stumble})
        )
    assert caught.value is error
    assert caught.value.solution.stop_reason == "error"
    assert caught.value.solution.iterations == eq.load_solution(tmp_path).iterations > 0
    whole = eq.solve("kuhn", "cfr", iterations=100)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=100)) == without_seconds(whole)


def test_a_save_on_the_way_that_fails_is_told_once(tmp_path, monkeypatch):
    from equilibrist.solving import run

    written = []

    def full(solution, folder, **options):
        written.append(solution.iterations)
        if solution.iterations < 50:
            raise eq.SolutionError(f"{folder} cannot be written: No space left on device.")

    monkeypatch.setattr(run, "write_folder", full)
    monkeypatch.setattr(run, "_SAVE_EVERY", 0.0)
    monkeypatch.setattr(run, "_SAVE_SHARE", 0.0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        eq.solve("kuhn", iterations=50, save=tmp_path)
    assert len(written) > 3
    assert [str(one.message) for one in told] == [
        f"{tmp_path} cannot be written: No space left on device. The run goes on, and tries again later."
    ]
    assert told[0].category is eq.EquilibristWarning


@pytest.mark.parametrize(("expected", "takes"), [(0.0, 0.01), (0.5, 0.5), (0.0, 3.0), (9.0, 9.0)])
def test_saves_on_the_way_come_soon_and_cost_a_twentieth_at_most(
    expected, takes, tmp_path, monkeypatch
):
    """With a clock that saving alone moves on: what was saved in how many seconds, over an hour."""
    from types import SimpleNamespace

    from equilibrist.solving import run

    clock, saved = [0.0], []

    def write(solution, folder, **options):
        saved.append(clock[0])
        clock[0] += takes

    monkeypatch.setattr(run, "write_folder", write)
    monkeypatch.setattr(run, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(run, "_seconds_to_save", lambda solver: expected)
    solver = SimpleNamespace(store=None)
    saver = run._Saver(solver, eq.Save(tmp_path))
    while clock[0] < 3600:
        clock[0] += 0.5
        if saver.due():
            saver.save_on_the_way(None)
    assert saved[0] == min(max(2.0, 20 * expected), 30.0)  # soon, but for what takes long to save
    gaps = [later - sooner - takes for sooner, later in itertools.pairwise(saved)]
    assert min(gaps) >= 20 * takes
    assert max(gaps) <= max(30.0, 20 * takes) + 0.5


# --- Signals ---

SOLVE = """
import sys, equilibrist as eq
tell = lambda point: print(point, flush=True)
solution = eq.solve("leduc", "cfr", iterations=2**40, save=sys.argv[1], callbacks=tell)
print(solution.stop_reason, solution.iterations, flush=True)
"""


def solving(folder, **options):
    """Start a run in a process of its own, and wait until it iterates."""
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE, str(folder)], stdout=subprocess.PIPE, text=True, **options
    )
    for line in process.stdout:
        if line.startswith("Checkpoint"):
            return process
    raise AssertionError("it never began")


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signals_end_a_run_with_what_there_is(name, tmp_path):
    number = getattr(signal, name)  # not ignored, even where these tests were started so
    process = solving(tmp_path, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    process.send_signal(number)
    out, _ = process.communicate(timeout=100)
    stopped, iterations = out.splitlines()[-1].split()
    assert (process.returncode, stopped) == (0, "interrupt")
    assert eq.load_solution(tmp_path).iterations == int(iterations)


@pytest.mark.slow
def test_a_signal_that_is_ignored_stays_so(tmp_path):
    """As SIGINT is in a background job of a shell without job control, and SIGHUP under nohup."""

    def ignore():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = solving(tmp_path, preexec_fn=ignore)
    for number in (signal.SIGINT, signal.SIGHUP):
        process.send_signal(number)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=100)[0].splitlines()[-1].startswith("interrupt ")


# --- What may never end ---


def test_until_alone_on_a_general_sum_game_is_warned_of():
    with pytest.warns(
        eq.EquilibristWarning, match=r"until=0\.4 alone may never end the run.* until=eq\.CCE"
    ):
        eq.solve(GENERAL, "cfr", until=0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eq.solve("kuhn", until=0.1)
        eq.solve(turns([0, 0], 1), until=0.1)
        eq.solve(GENERAL, until=0.4, iterations=5)
        eq.solve(GENERAL, until=(0.4, eq.CCE(0.5)))


def test_until_a_coarse_correlated_equilibrium():
    solution = eq.solve("kuhn(players=3)", "cfr", until=eq.CCE(0.01))
    assert solution.stop_reason == "until"
    assert solution.cce_distance <= 0.01
    assert (
        eq.solve("kuhn(players=3)", "cfr", iterations=solution.iterations // 2).cce_distance > 0.01
    )


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        (
            "kuhn",
            {},
            r"CCE\(0\.1\) is for games that are general-sum .*; got kuhn\. Give until= an exploitability",
        ),
        (
            "kuhn(players=3)",
            {"sampling": "external"},
            r"until=cce_distance\(0\.1\) needs full-width CFR",
        ),
    ],
)
def test_a_coarse_correlated_equilibrium_where_it_makes_no_sense(game, options, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence):
        eq.solve(game, until=eq.CCE(0.1), **options)


# --- Two runs, one folder; what the dead leave ---


def test_two_runs_do_not_save_into_one_folder(tmp_path):
    tried = []

    def second(point):
        if not tried:
            with pytest.raises(eq.SolutionError) as caught:
                eq.solve("kuhn", iterations=2, save=tmp_path)
            tried.append(caught)

    eq.solve("kuhn", iterations=8, save=tmp_path, callbacks=second)
    assert str(tried[0].value) == (
        f"Another run is saving to {tmp_path}: wait until it has ended, or give another folder."
    )
    assert eq.load_solution(tmp_path).iterations == 8
    eq.solve("kuhn", iterations=2, save=tmp_path)  # free again


@alone
def test_a_lock_ends_with_its_process(tmp_path):
    program = "import sys, time; from equilibrist._util.files import lock_folder\n" + (
        "with lock_folder(sys.argv[1]): print('locked', flush=True); time.sleep(1000)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "locked\n"
    with pytest.raises(eq.SolutionError, match="Another run is saving"), lock_folder(tmp_path):
        pass
    process.kill()
    process.communicate()
    with lock_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


@posix
def test_the_next_save_clears_what_the_dead_have_left(tmp_path):
    for name in ("checkpoint.npz", "solution.json", "strategy.csv"):
        (tmp_path / f".{name}.dead.part").write_text("half of it")
    (tmp_path / ".other.dead.part").write_text("of somebody else")
    eq.solve("kuhn", iterations=2, save=tmp_path)
    assert {path.name for path in tmp_path.iterdir() if path.suffix == ".part"} == {
        ".other.dead.part"
    }


def test_a_writer_that_lives_keeps_what_it_has(tmp_path):
    path = tmp_path / "x"
    with whole_file(path) as one:
        one.write(b"one")
        with whole_file(path) as two:
            two.write(b"two")
        assert path.read_bytes() == b"two"
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


# --- Other processes ---

RESULTS = {
    "sequence": {"game": "leduc", "record": ["J", "Qr"]},
    "public": {"game": "leduc", "form": "public", "record": "all"},
    "no tree": {"game": "leduc", "sampling": "external(tree=False)", "iterations": 20},
    "general-sum": {"game": GENERAL},
}


def result(name):
    """Return a solution, in whatever process."""
    return eq.solve(**{"iterations": 5, **RESULTS[name]})


@pytest.mark.thinned(3)
@pytest.mark.parametrize("method", START_METHODS)
def test_solutions_come_back_from_other_processes(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.map(result, RESULTS)
    for name, solution in zip(RESULTS, found, strict=True):
        assert without_seconds(solution) == without_seconds(result(name))


@pytest.mark.slow
def test_what_is_pickled_is_small():
    solution = eq.solve("kuhn(cards=2000)", form="public", iterations=2)
    arrays = [solution.strategy.probabilities, *solution.state.values()]
    assert (
        len(pickle.dumps(solution))
        < sum(array.nbytes for array in arrays) + 64 * solution.infosets + 100_000
    )
    again = pickle.loads(pickle.dumps(solution))
    assert without_seconds(eq.solve(resume=again, iterations=4)) == without_seconds(
        eq.solve("kuhn(cards=2000)", form="public", iterations=4)
    )


@pytest.mark.parametrize("name", RESULTS)
def test_a_recording_and_an_evaluation_are_pickled(name):
    solution = result(name)
    recording = pickle.loads(pickle.dumps(solution.recording))
    assert recording == solution.recording
    if solution.recording is not None:
        repr(solution.recording), solution.recording.to_arrow()


# --- Consent ---

RULES = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
import equilibrist as eq
class Own(type(eq.load("kuhn"))):
    pass
"""


def test_reading_a_run_runs_no_file_and_resuming_asks_for_consent(tmp_path):
    (tmp_path / "rules.py").write_text(RULES)
    spec = f"{tmp_path}/rules.py:Own"
    eq.solve(spec, iterations=5, save=tmp_path / "run")
    (tmp_path / "ran").unlink()
    assert eq.load_solution(tmp_path / "run").game == spec
    with pytest.raises(
        eq.GameError,
        match=r"is a Python file, which a saved run, a study or a proof names .* trust=True \(--trust\)",
    ):
        eq.solve(resume=tmp_path / "run", iterations=10)
    assert not (tmp_path / "ran").exists()
    assert (
        eq.solve(resume=eq.load_solution(tmp_path / "run", trust=True), iterations=10).game == spec
    )
    assert eq.solve(spec, resume=tmp_path / "run", iterations=10).iterations == 10


# --- What a run folder says ---


def test_a_run_has_an_id_that_it_keeps(tmp_path):
    first = eq.solve("kuhn", iterations=5, save=tmp_path)
    second = eq.solve(resume=tmp_path, iterations=9, save=tmp_path)
    assert len(first.info.run_id) == 32
    assert second.info.run_id == first.info.run_id == eq.load_solution(tmp_path).info.run_id
    assert second.info.started == first.info.started
    assert eq.solve("kuhn", iterations=5).info.run_id != first.info.run_id


@pytest.mark.parametrize(
    "options",
    [
        {
            "algorithm": eq.Algorithm("mine", "me", alpha=eq.Ramp(1, 2), gamma=3),
            "precision": "float32",
        },
        {
            "algorithm": "cfr(alternating=False)",
            "sampling": eq.Outcome(epsilon=0.3, baseline="history"),
            "seed": 2**62,
        },
        {"sampling": "external(tree=False, gigabytes=1)", "limits": eq.Limits(nodes=100)},
        {
            "form": "public",
            "threads": 2,
            "limits": eq.Limits(memory_gb=3, depth=50),
            "until": 1e-30,
        },
    ],
    ids=str,
)
def test_settings_are_stored_whole(options, tmp_path):
    solution = eq.solve("kuhn", **{"iterations": 5, **options}, save=tmp_path)
    assert eq.load_solution(tmp_path).info == solution.info
    assert {"python", "equilibrist", "numpy", "numba"} == set(solution.info.versions)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"threads": 0}, "threads must be a whole number, 1 to 1024, or 'auto'; got 0"),
        (
            {"precision": "float16"},
            "precision must be one of 'auto', 'float64', 'float32', 'int16'; got 'float16'",
        ),
        ({"backend": "cuda"}, r"backend must be one of 'cpu' or eq.Cluster\(...\); got 'cuda'"),
        ({"form": "tree"}, "form must be one of"),
        ({"seed": 1}, "draws nothing, so that seed=1 would do nothing"),
        ({"horizon": 3}, "'cfr' is no schedule, so that horizon=3 would do nothing"),
        ({"sampling": eq.External()}, "seed must be a whole number"),
        ({"sampling": eq.External(), "seed": 1, "threads": 2}, "give a batch"),
    ],
    ids=str,
)
def test_settings_check_themselves(settings, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence):
        eq.types.SolveConfig(algorithm=eq.ALGORITHMS["cfr"], **settings)


def test_runs_in_threads_at_once_save_into_their_own_folders(tmp_path):
    def work(i):
        eq.solve("kuhn", "cfr", iterations=20 + i, save=tmp_path / str(i))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(4):
        expected = eq.solve("kuhn", "cfr", iterations=20 + i)
        assert without_seconds(eq.load_solution(tmp_path / str(i))) == without_seconds(expected)
