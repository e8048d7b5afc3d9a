"""A saved run that names a Python file as its game: the file is never run without consent."""

import pytest

import equilibrist as eq
from support.command import call

RULES = """
from pathlib import Path

from equilibrist.games import Kuhn

Path({marker!r}).touch()


class Mine(Kuhn):
    pass
"""


@pytest.fixture
def run(somewhere, tmp_path):
    """Return the folder of a run, and the file that is there once the rules have been run again."""
    marker = tmp_path / "was run"
    (tmp_path / "rules.py").write_text(RULES.format(marker=str(marker)), encoding="utf-8")
    eq.solve("rules.py:Mine", iterations=30, record="all", save="run")
    assert marker.exists()
    marker.unlink()
    return "run", marker


def test_reading_a_run_runs_nothing(run):
    folder, marker = run
    solution = eq.load_solution(folder)
    for draw in (
        eq.plot.convergence,
        eq.plot.strategy,
        eq.plot.trajectories,
        eq.plot.spiral,
        eq.plot.regret,
    ):
        draw(solution)
        draw(folder)
    assert solution.to_html(page=True)
    assert not marker.exists()


@pytest.mark.slow
def test_a_report_asks(run, tmp_path):
    folder, marker = run
    lacking = eq.write_report(folder, tmp_path / "page.html")
    assert set(lacking) == {"Game tree", "Where it loses"}
    assert all("trust=True (--trust)" in reason for reason in lacking.values())
    assert not marker.exists()
    assert eq.write_report(folder, tmp_path / "page.html", trust=True) == {}
    assert marker.exists()


ASKING = [
    ("plot", "--kind", "strategy"),
    pytest.param(("plot",), marks=pytest.mark.slow),
    pytest.param(("report",), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("args", ASKING, ids=" ".join)
def test_the_command_asks(run, capsys, args):
    folder, marker = run
    asked = call(capsys, args[0], folder, *args[1:], "--json")
    assert asked.code == 0
    assert not marker.exists()
    allowed = call(capsys, args[0], folder, *args[1:], "--trust", "--json")
    assert set(allowed.json["skipped"]) <= {"simplex"}  # for which the game lacks a third action
    assert marker.exists()
