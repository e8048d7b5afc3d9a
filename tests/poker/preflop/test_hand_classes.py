"""Decisions before the flop by class of hands; referees: published figures, and products of probabilities."""

import csv
import json
import re

import pytest

import equilibrist as eq
from equilibrist.play.session import Session
from equilibrist.poker.cards.cards import CLASSES
from equilibrist.poker.preflop import three_handed
from equilibrist.poker.preflop.three_handed import ThreeHanded
from equilibrist.poker.solved.hand_classes import COMBOS, HandClasses, seat_names
from equilibrist.poker.spot.three_hands import three_hand_form


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("before-the-flop")
    eq.solve("push_fold(stack=10)", until=1e-6, save=folder / "push")
    eq.solve("preflop(stack=10, sizes='2x; a')", iterations=50, save=folder / "preflop")
    return folder


def classes(path):
    return HandClasses.of(eq.load_solution(path))


@pytest.mark.slow
def test_frequencies_are_the_published_ones(folder):
    decisions = classes(folder / "push")
    assert decisions.lines == {"": 0, "push": 1}
    first, second = decisions.node(), decisions.node("Push")  # however it is spelled
    assert (first.name, first.where, second.name, second.where) == (
        "SB",
        "at the start",
        "BB",
        "after push",
    )
    assert first.frequencies == pytest.approx([0.58284, 1 - 0.58284], abs=1e-4)
    assert second.frequencies == pytest.approx([0.37376, 1 - 0.37376], abs=1e-4)
    assert second.actions == ("call", "fold")
    assert (first.classes()[0] == 1).all()
    assert COMBOS.sum() == 1326


def test_weights_are_products_of_the_players_own_actions(folder):
    run = eq.load_solution(folder / "preflop")
    decisions = HandClasses.of(run)
    node = decisions.node("C-R2-A10")
    assert (node.player, node.actions) == (1, ("F", "C"))
    own = [run.strategy[1, f"{name} C"]["R2"] for name in CLASSES]
    assert decisions.node("C-R2").weights == pytest.approx(
        [run.strategy[0, name]["C"] for name in CLASSES]
    )
    assert node.weights == pytest.approx(own)
    held = node.weights * COMBOS
    assert node.frequencies == pytest.approx(node.strategy @ held / held.sum())


def test_seats_have_names_and_other_games_no_classes():
    assert seat_names("push_fold(seats=6, stack=8)", 6) == ("LJ", "HJ", "CO", "BTN", "SB", "BB")
    assert seat_names("push_fold.py:Mine", 2) == ()
    assert HandClasses.of(eq.solve("kuhn", iterations=1)) is None


def test_the_command_shows_decisions_and_refuses_what_they_have_not(
    run, folder, tmp_path, monkeypatch, undrawn
):
    monkeypatch.setenv("COLUMNS", "90")
    shown = run(
        "show",
        folder / "push",
        "--line",
        "push",
        "--csv",
        tmp_path / "a.csv",
        "--out",
        tmp_path / "a.svg",
    )
    assert shown.out.startswith("BB after push\n")
    assert re.search(r"C +call +call +37\.3", shown.out)
    assert re.search(r"\bC+F+\b", shown.out)  # Q6s mixes
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [row["class"] for row in rows] == list(CLASSES)
    assert re.search(
        r"call +0\.00%", run("show", folder / "push", "--line", "push", "--hand", "7d2c").out
    )
    told = json.loads(run("show", folder / "push", "--json").out)
    assert sum(map(float, told["frequencies"].values())) == pytest.approx(1)
    for options, message in (
        (
            ("--line", "call"),
            "nobody decides after 'call'; lines after which somebody does are '', 'push'",
        ),
        (("--hand", "ZZ"), "ZZ"),
        (
            ("--board", "AsKsQs"),
            "before the flop, of which each decision has one player and no board",
        ),
        (("--player", "ip"), "leave --board, --player"),
    ):
        wrong = run("show", folder / "push", *options)
        assert (wrong.code, message in " ".join(wrong.err.split())) == (2, True)
    for options, message in (
        (("--board", "AsKsQs"), "no card is public before the flop"),
        (("--player", "ip"), "SB, player 0, decides at the start"),
    ):
        wrong = run(
            "plot", folder / "push", "--kind", "range", *options, "--out", tmp_path / "b.svg"
        )
        assert (wrong.code, message in " ".join(wrong.err.split())) == (2, True)


@pytest.mark.slow
def test_three_seats_through_all_commands(run, tmp_path, monkeypatch):
    """Nothing writes its 63 million histories out; a run goes on to the same bits."""
    hands = ThreeHanded().three_hands()
    form = three_hand_form(hands)  # made once for all, which takes some seconds
    monkeypatch.setattr(ThreeHanded, "three_hands", lambda _: hands)
    monkeypatch.setattr(three_handed, "three_hand_form", lambda _: form)
    game, folder = "push_fold(seats=3)", tmp_path / "three"
    whole = eq.solve(game, iterations=3)
    run("solve", game, "--iterations", "2", "--save", folder)
    again = eq.solve(resume=folder, iterations=3, save=folder)
    assert (again.strategy.probabilities == whole.strategy.probabilities).all()
    assert again.cce_distance == whole.cce_distance
    decisions = HandClasses.of(again)
    assert list(decisions.lines) == ["", "push", "fold", "push-fold", "push-call", "fold-push"]
    assert [decisions.node(line).name for line in decisions.lines] == [
        "BTN",
        "SB",
        "SB",
        "BB",
        "BB",
        "BB",
    ]
    assert run("plot", folder, "--kind", "strategy", "--out", tmp_path / "a.svg").code == 0
    assert run("plot", folder, "--kind", "tree", "--out", tmp_path / "a.svg").code == 2
    lacking = eq.write_report(again, tmp_path / "a.html")
    assert set(lacking) <= {"Movement"}
    assert Session(game, against=again, seat=1, seed=1).play(lambda turn: 0).cost >= 0
