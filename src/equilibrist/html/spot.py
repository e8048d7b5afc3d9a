"""Reports on solved spots of hold'em: who earns what at the decisions of the first street, and grids of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ..evaluation.spot_node import SpotNode, number_text
from ..evaluation.spots import SolvedSpot
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.lines import in_words
from ..plot.ranges import range_grid
from ..solving.solution import Solution
from .markup import escaped, fragment, image, table

_MOST = 8  # decisions


def spot_parts(solution: Solution) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the parts of a report on a spot: title, and what makes the body."""
    spot = SolvedSpot(solution)
    yield "First decision", lambda: decision(spot.node())
    yield "Further decisions of the first street", lambda: "".join(map(decision, spot.reached(_MOST)[1:]))


def decision(node: SpotNode) -> str:
    """Return the EV of both players, the frequencies of a node's actions, and its grid of hands."""
    rows = [
        [name, number_text(ev, ".4f"), *(number_text(share, ".2%") for share in (ev / node.pot, equity, eqr))]
        for name, ev, equity, eqr in zip(PLAYERS, node.evs, node.equities, node.eqrs, strict=True)
    ]
    mix = [
        [action, in_words(action), f"{share:.2%}"]
        for action, share in zip(node.actions, node.frequencies.tolist(), strict=True)
    ]
    title = f"{PLAYERS[node.player]} {node.where}, board {node.board}, pot {node.pot:g}"
    return (
        f"<h3>{escaped(title)}</h3>"
        + table(["", "EV", "% of pot", "equity", "EQR"], rows, numbers=4)
        + table(["action", "", "frequency"], mix, numbers=1)
        + image(partial(range_grid, node), f"what each hand plays: {title}")
    )


def node_html(node: SpotNode) -> str:
    """Return the HTML fragment of a node."""
    return fragment(decision(node))
