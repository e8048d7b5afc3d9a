"""Routes of hand histories: folders of them, their grading in the background, and the decisions in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from starlette.requests import Request
from starlette.responses import Response

from ..._util.files import open_regular
from ...web.answers import Answer, Id
from ...web.respond import (
    TABLE_FORMATS,
    Fields,
    RequestError,
    answer,
    body,
    download_arrow,
    query,
    raw_body,
)
from ...web.workspace import Workspace, workspace_of
from .answers import GradedDecisions, HandCollection, HandCollections, HandFile, HandsReport
from .hand_folders import GRADES, HandFolder, find_folder, list_folders, make_hand_folder
from .hand_gradings import find_gradings

if TYPE_CHECKING:
    import pyarrow

_BY = ("street", "position", "line", "class", "made")
_FILTERS = (*_BY, "player", "run", "grade")
_MOST_MISTAKES = 500
_MOST_ROWS = 1_000
_LONGEST_NAME = 200


def _find_folder(request: Request) -> HandFolder:
    return find_folder(workspace_of(request), request.path_params["hands"])


def _describe(request: Request, folder: HandFolder) -> HandCollection:
    state, stage = find_gradings(request).describe(folder)
    record = folder.read_state()
    count, size = folder.count_files()
    report = folder.read_report()
    return {
        "id": folder.id,
        "name": record["name"],
        "created": record["created"],
        "files": count,
        "bytes": size,
        "state": state,
        "stage": stage,
        "message": record["message"] if state == "failed" else "",
        "hands": None if report is None else report["hands"],
        "graded": None if report is None else report["graded"],
    }


def collections(request: Request) -> Answer[HandCollections]:
    """Return the folders of hands, the last one first."""
    query(request).only()
    folders = list_folders(workspace_of(request))
    return answer({"collections": [_describe(request, folder) for folder in folders]})


def new_collection(request: Request) -> Answer[HandCollection]:
    """Make an empty folder of hands. Fields: ``name``."""
    name = body(request).only("name").text("name", "Hands", longest=_LONGEST_NAME).strip()
    folder = make_hand_folder(workspace_of(request), name or "Hands")
    return answer(_describe(request, folder), status=201)


def add_file(request: Request) -> Answer[HandFile]:
    """Write a part of a file of hands, the body of the request; a file is sent in parts, one after the other.

    Parameters: ``name`` of the file, in which slashes separate folders; ``offset``, where the part
    begins: 0, or where the part before it ended.
    """
    folder = _find_folder(request)
    fields = query(request).only("name", "offset")
    name = fields.text("name", longest=1_000)
    offset = fields.whole("offset", 0)
    return answer({"name": name, "bytes": folder.append(name, offset, raw_body(request))})


def delete_collection(request: Request) -> Answer[Id]:
    """Delete a folder of hands, with its grades."""
    folder = _find_folder(request)
    find_gradings(request).stop(folder)
    folder.delete()
    return answer({"id": folder.id})


def grade(request: Request) -> Answer[HandCollection]:
    """Grade a folder of hands by the runs of the served folder, in the background.

    Fields: ``ranges``, the id of a run of a spot or of ``preflop``, or the settings of a spot: with
    them the report tells which spots no run covers; ``bets``, the sizes after the flop in these.
    """
    folder = _find_folder(request)
    workspace = workspace_of(request)
    fields = body(request).only("ranges", "bets")
    ranges = _read_ranges(workspace, fields)
    bets = fields.text("bets", "50%, a; a", longest=1_000)
    if not folder.count_files()[0]:
        raise RequestError("There is no file in this folder: add files of hands first.")
    runs = [(workspace.id_of(path), str(path)) for path in workspace.run_folders()]
    find_gradings(request).begin(
        folder, {"folder": str(folder.path), "runs": runs, "ranges": ranges, "bets": bets}
    )
    return answer(_describe(request, folder), status=201)


def _read_ranges(workspace: Workspace, fields: Fields) -> str | dict[str, Any] | None:
    """Return where the ranges of missing spots come from: the folder of a run, settings, or nothing."""
    ranges = fields.any("ranges", None)
    if ranges is None:
        return None
    if isinstance(ranges, dict):
        from ..spot.game import Holdem

        return dict(Holdem(**_check_settings(ranges)).settings)
    return str(workspace.folder_of(fields.text("ranges")))


def _check_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse settings that a spot does not have."""
    import inspect

    from ..spot.game import Holdem

    names = inspect.signature(Holdem).parameters
    Fields(settings).only(*names)
    return dict(settings)


def stop(request: Request) -> Answer[HandCollection]:
    """Stop the grading of a folder of hands."""
    body(request).only()
    folder = _find_folder(request)
    find_gradings(request).stop(folder)
    return answer(_describe(request, folder))


def collection(request: Request) -> Answer[HandsReport]:
    """Return a folder of hands, how far its grading is, and what the last one found."""
    query(request).only()
    folder = _find_folder(request)
    return answer({"collection": _describe(request, folder), "report": folder.read_report()})


def decisions(request: Request) -> Answer[GradedDecisions] | Response:
    """Return graded decisions, those first that cost most, and their sums by one thing.

    Parameters: ``by``, and filters: street, position, line, class, made, player, run, grade;
    ``most`` rows; ``format``, csv or parquet for a file of them all.
    """
    from ..histories.grades import sum_decisions

    folder = _find_folder(request)
    fields = query(request).only("by", "most", "format", *_FILTERS)
    group = fields.choice("by", _BY, _BY[0])
    most = fields.whole("most", 100, low=1, high=_MOST_ROWS)
    suffix = fields.choice("format", ("json", *TABLE_FORMATS), "json")
    table = _filter(_read_grades(folder), fields)
    if suffix != "json":
        return download_arrow(table, "graded", suffix)
    dearest = table.sort_by([("cost_percent", "descending")]).slice(0, most)
    sums = [
        {"name": row[group], **{name: row[name] for name in row if name != group}}
        for row in sum_decisions(table, group)
    ]
    costs = table["cost_percent"].to_pylist()
    facts: Any = {
        "decisions": len(costs),
        "wrong": sum(cost > 0 for cost in costs),
        "cost_percent": sum(costs),
        "sums": sums[:_MOST_ROWS],
        "rows": dearest.to_pylist(),
    }
    return answer(cast(GradedDecisions, facts))


def _read_grades(folder: HandFolder) -> pyarrow.Table:
    """Return the table of graded decisions; an empty one before there was a grading."""
    import pyarrow.parquet

    from ..histories.grades import make_table

    path = folder.path / GRADES
    if not path.is_file():
        return make_table(())
    with open_regular(path) as file:
        return pyarrow.parquet.read_table(file)


def _filter(table: pyarrow.Table, fields: Fields) -> pyarrow.Table:
    """Return the rows of a table that have what fields say."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in _FILTERS:
        if name in fields:
            texts = table[name].cast(pa.string())
            table = table.filter(pc.equal(texts, fields.text(name, longest=1_000)))
    return table


def find_mistakes(
    workspace: Workspace, run_id: str, fields: Fields
) -> list[tuple[int, str, float]]:
    """Return player, infoset and share lost of the decisions in a folder of hands that a run grades, dearest first."""
    from ..spot.betting_tree import PLAYERS

    fields.only("hands", *_FILTERS)
    folder = find_folder(workspace, fields.text("hands"))
    table = _filter(_read_grades(folder), fields)
    table = _filter(table, Fields({"run": run_id})).sort_by([("cost_percent", "descending")])
    costs: dict[tuple[int, str], float] = {}
    for row in table.to_pylist():
        if row["cost_percent"] <= 0 or len(costs) == _MOST_MISTAKES:
            break
        place = PLAYERS.index(row["position"]), f"{row['cards']} {row['board']} {row['line']}"
        costs[place] = costs.get(place, 0.0) + row["cost_percent"] / 100
    return [(player, infoset, cost) for (player, infoset), cost in costs.items()]
