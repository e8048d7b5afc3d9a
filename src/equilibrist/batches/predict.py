"""Estimate of the memory of a run, before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..form.limits import PROCESS_GB
from ..form.traits import compiles
from ..games.compile import Playable, compile_any
from ..mccfr.sampling import find_sampling
from ..solving.estimate import ResourceEstimate, estimate_run
from ..solving.keywords import solve_keywords
from ..solving.plan import fill_defaults, new_config
from .study import CONFIG
from .variants import compile_for_options

_Settings = tuple[tuple[str, Any], ...]


def predict_gigabytes(
    game: Playable, options: Mapping[str, Any], limits: Mapping[str, Any]
) -> float | None:
    """Return the gigabytes that a process takes at its peak which solves a game; None where nothing is compiled."""
    names = sorted(
        name for name in options if name in CONFIG and name not in ("seed", "max_memory_gb")
    )
    settings = tuple((name, options[name]) for name in names)
    horizon = (("iterations", limits["iterations"]),) if "iterations" in limits else ()
    if isinstance(game, str):
        return _predict_memory(game, settings, horizon)
    return _predict_memory.__wrapped__(game, settings, horizon)


def predict_seconds(game: Playable, options: Mapping[str, Any]) -> float | None:
    """Return about how long an iteration takes, timed on a part of the game; None where that is not known."""
    settings = {name: value for name, value in options.items() if name in CONFIG}
    if not compiles(settings.get("form")):
        return None
    return _estimate(game, settings, {"iterations": 1}, timed=True).seconds


@lru_cache(maxsize=256)
def _predict_memory(game: Playable, settings: _Settings, horizon: _Settings) -> float | None:
    """Return the gigabytes that a process takes at its peak; None where nothing is compiled."""
    scheme = find_sampling(dict(settings).get("sampling") or "full")
    if not scheme.tree:
        return scheme.gigabytes
    if not compiles(dict(settings).get("form")):
        return None
    return _estimate(game, dict(settings), dict(horizon), timed=False).gigabytes + PROCESS_GB


def _estimate(
    game: Playable, settings: Mapping[str, Any], horizon: Mapping[str, int], *, timed: bool
) -> ResourceEstimate:
    """Return the estimate of a run, for which its game is compiled."""
    config = new_config(**solve_keywords({**settings, **horizon}))
    form = compile_any(
        compile_for_options(game, settings), keep_tree=not config.sampling.full_width
    )
    return estimate_run(form, fill_defaults(config, form), timed=timed)
