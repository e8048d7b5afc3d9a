"""The option --track: trackers by name, and what they have to say in one line each."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._util.text import visible

if TYPE_CHECKING:
    from ..solving.listeners import Listener

TrackOption = Annotated[
    list[str] | None,
    typer.Option(
        "--track",
        metavar="TRACKER",
        help="Tell an experiment tracker: tensorboard:FOLDER, mlflow (its local store) or mlflow:URI; may be repeated.",
    ),
]


@contextmanager
def tracked(names: Iterable[str] | None) -> Iterator[list[Listener]]:
    """Give the trackers of these names; what they warn of is told at the end, on standard error."""
    from ..track import TrackingWarning, find

    told: list[str] = []
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *others: Any, **more: Any) -> None:
        if issubclass(category, TrackingWarning):
            told.append(visible(" ".join(str(message).split())))
        else:
            shown(message, category, *others, **more)

    trackers = [find(name) for name in names or ()]
    with warnings.catch_warnings():
        warnings.simplefilter("always", TrackingWarning)
        warnings.showwarning = show
        try:
            yield [*trackers]
        finally:
            for line in told:
                typer.echo(f"Warning: {line}", err=True)
