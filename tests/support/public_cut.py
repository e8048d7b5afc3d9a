"""Public forms that are cut, whose leaves a function or a solved run answers, as actors do for their driver."""

from functools import partial

import numpy as np

from equilibrist.form.floors import NO_FLOORS
from equilibrist.form.public.leaves import find_leaf_cut, top_form
from equilibrist.form.public.passes import best_response_walk
from equilibrist.form.public.tree import NATURE
from equilibrist.form.public.walker import PublicWalker, find_cut
from equilibrist.form.responses import NO_TABLES


def with_leaves(form, leaves, leaf_value):
    """Return the part of a form above some public states, bool by state, whose values a function tells.

    ``leaf_value(states, ranges)`` is asked between walks, with the reach of the hands of both players at the leaves,
    shape (leaves, 2, width), in the order of a depth-first walk; it returns counterfactual values in the same shape.
    """
    return top_form(form, leaves, partial(_LeafWalker, leaf_value=leaf_value))


def find_street_starts(form):
    """Return the public states at which chance moves after the deal."""
    return (form.public.mover == NATURE) & (np.arange(len(form.public.mover)) != form.root)


class SolvedLeaves:
    """The values of a solved run: from the leaves on, both players go on by the weights at the slots of the whole."""

    def __init__(self, form, leaves, weights):
        self._walker = PublicWalker(
            form.arrays, form.depth, cut=find_leaf_cut(form.public, leaves)._replace(most=-1)
        )
        self._weights = weights

    def __call__(self, states, ranges):
        subtrees, width = self._walker.subtrees, self._walker.scratch.width
        subtrees.reach.reshape(-1, 2, width)[1:] = ranges
        for player in range(2):
            self._walker.walk_subtrees(
                best_response_walk, self._weights, player, NO_TABLES, NO_FLOORS
            )
        return subtrees.value.reshape(-1, 2, width)[1:].copy()


class _LeafWalker(PublicWalker):
    """Walks of the top of a tree, which ask for the values at the cut."""

    def __init__(self, form, *, leaf_value, precision="float64", **_):
        super().__init__(form.arrays, form.depth, precision=precision, cut=find_cut(form.public, 0))
        self._leaf_value = leaf_value

    def walk_subtrees(self, kernel, tables, *options):
        width, subtrees = self.scratch.width, self.subtrees
        ranges = subtrees.reach.reshape(-1, 2, width)[1:].astype(np.float64, copy=False)
        values = self._leaf_value(subtrees.state[1:], ranges)
        subtrees.value.reshape(-1, 2, width)[1:] = values
        if kernel is best_response_walk:
            subtrees.best_value.reshape(-1, width)[1:] = values[:, options[0]]
