"""A plug-in of pytest that writes down what each test costs: see ``tests/weight.py``, which starts it."""

import json
import os
import resource
import time
from pathlib import Path
from typing import NamedTuple

import numba.core.event
import pytest

FOLDER = "EQUILIBRIST_WEIGHTS"
"""The variable of the environment that names the folder where it is written."""


class Compiling(NamedTuple):
    """A kernel that is being compiled."""

    began: float  # seconds of the processor
    inner: list[float]  # of kernels that were compiled meanwhile, for its sake


class Weights(numba.core.event.Listener):
    """Writes a line for each test and for each kernel that is compiled, as processes of pytest-xdist end them."""

    def __init__(self, folder: Path) -> None:
        process = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self._file = (folder / f"{process}.jsonl").open("a", encoding="utf-8", buffering=1)
        self._test = ""
        self._compiling: list[Compiling] = []
        numba.core.event.register("numba:compile", self)

    def _write(self, **line: object) -> None:
        self._file.write(json.dumps(line) + "\n")

    def on_start(self, event: numba.core.event.Event) -> None:
        self._compiling.append(Compiling(time.process_time(), []))

    def on_end(self, event: numba.core.event.Event) -> None:
        began, inner = self._compiling.pop()
        seconds = time.process_time() - began
        if self._compiling:
            self._compiling[-1].inner.append(seconds)
        function = event.data["dispatcher"].py_func
        kernel = f"{function.__module__}.{function.__qualname__}"
        self._write(kernel=kernel, seconds=seconds - sum(inner), test=self._test)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Write how many seconds of the processor a test takes, with its fixtures and the processes that it starts."""
        self._test = item.nodeid
        before = _seconds()
        result = yield
        self._write(test=item.nodeid, seconds=_seconds() - before)
        return result


def _seconds() -> float:
    """Return the seconds of the processor that this process has taken, and those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Weights(Path(os.environ[FOLDER])))
