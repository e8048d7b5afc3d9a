"""The infosets of a public form: each is found by going down to its public node, and named by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Indices, Ints
from ...game.public import PublicGame, infoset_name
from ..infosets import Infoset, Infosets
from .tree import PublicTree


class Step(NamedTuple):
    """A public node on the path to another.

    Attributes
    ----------
    state : int
        Its public state.
    first_infoset : int
        The number of its first infoset: those of a node come before those below.
    move : int
        Which of its moves leads on; -1 where the path ends.
    """

    state: int
    first_infoset: int
    move: int


class PublicNames(NamedTuple):
    """What the numbers and names of infosets follow from; arrays are those of the public form.

    Attributes
    ----------
    game : PublicGame
        The rules.
    hands : pair of tuples of str
        What each player may hold.
    moves : tuple of tuples of str
        The names of the moves at each public state.
    possible_hands : tuple of pairs of int64 arrays
        Of each deal, which hands either player can hold: the cards on the table are nobody's.
    deal : int array, shape (public states,)
        The deal that each public state has.
    tree : PublicTree
    infosets_below : int array, shape (public states,)
        Number of infosets at and below each public state.
    """

    game: PublicGame
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    moves: tuple[tuple[str, ...], ...]
    possible_hands: tuple[tuple[Ints, Ints], ...]
    deal: Ints
    tree: PublicTree
    infosets_below: Ints

    def hands_at(self, state: int) -> Ints:
        """Return the hands that the mover of a public state can hold there; none where chance moves, or nobody."""
        mover = int(self.tree.mover[state])
        if mover < len(self.hands):
            hands: Ints = self.possible_hands[self.deal[state]][mover]
            return hands
        return _NO_HANDS

    def path(self, infoset: int) -> list[Step]:
        """Return the public nodes from the root to an infoset's: the one descent to an infoset of a public form."""
        state = len(self.tree.mover) - 1
        first = 0
        steps = list[Step]()
        while True:
            below = first + len(self.hands_at(state))
            if infoset < below:
                steps.append(Step(state, first, -1))
                return steps
            children = self.tree.child[
                self.tree.first_child[state] : self.tree.first_child[state + 1]
            ].tolist()
            for move, child in enumerate(children):
                after = below + int(self.infosets_below[child])
                if infoset < after:
                    steps.append(Step(state, first, move))
                    state = child
                    first = below
                    break
                below = after
            else:
                raise IndexError(infoset)

    def infoset(self, index: int) -> Infoset:
        *above, node = self.path(index)
        mover = int(self.tree.mover[node.state])
        hand = self.hands[mover][self.hands_at(node.state)[index - node.first_infoset]]
        moves = tuple(self.moves[step.state][step.move] for step in above)
        return Infoset(mover, infoset_name(self.game, hand, moves), self.moves[node.state])

    def infosets(self) -> Iterator[Infoset]:
        """Iterate over all infosets, in their order: one walk of the public tree, not a descent to each."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(len(self.tree.mover) - 1, ())]
        while waiting:
            state, before = waiting.pop()
            mover = int(self.tree.mover[state])
            moves = self.moves[state]
            for hand in self.hands_at(state).tolist():
                yield Infoset(
                    mover, infoset_name(self.game, self.hands[mover][hand], before), moves
                )
            children = self.tree.child[
                self.tree.first_child[state] : self.tree.first_child[state + 1]
            ].tolist()
            waiting += [
                (child, (*before, move)) for child, move in zip(children, moves, strict=True)
            ][::-1]


_NO_HANDS: Ints = np.zeros(0, np.int64)


class PublicInfosets(Infosets):
    """The infosets of a public form."""

    def __init__(self, names: PublicNames, owner: Indices, num_actions: Indices) -> None:
        super().__init__(owner, num_actions)
        self._names = names

    def make_infoset(self, index: int) -> Infoset:
        return self._names.infoset(index)

    def __iter__(self) -> Iterator[Infoset]:
        return self._names.infosets()
