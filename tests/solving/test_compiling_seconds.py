"""``seconds=`` bounds compiling, too: counted by a clock that moves goes by, so that no machine is too slow for it."""

import sys
import time

import pytest

import equilibrist as eq
from equilibrist.form.limits import CompilingTimeError
from equilibrist.form.projection import estimate_histories

MOVES = 14
HISTORIES = 2 ** (MOVES + 1) - 1
EACH = 1e-3  # seconds that a move takes


class Clock:
    """A clock that stands still but for the moves that are made."""

    def __init__(self):
        self.now = 1e6
        self.moves = 0

    def __call__(self):
        return self.now

    def go_on(self):
        self.moves += 1
        self.now += EACH


class Slow:
    """A game of so many moves of two actions, each of which takes a thousandth of a second: 33 s in all."""

    players = 2

    def __init__(self, clock):
        self.clock = clock

    def start(self):
        return ""

    def player(self, state):
        return len(state) % 2 if len(state) < MOVES else -2

    def actions(self, state):
        return "ab"

    def probabilities(self, state):
        return []

    def next(self, state, action):
        self.clock.go_on()
        return state + action

    def payoffs(self, state):
        sign = 1 if state.count("a") % 2 else -1
        return (sign, -sign)

    def infoset(self, state):
        return state


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(time, name, clock)
    return clock


@pytest.mark.parametrize("seconds", [4.0, 12.0])
def test_seconds_bound_compiling(clock, seconds):
    with pytest.raises(CompilingTimeError, match=rf"not compiled within {seconds:g} s") as raised:
        eq.solve(Slow(clock), "cfr", seconds=seconds)
    assert "histories were found" in str(raised.value)
    assert "\n" not in str(raised.value)
    # Plays at random, at the start and once more, tell how large the game is: they are not counted. There are ten looks
    # in a second.
    played = 2 * moves_of_projection()
    assert seconds / EACH <= clock.moves <= 1.1 * seconds / EACH + played


def moves_of_projection():
    counted = Clock()
    estimate_histories(Slow(counted), max_depth=1000)
    return counted.moves


def test_a_second_is_allowed_however_short_the_run_is(clock):
    with pytest.raises(CompilingTimeError, match="not compiled within 1 s"):
        eq.solve(Slow(clock), "cfr", seconds=0.01)
    assert clock.moves >= 1 / EACH


@pytest.mark.slow
@pytest.mark.parametrize("limits", [{"iterations": 3}, {"iterations": 3, "seconds": 120.0}])
def test_enough_seconds_or_none_compile_it(clock, limits):
    solution = eq.solve(Slow(clock), "cfr", **limits)
    assert solution.iterations == 3
    assert solution.infosets == 2**MOVES - 1


@pytest.mark.slow
def test_what_is_resumed_is_compiled_whatever_it_takes(clock):
    begun = eq.solve(Slow(clock), "cfr", iterations=3)
    more = eq.solve(Slow(clock), resume=begun, seconds=2.0, iterations=5)
    assert more.iterations == 5


IN_A_FILE = """
import time
from solving_slow import Slow

class Counted(Slow):
    def __init__(self):
        super().__init__(time.perf_counter)
"""


def test_a_run_of_a_batch_is_bounded_likewise(clock, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "solving_slow", sys.modules[__name__])
    path = tmp_path / "slow.py"
    path.write_text(IN_A_FILE)
    study = {"game": f"{path}:Counted", "algorithm": "cfr", "seconds": 4.0}
    (record,) = eq.batch(study, trust=True).records
    assert record["state"] == "failed"
    assert "not compiled within 4 s" in record["error"]
    assert clock.moves < HISTORIES / 2


def test_a_comparison_is_bounded_likewise(clock):
    """As its docstring says: seconds that are given bound the time of compiling as well."""
    with pytest.raises(CompilingTimeError, match="not compiled within 4 s"):
        eq.compare(Slow(clock), algorithms="cfr", seconds=4.0)
    assert clock.moves < HISTORIES / 2
