"""The public tree: public states, and how the slots of all public nodes are numbered."""

from __future__ import annotations

from typing import NamedTuple

from ..._util.arrays import Floats, Ints

# who moves at a public state that is no player's
NATURE = 2
END = 3


class PublicTree(NamedTuple):
    """The public tree, each public state once; arrays of int64.

    A *public state* is what everybody knows, as far as the future depends on it. Where many
    sequences of moves lead to one, each of them is a *public node* of its own, with infosets and
    slots of its own: the tree is walked as if it were written out, but it is not. The slots of a
    node come first, ``[action][hand]`` with the mover's hands padded to whole lanes, then all of
    those below its first child, then those below the second, and so on: numbers relative to the
    node are the same at all nodes of a public state.

    Attributes
    ----------
    mover : int array, shape (public states,)
        0 or 1, 2 where chance moves in public, 3 at an end.
    first_child : int array, shape (public states + 1,)
        The moves of public state s are ``first_child[s] … first_child[s + 1] - 1``. The last public
        state is the root.
    child : int array, shape (moves,)
        The public state that a move leads to; it comes before the one that leads there.
    child_slot : int array, shape (moves,)
        Where the slots below the move begin, counted from the first slot of the node.
    slots : int array, shape (public states,)
        Number of slots at and below a node, padding included.
    hands : int array, shape (2,)
        Number of hands of each player.
    width : int array, shape (2,)
        The same padded to whole lanes.
    terminal : int array, shape (public states,)
        Which of the :class:`~equilibrist.form.public.terminal.payoffs.TerminalPayoffs` an end pays.
    scale : float array, shape (public states,)
        What it is multiplied by.
    """

    mover: Ints
    first_child: Ints
    child: Ints
    child_slot: Ints
    slots: Ints
    hands: Ints
    width: Ints
    terminal: Ints
    scale: Floats
