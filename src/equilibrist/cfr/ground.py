"""What a sampled run stands on: the table of its infosets, and the source from which samples are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..form.sequence import SequenceForm
from ..form.tree import Infoset, offsets
from .algorithms import Floats
from .drawing import Slots, make_slots
from .from_tree import tree_source
from .full import behaviour

Counts = NDArray[np.uint32]


class Ground:
    """A game as a sampled run sees it.

    Attributes
    ----------
    name : str
    players, moves, histories : int
        Number of players; the most moves of a history; histories that have a number (0 where they have none).
    slots : Slots
        First the empty sequence of each player, then the actions of each infoset.
    form : SequenceForm or None
        The compiled game, where there is one.
    interpreted : bool
        Whether the rules must be asked in Python.
    has_public_chance : bool
        Whether the game says of any chance node that everybody sees its outcome.
    fingerprint : str
        A digest of the game, where it is not compiled.
    """

    name: str
    players: int
    moves: int
    histories: int = 0
    slots: Slots
    form: SequenceForm | None = None
    interpreted: bool = False
    has_public_chance: bool = False
    fingerprint: str = ""

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source on the table as it is now: for so many records, or for as many as an older one."""
        raise NotImplementedError

    def shape(self) -> tuple[Counts, Counts]:
        """Return the first slot and the number of actions of each infoset."""
        raise NotImplementedError

    def infosets(self) -> Sequence[Infoset]:
        """Return the names of the infosets, in the order of their slots."""
        raise NotImplementedError

    def grow(self) -> None:
        """Double the room for infosets."""
        raise NotImplementedError

    @property
    def nbytes(self) -> int:
        """Bytes that the table takes."""
        return sum(int(array.nbytes) for array in self.slots)

    def memory(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept of the table, besides the slots."""
        return {}

    def recall(self, memory: dict[str, NDArray[Any]], *, slots: int) -> None:
        """Make the table what it was when :meth:`memory` was called."""

    def recall_infosets(self, infosets: Sequence[Infoset]) -> None:
        """Say which infosets had been met, in this order, where their names are needed."""

    def at_form(self, sums: Floats) -> Floats:
        """Return the strategy of these sums at the slots of the compiled game."""
        raise NotImplementedError


class Tree(Ground):
    """A compiled game, with its tree: all infosets are known from the start."""

    def __init__(self, form: SequenceForm) -> None:
        tree = form.tree
        assert tree is not None
        self.form = form
        self.name, self.players, self.histories = form.name, form.players, form.histories
        self.moves = int(tree.num_children.max())
        self._count = form.infosets.num_actions
        self._first = (self.players + offsets(self._count)[:-1]).astype(np.uint32)
        self.slots = make_slots(self.players + int(self._count.sum()))
        self.slots.strategy[self.players :] = np.repeat(1.0 / self._count, self._count)
        self.has_public_chance = len(tree.public.history) > 0
        self._source = tree_source(tree, self._first)

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source with scratch of its own, on the table as it is now."""
        # What the groups agreed on in a traversal belongs to whoever draws it.
        return self._source._replace(agreed=self._source.agreed.copy(), agreed_at=self._source.agreed_at.copy())

    def shape(self) -> tuple[Counts, Counts]:
        """Return the first slot and the number of actions of each infoset."""
        return self._first, self._count

    def infosets(self) -> Sequence[Infoset]:
        """Return the names of the infosets met so far."""
        assert self.form is not None
        return self.form.infosets

    def at_form(self, sums: Floats) -> Floats:
        """Return the strategy of these sums at the slots of the compiled game."""
        assert self.form is not None
        total = np.zeros(self.form.length)
        total[self.form.slot] = sums[self.players :]
        return behaviour(self.form, total)
