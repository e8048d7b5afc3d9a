"""A search for a better algorithm, over the variants of CFR that the update rule can express.

Optuna suggests algorithms (exponents, floor, prediction and its weight, averaging, restarts of the average; with
--planned schedules over a planned number of iterations), ``eq.batch`` counts the iterations that they take to
exploitabilities of 1e-2, 1e-3, 1e-4 and 1e-6 of the largest payoff on each training game, and what is minimised is the
geometric mean, over games and precisions, of that number / that of sapcfr+. Only iterations are counted: the result
does not depend on the machine, and a study that is interrupted goes on by the same command. The best algorithm is
judged once, on other games.

    python -m benchmarks.search --study search.journal --minutes 35
    python -m benchmarks.search --study planned.journal --planned --minutes 5
    python -m benchmarks.search --study search.journal --judge judged.json          # counts on the held-out games, once
    python -m benchmarks.search --study search.journal --read judged.json --clock   # takes the seconds of iterations
    python -m benchmarks.search --study search.journal --read judged.json --page docs/search.md --plot docs/search.svg
    python -m benchmarks.search --study mine.journal --game my_game.py:MyGame --game "leduc(ranks=5)" --trials 200

Needs Optuna, of the extra ``search``; two of the held-out games need OpenSpiel.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path

import equilibrist as eq

from ..machine import arguments
from .counting import Limit, compiled_goals
from .games import TRAINING

TRAINING_LIMIT = Limit(times=4, iterations=20_000, nodes=1e9)


def main() -> None:
    options = _options()
    if importlib.util.find_spec("optuna") is None:
        sys.exit("The search needs Optuna: pip install '.[search]' in a copy of the repository.")
    try:
        if options.judge or options.read:
            from . import judgement

            judgement.judge(options)
        else:
            _search(options)
    except eq.EquilibristError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(2 if error.wrong_use else 1)


def _search(options: argparse.Namespace) -> None:
    from .space import description
    from .study import Setup, algorithm_of, best_trials, open_study, search

    games = {game: game for game in options.game or TRAINING}
    setup = Setup(options.seed, options.planned, options.at_once)
    with ExitStack() as held:
        executor: Executor | None = None
        if options.processes > 1:
            executor = held.enter_context(
                ProcessPoolExecutor(options.processes, get_context("spawn"))
            )
        goals, reference = compiled_goals(games, TRAINING_LIMIT, executor)
        study = open_study(options.study, setup, goals)
        seconds = math.inf if options.minutes is None else 60 * options.minutes
        trials = sys.maxsize if options.trials is None else options.trials
        try:
            search(
                study,
                goals,
                reference,
                setup,
                trials=trials,
                seconds=seconds,
                executor=executor,
                tell=_print_progress,
            )
        except KeyboardInterrupt:
            print("Interrupted; the same command goes on.", file=sys.stderr)
    for trial in best_trials(study, 10):
        print(
            f"{math.exp(trial.value):.3f}  {trial.user_attrs.get('published', '')}  {description(algorithm_of(trial))}"
        )


def _print_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument(
        "--study",
        type=Path,
        required=True,
        metavar="FILE",
        help="what was tried; gone on with if there",
    )
    parser.add_argument(
        "--trials", type=int, help="how many there are to be, with those of the file"
    )
    parser.add_argument("--minutes", type=float, help="end after so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--planned", action="store_true", help="schedules over a planned number of iterations"
    )
    parser.add_argument(
        "--game", action="append", help="instead of the training games (may be repeated)"
    )
    parser.add_argument(
        "--at-once", type=int, default=1, metavar="N", help="trials that are asked for together"
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="of this machine, that carry out runs"
    )
    parser.add_argument(
        "--held-out",
        action="append",
        metavar="GAME",
        help="instead of the held-out games (the same)",
    )
    parser.add_argument(
        "--judge",
        type=Path,
        metavar="FILE",
        help="count on the held-out games, once, into this file",
    )
    parser.add_argument("--read", type=Path, metavar="FILE", help="tables of what --judge counted")
    parser.add_argument(
        "--clock", action="store_true", help="take the seconds of an iteration as well"
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write the tables into this page, at its marks"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw trials and judgement: .svg, .png or .pdf"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
