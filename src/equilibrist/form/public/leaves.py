"""Public forms that are cut: below some public nodes nothing is walked, and somebody else says what these are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints, offsets
from ..compiled_game import WalkerPool
from ..floors import NO_FLOORS
from ..responses import NO_TABLES
from .form import PublicForm
from .passes import best_response_walk
from .tree import END, NATURE, PublicTree
from .walker import Cut, PublicWalker, find_cut

States = NDArray[np.bool_]


class LeafValue(Protocol):
    """What the leaves of a cut game are worth; asked between the walks of what is above them, with both ranges."""

    def __call__(self, states: Ints, ranges: Floats) -> Floats:
        """Return the counterfactual value of each hand of both players at the leaves, shape (leaves, 2, width).

        That is payoff × the probability that chance, the deal included, and the other player come
        there. ``states`` are the public states of the leaves, in the order of a depth-first walk;
        ``ranges``, shape (leaves, 2, width), are the probabilities with which each hand of each
        player comes there by that player's own moves.
        """


class SolvedLeaves:
    """The values of a solved run: from the leaves on, both players go on as its average strategy does.

    ``form`` is the whole game, cut at ``leaves`` as for :func:`with_leaves`; ``weights`` are the
    sums of the average strategy at its slots (``Solver.average_weights()``), or a strategy.
    """

    def __init__(self, form: PublicForm, leaves: States, weights: NDArray[Any]) -> None:
        self._walker = PublicWalker(
            form.arrays, form.depth, cut=find_leaf_cut(form.public, leaves)._replace(most=-1)
        )
        self._weights = weights

    def __call__(self, states: Ints, ranges: Floats) -> Floats:
        subtrees = self._walker.subtrees
        width = self._walker.scratch.width
        subtrees.reach.reshape(-1, 2, width)[1:] = ranges
        for player in range(2):
            self._walker.walk_subtrees(
                best_response_walk, self._weights, player, NO_TABLES, NO_FLOORS
            )
        return subtrees.value.reshape(-1, 2, width)[1:].copy()


def with_leaves(form: PublicForm, leaves: States, leaf_value: LeafValue) -> TopForm:
    """Return the part of a game above some public states, whose values a function tells; CFR runs on it as on any form.

    A best response in the cut game goes on at a leaf as ``leaf_value`` does. ``leaves``, bool,
    shape (public states,), are the public states where the game is cut; a chance node with nothing
    but leaves below it is one itself.
    :func:`street_starts` gives those where chance moves in public.
    """
    return top_form(form, leaves, partial(_LeafWalker, leaf_value=leaf_value))


def street_starts(form: PublicForm) -> States:
    """Return the public states at which chance moves after the deal: what follows is another street."""
    return np.asarray(
        (form.public.mover == NATURE) & (np.arange(len(form.public.mover)) != form.root)
    )


@dataclass(frozen=True, eq=False, repr=False)
class TopForm(PublicForm):
    """A public form whose slots are those above a cut; what is below is known to whoever its walker asks."""

    new_walker: Callable[..., PublicWalker]

    @cached_property
    def walkers(self) -> WalkerPool[PublicWalker]:
        return WalkerPool(partial(self.new_walker, self))


class _LeafWalker(PublicWalker):
    """Walks of the top of a tree, which ask for the values at the cut."""

    def __init__(
        self, form: TopForm, *, leaf_value: LeafValue, precision: str = "float64", **_: Any
    ) -> None:
        super().__init__(form.arrays, form.depth, precision=precision, cut=find_cut(form.public, 0))
        self._leaf_value = leaf_value

    def walk_subtrees(self, kernel: Callable[..., None], tables: Any, *options: Any) -> None:
        width = self.scratch.width
        subtrees = self.subtrees
        ranges = subtrees.reach.reshape(-1, 2, width)[1:].astype(np.float64, copy=False)
        values = self._leaf_value(subtrees.state[1:], ranges)
        subtrees.value.reshape(-1, 2, width)[1:] = values
        if kernel is best_response_walk:
            subtrees.best_value.reshape(-1, width)[1:] = values[:, options[0]]


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
