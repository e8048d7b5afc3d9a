"""Samples drawn from public states: a pair of hands, and one way through the public tree at a time."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import inlined
from .._jit.rng import choose, splitmix64
from ..form.public import PublicForm
from ..form.public_tree import END, NATURE
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import Showdown
from .source import ALL_KNOWN, NO_NUMBERS, SOURCES

_SITUATION = np.dtype(
    [
        ("win", np.float64),
        ("tie", np.float64),
        ("lose", np.float64),
        ("mover", np.int32),
        ("count", np.uint32),
        ("first", np.uint32),
        ("rank", np.uint32),
    ]
)
_MOVE = np.dtype(
    [
        ("node", np.int64),
        ("share", np.float64),
        ("public_state", np.uint32),
        ("slot", np.uint32),
        ("matrix", np.uint32),
    ],
    align=True,
)
_STATE = np.dtype(
    [("node", np.int64), ("public_state", np.uint32), ("slot", np.uint32), ("row", np.uint32), ("column", np.uint32)]
)
_PUBLIC = 1  # the slot of what everybody sees


class PublicSource(NamedTuple):
    """Public states, with what a traversal needs of each in one record, and the states of a sample.

    Attributes
    ----------
    public states : record array, shape (public states,)
        ``mover``; ``count`` of moves; ``first`` move; where in ``ranks`` those of the mover's hands begin. At an end
        ``first`` is the number of the ``strengths`` that decide, and ``win``, ``tie`` and ``lose`` say what player 0
        gets; or ``rank`` is 1 + the number of the matrix of ``paid`` that says it.
    moves : record array, shape (moves,)
        The ``public_state`` after each; how many slots and public nodes come before those below it, counted from the
        ``slot`` and ``node`` of where it is made; of an outcome of chance, the probability: ``share`` times the
        number that ``matrix`` has for the pair of hands.
    mean : float64 array, shape (moves,)
        Its mean over all pairs of hands, with which everybody's outcome is drawn.
    matrices, paid : float64 arrays, shape (…, hands of player 0, hands of player 1)
    strengths : float64 array, shape (…, hands of both players)
    ranks : uint32 array
        The number of each hand among those that can be held at a public state.
    first : float64 array; first_hand : uint32 array
        The hands that player 0 can be dealt, and how probable each is.
    second : float64 array; second_hand : uint32 array; second_start : int64 array, shape (hands of player 0 + 1,)
        The hands that player 1 can be dealt then: for hand i of player 0 from ``second_start[i]`` on.
    states : record array, shape (records of a sample,)
        ``public_state``, which is one past the last where player 1 is still to be dealt a hand, and two where player 0
        is as well; number of the public ``node``; its first ``slot``; the hands of player 0 (``row``) and of player 1
        (``column``).
    outcome : uint32 array; probability : float64 array
        The outcomes of public chance that are possible at the history looked at last: moves from ``first`` on.
    agreed_node, agreed_at, agreed : int64 arrays, length a power of two
        An open-addressing table of the public nodes that have drawn an outcome: the node, the traversal in which it
        did, and the outcome. What other traversals have left counts as empty.
    """

    public_states: Any
    moves: Any
    mean: NDArray[np.float64]
    matrices: NDArray[np.float64]
    paid: NDArray[np.float64]
    strengths: NDArray[np.float64]
    ranks: NDArray[np.uint32]
    first: NDArray[np.float64]
    first_hand: NDArray[np.uint32]
    second: NDArray[np.float64]
    second_hand: NDArray[np.uint32]
    second_start: NDArray[np.int64]
    states: Any
    outcome: NDArray[np.uint32]
    probability: NDArray[np.float64]
    agreed_node: NDArray[np.int64]
    agreed_at: NDArray[np.int64]
    agreed: NDArray[np.int64]


def public_source(form: PublicForm) -> PublicSource:
    """Return the source that draws from public states, with no room for records yet."""
    public, pairs = form.public, form.joint_hands
    ranks, rank = _ranks(form)
    strengths, paid, place = _payoffs(form)
    ends = public.mover == END
    public_states = np.zeros(len(public.mover), _SITUATION).view(np.recarray)
    public_states["win"], public_states["tie"], public_states["lose"] = pairs.amounts.T
    public_states["mover"] = np.where(ends, TERMINAL, np.where(public.mover == NATURE, CHANCE, public.mover))
    public_states["count"] = np.diff(public.first_child)
    public_states["first"] = np.where(ends, place[public.terminal, 0], public.first_child[:-1])
    public_states["rank"] = np.where(ends, place[public.terminal, 1], rank)
    moves = np.zeros(len(public.child), _MOVE).view(np.recarray)
    moves["public_state"], moves["slot"], moves["node"] = public.child, pairs.slot, pairs.node
    moves["share"], moves["matrix"] = pairs.share, pairs.matrix
    share = pairs.prior.sum(axis=1)
    row, column = np.nonzero(pairs.prior)
    most = int(public_states["count"].max(initial=1))
    return PublicSource(
        public_states=public_states,
        moves=moves,
        mean=pairs.mean,
        matrices=_stacked(list(pairs.matrices), pairs.prior.shape),
        paid=paid,
        strengths=strengths,
        ranks=ranks,
        first=share[share > 0],
        first_hand=np.flatnonzero(share).astype(np.uint32),
        second=pairs.prior[row, column] / share[row],
        second_hand=column.astype(np.uint32),
        second_start=np.searchsorted(row, np.arange(len(share) + 1)),
        states=np.zeros(0, _STATE).view(np.recarray),
        outcome=np.zeros(most, np.uint32),
        probability=np.zeros(most),
        agreed_node=np.zeros(0, np.int64),
        agreed_at=np.zeros(0, np.int64),
        agreed=np.zeros(0, np.int64),
    )


def with_scratch(source: PublicSource, *, records: int, public_chance: bool) -> PublicSource:
    """Return a source with scratch of its own, for so many records."""
    places = 1 << (2 * records).bit_length() if public_chance else 1  # each record may be at a node of its own
    return source._replace(
        states=np.zeros(records, _STATE).view(np.recarray),
        outcome=source.outcome.copy(),
        probability=source.probability.copy(),
        agreed_node=np.zeros(places, np.int64),
        agreed_at=np.full(places, -1, np.int64),
        agreed=np.zeros(places, np.int64),
    )


def _ranks(form: PublicForm) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the numbers of hands among those that can be held, and where the mover's begin for each public state."""
    different, which = form.names.possible_hands, form.names.deal
    sizes = [len(hands) for hands in form.hands]
    ranks = np.zeros((len(different), sum(sizes)), np.uint32)
    for row, (one, other) in zip(ranks, different, strict=True):
        row[one] = np.arange(len(one))
        row[sizes[0] + other] = np.arange(len(other))
    return ranks.reshape(-1), which * sum(sizes) + np.where(form.public.mover == 1, sizes[0], 0)


def _payoffs(form: PublicForm) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the strengths of hands, the matrices paid, and where each payoff is in one, or 1 + where in the other."""
    strengths, paid, place = list[Any](), list[Any](), list[tuple[int, int]]()
    for payoff in form.joint_hands.payoffs:
        if isinstance(payoff, Showdown):
            place.append((len(strengths), 0))
            strengths.append(np.concatenate(payoff.strengths))
        else:
            paid.append(payoff)
            place.append((0, len(paid)))
    hands = form.joint_hands.prior.shape
    return _stacked(strengths, (sum(hands),)), _stacked(paid, hands), np.array(place, np.int64)


def _stacked(arrays: list[Any], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return arrays of the same shape as one, which may be empty."""
    return np.array(arrays, np.float64).reshape(-1, *shape)


@inlined
def _to_be_dealt(source, k):
    """Return how many hands are still to be dealt."""
    return max(0, np.int64(source.states[k].public_state) - len(source.public_states) + 1)


def _set_out(source, drawn, k):
    source.states[k].public_state = len(source.public_states) + 1


def _look(source, drawn, k, player):
    state = source.states[k]
    to_be_dealt = _to_be_dealt(source, k)
    if to_be_dealt > 0:
        drawn[k].mover = CHANCE
        drawn[k].count = len(source.first)
        if to_be_dealt == 1:
            drawn[k].count = source.second_start[state.row + 1] - source.second_start[state.row]
        drawn[k].slot = 0
        return
    here = source.public_states[state.public_state]
    drawn[k].mover = here.mover
    drawn[k].count = here.count
    if here.mover >= 0:
        hand = state.row if here.mover == 0 else state.column
        drawn[k].slot = state.slot + source.ranks[here.rank + hand] * here.count
    elif here.mover == CHANCE:
        drawn[k].slot = _PUBLIC
        drawn[k].count = _find_outcomes(source, state, here)
    else:
        earned = _payoff(source, state, here)
        drawn[k].value = earned if player == 0 else -earned


@inlined
def _find_outcomes(source, state, here):
    """Find the outcomes that are possible for a pair of hands; return how many."""
    possible = 0
    for n in range(here.count):
        move = source.moves[here.first + n]
        probability = move.share * source.matrices[move.matrix, state.row, state.column]
        if probability > 0.0:
            source.outcome[possible] = n
            source.probability[possible] = probability
            possible += 1
    return possible


@inlined
def _payoff(source, state, here):
    """Return what player 0 earns with a pair of hands."""
    if here.rank > 0:
        return source.paid[here.rank - 1, state.row, state.column]
    own = source.strengths[here.first, state.row]
    other = source.strengths[here.first, source.paid.shape[1] + state.column]
    return here.win if own > other else here.lose if own < other else here.tie


def _chance(source, drawn, k, n):
    to_be_dealt = _to_be_dealt(source, k)
    if to_be_dealt == 0:
        return source.probability[n]
    return source.first[n] if to_be_dealt == 2 else source.second[source.second_start[source.states[k].row] + n]


def _step(source, drawn, k, n, new):
    before, after = source.states[k], source.states[new]
    to_be_dealt = _to_be_dealt(source, k)
    if to_be_dealt > 0:
        after.public_state = before.public_state - 1
        after.node = 0
        after.slot = 2  # the players' empty sequences come first
        if to_be_dealt == 2:
            after.row = source.first_hand[n]
        else:
            after.row = before.row
            after.column = source.second_hand[source.second_start[before.row] + n]
        return
    number = source.outcome[n] if drawn[k].mover == CHANCE else n
    move = source.moves[source.public_states[before.public_state].first + number]
    after.public_state = move.public_state
    after.node = before.node + move.node
    after.slot = before.slot + move.slot
    after.row = before.row
    after.column = before.column


def _agree(source, drawn, k, u, number):
    state = source.states[k]
    here = source.public_states[state.public_state]
    mask = np.uint64(len(source.agreed) - 1)
    place = splitmix64(np.uint64(state.node)) & mask
    while source.agreed_at[place] == number and source.agreed_node[place] != state.node:
        place = (place + np.uint64(1)) & mask
    if source.agreed_at[place] != number:
        source.agreed_at[place] = number
        source.agreed_node[place] = state.node
        source.agreed[place] = choose(source.mean, np.int64(here.first), np.int64(here.count), u)
    agreed = source.agreed[place]
    probability = source.mean[here.first + agreed]
    for n in range(drawn[k].count):
        if source.outcome[n] == agreed:
            return np.int64(n), probability
    return np.int64(-1), probability  # this pair of hands cannot have the outcome: it counts nothing


SOURCES[PublicSource] = {
    "set_out": _set_out,
    "look": _look,
    "chance": _chance,
    "step": _step,
    "agree": _agree,
    **ALL_KNOWN,
    **NO_NUMBERS,
}
