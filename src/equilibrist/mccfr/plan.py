"""Plans: a sampling as numbers that kernels read."""

from __future__ import annotations

from . import records
from .records import Plan
from .sampling import AVERAGES, Sampling

_MODES = {"all": records.ALL, "one": records.ONE, "some": records.SOME, "public": records.PUBLIC}
_BASELINES = {None: records.NO_BASELINE, "infoset": records.BY_INFOSET, "history": records.BY_HISTORY}
_PRUNINGS = {None: records.NO_PRUNING, "zero-reach": records.ZERO_REACH, "regret": records.LOW_REGRET}


def make_plan(sampling: Sampling, players: int) -> Plan:
    """Return the plan of a sampling, in a game of so many players."""
    scheme = sampling.definition
    epsilon = sampling.epsilon if sampling.epsilon is not None else scheme.epsilon
    return Plan(
        chance=_MODES[scheme.chance],
        own=_MODES[scheme.own],
        others=_MODES[scheme.others],
        average=AVERAGES.index(sampling.average_for(players)),
        baseline=_BASELINES[sampling.baseline],
        pruning=_PRUNINGS[sampling.pruning],
        epsilon=float(epsilon or 0.0),
        tau=float(sampling.tau),
        beta=float(sampling.beta),
        rate=float(sampling.baseline_rate),
        prune_below=float(sampling.prune_below),
        revisit=float(sampling.revisit),
        low_discrepancy=int(sampling.low_discrepancy),
    )
