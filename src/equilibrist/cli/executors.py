"""Where the runs of a batch or a comparison are carried out, as --processes and --ray say."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


def open_executor(processes: int, ray: str | None = None) -> AbstractContextManager[Executor | None]:
    """Return an executor of a Ray cluster, or of so many processes; None for one, which is this."""
    if ray is not None:
        from ..batches.ray_executor import RayExecutor

        return RayExecutor(ray)
    if processes == 1:
        return nullcontext()
    from ..batches.processes import Processes

    return Processes(processes)
