"""Every draw of a sample, one after the other."""

import numpy as np
import pytest

from equilibrist._jit import rng
from equilibrist.mccfr import draw, source_public, source_tree, update
from equilibrist.mccfr.records import NO_BASELINE


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


class DealNumber(float):
    """A number in [0, 1) that decides an outcome of chance."""


_choose_by_number = getattr(rng.choose, "py_func", rng.choose)


@pytest.fixture
def enumerate_turns(monkeypatch):
    """Give a function that yields (probability, slots after one turn of a player, before the update) for every draw.

    ``see`` is called with the records of each. With one deal for all paths, an outcome of chance has
    a probability that is a multiple of 1 / ``places``.
    """

    def turns(solver, player, see=lambda records: None, *, places=1):
        tape = Tape()
        numbers = {}

        def of_deal(stream, deal, n, even):
            """Return the number of a place of the deal: one of ``places``, equally likely, once for a traversal."""
            if n not in numbers:
                numbers[n] = DealNumber((tape.choose([1 / places] * places) + 0.5) / places)
            return numbers[n]

        monkeypatch.setattr(draw, "of_deal", of_deal)

        def choose(probabilities, first, count, u):
            if isinstance(u, DealNumber):
                return _choose_by_number(probabilities, first, count, float(u))
            return tape.choose(list(probabilities[first : first + count]))

        for module in (draw, source_tree, source_public):
            monkeypatch.setattr(module, "choose", choose)
        monkeypatch.setattr(
            source_tree, "prefetch", lambda array, index: None
        )  # no function of Python
        monkeypatch.setattr(draw, "bernoulli", lambda p, u: tape.choose([1 - p, p]) == 1)
        source, t, schedule = solver.source, solver.iteration + 1, solver._schedule()
        touched = np.zeros((10_000, 2), np.int64)
        for _ in tape:
            slots = type(solver.slots)(*(array.copy() for array in solver.slots))
            slots.instant_regret[:] = 0
            sampler = solver.sampler._replace(slots=slots, baseline=solver.sampler.baseline.copy())
            rng.begin(sampler.rng, len(tape.open) + 10**6)
            end = 0
            for _ in range(solver.sampling.batch):
                numbers.clear()
                sampler.rng.number[0] += 1  # another traversal: public outcomes are drawn afresh
                end = draw.draw(source, sampler, player, end)
            assert end > 0
            if hasattr(source, "drawn_at"):
                source.drawn_at[:] = -1
            draw.back_up(sampler.records, 0, end)
            update.begin_turn(slots, schedule, player, t)
            update.accumulate(sampler, touched, schedule, player, t, end, 0)
            if sampler.plan.baseline != NO_BASELINE:
                update.add_expected(source, sampler, player, end)
            see(sampler.records[:end])
            yield float(np.prod(tape.taken)), slots

    return turns
