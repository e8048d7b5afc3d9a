"""The contract of games as tests of pytest: run in a process of their own, as an author would."""

import subprocess
import sys
import warnings

import pytest

import equilibrist as eq
from equilibrist.evaluation.pytest_plugin import CHECKS
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

KUHN = (ROOT.parents[1] / "examples" / "my_game.py").read_text()
WRONG = """

class Forgotten(MyKuhn):
    def infoset(self, state): return state[2:]


class Unlikely(MyKuhn):
    def probabilities(self, state): return [0.3] * (3 - len(state))


class Unpaid(MyKuhn):
    def payoffs(self, state): return (float("nan"), 1) if state == "JQbb" else super().payoffs(state)


class Merged(MyKuhn):
    def actions(self, state): return ["b", "p"] if state[2:] == "p" else super().actions(state)
    def infoset(self, state): return state[1] if len(state) == 3 else super().infoset(state)


class Failing(MyKuhn):
    def payoffs(self, state): return [1][7] if state == "JQbb" else super().payoffs(state)
"""
SENTENCES = {
    "Forgotten": "the infosets of players 0 and 1 do not depend on chance",
    "Unlikely": "the probabilities of chance must be 0 or more and sum to 1; got [0.3, 0.3, 0.3]",
    "Unpaid": "payoffs must be finite numbers; got (nan, 1) after ['J', 'Q', 'b', 'b']",
    "Merged": "player 1 cannot tell",
    "Failing": "the rules failed after ['J', 'Q', 'b', 'b'] with IndexError: list index out of range",
}
"""What is said of Kuhn poker with a mistake, by the name of its class."""


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


@pytest.mark.slow
def test_five_mistakes_of_authors_have_a_sentence_each(tmp_path):
    (tmp_path / "wrong.py").write_text(KUHN + WRONG)
    games = [f"--equilibrist=wrong.py:{name}" for name in SENTENCES]
    code, text = run_pytest(tmp_path, *PLUGIN, "-m", "equilibrist", "--tb=short", *games)
    assert code == 1, text
    assert "Traceback" not in text
    for name, sentence in SENTENCES.items():
        assert f"wrong.py:{name}::histories FAILED" in text
        assert f"\n{name}: {sentence}" in text
    # Random plays see all but the card that is forgotten, which is well formed.
    assert "wrong.py:Forgotten::plays PASSED" in text
    assert "9 failed, 1 passed" in text


@pytest.mark.parametrize("ignored", [False, True])
def test_a_forgotten_card_fails_unless_the_settings_ignore_it(ignored):
    names = {}
    exec(KUHN + WRONG, names)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        if ignored:
            warnings.simplefilter("ignore", eq.EquilibristWarning)
            CHECKS["histories"](names["Forgotten"](), 1)
        else:
            with pytest.raises(eq.EquilibristWarning, match="such as the own card"):
                CHECKS["histories"](names["Forgotten"](), 1)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("plays", ["0", "-1", "many"])
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
