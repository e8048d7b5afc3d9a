"""What test modules share. Hypothesis tries the same examples in every run: a failure is never a matter of luck."""

import os
import signal
import threading

import pytest
from hypothesis import settings

from support.command import call, environment

settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=30)
settings.load_profile("same")

if threading.current_thread() is threading.main_thread():
    # A shell without job control starts what runs in the background with Ctrl-C ignored, and all that it starts; a run
    # respects that, but the tests press Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    """Run in an empty folder, with nothing in the environment that changes the output of the command."""
    monkeypatch.chdir(tmp_path)
    for name in set(os.environ) - set(environment()):
        monkeypatch.delenv(name)


@pytest.fixture
def run(capsys):
    """Give a function that runs the command with some arguments in this process."""
    return lambda *args: call(capsys, *args)
