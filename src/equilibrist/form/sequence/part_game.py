"""The game of a part: copies of its leaves, below what the opponent decides above it.

Sequences have numbers twice: in the *whole* form, and in the *new* one, which is that of the game
here. In both 0 is the empty one. Of the new form the first sequences are those of the decisions
above the part, as a gadget says; then come the infosets of each copy. The opponent has infosets in
each copy, for a hand that enters always and one that has chosen to enter know different things; the
player, who cannot tell, has them in the first copy alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ..gadget import Gadget
from ..infosets import Infoset, NamedInfosets
from .canonical import CanonicalForm
from .form import SequenceForm, sequence_form

ABOVE = "above the part"
ENTER = "enter"
TAKE = "take the value"
"""What the opponent decides above a part, with each hand."""


class Decisions(NamedTuple):
    """What the opponent decides above a part, where a gadget leaves anything to decide.

    Attributes
    ----------
    infosets : list of Infoset
        One in which a hand is picked, or one for each hand that decides.
    hands : int array, shape (deciding hands,)
        Which of the opponent's hands decide.
    enter : int array, shape (hands,)
        The new sequence that enters with each hand; 0 for other hands.
    settle : int array, shape (deciding hands,)
        The new sequence after which a hand gets its value.
    """

    infosets: list[Infoset]
    hands: Ints
    enter: Ints
    settle: Ints


class PartInfoset(NamedTuple):
    """An infoset of a part, in numbers of the whole form.

    Attributes
    ----------
    infoset : Infoset
    parent : int
        The last sequence of its player before it.
    first : int
        The sequence of its first action.
    hand : int
        Of the opponent, where it is theirs.
    """

    infoset: Infoset
    parent: int
    first: int
    hand: int


class PartLeaves(NamedTuple):
    """The leaves of a part, in numbers of the whole form.

    Attributes
    ----------
    sequence : int array, shape (leaves, 2)
        The last sequence of each player before each leaf.
    hand : int array, shape (leaves,)
        The opponent's hand.
    own_reach : float array, shape (leaves,)
        The player's reach before the part.
    weights : float array, shape (leaves, 2)
        Payoff × reach of chance × own reach.
    """

    sequence: Ints
    hand: Ints
    own_reach: Floats
    weights: Floats


class Copy(NamedTuple):
    """The leaves of a part once, with a weight for each hand, and what leads the opponent to it.

    Attributes
    ----------
    weight : float array, shape (hands,)
    above : int array, shape (hands,)
        The opponent's new sequence that leads to each hand.
    suffix : str
        Of the names of the opponent's infosets.
    """

    weight: Floats
    above: Ints
    suffix: str


def decisions_above(gadget: Gadget, hands: Sequence[str], opponent: int) -> Decisions:
    """Return what the opponent decides above a part; ``hands`` are the names of their hands."""
    deciding = np.flatnonzero(gadget.chosen > 0)
    names = [hands[hand] for hand in deciding.tolist()]
    enter = np.zeros(len(gadget.chosen), np.int64)
    infosets: list[Infoset] = []
    if gadget.picks:
        # One infoset with an action for each hand, which enters and pays its value.
        enter[deciding] = 1 + np.arange(len(deciding))
        settle = enter[deciding]
        if gadget.decides:
            infosets = [Infoset(opponent, ABOVE, tuple(f"{ENTER} with {name}" for name in names))]
    else:
        # An infoset for each hand, with two actions: to take the value, and to enter.
        enter[deciding] = 2 + 2 * np.arange(len(deciding))
        settle = enter[deciding] - 1
        infosets = [Infoset(opponent, f"{ABOVE}: {name}", (TAKE, ENTER)) for name in names]
    return Decisions(infosets, deciding, enter, settle)


def copies_below(gadget: Gadget, decisions: Decisions) -> list[Copy]:
    """Return the copies of a part: for hands that enter always, and for those that have chosen to."""
    copies = []
    if gadget.always.any():
        copies.append(Copy(gadget.always, np.zeros(len(gadget.always), np.int64), ""))
    if gadget.decides:
        suffix = " (chosen)" if copies else ""
        copies.append(Copy(gadget.chosen, decisions.enter, suffix))
    return copies


class PartGame:
    """Puts the game of a part together, and has its infosets and leaves so far.

    Parameters
    ----------
    opponent : int
        Who decides above the part.
    decisions : Decisions
        What the opponent decides there.
    whole_sequences : int
        How many sequences the whole form has, with the empty ones, and those of any further
        decisions of the opponent at the ends of the part.
    """

    def __init__(self, opponent: int, decisions: Decisions, whole_sequences: int) -> None:
        self._opponent = opponent
        self._decisions = decisions
        self._infosets = list(decisions.infosets)
        self._parents = [0] * len(decisions.infosets)
        self._num_actions = sum(len(infoset.actions) for infoset in decisions.infosets)
        # shape (whole sequences,): the new number of each in the copy that was added last; 0 for
        # those before the part
        self._new_number = np.zeros(whole_sequences, np.int64)
        # of each copy, shape (leaves, 2): the last new sequences before its leaves
        self.leaf_sequences: list[Ints] = []
        # of each copy, shape (leaves, 2): payoff × reach
        self._weights: list[Floats] = []
        self._copies = 0

    def add_copy(self, copy: Copy, infosets: Sequence[PartInfoset], leaves: PartLeaves) -> None:
        """Add a copy of a part, whose infosets come after those that lead to them."""
        for infoset in infosets:
            if infoset.infoset.player == self._opponent:
                renamed = infoset.infoset._replace(key=infoset.infoset.key + copy.suffix)
                self._add_infoset(infoset, renamed, sequence_before=int(copy.above[infoset.hand]))
            elif self._copies == 0:
                self._add_infoset(infoset, infoset.infoset, sequence_before=0)
        sequence = self._new_number[leaves.sequence]
        at_once = sequence[:, self._opponent] == 0  # who decides nothing in the part before
        sequence[at_once, self._opponent] = copy.above[leaves.hand[at_once]]
        self.leaf_sequences.append(sequence)
        self._weights.append(leaves.weights * copy.weight[leaves.hand][:, None])
        self._copies += 1

    def _add_infoset(self, infoset: PartInfoset, named: Infoset, sequence_before: int) -> None:
        """Add an infoset; ``sequence_before`` is the new sequence that leads to it where none of the part does."""
        count = len(named.actions)
        self._infosets.append(named)
        self._parents.append(int(self._new_number[infoset.parent]) or sequence_before)
        first = 1 + self._num_actions
        self._new_number[infoset.first : infoset.first + count] = first + np.arange(count)
        self._num_actions += count

    def add_values(self, gadget: Gadget) -> None:
        """Add the leaves at which a hand gets its value instead of entering, or for which it is picked pays it."""
        sequence = np.zeros((len(self._decisions.hands), 2), np.int64)
        sequence[:, self._opponent] = self._decisions.settle
        sign = np.where(np.arange(2) == self._opponent, 1.0, -1.0)
        if gadget.picks:
            sign = -sign
        value = (gadget.chosen * gadget.value)[self._decisions.hands]
        self.leaf_sequences.append(sequence)
        self._weights.append(value[:, None] * sign)

    def form(self, full_form: SequenceForm, name: str, payoff_sum: float | None) -> SequenceForm:
        """Return the sequence form of the game; of the whole form it has the depth and the largest payoff."""
        canonical = CanonicalForm(
            name=name,
            histories=1 + sum(map(len, self.leaf_sequences)),
            depth=full_form.depth,
            payoff_sum=payoff_sum,
            largest_payoff=full_form.largest_payoff,
            infosets=NamedInfosets(self._infosets),
            parent_sequence=np.array(self._parents, np.uint32),
            leaf_sequence=np.concatenate(self.leaf_sequences).astype(np.uint32),
            weights=np.concatenate(self._weights),
        )
        return sequence_form(canonical)
