"""``equilibrist resolve --player --splice``: the exploitability of a run before and after."""

import pytest

SPOT = "holdem(board='KdQd2d7d', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%; a')"


@pytest.fixture
def folder(run, tmp_path):
    assert run("solve", "kuhn", "-n", "3", "--save", str(tmp_path / "run")).code == 0
    return str(tmp_path / "run")


def test_a_part_is_spliced_into_a_run(run, folder, tmp_path):
    arguments = ("resolve", folder, "--line", "Qp", "--player", "1", "--splice")
    summary = run(*arguments, "--json", "--save", str(tmp_path / "whole")).json
    assert summary["part"]["part"]["method"] == "refined"
    assert summary["part"]["part"]["excess"] < 1e-12
    assert summary["after"] < summary["before"]
    csv = str(tmp_path / "whole.csv")
    out = run(*arguments, "--strategy", csv, "--method", "maxmargin").out
    assert "before" in out
    assert "get at most" in out
    assert run("evaluate", "kuhn", csv, "--json").json["exploitability"] <= summary["before"]
    run("resolve", folder, "--line", "Qb", "--method", "reach").fails(
        2, "give player=0 or player=1"
    )


@pytest.mark.slow
def test_a_river_is_spliced_into_a_turn(run, tmp_path):
    folder, whole = str(tmp_path / "run"), str(tmp_path / "whole")
    assert run("solve", SPOT, "-n", "20", "--save", folder).code == 0
    arguments = (
        "resolve",
        folder,
        "--line",
        "X-X",
        "--board",
        "3c",
        "--player",
        "0",
        "--until",
        "1%",
    )
    summary = run(*arguments, "--splice", "--save", whole, "--json").json
    assert summary["part"]["exploitability_percent"] <= 1
    assert summary["after"] < summary["before"]
    assert "pot 100" in run("show", whole, "--line", "X-X", "--board", "3c").out
    cut = (
        "resolve",
        folder,
        "--player",
        "1",
        "--depth",
        "1 street",
        "--leaves",
        "continuations(2)",
        "-n",
        "20",
    )
    summary = run(*cut, "--splice", "--json").json
    assert summary["after"] <= summary["before"] + summary["part"]["part"]["excess"] / 2 + 1e-9
    shown = run(*cut).out
    assert "solved again for player 1 by refined" in shown
    assert (
        "payoff per game, player 0 first" not in shown
    )  # which is that of a game with decisions above it
    run(*cut, "--save", whole).fails(2, "is not saved by itself: splice it")
    played = ("play", folder, "--as", folder, "--hands", "3", "--seed", "1")
    assert (
        "The opponent solved"
        in run(*played, "--search", "--depth", "1 action", "--leaves", "blueprint").out
    )
    run(*played, "--depth", "1 action").fails(2, "--depth and --leaves say how far --search goes")


def test_the_run_is_not_replaced_by_its_part(run, folder):
    arguments = ("resolve", folder, "--line", "Qp", "--player", "1", "--save", folder)
    for options in ((), ("--splice",)):
        run(*arguments, *options).fails(2, "would replace the run that is solved again in part")


def test_what_cannot_be_resumed_is_not_said_to_be(run, folder, tmp_path):
    arguments = ("resolve", folder, "--line", "Qp", "--player", "1", "--save")
    assert "goes on" not in run(*arguments, str(tmp_path / "exact")).out
    assert (
        "goes on" not in run(*arguments, str(tmp_path / "dynamics"), "-n", "5").out
    )  # by eq.resolve alone


def test_of_a_part_all_is_shown(run, folder, tmp_path):
    part = str(tmp_path / "part")
    assert run("resolve", folder, "--line", "Qp", "--player", "1", "--save", part).code == 0
    assert "solved again for player 1" in run("show", part).out
    for options in (("--made",), ("--line", "X"), ("--csv", str(tmp_path / "hands.csv"))):
        run("show", part, *options).fails(
            2, "is a part that was solved again for a player, of which all is shown"
        )


def test_a_line_that_is_none_names_some_that_are(run, tmp_path):
    folder = str(tmp_path / "leduc")
    assert run("solve", "leduc", "-n", "2", "--save", folder).code == 0
    ran = run("resolve", folder, "--player", "0")
    ran.fails(2, "Known: J, Jc, Jcc/J, ")
    assert "and 248 more." in " ".join(ran.err.split())


def test_a_part_of_a_card_form_is_spliced_for_a_player(run, tmp_path):
    folder = str(tmp_path / "run")
    assert run("solve", SPOT, "-n", "2", "--save", folder).code == 0
    arguments = ("resolve", folder, "--line", "X-X", "--board", "3c", "--splice")
    run(*arguments).fails(2, "give --player 0 or --player 1")


def test_a_part_is_cut_at_a_depth(run, folder):
    arguments = (
        "resolve",
        folder,
        "--line",
        "J",
        "--player",
        "0",
        "--splice",
        "--depth",
        "1 action",
    )
    safe = run(*arguments, "--leaves", "best response", "--json").json
    assert safe["after"] <= safe["before"] + 1e-9
    assert (
        run(*arguments, "--leaves", "continuations(2)", "--json").json["part"]["part"]["excess"]
        >= 0
    )
    run(*arguments, "--leaves", "none").fails(2, "leaves must be 'blueprint'")
    run(*arguments[:-2], "--leaves", "blueprint").fails(2, "give a depth as well")


def test_a_part_of_a_finer_game(run, tmp_path):
    folder = str(tmp_path / "run")
    assert run("solve", "leduc(raises=1)", "-n", "5", "--save", folder).code == 0
    arguments = ("resolve", folder, "--line", "Jcc/Q", "--player", "0", "--finer")
    assert run(*arguments, "leduc", "--json").json["part"]["excess"] >= 0
    run(*arguments, "leduc(ranks=4)").fails(2, "chance has another number of outcomes")
    run(*arguments, "leduc", "--splice").fails(2, "leave --splice out")
