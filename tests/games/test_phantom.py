"""Phantom tic-tac-toe and dark hex: the rules of OpenSpiel, and what a player knows, in its texts and in ours."""

import math
import random
from collections import defaultdict
from itertools import combinations, zip_longest

import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.game.protocol import TERMINAL
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


def openspiel_text(game, name, player, columns):
    """Return what OpenSpiel calls an infoset, but for the number of moves that dark hex adds."""
    words = [] if name == "-" else name.split()
    cells = [game.action_label(None, cell) for cell in range(game.max_actions)]
    view, attempts = ["."] * len(cells), ""
    for word in words:
        cell = cells.index(word.strip("()"))
        view[cell] = "xo"[1 - player if word.startswith("(") else player]
        attempts += f"{player},{cell} "
    rows = ["".join(view[k : k + columns]) for k in range(0, len(cells), columns)]
    return "\n".join(rows) + "\n", attempts


def our_name(game, text, player):
    """Return what we call the infoset of an information state string of OpenSpiel."""
    *rows, attempts = text.split("\n")
    view = "".join(row for row in rows if not row.isdecimal())
    words = []
    for pair in attempts.split():
        cell = int(pair.split(",")[1])
        label = game.action_label(None, cell)
        words.append(label if view[cell] == "xo"[player] else f"({label})")
    return " ".join(words) or "-"


@pytest.mark.thinned(3)
@pytest.mark.parametrize("text", GAMES)
def test_random_plays_are_those_of_openspiel(text):
    game, theirs = eq.load(text), pyspiel.load_game(GAMES[text])
    columns, rng = game.parameters[1], random.Random(0)
    names, texts = defaultdict(set), defaultdict(set)
    results = set()
    for _ in range(300):
        ours, state = game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            player = game.player(ours)
            assert player == state.current_player()
            assert game.actions(ours) == state.legal_actions()
            name, information = game.infoset(ours), state.information_state_string()
            view, attempts = openspiel_text(game, name, player, columns)
            assert information.startswith(view)
            assert information.endswith(attempts)
            assert our_name(game, information, player) == name
            like = game.state_of(player, name)
            assert (game.player(like), game.infoset(like), game.actions(like)) == (player, name, game.actions(ours))
            names[player, name].add(information)
            texts[player, information].add(name)
            board = game.table(ours, player)
            assert [row.replace(" ", "").replace("·", ".") for _, row in board] == view.split()
            action = rng.choice(state.legal_actions())
            ours = game.next(ours, action)
            state.apply_action(action)
        assert game.player(ours) == TERMINAL
        assert game.payoffs(ours) == state.returns()
        results.add(tuple(game.payoffs(ours)))
    assert len(results) >= 2
    assert all(len(same) == 1 for same in texts.values())  # OpenSpiel's texts never say less
    leaks = any(len(same) > 1 for same in names.values())
    assert leaks == (text.startswith("dark_hex") and "abrupt" not in text)  # they count the moves of both


def test_texts_that_are_no_infosets():
    game = make("phantom_ttt")
    for player, name in ((2, "-"), (0, ""), (0, "z9"), (0, "b2 b2"), (0, "(b2"), (1, "a1  b1")):
        assert game.state_of(player, name) is None


@pytest.mark.parametrize("abrupt", [False, True])
def test_a_line_wins_on_boards_that_openspiel_does_not_have(abrupt):
    game = make("phantom_ttt", rows=2, columns=3, line=2, abrupt=abrupt)
    for cells, wins in (((0, 3, 1), 1), ((0, 1, 4), 1), ((0, 1, 3), 1), ((2, 1, 4), 1), ((0, 4, 2, 1), -1)):
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
        for cell in (cell for pair in zip_longest(stones, others) for cell in pair if cell is not None):
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
