"""Samples drawn and added up by several threads: the same bits as by one."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.walk.build import compile_walk
from equilibrist.mccfr import iterations, table_lazy, threaded, update
from equilibrist.mccfr.sampling import find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from equilibrist.mccfr.table_lazy import LazyTable
from support.runs import without_seconds
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
    assert (one.nodes_touched, one.iteration) == (other.nodes_touched, other.iteration)
    mine, wanted = one.state_dict(), other.state_dict()
    assert mine.keys() == wanted.keys()
    assert [name for name in wanted if not np.array_equal(mine[name], wanted[name])] == []


SCHEMES = [
    "full(pruning='regret', prune_below=-5.0, batch=3)",
    "chance(batch=40)",
    "chance(batch=9, average='optimistic')",
    "chance(batch=9, pruning='zero-reach')",
    "chance(batch=20, baseline='history')",
    "external(batch=33)",
    "external(batch=20, average='lazy')",
    "external(batch=20, pruning='regret', prune_below=-5.0)",
    "external(batch=20, baseline='history', low_discrepancy=True)",
    "external(batch=20, one_deal=True)",
    "outcome(batch=50)",
    "outcome(batch=50, average='lazy', baseline='history')",
    "outcome(batch=50, baseline='infoset')",
    "average-strategy(batch=20, beta=5.0)",
    "average-strategy(batch=20, beta=5.0, average='lazy', baseline='infoset')",
    "public-chance(batch=9)",
    "external(batch=33, tree=False)",
    "outcome(batch=50, average='lazy', baseline='infoset', tree=False)",
    "chance(batch=9, tree=False)",
]
TREE_SCHEMES = SCHEMES[:-3]
RULES_SCHEMES = SCHEMES[-3:]  # whose kernels with threads take 8 s to compile


@pytest.mark.thinned(6)
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(
    "sampling",
    [*TREE_SCHEMES, *(pytest.param(scheme, marks=pytest.mark.slow) for scheme in RULES_SCHEMES)],
)
def test_each_sampling_gives_the_same_bits_in_several_threads(sampling, threads):
    one, several = solver_of("leduc", sampling), solver_of("leduc", sampling, threads=threads)
    for count in (7, 1, 12):
        one.run(count)
        several.run(count)
    assert_the_same(several, one)


@pytest.mark.thinned(12)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(
    ("sampling", "algorithm"),
    [
        pytest.param(sampling, algorithm, marks=pytest.mark.slow if rules else ())
        for rules, samplings in ((False, TREE_SCHEMES[3:9:2]), (True, RULES_SCHEMES[:2]))
        for sampling in samplings
        for algorithm in ("cfr", "dcfr", "pcfr+")
        if not ("regret" in sampling and algorithm == "pcfr+")  # whose regrets are never below 0
    ],
)
def test_small_rooms_and_a_resume_change_no_bit(sampling, algorithm, alternating, monkeypatch):
    """Everything is too small at first, and the run is saved half-way."""
    options = {"algorithm": algorithm, "alternating": alternating}
    whole = solver_of("leduc", sampling, **options)
    whole.run(20)
    monkeypatch.setattr(table_lazy, "_FIRST_SLOTS", 4)
    monkeypatch.setattr(iterations, "_FIRST_RECORDS", 4)
    monkeypatch.setattr(threaded, "_FIRST_WORDS", 4)
    solver = solver_of("leduc", sampling, threads=2, **options)
    solver.run(11)
    resumed = solver_of("leduc", sampling, threads=3, **options)
    resumed.load_state(solver.state_dict())
    resumed.run(9)
    assert_the_same(resumed, whole)


def test_a_table_that_begins_small_is_resumed_from_a_large_one(monkeypatch):
    sampling = "outcome(batch=50, average='lazy', baseline='infoset', tree=False)"
    whole = solver_of("leduc", sampling)
    whole.run(11)
    state = whole.state_dict()
    whole.run(9)
    monkeypatch.setattr(table_lazy, "_FIRST_SLOTS", 4)
    resumed = solver_of("leduc", sampling)
    resumed.load_state(state)
    resumed.run(9)
    assert_the_same(resumed, whole)


def test_threads_that_have_no_room_for_an_infoset_get_it_and_go_on(monkeypatch):
    """The room is made by Python; that the bits stay the same, slow tests say, whose kernels take 8 s to compile."""
    solver = solver_of("leduc", "external(batch=33, tree=False)", threads=2)
    rooms = []

    def run_turns(source, sampler, additions, team, schedule, turns, progress, limits):
        place, counters = progress
        if turns[0] == 0:
            rooms.append(len(sampler.slots.strategy))
            full = len(rooms) < 3
            counters[threaded._OUTCOME] = threaded.OUT_OF_SLOTS if full else threaded.DONE
            place[update.ITERATION] += not full

    monkeypatch.setattr(threaded, "run_turns", run_turns)
    solver.run(1)
    assert rooms == [rooms[0], 2 * rooms[0], 4 * rooms[0]]


@pytest.mark.slow
def test_a_batch_that_takes_long_is_left_and_drawn_again(monkeypatch):
    monkeypatch.setattr(threaded, "_CALL", 500)
    whole, solver = (
        solver_of("leduc", "external(batch=3000)"),
        solver_of("leduc", "external(batch=3000)", threads=2),
    )
    whole.run(6)
    stops = iter(range(10**9))
    solver.should_stop = lambda: next(stops) % 3 == 2
    left = 0
    while solver.iteration < 6:
        before = solver.state_dict()
        at = solver.iteration
        solver.run(6 - at)
        left += solver.iteration < 6
        if solver.iteration == at and np.array_equal(solver.state_dict()["place"], before["place"]):
            assert all(
                np.array_equal(array, before[name]) for name, array in solver.state_dict().items()
            )
            solver.should_stop = lambda: False
    assert left > 0
    assert_the_same(solver, whole)


@pytest.mark.slow
def test_new_infosets_are_entered_in_the_order_of_samples_however_often_they_pause(monkeypatch):
    sampling = "external(batch=300, tree=False)"
    whole, solver = solver_of("leduc", sampling), solver_of("leduc", sampling, threads=2)
    whole.run(3)
    monkeypatch.setattr(threaded, "_CALL", 0)
    asked, stops = [], 0
    solver.should_stop = lambda: (
        asked.append(None) or len(asked) in (5, 50, 90, 200)
    )  # a batch pauses 66 times at most
    while solver.iteration < 3:
        solver.run(3 - solver.iteration)
        stops += solver.iteration < 3
    assert len(asked) > 32  # also between parts whose infosets are entered
    assert stops > 0
    assert_the_same(solver, whole)


def test_pending_updates_of_a_simultaneous_run_are_saved(monkeypatch):
    """A run that is left between two players has infosets whose regrets are not added yet."""
    sampling = "external(batch=3000)"
    whole, solver = (
        solver_of("leduc", sampling, alternating=False, threads=threads) for threads in (1, 2)
    )
    whole.run(2)
    monkeypatch.setattr(threaded, "_CALL", 0)
    solver.should_stop = lambda: solver.state_dict()["place"][1] == 1
    solver.run(2)
    saved = solver.state_dict()
    assert saved["place"][1] == 1
    assert len(saved["touched"]) > 0
    again = solver_of("leduc", sampling, alternating=False, threads=3)
    again.load_state(saved)
    again.run(2)
    assert_the_same(again, whole)


@pytest.mark.slow
def test_ctrl_c_ends_a_threaded_run_and_it_goes_on():
    options = {"algorithm": "cfr", "sampling": "external(batch=256)", "seed": 1, "threads": 2}
    pressed = []

    def press(point):
        if not pressed and point.iteration > 4:
            pressed.append(point.iteration)
            os.kill(os.getpid(), signal.SIGINT)

    stopped = eq.solve("leduc", iterations=400, callbacks=press, **options)
    assert stopped.stop_reason == "interrupt"
    assert 4 < stopped.iterations < 400
    resumed = eq.solve(resume=stopped, iterations=400, threads=3)
    assert without_seconds(resumed) == without_seconds(
        eq.solve("leduc", iterations=400, **options | {"threads": 1})
    )


@pytest.mark.slow
def test_a_threaded_run_may_start_another_and_run_beside_others():
    options = {"algorithm": "cfr", "sampling": "external(batch=64)", "seed": 1}

    def solve_again(point):
        if point.iteration == 4:
            eq.solve("kuhn", iterations=20, threads=3, **options)

    wanted = without_seconds(eq.solve("leduc", iterations=60, **options))
    outer = eq.solve("leduc", iterations=60, threads=2, callbacks=solve_again, **options)
    assert without_seconds(outer) == wanted
    with ThreadPoolExecutor(3) as pool:
        runs = [
            pool.submit(eq.solve, "leduc", iterations=60, threads=2, **options) for _ in range(3)
        ]
        assert all(without_seconds(run.result()) == wanted for run in runs)
