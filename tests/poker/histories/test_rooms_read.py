"""Histories of Winamax, 888poker, iPoker and the ACPC: one and the same hand in each is the same hand."""

import pytest
from pokerkit import NoLimitTexasHoldem
from pokerkit.notation import ACPCProtocolParser

from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.histories.hand import (
    CUT,
    NO_FLOP,
    OTHER_GAME,
    Action,
    Deal,
    Unread,
    UnreadableError,
    decisions,
)
from equilibrist.poker.histories.read import NO_HAND, read_hands
from equilibrist.poker.histories.record import read_amount

STARS = """PokerStars Hand #77:  Hold'em No Limit ($1/$2 USD) - 2024/01/01 12:00:00 ET
Table 'T' 6-max Seat #3 is the button
Seat 1: Ann the Second ($200 in chips)
Seat 2: Ann ($1,250.50 in chips)
Seat 3: Bob ($80 in chips)
Seat 5: Cy. ($300 in chips)
Ann: posts the ante $0.25
Ann the Second: posts the ante $0.25
Bob: posts the ante $0.25
Cy.: posts small blind $1
Ann the Second: posts big blind $2
*** HOLE CARDS ***
Dealt to Ann [As Td]
Ann: raises $4 to $6
Bob: calls $6
Cy.: raises $14 to $20
Ann the Second: folds
Ann: calls $14
Bob: folds
*** FLOP *** [2s 3h 4d]
Cy.: bets $25
Ann: raises $35 to $60
Cy.: calls $35
*** TURN *** [2s 3h 4d] [6c]
Cy.: checks
Ann: bets $100
Cy.: raises $120 to $220 and is all-in
Ann: calls $120
*** RIVER *** [2s 3h 4d 6c] [Ks]
*** SHOW DOWN ***
Cy.: shows [5s 5d] (a straight)
Ann: shows [As Td] (high card)
*** SUMMARY ***
Total pot $611 | Rake $2
Board [2s 3h 4d 6c Ks]
"""
WINAMAX = """Winamax Poker - CashGame - HandId: #77 - Holdem no limit (0.25€/1€/2€) - 2024/01/01 12:00:00 UTC
Table: 'T' 6-max (real money) Seat #3 is the button
Seat 5: Cy. (300€)
Seat 1: Ann the Second (200€)
Seat 2: Ann (1250.50€)
Seat 3: Bob (80€)
*** ANTE/BLINDS ***
Ann posts ante 0.25€
Ann the Second posts ante 0.25€
Bob posts ante 0.25€
Cy. posts small blind 1€
Ann the Second posts big blind 2€
Dealt to Ann [As Td]
*** PRE-FLOP ***
Ann raises 4€ to 6€
Bob calls 6€
Cy. raises 14€ to 20€
Ann the Second folds
Ann calls 14€
Bob folds
*** FLOP *** [2s 3h 4d]
Cy. bets 25€
Ann raises 35€ to 60€
Cy. calls 35€
*** TURN *** [2s 3h 4d][6c]
Cy. checks
Ann bets 100€
Cy. raises 120€ to 220€ and is all-in
Ann calls 120€
*** RIVER *** [2s 3h 4d 6c][Ks]
*** SHOW DOWN ***
Cy. shows [5s 5d] (Straight)
Ann shows [As Td] (High card : Ace)
Cy. collected 609€ from pot
*** SUMMARY ***
Total pot 609€ | Rake 2€
Board: [2s 3h 4d 6c Ks]
Seat 2: Ann showed [As Td] and lost
"""
POKER888 = """#Game No : 77
***** 888poker Hand History for Game 77 *****
$1/$2 Blinds No Limit Holdem - *** 01 01 2024 12:00:00
Table T 6 Max (Real Money)
Seat 3 is the button
Total number of players : 4
Seat 1: Ann the Second ( $200 )
Seat 2: Ann ( $1,250.50 )
Seat 3: Bob ( $80 )
Seat 5: Cy. ( $300 )
Ann posts ante [$0.25]
Ann the Second posts ante [$0.25]
Bob posts ante [$0.25]
Cy. posts small blind [$1]
Ann the Second posts big blind [$2]
** Dealing down cards **
Dealt to Ann [ As, Td ]
Ann raises [$6]
Bob calls [$6]
Cy. raises [$19]
Ann the Second folds
Ann calls [$14]
Bob folds
** Dealing flop ** [ 2s, 3h, 4d ]
Cy. bets [$25]
Ann raises [$60]
Cy. calls [$35]
** Dealing turn ** [ 6c ]
Cy. checks
Ann bets [$100]
Cy. raises [$220]
Ann calls [$120]
** Dealing river ** [ Ks ]
** Summary **
Cy. shows [ 5s, 5d ]
Ann shows [ As, Td ]
Cy. collected [ $609 ]
"""
IPOKER_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="1">
 <general>
  <mode>real</mode>
  <gametype>Holdem NL 1,00€/2,00€</gametype>
  <nickname>Ann</nickname>
 </general>"""
IPOKER_HAND = """<game gamecode="77">
  <general>
   <startdate>2024-01-01 12:00:00</startdate>
   <players>
    <player bet="6,25€" chips="80€" dealer="1" name="Bob" seat="3" win="0€"/>
    <player bet="300€" chips="300€" dealer="0" name="Cy." seat="5" win="609€"/>
    <player bet="2,25€" chips="200€" dealer="0" name="Ann the Second" seat="1" win="0€"/>
    <player bet="300,25€" chips="1 250,50€" dealer="0" name="Ann" seat="2" win="0€"/>
   </players>
  </general>
  <round no="0">
   <action no="1" player="Ann" sum="0,25€" type="15"/>
   <action no="2" player="Ann the Second" sum="0,25€" type="15"/>
   <action no="3" player="Bob" sum="0,25€" type="15"/>
   <action no="4" player="Cy." sum="1€" type="1"/>
   <action no="5" player="Ann the Second" sum="2€" type="2"/>
  </round>
  <round no="1">
   <cards player="Ann" type="Pocket">SA D10</cards>
   <cards player="Bob" type="Pocket">X X</cards>
   <cards player="Cy." type="Pocket">S5 D5</cards>
   <action no="6" player="Ann" sum="6€" type="23"/>
   <action no="7" player="Bob" sum="6€" type="3"/>
   <action no="8" player="Cy." sum="20€" type="23"/>
   <action no="9" player="Ann the Second" sum="0€" type="0"/>
   <action no="10" player="Ann" sum="14€" type="3"/>
   <action no="11" player="Bob" sum="0€" type="0"/>
  </round>
  <round no="2">
   <cards type="Flop">S2 H3 D4</cards>
   <action no="12" player="Cy." sum="25€" type="5"/>
   <action no="13" player="Ann" sum="60€" type="23"/>
   <action no="14" player="Cy." sum="35€" type="3"/>
  </round>
  <round no="3">
   <cards type="Turn">C6</cards>
   <action no="15" player="Cy." sum="0€" type="4"/>
   <action no="16" player="Ann" sum="100€" type="5"/>
   <action no="17" player="Cy." sum="220€" type="7"/>
   <action no="18" player="Ann" sum="120€" type="3"/>
  </round>
  <round no="4">
   <cards type="River">SK</cards>
  </round>
 </game>"""
IPOKER = f"{IPOKER_HEAD}{IPOKER_HAND}\n</session>\n"
TEXTS = {"Winamax": WINAMAX, "888poker": POKER888, "iPoker": IPOKER}
ACPC = "STATE:7:r300c/cr900c/r2000r6000c/cr20000c:9hQd|2c3c/8s4h6d/Ts/2d:20000|-20000:first|second"


def read(tmp_path, text, name="hands.txt"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_hands([path]))


@pytest.mark.parametrize("room", TEXTS)
def test_the_same_hand_is_read_as_in_the_text_of_pokerstars(tmp_path, room):
    (expected,) = read(tmp_path, STARS)
    (hand,) = read(tmp_path, TEXTS[room], "hand.xml")
    assert hand == expected
    assert hand.stacks == (300, 200, 1250.5, 80)
    assert [decision.step.chips for decision in decisions(hand)] == [25, 60, 0, 0, 100, 220, 0]


@pytest.mark.parametrize("room", TEXTS)
def test_hands_follow_one_another(tmp_path, room):
    text = TEXTS[room]
    if room == "iPoker":
        text = f"{IPOKER_HEAD}{IPOKER_HAND}{IPOKER_HAND}</session>"
    else:
        text = f"{text}\n\n{text}"
    first, second = read(tmp_path, text)
    assert first == second == read(tmp_path, STARS)[0]


def test_files_of_several_rooms_are_read_one_after_the_other(tmp_path):
    text = f"{WINAMAX}\n\n{POKER888}\n\n{STARS}\n{ACPC}\n"
    hands = read(tmp_path, text)
    assert hands[0] == hands[1] == hands[2]
    assert hands[3].name == "7"


@pytest.mark.parametrize(
    ("room", "old", "new", "reason"),
    [
        ("Winamax", "Holdem no limit", "Omaha5 pot limit", OTHER_GAME),
        ("Winamax", "*** SUMMARY ***", "", CUT),
        ("Winamax", "Ann posts ante 0.25€", "Ann posts big blind 2€ out of position", None),
        ("Winamax", "Cy. bets 25€", "Cy. bets", CUT),
        ("888poker", "No Limit Holdem", "Fix Limit Holdem", OTHER_GAME),
        ("888poker", "** Summary **", "", CUT),
        ("888poker", "[ Ks ]", "[ K ]", CUT),
        ("iPoker", "Holdem NL", "Holdem L", OTHER_GAME),
        ("iPoker", "Holdem NL", "Omaha HiLow PL", OTHER_GAME),
        ("iPoker", "</session>", "", CUT),
        ("iPoker", 'type="15"', 'type="99"', None),
        ("iPoker", "SA D10", "SA D1", CUT),
        ("iPoker", "<session", "<!DOCTYPE x><session", CUT),
        ("iPoker", 'chips="80€"', "", CUT),
    ],
)
def test_what_is_not_understood_is_named(tmp_path, room, old, new, reason):
    text = TEXTS[room]
    assert old in text
    *_, unread = read(tmp_path, text.replace(old, new, 1))
    assert isinstance(unread, Unread)
    if reason is None:
        assert unread.reason.startswith("a post that is not known here: ")
    else:
        assert unread == Unread(reason)


def test_omaha_is_read(tmp_path):
    (hand,) = read(
        tmp_path,
        WINAMAX.replace("Holdem no", "Omaha pot")
        .replace("[As Td]", "[As Td 9c 9d]")
        .replace("[5s 5d]", "[5s 5d 7s 8s]"),
    )
    assert hand.hole_cards == 4
    assert hand.cards[2] == parse_cards("As Td 9c 9d")


def test_a_dead_blind_is_no_bet(tmp_path):
    (hand,) = read(
        tmp_path, POKER888.replace("Bob posts ante [$0.25]", "Bob posts dead blind [$1 + $2]")
    )
    bob = hand.players.index("Bob")
    assert (hand.antes[bob], hand.blinds[bob]) == (1, 2)


def test_amounts_of_several_countries():
    texts = ("$1,594", "1 001,24€", "0.25€", "€1.234,50", "2,50", "30.000", "0.125", "1\xa0250")
    amounts = [1594, 1001.24, 0.25, 1234.5, 2.5, 30_000, 0.125, 1250]
    assert [read_amount(text) for text in texts] == amounts
    with pytest.raises(ValueError, match="no amount"):
        read_amount("€")


# --- The ACPC ---


def test_a_line_of_the_acpc(tmp_path):
    """Raises are told by what has been put in during the whole hand."""
    comments = "# name/game/hands/seed first second 2p 100 1\n#--t_response 10\n"
    comment, hand = read(tmp_path, f"{comments}{ACPC}\nSCORE:20000|-20000:first|second\n", "a.log")
    assert comment == Unread(NO_HAND, is_hand=False)
    assert hand.players == ("first", "second")
    assert hand.blinds == (100, 50)
    assert hand.stacks == (20_000, 20_000)
    assert hand.cards == (parse_cards("9hQd"), parse_cards("2c3c"))
    raises = [move.chips for move in hand.moves if isinstance(move, Action) and move.kind == "B"]
    assert raises == [300, 600, 1100, 5100, 14000]
    acting = [move.player for move in hand.moves if isinstance(move, Action)]
    assert acting == [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]
    assert len([*decisions(hand)]) == 9


def test_pokerkit_reads_the_same_of_the_acpc(tmp_path):
    """Its parser takes the stakes from us; it deals and bets by its own rules."""
    (hand,) = read(tmp_path, ACPC)
    game = NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    (history,) = ACPCProtocolParser(game, 20_000)(ACPC)
    moves = []
    for move in hand.moves:
        if isinstance(move, Action):
            done = {"F": "f", "C": "cc", "B": f"cbr {move.chips:.0f}"}[move.kind]
            moves.append(f"p{move.player + 1} {done}")
    assert moves == [text for text in history.actions if text.split()[1] in ("f", "cc", "cbr")]


def test_six_play_as_in_the_logs_of_pluribus(tmp_path):
    line = "STATE:0:ffr225ffc/cr325c/cc/cr700f:Ah2h|Kd2d|3s4s|5c6c|7d8d|9sTs/QcJc4h/2c/8h:0|0|0|0|0|0:a|b|c|d|e|f"
    (hand,) = read(tmp_path, line)
    assert hand.stacks == (10_000,) * 6
    acting = [move.player for move in hand.moves if isinstance(move, Action)]
    assert acting[:6] == [2, 3, 4, 5, 0, 1]
    assert [*decisions(hand)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("STATE:1:rrc/cc:9hQd|2c3c/8s4h6d:1|-1:a|b", OTHER_GAME),
        ("STATE:1:r300c/cx:9hQd|2c3c/8s4h6d:1|-1:a|b", CUT),
        ("STATE:1:r300c/cc:9hQd|2c3c:1|-1:a|b", CUT),
        ("STATE:1:r300c", CUT),
        (
            "STATE:1:f:9hQd|2c3c|4c5c|6c7c:0|0|0|0:a|b|c|d",
            "a game of the ACPC of 4 players, whose stakes are not known here",
        ),
    ],
)
def test_lines_that_are_not_understood(tmp_path, line, reason):
    assert read(tmp_path, line) == [Unread(reason)]


def test_a_programme_may_play_against_itself(tmp_path):
    (hand,) = read(tmp_path, "STATE:1:f:9hQd|2c3c:50|-50:same|same")
    assert hand.players == ("same 1", "same 2")
    assert not any(isinstance(move, Deal) for move in hand.moves)
    with pytest.raises(UnreadableError, match=NO_FLOP):
        list(decisions(hand))
