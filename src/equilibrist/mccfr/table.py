"""Storage of Monte Carlo CFR: regrets and averages per infoset, and the source from which samples are drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..cfr.solver import NO_LIMIT
from ..errors import AlgorithmError, GameError
from ..form.any_form import GameForm
from ..form.compiled_game import CompiledGame
from ..form.floors import Terms
from ..form.infosets import Infoset
from ..form.public.form import PublicForm
from ..form.public.tree import NATURE
from ..form.responses import Values
from ..form.sequence.form import SequenceForm
from ..form.traits import NoForm
from ..form.walk.form import WalkedGame
from ..form.walk.index import Counts
from ..form.walk.slots import longer
from ..strategy.strategy import Strategy
from .records import Slots, make_slots
from .source_public import public_source, with_scratch
from .source_tree import tree_source
from .update import normalise

if TYPE_CHECKING:
    from ..form.abstract.infoset_map import InfosetMap

MOST_SLOTS = 2**31
"""The most slots, and records of a sample: they have numbers of 32 bits."""

BYTES_PER_SLOT = 8 * len(Slots._fields)
"""Bytes of the table for each slot."""


class Samples(Protocol):
    """What samples of a game are drawn from without its table, in this process or sent to another one."""

    moves: int
    """The most moves of a history."""
    pool: Any
    """What changes between iterations, with a ``number``; the same number is the same pool."""

    def take_pool(self, pool: Any) -> None:
        """Draw from another pool from now on."""

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source as :meth:`InfosetTable.source` does."""


class InfosetTable(ABC):
    """Table of the infosets of a game, with regrets and averages, and the source of samples of the game."""

    form: GameForm  # the game
    moves: int  # the most moves of a history
    histories: int = 0  # the number of histories, where they are numbered, or 0
    # Chance moves of the deal in the rules, less those by which the source deals: they are counted
    # as touched
    more_histories: int = 0
    slots: Slots  # first the empty sequence of each player, then the actions of each infoset
    interpreted: bool = False  # Whether the source is one of Python, not of compiled code
    has_public_chance: bool = (
        False  # Whether the game says of any chance node that everybody sees its outcome
    )
    largest_payoff: float = 0.0  # the largest payoff, without its sign; 0 where nobody knows
    samples: Samples | None = None  # what other processes draw from, where they can

    @property
    def name(self) -> str:
        return self.form.name

    @property
    def players(self) -> int:
        return self.form.players

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

    def prepare(self, iteration: int) -> int:
        """Make ready for an iteration to be drawn; return the last iteration for which nothing else is needed."""
        return NO_LIMIT

    @property
    def used(self) -> int:
        return self.players + int(self.shape()[1].sum())

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for array in self.slots)

    @property
    @abstractmethod
    def certifies(self) -> bool:
        """Whether :meth:`values` are known."""

    @property
    def walked_histories(self) -> float:
        """Histories that are walked for a player's value, where that takes longer than a moment; else 0."""
        return 0.0

    @abstractmethod
    def weights(self, sums: Floats) -> Floats:
        """Return sums at the slots of the table as weights, of which each infoset plays its shares."""

    @abstractmethod
    def average(self, sums: Floats) -> Floats:
        """Return the strategy of which sums at the slots are given, as probabilities where :meth:`weights` has them."""

    @abstractmethod
    def strategy(self, sums: Floats) -> Strategy:
        """Return that strategy by infoset."""

    @abstractmethod
    def values(
        self,
        sums: Floats,
        *,
        threads: int,
        floors: Terms,
        should_stop: Callable[[], bool],
    ) -> Values:
        """Return the value of that strategy, and of the best responses to it within floors.

        Raises
        ------
        WalkStoppedError
            ``should_stop`` returned True in the middle of a walk.
        """

    @abstractmethod
    def first_decision(self, sums: Callable[[], Floats]) -> dict[str, float]:
        """Return how often each action of the first decision is taken; empty where the form does not tell it."""

    @abstractmethod
    def describe_game(self) -> dict[str, Any]:
        """Return sizes, kind and fingerprint of the game, as plain values by name."""

    def poll_with(self, poll: Callable[[], None]) -> None:  # noqa: B027 (compiled sources cannot be left)
        """Have rules in Python call ``poll`` at each history, so that it can leave a long sample by raising."""

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that continue a run, besides the slots; not copied."""
        return {}

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        """Make the table what it was, with so many slots in use, when :meth:`state_dict` was called."""
        if slots != self.used:
            raise ValueError("another number of slots")


class UncompiledTable(InfosetTable):
    """Table of a game without a compiled form: what is played is told by the slots, and sizes by the infosets there."""

    form: WalkedGame

    def weights(self, sums: Floats) -> Floats:
        return sums

    def average(self, sums: Floats) -> Floats:
        probabilities = np.zeros(len(sums))
        normalise(*self.shape(), sums, probabilities)
        return probabilities

    def strategy(self, sums: Floats) -> Strategy:
        return Strategy(self.infosets(), self.average(sums)[self.players :])

    def first_decision(self, sums: Callable[[], Floats]) -> dict[str, float]:
        return {}

    def describe_game(self) -> dict[str, Any]:
        _, num_actions = self.shape()
        return {
            "players": self.players,
            "histories": None,
            "infosets": len(num_actions),
            "slots": self.used,
            "zero_sum": None,
            "form": NoForm.kind,
            "fingerprint": self.form.fingerprint,
        }


class CompiledTable(InfosetTable):
    """Table of a compiled game: all infosets are known from the start."""

    form: CompiledGame
    certifies = True

    infoset_map: InfosetMap | None = None
    """Which infosets share slots, those of their bucket."""
    can_share_slots: ClassVar[bool] = False

    def shape(self) -> tuple[Counts, Counts]:
        if self.infoset_map is None:
            count = self.form.infosets.num_actions
        else:
            count = self.infoset_map.num_actions.astype(np.uint32)
        return (self.players + offsets(count)[:-1]).astype(np.uint32), count

    def action_slots(self) -> NDArray[np.int64]:
        """Return the slot of each action of each infoset of the form."""
        if self.infoset_map is None:
            return np.arange(self.players, self.used)
        return self.players + self.infoset_map.bucket_action

    def infosets(self) -> Sequence[Infoset]:
        return self.form.infosets

    @property
    def used(self) -> int:
        return len(self.slots.strategy)

    def grow(self) -> None:
        raise AssertionError("a compiled game was asked for more room for infosets")

    def weights(self, sums: Floats) -> Floats:
        weights = np.zeros(self.form.length)
        if self.infoset_map is None:
            weights[self.form.slot] = sums[self.players :]
        else:
            weights[self.form.slot] = sums[self.action_slots()]
        return weights

    def average(self, sums: Floats) -> Floats:
        return self.form.average_from_sums(self.weights(sums))

    def strategy(self, sums: Floats) -> Strategy:
        return Strategy.from_form(self.form, self.average(sums))

    def values(
        self,
        sums: Floats,
        *,
        threads: int,
        floors: Terms,
        should_stop: Callable[[], bool],
    ) -> Values:
        return self.form.values(self.weights(sums), weights=True, threads=threads, floors=floors)

    def first_decision(self, sums: Callable[[], Floats]) -> dict[str, float]:
        return self.form.first_decision(self.weights(sums()))

    def describe_game(self) -> dict[str, Any]:
        return self.form.describe()

    def _make_slots(self) -> None:
        if self.form.slots > MOST_SLOTS:
            raise GameError(
                f"{self.name} is too large: samples can number {MOST_SLOTS:,} actions at "
                f"infosets, and there are {self.form.slots:,}. Keep those alone that are met: "
                "sampling='external(tree=False)'."
            )
        first, count = self.shape()
        self.slots = make_slots(self.players + int(count.sum()))
        normalise(first, count, self.slots.strategy_sum, self.slots.strategy)


class TreeTable(CompiledTable):
    """Table of a game in sequence form, sampled from its tree."""

    form: SequenceForm
    can_share_slots = True

    def __init__(self, form: SequenceForm, infoset_map: InfosetMap | None = None) -> None:
        self.infoset_map = infoset_map
        tree = form.tree
        if tree is None:
            raise GameError(
                f"{form.name} was compiled without its tree, from which samples are drawn: "
                "compile it with compile_game(game, keep_tree=True).",
                wrong_use=True,
            )
        self.form = form
        self.largest_payoff = form.largest_payoff
        self.histories = form.histories
        self.moves = int(tree.num_children.max())
        self._make_slots()
        self.has_public_chance = len(tree.public.history) > 0
        first = self.shape()[0]
        if infoset_map is not None:
            first = first[infoset_map.bucket]
        self._source = tree_source(tree, first)

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
        self.largest_payoff = form.largest_payoff
        self.more_histories = form.joint_hands.moves - 2
        self._source = public_source(form)
        self.moves = max(*map(len, form.hands), len(self._source.outcome))
        self.has_public_chance = bool((form.public.mover == NATURE).any())
        self._make_slots()

    def source(self, old: Any, *, records: int = 0) -> Any:
        records = records if old is None else len(old.states)
        return with_scratch(self._source, records=records, public_chance=self.has_public_chance)


def make_table(form: CompiledGame, infoset_map: InfosetMap | None = None) -> CompiledTable:
    """Return the table of infosets of a compiled game, and the source of samples that its form has.

    With a map, the infosets of a bucket share their slots.
    """
    if form.kind not in _TABLES:
        raise AlgorithmError(
            f"{form.name} is compiled as a card game, of which nothing is sampled. Leave "
            "sampling out, or use form='public' (--form public) where the game is small.",
        )
    kind: Any = _TABLES[form.kind]
    if infoset_map is not None and not kind.can_share_slots:
        raise AlgorithmError(
            f"An abstraction is sampled from the tree of a sequence form; got {form.name} as a "
            f"{form.title}. Give form='sequence' (--form sequence), or leave sampling out.",
            field="form",
        )
    table: CompiledTable
    if infoset_map is None:
        table = kind(form)
    else:
        table = kind(form, infoset_map)
    return table


_TABLES: dict[str, Any] = {
    SequenceForm.kind: TreeTable,
    PublicForm.kind: PublicTable,
}
