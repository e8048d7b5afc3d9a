"""Public forms that are cut: below some public nodes nothing is walked, and the walker is told what these are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import offsets
from ..compiled_game import WalkerPool
from .form import PublicForm
from .tree import END, NATURE, PublicTree
from .walker import Cut, PublicWalker, find_cut

States = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class TopForm(PublicForm):
    """A public form whose slots are those above a cut; what is below is known to whoever its walker asks."""

    new_walker: Callable[..., PublicWalker]

    @cached_property
    def walkers(self) -> WalkerPool[PublicWalker]:
        return WalkerPool(partial(self.new_walker, self))


def top_form(form: PublicForm, leaves: States, new_walker: Callable[..., PublicWalker]) -> TopForm:
    """Return the form of what is above some public states."""
    members: dict[str, Any] = {
        member.name: getattr(form, member.name) for member in fields(PublicForm)
    }
    return TopForm(**members | {"public": _cut_tree(form.public, leaves)}, new_walker=new_walker)


def find_leaf_cut(tree: PublicTree, leaves: States) -> Cut:
    """Return where the leaves of a :func:`top_form` are in the whole game."""
    ends = tree.mover == END
    marked = np.where((_cut_tree(tree, leaves).slots == 0) & ~ends, 0, np.maximum(tree.slots, 1))
    return find_cut(tree._replace(slots=marked), 0)


def _cut_tree(tree: PublicTree, leaves: States) -> PublicTree:
    """Return the part of a public tree above some of its states, where these lead nowhere."""
    leaves = leaves & (tree.mover != END)
    moves = np.where(leaves, 0, np.diff(tree.first_child))
    followed = np.repeat(~leaves, np.diff(tree.first_child))
    first_child = offsets(moves)
    child = tree.child[followed]
    slots = np.zeros(len(leaves), np.int64)
    child_slot = np.zeros(len(child), np.int64)
    for state, (first, last) in enumerate(pairwise(first_child.tolist())):
        mover = tree.mover[state]
        if mover < NATURE:
            total = (last - first) * int(tree.width[mover])
        else:
            total = 0
        for move in range(first, last):
            child_slot[move] = total
            total += int(slots[child[move]])
        slots[state] = total
    return tree._replace(
        mover=np.where(leaves, NATURE, tree.mover),
        first_child=first_child,
        child=child,
        child_slot=child_slot,
        slots=slots,
    )
