"""Storage of Monte Carlo CFR: regrets and averages per infoset, and the source from which samples are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import AlgorithmError, GameError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..form.public.form import PublicForm
from ..form.public.tree import NATURE
from ..form.responses import Values
from ..form.sequence.form import SequenceForm
from ..form.walk.walk import WalkEstimate
from .records import Slots, make_slots
from .source_public import public_source, with_scratch
from .source_tree import tree_source
from .update import normalise

Counts = NDArray[np.uint32]

MOST_SLOTS = 2**31
"""The most slots, and records of a sample: they have numbers of 32 bits."""

BYTES_PER_SLOT = 8 * len(Slots._fields)
"""Bytes of the table for each slot."""


def longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return a copy of an array with more rows, all zero."""
    new = np.zeros((length, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


class InfosetTable(ABC):
    """Table of the infosets of a game, with regrets and averages, and the source of samples of the game."""

    name: str
    # `players`, `moves`, `histories`: Number of players; the most moves of a history; the number of histories,
    # where they are numbered, or 0
    players: int
    moves: int
    histories: int = 0
    # Chance moves of the deal in the rules, less those by which the source deals: they are counted as touched
    more_histories: int = 0
    slots: Slots  # first the empty sequence of each player, then the actions of each infoset
    form: CompiledGame | None = None  # the compiled game, where there is one
    interpreted: bool = False  # Whether the source is one of Python, not of compiled code
    has_public_chance: bool = (
        False  # Whether the game says of any chance node that everybody sees its outcome
    )
    fingerprint: str = ""  # a digest of the game, where it is not compiled
    certificate: WalkEstimate | None = (
        None  # how its strategies are certified by walks, if they are
    )

    @abstractmethod
    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source on the table as it is now: for so many records, or for as many as an older one."""

    @abstractmethod
    def shape(self) -> tuple[Counts, Counts]:
        """Return the first slot and the number of actions of each infoset."""

    @abstractmethod
    def infosets(self) -> Sequence[Infoset]:
        """Return the names of the infosets, in the order of their slots."""

    def grow(self) -> None:
        """Double the room for infosets."""
        self.slots = Slots(*(longer(array, 2 * len(array)) for array in self.slots))

    @property
    def used(self) -> int:
        return self.players + int(self.shape()[1].sum())

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for array in self.slots)

    def poll_with(self, poll: Callable[[], None]) -> None:  # noqa: B027 (compiled sources cannot be left)
        """Have rules in Python call ``poll`` at each history, so that it can leave a long sample by raising."""

    def values(self, weights: Floats, *, should_stop: Callable[[], bool]) -> Values:
        """Return the value of the strategy that weights at the slots stand for, and of the best responses to it, of a
        game that is not compiled but can be walked.
        """
        raise ValueError("The game cannot be walked: its strategy has no exact value.")

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that continue a run, besides the slots; not copied."""
        return {}

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        """Make the table what it was, with so many slots in use, when :meth:`state_dict` was called."""
        if slots != self.used:
            raise ValueError("another number of slots")


class CompiledTable(InfosetTable):
    """Table of a compiled game: all infosets are known from the start."""

    form: CompiledGame

    def shape(self) -> tuple[Counts, Counts]:
        count = self.form.infosets.num_actions
        return (self.players + offsets(count)[:-1]).astype(np.uint32), count

    def infosets(self) -> Sequence[Infoset]:
        return self.form.infosets

    @property
    def used(self) -> int:
        return len(self.slots.strategy)

    def grow(self) -> None:
        raise AssertionError("a compiled game was asked for more room for infosets")

    def _make_slots(self) -> None:
        if self.form.slots > MOST_SLOTS:
            raise GameError(
                f"{self.name} is too large: samples can number {MOST_SLOTS:,} actions at infosets, and there are "
                f"{self.form.slots:,}. Keep those alone that are met: sampling='external(tree=False)'."
            )
        self.slots = make_slots(self.form.slots)
        first, count = self.shape()
        normalise(first, count, self.slots.strategy_sum, self.slots.strategy)


class TreeTable(CompiledTable):
    """Table of a game in sequence form, sampled from its tree."""

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
        self.name = form.name
        self.players = form.players
        self.histories = form.histories
        self.moves = int(tree.num_children.max())
        self._make_slots()
        self.has_public_chance = len(tree.public.history) > 0
        self._source = tree_source(tree, self.shape()[0])

    def source(self, old: Any, *, records: int = 0) -> Any:
        # What the groups draw in a traversal belongs to the thread that draws it.
        return self._source._replace(
            drawn=self._source.drawn.copy(), drawn_at=self._source.drawn_at.copy()
        )


class PublicTable(CompiledTable):
    """Table of a game in public form: no array but the slots has a number for each node of the public tree."""

    form: PublicForm

    def __init__(self, form: PublicForm) -> None:
        self.form = form
        self.name = form.name
        self.players = form.players
        self.more_histories = form.joint_hands.moves - 2
        self._source = public_source(form)
        self.moves = max(*map(len, form.hands), len(self._source.outcome))
        self.has_public_chance = bool((form.public.mover == NATURE).any())
        self._make_slots()

    def source(self, old: Any, *, records: int = 0) -> Any:
        records = records if old is None else len(old.states)
        return with_scratch(self._source, records=records, public_chance=self.has_public_chance)


def table_of(form: CompiledGame) -> InfosetTable:
    """Return the table of infosets of a compiled game, and the source of samples that its form has."""
    if form.kind not in _TABLES:
        raise AlgorithmError(
            f"{form.name} is compiled as a card game, of which nothing is sampled. Leave sampling out, or use "
            "form='public' (--form public) where the game is small.",
        )
    return _TABLES[form.kind](form)


_TABLES: dict[str, Callable[[Any], InfosetTable]] = {
    SequenceForm.kind: TreeTable,
    PublicForm.kind: PublicTable,
}
