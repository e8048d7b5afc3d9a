"""Turns at compiling: one at a time has the lock, and nobody removes that of another."""

import pytest

from equilibrist._jit import turns
from equilibrist._jit.turns import Turn

pytestmark = pytest.mark.skipif(turns.fcntl is None, reason="This system has no locks on files.")


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "_PATIENCE", 0.05)
    return tmp_path / "kernel.nbc"


def test_who_has_waited_in_vain_leaves_the_lock_of_another(path):
    lock = path.with_name("kernel.nbc.lock")
    first = Turn([path])
    second = Turn([path])
    assert (first.waited, second.waited) == (False, True)
    second.end()
    assert lock.exists()
    third = Turn([path])
    assert third.waited
    third.end()
    first.end()
    assert not lock.exists()


def test_who_has_waited_gets_a_lock_that_others_see(path, monkeypatch):
    first = Turn([path])
    with monkeypatch.context() as patched:
        patched.setattr(turns.time, "sleep", lambda _: first.end())  # while the second waits
        second = Turn([path])
    assert second.waited
    third = Turn([path])
    assert third.waited
    third.end()
    second.end()
    assert not Turn([path]).waited
