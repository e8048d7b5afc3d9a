"""Networks that see whole histories and guess what actions are worth there: they take variance out of estimates."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from .network import Fitted, Network, squared_error
from .plays import Step
from .torch_library import import_torch
from .vector_game import VectorGame


class Drawn(NamedTuple):
    """What actions that were drawn turned out to be worth: n of them.

    Attributes
    ----------
    states : int64 array, shape (n, length of a state)
        Where they were drawn.
    is_drawn : bool array, shape (n, columns)
    target : float32 array, shape (n, columns)
        The value, in shares of the largest payoff; 0 at the columns that were not drawn.
    """

    states: Ints
    is_drawn: NDArray[np.bool_]
    target: NDArray[np.float32]


def collect_drawn(game: VectorGame, step: Step, below: Step, values: Floats) -> Drawn:
    """Return what the actions that players drew at a level turned out to be worth, given the values of the next one."""
    drawn = step.level.mover[below.parent] >= 0
    parent = below.parent[drawn]
    is_drawn = np.zeros((len(parent), game.columns), np.bool_)
    is_drawn[np.arange(len(parent)), below.action[drawn]] = True
    shares = (values[drawn] / game.scale).astype(np.float32)
    return Drawn(step.level.states[parent], is_drawn, is_drawn * shares[:, None])


class HistoryBaselines:
    """A network of guesses for each player, in shares of the largest payoff.

    Parameters
    ----------
    game : VectorGame
        The game.
    network : Network
        How large they are.
    random : callable
        The random numbers of a player's first weights.
    """

    def __init__(
        self,
        game: VectorGame,
        network: Network,
        random: Callable[[int], np.random.Generator],
    ) -> None:
        inputs = game.state_features(np.zeros((0, game.state_length), np.int64)).shape[1]
        self._game = game
        self.networks = [
            Fitted(network, inputs, game.columns, random(player)) for player in range(game.players)
        ]

    def guess(self, player: int, step: Step) -> Floats:
        """Return what actions of a level are worth to a player, payoff, shape (n, columns): 0 where nobody decides."""
        guesses = np.zeros(step.legal.shape)
        decides = step.level.mover >= 0
        if decides.any():
            features = self._game.state_features(step.level.states[decides])
            guesses[decides] = self.networks[player](features) * self._game.scale
        return guesses

    def fit(self, player: int, drawn: Drawn, weight: NDArray[np.float32] | None = None) -> None:
        """Follow the gradient of the squared error of a player's guesses for one step."""
        torch = import_torch()
        fitted = self.networks[player]
        if weight is None:
            weight = np.ones(len(drawn.states), np.float32)
        features = torch.from_numpy(self._game.state_features(drawn.states))
        fitted.step(
            squared_error(
                fitted.module(features),
                torch.from_numpy(drawn.is_drawn),
                torch.from_numpy(drawn.target),
                torch.from_numpy(weight),
            )
        )
