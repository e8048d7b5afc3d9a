"""A game played many times at once: arrays of states, which compiled rules move on together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..errors import GameError
from ..form.walk.walk import walkable_rules
from ..game.protocol import TERMINAL, game_name
from ..game.rules import RulesGame
from ..games.compile import Playable
from ..games.load import load
from . import kernels
from .features import BitFeatures, Features, one_row_each

_PLAYS = 4096
"""Random plays by which the sizes of observations are known."""


class Level(NamedTuple):
    """What the rules say of n states.

    Attributes
    ----------
    states : int64 array, shape (n, length of a state)
    mover : int64 array, shape (n,)
        Who moves: a player, ``CHANCE`` or ``TERMINAL``.
    num_actions : int64 array, shape (n,)
    actions : int64 array, shape (n, most actions)
        The numbers of the actions, or of the outcomes of chance.
    probability : float array, shape (n, most actions)
        Of each outcome, where chance moves.
    observation : int64 array, shape (n, most integers)
        What the player to move knows.
    payoffs : float array, shape (n, players)
        At an end; else 0.
    """

    states: Ints
    mover: Ints
    num_actions: Ints
    actions: Ints
    probability: Floats
    observation: Ints
    payoffs: Floats

    @property
    def is_listed(self) -> NDArray[np.bool_]:
        """Which places of ``actions`` are taken, shape (n, most actions)."""
        return np.arange(self.actions.shape[1]) < self.num_actions[:, None]


class VectorGame:
    """Compiled rules that are asked about arrays of states, and the features that networks see.

    Parameters
    ----------
    game : str or Game
        As for :func:`equilibrist.load`; its rules have to compile.
    features : callable, optional
        The features of infosets (:data:`Features`); by default :class:`BitFeatures`.

    Raises
    ------
    GameError
        The rules do not compile.
    """

    def __init__(self, game: Playable, features: Features | None = None) -> None:
        rules = load(game)  # type: ignore[arg-type]
        machine = walkable_rules(rules)
        if machine is None or not isinstance(rules, RulesGame):
            raise GameError(
                f"Networks learn games whose rules compile, as those of all built-in games with "
                f"rules do; {game_name(rules)} is none of them: write its rules as a RulesGame, or "
                "train elsewhere and judge the policy with eq.evaluate(game, policy).",
                wrong_use=True,
            )
        self.rules = rules
        self.name = game_name(rules)
        self.players = rules.players
        self._machine = machine
        self._own_features = features
        self.columns = 0
        """Number of columns of strategies: one for each number of an action."""
        self.scale = 1.0
        """The largest payoff in random plays, without its sign: networks learn shares of it."""
        self._probe()

    def _probe(self) -> None:
        """Find the sizes of actions, observations, states and payoffs in random plays."""
        random = np.random.default_rng(0)
        states = self.root(_PLAYS)
        all_states = []
        observations = []
        most = 0
        largest = 0.0
        while len(states):
            level = self.observe(states)
            decides = level.mover >= 0
            listed = level.is_listed[decides]
            most = max(most, int(level.actions[decides].max(initial=0, where=listed)))
            largest = max(largest, float(np.abs(level.payoffs).max(initial=0.0)))
            all_states.append(states[decides])
            observations.append(level.observation[decides])
            moves = np.flatnonzero(level.mover != TERMINAL)
            position = (random.random(len(moves)) * level.num_actions[moves]).astype(np.int64)
            states = self.children(level, moves, level.actions[moves, position])
        self.columns = int(getattr(self.rules, "num_actions", most + 1))
        self.scale = largest or 1.0
        self._observation_bits = BitFeatures.fit(
            self.name, np.concatenate(observations), self.rules.code_bits
        )
        self._state_bits = BitFeatures.fit(self.name, np.concatenate(all_states))

    @property
    def observation_length(self) -> int:
        """Integers of an observation."""
        return self.rules.max_observation

    @property
    def state_length(self) -> int:
        """Integers of a state."""
        return len(self._machine.start)

    def root(self, count: int) -> Ints:
        """Return so many states at the start of the game."""
        return np.tile(np.array(self._machine.start, np.int64), (count, 1))

    def observe(self, states: Ints) -> Level:
        """Return what the rules say of states, shape (n, length of a state)."""
        count = len(states)
        most = self.rules.max_actions
        level = Level(
            states=states,
            mover=np.zeros(count, np.int64),
            num_actions=np.zeros(count, np.int64),
            actions=np.zeros((count, most), np.int64),
            probability=np.zeros((count, most)),
            observation=np.zeros((count, self.observation_length), np.int64),
            payoffs=np.zeros((count, self.players)),
        )
        kernels.observe_states(self._machine, *level)
        return level

    def children(self, level: Level, parent: Ints, action: Ints) -> Ints:
        """Return the states after some actions, by their numbers, at some states of a level."""
        states = np.empty((len(parent), level.states.shape[1]), np.int64)
        kernels.make_children(self._machine, level.states, parent, action, states)
        return states

    def legal(self, level: Level) -> NDArray[np.bool_]:
        """Return which columns are legal actions where players decide, shape (n, columns); none elsewhere."""
        row, position = np.nonzero(level.is_listed & (level.mover >= 0)[:, None])
        legal = np.zeros((len(level.mover), self.columns), np.bool_)
        action = level.actions[row, position]
        if action.max(initial=0) >= self.columns:
            raise GameError(
                f"{self.name} has an action of number {action.max()}, which 4,096 random plays "
                f"never met: give its rules num_actions, the number of all actions.",
            )
        legal[row, action] = True
        return legal

    def features(self, player: int, observation: Ints) -> NDArray[np.float32]:
        """Return the features of infosets of a player."""
        if self._own_features is None:
            return self._observation_bits(observation)
        rows = self._own_features(np.full(len(observation), player), observation)
        return one_row_each(rows, len(observation), self.name)

    def state_features(self, states: Ints) -> NDArray[np.float32]:
        """Return the features of histories, of which somebody who sees everything learns values."""
        return self._state_bits(states)
