"""The compiled game of a run, kept for the next run: many runs of a batch are on the same game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..form.compiled_game import CompiledGame
from ..games.compile import Playable, compile_any
from ..mccfr.sampling import find_sampling
from ..solving.config import Limits
from ..solving.keywords import solve_keywords
from .variants import digest_of

_NEWEST: dict[tuple[Any, ...], CompiledGame] = {}


def compiled_for(game: Playable, options: Mapping[str, Any], say: Callable[[str], None] | None = None) -> Playable:
    """Return a game as :func:`equilibrist.solve` would compile it with some options, the newest one from memory.

    A game that is no text, or that is sampled without a tree, is returned as it is.
    """
    scheme = find_sampling(options.get("sampling") or "full")
    if not isinstance(game, str) or not scheme.tree:
        return game
    plain = {name: options.get(name) for name in ("max_histories", "max_depth")}
    form, limits = options.get("form"), solve_keywords(plain).get("limits", Limits())
    key = (game, digest_of(game), form, scheme.full_width, limits)
    compiled = _NEWEST.get(key)
    if compiled is None:
        _NEWEST.clear()  # before another one takes memory
        made = compile_any(game, form=form, limits=limits.of_compiling(), say=say, keep_tree=not scheme.full_width)
        _NEWEST[key] = compiled = made.renamed(game)
    return compiled
