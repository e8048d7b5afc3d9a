"""Runs in MLflow: its local database by default, or any store or server that it knows."""

from __future__ import annotations

import logging
import os
import re
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..solving.callbacks import About, TrackingError
from .buffered import BufferedTracker, Picture, Status, chart_values, check_library

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from ..solving.trace import Checkpoint

_RUN_ID = "equilibrist.run_id"  # the tag by which a run that goes on is found again
_SILENT = {
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
}
# by default 7, and minutes
_BRIEF = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
}
_PATIENT = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2"}  # where files may take long
_LONGEST = 300  # characters of what MLflow says
_POINTS = 100  # checkpoints in one request, which may hold 1,000 numbers


class MLflow(BufferedTracker):
    """A tracker that keeps runs in MLflow.

    Numbers by iteration as metrics, parameters, versions as tags; at the end the pictures and the
    files of the run as artifacts. A resumed run goes on as the MLflow run that it was.

    Parameters
    ----------
    experiment : str, optional
        The experiment that the runs belong to. By default what ``MLFLOW_EXPERIMENT_NAME`` in the
        environment says, else the game, and ``"compare GAME"`` for the runs of
        :func:`equilibrist.compare`.
    uri : str, optional
        A server, ``"http://localhost:5000"``, or a store, ``"sqlite:///mlflow.db"``. By default
        what ``MLFLOW_TRACKING_URI`` in the environment says, else what MLflow takes: a database
        ``mlflow.db`` in the current folder, with the artifacts in ``mlruns``.
    files : bool
        Whether the run's files are kept as artifacts: ``solution.json``, ``strategy.csv`` and
        ``checkpoint.npz``, which may be large.

    Raises
    ------
    TrackingError
        MLflow is not installed.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", callbacks=eq.track.MLflow(uri="http://localhost:5000"))  # doctest: +SKIP
    """

    def __init__(
        self, experiment: str | None = None, *, uri: str | None = None, files: bool = True
    ) -> None:
        super().__init__()
        check_library("mlflow")
        self.experiment = experiment
        self.uri = uri
        self.files = files
        self._client: Any = None
        self._run = ""

    def _open(self, about: About) -> int:
        with self._one_sentence(_BRIEF):
            from mlflow import MlflowClient

            self._client = MlflowClient(self.uri)
            experiment_name = (
                self.experiment or os.environ.get("MLFLOW_EXPERIMENT_NAME") or about.experiment
            )
            experiment = self._client.get_experiment_by_name(experiment_name)
            if experiment is None:
                number = self._client.create_experiment(experiment_name)
            else:
                number = experiment.experiment_id
            runs = self._client.search_runs(
                [number], f"tags.`{_RUN_ID}` = '{about.run_id}'", max_results=1
            )
            if not runs:
                self._create(number, about)
                return 0
            self._run = runs[0].info.run_id
            self._client.update_run(self._run, status="RUNNING")
            return max(
                (metric.step for metric in self._client.get_metric_history(self._run, "seconds")),
                default=0,
            )

    def _create(self, experiment: str, about: About) -> None:
        """Create the run of MLflow, with its tags and parameters."""
        from mlflow.entities import Param

        tags = {name: str(about.parameters[name]) for name in ("game", "algorithm", "sampling")}
        tags |= {
            _RUN_ID: about.run_id,
            **{f"version.{name}": number for name, number in about.versions.items()},
        }
        self._run = self._client.create_run(experiment, run_name=about.name, tags=tags).info.run_id
        parameters = {
            name: str(value) for name, value in about.parameters.items() if value is not None
        }
        self._client.log_batch(
            self._run, params=[Param(name, value) for name, value in parameters.items()]
        )

    def _write(self, points: Sequence[Checkpoint]) -> None:
        with self._one_sentence(_BRIEF):
            from mlflow.entities import Metric

            milliseconds = int(1000 * time.time())
            for start in range(0, len(points), _POINTS):
                metrics = [
                    Metric(name, number, milliseconds, point.iteration)
                    for point in points[start : start + _POINTS]
                    for name, number in chart_values(point).items()
                ]
                self._client.log_batch(self._run, metrics=metrics)

    def _write_result(self, solution: Solution, pictures: Sequence[Picture]) -> None:
        with self._one_sentence(_BRIEF):
            self._client.set_tag(self._run, "stop_reason", solution.stop_reason)
        with self._one_sentence(_PATIENT), tempfile.TemporaryDirectory() as folder:
            picture_folder = Path(folder) / "pictures"
            picture_folder.mkdir()
            for picture in pictures:
                (picture_folder / f"{picture.name}.png").write_bytes(picture.png)
            if self.files:
                solution.save(Path(folder) / "run")
            self._client.log_artifacts(self._run, folder)

    def _end(self, status: Status) -> None:
        with self._one_sentence(_BRIEF):
            self._client.set_terminated(self._run, status)

    @contextmanager
    def _one_sentence(self, settings: dict[str, str]) -> Iterator[None]:
        """Say in one sentence what went wrong in here, and let MLflow say nothing itself."""
        with ExitStack() as stack, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, value in {**_SILENT, **settings}.items():
                if name not in os.environ:  # where MLflow reads them; those of the user stay
                    os.environ[name] = value
                    stack.callback(os.environ.pop, name, None)
            stack.callback(logging.disable, logging.root.manager.disable)
            # That a database is made, or where a run can be seen, is no news of ours.
            logging.disable(logging.CRITICAL)
            try:
                yield
            except TrackingError:
                raise
            except Exception as error:  # its stores, databases and servers raise all sorts
                raise TrackingError(self._describe_error(error)) from error

    def _describe_error(self, error: BaseException) -> str:
        """Return what went wrong, without the password that an address may hold."""
        place = self.uri or os.environ.get("MLFLOW_TRACKING_URI") or "its local store"
        reason = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
        if _is_unanswered(error):
            reason = "no server answers there"
        elif len(reason) > _LONGEST:
            reason = f"{reason[:_LONGEST]} …"
        return re.sub(r"//\S*@", "//", f"MLflow cannot use {place}: {reason.rstrip('.')}.")


def _is_unanswered(error: BaseException | None) -> bool:
    """Return whether a connection failed somewhere below an error."""
    while error is not None:
        if type(error).__name__ in (
            "ConnectionError",
            "ConnectTimeout",
            "ReadTimeout",
            "MaxRetryError",
        ):
            return True
        error = error.__cause__ or error.__context__
    return False
