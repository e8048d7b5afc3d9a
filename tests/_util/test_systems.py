"""What differs between systems: locks, moves of open files, sessions, signals, names and command lines of Windows."""

import ast
import errno
import importlib
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path, PureWindowsPath

import pytest

import equilibrist as eq
from equilibrist._util import (
    command_line,
    file_names,
    files,
    interrupt,
    locks,
    moving,
    processes,
)
from equilibrist._util.interrupt import interrupt_this_process, note_signals
from equilibrist._util.spec import split_place
from equilibrist._util.toml import toml_text
from equilibrist.batches import processes as batch_processes
from equilibrist.cli import run as cli_run
from equilibrist.errors import SolutionError
from equilibrist.runs.folders import id_of
from equilibrist.web.workspace import Workspace
from support.msvcrt import imitate_msvcrt
from support.sources import ROOT, dotted_name, nodes_of, nodes_of_files

LINUX = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="open files are looked up in /proc"
)
ALSO_POSIX = [True] if os.name == "nt" else [False, True]


@pytest.fixture
def windows(monkeypatch):
    """Have files locked as on Windows: one handle of a file at a time, until it is closed."""
    if locks.HAS_LOCKS:
        monkeypatch.setattr(locks, "msvcrt", imitate_msvcrt(), raising=False)
        for module in (locks, files):
            monkeypatch.setattr(module, "HAS_LOCKS", False)
    for module in (command_line, file_names, interrupt, moving, processes):
        monkeypatch.setattr(module, "IS_WINDOWS", True)


@pytest.fixture
def pauses(monkeypatch):
    """The seconds that are waited, none of which passes."""
    waited = []
    monkeypatch.setattr(moving.time, "sleep", waited.append)
    return waited


def refuse(monkeypatch, times):
    """Have ``os.replace`` refused so often, as where somebody reads the file; return the calls."""
    replace, calls = os.replace, []

    def refused(old, new):
        calls.append(new)
        if len(calls) <= times:
            raise PermissionError(errno.EACCES, "Access is denied", os.fspath(new))
        replace(old, new)

    monkeypatch.setattr(os, "replace", refused)
    return calls


# --- Locks of folders ---


@pytest.mark.usefixtures("windows")
def test_a_folder_is_locked_where_folders_cannot_be(tmp_path):
    folder = tmp_path / "run"
    with files.lock_folder(folder):
        for same in (folder, tmp_path / "other" / ".." / "run"):
            with (
                pytest.raises(SolutionError, match="Another run is saving to"),
                files.lock_folder(same),
            ):
                pass
        with files.lock_folder(tmp_path / "another"):
            pass
        assert list(folder.iterdir()) == []  # so that the folder can be renamed
        folder.rename(tmp_path / "renamed")
    with files.lock_folder(folder):
        pass


@pytest.mark.usefixtures("windows")
def test_a_lock_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(files.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with files.lock_folder(tmp_path / "run"):
        assert len(list((tmp_path / "temporary").glob("equilibrist-*.lock"))) == 1
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.usefixtures("windows")
def test_what_killed_writers_have_left_goes_after_an_hour(tmp_path):
    old, new = tmp_path / ".run.csv.abc.part", tmp_path / ".run.csv.def.part"
    for path, age in ((old, 3700), (new, 3500)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    files.write_atomically(tmp_path / "run.csv", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [new.name, "run.csv"]


# --- Files that are open ---


@pytest.mark.usefixtures("windows")
def test_a_file_that_is_read_for_a_moment_is_replaced(tmp_path, monkeypatch, pauses):
    path = tmp_path / "run.csv"
    path.write_bytes(b"old")
    calls = refuse(monkeypatch, 3)
    files.write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert len(calls) == 4
    assert pauses == [0.01, 0.02, 0.04]


@pytest.mark.usefixtures("windows")
def test_a_file_that_stays_open_is_a_sentence_and_keeps_its_content(tmp_path, monkeypatch, pauses):
    path = tmp_path / "run.csv"
    path.write_bytes(b"old")
    refuse(monkeypatch, 100)
    with pytest.raises(
        SolutionError, match=r"run\.csv cannot be written: another program has it open, .*close it"
    ):
        files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["run.csv"]
    assert 2 < sum(pauses) < 3


def test_other_systems_wait_for_nobody(tmp_path, monkeypatch, pauses):
    monkeypatch.setattr(moving, "IS_WINDOWS", False)
    calls = refuse(monkeypatch, 100)
    with pytest.raises(PermissionError, match="Access is denied"):
        moving.move_path(tmp_path / "a", tmp_path / "b")
    assert len(calls) == 1
    assert pauses == []


def test_nothing_else_replaces_files():
    """What replaces or renames goes by ``move_path``, which has the patience."""
    guilty = [
        (name, node.lineno)
        for name, node in nodes_of(ast.Call)
        if dotted_name(node.func) in ("os.replace", "os.rename", "shutil.move")
        and name != "_util/moving.py"
    ]
    assert guilty == []


# --- Processes and signals ---


def test_workers_are_out_of_reach_of_ctrl_c(monkeypatch):
    monkeypatch.setattr(processes, "IS_WINDOWS", False)
    assert processes.separate_session() == {"start_new_session": True}
    monkeypatch.setattr(processes, "IS_WINDOWS", True)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    assert processes.separate_session() == {"creationflags": 0x200}


@pytest.mark.parametrize("is_windows", ALSO_POSIX)
def test_a_worker_that_interrupts_itself_lives_on(is_windows, monkeypatch):
    """On Windows ``os.kill`` would end the process, whatever the signal."""
    if is_windows:
        monkeypatch.setattr(os, "kill", None)
    monkeypatch.setattr(interrupt, "IS_WINDOWS", is_windows)
    with note_signals() as signals:
        interrupt_this_process()
        deadline = time.monotonic() + 10
        while not signals and time.monotonic() < deadline:
            time.sleep(0.001)
    assert signals == [signal.SIGINT]


def test_a_closed_terminal_is_heard_on_windows(monkeypatch):
    monkeypatch.setattr(signal, "SIGBREAK", signal.SIGTERM, raising=False)
    again = importlib.util.module_from_spec(interrupt.__spec__)
    interrupt.__spec__.loader.exec_module(again)
    assert again._USUAL[signal.SIGBREAK] is signal.SIG_DFL


def test_every_process_is_spawned():
    """Windows has no fork; and a fork would copy threads and locks."""
    guilty = []
    for name, node in nodes_of(ast.Call):
        called = dotted_name(node.func)
        keywords = {keyword.arg for keyword in node.keywords}
        is_pool = called.endswith("ProcessPoolExecutor") and "mp_context" not in keywords
        is_fork = called in ("os.fork", "os.forkpty")
        is_other = called.endswith("get_context") and ast.unparse(node.args[0]) != "'spawn'"
        if is_pool or is_fork or is_other:
            guilty.append((name, node.lineno))
    assert guilty == []


def test_a_pool_has_no_more_processes_than_windows_can_wait_for(monkeypatch):
    monkeypatch.setattr(batch_processes, "IS_WINDOWS", True)
    assert batch_processes.Processes(100)._open_pool()._max_workers == 61
    monkeypatch.setattr(batch_processes, "IS_WINDOWS", False)
    assert batch_processes.Processes(100)._open_pool()._max_workers == 100


@pytest.mark.parametrize(("is_windows", "printed"), [(True, ""), (False, "Error: The output")])
def test_a_reader_that_has_gone_is_no_error(is_windows, printed, monkeypatch, capsys):
    """On Windows ``equilibrist runs | more`` that is ended is an invalid argument, and no broken pipe."""

    def fail(**_):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(cli_run, "IS_WINDOWS", is_windows)
    monkeypatch.setattr(cli_run, "make_app", lambda asked: fail)
    monkeypatch.setattr(cli_run, "_drop_output", lambda: None)
    monkeypatch.setattr(sys, "argv", ["equilibrist", "runs"])
    with pytest.raises(SystemExit) as ended:
        cli_run.run()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith(printed)
    assert bool(printed) == (not is_windows)


# --- What POSIX alone has ---

GONE = {
    "os": (
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fork geteuid getgid getloadavg getpgid "
        "getsid getuid killpg mkfifo nice sched_getaffinity set_blocking setsid statvfs sysconf uname"
    ),
    "signal": "SIGALRM SIGHUP SIGKILL SIGSTOP SIGUSR1 SIGUSR2 alarm pthread_kill setitimer",
    "socket": "AF_UNIX",
    "sys": "abiflags",
}
MODULES = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}
HANDLED = {
    "_jit/cache_folder.py": {"os.geteuid"},  # not on Windows
    "_util/confined.py": {"os.killpg", "os.set_blocking", "signal.SIGKILL"},  # not on Windows
    "_util/files.py": {
        "os.O_NOFOLLOW",
        "os.set_blocking",
    },  # where there is flock; where non-blocking
    "_util/locks.py": {"fcntl"},  # an ImportError is caught
    "_util/processes.py": {"os.sched_getaffinity"},  # where it is there
    "_util/workers.py": {"os.getsid", "os.nice"},  # an AttributeError is suppressed
    "learn/exercises/runner.py": {"resource"},  # an ImportError is caught
}
"""Where the package uses what POSIX alone has, each where it is missed by nobody on Windows."""


def test_what_windows_lacks_is_used_where_that_is_handled():
    gone = {f"{module}.{name}" for module, names in GONE.items() for name in names.split()}
    used = {}
    for name, nodes in nodes_of_files().items():
        found = set()
        for node in nodes:
            if isinstance(node, ast.Attribute) and dotted_name(node) in gone:
                found.add(dotted_name(node))
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names} & MODULES
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in MODULES:
                found.add(node.module)
        if found:
            used[name] = found
    assert used == HANDLED


# --- Names and texts ---


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("kuhn", "kuhn"),
        (r"C:\runs\first", r"C:\runs\first"),
        (r"C:\my runs\first", r'"C:\my runs\first"'),
        ("kuhn(cards=5)", '"kuhn(cards=5)"'),
        ("it's", '"it\'s"'),
        ("X-B100,C", '"X-B100,C"'),
    ],
)
def test_words_of_commands_on_windows(text, word):
    assert command_line.quote_word(text) == word


@pytest.mark.parametrize("name", ["C:kuhn", "nul", "LPT1.toml", "kuhn.", "a<b", "kuhn?", " ", ""])
def test_names_that_windows_refuses_are_no_runs_there(name, tmp_path, monkeypatch):
    assert not file_names.is_portable(name)
    monkeypatch.setattr(file_names, "IS_WINDOWS", True)
    workspace = Workspace(tmp_path)
    with pytest.raises(Exception, match="is no name of a run"):
        workspace.folder_of(name, there=False)


@pytest.mark.parametrize("name", ["nul", "Con", "aux.toml", "kuhn: 5 cards", 'a "b"', "x/y\\z"])
def test_new_runs_have_names_that_all_systems_hold(name, tmp_path):
    assert file_names.is_portable(Workspace(tmp_path).new_folder(name).name)


def test_files_of_the_repository_can_be_checked_out_anywhere():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT.parents[1], capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no clone")
    names = listed.stdout.decode().split("\0")[:-1]
    assert len(names) > 1000
    assert [name for name in names if not all(map(file_names.is_portable, name.split("/")))] == []
    assert len({name.casefold() for name in names}) == len(names)
    assert max(map(len, names)) < 140  # of the 260 characters of a path


def test_paths_with_backslashes_blanks_and_drives_are_read_as_they_were_written():
    place = split_place(r"C:\my games\rules.py:Poker(cards=4)")
    assert place == (r"C:\my games\rules.py", "Poker(cards=4)")
    table = {"game": r"C:\my games\ü.toml", "boards": [r"\\server\new\turns"]}
    assert tomllib.loads(toml_text(table)) == table


def test_ids_of_runs_are_the_same_on_windows():
    assert id_of(PureWindowsPath(r"folder\run~1")) == "folder~1run~01"


def test_a_folder_with_blanks_and_letters_beyond_ascii_is_like_any_other(tmp_path):
    folder = tmp_path / "my runs – über alles" / "Kuhn 1"
    solution = eq.solve("kuhn", iterations=3, save=folder)
    again = eq.solve(resume=folder, iterations=5)
    assert again.iterations == 5
    assert eq.Strategy.read(folder / "strategy.csv").probabilities.shape == (
        solution.strategy.probabilities.shape
    )


@pytest.mark.slow
@LINUX
def test_the_plug_in_takes_away_what_is_named_here(tmp_path):
    """``-p support.like_windows`` imitates what these tests name."""
    code = (
        "import support.like_windows, os, sys\n"
        "assert not hasattr(os, 'geteuid') and not hasattr(sys, 'abiflags')\n"
        "import equilibrist as eq\n"
        "from equilibrist._util import locks, moving\n"
        "assert moving.IS_WINDOWS and not locks.HAS_LOCKS\n"
        "file = open(sys.argv[1], 'w')\n"
        "try: os.replace(sys.argv[1], sys.argv[1] + '2')\n"
        "except PermissionError: print('refused')\n"
        "print(eq.solve('kuhn', iterations=2, save=sys.argv[2]).iterations)"
    )
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code, "file.txt", "run"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["refused", "2"], done.stderr
