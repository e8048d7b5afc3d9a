"""What a sampled run stands on: the table of its infosets, and the source from which samples are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..form.sequence import SequenceForm
from ..form.tree import Infoset, offsets
from .drawing import Slots, make_slots
from .from_tree import tree_source

Counts = NDArray[np.uint32]


class Ground(ABC):
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

    @abstractmethod
    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source on the table as it is now: for so many records, or for as many as an older one."""

    @abstractmethod
    def shape(self) -> tuple[Counts, Counts]:
        """Return the first slot and the number of actions of each infoset."""

    @abstractmethod
    def infosets(self) -> Sequence[Infoset]:
        """Return the names of the infosets, in the order of their slots."""

    @abstractmethod
    def grow(self) -> None:
        """Double the room for infosets."""

    @property
    def nbytes(self) -> int:
        """Bytes that the table takes."""
        return sum(int(array.nbytes) for array in self.slots)

    def memory(self) -> dict[str, NDArray[Any]]:
        """Return what must be kept of the table, besides the slots."""
        return {}

    def recall(self, memory: dict[str, NDArray[Any]], *, slots: int) -> None:  # noqa: B027 (a tree has nothing to do)
        """Make the table what it was when :meth:`memory` was called."""

    def recall_infosets(self, infosets: Sequence[Infoset]) -> None:  # noqa: B027 (only rules in Python have)
        """Say which infosets had been met, in this order, where their names are needed."""


class Tree(Ground):
    """A compiled game, with its tree: all infosets are known from the start.

    Raises
    ------
    GameError
        The game was compiled without its tree.
    """

    form: SequenceForm

    def __init__(self, form: SequenceForm) -> None:
        tree = form.tree
        if tree is None:
            raise GameError(
                f"{form.name} was compiled without its tree, from which samples are drawn: compile it with "
                "compile_game(game, keep_tree=True).",
                wrong_use=True,
            )
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
        return self.form.infosets

    def grow(self) -> None:
        """Refuse: all infosets have had room from the start, so nobody can need more."""
        raise AssertionError("a tree was asked for more room for infosets")
