"""Samples drawn from public states: a pair of hands, and one path through the public tree at a time."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import inlined, record
from .._jit.rng import choose, splitmix64
from ..form.public.form import PublicForm
from ..form.public.tree import END, NATURE
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import Showdown

DECISION, PUBLIC_CHANCE, SHOWDOWN, MATRIX, DEAL_0, DEAL_1 = range(6)
"""Kinds of public states: a player moves, chance does, strengths of hands decide, a matrix says what is paid, or a hand
is still to be dealt to player 0 or 1 (two states before the first, which are put after the last)."""

_PUBLIC_STATE = np.dtype(
    [
        ("kind", np.uint32),
        ("mover", np.int32),
        ("num_actions", np.uint32),
        ("first_move", np.uint32),
        ("first_rank", np.uint32),  # where in ``ranks`` those of the mover's hands begin
        # the row of ``strengths`` that decides at a showdown, or the matrix of ``paid``
        ("payoff", np.uint32),
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
    [
        ("node", np.int64),  # number of the node of the public tree
        ("public_state", np.uint32),
        ("slot", np.uint32),  # the first of the node
        ("hand_0", np.uint32),  # the hands of both players
        ("hand_1", np.uint32),
    ]
)


@record
class PublicSource(NamedTuple):
    """Public states, with what a traversal needs of each in one record, and the states of a sample.

    Attributes
    ----------
    public_states : record array, shape (public states + 2,)
        See ``_PUBLIC_STATE``.
    amounts : float64 array, shape (public states, 3)
        What player 0 is paid at a showdown for the better, an equal and the worse hand.
    moves : record array, shape (moves,)
        The ``public_state`` after each; how many slots and public nodes come before those below it,
        counted from the ``slot`` and ``node`` of where it is made; of an outcome of chance, the
        probability: ``share`` times the number that ``matrix`` has for the pair of hands.
    mean : float64 array, shape (moves,)
        Its mean over all pairs of hands, with which everybody's outcome is drawn.
    matrices : float64 array, shape (…, hands of player 0, hands of player 1)
    paid : float64 array, shape (…, hands of player 0, hands of player 1)
    strengths : float64 array, shape (…, hands of both players)
    ranks : uint32 array
        The number of each hand among those that can be held at a public state.
    first : float64 array
        The probability of each hand that player 0 can be dealt.
    first_hand : uint32 array
        The numbers of these hands.
    second : float64 array
        The probability of each hand that player 1 can be dealt then.
    second_hand : uint32 array
        The numbers of these hands.
    second_start : int64 array, shape (hands of player 0 + 1,)
        Where those after each hand of player 0 begin.
    states : record array, shape (records of a sample,)
        See ``_STATE``.
    outcome : uint32 array
        The outcomes of public chance that are possible at the history observed last: moves from
        ``first_move`` on.
    probability : float64 array
        The probability of each.
    drawn_node : int64 array
        Length a power of two: an open-addressing table of the public nodes that have drawn an
        outcome; what other traversals have left counts as empty.
    drawn_at : int64 array
        The traversal in which the node did.
    drawn : int64 array
        The outcome.
    """

    public_states: Any
    amounts: NDArray[np.float64]
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
    drawn_node: NDArray[np.int64]
    drawn_at: NDArray[np.int64]
    drawn: NDArray[np.int64]

    def set_root(self, records, k):
        self.states[k].public_state = len(self.public_states) - 1

    def observe(self, records, k, player):
        state = self.states[k]
        public_state = self.public_states[state.public_state]
        records[k].mover = public_state.mover
        records[k].num_actions = public_state.num_actions
        if public_state.kind == DECISION:
            if public_state.mover == 0:
                hand = state.hand_0
            else:
                hand = state.hand_1
            records[k].slot = (
                state.slot + self.ranks[public_state.first_rank + hand] * public_state.num_actions
            )
        elif public_state.kind == PUBLIC_CHANCE:
            records[k].num_actions = _find_outcomes(self, state, public_state)
        elif public_state.kind == DEAL_1:
            records[k].num_actions = (
                self.second_start[state.hand_0 + 1] - self.second_start[state.hand_0]
            )
        elif public_state.kind != DEAL_0:
            payoff = _pair_payoff(self, state, public_state)
            records[k].value = payoff if player == 0 else -payoff

    def chance_probability(self, records, k, n):
        state = self.states[k]
        kind = self.public_states[state.public_state].kind
        if kind == PUBLIC_CHANCE:
            return self.probability[n]
        if kind == DEAL_0:
            return self.first[n]
        return self.second[self.second_start[state.hand_0] + n]

    def step(self, records, k, n, new):
        state_before = self.states[k]
        state_after = self.states[new]
        public_state = self.public_states[state_before.public_state]
        if public_state.kind >= DEAL_0:
            state_after.public_state = state_before.public_state - 1
            state_after.node = 0
            state_after.slot = 2  # the players' empty sequences come first
            if public_state.kind == DEAL_0:
                state_after.hand_0 = self.first_hand[n]
            else:
                state_after.hand_0 = state_before.hand_0
                state_after.hand_1 = self.second_hand[self.second_start[state_before.hand_0] + n]
            return
        if public_state.kind == PUBLIC_CHANCE:
            number = self.outcome[n]
        else:
            number = n
        move = self.moves[public_state.first_move + number]
        state_after.public_state = move.public_state
        state_after.node = state_before.node + move.node
        state_after.slot = state_before.slot + move.slot
        state_after.hand_0 = state_before.hand_0
        state_after.hand_1 = state_before.hand_1

    def is_public_chance(self, records, k):
        return self.public_states[self.states[k].public_state].kind == PUBLIC_CHANCE

    def public_outcome(self, records, k, u, traversal):
        state = self.states[k]
        public_state = self.public_states[state.public_state]
        mask = np.uint64(len(self.drawn) - 1)
        place = splitmix64(np.uint64(state.node)) & mask
        while self.drawn_at[place] == traversal and self.drawn_node[place] != state.node:
            place = (place + np.uint64(1)) & mask
        if self.drawn_at[place] != traversal:
            self.drawn_at[place] = traversal
            self.drawn_node[place] = state.node
            first = np.int64(public_state.first_move)
            count = np.int64(public_state.num_actions)
            self.drawn[place] = choose(self.mean, first, count, u)
        drawn = self.drawn[place]
        probability = self.mean[public_state.first_move + drawn]
        for n in range(records[k].num_actions):
            if self.outcome[n] == drawn:
                return np.int64(n), probability
        # This pair of hands cannot have the outcome: it counts nothing.
        return np.int64(-1), probability


def public_source(form: PublicForm) -> PublicSource:
    """Return the source that draws from public states, with no room for records yet."""
    public = form.public
    pairs = form.joint_hands
    ranks, rank = _rank_hands(form)
    strengths, paid, kind, payoff = _payoff_arrays(form)
    ends = public.mover == END
    public_states = np.zeros(len(public.mover) + 2, _PUBLIC_STATE).view(np.recarray)
    public_states["kind"][-2:] = (DEAL_1, DEAL_0)
    public_states["mover"][-2:] = CHANCE
    of_tree = public_states[:-2]
    of_tree["mover"] = np.where(
        ends, TERMINAL, np.where(public.mover == NATURE, CHANCE, public.mover)
    )
    of_tree["kind"] = np.where(public.mover == NATURE, PUBLIC_CHANCE, DECISION)
    of_tree["kind"][ends] = kind[public.terminal[ends]]
    of_tree["payoff"][ends] = payoff[public.terminal[ends]]
    of_tree["num_actions"] = np.diff(public.first_child)
    of_tree["first_move"] = public.first_child[:-1]
    of_tree["first_rank"] = rank
    moves = np.zeros(len(public.child), _MOVE).view(np.recarray)
    moves["public_state"] = public.child
    moves["slot"] = pairs.slot
    moves["node"] = pairs.node
    moves["share"] = pairs.share
    moves["matrix"] = pairs.matrix
    share = pairs.prior.sum(axis=1)
    public_states["num_actions"][-1] = np.count_nonzero(share)
    row, column = np.nonzero(pairs.prior)
    most_actions = int(of_tree["num_actions"].max(initial=1))
    return PublicSource(
        public_states=public_states,
        amounts=pairs.amounts,
        moves=moves,
        mean=pairs.mean,
        matrices=_stack_arrays(list(pairs.matrices), pairs.prior.shape),
        paid=paid,
        strengths=strengths,
        ranks=ranks,
        first=share[share > 0],
        first_hand=np.flatnonzero(share).astype(np.uint32),
        second=pairs.prior[row, column] / share[row],
        second_hand=column.astype(np.uint32),
        second_start=np.searchsorted(row, np.arange(len(share) + 1)),
        states=np.zeros(0, _STATE).view(np.recarray),
        outcome=np.zeros(most_actions, np.uint32),
        probability=np.zeros(most_actions),
        drawn_node=np.zeros(0, np.int64),
        drawn_at=np.zeros(0, np.int64),
        drawn=np.zeros(0, np.int64),
    )


def with_scratch(source: PublicSource, *, records: int, public_chance: bool) -> PublicSource:
    """Return a source with scratch of its own, for so many records."""
    # each record may be at a node of its own
    if public_chance:
        places = 1 << (2 * records).bit_length()
    else:
        places = 1
    return source._replace(
        states=np.zeros(records, _STATE).view(np.recarray),
        outcome=source.outcome.copy(),
        probability=source.probability.copy(),
        drawn_node=np.zeros(places, np.int64),
        drawn_at=np.full(places, -1, np.int64),
        drawn=np.zeros(places, np.int64),
    )


def _rank_hands(form: PublicForm) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the numbers of hands among those that can be held, and where the mover's begin for each public state."""
    hands_of_deals = form.names.possible_hands
    deal = form.names.deal
    sizes = [len(hands) for hands in form.hands]
    ranks = np.zeros((len(hands_of_deals), sum(sizes)), np.uint32)
    for row, (hands_0, hands_1) in zip(ranks, hands_of_deals, strict=True):
        row[hands_0] = np.arange(len(hands_0))
        row[sizes[0] + hands_1] = np.arange(len(hands_1))
    return ranks.reshape(-1), deal * sum(sizes) + np.where(form.public.mover == 1, sizes[0], 0)


def _payoff_arrays(
    form: PublicForm,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the strengths of hands, the matrices paid, and of each payoff its kind and its number among its kind."""
    strengths = list[Any]()
    paid = list[Any]()
    kind = list[int]()
    number = list[int]()
    for payoff in form.joint_hands.payoffs:
        if isinstance(payoff, Showdown):
            kind.append(SHOWDOWN)
            number.append(len(strengths))
            strengths.append(np.concatenate(payoff.strengths))
        else:
            kind.append(MATRIX)
            number.append(len(paid))
            paid.append(payoff)
    hands = form.joint_hands.prior.shape
    matrices = _stack_arrays(strengths, (sum(hands),)), _stack_arrays(paid, hands)
    return *matrices, np.array(kind, np.uint32), np.array(number, np.uint32)


def _stack_arrays(arrays: list[Any], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return arrays of the same shape as one, which may be empty."""
    return np.array(arrays, np.float64).reshape(-1, *shape)


@inlined
def _find_outcomes(source, state, public_state):
    """Find the outcomes that are possible for a pair of hands; return how many."""
    possible = 0
    for n in range(public_state.num_actions):
        move = source.moves[public_state.first_move + n]
        probability = move.share * source.matrices[move.matrix, state.hand_0, state.hand_1]
        if probability > 0.0:
            source.outcome[possible] = n
            source.probability[possible] = probability
            possible += 1
    return possible


@inlined
def _pair_payoff(source, state, public_state):
    """Return the payoff of player 0 for a pair of hands."""
    if public_state.kind == MATRIX:
        return source.paid[public_state.payoff, state.hand_0, state.hand_1]
    strength = source.strengths[public_state.payoff, state.hand_0]
    other = source.strengths[public_state.payoff, source.paid.shape[1] + state.hand_1]
    return source.amounts[
        state.public_state, 0 if strength > other else 2 if strength < other else 1
    ]
