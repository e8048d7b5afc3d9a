"""Exact equilibria of two-player zero-sum games by linear programme: the reference of everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy  # whose parts are loaded where they are first named: half a second

from .._util.arrays import Floats, Ints
from ..errors import AlgorithmError, LinearProgramError
from ..form.floors import NO_FLOORS, Terms
from ..form.sequence.form import SequenceForm

_TOLERANCE = 1e-10  # HiGHS: how far a constraint may be violated; its smallest
_PART = 1e-9  # of the payoffs that are played for, which nash_conv may be
_SCALINGS = 20  # rounds
_SLACK = 1e-9  # of the largest payoff, by which a plan may miss the value of the game


class _Programme(NamedTuple):
    """A linear programme: minimise cost · z subject to upper z ≤ 0, equal z = right, and z ≥ 0 but for some of z.

    Attributes
    ----------
    cost : float array, shape (variables,)
    upper : csr_array, shape (constraints, variables)
    equal : csr_array
    right : float array
    free : slice
        The variables that may be negative; those before them are the plan of player 0.
    responses : int
        How many of the first constraints have the plan of player 1 as their multipliers.
    """

    cost: Floats
    upper: scipy.sparse.csr_array
    equal: scipy.sparse.csr_array
    right: Floats
    free: slice
    responses: int


def equilibrium(form: SequenceForm, floors: Terms = NO_FLOORS) -> Floats:
    """Return an exact equilibrium as probabilities at the slots, up to the tolerance of HiGHS.

    Player 0 chooses a realisation plan x to maximise what is left after the best response y:

        maximise f·v   subject to   E x = e,   Fᵀ v ≤ Aᵀ x,   x ≥ 0

    where E x = e and F y = f say that plans flow from parents to children; the plan y of player 1
    is the dual. Floors are rows G x ≥ 0, each a sequence less ε × the one before it; those of
    player 1 have multipliers w ≥ 0, and then it is Fᵀ v + Gᵀ w ≤ Aᵀ x.

    Notes
    -----
    HiGHS takes entries below 1e-9 for 0, so that an optimum need not be an equilibrium. The
    strategy is accepted where its nash_conv is at most 1e-9 of the expected absolute payoff, or,
    where less is played for, of the geometric mean of the entries × √entries, but no more than the
    other actions of both players would play for. Else the programme is solved once more, with rows
    and columns scaled so that the least and the largest entry of each have 1 as their geometric
    mean.

    References
    ----------
    Koller, Megiddo & von Stengel 1994, "Fast algorithms for finding randomized strategies in game
    trees". Farina, Kroer & Sandholm 2017, "Regret minimization in behaviorally-constrained zero-sum
    games".
    """
    check_zero_sum(form.name, form.players, zero_sum=form.zero_sum)
    least_probability = _action_floors(form, floors)
    programme, weight = _make_programme(form, least_probability)
    reasons = []
    unscaled = (
        np.ones(programme.upper.shape[0] + programme.equal.shape[0]),
        np.ones(len(programme.cost)),
    )
    for rows, columns in (unscaled, _find_scales(programme)):
        plans, message = _solve_plans(programme, rows, columns)
        if plans is None:
            reasons.append(message)
            continue
        strategy = _raise_to_floors(
            form, form.average_from_sums(_put_plans_at_slots(form, plans)), least_probability
        )
        nash_conv = form.values(strategy, floors=floors).nash_conv
        tolerance = _gain_tolerance(form, form.best_responses(strategy).reach)
        if nash_conv <= tolerance:
            return strategy
        reasons.append(f"its answer has a nash_conv of {nash_conv:.3g}, more than {tolerance:.3g}")
    raise LinearProgramError(
        f"{form.name}: the linear programme found no equilibrium: {reasons[0]}. Payoffs × chance "
        f"go up to {weight:.3g}; bring payoffs closer together, or use solve() instead."
    )


def check_zero_sum(name: str, players: int, *, zero_sum: bool = True) -> None:
    """Refuse a game that the linear programme does not solve."""
    if players != 2 or not zero_sum:
        if players == 2:
            kind = "is general-sum"
        else:
            kind = f"has {players} player{'s' * (players != 1)}"
        raise AlgorithmError(
            f"The linear programme solves two-player zero-sum games; {name} {kind}. Use solve() "
            "(equilibrist solve) instead.",
        )


def _gain_tolerance(form: SequenceForm, slot_reach: Floats) -> float:
    reach = np.append(1.0, slot_reach[form.slot])  # by sequence: the empty one is always there
    sequence, sequences_of_others, weight = form.entries(0)
    weight_size = np.abs(weight)
    reach_0 = reach[sequence]
    reach_1 = reach[sequences_of_others[0]]
    expected = float((weight_size * reach_0 * reach_1).sum())
    # What is there to be played for by either player against the other's strategy.
    stakes = min(float((weight_size * reach_1).sum()), float((weight_size * reach_0).sum()))
    weight_size = weight_size[weight_size > 0]
    if not len(weight_size):
        # Nothing is played for: whatever is played is an equilibrium, and any gain is rounding.
        return np.inf
    typical = float(np.exp(np.log(weight_size).mean()) * np.sqrt(len(weight_size)))
    if stakes > 0:
        typical = min(typical, stakes)
    return _PART * max(expected, typical)


def _action_floors(form: SequenceForm, floors: Terms) -> Floats:
    """Return the floor of each action, in the order of the infosets."""
    return np.broadcast_to(floors.floors, form.length)[form.slot]


def _raise_to_floors(form: SequenceForm, strategy: Floats, least_probability: Floats) -> Floats:
    """Return a strategy that keeps its floors to the last bit, of which it may miss what HiGHS tolerates."""
    first = form.first_action[:-1]
    counts = form.infosets.num_actions
    if not least_probability.any():
        return strategy
    shares = np.maximum(strategy[form.slot] - least_probability, 0.0)
    total = np.repeat(np.add.reduceat(shares, first), counts)
    shares = np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)
    free = 1.0 - np.repeat(np.add.reduceat(least_probability, first), counts)
    mixed = strategy.copy()
    mixed[form.slot] = least_probability + free * shares
    return mixed


def _make_programme(form: SequenceForm, least_probability: Floats) -> tuple[_Programme, float]:
    """Return the programme of a game with the largest payoff scaled to 1, and that payoff."""
    payoff, largest = payoff_matrix(form)
    flow_0, flow_1 = (flow_rows(form, player) for player in range(2))
    size_x = payoff.shape[0]
    size_v = flow_1.shape[0]
    root_0 = np.eye(1, flow_0.shape[0])[0]
    root_1 = np.eye(1, size_v)[0]
    floors_0, floors_1 = (_floor_rows(form, player, least_probability) for player in range(2))
    size_w = floors_1.shape[0]
    responses = scipy.sparse.block_array([[-payoff.T, flow_1.T, floors_1.T]], format="csr")
    floor_rows = scipy.sparse.block_array(
        [[-floors_0, scipy.sparse.csr_array((floors_0.shape[0], size_v + size_w))]], format="csr"
    )
    equal = scipy.sparse.block_array(
        [[flow_0, scipy.sparse.csr_array((flow_0.shape[0], size_v + size_w))]], format="csr"
    )
    cost = np.concatenate([np.zeros(size_x), -root_1, np.zeros(size_w)])
    free = slice(size_x, size_x + size_v)
    upper = scipy.sparse.vstack([responses, floor_rows], format="csr")
    return _Programme(cost, upper, equal, root_0, free, responses.shape[0]), largest


def _solve_plans(programme: _Programme, rows: Floats, columns: Floats) -> tuple[Floats | None, str]:
    """Return both plans, with rows and columns scaled by these factors, or None and why there are none."""
    cost, upper, equal, right, free, responses = programme
    lower_bound = np.zeros(len(cost))
    lower_bound[free] = -np.inf
    scale_upper = scipy.sparse.diags_array(rows[: upper.shape[0]])
    scale_equal = scipy.sparse.diags_array(rows[upper.shape[0] :])
    result = scipy.optimize.linprog(
        cost * columns,
        A_ub=(scale_upper @ upper @ scipy.sparse.diags_array(columns)).tocsr(),
        b_ub=np.zeros(upper.shape[0]),
        A_eq=(scale_equal @ equal @ scipy.sparse.diags_array(columns)).tocsr(),
        b_eq=scale_equal @ right,
        bounds=np.column_stack([lower_bound, np.full(len(cost), np.inf)]),
        method="highs",
        options={
            "primal_feasibility_tolerance": _TOLERANCE,
            "dual_feasibility_tolerance": _TOLERANCE,
        },
    )
    if result.status != 0:
        return None, f"it was not solved ({str(result.message).rstrip('.')})"
    plans = np.concatenate(
        [(result.x * columns)[: free.start], -(scale_upper @ result.ineqlin.marginals)[:responses]]
    )
    return np.maximum(plans, 0.0), ""


def _find_scales(programme: _Programme) -> tuple[Floats, Floats]:
    """Return scales of rows and columns, powers of 2, that bring the entries of the programme close to 1.

    The logarithms of the scales are minus the mean of the least and the largest in each row, then
    in each column, over and over.
    """
    matrix = scipy.sparse.coo_array(
        scipy.sparse.block_array([[programme.upper], [programme.equal]])
    )
    i, j = (axis[matrix.data != 0] for axis in matrix.coords)
    size = np.log2(np.abs(matrix.data[matrix.data != 0]))
    row = np.zeros(matrix.shape[0])
    column = np.zeros(matrix.shape[1])
    for _ in range(_SCALINGS):
        row = -_mid_ranges(i, size + column[j], len(row))
        column = -_mid_ranges(j, size + row[i], len(column))
    row, column = (np.ldexp(1.0, np.rint(exponent).astype(int)) for exponent in (row, column))
    return row, column


def _mid_ranges(index: np.ndarray, numbers: Floats, count: int) -> Floats:
    """Return the mean of the least and the largest number of each index; 0 where there is none."""
    low = np.full(count, np.inf)
    high = np.full(count, -np.inf)
    np.minimum.at(low, index, numbers)
    np.maximum.at(high, index, numbers)
    exists = np.isfinite(low)
    return np.where(exists, (np.where(exists, low, 0.0) + np.where(exists, high, 0.0)) / 2, 0.0)


def payoff_matrix(form: SequenceForm, player: int = 0) -> tuple[scipy.sparse.csr_array, float]:
    """Return the payoff of a player of two, their sequences by those of the other, and by what it is divided."""
    sequence, sequences_of_others, weight = form.entries(player)
    # The tolerances of HiGHS are absolute, and the equilibrium is the same at any scale of payoffs.
    largest = float(np.abs(weight).max(initial=0.0))
    weight = weight / largest if len(weight) else weight
    rows = number_sequences(form, player)
    columns = number_sequences(form, 1 - player)
    shape = (int(rows[-1]) + 1, int(columns[-1]) + 1)
    return scipy.sparse.csr_array(
        (weight, (rows[sequence], columns[sequences_of_others[0]])), shape=shape
    ), largest


def number_sequences(form: SequenceForm, player: int) -> Ints:
    """Return the number of each sequence among those of its player, the empty one first: ``[sequence]``."""
    is_theirs = np.repeat(form.infosets.owner == player, form.infosets.num_actions)
    return np.append(0, np.cumsum(is_theirs))


def _put_plans_at_slots(form: SequenceForm, plans: Floats) -> Floats:
    numbers = [number_sequences(form, player) for player in range(2)]
    owner = np.repeat(form.infosets.owner, form.infosets.num_actions)
    sums = np.zeros(form.length)
    sums[form.slot] = plans[
        np.where(owner == 0, numbers[0][1:], numbers[0][-1] + 1 + numbers[1][1:])
    ]
    return sums


def flow_rows(form: SequenceForm, player: int) -> scipy.sparse.csr_array:
    """Return the constraints of a plan: row 0 is the empty sequence, then Σ sequences − parent for each infoset."""
    infosets = np.flatnonzero(form.infosets.owner == player)
    counts = form.infosets.num_actions[infosets].astype(np.int64)
    count = len(infosets)
    sequences = int(counts.sum())
    line = np.arange(1, count + 1)
    parents = number_sequences(form, player)[form.parent_sequence[infosets]]
    rows = np.concatenate([[0], np.repeat(line, counts), line])
    columns = np.concatenate([[0], np.arange(1, sequences + 1), parents])
    values = np.concatenate([np.ones(1 + sequences), -np.ones(count)])
    return scipy.sparse.csr_array((values, (rows, columns)), shape=(count + 1, sequences + 1))


def _floor_rows(
    form: SequenceForm, player: int, least_probability: Floats
) -> scipy.sparse.csr_array:
    """Return the rows of what a plan keeps above the floors: a sequence − its floor × the sequence before it."""
    action = np.flatnonzero(
        (np.repeat(form.infosets.owner, form.infosets.num_actions) == player)
        & (least_probability > 0)
    )
    infoset = np.searchsorted(form.first_action, action, side="right") - 1
    numbers = number_sequences(form, player)
    line = np.arange(len(action))
    columns = np.concatenate([numbers[1 + action], numbers[form.parent_sequence[infoset]]])
    values = np.concatenate([np.ones(len(action)), -least_probability[action]])
    return scipy.sparse.csr_array(
        (values, (np.tile(line, 2), columns)), shape=(len(action), int(numbers[-1]) + 1)
    )


def equilibrium_ranges(
    form: SequenceForm, choices: Sequence[tuple[int, int]]
) -> list[tuple[float, float] | None]:
    """Return the least and the largest probability over all equilibria of actions, each as (infoset, action).

    The realisation plans x of a player's equilibria are those that guarantee the value u of the
    game. The probability x(a) / Σ_b x(b) is made linear by letting the plan sum to 1 at the infoset
    instead of at the root (Charnes–Cooper):

        least and largest x(a)   subject to   E x = e t,   Fᵀ v ≤ Aᵀ x,   f·v ≥ u t,   Σ_b x(b) = 1,   x, t ≥ 0

    None for an infoset to which no equilibrium of its player comes.

    References
    ----------
    Charnes & Cooper 1962, "Programming with linear fractional functionals".
    """
    value = form.best_responses(equilibrium(form)).value
    payoff, largest = payoff_matrix(form)
    targets = [player_value / (largest or 1.0) - _SLACK for player_value in value]
    return [_probability_range(form, payoff, targets, index, action) for index, action in choices]


def _probability_range(
    form: SequenceForm,
    payoff: scipy.sparse.csr_array,
    targets: Sequence[float],
    index: int,
    action: int,
) -> tuple[float, float] | None:
    """Return the least and the largest probability of an action where a plan guarantees the target of its player."""
    player = form.infosets[index].player
    flow = flow_rows(form, player)
    other_flow = flow_rows(form, 1 - player)
    gain = payoff if player == 0 else -payoff.T
    size = flow.shape[1]
    rows = other_flow.shape[0]
    columns_at_infoset = number_sequences(form, player)[1:][
        form.first_action[index] : form.first_action[index + 1]
    ]
    at_infoset = scipy.sparse.csr_array(
        (
            np.ones(len(columns_at_infoset)),
            (np.zeros(len(columns_at_infoset), int), columns_at_infoset),
        ),
        shape=(1, size),
    )
    start = np.eye(1, flow.shape[0])
    guarantee = np.array([[targets[player]]])
    upper = scipy.sparse.block_array(
        [[-gain.T, other_flow.T, None], [None, -np.eye(1, rows), guarantee]], format="csr"
    )
    equal = scipy.sparse.block_array(
        [[flow, scipy.sparse.csr_array((flow.shape[0], rows)), -start.T], [at_infoset, None, None]],
        format="csr",
    )
    right = np.append(np.zeros(flow.shape[0]), 1.0)
    bounds = [(0, None)] * size + [(None, None)] * rows + [(0, None)]
    ends = []
    for sign in (1.0, -1.0):
        cost = np.zeros(size + rows + 1)
        cost[columns_at_infoset[action]] = sign
        result = scipy.optimize.linprog(
            cost, upper, np.zeros(upper.shape[0]), equal, right, bounds, method="highs"
        )
        if result.status != 0:
            return None
        ends.append(float(np.clip(sign * result.fun, 0.0, 1.0)))
    return ends[0], ends[1]
