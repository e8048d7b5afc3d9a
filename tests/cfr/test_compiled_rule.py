"""Rules of one's own as machine code: iterates, saving and resuming, what Numba does not understand."""

import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist._jit.compile import compiled_here
from equilibrist.cfr.rule_numpy import clear_scratch, new_matrix

RULES = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "rules.py"))
BUILT_IN = RULES["BUILT_IN"]
match = RULES["match"]
pytestmark = pytest.mark.slow  # each class is compiled: some five seconds


@cache
def mark(kind):
    """Return a class of rules, compiled, beside the one that is not."""
    return eq.compiled_rule(type(kind.__name__, (kind,), {}))


def make_rules(name):
    """Return the rule of a built-in algorithm, in NumPy and compiled."""
    kind = BUILT_IN[name]
    return kind(), mark(kind)()


class Signs:
    """Knows integers, booleans, scalars and tables; reads a number and an array from itself."""

    def __init__(self):
        self.step = 0.5
        self.weights = np.array([0.25, 0.75])

    def init(self, num_actions):
        return {
            "regret": np.zeros(num_actions),
            "count": 0,
            "table": np.zeros((2, num_actions)),
            "is_met": np.zeros(num_actions, bool),
            "last": np.zeros(num_actions),
            "before": np.zeros(num_actions),
        }

    def strategy(self, state, t):
        predicted = state["regret"] + (state["last"] + state["before"]) * self.weights[0]
        return match(predicted)

    def observe(self, state, strategy, values, t):
        value = (strategy * values).sum(axis=-1, keepdims=True)
        best = np.max(values, axis=1, keepdims=True)
        state["regret"] += values - value
        state["count"] += 1
        state["table"][:, t % 2] += self.step * strategy + best * t**-2
        state["is_met"] |= values > 0
        swapped = state["last"]
        state["last"] = values
        state["before"] = swapped


class Swapping(Signs):
    """Returns the arrays of the state under other names."""

    def observe(self, state, strategy, values, t):
        if t % 3 == 0:
            return None
        regret = state["regret"] + values
        return {
            "before": state["last"],
            "last": state["before"],
            "regret": regret,
            "count": state["count"] + t,
            "table": state["table"],
            "is_met": values > 0,
        }


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)"])
@pytest.mark.parametrize("kind", [Signs, Swapping])
def test_a_compiled_rule_plays_as_the_rule_in_numpy(kind, game, alternating):
    rules = kind(), mark(kind)()
    for rule in rules:
        rule.alternating = alternating
    expected, solution = (eq.solve(game, rule=rule, iterations=30) for rule in rules)
    assert solution.iterations == 30
    for name, array in expected.state.items():
        assert solution.state[name] == pytest.approx(array, abs=1e-12), name


@pytest.mark.parametrize("name", ["dcfr", "pdcfr+"])
def test_the_built_in_algorithms_play_the_same_compiled(name):
    rule, compiled = make_rules(name)
    expected, solution = (
        eq.solve("leduc(ranks=2, raises=1)", rule=each, iterations=40) for each in (rule, compiled)
    )
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12
    built_in = eq.solve("leduc(ranks=2, raises=1)", name, iterations=40)
    assert solution.exploitability == pytest.approx(built_in.exploitability, abs=1e-12)


@pytest.mark.parametrize("kind", [Signs, Swapping])
def test_rows_are_taken_a_block_at_a_time(kind, monkeypatch):
    """There are more infosets of a player with as many actions than a block has."""
    monkeypatch.setattr("equilibrist.cfr.rule_blocks.MOST_NUMBERS", 12)
    rules = kind(), mark(kind)()
    for rule in rules:
        rule.weights = np.arange(2.0)
    expected, solution = (
        eq.solve("liars_dice(faces=3)", rule=rule, iterations=10) for rule in rules
    )
    for name, array in expected.state.items():
        assert solution.state[name] == pytest.approx(array, abs=1e-12), name


def hand_on(array):
    return array


def choose(array, other, t):
    if t % 2:
        return array + 0.0
    return other


class Aliases(BUILT_IN["cfr"]):
    """Stores what shares memory with what is read: columns, arguments of functions, variables with two values."""

    def init(self, num_actions):
        names = ("regret", "first", "second", "third")
        return {name: np.zeros(num_actions) for name in names}

    def observe(self, state, strategy, values, t):
        state["regret"] += values
        state["regret"] -= state["regret"][:, :1]
        column = state["regret"][:, -1:]
        state["regret"] *= 1.0 + np.abs(column) / (1.0 + np.abs(column))
        kept = values
        if t % 3 == 0:
            kept = values * 2
        return {
            "regret": state["regret"],
            "first": hand_on(state["second"]),
            "second": choose(state["first"], state["third"], t),
            "third": kept,
        }


class Expressions(BUILT_IN["cfr"]):
    """Computes number by number and by row what stands in many ways."""

    def __init__(self):
        self.row = np.array([[0.5, 2.0]])

    def observe(self, state, strategy, values, t):
        mean = np.mean(values, axis=1, keepdims=True)
        least = values.min(axis=-1, keepdims=True)
        above = np.where(values > mean, values - mean, 0)
        below = np.where(values >= least + 1e-3, np.minimum(values, 1), -(values**2))
        ratio = (1 + above) / (2 + np.abs(below)) - 3 / (4 + t)
        weighted = np.maximum(ratio * self.row, least) + np.where(t > 2, 1.0, 0.5)
        both = 1 * (values <= 0.1) + 1 * (values < mean)
        state["regret"] += weighted * np.exp(-mean) + both
        state["regret"] /= 1.0 + t
        return {"regret": np.maximum(state["regret"], np.minimum(least, 0.25))}


@compiled_here
def take_twice(scratch):
    clear_scratch(scratch)
    first, second = new_matrix(5, 2, scratch), new_matrix(5, 2, scratch)
    first[:] = 1.0
    second[:] = 2.0
    return first.copy(), second.copy(), scratch[0]


def test_arrays_beyond_the_scratch_have_memory_of_their_own():
    numbers = np.full(50, -1.0)
    scratch = numbers[:30]  # of which 8 are kept, and 16 go to the first array
    first, second, taken = take_twice(scratch)
    assert taken == 24
    assert first.tolist() == [[1.0, 1.0]] * 5
    assert second.tolist() == [[2.0, 2.0]] * 5
    assert (numbers[8:18] == 1.0).all()
    assert (numbers[18:] == -1.0).all()


def shrink(array, *factors):
    for factor in factors:
        array = array * factor
    return array


def raise_slowly(array, rounds):
    for _ in range(rounds):
        array = np.maximum(array * 1.01, array + 0.001)
    return array


class Hungry(BUILT_IN["cfr"]):
    """Makes more arrays than there is scratch for, in functions that take any number of arguments or have two names."""

    def observe(self, state, strategy, values, t):
        other_name = raise_slowly
        rounds = 60
        state["regret"] += raise_slowly(values, rounds) - other_name(strategy, rounds=3)
        state["regret"] += shrink(np.minimum(values, 0.5), 0.5, 0.25)
        regret = np.zeros_like(values)
        for _ in range(40):
            regret = 0.5 * regret + state["regret"]
        return {"regret": regret}


@pytest.mark.parametrize("kind", [Aliases, Expressions, Hungry])
def test_expressions_come_to_what_numpy_makes_of_them(kind):
    expected, solution = (
        eq.solve("kuhn", rule=rule, iterations=12) for rule in (kind(), mark(kind)())
    )
    for name, array in expected.state.items():
        assert solution.state[name] == pytest.approx(array, abs=1e-12), name


def test_a_run_in_numpy_goes_on_as_machine_code():
    whole = eq.solve("kuhn", rule=Signs(), iterations=20)
    begun = eq.solve("kuhn", rule=Signs(), iterations=9)
    resumed = eq.solve("kuhn", rule=mark(Signs)(), iterations=20, resume=begun)
    for name, array in whole.state.items():
        assert resumed.state[name] == pytest.approx(array, abs=1e-12), name


@pytest.mark.parametrize("kind", [Aliases, Swapping])
def test_samples_are_learned_from_as_in_numpy(kind):
    expected, solution = (
        eq.solve("kuhn", rule=rule, iterations=40, sampling="external(batch=8)", seed=4)
        for rule in (kind(), mark(kind)())
    )
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12


@pytest.mark.parametrize("form", ["public", "cards"])
def test_a_compiled_rule_plays_on_other_forms(form):
    game = "leduc" if form == "public" else "rhode_island(ranks=3, suits=2, raises=1)"
    rule, compiled = make_rules("cfr")
    expected, solution = (
        eq.solve(game, rule=each, form=form, iterations=5) for each in (rule, compiled)
    )
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12


def test_a_saved_run_goes_on_to_the_same_bits(tmp_path):
    kind = mark(Signs)
    whole = eq.solve("kuhn", rule=kind(), iterations=30)
    eq.solve("kuhn", rule=kind(), iterations=11, save=tmp_path)
    resumed = eq.solve("kuhn", rule=kind(), iterations=30, resume=tmp_path)
    for name, array in whole.state.items():
        assert (resumed.state[name] == array).all(), name


def test_two_compiled_rules_are_compared_with_other_numbers():
    hedge = mark(RULES["Hedge"])
    comparison = eq.compare("kuhn", algorithms=[hedge(0.5), hedge(2.0), "cfr"], iterations=20)
    expected = eq.compare(
        "kuhn", algorithms=[RULES["Hedge"](0.5), RULES["Hedge"](2.0), "cfr"], iterations=20
    )
    reached = [run.trace[-1].exploitability for run in comparison.runs]
    assert reached == pytest.approx(
        [run.trace[-1].exploitability for run in expected.runs], abs=1e-12
    )


class Unknown(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        if t == 3:
            state["regret"] = values * np.nan
        else:
            state["regret"] = values


class TooMuch(BUILT_IN["cfr"]):
    def strategy(self, state, t):
        return np.full_like(state["regret"], 0.6)


class Narrow(BUILT_IN["cfr"]):
    def strategy(self, state, t):
        return state["regret"][:, :1]


class OtherShape(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        return {"regret": values[:, :1]}


class PastTheEnd(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        state["regret"][:, t] += 1.0


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Unknown, r"'regret' is nan for player 0 at '\w+' after iteration 3 on kuhn"),
        (TooMuch, r"in iteration 1 on kuhn: no probabilities that sum to 1"),
        (Narrow, r"strategy\(\) must return probabilities of shape \(infosets, actions\)"),
        (OtherShape, r"observe\(\) must return the arrays that init\(\) names"),
        (PastTheEnd, r"raised IndexError"),
    ],
)
def test_a_compiled_rule_that_goes_wrong_ends_the_run_with_a_sentence(kind, message):
    with pytest.raises(eq.AlgorithmError, match=message) as raised:
        eq.solve("kuhn", rule=mark(kind)(), iterations=20)
    assert not raised.value.wrong_use


class Sorting(BUILT_IN["cfr"]):
    def strategy(self, state, t):
        order = np.lexsort(state["regret"])
        return state["regret"][order]


class HandingOn(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        return dict(state)


class Super(BUILT_IN["cfr"]):
    def strategy(self, state, t):
        return super().strategy(None, t)


class Helped(BUILT_IN["cfr"]):
    def help(self, regret):
        return regret

    def strategy(self, state, t):
        return self.help(state["regret"])


class Remembering(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        self.last = values


class Misnamed(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        state["regrets"] += values


class Reshaping(BUILT_IN["cfr"]):
    def observe(self, state, strategy, values, t):
        state["regret"].reshape(-1)[0] += 1.0


class Texts(BUILT_IN["cfr"]):
    kind = "text"

    def strategy(self, state, t):
        if self.kind == "text":
            return state["regret"]
        return -state["regret"]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Sorting, r"does not understand strategy\(\) at line \d+: .*lexsort"),
        (HandingOn, r"observe\(\) at line \d+: observe\(\) must return a dictionary"),
        (Super, r"strategy\(\) at line \d+: it calls super\(\)"),
        (Helped, r"strategy\(\) at line \d+: it calls self.help\(\): make it a function"),
        (Remembering, r"observe\(\) at line \d+: it changes self.last"),
        (Misnamed, r"observe\(\) at line \d+: init\(\) names no array 'regrets'"),
        (Reshaping, r"observe\(\) at line \d+: it calls reshape\(\)"),
        (Texts, r"reads numbers and arrays from itself; got self.kind = 'text'"),
    ],
)
def test_what_numba_does_not_understand_is_said_in_a_sentence(kind, message):
    with pytest.raises(eq.AlgorithmError, match=message) as raised:
        eq.solve("kuhn", rule=mark(kind)(), iterations=2)
    assert "Leave @eq.compiled_rule out" in str(raised.value)


class ByActions(BUILT_IN["cfr"]):
    def init(self, num_actions):
        if num_actions == 2:
            return {"regret": np.zeros(num_actions)}
        return {"regret": np.zeros((num_actions, 1))}


def test_other_arrays_for_other_numbers_of_actions_are_refused():
    with pytest.raises(eq.AlgorithmError, match="for 2 and 3 actions they differ"):
        eq.solve("leduc(ranks=2)", rule=mark(ByActions)(), iterations=2)


def test_what_is_no_class_is_refused():
    with pytest.raises(eq.AlgorithmError, match="marks a class; got "):
        eq.compiled_rule(BUILT_IN["cfr"]())


def test_a_class_made_from_a_compiled_one_runs_in_numpy():
    compiled = mark(BUILT_IN["cfr"])

    class Sorted(compiled):
        def strategy(self, state, t):
            np.lexsort(state["regret"])  # which Numba does not know
            return super().strategy(state, t)

    assert eq.solve("kuhn", rule=Sorted(), iterations=2).iterations == 2
