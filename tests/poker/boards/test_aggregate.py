"""Reports over boards: each board as solved by itself, means by weights and deals, gone on with after an interrupt."""

import csv
import json
import re
import signal
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.boards.aggregate import find_boards, find_symmetries, plan_boards
from equilibrist.poker.cards.flops import all_flops

pytestmark = pytest.mark.usefixtures("somewhere")

SPOT = "holdem(board='2s3h4d6c', oop='AA,QQ', ip='KK,22', pot=20, stack=10, bets='a')"
BOARDS = {"2s3h4d6c7c": 1, "Qs3h4d6c7c": 2, "As3h4d6cKc": 1}


def settings(**changed):
    return {"board": "2s3h4d6c", "oop": "AA,QQ", "ip": "KK,22", "pot": 20, "stack": 10, **changed}


@pytest.fixture(scope="module")
def report():
    return eq.poker.board_report(SPOT, BOARDS, until="0.5%")


@pytest.mark.slow
def test_each_board_is_the_spot_solved_by_itself(report):
    for board, weight in BOARDS.items():
        alone = eq.poker.SolvedSpot(eq.solve(SPOT.replace("2s3h4d6c", board), until="0.5%"))
        for line in ("", "X"):
            node = alone.node(line)
            (row,) = [row for row in report.rows() if (row["board"], row["line"]) == (board, line)]
            assert (row["ev_oop"], row["ev_ip"]) == node.evs
            assert (row["equity_oop"], row["equity_ip"]) == node.equities
            assert [row[action] for action in node.actions] == node.frequencies.tolist()
            assert row["weight"] == weight
            assert row["exploitability_percent"] <= 0.5


@pytest.mark.slow
def test_means_weigh_boards_by_what_they_stand_for_and_by_the_deals(report):
    """Counted hand by hand: the pairs of hands that go together on a board, each as likely as the others."""
    pairs = {}
    for board in BOARDS:
        shown = set(re.findall("..", board))
        game = eq.load(SPOT.replace("2s3h4d6c", board))
        hands = [[set(re.findall("..", name)) for name in own] for own in game.hands]
        pairs[board] = sum(
            not one & other and not (one | other) & shown for one in hands[0] for other in hands[1]
        )
    rows = [row for row in report.rows() if row["line"] == ""]
    assert [row["mass"] for row in rows] == [pairs[row["board"]] for row in rows]
    weights = np.array([BOARDS[row["board"]] * pairs[row["board"]] for row in rows])
    (mean,) = [mean for mean in report.means() if mean["line"] == ""]
    for name in ("ev_oop", "equity_ip", "X", "A10"):
        assert mean[name] == pytest.approx(np.average([row[name] for row in rows], weights=weights))
    assert mean["eqr_oop"] == pytest.approx(mean["ev_oop"] / mean["equity_oop"] / 20)


def test_classes_add_up_to_the_range(report):
    classes = report.classes().to_pylist()
    start = [one for one in classes if (one["line"], one["player"]) == ("", "OOP")]
    for row in report.rows():
        if row["line"] == "":
            own = [one for one in start if one["board"] == row["board"]]
            probability = np.array([one["probability"] for one in own])
            ev = probability @ np.array([one["ev"] for one in own])
            all_in = probability @ np.array([one["A10"] for one in own])
            assert probability.sum() == pytest.approx(1)
            assert ev == pytest.approx(row["ev_oop"], rel=1e-4)
            assert all_in == pytest.approx(row["A10"], rel=1e-4, abs=1e-5)


def test_files_and_page(report):
    again = eq.poker.board_report(SPOT, BOARDS, until="0.5%", save="out")
    assert again.rows() == report.rows()
    with open("out/boards.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["ev_oop"]) for row in rows] == [row["ev_oop"] for row in report.rows()]
    page = Path("out/report.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert [row["board"] for row in data["rows"][""]] == list(BOARDS)
    shown = {row["board"]: row for rows in data["rows"].values() for row in rows if row["line"]}
    for row in report.rows():
        if row["line"]:
            assert shown[row["board"]]["ev_ip"] == pytest.approx(row["ev_ip"], rel=1e-5)
            assert shown[row["board"]]["classes"]
    assert "http" not in re.sub(r"http://www\.w3\.org/(2000/svg|1999/xhtml)", "", page)
    assert eq.poker.board_report(SPOT, BOARDS, until="0.5%", save="out").computed == 0


def test_it_goes_on_at_the_board_where_it_was_interrupted():
    def press(progress):
        if progress.done == 2:
            signal.raise_signal(signal.SIGINT)

    cut = eq.poker.board_report(SPOT, BOARDS, iterations=5, save="out", callbacks=press)
    assert (cut.finished, len(cut.solved), cut.computed) == (False, 2, 2)
    rest = eq.poker.board_report(SPOT, BOARDS, iterations=5, save="out")
    assert (rest.finished, rest.computed) == (True, 1)
    assert rest.rows() == eq.poker.board_report(SPOT, BOARDS, iterations=5).rows()


@pytest.mark.slow
def test_rivers_and_turns_of_a_spot():
    """With ranges of whole classes, the two suits that the board has once each are alike only where ranks agree."""
    rivers = find_boards("rivers", settings())
    assert sum(rivers.values()) == 48
    assert len(rivers) == 48  # the board prefers each suit
    turns = find_boards("turns", settings(board="2s3s4s6c"))
    assert sum(turns.values()) == 49
    assert len(turns) == 10 + 13  # spades one by one; of the other suits, one stands for three
    report = eq.poker.board_report(SPOT, "rivers", iterations=3)
    assert sum(weight for _, weight in report.weights) == 48


def test_ranges_that_prefer_a_suit():
    assert len(find_symmetries(settings())) == 24
    assert len(find_symmetries(settings(oop="AhKh"))) == 6
    flops = find_boards("all", settings(board="2s3h4d", oop="AhKh"))
    assert sum(flops.values()) == 22100
    assert len(flops) > 1755
    with pytest.raises(
        eq.GameError, match="A subset of 25 flops stands for all where suits are alike"
    ):
        find_boards(25, settings(board="2s3h4d", oop="AhKh"))


def test_all_flops_stand_for_all():
    found = find_boards("all", settings(board="2s3h4d"))
    assert (len(found), sum(found.values())) == (
        len(all_flops()),
        len([*combinations(range(52), 3)]),
    )


@pytest.mark.parametrize(
    ("boards", "sentence"),
    [
        ("26", "boards: '26' at character 1 of '26' is no card"),
        ("2s3h4d, 2s3h4d5c", "boards: all are of one street"),
        ("2s3h4d:x", "boards: the weight of 2s3h4d must be a number"),
        ({"2s3h4d": 0}, "boards: a weight is a number above 0"),
        (
            "all",
            "boards='all' are flops, and the spot's pot, stack and bets are those of the board 2s3h4d6c: give",
        ),
        (25, "boards='25' are flops, "),
        ("", "boards must be one of 25, 49, 95, 184, all, turns, rivers"),
        ("none.txt", "none.txt cannot be read"),
    ],
)
def test_boards_that_cannot_be(boards, sentence):
    with pytest.raises(eq.EquilibristError, match=re.escape(sentence)):
        eq.poker.board_report(SPOT, boards)


def test_other_games_are_refused():
    with pytest.raises(eq.GameError, match="needs a spot of hold'em with two ranges; got kuhn"):
        eq.poker.board_report("kuhn")


def test_a_board_that_fails_is_named():
    spot = SPOT.replace("oop='AA,QQ'", "oop='AsAh'").replace("ip='KK,22'", "ip='AsKs,KdKc'")
    report = eq.poker.board_report(spot, "2s3h4d6c7c, KhKd4d6c7c", iterations=3)
    assert list(report.failed) == ["KhKd4d6c7c"]
    assert "no two can be dealt" in report.failed["KhKd4d6c7c"]
    assert len(report.solved) == 1


def test_hands_that_a_board_blocks_are_left_out():
    """No aces are left on three of them, and on a board with all hands of a range there is nothing to solve."""
    report = eq.poker.board_report(SPOT, "AsAhAd6c7c, 2s3h4d6c7c", iterations=3)
    assert eq.load(report.records[0]["game"]).settings["oop"] == "QQ"
    only = eq.poker.board_report(
        SPOT.replace("oop='AA,QQ'", "oop='AsAh'"), "AsAhAd6c7c, 2s3h4d6c7c", iterations=3
    )
    assert [row["board"] for row in only.rows()] == ["2s3h4d6c7c"] * 2
    with pytest.raises(eq.GameError, match="the ranges leave no hand on any of these boards"):
        eq.poker.board_report(SPOT.replace("oop='AA,QQ'", "oop='AsAh'"), "AsAhAd6c7c")


def test_the_command(run):
    eq.poker.write_spot(eq.load(SPOT), "spot.toml")
    boards = "2s3h4d6c7c:1, Qs3h4d6c7c:2"
    told = run("aggregate", "spot.toml", "--boards", boards, "--out", "out", "-n", 9)
    assert (told.code, told.err) == (0, "")
    assert "OOP at the start: weighted means" in told.out
    terms = "with the pot of 20, the stacks of 10 and the ranges of the spot (OOP 12 combos, IP 12 combos), "
    terms += "not with those that get there"
    assert terms in " ".join(told.out.split())
    assert "2 boards computed now" in " ".join(told.out.split())
    again = run(
        "aggregate", "spot.toml", "--boards", boards, "--out", "out", "-n", 9, "--json"
    ).json
    assert (again["computed"], again["finished"], len(again["rows"])) == (0, True, 4)
    net = run(
        "aggregate", "spot.toml", "--boards", boards, "--out", "out", "-n", 9, "--unit", "net"
    ).out
    assert (
        f"{again['means'][0]['ev_oop'] - again['means'][0]['pot'] / 2:.3f}"
        in net.split("EVs in net")[1]
    )
    kept = run(
        "aggregate", "spot.toml", "--boards", boards, "--out", "kept", "-n", 9, "--save-runs"
    )
    assert kept.code == 0
    assert len(list(Path("kept/runs").iterdir())) == 2
    run("aggregate", "spot.toml", "--boards", "26", "--out", "other").fails(2, "boards: '26'")
    other = run(
        "aggregate",
        "spot.toml",
        "--boards",
        boards,
        "--out",
        "auto",
        "-n",
        9,
        "--threads",
        "auto",
        "--json",
    )
    assert other.json["rows"] == again["rows"]
    run("aggregate", "spot.toml", "--boards", boards, "--out", "other", "--threads", "many").fails(
        2, "got 'many'"
    )


LOCKED = SPOT.replace(
    "bets='a'", "bets='a', locks=[{'line': 'A10', 'strategy': {'F': 1}, 'hands': HANDS}]"
)


def locks_of(hands, boards):
    """Return the hands that each board of a plan locks."""
    _, _, study = plan_boards(LOCKED.replace("HANDS", repr(hands)), boards, {})
    games = [eq.load(item.game) for item in study.items]
    return [[lock.hands for lock in game.locks] for game in games]


def test_locks_go_along_to_each_board():
    kings, tens = locks_of("KK", "Qs3h4d6c7c, Ks3h4d6c7c")
    assert len(kings[0]) == 6
    assert len(tens[0]) == 3  # those that the board blocks are left out
    assert locks_of("KsKh", "Ks3h4d6c7c") == [[]]  # none is left, so there is no lock


def test_a_lock_by_made_hand_is_what_each_board_makes():
    sets, pairs = locks_of("set or two pair", "2s3h4d6c7c, Ks3h4d6c7c")
    assert sorted(sets[0]) == ["2d2c", "2h2c", "2h2d"]
    assert sorted(pairs[0]) == ["KdKc", "KhKc", "KhKd"]
    assert locks_of("set", "9s3h4d6c7c") == [[]]  # nobody makes one there


def test_locks_of_some_suits_keep_boards_apart():
    settings = {"board": "2s3h4d6c", "oop": "AA,QQ", "ip": "KK,22"}
    alike = find_symmetries(settings)
    lock = {"line": "", "strategy": {"X": 1}}
    assert len(alike) == 24
    assert len(find_symmetries({**settings, "locks": [{**lock, "hands": "AA"}]})) == 24
    assert len(find_symmetries({**settings, "locks": [{**lock, "hands": "AsAh"}]})) == 4
    assert len(find_symmetries({**settings, "locks": [{**lock, "hands": "set"}]})) == 1
    assert len(find_symmetries({**settings, "locks": [{**lock, "board": "2s3h4d6c7c"}]})) == 1
