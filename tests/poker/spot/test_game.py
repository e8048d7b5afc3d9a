"""Hold'em as a card game: hands, strengths, betting, the game string, and what is refused."""

import inspect
import itertools
import pydoc
import re

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.card_game import ShowdownPayoffs, is_card_game
from equilibrist.poker.cards.cards import CARDS, NUM_HANDS, hand_index, parse_cards
from equilibrist.poker.cards.ranges import Range, RangeWarning
from equilibrist.poker.spot.game import Holdem

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


def spot(**given):
    """Return a spot, by default of one hand against two on a river."""
    settings = {
        "board": "2s3h4d6c7c",
        "oop": "AsAh,QsQh",
        "ip": "KsKh",
        "pot": 20,
        "stack": 10,
        "bets": "a",
        **given,
    }
    return Holdem(**settings)


@pytest.mark.parametrize(
    ("board", "hands"),
    [
        ("Td9d6h Qc 2s", (167, 246)),
        ("Td9d6hQc", (167, 250)),
        ("Td9d6h", (180, 265)),
        ("Qs,Jh,2h", (179, 264)),
    ],
)
def test_hands_that_the_board_blocks_leave_the_vectors(board, hands):
    game = spot(board=board, oop=OOP, ip=IP)
    assert tuple(map(len, game.hands)) == hands
    shown = parse_cards(board)
    for names, cards, weights in zip(game.hands, game.deal.hands, game.deal.weights, strict=True):
        assert len(names) == len(cards) == len(weights)
        assert (weights > 0).all()
        assert not set(shown) & set(itertools.chain.from_iterable(cards))
        assert [set(parse_cards(name)) for name in names] == [set(hand) for hand in cards]


def test_every_hand():
    game = spot(board="Td9d6hQc2s", oop="random", ip=np.ones(NUM_HANDS))
    assert tuple(map(len, game.hands)) == (1081, 1081)
    assert game.deal.total == 1081 * 990  # 47 · 46 / 2 hands, each with 45 · 44 / 2 of the other's


def test_hands_of_weight_0_leave_the_vectors():
    with pytest.warns(RangeWarning, match="gives AsAh a second weight"):
        game = spot(oop="AA:0.5,KK:0,AsAh:0", ip="QQ:0.25,JJ")
    assert len(game.hands[0]) == 5
    assert set(game.deal.weights[0]) == {0.5}
    assert sorted(set(game.deal.weights[1])) == [0.25, 1]


def test_it_is_a_card_game():
    game = spot(board="2s3h4d6c")
    assert is_card_game(game)
    assert eq.load(game) is game
    assert game.board == (3, 6, 9, 16)
    assert game.streets == (1,)
    assert spot().streets == ()
    assert spot(board="2s3h4d").streets == (1, 1)
    assert list(game.cards) == list(CARDS)
    assert game.symmetries.shape == (24, 52)
    assert game.deal.cards == 52
    state = game.start()
    assert (game.player(state), list(game.actions(state))) == (0, ["X", "A10"])
    state = game.next(state, "A10")
    assert (game.player(state), list(game.actions(state))) == (1, ["F", "C"])
    assert game.payoff(game.next(state, "F")) == (20, 0)
    state = game.next(state, "C")
    assert (game.player(state), game.line(state)) == (eq.CHANCE, "A10-C")
    state = game.next(state, None)
    assert game.player(state) == eq.TERMINAL
    assert game.payoff(state) == ShowdownPayoffs((30, -10), (10, 10), (-10, 30))


def test_strengths():
    game = spot(oop="AsAh,QsQh,5s5h", ip="KsKh,AdAc")
    names = [
        dict(zip(own, found[0], strict=True))
        for own, found in zip(game.hands, game.strengths(board(game)), strict=True)
    ]
    oop, ip = names
    assert oop["QsQh"] < ip["KsKh"] < oop["AsAh"] == ip["AdAc"] < oop["5s5h"]


def board(game):
    return np.array([game.board])


def test_equity_of_a_turn_by_enumerating_all_rivers():
    """The equity of the linear programme of issue 13 §4, from strengths and the deal alone."""
    game = spot(
        board="Td9d6hQc", oop="AA,QJs,T8s", ip="KK,JTs,98s", pot=100, stack=200, bets="100%; a"
    )
    assert equity(game) == pytest.approx(0.619485294, abs=1e-9)
    game = spot(
        board="Td9d6hQc", oop="AA,JJ,A5s,KQs,87s", ip="TT,QJs,T9s,AQs,66", pot=100, stack=300
    )
    assert equity(game) == pytest.approx(0.343553459, abs=1e-9)


def equity(game):
    rivers = [card for card in range(52) if card not in game.board]
    boards = np.array([[*game.board, river] for river in rivers])
    oop, ip = game.strengths(boards)
    won = total = 0.0
    for (i, one), (j, other) in itertools.product(
        enumerate(game.deal.hands[0]), enumerate(game.deal.hands[1])
    ):
        if set(one) & set(other):
            continue
        free = np.array([river not in (*one, *other) for river in rivers])
        share = np.where(oop[:, i] == ip[:, j], 0.5, oop[:, i] > ip[:, j])[free].mean()
        weight = game.deal.weights[0][i] * game.deal.weights[1][j]
        won, total = won + weight * share, total + weight
    return won / total


# --- Settings ---


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"oop": OOP, "ip": {"range": IP, "river": "33%"}, "board": "Td9d6h"},
        {
            "oop": {"range": "AA,KK:0.5", "bets": "50%", "river": {"donk": "20%", "raise": "3x"}},
            "turn": "; 4x",
            "board": "Td9d6h",
        },
        {
            "add_all_in": 1.5,
            "force_all_in": "15%",
            "merge": 0.1,
            "max_raises": 2,
            "rake": "5%",
            "rake_cap": 3,
        },
        {"pot": 5.5, "stack": 97.25, "bets": "33%, e; 2.5x", "chip": 0.25, "min_bet": 1},
        {"bets": "50%, a", "stack": 30, "add_lines": ["X-B9"], "remove_lines": ["X-A"]},
        {"oop": Range("AA,AKs:0.123456789"), "ip": np.linspace(0, 1, NUM_HANDS)},
    ],
)
def test_the_name_makes_the_same_game(given):
    game = spot(**given)
    again = eq.load(str(game))
    assert str(again) == str(game)
    assert again.settings == game.settings
    assert again.tree.nodes == game.tree.nodes
    assert again.hands == game.hands
    for one, other in zip(again.deal.weights, game.deal.weights, strict=True):
        assert (one == other).all()


def test_what_means_the_same_has_the_same_name():
    one = spot(
        board="2s 3h 4d 6c 7c", oop="qsqh, AsAh", bets=" A ; none", force_all_in="15 %", pot=20.0
    )
    other = spot(oop="QsQh,AsAh:1.0", bets="allin;none", force_all_in=0.15)
    assert str(one) == str(other)
    assert str(spot(oop="AA", board="As3h4d6c7c")) == str(
        spot(oop="AdAc,AdAh,AcAh", board="As3h4d6c7c")
    )
    assert "oop='AA'" in str(spot(oop="AA", board="As3h4d6c7c"))


def test_sizes_are_those_of_all_then_of_the_street_then_of_the_player():
    game = spot(
        board="2s3h4d",
        pot=100,
        stack=5000,
        bets="50%; 3x",
        turn="60%",
        oop={"range": "AA", "bets": "70%", "turn": "; 4x", "river": {"donk": "20%"}},
        ip={"range": "KK", "river": "90%"},
    )

    def bets(line):
        return [action for action in game.actions(game.tree.find(line)) if action[0] == "B"]

    assert bets("") == ["B70"]
    assert bets("X") == ["B50"]
    assert game.actions(game.tree.find("X-B50"))[-1] == "R150"
    assert bets("X-X") == ["B70"]
    assert bets("X-X | X") == ["B60"]
    assert game.actions(game.tree.find("X-X | X-B60"))[-1] == "R240"
    assert bets("X-X | X-B60-C") == ["B44"]
    assert bets("X-X | X-X | X") == ["B90"]


def test_the_least_bet_is_the_big_blind_or_a_chip():
    given = {"pot": 10, "stack": 97, "bets": "5%; 5%"}
    assert spot(**given).actions(0) == ("X", "B1")
    assert spot(**given, min_bet=2).actions(0) == ("X", "B2")
    assert spot(**given, chip=3, min_bet=2).actions(0) == ("X", "B3")


def test_chips_are_whole_where_pot_and_stack_are():
    assert spot(pot=10, stack=97, bets="33%").actions(0) == ("X", "B3")
    assert spot(pot=10, stack=97.5, bets="33%").actions(0) == ("X", "B3.3")
    assert spot(pot=10, stack=97, bets="33%", chip=0.1).actions(0) == ("X", "B3.3")


# --- What is refused ---


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"board": "2s3h4d2s"}, "board: 2s is there twice in '2s3h4d2s', at character 7"),
        ({"board": "2s3h4x"}, "board: '4x' at character 5 of '2s3h4x' is no card"),
        ({"board": "2s3h"}, "board must be 3 or 4 or 5 cards; got 2 in '2s3h'"),
        ({"oop": "AKx"}, "oop: 'AKx' at character 1 cannot be read; write AA, AKs"),
        ({"ip": "AA:1.5"}, "ip: 'AA:1.5' at character 1: a weight is a number from 0 to 1"),
        ({"ip": ""}, "ip: no hand has any weight"),
        (
            {"oop": "AA,2s5d"},
            "oop: '2s5d' at character 4 holds a card of 2s3h4d6c7c in each of its hands; leave it out",
        ),
        (
            {"oop": "AsAh", "ip": "AsKs,AhKd"},
            "each hand of AsAh shares a card with each hand of AsKs,AhKd",
        ),
        ({"oop": {"bets": "50%"}}, r"oop needs a range: oop = \{'range': 'QQ\+,AKs'\}; got"),
        ({"oop": {"range": "AA", "rivr": "50%"}}, "oop: there is no 'rivr'. Did you mean 'river'"),
        (
            {"oop": {"range": "AA", "pot": 5}},
            r"oop has no 'pot' of its own: in a file, write pot above \[oop\]",
        ),
        (
            {"ip": {"range": "KK", "river": {"donk": "50%"}}},
            "ip.river has donk bets, which only OOP can make",
        ),
        ({"pot": 0}, "pot must be a number of chips, above 0; got 0"),
        ({"pot": "20"}, "pot must be a number of chips, above 0; got '20'"),
        ({"stack": -5}, "stack must be a number of chips, above 0; got -5"),
        ({"bets": "5o%"}, "bets, bet: cannot read '5o%' in '5o%': a size is 50%"),
        (
            {"river": "; 1x"},
            "river, raise: cannot read '1x' in ' 1x': that is no raise: the least raise of a bet is 2x",
        ),
        (
            {"add_all_in": 150},
            "add_all_in must be a share of the pot from 0 to 100, 0.15 or '15%'; got 150",
        ),
        ({"force_all_in": 15}, "force_all_in must be a share of the pot from 0 to 10"),
        (
            {"merge": "ten"},
            "merge must be a share of the pot from 0 to 10, 0.15 or '15%'; got 'ten'",
        ),
        ({"max_raises": -1}, "max_raises must be a whole number, 0 or more; got -1"),
        ({"rake": 5}, "rake must be a share of the pot from 0 to 1"),
        ({"rake_cap": -1}, "rake_cap must be a number of chips, 0 or more; got -1"),
        (
            {"add_lines": "X-A"},
            r"add_lines must be a list of lines, such as \['X-B120-R500'\]; got 'X-A'",
        ),
        (
            {"bets": "50%", "pot": 10, "stack": 100, "add_lines": ["B5-R7"]},
            "'R7' in 'B5-R7' must be at least 10, the least",
        ),
        ({"after": 5}, "after must be a line, such as 'X-B120-C | X'; got 5"),
        (
            {"after": "X-B7"},
            "There is no 'B7' in the line 'X-B7': the actions after 'X' are X, A10",
        ),
        (
            {"after": "A10-F"},
            "the hand is over after 'A10-F'; give a line after which somebody decides",
        ),
        (
            {"after": "X-X|X-X|X-X"},
            "after: with the board 2s3h4d6c7c no more than 2 streets can be over",
        ),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(eq.GameError, match=message) as refused:
        spot(**given)
    assert refused.value.wrong_use
    assert "\n" not in str(refused.value)


def test_what_the_registry_refuses():
    with pytest.raises(
        eq.GameError,
        match="holdem has no parameter 'bet'; it takes board, oop, ip, pot, stack, bets",
    ):
        eq.load("holdem(board='2s3h4d', oop='AA', ip='KK', pot=5, stack=5, bet='a')")
    with pytest.raises(eq.GameError, match="holdem needs the parameter 'ip'"):
        eq.load("holdem(board='2s3h4d', oop='AA', pot=5, stack=5)")
    with pytest.raises(eq.GameError, match=r"There is no game 'hold_em'\. Did you mean 'holdem'"):
        eq.load("hold_em")


@pytest.mark.parametrize("name", ["holdem", "texas", "Texas Hold'em"])
def test_who_names_hold_em_alone_is_shown_a_spot(name):
    with pytest.raises(eq.GameError, match="equilibrist spot") as refused:
        eq.load(name)
    assert eq.load(str(refused.value).split('"')[1]).settings["pot"] == 50


def test_hands_have_the_order_of_the_deck():
    game = spot(oop="random")
    numbers = [hand_index(*hand) for hand in game.deal.hands[0]]
    assert numbers == sorted(numbers)


SPOTS = {
    eq.poker.Holdem: ("2s3h4d6c7c", "AsAh,QsQh", "KsKh"),
    eq.poker.Omaha: ("Kh9s4d7c2h", "AsAhKdQc", "JsJhTdTc"),
}


@pytest.mark.parametrize("spot", SPOTS)
def test_a_spot_names_each_of_its_settings(spot):
    """Bet settings are written down once, and the signature spells them out: help shows them all."""
    parameters = inspect.signature(spot).parameters
    game = spot(*SPOTS[spot], pot=20, stack=10)
    assert set(parameters) == set(game.settings)
    assert {"pot", "stack"} == {
        name
        for name, parameter in parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
    }
    described = spot.__doc__ + eq.poker.Holdem.__doc__
    for name in parameters:
        assert re.search(rf"^    (\w+, )*{name}(, \w+)* :", described, re.MULTILINE), name
        assert f"{name}: " in pydoc.plain(pydoc.render_doc(spot))


@pytest.mark.parametrize("spot", SPOTS)
def test_a_spot_refuses_settings_that_it_does_not_have(spot):
    with pytest.raises(TypeError, match="rakes"):
        spot(*SPOTS[spot], pot=20, stack=10, rakes=0.05)
    with pytest.raises(TypeError, match="stack"):
        spot(*SPOTS[spot], pot=20)
    with pytest.raises(TypeError, match="positional"):
        spot(*SPOTS[spot], 20, 10)
