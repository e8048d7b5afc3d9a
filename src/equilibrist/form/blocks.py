"""What compiled games show, as blocks: their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..show.blocks import Block, Fact, Facts

if TYPE_CHECKING:
    from .compiled_game import CompiledGame

_COUNT = ",d"


def form_blocks(form: CompiledGame) -> list[Block]:
    """Return what a compiled game shows."""
    facts = [*size_facts(form), Fact("payoff", form.payoff_kind)]
    return [Facts(facts, title=f"{form.name}, compiled", about=form.title)]


def size_facts(form: CompiledGame) -> list[Fact]:
    """Return the sizes of a compiled game."""
    owner = form.infosets.owner
    counts = [f"{int((owner == player).sum()):,}" for player in range(form.players)]
    return [
        Fact("players", form.players, _COUNT),
        Fact("zero sum", "yes" if form.zero_sum else "no"),
        Fact("histories", form.histories, _COUNT),
        Fact("infosets", form.num_infosets, _COUNT),
        Fact("infosets of players", ", ".join(counts)),
        Fact("slots", form.slots, _COUNT),
        Fact("depth", form.depth, _COUNT),
    ]
