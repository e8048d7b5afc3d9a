"""The exact equilibrium of a two-player zero-sum game by linear programme: the judge of everything else."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_array, csr_array

from ..cfr.algorithms import Floats
from ..cfr.full import average_from_sums
from ..errors import AlgorithmError, SolutionError
from ..form.payoff import entries
from ..form.sequence import SequenceForm

_TOLERANCE = 1e-10  # HiGHS: how far a constraint may be violated; its smallest


def equilibrium(form: SequenceForm) -> Floats:
    """Return an exact equilibrium as probabilities at the slots, up to the tolerance of HiGHS.

    Player 0 chooses a realisation plan x to maximise what is left after the best reply y:

        maximise f·v   subject to   E x = e,   Fᵀ v ≤ Aᵀ x,   x ≥ 0

    where E x = e and F y = f say that plans flow from parents to children; the plan y of player 1 is the dual.

    Raises
    ------
    AlgorithmError
        The game is not a two-player zero-sum game.
    SolutionError
        HiGHS found no optimum.

    References
    ----------
    Koller, Megiddo & von Stengel 1994, "Fast algorithms for finding randomized strategies in game trees".
    """
    if form.players != 2 or not form.zero_sum:
        kind = f"{form.players} player{'s' * (form.players != 1)}, {'zero' if form.zero_sum else 'general'}-sum"
        raise AlgorithmError(
            f"The linear programme solves two-player zero-sum games; {form.name} is {kind}. Use solve() instead.",
            wrong_use=True,
        )
    payoff, (flow_0, flow_1) = _payoff_matrix(form), (_flow(form, player) for player in range(2))
    size_x, size_v = payoff.shape[0], flow_1.shape[0]
    root_0, root_1 = np.eye(1, flow_0.shape[0])[0], np.eye(1, size_v)[0]
    result = linprog(
        np.concatenate([np.zeros(size_x), -root_1]),
        A_ub=block_array([[-payoff.T, flow_1.T]], format="csr"),
        b_ub=np.zeros(payoff.shape[1]),
        A_eq=block_array([[flow_0, csr_array((flow_0.shape[0], size_v))]], format="csr"),
        b_eq=root_0,
        bounds=[(0, None)] * size_x + [(None, None)] * size_v,
        method="highs",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if result.status != 0:
        raise SolutionError(f"{form.name}: the linear programme was not solved: {result.message}")
    plans = np.concatenate([result.x[:size_x], -result.ineqlin.marginals])
    return average_from_sums(form, np.maximum(plans, 0.0))


def _payoff_matrix(form: SequenceForm) -> csr_array:
    """Return player 0's payoff, the largest scaled to 1: a row for each of their slots, a column for each of 1's."""
    middle, end = form.treeplex.first_slot[1:].tolist()
    slot, column, weight = entries(form.payoff, 0)
    # The tolerances of HiGHS are absolute, and the equilibrium is the same at any scale of payoffs.
    weight = weight / np.abs(weight).max(initial=0.0) if len(weight) else weight
    return csr_array((weight, (slot, column - np.uint32(middle))), shape=(middle, end - middle))


def _flow(form: SequenceForm, player: int) -> csr_array:
    """Return the constraints of a plan: row 0 is the empty sequence, then Σ slots − parent slot for each infoset."""
    treeplex = form.treeplex
    real = np.zeros(form.length, bool)  # the others only fill up buckets
    real[form.slot] = True
    first = int(treeplex.first_slot[player])
    rows, columns, values = [0], [0], [1.0]
    line = 0
    for b in range(treeplex.first_bucket[player], treeplex.first_bucket[player + 1]):
        size, slot = int(treeplex.bucket_size[b]), int(treeplex.bucket_slot[b])
        for i in np.flatnonzero(real[slot : slot + size]).tolist():
            line += 1
            children = [slot + a * size + i - first for a in range(treeplex.bucket_actions[b])]
            columns += [*children, int(treeplex.parent_slot[treeplex.bucket_infoset[b] + i]) - first]
            rows += [line] * (len(children) + 1)
            values += [1.0] * len(children) + [-1.0]
    slots = int(treeplex.first_slot[player + 1]) - first
    return csr_array((values, (rows, columns)), shape=(line + 1, slots))
