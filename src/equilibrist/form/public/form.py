"""The public form of a game: its public states, each once, and how all that hangs below them is numbered."""
# mypy: disable-error-code="override"

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Floats, Ints, offsets
from ...game.public import Showdown
from ..compiled_game import VectorForm, WalkerPool
from ..traits import PublicTraits
from . import passes
from .infosets import PublicInfosets, PublicNames
from .others_reach import PublicOthersReach
from .terminal.payoffs import KINDS, TerminalPayoffs, make_terminal_payoffs
from .tree import NATURE, PublicTree
from .walk import PublicGame
from .walker import PublicWalker


class JointHands(NamedTuple):
    """Probabilities and payoffs of a single pair of hands (i, j), which samples read.

    Attributes
    ----------
    prior : float array, shape (hands of player 0, hands of player 1)
        The probability of each pair.
    slot : int array, shape (moves,)
        By move like ``PublicTree.child``: how many slots, without padding, come before those below
        a move, counted from its node.
    node : int array, shape (moves,)
        How many public nodes come before them.
    share : float array, shape (moves,)
        The probability of an outcome of public chance is share · matrices[matrix][i, j].
    matrix : int array, shape (moves,)
        Which of the matrices that is.
    mean : float array, shape (moves,)
        The mean of that, over all pairs that can be there.
    matrices : tuple of float64 arrays, shape (hands of player 0, hands of player 1)
        The different ones.
    payoffs : tuple of Showdown or float64 array
        What each of the :class:`~.terminal.payoffs.TerminalPayoffs` pays player 0 (a showdown: up
        to a factor).
    amounts : float array, shape (public states, 3)
        What player 0 wins, ties and loses in a showdown at an end.
    moves : int
        How many moves of chance deal the hands.
    before : int
        Number of histories in which they are not dealt in full.
    histories : int array, shape (deals, hands of both players)
        How many histories deal each hand with a hand of the other that is possible, by number of
        the deal.
    """

    prior: Floats
    slot: Ints
    node: Ints
    share: Floats
    matrix: Ints
    mean: Floats
    matrices: tuple[Floats, ...]
    payoffs: tuple[Floats | Showdown, ...]
    amounts: Floats
    moves: int
    before: int
    histories: Ints


@dataclass(frozen=True, eq=False, repr=False)  # forms are compared by their fingerprints
class PublicForm(PublicTraits, VectorForm):
    """A game compiled into public states: what CFR over vectors of hands reads.

    Attributes
    ----------
    public : PublicTree
        The public states.
    terminal_payoffs : TerminalPayoffs
        The payoffs at terminal public states.
    joint_hands : JointHands
        The same for a single pair of hands, and how probable its deal and the outcomes of public
        chance are.
    names : PublicNames
        Hands and moves by name, and which hands are possible where.
    histories : int
        Number of histories of the game, as its sequence form has them: for each public node those
        that deal the pairs of hands that can be there, and those before the hands are dealt.
    nodes : int
        Number of public nodes, the ends included.
    """

    name: str
    public: PublicTree
    terminal_payoffs: TerminalPayoffs
    joint_hands: JointHands
    names: PublicNames
    histories: int
    nodes: int
    num_infosets: int
    num_actions: int
    depth: int
    largest_payoff: float

    _passes: ClassVar[Any] = passes
    payoff_sum = 0.0

    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What each player may hold, by name."""
        return self.names.hands

    @property
    def root(self) -> int:
        """The public state in which the game begins."""
        return len(self.public.mover) - 1

    @property
    def length(self) -> int:
        return int(self.public.slots[-1])

    @property
    def size(self) -> str:
        return f"{self.nodes:,} public nodes, {self.num_infosets:,} infosets"

    @property
    def payoff_kind(self) -> str:
        counts = np.bincount(self.terminal_payoffs.kind, minlength=len(KINDS)).tolist()
        shared = [f"{count:,} {kind}" for count, kind in zip(counts, KINDS, strict=True) if count]
        hands = " × ".join(f"{len(hands):,}" for hands in self.hands)
        return f"{hands} hands at {self.nodes:,} public nodes, {' and '.join(shared)}"

    @cached_property
    def fingerprint(self) -> str:
        """A digest of hands, moves, public states, chance and payoffs; of strengths, only the order counts."""
        tree = self.public
        joint = self.joint_hands
        digest = hashlib.sha256(repr((self.hands, self.names.moves)).encode())
        for array in (
            *(tree.mover, tree.first_child, tree.child, tree.terminal, tree.scale, joint.amounts),
            *(joint.prior, joint.share, joint.matrix, *joint.matrices),
            *chain.from_iterable(map(_canonical_arrays, joint.payoffs)),
        ):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    @cached_property
    def _infosets_and_slots(self) -> tuple[PublicInfosets, NDArray[Any]]:
        """Infosets and slots, listed in one walk when one of them is asked for."""
        hands = [player_hands for pair in self.names.possible_hands for player_hands in pair]
        owner = np.empty(self.num_infosets, np.uint32)
        count = np.empty(self.num_infosets, np.uint32)
        slot = np.empty(self.num_actions, np.uint32 if self.length < 2**32 else np.int64)
        stack = np.zeros((3, self.depth + 2), np.int64)
        first = offsets([len(player_hands) for player_hands in hands])
        _fill_infosets(
            self.public,
            2 * self.names.deal,
            first,
            np.concatenate(hands),
            stack,
            owner,
            count,
            slot,
        )
        return PublicInfosets(self.names, owner, count), slot

    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        with self.walkers.acquire() as walker:
            return passes.average_from_sums(walker, sums)

    @cached_property
    def _counting_form(self) -> PublicForm:
        deals, share = self._deals()
        constant = Showdown(
            (np.zeros(len(self.hands[0])), np.zeros(len(self.hands[1]))), win=1.0, lose=1.0, tie=1.0
        )
        public = self.public._replace(terminal=self.names.deal, scale=share)
        return replace(
            self,
            public=public,
            terminal_payoffs=make_terminal_payoffs([(deal, constant) for deal in deals]),
        )

    def others_reach(self) -> PublicOthersReach:
        game = self._counting_form.arrays
        # What player 1 is paid is not that of player 0.
        sign = np.where(game.tree.mover == 1, -1.0, 1.0)
        return PublicOthersReach(
            game._replace(tree=game.tree._replace(scale=game.tree.scale * sign))
        )

    def hand_weights(self) -> Floats:
        weights = np.zeros(self.length)
        weights[self.slot] = 1.0
        return weights

    def _deals(self) -> tuple[list[Floats], Floats]:
        """Return the probabilities of pairs of hands and public chance, by number, and the factor of each state's."""
        public = self.names.tree
        joint = self.joint_hands
        number = self.names.deal
        root = len(public.mover) - 1
        deals = {int(number[root]): joint.prior}
        share = np.ones(len(public.mover))
        for state in range(root, -1, -1):  # a public state comes after those that it leads to
            for move in range(public.first_child[state], public.first_child[state + 1]):
                child = public.child[move]
                share[child] = share[state]
                if number[child] != number[state]:
                    outcome = joint.share[move] * joint.matrices[joint.matrix[move]]
                    deals[int(number[child])] = deals[int(number[state])] * outcome
                elif public.mover[state] == NATURE:
                    share[child] *= joint.share[move]
        return [deals[k] for k in sorted(deals)], share

    @property
    def arrays(self) -> PublicGame:
        return PublicGame(self.public, self.terminal_payoffs)

    @cached_property
    def walkers(self) -> WalkerPool[PublicWalker]:
        return WalkerPool(partial(PublicWalker, self.arrays, self.depth))

    def parents(self, infosets: Ints) -> Ints:
        parents = np.full(len(infosets), -1)
        k = 0
        while k < len(infosets):
            *above, node = self.names.path(int(infosets[k]))
            hands = self.names.hands_at(node.state)
            mover = self.public.mover[node.state]
            end = int(np.searchsorted(infosets, node.first_infoset + len(hands)))
            last = next(
                (step for step in reversed(above) if self.public.mover[step.state] == mover), None
            )
            if last is not None:
                positions = hands[infosets[k:end] - node.first_infoset]
                parent = last.first_infoset + np.searchsorted(
                    self.names.hands_at(last.state), positions
                )
                parents[k:end] = self.first_action[parent] + last.move
            k = end
        return parents

    def part(self, slots: int) -> PublicForm | None:
        public = self.public
        decisions = public.slots > 0
        if not decisions.any():
            return None
        fits = np.where(public.slots <= slots, public.slots, 0)
        # that one has nothing below it
        if fits.any():
            state = int(fits.argmax())
        else:
            state = int(decisions.argmax())
        moves = int(public.first_child[state + 1])
        shorter = public._replace(
            mover=public.mover[: state + 1],
            first_child=public.first_child[: state + 2],
            child=public.child[:moves],
            child_slot=public.child_slot[:moves],
            slots=public.slots[: state + 1],
            terminal=public.terminal[: state + 1],
            scale=public.scale[: state + 1],
        )
        return replace(self, public=shorter)


def _canonical_arrays(payoff: Floats | Showdown) -> Iterator[NDArray[Any]]:
    """Iterate over what a payoff is: a matrix, or the order of the hands of both players and three amounts."""
    if isinstance(payoff, Showdown):
        strengths = np.concatenate(
            [np.asarray(player_strengths, np.float64) for player_strengths in payoff.strengths]
        )
        yield np.unique(strengths, return_inverse=True)[1]
        yield np.array([payoff.win, payoff.lose, payoff.tie], np.float64)
    else:
        yield payoff


@compiled(allocates=False)
def _fill_infosets(public, deal, first, hands, stack, owner, count, slot):  # type: ignore[no-untyped-def]
    """Fill ``owner``, ``count`` and ``slot`` in place, in the order of a depth-first walk.

    The hands that player p can hold at public state s are ``hands[first[own[s] + p] : first[own[s]
    + p + 1]]``. The stack holds, for each open node, its public state, its first slot, and how many
    of its moves have been followed.
    """
    depth = 0
    infosets = 0
    actions = 0
    stack[0, 0] = len(public.mover) - 1
    stack[1, 0] = 0
    stack[2, 0] = 0
    while depth >= 0:
        state = stack[0, depth]
        base = stack[1, depth]
        done = stack[2, depth]
        moves = public.first_child[state + 1] - public.first_child[state]
        mover = public.mover[state]
        if done == 0 and mover < NATURE:
            for k in range(first[deal[state] + mover], first[deal[state] + mover + 1]):
                owner[infosets] = mover
                count[infosets] = moves
                infosets += 1
                for action in range(moves):
                    slot[actions] = base + action * public.width[mover] + hands[k]
                    actions += 1
        if done == moves:
            depth -= 1
            continue
        move = public.first_child[state] + done
        stack[2, depth] += 1
        depth += 1
        stack[0, depth], stack[1, depth], stack[2, depth] = (
            public.child[move],
            base + public.child_slot[move],
            0,
        )
