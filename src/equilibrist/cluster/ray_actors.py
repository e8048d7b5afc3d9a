"""Actors on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from .actors import ActorDiedError
from .ray_cluster import PATIENCE, Machines, Room, connect

_LOOK_SECONDS = 1.0  # between two looks whether there are machines for actors that have no place yet


class RayActors:
    """Actors on a Ray cluster, spread over its machines.

    The address is as for :class:`~equilibrist.RayExecutor`; an actor takes so many CPUs, its threads, and bytes of
    memory. Those that the machines cannot hold, however idle, wait for more machines, for ``patience`` seconds.
    """

    def __init__(
        self, address: str = "auto", *, cpus: float = 1, memory: int | None = None, patience: float = PATIENCE
    ) -> None:
        self._ray, self._connected = connect(address)
        self._remote = self._ray.remote(_Actor).options(  # Ray itself starts none again: it would have no tables
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

    def places(self) -> list[tuple[str, int]]:
        """Return the node and the process of each actor, as soon as they are there."""
        return self._placed(self._handles)

    def _placed(self, handles: Sequence[Any]) -> list[tuple[str, int]]:
        """Return the node and the process of some actors; refuse more than the cluster can hold."""
        places = [handle.place.remote() for handle in handles]
        while self._ray.wait(places, num_returns=len(places), timeout=_LOOK_SECONDS)[1]:
            self._machines.check(self._room, len(self._handles))
        nodes: list[tuple[str, int]] = self._ray.get(places)
        return nodes

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        errors = self._ray.exceptions
        answers, dead, failed = [], [], []
        sent = [handle.call.remote(method, *values) for handle, values in zip(self._handles, arguments, strict=True)]
        for number, reference in enumerate(sent):
            try:
                answers.append(self._ray.get(reference))
            except errors.RayActorError:
                dead.append(number)
            except errors.RayTaskError as error:
                failed.append(error.cause)
        if dead:
            raise ActorDiedError(dead)
        if failed:
            raise failed[0]
        return answers

    def restart(self, number: int) -> None:
        self._ray.kill(self._handles[number])
        self._handles[number] = self._remote.remote(self._makers[number])
        with suppress(self._ray.exceptions.RayActorError):  # it died again, as the next call tells
            self._placed(self._handles[number : number + 1])

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
        return getattr(self._target, method)(*arguments)

    def place(self) -> tuple[str, int]:
        import ray

        return ray.get_runtime_context().get_node_id(), os.getpid()
