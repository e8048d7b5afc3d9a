"""Rules as plain functions over a small vector of integers, and the Python game made of them.

The built-in games are written in this form so that one definition serves two readers: Python calls
the functions with lists, and a compiler can turn the very same functions into machine code over
``int64`` arrays. They therefore use only integers, loops and indexing, and call only functions
marked as :func:`helper`: no objects, no strings. Each takes ``p``, the parameters of the game
(never changed), and ``s``, the state:

``player(p, s)``
    returns whose move it is: a player, ``CHANCE`` or ``TERMINAL``
``actions(p, s, a)``
    writes the legal actions (or outcomes of chance), small integers ≥ 0, to ``a``; returns how
    many
``chances(p, s, q)``
    writes the probability of each outcome of chance to ``q``, in the order of ``actions``
``play(p, s, a)``
    changes ``s`` in place to the state after action ``a``
``payoffs(p, s, u)``
    at the end: writes the payoff of every player to ``u``
``observe(p, s, k)``
    writes what the moving player knows, as integers, to ``k``; returns how many
``public(p, s, k)``
    where chance moves and everybody will see the outcome: writes what everybody knows so far,
    as integers, to ``k``, and returns how many; else returns -1

``chances``, ``play`` and ``payoffs`` return 0; ``public`` may be left out where chance never moves
in public. Names and the text of an infoset are Python's affair: a game subclasses
:class:`RulesGame` and turns actions and observations into what a person at the table would write,
each observation into a text of its own.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, MutableSequence, Sequence
from numbers import Integral
from typing import Any, NamedTuple, TypeVar

from .._util.display import Display
from .._util.spec import spec

State = tuple[int, ...]
Rule = TypeVar("Rule", bound=Callable[..., Any])

HELPERS: list[Callable[..., Any]] = []
"""Functions that rules call; they are copied into the rules when these are compiled."""


def helper(function: Rule) -> Rule:
    """Mark a function that rules call: integers, lists or arrays of them, and other helpers, as in rules themselves."""
    HELPERS.append(function)
    return function


def private(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Say that nobody, or not everybody, will see what chance does."""
    return -1


def next_player(p: Sequence[int], s: Sequence[int]) -> int:
    """Return whose move it is, in games whose state begins with it."""
    return s[0]


class Rules(NamedTuple):
    """The functions that are a game; see the module's text for what each takes and returns."""

    player: Callable[..., int]
    actions: Callable[..., int]
    chances: Callable[..., int]
    play: Callable[..., int]
    payoffs: Callable[..., int]
    observe: Callable[..., int]
    public: Callable[..., int] = private


class RulesGame(Display, ABC):
    """A :class:`~equilibrist.game.protocol.Game` made of :class:`Rules`; states are tuples of integers.

    Subclasses set ``name`` and ``rules``, hand the checked ``parameters`` (what the functions
    receive as ``p``) to
    :meth:`__init__`, and implement :meth:`action_label` and :meth:`infoset_name`. ``max_observation`` is the most
    integers that ``observe`` or ``public`` writes; ``settings`` are the keyword arguments that make
    this game again, of which those that differ from their defaults name it; others are passed over,
    so that ``locals()`` will do.
    """

    name: str
    rules: Rules
    code_bits: int | None = None
    """Where each integer of an observation consists of codes of so many bits, the lowest first, how many
    these are: networks see them one by one."""

    def __init__(
        self,
        *,
        players: int,
        parameters: Sequence[int],
        start: Sequence[int],
        max_actions: int,
        max_observation: int,
        settings: dict[str, Any],
    ) -> None:
        self.players = int(players)
        self.parameters = list(map(int, parameters))
        # of the class that hands them over (`locals()` has it, under super()): a subclass may take
        # none, or others
        setting_names = inspect.signature(settings.get("__class__", type(self))).parameters
        self.settings = {
            name: _plain_value(value) for name, value in settings.items() if name in setting_names
        }
        self.max_actions = int(max_actions)
        self.max_observation = int(max_observation)
        self._start = tuple(map(int, start))
        self._actions = [0] * self.max_actions
        self._probabilities = [0.0] * self.max_actions
        self._payoffs = [0.0] * self.players
        self._observation = [0] * self.max_observation
        self._infoset_names: dict[State, str] = {}

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.settings.items())})"

    @abstractmethod
    def action_label(self, state: State, action: int) -> str:
        """Return the word for an action, or an outcome of chance, at ``state``."""

    @abstractmethod
    def infoset_name(self, observation: State) -> str:
        """Return what a person at the table would write for the integers that ``observe`` wrote."""

    def state_of(self, player: int, infoset: str) -> State | None:
        """Return a state that looks like one of an infoset to its player, given the text; None where nobody knows."""
        return None

    # The protocol of equilibrist.game.protocol.Game: each method hands the state to one function.

    def start(self) -> State:
        return self._start

    def player(self, state: State) -> int:
        return self.rules.player(self.parameters, state)

    def actions(self, state: State) -> list[int]:
        count = self.rules.actions(self.parameters, state, self._actions)
        return self._actions[:count]

    def probabilities(self, state: State) -> list[float]:
        count = self.rules.actions(self.parameters, state, self._actions)
        self.rules.chances(self.parameters, state, self._probabilities)
        return self._probabilities[:count]

    def next(self, state: State, action: int) -> State:
        next_state = list(state)
        self.rules.play(self.parameters, next_state, action)
        return tuple(next_state)

    def payoffs(self, state: State) -> list[float]:
        self.rules.payoffs(self.parameters, state, self._payoffs)
        return self._payoffs.copy()

    def infoset(self, state: State) -> str:
        """Return what the player to move knows, as a person would write it."""
        count = self.rules.observe(self.parameters, state, self._observation)
        observation = tuple(self._observation[:count])
        name = self._infoset_names.get(observation)
        if name is None:
            name = self._infoset_names[observation] = self.infoset_name(observation)
        return name

    def public(self, state: State) -> State | None:
        """Return what everybody knows, as integers, where chance makes a move that everybody will see; else None."""
        count = self.rules.public(self.parameters, state, self._observation)
        if count < 0:
            return None
        return tuple(self._observation[:count])


def _plain_value(value: Any) -> Any:
    """Return NumPy's integers as Python's, so that the text of a game can be read again."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    return value
