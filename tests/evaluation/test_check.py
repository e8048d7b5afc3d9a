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


@pytest.mark.parametrize("seed", [0, 1, 2, pytest.param(3, marks=pytest.mark.slow), 4, 5])
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

    with pytest.warns(eq.EquilibristWarning, match="such as the own card"):
        assert eq.check_game(Blind()).num_infosets == 4
    assert eq.exact(Blind()).value == (0.0, 0.0)


# --- What infosets merge ---

CARDS = "JQK"


class SequentialKuhn:
    """Kuhn poker with a move of chance for each card; ``sees`` says whose card is in the infoset of each player."""

    players = 2

    def __init__(self, sees=(0, 1)):
        self.sees = sees

    def __str__(self):
        return "kuhn in two deals"

    def start(self):
        return ""

    def player(self, state):
        if len(state) < 2:
            return eq.CHANCE
        if state[2:] in ("pp", "pbp", "pbb", "bp", "bb"):
            return eq.TERMINAL
        return len(state) % 2

    def actions(self, state):
        if len(state) < 2:
            return [card for card in CARDS if card not in state]
        return ["p", "b"]

    def probabilities(self, state):
        return [1 / len(self.actions(state))] * len(self.actions(state))

    def next(self, state, action):
        return state + action

    def infoset(self, state):
        card = self.sees[len(state) % 2]
        return ("" if card is None else state[card]) + ":" + state[2:]

    def payoffs(self, state):
        cards, moves = state[:2], state[2:]
        stake = 2.0 if moves.endswith("bb") else 1.0
        if moves == "pbp":
            return (-1.0, 1.0)
        if moves == "bp":
            return (1.0, -1.0)
        wins = CARDS.index(cards[0]) > CARDS.index(cards[1])
        return (stake, -stake) if wins else (-stake, stake)


class PredealtBoard(SequentialKuhn):
    """A third card lies on the table from the start, and is seen by both from their second decision on."""

    def player(self, state):
        if len(state) < 3:
            return eq.CHANCE
        return super().player(state[:2] + state[3:])

    def actions(self, state):
        if len(state) < 3:
            return [card for card in CARDS if card not in state]
        return ["p", "b"]

    def infoset(self, state):
        board = state[2] if len(state) > 4 else ""
        return super().infoset(state[:2] + state[3:]) + board

    def payoffs(self, state):
        return super().payoffs(state[:2] + state[3:])


def test_histories_are_those_that_a_player_cannot_tell_apart():
    """The referee goes through all plays by itself."""
    game = SequentialKuhn()
    merged = {}

    def walk(state, path):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return
        if mover != eq.CHANCE:
            merged.setdefault((mover, game.infoset(state)), []).append(str(path))
        for action in game.actions(state):
            walk(game.next(state, action), [*path, action])

    walk(game.start(), [])
    (group,) = eq.merged_histories(game)
    assert {len(histories) for histories in merged.values()} == {group.size} == {2}
    assert group.infosets == len(merged) == 12
    assert list(group.histories) == merged[group.player, group.infoset]


def test_sizes_are_told_from_the_smallest_on():
    groups = eq.merged_histories("goofspiel(cards=4)")
    assert [group.size for group in groups] == sorted({group.size for group in groups})
    form = eq.compile_game(eq.load("goofspiel(cards=4)"))
    assert sum(group.infosets for group in groups) == len(form.infosets)


@pytest.mark.parametrize(
    ("sees", "who"),
    [
        ((None, None), "players 0 and 1 do"),
        ((None, 1), "player 0 do"),
        ((0, None), "player 1 do"),
    ],
)
def test_a_forgotten_card_is_warned_of(sees, who):
    with pytest.warns(
        eq.EquilibristWarning, match=f"the infosets of {who} not depend on chance"
    ) as caught:
        form = eq.check_game(SequentialKuhn(sees))
    assert form.histories == 1 + 3 + 6 + 6 * 8  # it is well formed
    assert caught[0].filename == __file__
    assert "nobody at all can tell" in str(caught[0].message)


@pytest.mark.parametrize("game", [SequentialKuhn(), SequentialKuhn((1, 0)), PredealtBoard()])
def test_no_warning_where_chance_is_seen(game, recwarn):
    eq.check_game(game)
    assert not recwarn.list


QUIET = [
    "kuhn", "kuhn(players=3)", "kuhn(cards=5)", "leduc", "leduc(ranks=2)", "no_limit_leduc(stack=3)",
    "liars_dice(faces=3)", "goofspiel(cards=4)", "battleship", "rps", "biased_rps", "matching_pennies",
    "blotto", "matrix(payoffs=[[1,0],[0,1]])", "dark_hex(size=2)", "phantom_ttt(rows=2, columns=2)",
    "mini_euchre", "leduc(players=3)", "push_fold(stack=3)",
    "holdem(board='QsJh2h7c3d', oop='AA,KK', ip='QQ,JJ', pot=10, stack=20, bets='50%')",
    "rlcard_leduc",
]  # fmt: skip
"""The built-in games, as small as they can be; of rhode_island no game is small enough."""


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", QUIET)
def test_no_built_in_game_is_warned_of(spec, recwarn):
    eq.check_game(eq.load(spec))
    assert [warning for warning in recwarn.list if "depend on chance" in str(warning.message)] == []


def test_all_built_in_games_are_tried():
    names = {spec.partition("(")[0] for spec in QUIET}
    assert set(eq.GAMES) - names == {"rhode_island"}


@pytest.mark.parametrize("name", ["my_game.py", "coin_toss.py", "public_game.py"])
def test_no_example_is_warned_of(name, recwarn):
    """The coin toss is a game of signals: one player sees the coin, and the other guesses."""
    module = runpy.run_path(str(EXAMPLE.with_name(name)))
    rules = [
        thing for thing in module.values() if isinstance(thing, type) and hasattr(thing, "start")
    ]
    for game in rules:
        eq.check_game(game())
    assert not recwarn.list
