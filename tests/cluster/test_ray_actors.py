"""Actors on a Ray cluster of two nodes: one game, the same bits, whatever dies meanwhile."""

import os
import signal
import time

import numpy as np
import psutil
import pytest

import equilibrist as eq
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.cluster.public import PublicSplit
from equilibrist.cluster.ray_cluster import RayActors
from equilibrist.mccfr.sampling import find_sampling
from support.actors import run_saving
from support.made_hands import MadeHands
from support.ray_cluster import two_nodes

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install '.[cluster]'")

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster():
    with two_nodes(cpus=2) as cluster:
        yield cluster


def test_more_actors_than_the_machines_can_hold_are_refused_in_a_sentence(cluster):
    form = eq.compile_public(eq.load("leduc").public_states())
    actors = RayActors(cpus=2, patience=1.0)
    with pytest.raises(
        eq.GameError,
        match=r"takes 3 times 2 CPUs, for which .* too few; the largest of 2 has 2 CPUs",
    ):
        ClusterCFR(PublicSplit(form, 3), eq.ALGORITHMS["dcfr"], actors=actors)


def test_an_actor_and_then_a_node_die(cluster, tmp_path):
    form = eq.compile_public(eq.load("liars_dice(faces=4)").public_states())
    while (
        ray.available_resources().get("CPU", 0) < 4
    ):  # actors that were refused may still be ending
        time.sleep(0.02)
    for _ in range(
        5
    ):  # Ray spreads actors as well as it can: what it knows of a node's room may be late
        actors = RayActors()
        solver = ClusterCFR(PublicSplit(form, 2), eq.ALGORITHMS["dcfr"], actors=actors)
        places = actors.places()
        if {node for node, _ in places} == {node["NodeID"] for node in ray.nodes()}:
            break
        solver.close()
    else:
        pytest.fail(f"never spread over two nodes: {places}")
    run_saving(solver, 6, tmp_path, every=4)
    os.kill(next(pid for node, pid in places if node != cluster.second.node_id), signal.SIGKILL)
    run_saving(solver, 3, tmp_path, every=4)
    assert solver.restarts == 1
    pids = [pid for node, pid in actors.places() if node == cluster.second.node_id]
    cluster.remove_node(cluster.second, allow_graceful=False)
    while any(map(psutil.pid_exists, pids)):  # they might answer before they are killed
        time.sleep(0.02)
    run_saving(solver, 3, tmp_path, every=4)
    assert solver.restarts >= 2
    alone = PublicCFR(form, eq.ALGORITHMS["dcfr"])
    alone.run(12)
    assert solver.values() == alone.values()
    for name, table in alone.state_dict().items():
        assert np.array_equal(solver.state_dict()[name], table)
    with pytest.raises(AttributeError, match="nothing"):
        actors.call("nothing", [(), ()])
    solver.close()
    assert ray.is_initialized()


def test_actors_draw_samples_of_a_blueprint_and_one_dies(cluster):
    buckets = MadeHands()
    game = eq.abstract(eq.load("nlhe(stack=6, sizes='100%, a', max_raises=1)"), buckets)
    settings = {"sampling": "external(tree=False, batch=64)", "seed": 1, "iterations": 8}
    known = eq.solve(game, backend=eq.Cluster(actors=2), **settings)
    run = eq.solve(game, backend=eq.Cluster(actors=2, ray="auto"), **settings)
    assert run.strategy == known.strategy
    solver = eq.Cluster(actors=2, ray="auto").sampler(
        game.game.offer_bucket_table(buckets=buckets).make(seed=1, batch=64),
        eq.ALGORITHMS["cfr"],
        find_sampling(settings["sampling"]),
        abstraction=game.abstraction,
        seed=1,
    )
    solver.run(4)
    os.kill(solver.actors.places()[1][1], signal.SIGKILL)
    solver.run(4)
    assert solver.restarts == 1
    for name, array in known.state.items():
        assert np.array_equal(solver.state_dict()[name], array)
    solver.close()
    assert ray.is_initialized()
