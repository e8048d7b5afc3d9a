"""Routes of what is written of runs (report, pictures, tables, code), and of reports over boards and of studies."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import tempfile
import threading
from functools import partial
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ..._util.files import open_regular, read_bytes
from ...plot.kinds import OF_INFOSETS, SHOWN_SUFFIXES
from ...runs.reproduce import RunLines
from ...show.registry import find_picture
from ...web.answers import Answer
from ...web.respond import TABLE_FORMATS, RequestError, answer, download, query
from ...web.workspace import BOARDS, REPORT, OpenRun, run_of, workspace_of
from ..answers import PictureKinds, ReportRow, Reports
from .batches import PLAN

FILES = ("boards.csv", BOARDS, "classes.parquet", "results.parquet")
"""The tables of a report, as ``equilibrist aggregate`` and ``equilibrist batch`` write them."""

_TABLES = ("strategy", "trace", "recording", "node")
_DRAWING = threading.Lock()  # Matplotlib's state is that of the process
_MEDIA = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_HEAD = 16_384  # bytes of a page that have its title
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_PAGE_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; img-src data:; style-src "
    "'unsafe-inline'"
)
"""The report has its styles inside: it is shown like a page from elsewhere, which can ask this server for nothing."""
_RECORDED = ("trajectories", "spiral", "scatter", "simplex", "regret", "landscape")
"""The kinds of pictures that need infosets which were recorded."""


def _make_scratch_folder(request: Request) -> tempfile.TemporaryDirectory[str]:
    """Return a new folder in the served one; it is removed when the response has been sent."""
    return tempfile.TemporaryDirectory(dir=workspace_of(request).private, prefix="export-")


def report(request: Request) -> Response:
    """Return the page about a run that ``equilibrist report`` writes; to be saved with ``download=1``."""
    from ...runs.report import write_report

    run = run_of(request)
    fields = query(request).only("download")
    with _DRAWING:
        if "report" not in run.cache:
            # Drawing a spot takes many seconds, in which others look at its nodes: the report has a
            # run of its own.
            apart = OpenRun(run.run_id, run.folder, trust=run.trust)
            with _make_scratch_folder(request) as scratch:
                path = Path(scratch, "report.html")
                write_report(apart.solution, path, game=apart.game_of_run)
                run.cache["report"] = path.read_bytes()
    return send_page(run.cache["report"], run.folder.name, save=fields.flag("download"))


def send_page(page: bytes, name: str, *, save: bool) -> Response:
    """Return a page of HTML as one from elsewhere, which can ask this server for nothing; or to be saved."""
    if save:
        return download(page, f"{name}.html", "text/html; charset=utf-8")
    digests = [hashlib.sha256(script).digest() for script in _SCRIPT.findall(page)]
    scripts = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    if scripts:
        policy = f"{_PAGE_POLICY}; script-src {scripts}"
    else:
        policy = _PAGE_POLICY
    return Response(page, media_type="text/html", headers={"content-security-policy": policy})


def pictures(request: Request) -> Answer[PictureKinds]:
    """Return the kinds of pictures, and which of them this run cannot have and why."""
    from ...plot.album import kinds_of

    run = run_of(request)
    kinds = kinds_of(run.solution)
    missing = {}
    if run.solution.recording is None:
        reason = "No infosets were recorded: solve with --record all to see how the strategy moved."
        missing = {kind: reason for kind in _RECORDED if kind in kinds}
    return answer({"kinds": [kind for kind in kinds if kind not in missing], "missing": missing})


def picture(request: Request) -> Response:
    """Return a picture of a run: ``kind``, ``format`` (svg, png, pdf), ``theme`` (auto, light, dark), ``infoset``.

    Of a spot and before the flop, ``range`` is the decision at ``line`` and ``board``.
    """
    from ...plot.album import draw_figure, kinds_of
    from ...plot.style import picture as drawn

    run = run_of(request)
    fields = query(request).only("kind", "format", "theme", "infoset", "line", "board", "download")
    kind = fields.choice("kind", kinds_of(run.solution))
    suffix = fields.choice("format", SHOWN_SUFFIXES, "svg")
    theme = fields.choice("theme", ("auto", "light", "dark"), "auto")
    infosets = request.query_params.getlist("infoset") or None
    picture_options: dict[str, Any] = (
        {"most": 120} if infosets is None and kind in ("strategy", "trajectories") else {}
    )
    draw = partial(
        draw_figure,
        kind,
        run.solution,
        game=run.game_of_run,
        infosets=infosets if kind in OF_INFOSETS else None,
        **picture_options,
    )
    line = fields.text("line", "")
    board = fields.text("board", None)
    if kind == "range":
        draw = partial(find_picture("range"), run.subject.drawn, line, board)
    cache_key = ("picture", kind, suffix, theme, tuple(infosets or ()), line, board)
    # In this order: who waits for another's drawing keeps nobody from the run.
    with _DRAWING, run.lock:
        if cache_key not in run.cache:
            run.cache[cache_key] = drawn(draw, kind=suffix, theme=theme)
        content = run.cache[cache_key]
    if fields.flag("download"):
        return download(content, f"{run.folder.name}-{kind}.{suffix}", _MEDIA[suffix])
    sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return Response(
        content, media_type=_MEDIA[suffix], headers={"content-security-policy": sandbox}
    )


def table(request: Request) -> Response:
    """Return a table of a run as a file: ``what`` (strategy, trace, recording; node of a spot), ``format``.

    Of a node, ``line`` and ``board`` say which, and ``player`` (0 or 1) whose hands.
    """
    run = run_of(request)
    fields = query(request).only("what", "format", "line", "board", "player")
    table_kind = fields.choice("what", _TABLES)
    suffix = fields.choice("format", tuple(TABLE_FORMATS), "csv")
    scratch = _make_scratch_folder(request)
    try:
        path = Path(scratch.name, f"table.{suffix}")
        with run.lock:
            _write(run, table_kind, path, fields)
    except BaseException:
        scratch.cleanup()
        raise
    if table_kind == "node":
        line = re.sub(r"[^\w-]+", "-", fields.text("line", ""))
    else:
        line = ""
    name = re.sub(
        r"[^\w.-]+",
        "-",
        f"{run.folder.name}-{table_kind}{line and '-' + line}.{suffix}",
        flags=re.ASCII,
    )
    return FileResponse(
        path,
        media_type=TABLE_FORMATS[suffix],
        filename=name,
        background=BackgroundTask(scratch.cleanup),
    )


def _write(run: OpenRun, table_kind: str, path: Path, fields: Any) -> None:
    if table_kind == "node":
        node = run.subject.find_node(fields.text("line", ""), fields.text("board", None))
        if node is None:
            raise RequestError(
                "Nodes are those of a spot of hold'em, which this run is not.", field="what"
            )
        player = fields.whole("player", node.player, low=0, high=1)
        node.write_csv(path, player) if path.suffix == ".csv" else node.write_parquet(path, player)
        return
    source: Any = getattr(run.solution, table_kind)
    if source is None:
        raise RequestError(
            "No infosets were recorded of this run: solve with --record all.", field="what"
        )
    if table_kind == "strategy" and path.suffix == ".csv":
        source.write_csv(path)
        return
    import pyarrow.csv
    import pyarrow.parquet

    arrow = source.to_arrow()
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(arrow, path)
    else:
        pyarrow.csv.write_csv(_decode_names(arrow), path)


def _decode_names(arrow: Any) -> Any:
    """Return an Arrow table with texts instead of numbers of texts, which CSV does not have."""
    import pyarrow as pa

    for place, field in enumerate(arrow.schema):
        if pa.types.is_dictionary(field.type):
            arrow = arrow.set_column(
                place, field.name, arrow.column(place).cast(field.type.value_type)
            )
    return arrow


def code(request: Request) -> Answer[RunLines]:
    """Return the command lines and the Python lines that make the run again and look at it."""
    from ...runs.reproduce import reproduce

    run = run_of(request)
    return answer(reproduce(run.solution, str(run.folder)))


def _report_folder(request: Request) -> Path:
    return workspace_of(request).folder_of(request.path_params["report"], holds=REPORT)


def reports(request: Request) -> Answer[Reports]:
    """Return the reports and studies in the folder, the last one first."""
    workspace = workspace_of(request)
    rows = [_report_row(workspace.id_of(folder), folder) for folder in workspace.report_folders()]
    return answer({"reports": sorted(rows, key=lambda row: -row["saved"])})


def _report_row(report_id: str, folder: Path) -> ReportRow:
    status = (folder / REPORT).stat()
    with open_regular(folder / REPORT) as file:
        title = _TITLE.search(file.read(_HEAD).decode(errors="replace"))
    return {
        "id": report_id,
        "name": folder.name,
        "kind": "boards" if (folder / BOARDS).is_file() else "study",
        "batch": (folder / PLAN).is_file(),
        "title": html.unescape(title[1]) if title else folder.name,
        "saved": status.st_mtime,
        "bytes": status.st_size,
        "files": [name for name in FILES if (folder / name).is_file()],
    }


def report_page(request: Request) -> Response:
    """Return the page of a report; to be saved with ``download=1``."""
    folder = _report_folder(request)
    fields = query(request).only("download")
    return send_page(read_bytes(folder / REPORT), folder.name, save=fields.flag("download"))


def file(request: Request) -> Response:
    """Return a table of a report as a file: ``name``."""
    folder = _report_folder(request)
    name = (
        query(request)
        .only("name")
        .choice("name", [name for name in FILES if (folder / name).is_file()])
    )
    return FileResponse(folder / name, filename=f"{folder.name}-{name}")
