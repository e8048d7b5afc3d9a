"""Where the command prints: tables for people, or one JSON object for programs, with the progress beside it."""

from __future__ import annotations

import codecs
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.live import Live

from .._util.text import escape_controls
from .progress import Progress

_PATIENCE = 2.0  # seconds
_ENDLESS = 10_000  # characters of a line
_FALLBACK = "equilibrist.fallback"
_LOOKALIKES = {
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", " "),
    **dict(zip("–−…├└─│σαβγ·×√", "--.++-|sabg*xV", strict=True)),
}


def _replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace what a terminal's encoding lacks, one character by one."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(
        _LOOKALIKES.get(char, "?") for char in error.object[error.start : error.end]
    ), error.end


codecs.register_error(_FALLBACK, _replace_characters)


class Output:
    """Standard output of a command; progress goes to standard error when JSON is asked for."""

    def __init__(self, as_json: bool, *, verbose: bool = False) -> None:
        self.as_json = as_json
        self.verbose = verbose
        # What it says about its fonts is of no use here.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=_FALLBACK)
        # Names and paths are shown as they are: brackets and colons in them mean nothing.
        self.console = Console(stderr=as_json, markup=False, emoji=False)
        has_width = self.console.is_terminal or "COLUMNS" in os.environ
        self.width = self.console.width if has_width else None  # characters of a line
        if self.width is None:
            self.console.width = _ENDLESS  # a file or a pipe has room for everything
        self.progress: Progress | None = None

    @contextmanager
    def live(self, *, title: str, progress: Progress | None = None) -> Iterator[Progress]:
        """Show the stages and checkpoints of what happens inside."""
        self.progress = progress = progress or Progress(title, self.console)
        if self.console.is_terminal and not self.as_json:
            with Live(progress, console=self.console, refresh_per_second=12, transient=True):
                yield progress
            return
        # What rules print must not come before the one object; in a log it comes where it comes.
        with redirect_stdout(sys.stderr) if self.as_json else nullcontext():
            progress.patience = _PATIENCE
            try:
                yield progress
            finally:
                progress.timer.cancel()

    def show(self, *parts: RenderableType) -> None:
        """Print parts one after the other, as they are."""
        for part in parts:
            self.console.print(part, highlight=False)

    def emit(
        self, summary: Callable[[], Mapping[str, Any]], parts: Iterable[RenderableType]
    ) -> None:
        """Print a result: its summary as JSON, or its parts for people."""
        if self.as_json:
            print(json.dumps(summary()))
        else:
            self.show(*parts)

    def list_files(self, files: Sequence[Path], reasons: Mapping[str, str]) -> None:
        if self.as_json:
            print(json.dumps({"files": [str(path) for path in files], "skipped": dict(reasons)}))
            return
        for path in files:
            self.console.print(
                f"Wrote {escape_controls(str(path))}", highlight=False, soft_wrap=True
            )
        for part, reason in reasons.items():
            self.show(f"No {escape_controls(part.lower())}: {escape_controls(reason)}")
