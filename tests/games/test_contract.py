"""Every built-in game, and one of each kind from elsewhere, keeps the contract that a game of a user's must keep."""

import pytest

import equilibrist as eq
from equilibrist.game.contract import check_contract
from support.spelled import Spelled, end

MATRIX = "matrix(payoffs=[[1, -1], [0, 2]])"
LARGE = [
    "battleship(height=5, width=6, ships=(2, 3, 4), shots=12)",
    "goofspiel(cards=8, prizes='random')",
    "kuhn(players=3)",
    "leduc(players=5, ranks=6)",
    "liars_dice(dice=(3, 3))",
    "mini_euchre(cards=3, ranks=6)",
    "no_limit_leduc(stack=100)",
]


@pytest.mark.parametrize(
    "spec", [*(MATRIX if name == "matrix" else name for name in eq.GAMES), *LARGE]
)
def test_built_in_games(spec):
    game = eq.load(spec)
    check_contract(game, plays=20)
    assert str(eq.load(str(game))) == str(game)


@pytest.mark.parametrize(
    "spec", ["kuhn(cards=30)", "leduc", "leduc(merge_suits=False)", "liars_dice(dice=(2, 2))"]
)
def test_public_states_of_built_in_games(spec):
    check_contract(eq.load(spec).public_states(), plays=20)


@pytest.mark.slow
def test_games_from_elsewhere(tmp_path):
    eq.write_efg(eq.load("leduc(ranks=2)"), tmp_path / "leduc.efg")
    check_contract(eq.load(tmp_path / "leduc.efg"))
    pytest.importorskip("pyspiel")
    for name in ("leduc_poker", "goofspiel(num_cards=4)", "backgammon"):
        check_contract(eq.load(f"openspiel:{name}"), plays=5)


@pytest.mark.slow
def test_a_game_of_openspiel_that_is_too_large_is_refused_at_once():
    """Backgammon was walked for ever: no test of this package waits for ever."""
    pytest.importorskip("pyspiel")
    with pytest.raises(
        eq.GameError, match=r"too large to compile: about 1e\+30 .*sampling='outcome\(tree=False\)'"
    ):
        eq.check_game(eq.load("openspiel:backgammon"))


class Sees(Spelled):
    """A game with something on the table."""

    shown = (("pot", "3"),)

    def table(self, state, player):
        return list(self.shown)


def two(first, second):
    """Return a game in which player 0 moves twice."""
    return Spelled(1, (0, "x", {"a": (0, *first), "b": (0, *second)}))


ENDS = {"l": end(1), "r": end(2)}


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (
            two(("y", ENDS), ("y", {"l": end(1)})),
            r"all histories of infoset 'y' have the same actions, \['l",
        ),
        (
            two(("y", ENDS), ("y", ENDS)),
            r"infoset 'y' tells what player 0 has seen and done before \(perfect recall\)",
        ),
        (two(("y", {}), ("z", ENDS)), "nobody can move after"),
        (
            two(("y", ENDS), ("z", {"l": end(float("nan")), "r": end(0)})),
            "payoffs must be finite numbers",
        ),
        (two(([], ENDS), ([], ENDS)), "the rules failed after .* with TypeError: unhashable"),
        (two(("y", {1: end(0), "1": end(1)}), ("z", ENDS)), "two actions have the same name"),
    ],
)
def test_what_is_wrong_is_named(game, match):
    with pytest.raises(eq.GameError, match=f"^spelled: .*{match}"):
        check_contract(game)


def test_a_table_is_rows_of_texts():
    game = Sees(1, (0, "x", ENDS))
    check_contract(game)
    game.shown = (("pot", 3),)
    with pytest.raises(
        eq.GameError,
        match=r"table\(\) returns a list of pairs of texts, label and text; it is not after",
    ):
        check_contract(game)


def test_plays_end():
    endless = Spelled(1, None)
    tree = {}
    endless.tree = (0, "x", tree)
    tree["on"] = (0, "x", tree)
    with pytest.raises(eq.GameError, match=r"infoset .x. tells what player 0 has seen"):
        check_contract(endless)
