"""What games show, as blocks: what they are, their settings and rules, as their class tells them."""

from __future__ import annotations

import inspect
from typing import Any

from ..show.blocks import Block, Fact, Facts


def game_blocks(game: Any) -> list[Block]:
    """Return what a game shows, of which the docstring of its class has first line, rules and parameters."""
    about, _, text = (inspect.getdoc(type(game)) or "").partition("\n\n")
    settings = getattr(game, "settings", {}).items()
    facts = [
        Fact("players", game.players, "d"),
        *(Fact(name, repr(value)) for name, value in settings),
    ]
    blocks: list[Block] = [Facts(facts, title=str(game), about=about)]
    if text:
        rules = text.partition("\n\nParameters\n")[0].split("\n\n")
        paragraphs = [" ".join(rule.split()) for rule in rules]
        blocks.append(Facts(paragraphs, title="Rules", is_folded=True))
    return blocks
