"""Spots of three ranges: files, the decisions of a solution, and what the command prints of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.poker.solved.three_ranges import SolvedThree
from equilibrist.poker.spot.spot import read_spot, write_spot

SPOT = (
    "holdem(board='9s9h2h8d', ranges=['9c9d:0.5,AsKs', {'range': 'AsAc,KhJs:0.25', 'river': 'a'}, "
    "'8c7c,QdQc'], pot=6, stacks=[3, 2, 3], bets='50%', max_raises=0)"
)


@pytest.fixture(scope="module")
def solution():
    return eq.solve(SPOT, "dcfr", iterations=10)


def test_a_spot_file_holds_all_settings(tmp_path):
    spot = eq.load(SPOT)
    write_spot(spot, tmp_path / "spot.toml")
    again = read_spot(tmp_path / "spot.toml")
    assert again.settings == spot.settings
    assert str(eq.load(str(spot))) == str(spot)
    (tmp_path / "spot.toml").write_text("ranges = ['AA', 'KK', 'QQ']\nboard = '2c3d7h8d9c'\n")
    with pytest.raises(GameError, match="lacks pot, stacks"):
        read_spot(tmp_path / "spot.toml")


def test_evs_of_decisions_add_up(solution):
    solved = SolvedThree(solution)
    node = solved.node()
    assert (node.name, node.line, node.board) == ("SB", "", "9s9h2h8d")
    # The first player is at the first decision with every hand.
    assert node.reached.sum() == pytest.approx(1, abs=1e-12)
    assert node.ev == pytest.approx(solution.value[0], abs=1e-12)
    assert node.frequencies.sum() == pytest.approx(1)
    second = [solved.node(action) for action in node.actions]
    shares = [each.reached.sum() for each in second]
    # What the second player earns, whatever the first one does; nobody is paid before that.
    assert np.dot(shares, [each.ev for each in second]) == pytest.approx(
        solution.value[1], abs=1e-12
    )
    assert np.array(shares) == pytest.approx(node.frequencies, abs=1e-12)


def test_a_decision_on_a_later_street_needs_its_board(solution):
    solved = SolvedThree(solution)
    river = solved.node("X-X-X", "9s9h2h8dTd")
    assert river.board == "9s9h2h8dTd"
    assert solved.node("X-X-X", "Td").title == river.title
    with pytest.raises(GameError, match="board: the line has 5 public cards"):
        solved.node("X-X-X")
    with pytest.raises(GameError, match=r"line: the hand is over after 'A3-F-F' \(SB wins\)"):
        solved.node("A3-F-F")


def test_the_command_shows_decisions(run, tmp_path, solution, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    solution.save(tmp_path / "run")
    folder = str(tmp_path / "run")
    out = run("show", folder, "--line", "X").out
    assert "BB after X, board 9s9h2h8d" in out
    assert "gain by deviating" in out
    answer = json.loads(run("show", folder, "--line", "X", "--json").out)
    assert answer["name"] == "BB"
    out = run("show", folder, "--hand", "AsKs").out
    assert "in the range" in out
    assert "leave --made out" in run("show", folder, "--made").err
    out = run("spot", SPOT, "--out", str(tmp_path / "spot.toml")).out
    assert "BB, 2 hands" in out
    assert "SB / BB / BTN left" in out
