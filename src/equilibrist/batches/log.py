"""The log of a batch: a line of JSON for each item that is done, written at once, so that a batch can be killed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from .._util.files import check_regular, explain_write_errors
from .._util.plain import from_plain
from ..errors import SolutionError
from ..solving.trace import Checkpoint
from .result import STATES

LOG = "results.jsonl"


class Log:
    """Records of items by name, added one by one to a file in a folder, or kept in memory alone."""

    def __init__(self, folder: Path | None) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self._path = (folder or Path()) / LOG
        self._file = None
        if folder is None:
            return
        with explain_write_errors(self._path):
            if self._path.exists():
                check_regular(self._path)
            num_bytes = self._read(self._path) if self._path.exists() else 0
            self._file = self._path.open("r+b" if self._path.exists() else "w+b")
            self._file.truncate(num_bytes)
            self._file.seek(num_bytes)

    def _read(self, path: Path) -> int:
        """Read the records; return the bytes of whole lines, for a writer that was killed leaves a part of one."""
        num_bytes = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                try:
                    record = json.loads(line)
                    _check_record(record)
                    self.records[record["name"]] = record
                except (ValueError, TypeError, KeyError, OverflowError) as error:
                    raise SolutionError(
                        f"{path} is broken in line {number}, or was not written by Equilibrist. "
                        "Give another folder."
                    ) from error
                num_bytes += len(line)
        return num_bytes

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a record, which replaces an older one of the same name."""
        self.records[record["name"]] = dict(record)
        if self._file is not None:
            with explain_write_errors(self._path):
                self._file.write(json.dumps(record).encode() + b"\n")
                self._file.flush()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, kind: object, error: object, at: object) -> None:
        if self._file is not None:
            with (
                nullcontext() if error is None else suppress(SolutionError),
                explain_write_errors(self._path),
            ):
                self._file.close()  # which tries once more to write what add() could not


_KINDS = {"name": str, "game": str, "error": str, "measure": str, "limits": dict, "results": dict}


def _check_record(record: dict[str, Any]) -> None:
    """Raise an error where a record is not as a batch writes it."""
    from_plain(tuple[Checkpoint, ...], record["trace"])
    from_plain(dict[str, float], record["seconds"])
    if record["state"] not in STATES or not all(
        isinstance(record[name], kind) for name, kind in _KINDS.items()
    ):
        raise ValueError("record")
