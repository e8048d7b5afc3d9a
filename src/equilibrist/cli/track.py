"""The option --track: trackers by name, and their warnings as one line each."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from .._util.text import visible

if TYPE_CHECKING:
    from ..track.buffered import BufferedTracker


@contextmanager
def tracked(names: Iterable[str] | None) -> Iterator[list[BufferedTracker]]:
    """Give the trackers of these names; their warnings are printed at the end, on standard error."""
    from ..track import TrackingWarning, find

    lines: list[str] = []
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *others: Any, **more: Any) -> None:
        if issubclass(category, TrackingWarning):
            lines.append(visible(" ".join(str(message).split())))
        else:
            shown(message, category, *others, **more)

    trackers = [find(name) for name in names or ()]
    with warnings.catch_warnings():
        warnings.simplefilter("always", TrackingWarning)
        warnings.showwarning = show
        try:
            yield trackers
        finally:
            for line in lines:
                typer.echo(f"Warning: {line}", err=True)
