"""``equilibrist spot``: what is shown of a spot, and spot files made of other formats."""

import json
from pathlib import Path

import pytest

import equilibrist as eq

SPOTS = Path(__file__).parents[3] / "examples" / "spots"


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.slow
def test_a_spot_of_omaha_says_what_the_limit_of_the_pot_does(run, tmp_path):
    spot = "omaha(board='Kh9s4d7c2h', oop='KKxxds,AAxxds:0.5', ip='random', pot=100, stack=900, bets='a')"
    ran = run("spot", spot, "--out", str(tmp_path / "spot.toml"))
    assert ran.out.startswith("Omaha on Kh9s4d7c2h, pot 100, stacks 900\nOOP, ")
    assert "IP, 178365 hands: random" in ran.out
    assert "More than the pot: " in ran.out
    assert (tmp_path / "spot.toml").read_text().startswith('game = "omaha"\n')


def test_a_spot_is_shown(run):
    ran = run("spot", str(SPOTS / "flop.toml"))
    assert ran.code == 0
    assert "Hold'em on Td9d6h, pot 200, stacks 900" in ran.out
    assert "OOP, 180 hands: 66+,A8s+" in ran.out
    assert "│ ├─X  turn: OOP …" in ran.out
    assert "all            173       239        26" in ran.out
    assert "Merged with a size of about the same: 6 sizes" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_weights_lines_and_streets(run):
    spot = "holdem(board='2s3h4d6c', oop='AA:0.5,KK', ip='QQ', pot=10, stack=100, bets='50%; 3x')"
    ran = run("spot", spot, "--line", "X-B5-C", "--streets", "2")
    assert "OOP, 12 hands (9 combos): AA:0.5,KK" in ran.out
    assert ran.out.count("showdown") == ran.out.count("C  showdown") + 1
    assert "\nX-B5-C |  OOP  " in ran.out


def test_json(run):
    summary = run("spot", str(SPOTS / "clairvoyance.toml"), "--json").json
    assert str(eq.load(summary["game"])) == summary["game"]
    assert summary["hands"] == {"oop": 2, "ip": 1}
    assert summary["nodes"] == {"river": {"decision": 4, "terminal": 5, "chance": 0}}
    assert summary["lines"] == ["", "X", "X-A10", "A10"]


def test_another_format_becomes_a_spot_file(run, tmp_path):
    config = {
        "board": ["Qs", "Jh", "2h"],
        "startingPot": 50,
        "effectiveStack": 200,
        "oopFlopBet": "50, a",
    }
    (tmp_path / "spot.json").write_text(
        json.dumps({"oopRange": "AA", "ipRange": "KK", "config": config})
    )
    ran = run("spot", str(tmp_path / "spot.json"), "--out", str(tmp_path / "spot.toml"))
    assert ran.code == 0
    assert f"Wrote {tmp_path / 'spot.toml'}" in ran.out
    game = eq.load(tmp_path / "spot.toml")
    assert game.actions(0) == ("X", "B25", "A200")
    assert str(game) == str(eq.load(tmp_path / "spot.json"))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["kuhn"], "'kuhn' is no spot of hold'em or Omaha; give a file.toml"),
        (["none.toml"], "none.toml cannot be read: No such file"),
        (
            [str(SPOTS / "clairvoyance.toml"), "--line", "B5"],
            "There is no 'B5' in the line 'B5': the actions at the start",
        ),
    ],
)
def test_what_is_refused(run, args, message):
    ran = run("spot", *args)
    assert ran.code == 2
    assert message in ran.err
