"""Routes of reports over boards and of studies, as ``equilibrist aggregate`` and ``equilibrist batch`` write them."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ..respond import answer, query
from .exports import shown_page
from .workspace import BOARDS, REPORT, workspace_of

FILES = ("boards.csv", BOARDS, "classes.parquet", "results.parquet")
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_HEAD = 16_384  # bytes of a page that have its title


def _folder(request: Request) -> Path:
    return workspace_of(request).folder_of(request.path_params["report"], holds=REPORT)


def reports(request: Request) -> Response:
    """Return the reports and studies in the folder, the last one first."""
    workspace = workspace_of(request)
    rows = [_row(workspace.id_of(folder), folder) for folder in workspace.report_folders()]
    return answer({"reports": sorted(rows, key=lambda row: -row["saved"])})


def _row(report_id: str, folder: Path) -> dict[str, Any]:
    status = (folder / REPORT).stat()
    with (folder / REPORT).open("rb") as file:
        title = _TITLE.search(file.read(_HEAD).decode(errors="replace"))
    return {
        "id": report_id,
        "name": folder.name,
        "kind": "boards" if (folder / BOARDS).is_file() else "study",
        "title": html.unescape(title[1]) if title else folder.name,
        "saved": status.st_mtime,
        "bytes": status.st_size,
        "files": [name for name in FILES if (folder / name).is_file()],
    }


def report(request: Request) -> Response:
    """Return the page of a report; to be saved with ``download=1``."""
    folder = _folder(request)
    fields = query(request).only("download")
    return shown_page((folder / REPORT).read_bytes(), folder.name, save=fields.flag("download"))


def file(request: Request) -> Response:
    """Return a table of a report as a file: ``name``."""
    folder = _folder(request)
    name = query(request).only("name").choice("name", [name for name in FILES if (folder / name).is_file()])
    return FileResponse(folder / name, filename=f"{folder.name}-{name}")
