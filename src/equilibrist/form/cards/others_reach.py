"""The reach of infosets by chance and the other player on a card form, for walks that need it in every iteration."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

from ..._jit.compile import record
from .betting import BettingTree
from .terminal.payoffs import lanes_of_decisions
from .terminal.values import terminal_values
from .walk import CardArrays, clear_values, make_symmetric


@record
class CardOthersReach(NamedTuple):
    """Lanes that pay 1 at each decision of a player: what they pay each hand is the reach of chance and the other."""

    game: CardArrays

    def fill_others_reach_on_board(self, scratch, street, player):
        """Fill ``best_value``, of which CFR makes no other use, at the row of the first action of each decision."""
        game = self.game
        q = 2 * street + player
        clear_values(game, scratch.best_value, street, player)
        terminal_values(game, scratch, street, player, scratch.best_value)
        make_symmetric(
            game,
            scratch,
            scratch.best_value,
            game.terminal.first_row[q],
            game.betting.rows[q],
            street,
            player,
        )


def others_reach(arrays: CardArrays, betting: BettingTree) -> CardOthersReach:
    """Return that of a card form with these arrays and this betting tree."""
    lanes = lanes_of_decisions(betting, arrays.betting.rows, arrays.boards.width)
    return CardOthersReach(arrays._replace(terminal=lanes))
