"""``equilibrist prove`` and ``check-proof``, and fractions in ``exact`` and ``evaluate``."""

import json
import subprocess
import sys
from pathlib import Path

CHECKER = Path(__file__).parents[2] / "examples" / "check_proof.py"


def test_a_proof_is_written_and_checked(run, tmp_path):
    path = tmp_path / "kuhn.proof.json"
    assert "-1/18" in run("prove", "kuhn", "--out", path).out
    assert "kuhn is worth -1/18 to player 0" in run("check-proof", path).out
    assert run("check-proof", path, "--json").json["proved"] is True
    told = json.loads(path.read_text())
    assert told["value"] == ["-1/18", "1/18"]
    told["value"] = ["-1/17", "1/17"]
    path.write_text(json.dumps(told))
    run("check-proof", path).fails(1, "proves another value than it tells: -1/18")
    run("check-proof", tmp_path / "none.json").fails(2, "none.json")
    run("prove", "kuhn", "--out", tmp_path / "kuhn.txt").fails(2, ".json")
    run("prove", "kuhn").fails(2, "A proof needs a file: give --out")
    run("check-proof", path, "--max-histories", 50).fails(1, "kuhn has more than 50 histories")


def test_fractions_of_exact_and_evaluate(run, tmp_path):
    strategy = tmp_path / "kuhn.csv"
    told = run("exact", "kuhn", "--rational", "--strategy", strategy, "--json").json
    assert told["value"] == ["-1/18", "1/18"]
    assert told["exploitability"] == "0"
    judged = run("evaluate", "kuhn", strategy, "--rational", "--json").json
    assert "/" in judged["value"][0]
    assert "in fractions, without rounding" in run("evaluate", "kuhn", strategy, "--rational").out
    run("evaluate", "kuhn", strategy, "--rational", "--lbr", 10).fails(2, "--rational")
    run("evaluate", "kuhn", strategy, "--rational", "--off-path").fails(2, "off_path")


EVIL = """
from pathlib import Path

Path("ran").touch()


class Coin:
    players = 2

    def start(self):
        return ""

    def player(self, state):
        return (0, 1, -2)[len(state)]

    def actions(self, state):
        return "ht"

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        won = 1 if state[0] == state[1] else -1
        return [won, -won]

    def infoset(self, state):
        return "coin"
"""


def test_a_file_that_a_proof_names_runs_only_where_it_is_trusted(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(EVIL)
    run("prove", "evil.py:Coin", "--out", "coin.proof.json")
    ran = tmp_path / "ran"
    ran.unlink()
    run("check-proof", "coin.proof.json").fails(2, "say so with trust=True (--trust)")
    copied = [sys.executable, str(CHECKER), "coin.proof.json"]
    assert subprocess.run(copied, capture_output=True, check=False).returncode == 1
    assert not ran.exists()
    for consent in (["--trust"], ["--game", "evil.py:Coin"]):
        assert "is worth 0" in run("check-proof", "coin.proof.json", *consent).out
    assert ran.exists()
