"""Experiment tracking: what `solve` and `compare` tell to TensorBoard, to MLflow, or to a tracker of your own."""

from .following import About as About
from .following import Tracker as Tracker
from .following import TrackingError as TrackingError
from .following import TrackingWarning as TrackingWarning
from .naming import find as find
from .to_mlflow import MLflow as MLflow
from .to_tensorboard import TensorBoard as TensorBoard

__all__ = ["About", "MLflow", "TensorBoard", "Tracker", "TrackingError", "TrackingWarning", "find"]
