"""The public states that compiling a public game finds, and the public form that they make."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from ..._jit.simd import padded
from ..._util.arrays import Floats, Ints, offsets
from ...errors import GameTooLargeError
from ...game.public import DealHistories, PublicGame, Showdown
from ..limits import WALKED_EACH, instead_of_compiling
from .answers import NO_AMOUNTS, Amounts
from .form import JointHands, PublicForm
from .infosets import PublicNames
from .terminal.payoffs import make_terminal_payoffs
from .tree import NATURE, PublicTree


class Deal(NamedTuple):
    """How probable each pair of hands and the public chance so far are together: a matrix, by its number, × a share."""

    matrix: int
    share: float


class Outcome(NamedTuple):
    """An outcome of public chance: the deal after it, and what :class:`JointHands` says of it."""

    deal: Deal
    share: float
    matrix: int
    mean: float


class PublicState(NamedTuple):
    """A public state, and the numbers of those that it leads to.

    ``deal`` is the number of the matrix of its deal; ``outcomes`` are those of public chance, ``terminal``, ``scale``
    and ``amounts`` what an end pays (:class:`PublicTree`, :class:`JointHands`).
    """

    mover: int
    deal: int
    children: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    terminal: int = 0
    scale: float = 0.0
    amounts: Amounts = NO_AMOUNTS


class PublicStates:
    """The public states found so far, what a state leads to before the state, and the different matrices among them."""

    def __init__(self, shape: tuple[int, int], deal_histories: DealHistories) -> None:
        self.shape = shape
        self.deal_histories = deal_histories
        self.states: list[PublicState] = []
        self.deals: list[Floats] = []
        self.chances: list[Floats] = []
        self.payoffs: list[tuple[Floats, Floats | Showdown]] = []
        self.possible_hands: list[tuple[Ints, Ints]] = []
        self._histories: list[
            Ints
        ] = []  # by number of the deal: those that deal each hand of player 0, then of 1
        self._deal_number: dict[bytes, int] = {}
        self._chance_number: dict[bytes, int] = {}
        self._payoff_number: dict[Hashable, int] = {}
        self._matrices = 0  # among the payoffs

    def deal(self, matrix: Floats) -> int:
        """Return the number of a matrix of the deal and the public chance so far."""
        number = self._deal_number.setdefault(matrix.tobytes(), len(self.deals))
        if number == len(self.deals):
            self.deals.append(matrix)
            self.possible_hands.append(
                (np.flatnonzero(matrix.any(axis=1)), np.flatnonzero(matrix.any(axis=0)))
            )
            dealt = np.where(matrix > 0, self.deal_histories.pairs, 0)
            self._histories.append(np.concatenate([dealt.sum(axis=1), dealt.sum(axis=0)]))
        return number

    def chance(self, matrix: Floats) -> int:
        """Return the number of a matrix of the probabilities of an outcome of chance."""
        number = self._chance_number.setdefault(matrix.tobytes(), len(self.chances))
        if number == len(self.chances):
            self.chances.append(matrix)
        return number

    def payoff(self, deal: int, content: Hashable, payoff: Floats | Showdown) -> int:
        """Return the number of a payoff after a deal; payoffs with the same content are the same."""
        number = self._payoff_number.setdefault((deal, content), len(self.payoffs))
        if number == len(self.payoffs):
            self.payoffs.append((self.deals[deal], payoff))
            self._matrices += not isinstance(payoff, Showdown)
        return number

    @property
    def nbytes(self) -> int:
        """About how many bytes the matrices take at the peak: kept and as keys; of payoffs as they are encoded, too."""
        matrices = 2 * (len(self.deals) + len(self.chances)) + 6 * self._matrices
        return 8 * self.shape[0] * self.shape[1] * matrices

    def form(
        self,
        game: PublicGame,
        name: str,
        hands: tuple[tuple[str, ...], tuple[str, ...]],
        largest_payoff: float,
    ) -> PublicForm:
        states = self.states
        count = len(self.states)
        width = [padded(size) for size in self.shape]
        dealt = [int(both.sum()) // 2 for both in self._histories]
        slots, infosets, actions, nodes, histories, depth = ([0] * count for _ in range(6))
        child_slot = []
        child_action = []
        child_node = []
        for s, state in enumerate(states):  # what a public state leads to comes before it
            mover = state.mover
            children = state.children
            if mover < NATURE:
                possible_hands = len(self.possible_hands[state.deal][mover])
            else:
                possible_hands = 0
            if mover < NATURE:
                slots[s] = width[mover] * len(children)
            else:
                slots[s] = 0
            actions[s] = possible_hands * len(children)
            nodes[s] = 1
            for child in children:
                child_slot.append(slots[s])
                child_action.append(actions[s])
                child_node.append(nodes[s])
                slots[s] += slots[child]
                actions[s] += actions[child]
                nodes[s] += nodes[child]
            infosets[s] = possible_hands + sum(infosets[child] for child in children)
            histories[s] = dealt[state.deal] + sum(histories[child] for child in children)
            depth[s] = 1 + max((depth[child] for child in children), default=-1)
        if slots[-1] >= 2**62:
            instead = instead_of_compiling(
                compiled_rules=False, walk=2 * histories[-1] * WALKED_EACH
            )
            raise GameTooLargeError(
                f"{name} has {nodes[-1]:,} public nodes, which are too many to compile. {instead}"
            )
        public = PublicTree(
            mover=np.array([state.mover for state in states], np.int64),
            first_child=offsets([len(state.children) for state in states]),
            child=np.array([child for state in states for child in state.children], np.int64),
            child_slot=np.array(child_slot, np.int64),
            slots=np.array(slots, np.int64),
            hands=np.array(self.shape, np.int64),
            width=np.array(width, np.int64),
            terminal=np.array([state.terminal for state in states], np.int64),
            scale=np.array([state.scale for state in states], np.float64),
        )
        none = (Outcome(Deal(0, 0.0), 0.0, 0, 0.0),)
        outcomes = [
            outcome for state in states for outcome in state.outcomes or none * len(state.children)
        ]
        joint_hands = JointHands(
            prior=self.deals[0],
            slot=np.array(child_action, np.int64),
            node=np.array(child_node, np.int64),
            share=np.array([outcome.share for outcome in outcomes], np.float64),
            matrix=np.array([outcome.matrix for outcome in outcomes], np.int64),
            mean=np.array([outcome.mean for outcome in outcomes], np.float64),
            matrices=tuple(self.chances),
            payoffs=tuple(payoff for _, payoff in self.payoffs),
            amounts=np.array([state.amounts for state in states], np.float64),
            moves=self.deal_histories.moves,
            before=self.deal_histories.before,
            histories=np.array(self._histories, np.int64),
        )
        names = PublicNames(
            game=game,
            hands=hands,
            moves=tuple(state.labels for state in states),
            possible_hands=tuple(self.possible_hands),
            deal=np.array([state.deal for state in states], np.int64),
            tree=public,
            infosets_below=np.array(infosets, np.int64),
        )
        return PublicForm(
            name=name,
            public=public,
            terminal_payoffs=make_terminal_payoffs(self.payoffs),
            joint_hands=joint_hands,
            names=names,
            histories=self.deal_histories.before + histories[-1],
            nodes=nodes[-1],
            num_infosets=infosets[-1],
            num_actions=actions[-1],
            depth=2 + depth[-1],
            largest_payoff=largest_payoff,
        )
