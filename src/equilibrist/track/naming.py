"""Trackers by name, as the command takes them."""

from __future__ import annotations

from ..errors import nearest
from ..solving.callbacks import TrackingError
from .buffered import BufferedTracker
from .to_mlflow import MLflow
from .to_tensorboard import TensorBoard


def find_tracker(text: str) -> BufferedTracker:
    """Return the tracker that a text names, as ``equilibrist solve --track`` takes it.

    Parameters
    ----------
    text : str
        ``"tensorboard:FOLDER"``, ``"mlflow"`` for MLflow's own default store, or ``"mlflow:URI"``
        for a server or another store.

    Raises
    ------
    TrackingError
        There is no such tracker, its library is not installed, or the folder is missing in the
        text.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.track.find("tensorbord:runs/tb")
    Traceback (most recent call last):
    ...
    equilibrist.solving.callbacks.TrackingError: There is no tracker 'tensorbord'. Did you mean 'tensorboard'?
    """
    name, _, place = text.partition(":")
    if name == "mlflow":
        return MLflow(uri=place or None)
    if name != "tensorboard":
        raise TrackingError(
            f"There is no tracker {name!r}.{nearest(name, ('tensorboard', 'mlflow'))}",
            wrong_use=True,
        )
    if not place:
        raise TrackingError(
            "TensorBoard needs a folder for its files: 'tensorboard:runs/tb'.", wrong_use=True
        )
    return TensorBoard(place)
