"""Hands with a straddle and antes: what is read of them, by the rules of PokerKit, and their line before the flop."""

import pytest

import equilibrist as eq
from equilibrist.poker.histories.hand import decisions
from equilibrist.poker.histories.missing import find_line_end
from equilibrist.poker.histories.read import read_hands

OF_FOUR = """PokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2024/01/01 12:00:00 ET
Table 'T' 6-max Seat #4 is the button
Seat 1: A ($200 in chips)
Seat 2: B ($200 in chips)
Seat 3: C ($150 in chips)
Seat 4: D ($200 in chips)
B: posts the ante $3
A: posts small blind $1
B: posts big blind $2
C: posts straddle $4
*** HOLE CARDS ***
Dealt to B [As Ah]
D: folds
A: folds
B: calls $2
C: checks
*** FLOP *** [2s 3h 4d]
B: bets $6
C: calls $6
*** TURN *** [2s 3h 4d] [6c]
B: checks
C: bets $12
B: folds
*** SUMMARY ***
Total pot $24 | Rake $0
Board [2s 3h 4d 6c]
"""
OF_TWO = """
[1]
variant = "NT"
antes = [{ante}, {bb_ante}]
blinds_or_straddles = [{straddle}, 2]
min_bet = 2
starting_stacks = [40, 40]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", {before}, "d db 2s3h4d", "p1 cc", "p2 cbr 10", "p1 f"]
"""


def read(tmp_path, text, name="hands.txt"):
    path = tmp_path / name
    path.write_text(text)
    (hand,) = read_hands([path])
    return hand


def test_a_straddle_is_a_blind_and_an_ante_is_none(tmp_path):
    """The pot on the flop is $1 + $4 + $4 and the ante of $3, of which nobody's bet counts the ante."""
    hand = read(tmp_path, OF_FOUR)
    assert hand.players == ("A", "B", "C", "D")
    assert hand.blinds == (1, 2, 4, 0)
    assert hand.antes == (0, 3, 0, 0)
    first, second, third, fourth, fifth = decisions(hand)
    assert first.begun == ((12, 146),)
    assert [decision.player for decision in (first, second, third, fourth, fifth)] == [
        0,
        1,
        0,
        1,
        0,
    ]
    assert fourth.begun[1] == (24, 140)


def test_pokerkit_has_the_same_pots(tmp_path):
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit, of the extra 'hands'")
    text = OF_TWO.format(straddle=4, ante=0.5, bb_ante=2.5, before='"p1 cbr 12", "p2 cc"')
    hand = read(tmp_path, text, "hand.phhs")
    (history,) = pokerkit.HandHistory.loads_all(text)
    flop = next(state for state in history if state.board_cards)
    (first, *_) = decisions(hand)
    assert first.begun == ((flop.total_pot_amount, min(flop.stacks)),)
    assert first.begun[0][0] == 12 + 12 + 0.5 + 2.5


@pytest.mark.parametrize(
    ("settings", "straddle", "before", "line"),
    [
        ({"straddle": 2}, 4, '"p1 cbr 12", "p2 cc"', "R6-C"),
        ({"straddle": 2}, 4, '"p1 cc", "p2 cbr 10", "p1 cc"', "C-R5-C"),
        ({"straddle": 2}, 4, '"p1 cc", "p2 cc"', "C-X"),
        ({"straddle": 2}, 1, '"p2 cbr 12", "p1 cc"', None),
        ({}, 4, '"p1 cbr 12", "p2 cc"', None),
        ({}, 1, '"p2 cbr 6", "p1 cc"', "R3-C"),
        ({"straddle": 2, "ante": 0.25, "bb_ante": 1}, 4, '"p1 cbr 12", "p2 cc"', None),
    ],
)
def test_the_line_before_the_flop_is_found(tmp_path, settings, straddle, before, line):
    game = eq.poker.Preflop(stack=20, sizes="3x, 2.5x; a", **settings)
    text = OF_TWO.format(straddle=straddle, ante=0, bb_ante=0, before=before)
    end = find_line_end(read(tmp_path, text, "hand.phhs"), game, 0.01)
    assert (None if end is None else end.line) == line


def test_antes_are_part_of_what_is_found(tmp_path):
    game = eq.poker.Preflop(stack=20, sizes="3x; a", straddle=2, ante=0.25, bb_ante=1)
    text = OF_TWO.format(straddle=4, ante=0.5, bb_ante=2.5, before='"p1 cbr 12", "p2 cc"')
    end = find_line_end(read(tmp_path, text, "hand.phhs"), game, 0.01)
    assert end.line == "R6-C"
    assert game.after(end)["pot"] == 12 + 1.5
