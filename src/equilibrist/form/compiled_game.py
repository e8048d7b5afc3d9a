"""What every compiled game answers, whatever it was compiled into; no caller asks which form it is."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from .._util.display import Display
from ..errors import GameError
from .floors import DETACHED, NO_FLOORS, Terms, empty_table
from .infosets import Infosets
from .responses import BestResponses, ResponseTables, Values
from .traits import FormTraits

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from .sequence.tree import GameTree

Walker = TypeVar("Walker")


class CompiledGame(FormTraits, Display, ABC):
    """A game compiled into flat arrays: base of :class:`SequenceForm`, :class:`PublicForm` and :class:`CardForm`.

    A *slot* is an action at an infoset, or the empty sequence of a player. Arrays "at the slots"
    have ``length`` numbers; ``slot`` says where those of the actions stand, the rest is padding.

    Attributes
    ----------
    name : str
        Name of the game.
    players, histories, depth : int
        Number of players; of histories, the empty one and the terminal ones included; moves in the
        longest play.
    payoff_sum : float or None
        The sum of all players' payoffs, where it is the same at every leaf.
    largest_payoff : float
        The largest payoff, without its sign.
    infosets : Infosets
        A sequence of player, key and action names, in the order in which a depth-first walk meets
        them.
    slot : array of integers, shape (number of (infoset, action) pairs,)
        The slot of each action of each infoset, in the order of ``infosets``.
    length : int
        Length of arrays with a number a slot, padding included.
    num_infosets, num_actions : int
        Number of infosets, and of their actions together.
    size, payoff_kind : str
        How large the game is, and what its payoff is made of, in words.
    fingerprint : str
        A digest of what the game is, not of how its arrays are laid out: the same text means the
        same infosets, actions and payoffs. Where slots stand is a matter of the format of saved
        runs.
    tree : GameTree or None
        The histories, where they were kept.
    pot : float or None
        What is in the middle at the start of a card game, payoff: exploitability is told as a share
        of it.
    num_streets, boards_per_street : int, tuple of int
        Streets of a card form, and the boards that are walked on each; other forms have none.
    """

    pot: float | None = None
    num_streets: int = 0
    boards_per_street: tuple[int, ...] = ()
    name: str
    histories: int
    depth: int
    players: int
    payoff_sum: float | None
    largest_payoff: float
    infosets: Infosets
    slot: NDArray[Any]
    length: int
    num_infosets: int
    num_actions: int
    fingerprint: str
    tree: GameTree | None
    size: str
    payoff_kind: str

    def __repr__(self) -> str:
        sizes = f"{self.size}, {self.slots:,} slots, {self.histories:,} histories"
        return (
            f"<{type(self).__name__} of {self.name}: "
            f"{sizes}{', with its tree' if self.tree is not None else ''}>"
        )

    @property
    def zero_sum(self) -> bool:
        """Whether the payoffs of all players have the same sum at every leaf, up to rounding.

        Where that sum (``payoff_sum``) is not 0, the game is zero-sum once it is taken off the
        payoffs of a player, which changes no choice of anybody.
        """
        return self.payoff_sum is not None

    @property
    def slots(self) -> int:
        """Number of slots of all players without padding: each action of each infoset, and an empty sequence each."""
        return self.num_actions + self.players

    @cached_property
    def first_action(self) -> Ints:
        """Number of the first action of each infoset, and at the end the number of all actions."""
        return self.infosets.first_action()

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays of the compiled game."""
        return sum(
            {id(array): array.nbytes for array in _arrays(self.__getstate__().values())}.values()
        )

    def describe(self) -> dict[str, Any]:
        """Return sizes, kind and fingerprint of the game, as plain values by name."""
        return {
            "players": self.players,
            "histories": self.histories,
            "infosets": self.num_infosets,
            "slots": self.slots,
            "zero_sum": self.zero_sum,
            "form": self.kind,
            "payoff": self.payoff_kind,
            "pot": self.pot,
            "fingerprint": self.fingerprint,
        }

    @property
    def kernels(self) -> str:
        """Name of the kernels that iterate on the game, of which there are several for one form where games differ."""
        return self.kind

    @property
    def definition(self) -> str:
        """What builds the game, where its name is another: the text that :func:`equilibrist.load` takes."""
        return self.name

    def renamed(self, name: str) -> Self:
        """Return the same game under another name."""
        return replace(self, name=name)  # type: ignore[type-var]

    def to_slots(self, probabilities: Floats) -> Floats:
        """Return probabilities, given for each action of each infoset, at the slots; those of padding are 1."""
        slots = np.ones(self.length)
        slots[self.slot] = probabilities
        return slots

    def with_player(self, strategy: NDArray[Any], other: NDArray[Any], player: int) -> NDArray[Any]:
        """Return a strategy at the slots in which a player follows another one."""
        mixed = strategy.copy()
        self.put_player(mixed, other, player)
        return mixed

    def put_player(self, strategy: NDArray[Any], other: NDArray[Any], player: int) -> None:
        """Write what a player does in another strategy at the slots into a strategy, in place."""
        slots = self.slot[np.repeat(self.infosets.owner == player, self.infosets.num_actions)]
        strategy[slots] = other[slots]

    @abstractmethod
    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        """Return the strategy that plays each slot by its share of its infoset's sum; uniformly where that is 0."""

    @abstractmethod
    def reach(self, strategy: Floats) -> Floats:
        """Return the reach of each slot by its player's own probabilities, for a strategy at the slots."""

    @abstractmethod
    def cf_reach(self, strategy: Floats) -> Floats:
        """Return the reach of each infoset by chance and the others, for a strategy at the slots."""

    @abstractmethod
    def others_reach(self) -> Any:
        """Return the record by which kernels fill in that reach (:mod:`equilibrist.cfr.quantal`).

        Raises
        ------
        GameError
            The game was compiled without what tells it.
        """

    def hand_weights(self) -> Floats:
        """Return what walks leave out of the counterfactual values at the slots, a factor: on card forms the weight of
        the hand that is held. On public forms it is 0 for hands that cannot be. Empty where it is 1
        everywhere.
        """
        return empty_table()

    def infoset_counts(self) -> Floats:
        """Return how many infosets of the game each of the form stands for: more than one where they differ by suits
        alone; shape (infosets,).
        """
        return np.ones(self.num_infosets)

    def form_with_names(self, infosets: Infosets) -> CompiledGame:
        """Return the form of the game that has infosets of these names, if there is another one than this."""
        return self

    def unmerged(self) -> CompiledGame:
        """Return the same game with nothing taken for one that is alike: itself, if there is nothing."""
        return self

    @property
    def most_actions(self) -> int:
        """The largest number of actions of an infoset."""
        return int(self.infosets.num_actions.max(initial=1))

    @property
    def locked_slots(self) -> Ints:
        """The slots at which the strategy is fixed."""
        return np.zeros(0, np.int64)

    @property
    def locked_infosets(self) -> NDArray[np.bool_]:
        """Whether the strategy of each infoset is fixed, shape (infosets,)."""
        is_fixed = np.zeros(self.length, bool)
        is_fixed[self.locked_slots] = True
        first_slots: Ints = self.slot[self.first_action[:-1]]
        return is_fixed[first_slots]

    def check_strategy(self, strategy: Floats) -> None:
        """Refuse a strategy at the slots of which the form cannot tell the value."""

    @abstractmethod
    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        """Return the value of a strategy at the slots, and of the best responses to it; no arrays are kept.

        With ``weights``, ``strategy`` may be any numbers of 0 or more, of which each infoset plays
        its shares. Best responses are those within ``floors``, to which the strategy itself need
        not keep.
        """

    def first_decision(self, weights: NDArray[Any]) -> dict[str, float]:
        """Return how often each action of the first decision is taken, over the range of who takes it.

        ``weights`` are numbers at the slots of which each infoset plays its shares. Empty where
        ranges are not public.
        """
        return {}

    @abstractmethod
    def best_responses(self, strategy: Floats) -> BestResponses:
        """Return the value of a strategy at the slots, and the best response of each player to the others'."""

    @abstractmethod
    def fill_detached(self, strategy: NDArray[Any], player: int, table: Floats) -> float:
        """Fill a table at a player's slots with what each sequence is paid by itself, without what
        follows later decisions of that player; return what they are paid where they decide nothing.

        ``strategy`` is that of the other player, in shares at the slots. The unit is that in which
        iterations add values.
        """

    def against(self, player: int) -> Self:
        """Return the game of two players in which the other one receives minus the payoff of this one.

        It has the same slots. A zero-sum game is that already.

        Raises
        ------
        GameError
            The form cannot tell.
        """
        if self.zero_sum and self.players == 2:
            return self
        raise GameError(
            f"Nobody is against player {player} alone in {self.name}, a {self.title} of "
            f"{self.players} players whose payoffs do not sum to the same everywhere.",
            wrong_use=True,
        )

    @abstractmethod
    def parents(self, infosets: Ints) -> Ints:
        """Return the number of the same player's action before each infoset (in ascending order), or -1 for none."""

    @abstractmethod
    def part(self, slots: int) -> CompiledGame | None:
        """Return a part of the game with at most so many slots, to time iterations on; None where there is none."""

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields, and nothing that follows from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


class WalkerPool(Generic[Walker]):
    """Idle walkers, whose scratch is made once, by process and options; ``make(threads=…)`` makes more."""

    def __init__(self, make: Callable[..., Walker]) -> None:
        self._make = make
        self._idle: dict[tuple[Any, ...], list[Walker]] = {}

    @contextmanager
    def acquire(self, **options: Any) -> Iterator[Walker]:
        """Yield a walker that nobody else uses; after an error it is not given back, for a thread may still use its
        scratch.
        """
        # Threads do not survive a fork.
        idle = self._idle.setdefault((os.getpid(), *sorted(options.items())), [])
        try:
            walker = idle.pop()
        except IndexError:
            walker = self._make(**options)
        yield walker
        idle.append(walker)


class VectorForm(CompiledGame):
    """A form with vectors of hands: its infosets are listed when somebody asks, and kernels walk it by walkers.

    ``_passes`` is the module with those over it; ``_counting_form`` is the same game in which each hand
    is paid 1 or -1 at every end: counterfactual values are the reach of chance and the other.
    """

    _passes: ClassVar[Any]
    _counting_form: VectorForm
    _infosets_and_slots: tuple[Infosets, NDArray[Any]]

    @property
    @abstractmethod
    def walkers(self) -> WalkerPool[Any]:
        """Walkers of the form, which wait for the next kernel."""

    players = 2
    tree = None

    @property
    def infosets(self) -> Infosets:  # type: ignore[override]
        return self._infosets_and_slots[0]

    @property
    def slot(self) -> NDArray[Any]:  # type: ignore[override]
        return self._infosets_and_slots[1]

    def reach(self, strategy: Floats) -> Floats:
        return self.best_responses(strategy).reach

    def cf_reach(self, strategy: Floats) -> Floats:
        reach: Floats = self.cf_reach_at_slots(strategy)[self.slot[self.first_action[:-1]]]
        return reach

    def cf_reach_at_slots(self, strategy: Floats) -> Floats:
        """Return the reach of the infoset of each slot by chance and the other: all its actions have the same."""
        return np.abs(self._counting_form.best_responses(strategy).best_value)

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        with self.walkers.acquire(threads=threads) as walker:
            values: Values = self._passes.values(
                walker, np.ascontiguousarray(strategy), floors=floors
            )
            return values

    def best_responses(self, strategy: Floats) -> BestResponses:
        with self.walkers.acquire() as walker:
            responses: BestResponses = self._passes.best_responses(
                walker, np.ascontiguousarray(strategy)
            )
            return responses

    def fill_detached(self, strategy: NDArray[Any], player: int, table: Floats) -> float:
        nothing = np.zeros(0)
        tables = ResponseTables(nothing, table, nothing)
        with self.walkers.acquire() as walker:
            values: Values = self._passes.values(
                walker, np.ascontiguousarray(strategy), tables, DETACHED, players=(player,)
            )
        return values.best_response_value[player]


def is_compiled(game: object) -> TypeIs[CompiledGame]:
    """Return whether a game is compiled already."""
    return isinstance(game, CompiledGame)


def _arrays(values: Iterable[Any]) -> Iterator[NDArray[Any]]:
    """Iterate over the arrays in records, however nested."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from _arrays(value)
        elif isinstance(value, Infosets):
            yield from value.arrays()
        elif is_dataclass(value):
            yield from _arrays(getattr(value, field.name) for field in fields(value))
