"""Charts of push or fold: published borders, gaps, files, pictures and the command."""

import csv
import json
from types import SimpleNamespace
from zlib import crc32

import numpy as np
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

import equilibrist as eq
from equilibrist.cli.arguments import make_app
from equilibrist.poker.cards.cards import CLASSES
from equilibrist.poker.preflop.charts import Charts, list_decisions, read_stacks

BORDERS = [2.2, 2.3, 2.4, 2.5, 5.0, 5.1, 5.2, 5.6, 5.7, 7.0, 7.1, 7.2, 7.7, 7.8, 10.1]


@pytest.fixture(scope="module")
def chart():
    return eq.poker.push_fold_charts(BORDERS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "hand", "yes", "no"),
    [
        ("push", "T3s", [7.7], [7.8]),
        ("call", "Q2o", [2.2, 5.0, 5.6], [5.7, 7.8]),
        ("push", "84s", [5.0, 5.1, 7.8, 10.1], []),
        ("push", "63s", [2.2, 2.3, 5.1, 7.0, 7.1], [2.4, 2.5, 5.0, 7.2, 7.8]),
    ],
)
def test_borders_are_those_of_published_charts(chart, action, hand, yes, no):
    played = getattr(chart, action)[:, CLASSES.index(hand)] >= 0.5
    assert {stack: bool(played[BORDERS.index(stack)]) for stack in yes + no} == {
        **dict.fromkeys(yes, True),
        **dict.fromkeys(no, False),
    }
    assert np.abs(chart.exploitability).max() <= 1e-12


def test_a_border_that_is_hard_to_find_is_that_of_the_linear_programme(chart):
    """At 10.1 big blinds 84s is pushed; regret matching folds it where it ends at 1e-7."""
    assert chart.push[BORDERS.index(10.1), CLASSES.index("84s")] == pytest.approx(1)


@pytest.mark.slow
def test_heads_up_charts_are_equilibria_of_the_compiled_game(chart):
    """Judged by best responses in the public form, which share nothing with the programme."""
    for stack in (2.2, 7.1, 10.1):
        row = BORDERS.index(stack)
        play = {}
        for number, hand in enumerate(CLASSES):
            pushed, called = chart.push[row, number], chart.call[row, number]
            play[0, hand] = {"push": pushed, "fold": 1 - pushed}
            play[1, f"{hand} push"] = {"call": called, "fold": 1 - called}
        assert eq.evaluate(f"push_fold(stack={stack})", play).exploitability < 1e-12
        exact = eq.exact(f"push_fold(stack={stack})").strategy[0, "84s"]
        assert chart.push[row, CLASSES.index("84s")] == pytest.approx(exact["push"], abs=1e-6)


def test_intervals_and_the_highest_stack():
    push, call = np.zeros((3, 169)), np.ones((3, 169))
    push[[0, 2], 5] = 0.5, 1.0
    made = Charts(np.array([1.0, 2.0, 3.0]), {"push": push, "call": call}, np.zeros(3))
    name = "A9s"
    assert made.intervals("push", name) == [(1.0, 1.0), (3.0, 3.0)]
    assert made.intervals("push", "AA") == []
    assert made.highest("push")[5] == 3.0
    assert np.isnan(made.highest("push")[0])
    assert made.text("call", name) == "3-1"
    with pytest.raises(eq.GameError, match="'push' and 'call'"):
        made.highest("fold")


@pytest.mark.slow
def test_charts_of_three_seats():
    made = eq.poker.push_fold_charts([8], seats=3, until=5e-2)
    assert (made.tables["push from BTN"] > 0.5).sum() + 20 < (
        made.tables["push from SB"] > 0.5
    ).sum()
    assert made.text("call both from BB", "AA") == made.text("push from BTN", "AA") == "8"
    assert list(made.columns())[1:3] == ["push from BTN", "push from BTN at"]
    with pytest.raises(eq.GameError, match="'call SB from BB' and 'call both from BB'; got 'push'"):
        made.highest("push")


def test_files_pages_and_pictures(chart, tmp_path, undrawn):
    chart.write_csv(tmp_path / "chart.csv")
    rows = list(csv.DictReader((tmp_path / "chart.csv").open()))
    assert {row["hand"]: row["push at"] for row in rows}["63s"] == chart.text("push", "63s")
    assert chart.to_arrow().num_rows == 169
    page = chart.to_html(page=True)
    assert page.count("<img") + page.count("<picture") >= 2
    assert chart.text("push", "63s") in page
    figure = eq.plot.chart_grid(chart)
    assert isinstance(figure, Figure)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts.count("7.1*") >= 1
    assert "63s" in texts


def test_the_command_prints_both_grids_and_writes_files(tmp_path):
    files = [tmp_path / name for name in ("chart.csv", "chart.html", "chart.svg")]
    typed = ["chart", "--stacks", "5..5.1", "--csv", str(files[0]), "--out"]
    printed = CliRunner().invoke(make_app(), [*typed, str(files[1])]).output
    assert "to push with" in printed
    assert "to call with" in printed
    result = CliRunner().invoke(make_app(), [*typed, str(files[2]), "--action", "call", "--json"])
    summary = json.loads(result.output)
    assert summary["stacks"] == [5.0, 5.1]
    assert summary["push at"][summary["hand"].index("AA")] == "5.1-5"
    assert all(path.stat().st_size > 1_000 for path in files)


def test_the_command_says_what_it_can_write(tmp_path):
    refused = CliRunner().invoke(
        make_app(), ["chart", "--stacks", "3", "--out", str(tmp_path / "chart.zip")]
    )
    assert "is written as .html, .svg, .png, .pdf; got '.zip'" in " ".join(
        str(refused.exception or "").split()
    )
    assert "over 1 stack\n" in CliRunner().invoke(make_app(), ["chart", "--stacks", "3"]).output


@pytest.mark.parametrize(
    ("stacks", "message"),
    [
        ("a..b", "'1..20'"),
        ("1..2..3", "'1..20'"),
        ("5..1", "smaller one to the larger one: '1..5'; got '5..1'"),
        ("0..5", "big blinds above 0; got '0..5'"),
        ("1..inf", "big blinds above 0"),
        ([], "1 to 2,000"),
        ("1..9999", "1 to 2,000"),
    ],
)
def test_stacks_that_cannot_be_read_are_refused(stacks, message):
    with pytest.raises(eq.GameError, match=message):
        eq.poker.push_fold_charts(stacks)


def test_charts_of_other_seats_are_refused():
    with pytest.raises(eq.GameError, match="2 to 9"):
        eq.poker.push_fold_charts([5], seats=10)
    names = list(list_decisions(6, straddle=False))
    assert len(names) == 5 + 15
    assert names[0] == "push from LJ"
    assert names[-1] == "call SB from BB"


def test_a_text_of_stacks_has_both_ends_whatever_tenths_round_to():
    """Counted in whole numbers of steps, in which nothing is rounded."""
    for step, digits in ((0.1, 1), (0.01, 2), (0.5, 1)):
        width = round(step * 10**digits)
        for first in (1, 3, 7, 10, 11, 13):
            for count in (1, 2, 4, 7, 8, 30):
                whole = [first + width * number for number in range(count)]
                text = f"{whole[0] / 10**digits}..{whole[-1] / 10**digits}"
                assert read_stacks(text, step) == [each / 10**digits for each in whole], text


def test_each_stack_is_the_solution_of_the_game_with_its_antes():
    """In whatever order stacks are given: tables ascend with them, on which intervals rely."""
    told = []
    made = eq.poker.push_fold_charts(
        [6, 3, 4.5], ante=0.125, bb_ante=1, until=1e-3, callbacks=lambda *at: told.append(at)
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert made.stacks.tolist() == [3, 4.5, 6]
    for row, stack in enumerate((3, 4.5, 6)):
        game = f"push_fold(stack={stack}, ante=0.125, bb_ante=1)"
        play = {}
        for number, hand in enumerate(CLASSES):
            pushed, called = made.push[row, number], made.call[row, number]
            play[0, hand] = {"push": pushed, "fold": 1 - pushed}
            play[1, f"{hand} push"] = {"call": called, "fold": 1 - called}
        assert eq.evaluate(game, play).exploitability < 1e-12
    assert made.summary()["exploitability"] == max(made.exploitability)


def number_of(*place):
    """Return a number for a player, an infoset and a move, each another one."""
    return crc32(" ".join(map(str, place)).encode()) / 2**32


class Numbered(dict):
    """A strategy of three seats whose probabilities are the numbers of their places."""

    def __missing__(self, key):
        words = ("call", "fold") if "push" in key[1] else ("push", "fold")
        return {word: number_of(*key, word) for word in words}


def test_charts_of_three_seats_are_read_where_their_names_say(monkeypatch):
    """By the seats in their order: those before who acts fold, but for the one or the two who are called."""
    run = SimpleNamespace(strategy=Numbered(), exploitability=0.5)
    monkeypatch.setattr("equilibrist.poker.preflop.charts.solve", lambda *_, **settings: run)
    made = eq.poker.push_fold_charts([8], seats=3)
    seats = ["BTN", "SB", "BB"]
    assert len(made.actions) == 6
    for name in made.actions:
        verb, *whom, _, seat = name.split()
        player = seats.index(seat)
        called = ["BTN", "SB"] if whom == ["both"] else whom
        moves = []
        for before in seats[:player]:
            word = "fold"
            if before in called:
                word = "call" if "push" in moves else "push"
            moves.append(word)
        for row, hand in enumerate(CLASSES):
            infoset = f"{hand} {'-'.join(moves)}".strip()
            assert made.tables[name][0, row] == number_of(player, infoset, verb), name
