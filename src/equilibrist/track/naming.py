"""Trackers by name, as the command takes them."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import nearest
from ..solving.listeners import TrackingError
from .buffered import BufferedTracker
from .to_mlflow import MLflow
from .to_tensorboard import TensorBoard


def find(text: str) -> BufferedTracker:
    """Return the tracker that a text names, as ``equilibrist solve --track`` takes it.

    Parameters
    ----------
    text : str
        ``"tensorboard:FOLDER"``, ``"mlflow"`` for MLflow's own default store, or ``"mlflow:URI"`` for a server or
        another store.

    Raises
    ------
    TrackingError
        There is no such tracker, its library is not installed, or the folder is missing in the text.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.track.find("tensorbord:runs/tb")
    Traceback (most recent call last):
    ...
    equilibrist.solving.listeners.TrackingError: There is no tracker 'tensorbord'. Did you mean 'tensorboard'?
    """
    name, _, where = text.partition(":")
    if name not in _TRACKERS:
        raise TrackingError(f"There is no tracker {name!r}.{nearest(name, _TRACKERS)}", wrong_use=True)
    return _TRACKERS[name](where)


def _tensorboard(where: str) -> TensorBoard:
    if not where:
        raise TrackingError("TensorBoard needs a folder for its files: 'tensorboard:runs/tb'.", wrong_use=True)
    return TensorBoard(where)


def _mlflow(where: str) -> MLflow:
    return MLflow(uri=where or None)


_TRACKERS: dict[str, Callable[[str], BufferedTracker]] = {"tensorboard": _tensorboard, "mlflow": _mlflow}
