"""Batches in the served folder: their plans and results, read line by line while a worker still writes them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._util.files import open_regular, read_bytes
from ..._util.places import import_place
from ...evaluation.gaps import find_gap
from ...runs.catalogue import CHECKPOINT
from ...web.respond import RequestError

if TYPE_CHECKING:
    from ...batches.result import BatchResult
    from ...web.workspace import Workspace

PLAN = "batch.json"
"""The file in a batch's folder that says what it is: its request, and its runs in their order."""
# as batches writes them
RESULT_OF_BOARDS = "poker.boards.board_report:BoardReport"
"""What holds the results of a report over boards."""
RESULTS = "results.jsonl"
RUNS = "runs"
ROWS = "rows"
TEXTURES = ("high", "suits", "pairing", "connected")  # as of BoardReport
_MOST_CURVES = 100  # runs whose curves are sent
_MOST_POINTS = 48  # of a curve
_MOST_OPEN = 32


class Results:
    """What is known of a batch by now: new lines of its log are read when it is looked at."""

    def __init__(self, batch_id: str, folder: Path) -> None:
        self.batch_id = batch_id
        self.folder = folder
        self.lock = threading.Lock()
        self._read = 0
        self._stamp = None
        self.records: dict[str, dict[str, Any]] = {}
        about = json.loads(read_bytes(folder / PLAN))
        self.plan: dict[str, Any] = about["plan"]
        self.weights = [(str(board), float(weight)) for board, weight in about["weights"]]
        self.items: list[tuple[str, dict[str, Any]]] = [
            (str(name), dict(labels)) for name, labels in about["items"]
        ]
        self.saved: float = (folder / PLAN).stat().st_mtime

    def refresh(self) -> None:
        """Read what was written since the last time; of a record what pages show, without classes of hands."""
        path = self.folder / RESULTS
        with self.lock, suppress(FileNotFoundError):
            size = path.stat().st_size
            if size < self._read:
                self._read = 0
                self.records = {}
            with open_regular(path) as file:
                file.seek(self._read)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._read += len(line)
                    record = _drop_classes(json.loads(line))
                    self.records[record["name"]] = record
            self.saved = path.stat().st_mtime

    @property
    def is_report(self) -> bool:
        return "boards" in self.plan

    @property
    def total(self) -> int:
        return len(self.items)

    def _count(self, state: str) -> int:
        return sum(self.records.get(name, {}).get("state") == state for name, _ in self.items)

    @property
    def done(self) -> int:
        return self._count("finished")

    @property
    def failed(self) -> int:
        return self._count("failed")

    def summary(self) -> dict[str, Any]:
        """Return what lists show."""
        return {
            "id": self.batch_id,
            "name": self.folder.name,
            "kind": "boards" if self.is_report else "study",
            "title": self.plan["title"],
            "game": self.plan["game"],
            "saved": self.saved,
            "done": self.done,
            "failed": self.failed,
            "total": self.total,
        }

    def in_order(self) -> list[dict[str, Any]]:
        """Return a record for each run of the batch, those not begun as unfinished."""
        nothing = {"state": "unfinished", "error": "", "results": {}, "trace": [], "game": ""}
        return [
            {**self.records.get(name, {**nothing, "name": name}), "labels": labels}
            for name, labels in self.items
        ]

    def report(self) -> Any:
        """Return a report on the boards that are solved by now."""
        return import_place(RESULT_OF_BOARDS)(
            spot=self.plan["spot"], weights=tuple(self.weights), records=tuple(self.in_order())
        )

    def study(self) -> BatchResult:
        """Return the results of the runs that are done by now."""
        from ...batches.result import BatchResult

        return BatchResult(name=self.folder.name, records=tuple(self.in_order()))

    def shown(self, workspace: Workspace, line: str, by: tuple[str, ...]) -> dict[str, Any]:
        """Return rows, with the id of the run of each where it is there, and what else the page draws."""
        if self.is_report:
            return self._boards(workspace, line, by)
        return self._runs(workspace)

    def _run_id(self, workspace: Workspace, name: str) -> str | None:
        folder = self.folder / RUNS / name
        if (folder / CHECKPOINT).is_file():
            return workspace.id_of(folder)
        return None

    def _boards(self, workspace: Workspace, line: str, by: tuple[str, ...]) -> dict[str, Any]:
        report = self.report()
        names = {labels["board"]: name for name, labels in self.items}
        rows = [
            {**row, "id": row["board"], "run": self._run_id(workspace, names[row["board"]])}
            for row in report.rows()
            if row["line"] == line
        ]
        lines = report.lines
        return {
            "line": line,
            "lines": lines,
            "rows": rows,
            "means": [mean for mean in report.means() if mean["line"] == line],
            "by": by,
            "textures": report.by_texture(line, by) if line in lines else [],
            "failures": report.failed,
        }

    def _runs(self, workspace: Workspace) -> dict[str, Any]:
        result = self.study()
        rows = [
            {**row, "id": row["run"], "run": self._run_id(workspace, row["run"])}
            for row in result.rows()
        ]
        curves = {
            record["name"]: record["curve"]
            for record in result.records
            if len(record.get("curve", ())) > 1
        }
        return {
            "varied": list(dict.fromkeys(name for _, labels in self.items for name in labels)),
            "rows": rows,
            "curves": dict(list(curves.items())[:_MOST_CURVES]),
            "failures": result.failed,
        }

    def arrow(self) -> Any:
        """Return the rows as an Arrow table."""
        if self.is_report:
            return self.report().to_arrow()
        return self.study().to_arrow()

    def textures_arrow(self, line: str, by: tuple[str, ...]) -> Any:
        """Return the means by texture as an Arrow table."""
        import pyarrow as pa

        from ...batches.result import rows_to_columns

        if not self.is_report:
            raise RequestError("A study has no boards, and so no textures.", field="what")
        return pa.table(rows_to_columns(self.report().by_texture(line, by)))


def _drop_classes(record: dict[str, Any]) -> dict[str, Any]:
    results = dict(record["results"])
    if "nodes" in results:
        results["nodes"] = [
            {name: value for name, value in node.items() if name != "classes"}
            for node in results["nodes"]
        ]
    points = [
        [
            point["iteration"],
            point["seconds"],
            point["nodes_touched"],
            find_gap(point["measures"].get("exploitability"), point["deviation_gains"]),
        ]
        for point in record["trace"]
    ]
    step = max(1, -(-len(points) // _MOST_POINTS))
    if len(points) > 1:
        curve = points[:1] + points[step:-1:step] + points[-1:]
    else:
        curve = points
    names = ("name", "game", "state", "error")
    return {
        **{name: str(record[name]) for name in names},
        "results": results,
        "trace": [],
        "curve": curve,
    }


def batch_folders(workspace: Workspace) -> Iterator[Path]:
    """Yield the folders of the batches that were begun on the page."""
    for path in sorted(workspace.folder.glob(f"*/{PLAN}")):
        with suppress(RequestError):
            yield workspace.folder_of(workspace.id_of(path.parent), holds=PLAN)


def find_results(workspace: Workspace, batch_id: str) -> Results:
    """Return what is known of a batch by now; those that were looked at last stay read."""
    folder = workspace.folder_of(batch_id, holds=PLAN)
    stamp = (folder / PLAN).stat().st_mtime_ns
    with explain_read_errors(batch_id):
        with workspace.batches_lock:
            cached = workspace.batches.get(batch_id)
            if cached is None or cached[0] != stamp:
                workspace.batches[batch_id] = cached = (stamp, Results(batch_id, folder))
            workspace.batches.move_to_end(batch_id)
            while len(workspace.batches) > _MOST_OPEN:
                workspace.batches.popitem(last=False)
        results: Results = cached[1]
        results.refresh()
        return results


@contextmanager
def explain_read_errors(batch_id: str) -> Iterator[None]:
    """Say in a sentence that the files of a batch are broken: somebody else may have written them."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise RequestError(
            f"The results of {batch_id!r} are broken, or were not written by this version of "
            "Equilibrist.",
            status=422,
        ) from error
