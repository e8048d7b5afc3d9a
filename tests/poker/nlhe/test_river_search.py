"""Blueprints that solve rivers again, beside best responses in a spot that is written down here."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CARDS, HANDS, hand_index
from equilibrist.poker.nlhe.betting import BOARD_CARDS

from .test_blueprint import BUCKETS, solve

GAME = "nlhe(stack=6, sizes='100%', max_raises=2)"
BOARD = "Td9d6hQc2s"
CARDS_OF_BOARD = [CARDS.index(BOARD[start : start + 2]) for start in range(0, len(BOARD), 2)]
POT = 200
STACK = 500
"""Chips on the river after a limp and checks, of which a big blind is 100."""


@pytest.fixture(scope="module")
def blueprint():
    return eq.poker.Blueprint(solve(GAME, iterations=2_000), BUCKETS)


def weigh_hands(blueprint, player):
    """Return how likely each hand limps or checks to the river in a seat, hand by hand as it is looked up."""
    lines = {
        0: [("", "call"), ("cc/c", "check"), ("cc/cc/c", "check")],
        1: [("c", "check"), ("cc/", "check"), ("cc/cc/", "check")],
    }
    weights = np.ones(len(HANDS))
    for row, hand in enumerate(HANDS.tolist()):
        if set(hand) & set(CARDS_OF_BOARD):
            weights[row] = 0.0
            continue
        name = "".join(CARDS[card] for card in hand)
        for street, (line, action) in enumerate(lines[player]):
            board = BOARD[: 2 * BOARD_CARDS[street]]
            weights[row] *= blueprint.play(name, board, line)[action]
    return weights


def make_spot(blueprint):
    """Return the river after a limp and checks, as the spot that it is."""
    oop, ip = (weigh_hands(blueprint, player) for player in (1, 0))
    return eq.poker.Holdem(
        BOARD,
        oop / oop.max(),
        ip / ip.max(),
        pot=POT,
        stack=STACK,
        bets="100%; 100%",
        max_raises=1,
        min_bet=100,
    )


MOVES = {"X": "c", "C": "c", "F": "f"}


def line_of_game(line):
    """Return a line of the spot as the game writes it, with what was paid in all: one big blind before."""
    moves = [
        MOVES.get(move) or f"r{float(move[1:]) / 100 + 1:g}" for move in line.split("-") if move
    ]
    return "cc/cc/cc/" + "".join(moves)


def strategy_in_spot(player, spot):
    """Return what a blueprint plays in the spot, looked up at each infoset."""
    strategy = {}
    for infoset in eq.compile_game(spot, form="cards").infosets:
        hand, _, line = infoset.key.partition(f" {BOARD}")
        played = player.play(hand, BOARD, line_of_game(line.strip()))
        strategy[infoset.player, infoset.key] = dict(
            zip(infoset.actions, played.values(), strict=True)
        )
    return strategy


@pytest.mark.slow
def test_a_river_that_is_solved_again_loses_less_to_a_best_response(blueprint):
    spot = make_spot(blueprint)
    search = eq.poker.RiverSearch(blueprint, until="0.2%")
    before = eq.evaluate(spot, strategy_in_spot(blueprint, spot))
    after = eq.evaluate(spot, strategy_in_spot(search, spot))
    assert [record.player for record in search.log] == [1, 0]
    assert all(record.excess < 0.002 * POT / 100 for record in search.log)
    # In percent of the pot: by buckets of made hands much is lost, with hands next to nothing.
    assert 100 * before.exploitability / POT > 3
    assert 100 * after.exploitability / POT < 1
    for player in range(2):
        assert after.best_response_value[player] < before.best_response_value[player]


def test_nothing_changes_before_the_river(blueprint):
    search = eq.poker.RiverSearch(blueprint)
    assert search.play("AhKd") == blueprint.play("AhKd")
    node = blueprint.follow("cc/").node
    board = tuple(CARDS_OF_BOARD[:3])
    assert (search.hand_rows(node, board) == blueprint.hand_rows(node, board)).all()
    assert search.log == []


def test_a_bet_that_is_not_in_the_tree_is_answered_as_it_is(blueprint):
    """After a bet of 1.5 into 2 big blinds a raise of 100 % of the pot is all-in."""
    search = eq.poker.RiverSearch(blueprint, until="1%")
    taken_for = blueprint.play("AhKd", BOARD, "cc/cc/cc/r2.5")
    answered = search.play("AhKd", BOARD, "cc/cc/cc/r2.5")
    assert list(taken_for) == ["fold", "call", "raise to 6"]
    assert list(answered) == ["fold", "call", "raise to 6"]
    assert sum(answered.values()) == pytest.approx(1)
    assert search.log[-1].pot == 2.0
    assert search.log[-1].excess is not None
    # Against a larger bet hands fold more often than against a small one.
    hands = ["QhJh", "JhTc", "9s8s"]
    small, large = (
        sum(search.play(hand, BOARD, f"cc/cc/cc/r{paid}")["fold"] for hand in hands)
        for paid in (2, 6)
    )
    assert small < large


def test_the_pot_is_what_it_really_is(blueprint):
    """A raise to 2.8 is taken for one to 3 before the flop, and the river has the pot of 5.6."""
    search = eq.poker.RiverSearch(blueprint, until="2%")
    search.play("AhKd", BOARD, "r2.8c/cc/cc/")
    assert search.log[-1].pot == 5.6
    assert search.log[-1].line == "r3c/cc/cc/"


def test_what_cannot_be_solved_is_played_as_before_and_said(blueprint):
    search = eq.poker.RiverSearch(blueprint)
    line = "cc/cc/cc/r1.5"  # half a big blind is less than the least bet
    assert search.play("AhKd", BOARD, line) == blueprint.play("AhKd", BOARD, line)
    assert "at least 100" in search.log[-1].reason


def test_rows_of_all_hands_are_those_of_single_hands(blueprint):
    search = eq.poker.RiverSearch(blueprint, until="1%")
    node = blueprint.follow("cc/cc/cc/r3").node
    rows = search.hand_rows(node, tuple(CARDS_OF_BOARD))
    for name in ("AhKd", "7c7d", "3c2c"):
        hand = hand_index(CARDS.index(name[:2]), CARDS.index(name[2:]))
        played = search.play(name, BOARD, "cc/cc/cc/r3")
        assert rows[hand].tolist() == list(played.values())


def test_a_local_best_response_meets_the_search(blueprint):
    search = eq.poker.RiverSearch(blueprint, until="2%")
    bound = search.local_best_response(hands=25, seed=2)
    assert bound == search.local_best_response(hands=25, seed=2)
    assert len({record.board for record in search.log}) > 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "best"}, "method must be"),
        ({"until": "lots"}, "until"),
    ],
)
def test_settings_that_make_no_sense_are_refused(blueprint, settings, message):
    with pytest.raises(eq.EquilibristError, match=message):
        eq.poker.RiverSearch(blueprint, **settings).play("AhKd", BOARD, "cc/cc/cc/")
