"""The route of charts of push or fold, which a process of its own solves, some stacks at a time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from ..._util.arrays import Floats
from ...errors import GameTooLargeError
from ...web.answers import Answer
from ...web.respond import RequestError, answer, download_csv, query
from ...web.workspace import Workspace, workspace_of
from ..preflop.charts import Charts, read_stacks
from .answers import PushFoldCharts

_MOST_STACKS = 200
_STEP = 1.0  # big blinds
_UNTIL = 1e-6  # big blinds a hand
_AT_ONCE = 5  # stacks that the process is asked for
# seconds after which a request answers with the stacks that are solved by then
_PATIENCE = {
    "json": 3.0,
    "csv": 20.0,
}
_MOST_KEPT = 20 * _MOST_STACKS


class _Stack(NamedTuple):
    """What is known of one stack: by action the probabilities of the classes, and the exploitability."""

    tables: dict[str, Floats]
    exploitability: float


_Key = tuple[float, float, float]
"""A stack, the ante, and the big blind's ante."""
_solved: OrderedDict[_Key, _Stack] = OrderedDict()
_LOCK = threading.Lock()


def charts(request: Request) -> Answer[PushFoldCharts] | Response:
    """Return at which stacks each hand is pushed, and called with, as ``equilibrist chart --json`` does.

    Fields: ``stacks``, from and to as in "1..20"; ``step``, ``ante`` and ``bb_ante``, big blinds;
    ``format``, "csv" for the table as a file. ``probabilities`` are those of pushing and of
    calling, by stack and hand. ``remaining`` is the number of stacks that were not solved in time,
    and are in no table yet: the same request goes on with them. ``left_out`` are the stacks of
    which the antes leave less than a big blind.
    """
    fields = query(request).only("stacks", "step", "ante", "bb_ante", "format")
    stacks_wanted = read_stacks(
        fields.text("stacks", "1..20", longest=100), fields.number("step", _STEP)
    )
    ante = fields.number("ante", 0.0)
    bb_ante = fields.number("bb_ante", 0.0)
    if len(stacks_wanted) > _MOST_STACKS:
        raise RequestError(
            f"At most {_MOST_STACKS} stacks are solved here; got {len(stacks_wanted):,}.",
            field="stacks",
        )
    stacks = _playable_stacks(stacks_wanted, ante, bb_ante)
    form = fields.choice("format", tuple(_PATIENCE), "json")
    chart = _solve_in_time(
        workspace_of(request), [(stack, ante, bb_ante) for stack in stacks], _PATIENCE[form]
    )
    remaining = len(stacks) - len(chart.stacks)
    if form == "csv":
        if remaining:
            raise RequestError(
                f"{remaining} of these stacks are not solved yet: ask again.", status=422
            )
        return download_csv(chart, "push-or-fold")
    probabilities = {action: table.round(4) for action, table in chart.tables.items()}
    left_out = [stack for stack in stacks_wanted if stack not in set(stacks)]
    about = {"probabilities": probabilities, "remaining": remaining, "left_out": left_out}
    return answer({**chart.summary(), **about})


def _playable_stacks(stacks: list[float], ante: float, bb_ante: float) -> list[float]:
    """Return the stacks of which the antes leave a big blind; all where that is none, for the game to refuse them."""
    least_stack = 1.0 + ante + bb_ante  # what the big blind pays, who pays both
    return [stack for stack in stacks if stack >= least_stack - 1e-9] or stacks


def _solve_in_time(workspace: Workspace, keys: list[_Key], patience: float) -> Charts:
    """Return the chart of those stacks that are solved by now, or within so many seconds: of a few at least."""
    with _LOCK:
        deadline = time.monotonic() + patience
        missing = [key for key in keys if key not in _solved]
        for begin in range(0, len(missing), _AT_ONCE):
            _solve(workspace, missing[begin : begin + _AT_ONCE])
            if time.monotonic() > deadline:
                break
        solved = {key: _solved[key] for key in keys if key in _solved}
        for key in solved:
            _solved.move_to_end(key)
        while len(_solved) > _MOST_KEPT:
            _solved.popitem(last=False)
    rows = list(solved.values())
    tables = {action: np.array([row.tables[action] for row in rows]) for action in rows[0].tables}
    return Charts(
        np.array([key[0] for key in solved]), tables, np.array([row.exploitability for row in rows])
    )


def _solve(workspace: Workspace, keys: list[_Key]) -> None:
    """Solve a few stacks with the same antes, and keep them."""
    _, ante, bb_ante = keys[0]
    request = {
        "stacks": [key[0] for key in keys],
        "ante": ante,
        "bb_ante": bb_ante,
        "until": _UNTIL,
    }
    try:
        reply = workspace.queue.charts.ask({"charts": request})
    except GameTooLargeError as error:
        raise RequestError(
            "These stacks take longer than this page waits: use 'equilibrist chart'.",
            field="stacks",
            status=422,
        ) from error
    for number, key in enumerate(keys):
        tables = {action: np.array(rows[number]) for action, rows in reply["tables"].items()}
        _solved[key] = _Stack(tables, float(reply["exploitability"][number]))
