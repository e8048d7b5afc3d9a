"""Catalogue of runs: an SQLite index of their folders. It holds nothing of its own: deleted, it is made again."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from .titles import title_of

_T = TypeVar("_T")
_FORMAT = 2
_CHECKPOINT = "checkpoint.npz"
_MOST_POINTS = 32  # of a curve that is drawn small
_TABLE = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, stamp INTEGER NOT NULL, size INTEGER NOT NULL, row TEXT NOT NULL, trace TEXT NOT NULL
) WITHOUT ROWID
"""


class Catalogue:
    """Index of run folders, in a file that several servers and threads may use at once (WAL).

    Parameters
    ----------
    path : Path
        The file. One that is broken, or of another version, is made anew; where that cannot be, as on a full disk, the
        index is kept in memory.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._in_memory = False
        self._base = self._connected()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    def rows(self, folders: Iterable[tuple[str, Path]]) -> list[dict[str, Any]]:
        """Return what the library shows of the runs in these folders, by id: only those that have changed are read."""
        listed = list(folders)

        def rows() -> list[dict[str, Any]]:
            self._update(listed)
            found = self._base.execute("SELECT row FROM runs ORDER BY id").fetchall()
            return [_object(row) for (row,) in found]

        return self._mended(rows)

    def run(self, run_id: str, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """Return what the library shows of a run, and its checkpoints; None where there is no such run."""

        def run() -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
            self._update([(run_id, folder)], only=run_id)
            found = self._base.execute("SELECT row, trace FROM runs WHERE id = ?", (run_id,)).fetchone()
            return None if found is None else (_object(found[0]), json.loads(found[1]))

        return self._mended(run)

    def _mended(self, ask: Callable[[], _T]) -> _T:
        """Return an answer of the index, which is made anew where it is broken, in memory where no file can be had."""
        with self._lock:
            for in_memory in (self._in_memory, True):
                try:
                    return ask()
                except (sqlite3.Error, OSError, ValueError):
                    self._base.close()
                    self._in_memory = in_memory
                    self._base = self._connected(anew=True)
            return ask()

    def _connected(self, *, anew: bool = False) -> sqlite3.Connection:
        try:
            return self._opened(anew=anew)
        except (sqlite3.Error, OSError):
            self._in_memory = True
            return self._opened()

    def _opened(self, *, anew: bool = False) -> sqlite3.Connection:
        place = ":memory:" if self._in_memory else str(self._path)
        if not self._in_memory:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
        if anew and not self._in_memory:
            for suffix in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{self._path}{suffix}")
        base = sqlite3.connect(place, timeout=10, check_same_thread=False, isolation_level=None)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            version = base.execute("PRAGMA user_version").fetchone()[0]
            if version != _FORMAT:
                base.execute("DROP TABLE IF EXISTS runs")
                base.execute(f"PRAGMA user_version = {_FORMAT}")
            base.execute(_TABLE)
        except sqlite3.DatabaseError:
            base.close()
            if anew:
                raise
            return self._opened(anew=True)
        return base

    def _update(self, folders: Iterable[tuple[str, Path]], only: str | None = None) -> None:
        if not self._in_memory and not self._path.exists():  # deleted while it was open
            self._base.close()
            self._base = self._connected(anew=True)
        chosen = ("", ()) if only is None else (" WHERE id = ?", (only,))
        indexed = self._base.execute(f"SELECT id, stamp, size FROM runs{chosen[0]}", chosen[1])
        known = {run_id: (stamp, size) for run_id, stamp, size in indexed}
        new = []
        for run_id, folder in folders:
            try:
                status = (folder / _CHECKPOINT).stat()
            except OSError:
                continue  # gone since it was seen
            stamp = (status.st_mtime_ns, status.st_size)
            if known.pop(run_id, None) != stamp:
                row, trace = read_run(run_id, folder)
                new.append((run_id, *stamp, json.dumps(row), json.dumps(trace)))
        if new or known:
            with self._base:
                self._base.execute("BEGIN IMMEDIATE")
                self._base.executemany("DELETE FROM runs WHERE id = ?", [(run_id,) for run_id in known])
                self._base.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", new)


def _object(text: str) -> dict[str, Any]:
    """Return a row of the index; one that is no object of JSON is somebody else's."""
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError(text[:80])
    return row


def read_run(run_id: str, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what the library shows of a run, and its checkpoints; of one that cannot be read, the reason.

    Only what the checkpoint says of itself is read: neither strategy nor state, and no game is compiled.
    """
    path = folder / _CHECKPOINT
    row: dict[str, Any] = {"id": run_id, "name": folder.name, "saved": None, "bytes": 0, "error": None}
    try:
        row["saved"] = path.stat().st_mtime
        row["bytes"] = sum(entry.stat(follow_symlinks=False).st_size for entry in os.scandir(folder))
        about = _about(path)
        return row | _facts(about), [_checkpoint(point) for point in about["trace"]]
    except Exception as error:  # a broken file makes the readers of zip and JSON raise all sorts
        row["error"] = (
            f"{_CHECKPOINT} is broken, or was not written by this version of Equilibrist ({type(error).__name__})."
        )
        return row, []


def _about(path: Path) -> dict[str, Any]:
    from .._util.archive import Archive

    with Archive(path) as archive:
        about = json.loads(archive.text("about"), parse_constant=_refuse_constant)
    if not isinstance(about, dict):
        raise TypeError("about")
    return about


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _facts(about: dict[str, Any]) -> dict[str, Any]:
    info, final = about["info"], _checkpoint(about["final"])
    game, config = info["game"], info["config"]
    gaps = [point["exploitability"] for point in map(_checkpoint, about["trace"])]
    known = [gap for gap in gaps if gap is not None]
    return {
        "run_id": _text(info["run_id"]),
        "game": _text(game["name"]),
        "title": title_of(_text(game["name"]), _text(game["definition"])),
        "algorithm": "exact" if config is None else _text(config["algorithm"]["name"]),
        "sampling": "full" if config is None else _spec(config["sampling"]),
        "form": _text(game["form"]),
        "players": _number(game["players"]),
        "infosets": _number(game["infosets"]),
        "slots": _number(game["slots"]),
        "histories": _number(game["histories"]),
        "zero_sum": game["zero_sum"] if isinstance(game["zero_sum"], bool) else None,
        "pot": _number(game["pot"]),
        **{name: final[name] for name in ("iteration", "nodes_touched", "nash_conv", "exploitability", "value")},
        "exploitability_percent": final["exploitability_percent"],
        "cce_distance": final["cce_distance"],
        "seconds": math.fsum(_number(spent) or 0 for spent in about["seconds"].values()),
        "solve_seconds": final["seconds"],
        "started": _text(info["started"]),
        "stopped": _text(about["stopped"]),
        "recorded": about["recording"] is not None,
        "streets": _number(about["streets"]),
        "spot": game["form"] == "cards" and game["pot"] is not None,
        "curve": known[:: max(1, math.ceil(len(known) / _MOST_POINTS))],
    }


def _spec(sampling: Any) -> str:
    """Return the scheme of a sampling, or its whole text where that is how it is stored."""
    return _text(sampling["scheme"]) if isinstance(sampling, dict) and "scheme" in sampling else str(sampling)[:80]


def _checkpoint(point: dict[str, Any]) -> dict[str, Any]:
    return {
        "iteration": _number(point["iteration"]),
        "nodes_touched": _number(point["nodes_touched"]),
        "seconds": _number(point["seconds"]),
        "value": [_number(value) for value in point["value"]],
        **{name: _number(point[name]) for name in _KNOWN},
    }


_KNOWN = ("nash_conv", "exploitability", "cce_distance", "exploitability_percent")


def _number(value: Any) -> Any:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)):
        return value
    raise TypeError("a number")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text")
    return value[:500]
