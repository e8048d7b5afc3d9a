"""Runs and strategies from whatever the user gives: objects, folders of saved runs, CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._util.arrays import Floats
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..games.load import Trust
from ..strategy.convert import strategy_for
from ..strategy.slots import SlotStrategy
from ..strategy.strategy import Strategy
from .load import load_solution
from .solution import Solution

AnyRun = Solution | str | Path
"""A solution, or the folder of a saved run."""

AnySource = Solution | Strategy | Mapping[Any, Mapping[str, float]] | str | Path
"""Where a strategy may come from; a path is the folder of a saved run, or a CSV file."""


def read_run(run: AnyRun, game: Any = None, *, trust: Trust = False, whole: bool = True) -> Solution:
    """Return a solution, loaded as by :func:`equilibrist.load_solution` where a folder is given.

    Raises
    ------
    SolutionError
        It is neither, or the folder holds no solution.
    """
    if isinstance(run, Solution):
        return run
    if isinstance(run, str | Path):
        return load_solution(run, game, trust=trust, whole=whole)
    raise SolutionError(f"A run is a Solution, or the folder of a saved one; got {run!r}.", wrong_use=True)


def read_strategy(source: AnySource, game: Any = None) -> Solution | Strategy | Mapping[Any, Mapping[str, float]]:
    """Return a strategy, read where a path is given; ``game`` is that of :func:`equilibrist.load_solution`."""
    if not isinstance(source, str | Path):
        return source
    return load_solution(source, game) if Path(source).is_dir() else Strategy.read_csv(source)


def at_slots(source: AnySource, form: CompiledGame, *, fill: str | None = None) -> Floats:
    """Return the probabilities of a strategy at the slots of a compiled game.

    A run that was sampled without a tree has met a part of the infosets: it plays uniformly at the others.

    Raises
    ------
    SolutionError
        The strategy cannot be read, or does not fit the game.
    """
    source = read_strategy(source)
    if isinstance(source, Solution):
        if source.info.game.fingerprint == form.fingerprint:  # no need for millions of names
            own = source.strategy
            is_named = not isinstance(own, SlotStrategy)  # the probabilities are there, in the order of the form
            return form.to_slots(own.probabilities) if is_named else own.at_slots(form, fill=fill)
        fill = "uniform" if source.info.game.form == "none" else fill
        source = source.strategy
    return strategy_for(source, form).at_slots(form, fill=fill)
