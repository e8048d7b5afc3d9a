"""Experiment tracking: what `solve` and `compare` tell to TensorBoard, to MLflow, or to a tracker of your own."""

from ..solving.listeners import About as About
from ..solving.listeners import Tracker as Tracker
from ..solving.listeners import TrackingError as TrackingError
from ..solving.listeners import TrackingWarning as TrackingWarning
from .naming import find as find
from .to_mlflow import MLflow as MLflow
from .to_tensorboard import TensorBoard as TensorBoard

__all__ = ["About", "MLflow", "TensorBoard", "Tracker", "TrackingError", "TrackingWarning", "find"]
