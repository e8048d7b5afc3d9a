"""``equilibrist serve``: its port, its address, its errors, and how soon it answers."""

import os
import signal
import socket
import subprocess
import sys
import time

import httpx2
import pytest

from equilibrist._util import locks
from equilibrist._util.places import import_place
from equilibrist.study.folder_lock import FILE, ServeError, lock_server_folder
from equilibrist.study.routes import FILES, TABLE
from support.command import environment
from support.systems import signals

HEAVY = {"numpy", "numba", "scipy", "matplotlib", "pyarrow"}


def started(*options, folder, **variables):
    """Return the process of a server, and the address that it has printed."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from equilibrist.cli import main; main()",
            "serve",
            "--folder",
            str(folder),
            *options,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment()
        | {"PYTHONUNBUFFERED": "1"}
        | {"PYTHONPATH": os.pathsep.join(sys.path)}
        | variables,
    )
    line = process.stdout.readline()
    assert line.startswith(f"Serving {folder} at http://"), process.stderr.read()
    return process, line.split()[-1]


@signals
def test_serves_until_it_is_interrupted(folder):
    process, address = started("--port", "0", "--no-browser", folder=folder)
    base, _, token = address.partition("/?token=")
    assert base.startswith("http://127.0.0.1:")
    assert len(token) >= 32
    with httpx2.Client(trust_env=False) as client:
        assert client.get(f"{base}/api/runs").status_code == 401
        found = client.get(f"{base}/api/runs", headers={"authorization": f"Bearer {token}"}).json()
    assert [run["id"] for run in found["runs"]] == ["kuhn", "kuhn-cfr"]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert token not in out


@signals
def test_a_second_interrupt_while_it_ends_prints_nothing(folder):
    """It ends at once then; the traceback of what waited in the server is nobody's business."""
    process, _ = started("--port", "0", "--no-browser", folder=folder)
    process.send_signal(signal.SIGINT)
    time.sleep(0.03)  # the server looks ten times a second whether it is to end
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@signals
def test_the_arguments_of_the_browser_have_no_token(folder, tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\ncp "${{1#file://}}" {tmp_path}/page\necho "$@" > {tmp_path}/arguments\n'
    )
    browser.chmod(0o700)
    process, address = started("--port", "0", folder=folder, BROWSER=f"{browser} %s")
    deadline = time.monotonic() + 60
    while not (tmp_path / "arguments").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert address.partition("=")[2] not in (tmp_path / "arguments").read_text()
    assert f'url={address}"' in (tmp_path / "page").read_text()
    assert not list((folder / ".equilibrist").glob("open-*"))


def test_the_token_is_another_at_each_start(folder):
    tokens = set()
    for _ in range(2):
        process, address = started("--port", "0", "--no-browser", folder=folder)
        tokens.add(address.partition("token=")[2])
        process.kill()
        process.communicate()
    assert len(tokens) == 2


def test_a_port_that_is_taken(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--folder", tmp_path, "--port", port, "--no-browser")
    ran.fails(2, f"Port {port} of 127.0.0.1 cannot be had")


@pytest.mark.slow
@signals
def test_a_folder_is_served_by_one_server(run, folder):
    """A second one names the first; one that was killed stands in nobody's way."""
    first, address = started("--port", "0", "--no-browser", folder=folder)
    base, _, token = address.partition("?token=")
    second = run("serve", "--folder", folder, "--port", "0", "--no-browser")
    second.fails(
        1, f"{folder} is served already at {base}: use that page, or end that server first"
    )
    assert token not in second.err
    first.kill()
    first.communicate()
    third, _ = started("--port", "0", "--no-browser", folder=folder)
    third.send_signal(signal.SIGINT)
    third.communicate(timeout=60)
    fourth, _ = started("--port", "0", "--no-browser", folder=folder)
    fourth.kill()
    fourth.communicate()


def test_a_folder_is_locked_where_there_is_no_flock(monkeypatch, tmp_path):
    """On Windows a byte beyond the end of the file is locked, so that the address can still be read."""
    held = set()

    class Windows:
        LK_NBLCK = 2

        @staticmethod
        def locking(handle, mode, count):
            place = os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR), mode, count
            if place in held:
                raise PermissionError
            held.add(place)

    monkeypatch.setattr(locks, "HAS_LOCKS", False)
    monkeypatch.setattr(locks, "msvcrt", Windows, raising=False)
    with lock_server_folder(tmp_path, tmp_path) as tell:
        tell("http://127.0.0.1:1/")
        with (
            pytest.raises(ServeError, match=r"is served already at http://127\.0\.0\.1:1/"),
            lock_server_folder(tmp_path, tmp_path),
        ):
            pass
    ((_, place, *_),) = held
    assert place > (tmp_path / FILE).stat().st_size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes, and links for administrators only")
@pytest.mark.parametrize(
    "make", [getattr(os, "mkfifo", None), os.mkdir, lambda path: os.symlink("elsewhere", path)]
)
def test_a_lock_that_is_no_file(run, folder, make):
    (folder / ".equilibrist").mkdir(exist_ok=True)
    make(folder / ".equilibrist" / FILE)
    run("serve", "--folder", folder, "--port", "0", "--no-browser").fails(1, "Remove it.")


def test_a_host_that_is_not_there(run, tmp_path):
    run("serve", "--folder", tmp_path, "--host", "no.such.host.invalid", "--no-browser").fails(
        2, "'no.such.host.invalid' is no interface of this machine"
    )


def test_a_folder_that_cannot_be_written_to(run, tmp_path):
    (tmp_path / "file").write_text("")
    run("serve", "--folder", tmp_path / "file", "--no-browser").fails(
        1, "Nothing can be written to the folder"
    )


def test_each_address_has_its_function():
    assert len({(method, path) for method, path, _ in TABLE}) == len(TABLE)
    assert all(callable(import_place(place)) for _, _, place in (*TABLE, *FILES))


def test_starts_without_anything_heavy():
    """What takes a second to import is imported where a request needs it: the page is there at once."""
    code = (
        "import sys, equilibrist.cli.run, equilibrist.study.server; "
        "print(*{n.partition('.')[0] for n in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())
