"""Strategies made of whatever the user has: a Strategy, a dict, or a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from .reading import read_mapping
from .strategy import Strategy

AnyStrategy = Strategy | Mapping[Any, Mapping[str, float]] | str | Path
"""A strategy, a dict {infoset: {action: probability}}, or a file as :meth:`Strategy.read` takes it."""


def as_strategy(source: AnyStrategy, owners: Callable[[str], Iterable[int]]) -> Strategy:
    """Return a strategy from whatever the user has; ``owners`` is as for :func:`read_mapping`."""
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str | Path):
        return Strategy.read(source)
    if isinstance(source, Mapping):
        return Strategy(*read_mapping(source, owners))
    raise SolutionError(
        f"A strategy is a Strategy, a dict {{infoset: {{action: probability}}}} or a file; got "
        f"{source!r}.",
        wrong_use=True,
    )


def bare_names(source: AnyStrategy) -> set[str]:
    """Return the infosets that are named without a player, as a dict may name them: each is one of every player who
    has it.
    """
    if not isinstance(source, dict):
        return set()
    return {str(key) for key in source if not isinstance(key, tuple)}


def strategy_for(source: AnyStrategy, form: CompiledGame) -> Strategy:
    """Return a strategy for a compiled game; an infoset without a player is meant for every player who has it."""

    @cache
    def owners() -> dict[str, list[int]]:
        players = defaultdict[str, list[int]](list)
        for infoset in form.infosets:
            players[infoset.key].append(infoset.player)
        return players

    return as_strategy(source, lambda name: owners().get(name, [0]))
