"""Processes of Python: none imports what lies in the working folder."""

import os
import subprocess
import sys

import pytest

from equilibrist.batches.processes import Processes
from equilibrist.cluster.actors import ProcessActors


@pytest.fixture
def canary(tmp_path, monkeypatch):
    """Give a file that is there once something in the working folder was imported."""
    folder = tmp_path / "work"
    folder.mkdir()
    for module in ("multiprocessing", "socket", "struct"):
        (folder / f"{module}.py").write_text(f"open({str(tmp_path / 'canary')!r}, 'w')\n")
    monkeypatch.chdir(folder)
    return tmp_path / "canary"


def test_workers_of_batches_import_nothing_from_the_working_folder(canary):
    before = dict(os.environ)
    with Processes(1) as processes:
        assert processes.submit(abs, -1).result() == 1
    assert not canary.exists()
    assert dict(os.environ) == before


def test_actors_import_nothing_from_the_working_folder(canary):
    actors = ProcessActors()
    actors.start([list])
    actors.close()
    assert not canary.exists()


def test_the_module_takes_the_working_folder_from_the_path(tmp_path):
    """In a process of its own, since pytest loads the package in a way that runpy does not know."""
    code = """
import runpy, sys
from pathlib import Path
from equilibrist._util.processes import drop_working_folder
folder = str(Path.cwd())
sys.path.insert(0, folder)
sys.argv = ["equilibrist", "--version"]
try:
    runpy.run_module("equilibrist", run_name="__main__")
except SystemExit:
    pass
assert folder not in sys.path
once = list(sys.path)
drop_working_folder()
assert sys.path == once
print("looked at")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("looked at\n")
