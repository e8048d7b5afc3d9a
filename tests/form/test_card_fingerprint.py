"""Fingerprints of card games: what makes a game another one, and what does not."""

from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from support.random_card_games import Narrowed, RandomCardGame

SPOT = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"


def test_the_layout_of_arrays_is_nothing():
    form = eq.compile_cards(eq.load(SPOT))
    arrays = form.arrays
    other = replace(
        form, arrays=arrays._replace(first_slot=arrays.first_slot + 8, weights=arrays.weights * 2)
    )
    assert other.fingerprint == form.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        "pot=110",
        "stack=190",
        "bets='50%'",
        "oop='AA,QJs:0.5'",
        "ip='KK,QTs'",
        "board='KdQd2d8d'",
        "rake=0.05",
        "prizes=(50, 20)",
    ],
)
def test_another_game_has_another(change):
    name, _, value = change.partition("=")
    changed = eq.poker.Holdem(**{**eq.load(SPOT).settings, name: eval(value)})
    assert eq.compile_cards(changed).fingerprint != eq.compile_cards(eq.load(SPOT)).fingerprint


@pytest.mark.slow
def test_only_the_order_of_strengths_counts():
    game = RandomCardGame(3)
    form = eq.compile_cards(game)
    scaled = Narrowed(
        game, strengths=lambda boards: tuple(3 * own + 1 for own in game.strengths(boards))
    )
    turned = Narrowed(game, strengths=lambda boards: tuple(-own for own in game.strengths(boards)))
    assert (
        eq.compile_cards(scaled).fingerprint
        == form.fingerprint
        != eq.compile_cards(turned).fingerprint
    )
    assert eq.compile_cards(Narrowed(game, symmetries=game.symmetries[:1])).merged is False


def test_locks_are_part_of_it_however_they_are_written():
    prints = set()
    for hands in (["AsAh", "AcAd"], ["AcAd", "AsAh"], ["AsAh"], None):
        game = eq.load(SPOT)
        game.locks = [eq.Lock("", {"X": np.float64(1.0), "B100": 0}, hands)]
        prints.add(eq.compile_cards(game).fingerprint)
    assert len(prints) == 3


def test_the_first_streets_say_that_they_have_no_values():
    form = eq.compile_cards(eq.load(SPOT)).first_streets(1)
    for ask in (form.values, form.best_responses):
        with pytest.raises(
            eq.GameError,
            match=r"The first 1 street of .* alone have no values, for plays end later",
        ):
            ask(np.ones(form.length))
