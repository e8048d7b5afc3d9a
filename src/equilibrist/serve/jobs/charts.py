"""The route of charts of push or fold, which a process of its own solves."""

from __future__ import annotations

import threading

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from ..._util.recent import Recent
from ...errors import GameTooLargeError
from ...solving.charts import Charts, read_stacks
from ..library.workspace import Workspace, workspace_of
from ..respond import RequestError, answer, download_csv, query

_MOST_STACKS = 200
_STEP = 1.0  # big blinds
_UNTIL = 1e-6  # big blinds a hand
_recent: Recent[Charts] = Recent(16)
_LOCK = threading.Lock()


def charts(request: Request) -> Response:
    """Return at which stacks each hand is pushed, and called with, as ``equilibrist chart --json`` does.

    Fields: ``stacks``, from and to as in "1..20"; ``step``, ``ante`` and ``bb_ante``, big blinds; ``format``, "csv" for
    the table as a file. ``probabilities`` are those of pushing and of calling, by stack and hand.
    """
    fields = query(request).only("stacks", "step", "ante", "bb_ante", "format")
    stacks = read_stacks(fields.text("stacks", "1..20", longest=100), fields.number("step", _STEP))
    if len(stacks) > _MOST_STACKS:
        raise RequestError(f"At most {_MOST_STACKS} stacks are solved here; got {len(stacks):,}.", field="stacks")
    chart = _chart(workspace_of(request), stacks, fields.number("ante", 0.0), fields.number("bb_ante", 0.0))
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return download_csv(chart, "push-or-fold")
    probabilities = {action: table.round(4) for action, table in chart.tables.items()}
    return answer({**chart.summary(), "probabilities": probabilities})


def _chart(workspace: Workspace, stacks: list[float], ante: float, bb_ante: float) -> Charts:
    def solve() -> Charts:
        asked = {"stacks": stacks, "ante": ante, "bb_ante": bb_ante, "until": _UNTIL}
        try:
            reply = workspace.queue.charts.ask({"charts": asked})
        except GameTooLargeError as error:
            raise RequestError(
                "These charts take longer than this page waits: give fewer stacks, or use 'equilibrist chart'.",
                field="stacks",
                status=422,
            ) from error
        tables = {action: np.array(table) for action, table in reply["tables"].items()}
        return Charts(np.array(reply["stacks"]), tables, np.array(reply["exploitability"]))

    with _LOCK:
        return _recent.get((*stacks, ante, bb_ante), solve)
