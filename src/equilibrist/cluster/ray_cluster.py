"""The connection to a Ray cluster, what room its machines have, and actors on it."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, NamedTuple

from .._util.text import install_command
from ..errors import AlgorithmError, GameTooLargeError
from .actors import ActorDiedError, ProcessActors

PATIENCE = 30.0
"""Seconds that what no machine of a cluster can hold waits for one that can."""
_FRESH_SECONDS = 1.0  # how long the machines of a cluster are taken to be what they were


def check_ray() -> None:
    """Refuse a cluster where Ray is not installed."""
    if find_spec("ray") is None:
        raise AlgorithmError(
            f"A cluster needs Ray, which cannot be imported here: {install_command('cluster')}."
        )


def connect(address: str) -> tuple[Any, bool]:
    """Return the module of Ray, connected to a cluster, and whether it was not before."""
    check_ray()
    import ray

    if ray.is_initialized():
        return ray, False
    # Of a cluster that is started here: it tells nobody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(
            address, log_to_driver=False, logging_level=logging.WARNING, namespace="equilibrist"
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise AlgorithmError(
            f"No Ray cluster answers at {address!r} ({str(error).splitlines()[0]}). Start one "
            "with `ray start --head`, or give 'local' for a new one on this machine.",
        ) from error
    return ray, True


class Room(NamedTuple):
    """What a call or an actor takes of a machine: CPUs, and bytes of memory."""

    cpus: float
    memory: int | None

    def __str__(self) -> str:
        cpus = f"{self.cpus:g} CPU{'s' * (self.cpus != 1)}"
        if self.memory is None:
            return cpus
        return f"{cpus} and {self.memory / 1e9:.2g} GB of memory"

    def times_in(self, machine: Room) -> float:
        """Return how often there is so much on an idle machine."""
        shares = [
            capacity // amount
            for amount, capacity in zip(self, machine, strict=True)
            if amount and capacity is not None
        ]
        return min(shares, default=float("inf"))


class Machines:
    """The machines of a cluster, and since when they have been too small or too few for something.

    For so many seconds of ``patience`` :meth:`check` waits for others.
    """

    def __init__(self, ray: Any, patience: float) -> None:
        self._ray = ray
        self._patience = patience
        self._rooms: list[Room] = []
        self._count_time = -_FRESH_SECONDS
        self._short_since: dict[tuple[Room, int], float] = {}

    @property
    def rooms(self) -> list[Room]:
        """What each has, idle."""
        if time.monotonic() - self._count_time > _FRESH_SECONDS:
            resources = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
            self._rooms = [
                Room(node.get("CPU", 0.0), int(node.get("memory", 0))) for node in resources
            ]
            self._count_time = time.monotonic()
        return self._rooms

    def check(self, room: Room, count: int = 1) -> None:
        """Refuse what the machines cannot hold so many times at once, however idle; not before patience ends."""
        machines = self.rooms
        if sum(map(room.times_in, machines)) >= count:
            self._short_since.pop((room, count), None)
            return
        time_now = time.monotonic()
        if time_now - self._short_since.setdefault((room, count), time_now) < self._patience:
            return
        largest = max(
            machines,
            key=lambda machine: (room.times_in(machine), machine.memory, machine.cpus),
            default=Room(0, 0),
        )
        amount_text = f"{count} times {room}" if count > 1 else str(room)
        raise GameTooLargeError(
            f"It takes {amount_text}, for which the machines of the Ray cluster are too small or too "
            "few; the largest of "
            f"{len(machines)} has {largest}. Take less (fewer threads, precision='float32', fewer "
            "bet sizes), or add a "
            "machine."
        )


_LOOK_SECONDS = (
    1.0  # between two looks whether there are machines for actors that have no place yet
)


class RayActors:
    """Actors on a Ray cluster, spread over its machines, with the methods of :class:`ProcessActors`.

    The address is as for :class:`~equilibrist.RayExecutor`; an actor takes so many CPUs, its
    threads, and bytes of memory. Those that the machines cannot hold, however idle, wait for more
    machines, for ``patience`` seconds.
    """

    def __init__(
        self,
        address: str = "auto",
        *,
        cpus: float = 1,
        memory: int | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._ray, self._connected = connect(address)
        self._remote = self._ray.remote(
            _Actor
        ).options(  # Ray itself starts none again: it would have no tables
            num_cpus=cpus, memory=memory, max_restarts=0, scheduling_strategy="SPREAD"
        )
        self._room, self._machines = Room(cpus, memory), Machines(self._ray, patience)
        self._makers: list[Callable[[], Any]] = []
        self._handles: list[Any] = []

    def start(self, makers: Sequence[Callable[[], Any]]) -> None:
        self._makers = list(makers)
        self._handles = [self._remote.remote(make) for make in self._makers]
        with suppress(self._ray.exceptions.RayActorError):  # as in restart()
            self.places()

    def places(self, handles: Sequence[Any] | None = None) -> list[tuple[str, int]]:
        """Return the node and the process of actors, as soon as they are there; refuse more than the cluster holds."""
        places = [handle.place.remote() for handle in handles or self._handles]
        while self._ray.wait(places, num_returns=len(places), timeout=_LOOK_SECONDS)[1]:
            self._machines.check(self._room, len(self._handles))
        nodes: list[tuple[str, int]] = self._ray.get(places)
        return nodes

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        errors = self._ray.exceptions
        answers = []
        lost_actors = []
        errors_of_calls = []
        references = [
            handle.call.remote(method, *values)
            for handle, values in zip(self._handles, arguments, strict=True)
        ]
        for number, reference in enumerate(references):
            try:
                answers.append(self._ray.get(reference))
            except errors.RayActorError:
                lost_actors.append(number)
            except errors.RayTaskError as error:
                errors_of_calls.append(error.cause)
        if lost_actors:
            raise ActorDiedError(lost_actors)
        if errors_of_calls:
            raise errors_of_calls[0]
        return answers

    def restart(self, number: int) -> None:
        self._ray.kill(self._handles[number])
        self._handles[number] = self._remote.remote(self._makers[number])
        with suppress(self._ray.exceptions.RayActorError):  # it died again, as the next call tells
            self.places(self._handles[number : number + 1])

    def close(self) -> None:
        for handle in self._handles:
            self._ray.kill(handle)
        self._handles = []
        if self._connected:
            self._ray.shutdown()


class _Actor:
    """An object in a process of its own, made there."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._target = make()

    def call(self, method: str, *arguments: Any) -> Any:
        """Return what a method of the object returns."""
        return getattr(self._target, method)(*arguments)

    def place(self) -> tuple[str, int]:
        """Return the node and the process in which the object is."""
        import ray

        return ray.get_runtime_context().get_node_id(), os.getpid()


Actors = ProcessActors | RayActors
