"""What the command prints of a solved spot of hold'em: who earns what, frequencies, and the grid of hands."""

import io
import json
import re
import sys

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.evaluation.units import find_unit
from equilibrist.poker.solved.blocks import decision_blocks, earnings_table, hand_table
from equilibrist.show.text import paint_text

CLAIRVOYANCE = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
WIDE = "holdem(board='Td9d6hQc2s', oop='66+,A8s+,KQo:0.5', ip='QQ-22,ATo+', pot=200, stack=900, bets='50%, a; 60%, a')"


@pytest.fixture(scope="module")
def node():
    return eq.poker.SolvedSpot(eq.solve(WIDE, iterations=100)).node()


def printed(*parts, width=80):
    """Return what a terminal without colours shows."""
    from rich.console import Console

    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as captured:
        for part in parts:
            console.print(part, highlight=False)
    return captured.get()


@pytest.mark.slow
def test_solve_ends_with_the_first_decision(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("solve", CLAIRVOYANCE, "--until", "1e-5").out
    assert re.search(r"OOP +13\.3333 +66\.67% +50\.00% +133\.33%", out)
    assert re.search(r"IP +6\.6667 +33\.33% +50\.00% +66\.67%", out)
    assert re.search(r"exploitability \S+ chips, 0\.000% of the pot", out)
    assert re.search(r"X +check +33\.33%", out)
    assert re.search(r"A10 +all-in 10 +66\.67%", out)
    assert "AA 17 AKs" in out  # one of six hands
    assert "infoset" not in out.split("EQR")[1]
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(
        r"QQ +QsQh XXXXXXXAAA", run("solve", CLAIRVOYANCE, "--suits", "--until", "1e-5").out
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unit", "heading", "evs", "pot", "check", "cost"),
    [
        ("chips", "EV", ("13.3333", "6.6667"), "20", "20.000", r"6\.66\d"),
        ("bb=2", "EV, bb", ("6.6667", "3.3333"), "10 bb", "10.000", r"3\.33\d"),
        ("pot", "EV, % of pot", ("66.6667", "33.3333"), "20", "100.000", r"33\.33\d"),
        ("net", "EV, net", ("3.3333", "-3.3333"), "20", "10.000", r"6\.66\d"),
    ],
)
def test_evs_in_other_units(run, tmp_path, monkeypatch, unit, heading, evs, pot, check, cost):
    """Of clairvoyance, in which OOP gets two thirds of the pot: aces get all of it by a check, 4/3 of it by a bet."""
    folder = tmp_path / "run"
    eq.solve(CLAIRVOYANCE, until=1e-6, save=folder)
    out = run("show", folder, "--unit", unit).out
    assert re.search(rf"^ +{re.escape(heading)} +% of pot +equity", out, re.MULTILINE)
    for player, ev in zip(("OOP", "IP"), evs, strict=True):
        assert re.search(rf"{player} +{re.escape(ev)} ", out)
    assert f"pot {pot}\n" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("x\nf\n"))
    played = run(
        "play", folder, "--unit", unit, "--seat", 0, "--seed", 1, "--hands", 1
    ).out  # deals aces
    assert re.search(rf"X \+{re.escape(check)} .* {cost} *$", played, re.MULTILINE)
    assert run("show", folder, "--unit", unit, "--json").json["ev"] == pytest.approx(
        [40 / 3, 20 / 3], abs=1e-4
    )


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("euros", "unit must be chips, bb, bb=2, pot or net; got 'euros'"),
        ("pot=2", "unit must be chips"),
        ("bb", "the spot has no min_bet"),
        ("bb=0", "a number above 0"),
        ("bb=x", "a number above 0"),
    ],
)
def test_refuses_other_units(unit, message):
    with pytest.raises(GameError, match=message):
        find_unit(unit, eq.load(CLAIRVOYANCE))


def test_payoffs_of_other_games_have_no_unit():
    assert find_unit("chips", eq.load("kuhn")).size == 1
    with pytest.raises(GameError, match="unit 'pot' is for spots of hold'em"):
        find_unit("pot", eq.load("kuhn"))


def test_a_big_blind_is_the_least_bet_of_the_spot():
    assert find_unit("bb", eq.load(CLAIRVOYANCE[:-1] + ", min_bet=4)")).size == 4


@pytest.mark.parametrize("width", [60, 80, 200])
def test_each_cell_is_a_name_over_a_bar(node, width):
    rows = printed(*paint_text(decision_blocks(node), width), width=max(width, 80)).splitlines()
    first = next(k for k, row in enumerate(rows) if row.startswith("AA "))
    grid = rows[first : first + 26]
    size = 5 if width <= 80 else 9
    assert grid[0].split()[:3] == ["AA", "AKs", "AQs"]
    assert grid[-2].split() == [f"{rank}2o" for rank in "AKQJT9876543"] + ["22"]
    held, mix = node.classes()
    cells = [(names[k : k + size], bars.ljust(14 * size + 14)[k : k + size])
             for names, bars in zip(grid[::2], grid[1::2], strict=True)
             for k in range(0, 13 * (size + 1), size + 1)]  # fmt: skip
    assert len(cells) == 169
    for k, (name, bar) in enumerate(cells):
        if held[k] == 0:
            assert not bar.strip()
            assert not re.search(r"\d\d$", name.rstrip()[3:])
        else:
            counts = np.array([bar.count(letter) for letter in "X1A"])
            assert counts.sum() == size
            assert abs(counts / size - mix[:, k]).max() < 1 / size
    assert "".join(cells[13 * 2 + 1][0].split()) == "KQo50"
    assert max(map(len, rows)) <= max(width, 78)


def test_the_range_of_who_does_not_decide(node):
    out = printed(*paint_text(decision_blocks(node, player=1), 80))
    assert "Range of IP" in out
    grid = out.split("Range of IP")[1]
    assert "#####" in grid
    assert "XX" not in grid


def test_a_hand_by_itself(node):
    out = printed(*paint_text([hand_table(node, "AhKh", 0)], 80))
    number = node.number("AhKh")
    assert re.search(rf"X +{node.strategy[0, number]:.2%} +{node.action_ev[0, number]:.4f}", out)
    assert f"{node.equity[0][number]:.2%}" in out
    assert "B100" not in printed(*paint_text([hand_table(node, "QsQh", 1)], 80))


def test_what_nobody_knows_is_a_dash(node):
    from dataclasses import replace

    empty = replace(
        node, probabilities=(np.zeros_like(node.probabilities[0]), node.probabilities[1])
    )
    assert "–" in printed(*paint_text([earnings_table(empty)], 80))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give the folder of a saved run of a turn."""
    turn = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"
    folder = tmp_path_factory.mktemp("turn")
    eq.solve(turn, iterations=20, save=folder)
    return str(folder)


def test_show_any_node(run, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    node = eq.poker.SolvedSpot(eq.load_solution(folder)).node("X-X", "4c")
    ran = run("show", folder, "--line", "X-X", "--board", "AsKs7s2s4c")
    assert "OOP after X-X, board AsKs7s2s4c, pot 100" in ran.out
    assert re.search(rf"IP +{node.evs[1]:.4f} +{node.evs[1]:.2f}% +{node.equities[1]:.2%}", ran.out)
    assert "JJ" in run("show", folder, "--player", "IP").out.split("Range of IP")[1]
    summary = run("show", folder, "--line", "X-X", "--board", "4c", "--json").json
    assert summary["frequencies"] == dict(zip(node.actions, node.frequencies.tolist(), strict=True))
    files = tmp_path / "node.csv", tmp_path / "node.parquet"
    ran = run("show", folder, "--hand", "QhQd", "--csv", str(files[0]), "--parquet", str(files[1]))
    assert all(f"Wrote {file}" in ran.out for file in files)
    assert re.search(r"QhQd +frequency +EV", ran.out)
    assert "AKs" not in ran.out
    assert (
        files[0].read_text().splitlines()[0]
        == "hand,class,made,draws,range,probability,ev,equity,X,B50,ev X,ev B50"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["--line", "X-B7"],
            "There is no 'B7' in the line 'X-B7': the actions after 'X' are X, B50.",
        ),
        (
            ["--line", "X-X"],
            "board: after 'X-X' it is the river, so the board is AsKs7s2s and 1 more card; got none.",
        ),
        (
            ["--board", "QsJh2h"],
            "board: at the start it is the turn, so the board is AsKs7s2s; got 'QsJh2h'.",
        ),
        (["--hand", "7h2c"], "hand: 7h2c is not in the range of OOP; it has"),
        (["--hand", "Ax"], "hand: 'Ax' at character 1 of 'Ax' is no card"),
        (["--player", "sb"], "player must be oop or ip; got 'sb'."),
    ],
)
def test_show_says_what_is_there_instead(run, folder, args, message):
    ran = run("show", folder, *args)
    assert ran.code == 2
    assert message in ran.err


def test_show_draws_the_grid(run, folder, tmp_path):
    ran = run("show", folder, "--line", "B50", "--out", str(tmp_path / "grid.svg"))
    assert f"Wrote {tmp_path / 'grid.svg'}" in ran.out
    assert "IP after B50, board AsKs7s2s" in (tmp_path / "grid.svg").read_text(encoding="utf-8")
    ran = run("show", folder, "--out", str(tmp_path / "grid.gif"))
    assert ran.code == 2
    assert "a picture is written as .svg, .png, .pdf, .pgf; got '.gif'" in ran.err


def test_show_a_run_without_its_river(run, folder, tmp_path):
    eq.load_solution(folder).save(tmp_path, streets=1)
    ran = run("show", str(tmp_path), "--line", "X")
    assert re.search(r"OOP +– +– +\d\d\.\d\d% +–", ran.out)
    assert "nan" not in ran.out + run("show", str(tmp_path), "--hand", "QhQd").out
    assert (
        "'equilibrist resolve' solves that part again"
        in run("show", str(tmp_path), "--line", "X-X").err
    )


def test_show_needs_a_spot(run, tmp_path):
    eq.solve("kuhn", iterations=5, save=tmp_path)
    sentence = (
        f"{tmp_path} is of kuhn, which is no spot of hold'em: of its decisions one infoset is shown"
    )
    run("show", str(tmp_path)).fails(2, sentence)
    assert "A spot of hold'em is needed" in run("show", str(tmp_path), "--game", "kuhn").err


def test_show_a_range_by_made_hand(run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    node = eq.poker.SolvedSpot(eq.load_solution(folder)).node()
    ran = run("show", folder, "--made")
    assert "Made hands of OOP at the start" in ran.out
    for name, (share, (ev, equity, *mix)) in node.made().items():
        row = rf"{name} +│ +{share:.2%} │ +{ev:.4f} │ +{equity:.2%}" + "".join(
            f" │ +{each:.2%}" for each in mix
        )
        assert re.search(row, ran.out)
    assert "B50" not in run("show", folder, "--made", "--player", "ip").out


def test_equity_of_two_ranges(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    ran = run("equity", "QsJh2h", "AhKh,QdQc", "TT", "--csv", str(tmp_path / "equity.csv"))
    result = eq.poker.equity("QsJh2h", "AhKh,QdQc", "TT")
    assert re.search(rf"OOP +│ +2 │ +2 │ +{result.equities[0]:.2%}", ran.out)
    assert re.search(rf"set +│ +50.00% │ +{result.made(0)['set'][1][0]:.2%}", ran.out)
    assert f"Wrote {tmp_path / 'equity.csv'}" in ran.out
    assert run("equity", "QsJh2h", "AhKh,QdQc", "TT", "--json").json == json.loads(
        json.dumps(result.summary())
    )
    refused = run("equity", "QsJh", "AA", "KK")
    assert refused.code == 2
    assert "3 or 4 or 5 cards" in refused.err
