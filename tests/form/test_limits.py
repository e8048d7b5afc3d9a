"""Limits of compiling: a count that the user gives, the memory there is, and what random plays tell beforehand."""

import math

import pytest

import equilibrist as eq
from equilibrist.form import build_jit, build_python, limits
from equilibrist.form.build import compile_within
from equilibrist.form.limits import Limits
from equilibrist.form.projection import project


class Wide:
    """Each of so many moves has so many actions; the payoff tells nothing of them."""

    players = 2

    def __init__(self, moves, actions):
        self.moves, self.choices = moves, range(actions)

    def start(self):
        return ()

    def player(self, state):
        return len(state) % 2 if len(state) < self.moves else -2

    def actions(self, state):
        return self.choices

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return (1, -1)

    def infoset(self, state):
        return str(state)


def test_the_projection_of_an_even_game_is_exact():
    found = project(eq.load("goofspiel(cards=5)"), max_depth=1000)
    assert found.expected == pytest.approx(26_931)
    assert found.least == pytest.approx(26_931)


@pytest.mark.parametrize("spec", ["leduc", "kuhn(players=3)", "liars_dice(faces=3)", "battleship"])
def test_the_projection_is_careful(spec):
    histories = eq.check_game(eq.load(spec)).histories
    found = project(eq.load(spec), max_depth=1000)
    assert found.least < histories
    assert 0.2 < found.expected / histories < 5


def test_rules_that_fail_are_not_projected():
    game = Wide(3, 3)
    game.player = None
    assert project(game, max_depth=10) is None


def test_there_is_no_limit_but_the_memory(monkeypatch):
    monkeypatch.setattr(build_jit, "REPORT_EVERY", 1000)
    game = eq.load("goofspiel(cards=5)")
    assert compile_within(game, Limits(memory=0.1), keep_tree=False).histories == 26_931
    with pytest.raises(eq.GameError, match=r"too large to compile: the [\d,]+ histories found so far take .* GB, and"):
        compile_within(game, Limits(memory=1e-4), keep_tree=False)


def test_rules_in_python_are_limited_by_the_memory(monkeypatch):
    monkeypatch.setattr(build_python, "REPORT_EVERY", 100)
    with pytest.raises(eq.GameError, match=r"histories found so far take .* GB, and there are 1e-05 GB of memory"):
        compile_within(Wide(6, 4), Limits(memory=1e-5), keep_tree=False)


def test_a_game_that_cannot_be_compiled_is_refused_early():
    match = (
        r"Wide is too large to compile: about 1e\+30 or more histories would take .*sampling='outcome\(tree=False\)'"
    )
    with pytest.raises(eq.GameError, match=match):
        eq.compile_game(Wide(80, 10))
    with pytest.raises(eq.GameError, match=r"more than 1,000,000 histories, about .* Raise max_histories"):
        eq.compile_game(Wide(80, 10), max_histories=1_000_000)


def test_the_size_is_told_beforehand(monkeypatch):
    monkeypatch.setattr(build_python, "_PROJECT_AT", 10)
    told = []
    game = Wide(5, 4)
    form = compile_within(game, Limits(say=told.append), keep_tree=False)
    assert told == [f"Compiling Wide: about {form.histories:,} histories, 0.00027 GB"]


def test_public_states_are_limited_by_the_memory(monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 1e-6)
    monkeypatch.setattr("equilibrist.form.build_public._REPORT_EVERY", 4)
    with pytest.raises(eq.GameError, match=r"public states found so far take .* GB"):
        eq.compile_public(eq.load("leduc").public_states())


@pytest.mark.parametrize("count", [0, -1, 2.5, "many", math.inf])
def test_limits_are_whole_numbers(count):
    with pytest.raises(eq.GameError, match="max_histories must be a whole number, 1 or more, or None"):
        eq.compile_game(eq.load("kuhn"), max_histories=count)
    with pytest.raises(eq.GameError, match="max_depth must be a whole number, 1 or more"):
        eq.compile_game(eq.load("kuhn"), max_depth=count)


class Queue:
    """Players decide in turn whether to stop: n players have 2n + 1 histories."""

    def __init__(self, players):
        self.players = players

    def start(self):
        return ()

    def player(self, state):
        return -2 if len(state) == self.players or "stop" in state else len(state)

    def actions(self, state):
        return ("stop", "go")

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return [float(player == len(state) - 1) for player in range(self.players)]

    def infoset(self, state):
        return "turn"


@pytest.mark.parametrize("sampling", ["full", "external", "external(tree=False)"])
@pytest.mark.parametrize("players", [1, 2, 18, 24, 100])
def test_many_players_start_at_once(players, sampling):
    solution = eq.solve(Queue(players), iterations=3, sampling=sampling)
    assert solution.histories in (2 * players + 1, None)
    assert solution.players == players


def test_a_public_game_is_compiled_into_public_states_once(monkeypatch):
    from equilibrist.form.build_public import _Compiler
    from equilibrist.solving.prepare import prepare

    runs = []
    run = _Compiler.run
    monkeypatch.setattr(_Compiler, "run", lambda self: runs.append(self.name) or run(self))
    game = eq.load("leduc").public_states()
    form, _ = prepare(game, form="sequence")
    assert form.kind == "sequence"
    assert len([name for name in runs if name == str(game) or "leduc" in name.lower()]) <= 1
