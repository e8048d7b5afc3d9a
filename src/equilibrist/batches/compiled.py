"""The compiled game of a run, kept for the next run: many runs of a batch are on the same game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..form.compiled_game import CompiledGame
from ..form.limits import MAX_DEPTH, Limits
from ..mccfr.sampling import find_sampling
from ..solving.prepare import Playable, prepare
from .variants import digest_of

_NEWEST: dict[tuple[Any, ...], CompiledGame] = {}


def compiled_for(game: Playable, options: Mapping[str, Any]) -> Playable:
    """Return a game as :func:`equilibrist.solve` would compile it with some options, the newest one from memory.

    A game that is no text, or that is sampled without a tree, is returned as it is.

    Raises
    ------
    EquilibristError
        The game cannot be compiled.
    """
    scheme = find_sampling(options.get("sampling") or "full")
    if not isinstance(game, str) or not scheme.tree:
        return game
    form, precision = options.get("form") or "auto", options.get("precision") or "auto"
    limits = Limits.checked(options.get("max_histories"), options.get("max_depth") or MAX_DEPTH)
    key = (game, digest_of(game), form, precision, scheme.full_width, limits)
    kept = _NEWEST.get(key)
    if kept is None:
        _NEWEST.clear()  # before another one takes memory
        made, _ = prepare(game, form=form, limits=limits, sampled=not scheme.full_width, precision=precision)
        _NEWEST[key] = kept = made.renamed(game)
    return kept
