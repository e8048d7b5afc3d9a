"""Samples over several actors: those of one process, whatever the number of actors, and whatever dies meanwhile."""

import os
import pickle
import signal

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cluster import backend
from equilibrist.cluster.actors import MOST_DEATHS, ActorDiedError
from equilibrist.cluster.sampled_cfr import SampledClusterCFR
from equilibrist.cluster.sampling_actor import NO_ROWS, Turn
from equilibrist.mccfr import iterations
from equilibrist.mccfr.sampled_abstraction import BucketedCFR
from equilibrist.mccfr.sampling import find_sampling
from support.actors import Counted, Here
from support.made_hands import MadeHands
from support.solvers import variant

BUCKETS = MadeHands()
GAME = "nlhe(stack=6, sizes='100%, a', max_raises=1)"
SUMS = ("strategy_sum",)
"""What is added up in another order."""


class Apart(Here):
    """Actors in this process that share nothing with it, as those in others; restarts die as often as told."""

    def __init__(self, *, lost_restarts=0):
        super().__init__()
        self.lost_restarts = lost_restarts

    def start(self, makers):
        sent = [pickle.dumps(make) for make in makers]
        super().start([lambda data=data: pickle.loads(data)() for data in sent])

    def restart(self, number):
        if self.lost_restarts:
            self.lost_restarts -= 1
            raise ActorDiedError([number])
        super().restart(number)


def make(count=None, *, actors=None, algorithm="cfr", alternating=True, batch=16, seed=1):
    """Return a solver in this process, or over so many actors."""
    game = eq.abstract(GAME, BUCKETS)
    table = eq.load(GAME).offer_bucket_table(buckets=BUCKETS).make(seed=seed, batch=batch)
    settings = [table, variant(algorithm, alternating=alternating)]
    settings.append(find_sampling(f"external(tree=False, batch={batch})"))
    options = {"abstraction": game.abstraction, "seed": seed}
    if count is None:
        return BucketedCFR(*settings, **options)
    return SampledClusterCFR(*settings, actors=actors or Apart(), count=count, **options)


def solve(count, **settings):
    sampling = "external(tree=False, batch=64)"
    settings = {"sampling": sampling, "seed": 1, "iterations": count, **settings}
    if "resume" in settings:
        del settings["sampling"], settings["seed"]
    return eq.solve(eq.abstract(GAME, BUCKETS), **settings)


def assert_same(state, known, *, besides=()):
    """Compare all arrays bit by bit, but for some: these to twelve digits."""
    for name, array in known.items():
        if name in besides:
            assert np.allclose(state[name], array, rtol=1e-12, atol=0), name
        else:
            assert np.array_equal(state[name], array), name


@pytest.mark.parametrize("algorithm", ["cfr", "dcfr"])
@pytest.mark.parametrize("alternating", [True, False])
def test_the_regrets_of_one_actor_are_those_of_one_process(algorithm, alternating):
    options = {"algorithm": algorithm, "alternating": alternating}
    alone = make(**options)
    solver = make(1, **options)
    for each in (alone, solver):
        each.run(2)
        each.run(4)
    assert_same(solver.state_dict(), alone.state_dict(), besides=SUMS)
    assert solver.nodes_touched == alone.nodes_touched


def test_every_pool_of_deals_reaches_the_actors():
    """Here each iteration draws from a pool of its own."""
    alone = make()
    solver = make(2)
    for each in (alone, solver):
        each.table._iterations_of_pool = 1
        each.run(3)
    state = solver.state_dict()
    assert solver.nodes_touched == alone.nodes_touched
    for name, array in alone.state_dict().items():
        assert np.allclose(state[name], array, rtol=1e-9, atol=1e-9), name


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 16])
def test_several_actors_draw_the_same_samples(count):
    """So that all sums are the same but for rounding."""
    alone = make()
    solver = make(count)
    for each in (alone, solver):
        each.run(8)
    state = solver.state_dict()
    assert solver.nodes_touched == alone.nodes_touched
    for name, array in alone.state_dict().items():
        assert np.allclose(state[name], array, rtol=1e-9, atol=1e-9), name


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [{1: [0]}, {2: [1]}, {9: [0, 1]}, {9: [1], 10: [1], 11: [0]}])
def test_an_actor_that_dies_changes_no_bit(deaths):
    known = make(2)
    known.run(6)
    actors = Apart()
    solver = make(2, actors=actors)
    actors.deaths = dict(deaths)
    solver.run(6)
    assert not actors.deaths
    assert solver.restarts == sum(map(len, deaths.values()))
    assert_same(solver.state_dict(), known.state_dict())


def test_an_actor_that_dies_while_it_starts_is_started_once_more():
    known = make(2)
    known.run(4)
    actors = Apart(lost_restarts=2)
    solver = make(2, actors=actors)
    actors.deaths = {4: [1]}
    solver.run(4)
    assert (solver.restarts, actors.lost_restarts) == (1, 0)
    assert_same(solver.state_dict(), known.state_dict())


def test_actors_that_die_again_and_again_end_the_run():
    actors = Apart()
    solver = make(2, actors=actors)
    solver.run(2)
    for _ in range(2):  # each turn may lose as many as that
        actors.deaths = {actors.calls + 1 + call: [0] for call in range(MOST_DEATHS)}
        solver.run(1)
    assert solver.restarts == 2 * MOST_DEATHS
    actors.deaths = {actors.calls + 1 + call: [0] for call in range(MOST_DEATHS + 1)}
    with pytest.raises(eq.SolutionError, match=r"again and again after iteration 4\. Use machines"):
        solver.run(2)


def test_a_run_goes_on_with_other_actors_and_in_one_process():
    whole = make(2)
    whole.run(7)
    begun = make(2)
    begun.run(4)
    resumed = make(2)
    resumed.load_state(begun.state_dict())
    resumed.run(3)
    assert_same(resumed.state_dict(), whole.state_dict())
    one = make(1)
    one.load_state(begun.state_dict())
    alone = make()
    alone.load_state(begun.state_dict())
    for each in (one, alone):
        each.run(3)
    assert_same(one.state_dict(), alone.state_dict(), besides=SUMS)


def test_a_run_stops_after_a_turn_and_goes_on():
    known = make(2)
    known.run(6)
    solver = make(2)
    asked = []

    def stop_at_the_fourth():
        asked.append(True)
        return len(asked) == 4

    solver.should_stop = stop_at_the_fourth
    solver.run(6)
    assert (solver.iteration, solver.is_between_iterations) == (1, False)
    solver.run(6 - solver.iteration)
    assert_same(solver.state_dict(), known.state_dict())
    with pytest.raises(ValueError, match="in one process only"):
        next(iter(solver.stages()))


def test_messages_hold_what_has_changed():
    """Less than the table, of which a batch of one traversal meets a part."""
    actors = Counted()
    solver = make(1, actors=actors, batch=1)
    solver.run(1)
    sent, received = actors.sent, actors.received
    pool = sum(array.nbytes for array in solver.table.samples.pool[1:])
    assert pool < sent < 1.5 * pool
    solver.run(10)
    table = 8 * solver.table.used
    assert actors.sent - sent < 20 * table / 2
    assert 0 < actors.received - received < 20 * table / 2


def test_a_share_has_each_infoset_once(monkeypatch):
    """Of the player whose turn it is with regrets, of the other one with sums; there is little room for records."""
    monkeypatch.setattr(iterations, "_FIRST_RECORDS", 1)
    actors = Apart()
    solver = make(1, actors=actors, batch=64)
    solver.run(1)
    (actor,) = actors.objects
    first_slot, num_actions = solver.table.shape()
    owner = solver.table.infosets().owner
    infoset_of = {slot: number for number, slot in enumerate(first_slot.tolist())}
    for player in range(2):
        share = actor.draw(Turn(2, player, (2 * 2 + player) * 64, 64), NO_ROWS, None)
        for rows, whose in ((share.regrets, player), (share.sums, 1 - player)):
            slots = rows.infosets[:, 0].tolist()
            numbers = [infoset_of[slot] for slot in slots]
            assert len(set(slots)) == len(slots) > 10
            assert set(owner[numbers].tolist()) == {whose}
            assert np.array_equal(num_actions[numbers], rows.infosets[:, 1])
            assert len(rows.numbers) == num_actions[numbers].sum()
    known = make(batch=64)
    known.run(1)
    assert_same(solver.state_dict(), known.state_dict(), besides=SUMS)


# --- through solve ---


@pytest.mark.slow  # processes compile and load what threads have
def test_processes_save_and_resume_as_one_process_does(tmp_path):
    known = solve(9)
    stages = []
    cluster = eq.Cluster(actors=2)
    whole = solve(9, backend=cluster, callbacks=eq.Callbacks(on_stage=stages.append))
    assert any("GB, and as much in each of 2 actors" in stage for stage in stages)
    assert "Starting 2 actors" in stages
    solve(5, backend=cluster, save=tmp_path)
    resumed = solve(9, backend=cluster, resume=tmp_path)
    assert resumed.strategy == whole.strategy
    assert_same(resumed.state, whole.state)
    here = solve(9, resume=tmp_path)
    for run in (whole, here):
        assert np.allclose(run.strategy.probabilities, known.strategy.probabilities, atol=1e-9)
    assert eq.load_solution(tmp_path).iterations == 5


@pytest.mark.slow  # processes compile and load what threads have
def test_a_process_that_is_killed_is_started_again():
    known = solve(6, backend=eq.Cluster(actors=2))
    game = eq.abstract(GAME, BUCKETS)
    table = eq.load(GAME).offer_bucket_table(buckets=BUCKETS).make(seed=1, batch=64)
    solver = eq.Cluster(actors=2).sampler(
        table,
        eq.ALGORITHMS["cfr"],
        find_sampling("external(tree=False, batch=64)"),
        abstraction=game.abstraction,
        seed=1,
    )
    solver.run(3)
    os.kill(solver.actors.pids[1], signal.SIGKILL)
    solver.run(3)
    solver.close()
    assert solver.restarts == 1
    assert_same(solver.state_dict(), known.state)


def test_actors_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(backend, "free_memory", lambda: 0.1)
    with pytest.raises(
        eq.GameError, match=r"2 actors on nlhe.* GB each on this machine, and there"
    ):
        solve(1, backend=eq.Cluster(actors=2))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"sampling": "external(tree=False)"}, "Give a batch of some thousand"),
        ({"sampling": "external(tree=False, batch=8, average='lazy')"}, "but the usual"),
        ({"sampling": "external(tree=False, batch=8, baseline='infoset')"}, "but the usual"),
        ({"sampling": "outcome(tree=False, batch=8)"}, "Actors draw samples by 'external"),
        ({"sampling": "average-strategy(tree=False, batch=8)"}, "Actors draw samples by"),
        ({"threads": 2}, "one thread; got threads=2"),
        ({"sampling": "external(batch=8)"}, "A game whose players forget"),
    ],
)
def test_what_actors_do_not_draw_is_refused(settings, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence):
        solve(1, backend=eq.Cluster(actors=2), **settings)


def test_samples_of_other_games_are_refused():
    with pytest.raises(
        eq.AlgorithmError, match=r"or draw samples of a game in buckets.*got sampling"
    ):
        eq.solve("kuhn", sampling="external", iterations=1, backend=eq.Cluster(actors=2))
