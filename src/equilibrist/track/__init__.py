"""Experiment tracking: what `solve` and `compare` tell to TensorBoard, to MLflow, or to a tracker of your own."""

from ..solving.callbacks import About as About
from ..solving.callbacks import Tracker as Tracker
from ..solving.callbacks import TrackingError as TrackingError
from ..solving.callbacks import TrackingWarning as TrackingWarning
from .naming import find_tracker as find
from .to_mlflow import MLflow as MLflow
from .to_tensorboard import TensorBoard as TensorBoard

__all__ = ["About", "MLflow", "TensorBoard", "Tracker", "TrackingError", "TrackingWarning", "find"]
