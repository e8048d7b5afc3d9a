"""Warm-up: each step loads its kernels by itself, and a second process helps where they have to be compiled."""

import pytest

from equilibrist._jit import compile_lock
from equilibrist.solving import warm_up


@pytest.mark.parametrize("kind", ["sequence", "public", "cards"])
@pytest.mark.parametrize("concept", ["nash", pytest.param("floors", marks=pytest.mark.slow), "qre"])
def test_no_step_needs_another_before(kind, concept):
    if (kind, concept) == ("public", "qre"):
        pytest.skip("the public form does not tell the reach of the others")
    for step in reversed(warm_up._list_steps(kind, 2, "float64", False, 1, concept)):
        step()


def test_a_second_process_helps_while_kernels_are_compiled(monkeypatch):
    events = []

    class Process:
        def __init__(self, command, **options):
            events.append(command[-4:])

        def terminate(self):
            events.append("terminate")

        def wait(self):
            events.append("wait")

    monkeypatch.setattr(warm_up.subprocess, "Popen", Process)
    monkeypatch.setattr(warm_up.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(warm_up, "can_keep", lambda: True)
    with warm_up._start_helper("cards", "2"):
        pass
    assert events == []  # all was on disk
    with warm_up._start_helper("cards", "2"):
        for change in (1, 1, -1, -1):
            compile_lock._tell(change)
    assert events == [["-m", "equilibrist.solving.warm_up", "cards", "2"], "terminate", "wait"]
    assert compile_lock.LISTENERS == []
