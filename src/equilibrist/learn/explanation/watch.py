"""Watch a solver run one iteration: what it does at each history, and at each infoset.

All numbers are the solver's own. What happens at a history comes from the records of the kernels
that draw samples (:mod:`equilibrist.mccfr.draw`); for full-width CFR, which sums over histories
before it looks at any, the same kernels walk through everything with the strategies that it plays.
What happens at an infoset is read off the solver's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ...cfr.sequence_cfr import SequenceCFR, State
from ...cfr.solver import Solver
from ...form.infosets import Infoset
from ...mccfr.iterations import ACCUMULATED, DRAWN
from ...mccfr.sampling import Full
from ...mccfr.solver import MonteCarloCFR
from ...mccfr.table import make_table
from ...strategy.by_name import ByInfoset
from .records import Key, Update, Walk
from .transcript import Sample, Transcript


class WatchedIteration(NamedTuple):
    """What an iteration did at the histories of its walks and at the infosets, and how many of these there are."""

    infosets: int
    walks: tuple[Walk, ...]
    updates: dict[Key, Update]


def watch_full_width(solver: SequenceCFR, transcript: Transcript) -> WatchedIteration:
    """Run one more iteration of full-width CFR and write down what it did."""
    form = solver.form
    players = solver.form.players
    state_before = State(*(array.copy() for array in solver.state))
    solver.run(1)
    state_after = solver.state
    sampler = MonteCarloCFR(make_table(form), solver.algorithm, Full())
    strategy = sampler.slots.strategy[players:]
    owner = np.repeat(form.infosets.owner, form.infosets.num_actions)
    strategy[:] = state_before.strategy[form.slot]
    walks = []
    for player in range(players):
        records = sampler.sample(player)
        sample = Sample(player, sampler.source, sampler.sampler._replace(records=records))
        walks.append(Walk((player,), transcript.nodes(sample)))
        if solver.alternating:  # the next player sees this one's new strategy
            strategy[owner == player] = state_after.strategy[form.slot[owner == player]]
    discount = _make_discount(solver)

    def update(infoset: Infoset, span: slice) -> Update:
        slots = form.slot[span]
        strategy = state_before.strategy[slots]
        cf_value = state_after.cf_value[slots]
        regret_sum = state_before.regret_sum[slots]
        return _make_update(
            infoset,
            strategy=strategy,
            instant_regret=cf_value - strategy @ cf_value,
            regret_sum_before=regret_sum,
            regret_sum_discounted=discount(regret_sum),
            regret_sum=state_after.regret_sum[slots],
            strategy_sum_before=state_before.strategy_sum[slots],
            strategy_sum=state_after.strategy_sum[slots],
            next_strategy=state_after.strategy[slots],
        )

    return WatchedIteration(
        form.num_infosets,
        transcript.join_walks(walks),
        _make_updates(form.infosets, update, transcript),
    )


def watch_sampled(solver: MonteCarloCFR, transcript: Transcript) -> WatchedIteration:
    """Run one more iteration on samples and write down what it did."""
    state_before = solver.state_at(solver.action_slots(), solver.table.shape()[1])
    walks: list[Walk] = []
    strategy: dict[int, Floats] = {}
    discounted: dict[int, Floats] = {}
    instant: dict[int, Floats] = {}
    for stage in solver.stages():
        slots = solver.slots
        player = stage.player
        if stage.name == DRAWN:
            sample = Sample(player, solver.source, solver.sampler._replace(records=stage.records))
            walks.append(Walk((player,), transcript.nodes(sample)))
            strategy[player] = slots.strategy.copy()
        elif stage.name == ACCUMULATED:
            discounted[player], instant[player] = (
                slots.regret_sum.copy(),
                slots.instant_regret.copy(),
            )
    slots, sums, discount = solver.slots, solver.average_sums(), _make_discount(solver)

    def update(infoset: Infoset, span: slice) -> Update:
        places = slice(solver.players + span.start, solver.players + span.stop)
        regret_sum = _slice_padded(state_before.regret_sum, span)
        player = infoset.player
        visited = bool(slots.updated[places.start] == solver.iteration)
        untouched_sum = discount(
            regret_sum
        )  # which the solver makes up for when it comes here again
        return _make_update(
            infoset,
            strategy=(strategy[player] if visited else slots.strategy)[places],
            instant_regret=instant[player][places] if visited else np.zeros_like(untouched_sum),
            regret_sum_before=regret_sum,
            regret_sum_discounted=discounted[player][places] if visited else untouched_sum,
            regret_sum=slots.regret_sum[places] if visited else untouched_sum,
            strategy_sum_before=_slice_padded(state_before.strategy_sum, span),
            strategy_sum=sums[places],
            next_strategy=slots.strategy[places],
            is_visited=visited,
        )

    infosets = solver.infosets()
    return WatchedIteration(
        len(infosets), transcript.join_walks(walks), _make_updates(infosets, update, transcript)
    )


def _make_updates(
    infosets: Sequence[Infoset], update: Callable[[Infoset, slice], Update], transcript: Transcript
) -> dict[Key, Update]:
    """Return the updates of all infosets, or of those alone that a walk came to, where there are too many to tell.

    ``update`` makes one of the infoset and of the numbers of its actions among those of all.
    """
    if len(infosets) > transcript.most:
        return ByInfoset(
            (key, update(infoset, span)) for key, (infoset, span) in transcript.visited.items()
        )
    updates = ByInfoset[Update]()
    start = 0
    for player, key, actions in infosets:
        span = slice(start, start + len(actions))
        updates[player, key] = update(Infoset(player, key, actions), span)
        start = span.stop
    return updates


def _make_discount(solver: Solver) -> Callable[[Floats], Floats]:
    """Return what multiplies regret sums by the discount of the iteration that a solver has run last."""
    steps = solver.algorithm.steps(solver.iteration, 1, horizon=solver.horizon)
    positive, negative = float(steps.discount_positive[0]), float(steps.discount_negative[0])
    return lambda regret_sum: regret_sum * np.where(regret_sum > 0, positive, negative)


def _slice_padded(array: Floats, span: slice) -> Floats:
    """Return a part of an array, and 0 where it was made before there was such a part."""
    values = array[span]
    return np.pad(values, (0, span.stop - span.start - len(values)))


def _make_update(
    infoset: Infoset, *, strategy_sum: Floats, is_visited: bool = True, **numbers: Floats
) -> Update:
    total = float(strategy_sum.sum())
    count = len(infoset.actions)
    if total > 0:
        average = strategy_sum / total
    else:
        average = np.full(count, 1.0 / count)
    arrays = {**numbers, "strategy_sum": strategy_sum, "average_strategy": average}
    fields: dict[str, Any] = {name: tuple(array.tolist()) for name, array in arrays.items()}
    return Update(*infoset, is_visited, **fields)
