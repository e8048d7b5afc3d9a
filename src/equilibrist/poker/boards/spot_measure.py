"""What a report keeps of a solved spot: EV, equity and frequencies at some lines, over the ranges and by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import GameError
from ...solving.solution import Solution
from ..cards.cards import CLASS_OF_HAND, CLASSES, HAND_NAMES
from ..solved.spot_node import SpotNode
from ..solved.spots import SolvedSpot

_CLASS_OF = dict(zip(HAND_NAMES, CLASS_OF_HAND.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class SpotMeasure:
    """What makes the results of a solved spot, for :func:`equilibrist.batch`.

    Attributes
    ----------
    lines : sequence of str
        Lines of the decisions; those that the betting tree lacks are left out.
    """

    lines: Sequence[str] = ("", "X")

    def __call__(self, solution: Solution) -> dict[str, Any]:
        if solution.config is None:
            threads = 1
        else:
            threads = solution.config.threads or 1
        spot = SolvedSpot(solution, threads=threads)
        nodes = []
        for line in self.lines:
            try:
                nodes.append(decision_row(spot, line))
            except GameError:
                if line == self.lines[0]:
                    raise
        return {
            "iterations": solution.iterations,
            "exploitability": solution.final.measures.get("exploitability"),
            "exploitability_percent": solution.final.measures.get("exploitability_percent"),
            "nodes": nodes,
        }


def decision_row(spot: SolvedSpot, line: str) -> dict[str, Any]:
    """Return a decision of a spot as plain data.

    Its ``mass`` is Σ over both players' hands that go together of weight × own reach: how likely
    the decision is, up to what all boards have in common.
    """
    node = spot.node(line)
    return {
        "line": node.line,
        "player": node.player,
        "pot": node.pot,
        "in_chips": node.in_chips,
        "actions": list(node.actions),
        "mass": spot.deal_weight(node),
        "ev": list(node.evs),
        "equity": list(node.equities),
        "eqr": list(node.eqrs),
        "frequencies": node.frequencies.tolist(),
        "classes": [_class_columns(node, player) for player in range(2)],
    }


def _class_columns(node: SpotNode, player: int) -> dict[str, list[float]]:
    """Return, for the classes that a player may hold: probability, EV, equity, and the actions of who decides."""
    share = node.probabilities[player]
    index = np.array([_CLASS_OF[name] for name in node.hands[player]])
    columns = [
        np.where(share > 0, values * share, 0.0)
        for values in (node.ev[player], node.equity[player])
    ]
    if player == node.player:
        columns += [np.where(share > 0, row * share, 0.0) for row in node.strategy]
    mass = np.bincount(index, share, len(CLASSES))
    sums = np.array([np.bincount(index, column, len(CLASSES)) for column in columns])
    return {
        CLASSES[class_number]: [
            float(f"{number:.6g}")
            for number in (mass[class_number], *(sums[:, class_number] / mass[class_number]))
        ]
        for class_number in np.flatnonzero(mass > 0).tolist()
    }
