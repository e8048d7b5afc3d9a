"""What a game of three ranges is: hands, boards, betting, and what its ends pay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from .folded_terms import FoldedTerms

PLAYERS = range(3)


class Pot(NamedTuple):
    """A part of the chips at an end, and who may win it: those who have put in their share and have not folded."""

    chips: float
    players: tuple[int, ...]


class RangeNode(NamedTuple):
    """A point of the betting; children come after their parents.

    Attributes
    ----------
    player : int
        Whose move it is; CHANCE where cards are dealt, or TERMINAL.
    street : int
        The number of the street, from 0: of a node of chance the street that is over, of an end that
        whose cards are all on the board.
    line : str
        The actions that lead here.
    actions : tuple of str
    children : tuple of int
        Nodes after the actions; of a node of chance the one of the next street.
    added : tuple of float
        Chips that each action puts in.
    pots : tuple of Pot
        What is paid at an end.
    """

    player: int
    street: int
    line: str
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    added: tuple[float, ...] = ()
    pots: tuple[Pot, ...] = ()


class RangeLock(NamedTuple):
    """A decision at which the strategy of some hands is fixed.

    Attributes
    ----------
    node : int
        The number of the node of the betting.
    shares : tuple of float
        The probability of each action.
    is_locked : bool array, shape (hands,)
        Whether a hand plays so.
    dealt : tuple of int
        The cards with which the boards begin, since the start, on which it holds.
    """

    node: int
    shares: tuple[float, ...]
    is_locked: NDArray[np.bool_]
    dealt: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RangeGame:
    """A game of three ranges.

    Attributes
    ----------
    name : str
    pot : float
        Chips in the middle at the start.
    cards : sequence of str
        The names of the cards of the deck.
    board : tuple of int
        The cards that are on the board at the start.
    streets : int
        Streets of betting; a card is dealt between two of them.
    hand_names : sequence of str
        The hands that somebody may hold.
    hand_cards : int64 array, shape (hands, 2)
    weights : float64 array, shape (players, hands)
    symmetries : int64 array, shape (n, cards)
        Permutations of the deck under which hands are as strong as they were: of the suits. They are
        used where board and ranges are as they were, too.
    strengths : callable
        The strength of each hand, shape (boards, hands), on boards of five cards, shape (boards, 5).
    nodes : sequence of RangeNode
        The betting, the start first.
    payoff_sum : float or None
        The sum of all payoffs, where it is the same at every end.
    largest_payoff : float
        The largest payoff, without its sign.
    rules : object
        The rules that it was made of.
    locks : sequence of RangeLock
    folded : FoldedTerms or None
        Hands that others folded before; None where nobody has.
    """

    name: str
    pot: float
    cards: Sequence[str]
    board: tuple[int, ...]
    streets: int
    hand_names: Sequence[str]
    hand_cards: Ints
    weights: Floats
    symmetries: Ints
    strengths: Callable[[Ints], NDArray[np.int64]]
    nodes: Sequence[RangeNode]
    payoff_sum: float | None
    largest_payoff: float
    rules: Any = None
    locks: Sequence[RangeLock] = ()
    folded: FoldedTerms | None = None
