"""What a game is: any object with these seven methods, and the number of its ``players``.

A *state* is whatever the rules want it to be (a string, a tuple, an object): Equilibrist only hands
it back. States must not be changed in place: :meth:`Game.next` returns a new one.

``start()``
    the state in which the game begins
``player(s)``
    whose move it is: ``0 … players - 1``, :data:`CHANCE`, or :data:`TERMINAL` at the end
``actions(s)``
    the legal actions, or the outcomes of chance; any hashable things, strings read best
``probabilities(s)``
    the probability of each outcome of chance, in the order of ``actions``
``next(s, a)``
    the state after an action
``payoffs(s)``
    at the end: the payoff of every player
``infoset(s)``
    what the moving player knows, as a person at the table would write it down
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeGuard

from ..errors import GameError

CHANCE = -1
"""Chance is to move."""

TERMINAL = -2
"""The game is over: nobody is to move."""

METHODS = ("players", "start", "player", "actions", "probabilities", "next", "payoffs", "infoset")
"""The names that an object must have to be a :class:`Game`."""


class Game(Protocol):
    """The rules of an extensive-form game with perfect recall.

    Any class with these methods is a game: there is nothing to inherit. Six optional methods are used where they
    exist: ``action_label(state, action) -> str`` names an action (default: ``str(action)``); ``str(game)`` names
    the game in files and tables where the class defines it; ``public(state) -> Hashable | None`` is asked where
    chance is to move: if everybody will see the outcome it returns what everybody knows so far, else None;
    ``table(state, player) -> list[tuple[str, str]]`` says in rows of label and text what a player who is to move sees
    on the table, for ``equilibrist play``, and nothing that the infoset does not say;
    ``observation(state) -> Sequence[float]`` says what the player to move knows as numbers, for policies that are
    networks (:func:`equilibrist.strategy_from_policy`); and
    ``public_states() -> PublicGame | None`` returns the same game as an
    :class:`equilibrist.PublicGame`, if it is one.

    Attributes
    ----------
    players : int
        Number of players, chance not counted.

    Examples
    --------
    >>> import equilibrist as eq
    >>> game = eq.load("kuhn")
    >>> state = game.start()
    >>> game.player(state) == eq.CHANCE
    True
    """

    @property
    def players(self) -> int:
        """Number of players, chance not counted."""

    def start(self) -> Any:
        """Return the state in which the game begins."""

    def player(self, state: Any, /) -> int:
        """Return whose move it is: a player, :data:`CHANCE` or :data:`TERMINAL`."""

    def actions(self, state: Any, /) -> Sequence[Hashable]:
        """Return the legal actions of the player to move, or the outcomes of chance."""

    def probabilities(self, state: Any, /) -> Sequence[float]:
        """Return the probability of each outcome of chance, in the order of :meth:`actions`; they sum to 1."""

    def next(self, state: Any, action: Any, /) -> Any:
        """Return the state after ``action``, leaving ``state`` as it was."""

    def payoffs(self, state: Any, /) -> Sequence[float]:
        """Return the payoff of every player at a terminal state."""

    def infoset(self, state: Any, /) -> Hashable:
        """Return what the player to move knows; the same for all states that this player cannot tell apart."""


def is_game(value: Any) -> TypeGuard[Game]:
    """Return whether an object has the methods of a :class:`Game`, be it that it forwards them by ``__getattr__``."""
    return not isinstance(value, type) and all(hasattr(value, name) for name in METHODS)


def action_label(game: Any, state: Any, action: Hashable) -> str:
    """Return the name of an action of a :class:`Game` or a public game: the game's own where it has one."""
    label = getattr(game, "action_label", None)
    if label is None:
        return str(action)
    return str(label(state, action))


def game_name(game: Any) -> str:
    """Return the name of a game: its own ``str()`` where the class defines one, else the name of the class."""
    cls: Any = type(game)
    if cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__:
        return str(cls.__name__)
    try:
        return str(game)
    except Exception as error:
        raise GameError(
            f"{cls.__name__}: its __str__ failed with {type(error).__name__}: {error}."
        ) from error
