"""The 13 × 13 grid of hands at a decision of a spot, for whoever paints it: what each class holds and plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..games.holdem.cards import CLASS_OF_HAND, CLASSES, parse_hand

if TYPE_CHECKING:
    from .spot_node import SpotNode

SIDE = 13
_LEAST = 0.005  # of the hands of a class: below, it counts as not in the range


class Cell(NamedTuple):
    """A class of hands in the grid: pairs on the diagonal, suited hands above it."""

    name: str  # "AKs"
    row: int
    column: int
    weight: float  # the part of its hands that is in the range, from 0 to 1; 0 where it is next to nothing
    # what the hands play on average, by action, or 1 for who does not decide; zeros where nothing is held
    shares: tuple[float, ...]


def hand_grid(node: SpotNode, player: int | None = None) -> tuple[Cell, ...]:
    """Return the 169 cells of a player's range at a decision, row by row; by default of who decides."""
    weights, mix = node.classes(player)
    nothing = (0.0,) * len(mix)
    cells = []
    for number, (name, weight) in enumerate(zip(CLASSES, weights.tolist(), strict=True)):
        in_range = weight >= _LEAST
        shares = tuple(mix[:, number].tolist()) if in_range else nothing
        cells.append(Cell(name, *divmod(number, SIDE), min(weight, 1.0) if in_range else 0.0, shares))
    return tuple(cells)


def place_of(hand: str) -> tuple[int, int]:
    """Return the row and the column of the class of a hand."""
    row, column = divmod(int(CLASS_OF_HAND[parse_hand(hand)]), SIDE)
    return row, column
