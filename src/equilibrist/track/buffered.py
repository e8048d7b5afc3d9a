"""What the ready trackers have in common: they are careful with the run that they follow, and with its numbers."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from .._util.text import install_command
from ..errors import EquilibristError
from ..solving.callbacks import About, TrackingError

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from ..solving.trace import Checkpoint

_DPI = 100

Status: TypeAlias = Literal["FINISHED", "KILLED", "FAILED"]
"""How a run ended: by itself, by the user's will, or without a result."""


class Picture(NamedTuple):
    """A picture of a solution.

    Attributes
    ----------
    name : str
    png : bytes
    width : int
        Pixels.
    height : int
    """

    name: str
    png: bytes
    width: int
    height: int


class BufferedTracker(ABC):
    """A tracker that can stop a run only before its first iteration.

    Checkpoints that cannot be written wait for the next one, and for the end; only what is still
    unwritten then is worth a warning.
    """

    def __init__(self) -> None:
        self._unwritten: list[Checkpoint] = []
        self._last = 0  # the newest iteration that is written or waits

    def on_start(self, about: About) -> None:
        """Open a run, or open again the one that goes on, and write the checkpoints that it lacks."""
        self._last = self._open(about)
        self._unwritten = []
        self._add(*about.earlier)

    def on_checkpoint(self, point: Checkpoint) -> None:
        """Write a checkpoint, now or, where that fails, together with the next one."""
        self._add(point)

    def on_end(self, solution: Solution) -> None:
        """Write what waits, pictures and files, and close the run."""
        try:
            self._write_points()
            self._write_result(solution, list(draw_pictures(solution)))
        finally:
            self._end("KILLED" if solution.stop_reason == "interrupt" else "FINISHED")

    def on_error(self, error: BaseException) -> None:
        """Close the run as one that failed."""
        try:
            self._write_points()
        finally:
            self._end("KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED")

    def _add(self, *points: Checkpoint) -> None:
        """Write checkpoints that were not there before a resume, or let them wait."""
        for point in points:
            if point.iteration > self._last:
                self._unwritten.append(point)
                self._last = point.iteration
        with suppress(TrackingError):  # the end tells if it still cannot be reached then
            self._write_points()

    def _write_points(self) -> None:
        """Write the checkpoints that are not written yet."""
        if self._unwritten:
            self._write(self._unwritten)
            self._unwritten = []

    @abstractmethod
    def _open(self, about: About) -> int:
        """Open a run; return the last iteration that it holds already, or 0. Like all of these, raise TrackingError."""

    @abstractmethod
    def _write(self, points: Sequence[Checkpoint]) -> None:
        """Write checkpoints."""

    @abstractmethod
    def _write_result(self, solution: Solution, pictures: Sequence[Picture]) -> None:
        """Write the result."""

    @abstractmethod
    def _end(self, status: Status) -> None:
        """Close the run."""


def check_library(library: str) -> None:
    """Refuse a tracker whose library is not there, before any work is done for it."""
    if find_spec(library) is None:
        raise TrackingError(
            f"{library} is not installed: {install_command(library)}.", wrong_use=True
        )


def chart_values(point: Checkpoint) -> dict[str, float]:
    """Return the numbers of a checkpoint by the names of their charts; what is unknown is left out."""
    numbers = {
        **point.named_measures,
        "nodes_touched": point.nodes_touched,
        "seconds": point.seconds,
        **{f"value/player_{player}": value for player, value in enumerate(point.value)},
        **{f"gain/player_{player}": gain for player, gain in enumerate(point.deviation_gains)},
    }
    return {name: float(number) for name, number in numbers.items()}


def draw_pictures(solution: Solution) -> Iterator[Picture]:
    """Return the pictures of a solution; one that makes no sense for it is left out."""
    from .. import plot

    for name, draw in (("convergence", plot.convergence), ("strategy", plot.strategy)):
        try:
            figure = draw(solution)
        except EquilibristError:
            continue
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=_DPI)
        png = file.getvalue()
        # As PNG's header tells.
        yield Picture(name, png, int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))
