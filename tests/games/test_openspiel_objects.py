"""Games of OpenSpiel that are at hand as objects, through every function that takes a game."""

import pickle

import pytest

import equilibrist as eq
from equilibrist.games.openspiel import OpenSpielGame

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel, of the extra 'openspiel'")

HIDE = [[0.0, 2.0], [1.0, 0.0]]
RPS_OF_ANOTHER_PAYOFF = [[0.0, -2.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]


def matrix(name, rows):
    actions = [str(number) for number in range(len(rows))]
    return pyspiel.create_matrix_game(
        name, name, actions, actions, rows, [[-x for x in row] for row in rows]
    )


def from_efg(tmp_path):
    path = tmp_path / "kuhn.efg"
    eq.write_efg(eq.load("kuhn"), path)
    return pyspiel.load_efg_game(path.read_text())


# The object; the first player's value; and whether a text makes it again. By hand: who hides plays the first row with
# p = 1/3, where 1 − p = 2p; the columns of the other matrix are played as 4 : 3 : 5, against which each row wins −1/12.
OBJECTS = {
    "a matrix": (lambda _: matrix("hide", HIDE), 2 / 3, False),
    "a matrix with the name of another": (
        lambda _: matrix("matrix_rps", RPS_OF_ANOTHER_PAYOFF),
        -1 / 12,
        False,
    ),
    "turns of such a matrix": (
        lambda _: pyspiel.convert_to_turn_based(matrix("hide", HIDE)),
        2 / 3,
        False,
    ),
    "a tree": (from_efg, -1 / 18, False),
    "a game by name": (lambda _: pyspiel.load_game("kuhn_poker"), -1 / 18, True),
    "turns by name": (lambda _: pyspiel.load_game_as_turn_based("matrix_rps"), 0, True),
    "parameters": (lambda _: pyspiel.load_game("kuhn_poker", {"players": 2}), -1 / 18, True),
}


@pytest.fixture(params=OBJECTS)
def at_hand(request, tmp_path):
    make, value, has_text = OBJECTS[request.param]
    return make(tmp_path), value, has_text


@pytest.mark.thinned(7)
def test_every_function_takes_it(at_hand, tmp_path):
    game, value, has_text = at_hand
    assert eq.exact(game).value[0] == pytest.approx(value, abs=1e-9)
    solution = eq.solve(game, iterations=200)
    assert solution.value[0] == pytest.approx(value, abs=solution.nash_conv + 1e-9)
    wrapped = OpenSpielGame(game)
    assert (wrapped.has_text, str(wrapped)) == (has_text, solution.game)
    for same in (game, wrapped):
        assert eq.evaluate(same, solution.strategy).nash_conv == pytest.approx(
            solution.nash_conv, abs=1e-12
        )
    eq.write_efg(eq.load(game), tmp_path / "game.efg")
    assert eq.exact(str(tmp_path / "game.efg")).value[0] == pytest.approx(value, abs=1e-9)
    policy = solution.strategy.to_openspiel(game)
    assert eq.Strategy.from_openspiel(policy) == solution.strategy


@pytest.mark.thinned(7)
def test_a_run_is_saved_loaded_and_resumed(at_hand, tmp_path):
    game, _, has_text = at_hand
    solution = eq.solve(game, iterations=10, save=tmp_path / "run")
    again = eq.load_solution(tmp_path / "run", game)
    assert again.nash_conv == solution.nash_conv
    further = eq.solve(game, iterations=30, resume=tmp_path / "run")
    assert further.nash_conv == eq.solve(game, iterations=30).nash_conv
    other = matrix("hide", [[0.0, 3.0], [1.0, 0.0]])
    with pytest.raises(eq.EquilibristError):
        eq.solve(other, iterations=30, resume=tmp_path / "run")
    if has_text:
        assert str(eq.load(solution.game)) == solution.game
    else:
        with pytest.raises(
            eq.GameError,
            match=r"was an object of OpenSpiel, which no text makes again: give the obj",
        ):
            eq.load(solution.game)


def test_other_processes_take_what_a_text_makes_again(at_hand):
    game, _, has_text = at_hand
    wrapped = OpenSpielGame(game)
    if has_text:
        assert str(pickle.loads(pickle.dumps(wrapped))) == str(wrapped)
    else:
        with pytest.raises(eq.GameError, match="cannot be sent to other processes"):
            pickle.dumps(wrapped)


def test_what_is_no_game_of_openspiel():
    with pytest.raises(
        eq.GameError, match=r"A game of OpenSpiel is a text, 'leduc_poker', or an object .* got 3"
    ):
        OpenSpielGame(3)
    with pytest.raises(eq.GameError, match="mean-field game"):
        eq.solve(pyspiel.load_game("mfg_crowd_modelling"), iterations=1)
