"""The connection to a Ray cluster."""

from __future__ import annotations

import logging
import os
from typing import Any

from ..errors import AlgorithmError


def connect(address: str) -> tuple[Any, bool]:
    """Return the module of Ray, connected to a cluster, and whether it was not before.

    Raises
    ------
    AlgorithmError
        Ray is not installed, or no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise AlgorithmError(
            "Ray is needed to use a cluster, but it is not installed. Run: pip install 'equilibrist[cluster]'",
            wrong_use=True,
        ) from error
    if ray.is_initialized():
        return ray, False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # of a cluster that is started here: it tells nobody
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.WARNING, namespace="equilibrist")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise AlgorithmError(
            f"No Ray cluster answers at {address!r} ({str(error).splitlines()[0]}). Start one with `ray start --head`, "
            "or give 'local' for a new one on this machine.",
            wrong_use=True,
        ) from error
    return ray, True
