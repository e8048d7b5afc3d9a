"""The public form of a game: its public states, each once, and how all that hangs below them is numbered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import compiled
from .._util.display import Display
from ..game.public import Showdown
from .build_python import offsets
from .infosets import Infoset, Infosets
from .terminal.payoffs import DENSE, TerminalPayoffs

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

NATURE, END = 2, 3  # who moves at a public state that is no player's


class PublicTree(NamedTuple):
    """The public tree, each public state once; arrays of int64.

    A *public state* is what is public as far as the future depends on it. Where many histories lead to one, each is a
    public node of its own, with infosets and slots of its own: the tree is walked as if it were written out, but it is
    not. The slots of a node come first, ``[action][hand]`` with the mover's hands padded to whole lanes, then all of
    those below its first child, then those below the second, and so on: numbers relative to the node are the same at
    all nodes of a public state.

    Attributes
    ----------
    mover : shape (public states,)
        0 or 1, 2 where chance moves in public, 3 at an end.
    first_child : shape (public states + 1,)
        The moves of public state s are ``first_child[s] … first_child[s + 1] - 1``. The last public state is the root.
    child : shape (moves,)
        The public state that a move leads to; it comes before the one that leads there.
    child_slot : shape (moves,)
        Where the slots below the move begin, counted from the first slot of the node.
    slots : shape (public states,)
        Number of slots at and below a node, padding included.
    hands, width : shape (2,)
        Number of hands of each player; the same padded to whole lanes.
    ending : shape (public states,)
        Which of the :class:`~equilibrist.form.terminal.payoffs.TerminalPayoffs` an end pays.
    scale : float64 array, shape (public states,)
        What it is multiplied by.
    """

    mover: Whole
    first_child: Whole
    child: Whole
    child_slot: Whole
    slots: Whole
    hands: Whole
    width: Whole
    terminal: Whole
    scale: Floats


class JointHands(NamedTuple):
    """What befalls a single pair of hands (i, j), which is what samples ask for.

    Attributes
    ----------
    prior : float64 array, shape (hands of player 0, hands of player 1)
        The probability of each pair.
    slot, node : int64 arrays, shape (moves,)
        How many slots, without padding, and how many public nodes come before those below a move, counted from its
        node; by move like ``PublicTree.child``.
    share : float64 array; matrix : int64 array, shape (moves,)
        The probability of an outcome of public chance is share · matrices[matrix][i, j].
    mean : float64 array, shape (moves,)
        The mean of that, over all pairs that can be there.
    matrices : tuple of float64 arrays, shape (hands of player 0, hands of player 1)
        The different ones.
    payoffs : tuple of Showdown or float64 array
        What each of the :class:`~equilibrist.form.terminal.payoffs.TerminalPayoffs` pays player 0 (a showdown: up to a
        factor).
    amounts : float64 array, shape (public states, 3)
        What player 0 wins, ties and loses in a showdown at an end.
    """

    prior: Floats
    slot: Whole
    node: Whole
    share: Floats
    matrix: Whole
    mean: Floats
    matrices: tuple[Floats, ...]
    payoffs: tuple[Floats | Showdown, ...]
    amounts: Floats


@dataclass(frozen=True, eq=False)  # forms are compared by their fingerprints
class PublicForm(Display):
    """A game compiled into public states: what CFR over vectors of hands reads.

    Attributes
    ----------
    name : str
        Name of the game.
    hands : pair of tuples of str
        What each player may hold.
    public : PublicTree
        The public states.
    terminal_payoffs : TerminalPayoffs
        What ends pay.
    joint_hands : JointHands
        The same for a single pair of hands, and how probable its deal and the outcomes of public chance are.
    moves : tuple of tuples of str
        The names of the moves at each public state.
    possible_hands : tuple of pairs of int64 arrays
        For each public state, which hands either player can hold there: the cards on the table are nobody's.
    histories : int
        Number of histories if they were written out: one for each public node and pair of hands that can be there, and
        those of the deal, a hand to player 0 and then one to player 1.
    nodes : int
        Number of public nodes, the ends included.
    num_infosets, num_actions : int
        Number of infosets of both players, and of their actions together.
    depth : int
        Number of moves in the longest play, the deal included.
    infosets_below : tuple of int
        Number of infosets at and below each public state.
    """

    name: str
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    public: PublicTree
    terminal_payoffs: TerminalPayoffs
    joint_hands: JointHands
    moves: tuple[tuple[str, ...], ...]
    possible_hands: tuple[tuple[Whole, Whole], ...]
    histories: int
    nodes: int
    num_infosets: int
    num_actions: int
    depth: int
    infosets_below: tuple[int, ...]
    namer: Callable[[str, tuple[str, ...]], str] = field(repr=False)

    players = 2
    zero_sum = True
    tree = None
    kind = "public"

    @property
    def root(self) -> int:
        """The public state in which the game begins."""
        return len(self.public.mover) - 1

    @property
    def length(self) -> int:
        """Length of arrays with a number a slot, padding included."""
        return int(self.public.slots[-1])

    @property
    def slots(self) -> int:
        """Number of slots of both players, without padding: each action of each infoset, and two empty sequences."""
        return self.num_actions + self.players

    @property
    def payoff_kind(self) -> str:
        """What the payoff is made of, in words."""
        dense = int((self.terminal_payoffs.kind == DENSE).sum())
        shared = [f"{dense:,} by matrix"] * (dense > 0)
        sorted_ = len(self.terminal_payoffs.kind) - dense
        shared += [f"{sorted_:,} by sorted hands"] * (sorted_ > 0)
        hands = " × ".join(f"{len(hands):,}" for hands in self.hands)
        return f"{hands} hands at {self.nodes:,} public nodes, {' and '.join(shared)}"

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same hands, moves and payoffs."""
        digest = hashlib.sha256(repr((self.hands, self.moves)).encode())
        chance = (self.joint_hands.prior, self.joint_hands.share, self.joint_hands.matrix, *self.joint_hands.matrices)
        for array in (*self.public, *self.terminal_payoffs, *chance):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    def _digest(self) -> bytes:
        return self.fingerprint.encode()

    @cached_property
    def infosets(self) -> Infosets:
        """Player, key and action names of each infoset, in the order in which a depth-first walk meets them."""
        owner, count, _ = self._listed()
        return Infosets(owner, count, self.infoset, self._digest)

    @property
    def slot(self) -> Whole:
        """The slot of each action of each infoset, in the order of ``infosets``; listed anew each time."""
        return self._listed()[2]

    def _listed(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Whole]:
        """Return who decides at each infoset, among how many actions, and the slots of all these actions."""
        different, which = self.different_live()
        own = 2 * which
        first = offsets([len(hands) for possible_hands in different for hands in possible_hands])
        living = np.concatenate([hands for possible_hands in different for hands in possible_hands])
        owner, count = np.empty(self.num_infosets, np.uint32), np.empty(self.num_infosets, np.uint32)
        slot = np.empty(self.num_actions, np.int64)
        _list(self.public, own, first, living, np.zeros((3, self.depth + 2), np.int64), owner, count, slot)
        return owner, count, slot

    def different_live(self) -> tuple[list[tuple[Whole, Whole]], Whole]:
        """Return the different items of ``possible_hands``, and which of them each public state has."""
        different = list({id(possible_hands): possible_hands for possible_hands in self.possible_hands}.values())
        number = {id(possible_hands): k for k, possible_hands in enumerate(different)}
        return different, np.array([number[id(possible_hands)] for possible_hands in self.possible_hands], np.int64)

    def infoset(self, index: int) -> Infoset:
        """Return the infoset of that number, having gone down to its node by how many lie below each move."""
        here, moves = self.root, list[str]()
        while True:
            mover = int(self.public.mover[here])
            if mover < self.players:
                possible_hands = self.possible_hands[here][mover]
                if index < len(possible_hands):
                    key = self.namer(self.hands[mover][possible_hands[index]], tuple(moves))
                    return Infoset(mover, key, self.moves[here])
                index -= len(possible_hands)
            children = self.public.child[self.public.first_child[here] : self.public.first_child[here + 1]].tolist()
            for label, child in zip(self.moves[here], children, strict=True):
                if index < self.infosets_below[child]:
                    moves.append(label)
                    here = child
                    break
                index -= self.infosets_below[child]


@compiled(allocates=False)
def _list(public, own, first, living, stack, owner, count, slot):  # type: ignore[no-untyped-def]
    """Fill ``owner``, ``count`` and ``slot`` in place, in the order of a depth-first walk.

    The hands that player p can hold at public state s are ``living[first[own[s] + p] : first[own[s] + p + 1]]``. The
    stack holds, for each open node, its public state, its first slot, and how many of its moves have been followed.
    """
    depth, infosets, actions = 0, 0, 0
    stack[0, 0], stack[1, 0], stack[2, 0] = len(public.mover) - 1, 0, 0
    while depth >= 0:
        here, base, done = stack[0, depth], stack[1, depth], stack[2, depth]
        moves, mover = public.first_child[here + 1] - public.first_child[here], public.mover[here]
        if done == 0 and mover < NATURE:
            for k in range(first[own[here] + mover], first[own[here] + mover + 1]):
                owner[infosets], count[infosets] = mover, moves
                infosets += 1
                for action in range(moves):
                    slot[actions] = base + action * public.width[mover] + living[k]
                    actions += 1
        if done == moves:
            depth -= 1
            continue
        move = public.first_child[here] + done
        stack[2, depth] += 1
        depth += 1
        stack[0, depth], stack[1, depth], stack[2, depth] = public.child[move], base + public.child_slot[move], 0
