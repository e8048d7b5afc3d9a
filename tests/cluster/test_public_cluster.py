"""A public game over several actors: the bits of one machine, whatever their number, and whatever dies meanwhile."""

import os
import signal
from functools import partial

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cluster.actors import ActorDiedError, ProcessActors
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.cluster.public import PublicSplit
from support.actors import Counted, Counter, Here, bits, run_saving
from support.solvers import variant
from support.systems import signals

GAMES = ("liars_dice(faces=4)", "liars_dice(dice=(2, 1), faces=3)", "leduc", "kuhn")


def compiled(spec):
    return eq.compile_public(eq.load(spec).public_states())


def in_cluster(
    form, count, *, actors=None, most=None, algorithm="dcfr", alternating=True, **options
):
    split = PublicSplit(form, count, max_subtree_slots=most)
    return ClusterCFR(
        split, variant(algorithm, alternating=alternating), actors=actors or Here(), **options
    )


@pytest.mark.thinned(4)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("algorithm", "alternating", "precision"),
    [
        ("dcfr", True, "float64"),
        ("pcfr+", False, "float64"),
        pytest.param("pcfr+", True, "float32", marks=pytest.mark.slow),
    ],
)
def test_the_bits_are_those_of_one_machine(game, algorithm, alternating, precision):
    form = compiled(game)
    options = {"precision": precision}
    chosen = variant(algorithm, alternating=alternating)
    alone = PublicCFR(form, chosen, **options)
    for count, threads, most in (
        (1, 1, None),
        (2, 1, None),
        (3, 2, None),
        (4, 1, form.length // 3),
    ):
        solver = in_cluster(
            form,
            count,
            algorithm=algorithm,
            alternating=alternating,
            threads=threads,
            most=most,
            **options,
        )
        assert (
            game == "kuhn" or sum(solver.split.lengths) < form.length
        )  # the top has slots of its own
        solver.run(3)
        solver.run(4)
        alone.__init__(form, chosen, **options)
        alone.run(7)
        assert bits(solver) == bits(alone)
        assert solver.nodes_touched == alone.nodes_touched
        assert solver.first_decision() == alone.first_decision()


def test_one_message_each_way_per_actor_and_turn():
    form = compiled("leduc")
    solver = in_cluster(form, 3, actors=Counted())
    solver.run(5)
    assert solver.actors.messages == 5 * 2 * 3
    width, subtrees = (
        int(form.public.width.max()),
        sum(last - first for first, last in solver.split.ranges),
    )
    rows = subtrees * width * 8
    assert solver.actors.received == 10 * rows  # the values of the player whose turn it is
    assert (
        solver.actors.sent < 12 * rows
    )  # the reach of the one whose turn it was, and a few scalars


def test_a_run_goes_from_one_machine_to_a_cluster_and_back():
    form = compiled("leduc")
    alone, other = (PublicCFR(form, eq.ALGORITHMS["dcfr"]) for _ in range(2))
    alone.run(4)
    solver = in_cluster(form, 2)
    solver.load_state({name: table.copy() for name, table in alone.state_dict().items()})
    solver.run(3)
    other.load_state(solver.state_dict())
    other.run(2)
    alone.run(5)
    assert bits(other) == bits(alone)
    assert (solver.strategy_at(np.arange(8)) == solver.tables["strategy"][:8]).all()


@pytest.mark.thinned(10)
@pytest.mark.parametrize(
    "deaths", [{9: [0]}, {10: [1]}, {3: [0, 1]}, {9: [1], 11: [1]}, {14: [0], 16: [1], 18: [0]}]
)
@pytest.mark.parametrize("saved", [True, False])
def test_an_actor_that_dies_changes_no_bit(tmp_path, deaths, saved):
    form = compiled("leduc")
    actors = Here()
    solver = in_cluster(form, 2, actors=actors)
    actors.deaths = dict(deaths)
    if saved:
        run_saving(solver, 8, tmp_path, every=3)
    else:
        solver.run(8)
    assert not actors.deaths
    assert solver.restarts == sum(map(len, deaths.values()))
    alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
    alone.run(8)
    actors.deaths = {actors.calls + 1: [1]}  # while the certificate is computed
    assert solver.values() == alone.values()
    assert bits(solver) == bits(alone)


def test_an_actor_that_dies_while_the_others_start_is_started_again(tmp_path):
    there = tmp_path / "there"
    there.touch()
    actors = ProcessActors()
    try:
        actors.start(
            [
                partial(Counter, there),
                partial(Counter, tmp_path / "absent"),
                partial(Counter, there),
            ]
        )
        with pytest.raises(ActorDiedError) as caught:
            actors.call("count", [()] * 3)
        assert caught.value.numbers == [1]
        actors.restart(1)
        assert actors.call("count", [()] * 3) == [2, 1, 2]
        with pytest.raises(EOFError):
            actors.call("end_of_file", [()] * 3)
        assert actors.call("count", [()] * 3) == [3, 2, 3]
    finally:
        actors.close()


@pytest.mark.parametrize("number", range(1, 7))  # the tables are asked for, and then filled
def test_an_actor_that_dies_before_the_first_iteration_changes_no_bit(number):
    form = compiled("leduc")
    alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
    alone.run(4)
    actors = Here()
    actors.deaths = {number: [1]}
    solver = in_cluster(form, 2, actors=actors)
    solver.load_state({name: table.copy() for name, table in alone.state_dict().items()})
    assert bits(solver) == bits(alone)
    assert not actors.deaths


def test_an_actor_that_always_dies_ends_the_run():
    actors = Here()
    solver = in_cluster(compiled("leduc"), 2, actors=actors)
    solver.run(2)
    actors.deaths = {call: [1] for call in range(1000)}
    with pytest.raises(eq.SolutionError, match="again and again after iteration 2"):
        solver.run(3)


def test_a_run_goes_on_from_its_checkpoint_with_other_actors(tmp_path):
    form = compiled("liars_dice(faces=4)")
    first = in_cluster(form, 3)
    run_saving(first, 7, tmp_path, every=5)
    (folder,) = tmp_path.glob("iteration-*")
    assert folder.name == "iteration-5"
    assert len(list(folder.glob("part-*.npz"))) == 3
    for count in (1, 2, 4):
        again = in_cluster(form, count, most=first.split.max_subtree_slots)
        again.load(folder)
        assert again.iteration == 5
        again.run(4)
        alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
        alone.run(9)
        assert bits(again) == bits(alone)


def test_another_run_and_damaged_files_are_refused(tmp_path):
    form = compiled("leduc")
    first = in_cluster(form, 2)
    first.run(2)
    folder = tmp_path / first.save(tmp_path)
    with pytest.raises(eq.AlgorithmError, match="algorithm 'dcfr', not 'cfr'"):
        in_cluster(form, 2, algorithm="cfr").load(folder)
    with pytest.raises(eq.AlgorithmError, match="fingerprint"):
        in_cluster(compiled("kuhn"), 2).load(folder)
    part = next(tmp_path.glob("iteration-2/part-*.npz"))
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    with pytest.raises(eq.SolutionError, match=r"part-.*\.npz is broken"):
        in_cluster(form, 2).load(folder)
    part.unlink()
    with pytest.raises(eq.SolutionError, match="cannot be read: No such file"):
        in_cluster(form, 2).load(folder)


@signals
@pytest.mark.slow
def test_processes_one_of_which_is_killed(tmp_path):
    form = compiled("liars_dice(faces=4)")
    actors = ProcessActors()
    solver = in_cluster(form, 2, actors=actors)
    try:
        run_saving(solver, 6, tmp_path, every=4)
        os.kill(actors.pids[1], signal.SIGKILL)
        run_saving(solver, 3, tmp_path, every=4)
        alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
        alone.run(9)
        assert bits(solver) == bits(alone)
        assert solver.restarts == 1
    finally:
        solver.close()


@pytest.mark.slow
def test_an_interrupt_in_the_middle_leaves_no_stray_answer(monkeypatch):
    form = compiled("leduc")
    actors = ProcessActors()
    solver = in_cluster(form, 2, actors=actors)
    answer, asked = actors._receive, []

    def interrupted(number):
        asked.append(number)
        if len(asked) == 6:
            raise KeyboardInterrupt
        return answer(number)

    monkeypatch.setattr(actors, "_receive", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.run(5)
        solver.run(3)
        alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
        alone.run(solver.iteration)
        assert bits(solver) == bits(alone)
    finally:
        solver.close()


@pytest.mark.slow
def test_what_an_actor_raises_is_raised_here():
    form = compiled("leduc")
    solver = in_cluster(form, 2, actors=ProcessActors())
    try:
        with pytest.raises(AttributeError, match="nothing"):
            solver.actors.call("nothing", [(), ()])
        solver.run(1)
        assert solver.iteration == 1
    finally:
        solver.close()
