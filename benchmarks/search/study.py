"""The study: Optuna asks for algorithms, ``eq.batch`` counts their iterations, a file keeps what was tried."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import optuna
from optuna.exceptions import ExperimentalWarning
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState

import equilibrist as eq

from .counting import Goal, log_ratio, needed, ways_down
from .space import algorithm_from, description, parameters, seeds, suggest

_NAME = "algorithms"
GAMES_AT_ONCE = 4  # before a trial is given up or goes on
_RANDOM = 20  # trials after the published algorithms, before what was tried guides
_KEPT = 33  # % of the trials that go on
_TRIED = (TrialState.COMPLETE, TrialState.PRUNED)

optuna.logging.set_verbosity(optuna.logging.WARNING)


class Setup(NamedTuple):
    """What makes the trials of a study the same ones."""

    seed: int
    planned: bool
    at_once: int


def open_study(path: Path, setup: Setup, goals: Sequence[Goal]) -> optuna.Study:
    """Return the study in a file, a new one or that which is there; what was at work when it ended is given up.

    Raises
    ------
    SolutionError
        The file holds a study of another kind.
    """
    whole = {**setup._asdict(), "games": {goal.name: goal.most for goal in goals}}
    try:
        study = optuna.create_study(study_name=_NAME, storage=_storage(path), load_if_exists=True)
    except (OSError, ValueError) as error:
        raise eq.SolutionError(
            f"No study can be kept in '{path}' ({error}). Name another file.", wrong_use=True
        ) from error
    kept = study.user_attrs.get("setup")
    if kept is None:
        study.set_user_attr("setup", whole)
    elif kept != whole:
        differs = ", ".join(key for key in whole if kept.get(key) != whole[key])
        raise eq.SolutionError(
            f"'{path}' holds a study with another {differs}: give what it was begun with, or another file.",
            wrong_use=True,
        )
    for trial in study.get_trials(deepcopy=False, states=[TrialState.RUNNING]):
        study.tell(trial.number, state=TrialState.FAIL)
    return study


def read_study(path: Path) -> optuna.Study:
    """Return the study in a file, to be read.

    Raises
    ------
    SolutionError
        The file is not there, or holds none.
    """
    if not path.is_file():
        raise eq.SolutionError(
            f"There is no study '{path}'. Search first, or name another file.", wrong_use=True
        )
    try:
        return optuna.load_study(study_name=_NAME, storage=_storage(path))
    except (KeyError, ValueError) as error:
        raise eq.SolutionError(
            f"'{path}' holds no study of algorithms. Name another file.", wrong_use=True
        ) from error


def _storage(path: Path) -> JournalStorage:
    return JournalStorage(JournalFileBackend(str(path)))


def search(
    study: optuna.Study,
    goals: Sequence[Goal],
    reference: dict[str, list[float]],
    setup: Setup,
    *,
    trials: int,
    seconds: float = math.inf,
    executor: Executor | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Try algorithms until there are so many trials, or time is over.

    What is asked next follows from the seed and from what was tried, so that a study that was interrupted goes on as if
    it had not been.
    """
    end = time.monotonic() + seconds
    study.pruner = optuna.pruners.PercentilePruner(_KEPT, n_startup_trials=_RANDOM)
    while (
        tried := len(study.get_trials(deepcopy=False, states=_TRIED))
    ) < trials and time.monotonic() < end:
        asked = [_ask(study, tried + place, setup) for place in range(setup.at_once)]
        _try(study, asked, goals, reference, executor)
        for trial, algorithm in asked:
            tell(f"{_result(study, trial.number)}  {description(algorithm)}")


def _ask(study: optuna.Study, number: int, setup: Setup) -> tuple[optuna.Trial, eq.Algorithm]:
    published = seeds(planned=setup.planned)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        study.sampler = optuna.samplers.TPESampler(
            seed=setup.seed + number,
            multivariate=True,
            group=True,
            n_startup_trials=len(published) + _RANDOM,
        )
    if number < len(published):
        study.enqueue_trial(
            parameters(published[number]), user_attrs={"published": published[number].name}
        )
    trial = study.ask()
    algorithm = suggest(trial, planned=setup.planned)
    trial.set_user_attr("algorithm", asdict(algorithm))
    return trial, algorithm


def _try(
    study: optuna.Study,
    asked: Sequence[tuple[optuna.Trial, eq.Algorithm]],
    goals: Sequence[Goal],
    reference: dict[str, list[float]],
    executor: Executor | None,
) -> None:
    """Count the iterations of some algorithms, game by game; give up those that do badly."""
    ratios: dict[int, dict[str, float]] = {trial.number: {} for trial, _ in asked}
    going = list(asked)
    for first in range(0, len(goals), GAMES_AT_ONCE):
        part = goals[first : first + GAMES_AT_ONCE]
        ways = ways_down([algorithm for _, algorithm in going], part, executor)
        still = []
        for trial, algorithm in going:
            found = ratios[trial.number]
            found |= {
                goal.name: log_ratio(
                    needed(ways[algorithm.name, goal.name], goal), reference[goal.name]
                )
                for goal in part
            }
            mean = sum(found.values()) / len(found)
            trial.set_user_attr("ratios", {name: math.exp(value) for name, value in found.items()})
            trial.report(mean, len(found))
            if len(found) == len(goals):
                study.tell(trial, mean)
            elif "published" not in trial.user_attrs and trial.should_prune():
                study.tell(trial, state=TrialState.PRUNED)
            else:
                still.append((trial, algorithm))
        going = still


def algorithm_of(trial: optuna.trial.FrozenTrial) -> eq.Algorithm:
    """Return the algorithm of a trial."""
    return algorithm_from(trial.user_attrs["algorithm"])


def best_trials(study: optuna.Study, count: int) -> list[optuna.trial.FrozenTrial]:
    """Return the best of the trials that were carried out on all games."""
    whole = study.get_trials(deepcopy=False, states=[TrialState.COMPLETE])
    return sorted(whole, key=lambda trial: (trial.value, trial.number))[:count]


def _result(study: optuna.Study, number: int) -> str:
    trial = study.trials[number]
    games = len(trial.intermediate_values)
    value = math.exp(trial.intermediate_values[max(trial.intermediate_values)])
    ended = (
        ""
        if trial.state == TrialState.COMPLETE
        else f", given up after {games * GAMES_AT_ONCE} games"
    )
    return f"trial {number}: {value:.3f}{ended}"
