"""Spots that hands need and no run covers: which are solved, with what ranges, and what is counted where none is."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameTooLargeError
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES
from equilibrist.poker.histories import missing, runs
from equilibrist.poker.histories.hand import Action, decisions
from equilibrist.poker.histories.missing import MissingPlan, find_line_end
from equilibrist.poker.histories.read import read_hands

SPOT = "holdem(board='2s3h4d6c7c', oop='AA,55', ip='KK,QQ', pot=20, stack=10, bets='a')"
HAND = """
[{number}]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.05, 0.1]
min_bet = 0.1
starting_stacks = [{stack}, {stack}]
actions = ["d dh p1 {oop}", "d dh p2 {ip}", {before}, "d db {flop}", "p1 cc", "p2 cc",
  "d db {turn}", "p1 cc", "p2 cc", "d db {river}", {actions}]
"""
CALLED = '"p2 cbr 1", "p1 cc"'  # the pot is 2
FOLDED = '"p1 cc", "p2 cbr 1", "p1 f"'


DEALT = {"oop": "AsAh", "ip": "KsKh", "flop": "2s3h4d", "turn": "6c", "river": "8c"}


def hand(number=1, **changed):
    return HAND.format(
        **{**DEALT, "number": number, "stack": 2, "before": CALLED, "actions": FOLDED, **changed}
    )


def write(tmp_path, *hands):
    path = tmp_path / "hands.phhs"
    path.write_text("".join(hands))
    return path


def grade(path, **changed):
    told = []
    spots = eq.poker.MissingSpots(**{"ranges": eq.load(SPOT), "until": 1e-3, **changed})
    return eq.poker.grade(
        path, missing_spots=spots, callbacks=eq.Callbacks(on_plan=told.append)
    ), told


def test_a_spot_is_solved_on_the_way(tmp_path):
    """The grades are those of a run of the same spot, which is solved before."""
    path = write(tmp_path, hand())
    grades, told = grade(path, save=tmp_path / "runs")
    assert told[0].startswith("1 spot to solve, for 3 decisions: less than a second")
    run = eq.solve(SPOT.replace("6c7c", "6c8c"), until=1e-3)
    names = ["cards", "line", "cost", "frequency", "made"]
    expected = eq.poker.grade(path, run)
    assert (
        grades.decisions.select(names).to_pylist() == expected.decisions.select(names).to_pylist()
    )
    assert grades.uncovered == expected.uncovered == {runs.BEFORE: 4, **expected.uncovered}
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name == "2s3h4d6c8c-10-in-20"
    again = eq.poker.grade(path, folder)
    assert again.decisions.select(names).to_pylist() == expected.decisions.select(names).to_pylist()


def test_what_a_run_covers_is_not_solved_again(tmp_path):
    run = eq.solve(SPOT, iterations=20)
    told = []
    hands = hand(1, river="7c"), hand(2)
    grades = eq.poker.grade(
        write(tmp_path, *hands),
        run,
        missing_spots=eq.poker.MissingSpots(eq.load(SPOT)),
        callbacks=eq.Callbacks(on_plan=told.append),
    )
    assert told[0].startswith("1 spot to solve, for 3 decisions")
    assert set(grades.decisions["board"].to_pylist()) == {"2s3h4d6c7c", "2s3h4d6c8c"}
    eq.poker.grade(
        write(tmp_path, hands[0]),
        run,
        missing_spots=eq.poker.MissingSpots(eq.load(SPOT)),
        callbacks=eq.Callbacks(on_plan=told.append),
    )
    assert told[1] == "0 spots to solve, for 0 decisions"


def test_a_run_of_the_board_with_other_stacks_is_as_good_as_none(tmp_path):
    """What is told is why the spot was not solved, and not that a run has other stacks."""
    run = eq.solve(SPOT.replace("6c7c", "6c8c").replace("stack=10", "stack=20"), iterations=5)
    path = write(tmp_path, hand())
    assert eq.poker.grade(path, run).uncovered[runs.CHIPS] == 3
    spots = eq.poker.MissingSpots(eq.load(SPOT), seconds=1e-9)
    assert eq.poker.grade(path, run, missing_spots=spots).uncovered == {
        runs.BEFORE: 4,
        missing.TIME: 3,
    }


def test_the_forecast_counts_each_spot(tmp_path, monkeypatch):
    """Three spots of a river take three times as long as one."""
    monkeypatch.setattr(missing, "_forecast_seconds", lambda game, until: (10.0, 20.0))
    _, told = grade(write(tmp_path, hand(1), hand(2, river="9c"), hand(3, river="Tc")))
    assert told[0] == "3 spots to solve, for 9 decisions: about 30 to 60 s"


def test_the_spots_with_most_decisions_come_first(tmp_path):
    turned = {name: text.translate(str.maketrans("cdhs", "dhsc")) for name, text in DEALT.items()}
    grades, told = grade(write(tmp_path, hand(1, river="9c"), hand(2), hand(3, **turned)), most=1)
    assert told[0].startswith("1 spot to solve, for 6 decisions: less than a second")
    assert told[0].endswith("; 1 spot not solved")
    assert set(grades.decisions["board"].to_pylist()) == {
        "2s3h4d6c8c"
    }  # of two hands, in whatever suits
    assert grades.uncovered[missing.BEYOND] == 3


def test_the_time_is_limited(tmp_path):
    grades, _ = grade(write(tmp_path, hand(1, river="9c"), hand(2)), seconds=1e-6)
    assert grades.uncovered == {runs.BEFORE: 8, missing.TIME: 6}
    assert len(grades.decisions) == 0


@pytest.mark.slow
def test_a_run_that_does_not_come_to_its_goal_grades_nothing(tmp_path):
    mixed = eq.load(
        SPOT.replace("AA,55", "AA,QQ").replace("KK,QQ", "KK")
    )  # is solved to no such goal
    grades, _ = grade(
        write(tmp_path, hand(1, river="9c"), hand(2)), ranges=mixed, seconds=0.3, until=1e-12
    )
    assert grades.uncovered == {runs.BEFORE: 8, missing.TIME: 6}


def test_spots_that_are_too_large_and_an_interrupt(tmp_path, monkeypatch):
    """What is too large leaves the others to be solved; an interrupt leaves them out."""
    path, boards = write(tmp_path, hand(1, river="9c"), hand(2), hand(3, river="Tc")), []

    def solve(game, **limits):
        boards.append(game.settings["board"])
        if len(boards) == 1:
            raise GameTooLargeError("too large")
        return replace(eq.solve(game, iterations=1), stop_reason="interrupt")

    monkeypatch.setattr(missing, "solve", solve)
    grades, _ = grade(path)
    assert boards == ["2s3h4d6c9c", "2s3h4d6c8c"]
    assert grades.uncovered == {runs.BEFORE: 12, missing.MEMORY: 3, missing.STOPPED: 6}


@pytest.mark.parametrize(
    ("changed", "reason", "number"),
    [
        ({"oop": "????"}, runs.HIDDEN, 2),
        ({"oop": "AcKd"}, runs.RANGE, 2),
        ({"stack": 3.1}, missing.NO_RANGES, 3),  # 1.05 of the pot, more than twice half of it
        ({"stack": 1.45, "actions": '"p1 cc", "p2 cbr 0.45", "p1 f"'}, missing.NO_RANGES, 3),
        (
            {"flop": "AcAdKc", "turn": "Kd", "river": "Qc", "oop": "5s5h", "ip": "Tc9c"},
            runs.RANGE,
            1,
        ),
    ],
)
def test_what_has_no_ranges_is_counted_by_reason(tmp_path, changed, reason, number):
    path = write(tmp_path, hand(**changed))
    plan = MissingPlan(eq.poker.MissingSpots(eq.load(SPOT)), 0.1)
    (played,) = read_hands([path])
    reasons = [
        plan.reason_for(played, decision) for decision in decisions(played) if decision.street == 2
    ]
    assert reasons.count(reason) == number
    assert {
        plan.reason_for(played, decision) for decision in decisions(played) if decision.street < 2
    } <= {
        runs.BEFORE,
        missing.NO_RANGES,
    }


def test_a_board_that_leaves_no_range(tmp_path):
    spot = eq.load(SPOT.replace("KK,QQ", "KsKh"))
    grades, told = grade(write(tmp_path, hand(ip="KcKd", flop="2s3hKs")), ranges=spot)
    assert told == ["0 spots to solve, for 0 decisions; 1 spot not solved"]
    assert grades.uncovered == {runs.BEFORE: 4, missing.NO_SPOT: 2, runs.RANGE: 1}


def test_of_several_ranges_the_nearest_stacks_count(tmp_path):
    deep = eq.load(SPOT.replace("stack=10", "stack=18").replace("AA,55", "AA,JJ"))
    plan = MissingPlan(eq.poker.MissingSpots([eq.load(SPOT), deep]), 0.1)
    depths = {}
    for stack in (2, 2.6, 2.8, 4):
        (played,) = read_hands([write(tmp_path, hand(stack=stack))])
        place = plan.place(played, list(decisions(played))[-1])
        depths[stack] = place.template.depth
        assert place.depth == pytest.approx((stack - 1) / 2)
        assert place.template.spot(place.board, place.depth).settings["stack"] == pytest.approx(
            10 * (stack - 1)
        )
    assert depths == {2: 0.5, 2.6: 0.9, 2.8: 0.9, 4: 0.9}


# --- Ranges from before the flop ---


PREFLOP = "preflop(stack=20, sizes='2.5x; a')"


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ('"p2 cbr 0.25", "p1 cc"', "R2.5-C"),
        ('"p2 cbr 0.27", "p1 cc"', "R2.5-C"),
        ('"p2 cbr 0.28", "p1 cc"', None),  # 12 % more
        ('"p2 cc", "p1 cc"', "C-X"),
        ('"p2 cc", "p1 cbr 0.25", "p2 cc"', "C-R2.5-C"),
        ('"p2 cbr 0.25", "p1 cbr 0.6", "p2 cc"', None),
        ('"p2 cbr 0.25", "p1 cbr 2", "p2 cc"', None),  # nobody decides after an all-in
    ],
)
def test_the_line_before_the_flop(tmp_path, before, line):
    (played,) = read_hands([write(tmp_path, hand(before=before))])
    node = find_line_end(played, eq.load(PREFLOP), 0.1)
    assert (None if node is None else node.line) == line


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[2, 2]", "[2.3, 2.3]"),
        ("[0, 0]", "[0.05, 0.05]"),
        ('"NT"', '"NS"'),
        ("[2, 2]", "[2, 2, 2]"),
    ],
)
def test_other_stakes_are_other_games(tmp_path, old, new):
    text = hand(before='"p2 cbr 0.25", "p1 cc"').replace(old, new)
    if new.count("2") == 3:
        text = text.replace("[0, 0]", "[0, 0, 0]").replace("[0.05, 0.1]", "[0, 0.05, 0.1]")
    (played,) = read_hands([write(tmp_path, text)])
    assert find_line_end(played, eq.load(PREFLOP), 0.1) is None


@pytest.mark.parametrize(("chips", "number"), [(4.8, 2), (8.4, 3), (6.2, None), (40.0, 4)])
def test_a_raise_of_other_stakes_is_the_nearest_one_within_the_tolerance(chips, number):
    """Blinds of 1 and 2: raises to 2.5, 4 and 20 big blinds are raises to 5, 8 and 40."""
    node = SimpleNamespace(actions=("F", "C", "R2.5", "R4", "A20"))
    assert missing._match_action(Action(0, "B", chips), node, 2.0, 0.1) == number


@pytest.mark.slow
def test_ranges_of_a_line_before_the_flop(tmp_path):
    preflop = eq.solve(PREFLOP, iterations=3)
    plan = MissingPlan(eq.poker.MissingSpots(preflop, bets="75%"), 0.1)
    (played,) = read_hands([write(tmp_path, hand(before='"p2 cbr 0.25", "p1 cc"', oop="Th9h"))])
    place = plan.place(played, next(iter(decisions(played))))
    spot = place.template.spot(place.board, place.depth)
    assert str(spot) == str(
        eq.load(preflop.game).spot(preflop.strategy, "R2.5-C", "2s3h4d", bets="75%")
    )
    weight = spot.ranges[1].weights[CLASSES.index("KK") == CLASS_OF_HAND]
    assert weight == pytest.approx(preflop.strategy[0, "KK"]["R2.5"], abs=5.1e-5)
    assert np.ptp(weight) == 0
    assert (
        plan.reason_for(played, list(decisions(played))[-1]) == missing.BEYOND
    )  # nothing was solved


def test_what_cannot_be_asked_for(tmp_path):
    for wrong, message in (
        ({"most": 0}, "must be a whole number of spots, 1 or more; got 0"),
        ({"seconds": 0}, "seconds must be a number above 0; got 0"),
        ({"until": None}, "until must say how well spots are solved"),
    ):
        with pytest.raises(eq.AlgorithmError, match=message):
            eq.poker.MissingSpots(SPOT, **wrong)
    for ranges, error, message in (
        (
            "kuhn",
            eq.SolutionError,
            "Ranges come from a spot of hold'em, its file, or a run of preflop",
        ),
        ([], eq.AlgorithmError, "give a spot file, or a run of preflop; got none"),
        (SPOT.replace("bets=", "after='X', bets="), eq.SolutionError, "begins within a street"),
        (
            SPOT.replace("bets=", "locks=({'line': 'X', 'strategy': {'A': 1}},), bets="),
            eq.SolutionError,
            "has locks, which are of its own board",
        ),
    ):
        with pytest.raises(error, match=message):
            eq.poker.grade(write(tmp_path, hand()), missing_spots=eq.poker.MissingSpots(ranges))


def test_the_command(run, tmp_path):
    path = write(tmp_path, hand())
    eq.poker.write_spot(eq.load(SPOT), tmp_path / "ranges.toml")
    args = [
        "grade",
        str(path),
        "--solve",
        "--ranges",
        str(tmp_path / "ranges.toml"),
        "--until",
        "0.1%",
    ]
    out = run(*args, "--save", str(tmp_path / "runs")).out
    assert "1 spot to solve, for 3 decisions: less than a second" in out
    assert "2s3h4d6c8c 10 in 20 is exact to" in out
    saved = next((tmp_path / "runs").iterdir())
    assert run("grade", str(path), "--run", str(saved), "--json").json["decisions"] == 3
    run(*args[:3]).fails(2, "--solve needs --ranges")
    run("grade", str(path), "--run", str(saved), "--spots", "3").fails(2, "--solve needs --ranges")
    run("grade", str(path)).fails(2, "one run or more; got none")
