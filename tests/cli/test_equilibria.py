"""``equilibrist equilibria``: what it prints, and what it refuses."""

import signal
import time

import pytest

from support.command import ended, start

CHICKEN = (
    "matrix(payoffs=[[0, 4], [1, 3]], payoffs2=[[0, 1], [4, 3]], "
    "rows=['dare', 'swerve'], columns=['dare', 'swerve'])"
)
CONTINUUM = "matrix(payoffs=[[3, 3], [2, 5], [0, 6]], payoffs2=[[3, 3], [2, 6], [3, 1]])"


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Give sentences and cells the room that they need."""
    monkeypatch.setenv("COLUMNS", "250")


def test_equilibria_are_listed(run):
    text = run("equilibria", CHICKEN).out
    assert "1/2 dare + 1/2 swerve" in text
    assert "their number is odd" in text
    assert "Maximal Nash subsets" not in text
    text = run("equilibria", CONTINUUM).out
    assert "1/3 r2 + 2/3 r3" in text
    assert "Maximal Nash subsets" in text
    assert "any mixture of the strategies of player 0" in text


@pytest.mark.parametrize("width", [30, 40, 80])
def test_subsets_are_named_however_narrow_the_terminal(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    text = run("equilibria", CONTINUUM).out
    subsets = text[text.index("Maximal Nash subsets") :].partition("└")[0]
    assert "component" in subsets
    assert "0, 1" in subsets


def test_as_one_object(run):
    plain = run("equilibria", CONTINUUM, "--json").json
    assert plain["plans"] == [3, 2]
    assert plain["degenerate"] is True
    assert [row["payoffs"] for row in plain["equilibria"]] == [["3", "3"], ["3", "3"], ["4", "8/3"]]
    assert plain["subsets"] == plain["components"] == [[0, 1], [2]]
    one = run("equilibria", "matrix(payoffs=[[5]])", "--json").json
    assert one["equilibria"][0]["strategies"] == [{"r1": "1"}, {"c1": "1"}]


def test_many_are_cut_with_a_word(run):
    size = 7
    table = [[int(i == k) for k in range(size)] for i in range(size)]
    text = run("equilibria", f"matrix(payoffs={table}, payoffs2={table})").out
    assert "and 87 more equilibria" in text
    table = [[0] * 8] * 8
    text = run("equilibria", f"matrix(payoffs={table})").out
    assert "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 52 more" in text


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (["kuhn(players=3)"], 2, "games of two players; kuhn(players=3) has 3"),
        (["kuhn"], 1, "27 × 64 reduced plans"),
        (["rps", "--max-histories", "5"], 1, "more than 5 histories"),
        (["rps", "--max-histories", "0"], 2, "histories"),
        (["nothing.efg"], 2, "nothing.efg"),
        (["matrix(payoffs=[[nan]])"], 2, "nan"),
        (["matrix(payoffs=[])"], 2, "rows of numbers"),
        (["rps", "--jsn"], 2, "--jsn"),
        ([], 2, "GAME"),
    ],
)
def test_what_is_refused(run, args, code, sentence):
    run("equilibria", *args).fails(code, sentence)


RULES = """
class Endless:
    players = 2

    def start(self):
        return 0

    def player(self, state):
        return -2 if state else 0

    def actions(self, state):
        return list(range(14))

    def probabilities(self, state):
        return []

    def next(self, state, action):
        print("begins", flush=True)
        while True:
            pass

    def payoffs(self, state):
        return [0, 0]

    def infoset(self, state):
        return ""
"""


@pytest.mark.parametrize("options", [[], pytest.param(["--json"], marks=pytest.mark.slow)])
def test_ctrl_c_ends_with_a_sentence(tmp_path, options):
    rules = tmp_path / "endless.py"
    rules.write_text(RULES)
    process = start("equilibria", f"{rules}:Endless", *options)
    stream = process.stderr if options else process.stdout
    assert b"begins" in stream.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    ended(process).fails(1, "Interrupted before there was anything to report.")
