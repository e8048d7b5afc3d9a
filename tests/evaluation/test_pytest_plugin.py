"""The contract of games as tests of pytest: run in a process of their own, as an author would."""

import subprocess
import sys

import pytest

from support.command import environment
from support.sources import ROOT

RULES = """
class Flip:
    players = 1
    hidden = True

    def __init__(self, sides=2): self.sides = sides
    def start(self): return "begin"
    def player(self, state): return 0 if state == "begin" else -2
    def actions(self, state): return [str(side) for side in range(self.sides)]
    def probabilities(self, state): return []
    def next(self, state, action): return action
    def payoffs(self, state): return [int(state)]
    def infoset(self, state): return "flip"


class Changing(Flip):
    asked = 0

    def payoffs(self, state):
        self.asked += 1
        return [self.asked]
"""


def run_pytest(folder, *arguments):
    (folder / "rules.py").write_text(RULES)
    (folder / "test_else.py").write_text("def test_else(): assert True\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *arguments]
    environs = environment() | {"PYTHONPATH": str(ROOT.parent)}
    done = subprocess.run(
        command, cwd=folder, env=environs, capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout + done.stderr


def is_installed():
    """Return whether pytest finds the plug-in by itself; a clone that was installed before it was there does not."""
    from importlib.metadata import entry_points

    return any(entry.name == "equilibrist" for entry in entry_points(group="pytest11"))


PLUGIN = [] if is_installed() else ["-p", "equilibrist.evaluation.pytest_plugin"]


@pytest.mark.slow
def test_a_game_is_tested_beside_what_there_is(tmp_path):
    code, text = run_pytest(tmp_path, *PLUGIN, "--equilibrist", "rules.py:Flip(sides=3)")
    assert code == 0, text
    assert "test_else.py::test_else PASSED" in text
    assert "rules.py:Flip(sides=3)::plays PASSED" in text
    assert "rules.py:Flip(sides=3)::histories PASSED" in text
    assert "3 passed" in text


def test_a_mistake_is_one_sentence(tmp_path):
    code, text = run_pytest(
        tmp_path, *PLUGIN, "-m", "equilibrist", "--equilibrist", "rules.py:Changing",
        "--equilibrist", "rules.py:Missing",
    )  # fmt: skip
    assert code == 1, text
    assert "rules.py:Changing::plays FAILED" in text
    assert "Traceback" not in text
    assert "site-packages" not in text
    assert "Changing" in text
    assert "'Missing'" in text
    assert "1 deselected" in text


@pytest.mark.parametrize("plays", ["-1", "0", "many"])
def test_at_least_one_play_is_asked_for(tmp_path, plays):
    code, text = run_pytest(tmp_path, *PLUGIN, f"--equilibrist-plays={plays}")
    assert code == 4, text
    assert f"must be a whole number, 1 or more; got '{plays}'" in text


@pytest.mark.slow
def test_a_game_that_is_too_large_is_played(tmp_path):
    code, text = run_pytest(
        tmp_path, *PLUGIN, "-m", "equilibrist", "--equilibrist", "dark_hex(size=4)",
        "--equilibrist-plays", "3", "-rs",
    )  # fmt: skip
    assert code == 0, text
    assert "dark_hex(size=4)::plays PASSED" in text
    assert "is too large to compile" in text


def test_without_the_option_nothing_of_the_package_is_imported(tmp_path):
    (tmp_path / "test_imports.py").write_text(
        "import sys\ndef test_it():\n"
        "    rooms = {name.split('.')[1] for name in sys.modules if name.startswith('equilibrist.')}\n"
        "    assert 'numpy' not in sys.modules and 'numba' not in sys.modules\n"
        "    assert rooms <= {'evaluation', '_util', '_old_names', 'errors'}, rooms\n"
    )
    plugins = [*PLUGIN, "-p", "no:hypothesispytest", "-p", "no:anyio"]
    code, text = run_pytest(tmp_path, *plugins, "test_imports.py")
    assert code == 0, text
