"""Runs as TensorBoard event files, written with TensorBoard's own library; neither TensorFlow nor PyTorch is needed."""

from __future__ import annotations

import io
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._util.files import make_folder
from ..errors import SolutionError
from ..solving.callbacks import About, TrackingError
from .buffered import BufferedTracker, Picture, Status, chart_values, check_library

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from ..solving.trace import Checkpoint

_CLOCK = "seconds"  # a chart that every run has
_UNREADABLE = ("run_id", "fingerprint")  # of no use as a column of HParams
_NUMBERS = count()  # of the event files that this process makes


class TensorBoard(BufferedTracker):
    """A tracker that writes event files for TensorBoard, a subfolder for each run.

    Scalars by iteration, parameters as text and on the tab HParams, pictures at the end.
    ``tensorboard --logdir FOLDER`` shows all runs in one place. The name of a subfolder ends in the
    run id, by which a resumed run goes on in its own.

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
    ...     solution = eq.solve("kuhn", iterations=100, callbacks=eq.track.TensorBoard(folder))  # doctest: +SKIP
    """

    def __init__(self, folder: str | Path) -> None:
        super().__init__()
        check_library("tensorboard")
        self.folder = Path(folder)
        self._file: _EventFile
        # When checkpoints before a resume would have been made without a break.
        self._time_of_iteration: dict[int, float] = {}

    def _open(self, about: About) -> int:
        with self._one_sentence():
            run_folder = make_folder(self.folder) / f"{about.name}-{about.run_id[:8]}"
            is_there = run_folder.is_dir()
            run_folder.mkdir(exist_ok=True)
            last_iteration = _last_step(run_folder) if is_there else 0
            self._file = _EventFile(run_folder)
            start = time.time() - (about.earlier[-1].seconds if about.earlier else 0.0)
            self._time_of_iteration = {
                point.iteration: start + point.seconds for point in about.earlier
            }
            if not is_there:
                self._describe(about, run_folder.name)
            return last_iteration

    def _describe(self, about: About, name: str) -> None:
        """Write the parameters, as text and for the tab HParams."""
        from tensorboard.plugins.hparams.summary_v2 import hparams_pb
        from tensorboard.plugins.text.summary_v2 import text_pb

        facts = {
            **about.parameters,
            **{f"{library} version": number for library, number in about.versions.items()},
        }
        lines = ["| parameter | value |", "| --- | --- |"]
        cells = {
            name: str(value).replace("|", "\\|")
            for name, value in facts.items()
            if value is not None
        }
        lines += [f"| {name} | {cell} |" for name, cell in cells.items()]
        parameters = {
            key: value
            for key, value in about.parameters.items()
            if value is not None and key not in _UNREADABLE
        }
        self._file.add(
            [
                _make_event(text_pb("parameters", "\n".join(lines))),
                _make_event(hparams_pb(parameters, trial_id=name)),
            ]
        )

    def _write(self, points: Sequence[Checkpoint]) -> None:
        from tensorboard.plugins.scalar.summary_v2 import scalar_pb

        events = [
            _make_event(
                scalar_pb(name, number),
                step=point.iteration,
                wall_time=self._time_of_iteration.get(point.iteration),
            )
            for point in points
            for name, number in chart_values(point).items()
        ]
        with self._one_sentence():
            self._file.add(events)

    def _write_result(self, solution: Solution, pictures: Sequence[Picture]) -> None:
        from tensorboard.plugins.image.metadata import create_summary_metadata
        from tensorboard.util.tensor_util import make_tensor_proto

        events = []
        for name, png, width, height in pictures:
            tensor = make_tensor_proto([str(width).encode(), str(height).encode(), png])
            metadata = create_summary_metadata(name, "")
            events.append(
                _make_event(
                    _make_summary(f"pictures/{name}", tensor, metadata), step=solution.iterations
                )
            )
        with self._one_sentence():
            self._file.add(events)

    def _end(self, status: Status) -> None:
        """Let the tab HParams show how the run ended."""
        from tensorboard.plugins.hparams import api_pb2, metadata
        from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionEndInfo

        name = "STATUS_FAILURE" if status == "FAILED" else "STATUS_SUCCESS"
        end = SessionEndInfo(status=api_pb2.Status.Value(name), end_time_secs=time.time())
        end_summary = metadata.create_summary_metadata(HParamsPluginData(session_end_info=end))
        with self._one_sentence():
            self._file.add(
                [
                    _make_event(
                        _make_summary(
                            metadata.SESSION_END_INFO_TAG, metadata.NULL_TENSOR, end_summary
                        )
                    )
                ]
            )

    @contextmanager
    def _one_sentence(self) -> Iterator[None]:
        """Say in one sentence why nothing can be written."""
        try:
            yield
        except SolutionError as error:
            raise TrackingError(str(error)) from error
        except OSError as error:
            raise TrackingError(
                f"TensorBoard cannot write to {self.folder}: {error.strerror or error}."
            ) from error


class _EventFile:
    """An event file, to which events are appended at once: all that are given, or none.

    TensorBoard's own ``EventFileWriter`` leaves the writing to a thread of its own, where a full
    disk ends in a traceback on the terminal and not in an error here. OSError is raised where the
    file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        from tensorboard.compat.proto.event_pb2 import Event

        host = platform.node()
        process = os.getpid()
        self._path = (
            folder
            / f"events.out.tfevents.{int(time.time()):010d}.{host}.{process}.{next(_NUMBERS)}"
        )
        # By which readers know the kind.
        self.add([Event(wall_time=time.time(), file_version="brain.Event:2")])

    def add(self, events: Iterable[Any]) -> None:
        """Append events; where that fails the file is left as it was."""
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


def _make_summary(tag: str, tensor: Any, metadata: Any) -> Any:
    """Return the summary of a tensor, with the metadata of a plugin."""
    from tensorboard.compat.proto.summary_pb2 import Summary

    return Summary(value=[Summary.Value(tag=tag, tensor=tensor, metadata=metadata)])


def _make_event(summary: Any, *, step: int = 0, wall_time: float | None = None) -> Any:
    """Return a summary as an event, of now where no time is given."""
    from tensorboard.compat.proto.event_pb2 import Event

    return Event(
        summary=summary, step=step, wall_time=time.time() if wall_time is None else wall_time
    )


def _last_step(run_folder: Path) -> int:
    """Return the last iteration that the event files of a run hold, or 0."""
    from tensorboard.backend.event_processing.event_accumulator import TENSORS, EventAccumulator

    events = EventAccumulator(str(run_folder), size_guidance={TENSORS: 0}).Reload()
    has_clock = _CLOCK in events.Tags()["tensors"]
    if has_clock:
        return max((int(point.step) for point in events.Tensors(_CLOCK)), default=0)
    return 0
