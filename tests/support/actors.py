"""Actors in this process, for tests of runs over several, and all numbers of a solver as bytes."""

import os
from collections.abc import Iterable

import numpy as np

from equilibrist.cluster.actors import ActorDiedError


class Here:
    """Actors in this process, which die when they are told to."""

    def __init__(self):
        self.makers, self.objects, self.deaths, self.calls = [], [], {}, 0

    def start(self, makers):
        self.makers, self.objects = makers, [make() for make in makers]

    def call(self, method, arguments):
        self.calls += 1
        dead = self.deaths.pop(self.calls, [])
        for number in dead:
            self.objects[number] = None
        lost = [number for number, target in enumerate(self.objects) if target is None]
        alive = [number for number in range(len(self.objects)) if number not in lost]
        answers = [getattr(self.objects[number], method)(*arguments[number]) for number in alive]
        if lost:
            raise ActorDiedError(lost)
        return answers

    def restart(self, number):
        self.objects[number] = self.makers[number]()

    def close(self):
        pass


class Counted(Here):
    """The same, with the number of messages to them and the bytes of arrays both ways."""

    def __init__(self):
        super().__init__()
        self.messages = self.sent = self.received = 0

    def call(self, method, arguments):
        answers = super().call(method, arguments)
        self.messages += len(arguments)
        self.sent += _bytes(arguments)
        self.received += _bytes(answers)
        return answers


def _bytes(values):
    """Return the bytes of the arrays in records, however nested."""
    if isinstance(values, np.ndarray):
        return values.nbytes
    if isinstance(values, dict):
        values = values.values()
    return (
        sum(map(_bytes, values))
        if isinstance(values, Iterable) and not isinstance(values, str)
        else 0
    )


class Counter:
    """What an actor may hold: a count of its calls. The first one that is made for a file ends its process."""

    def __init__(self, file):
        self.calls = 0
        if not file.exists():
            file.touch()
            os._exit(9)

    def count(self):
        self.calls += 1
        return self.calls

    def end_of_file(self):
        raise EOFError


def run_saving(solver, iterations, folder, every):
    """Run a solver over actors, with a checkpoint after every so many iterations."""
    last = solver.iteration + iterations
    while solver.iteration < last:
        solver.run(min(last, (solver.iteration // every + 1) * every) - solver.iteration)
        if solver.iteration % every == 0:
            solver.save(folder)
            solver.drop_older()


def bits(solver):
    return {name: table.tobytes() for name, table in solver.state_dict().items()}, solver.values()
