"""The Kuhn lab where it stands before an iteration that was explained."""

from __future__ import annotations

from typing import Any

from ...cfr.algorithms import ALGORITHMS
from ...mccfr.sampling import ChanceSampling, Full, find_sampling
from .records import ExplainedIteration

_GAMES = ("kuhn", "kuhn()", "kuhn(cards=3)")


def lab_options(explanation: ExplainedIteration) -> dict[str, Any] | None:
    """Return the options of the Kuhn lab that set it to an explained iteration, or None where no lab fits.

    It knows Kuhn poker with three cards, all deals or one drawn for each player, and algorithms
    without schedules.
    """
    algorithm = ALGORITHMS.get(explanation.algorithm.removesuffix("(alternating=False)"))
    deals = _deals_to_walk(explanation)
    if (
        explanation.game not in _GAMES
        or algorithm is None
        or algorithm.needs_horizon
        or deals is None
    ):
        return None
    updates = {key: update for (_, key), update in explanation.updates.items()}
    return {
        "settings": {
            "algorithm": algorithm.name,
            "alternating": explanation.alternating,
            "walk": deals,
        },
        "position": {
            "t": explanation.iteration - 1,
            "strategy": {key: update.strategy[1] for key, update in updates.items()},
            "regretSum": {key: update.regret_sum_before for key, update in updates.items()},
            "strategySum": {key: update.strategy_sum_before for key, update in updates.items()},
        },
        "chosen": next(node.infoset for node in explanation.walks[0].nodes if node.infoset),
    }


def _deals_to_walk(explanation: ExplainedIteration) -> str | None:
    """Return what the lab is to walk: all deals, or the deal drawn; None where samples draw something else."""
    sampling = find_sampling(explanation.sampling)
    if sampling == Full():
        return "full"
    if sampling != ChanceSampling():
        return None
    deals = {
        "".join(node.history[:2])
        for walk in explanation.walks
        for node in walk.nodes
        if len(node.history) > 2
    }
    if len(deals) == 1:
        return deals.pop()
    return "random"
