"""Folders of hand histories that were given to the server: their files, what is known of them, and their grades."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ..._util.file_names import is_allowed_here
from ..._util.files import SMALL, make_folder, open_regular, read_bytes, write_atomically
from ...web.respond import RequestError
from ...web.workspace import Workspace
from ..histories.read import SUFFIXES
from .answers import HandReport

FOLDER = "hands"
"""The folder in the server's own one that holds them all."""
FILES = "files"
"""The folder of the histories themselves."""
GRADES = "grades.parquet"
"""The table of graded decisions."""
REPORT = "report.json"
"""What the last grading found."""
_STATE = "state.json"
_ID = re.compile(r"[a-z0-9]{10}")
_MOST_FOLDERS = 200
_MOST_FILES = 20_000
_MOST_BYTES = 2 << 30
_DEEPEST = 6  # folders of which a dropped one may consist
_LONGEST_REPORT = 32 << 20  # bytes


class HandFolder:
    """A folder of hand histories, and what is known of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name

    @property
    def files(self) -> Path:
        return self.path / FILES

    def read_state(self) -> dict[str, Any]:
        """Return what is kept of the folder: name, when it was made, and how far its grading is."""
        record: Any = {}
        with suppress(OSError, ValueError):
            record = json.loads(read_bytes(self.path / _STATE, most=SMALL))
        if not isinstance(record, dict):
            record = {}
        texts = {"name": self.id, "created": "", "state": "new", "message": ""}
        return {name: str(record.get(name, usual)) for name, usual in texts.items()}

    def write_state(self, **changes: str) -> None:
        """Change what is kept of the folder; of one that was deleted nothing is kept."""
        if self.path.is_dir():
            record = {**self.read_state(), **changes}
            write_atomically(self.path / _STATE, json.dumps(record, indent=1).encode())

    def read_report(self) -> HandReport | None:
        """Return what the last grading found; None before there was one."""
        with suppress(OSError, ValueError):
            report = json.loads(read_bytes(self.path / REPORT, most=_LONGEST_REPORT))
            return cast(HandReport, report)
        return None

    def count_files(self) -> tuple[int, int]:
        """Return how many files there are, and their bytes."""
        sizes = [file.stat().st_size for file in self.files.rglob("*") if file.is_file()]
        return len(sizes), sum(sizes)

    def append(self, name: str, offset: int, content: bytes) -> int:
        """Write a part of a file, which begins where the last one ended; return the size of the file then."""
        path = self._file_path(name)
        if path.is_file():
            size = path.stat().st_size
        else:
            size = 0
        if offset not in (0, size):
            raise RequestError(
                f"{name} has {size:,} bytes here, so that its next part begins there; got "
                f"{offset:,}.",
                field="offset",
                status=409,
            )
        count, total = self.count_files()
        if count >= _MOST_FILES and not path.exists():
            raise RequestError(
                f"A folder of hands has at most {_MOST_FILES:,} files: begin another one.",
                field="name",
            )
        if total + len(content) > _MOST_BYTES:
            raise RequestError(
                f"A folder of hands has at most {_MOST_BYTES >> 30} GB: begin another one.",
                field="name",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        if not offset:
            path.unlink(missing_ok=True)
        with open_regular(path, "ab") as file:
            file.write(content)
        return offset + len(content)

    def _file_path(self, name: str) -> Path:
        """Return the path of a file of a name, in which slashes separate folders."""
        parts = name.split("/")
        is_possible = len(parts) <= _DEEPEST and all(
            is_allowed_here(part) and not part.startswith(".") and len(part.encode()) <= 200
            for part in parts
        )
        if not is_possible:
            raise RequestError(f"A file of hands cannot have the name {name!r}.", field="name")
        if Path(name).suffix.lower() not in SUFFIXES:
            raise RequestError(
                f"{name!r} is no file of hands, whose names end in {', '.join(SUFFIXES)}.",
                field="name",
            )
        path = self.files.joinpath(*parts)
        if path.is_dir() or any(parent.is_file() for parent in path.parents):
            raise RequestError(
                f"{name!r} is the name of a folder here, or of a file in the place of one.",
                field="name",
            )
        return path

    def delete(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def list_folders(workspace: Workspace) -> list[HandFolder]:
    """Return the folders of hands, the last one first."""
    folders = [HandFolder(path) for path in _iterate(workspace)]
    return sorted(folders, key=lambda folder: folder.read_state()["created"], reverse=True)


def _iterate(workspace: Workspace) -> Iterator[Path]:
    root = workspace.private / FOLDER
    if root.is_dir():
        for path in root.iterdir():
            if _ID.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
                yield path


def make_hand_folder(workspace: Workspace, name: str) -> HandFolder:
    """Return a new folder of hands."""
    if sum(1 for _ in _iterate(workspace)) >= _MOST_FOLDERS:
        raise RequestError(f"There are {_MOST_FOLDERS} folders of hands: delete one first.")
    folder = HandFolder(workspace.private / FOLDER / secrets.token_hex(5))
    make_folder(folder.files)
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    folder.write_state(name=name, created=now)
    return folder


def find_folder(workspace: Workspace, folder_id: str) -> HandFolder:
    """Return the folder of an id; refuse one that is not there."""
    path = workspace.private / FOLDER / folder_id
    if not _ID.fullmatch(folder_id) or not path.is_dir() or path.is_symlink():
        raise RequestError(f"There is no folder of hands {folder_id!r}.", field="hands", status=404)
    return HandFolder(path)
