"""The route of a filter of hands, which the page reads by itself where hands have two cards."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request

from ...evaluation.units import find_unit
from ...web.answers import Answer
from ...web.respond import answer, query
from ...web.workspace import run_of
from .answers import FilteredHands, MadeCell
from .lines import walk_to_decision
from .places import DIGITS
from .subjects import spot_of


def filtered_hands(request: Request) -> Answer[FilteredHands]:
    """Return the hands of a player at a decision that pass the filter ``only``, and of Omaha their cells.

    ``unit`` is that in which the filter writes EVs, as ``equilibrist show --unit`` takes it.
    """
    run = run_of(request)
    spot = spot_of(run)
    fields = query(request).only("line", "board", "player", "only", "unit")
    text = fields.text("only")
    with run.lock:
        walk = walk_to_decision(spot, fields)
        node = spot.node(walk.line, walk.board)
        player = fields.whole("player", node.player, high=len(node.names) - 1)
        unit = find_unit(fields.text("unit", "chips"), spot.game)
        part = node.only_hands(text, player, unit=unit)
        return answer(
            {
                "player": player,
                "hands": part.table(player, digits=DIGITS),
                "cells": cast(list[MadeCell] | None, part.made_cells(player)),
            }
        )
