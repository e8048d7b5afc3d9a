"""Games by name: the tables of the package are imported when used, and other distributions go on with them."""

import re
import subprocess
import sys

import pytest

import equilibrist as eq
from equilibrist.games import registry

GAMES = '''
from equilibrist.games.kuhn import Kuhn


class Coins:
    """Two coins: player 0 wins if they match."""

    players = 2

    def __init__(self, prize=1):
        if prize == 13:
            raise ValueError("an unlucky number.")
        self.prize = prize

    def __str__(self): return f"two_coins(prize={self.prize})"
    def start(self): return ""
    def player(self, state): return len(state) if len(state) < 2 else -2
    def actions(self, state): return ["h", "t"]
    def probabilities(self, state): return []
    def next(self, state, action): return state + action
    def payoffs(self, state):
        won = self.prize if state in ("hh", "tt") else -self.prize
        return [won, -won]
    def infoset(self, state): return "coin"


class NoGame:
    """Not a game."""


def read_coins(path):
    with open(path, encoding="utf-8") as file:
        return Coins(prize=int(file.read()))


LIST = [Coins]
'''
ENTRIES = """
[equilibrist.games]
two_coins = stranger.games:Coins
kuhn = stranger.games:Coins
no_game = stranger.games:NoGame
a_list = stranger.games:LIST
lacking = stranger.games:Missing
broken = stranger.broken:Game
.2coins = stranger.games:read_coins
"""


@pytest.fixture
def stranger(tmp_path, monkeypatch):
    """Install a distribution that brings games, some of them broken."""
    package = tmp_path / "stranger"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "games.py").write_text(GAMES)
    (package / "broken.py").write_text("import a_library_that_is_not_there\n")
    about = tmp_path / "strange_games-2.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-games\nVersion: 2.1\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "stranger"]:
        del sys.modules[name]


@pytest.mark.parametrize("spec", ["two_coins", "Two-Coins", "two_coins(prize=1)"])
def test_a_game_of_another_distribution_is_loaded_by_its_name(stranger, spec):
    game = eq.load(spec)
    assert type(game).__module__ == "stranger.games"
    assert str(game) == "two_coins(prize=1)"


def test_a_game_of_another_distribution_is_solved_and_saved(stranger, tmp_path):
    """Matching coins: both play half and half, and nobody earns anything."""
    solution = eq.solve("two_coins(prize=3)", until=1e-6, save=tmp_path / "run")
    assert solution.value == pytest.approx((0, 0), abs=1e-6)
    assert solution.strategy[0, "coin"]["h"] == pytest.approx(0.5, abs=1e-6)
    again = eq.load_solution(tmp_path / "run")
    assert again.game == "two_coins(prize=3)"
    assert eq.evaluate(again.game, again.strategy).exploitability < 1e-5


def test_files_with_a_suffix_of_another_distribution(stranger):
    path = stranger / "five.2coins"
    path.write_text("5")
    assert eq.load(path).payoffs("hh") == [5, -5]
    path.write_text("five")
    with pytest.raises(
        eq.GameError, match=r"'\.2coins' of the distribution strange-games 2\.1 .*: reading '.*"
    ) as refused:
        eq.load(path)
    assert str(refused.value).count(". ") == 0


def test_a_built_in_game_keeps_its_name(stranger):
    assert type(eq.load("kuhn")) is type(eq.load("kuhn_poker")) is eq.GAMES["kuhn"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "broken",
            r"'broken' of the distribution strange-games 2\.1 \(stranger\.broken:Game\): importing it "
            r"failed with ModuleNotFoundError: No module named 'a_library_that_is_not_there'\.",
        ),
        ("lacking", r"importing it failed with AttributeError: module 'stranger\.games' has no .*"),
        ("a_list", r"'a_list' of .* cannot be used: it is no class or function, but \[.*\]\."),
        ("two_coins(prize=13)", r"making it failed with ValueError: an unlucky number\."),
        ("two_coins(price=2)", r"two_coins has no parameter 'price'; it takes prize\."),
        ("no_game", r"An object of type 'NoGame' is not a game: it has no players, .*"),
        ("two_coin", r"There is no game 'two_coin'\. Did you mean 'two_coins'\?"),
    ],
)
def test_what_is_wrong_with_a_game_of_another_distribution_is_one_sentence(stranger, spec, message):
    with pytest.raises(eq.GameError) as refused:
        eq.load(spec)
    assert re.search(f"{message}$", str(refused.value))


def test_games_lists_those_of_other_distributions(stranger, run, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # as where the output goes to another program
    listed = run("games")
    assert "two_coins\tprize=1\tTwo coins: player 0 wins if they match." in listed.out
    assert "broken\t\t'broken' of the distribution strange-games 2.1" in listed.out
    assert ".2coins" not in listed.out
    names = [line.partition("\t")[0] for line in listed.out.splitlines()[1:-1]]
    assert names == [*registry.BUILT_IN, "a_list", "broken", "lacking", "no_game", "two_coins"]


def test_a_table_names_all_and_imports_one():
    """Neither the package nor a game of its own loads hold'em, nor does it take a name to be looked up."""
    program = """
import sys
import equilibrist as eq
from equilibrist.games.registry import BUILT_IN, CARD_GAMES, find_game
assert set(eq.GAMES) | {"holdem", "nlhe", "omaha", "preflop", "push_fold"} == set(BUILT_IN)
assert find_game("texas", {}) == ("holdem", {})
eq.load("kuhn")
print(*(name for name in sys.modules if name.startswith("equilibrist.poker.spot")))
print(CARD_GAMES["holdem"].name, "equilibrist.poker.omaha" in sys.modules)
"""
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert output == "\nholdem False\n"


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_built_in_game_stands_where_the_table_says(name):
    game = registry.BUILT_IN[name]
    assert game.name == name
    assert isinstance(game, type)
