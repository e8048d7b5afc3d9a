"""Stopping in the middle of an iteration, and states that are checked before a kernel sees them."""

import json
import pickle

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.walk.build import compile_walk
from equilibrist.mccfr import iterations, threaded
from equilibrist.mccfr.sampling import find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from equilibrist.mccfr.table_lazy import LazyTable
from support.random_games import RandomGame
from support.solvers import variant


def solver_of(game, sampling, algorithm="lcfr", *, alternating=True, **options):
    scheme, rules = find_sampling(sampling), eq.load(game)
    table = (
        make_table(eq.compile_game(rules, keep_tree=True))
        if scheme.tree
        else LazyTable(compile_walk(rules))
    )
    return MonteCarloCFR(
        table, variant(algorithm, alternating=alternating), scheme, seed=3, **options
    )


def assert_the_same(one, other):
    assert one.nodes_touched == other.nodes_touched
    assert one.iteration == other.iteration
    mine, wanted = one.state_dict(), other.state_dict()
    assert mine.keys() == wanted.keys()
    assert all(np.array_equal(mine[name], wanted[name]) for name in wanted)


@pytest.mark.slow
@pytest.mark.parametrize("calls", [1, 2, 50, 333])
@pytest.mark.parametrize("alternating", [True, False])
def test_a_sample_of_rules_in_python_is_left_at_any_history(calls, alternating):
    game, sampling = RandomGame(21, players=2, depth=5), "chance(tree=False, batch=5)"
    solver = solver_of(game, sampling, alternating=alternating)
    assert solver.table.interpreted
    asked = iter(range(calls))
    solver.should_stop = lambda: next(asked, None) is None
    solver.run(40)
    assert solver.iteration < 40
    solver.should_stop = lambda: False
    solver.run(40 - solver.iteration)
    whole = solver_of(game, sampling, alternating=alternating)
    whole.run(40)
    assert_the_same(solver, whole)


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "sampling", ["external(batch=40)", "outcome(batch=9, baseline='infoset', tree=False)"]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_long_batch_is_drawn_in_parts_and_left_between_two(sampling, threads, monkeypatch):
    whole = solver_of("leduc", sampling)
    whole.run(20)
    monkeypatch.setattr(iterations, "_SLOW", -1.0)  # everything takes long
    monkeypatch.setattr(threaded, "_CALL", 0)
    monkeypatch.setattr(iterations, "_FIRST_RECORDS", 4)
    solver = solver_of("leduc", sampling, threads=threads)
    stops = 0

    def every_third_time():
        nonlocal stops
        stops += 1
        return stops % 3 == 0

    for _ in range(5):
        solver.run(1)
    solver.should_stop = every_third_time
    solver.run(15)
    assert solver.iteration < 20
    solver.should_stop = lambda: False
    solver.run(20 - solver.iteration)
    assert stops > 2
    assert_the_same(solver, whole)


def test_a_very_long_batch_is_left():
    solver = solver_of("kuhn", "external(batch=1000000000)")
    solver.should_stop = lambda: True
    solver.run(1)
    assert (solver.iteration, solver.nodes_touched) == (0, 0)


def test_nothing_is_asked_where_iterations_are_short():
    solver = solver_of("leduc", "external")
    solver.should_stop = lambda: pytest.fail("asked")
    solver.run(100)


def test_the_state_of_rules_in_python_names_their_infosets():
    game = RandomGame(21, players=2, depth=5)
    solver = solver_of(game, "external(tree=False)")
    solver.run(30)
    again = solver_of(game, "external(tree=False)")
    again.load_state(solver.state_dict())
    assert again.strategy() == solver.strategy()
    again.run(30)
    solver.run(30)
    assert_the_same(again, solver)


SETTINGS = [
    ("leduc", "external(baseline='infoset')"),
    ("leduc", "external(tree=False, baseline='infoset')"),
    (RandomGame(21, players=2, depth=5), "chance(tree=False)"),
]


def after(game, sampling, iteration=30):
    solver = solver_of(game, sampling)
    solver.run(iteration)
    return solver.state_dict()


def names(text):
    return np.frombuffer(json.dumps(text).encode(), np.uint8)


DAMAGES = {
    "missing": lambda state: state.pop("strategy"),
    "new": lambda state: state.update(other=np.zeros(3)),
    "kind": lambda state: state.update(regret_sum=state["regret_sum"].astype(np.float32)),
    "axes": lambda state: state.update(strategy_sum=state["strategy_sum"][None]),
    "short": lambda state: state.update(parent_sum=state["parent_sum"][:-1]),
    "all short": lambda state: state.update(
        {n: a[:-1] for n, a in state.items() if len(a) == len(state["strategy"])}
    ),
    "not a number": lambda state: state["regret_sum"].__setitem__(5, np.nan),
    "infinite": lambda state: state["strategy_sum"].__setitem__(5, np.inf),
    "negative": lambda state: state["strategy_sum"].__setitem__(5, -1.0),
    "no probability": lambda state: state["strategy"].__setitem__(5, 1.5),
    "no strategy": lambda state: state["strategy"].__setitem__(slice(2, 8), 0.0),
    "parent": lambda state: state["parent_slot"].__setitem__(5, 10**9),
    "parent below 0": lambda state: state["parent_slot"].__setitem__(5, -1),
    "the future": lambda state: state["updated"].__setitem__(5, 10**6),
    "player": lambda state: state["place"].__setitem__(1, 2),
    "iteration": lambda state: state["place"].__setitem__(0, 0),
    "touched": lambda state: state["place"].__setitem__(2, 3),
    "touched nowhere": lambda state: (
        state["place"].__setitem__(2, 1),
        state.update(
            touched=np.array([[10**9, 2]]), instant_regret=np.zeros(len(state["strategy"]))
        ),
    ),
    "nodes": lambda state: state["place"].__setitem__(3, -1),
    "baseline": lambda state: state.update(baseline=np.zeros((len(state["baseline"]) + 1, 2))),
}
LAZY = {
    "slot": lambda state: state["slot"].__setitem__(-1, 0),
    "first slot": lambda state: state["slot"].__setitem__(0, 1),
    "states": lambda state: state.update(states=state["states"][:, 1:]),
    "length of a key": lambda state: state["keys"].__setitem__(1, 10**9),
    "owner of a key": lambda state: state["keys"].__setitem__(2, 7),
    "keys cut off": lambda state: state.update(keys=state["keys"][:-2]),
    "the same key twice": lambda state: state.update(
        keys=np.tile(state["keys"][:8], len(state["keys"]) // 8)
    ),
}
IN_PYTHON = {
    "no text": lambda state: state.update(infosets=np.full(10, 255, np.uint8)),
    "no list": lambda state: state.update(infosets=names({"a": 1})),
    "player": lambda state: state.update(infosets=names([[9, "a", ["b"]]])),
    "fewer": lambda state: state.update(infosets=names([[0, "a", ["b"]]])),
    "twice": lambda state: state.update(infosets=names([[0, "a", ["b"]], [0, "a", ["b"]]])),
}


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    ("setting", "damage"),
    [(setting, damage) for setting in SETTINGS for damage in DAMAGES.values()]
    + [(SETTINGS[1], damage) for damage in LAZY.values()]
    + [(SETTINGS[2], damage) for damage in IN_PYTHON.values()],
    ids=[f"{setting} {damage}" for setting in ("tree", "rules", "python") for damage in DAMAGES]
    + [f"rules, {damage}" for damage in LAZY]
    + [f"python, {damage}" for damage in IN_PYTHON],
)
def test_a_damaged_state_is_refused(setting, damage):
    state = after(*setting)
    damage(state)
    with pytest.raises(
        eq.SolutionError, match=r"The saved run holds other arrays than a run on .* Start afresh"
    ):
        solver_of(*setting).load_state(state)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting[0]} {setting[1]}")
def test_a_state_of_other_settings_is_refused(setting):
    game, sampling = setting
    other = "outcome" if "tree" not in sampling else "outcome(tree=False)"
    with pytest.raises(eq.SolutionError, match="Start afresh"):
        solver_of("kuhn", other).load_state(after(game, sampling))


def test_stop_of_solve_is_heard_in_the_middle_of_a_sample():
    asked = 0

    class Counted(RandomGame):
        def next(self, state, action):
            nonlocal asked
            asked += 1
            return super().next(state, action)

    game = Counted(21, players=2, depth=5)
    solution = eq.solve(
        game,
        sampling="chance(tree=False, batch=100000)",
        callbacks=eq.Callbacks(should_stop=lambda: asked > 3000),
        iterations=9,
    )
    assert solution.stop_reason == "stop"
    assert solution.iterations == 0
    assert asked < 3100


def test_what_is_solved_without_a_tree_is_pickled_and_goes_on():
    options = {"algorithm": "cfr", "sampling": "external(tree=False)", "seed": 1}
    solution = eq.solve("leduc", iterations=100, **options)
    text = pickle.dumps(solution.strategy)
    assert pickle.loads(text) == solution.strategy
    assert len(text) < 20_000 + 100 * len(solution.strategy)
    resumed = eq.solve(resume=pickle.loads(pickle.dumps(solution)), iterations=150)
    assert resumed.strategy == eq.solve("leduc", iterations=150, **options).strategy
