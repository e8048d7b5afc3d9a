"""Push or fold heads-up, to the last digits: a linear programme over the hands that are pushed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # whose parts are loaded where they are first named: half a second

from ..._util.arrays import Floats
from ...errors import AlgorithmError
from ..cards.cards import CLASSES
from .game import PushFold

_CALLED, _STOLEN, _FOLDED = 2, 3, 4  # the ends of the game, as PushFold numbers its nodes


class PushFoldEquilibrium(NamedTuple):
    """An equilibrium of push or fold heads-up.

    Attributes
    ----------
    push, call : float64 array, shape (169,)
        How likely each class is pushed and called with.
    exploitability : float
        Half of what both gain together by best responses; big blinds a hand.
    """

    push: Floats
    call: Floats
    exploitability: float


def solve_heads_up(game: PushFold) -> PushFoldEquilibrium:
    """Return an equilibrium of push or fold heads-up, for chips.

    Raises
    ------
    AlgorithmError
        The solver of the linear programme gave up.

    Notes
    -----
    With x the probability of a push and y of a call, both by class, who pushes wins

        x·A y + b·x + const,    A = P ∘ (called − stolen),    b_i = Σ_j P_ij (stolen − folded),

    where P is the probability of both classes. Against the best calls that is
    b·x + Σ_j min(0, (xᵀA)_j): the programme is max b·x + Σ_j t_j with t_j ≤ 0, t_j ≤ (xᵀA)_j and
    0 ≤ x ≤ 1. The calls are its dual values.
    """
    first = game.nodes[0].player
    prior = game.prior()
    called = np.asarray(game.payoffs_of_hands(_CALLED)[first])
    if first == 1:
        prior = prior.T
        called = called.T
    stolen = float(game.payoffs_of_hands(_STOLEN)[first])
    folded = float(game.payoffs_of_hands(_FOLDED)[first])
    against_call = prior * (called - stolen)
    steal = prior.sum(axis=1) * (stolen - folded)
    hands = len(CLASSES)
    result = scipy.optimize.linprog(
        -np.concatenate([steal, np.ones(hands)]),
        A_ub=np.hstack([-against_call.T, np.eye(hands)]),
        b_ub=np.zeros(hands),
        bounds=[(0, 1)] * hands + [(None, 0)] * hands,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise AlgorithmError(
            f"The linear programme of {game} was not solved: {result.message}", wrong_use=False
        )
    push = np.clip(result.x[:hands], 0.0, 1.0)
    call = np.clip(-result.ineqlin.marginals, 0.0, 1.0)
    push_gain = against_call @ call + steal
    call_gain = -(push @ against_call)
    best_push = np.maximum(push_gain, 0.0).sum() - push @ push_gain
    best_call = np.maximum(call_gain, 0.0).sum() - call @ call_gain
    return PushFoldEquilibrium(push, call, 0.5 * float(best_push + best_call))
