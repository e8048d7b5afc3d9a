"""Regular files alone are read, by every reader: no pipe is waited for, and no device is read without end."""

import ast
import json
import os
import socket
import threading
import tracemalloc

import pytest

import equilibrist as eq
from equilibrist._util.archive import Archive
from equilibrist._util.files import (
    NotRegularError,
    check_regular,
    open_regular,
    read_bytes,
    read_text,
    write_atomically,
)
from equilibrist.batches.log import Log
from equilibrist.batches.study import read_study
from equilibrist.errors import EquilibristError
from equilibrist.learn.exercises.program import Program
from equilibrist.play.history import History
from equilibrist.play.lines import read_graded_costs
from equilibrist.poker.boards.aggregate import board_report
from equilibrist.poker.histories.read import read_hands
from equilibrist.poker.pages.presets import FILE as PRESETS
from equilibrist.poker.spot.importers.read import read_spot_file
from equilibrist.poker.spot.spot import read_locks_file, read_spot
from equilibrist.solving.notes import read_notes
from equilibrist.study.app import make_app
from equilibrist.study.jobs.queue import JobQueue
from equilibrist.web.workspace import PRIVATE, Workspace
from support.sources import dotted_name, nodes_of

PATIENCE = 60  # seconds, in which any of these readers has long answered
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
SPOT = "holdem(board='2s3h4d6c7c', oop='AsAh', ip='KsKh', pot=20, stack=10, bets='a')"


def make_zero(path):
    path.symlink_to("/dev/zero")


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as bound:
        before = os.getcwd()
        os.chdir(path.parent)  # the path of a socket is short
        try:
            bound.bind(path.name)
        finally:
            os.chdir(before)


MAKERS = {"pipe": getattr(os, "mkfifo", None), "device": make_zero, "socket": make_socket}


@pytest.fixture(params=MAKERS)
def make(request):
    """Give a function that makes what is no file."""
    return MAKERS[request.param]


def answered(call):
    """Return what a call answers, or the error that it raises; fail where it does not come to an end."""
    answers = []

    def run():
        try:
            answers.append(call())
        except Exception as error:
            answers.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert answers, "it waits"
    return answers[0]


READERS = {
    "game.efg": eq.load,
    "game.nfg": eq.load,
    "game.toml": eq.load,
    "game.json": eq.load,
    "game.txt": eq.load,
    "game.py": lambda path: eq.load(f"{path}:Game", trust=True),
    "strategy.csv": eq.Strategy.read,
    "strategy.npz": eq.Strategy.read,
    "strategy.parquet": eq.Strategy.read,
    "spot.toml": read_spot,
    "spot.json": read_spot_file,
    "spot.txt": read_spot_file,
    "locks.toml": read_locks_file,
    "study.toml": read_study,
    "boards.txt": lambda path: board_report(SPOT, str(path), iterations=1),
    "hands.txt": lambda path: list(read_hands([path])),
    "hands.csv": read_graded_costs,
    "hands.parquet": read_graded_costs,
    "program.py": lambda path: Program(path, 1.0),
    "play.sqlite": History,
    "checkpoint.npz": lambda path: eq.load_solution(path.parent),
    "results.jsonl": lambda path: Log(path.parent),
}


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_in_a_sentence(tmp_path, make, name):
    path = tmp_path / name
    make(path)
    error = answered(lambda: READERS[name](str(path) if name.startswith("game") else path))
    assert isinstance(error, EquilibristError), error
    assert str(path) in str(error) or path.name in str(error)


@pytest.mark.parametrize("name", ["notes.json"])
def test_what_may_be_missing_is_passed_over(tmp_path, make, name):
    make(tmp_path / name)
    assert answered(lambda: read_notes(tmp_path)) == read_notes(tmp_path / "none")


@pytest.mark.parametrize("name", ["kuhn", "strategy"])
def test_the_command_reads_no_device(run, name):
    arguments = {"kuhn": ["solve", "/dev/zero"], "strategy": ["evaluate", "kuhn", "/dev/zero"]}[
        name
    ]
    assert run(*arguments).code == 2


# --- The server ---


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    eq.solve("kuhn", iterations=5, save=folder / "kuhn")
    return folder / "kuhn"


IN_RUN = (
    "job.json",
    "events.jsonl",
    "notes.json",
    "solution.json",
    "strategy.csv",
    "checkpoint.npz",
    "report.html",
)
IN_RUN += ("plan.json", "results.jsonl", "study.json", "boards.parquet")
PRIVATE_FILES = ("catalogue.json", "play.sqlite", PRESETS, "uploads/game.efg", "uploads/game.py")


@pytest.mark.thinned(33)
@pytest.mark.parametrize("name", IN_RUN)
def test_a_server_starts_over_a_run_with_what_is_no_file(tmp_path, saved, make, name):
    for folder in (tmp_path / "kuhn", tmp_path / "odd"):
        folder.mkdir()
        for file in saved.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
    (tmp_path / "odd" / "job.json").write_text(json.dumps({"request": {}, "state": "running"}))
    (tmp_path / "odd" / name).unlink(missing_ok=True)
    make(tmp_path / "odd" / name)

    def look():
        client = serve(Workspace(tmp_path))
        paths = (
            "runs",
            "jobs",
            "reports",
            "batches",
            "runs/odd",
            "runs/odd/overview",
            "reports/odd",
            "batches/odd",
        )
        answers = {path: client.get(f"/api/{path}") for path in paths}
        answers["resume"] = client.post("/api/jobs", json={"resume": "odd", "iterations": 6})
        client.__exit__(None, None, None)
        return answers

    answers = answered(look)
    assert not isinstance(answers, Exception), answers
    assert all(answer.status_code < 500 for answer in answers.values())
    assert [row["id"] for row in answers["runs"].json()["runs"]] == [
        "kuhn"
    ]  # as with links: no part of it is looked at
    assert answers["resume"].status_code == 404


@pytest.mark.parametrize("name", PRIVATE_FILES)
def test_a_server_starts_over_what_is_no_file_of_its_own(tmp_path, saved, make, name):
    path = tmp_path / PRIVATE / name
    path.parent.mkdir(parents=True)
    make(path)

    def look():
        client = serve(Workspace(tmp_path))
        answers = [
            client.get(f"/api/{part}") for part in ("runs", "games", "presets", "tables", "history")
        ]
        answers.append(
            client.post("/api/games/estimate", json={"upload": path.name, "class": "Game"})
        )
        client.__exit__(None, None, None)
        return answers

    answers = answered(look)
    assert not isinstance(answers, Exception), answers
    assert all(answer.status_code < 500 for answer in answers)


def test_the_events_of_a_folder_are_no_pipe_when_a_queue_begins(tmp_path, make):
    (tmp_path / "run").mkdir()
    make(tmp_path / "run" / "job.json")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "job.json").write_text(
        json.dumps({"request": {"keywords": {}}, "state": "failed"})
    )
    make(tmp_path / "other" / "events.jsonl")
    queue = answered(lambda: JobQueue(Workspace(tmp_path), lambda event: None))
    assert queue.jobs == {}
    queue.close()


def serve(workspace):
    from starlette.testclient import TestClient

    client = TestClient(
        make_app(workspace, token="token"),
        base_url="http://127.0.0.1:8421",
        raise_server_exceptions=False,
    )
    client.headers["authorization"] = "Bearer token"
    client.__enter__()
    return client


# --- The helpers ---


def test_helpers(tmp_path, make):
    odd, plain = tmp_path / "odd", tmp_path / "plain"
    make(odd)
    plain.write_bytes(b"content")
    for read in (check_regular, open_regular, read_bytes):
        assert isinstance(answered(lambda read=read: read(odd)), NotRegularError)
    assert isinstance(answered(lambda: open_regular(odd, "ab")), NotRegularError)
    assert isinstance(answered(lambda: read_bytes(tmp_path)), IsADirectoryError)
    assert "give a file" in str(answered(lambda: read_text(odd)))
    assert read_bytes(plain, most=7) == b"content"
    with pytest.raises(OSError, match="it has 7 bytes, and at most 6 are read"):
        read_bytes(plain, most=6)
    with open_regular(plain, "ab") as file:
        file.write(b", more")
    assert read_text(plain) == "content, more"


def test_files_whose_size_is_told_as_0_are_bounded_as_well():
    if not os.path.exists("/proc/self/status"):
        pytest.skip("there is no /proc")
    assert read_bytes("/proc/self/status")
    with pytest.raises(OSError, match="at most 10 bytes"):
        read_bytes("/proc/self/status", most=10)


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    error = answered(lambda: write_atomically(tmp_path / "pipe", b"content"))
    assert isinstance(error, EquilibristError)


def test_archives_are_regular_files(tmp_path, make):
    make(tmp_path / "odd")
    assert isinstance(answered(lambda: Archive(tmp_path / "odd")), NotRegularError)


# --- The kind: whoever reads a file does it by these helpers ---

OWN = {
    "_util/files.py": "the helpers",
    "_util/processes.py": "the quota of a control group",
    "_jit/compile_lock.py": "the lock on compiling",
    "_jit/cache.py": "machine code of the package's own, by its digest",
    "_jit/sources.py": "sources of the package",
    "batches/log.py": "checked before it is opened for writing",
    "learn/commands/exercise.py": "a new file, which is written",
    "cli/run.py": "the null device",
    "games/openspiel.py": "the null device",
    "_util/python_classes.py": "a file of Python that was asked for, after is_file",
    "batches/variants.py": "after is_file",
    "poker/preflop/all_in.py": "a file of the package",
    "_util/lazy_names.py": "a stub of the package",
    "_util/archive.py": "a zip of what open_regular has opened",
    "play/history.py": "after check_regular",
    "poker/preflop/three_way.py": "a file of the package",
    "learn/exercises/runner.py": "what the system says of its own process",
    "study/app.py": "files of the package",
    "study/folder_lock.py": "the lock of a server, which looks at what it has opened",
    "study/library/exports.py": "a file that was just written",
    "web/respond.py": "a file that was just written",
    "strategy/tables.py": "tables of what open_regular has opened",
    "track/to_tensorboard.py": "a file of its own, which is written",
}
"""Modules that open files by themselves, and why that is no harm."""


FUNCTIONS = ("open", "ZipFile", "read_table", "read_schema", "ParquetFile")
METHODS = ("open", "read_text", "read_bytes", "connect")


def readers():
    """Yield path and node of each call that opens a file, of Python and of the libraries that are used."""
    for path, node in nodes_of(ast.Call):
        called = node.func
        name = dotted_name(called)
        if name in FUNCTIONS or name == "np.load":
            yield path, node
        elif isinstance(called, ast.Attribute) and called.attr in METHODS:
            source = ast.unparse(called.value)
            if not any(
                own in source
                for own in ("files(", "joinpath(", "_FILES", "webbrowser", "archive", "_tables(")
            ):
                yield path, node


def test_whoever_reads_a_file_does_it_by_the_helpers():
    found = {}
    for path, node in readers():
        call = ast.unparse(node)
        if path not in OWN and not call.startswith("os.open(os.devnull"):
            found.setdefault(path, []).append(call)
    assert found == {}


def test_a_small_file_takes_little_memory(tmp_path):
    path = tmp_path / "small"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        assert read_bytes(path) == b"x" * 1000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
