"""Actors on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from .._util.ray_cluster import connect
from .actors import ActorDiedError


class RayActors:
    """Actors on a Ray cluster, spread over its machines.

    Parameters
    ----------
    address : str
        Of the cluster, as for :class:`~equilibrist.RayExecutor`.
    cpus : float
        How many CPUs an actor takes: its threads.
    memory : int, optional
        How many bytes of memory it takes; it starts where Ray has so many left.
    """

    def __init__(self, address: str = "auto", *, cpus: float = 1, memory: int | None = None) -> None:
        self._ray, self._connected = connect(address)
        self._remote = self._ray.remote(_Actor).options(  # Ray itself starts none again: it would have no tables
            num_cpus=cpus, memory=memory, max_restarts=0, scheduling_strategy="SPREAD"
        )
        self._makers: list[Callable[[], Any]] = []
        self._handles: list[Any] = []

    def start(self, makers: Sequence[Callable[[], Any]]) -> None:
        """Start an actor for each of these, where there is room."""
        self._makers = list(makers)
        self._handles = [self._remote.remote(make) for make in self._makers]
        self.places()

    def places(self) -> list[tuple[str, int]]:
        """Return the node and the process of each actor, as soon as they are there."""
        found: list[tuple[str, int]] = self._ray.get([handle.place.remote() for handle in self._handles])
        return found

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all objects at once (:meth:`.actors.Actors.call`)."""
        errors = self._ray.exceptions
        answers, dead, failed = [], [], []
        sent = [handle.call.remote(method, *own) for handle, own in zip(self._handles, arguments, strict=True)]
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
        """Start an actor again, on any machine."""
        self._ray.kill(self._handles[number])
        self._handles[number] = self._remote.remote(self._makers[number])

    def close(self) -> None:
        """End the actors, and the connection where it was not there before."""
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
        """Call one of its methods."""
        return getattr(self._target, method)(*arguments)

    def place(self) -> tuple[str, int]:
        """Return the node and the process in which it is."""
        import ray

        return ray.get_runtime_context().get_node_id(), os.getpid()
