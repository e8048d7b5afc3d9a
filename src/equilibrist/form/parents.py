"""What its player did last before each infoset, asked of a compiled game for as many infosets as one likes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .build_python import offsets
from .infosets import Infosets
from .public import PublicForm
from .sequence import SequenceForm

Whole = NDArray[np.int64]


def first_actions(infosets: Infosets) -> Whole:
    """Return the number of the first action of each infoset, where actions are counted one infoset after the other."""
    return offsets(infosets.num_actions)[:-1]


def own_parents(form: SequenceForm | PublicForm, infosets: Whole) -> Whole:
    """Return the number of the action of the same player that leads to each of some infosets, or -1 where none does.

    Parameters
    ----------
    form : SequenceForm or PublicForm
        The game.
    infosets : int64 array
        Numbers of infosets, in ascending order.
    """
    if isinstance(form, PublicForm):
        return _of_hands(form, infosets)
    treeplex = form.treeplex
    slot = form.slot[first_actions(form.infosets)[infosets]].astype(np.int64)
    bucket = np.searchsorted(treeplex.bucket_slot, slot, side="right") - 1
    place = slot - treeplex.bucket_slot[bucket]  # the first action: no multiples of the size of the bucket
    action_of_slot = np.full(form.length, -1)
    action_of_slot[form.slot] = np.arange(len(form.slot))
    return action_of_slot[treeplex.parent_slot[treeplex.bucket_infoset[bucket] + place]]


class _Node(NamedTuple):
    """A public node: its first infoset, and the hands that its mover can hold there."""

    first: int
    hands: Whole


def _of_hands(form: PublicForm, infosets: Whole) -> Whole:
    """Do the same on public states: all hands at a node have done the same, so that a node is gone down to once."""
    first = first_actions(form.infosets)
    parents = np.full(len(infosets), -1)
    k = 0
    while k < len(infosets):
        node, above, move = _way(form, int(infosets[k]))
        end = int(np.searchsorted(infosets, node.first + len(node.hands)))
        if above is not None:
            hands = node.hands[infosets[k:end] - node.first]
            parents[k:end] = first[above.first + np.searchsorted(above.hands, hands)] + move
        k = end
    return parents


def _way(form: PublicForm, index: int) -> tuple[_Node, _Node | None, int]:
    """Return the node of an infoset, and where its player decided before, if at all, and what."""
    public, here, number = form.public, form.root, 0
    last: dict[int, tuple[_Node, int]] = {}
    while True:
        mover = int(public.mover[here])
        node = None
        if mover < form.players:
            node = _Node(number, form.possible_hands[here][mover])
            number += len(node.hands)
            if index < number:
                above, move = last.get(mover, (None, -1))
                return node, above, move
        for move, child in enumerate(public.child[public.first_child[here] : public.first_child[here + 1]].tolist()):
            if index < number + form.infosets_below[child]:
                if node is not None:
                    last[mover] = node, move
                here = child
                break
            number += form.infosets_below[child]
