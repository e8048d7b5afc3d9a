"""Strategies made of whatever the user has: a Strategy, a result that has one, a dict, or a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from .profiles import is_profile
from .reading import read_mapping
from .strategy import Strategy


class StrategyHolder(Protocol):
    """A result with a strategy, such as a Solution or an Exploitation.

    One that has met a part of the infosets alone says so: its ``is_complete`` is False.
    """

    @property
    def strategy(self) -> Mapping[Any, Mapping[str, Any]]: ...


AnyStrategy = Strategy | StrategyHolder | Mapping[Any, Mapping[str, float]] | str | Path
"""A strategy, what holds one, a dict {infoset: {action: probability}}, or a file as :meth:`Strategy.read` takes it."""


def held_strategy(source: Any) -> Any:
    """Return the strategy of a result that holds one or of a profile of Gambit, and anything else as it is."""
    if is_profile(source):
        return Strategy.from_gambit(source)
    strategy = getattr(source, "strategy", None)
    if isinstance(strategy, Mapping):
        return strategy
    return source


def missing_play(source: Any, missing: str | None) -> str | None:
    """Return how infosets are played that a strategy lacks, where ``missing`` is what the user asks for.

    A run that was sampled without a tree has met a part of them, and plays uniformly at the others.
    """
    if missing is None and not getattr(source, "is_complete", True):
        return "uniform"
    return missing


def as_strategy(source: AnyStrategy, owners: Callable[[str], Iterable[int]]) -> Strategy:
    """Return a strategy from whatever the user has; ``owners`` is as for :func:`read_mapping`."""
    source = held_strategy(source)
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str | Path):
        return Strategy.read(source)
    if isinstance(source, Mapping):
        return Strategy(*read_mapping(source, owners))
    raise SolutionError(
        "A strategy is a Strategy, a result that has one (a Solution), a dict {infoset: {action: "
        f"probability}}}}, a file or a profile of pygambit, or a policy where it is judged; "
        f"got {source!r}.",
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
