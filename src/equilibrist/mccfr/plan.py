"""Plans: a sampling as numbers that kernels read."""

from __future__ import annotations

from . import records
from .records import Plan
from .sampling import Sampling

_FOLLOWED = {"all": records.ALL, "one": records.ONE, "some": records.SOME, "public": records.PUBLIC}
_AVERAGES = {
    "opponent": records.OPPONENT,
    "stochastic": records.STOCHASTIC,
    "optimistic": records.OPTIMISTIC,
    "lazy": records.LAZY,
}
_BASELINES = {None: records.NO_BASELINE, "infoset": records.BY_INFOSET, "history": records.BY_HISTORY}
_PRUNINGS = {None: records.NO_PRUNING, "zero-reach": records.ZERO_REACH, "regret": records.LOW_REGRET}


def make_plan(sampling: Sampling, players: int) -> Plan:
    """Return the plan of a sampling, in a game of so many players."""
    return Plan(
        chance=_FOLLOWED[sampling.chance],
        updating=_FOLLOWED[sampling.updating],
        others=_FOLLOWED[sampling.others],
        average=_AVERAGES[sampling.average_for(players)],
        baseline=_BASELINES[sampling.baseline],
        pruning=_PRUNINGS[sampling.pruning],
        epsilon=sampling.epsilon,
        tau=sampling.tau,
        beta=sampling.beta,
        rate=sampling.baseline_rate,
        prune_below=sampling.prune_below,
        revisit=sampling.revisit,
        low_discrepancy=int(sampling.low_discrepancy),
    )
