"""Two strategies side by side: infosets of two runs, or two decisions of spots, aligned, with their differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from .answers import Answer, InfosetPair, InfosetPairs
from .infosets import infoset_table
from .respond import Fields, RequestError, answer, download_arrow, query
from .workspace import OpenRun, workspace_of

ORDERS = ("difference", "reach", "game")
_MOST_INFOSETS = 50_000  # that are aligned one by one
_MOST_ROWS = 1_000
_HELD = 1e-9


@contextmanager
def open_two_runs(request: Request) -> Iterator[tuple[OpenRun, OpenRun]]:
    """Give the two runs of a request, which may be one, with their locks held."""
    ids = request.query_params.getlist("run")
    if len(ids) != 2:
        raise RequestError(f"run must be given twice, for both sides; got {len(ids)}.", field="run")
    first, second = (workspace_of(request).run(run_id) for run_id in ids)
    with ExitStack() as stack:
        # In one order, so that nobody waits for ever.
        for run in sorted({first, second}, key=lambda run: run.run_id):
            stack.enter_context(run.lock)
        yield first, second


def read_sides(request: Request) -> Fields:
    """Return the fields of a request for two sides."""
    return query(request).only(
        *(
            "run",
            "player",
            "search",
            "order",
            "start",
            "count",
            "format",
            "line",
            "line2",
            "board",
            "board2",
        )
    )


def align_actions(
    actions: Sequence[Sequence[str]], mixes: Sequence[Sequence[float]]
) -> tuple[list[str], list[list[float | None]], float]:
    """Return the actions of two decisions in one order, both mixes in it, and how far they are apart.

    An action that one of them lacks is None there, and counts as never played. The distance is that
    of total variation, ½ Σ |p − q|: the share of the time that the two do different things, at
    least.

    >>> align_actions([["x", "b"], ["b", "c"]], [[0.25, 0.75], [0.5, 0.5]])
    (['x', 'b', 'c'], [[0.25, 0.75, None], [None, 0.5, 0.5]], 0.5)
    """
    names = list(dict.fromkeys(name for labels in actions for name in labels))
    probabilities = [
        dict(zip(labels, mix, strict=True)) for labels, mix in zip(actions, mixes, strict=True)
    ]
    distance = 0.5 * sum(
        abs((probabilities[0].get(name) or 0.0) - (probabilities[1].get(name) or 0.0))
        for name in names
    )
    return names, [[mix.get(name) for name in names] for mix in probabilities], distance


def infosets(request: Request) -> Answer[InfosetPairs] | Response:
    """Return the infosets that two runs share, with both strategies, aligned by name, and their difference.

    Fields: ``run``, twice; ``player``; ``search``, words in the names; ``order`` (difference,
    reach, game); ``start``, ``count``; ``format`` csv for a file of all.
    """
    fields = read_sides(request)
    order, player = (
        fields.choice("order", ORDERS, "difference"),
        fields.whole("player", None, high=1_000),
    )
    words = fields.text("search", "", longest=200).lower().split()
    start = fields.whole("start", 0)
    count = fields.whole("count", 200, low=1, high=_MOST_ROWS)
    with open_two_runs(request) as runs:
        if any(run.subject.has_lines for run in runs):
            raise RequestError(
                "A spot of hold'em has no infosets in common with another game: choose two "
                "spots, or two runs of a game.",
                field="run",
            )
        rows, alone = _pair_infosets(runs)
    total_reach = sum(row["reach"] or 0.0 for row in rows)
    mean_difference = None
    if total_reach:
        weighted_sum = sum((row["reach"] or 0.0) * row["difference"] for row in rows)
        mean_difference = weighted_sum / total_reach
    about = {
        "infosets": len(rows),
        "alone": alone,
        "largest": max((row["difference"] for row in rows), default=None),
        "mean": mean_difference,
    }
    matches = [
        row
        for row in rows
        if (player is None or row["player"] == player)
        and all(word in row["infoset"].lower() for word in words)
    ]
    if order == "difference":
        matches.sort(key=lambda row: -row["difference"])
    elif order == "reach":
        matches.sort(key=lambda row: -(row["reach"] or 0.0))
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return send_csv([flatten_row(row) for row in matches], "infosets-side-by-side")
    return answer(
        {**about, "total": len(matches), "start": start, "rows": matches[start : start + count]}
    )


def _pair_infosets(runs: tuple[OpenRun, OpenRun]) -> tuple[list[InfosetPair], list[int]]:
    """Return a row for each infoset that both runs have, in the order of tables, and how many only one of them has."""
    first, second = (infoset_table(run) for run in runs)
    if max(len(first), len(second)) > _MOST_INFOSETS:
        raise RequestError(
            f"More than {_MOST_INFOSETS:,} infosets are not put side by side.",
            field="run",
            status=422,
        )
    rows: list[InfosetPair] = []
    for number in first.order.tolist():
        infoset = first.names[number]
        other = second.find(infoset.player, infoset.key)
        if other is None:
            continue
        row = first.row(number)
        match = second.row(other)
        actions, mixes, difference = align_actions(
            (row["actions"], match["actions"]), (row["probabilities"], match["probabilities"])
        )
        rows.append(
            {
                "player": row["player"],
                "infoset": row["infoset"],
                "holding": row["holding"],
                "history": row["history"],
                "reach": row["reach"],
                "actions": actions,
                "mixes": mixes,
                "difference": difference,
                "values": [row["value"], match["value"]],
            }
        )
    return rows, [len(first) - len(rows), len(second) - len(rows)]


def flatten_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with a column for each side of each number."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "mixes":
            for side, mix in enumerate(value, 1):
                flat |= {
                    f"{action} {side}": share
                    for action, share in zip(row["actions"], mix, strict=True)
                }
        elif isinstance(value, list | tuple) and name != "actions":
            flat |= {f"{name} {side}": item for side, item in enumerate(value, 1)}
        elif name != "actions":
            flat[name] = value
    return flat


def send_csv(rows: list[dict[str, Any]], name: str) -> Response:
    """Return rows as a file."""
    import pyarrow as pa

    from ..batches.result import rows_to_columns

    if not rows:
        raise RequestError("There is nothing in this table.", status=404)
    return download_arrow(pa.table(rows_to_columns(rows)), name, "csv")
