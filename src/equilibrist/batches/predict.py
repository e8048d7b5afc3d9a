"""Estimate of the memory of a run, before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..form.limits import PROCESS_GB
from ..games.compile import Playable, compile_any
from ..mccfr.sampling import find_sampling
from ..solving.estimate import ResourceEstimate, estimate_run
from ..solving.keywords import solve_keywords
from ..solving.plan import new_config, with_defaults
from .compiled import compiled_for
from .study import CONFIG


def predicted_gigabytes(game: Playable, options: Mapping[str, Any], limits: Mapping[str, Any]) -> float | None:
    """Return the gigabytes that a process takes at its peak which solves a game; None where nothing is compiled."""
    settings = {name: value for name, value in options.items() if name in CONFIG}
    horizon = {"iterations": limits["iterations"]} if "iterations" in limits else {}
    text = game if isinstance(game, str) else None
    if text is None:
        return _predicted(game, settings, horizon)
    key = tuple(sorted((name, value) for name, value in settings.items() if name not in ("seed", "max_memory_gb")))
    return _predicted_of_text(text, key, tuple(horizon.items()))


def predicted_seconds(game: Playable, options: Mapping[str, Any]) -> float | None:
    """Return about how long an iteration takes, timed on a part of the game; None where that is not known."""
    settings = {name: value for name, value in options.items() if name in CONFIG}
    return _estimated(game, settings, {"iterations": 1}, timed=True).seconds


@lru_cache(maxsize=256)
def _predicted_of_text(
    game: str, settings: tuple[tuple[str, Any], ...], horizon: tuple[tuple[str, int], ...]
) -> float | None:
    return _predicted(game, dict(settings), dict(horizon))


def _predicted(game: Playable, settings: Mapping[str, Any], horizon: Mapping[str, int]) -> float | None:
    scheme = find_sampling(settings.get("sampling") or "full")
    if not scheme.tree:
        return scheme.gigabytes
    return _estimated(game, settings, horizon, timed=False).gigabytes + PROCESS_GB


def _estimated(
    game: Playable, settings: Mapping[str, Any], horizon: Mapping[str, int], *, timed: bool
) -> ResourceEstimate:
    """Return what a run on a compiled game is going to take."""
    config = new_config(**solve_keywords({**settings, **horizon}))
    form = compile_any(compiled_for(game, settings), keep_tree=not config.sampling.full_width)
    return estimate_run(form, with_defaults(config, form), timed=timed)
