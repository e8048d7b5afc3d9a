"""A strategy of a hold'em spot to play against: what it plays, and what each choice against it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..evaluation.spots import SolvedSpot
from ..form.responses import Values
from ..strategy.reading import Key


class SpotOpponent:
    """What play asks of a strategy and of action values, by the names of infosets, found node by node.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    form : CardForm
        The card form of the spot.
    missing : {None, "uniform"}
        As for :func:`equilibrist.evaluate`.
    """

    def __init__(self, strategy: Any, form: Any, *, missing: str | None = None) -> None:
        self.spot = SolvedSpot(strategy, form.game, missing=missing)

    @cached_property
    def certificate(self) -> Values:
        """The value of the strategy and of the best responses to it; payoff per game."""
        return self.spot.form.values(self.spot.weights, weights=True)

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        """Return the probability of each action of an infoset."""
        hand, board, line = _parts(key[1])
        probabilities: list[float] = self.spot.mix(line, board, hand).tolist()
        return probabilities

    def at(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return the value of each action at an infoset of a player; None where the other never comes there."""
        hand, board, line = _parts(key)
        values = self.spot.best_action_values(line, board, hand)
        return None if values is None else tuple(values.tolist())


def _parts(infoset: str) -> tuple[str, str, str]:
    """Return hand, board and line of an infoset."""
    hand, _, rest = infoset.partition(" ")
    board, _, line = rest.partition(" ")
    return hand, board, line
