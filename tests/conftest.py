"""What test modules share. Hypothesis tries the same examples in every run: a failure is never a matter of luck."""

import gc
import os
import re
import signal
import sys
import threading
from collections import Counter
from textwrap import dedent

import pytest
from hypothesis import Phase, settings

from support.browser import browser, launch, new_page
from support.command import call, environment
from support.extras import EXTRAS

__all__ = ["browser", "launch", "new_page"]

# Doctests import each module: one takes from the process what Windows has not, others need what it has not.
collect_ignore = ["support/like_windows.py", "support/weights.py", "weight.py"]

settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=30)
phases = [
    phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)
]  # tests/mutants.py: failing is enough
settings.register_profile("unshrunk", settings.get_profile("same"), phases=phases)
settings.load_profile("same")

# Tests start hundreds of processes, and each would compile the package's sources and the tests' anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Each file that is written would wait for the disk, a second of twenty: what tests write need not outlive a power cut.
os.fsync = lambda file: None

# What collecting makes stays until the end: to look through it for garbage again and again takes 12 s of 30.
gc.disable()

if threading.current_thread() is threading.main_thread():
    # A shell without job control starts what runs in the background with Ctrl-C ignored, and all that it starts; a run
    # respects that, but the tests press Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

if (
    "PYTEST_XDIST_WORKER" in os.environ
):  # every processor has tests to run: no second process helps to compile
    from equilibrist.solving import warm_up

    warm_up.can_keep = lambda: False


@pytest.hookimpl(tryfirst=True)  # before those that are marked slow are left out
def pytest_collection_modifyitems(items):
    """Leave the first and every k-th case of a test that is marked ``thinned(k)``; the others are slow.

    ``TESTS_PART=2/3`` in the environment leaves a third of what is slow or needs a browser, beginning with the second:
    .ci/run takes another part each time.
    """
    first, parts = map(int, os.environ.get("TESTS_PART", "0/1").split("/"))
    counts, chosen = Counter(), []
    for item in items:
        if re.search(r"\bat 0x[0-9a-f]+", item.nodeid):
            message = f"{item.nodeid} has an address in its name, which processes differ in: name its cases."
            raise pytest.UsageError(message)
        if mark := item.get_closest_marker("thinned"):
            name = item.nodeid.partition("[")[0]
            counts[name] += 1
            if (counts[name] - 1) % mark.args[0]:
                item.add_marker(pytest.mark.slow)
        if any(map(item.get_closest_marker, ("slow", "browser"))) or "browser" in item.path.parts:
            counts["in parts"] += 1
            if (counts["in parts"] - first) % parts:
                continue
        chosen.append(item)
    items[:] = chosen


def pytest_runtest_setup(item):
    """Skip a test that is marked ``needs("pandas")`` where that is not installed, and say what would install it.

    With ``part=True`` the test leaves out by itself what it cannot do.
    """
    for mark in item.iter_markers("needs"):
        if mark.kwargs.get("part"):
            continue
        for name in mark.args:
            pytest.importorskip(
                name, reason=f"{name} is not installed: pip install -e '.[{EXTRAS[name]}]'"
            )


@pytest.hookimpl(tryfirst=True)  # before tests run here, or elsewhere and are waited for
def pytest_runtestloop():
    """Look for garbage from now on, and never again among what there is: modules and tests."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture
def somewhere(tmp_path, monkeypatch):
    """Run in an empty folder, with nothing in the environment that changes the output of the command."""
    monkeypatch.chdir(tmp_path)
    for name in set(os.environ) - set(environment()):
        monkeypatch.delenv(name)


@pytest.fixture
def undrawn(monkeypatch):
    """Write a word where a picture would be drawn to a file, which takes half a second: tests/plot draws them."""
    monkeypatch.setattr(
        "equilibrist.plot.style.save_figure", lambda figure, file, *, kind: file.write(b"drawn")
    )


@pytest.fixture
def run(capsys):
    """Give a function that runs the command with some arguments in this process."""
    return lambda *args: call(capsys, *args)


@pytest.fixture
def install_distribution(tmp_path, monkeypatch):
    """Return what puts a distribution with entry points of a group beside the others, for one test."""
    monkeypatch.syspath_prepend(tmp_path)

    def add(group, entries, *, module, source):
        (tmp_path / f"{module}.py").write_text(dedent(source), encoding="utf-8")
        folder = tmp_path / f"{module}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        lines = [f"{name} = {place}" for name, place in entries.items()]
        (folder / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        monkeypatch.delitem(sys.modules, module, raising=False)

    return add
