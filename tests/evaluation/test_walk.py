"""The walk: values and best responses without a tree, against the sequence form, and bit for bit for all threads."""

import pickle
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameError, SolutionError
from equilibrist.form.limits import CompileBudget
from equilibrist.form.walk import python
from equilibrist.form.walk import walk as walks
from equilibrist.form.walk.interpreted import walk_part
from equilibrist.form.walk.walk import (
    WalkStoppedError,
    estimate_walk,
    make_profile,
    walk_values,
    walkable_rules,
)
from equilibrist.games.kuhn import Kuhn
from equilibrist.strategy.strategy import Strategy

GAMES = [
    "dark_hex(size=2)",
    "dark_hex(size=2, abrupt=True)",
    "goofspiel(cards=3, hidden=False, prizes='random', returns='points')",
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "liars_dice(faces=3)",
    "no_limit_leduc(stack=4)",
    "phantom_ttt(rows=2, columns=2, line=2)",
]


def random_strategy(game, *, zeros):
    """Return a compiled game and a strategy of it, in which some actions are never taken."""
    form = eq.compile_game(eq.load(game))
    rng = np.random.default_rng(3)
    weights = rng.random(form.num_actions)
    if zeros:
        weights[rng.random(form.num_actions) < 0.5] = 0.0
    return form, Strategy.from_form(form, form.average_from_sums(form.to_slots(weights)))


def check(form, game, strategy, **options):
    expected, result = (
        eq.evaluate(form, strategy),
        eq.evaluate(game, strategy, form="walk", **options),
    )
    assert result.value == pytest.approx(expected.value, abs=1e-12)
    assert result.best_response_value == pytest.approx(expected.best_response_value, abs=1e-12)
    assert result.nash_conv == pytest.approx(expected.nash_conv, abs=1e-12)
    assert result.exploitability == result.nash_conv / form.players
    assert result.zero_sum == expected.zero_sum
    return expected, result


@pytest.mark.thinned(3)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("zeros", [False, True])
def test_the_walk_equals_the_sequence_form(game, zeros):
    form, strategy = random_strategy(game, zeros=zeros)
    expected, result = check(form, game, strategy)
    if not zeros:  # nothing is cut
        assert (result.histories, result.infosets, result.slots) == (
            form.histories,
            form.num_infosets,
            form.slots,
        )
    else:
        assert result.histories < form.histories
    assert (result.best_response, result.losses) == (None, ())
    assert result.summary().keys() == expected.summary().keys()


@pytest.mark.slow
def test_uniform_play_of_phantom_tic_tac_toe_on_two_rows():
    game = "phantom_ttt(rows=2, columns=3)"
    form = eq.compile_game(eq.load(game))
    uniform = Strategy.from_form(form, form.average_from_sums(np.zeros(form.length)))
    _, result = check(form, game, uniform)
    assert (result.histories, result.infosets) == (358_645, 6_770)
    assert result.value[0] == pytest.approx(0.1, abs=1e-12)
    assert result.best_response_value == pytest.approx((0.4, 0.0), abs=1e-12)
    again = eq.evaluate(game, {}, missing="uniform", form="walk")
    assert again.best_response_value == result.best_response_value


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "dark_hex(size=2)", "liars_dice(faces=3)"])
def test_threads_change_no_bit(game, monkeypatch):
    monkeypatch.setattr(walks, "_BUDGET", 50)  # and neither does where a compiled call ends
    _, strategy = random_strategy(game, zeros=False)
    one, three = (
        eq.evaluate(game, strategy, form="walk", threads=threads).summary() for threads in (1, 3)
    )
    elsewhere = eq.evaluate(game, strategy, executor=Elsewhere()).summary()
    monkeypatch.setattr(walks, "ITEMS", 1)  # nor how the work is divided
    other = eq.evaluate(game, strategy, form="walk", threads=2).summary()
    for summary in (one, three, elsewhere, other):
        del summary["seconds"]
    assert one == three == elsewhere == other


def test_what_takes_days_is_refused_before_it_begins():
    with pytest.raises(
        GameError,
        match=r"push_fold\(seats=4\) is too large to walk: about .* years at most.* --lbr",
    ):
        eq.evaluate("push_fold(seats=4)", {}, missing="uniform", form="walk")
    with pytest.raises(GameError, match="is too large to walk"):
        eq.evaluate("push_fold(seats=4)", lambda decisions: decisions.legal, form="walk")


class Elsewhere(Executor):
    """An executor that sends calls and answers as other processes are sent them; the last call first."""

    def __init__(self):
        self.waiting, self.submitted = [], 0

    def submit(self, fn, /, *args, **kwargs):
        self.submitted += 1
        future = Future()
        future.result = self.all_done(future)
        self.waiting.append((future, pickle.dumps((fn, args, kwargs))))
        return future

    def all_done(self, future):
        def result(timeout=None):
            while self.waiting:
                waiting, call = self.waiting.pop()
                fn, args, kwargs = pickle.loads(call)
                waiting.set_result(pickle.dumps(fn(*args, **kwargs)))
            return pickle.loads(Future.result(future))

        return result


def test_what_an_executor_cannot_walk_is_refused():
    with pytest.raises(
        eq.AlgorithmError, match=r"executor must be a concurrent\.futures\.Executor.* got 3"
    ):
        eq.evaluate("kuhn", {}, missing="uniform", executor=3)
    with pytest.raises(
        SolutionError,
        match=r"what is compiled is evaluated in this process; got form='sequence': leave",
    ):
        eq.evaluate("kuhn", {}, missing="uniform", form="sequence", executor=Elsewhere())
    with pytest.raises(
        SolutionError,
        match=r"got <SequenceForm of kuhn.*: leave executor out, or form, and give the game",
    ):
        eq.evaluate(eq.compile_game(eq.load("kuhn")), {}, missing="uniform", executor=Elsewhere())
    with pytest.raises(SolutionError, match="lacks infosets"):
        eq.evaluate("kuhn", {}, executor=Elsewhere())


class InPython(Kuhn):
    """Kuhn poker whose compiled rules are not taken, as it has a method of its own."""

    def payoffs(self, state):
        return super().payoffs(state)


class Failing(Kuhn):
    def payoffs(self, state):
        raise ValueError("no payoffs")


@pytest.mark.parametrize("zeros", [False, True])
def test_rules_in_python_are_walked_elsewhere_with_the_same_bits(zeros):
    game = InPython(players=3)
    form, strategy = random_strategy(game, zeros=zeros)
    _, result = check(form, game, strategy)
    executor = Elsewhere()
    elsewhere = eq.evaluate(game, strategy, executor=executor)
    assert executor.submitted == 3 * 12  # parts
    whole, parts = result.summary(), elsewhere.summary()
    del whole["seconds"], parts["seconds"]
    assert whole == parts
    with pytest.raises(SolutionError, match=r"does not have \(1\): player 0 'Z'"):
        eq.evaluate(game, {(0, "Z"): {"bet": 1.0}}, missing="uniform", executor=Elsewhere())
    with pytest.raises(SolutionError, match=r"does not have \(1\): player 5 'Z'"):
        eq.evaluate(game, {(5, "Z"): {"bet": 1.0}}, missing="uniform", form="walk")


class Forgetful(InPython):
    """After a bet, players forget their cards."""

    def infoset(self, state):
        key = super().infoset(state)
        return key[1:] or key


def elsewhere(game):
    def start():
        return python.PythonWalk(game, 0, python.uniform_play, limits=CompileBudget())

    work = partial(eq.load, game), 0, Strategy.from_dict({}), "uniform", CompileBudget()
    return start, python.run_in_parts(start, Elsewhere(), walk_part, *work)


def test_what_a_walk_elsewhere_counts():
    start, parts = elsewhere(InPython())
    assert parts.walks == start().run()
    assert parts.walks.widest > 0


def test_a_walk_elsewhere_sees_who_forgets(monkeypatch):
    message = "player 0 comes to infoset 'pb' from several infosets or actions"
    with pytest.raises(GameError, match=message):
        eq.evaluate(Forgetful(), {}, missing="uniform", form="walk")
    monkeypatch.setattr(python, "MOST_SPLIT", 1)
    with pytest.raises(GameError, match=message):
        elsewhere(Forgetful())


def test_errors_of_rules_in_python_name_all_moves():
    with pytest.raises(
        GameError, match=r"failed after \['J', 'Q', 'pass', 'pass'\] with ValueError: no payoffs"
    ):
        eq.evaluate(Failing(), {}, missing="uniform", form="walk")


class InArrays(Kuhn):
    """Kuhn poker whose payoffs are arrays, counted."""

    asked = 0

    def payoffs(self, state):
        self.asked += 1
        return np.array(super().payoffs(state))


class Nested(Kuhn):
    def payoffs(self, state):
        return [[payoff] for payoff in super().payoffs(state)]


def test_rules_in_python_are_asked_once_about_each_end():
    game = InArrays()
    assert python.PythonWalk(
        game, 0, python.uniform_play, limits=CompileBudget()
    ).run().value == pytest.approx(1 / 8)
    assert game.asked == 30
    with pytest.raises(
        GameError, match=r"payoffs must be finite numbers; got \[\[-1\], \[1\]\] after"
    ):
        eq.evaluate(Nested(), {}, missing="uniform", form="walk")


def test_how_long_a_walk_takes_is_told_once():
    for game, strategy in (
        ("dark_hex(size=2)", lambda decisions: decisions.legal / 4),
        (InPython(), {}),
    ):
        texts = []
        with suppress(SolutionError):
            eq.evaluate(game, strategy, missing="uniform", form="walk", callbacks=texts.append)
        assert len([text for text in texts if "by random plays" in text]) == 1


def test_a_walk_grows_where_there_is_no_room(monkeypatch):
    game = "phantom_ttt(rows=2, columns=2, line=2)"
    form, strategy = random_strategy(game, zeros=False)
    whole = eq.evaluate(game, strategy, form="walk", threads=1)
    for name in ("_FIRST_HISTORIES", "_FIRST_GROUPS", "_FIRST_LEVELS"):
        monkeypatch.setattr(walks, name, 2)
    small = eq.evaluate(game, strategy, form="walk", threads=1)
    assert (small.value, small.best_response_value) == (whole.value, whole.best_response_value)
    assert small.histories == whole.histories == form.histories
    monkeypatch.setattr(walks, "free_memory", lambda: 1e-9)
    with pytest.raises(GameError, match="too large to walk: what player 0 cannot tell apart takes"):
        eq.evaluate(game, strategy, form="walk", threads=1)


def test_what_the_strategy_lacks():
    _, strategy = random_strategy("kuhn", zeros=False)
    rows = {key: row for key, row in strategy.items() if key != (1, "Qb")}
    with pytest.raises(
        SolutionError, match="lacks infosets of kuhn that it leads to, among them player 1 'Qb'"
    ):
        eq.evaluate("kuhn", rows, form="walk")
    expected = eq.evaluate("kuhn", rows, missing="uniform")
    result = eq.evaluate("kuhn", rows, missing="uniform", form="walk")
    assert result.best_response_value == pytest.approx(expected.best_response_value, abs=1e-12)
    with pytest.raises(SolutionError, match=r"infosets that kuhn does not have .* player 0 'Z'"):
        eq.evaluate("kuhn", {"Z": {"bet": 1.0}}, missing="uniform", form="walk")
    with pytest.raises(SolutionError, match=r"does not have \(1\): player 0 'Kb'"):
        eq.evaluate("kuhn", {(0, "Kb"): {"call": 1.0}}, missing="uniform", form="walk")
    named = eq.evaluate(
        "kuhn", {"Kb": {"call": 1.0}}, missing="uniform", form="walk"
    )  # which only player 1 has
    assert named.value == pytest.approx(
        eq.evaluate("kuhn", {"Kb": {"call": 1.0}}, missing="uniform").value, abs=1e-12
    )


def test_games_that_are_too_large_are_walked(monkeypatch):
    from equilibrist.errors import GameTooLargeError
    from equilibrist.evaluation import evaluate

    def too_large(*_, **__):
        raise GameTooLargeError("too large")

    monkeypatch.setattr(evaluate, "compile_any", too_large)
    result = eq.evaluate("dark_hex(size=2)", {}, missing="uniform")
    assert result.best_response_value == pytest.approx((1.0, 0.25), abs=1e-12)
    for game, options in (
        ("matching_pennies", {}),
        ("kuhn", {"limits": eq.Limits(histories=10)}),
        ("kuhn", {"off_path": True}),
    ):
        with pytest.raises(GameTooLargeError):
            eq.evaluate(game, {}, missing="uniform", **options)


def test_what_needs_infosets_is_refused():
    with pytest.raises(SolutionError, match="stores no infosets"):
        eq.evaluate("kuhn", {}, missing="uniform", form="walk", off_path=True)


def test_a_walk_stops_when_it_is_to():
    game = eq.load("kuhn")
    machine = walkable_rules(game)
    uniform = make_profile(
        game, machine, np.zeros((0, len(machine.start))), np.zeros(0), np.zeros(0)
    )
    with pytest.raises(WalkStoppedError):
        walk_values(game, machine, uniform, should_stop=lambda: True)
    assert estimate_walk(game).histories == pytest.approx(58, rel=0.1)


@pytest.mark.slow
def test_rules_that_become_part_of_the_kernel_change_no_bit(monkeypatch):
    _, strategy = random_strategy("dark_hex(size=2)", zeros=False)
    plain = eq.evaluate("dark_hex(size=2)", strategy, form="walk")
    monkeypatch.setattr(walks, "LEAST_INLINED", 0)
    inlined = eq.evaluate("dark_hex(size=2)", strategy, form="walk")
    assert (inlined.value, inlined.best_response_value) == (plain.value, plain.best_response_value)
