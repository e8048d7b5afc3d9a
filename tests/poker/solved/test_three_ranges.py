"""Spots of three ranges: files, the decisions of a solution, and what the command prints of them."""

from __future__ import annotations

import io
import json
import re
from collections import defaultdict

import numpy as np
import pytest
from matplotlib.text import Text
from numpy.testing import assert_allclose

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.form.ranges.form import lift_weights
from equilibrist.poker.solved.spots import SolvedSpot
from equilibrist.poker.solved.three_ranges import SolvedThree
from equilibrist.poker.spot.spot import read_spot, write_spot
from equilibrist.web.quality import quality_sentence

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


@pytest.mark.slow
def test_evs_of_decisions_add_up(solution):
    solved = SolvedSpot(solution)
    assert isinstance(solved, SolvedThree)
    node = solved.node()
    assert (node.names[node.player], node.line, node.board) == ("SB", "", "9s9h2h8d")
    assert node.reach == pytest.approx(1, abs=1e-12)
    assert node.evs == pytest.approx(solution.value, abs=1e-12)
    assert sum(node.equities) == pytest.approx(1, abs=1e-12)
    assert node.frequencies.sum() == pytest.approx(1)
    second = [solved.node(action) for action in node.actions]
    shares = [each.reach for each in second]
    assert np.array(shares) == pytest.approx(node.frequencies, abs=1e-12)
    # What the players earn whatever the first one does, and what the first one has put in there.
    for player in (0, 1, 2):
        ev = np.dot(shares, [each.evs[player] for each in second])
        if player == 0:
            ev -= np.dot(shares, [each.pot - node.pot for each in second])
        assert ev == pytest.approx(solution.value[player], abs=1e-12)


@pytest.mark.slow
def test_a_player_who_has_folded_has_no_ev_and_no_equity(solution):
    node = SolvedSpot(solution).node("A3-F")
    assert node.evs[1] == 0
    assert node.equities[1] == 0
    assert sum(node.evs) == pytest.approx(node.pot, abs=1e-12)
    assert sum(node.equities) == pytest.approx(1, abs=1e-12)


def test_values_of_a_decision_are_sums_over_the_deals():
    """EV, equity and reach of each hand at a decision, from all triples of hands and all plays below it."""
    ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25", "8c7c,QdQc"]
    spot = eq.poker.Holdem("9s9h2h8d3c", ranges=ranges, pot=6, stacks=[3, 2, 3], bets="a")
    solution = eq.solve(spot, "dcfr", iterations=7)
    node = SolvedSpot(solution).node("X-A2")
    put_in = np.array([0, 2, 0])
    mass, won, shares = (defaultdict(float) for _ in range(3))

    def play(state):
        """Return what each player is paid from a state on, less what was put in before the decision."""
        if spot.player(state) < 0:
            return np.array(spot.payoffs(state)) + put_in
        key = spot.player(state), spot.infoset(state)
        mix = solution.strategy[key]
        return sum(mix[action] * play(spot.next(state, action)) for action in spot.actions(state))

    deals = zip(spot.actions(spot.start()), spot.probabilities(spot.start()), strict=True)
    for deal, chance in deals:
        state = spot.next(spot.start(), deal)
        probability = chance
        for action in ("X", "A2"):
            probability *= solution.strategy[spot.player(state), spot.infoset(state)][action]
            state = spot.next(state, action)
        values = play(state)
        strength = spot.strengths(np.array([spot.board]))[0, list(deal)]
        winners = strength == strength.max()
        for player, hand in enumerate(deal):
            key = player, spot.hand_names[hand]
            mass[key] += probability
            won[key] += probability * values[player]
            shares[key] += probability * winners[player] / winners.sum()
    assert node.reach == pytest.approx(sum(mass.values()) / 3, abs=1e-12)
    for player, names in enumerate(node.hands):
        for number, name in enumerate(names):
            key = player, name
            if mass[key] > 0:
                assert node.ev[player][number] == pytest.approx(won[key] / mass[key], abs=1e-12)
                assert node.equity[player][number] == pytest.approx(
                    shares[key] / mass[key], abs=1e-12
                )
                share = mass[key] / node.reach
                assert node.probabilities[player][number] == pytest.approx(share, abs=1e-12)


def test_a_decision_on_a_later_street_needs_its_board(solution):
    solved = SolvedThree(solution)
    river = solved.node("X-X-X", "9s9h2h8dTd")
    assert river.board == "9s9h2h8dTd"
    assert solved.node("X-X-X", "Td").evs == river.evs
    with pytest.raises(GameError, match="board: after 'X-X-X' it is the river"):
        solved.node("X-X-X")
    with pytest.raises(GameError, match=r"line: the hand is over after 'A3-F-F' \(SB wins\)"):
        solved.node("A3-F-F")


def test_hands_and_boards_that_were_solved_as_one_are_told_apart():
    """Hearts and diamonds are alike on this board, and in the ranges."""
    spot = eq.poker.Holdem(
        "QsJs7s2s",
        ranges=["TT,AKs", "99,AQs", "JJ,87s"],
        pot=6,
        stacks=3,
        bets="50%",
        max_raises=0,
    )
    form = spot.compile_ranges()
    solution = eq.solve(form, "dcfr", iterations=5)
    unmerged = form.unmerged()
    weights = lift_weights(unmerged, form, solution.strategy.slots.weights)
    apart = SolvedThree(eq.Strategy.from_weights(unmerged, weights))
    together = SolvedThree(solution)
    for line, board in (
        ("", None),
        ("A3", None),
        ("X-X-X", "Td"),
        ("X-X-X", "Th"),
        ("X-X-X", "4c"),
    ):
        node = together.node(line, board)
        expected = apart.node(line, board)
        assert node.hands == expected.hands
        for name in ("ranges", "probabilities", "ev", "equity", "strategy", "action_ev"):
            for ours, theirs in zip(getattr(node, name), getattr(expected, name), strict=True):
                assert_allclose(ours, theirs, rtol=0, atol=1e-11)
    # Names on all boards are understood, and give the same values.
    named = eq.Strategy(unmerged.infosets, unmerged.average_from_sums(weights)[unmerged.slot])
    assert eq.evaluate(spot, named).value == pytest.approx(solution.value, abs=1e-12)


def test_the_grid_is_drawn_of_any_player(solution):
    figure = eq.plot.range_grid(solution, "X", player=2)
    assert "BTN after X" in figure.texts[0].get_text() or figure.axes


@pytest.mark.slow
def test_the_command_shows_decisions(run, tmp_path, solution, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    solution.save(tmp_path / "run")
    folder = str(tmp_path / "run")
    out = run("show", folder, "--line", "X").out
    assert "BB after X, board 9s9h2h8d" in out
    assert "SB" in out
    assert "equity" in out
    answer = json.loads(run("show", folder, "--line", "X", "--json").out)
    assert len(answer["ev"]) == 3
    out = run("show", folder, "--line", "X", "--player", "btn").out
    assert "Range of BTN" in out
    out = run("show", folder, "--hand", "AsKs").out
    assert "in the range" in out
    assert "Made hands of SB" in run("show", folder, "--made").out
    out = run("spot", SPOT, "--out", str(tmp_path / "spot.toml")).out
    assert "BB, 2 hands" in out
    assert "SB / BB / BTN left" in out


NOT_SAID = re.compile(r"exploitab|nash", re.IGNORECASE)


def write_texts(figure, file, *, kind):
    """Write what a picture says, and nothing else of it: tests/plot draw pictures."""
    texts = [text.get_text() for text in figure.findobj(Text)]
    file.write("\n".join(texts).encode())


def test_nothing_is_called_exploitability_or_a_nash_equilibrium(
    run, tmp_path, solution, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr("equilibrist.plot.style.save_figure", write_texts)
    folder = str(tmp_path / "run")
    ran = run("solve", SPOT, "--iterations", "5", "--save", folder)
    assert "largest gain" in ran.out
    outputs = [ran.out, ran.err]
    for command in (
        ("show", folder),
        ("show", folder, "--line", "X", "--made"),
        ("show", folder, "--line", "X-A2", "--hand", "QdQc"),
        ("spot", SPOT),
        ("report", folder),
        ("compare", SPOT, "--algorithms", "dcfr,cfr+", "--iterations", "3"),
        ("evaluate", SPOT, folder + "/strategy.csv"),
    ):
        ran = run(*command)
        assert ran.code == 0, ran.err
        outputs += [ran.out, ran.err]
    outputs += [repr(solution), repr(solution.trace), quality_sentence(solution)]
    outputs.append((tmp_path / "run" / "report.html").read_text())
    for result in (solution, solution.trace):
        outputs.append(result._repr_html_())
    for text in outputs:
        assert not NOT_SAID.search(text), text


def test_the_list_of_runs_tells_the_largest_gain(run, tmp_path, solution, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    solution.save(tmp_path / "runs" / "three")
    percent = 100 * max(solution.deviation_gains) / 6
    of_three = run("runs", str(tmp_path / "runs")).out
    assert "largest gain" in of_three
    assert "exploitability" not in of_three
    assert f"{percent:.3g}%" in of_three
    eq.solve("kuhn", iterations=5, save=tmp_path / "runs" / "kuhn")
    mixed = run("runs", str(tmp_path / "runs")).out
    assert "exploitability / largest gain" in mixed
    assert f"{percent:.3g}% (largest gain)" in mixed


def test_an_opponent_plays_and_tells_what_actions_are_worth(run, tmp_path, monkeypatch):
    river = (
        "holdem(board='QsQh7s2h3s', ranges=['22,A2s,AKs', 'QQ,77,KTs', 'JJ,AKo'], pot=6, "
        "stacks=[3, 2, 3], bets='50%')"
    )
    folder = tmp_path / "run"
    solution = eq.solve(river, "dcfr", iterations=200)
    solution.save(folder)
    spot = SolvedSpot(solution)
    node = spot.node("X")
    best = [spot.best_action_values("X", node.board, hand) for hand in node.hands[node.player]]
    is_there = node.probabilities[1] > 0
    gained = np.max(best, axis=1) - node.ev[1]
    # Nobody has put in anything before, so that payoff and EV are one; no response loses.
    assert (gained[is_there] > -1e-9).all()
    assert node.probabilities[1][is_there] @ gained[is_there] < 0.05
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    ran = run("play", str(folder))
    assert ran.code == 0
    assert "SB" in ran.out
