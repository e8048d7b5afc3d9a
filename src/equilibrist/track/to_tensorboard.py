"""Runs as TensorBoard event files, written with TensorBoard's own library; neither TensorFlow nor PyTorch is needed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SolutionError
from ..files import make_folder
from .careful import Careful, Picture, Status, need, scalars
from .following import About, Plain, TrackingError

if TYPE_CHECKING:
    from ..solution import Checkpoint, Solution

_CLOCK = "seconds"  # the chart by which a run is known again
_UNREADABLE = ("row", "fingerprint")  # of no use as a column of HParams


class TensorBoard(Careful):
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
        self._writer: Any = None
        self._earlier: dict[int, float] = {}  # when checkpoints before a resume would have been made without a break

    def _open(self, about: About) -> int:
        with self._told():
            old, last = next(self._found(about), (None, 0))
            place = old or _free(self.folder / about.name)
            from tensorboard.summary.writer.event_file_writer import EventFileWriter

            try:
                self._writer = EventFileWriter(str(make_folder(place)))
            except SolutionError as error:
                raise TrackingError(str(error)) from error
            began = time.time() - (about.earlier[-1].seconds if about.earlier else 0.0)
            self._earlier = {point.iteration: began + point.seconds for point in about.earlier}
            if old is None:
                self._describe(about, place.name)
            return last

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
        self._put("parameters", "\n".join(lines), create_summary_metadata("parameters", ""), step=0)
        chosen = {key: value for key, value in about.parameters.items() if value is not None and key not in _UNREADABLE}
        self._event(summary_v2.hparams_pb(chosen, trial_id=name))
        self._writer.flush()

    def _write(self, points: Sequence[Checkpoint]) -> None:
        from tensorboard.plugins.scalar.metadata import create_summary_metadata

        with self._told():
            for point in points:
                when = self._earlier.get(point.iteration, time.time())
                for name, number in scalars(point).items():
                    self._put(name, _single(number), create_summary_metadata(name, ""), step=point.iteration, when=when)
            self._writer.flush()

    def _keep(self, solution: Solution, drawn: Sequence[Picture]) -> None:
        from tensorboard.plugins.image.metadata import create_summary_metadata

        with self._told():
            for name, png, width, height in drawn:
                content = [str(width).encode(), str(height).encode(), png]
                self._put(f"pictures/{name}", content, create_summary_metadata(name, ""), step=solution.iterations)

    def _end(self, status: Status) -> None:
        """Close the file; the tab HParams shows how the run ended."""
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
            self._event(summary)
            self._writer.close()

    def _put(self, tag: str, content: Any, metadata: Any, *, step: int, when: float | None = None) -> None:
        """Write one value, text or picture."""
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.util.tensor_util import make_tensor_proto

        summary = Summary()
        summary.value.add(tag=tag, metadata=metadata, tensor=make_tensor_proto(content))
        self._event(summary, step=step, when=when)

    def _event(self, summary: Any, *, step: int = 0, when: float | None = None) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        self._writer.add_event(Event(summary=summary, step=step, wall_time=time.time() if when is None else when))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one sentence what went wrong in here."""
        try:
            yield
        except OSError as error:
            raise TrackingError(f"TensorBoard cannot write to {self.folder}: {error.strerror or error}.") from error


def _single(number: float) -> Any:
    """Return a number as TensorBoard keeps it."""
    import numpy as np

    return np.float32(number)


def _cell(value: Plain) -> str:
    """Return a value as it stands in a table of Markdown."""
    return str(value).replace("|", "\\|")


def _taken(place: Path) -> list[Path]:
    """Return which of ``place``, ``place-2``, ``place-3``, … are there, the oldest first."""
    found: list[Path] = []
    for number in count(1):
        each = place if number == 1 else place.with_name(f"{place.name}-{number}")
        if not each.exists():
            return found
        found.append(each)
    return found


def _free(place: Path) -> Path:
    """Return the first of ``place``, ``place-2``, ``place-3``, … that is not there."""
    number = 1 + len(_taken(place))
    return place if number == 1 else place.with_name(f"{place.name}-{number}")
