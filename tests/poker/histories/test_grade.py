"""Grades of hand histories: costs against exact values, which run covers what, and histories that nobody can grade."""

import csv
import io
import json
import random
import re
import sys
import tracemalloc
import urllib.parse
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import equilibrist as eq
from equilibrist.errors import AlgorithmError
from equilibrist.play.session import Session
from equilibrist.poker.cards.cards import cards_text, parse_cards
from equilibrist.poker.histories import hand as reasons
from equilibrist.poker.histories import runs
from equilibrist.poker.histories.blocks import grade_tables
from equilibrist.poker.histories.hand import Decision, Step, decisions
from equilibrist.poker.histories.read import NO_HAND, read_hands
from equilibrist.poker.histories.runs import GradingRun, HandSpot

TURN = "holdem(board='AsKs7s2s', oop='QdQc,KdJh:0.5,9s8s', ip='JdJc,AdQh:0.75,TsTc', pot=100, stack=150, bets='50%; a')"
NUTS = "holdem(board='2s3h4d6c7c', oop='AA,55', ip='KK,QQ', pot=20, stack=10, bets='a'{})"
BETS = {"line": "X", "strategy": {"A": 1}}  # of IP

HAND = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.05, 0.1]
min_bet = 0.1
starting_stacks = [2, 2]
actions = ["d dh p1 {oop}", "d dh p2 {ip}", "p2 cbr 1", "p1 cc", "d db {flop}", "p1 cc", "p2 cc",
  "d db {turn}", "p1 cc", "p2 cc", "d db {river}", {river_actions}]
players = ["Ann: the first", "Bob"]
"""
DEALT = {"oop": "AsAh", "ip": "KsKh", "flop": "2s3h4d", "turn": "6c", "river": "7c"}


@pytest.fixture(scope="module")
def nuts():
    """OOP holds aces or a straight; IP bets all hands after a check."""
    game = eq.load(NUTS.format(""))
    game.locks = [BETS]
    return eq.solve(game, until=1e-3)


@pytest.fixture
def graded(nuts, tmp_path):
    def graded(text, *more, **options):
        path = tmp_path / "hands.phhs"
        path.write_text(text, encoding="utf-8")
        return eq.poker.grade(path, [nuts, *more], **options)

    return graded


def hand(river_actions='"p1 cc", "p2 cbr 1", "p1 f"', **changed):
    return HAND.format(river_actions=river_actions, **{**DEALT, **changed})


def test_the_cost_of_folding_the_nuts(graded):
    """A call wins the pot and the bet, 20 + 10 of the run's chips, for a fold: in the hand, whose pot is 2, 3 chips."""
    grades = graded(hand())
    fold = grades.dearest()[0]
    names = (
        "hand",
        "player",
        "street",
        "position",
        "line",
        "board",
        "cards",
        "class",
        "made",
        "played",
        "best",
    )
    who = ("hands 1", "Ann: the first", "river", "OOP")
    expected = (*who, "X-A10", "2s3h4d6c7c", "AsAh", "AA", "overpair", "F", "C")
    assert tuple(fold[name] for name in names) == expected
    assert (fold["cost"], fold["cost_percent"], fold["grade"]) == (
        pytest.approx(3),
        pytest.approx(150),
        "blunder",
    )
    assert fold["frequency"] == pytest.approx(0, abs=1e-3)
    assert (grades.hands, grades.skipped) == (1, {})
    assert grades.uncovered == {runs.BEFORE: 4}
    assert len(grades.decisions) == 3


def test_suits_do_not_matter_where_ranges_treat_them_alike(tmp_path):
    turned = str.maketrans("cdhs", "dhsc")
    path = tmp_path / "turned.phh"
    path.write_text(
        hand(**{key: cards.translate(turned) for key, cards in DEALT.items()}), encoding="utf-8"
    )
    run = eq.solve(NUTS.format(""), iterations=20)
    other = eq.poker.grade(path, run).decisions
    assert other["board"].to_pylist() == ["2s3h4d6c7c"] * 2  # the bet of IP is rare
    assert other["cards"].to_pylist() == ["AsAh", "KsKh"]
    assert eq.poker.grade(path, run).uncovered == {runs.BEFORE: 4, runs.RARE: 1}
    narrow = eq.solve(NUTS.format("").replace("AA,55", "AsAh,55"), iterations=5)
    assert eq.poker.grade(path, narrow).uncovered == {runs.BOARD: 7}


def test_a_lock_is_of_its_suits(nuts, tmp_path):
    path = tmp_path / "turned.phh"
    path.write_text(
        hand(
            **{key: cards.translate(str.maketrans("cdhs", "dhsc")) for key, cards in DEALT.items()}
        )
    )
    assert eq.poker.grade(path, nuts).uncovered == {runs.BOARD: 7}


@pytest.mark.parametrize(
    ("text", "reason", "number"),
    [
        (hand(flop="2s3h5d"), runs.BOARD, 7),
        (hand().replace('cbr 1"', 'cbr 0.6"', 1), runs.CHIPS, 3),
        (hand('"p1 cc", "p2 cbr 0.5", "p1 f"'), runs.SIZE, 2),
        (hand('"p1 cbr 0.5", "p2 f"'), runs.SIZE, 2),
        (
            hand('"p1 cbr 0.95", "p2 cbr 1", "p1 f"'),
            runs.SIZE,
            2,
        ),  # no raise after what stands for all-in
        (hand('"p1 f"'), runs.SIZE, 1),  # which no tree has where nobody has bet
        (hand(oop="????"), runs.HIDDEN, 2),
        (hand(oop="AcKd"), runs.RANGE, 2),
    ],
)
def test_what_no_run_covers_is_counted_by_reason(graded, text, reason, number):
    grades = graded(text)
    assert grades.uncovered.get(reason, 0) == number
    assert sum(grades.uncovered.values()) + len(grades.decisions) == sum(map(len, steps_of(text)))


def steps_of(text):
    """Return the checks, calls, bets and folds of each player after the flop."""
    actions = text.split("d db", 1)[1]
    return [
        [word for word in actions.split('"') if word.startswith(f"p{seat} ")] for seat in (1, 2)
    ]


def test_bets_and_stacks_may_differ_by_the_tolerance(tmp_path):
    run = eq.solve(
        NUTS.format("").replace("stack=10, bets='a'", "stack=100, bets='50%'"), iterations=10
    )
    path = tmp_path / "hand.phh"
    text = hand('"p1 cbr {bet}", "p2 f"').replace("[2, 2]", "[{stack}, {stack}]")
    for stack, bet, tolerance, count in (
        (11, 1, 0, 2),
        (11, 1.09, 0.1, 2),
        (11, 1.11, 0.1, 0),
        (11, 0.91, 0.1, 2),
    ):
        path.write_text(text.replace("{bet}", str(bet)).replace("{stack}", str(stack)))
        assert len(eq.poker.grade(path, run, tolerance=tolerance).decisions) == count, (
            bet,
            tolerance,
        )
    for stack, tolerance, count in ((11.9, 0.1, 2), (12.1, 0.1, 0), (10.1, 0.1, 2), (9.9, 0.1, 0)):
        path.write_text(text.replace("{bet}", "1").replace("{stack}", str(stack)))
        assert len(eq.poker.grade(path, run, tolerance=tolerance).decisions) == count, (
            stack,
            tolerance,
        )


@pytest.mark.parametrize(
    ("river_actions", "actions"),
    [
        (
            '"p1 cbr 0.95", "p2 cbr 2.9", "p1 f"',
            ["B10", "R30", "F"],
        ),  # 0.475 of the pot for 0.5, then of 4 chips
        ('"p1 cbr 1.9", "p2 cc"', ["B20", "C"]),
        (
            '"p1 cbr 2", "p2 cbr 10.9", "p1 cc"',
            ["B20", "A100", "C"],
        ),  # all-in is all-in, though 11 % more of the pot
        ('"p1 cbr 1", "p2 cbr 2.5", "p1 f"', ["B10"]),  # 0.375 of the pot is too far from 0.5
    ],
)
def test_a_bet_stands_for_the_nearest(wide, tmp_path, river_actions, actions):
    path = write(tmp_path / "hand.phh", hand(river_actions).replace("[2, 2]", "[11.9, 30]"))
    assert eq.poker.grade(path, wide).decisions["action"].to_pylist() == actions


@pytest.fixture(scope="module")
def wide():
    return eq.solve(
        NUTS.format("").replace("stack=10, bets='a'", "stack=100, bets='50%, 100%; 50%, a'"),
        iterations=2,
    )


def test_the_player_that_is_graded(graded):
    assert graded(hand(), player="Bob").decisions["player"].to_pylist() == ["Bob"]
    assert sum(graded(hand(), player="Bob").uncovered.values()) == 2
    assert graded(hand(), player="Eve").skipped == {reasons.ABSENT: 1}


# --- Hands that a solution dealt itself ---


@pytest.fixture(scope="module")
def coarse():
    return eq.solve(TURN, iterations=10)


@pytest.mark.slow
def test_costs_of_dealt_hands_sum_to_nash_conv(coarse, tmp_path):
    """The lemma of the performance difference: E[Σ costs of a player] = best-response value - value."""
    path = tmp_path / "hands.phhs"
    eq.poker.write_hands(coarse, path, hands=600, seed=3)
    run = GradingRun("run", coarse)
    costs = []
    for played in read_hands([path]):
        total = 0.0
        for decision in decisions(played):
            if decision.street >= run.street:
                suits = run.suits(played)
                move = run.grade(decision, played.board, played.cards[decision.seat], suits, 0.0)
                total += move.cost if move != runs.RARE else 0.0
        costs.append(total)
    error = np.std(costs) / np.sqrt(len(costs))
    assert abs(np.mean(costs) - coarse.nash_conv) <= 4 * error
    assert 4 * error < coarse.nash_conv


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["phh", "pokerstars"])
def test_hands_that_a_solution_dealt_cost_nothing(name, tmp_path):
    solution = eq.solve(TURN, until="0.05%")
    path = tmp_path / "hands"
    eq.poker.write_hands(solution, path, hands=300, format=name, seed=4)
    grades = eq.poker.grade(path, solution)
    assert grades.hands == 300
    assert len(grades.decisions) > 500
    assert grades.skipped == {}
    assert set(grades.uncovered) <= {runs.BEFORE, runs.HIDDEN, runs.RARE}
    assert grades.uncovered[runs.BEFORE] == 600
    assert (runs.HIDDEN in grades.uncovered) == (name == "pokerstars")
    assert grades.cost / grades.hands <= solution.nash_conv
    assert grades.runs[0].exploitability == pytest.approx(solution.exploitability, abs=1e-6)


def test_the_run_that_fits_best_grades(tmp_path):
    """All of them fit within the tolerance; the order in which they are given does not matter."""
    path = write(tmp_path / "a.phhs", hand())  # stacks of half of the pot
    spots = [
        eq.solve(NUTS.format("").replace("stack=10", f"stack={stack}"), iterations=5)
        for stack in (9.5, 10.1, 10.8)
    ]
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        grades = eq.poker.grade(path, [spots[number] for number in order])
        assert set(grades.decisions["run"].to_pylist()) == {spots[1].game}


def test_a_capped_hand_is_graded_by_the_run_that_has_the_cap(tmp_path):
    """A game with a cap of 20 chips, 4 of which are in on the river: 16 can still be bet, whatever the seats show."""
    text = CAPPED.format(stakes="$1/$2 - $20 Cap -  USD")
    spot = "holdem(board='Kh9s4d7c2h', oop='QQ,AA,KK', ip='KK,QQ', pot=8, stack={}, bets='50%, a', chip=0.01)"
    seats, cap = (eq.solve(spot.format(stack), iterations=20) for stack in (196, 16))
    grades = eq.poker.grade(write(tmp_path / "a.txt", text), [seats, cap])
    assert set(grades.decisions["run"].to_pylist()) == {cap.game}
    assert eq.poker.grade(tmp_path / "a.txt", seats).uncovered.get(runs.CHIPS) == 3
    uncapped = write(tmp_path / "b.txt", CAPPED.format(stakes="$1/$2 USD"))
    assert set(eq.poker.grade(uncapped, [seats, cap]).decisions["run"].to_pylist()) == {seats.game}


CAPPED = """PokerStars Hand #1:  Hold'em No Limit ({stakes}) - 2012/01/02 3:04:05 ET
Table 'Sample' 2-max Seat #1 is the button
Seat 1: North ($200 in chips)
Seat 2: South ($200 in chips)
North: posts small blind $1
South: posts big blind $2
*** HOLE CARDS ***
Dealt to South [Qh Qd]
North: raises $2 to $4
South: calls $2
*** FLOP *** [Kh 9s 4d]
South: checks
North: checks
*** TURN *** [Kh 9s 4d] [7c]
South: checks
North: checks
*** RIVER *** [Kh 9s 4d 7c] [2h]
South: checks
North: bets $4
South: folds
Uncalled bet ($4) returned to North
North collected $8 from pot
*** SUMMARY ***
Total pot $8 | Rake $0
Board [Kh 9s 4d 7c 2h]
Seat 1: North (button) (small blind) showed [Kc Kd] and won ($8)
Seat 2: South (big blind) folded on the River
"""


# --- Histories ---

STARS = """\ufeffPokerStars Hand #245: Tournament #12, $1+$0.10 USD Hold'em No Limit - (10/20) - 2024/05/01 9:00:00 ET\r
Table '12 1' 6-max Seat #4 is the button\r
Seat 1: a: b (1,500 in chips)\r
Seat 2: C (x) (1480 in chips) is sitting out\r
Seat 4: Dé (1000 in chips)\r
Seat 5: E (990 in chips)\r
a: b: posts the ante 5\r
Dé: posts the ante 5\r
E: posts the ante 5\r
E: posts small blind 10\r
a: b: posts big blind 20\r
*** HOLE CARDS ***\r
Dealt to a: b [Ah Kd]\r
Dé: raises 25 to 45\r
E: calls 35\r
E said, "E: folds"\r
a: b: calls 25\r
*** FLOP *** [2s 3h 4d]\r
E: checks\r
a: b: bets 50\r
Dé: folds\r
E: calls 50\r
*** TURN *** [2s 3h 4d] [6c]\r
E: bets 100\r
a: b: raises 200 to 300\r
E: calls 200\r
*** RIVER *** [2s 3h 4d 6c] [7c]\r
E: checks\r
a: b: bets 1,100 and is all-in\r
E: calls 590 and is all-in\r
Uncalled bet (510) returned to a: b\r
*** SHOW DOWN ***\r
a: b: shows [Ah Kd] (high card Ace)\r
E: mucks hand\r
a: b collected 2030 from pot\r
*** SUMMARY ***\r
Total pot 2030 | Rake 0\r
Board [2s 3h 4d 6c 7c]\r
Seat 1: a: b (big blind) showed [Ah Kd] and won (2030) with high card Ace\r
Seat 5: E (small blind) mucked [Qh Jh]\r
\r
"""


FOLDED = "\n[9]\n" + hand().split(', "d db', 1)[0].replace('"p1 cc"', '"p1 f"') + "]\n"
"""A hand that is over before the flop, to stand behind one that cannot be read."""


def write(path, text):
    path.write_bytes(text.encode())
    return path


def test_a_text_of_pokerstars(tmp_path):
    (played,) = read_hands([write(tmp_path / "a.txt", STARS)])
    assert played.players == ("E", "a: b", "Dé")
    assert [cards_text(cards) for cards in played.cards] == ["QhJh", "AhKd", ""]
    assert (played.stacks, played.antes, played.blinds) == (
        (990, 1500, 1000),
        (5, 5, 5),
        (10, 20, 0),
    )
    made = list(decisions(played))
    assert [(d.seat, d.player, d.street, d.step.kind, d.step.all_in) for d in made] == [
        (0, 0, 0, "C", False),
        (0, 0, 1, "B", False),
        (1, 1, 1, "B", False),
        (0, 0, 1, "C", False),
        (0, 0, 2, "X", False),
        (1, 1, 2, "B", True),
        (0, 0, 2, "C", False),
    ]
    assert made[0].begun == (None,)  # three players saw the flop
    assert made[-1].begun[1:] == ((250, 890), (850, 590))
    assert made[1].step.share == pytest.approx(100 / 250)
    assert made[2].step.share == pytest.approx(200 / 450)
    assert made[5].step.share == pytest.approx(590 / 850)


def played(actions, stacks, antes=None, cards=()):
    """Return the decisions of a hand with blinds of 1 and 2, whose first player has the small one."""
    count = len(stacks)
    blinds, order = (2, 1) if count == 2 else (1, 2, *[0] * (count - 2)), "abc"
    moves = []
    for word in actions.split():
        if word[0] in order[:count]:
            chips = float(word[2:] or 0)
            moves.append(reasons.Action(order.index(word[0]), word[1], chips))
        else:
            moves.append(reasons.Deal(parse_cards(word)))
    dealt = tuple(map(parse_cards, cards)) or ((),) * count
    return list(
        decisions(
            reasons.PlayedHand(
                "", order[:count], stacks, antes or (0,) * count, blinds, dealt, tuple(moves)
            )
        )
    )


def rows_of(made):
    return [
        (d.seat, d.player, d.street, d.step.kind, round(d.step.share, 6), d.step.all_in)
        for d in made
    ]


def test_decisions_of_two_players():
    made = played("bB6 aC 2c3d4h aC bB6 aB24 bC 5s aC bC 6h aB40 bF", (100, 90))
    assert rows_of(made) == [
        (0, 0, 0, "X", 0, False),
        (1, 1, 0, "B", 0.5, False),  # 6 of 12
        (0, 0, 0, "B", 0.75, False),  # 18 more than the bet, of 24 after the call
        (1, 1, 0, "C", 0, False),
        (0, 0, 1, "X", 0, False),
        (1, 1, 1, "X", 0, False),
        (0, 0, 2, "B", round(40 / 60, 6), False),
        (1, 1, 2, "F", 0, False),
    ]
    assert made[2].step.chips == 24
    assert [d.begun for d in made[::7]] == [((12, 84),), ((12, 84), (60, 60), (60, 60))]
    assert [len(part) for part in made[-1].past] == [4, 2, 1]
    assert made[3].past == (tuple(d.step for d in made[:3]),)
    assert made[4].past[1] == ()


def test_decisions_of_all_ins():
    """More than the other has is no more than that; what is called is all-in for both."""
    (check, bet, call) = played("bB6 aC 2c3d4h aC bB94 aC 5s 6h", (50, 100))
    assert rows_of([check, bet, call])[1:] == [
        (1, 1, 0, "B", round(44 / 12, 6), True),
        (0, 0, 0, "C", 0, False),
    ]
    assert bet.step.chips == 94
    raised = played("bB6 aC 2c3d4h aB10 bB44 aF", (100, 50))[1]
    assert rows_of([raised])[0][3:] == ("B", round(34 / 32, 6), True)
    again = played("bB6 aC 2c3d4h aC bB6 aB24 bB54 aC 5s 6h", (100, 60))[
        3
    ]  # 30 more, of 42 and a call of 18
    assert rows_of([again])[0][3:] == ("B", 0.5, True)
    nearly = played("bB6 aC 2c3d4h aB10 bB43 aF", (100, 50))[1]
    assert rows_of([nearly])[0][3:] == ("B", round(33 / 32, 6), False)


def test_decisions_of_three_players():
    """None counts while a third is in; the two that are left then are out of and in position by their seats."""
    made = played("cB6 aC bC 2c3d4h aC bB9 cF aC 5s aB5 bF", (100, 80, 90))
    assert rows_of(made) == [
        (0, 0, 0, "C", 0, False),
        (0, 0, 1, "B", round(5 / 36, 6), False),
        (1, 1, 1, "F", 0, False),
    ]
    assert made[0].begun == (None,)
    assert made[1].begun == (None, (36, 65))
    assert [step.kind for step in made[0].past[0]] == ["X", "B", "F"]
    made = played("cB6 aC bF 2c3d4h aC cB7 aF", (100, 80, 90))
    assert [(d.seat, d.player) for d in made] == [(0, 0), (2, 1), (0, 0)]
    assert made[0].begun == ((14, 84),)


@pytest.mark.parametrize(
    ("actions", "stacks", "reason"),
    [
        ("cB6 aC bC 2c3d4h aC bC cC 5s aC bC cC 6h aC bC cC", (100, 80, 90), reasons.CROWDED),
        ("cB6 aC bC 2c3d4h aB6 bC cC 5s 6h", (12, 12, 12), reasons.SIDE_POT),
        ("cB6 aC bC 2c3d4h aB6 bC cC 5s bC cC 6h bC cC", (12, 80, 90), reasons.SIDE_POT),
        ("bB6 aF", (100, 90), reasons.NO_FLOP),
        ("bB6 aC", (100, 90), reasons.CUT),
        ("bB6 aC 2c3d4h aC bC", (100, 90), reasons.CUT),
        ("bB6 aC 2c3d4h aC bC 5s aC bC 6h aC", (100, 90), reasons.CUT),
        ("bB6 aC 2c3d4h aC aC bC 5s aC bC 6h aC bC", (100, 90), reasons.CUT),  # who acts twice
        ("bB6 aC 2c3d4h aC bC 5s6h aC bC", (100, 90), reasons.CUT),
        ("bB6 aC 2c3d4h aC bC 5s aC bC 5s aC bC", (100, 90), reasons.CUT),
    ],
)
def test_decisions_of_hands_without_any(actions, stacks, reason):
    with pytest.raises(reasons.UnreadableError, match=f"^{reason}$"):
        played(actions, stacks)


def test_decisions_of_hands_in_which_a_card_comes_twice():
    line = "bB6 aC 2c3d4h aC bC 5s aC bC 6h aC bC"
    assert len(played(line, (100, 90), cards=("AhAd", "KhKd"))) == 6
    for cards in (("AhAd", "AhKd"), ("2cAd", "KhKd")):
        with pytest.raises(reasons.UnreadableError, match=f"^{reasons.CUT}$"):
            played(line, (100, 90), cards=cards)


def test_pokerkit_understands_the_same(tmp_path):
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit, of the extra 'hands'")
    text = (
        STARS.replace("1,", "1")
        .replace("\r", "")
        .replace("\ufeff", "")
        .replace("a: b", "ab")
        .replace("C (x)", "Cx")
    )
    lines = [
        line
        for line in text.splitlines()
        if "Cx" not in line and "ante" not in line and "said" not in line
    ]
    text = (
        "\n".join(lines).replace("bets 1100", "bets 1105").replace("calls 590", "calls 595") + "\n"
    )
    (ours,) = read_hands([write(tmp_path / "a.txt", text)])
    with pytest.warns(UserWarning, match="time_zone_abbreviation"):
        (history,) = pokerkit.HandHistory.from_pokerstars(text, error_status=True)
    (theirs,) = read_hands([write(tmp_path / "a.phh", history.dumps())])
    assert list(decisions(ours)) == list(decisions(theirs))
    assert len(list(decisions(ours))) == 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (STARS[: STARS.index("*** SUMMARY")], reasons.CUT),
        (STARS.replace("E: calls 590 and is all-in\r\n", ""), reasons.CUT),
        (STARS.replace("Hold'em No Limit", "5 Card Omaha Pot Limit"), reasons.OTHER_GAME),
        (STARS.replace("[2s 3h 4d 6c 7c]", "[]").replace("[7c]", "[6c]"), reasons.CUT),
        (STARS.replace("Dé: folds", "Dé: calls 50").replace("(1000", "(100"), reasons.SIDE_POT),
        (hand().replace('"NT"', '"FT"'), reasons.OTHER_GAME),
        (hand().replace('"NT"', '"PO"'), reasons.CUT),  # which has four cards for each player
        (hand().replace("p1 f", "p1 fold"), reasons.CUT),
        (hand().replace(', "p1 f"', ""), reasons.CUT),
        (hand().replace("[2, 2]", "[2, 2, 2]"), reasons.CUT),
        (hand().replace("[2, 2]", "[nan, inf]"), reasons.CUT),
        (hand().replace("[2, 2]", "[-2, 2]"), reasons.CUT),
        (
            hand().replace("[0.05, 0.1]", "[0, 0]").replace('p2 cbr 1"', 'p2 cc"', 1),
            reasons.CUT,
        ),  # for no chips
        (hand(turn="2s"), reasons.CUT),
    ],
)
def test_hands_without_a_decision_are_counted_by_reason(graded, text, reason):
    grades = graded(text + FOLDED)
    skipped = {reason: 1, reasons.NO_FLOP: 1}
    assert (grades.hands, grades.skipped, grades.uncovered, len(grades.decisions)) == (
        2,
        skipped,
        {},
        0,
    )
    assert grades.cost == 0
    assert grades.dearest() == grades.by("line") == []


@pytest.mark.parametrize("text", [STARS, hand()])
def test_no_history_ends_in_a_traceback(graded, text):
    """Cut anywhere, and with characters that are changed, doubled and left out."""
    source = random.Random(1)
    for _ in range(150):
        characters = list(text)
        for _ in range(source.randint(1, 4)):
            place = source.randrange(len(characters))
            characters[place : place + source.randint(0, 3)] = source.choice(
                ["", "9", '"', "[", "]", "-", "p", "A", "\n", "1e9"]
            )
        grades = graded(
            "".join(characters)[: source.choice([None, source.randrange(9, len(text))])] + FOLDED
        )
        assert sum(grades.skipped.values()) - grades.skipped.get(NO_HAND, 0) <= grades.hands


@pytest.mark.slow
def test_one_hand_is_in_memory_at_a_time(coarse, tmp_path):
    path = tmp_path / "few.phhs"
    eq.poker.write_hands(coarse, path, hands=50, seed=1)
    many = write(tmp_path / "many.phhs", path.read_text() * 40)
    assert (
        len(list(read_hands([path]))) == 50
    )  # what is imported and compiled at first is not counted
    tracemalloc.start()
    count = sum(1 for _ in read_hands([many]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2_000
    assert peak < many.stat().st_size  # all texts at once take more


# --- What comes of it ---


@pytest.mark.slow
def test_tables_page_and_json(graded, tmp_path, undrawn):
    grades = graded(hand())
    grades.write_csv(tmp_path / "a.csv")
    grades.write_parquet(tmp_path / "a.parquet")
    with (tmp_path / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in columns] == rows
    assert len(rows) == 3
    assert json.loads(json.dumps(grades.summary()))["by_class"][0]["class"] == "AA"
    lost = {row["made"]: (row["decisions"], row["cost"]) for row in grades.by("made")}
    assert lost == {"overpair": (3, pytest.approx(3))}
    assert "By made hand" in [table.title for table in grade_tables(grades)]
    page = graded(
        hand().replace("variant", "[1]\nvariant") + hand().replace("variant", "[2]\nvariant")
    ).to_html(page=True)
    assert page.count('<a href="#node-1">') == 2
    assert page.count('<section id="node-') == 1  # both folded at the same node
    page = grades.to_html(page=True)
    assert '<a href="#node-1">hands 1</a>' in page
    assert '<section id="node-1">' in page
    assert "OOP (Ann: the first) with AsAh: F, which the run plays 0" in page
    assert "hands" in grades.to_html()
    assert "Open it in the page" not in page


def test_decisions_are_linked_to_the_page(nuts, graded, tmp_path, undrawn):
    nuts.save(tmp_path / "the nuts")
    (tmp_path / "a.phhs").write_text(hand(), encoding="utf-8")
    address = "http://127.0.0.1:8421"
    grades = eq.poker.grade(tmp_path / "a.phhs", tmp_path / "the nuts", served_at=f"{address}/")
    row = grades.dearest()[0]
    query = urllib.parse.urlencode({"line": row["line"], "board": row["board"]}).replace(
        "&", "&amp;"
    )
    assert f'href="{address}/runs/the%20nuts/spot?{query}">Open it' in grades.to_html(page=True)
    with pytest.raises(AlgorithmError, match="served_at is an address such as"):
        graded(hand(), served_at="javascript:alert(1)")


def test_the_command(run, nuts, tmp_path, monkeypatch, undrawn):
    nuts.save(tmp_path / "nuts")
    write(tmp_path / "hand.phh", hand())
    files = [str(tmp_path / name) for name in ("a.csv", "a.parquet", "a.html")]
    args = ["grade", str(tmp_path / "hand.phh"), "--run", str(tmp_path / "nuts")]
    out = run(*args, "--csv", files[0], "--parquet", files[1], "--out", files[2]).out
    assert "1 hand, 7 decisions of two players after the flop: 3 graded, 4 not covered" in out
    assert "AsAh" in out
    assert runs.BEFORE in out.split("Decisions not covered")[1]
    assert all((tmp_path / name).stat().st_size > 300 for name in ("a.csv", "a.parquet", "a.html"))
    assert run(*args, "--json").json["cost"] == pytest.approx(3)
    out = run(*args, "--unit", "pot").out  # 3 chips of 2, by the row above
    assert re.search(r"cost, % of pot.*\n.*\n.* 150 ", out.split("By made hand")[1])
    run(*args, "--unit", "bb").fails(2, "give the chips of a big blind")
    run(*args, "--out", str(tmp_path / "a.pdf")).fails(
        2, "a.pdf: the page is written as .html or .htm; got '.pdf'"
    )
    run("grade", str(write(tmp_path / "none.phh", "")), *args[2:]).fails(2, "There is no hand in")
    foreign = write(tmp_path / "foreign.txt", "Full Tilt Poker Game #1: Table A\n")
    run("grade", str(foreign), *args[2:]).fails(
        2, "there is a history of Full Tilt, which is not read"
    )
    dealt = run(
        "deal",
        str(tmp_path / "nuts"),
        "--hands",
        "5",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "dealt.phhs"),
    )
    assert "5 hands in" in dealt.out
    assert run("grade", str(tmp_path / "dealt.phhs"), *args[2:], "--json").json["hands"] == 5
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    trained = run(
        "play", str(tmp_path / "nuts"), "--from", files[0], "--hands", "1", "--seed", "1", "--json"
    )
    assert trained.json["played"][0]["moves"][-1]["infoset"] == "AsAh 2s3h4d6c7c X-A10"


def test_what_cannot_be_graded_with(nuts, tmp_path):
    path = write(tmp_path / "a.phh", hand())
    with pytest.raises(
        eq.SolutionError,
        match=r"nothing\.phh is not there; give files of hand histories, or folders",
    ):
        eq.poker.grade([path, "nothing.phh"], nuts)
    with pytest.raises(eq.SolutionError, match="kuhn is no run of a spot of hold'em"):
        eq.poker.grade(path, eq.solve("kuhn", iterations=2))
    with pytest.raises(
        eq.AlgorithmError, match=r"tolerance must be a share from 0 to 1, such as 0\.1; got 10"
    ):
        eq.poker.grade(path, nuts, tolerance=10)
    with pytest.raises(
        eq.AlgorithmError,
        match="grade needs one file of hands or more, and one run or more; got none",
    ):
        eq.poker.grade(path, [])
    within = eq.solve(NUTS.format(", after='X'"), iterations=2)
    with pytest.raises(eq.SolutionError, match="begins within a street, after 'X'"):
        eq.poker.grade(path, within)
    coarse = eq.solve(TURN, iterations=2)
    coarse.save(tmp_path / "first", streets=1)
    with pytest.raises(
        eq.SolutionError, match="was saved without its last streets, whose actions are unknown"
    ):
        eq.poker.grade(path, tmp_path / "first")
    with pytest.raises(
        eq.SolutionError, match="was saved without its last streets, whose actions are unknown"
    ):
        eq.poker.write_hands(tmp_path / "first", tmp_path / "dealt")
    for text in ("", "\n \n"):
        with pytest.raises(
            eq.SolutionError, match=r"There is no hand in .*none\.phh; give histories of PHH"
        ):
            eq.poker.grade(write(tmp_path / "none.phh", text), nuts)
    (tmp_path / "none.phh").unlink()
    (tmp_path / "empty").mkdir()
    with pytest.raises(eq.SolutionError, match=r"has no file that ends in \.phh, \.phhs, \.txt"):
        eq.poker.grade(tmp_path / "empty", nuts)
    assert eq.poker.grade(tmp_path, nuts).hands == 1


# --- Training on mistakes ---


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_mistakes_are_dealt_again(nuts, graded, tmp_path, suffix):
    """The nuts that were folded come back after the bet; what cost nothing does not."""
    grades = graded(
        hand()
        + hand('"p1 cbr 1", "p2 f"').replace("variant", "[2]\nvariant").replace("hand = 1", "")
    )
    table = tmp_path / f"graded.{suffix}"
    getattr(grades, f"write_{suffix}")(table)
    session = Session(nuts.strategy.form.game, against=nuts, line=table, answers=1, seed=1)
    for _ in range(5):
        session.deal()
        turn = session.turn
        assert turn.infoset == "AsAh 2s3h4d6c7c X-A10"
        assert session.take(turn.actions.index("C")).cost == pytest.approx(0)


def test_tables_without_mistakes(nuts, graded, tmp_path):
    table, game = tmp_path / "graded.csv", nuts.strategy.form.game
    graded(hand('"p1 cc", "p2 cbr 1", "p1 cc"')).write_csv(table)
    with pytest.raises(
        eq.GameError,
        match=r"graded\.csv has no decision that costs anything; give what 'equilibrist grade'",
    ):
        Session(game, against=nuts, line=table)
    graded(hand()).write_csv(table)
    with pytest.raises(eq.GameError, match=r"graded\.csv has decisions of other spots alone"):
        Session(TURN, against=eq.solve(TURN, iterations=2), line=table)
    with pytest.raises(
        eq.AlgorithmError, match=r"The mistakes in .*graded\.csv are those of a spot of hold'em"
    ):
        Session("kuhn", line=table)
    with pytest.raises(
        eq.SolutionError, match=r"nowhere\.csv is not there; give what 'equilibrist grade' wrote"
    ):
        Session(game, against=nuts, line=Path("nowhere.csv"))
    table.write_text("line,board\n")
    with pytest.raises(eq.SolutionError, match=r"graded\.csv is no table of graded hands"):
        Session(game, against=nuts, line=table)


def test_stacks_of_a_spot_are_what_is_left_when_it_begins():
    """After a bet of 40 that was called, 110 of 150 are left for a pot of 160: a hand that has both fits exactly."""
    game = eq.load(
        "holdem(board='AsKs7s2s3c', oop='QdQc', ip='JdJc', pot=80, stack=150, bets='50%; a', after='B40-C')"
    )
    spot = HandSpot("the spot", game)
    decision = Decision(0, 0, 2, (None, None, (1600.0, 1100.0)), ((), (), ()), Step("X"))
    assert (spot.street, spot.pot, spot.depth) == (2, 160.0, 110 / 160)
    assert spot.misfit(decision) == pytest.approx(0.0, abs=1e-12)
