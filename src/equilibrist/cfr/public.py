"""Full-width CFR on public states: the same rows, with a vector of hands at every public node."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import zeros
from ..evaluation.certificate import BestResponses, Certificate
from ..form.public import END, PublicForm
from . import public_kernels as vectors
from .algorithms import Algorithm, Floats, Steps
from .full import MEMORY, FullWidthCFR
from .public_kernels import DOWN, UP, WHOLE, BestResponseArrays, Tables

_TASKS = 128  # subtrees of at most this part of the whole are tasks, whatever the number of threads
_BUNDLES = 64  # tasks are handed out in about so many bundles

_NO_REPLIES = BestResponseArrays(*(np.zeros(0) for _ in BestResponseArrays._fields))
_ONE_STEP = Steps(*(np.ones(1) for _ in Steps._fields))


class Walker:
    """Walks of a public tree, by one thread or several: what comes out is the same, bit for bit.

    With several, the tree is cut: what is above the cut is walked down to it, the subtrees below are walked by
    whichever thread is free, and then the upper part is walked with their results.
    """

    def __init__(self, form: PublicForm, *, threads: int = 1) -> None:
        self.form = form
        self.threads = threads
        self._scratch = [vectors.make_scratch(form) for _ in range(threads)]
        self._cut = form.length // _TASKS
        self._tasks = vectors.make_tasks(form, 0 if threads == 1 else _count_tasks(form, self._cut))

    @property
    def scratch(self) -> vectors.Scratch:
        """Scratch of the calling thread."""
        return self._scratch[0]

    def iterate(self, tables: Tables, steps: Steps, *, predict: float, lowest: float, alternating: bool) -> None:
        """Run the iterations with these scalars."""
        turns = ((0, 1), (1, 2)) if alternating else ((0, 2),)
        if self.threads == 1:
            self._walk(tables, _NO_REPLIES, False, turns, steps, predict, lowest)
            return
        for t in range(len(steps.discount_positive)):
            now = Steps(*(scalars[t : t + 1] for scalars in steps))
            for turn in turns:
                self._walk(tables, _NO_REPLIES, False, (turn,), now, predict, lowest)

    def judge(self, total: NDArray[Any], replies: BestResponseArrays = _NO_REPLIES) -> Certificate:
        """Return what the strategy with these shares earns, and the best replies to it; write them down if asked to."""
        tables = Tables(total, total, total)
        values, best_values = [], []
        for player in range(self.form.players):
            self._walk(tables, replies, True, ((player, player + 1),), _ONE_STEP, 0.0, 0.0)
            hands, width = len(self.form.hands[player]), self.scratch.width
            values.append(float(self._tasks.value[:hands].sum()))
            best_values.append(float(self._tasks.value[width : width + hands].sum()))
        return Certificate(tuple(values), tuple(best_values))

    def _walk(self, tables: Tables, replies: BestResponseArrays, judged: bool, turns: Any, *scalars: Any) -> None:
        """Do one job over the whole tree."""
        public, terminal_payoffs, tasks = self.form.public, self.form.terminal_payoffs, self._tasks

        def walk(scratch: vectors.Scratch, span: tuple[int, int], part: int, cut: int) -> None:
            job = (judged, part, cut)
            vectors.walk(public, terminal_payoffs, tables, replies, scratch, tasks, span, job, turns, *scalars)

        if self.threads == 1:
            walk(self.scratch, (0, 1), WHOLE, -1)
            return
        walk(self.scratch, (0, 1), DOWN, self._cut)
        bundles = iter(_bundles(public.slots[tasks.public_state[1:]]))

        def work(scratch: vectors.Scratch) -> None:
            for first, last in bundles:  # shared: each bundle goes to whoever asks next
                walk(scratch, (1 + first, 1 + last), WHOLE, -1)

        with ThreadPoolExecutor(self.threads) as pool:
            for done in [pool.submit(work, scratch) for scratch in self._scratch]:
                done.result()
        walk(self.scratch, (0, 1), UP, self._cut)


def _count_tasks(form: PublicForm, cut: int) -> int:
    """Return how many subtrees with at most ``cut`` slots hang below nodes with more."""
    public = form.public
    tasks: list[int] = []
    mover, slots, child = public.mover.tolist(), public.slots.tolist(), public.child.tolist()
    first = public.first_child.tolist()
    for here in range(len(mover)):
        below = sum(tasks[child[move]] for move in range(first[here], first[here + 1]))
        tasks.append(0 if mover[here] == END else 1 if slots[here] <= cut else below)
    return tasks[-1]


def _bundles(sizes: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return runs of tasks of about the same size together, as (first, last + 1)."""
    together = np.cumsum(sizes)
    ends = np.searchsorted(together, np.arange(1, _BUNDLES) * (together[-1:].sum() / _BUNDLES))
    return list(pairwise(np.unique([0, *ends, len(sizes)]).tolist()))


class PublicCFR(FullWidthCFR):
    """Full-width CFR on public states.

    Parameters
    ----------
    form : PublicForm
        The game.
    algorithm, alternating, horizon, precision
        As for :class:`~equilibrist.cfr.full.FullWidthCFR`.
    threads : int
        How many threads walk the tree; changes nothing in the result.
    """

    form: PublicForm

    def __init__(
        self,
        form: PublicForm,
        algorithm: Algorithm,
        *,
        alternating: bool = True,
        horizon: int | None = None,
        threads: int = 1,
        precision: str = "float64",
    ) -> None:
        super().__init__(algorithm, alternating=alternating, horizon=horizon, precision=precision)
        self.form = form
        self.walker = Walker(form, threads=threads)
        self.tables = Tables(*(zeros(form.length, precision) for _ in Tables._fields))
        vectors.normalise(form.public, self.walker.scratch, self.tables.regret_sum, self.tables.strategy)

    def _iterate(self, steps: Steps) -> None:
        predict = float(self.algorithm.predict)
        self.walker.iterate(self.tables, steps, predict=predict, lowest=self.lowest, alternating=self.alternating)

    @property
    def nodes_a_pass(self) -> int:
        """What one pass counts: at a public node, one for each number that it carries, a hand of either player."""
        return self.form.nodes * sum(map(len, self.form.hands))

    def average_strategy(self) -> Floats:
        """Return the average strategy, a probability for each slot (that of what fills up means nothing)."""
        return average_from_sums(self.form, self.tables.strategy_sum)

    def certificate(self) -> Certificate:
        """Return what is known exactly about the average strategy."""
        return self.walker.judge(self.tables.strategy_sum)

    def memory(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept to continue later, bit for bit; not a copy."""
        return {name: getattr(self.tables, name) for name in MEMORY}


def average_from_sums(form: PublicForm, total: NDArray[Any]) -> Floats:
    """Return the strategy that plays each slot by its share of its infoset's total; uniformly where there is none."""
    strategy = np.empty(form.length)
    vectors.normalise(form.public, vectors.make_scratch(form), total, strategy)
    return strategy


def best_responses(form: PublicForm, strategy: Floats) -> BestResponses:
    """Return what a strategy earns and how each player would best reply; it is given at the slots of the form."""
    replies = BestResponseArrays(*(np.zeros(form.length) for _ in BestResponseArrays._fields))
    return BestResponses(Walker(form).judge(strategy, replies), *replies)
