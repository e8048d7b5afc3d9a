"""Runs as TensorBoard event files, written with TensorBoard's own library; neither TensorFlow nor PyTorch is needed."""

from __future__ import annotations

import io
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._util.files import make_folder
from ..errors import SolutionError
from ..solving.listeners import About, Plain, TrackingError
from .buffered import BufferedTracker, Picture, Status, need, scalars

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from ..solving.trace import Checkpoint

_CLOCK = "seconds"  # the chart by which a run is known again
_UNREADABLE = ("row", "fingerprint")  # of no use as a column of HParams
_NUMBERS = count()  # of the event files that this process makes


class TensorBoard(BufferedTracker):
    """A tracker that writes event files for TensorBoard, a subfolder for each run.

    Scalars by iteration, parameters as text and on the tab HParams, pictures at the end. ``tensorboard --logdir
    FOLDER`` shows all runs in one place. A resumed run goes on in its own subfolder; any other gets a new one.

    Parameters
    ----------
    folder : path
        Where the runs are kept; made where it is not there.

    Raises
    ------
    TrackingError
        TensorBoard is not installed.

    Examples
    --------
    >>> import equilibrist as eq, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     solution = eq.solve("kuhn", iterations=100, on_checkpoint=eq.track.TensorBoard(folder))  # doctest: +SKIP
    """

    def __init__(self, folder: str | Path) -> None:
        super().__init__()
        need("tensorboard")
        self.folder = Path(folder)
        self._file: _EventFile
        self._earlier: dict[int, float] = {}  # when checkpoints before a resume would have been made without a break

    def _open(self, about: About) -> int:
        with self._told():
            old, last = next(self._found(about), (None, 0))
            place = old or _made(self._there() / about.name)
            self._file = _EventFile(place)
            self._file.begin()
            began = time.time() - (about.earlier[-1].seconds if about.earlier else 0.0)
            self._earlier = {point.iteration: began + point.seconds for point in about.earlier}
            if old is None:
                self._describe(about, place.name)
            return last

    def _there(self) -> Path:
        """Return the folder of all runs, made if it was not there."""
        try:
            return make_folder(self.folder)
        except SolutionError as error:
            raise TrackingError(str(error)) from error

    def _found(self, about: About) -> Iterator[tuple[Path, int]]:
        """Find the subfolder of the run that goes on, newest first, with the last iteration in it."""
        if not about.earlier:
            return
        from tensorboard.backend.event_processing.event_accumulator import TENSORS, EventAccumulator
        from tensorboard.util.tensor_util import make_ndarray

        for place in reversed(_taken(self.folder / about.name)):
            events = EventAccumulator(str(place), size_guidance={TENSORS: 0}).Reload()
            if _CLOCK in events.Tags()["tensors"]:
                points = sorted(events.Tensors(_CLOCK), key=lambda point: point.step)
                first, began = points[0], about.earlier[0]
                same = make_ndarray(first.tensor_proto).item() == _single(began.seconds)
                if first.step == began.iteration and same:
                    yield place, int(points[-1].step)

    def _describe(self, about: About, name: str) -> None:
        """Write the parameters, as text and for the tab HParams."""
        from tensorboard.plugins.hparams import summary_v2
        from tensorboard.plugins.text.metadata import create_summary_metadata

        facts = {**about.parameters, **{f"{what} version": number for what, number in about.versions.items()}}
        lines = ["| parameter | value |", "| --- | --- |"]
        lines += [f"| {name} | {_cell(value)} |" for name, value in facts.items() if value is not None]
        table = _event(_summary("parameters", "\n".join(lines), create_summary_metadata("parameters", "")))
        chosen = {key: value for key, value in about.parameters.items() if value is not None and key not in _UNREADABLE}
        self._file.add([table, _event(summary_v2.hparams_pb(chosen, trial_id=name))])

    def _write(self, points: Sequence[Checkpoint]) -> None:
        from tensorboard.plugins.scalar.metadata import create_summary_metadata

        events = [
            _event(
                _summary(name, _single(number), create_summary_metadata(name, "")),
                step=point.iteration,
                when=self._earlier.get(point.iteration),
            )
            for point in points
            for name, number in scalars(point).items()
        ]
        with self._told():
            self._file.add(events)

    def _keep(self, solution: Solution, drawn: Sequence[Picture]) -> None:
        from tensorboard.plugins.image.metadata import create_summary_metadata

        events = [
            _event(
                _summary(
                    f"pictures/{name}",
                    [str(width).encode(), str(height).encode(), png],
                    create_summary_metadata(name, ""),
                ),
                step=solution.iterations,
            )
            for name, png, width, height in drawn
        ]
        with self._told():
            self._file.add(events)

    def _end(self, status: Status) -> None:
        """Let the tab HParams show how the run ended."""
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.plugins.hparams import api_pb2, metadata
        from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionEndInfo

        name = "STATUS_FAILURE" if status == "FAILED" else "STATUS_SUCCESS"
        end = SessionEndInfo(status=api_pb2.Status.Value(name), end_time_secs=time.time())
        summary = Summary()
        summary.value.add(
            tag=metadata.SESSION_END_INFO_TAG,
            metadata=metadata.create_summary_metadata(HParamsPluginData(session_end_info=end)),
            tensor=metadata.NULL_TENSOR,
        )
        with self._told():
            self._file.add([_event(summary)])

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one sentence what went wrong in here."""
        try:
            yield
        except OSError as error:
            raise TrackingError(f"TensorBoard cannot write to {self.folder}: {error.strerror or error}.") from error


class _EventFile:
    """An event file, to which events are appended at once: all that are given, or none.

    TensorBoard's own ``EventFileWriter`` leaves the writing to a thread of its own, where a full disk ends in a
    traceback on the terminal and not in an error here.
    """

    def __init__(self, folder: Path) -> None:
        host, process = platform.node(), os.getpid()
        self._path = folder / f"events.out.tfevents.{int(time.time()):010d}.{host}.{process}.{next(_NUMBERS)}"

    def begin(self) -> None:
        """Write what tells readers the kind of file.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        from tensorboard.compat.proto.event_pb2 import Event

        self.add([Event(wall_time=time.time(), file_version="brain.Event:2")])

    def add(self, events: Iterable[Any]) -> None:
        """Append events.

        Raises
        ------
        OSError
            They cannot be written; the file is left as it was.
        """
        from tensorboard.summary.writer.record_writer import RecordWriter

        content = io.BytesIO()
        records = RecordWriter(content)
        for event in events:
            records.write(event.SerializeToString())
        size = self._path.stat().st_size if self._path.exists() else 0
        try:
            with self._path.open("ab") as file:
                file.write(content.getvalue())
        except OSError:
            with suppress(OSError):
                os.truncate(self._path, size)  # half a record would hide all that comes after it
            raise


def _summary(tag: str, content: Any, metadata: Any) -> Any:
    """Return one value, text or picture, as TensorBoard takes it."""
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.util.tensor_util import make_tensor_proto

    summary = Summary()
    summary.value.add(tag=tag, metadata=metadata, tensor=make_tensor_proto(content))
    return summary


def _event(summary: Any, *, step: int = 0, when: float | None = None) -> Any:
    """Return an event of now, or of another time."""
    from tensorboard.compat.proto.event_pb2 import Event

    return Event(summary=summary, step=step, wall_time=time.time() if when is None else when)


def _single(number: float) -> Any:
    """Return a number as TensorBoard keeps it."""
    import numpy as np

    return np.float32(number)


def _cell(value: Plain) -> str:
    """Return a value as it stands in a table of Markdown."""
    return str(value).replace("|", "\\|")


def _places(place: Path) -> Iterator[Path]:
    """Iterate over ``place``, ``place-2``, ``place-3`` and so on."""
    yield place
    for number in count(2):
        yield place.with_name(f"{place.name}-{number}")


def _taken(place: Path) -> list[Path]:
    """Return which of ``place``, ``place-2``, ``place-3``, … are there, the oldest first."""
    return list(takewhile(Path.exists, _places(place)))


def _made(place: Path) -> Path:
    """Make the first of ``place``, ``place-2``, ``place-3``, … that is not there, and return it.

    Another process may be doing the same: a folder belongs to whoever makes it.
    """
    places = _places(place)
    while True:
        each = next(places)
        with suppress(FileExistsError):
            each.mkdir()
            return each
