"""The option --processes: where the runs of a batch or a comparison are carried out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from concurrent.futures import Executor

ProcessesOption = Annotated[
    int,
    typer.Option("--processes", min=1, help="Carry out so many runs at a time, each in a process of its own."),
]


@contextmanager
def open_executor(processes: int) -> Iterator[Executor | None]:
    """Give an executor of so many processes; None for one, which is this."""
    if processes == 1:
        yield None
        return
    from ..batches.processes import Processes

    with Processes(processes) as executor:
        yield executor
