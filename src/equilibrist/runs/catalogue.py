"""Catalogue of runs: what the library shows of them. It holds nothing of its own: deleted, it is made again."""

from __future__ import annotations

import json
import math
import os
import re
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from .._util.files import read_bytes, write_atomically
from .._util.plain import refuse_constant
from .._util.spec import GAMBIT_FILES, split_place
from ..errors import SolutionError
from ..evaluation.gaps import find_gap
from ..form.traits import TRAITS
from ..solving.notes import NOTES, read_notes

_FORMAT = 8
CHECKPOINT = "checkpoint.npz"  # as solving.save.CHECKPOINT, which would import NumPy
_MOST_POINTS = 32  # of a curve that is drawn small
_SPOT = re.compile(
    r"(holdem|omaha)\(board='(\w{6,10})'.*?\bpot=([\d.]+), stack=([\d.]+)(.*)", re.DOTALL
)
_KINDS = {"holdem": "Hold'em", "omaha": "Omaha"}
_AFTER = re.compile(r", after='([^']*)'")
_MOST_TITLE = 500  # characters
_MOST_UNSAVED = 100  # runs that are read again after a server was killed


class _Entry(NamedTuple):
    """What is known of a run, and of which state of its checkpoint and its notes: time and size of both."""

    stamp: tuple[int, ...]
    row: dict[str, Any]
    trace: list[dict[str, Any]]


class Catalogue:
    """Index of run folders, in memory, and from one server to the next in a file.

    A file that is broken, or of another version, is made anew; where none can be written, as on a
    full disk, the runs are read again by the next server.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}
        self._unsaved = 0
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            data = json.loads(read_bytes(path))
            if data["format"] == _FORMAT:
                self._entries = {
                    run_id: _Entry(
                        tuple(map(int, stamp)), dict(row), [dict(point) for point in trace]
                    )
                    for run_id, (stamp, row, trace) in data["runs"].items()
                }

    def close(self) -> None:
        with self._lock:
            if self._unsaved:
                self._save()

    def rows(self, folders: Iterable[tuple[str, Path]]) -> list[dict[str, Any]]:
        """Return what the library shows of the runs in these folders, by id: only those that have changed are read."""
        folder_of_run = dict(folders)
        with self._lock:
            for run_id, folder in folder_of_run.items():
                self._refresh(run_id, folder)
            for run_id in self._entries.keys() - folder_of_run.keys():
                del self._entries[run_id]
            if self._unsaved >= _MOST_UNSAVED:
                self._save()
            return [entry.row for _, entry in sorted(self._entries.items())]

    def find(self, run_id: str, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """Return what the library shows of a run, and its checkpoints; None of a run that is not there."""
        with self._lock:
            self._refresh(run_id, folder)
            entry = self._entries.get(run_id)
        if entry is None:
            return None
        return entry.row, entry.trace

    def _refresh(self, run_id: str, folder: Path) -> None:
        try:
            stamp = _file_stamp(folder / CHECKPOINT)
        except OSError:  # gone since it was seen
            self._entries.pop(run_id, None)
            return
        with suppress(OSError):  # most runs have none
            stamp += _file_stamp(folder / NOTES)
        if run_id not in self._entries or self._entries[run_id].stamp != stamp:
            self._entries[run_id] = _Entry(stamp, *read_run(run_id, folder))
            self._unsaved += 1

    def _save(self) -> None:
        self._unsaved = 0
        with suppress(OSError, SolutionError):
            write_atomically(
                self._path, json.dumps({"format": _FORMAT, "runs": self._entries}).encode()
            )


def _file_stamp(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def read_run(run_id: str, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what the library shows of a run, and its checkpoints; of one that cannot be read, the reason.

    Only what the checkpoint says of itself is read: neither strategy nor state, and no game is
    compiled.
    """
    from .._util.archive import Archive

    path = folder / CHECKPOINT
    row: dict[str, Any] = {
        "id": run_id,
        "name": folder.name,
        "saved": None,
        "bytes": 0,
        "error": None,
    }
    notes = read_notes(folder)
    row |= {
        "note": notes.note,
        "tags": [*notes.tags],
        "decision_notes": [decision.text for decision in notes.decisions],
    }
    try:
        row["saved"] = path.stat().st_mtime
        row["bytes"] = sum(
            entry.stat(follow_symlinks=False).st_size for entry in os.scandir(folder)
        )
        with Archive(path) as archive:
            about = json.loads(archive.text("about"), parse_constant=refuse_constant)
        return row | _run_facts(about), [_checkpoint_row(point) for point in about["trace"]]
    except Exception as error:  # a broken file makes the readers of zip and JSON raise all sorts
        row["error"] = (
            f"{CHECKPOINT} is broken, or was not written by this version of Equilibrist "
            f"({type(error).__name__})."
        )
        return row, []


def _run_facts(about: dict[str, Any]) -> dict[str, Any]:
    info = about["info"]
    final = _checkpoint_row(about["final"])
    game = info["game"]
    config = info["config"]
    name = game["name"]
    definition = game["definition"]
    hole_cards = _count_hole_cards(game["form"], definition or name)
    points = [_checkpoint_row(point) for point in about["trace"]]
    gaps = [
        find_gap(point["measures"]["exploitability"], point["deviation_gains"])
        for point in points
        if "exploitability" in point["measures"]
    ]
    return {
        "run_id": _plain_text(info["run_id"]),
        "game": _plain_text(name),
        "title": game_title(name, definition),
        "algorithm": "exact" if config is None else _plain_text(config["algorithm"]["name"]),
        "sampling": "full" if config is None else _sampling_text(config["sampling"]),
        "form": _plain_text(game["form"]),
        **_distinguishing_facts(config),
        **{
            name: _plain_number(game[name])
            for name in ("players", "infosets", "slots", "histories", "pot")
        },
        "zero_sum": game["zero_sum"] if isinstance(game["zero_sum"], bool) else None,
        **final,
        "seconds": math.fsum(_plain_number(spent) or 0 for spent in about["seconds"].values()),
        "solve_seconds": final["seconds"],
        "started": _plain_text(info["started"]),
        "stop_reason": _plain_text(about["stop_reason"]),
        "recorded": about["recording"] is not None,
        "streets": _plain_number(about["streets"]),
        "spot": hole_cards is not None,
        "hole_cards": hole_cards,
        "curve": gaps[:: max(1, math.ceil(len(gaps) / _MOST_POINTS))],
    }


_HOLE_CARDS = {"holdem(": 2, "omaha(": 4}
"""How many cards a hand of a spot has, by how the text of the spot begins."""


def _count_hole_cards(form: Any, game: str) -> int | None:
    """Return how many cards a hand has in a run whose decisions can be looked at as those of a spot; else None."""
    if not _keeps_weights(form):
        return None
    return next((count for start, count in _HOLE_CARDS.items() if game.startswith(start)), None)


def _keeps_weights(form: Any) -> bool:
    """Return whether decisions of a run can be looked at, as those of card forms can."""
    traits = TRAITS.get(_plain_text(form))
    return traits is not None and traits.keeps_weights


def _distinguishing_facts(config: dict[str, Any] | None) -> dict[str, Any]:
    """Return what else tells a run from another of the same game and algorithm."""
    if config is None:
        return {"concept": "nash", "seed": None, "precision": None, "alternating": None}
    flag = config["algorithm"]["alternating"]
    return {
        "concept": str(config["concept"])[:80],
        "seed": _plain_number(config["seed"]),
        "precision": None if config["precision"] is None else _plain_text(config["precision"]),
        "alternating": flag if isinstance(flag, bool) else None,
    }


def _sampling_text(sampling: Any) -> str:
    """Return the scheme of a sampling, or its whole text where that is how it is stored."""
    if isinstance(sampling, dict) and "scheme" in sampling:
        return _plain_text(sampling["scheme"])
    return str(sampling)[:80]


def _checkpoint_row(point: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: _plain_number(point[name]) for name in ("iteration", "nodes_touched", "seconds")},
        "value": [_plain_number(value) for value in point["value"]],
        "deviation_gains": [_plain_number(gain) for gain in point["deviation_gains"]],
        "measures": _measure_row(point),
    }


def _measure_row(point: dict[str, Any]) -> dict[str, Any]:
    return {_plain_text(name): _plain_number(number) for name, number in point["measures"].items()}


def _plain_number(value: Any) -> Any:
    if value is None or (
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    ):
        return value
    raise TypeError("a number")


def _plain_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text")
    return value[:500]


def game_title(name: str, definition: str = "") -> str:
    """Return what lists call a game, whose name is a text that :func:`equilibrist.load` takes.

    ``definition`` is what the game calls itself where its name is another, as that of a file is:
    the title of a Gambit file.

    >>> game_title("kuhn(cards=4)")
    'kuhn(cards=4)'
    >>> game_title("/srv/uploads/poker.efg", "A poker game"), game_title("/srv/uploads/rules.py:Poker(ante=2)", "Poker")
    ('A poker game', 'rules.py:Poker(ante=2)')
    >>> game_title("spot.toml", "holdem(board='Kh9s4d7c', oop='AA', ip='KK', pot=100, stack=300, after='X-B50')")
    "Hold'em Kh9s4d 7c, pot 100, stacks 300, after X-B50"
    >>> game_title("spots/plo.toml", "omaha(board='Kh9s4d7c2h', oop='AAxx', ip='KKxx', pot=100, stack=250)")
    'Omaha Kh9s4d 7c 2h, pot 100, stacks 250'
    """
    spot = _SPOT.match(name) or _SPOT.match(definition)
    if spot:
        kind, board, pot, stack, other_settings = spot.groups()
        cards = " ".join(part for part in (board[:6], board[6:8], board[8:]) if part)
        title = "Short deck" if ", deck=" in other_settings else _KINDS[kind]
        line = _AFTER.search(other_settings)
        line_text = f", after {line[1]}" if line and line[1] else ""
        return f"{title} {cards}, pot {pot}, stacks {stack}{line_text}"[:_MOST_TITLE]
    place = split_place(name)
    if place is not None:
        return f"{PurePath(place.file).name}:{place.call}"[:_MOST_TITLE]
    if name.lower().endswith(GAMBIT_FILES):
        short_name = definition or PurePath(name).name
    else:
        short_name = name
    return short_name[:_MOST_TITLE]
