"""Actors: objects in processes of their own that are sent calls; here processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Protocol

from .._util.workers import SPAWN, ignore_interrupts, spawn
from ..errors import SolutionError

MOST_DEATHS = 5
"""Times that actors are lost before a run gets further."""


class ActorDiedError(Exception):
    """Actors that were lost while a call was on its way."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(f"The process of actor {', '.join(map(str, numbers))} ended.")
        self.numbers = numbers


class Restartable(Protocol):
    """Actors that can be started again."""

    def restart(self, number: int) -> None:
        """Start an actor again whose process was lost."""
        ...


class Restarts:
    """The actors that a run lost and started again; they may be lost so often in a row, and no more.

    Parameters
    ----------
    actors : Actors
        Of the run.
    advice : str
        What gives an actor more memory, for the message where they are lost too often: "Use more actors".

    Attributes
    ----------
    count : int
        How many actors were started again.
    """

    def __init__(self, actors: Restartable, advice: str) -> None:
        self.count = 0
        self._actors = actors
        self._advice = advice
        self._times_lost = 0  # since the run last got further

    def note_progress(self) -> None:
        """Note that the run got further."""
        self._times_lost = 0

    def bring_back(self, numbers: Sequence[int], resume: Callable[[], None], *, after: int) -> None:
        """Start the actors with these numbers again, and have all of them go on.

        Parameters
        ----------
        numbers : sequence of int
            Of the actors that were lost.
        resume : callable
            Brings all actors to where the run goes on. Actors may be lost meanwhile: then all begins anew.
        after : int
            The last iteration that was done, for the message.

        Raises
        ------
        SolutionError
            Actors were lost more than :data:`MOST_DEATHS` times since the run last got further.
        """
        while True:
            self._times_lost += 1
            if self._times_lost > MOST_DEATHS:
                raise SolutionError(
                    f"Actors end again and again after iteration {after:,}. {self._advice}; the "
                    "kernel's log says whether memory was what they lacked."
                )
            try:
                for number in numbers:
                    self._actors.restart(number)
                    self.count += 1
                resume()
                return
            except ActorDiedError as error:
                numbers = error.numbers


class ProcessActors:
    """Actors in processes of this machine, each with an object that is sent calls."""

    def __init__(self) -> None:
        self._makers: list[Callable[[], Any]] = []
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []

    def start(self, makers: Sequence[Callable[[], Any]]) -> None:
        """Start an actor for each of these, which it calls to make its object; the next call tells which were lost."""
        self._makers = list(makers)
        for number, (pipe, process) in enumerate([self._begin(make) for make in self._makers]):
            self._pipes.append(pipe)
            self._processes.append(process)
            with suppress(ActorDiedError):
                self._await_start(number)

    def _begin(self, make: Callable[[], Any]) -> tuple[Connection, Any]:
        """Return the pipe and the process of a new actor, which makes its object now."""
        pipe, actor_pipe = SPAWN.Pipe()
        process = spawn(_serve_calls, actor_pipe, make)
        actor_pipe.close()
        return pipe, process

    def _await_start(self, number: int) -> None:
        """Wait until an actor has made its object; raise what that raised, or that the actor is lost."""
        error = self._receive(number)
        if error is not None:
            raise error

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all objects at once, each with its own arguments, and return what they return, in order.

        After Ctrl-C all are lost, as answers are on their way.
        """
        lost_actors = []
        try:
            for number, values in enumerate(arguments):
                try:
                    self._pipes[number].send((method, values))
                except OSError:
                    lost_actors.append(number)
            answers = [
                None if number in lost_actors else self._receive(number)
                for number in range(len(arguments))
            ]
        except KeyboardInterrupt:
            for process in self._processes:
                process.kill()
            raise
        lost_actors += [
            number for number, answer in enumerate(answers) if isinstance(answer, ActorDiedError)
        ]
        if lost_actors:
            raise ActorDiedError(lost_actors)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def _receive(self, number: int) -> Any:
        """Return the next answer of an actor, or the error that it is lost."""
        try:
            return self._pipes[number].recv()
        except (EOFError, OSError):
            return ActorDiedError([number])

    def restart(self, number: int) -> None:
        """Start an actor again whose process was lost."""
        self._end(number)
        self._pipes[number], self._processes[number] = self._begin(self._makers[number])
        self._await_start(number)

    def _end(self, number: int) -> None:
        """Kill the process of an actor, and wait for its end."""
        self._pipes[number].close()
        self._processes[number].kill()
        self._processes[number].join()

    @property
    def pids(self) -> list[int]:
        """The processes of the actors, by number."""
        return [process.pid for process in self._processes]

    def close(self) -> None:
        """End all actors."""
        for number in range(len(self._processes)):
            self._end(number)
        self._pipes = []
        self._processes = []


def _serve_calls(pipe: Connection, make: Callable[[], Any]) -> None:
    """Make an object and carry out calls of its methods, until the pipe is closed: in the process of an actor."""
    ignore_interrupts()  # the driver closes the pipes
    try:
        target = make()
    except Exception as error:
        pipe.send(error)
        return
    pipe.send(None)
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = getattr(target, method)(*arguments)
        except Exception as error:
            answer = error
        pipe.send(answer)
