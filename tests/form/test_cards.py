"""The card form: the same values and best responses as histories dealt card by card, with boards merged or not."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.form.build_public import compile_public
from equilibrist.form.cards.build import compile_cards
from equilibrist.game.unfold_cards import public_game_of
from support.card_reference import Dealt, close
from support.card_symmetries import symmetric_strategy, symmetries_of
from support.random_card_games import RandomCardGame, without_symmetries
from support.random_games import random_strategy
from support.reference import best_response, nodes, unfold, values
from support.solvers import seeds


def judged(form, table):
    """Return the values of a strategy, and of the best responses to it; uniform where nothing is said."""
    rows = [table.get((p, key), {}).get(a, 1 / len(actions)) for p, key, actions in form.infosets for a in actions]
    found = form.values(form.to_slots(np.array(rows)))
    return [*found.value, *found.best_response_value]


def by_recursion(game, table):
    root = unfold(Dealt(game))
    return [*values(root, table), *(best_response(root, table, player=player)[1] for player in range(2))]


@settings(max_examples=25)
@given(seed=seeds, rake=st.booleans())
def test_values_and_best_responses_equal_the_recursion(seed, rake):
    game = without_symmetries(RandomCardGame(seed, rake=rake, hands=4, cards=7))
    form = compile_cards(game)
    table = random_strategy(form.infosets, seed)
    written = {node.key: list(node.children) for node in nodes(unfold(Dealt(game))) if node.key}
    found = {(player, key): list(actions) for player, key, actions in form.infosets}
    assert {key: found[key] for key in written} == written
    assert judged(form, table) == pytest.approx(by_recursion(game, table), abs=close(game))


@settings(max_examples=20)
@given(seed=seeds)
def test_the_same_game_as_the_public_form(seed):
    game = without_symmetries(RandomCardGame(seed, hands=6, cards=8, depth=2))
    form, public = compile_cards(game), compile_public(public_game_of(game), check_names=False)
    assert form.histories == public.histories
    assert form.depth == public.depth
    table = random_strategy(form.infosets, seed)
    expected = [number + game.pot / 2 for number in judged(public, table)]
    assert judged(form, table) == pytest.approx(expected, abs=close(game))


@settings(max_examples=25)
@given(seed=seeds, rake=st.booleans())
def test_merged_boards_give_the_values_of_all_boards(seed, rake):
    game = RandomCardGame(seed, rake=rake, hands=6, cards=8, depth=2)
    merged, full = compile_cards(game), compile_cards(without_symmetries(game))
    assert merged.histories == full.histories
    everywhere = symmetric_strategy(game, full.infosets, seed)
    kept = [(infoset.player, infoset.key) for infoset in merged.infosets]
    assert judged(merged, {key: everywhere[key] for key in kept}) == pytest.approx(
        judged(full, everywhere), abs=close(game)
    )


@settings(max_examples=25)
@given(seed=seeds)
def test_boards_that_are_alike_are_merged(seed):
    game = RandomCardGame(seed, hands=6, cards=9)
    merged, full = compile_cards(game), compile_cards(without_symmetries(game))
    permutations = symmetries_of(game)
    for own, every in zip(merged.boards.streets, full.boards.streets, strict=True):
        alike = {boards_alike(game, permutations, board.cards) for board in every}
        assert sorted(boards_alike(game, permutations, board.cards) for board in own) == sorted(alike)


def boards_alike(game, permutations, board):
    """Return the least of the boards that are like a board, street by street."""
    cuts = np.cumsum([0, len(game.board), *game.streets])
    streets = [board[first:last] for first, last in pairwise(cuts)]
    return min(str([sorted(int(to[card]) for card in street) for street in streets]) for to in permutations)
