"""The served folder: runs by their ids, never a path outside; those that are open, and the catalogue of all."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._util.file_names import is_allowed_here, is_portable
from .._util.files import check_path, make_folder
from .._util.places import import_place
from ..runs.catalogue import CHECKPOINT, Catalogue
from ..runs.folders import (
    DEEPEST,
    folders_below,
    has_files_alone,
    id_of,
    is_file,
    path_of,
    run_folders,
)
from .respond import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request

    from ..form.compiled_game import CompiledGame
    from ..solving.solution import Solution

# as batches writes them
REPORT = "report.html"
STUDY = "study.json"
BOARDS = "boards.parquet"
PRIVATE = ".equilibrist"
"""The folder in the served one that is the server's: catalogue, deleted runs, uploads, histories of play."""
NEEDS_TRUST = (
    "A file of Python runs as a program: start the server with --trust-files to load your own."
)
_FIND_SUBJECT = "web.subject:find_subject"
_MOST_OPEN = 8
_LONGEST_NAME = 80  # bytes of a run's name that is given: a file system takes 255


class OpenRun:
    """A saved run that is loaded: solution, game and spot, each made when it is asked for.

    Hold ``lock`` while the spot or the game is walked: their caches are not made for several
    threads. ``cache`` has what was made of this state of the run and may be asked for again, as
    pictures.
    """

    def __init__(self, run_id: str, folder: Path, *, trust: frozenset[str]) -> None:
        from ..solving.load import load_solution

        self.run_id = run_id
        self.folder = folder
        self.trust = trust
        self.solution: Solution = load_solution(folder, trust=trust)
        self.lock = threading.RLock()
        self.cache: dict[Any, Any] = {}

    @cached_property
    def game_of_run(self) -> Any:
        """The game as pictures and reports take it."""
        from ..plot.inputs import GameOfRun

        return GameOfRun(self.solution, trust=self.trust)

    @property
    def game(self) -> Any:
        return self.game_of_run.rules

    @property
    def form(self) -> CompiledGame:
        form: CompiledGame | None = self.solution.strategy.form  # of a card game, which is large
        if form is not None:
            return form
        compiled: CompiledGame = self.game_of_run.form
        return compiled

    @cached_property
    def subject(self) -> Any:
        """What it is a run of, a :class:`~equilibrist.web.subject.RunSubject`; hold ``lock``."""
        return import_place(_FIND_SUBJECT)(self)


class Workspace:
    """A folder of runs that is served, made where it is not there.

    With ``trust_files`` files of Python may be loaded, which runs them, once each was asked for.
    """

    queue: Any  # the JobQueue, from the start of the server to its end
    listeners: Any  # the Listeners to its events
    compiling: Any  # the Compiling of its processes, and the CompilingWatch of this one
    compiling_watch: Any

    def __init__(self, folder: str | Path, *, workers: int = 1, trust_files: bool = False) -> None:
        self.folder = Path(os.path.realpath(make_folder(check_path(folder))))
        self.workers = workers
        self.trust_files = trust_files
        # The paths of those that were asked for since the start.
        self.trusted: frozenset[str] = frozenset()
        make_folder(self.folder / PRIVATE).chmod(0o700)
        self.catalogue = Catalogue(self.private / "catalogue.json")
        self._open: OrderedDict[str, tuple[tuple[int, int], OpenRun]] = OrderedDict()
        self._opening: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        # Their Results, under the lock.
        self.batches: OrderedDict[str, tuple[int, Any]] = OrderedDict()
        self.batches_lock = threading.Lock()

    @property
    def private(self) -> Path:
        """The server's own folder, made where it is not there: somebody may have removed it."""
        folder = self.folder / PRIVATE
        # What was played and uploaded here is nobody's business.
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def close(self) -> None:
        self._open.clear()
        self.catalogue.close()

    # --- Ids and folders ---

    def id_of(self, folder: Path) -> str:
        """Return the id of a run: its path in the served folder, with ~1 for "/" and ~0 for "~" (RFC 6901)."""
        return id_of(folder.relative_to(self.folder))

    def folder_of(self, run_id: str, *, there: bool = True, holds: str = CHECKPOINT) -> Path:
        """Return the folder of a run, or of what else ``holds`` such a file; ``there`` says whether it must exist."""
        parts = path_of(run_id).split("/")
        if not all(_is_name(part) for part in parts) or len(parts) > DEEPEST:
            raise RequestError(f"{run_id!r} is no name of a run.", field="run", status=404)
        folder = self.folder
        for part in parts:
            folder = folder / part
            if _is_link(folder):
                raise RequestError(
                    f"{run_id!r} is a link, which is not followed.", field="run", status=404
                )
        if there and not (folder / holds).is_file():
            kind_text = "run" if holds == CHECKPOINT else "report"
            raise RequestError(
                f"There is no {kind_text} {run_id!r} in this folder.", field="run", status=404
            )
        if there and not has_files_alone(folder):
            raise RequestError(
                f"The folder of {run_id!r} has links, pipes or devices in it, which are not "
                "followed.",
                status=404,
            )
        return folder

    def run_folders(self) -> Iterator[Path]:
        return run_folders(self.folder)

    def report_folders(self) -> Iterator[Path]:
        return (
            folder
            for folder, entries in folders_below(self.folder)
            if is_file(entries, REPORT) and (is_file(entries, BOARDS) or is_file(entries, STUDY))
        )

    def new_folder(self, name: str) -> Path:
        """Return a folder that is not there yet, for a new run of a name: ``kuhn``, ``kuhn-2``, …; it is made."""
        plain = "".join(
            char if char.isalnum() or char in "._-+" else "-" for char in name if char.isprintable()
        )
        short = plain.strip(".-_").encode()[:_LONGEST_NAME].decode(errors="ignore")
        plain = short.rstrip(".-_") or "run"
        if not is_portable(plain):  # the name of a device of Windows
            plain = f"run-{plain}"
        for number in range(1, 100_000):
            folder = self.folder / (plain if number == 1 else f"{plain}-{number}")
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            return folder
        raise RequestError(f"There are too many runs named {plain!r}.")

    # --- Files of Python ---

    def trust_file(self, path: str | Path) -> None:
        """Let a file of Python be run from now on, until the server ends."""
        if not self.trust_files:
            raise RequestError(NEEDS_TRUST, field="game")
        self.trusted |= {os.path.realpath(check_path(path))}

    # --- Open runs ---

    def run(self, run_id: str) -> OpenRun:
        """Return a run, loaded; the newest eight stay so, and one that is saved again is loaded again."""
        folder = self.folder_of(run_id)
        with self._lock:
            opening = self._opening.setdefault(run_id, threading.Lock())
        with opening:
            status = (folder / CHECKPOINT).stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            with self._lock:
                cached = self._open.get(run_id)
                if cached is not None and cached[0] == stamp and cached[1].trust == self.trusted:
                    self._open.move_to_end(run_id)
                    return cached[1]
            opened = OpenRun(run_id, folder, trust=self.trusted)
            with self._lock:
                self._open[run_id] = (stamp, opened)
                self._open.move_to_end(run_id)
                while len(self._open) > _MOST_OPEN:
                    oldest, _ = self._open.popitem(last=False)
                    self._opening.pop(oldest, None)
            return opened

    def row_of(self, run_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return what the library shows of a run, and its checkpoints; refuse a run that is not there."""
        row_and_trace = self.catalogue.find(run_id, self.folder_of(run_id))
        if row_and_trace is None:
            raise RequestError(
                f"There is no run {run_id!r} in this folder.", field="run", status=404
            )
        return row_and_trace

    def forget(self, run_id: str) -> None:
        with self._lock:
            self._open.pop(run_id, None)


def workspace_of(request: Request) -> Workspace:
    """Return the workspace that a request is about."""
    return request.app.state.workspace  # type: ignore[no-any-return]


def run_of(request: Request) -> OpenRun:
    """Return the run that a request is about, loaded."""
    return workspace_of(request).run(request.path_params["run"])


def _is_name(part: str) -> bool:
    """Return whether a text is a name within a folder, and none that is hidden."""
    return (
        len(part.encode(errors="replace")) <= 255
        and not part.startswith(".")
        and is_allowed_here(part)
    )


def _is_link(path: Path) -> bool:
    return path.is_symlink() or (hasattr(path, "is_junction") and path.is_junction())
