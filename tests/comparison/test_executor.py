"""Comparisons carried out by an executor: the same runs as one by one, told here, and left cleanly."""

import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import equilibrist as eq

BOTH = {"algorithms": "cfr,dcfr", "sampling": "full,external", "seeds": 2, "iterations": 40}

pytestmark = pytest.mark.usefixtures("somewhere")


class Now(Executor):
    """Carries out each call at once, in this thread; raises what it is told to instead of some of them."""

    def __init__(self, errors=None):
        self.calls, self.errors = 0, errors or {}

    def submit(self, call, /, *args, **kwargs):
        future = Future()
        error = self.errors.get(self.calls)
        self.calls += 1
        if error is None:
            future.set_result(call(*args, **kwargs))
        elif error == "never":
            pass
        else:
            future.set_exception(error)
        return future


class Dead(Executor):
    """Takes nothing, as a pool one of whose processes was killed."""

    def __init__(self, error):
        self.error = error

    def submit(self, call, /, *args, **kwargs):
        raise self.error


def alike(comparison):
    """Return all that does not depend on the clock."""
    return [
        (
            run.algorithm,
            run.sampling,
            run.seed,
            [point._replace(seconds=0) for point in run.trace],
            run.finished,
        )
        for run in comparison.runs
    ]


@pytest.fixture(scope="module")
def one_by_one():
    return alike(eq.compare("kuhn", **BOTH))


def test_threads_give_the_same(one_by_one):
    with ThreadPoolExecutor(3) as executor:
        assert alike(eq.compare("kuhn", **BOTH, executor=executor)) == one_by_one


@pytest.mark.slow
def test_processes_give_the_same(one_by_one):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert alike(eq.compare("kuhn", **BOTH, executor=executor, save="out")) == one_by_one
    again = Now()
    assert alike(eq.compare("kuhn", **BOTH, executor=again, save="out")) == one_by_one
    assert again.calls == 0  # all are finished


def test_what_runs_elsewhere_is_told_here():
    runs, points = [], []
    comparison = eq.compare(
        "kuhn",
        algorithms="cfr,dcfr",
        iterations=20,
        executor=Now(),
        callbacks=eq.Callbacks(
            on_run=lambda run, number, count: runs.append((run.algorithm, number, count)),
            on_checkpoint=points.append,
        ),
    )
    assert sorted(runs) == [("cfr", 1, 2), ("dcfr", 2, 2)]
    assert len(points) == sum(len(run.trace) for run in comparison.runs)


def test_each_run_has_a_tracker_of_its_own():
    shared = []

    class Diary:
        def __init__(self):
            self.own = []

        def on_start(self, about):
            self.own.append(about.name)

        def on_checkpoint(self, point):
            pass

        def on_end(self, solution):
            shared.append(self.own)

    eq.compare("kuhn", algorithms="cfr,dcfr", iterations=5, executor=Now(), callbacks=Diary())
    assert sorted(shared) == [["kuhn-cfr"], ["kuhn-dcfr"]]


def test_an_interrupt_begins_no_more_and_keeps_what_is_done(monkeypatch):
    waited = []
    wait = __import__("concurrent.futures").futures.wait

    def interrupted(futures, *options):
        waited.append(len(futures))
        if len(waited) == 2:
            signal.raise_signal(signal.SIGINT)
            return set(), set(futures)
        return wait(futures, *options)

    monkeypatch.setattr("equilibrist.batches.schedule.wait", interrupted)
    comparison = eq.compare("kuhn", algorithms="cfr,dcfr", iterations=5, executor=Now({1: "never"}))
    assert [run.finished for run in comparison.runs] == [True, False]
    assert waited == [1, 1]  # the run that has not begun is cancelled, not awaited


def test_an_error_ends_the_comparison():
    with pytest.raises(ZeroDivisionError):
        eq.compare(
            "kuhn", algorithms="cfr,dcfr", iterations=5, executor=Now({1: ZeroDivisionError()})
        )


def test_a_process_that_dies_is_named():
    from concurrent.futures.process import BrokenProcessPool

    with pytest.raises(eq.SolutionError, match=r"The executor takes no more runs \(killed\)"):
        eq.compare(
            "kuhn", algorithms="cfr,dcfr", iterations=5, executor=Dead(BrokenProcessPool("killed"))
        )


@pytest.mark.slow
def test_processes_by_the_command(run):
    ran = run("compare", "kuhn", "-a", "cfr,dcfr", "-n", 10, "--processes", 2, "--json")
    assert ran.code == 0
    assert all(one["finished"] for one in ran.json["runs"])


def test_a_comparison_that_goes_on_tells_what_is_new(tmp_path, monkeypatch):
    """Checkpoints of before are not told again; those after them are told once, in order."""
    monkeypatch.setattr(
        eq.types.Comparison, "write", lambda comparison, folder: None
    )  # no pictures
    options = {"algorithms": "cfr", "save": tmp_path / "out"}
    first = eq.compare("kuhn", iterations=8, executor=Now(), **options)
    told = []
    second = eq.compare("kuhn", iterations=64, executor=Now(), callbacks=told.append, **options)
    before = {point.iteration for point in first.runs[0].trace}
    new = [point for point in second.runs[0].trace if point.iteration not in before]
    assert [point.iteration for point in told] == [point.iteration for point in new]
    assert new
    assert before <= {point.iteration for point in second.runs[0].trace}
