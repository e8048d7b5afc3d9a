"""Locks whose hands are a filter: made hands and draws on the board of the decision."""

import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.poker.cards.cards import parse_cards, parse_hand
from equilibrist.poker.cards.made_hands import made_hand

RANGES = {"oop": "66+,A8s+,KQo:0.5", "ip": "QQ-22,AQs-A2s,KQo"}
BETS = {"pot": 200, "stack": 400, "bets": "50%"}


def spot(board, *locks, **settings):
    return eq.poker.Holdem(board, **RANGES, **BETS, locks=locks, **settings)


def lock(hands, line="", **more):
    return {"line": line, "strategy": {"X": 1}, "hands": hands, **more}


def test_made_hands_are_those_of_the_board():
    (read,) = spot("Td9d6hQc", lock("top pair or set")).locks
    game = spot("Td9d6hQc")
    board = parse_cards("Td9d6hQc")
    made = {name: made_hand(parse_hand(name), board) for name in game.hands[0]}
    expected = [name for name, kind in made.items() if kind in ("top pair", "set")]
    assert list(read.hands) == expected
    assert len(expected) == 9 + 3 + 12  # KQo, AQs, and four sets of three hands


def test_the_setting_is_a_range_that_is_read_back_the_same():
    game = spot("Td9d6hQc", lock("top pair and weight < 60"))
    assert game.settings["locks"][0]["hands"] == "KQo"
    assert eq.load(str(game)).locks == game.locks


def test_a_board_of_the_lock_counts_on_a_later_street():
    (read,) = spot("Td9d6hQc", lock("flush", "X-X", board="Td9d6hQc2d")).locks
    assert "AdKd" in read.hands
    assert all(name.count("d") == 2 for name in read.hands)


def test_short_deck_counts_its_own_cards():
    game = eq.poker.Holdem(
        "9d8h7sQc",
        "AA,JTs,99",
        "99,AKs",
        pot=20,
        stack=40,
        bets="a",
        deck="short",
        locks=[lock("straight or set")],
    )
    assert sorted(game.locks[0].hands) == sorted(
        ["9s9h", "9s9c", "9h9c", "JsTs", "JhTh", "JdTd", "JcTc"]
    )


def test_three_ranges_know_the_weights():
    game = eq.load(
        "holdem(board='Td9d6hQc2s', ranges=['AA:0.5,KQo', 'QQ', 'JJ'], pot=30, stacks=[20, 20, 20], bets='a', "
        "locks=[{'line': '', 'strategy': {'X': 1}, 'hands': 'weight < 60'}])"
    )
    assert len(game.locks[0].hands) == 6


@pytest.mark.parametrize(
    ("hands", "line", "match"),
    [
        ("top pair", "X-X", "the lock needs a board of 5 cards; got Td9d6hQc"),
        ("top pear or set", "", "hands: 'top pear' at character 1 is no hand"),
        ("straight flush", "", "no hand of the range passes 'straight flush' on Td9d6hQc"),
        ("equity > 50", "", "asks for what is known of a solved spot alone"),
    ],
)
def test_what_no_lock_can_mean_is_refused(hands, line, match):
    with pytest.raises(GameError, match=match):
        spot("Td9d6hQc", lock(hands, line))
