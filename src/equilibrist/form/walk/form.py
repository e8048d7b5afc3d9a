"""The form of a game of which nothing is stored: its rules are asked again for each history, whoever runs them."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection
from concurrent.futures import Executor
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from ...game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..infosets import StateInfosets
from ..traits import WalkTraits
from .index import InfosetIndex, StrategyRows
from .walk import Say, Walked, WalkEstimate

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_PLAYS = 20
_LONGEST_PLAY = 200


class WalkedGame(WalkTraits, ABC):
    """A game of which nothing is stored: its rules make each history again wherever it is needed.

    It is made once of the rules, by :func:`~equilibrist.form.walk.build.compile_walk`, which alone
    knows who runs them: a kernel, or Python.

    Attributes
    ----------
    name : str
        Name of the game.
    players : int
        Number of players.
    rules : Game
        The rules.
    """

    tree = None
    pot = None
    num_streets = 0
    # of what is stored
    num_infosets = 0
    num_actions = 0
    length = 0
    largest_payoff = None
    """Nobody has seen all payoffs."""
    definition = ""
    """What builds the game where its name is another: nobody knows."""

    lower_bound: ClassVar[str]
    """The keyword of :func:`~equilibrist.local_best_response` that bounds an exploitability which
    takes too long to be walked."""
    is_fast: ClassVar[bool]
    """Whether a history takes nanoseconds: then games are walked, and sampled runs are certified by
    walks, where nobody has asked for a walk by name."""
    quick_histories: ClassVar[int]
    """Histories that are walked in a moment."""

    name: str
    players: int
    rules: Any

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.name = game_name(rules)
        self.players = rules.players

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.name}: {self.players} players, nothing stored>"

    @property
    def zero_sum(self) -> None:
        """Whether payoffs sum to the same everywhere, which only a walk finds."""
        return None

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name and of some plays: the same text most likely means the same game."""
        return fingerprint_of_plays(self.rules)

    @abstractmethod
    def estimate(self, *, threads: int = 1) -> WalkEstimate:
        """Return how long the walks of all players take, with so many threads."""

    @abstractmethod
    def values(
        self,
        strategy: StrategyRows,
        *,
        missing: str | None = None,
        bare: Collection[str] = (),
        threads: int = 1,
        histories: float = 0.0,
        say: Say | None = None,
        executor: Executor | None = None,
    ) -> Walked:
        """Return the value of a strategy for each player, and that of each player's best response to the others.

        The result does not depend on ``threads`` or an executor, not a bit.

        Parameters
        ----------
        strategy : StrategyRows
            What players do.
        missing : {None, "uniform"}
            Whether infosets that the strategy lacks are an error or played uniformly.
        bare : collection of str
            Names of infosets that were given without a player: each has to be one of some player.
        threads : int
            How many threads walk, where rules are compiled.
        histories : float
            About how many histories there are; 0 where nobody knows.
        say : callable, optional
            Who is told how far the walk is.
        executor : concurrent.futures.Executor, optional
            Who walks parts of the game, in processes of its own.

        Raises
        ------
        GameError
            The rules make no sense, or a player forgets.
        SolutionError
            The strategy does not fit the game, or lacks an infoset that it leads to and may not.
        """

    @abstractmethod
    def infosets(self, *, histories: float = 0.0, say: Say | None = None) -> StateInfosets:
        """Return all infosets, those of one player after those of another; a state is known in each.

        Raises
        ------
        GameError
            A player forgets, or no states are kept of such rules.
        """

    @abstractmethod
    def table(self) -> InfosetIndex:
        """Return a table of infosets that have been met: none so far."""

    @abstractmethod
    def usable_threads(self, threads: int) -> int:
        """Return how many of so many threads can walk at the same time."""


def is_walked(game: object) -> TypeIs[WalkedGame]:
    """Return whether a game was made to be walked."""
    return isinstance(game, WalkedGame)


def fingerprint_of_plays(game: Game) -> str:
    """Return a digest of the name of a game and of some plays of it: the same text most likely means the same game."""
    random = Random(0)
    digest = hashlib.sha256(game_name(game).encode())
    with suppress(Exception, SystemExit):  # rules that fail: who asks them next is going to say so
        for _ in range(_PLAYS):
            state = game.start()
            for _ in range(_LONGEST_PLAY):
                mover = game.player(state)
                if mover == TERMINAL:
                    digest.update(repr([float(payoff) for payoff in game.payoffs(state)]).encode())
                    break
                actions = list(game.actions(state))
                facts: Any = (
                    str(game.infoset(state))
                    if mover != CHANCE
                    else list(map(float, game.probabilities(state)))
                )
                labels = [action_label(game, state, action) for action in actions]
                digest.update(repr((int(mover), facts, labels)).encode())
                likely = [n for n in range(len(actions)) if mover != CHANCE or facts[n] > 0]
                state = game.next(state, actions[likely[int(random.random() * len(likely))]])
    return digest.hexdigest()[:16]
