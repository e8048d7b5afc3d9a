"""The reach of infosets by chance and the other player on a public form, for walks that need it in every iteration."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

from ..._jit.compile import record
from .terminal.payoffs import terminal_values
from .walk import PublicGame


@record
class PublicOthersReach(NamedTuple):
    """Public states that pay each hand of who moves there 1: what they pay is the reach of chance and the other."""

    game: PublicGame

    def fill_others_reach_at_node(self, scratch, depth):
        """Fill ``best_value``, of which CFR makes no other use, at this depth."""
        frame = scratch.frames[depth]
        width = scratch.width
        start = (2 * depth + 1 - frame.mover) * width
        row = depth * width
        reach = scratch.reach
        filled = scratch.best_value
        terminal_values(
            self.game, frame.state, frame.mover, reach, start, filled, row, scratch.sums
        )
