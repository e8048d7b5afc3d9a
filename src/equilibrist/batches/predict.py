"""Estimate of the memory of a run, before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..form.limits import PROCESS_GB
from ..mccfr.sampling import find_sampling
from ..solving.config import StopRule, new_config, resolved
from ..solving.estimate import ResourceEstimate, estimate_run
from ..solving.prepare import Playable, prepare
from .compiled import compiled_for
from .study import CONFIG


def predicted_gigabytes(game: Playable, options: Mapping[str, Any], limits: Mapping[str, Any]) -> float | None:
    """Return the gigabytes that a process takes at its peak which solves a game; None where nothing is compiled.

    Raises
    ------
    EquilibristError
        The game cannot be compiled, or the options do not go together with it.
    """
    given = {name: value for name, value in options.items() if name in CONFIG}
    horizon = {"iterations": limits["iterations"]} if "iterations" in limits else {}
    text = game if isinstance(game, str) else None
    if text is None:
        return _predicted(game, given, horizon)
    key = tuple(sorted((name, value) for name, value in given.items() if name not in ("seed", "max_memory_gb")))
    return _kept(text, key, tuple(horizon.items()))


def predicted_seconds(game: Playable, options: Mapping[str, Any]) -> float | None:
    """Return about how long an iteration takes, timed on a part of the game; None where that is not known."""
    given = {name: value for name, value in options.items() if name in CONFIG}
    return _estimated(game, given, {"iterations": 1}, timed=True).seconds


@lru_cache(maxsize=256)
def _kept(game: str, given: tuple[tuple[str, Any], ...], horizon: tuple[tuple[str, int], ...]) -> float | None:
    return _predicted(game, dict(given), dict(horizon))


def _predicted(game: Playable, given: Mapping[str, Any], horizon: Mapping[str, int]) -> float | None:
    scheme = find_sampling(given.get("sampling") or "full")
    if not scheme.tree:
        return scheme.gigabytes
    return _estimated(game, given, horizon, timed=False).gigabytes + PROCESS_GB


def _estimated(
    game: Playable, given: Mapping[str, Any], horizon: Mapping[str, int], *, timed: bool
) -> ResourceEstimate:
    """Return what a run on a compiled game is going to take."""
    options = {"algorithm": "auto", "sampling": None, **given}
    config = new_config(stop=StopRule(**horizon), **options)
    scheme = config.sampling
    form, _ = prepare(compiled_for(game, given), sampled=not scheme.full_width)
    config = resolved(config, form, auto=options["algorithm"] == "auto")
    return estimate_run(form, config, timed=timed)
