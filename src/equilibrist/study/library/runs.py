"""Routes of saved runs: the library, notes and tags, renaming, deleting and restoring, comparing."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request

from ..._util.files import lock_folder
from ..._util.moving import move_path
from ...errors import SolutionError
from ...runs.catalogue import CHECKPOINT
from ...runs.folders import id_of, path_of
from ...runs.search import read_search
from ...solving.notes import LONGEST_NOTE, Notes, change_notes, make_notes
from ...web.answers import Answer, Empty, Id
from ...web.respond import Fields, RequestError, answer, body, query
from ...web.workspace import Workspace, workspace_of
from ..answers import (
    BrokenLibraryRun,
    BrokenTracedRun,
    ChangedRun,
    ComparedRuns,
    DeletedRun,
    DeletedRuns,
    Library,
    LibraryRun,
    PutAway,
    TracedRun,
)
from .batches import RESULTS, RUNS

_KEPT = 7 * 86_400  # seconds that a deleted run can be restored
_MOST_COMPARED = 12


def library(request: Request) -> Answer[Library]:
    """Return all runs of the folder, those that came or changed from outside included; those of a ``search`` alone."""
    workspace = workspace_of(request)
    finds = read_search(query(request).only("search").text("search", "", longest=500))
    folders = [(workspace.id_of(folder), folder) for folder in workspace.run_folders()]
    return answer(
        {
            "folder": str(workspace.folder),
            "trust_files": workspace.trust_files,
            "workers": workspace.workers,
            "runs": [row for row in _mark_rows(workspace, folders) if finds(row)],
            "deleted": [deleted["name"] for deleted in _list_deleted(workspace)],
        }
    )


def _mark_rows(
    workspace: Workspace, folders: list[tuple[str, Path]]
) -> list[LibraryRun | BrokenLibraryRun]:
    """Return the rows of runs; ``batch`` is the id of the batch that a run is one of."""
    folder_around = {
        run_id: folder.parent.parent for run_id, folder in folders if folder.parent.name == RUNS
    }
    batches = {folder for folder in set(folder_around.values()) if (folder / RESULTS).is_file()}
    rows = []
    for row in workspace.catalogue.rows(folders):
        folder_of_batch = folder_around.get(row["id"])
        batch = None
        if folder_of_batch is not None and folder_of_batch in batches:
            batch = workspace.id_of(folder_of_batch)
        rows.append(cast(LibraryRun | BrokenLibraryRun, {**row, "batch": batch}))
    return rows


def run(request: Request) -> Answer[TracedRun | BrokenTracedRun]:
    """Return what is known of a run: the row of the library and its checkpoints."""
    return answer(_add_trace(workspace_of(request), request.path_params["run"]))


def _add_trace(workspace: Workspace, run_id: str) -> TracedRun | BrokenTracedRun:
    row, trace = workspace.row_of(run_id)
    return cast(TracedRun | BrokenTracedRun, {**row, "trace": trace})


def change(request: Request) -> Answer[ChangedRun]:
    """Give the folder of a run another ``name``, or the run another ``note`` and ``tags``, also while it is solved."""
    workspace = workspace_of(request)
    run_id = request.path_params["run"]
    fields = body(request).only("name", "note", "tags")
    if "note" not in fields and "tags" not in fields:
        return _rename(workspace, run_id, fields.text("name", longest=120).strip())
    if "name" in fields:
        raise RequestError("Rename a run, or change its notes: one at a time.", field="name")
    folder = workspace.folder_of(run_id)
    notes = change_notes(folder, lambda old: read_request_notes(fields, old))
    return answer({"id": run_id, "note": notes.note, "tags": list(notes.tags)})


def read_request_notes(fields: Fields, old: Notes) -> Notes:
    """Return the notes of a request: ``note``, and ``tags`` as a list or separated by commas; the old ones else."""
    tags: Any = fields.any("tags", old.tags)
    tags = tags.split(",") if isinstance(tags, str) else tags
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, str) for tag in tags):
        raise RequestError(
            "tags must be a list of texts, or a text with commas between them.", field="tags"
        )
    text = fields.text("note", old.note, longest=LONGEST_NOTE)
    return make_notes(text, tags, old.decisions)


def _rename(workspace: Workspace, run_id: str, name: str) -> Answer[ChangedRun]:
    folder = workspace.folder_of(run_id)
    if name and not set(name) & set("/\0"):
        new_id = workspace.id_of(folder.with_name(name))
    else:
        new_id = ""
    try:
        target = workspace.folder_of(new_id, there=False)
    except RequestError:
        raise RequestError(
            f"A run is named as a folder is: no slash, and no dot before it; got {name!r}.",
            field="name",
        ) from None
    if target != folder:
        if os.path.lexists(target):
            raise RequestError(f"There is a {name!r} already: choose another name.", field="name")
        with _lock_run(folder):
            _move(folder, target)
        workspace.forget(run_id)
    return answer({"id": new_id})


def delete(request: Request) -> Answer[PutAway]:
    """Put a run away; for a week it can be restored."""
    workspace = workspace_of(request)
    run_id = request.path_params["run"]
    folder = workspace.folder_of(run_id)
    bin_folder = workspace.private / "deleted" / secrets.token_hex(8)
    # Which says where it was: on a full disk no file can be written.
    place = bin_folder / path_of(run_id)
    place.parent.mkdir(parents=True)
    try:
        with _lock_run(folder):
            _move(folder, place)
    except RequestError:
        shutil.rmtree(bin_folder)
        raise
    workspace.forget(run_id)
    return answer({"deleted": bin_folder.name, "id": run_id, "path": path_of(run_id)})


def restore(request: Request) -> Answer[Id]:
    """Put a deleted run back where it was."""
    workspace = workspace_of(request)
    matches = [
        deleted
        for deleted in _list_deleted(workspace)
        if deleted["name"] == request.path_params["deleted"]
    ]
    if not matches:
        raise RequestError("This run cannot be restored any more.", status=404)
    bin_folder = workspace.private / "deleted" / matches[0]["name"]
    run_id = matches[0]["id"]
    target = workspace.folder_of(run_id, there=False)
    if os.path.lexists(target):
        raise RequestError(f"There is another {target.name!r} by now: rename or delete that first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    _move(bin_folder / path_of(run_id), target)
    shutil.rmtree(bin_folder)
    return answer({"id": run_id})


def deleted(request: Request) -> Answer[DeletedRuns]:
    """Return the runs that can be restored, the last one first."""
    return answer({"deleted": _list_deleted(workspace_of(request))})


def empty(request: Request) -> Answer[Empty]:
    """Remove the deleted runs for good."""
    shutil.rmtree(workspace_of(request).private / "deleted", ignore_errors=True)
    return answer({})


def compare(request: Request) -> Answer[ComparedRuns]:
    """Return several runs with their checkpoints, to be drawn on the same axes."""
    workspace = workspace_of(request)
    ids = request.query_params.getlist("run")
    if not 1 <= len(ids) <= _MOST_COMPARED:
        raise RequestError(
            f"From 1 to {_MOST_COMPARED} runs are compared; got {len(ids)}.", field="run"
        )
    return answer({"runs": [_add_trace(workspace, run_id) for run_id in dict.fromkeys(ids)]})


def clear_deleted(workspace: Workspace) -> None:
    """Remove the runs for good that were deleted more than a week ago."""
    for deleted in _list_deleted(workspace):
        if deleted["when"] < time.time() - _KEPT:
            shutil.rmtree(workspace.private / "deleted" / deleted["name"], ignore_errors=True)


def _list_deleted(workspace: Workspace) -> list[DeletedRun]:
    rows: list[DeletedRun] = []
    for bin_folder in (workspace.private / "deleted").glob("*"):
        try:
            folder = next(bin_folder.rglob(CHECKPOINT)).parent
            size = sum(file.stat().st_size for file in folder.iterdir())
            deleted_at = bin_folder.stat().st_mtime
        except (OSError, StopIteration):
            continue
        run_id = id_of(folder.relative_to(bin_folder))
        rows.append(
            {
                "name": bin_folder.name,
                "id": run_id,
                "path": path_of(run_id),
                "bytes": size,
                "when": deleted_at,
            }
        )
    return sorted(rows, key=lambda row: -row["when"])


@contextmanager
def _lock_run(folder: Path) -> Iterator[None]:
    """Keep other processes from saving to a run meanwhile."""
    try:
        with lock_folder(folder):
            yield
    except SolutionError as error:
        raise RequestError(
            f"{folder.name} is being solved: stop it first." if error.wrong_use else str(error)
        ) from None


def _move(folder: Path, target: Path) -> None:
    try:
        move_path(folder, target)
    except OSError as error:
        raise RequestError(
            f"{folder.name} cannot be moved: {error.strerror}.", status=422
        ) from None
