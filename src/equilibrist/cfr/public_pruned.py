"""Pruned CFR on a public form: full-width CFR that leaves out what no hand of the other player reaches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import aligned, zeros
from .._util.arrays import Floats
from ..errors import AlgorithmError, SolutionError
from ..form.public.form import PublicForm
from ..form.public.passes import normalise
from ..form.public.walker import PublicWalker
from .algorithms import Algorithm
from .powers import powers
from .public_kernels import list_turns
from .public_pruned_kernels import (
    PrunedSteps,
    PrunedTables,
    Pruning,
    bring_up_to_date,
    update_pruned,
)
from .regret_matching import REGRET_MATCHING, RegretMatchingRule
from .solver import InfosetState
from .tabular import TabularCFR

_CHUNK = 4096  # iterations whose scalars are computed at a time


class PrunedCFR(TabularCFR):
    """CFR on a public form that leaves out what no hand of the other player reaches.

    The iterates are those of :class:`~equilibrist.cfr.public_cfr.PublicCFR` up to rounding, save
    where an algorithm predicts: a prediction is kept while its infoset is left out. An algorithm
    that is a schedule or restarts is refused.
    """

    form: PublicForm

    def __init__(self, form: PublicForm, algorithm: Algorithm) -> None:
        super().__init__(form, algorithm)
        if algorithm.is_schedule or algorithm.restart is not None:
            if algorithm.is_schedule:
                problem = "is a schedule"
            else:
                problem = "restarts its average"
            raise AlgorithmError(f"{algorithm.name!r} {problem}, which pruning does not keep.")
        self._pruning = _make_pruning(form)
        self._tables = PrunedTables(
            strategy=zeros(form.length),
            regret_sum=zeros(form.length),
            strategy_sum=zeros(form.length),
            updated=np.zeros(form.nodes, np.int64),
            deferred=np.zeros(form.nodes, np.int64),
            deferred_weight=zeros(form.nodes * int(form.public.width.max())),
            nodes=np.zeros(1, np.int64),
        )
        self._rules = self._make_rules(_CHUNK)
        with form.walkers.acquire() as walker:
            tables = self._tables
            # Uniform.
            normalise(form.public, walker.scratch, form.root, 0, tables.regret_sum, tables.strategy)
            self._run_to(walker, 0)  # nothing, so that the kernel is there before the clock runs

    @property
    def nodes_touched(self) -> int:
        return int(self._tables.nodes[0])

    def run(self, iterations: int) -> None:
        target = self.iteration + iterations
        with self.form.walkers.acquire() as walker:
            while self.iteration < target and self.nodes_touched < self.max_nodes:
                self._run_to(walker, min(target, self.iteration + _CHUNK))

    def _run_to(self, walker: PublicWalker, last: int) -> None:
        turns = list_turns(alternating=self.alternating)
        limits = self.iteration + 1, last, self.max_nodes
        done = update_pruned(
            walker.game,
            self._tables,
            walker.scratch,
            self._pruning,
            turns,
            self._steps(last),
            limits,
        )
        self._iteration = int(done)

    def _steps(self, last: int) -> PrunedSteps:
        """Return the scalars of the iterations to come up to the last, and the rules of all before."""
        if last > np.size(self._rules.discount_positive):
            self._rules = self._make_rules(2 * last)
        start = self.iteration
        t = np.arange(start, last + 1, dtype=np.float64)
        weight = powers(t, float(self.algorithm.gamma))  # type: ignore[arg-type]  # no schedule
        decays = self.algorithm.alpha is not None or self.algorithm.beta is not None
        return PrunedSteps(start, decays, self._rules, weight)

    def _make_rules(self, last: int) -> RegretMatchingRule:
        return REGRET_MATCHING.rules(
            self.algorithm, self.algorithm.steps(1, last), self._regret_rounding
        )

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        return self._tables._asdict()

    def average_weights(self) -> Floats:
        return self._current_sums(regrets=False)[1]

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        regret_sum, strategy_sum = self._current_sums(regrets=True)
        return InfosetState(self.strategy_at(slots), regret_sum[slots], strategy_sum[slots])

    def _current_sums(self, *, regrets: bool) -> tuple[Floats, Floats]:
        """Return regret sums, if wanted, and sums of the average strategy as they are after this iteration."""
        sums = (
            aligned(self._tables.regret_sum if regrets else np.zeros(0)),
            aligned(self._tables.strategy_sum),
        )
        steps = self._steps(self.iteration)
        t = self.iteration
        with self.form.walkers.acquire() as walker:
            bring_up_to_date(
                walker.game, self._tables, walker.scratch, self._pruning, steps, t, *sums
            )
        return sums

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        if state.keys() == self.state_dict().keys():  # what a kernel counts by
            if state["iteration"].shape == ():
                reached = int(state["iteration"])
            else:
                reached = 0
            ranges = {
                "updated": reached,
                "deferred": 1,
                "nodes": np.iinfo(np.int64).max,
                "deferred_weight": np.inf,
            }
            for name, largest in ranges.items():
                if not ((state[name] >= 0) & (state[name] <= largest)).all():
                    raise SolutionError(
                        f"The saved run holds numbers in {name!r} that are out of range. Start "
                        "afresh."
                    )
        super().load_state(state)

    def describe(self) -> dict[str, str | int | float | bool | None]:
        return super().describe() | {"sampling": "full(pruning='zero-reach')"}


def _make_pruning(form: PublicForm) -> Pruning:
    joint = form.joint_hands
    hands = [len(names) for names in form.hands]
    depths = form.depth + 1
    width = int(form.public.width.max())
    histories = np.zeros((len(joint.histories), 2, width))
    histories[:, 0, : hands[0]] = joint.histories[:, : hands[0]]
    histories[:, 1, : hands[1]] = joint.histories[:, hands[0] :]
    return Pruning(
        edge_node=joint.node,
        deal=form.names.deal,
        histories=aligned(histories.ravel()),
        before=joint.before,
        node=np.zeros(depths, np.int64),
        visited=np.zeros(2 * depths, np.int64),
        weight=zeros(2 * depths * width),
    )
