"""The judgement: the best algorithm of a study against all published ones, on games it was not tuned on."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import optuna
from optuna.trial import TrialState
from scipy.stats import t as student

import equilibrist as eq
from equilibrist.games.compile import compile_any
from equilibrist.plot.style import COLUMN, legend_below, make_figure, use_theme, write_picture

from ..machine import Table, describe, pin_to_one_core, publish, times
from ..quality import fill
from .counting import PRECISIONS, REFERENCE, Limit, compiled_goals, log_ratio, needed, ways_down
from .games import HELD_OUT
from .space import algorithm_from, description, rounded
from .study import algorithm_of, best_trials, read_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CANDIDATE = "candidate"
_LIMIT = Limit(times=20, iterations=200_000, nodes=2e10)
_CONFIDENCE = 0.95
_LEAST_GAMES = 2  # of an interval
_LISTED = 10  # trials
_LEAST = 0.05  # seconds of a run that is timed
_FEATURES = {
    "floor": "regret sums cut at 0",
    "discounts": "regret sums discounted",
    "predicts": "a prediction",
    "discount_predicted": "its sum discounted once more",
    "restarts": "restarts of the average",
}
_WORST = 20.0  # that is drawn


class Mean(NamedTuple):
    """A geometric mean over games, and its interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{times(self.mean)} ({self.low:.2f} to {self.high:.2f})"


def judge(options: argparse.Namespace) -> None:
    """Count, or read what was counted; print the tables, and write them and the picture where that was asked for."""
    study = read_study(options.study)
    judged = _read(options.read) if options.read else _count(study, options)
    if options.clock:
        judged["seconds"] = _clock(judged)
        (options.read or options.judge).write_text(json.dumps(judged, indent=1) + "\n")
    tables = {
        "trials": [trials_table(study)],
        "features": [features_table(study)],
        "games": [games_table(judged)],
        "verdict": [verdict_table(judged), precisions_table(judged)],
    }
    if options.page:
        fill(options.page, tables, describe("optuna"))
    if options.plot:
        write_picture(partial(plot, study, judged), options.plot)
    publish(
        [table for part in tables.values() for table in part],
        options,
        machine=describe("optuna"),
        results=judged,
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        judged: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise eq.SolutionError(
            f"'{path}' is not what --judge writes ({error}).", wrong_use=True
        ) from error
    return judged


def _count(study: optuna.Study, options: argparse.Namespace) -> dict[str, Any]:
    """Return the iterations of all algorithms on the held-out games; for once, as a second look would be a choice."""
    if options.judge.exists():
        raise eq.SolutionError(
            f"'{options.judge}' is there: a study is judged once. Read it with --read, or name another file.",
            wrong_use=True,
        )
    if not best_trials(study, 1):
        raise eq.SolutionError(
            f"'{options.study}' has no trial that is over. Search first.", wrong_use=True
        )
    trial = best_trials(study, 1)[0]
    candidate = rounded(algorithm_of(trial), CANDIDATE)
    algorithms = [*eq.ALGORITHMS.values(), candidate]
    games = {game: game for game in options.held_out} if options.held_out else HELD_OUT
    if len(games) < _LEAST_GAMES:
        raise eq.SolutionError(
            f"Intervals are over games: give --held-out {_LEAST_GAMES} times or more; got {len(games)}.",
            wrong_use=True,
        )
    goals, reference = compiled_goals(games, _LIMIT, None)
    taken: dict[str, dict[str, list[float]]] = {algorithm.name: {} for algorithm in algorithms}
    for goal in goals:
        print(f"  {goal.name}, up to {goal.most:,} iterations", file=sys.stderr)
        ways = ways_down(
            [algorithm for algorithm in algorithms if algorithm.name != REFERENCE], [goal], None
        )
        for algorithm in algorithms:
            taken[algorithm.name][goal.name] = (
                reference[goal.name]
                if algorithm.name == REFERENCE
                else needed(ways[algorithm.name, goal.name], goal)
            )
    most = {goal.name: goal.most for goal in goals}
    judged = {
        "candidate": asdict(candidate),
        "games": games,
        "most": most,
        "taken": taken,
        "seconds": {},
    }
    options.judge.write_text(json.dumps(judged, indent=1) + "\n")
    return judged


def _clock(judged: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return the seconds of an iteration of each algorithm on each game, the best of three runs."""
    pin_to_one_core()
    seconds: dict[str, dict[str, float]] = {name: {} for name in judged["taken"]}
    candidate = algorithm_from(judged["candidate"])
    for game, text in judged["games"].items():
        form = compile_any(text)
        for name, each in seconds.items():
            run = partial(
                eq.solve, form, candidate if name == CANDIDATE else name, precision="float64"
            )
            iterations = 8
            while (spent := run(iterations=iterations).seconds["solve"]) < _LEAST:
                iterations *= 4 if spent < _LEAST / 4 else 2
            again = [run(iterations=iterations).seconds["solve"] for _ in range(2)]
            each[game] = min(spent, *again) / iterations
    return seconds


def over_games(judged: dict[str, Any], algorithm: str, *, clock: bool = False) -> Mean:
    """Return the ratio of what the candidate and an algorithm take: geometric mean over games, Student's interval.

    The ratio of a game is the geometric mean over its precisions.
    """
    logs = []
    for game, reference in judged["taken"][algorithm].items():
        each = (
            judged["seconds"][CANDIDATE][game] / judged["seconds"][algorithm][game]
            if clock
            else 1.0
        )
        logs.append(log_ratio(judged["taken"][CANDIDATE][game], reference) + math.log(each))
    return _interval(logs)


def _interval(logs: Sequence[float]) -> Mean:
    half = (
        student.ppf((1 + _CONFIDENCE) / 2, len(logs) - 1)
        * np.std(logs, ddof=1)
        / math.sqrt(len(logs))
    )
    mean = float(np.mean(logs))
    return Mean(*map(math.exp, (mean, mean - half, mean + half)))


# --- Tables ---


def trials_table(study: optuna.Study) -> Table:
    """Return the best trials, and the published algorithms among them."""
    best = best_trials(study, sys.maxsize)
    body = [
        [
            str(place),
            times(math.exp(trial.value)),
            trial.user_attrs.get("published", ""),
            description(algorithm_of(trial)),
        ]
        for place, trial in enumerate(best, 1)
        if place <= _LISTED or "published" in trial.user_attrs
    ]
    states = [trial.state.name for trial in study.get_trials(deepcopy=False)]
    return Table(
        f"The {_LISTED} best of {len(best)} algorithms that were tried on all training games, and the published ones",
        ("", f"iterations, {REFERENCE} = 1", "published", "numbers"),
        body,
        [f"{states.count('PRUNED')} more trials were given up on the way."],
    )


def features_table(study: optuna.Study) -> Table:
    """Return the best trial with, and without, each part of an algorithm."""
    body = []
    for feature, meaning in _FEATURES.items():
        best: dict[bool, optuna.trial.FrozenTrial] = {}
        for trial in best_trials(study, sys.maxsize):
            best.setdefault(bool(trial.params.get(feature, False)), trial)
        cells = [times(math.exp(best[has].value)) if has in best else "–" for has in (True, False)]
        body.append([meaning, *cells])
    return Table("Iterations of the best algorithm that was tried", ("", "with", "without"), body)


def games_table(judged: dict[str, Any]) -> Table:
    """Return what the candidate takes on each held-out game, and what the published algorithms take at best."""
    body = []
    published = [algorithm for algorithm in judged["taken"] if algorithm != CANDIDATE]
    for game, own in judged["taken"][CANDIDATE].items():
        ratios = {
            algorithm: math.exp(log_ratio(own, judged["taken"][algorithm][game]))
            for algorithm in published
        }
        best = max(ratios, key=ratios.__getitem__)
        cells = [
            f"{taken:,.0f} / {other:,.0f}"
            for taken, other in zip(own, judged["taken"][REFERENCE][game], strict=True)
        ]
        body.append([game, *cells, times(ratios[REFERENCE]), f"{best}, {times(ratios[best])}"])
    return Table(
        f"Iterations on the held-out games: of the candidate / of {REFERENCE}",
        (
            "",
            *(f"{precision:g}" for precision in PRECISIONS),
            "mean ratio",
            "best published, ratio",
        ),
        body,
    )


def verdict_table(judged: dict[str, Any]) -> Table:
    """Return the means over the held-out games against each published algorithm."""
    body = []
    for algorithm in judged["taken"]:
        if algorithm == CANDIDATE:
            continue
        reached = [
            own <= judged["most"][game]
            for game, cells in judged["taken"][algorithm].items()
            for own in cells
        ]
        cells = [f"{sum(reached)} of {len(reached)}", str(over_games(judged, algorithm))]
        if judged["seconds"]:
            cells.append(str(over_games(judged, algorithm, clock=True)))
        body.append([algorithm, *cells])
    columns = ("the candidate against", "which reached", "iterations", "seconds")[
        : 4 if judged["seconds"] else 3
    ]
    return Table(
        "What the candidate takes / what a published algorithm takes",
        columns,
        body,
        [_note(judged)],
    )


def precisions_table(judged: dict[str, Any]) -> Table:
    """Return the means over the held-out games against the reference, precision by precision."""
    own, other = judged["taken"][CANDIDATE], judged["taken"][REFERENCE]
    cells = [
        str(_interval([math.log(own[game][place] / other[game][place]) for game in own]))
        for place in range(len(PRECISIONS))
    ]
    columns = ("exploitability / largest payoff", *(f"{precision:g}" for precision in PRECISIONS))
    title = f"Iterations of the candidate / of {REFERENCE}, by precision"
    return Table(title, columns, [["all games", *cells]], [_note(judged)])


def _note(judged: dict[str, Any]) -> str:
    return f"Geometric means over {len(judged['games'])} games, and Student's intervals of {_CONFIDENCE:.0%}."


# --- The picture ---


def plot(study: optuna.Study, judged: dict[str, Any], *, theme: str = "light") -> Figure:
    """Return the trials as they came, and the judgement on the held-out games."""
    with use_theme(theme) as look:
        figure = make_figure(COLUMN, 3.4)
        left, right = figure.subplots(1, 2)
        _draw_trials(left, study, look)
        _draw_judgement(right, judged, look)
        legend_below(figure, *left.get_legend_handles_labels())
    return figure


def _draw_trials(axes: Any, study: optuna.Study, look: Any) -> None:
    tried = [trial for trial in study.get_trials(deepcopy=False) if trial.intermediate_values]
    for state, label, i in (
        (TrialState.PRUNED, "given up", 7),
        (TrialState.COMPLETE, "tried on all games", 0),
    ):
        points = [trial for trial in tried if trial.state == state]
        values = [min(_WORST, math.exp(_last(trial))) for trial in points]
        axes.plot(
            [trial.number for trial in points],
            values,
            ".",
            color=look.colour(i),
            markersize=2,
            alpha=0.5,
            label=label,
        )
    whole = [trial for trial in tried if trial.state == TrialState.COMPLETE]
    least = np.minimum.accumulate([math.exp(trial.value) for trial in whole])
    axes.plot(
        [trial.number for trial in whole],
        least,
        color=look.colour(1),
        label="best so far",
        drawstyle="steps-post",
    )
    axes.axhline(1, linewidth=0.8, linestyle=":", color=look.colour(0), label=REFERENCE)
    axes.set(
        yscale="log",
        ylim=(None, 1.2 * _WORST),
        xlabel="trial",
        ylabel=f"iterations, {REFERENCE} = 1",
        title="Training games",
    )


def _last(trial: optuna.trial.FrozenTrial) -> float:
    return trial.intermediate_values[max(trial.intermediate_values)]


def _draw_judgement(axes: Any, judged: dict[str, Any], look: Any) -> None:
    algorithms: Sequence[str] = [
        algorithm for algorithm in judged["taken"] if algorithm != CANDIDATE
    ]
    for clock, label, shift, i in ((False, "iterations", -0.12, 0), (True, "seconds", 0.12, 1)):
        if clock and not judged["seconds"]:
            continue
        means = [over_games(judged, algorithm, clock=clock) for algorithm in algorithms]
        axes.errorbar(
            [mean.mean for mean in means],
            [place + shift for place in range(len(algorithms))],
            xerr=[
                [mean.mean - mean.low for mean in means],
                [mean.high - mean.mean for mean in means],
            ],
            fmt="os"[clock],
            color=look.colour(i),
            markersize=3,
            linewidth=1,
            label=label,
        )
    axes.axvline(1, linewidth=0.8, linestyle=":", color=look.colour(0))
    axes.set(
        xscale="log",
        xlabel="candidate / algorithm: iterations (●), seconds (■)",
        title="Held-out games",
    )
    axes.set_yticks(range(len(algorithms)), algorithms)
    axes.invert_yaxis()
