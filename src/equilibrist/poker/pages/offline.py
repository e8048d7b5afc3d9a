"""A solved spot as one page that needs neither server nor network: its betting is walked as on the page of ``serve``.

The places are those that the server answers with, as JSON that is compressed and written as base64,
so that no text of theirs can end the element in which it stands. The page's policy lets it load
nothing.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from ...errors import GameError
from ...page.bundle import bundle_script, join_assets, strip_source
from ...show.markup import page
from ...solving.solution import Solution
from ...web.answers import Answer
from ...web.respond import Fields, answer, download, query, to_json
from ...web.workspace import run_of
from ..solved.spots import SolvedSpot
from ..spot.betting_tree import BettingNode
from .answers import OfflineSize
from .lines import Walk
from .places import describe_place, describe_run
from .subjects import spot_of

LARGEST = 30_000_000
"""Bytes of a page, at most: what is mailed, and what a browser opens within seconds."""
MOST_DECISIONS = 2_000
"""Decisions of a page, at most: each takes some hundredths of a second to be valued."""
_STYLES = (
    "page/css/colours.css",
    "page/css/tokens.css",
    "page/app.css",
    "page/css/grid.css",
    "page/css/spot.css",
    "poker/pages/offline.css",
)
_SCRIPT = "poker/pages/offline.js"
_DIGITS = 6  # of what is told of a hand: as many as are ever shown
_SAMPLES = 6  # decisions whose size is measured
_BASE64 = 4 / 3  # characters a byte
_LEVEL = 9  # of compression


class Part(NamedTuple):
    """What of a spot goes into a page.

    Attributes
    ----------
    line, board : str
        Where it begins.
    streets : int
        How many streets from there on.
    """

    line: str = ""
    board: str = ""
    streets: int = 1


class PartSize(NamedTuple):
    """How large a page is: the decisions in it, and about how many bytes it takes."""

    decisions: int
    size: int


def offline_size(request: Request) -> Answer[OfflineSize]:
    """Return how many decisions the page of a spot has, and about how many bytes it takes; none is written.

    Fields: as for :func:`offline`.
    """
    run = run_of(request)
    spot = spot_of(run)
    part = _read_part(query(request).only("line", "board", "streets"), spot)
    with run.lock:
        decisions, size = measure_part(spot, part)
    return answer(
        {"decisions": decisions, "bytes": size, "most": LARGEST, "most_decisions": MOST_DECISIONS}
    )


def offline(request: Request) -> Response:
    """Return a spot as one page of HTML, to be saved: it is walked without a server.

    Fields: ``line`` and ``board`` where it begins, by default at the start; ``streets``, how many
    from there on, by default one.
    """
    run = run_of(request)
    spot = spot_of(run)
    part = _read_part(query(request).only("line", "board", "streets"), spot)
    text = write_offline_page(run.folder.name, run.solution, spot, part, lock=run.lock)
    return download(text.encode(), f"{run.folder.name}-spot.html", "text/html; charset=utf-8")


def _read_part(fields: Fields, spot: SolvedSpot) -> Part:
    return Part(
        fields.text("line", ""),
        fields.text("board", ""),
        fields.whole("streets", 1, low=1, high=spot.streets),
    )


def measure_part(spot: SolvedSpot, part: Part) -> PartSize:
    """Return how large the page of a part is: decisions are counted, and a few of them measured.

    Raises
    ------
    GameError
        Nobody decides where it begins.
    """
    walk = _begin(spot, part)
    last_street = _last_street(spot, walk, part)
    decisions = _count_decisions(spot, walk.node, last_street)
    decided = (place for place in _places(spot, part) if place["kind"] == "decision")
    samples = list(islice(decided, _SAMPLES))
    mean = len(_compress(to_json(samples))) / len(samples)
    return PartSize(decisions, round(_BASE64 * mean * decisions) + len(_frame()))


def write_offline_page(
    name: str,
    solution: Solution,
    spot: SolvedSpot,
    part: Part,
    *,
    lock: AbstractContextManager[Any] | None = None,
) -> str:
    """Return a part of a spot as a page of HTML that is walked without a server.

    ``lock`` is held while places are valued, and given back between two of them.

    Raises
    ------
    GameError
        Nobody decides where it begins, or the page would be too large; the message says how large.
    """
    decisions, size = measure_part(spot, part)
    if decisions > MOST_DECISIONS or size > LARGEST:
        raise GameError(
            f"The page would have {decisions:,} decisions in about {size / 1e6:.3g} MB; at most "
            f"{MOST_DECISIONS:,} in {LARGEST / 1e6:.0f} MB are written: begin after a longer line, or take "
            "fewer streets.",
            wrong_use=True,
        )
    walk = _begin(spot, part)
    about = describe_run(name, solution, spot)
    places = []
    remaining = _places(spot, part)
    while True:
        with lock or nullcontext():
            place = next(remaining, None)
        if place is None:
            break
        places.append(place)
    content = {
        "about": about,
        "start": {"line": walk.line.strip(" |"), "board": walk.board},
        "places": places,
    }
    data = base64.b64encode(_compress(to_json(content))).decode()
    return _frame(name, data)


def _begin(spot: SolvedSpot, part: Part) -> Walk:
    """Return the walk to where a part begins."""
    walk = Walk(spot, part.line, part.board)
    street = walk.node.street - spot.game.tree.rules.street
    if walk.kind != "decision" or street >= spot.streets:
        raise GameError(
            f"line: nobody decides after {part.line!r} in what was solved; give a line that leads to "
            "a decision.",
            wrong_use=True,
            field="line",
        )
    return walk


def _count_decisions(spot: SolvedSpot, node: BettingNode, last_street: int) -> int:
    """Return how many decisions follow on a node, itself among them, up to the end of a street, on all cards."""
    tree = spot.game.tree
    if node.player < 0 or node.street > last_street:
        return 0
    total = 1
    for child in node.children:
        after = tree.nodes[tree.after_cards(child)]
        if after.player < 0:
            continue
        cards = 1
        if after.street > node.street:
            cards = len(spot.game.cards) - len(spot.game.board) - (node.street - tree.rules.street)
        total += cards * _count_decisions(spot, after, last_street)
    return total


def _last_street(spot: SolvedSpot, first: Walk, part: Part) -> int:
    """Return the last street of a part: not one that the run has not."""
    last_solved = spot.game.tree.rules.street + spot.streets - 1
    return min(first.node.street + part.streets - 1, last_solved)


def _places(spot: SolvedSpot, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the places of a part: decisions, cards to come, and ends, each before what follows on it."""
    first = _begin(spot, part)
    last_street = _last_street(spot, first, part)
    pending = [(first.line, first.board)]
    while pending:
        line, board = pending.pop()
        walk = Walk(spot, line, board)
        place = describe_place(spot, walk, digits=_DIGITS)
        yield place
        if place["kind"] == "decision":
            following = [_line_after(walk, action) for action in place["actions"]]
            pending += [(line_after, board) for line_after in reversed(following)]
        elif place["kind"] == "deal" and walk.node.street < last_street:
            cards = [card for alike in place["cards"] for card in alike]
            pending += [(line, board + card) for card in reversed(cards)]


def _line_after(walk: Walk, action: str) -> str:
    """Return the line of a decision with an action after it."""
    if not walk.line.strip(" |"):
        return action
    if walk.line.endswith("|"):
        return f"{walk.line} {action}"
    return f"{walk.line}-{action}"


def _compress(content: bytes) -> bytes:
    """Return content compressed; the same content gives the same bytes."""
    return gzip.compress(content, _LEVEL, mtime=0)


def _frame(name: str = "", data: str = "") -> str:
    """Return the page around some data."""
    script = strip_source(bundle_script(_SCRIPT))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data: blob:"
    )
    body = (
        '<header class="bar"><b>Equilibrist</b><span class="grow"></span>'
        '<button id="theme" class="button quiet" type="button"></button></header>'
        '<main id="main" tabindex="-1"></main>'
        '<div id="toasts" role="status" aria-live="polite"></div>'
        "<noscript><p>This page needs JavaScript; it loads nothing.</p></noscript>"
        f'<script type="text/plain" id="data">{data}</script>'
    )
    return page(
        f"{name} · Equilibrist",
        body,
        styles=strip_source(join_assets(*_STYLES)),
        script=script,
        policy=policy,
    )
