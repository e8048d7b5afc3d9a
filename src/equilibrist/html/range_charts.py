"""The 13 × 13 grids of hands of a spot of hold'em as Plotly figures, for the interactive page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from .._util.arrays import Floats
from .._util.palette import betting_colours
from ..evaluation.spot_node import SpotNode, known
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.cards import CLASS_OF_HAND, CLASSES, parse_hand
from ..games.holdem.lines import in_words

_SIDE, _GAP, _NAME = 13, 0.04, 0.36
_LEAST = 0.005  # of the hands of a class: below, it counts as not in the range


def range_views(nodes: Iterable[SpotNode]) -> dict[str, go.Figure]:
    """Return the grid of each decision by its line: what the hands of each class play, said where it is pointed at."""
    return {f"{PLAYERS[node.player]} {node.where}": _grid(node) for node in nodes}


def _grid(node: SpotNode) -> go.Figure:
    held, mix = node.classes()
    there = np.flatnonzero(held >= _LEAST)
    row, column = np.divmod(there, _SIDE)
    height = np.minimum(held[there], 1.0) * (1 - _GAP - _NAME)
    notes = _notes(node, held, mix)
    left, bars = column.astype(float), []
    for number, (action, colour) in enumerate(zip(node.actions, betting_colours(node.actions), strict=True)):
        width = mix[number, there] * (1 - _GAP)
        bars.append(
            go.Bar(
                orientation="h",
                base=left.tolist(),
                x=width.tolist(),
                y=(row + 1 - _GAP - height / 2).tolist(),
                width=height.tolist(),
                name=f"{in_words(action)} {node.frequencies[number]:.1%}",
                customdata=[notes[cell] for cell in there],
                hovertemplate="%{customdata}<extra></extra>",
                meta=colour,
                marker={"line": {"width": 0}},
            )
        )
        left = left + width
    names = go.Scatter(
        x=(np.arange(_SIDE**2) % _SIDE + 0.5).tolist(),
        y=(np.arange(_SIDE**2) // _SIDE + _NAME / 2).tolist(),
        text=list(CLASSES),
        mode="text",
        textfont={"size": 11},
        hoverinfo="skip",
        showlegend=False,
    )
    axis: dict[str, Any] = {
        "dtick": 1,
        "showgrid": True,
        "showticklabels": False,
        "zeroline": False,
        "fixedrange": True,
    }
    layout = {"barmode": "overlay", "xaxis": {"range": [0, _SIDE], **axis}, "yaxis": {"range": [_SIDE, 0], **axis}}
    return go.Figure([*bars, names], go.Layout(height=640, template="none", **layout))


def _notes(node: SpotNode, held: Floats, mix: Floats) -> list[str]:
    """Return for each class of hands how much of it is in the range, its EV, and what it plays."""
    own, ev = node.probabilities[node.player], node.ev[node.player]
    index = [CLASS_OF_HAND[parse_hand(name)] for name in node.hands[node.player]]
    total, earned = (np.bincount(index, each, _SIDE**2) for each in (own, np.where(own > 0, own * ev, 0.0)))
    evs = np.divide(earned, total, out=np.full(_SIDE**2, np.nan), where=total > 0)
    return [
        f"{name}: {held[cell]:.0%} in the range, EV {known(float(evs[cell]), '.4g')}<br>"
        + ", ".join(f"{in_words(action)} {mix[number, cell]:.1%}" for number, action in enumerate(node.actions))
        for cell, name in enumerate(CLASSES)
    ]
