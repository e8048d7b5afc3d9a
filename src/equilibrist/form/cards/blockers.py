"""Card removal of a deal: which cards each hand holds, and which hands of both players are the same cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ...game.deal import Deal
from .boards import HandMap


class Blockers:
    """What hands block: cards of the board, and hands of the other player.

    Attributes
    ----------
    maps : pair of HandMap
        Find the hands of each player by their cards.
    """

    def __init__(self, deal: Deal) -> None:
        self.maps = tuple(HandMap(own, deal.cards) for own in deal.hands)
        self._holds = tuple(held.astype(np.float64) for held in deal.holds())
        several = len(deal.hands[0][0]) > 1  # cards in a hand: of one card, none is taken off twice
        self._same = tuple(self.maps[1 - player].find(self.maps[player].cards) for player in range(2))
        self._twice = tuple((same >= 0) & several for same in self._same)

    def blocked(self, player: int, cards: Sequence[int]) -> NDArray[np.bool_]:
        """Return whether each hand of a player holds one of some cards."""
        return np.asarray(self._holds[player][:, list(cards)].any(axis=1))

    def mass_of_others(self, ranges: tuple[Floats, Floats], player: int) -> Floats:
        """Return, for each hand of a player, the weight of all hands of the other that share no card with it."""
        others = ranges[1 - player]
        per_card = others @ self._holds[1 - player]
        twin = np.where(self._twice[player], others[self._same[player]], 0.0)
        return np.asarray(others.sum() - self._holds[player] @ per_card + twin)
