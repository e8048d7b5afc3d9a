"""The options --processes and --ray: where the runs of a batch or a comparison are carried out."""

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

RayOption = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Carry out runs on a Ray cluster: auto (this machine's), local (a new one), or HOST:PORT of its head.",
    ),
]


@contextmanager
def open_executor(processes: int, ray: str | None = None) -> Iterator[Executor | None]:
    """Give an executor of a Ray cluster, or of so many processes; None for one, which is this."""
    if ray is not None:
        from ..batches.ray_executor import RayExecutor

        with RayExecutor(ray) as executor:
            yield executor
        return
    if processes == 1:
        yield None
        return
    from ..batches.processes import Processes

    with Processes(processes) as executor:
        yield executor
