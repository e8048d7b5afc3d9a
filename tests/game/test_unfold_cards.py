"""Card games as public games: the same game as dealt card by card, and the values of hold'em by linear programme."""

import numpy as np
import pytest
from hypothesis import given, settings

import equilibrist as eq
from equilibrist import CHANCE, Deal
from equilibrist.form.public.build import compile_public
from equilibrist.game.card_game import ShowdownPayoffs, is_card_game
from equilibrist.game.public import is_public_game
from equilibrist.game.unfold_cards import unfold_boards
from support import card_lp
from support.card_reference import Dealt
from support.holdem_rules import ISSUE_RANGES, Spot, cards, combos, strength
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame
from support.random_games import random_strategy
from support.reference import best_response, nodes, unfold, values
from support.solvers import seeds

CLAIRVOYANCE = "2s3h4d6c7c", ("AsAh,QsQh", "KsKh")
TURNS = {
    "two pair and draws": (("AA,QJs,T8s", "KK,JTs,98s"), 200, (1.0,), 0.619485294, 89.749962164),
    "nothing and sets": (
        ("AA,JJ,A5s,KQs,87s", "TT,QJs,T9s,AQs,66"),
        300,
        (0.5, "a"),
        0.343553459,
        37.046258634,
    ),
}


class Kuhn(KuhnCards):
    """Kuhn poker: three cards, a coin of ante each, which are the pot."""

    def __init__(self):
        super().__init__([[(0,), (1,), (2,)]] * 2, cards=3)
        self.hands, self.cards = ("JQK", "JQK"), "JQK"


class Raked(Kuhn):
    def payoff(self, line):
        paid = super().payoff(line)
        return paid if line != "bc" else ShowdownPayoffs((2.5, -1), (1, 1), (-1, 2.5))


class Changed(Narrowed):
    """Kuhn poker with some answers replaced."""

    def __init__(self, **answers):
        super().__init__(Kuhn(), **answers)


def both_forms(game):
    """Return the public form of a card game, and the root of the histories of the game dealt card by card."""
    return compile_public(unfold_boards(game)), unfold(Dealt(game, pot=game.pot))


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=seeds)
def test_the_same_game_as_dealt_card_by_card(seed):
    game = RandomCardGame(seed, hands=4, cards=6, depth=2)
    form, root = both_forms(game)
    written = {node.key: list(node.children) for node in nodes(root) if node.key}
    assert {(player, key): list(actions) for player, key, actions in form.infosets} == written
    first = {pair[0] for pair in Dealt(game).pairs}
    assert form.histories == len(list(nodes(root))) + len(first)
    strategy = random_strategy([(*key, actions) for key, actions in written.items()], seed)
    found = eq.evaluate(form, strategy)
    assert found.value == pytest.approx(values(root, strategy), abs=1e-12)
    best = [best_response(root, strategy, player=player)[1] for player in range(2)]
    assert found.best_response_value == pytest.approx(best, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=seeds)
def test_with_rake_it_is_the_same_game_written_out(seed):
    game = RandomCardGame(seed, hands=4, cards=7, rake=True, depth=2)
    form, root = eq.compile_game(game), unfold(Dealt(game))
    written = {node.key: list(node.children) for node in nodes(root) if node.key}
    assert {(player, key): list(actions) for player, key, actions in form.infosets} == written
    strategy = random_strategy([(*key, actions) for key, actions in written.items()], seed)
    assert form.values(form_slots(form, strategy)).value == pytest.approx(
        values(root, strategy), abs=1e-12
    )


def form_slots(form, strategy):
    return form.to_slots(
        np.array([strategy[p, key][a] for p, key, actions in form.infosets for a in actions])
    )


@pytest.mark.slow
@settings(max_examples=15)
@given(seed=seeds)
def test_the_linear_programme_of_the_rules_finds_the_value(seed):
    game = RandomCardGame(seed, hands=4, cards=6, depth=2)
    value = eq.exact(unfold_boards(game)).value[0]
    assert value + game.pot / 2 == pytest.approx(card_lp.value(game), abs=1e-8)


def test_kuhn_poker_as_cards():
    game = unfold_boards(Kuhn())
    assert is_card_game(Kuhn())
    assert is_public_game(game)
    assert eq.check_game(game).histories == 58
    exact = eq.exact(game)
    assert exact.value == pytest.approx((-1 / 18, 1 / 18), abs=1e-9)
    assert card_lp.value(Kuhn()) == pytest.approx(1 - 1 / 18, abs=1e-9)
    assert {key for _, key in exact.strategy} == {
        hand + line for hand in "JQK" for line in ("", " p", " b", " p-b")
    }
    assert [str(card) for card in eq.load(game).hands[0]] == ["J", "Q", "K"]
    assert eq.exact(Kuhn()).value == pytest.approx((17 / 18, 19 / 18), abs=1e-9)
    assert eq.solve(Kuhn(), form="sequence", until=1e-4).value[0] == pytest.approx(
        17 / 18, abs=1e-4
    )
    assert eq.check_game(Kuhn()).histories == eq.compile_game(Kuhn()).histories == 58
    solved = eq.solve(game, form="public", until=1e-4)
    assert solved.value[0] == pytest.approx(-1 / 18, abs=1e-4)


def test_names_of_infosets_tell_hand_board_and_line():
    game = unfold_boards(Spot(*CLAIRVOYANCE, pot=20, stack=10))
    assert {key for _, key, _ in compile_public(game).infosets} == {
        *(f"{hand} 2s3h4d6c7c{line}" for hand in ("AsAh", "QsQh") for line in ("", " X-A10")),
        *(f"KsKh 2s3h4d6c7c{line}" for line in (" A10", " X")),
    }
    turn = unfold_boards(
        Spot("2s3h4d6c", ("AsAh", "KsKh"), pot=20, stack=30, sizes=(0.5,), raises=())
    )
    keys = {key for _, key, _ in compile_public(turn).infosets}
    assert {
        "AsAh 2s3h4d6c",
        "KsKh 2s3h4d6c B10",
        "AsAh 2s3h4d6c7c B10-C |",
        "KsKh 2s3h4d6cAd X-B10-C | X",
    } <= keys
    assert {"AsAh 2s3h4d6c7c X-X |"} <= keys


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (
            Raked(),
            r"must sum to the same at all ends; it sums to 1.5 at one and to 2.0 at another. Leave the rake out",
        ),
        (
            Changed(deal=Deal([[[0], [1, 2]], [[0], [1]]], cards=4)),
            r"those of player 0 hold 1 or 2\.",
        ),
        (Changed(board=(2,), streets=(1,)), "hands and board take 4 cards; the deck has 3"),
        (
            Changed(deal=Deal([[[0]], [[1]]], cards=4), streets=(1,)),
            "a showdown after 0 of 1 streets",
        ),
        (Changed(player=lambda line: CHANCE), "the betting deals more than 0 streets"),
        (
            Changed(board=(0, 1), deal=Deal([[[0]], [[1]]], cards=4)),
            "no two hands of positive weight",
        ),
    ],
)
def test_games_that_are_refused(game, match):
    with pytest.raises(eq.GameError, match=match):
        unfold_boards(game)


# --- The numbers of hold'em: strengths, ranges and trees of betting of tests/support, one linear programme ---


def test_the_clairvoyance_spot():
    spot = Spot(*CLAIRVOYANCE, pot=20, stack=10)
    assert card_lp.equity(spot) == 0.5
    assert card_lp.value(spot) == pytest.approx(40 / 3, abs=1e-9)
    exact = eq.exact(unfold_boards(spot))
    assert exact.value[0] + 10 == pytest.approx(40 / 3, abs=1e-9)
    mixes = exact.strategy
    assert mixes["AsAh 2s3h4d6c7c"]["A10"] == pytest.approx(1, abs=1e-9)
    assert mixes["QsQh 2s3h4d6c7c"]["A10"] == pytest.approx(1 / 3, abs=1e-9)
    assert mixes["KsKh 2s3h4d6c7c A10"]["C"] == pytest.approx(2 / 3, abs=1e-9)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("spot", TURNS)
def test_the_equity_of_turns(spot):
    ranges, stack, sizes, equity, _ = TURNS[spot]
    assert card_lp.equity(turn(ranges, stack, sizes)) == pytest.approx(equity, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("spot", TURNS)
def test_the_value_of_turns(spot):
    ranges, stack, sizes, _, value = TURNS[spot]
    assert card_lp.value(turn(ranges, stack, sizes)) == pytest.approx(value, abs=1e-8)


def turn(ranges, stack, sizes):
    return Spot("Td9d6hQc", ranges, pot=100, stack=stack, sizes=sizes)


def test_the_m_river_spot_has_this_many_hands_and_this_equity():
    spot = m_river()
    assert list(map(len, spot.hands)) == [167, 246]
    assert card_lp.equity(spot) == pytest.approx(0.516173904, abs=1e-9)


@pytest.mark.slow
def test_the_value_of_the_m_river_spot():
    assert card_lp.value(m_river()) == pytest.approx(91.596410732, abs=1e-8)


def m_river():
    return Spot("Td9d6hQc2s", ISSUE_RANGES, pot=200, stack=900, sizes=(0.5, "a"), raises=(0.6, "a"))


def test_strengths_of_five_to_seven_cards():
    hands = [
        "AcKcQcJcTc",
        "5h4h3h2hAh",
        "7c7d7h7s2c",
        "7c7d7h2s2c",
        "AcQc9c4c2c",
        "AcKdQcJcTc",
        "5c4h3h2hAh",
    ]
    hands += ["7c7d7h3s2c", "7c7d3h3s2c", "6c6d5h5sAc", "7c7d4h3s2c", "AcQc9c4c2d"]
    found = [strength(cards(hand)) for hand in hands]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)
    assert strength(cards("AcKcQcJcTc9c2d")) == found[0]


def test_ranges():
    assert {
        text: len(combos(text)) for text in ("66+", "A5s-A4s", "AJo+", "KQo", "QQ-22", "AsAh", "AK")
    } == {
        "66+": 54,
        "A5s-A4s": 8,
        "AJo+": 36,
        "KQo": 12,
        "QQ-22": 66,
        "AsAh": 1,
        "AK": 16,
    }
