"""Two strategies side by side: infosets of two runs, or two decisions of spots, aligned, with their differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..library.workspace import OpenRun, workspace_of
from ..respond import Fields, RequestError, answer, download_arrow, query
from .solutions import infoset_table
from .spots import decision

ORDERS = ("difference", "reach", "game")
_MOST_INFOSETS = 50_000  # that are aligned one by one
_MOST_ROWS = 1_000
_HELD = 1e-9


@contextmanager
def _open_two_runs(request: Request) -> Iterator[tuple[OpenRun, OpenRun]]:
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


def _read_fields(request: Request) -> Fields:
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


def infosets(request: Request) -> Response:
    """Return the infosets that two runs share, with both strategies, aligned by name, and their difference.

    Fields: ``run``, twice; ``player``; ``search``, words in the names; ``order`` (difference,
    reach, game); ``start``, ``count``; ``format`` csv for a file of all.
    """
    fields = _read_fields(request)
    order, player = (
        fields.choice("order", ORDERS, "difference"),
        fields.whole("player", None, high=1_000),
    )
    words = fields.text("search", "", longest=200).lower().split()
    start = fields.whole("start", 0)
    count = fields.whole("count", 200, low=1, high=_MOST_ROWS)
    with _open_two_runs(request) as runs:
        if any(run.spot is not None for run in runs):
            raise RequestError(
                "A spot of hold'em has no infosets in common with another game: choose two "
                "spots, or two runs of a game.",
                field="run",
            )
        rows, alone = _pair_infosets(runs)
    total_reach = sum(row["reach"] or 0.0 for row in rows)
    about = {
        "infosets": len(rows),
        "alone": alone,
        "largest": max((row["difference"] for row in rows), default=None),
        "mean": sum((row["reach"] or 0.0) * row["difference"] for row in rows) / total_reach
        if total_reach
        else None,
    }
    matches = [
        row
        for row in rows
        if (player is None or row["player"] == player)
        and all(word in row["infoset"].lower() for word in words)
    ]
    if order != "game":
        matches.sort(key=lambda row: -(row[order] or 0.0))
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return _send_csv([_flatten_row(row) for row in matches], "infosets-side-by-side")
    return answer(
        {**about, "total": len(matches), "start": start, "rows": matches[start : start + count]}
    )


def _pair_infosets(runs: tuple[OpenRun, OpenRun]) -> tuple[list[dict[str, Any]], list[int]]:
    """Return a row for each infoset that both runs have, in the order of tables, and how many only one of them has."""
    first, second = (infoset_table(run) for run in runs)
    if max(len(first), len(second)) > _MOST_INFOSETS:
        raise RequestError(
            f"More than {_MOST_INFOSETS:,} infosets are not put side by side.",
            field="run",
            status=422,
        )
    rows = []
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
        same_facts = {
            name: row[name] for name in ("player", "infoset", "holding", "history", "reach")
        }
        rows.append(
            {
                **same_facts,
                "actions": actions,
                "mixes": mixes,
                "difference": difference,
                "values": [row["value"], match["value"]],
            }
        )
    return rows, [len(first) - len(rows), len(second) - len(rows)]


def node(request: Request) -> Response:
    """Return two decisions of solved spots hand by hand: frequencies, EV and equity of both, and their differences.

    Fields: ``run``, twice; ``line`` and ``board`` of the first, ``line2`` and ``board2`` of the
    second (by default the same); ``player``, by default who decides in the first; ``format`` csv
    for a file.
    """
    fields = _read_fields(request)
    line = fields.text("line", "")
    board = fields.text("board", "")
    places = [(line, board), (fields.text("line2", line), fields.text("board2", board))]
    with _open_two_runs(request) as runs:
        nodes = []
        for run, (its_line, its_board) in zip(runs, places, strict=True):
            if run.spot is None:
                raise RequestError(
                    f"{run.run_id!r} is no spot of hold'em.", field="run", status=404
                )
            walk = decision(run.spot, Fields({"line": its_line, "board": its_board}))
            nodes.append((run.spot.node(walk.line, walk.board), walk))
        player = fields.whole("player", nodes[0][0].player, high=1)
        rows, actions = _pair_hands([spot_node for spot_node, _ in nodes], player)
        sides = [
            {
                "run": run.run_id,
                "line": walk.line,
                "board": spot_node.board,
                "player": spot_node.player,
                "pot": spot_node.pot,
                "actions": list(spot_node.actions),
                "frequencies": dict(
                    zip(spot_node.actions, spot_node.frequencies.tolist(), strict=True)
                ),
                "ev": list(spot_node.evs),
                "equity": list(spot_node.equities),
                "next": walk.summary().get("next", []),
            }
            for run, (spot_node, walk) in zip(runs, nodes, strict=True)
        ]
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return _send_csv([_flatten_row(row) for row in rows], "hands-side-by-side")
    return answer({"player": player, "sides": sides, "actions": actions, "hands": rows})


def _pair_hands(nodes: Sequence[Any], player: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each hand that the player holds on one of the sides, and the actions where it decides."""
    tables = [node.table(player) for node in nodes]
    labels = [list(node.actions) if node.player == player else [] for node in nodes]
    places = [{hand: place for place, hand in enumerate(table["hand"])} for table in tables]
    names = list(dict.fromkeys(name for run_labels in labels for name in run_labels))
    rows = []
    for hand in dict.fromkeys([*tables[0]["hand"], *tables[1]["hand"]]):
        at = [place.get(hand) for place in places]

        def pair_columns(column: str, at: list[int | None] = at) -> list[Any]:
            return [
                None if k is None else table[column][k] for table, k in zip(tables, at, strict=True)
            ]

        weights_of_hand = [weight or 0.0 for weight in pair_columns("range")]
        if max(weights_of_hand) <= _HELD:
            continue
        mixes = [
            []
            if k is None or weights_of_hand[side] <= _HELD
            else [tables[side][action][k] or 0.0 for action in labels[side]]
            for side, k in enumerate(at)
        ]
        decided = [label if mix else [] for label, mix in zip(labels, mixes, strict=True)]
        action_names, shares, distance = align_actions(decided, mixes)
        columns = [dict(zip(action_names, mix, strict=True)) for mix in shares]
        evs = pair_columns("ev")
        which = next(side for side, k in enumerate(at) if k is not None)
        rows.append(
            {
                "hand": hand,
                "class": tables[which]["class"][at[which]],
                "range": weights_of_hand,
                "ev": evs,
                "equity": pair_columns("equity"),
                "actions": names,
                "mixes": [[mix.get(name) for name in names] for mix in columns],
                "difference": distance if all(mixes) else None,
                "ev_difference": None if None in evs else evs[1] - evs[0],
            }
        )
    return rows, names


def _flatten_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with a column for each side of each number."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "mixes":
            for side, mix in enumerate(value, 1):
                flat |= {
                    f"{action} {side}": share
                    for action, share in zip(row["actions"], mix, strict=True)
                }
        elif isinstance(value, list) and name != "actions":
            flat |= {f"{name} {side}": item for side, item in enumerate(value, 1)}
        elif name != "actions":
            flat[name] = value
    return flat


def _send_csv(rows: list[dict[str, Any]], name: str) -> Response:
    import pyarrow as pa

    from ...batches.result import rows_to_columns

    if not rows:
        raise RequestError("There is nothing in this table.", status=404)
    return download_arrow(pa.table(rows_to_columns(rows)), name, "csv")
