"""`check_game` compares the forms of a game, and names the one that is another game."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation import check
from equilibrist.evaluation.check import compare_forms
from equilibrist.form.cards import boards
from equilibrist.form.cards.build import compile_cards
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame

EXAMPLE = Path(__file__).parents[2] / "examples" / "my_game.py"
PAIRS = [(0, 1), (2, 3), (1, 2)]
DIFFERS = "its card form is not the game that its sequence form is: in uniform play the values"


@pytest.mark.parametrize("seed", range(6))
def test_forms_of_a_game_agree(seed):
    """With rake there is no public form; where suits are merged, random strategies are put on all boards."""
    eq.check_game(RandomCardGame(seed, rake=seed == 1, hands=4, cards=7, depth=2, uneven=seed == 2))


def test_a_card_form_that_takes_unequal_hands_for_equal_is_seen():
    game = Narrowed(
        KuhnCards([PAIRS, PAIRS], cards=5),
        strengths=lambda boards: (np.full((1, 3), 9), np.full((1, 3), 1)),
    )
    eq.check_game(game)
    form = compile_cards(game)
    no_order = form.arrays._replace(boards=form.arrays.boards._replace(order=np.zeros(0, np.int8)))
    with pytest.raises(eq.GameError, match=DIFFERS):
        compare_forms([eq.compile_game(game), replace(form, arrays=no_order)], named_alike=True)


def test_symmetries_that_change_strengths_are_seen():
    game = KuhnCards(
        [[(0,), (1,)], [(2,), (3,)]], cards=6, streets=(1,), symmetries=[[0, 1, 2, 3, 5, 4]]
    )
    eq.check_game(game)
    other = Narrowed(
        game,
        strengths=lambda boards: (np.where(boards > 4, 9, [[0, 1]]), np.full((len(boards), 2), 5)),
    )
    with pytest.raises(eq.GameError, match=DIFFERS):
        eq.check_game(other)


def test_infosets_that_another_form_has_not_are_seen(monkeypatch):
    game = KuhnCards([[(0, 1), (2, 3)], [(0, 4)]], cards=5)
    eq.check_game(game)
    monkeypatch.setattr(boards._MeetingHands, "select", lambda self, hands: hands)
    with pytest.raises(
        eq.GameError, match=r"its card form has other infosets\. The strategy lacks"
    ):
        eq.check_game(game)


def test_public_states_of_another_game_are_seen(monkeypatch):
    class Doubled(type(eq.load("kuhn"))):
        def public_states(self):
            return eq.load("kuhn(ante=2)").public_states()

    with pytest.raises(
        eq.GameError, match="its public form is not the game that its sequence form is"
    ):
        eq.check_game(Doubled())
    monkeypatch.setattr(check, "MOST_COMPARED", 57)
    assert eq.check_game(Doubled()).histories == 58


def test_a_forgotten_card_is_another_game_and_not_a_mistake():
    """What docs/add-a-game.md says of Kuhn poker whose infosets leave the player's own card out."""
    module = runpy.run_path(str(EXAMPLE))

    class Blind(module["MyKuhn"]):
        def infoset(self, state):
            return state[2:]

    assert eq.check_game(Blind()).num_infosets == 4
    assert eq.exact(Blind()).value == (0.0, 0.0)
