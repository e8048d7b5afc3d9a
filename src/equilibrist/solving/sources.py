"""Runs and strategies from whatever the user gives: objects, folders of saved runs, CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._util.arrays import Floats
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..games.load import Trust, load
from ..strategy.convert import StrategyHolder, missing_play, strategy_for
from ..strategy.strategy import Strategy
from .load import load_solution, names_of_game, read_folder
from .solution import Solution

AnyRun = Solution | str | Path
"""A solution, or the folder of a saved run."""

AnySource = Solution | Strategy | StrategyHolder | Mapping[Any, Mapping[str, float]] | str | Path
"""Where a strategy may come from; a path is the folder of a saved run, or a CSV file."""


def read_run(
    run: AnyRun, game: Any = None, *, trust: Trust = False, whole: bool = True
) -> Solution:
    """Return a solution, loaded as by :func:`equilibrist.load_solution` where a folder is given."""
    if isinstance(run, Solution):
        return run
    if isinstance(run, str | Path):
        return read_folder(run, game, trust=trust, whole=whole)
    raise SolutionError(
        f"A run is a Solution, or the folder of a saved one; got {run!r}.", wrong_use=True
    )


def find_game(run: Solution, game: Any = None, *, trust: Trust = False) -> Any:
    """Return the game of a run: the one that is given, or what the run names, unless that runs code of its own."""
    if game is not None:
        return game
    if run.strategy.form is not None:  # a part of a hand is no game that has a name
        return run.strategy.form.game
    return load(names_of_game(run.info.game)[0], trust=trust)


def read_strategy(
    source: AnySource, game: Any = None
) -> Solution | Strategy | StrategyHolder | Mapping[Any, Mapping[str, float]]:
    """Return a strategy, read where a path is given; ``game`` is that of :func:`equilibrist.load_solution`."""
    if not isinstance(source, str | Path):
        return source
    if Path(source).is_dir():
        return load_solution(source, game)
    if not Path(source).exists():
        raise SolutionError(
            f"There is no file or folder {source}. Give a strategy as a .csv, .parquet or .npz file, or "
            "the folder of a saved run.",
            wrong_use=True,
        )
    return Strategy.read(source)


def read_at_slots(source: AnySource, form: CompiledGame, *, missing: str | None = None) -> Floats:
    """Return the probabilities of a strategy at the slots of a compiled game.

    A run that was sampled without a tree plays uniformly where it has met no infoset.
    """
    source = read_strategy(source)
    if (
        isinstance(source, Solution)
        and source.strategy.form is None
        and source.info.game.fingerprint == form.fingerprint
    ):  # in the order of the form, without millions of names
        return form.to_slots(source.strategy.probabilities)
    missing = missing_play(source, missing)
    return strategy_for(source, form).at_slots(form, missing=missing)
