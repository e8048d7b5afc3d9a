"""Decisions of solved spots of Omaha, where they differ from those of hold'em: hands have no grid of classes."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..cards.cards import CARDS, parse_cards
from ..cards.hand_ranks import CATEGORIES, category_of
from ..omaha.hands import strengths
from .spot_node import SpotNode


class OmahaNode(SpotNode):
    """A decision in a spot of Omaha under a strategy: a :class:`SpotNode` whose hands have four cards, and no classes.

    A made hand is what the best five of two cards of the hand and three of the board are.
    """

    has_grid: ClassVar[bool] = False

    def number(self, hand: str, player: int | None = None) -> int:
        player = self.player if player is None else player
        name = "".join(
            CARDS[card] for card in sorted(parse_cards(hand, "hand", count=(4,)), reverse=True)
        )
        if name not in self.hands[player]:
            raise GameError(
                f"hand: {name} is none of the {len(self.hands[player]):,} hands that "
                f"{self.names[player]} can hold on {self.board}.",
                wrong_use=True,
            )
        return list(self.hands[player]).index(name)

    def classes(self, player: int | None = None) -> NoReturn:
        raise GameError(
            "Hands of Omaha have no grid of classes: leave the picture out, and write all hands "
            "with --csv (node.write_csv).",
            wrong_use=True,
        )

    def made(self, player: int | None = None) -> dict[str, tuple[float, list[float]]]:
        player = self.player if player is None else player
        kinds = self._categories(player)
        held = self.probabilities[player]
        values = [
            self.ev[player],
            self.equity[player],
            *(self.strategy if player == self.player else ()),
        ]
        result = {}
        for kind in sorted(set(kinds.tolist()), reverse=True):
            of_kind = (kinds == kind) & (held > 0)
            share = float(held[of_kind].sum())
            if share > 0:
                means = [float(held[of_kind] @ numbers[of_kind]) / share for numbers in values]
                result[CATEGORIES[kind]] = (share, means)
        return result

    def columns(self, player: int | None = None) -> dict[str, NDArray[Any]]:
        player = self.player if player is None else player
        columns: dict[str, NDArray[Any]] = {
            "hand": np.array(self.hands[player]),
            "made": np.array(CATEGORIES)[self._categories(player)],
            "range": self.ranges[player],
            "probability": self.probabilities[player],
            "ev": self.ev[player],
            "equity": self.equity[player],
        }
        if player == self.player:
            columns |= dict(zip(self.actions, self.strategy, strict=True))
            columns |= {
                f"ev {action}": row
                for action, row in zip(self.actions, self.action_ev, strict=True)
            }
        return columns

    def _categories(self, player: int) -> NDArray[np.int64]:
        """Return what each hand of a player makes of the board, an index of :data:`CATEGORIES`."""
        hands = np.array([parse_cards(name)[::-1] for name in self.hands[player]])
        return category_of(strengths(np.array([parse_cards(self.board)]), hands)[0])
