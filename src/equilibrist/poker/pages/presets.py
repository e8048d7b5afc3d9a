"""Routes of what is kept to start from: ranges and settings of spots by name, and usual ranges of our own solutions."""

from __future__ import annotations

import inspect
import json
import os
import threading
import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from ..._util.files import SMALL, NotRegularError, read_bytes, write_atomically
from ..._util.moving import move_path
from ..._util.plain import refuse_constant
from ...errors import GameError
from ...web.answers import Answer
from ...web.respond import LOG, Fields, RequestError, answer, body, download, query
from ...web.workspace import Workspace, workspace_of
from ..cards.ranges import Range
from ..omaha.game import Omaha
from ..omaha.ranges import read_range as read_omaha_range
from ..spot.game import Holdem
from .answers import ImportedPresets, PresetName, Presets, SavedPreset, UsualRange

FILE = "presets.json"
BROKEN = f"{FILE}.broken"
"""The name under which a damaged file is kept."""
KINDS = ("range", "spot")
_MOST = 5_000
_LONGEST_NAME = 200
_LONGEST_TEXT = 100_000
_SETTINGS = frozenset(
    {"game", *inspect.signature(Holdem).parameters, *inspect.signature(Omaha).parameters}
)
_LOCK = threading.Lock()  # a request at a time reads, changes and writes the file

Entries = dict[tuple[str, str], dict[str, Any]]


def presets(request: Request) -> Answer[Presets]:
    """Return the saved ranges and spots by name, and the usual ranges: heads-up, of our own preflop solutions."""
    query(request).only()
    with _LOCK:
        entries, is_set_aside = _read_or_set_aside(workspace_of(request))
    lists: Any = _list_by_kind(entries)
    return answer(
        {
            "ranges": lists["ranges"],
            "spots": lists["spots"],
            "usual": usual_ranges(),
            "set_aside": BROKEN if is_set_aside else None,
        }
    )


def save(request: Request) -> Answer[SavedPreset]:
    """Save a range or the settings of a spot under a name, whose folders are separated by slashes.

    Fields: ``kind``, "range" or "spot"; ``name``; ``position``, such as BTN; ``text`` of a range,
    ``settings`` of a spot; ``hole_cards`` of a range, 4 for Omaha; ``replace``, false where
    nothing of the name may be there yet.
    """
    fields = body(request).only(
        "kind", "name", "position", "text", "settings", "hole_cards", "replace"
    )
    kind, entry = _read_entry(fields)
    with _LOCK:
        entries = _read_entries(workspace_of(request))
        if not fields.flag("replace", True):
            _check_free(entries, kind, entry["name"])
        entries[kind, entry["name"]] = entry
        _write_entries(workspace_of(request), entries)
    return answer(_name_kind(kind, entry))


def rename(request: Request) -> Answer[SavedPreset]:
    """Rename what is saved. Fields: ``kind``, ``name``, ``to``."""
    fields = body(request).only("kind", "name", "to")
    kind = fields.choice("kind", KINDS)
    name = fields.text("name")
    to = _clean_name(fields, "to")
    with _LOCK:
        entries = _read_entries(workspace_of(request))
        entry = _describe_entry(entries, kind, name)
        if to != name:
            _check_free(entries, kind, to, field="to")
        del entries[kind, name]
        entries[kind, to] = {**entry, "name": to}
        _write_entries(workspace_of(request), entries)
    return answer(_name_kind(kind, entries[kind, to]))


def delete(request: Request) -> Answer[SavedPreset]:
    """Delete what is saved, and return it, so that it can be saved again. Fields: ``kind``, ``name``."""
    fields = query(request).only("kind", "name")
    kind = fields.choice("kind", KINDS)
    name = fields.text("name")
    with _LOCK:
        entries = _read_entries(workspace_of(request))
        entry = _describe_entry(entries, kind, name)
        del entries[kind, name]
        _write_entries(workspace_of(request), entries)
    return answer(_name_kind(kind, entry))


def export(request: Request) -> Response:
    """Return all that is saved as a file of JSON, which :func:`import_file` reads."""
    query(request).only()
    text = json.dumps(_list_by_kind(_read_entries(workspace_of(request))), indent=1)
    return download(text.encode(), "equilibrist-ranges.json", "application/json")


def import_file(request: Request) -> Answer[ImportedPresets]:
    """Save what is in a file: one of :func:`export`, or a range, in any dialect, under the name of the file.

    Fields: ``text``, and ``name`` of the file. What has a name that is there already replaces it.
    """
    fields = body(request).only("name", "text")
    text = fields.text("text", longest=4_000_000)
    rows = _read_export(text)
    if rows is None:
        name = fields.text("name", longest=_LONGEST_NAME)
        stem = name.rpartition("/")[0] + "/" * ("/" in name) + Path(name).stem
        rows = [("range", {"name": stem, "text": text})]
    new_entries = [_read_entry(Fields({"kind": kind, **row})) for kind, row in rows]
    with _LOCK:
        entries = _read_entries(workspace_of(request))
        entries.update({(kind, entry["name"]): entry for kind, entry in new_entries})
        _write_entries(workspace_of(request), entries)
    added = [cast(PresetName, {"kind": kind, "name": entry["name"]}) for kind, entry in new_entries]
    return answer({"added": added})


@cache
def usual_ranges() -> list[UsualRange]:
    """Return ranges to start from, as ``python -m benchmarks.usual_ranges`` makes them: name, position, text, game."""
    rows: list[UsualRange] = json.loads(
        files("equilibrist.poker.spot").joinpath("usual_ranges.json").read_bytes()
    )
    return [{**row, "combos": Range(row["text"]).combos} for row in rows]


def _read_export(text: str) -> list[tuple[str, dict[str, Any]]] | None:
    """Return what a file of :func:`export` has, by kind; None where the text is none."""
    try:
        data = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not data or not set(data) <= {f"{kind}s" for kind in KINDS}:
        return None
    entries = [
        (kind, row) for kind in KINDS for row in Fields(data).list(f"{kind}s", [], most=_MOST)
    ]
    for kind, row in entries:
        if not isinstance(row, dict):
            raise RequestError(f"A {kind} in the file is no object: {row!r:.50}.", field="text")
    return [
        (kind, {part: row[part] for part in (*_name_parts(kind), "hole_cards") if part in row})
        for kind, row in entries
    ]


def _name_parts(kind: str) -> tuple[str, ...]:
    return "name", "position", "text" if kind == "range" else "settings"


def _read_entry(fields: Fields) -> tuple[str, dict[str, Any]]:
    """Return the kind of what is to be saved, and it, checked."""
    kind = fields.choice("kind", KINDS)
    entry: dict[str, Any] = {
        "name": _clean_name(fields, "name"),
        "position": fields.text("position", "", longest=20).strip(),
    }
    if kind == "spot":
        settings = fields.table("settings")
        unknown = sorted(set(settings) - _SETTINGS)
        if unknown or len(json.dumps(settings)) > _LONGEST_TEXT:
            if unknown:
                problem = f"have no {unknown[0]!r}"
            else:
                problem = f"are at most {_LONGEST_TEXT:,} characters"
            raise RequestError(f"The settings of a spot {problem}.", field="settings")
        return kind, {**entry, "settings": settings}
    text = fields.text("text", longest=_LONGEST_TEXT).strip()
    hole_cards = fields.whole("hole_cards", Holdem.hole_cards)
    if hole_cards not in (Holdem.hole_cards, Omaha.hole_cards):
        raise RequestError(
            f"hole_cards: a hand has {Holdem.hole_cards} or {Omaha.hole_cards} cards; got {hole_cards}.",
            field="hole_cards",
        )
    try:
        with warnings.catch_warnings(action="ignore"):
            combos = _count_combos(text, hole_cards)
    except GameError as error:
        raise RequestError(f"{entry['name']}: {error}", field="text", span=error.span) from error
    if hole_cards != Holdem.hole_cards:
        entry["hole_cards"] = hole_cards
    return kind, {**entry, "text": text, "combos": combos}


def _count_combos(text: str, hole_cards: int) -> float:
    """Return how many hands of two or four cards a range has, each counted by its weight."""
    if hole_cards == Omaha.hole_cards:
        return read_omaha_range(text).combos
    return Range(text).combos


def _clean_name(fields: Fields, field: str) -> str:
    """Return a name, blanks around its parts left out."""
    name = "/".join(part.strip() for part in fields.text(field, longest=_LONGEST_NAME).split("/"))
    if not name.isprintable() or not all(name.split("/")):
        raise RequestError(
            f"{name!r} is no name: write it, or folders and it as in 'BTN vs BB/call'.", field=field
        )
    return name


def _name_kind(kind: str, entry: Mapping[str, Any]) -> SavedPreset:
    """Return what is saved under a name, with its kind; :func:`_read_entry` has checked both."""
    return cast(SavedPreset, {"kind": kind, **entry})


def _describe_entry(entries: Entries, kind: str, name: str) -> dict[str, Any]:
    if (kind, name) not in entries:
        raise RequestError(f"No {kind} {name!r} is saved.", field="name", status=404)
    return entries[kind, name]


def _check_free(entries: Entries, kind: str, name: str, *, field: str = "name") -> None:
    if (kind, name) in entries:
        raise RequestError(
            f"A {kind} {name!r} is saved already: give another name.", field=field, status=409
        )


def _list_by_kind(entries: Entries) -> dict[str, list[dict[str, Any]]]:
    return {
        f"{kind}s": [entries[key] for key in sorted(entries) if key[0] == kind] for kind in KINDS
    }


def _read_entries(workspace: Workspace) -> Entries:
    """Return what is saved, by kind and name; a file that is damaged is set aside, and nothing is saved then."""
    return _read_or_set_aside(workspace)[0]


def _read_or_set_aside(workspace: Workspace) -> tuple[Entries, bool]:
    """Return what is saved, and whether the file was damaged and is now :data:`BROKEN` beside it."""
    path = workspace.private / FILE
    if not os.path.lexists(path):
        return {}, False
    try:
        if path.is_symlink():  # what it leads to is none of ours
            raise ValueError("a link")
        data = json.loads(read_bytes(path, most=SMALL), parse_constant=refuse_constant)
        entries = {(kind, str(row["name"])): row for kind in KINDS for row in data[f"{kind}s"]}
        if all({*_name_parts(kind)} <= row.keys() for (kind, _), row in entries.items()):
            return entries, False
    except (
        NotRegularError,
        IsADirectoryError,
        ValueError,
        RecursionError,
        TypeError,
        KeyError,
        AttributeError,
    ):
        pass
    with suppress(FileNotFoundError):  # another request has done it
        move_path(path, path.with_name(BROKEN))
        LOG.warning(
            "The file of saved ranges, .equilibrist/%s, was damaged: it is .equilibrist/%s now.",
            FILE,
            BROKEN,
        )
    return {}, True


def _write_entries(workspace: Workspace, entries: Entries) -> None:
    if len(entries) > _MOST:
        raise RequestError(
            f"At most {_MOST:,} ranges and spots are saved; delete some.", status=422
        )
    write_atomically(workspace.private / FILE, json.dumps(_list_by_kind(entries)).encode())
