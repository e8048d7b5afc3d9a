"""Turns at compiling: one at a time has the lock, and nobody removes that of another."""

import pytest

from equilibrist._jit import compile_lock
from equilibrist._jit.compile_lock import CompileLock
from equilibrist._util import locks
from support.msvcrt import imitate_msvcrt


@pytest.fixture(params=["here", "Windows"])
def path(request, tmp_path, monkeypatch):
    monkeypatch.setattr(compile_lock, "_PATIENCE", 0.05)
    if request.param == "Windows" and locks.HAS_LOCKS:
        monkeypatch.setattr(locks, "msvcrt", imitate_msvcrt(), raising=False)
        for module in (locks, compile_lock):
            monkeypatch.setattr(module, "HAS_LOCKS", False)
    return tmp_path / "kernel.nbc"


def test_who_has_waited_in_vain_leaves_the_lock_of_another(path):
    lock = path.with_name("kernel.nbc.lock")
    first = CompileLock(path.parent, path.name)
    second = CompileLock(path.parent, path.name)
    assert (first.waited, second.waited) == (False, True)
    second.end()
    assert lock.exists()
    third = CompileLock(path.parent, path.name)
    assert third.waited
    third.end()
    first.end()
    assert not lock.exists()


def test_who_has_waited_gets_a_lock_that_others_see(path, monkeypatch):
    first = CompileLock(path.parent, path.name)
    with monkeypatch.context() as patched:
        patched.setattr(compile_lock.time, "sleep", lambda _: first.end())  # while the second waits
        second = CompileLock(path.parent, path.name)
    assert second.waited
    third = CompileLock(path.parent, path.name)
    assert third.waited
    third.end()
    second.end()
    assert not CompileLock(path.parent, path.name).waited
