"""Phantom tic-tac-toe and dark hex: the rules of OpenSpiel, and what a player knows, in its texts and in ours."""

import math
import random
from collections import defaultdict
from itertools import combinations, zip_longest

import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.game.protocol import TERMINAL
from equilibrist.games import phantom
from equilibrist.games.registry import make

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAMES = {
    "phantom_ttt": "phantom_ttt",
    "phantom_ttt(abrupt=True)": "phantom_ttt(gameversion=abrupt)",
    "dark_hex(size=2)": "dark_hex(board_size=2)",
    "dark_hex": "dark_hex(board_size=3)",
    "dark_hex(abrupt=True)": "dark_hex(board_size=3,gameversion=adh)",
    "dark_hex(size=5)": "dark_hex(board_size=5)",
    "dark_hex(size=4, abrupt=True)": "dark_hex(board_size=4,gameversion=adh)",
}


@pytest.mark.thinned(6)
@pytest.mark.parametrize("text", GAMES)
def test_random_plays_are_those_of_openspiel(text):
    game, theirs = eq.load(text), pyspiel.load_game(GAMES[text])
    rng, leaky = random.Random(0), text.startswith("dark_hex") and "abrupt" not in text
    names, texts = defaultdict(set), defaultdict(set)
    results = set()
    for _ in range(300):
        ours, state = game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            player = game.player(ours)
            assert player == state.current_player()
            assert game.actions(ours) == state.legal_actions()
            name, information = game.infoset(ours), state.information_state_string()
            assert game.to_openspiel(player, name) == (None if leaky else information)
            assert game.from_openspiel(player, information) == name
            like = game.state_of(player, name)
            assert (game.player(like), game.infoset(like), game.actions(like)) == (
                player,
                name,
                game.actions(ours),
            )
            names[player, name].add(information)
            texts[player, information].add(name)
            board = game.table(ours, player)
            assert [
                row.replace(" ", "").replace("·", ".") for _, row in board
            ] == information.split()[: len(board)]
            action = rng.choice(state.legal_actions())
            ours = game.next(ours, action)
            state.apply_action(action)
        assert game.player(ours) == TERMINAL
        assert game.payoffs(ours) == state.returns()
        results.add(tuple(game.payoffs(ours)))
    assert len(results) >= 2
    assert all(len(same) == 1 for same in texts.values())  # OpenSpiel's texts never say less
    leaks = any(len(same) > 1 for same in names.values())
    assert leaks == leaky  # they count the moves of both


def test_texts_that_are_no_infosets():
    game = make("phantom_ttt")
    for player, name in ((2, "-"), (0, ""), (0, "z9"), (0, "b2 b2"), (0, "(b2"), (1, "a1  b1")):
        assert (game.state_of(player, name), game.to_openspiel(player, name)) == (None, None)


@pytest.mark.parametrize("abrupt", [False, True])
def test_a_line_wins_on_boards_that_openspiel_does_not_have(abrupt):
    game = make("phantom_ttt", rows=2, columns=3, line=2, abrupt=abrupt)
    for cells, wins in (
        ((0, 3, 1), 1),
        ((0, 1, 4), 1),
        ((0, 1, 3), 1),
        ((2, 1, 4), 1),
        ((0, 4, 2, 1), -1),
    ):
        state = game.start()
        for cell in cells:
            assert game.player(state) != TERMINAL
            state = game.next(state, cell)
        assert game.player(state) == TERMINAL
        assert game.payoffs(state) == [wins, -wins]
    for line in (3, 4):
        state = (game := make("phantom_ttt", rows=2, columns=3, line=line, abrupt=abrupt)).start()
        for cell in range(6):
            state = game.next(state, cell)
        assert game.player(state) == TERMINAL
        assert game.payoffs(state) == [0, 0]


def test_uniform_play_of_dark_hex_is_worth_a_third():
    # An attempt at random that fails is followed by another, so that a stone comes to each free cell with the same
    # probability: uniform play fills the board at random, and all choices of five cells for player 0 are as likely.
    game, wins = make("dark_hex"), 0
    for stones in combinations(range(9), 5):
        others = [cell for cell in range(9) if cell not in stones]
        state = game.start()
        for cell in (
            cell for pair in zip_longest(stones, others) for cell in pair if cell is not None
        ):
            if game.player(state) != TERMINAL:
                state = game.next(state, cell)
        wins += game.payoffs(state)[0] > 0
    assert (wins, math.comb(9, 5)) == (84, 126)  # 84 / 126 - 42 / 126 = 1 / 3


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("phantom_ttt", {"rows": 8, "columns": 8}, "at most 62 cells; rows=8 × columns=8 are 64"),
        ("phantom_ttt", {"line": 1}, "line"),
        ("phantom_ttt", {"abrupt": 2}, "abrupt"),
        ("dark_hex", {"size": 8}, "size"),
    ],
)
def test_what_makes_no_game_is_refused(name, settings, message):
    with pytest.raises(GameError, match=message):
        make(name, **settings)


@pytest.mark.parametrize(
    "text", ["phantom_ttt", "phantom_ttt(rows=2, columns=5)", "dark_hex", "dark_hex(size=2)"]
)
def test_tables_of_small_boards_say_who_wins(text):
    game = eq.load(text)
    wins = phantom.has_line if game.name == "phantom_ttt" else phantom.has_chain
    p = game.parameters
    cells = p[phantom.P_ROWS] * p[phantom.P_COLUMNS]
    stones = [(player, bits) for player in (0, 1) for bits in range(1 << cells)]
    assert [phantom.in_table(p, *each) for each in stones] == [wins(p, *each) for each in stones]
    assert p[phantom.P_WINS] > 0 == eq.load("dark_hex(size=4)").parameters[phantom.P_WINS]


@pytest.mark.parametrize("text", [*GAMES, "leduc_poker", "dark_hex(num_rows=2,num_cols=3)"])
def test_games_of_openspiel_name_their_compiled_rules(text):
    theirs = eq.load(f"openspiel:{GAMES.get(text, text)}")
    same = text in GAMES
    assert (theirs.built_in and str(eq.load(theirs.built_in))) == (
        str(eq.load(text)) if same else None
    )
    if text == "dark_hex":
        with pytest.raises(
            eq.GameError, match=r"Take 'dark_hex\(size=3\)', the same rules compiled\. Sample it"
        ):
            eq.compile_game(theirs)
