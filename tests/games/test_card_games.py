"""Kuhn, Leduc and Rhode Island hold'em as card games: the same game as by their own rules."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.card_game import ShowdownPayoffs, is_card_game
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.game.unfold_cards import BoardsGame

GAMES = [
    "kuhn(cards=5, ante=2)",
    "kuhn(pass_ends=True)",
    "leduc(merge_suits=False)",
    "leduc",
    "leduc(ranks=2, suits=3, raises=1)",
    "rhode_island(ranks=2, suits=2, raises=2)",
    "rhode_island(ranks=5, suits=1, raises=1)",
]


@pytest.mark.thinned(7)
@pytest.mark.parametrize("spec", GAMES)
def test_the_value_is_that_of_the_rules(spec):
    """By linear programme, from all boards of the card game, and from the tree of the rules."""
    game = eq.load(spec)
    cards = game.card_game()
    assert is_card_game(cards)
    assert eq.exact(BoardsGame(cards)).value == pytest.approx(eq.exact(game).value, abs=1e-9)


@pytest.mark.parametrize("spec", [*GAMES, "rhode_island", "leduc(ranks=13, suits=4)"])
def test_strengths_are_those_of_the_payoffs(spec):
    """At a showdown, with random cards: what the rules pay is what the order of strengths says."""
    game, rng = eq.load(spec), np.random.default_rng(1)
    if spec.startswith("leduc"):
        game = eq.load(str(game.card_game()))
    cards = game.card_game()
    streets, deck = len(cards.streets), len(cards.cards)
    for _ in range(30):
        dealt = rng.permutation(deck)[: 2 + streets].tolist()
        state, betting, left = game.start(), cards.start(), list(dealt)
        while game.player(state) != TERMINAL:
            if game.player(state) == CHANCE:
                state = game.next(state, left.pop(0))
                if len(left) < streets:
                    betting = cards.next(betting, None)
            else:
                assert cards.player(betting) == game.player(state)
                assert cards.actions(betting) == game.actions(state)
                action = int(rng.choice(game.actions(state)))
                assert cards.action_label(betting, action) == game.action_label(state, action)
                state, betting = game.next(state, action), cards.next(betting, action)
        assert cards.player(betting) == TERMINAL
        paid = cards.payoff(betting)
        if isinstance(paid, ShowdownPayoffs):
            own, other = cards.strengths(np.array([dealt[2:]], np.int64))
            stronger = np.sign(own[0, dealt[0]] - other[0, dealt[1]])
            paid = {1: paid.win, 0: paid.tie, -1: paid.lose}[int(stronger)]
        assert list(paid) == game.payoffs(state)


@pytest.mark.parametrize("spec", GAMES)
def test_each_line_has_a_state_of_its_own(spec):
    cards = eq.load(spec).card_game()
    seen, left = set(), [cards.start()]
    while left:
        state = left.pop()
        assert state not in seen
        seen.add(state)
        if cards.player(state) == CHANCE:
            left.append(cards.next(state, None))
        elif cards.player(state) != TERMINAL:
            left.extend(cards.next(state, action) for action in cards.actions(state))
    assert len(seen) > 3


@pytest.mark.parametrize("spec", [*GAMES, "rhode_island"])
def test_symmetries_keep_the_order_of_strengths(spec):
    cards = eq.load(spec).card_game()
    deck, rng = len(cards.cards), np.random.default_rng(0)
    assert cards.symmetries[0].tolist() == list(range(deck))
    boards = np.array(
        [rng.permutation(deck)[: len(cards.streets)] for _ in range(20)], np.int64
    ).reshape(20, -1)
    strengths = cards.strengths(boards)[0]
    for image in cards.symmetries:
        moved = cards.strengths(image[boards])[0][:, image]
        possible = (boards[:, :, None] != np.arange(deck)).all(axis=1)
        for before, after, free in zip(strengths, moved, possible, strict=True):
            own, other = before[free], after[free]
            assert (np.sign(own[:, None] - own) == np.sign(other[:, None] - other)).all()


def test_games_without_one():
    for spec in ("kuhn(players=3)", "leduc(players=3)", "leduc(suits=5)"):
        assert eq.load(spec).card_game() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "form"),
    [("rhode_island(ranks=6, suits=3)", "cards"), ("rhode_island(ranks=3, suits=2)", "sequence")],
)
def test_large_games_that_merge_suits_are_solved_by_their_boards(spec, form):
    assert eq.solve(spec, iterations=1).info.game.form == form
