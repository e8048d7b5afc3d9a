"""Subgames that are solved again with the ranges of a solution: the same values, whatever was saved of it."""

import numpy as np
import pytest

import equilibrist as eq
from support.random_card_games import RandomCardGame

TURN = "holdem(board='KdQd2d7d', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%; a')"


@pytest.fixture(scope="module")
def solution():
    return eq.solve(TURN, "dcfr", until="0.01%")


@pytest.mark.parametrize(
    ("line", "board"),
    [
        ("X-X", "3c"),
        ("X-X", "3h"),
        ("X-X", "3s"),
        ("X-X", "3d"),
        ("B100-C", "KdQd2d7dAh"),
        ("X-B100-C", "2c"),
    ],
)
def test_the_values_are_those_of_the_whole_solution(solution, line, board):
    """Boards that are stored as one are told apart; the EVs are computed by another walk."""
    part = eq.resolve(solution, line, board, until="0.01%")
    node = eq.poker.SolvedSpot(solution).node(line, board)
    assert part.info.game.pot == node.pot
    assert part.value == pytest.approx(node.evs, abs=2e-3 * node.pot)
    assert sum(part.value) == pytest.approx(node.pot)
    assert part.exploitability_percent <= 0.01


def test_from_the_start_it_is_the_game_itself(solution):
    again = eq.resolve(solution, "", "", until="0.01%")
    assert again.value == pytest.approx(solution.value, abs=0.02)
    assert again.infosets == solution.infosets  # no suit is told apart that was not


def test_in_the_middle_of_a_street(solution):
    part = eq.resolve(solution, "X", until="0.01%")
    node = eq.poker.SolvedSpot(solution).node("X")
    assert part.value == pytest.approx(node.evs, abs=0.05)
    assert {infoset.player for infoset in part.strategy.infosets} == {0, 1}
    assert part.game.endswith("after X on KdQd2d7d")


def test_the_first_streets_are_enough(solution, tmp_path):
    solution.save(tmp_path, streets=1)
    whole = eq.resolve(solution, "X-X", "3c", iterations=5)
    small = eq.resolve(tmp_path, "X-X |", "KdQd2d7d3c", iterations=5)
    assert all((small.state[name] == array).all() for name, array in whole.state.items())
    with pytest.raises(
        eq.SolutionError,
        match=r"has the first 1 of the 2 streets .* goes on after them: end it with 'X-X'",
    ):
        eq.resolve(tmp_path, "X-X | B100", "3c")


def test_a_part_of_a_spot_is_a_spot(solution, tmp_path):
    """It is looked at, saved, read by what its file says of it, and solved again from there."""
    part = eq.resolve(solution, "X-B100-C", "2c", until="0.01%", save=tmp_path)
    node, there = (
        eq.poker.SolvedSpot(part).node(),
        eq.poker.SolvedSpot(solution).node("X-B100-C", "2c"),
    )
    assert (node.pot, node.stacks, node.board) == (there.pot, there.stacks, there.board)
    assert node.where == there.where == "after X-B100-C"
    assert eq.poker.SolvedSpot(part).node("X").where == "after X-B100-C, then X"
    assert node.evs == pytest.approx(part.value)
    assert node.frequencies == pytest.approx(there.frequencies, abs=0.02)
    for mine, whole in zip(node.ranges, there.ranges, strict=True):
        assert mine == pytest.approx(whole[whole > 0])
    read = eq.load_solution(tmp_path)
    assert str(eq.load(read.info.game.definition)) == read.info.game.definition
    assert eq.poker.SolvedSpot(read).node().evs == node.evs
    again = eq.resolve(read, "X", until="0.01%")
    assert again.value == pytest.approx(eq.poker.SolvedSpot(part).node("X").evs, abs=0.05)
    assert "after='X-B100-C | X'" in again.info.game.definition


def test_a_part_in_the_middle_of_a_street_is_a_spot(solution):
    part = eq.poker.SolvedSpot(eq.resolve(solution, "X-B100", until="0.01%"))
    node, there = part.node(), eq.poker.SolvedSpot(solution).node("X-B100")
    assert node.actions == there.actions
    assert (node.pot, node.stacks) == (there.pot, there.stacks) == (200, (200, 100))
    assert node.evs == pytest.approx(there.evs, abs=0.05)
    assert sum(node.evs) == pytest.approx(200)
    assert node.action_ev[0] == pytest.approx(0)  # of folding


def test_locks_of_hands_that_are_gone_are_left_out():
    game = eq.load(TURN)
    game.locks = [
        {"line": "B100", "strategy": {"F": 1}, "hands": "KsKh"},
        {"line": "B100-C | X", "strategy": {"X": 1}, "hands": "KsKh,9s8s"},
    ]
    part = eq.resolve(eq.solve(game, iterations=20), "B100-C", "3c", iterations=1)
    (lock,) = part.strategy.form.game.locks
    assert (lock.line, lock.hands) == ("X", ("9s8s",))


def test_a_card_game_without_a_pot_keeps_its_payoffs():
    game = RandomCardGame(7, streets=(1,))
    solution = eq.solve(game, "dcfr", iterations=300)
    node = solution.strategy.form.betting.streets[0].nodes[0][0]
    part = eq.resolve(solution, node.line, iterations=300)
    assert part.info.game.pot is None
    assert sum(part.value) == pytest.approx(sum(solution.value))


def test_the_usual_limit(solution):
    part = eq.resolve(solution, "X-X", [*eq.load(TURN).board, eq.load(TURN).cards.index("3c")])
    assert part.stop_reason == "until"
    assert part.config.stop.until[0].threshold == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("line", "board", "sentence"),
    [
        ("X-B7", "", "line: after X there are X, B100; got 'B7' in 'X-B7'"),
        ("X-X", "", r"there are 1 more cards than KdQd2d7d, all different; got ''"),
        ("X-X", "Kd", "all different; got 'Kd'"),
        ("X-X", "1z", "board: cards are 2c to As; got '1z'"),
        ("B100-F", "", "line: the hand is over after 'B100-F'"),
    ],
)
def test_what_is_refused(solution, line, board, sentence):
    with pytest.raises(eq.GameError, match=sentence) as raised:
        eq.resolve(solution, line, board)
    assert raised.value.wrong_use


def test_lines_of_other_forms_are_infosets():
    with pytest.raises(
        eq.GameError,
        match="kuhn has no infoset 'X', by which a part of a game in the sequence form",
    ):
        eq.resolve(eq.solve("kuhn", iterations=1), "X")


def test_a_line_that_is_never_played():
    solution = eq.solve(TURN, "dcfr", iterations=1)
    slots = [
        solution.strategy.form.slots_of(node, 0)
        for node in solution.strategy.form.betting.streets[0].nodes[0]
    ]
    solution.strategy.slots.weights[slots[0]] = np.array([[1.0], [0.0]])  # never bets first
    with pytest.raises(eq.SolutionError, match="No two hands get to 'B100'"):
        eq.resolve(solution, "B100")
