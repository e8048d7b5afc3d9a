"""What a blueprint shows, as blocks: its game, its buckets, and how large it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...show.blocks import Block, Fact, Facts
from .betting import STREETS
from .deals import count_buckets

if TYPE_CHECKING:
    from .blueprint import Blueprint


def blueprint_blocks(blueprint: Blueprint) -> list[Block]:
    """Return what a blueprint shows: the buckets of each street, and the places of the betting."""
    counts = [
        f"{count} {street}"
        for count, street in zip(count_buckets(blueprint.buckets), STREETS, strict=True)
    ]
    facts: list[Fact | str] = [
        Fact("game", str(blueprint.game)),
        Fact("buckets", ", ".join(counts)),
        Fact("places of the betting", len(blueprint.game.tree.decisions), ",d"),
        "No theorem says what play in such buckets approaches; local_best_response bounds it.",
    ]
    return [Facts(facts, title="Blueprint")]
