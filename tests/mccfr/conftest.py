"""Every draw of a sample, one after the other."""

import numpy as np
import pytest

from equilibrist._jit import rng
from equilibrist.mccfr import kernels as drawing
from equilibrist.mccfr import source_tree as from_tree
from equilibrist.mccfr.kernels import ITERATION


class Tape:
    """All the ways that a program which draws at random can go, one after the other, with their probabilities."""

    def __init__(self):
        self.taken, self.open = [], [[]]

    def choose(self, probabilities):
        """Return the branch to take: the one planned, or else the first, leaving the others for later."""
        branches = [n for n, p in enumerate(probabilities) if p > 0]
        number = len(self.taken)
        if number >= len(self.plan):
            self.open += [[*self.plan, n] for n in branches[1:]]
            self.plan = [*self.plan, branches[0]]
        chosen = self.plan[number]
        self.taken.append(probabilities[chosen])
        return chosen

    def __iter__(self):
        while self.open:
            self.plan, self.taken = self.open.pop(), []
            yield self


@pytest.fixture
def enumerate_turns(monkeypatch):
    """Give a function that yields (probability, slots after one turn of a player, before the update) for every draw."""

    def turns(solver, player):
        tape = Tape()
        for module in (drawing, from_tree):
            monkeypatch.setattr(
                module, "choose", lambda p, first, count, u: tape.choose(list(p[first : first + count])), raising=False
            )
        monkeypatch.setattr(drawing, "bernoulli", lambda p, u: tape.choose([1 - p, p]) == 1)
        worker = solver._workers[0]
        t = int(solver._place[ITERATION])
        schedule = solver._schedule()
        touched = np.zeros((10_000, 2), np.int64)
        for _ in tape:
            slots = type(solver.ground.slots)(*(array.copy() for array in solver.ground.slots))
            slots.instant_regret[:] = 0
            baseline, end = solver._baseline.copy(), 0
            rng.begin(worker.rng, len(tape.open) + 10**6)
            for _ in range(solver.sampling.batch):
                worker.rng.number[0] += 1  # another traversal: public outcomes are agreed on afresh
                end = drawing.draw(worker.source, slots, worker.drawn, baseline, solver.plan, worker.rng, player, end)
            assert end > 0
            if hasattr(worker.source, "agreed_at"):
                worker.source.agreed_at[:] = -1
            drawing.back_up(worker.drawn, end)
            slots.strategy_sum[player] += schedule.weight[t - schedule.start]
            drawing.apply_batch(
                worker.source, slots, worker.drawn, touched, baseline, solver.plan, schedule, player, t, end, 0
            )
            yield float(np.prod(tape.taken)), slots

    return turns
