"""The executor on a Ray cluster of two nodes: all calls come out, once, with the same bits, whatever dies meanwhile."""

import os
import signal
import time
from concurrent.futures import BrokenExecutor, CancelledError, wait

import psutil
import pytest

import equilibrist as eq
from equilibrist.batches import ray_executor
from equilibrist.batches.ray_executor import RayExecutor
from support.command import call
from support.ray_cluster import two_nodes

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install '.[cluster]'")

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster():
    with two_nodes(cpus=1) as cluster:
        yield cluster


def item(folder):
    """Return a call that writes down each beginning, and waits for a file before it returns its number."""

    def call(number):
        name = f"{number}-{os.getpid()}-{ray.get_runtime_context().get_node_id()}"
        (folder / name).touch()
        while not (folder / "go").exists():
            time.sleep(0.01)
        return number

    return call


def begun(folder, count, left=60.0):
    """Return the names of the calls that have begun, as soon as they are so many."""
    while len(found := [path.name for path in folder.glob("*-*")]) < count:
        time.sleep(0.02)
        left -= 0.02
        assert left > 0, found
    return found


def alike(comparison):
    return [
        (run.algorithm, run.seed, [point._replace(seconds=0) for point in run.trace])
        for run in comparison.runs
    ]


def test_the_bits_are_those_of_one_by_one(cluster):
    both = {"algorithms": "cfr,dcfr", "sampling": "full,external", "seeds": 2, "iterations": 30}
    with RayExecutor() as executor:
        assert alike(eq.compare("kuhn", **both, executor=executor)) == alike(
            eq.compare("kuhn", **both)
        )
    assert ray.is_initialized()  # the connection was there before


def test_the_command_compares_on_a_cluster(cluster, capsys):
    both = ("compare", "kuhn", "--algorithms", "cfr,dcfr", "--iterations", 30, "--json")
    found, alone = (call(capsys, *both, *more).json["results"] for more in (("--ray", "auto"), ()))
    assert [result["exploitability"] for result in found] == [
        result["exploitability"] for result in alone
    ]


def test_a_worker_that_is_killed_costs_one_call_its_beginning(cluster, tmp_path):
    with RayExecutor() as executor:
        futures = [executor.submit(item(tmp_path), number) for number in range(6)]
        killed, pid, _ = begun(tmp_path, 2)[0].split("-")
        os.kill(int(pid), signal.SIGKILL)
        begun(tmp_path, 3)
        (tmp_path / "go").touch()
        assert [future.result(60) for future in futures] == list(range(6))
    numbers = [int(name.split("-")[0]) for name in begun(tmp_path, 7)]
    assert sorted(numbers) == sorted([*range(6), int(killed)])  # nothing else began twice


def test_a_node_that_disappears_loses_no_call(cluster, tmp_path):
    node = cluster.add_node(**cluster.room)
    with RayExecutor() as executor:
        futures = [executor.submit(item(tmp_path), number) for number in range(6)]
        names = begun(tmp_path, 3)
        ((lost, pid),) = [name.split("-")[:2] for name in names if name.endswith(node.node_id)]
        cluster.remove_node(node, allow_graceful=False)
        while psutil.pid_exists(int(pid)):  # it might return before it is killed
            time.sleep(0.02)
        (tmp_path / "go").touch()
        assert [future.result(60) for future in futures] == list(range(6))
    numbers = [name.split("-")[0] for name in begun(tmp_path, 7)]
    assert sorted(numbers) == sorted([*map(str, range(6)), lost])


def test_an_interrupt_saves_what_runs_and_drops_what_waits(cluster, tmp_path):
    def solve(folder, **limit):
        solution = eq.solve("kuhn", "cfr", save=folder, **limit)
        return solution.stop_reason, solution.final.iteration

    def endless(folder):
        return solve(
            folder,
            iterations=10**9,
            callbacks=lambda point: (folder / f"at-{point.iteration}").touch(),
        )

    eq.solve("kuhn", "cfr", iterations=1)  # compiled here: an interrupt is not heard meanwhile
    executor = RayExecutor()
    running = executor.submit(endless, tmp_path)
    waiting = [executor.submit(item(tmp_path), number) for number in range(5)]

    def interrupted():
        with executor:
            begun(tmp_path, 5)
            (tmp_path / "go").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    stop_reason, iteration = running.result()
    assert stop_reason == "interrupt"
    assert any(future.cancelled() for future in waiting)
    resumed = eq.solve("kuhn", "cfr", resume=tmp_path, iterations=iteration + 10)
    straight = eq.solve("kuhn", "cfr", iterations=iteration + 10)
    assert (resumed.strategy.probabilities == straight.strategy.probabilities).all()


def test_a_future_can_be_cancelled_until_ray_has_it(cluster, tmp_path):
    with RayExecutor() as executor:
        futures = [executor.submit(item(tmp_path), number) for number in range(9)]
        assert futures[-1].cancel()
        with pytest.raises(CancelledError):
            futures[-1].result()
        (tmp_path / "go").touch()
        assert not wait(futures, 60).not_done
        assert [future.result() for future in futures[:-1]] == list(range(8))
        assert not futures[0].cancel()


def test_what_no_machine_can_hold_is_refused_in_a_sentence(cluster):
    message = r"takes 1 CPU and 1e\+04 GB of memory.*largest of . has 1 CPU"
    with (
        RayExecutor(memory=10**13, patience=0.0) as executor,
        pytest.raises(eq.GameError, match=message),
    ):
        executor.submit(int).result(60)
    with RayExecutor(
        cpus=3, patience=1.5
    ) as executor:  # Ray has it meanwhile, as a machine may join
        result = eq.batch({"game": "kuhn", "iterations": 1}, executor=executor)
    assert "It takes 3 CPUs" in result.failed["kuhn"]


def test_a_machine_that_joins_takes_what_was_too_large(cluster):
    with RayExecutor(cpus=2, patience=60.0) as executor:
        future = executor.submit(int, "7")
        time.sleep(0.1)
        assert not future.done()
        node = cluster.add_node(**{**cluster.room, "num_cpus": 2})
        assert future.result(60) == 7
    cluster.remove_node(node)


def test_an_error_is_that_of_the_call(cluster, tmp_path):
    def fails():
        eq.solve("kuhn", iterations=-1)

    def dies():
        os._exit(1)

    with RayExecutor(retries=0) as executor:
        with pytest.raises(eq.EquilibristError, match="-1"):
            executor.submit(fails).result(60)
        with pytest.raises(BrokenExecutor, match="WorkerCrashedError"):
            executor.submit(dies).result(60)
        with pytest.raises(TypeError):
            executor.submit(int, iter).result(60)
        assert executor.submit(int, "7").result(60) == 7
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(int)


def test_other_versions_are_refused():
    with pytest.raises(eq.AlgorithmError, match=r"numpy .*, the one that asks has 0"):
        ray_executor._run_call({**ray_executor.package_versions(), "numpy": "0"}, int, (), {})


def test_no_cluster_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(
        ray, "init", lambda *_, **__: (_ for _ in ()).throw(ConnectionError("nobody there"))
    )
    with pytest.raises(
        eq.AlgorithmError, match=r"No Ray cluster answers at 'auto' \(nobody there\)"
    ):
        RayExecutor()
