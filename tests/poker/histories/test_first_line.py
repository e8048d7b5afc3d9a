"""First lines of hand histories, all variants of them: each is read, or named; and rooms that are not read."""

import pytest

import equilibrist as eq
from equilibrist.poker.histories.hand import (
    CUT,
    NO_FLOP,
    OTHER_GAME,
    PlayedHand,
    Unread,
    UnreadableError,
    decisions,
)
from equilibrist.poker.histories.read import NO_HAND, READ, ROOMS, read_hands

STARS = """PokerStars Hand #1:  {game} - 2024/05/01 9:00:00 ET
Table 'Sample' 2-max Seat #1 is the button
Seat 1: North ({chips} in chips)
Seat 2: South ({chips} in chips)
North: posts small blind 1
South: posts big blind 2
*** HOLE CARDS ***
Dealt to North [{north}]
North: raises 2 to 4
South: calls 2
*** FLOP *** [Kh 9s 4d]
South: checks
North: checks
*** TURN *** [Kh 9s 4d] [7c]
South: checks
North: checks
*** RIVER *** [Kh 9s 4d 7c] [2h]
South: checks
North: bets 4
South: folds
Uncalled bet (4) returned to North
North collected 8 from pot
*** SUMMARY ***
Total pot 8 | Rake 0
Board [Kh 9s 4d 7c 2h]
Seat 1: North (button) (small blind) collected (8)
Seat 2: South (big blind) folded on the River
"""
GGPOKER = """Poker Hand #{number}: {game} - 2025/01/02 03:04:05
Table 'Sample' 2-max Seat #1 is the button
Seat 1: Hero ($50 in chips)
Seat 2: 0a1b2c3d ($50 in chips)
{more}Hero: posts small blind $0.25
0a1b2c3d: posts big blind $0.5
*** HOLE CARDS ***
Dealt to Hero [{hero}]
Dealt to 0a1b2c3d 
Hero: raises $1 to $1.5
0a1b2c3d: calls $1
*** FLOP *** [Kh 9s 4d]
0a1b2c3d: checks
Hero: checks
*** TURN *** [Kh 9s 4d] [7c]
0a1b2c3d: checks
Hero: checks
*** RIVER *** [Kh 9s 4d 7c] [2h]
0a1b2c3d: checks
Hero: checks
0a1b2c3d: shows [Jh Jd{rest}] (a pair of Jacks)
*** SHOWDOWN ***
Hero collected $2.85 from pot
*** SUMMARY ***
Total pot $3 | Rake $0.15 | Jackpot $0 | Bingo $0 | Fortune $0 | Tax $0
Board [Kh 9s 4d 7c 2h]
Seat 1: Hero (button) won ($2.85)
Seat 2: 0a1b2c3d (big blind) lost
"""

ANTES = "Hero: posts the ante $0.1\n0a1b2c3d: posts the ante $0.1\n"
NO_CAP = "a table with a cap of which the first line does not say how high it is"


def read(tmp_path, text):
    path = tmp_path / "hands.txt"
    path.write_text(text, encoding="utf-8")
    return list(read_hands([path]))


def stars(game, chips=200, cards=2):
    return STARS.format(game=game, chips=chips, north=" ".join(["Qh", "Qd", "8c", "3s"][:cards]))


@pytest.mark.parametrize(
    ("game", "cards", "stack"),
    [
        ("Hold'em No Limit ($1/$2 USD)", 2, 200),
        ("Hold'em No Limit ($1/$2)", 2, 200),
        ("Hold'em No Limit (1/2)", 2, 200),
        ("Hold'em No Limit (€1/€2 EUR)", 2, 200),
        ("Hold'em No Limit (£1/£2 GBP)", 2, 200),
        ("Hold'em No Limit ($1/$2 - $20 Cap -  USD)", 2, 20),
        ("Hold'em No Limit ($1/$2 - $20.50 Cap - USD)", 2, 20.5),
        ("Hold'em No Limit ($1/$2 - $1,000 Cap -  USD)", 2, 200),
        ("Hold'em No Limit (1/2 - 20 Cap - )", 2, 20),
        ("Omaha Pot Limit ($1/$2 - $20 Cap -  USD)", 4, 20),
        ("Omaha Pot Limit ($1/$2 USD)", 4, 200),
        ("{Club #55} Hold'em No Limit ($1/$2 USD)", 2, 200),
        ("{Our home} Tournament #12, Freeroll  Hold'em No Limit - Level I (1/2)", 2, 200),
        ("Tournament #12, $1+$0.10 USD Hold'em No Limit - Level XV (1/2)", 2, 200),
        ("Tournament #12, 500+40 Hold'em No Limit - Match Round I, Level I (1/2)", 2, 200),
        ("Tournament #12, Freeroll  Hold'em No Limit - Level I (1/2)", 2, 200),
        ("8-Game (Hold'em No Limit, $1/$2 USD)", 2, 200),
        ("Mixed NLH/PLO (Omaha Pot Limit, $1/$2 USD)", 4, 200),
    ],
)
def test_variants_that_are_read(tmp_path, game, cards, stack):
    """And the cap is the most that can be put in: a player has no more than that."""
    (played,) = read(tmp_path, stars(game, cards=cards))
    assert isinstance(played, PlayedHand), played
    assert (played.hole_cards, played.stacks) == (cards, (stack, stack))
    assert len(played.cards[1]) == cards
    river = list(decisions(played))[-1]
    assert river.begun[2] == (8, stack - 4)
    assert river.step.kind == "F"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("Hold'em Limit ($1/$2 USD)", OTHER_GAME),
        ("Hold'em Pot Limit ($1/$2 USD)", OTHER_GAME),
        ("Hold'em Pot Limit Pre-Flop, No Limit Post-Flop ($1/$2 USD)", OTHER_GAME),
        ("Omaha Hi/Lo Pot Limit ($1/$2 USD)", OTHER_GAME),
        ("5 Card Omaha Pot Limit ($1/$2 USD)", OTHER_GAME),
        ("Courchevel Pot Limit ($1/$2 USD)", OTHER_GAME),
        ("HORSE (Razz Limit, $1/$2 USD)", OTHER_GAME),
        ("Showtime Hold'em No Limit ($1/$2 USD)", OTHER_GAME),
        (
            "Hold'em No Limit ($1/$2 - Bomb USD)",
            "a table with 'Bomb' in its first line, which is not known here",
        ),
        (
            "Hold'em No Limit ($1/$2 - Cap USD)",
            "a table with a cap of which the first line does not say how high it is",
        ),
    ],
)
def test_variants_that_are_named(tmp_path, game, reason):
    assert read(tmp_path, stars(game)) == [Unread(reason)]


@pytest.mark.parametrize(
    "begins", ["PokerStars Zoom Hand", "PokerStars Home Game Hand", "PokerStars Game"]
)
def test_beginnings(tmp_path, begins):
    text = stars("Hold'em No Limit ($1/$2 USD)").replace("PokerStars Hand", begins)
    assert isinstance(read(tmp_path, text)[0], PlayedHand)


def test_a_cap_that_is_reached_before_the_flop(tmp_path):
    """Nobody can bet any more, so that the hand goes on without a decision, and is no cut-off one."""
    text = stars("Hold'em No Limit ($1/$2 - $10 Cap -  USD)")
    text = text.replace("raises 2 to 4", "raises 8 to 10 and has reached the $10 cap")
    text = text.replace("calls 2\n", "calls 8 and has reached the $10 cap\n")
    lines = [
        line
        for line in text.splitlines()
        if "checks" not in line and "bets" not in line and "folds" not in line
    ]
    (played,) = read(
        tmp_path, "\n".join(lines).replace("Uncalled bet (4) returned to North\n", "") + "\n"
    )
    with pytest.raises(UnreadableError, match="no decision of two players"):
        list(decisions(played))


@pytest.mark.parametrize(
    ("number", "game", "more", "cards", "pot"),
    [
        ("HD1", "Hold'em No Limit ($0.25/$0.5)", "", 2, 3),
        ("RC12", "Hold'em No Limit ($0.25/$0.5)", "Cash Drop to Pot : total $2.50\n", 2, 5.5),
        (
            "HD1",
            "Hold'em No Limit ($0.25/$0.5($0.1))",
            "Hero: posts the ante $0.1\n0a1b2c3d: posts the ante $0.1\n",
            2,
            3.2,
        ),
        (
            "TM7",
            "Tournament #9, Daily Special $5 Bounty Hold'em No Limit - Level5(100/200)",
            "",
            2,
            3,
        ),
        ("OM3", "PLO ($0.25/$0.5)", "", 4, 3),
    ],
)
def test_hands_of_ggpoker(tmp_path, number, game, more, cards, pot):
    rest = " Tc 5c" if cards == 4 else ""
    hero = " ".join(["Qh", "Qd", "8c", "3s"][:cards])
    (played,) = read(
        tmp_path, GGPOKER.format(number=number, game=game, more=more, hero=hero, rest=rest)
    )
    assert isinstance(played, PlayedHand), played
    assert (played.name, played.players, played.hole_cards) == (number, ("0a1b2c3d", "Hero"), cards)
    assert [len(hand) for hand in played.cards] == [cards, cards]
    made = list(decisions(played))
    assert [decision.step.kind for decision in made] == ["X"] * 6
    assert made[0].begun[0][0] == pytest.approx(pot)


@pytest.mark.parametrize(
    "game", ["PLO-5 ($0.25/$0.5)", "ShortDeck No Limit ($0.25)", "Hold'em Fixed Limit ($1/$2)"]
)
def test_other_games_of_ggpoker(tmp_path, game):
    text = GGPOKER.format(number="HD1", game=game, more="", hero="Qh Qd", rest="")
    assert read(tmp_path, text) == [Unread(OTHER_GAME)]


def test_a_post_that_is_not_known(tmp_path):
    text = stars("Hold'em No Limit ($1/$2 USD)").replace(
        "South: posts big blind 2", "South: posts missed blind 2"
    )
    assert read(tmp_path, text) == [Unread("a post that is not known here: 'posts missed blind 2'")]


# --- What is no hand, and rooms that are not read ---

BEGINNINGS = {
    "partypoker": "***** Hand History for Game 1 *****",
    "Ignition or Bovada": "Bovada Hand #1 TBL#2 HOLDEM No Limit - 2022-05-26 09:16:24",
    "Full Tilt": "Full Tilt Poker Game #1: Table A - $1/$2 - No Limit Hold'em",
    "the Winning Poker Network": "Hand #1 - Holdem(No Limit) - $0.05/$0.10",
}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_that_are_not_read_are_named(tmp_path, room):
    (unread,) = read(tmp_path, BEGINNINGS[room] + "\nand more\n")
    assert unread == Unread(f"a history of {room}, which is not read: {READ} are")


def test_a_room_is_named_behind_the_number_of_the_hand(tmp_path):
    (unread,) = read(tmp_path, f"#Game No : 1\n{BEGINNINGS['partypoker']}\nand more\n")
    assert unread == Unread(f"a history of partypoker, which is not read: {READ} are")


@pytest.fixture(scope="module")
def solution():
    return eq.solve(
        "holdem(board='Kh9s4d7c2h', oop='QQ,AA', ip='KK,QQ', pot=8, stack=196, bets='50%')",
        iterations=5,
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "",
            rf"There is no hand in .*hands\.txt; give histories of {READ}\.",
        ),
        (
            BEGINNINGS["Full Tilt"],
            r"No hand can be read in .*there is a history of Full Tilt, which is not read",
        ),
        (
            "Dear all,\n\nsee below.\n\n\0",
            rf"there is {NO_HAND} \(3 times\); give histories of PHH, PokerStars",
        ),
        (stars("Hold'em No Limit (1/2)").split("*** SUMMARY")[0], rf"there is {CUT} \(1 times\)"),
    ],
)
def test_a_file_of_which_nothing_can_be_read_is_wrong_use(tmp_path, solution, text, sentence):
    path = tmp_path / "hands.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(eq.SolutionError, match=sentence) as raised:
        eq.poker.grade(path, solution)
    assert raised.value.wrong_use


def test_what_is_no_hand_is_not_counted_as_one(tmp_path, solution):
    """A letter around hands, one of which is of another room, one of another game, and one without a flop."""
    good = stars("Hold'em No Limit ($1/$2 USD)")
    folded = good.split("North: raises")[0] + "North: folds\n*** SUMMARY ***\nTotal pot 2\n"
    other = stars("Hold'em Limit ($1/$2 USD)")
    text = f"Dear all,\n\nmy hands.\n\n\n{good}\n\n{folded}\n\n{other}\n\n{BEGINNINGS['Full Tilt']}\n\n{good}\n\nBye.\n"
    (tmp_path / "hands.txt").write_text(text)
    grades = eq.poker.grade(tmp_path, solution)
    assert grades.hands == 5
    room = f"a history of Full Tilt, which is not read: {READ} are"
    assert grades.skipped == {NO_HAND: 2, NO_FLOP: 1, OTHER_GAME: 1, room: 1}
