"""The queue with workers that only speak the protocol: what starts when, in which order, and with which limits."""

import json
import subprocess
import sys
import time
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from equilibrist.errors import SolutionError
from equilibrist.runs.catalogue import CHECKPOINT
from equilibrist.study.jobs import queue as queue_module
from equilibrist.study.jobs.compiling import Compiling
from equilibrist.study.jobs.queue import JobQueue
from equilibrist.web.respond import RequestError
from equilibrist.web.workspace import PRIVATE, Workspace


class FakeWorker:
    """A process that solves nothing: it tells the queue what a test wants, and keeps what it is told."""

    def __init__(self, module):
        self.sent, self._lines = [], SimpleQueue()
        self.send = self.sent.append

    def lines(self):
        return iter(self._lines.get, None)

    @property
    def request(self):
        """What the worker is to solve."""
        return json.loads(self.sent[0])

    def tell(self, event, **facts):
        """Send an event to the queue."""
        self._lines.put(json.dumps({"event": event, **facts}) + "\n")

    def begin(self):
        """Say that the run iterates."""
        self.tell("begin", earlier=[], algorithm="cfr")

    def end(self, stopped="stop", code=0):
        """Say that the run has ended, as a process that then ends itself."""
        self.tell("end", stop_reason=stopped, point=point(7))
        self._lines.put(None)
        self.code = code

    def last_errors(self):
        return ""

    def wait(self):
        return self.code


def point(iteration):
    return {"iteration": iteration, "seconds": 0.1 * iteration, "measures": {"exploitability": 0.1}}


@pytest.fixture
def workers(monkeypatch):
    """Give the list of the workers that have been started."""
    started = []

    def start(module):
        started.append(FakeWorker(module))
        return started[-1]

    monkeypatch.setattr(queue_module, "LineProcess", start)
    return started


@pytest.fixture
def queue(tmp_path, workers):
    workspace = Workspace(tmp_path)
    workspace.compiling = Compiling(lambda event: None)
    return JobQueue(workspace, lambda event: None)


def add(queue, name="kuhn", **limits):
    return queue.add(
        {"game": "kuhn", "title": name, "keywords": limits or {"iterations": 10}}, name
    )


def until(condition):
    """Wait for the thread that hears a worker."""
    deadline = time.monotonic() + 400  # each state is written to a disk that may be busy
    while not condition():
        assert time.monotonic() < deadline, "the queue does not hear the worker"
        time.sleep(0.001)


def finish(job, worker, state="stopped"):
    worker.end("stop" if state == "stopped" else "until")
    until(lambda: job.state == state)


def waiting(queue):
    return [job["id"] for job in queue.listed() if job["state"] == "queued"]


@pytest.mark.parametrize("saved", [False, True])
def test_limits_of_a_resumed_job_replace_its_old_ones(queue, workers, saved):
    job = add(queue, iterations=10, until=0.5, threads=1, algorithm="cfr")
    finish(job, workers[0])
    if saved:
        (job.folder / CHECKPOINT).touch()
    queue.go_on(job.id, {"seconds": 5.0})
    first = {} if saved else {"algorithm": "cfr"}  # a saved run knows all else
    assert workers[1].request["keywords"] == {"threads": 1, "seconds": 5.0} | first
    assert workers[1].request["resume"] is saved
    finish(job, workers[1])
    queue.go_on(job.id, {})
    assert workers[2].request["keywords"] == {"threads": 1, "seconds": 5.0} | first


def test_a_run_that_stops_keeps_its_place_until_it_has_ended(queue, workers):
    job, next_job = add(queue), add(queue, "next")
    workers[0].begin()
    until(lambda: job.state == "running")
    queue.stop(job.id)
    queue.set_workers(1)  # looks for what could start
    assert (job.state, next_job.state, len(workers)) == ("stopping", "queued", 1)
    finish(job, workers[0])
    until(lambda: next_job.state == "starting")
    assert workers[0].sent[1:] == ["stop"]


def test_a_run_that_is_paused_gives_its_place_away(queue, workers):
    job, next_job = add(queue), add(queue, "next")
    workers[0].begin()
    workers[0].tell("paused")
    until(lambda: job.state == "paused")
    queue.set_workers(1)
    assert next_job.state == "starting"


@pytest.mark.parametrize("event", ["begin", "paused", "going", "checkpoint"])
def test_what_a_worker_tells_does_not_undo_a_stop(queue, workers, event):
    job = add(queue)
    workers[0].begin()
    until(lambda: job.state == "running")
    queue.stop(job.id)
    facts = {"begin": {"earlier": []}, "checkpoint": {"point": point(3)}}.get(event, {})
    workers[0].tell(event, **facts)
    workers[0].tell("stage", text="heard")
    until(lambda: job.stage == "heard")
    assert job.state == "stopping"


def test_a_job_that_is_resumed_is_the_last(queue, workers):
    job, second, third = (add(queue, name) for name in ("first", "second", "third"))
    finish(job, workers[0])
    until(lambda: second.state == "starting")
    queue.go_on(job.id, {})
    assert waiting(queue) == [third.id, job.id]
    queue.move(job.id, 0)
    assert waiting(queue) == [job.id, third.id]


def test_a_worker_that_says_no_end_has_failed(queue, workers):
    job, next_job = add(queue), add(queue, "next")
    workers[0].code = -9
    workers[0]._lines.put(None)
    until(lambda: job.state == "failed")
    assert "killed by signal 9" in job.message
    until(lambda: next_job.state == "starting")


def test_jobs_behind_links_are_not_found(tmp_path, workers):
    kept = {
        "request": {"game": "kuhn", "title": "kuhn", "keywords": {"iterations": 5}},
        "created": "",
        "state": "interrupted",
        "message": "",
    }
    elsewhere, served = tmp_path / "elsewhere", tmp_path / "served"
    for folder in (elsewhere, served / "file", served / "own"):
        folder.mkdir(parents=True)
    for path in (elsewhere / "job.json", served / "own" / "job.json"):
        path.write_text(json.dumps(kept))
    try:
        (served / "folder").symlink_to(elsewhere, target_is_directory=True)
        (served / "file" / "job.json").symlink_to(elsewhere / "job.json")
    except OSError:
        pytest.skip("this system lets nobody make links")
    assert list(JobQueue(Workspace(served), lambda event: None).jobs) == ["own"]


def test_a_job_that_ended_without_its_server_is_found_once(tmp_path):
    """Its worker outlived the server, and finished: whoever asks for the job hears so; later it is a run as others."""
    folder = tmp_path / "kuhn"
    folder.mkdir()
    request = {"game": "kuhn", "title": "kuhn", "keywords": {"iterations": 7}}
    kept = {"request": request, "created": "", "state": "running", "message": ""}
    (folder / "job.json").write_text(json.dumps(kept))
    events = [
        {"event": "begin", "earlier": [], "algorithm": "cfr"},
        {"event": "end", "stop_reason": "iterations", "point": point(7)},
    ]
    (folder / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    queue = JobQueue(Workspace(tmp_path), lambda event: None)
    job = queue.job("kuhn")
    assert (job.state, job.stop_reason, job.points[-1]["iteration"]) == ("done", "iterations", 7)
    assert [found["state"] for found in queue.listed()] == ["done"]
    assert list(JobQueue(Workspace(tmp_path), lambda event: None).jobs) == []


@pytest.mark.skipif(
    not Path("/proc/self/autogroup").exists(), reason="sessions have no priority on this system"
)
def test_a_worker_gives_way_to_the_page():
    code = (
        "import os; from equilibrist.study.jobs import worker; worker.give_way(); "
        "print(os.nice(0) >= 5, open('/proc/self/autogroup').read())"
    )
    one, other = (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            start_new_session=new,
            check=True,
        )
        for new in (True, False)
    )
    assert one.stdout.startswith("True")
    assert "nice 5" in one.stdout
    assert "nice 5" not in other.stdout  # which belongs to whoever has started it


def test_a_run_that_cannot_be_kept_does_not_begin(queue, workers, monkeypatch):
    """A disk that is full is named before anything is solved, and nothing is left behind."""

    def refuse(path, content):
        raise SolutionError(f"{path.name} cannot be written: No space left on device.")

    monkeypatch.setattr(queue_module, "write_atomically", refuse)
    with pytest.raises(
        RequestError,
        match=r"cannot begin, for nothing can be kept of it\..*No space left on device",
    ):
        add(queue)
    assert (queue.jobs, workers) == ({}, [])
    assert [path.name for path in queue.workspace.folder.iterdir()] == [PRIVATE]


@pytest.mark.parametrize(("free", "told"), [(1 << 30, False), (1000, True)])
def test_a_worker_that_died_on_a_full_disk(queue, workers, monkeypatch, free, told):
    usage = SimpleNamespace(free=free)
    monkeypatch.setattr(queue_module.shutil, "disk_usage", lambda folder: usage)
    job = add(queue)
    workers[0].code = 1
    workers[0]._lines.put(None)
    until(lambda: job.state == "failed")
    assert "ended unexpectedly; nothing had been saved yet." in job.message
    assert ("The disk of the served folder is full" in job.message) == told


def test_a_long_error_is_shortened(queue, workers):
    job = add(queue)
    workers[0].tell("error", message=f"no game {'x' * 5000}: wrong")
    workers[0].code = 1
    workers[0]._lines.put(None)
    until(lambda: job.state == "failed")
    assert len(job.message) < 1100
    assert job.message.startswith("no game x")
    assert job.message.endswith(": wrong")
