"""Solve many games, side by side: each by one thread, with the bits of :func:`equilibrist.solve`."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from typing import Any, Literal

from .._util.callbacks import AnyCallbacks, find_listeners
from .._util.interrupt import note_signals
from .._util.processes import cores
from ..cfr.algorithms import Algorithm
from ..cfr.criteria import Until
from ..errors import AlgorithmError, EquilibristError
from ..games.compile import Playable
from .callbacks import CallbackList, Unfollowed
from .config import SolveConfig
from .plan import new_config, plan
from .run import Run
from .solution import Solution
from .solve import check_promises
from .solvers import make_solver

_SILENT = CallbackList(Unfollowed())


def solve_many(
    games: Iterable[Playable],
    algorithm: str | Algorithm = "auto",
    *,
    until: Until | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    precision: str | None = None,
    threads: int | Literal["auto"] = "auto",
    callbacks: AnyCallbacks = None,
) -> list[Solution]:
    """Return the solutions of many games, in their order: each what :func:`solve` returns for it, bit for bit.

    For thousands of small spots, as reports, trainers and searches ask for: several are solved at
    once, each by one thread. Of one large game, let :func:`solve` use several threads instead.

    Parameters
    ----------
    games : iterable of str, Game, PublicGame, CardGame or compiled game
        As for :func:`solve`. All are compiled before the first is solved, and all solutions stay in
        memory.
    algorithm, until, iterations, seconds, precision
        As for :func:`solve`, of each game.
    threads : int or "auto"
        How many games are solved at once; ``"auto"`` is as many as there are cores. Changes nothing
        in the result.
    callbacks : Callbacks, callable or several, optional
        A callable, or ``on_solution``, is called with the number of the game, from
        0, and its solution as soon as that is there: not always in order.

    Raises
    ------
    GameError, AlgorithmError
        As for :func:`solve`; where one of the games is at fault, the message names its number, and
        nothing is solved.

    Notes
    -----
    An interrupt (Ctrl-C) ends all runs: every solution is returned, at the least after one
    iteration, with the ``stop_reason`` ``"interrupt"`` where it ended one. What ``on_solution``
    raises ends them, too, and is raised.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solutions = eq.solve_many([f"kuhn(cards={n})" for n in (3, 4, 5)], until=1e-3)
    >>> [round(solution.value[0], 3) for solution in solutions]
    [-0.056, -0.042, -0.067]
    """
    if isinstance(games, str) or not isinstance(games, Iterable):
        raise AlgorithmError(f"solve_many() takes a list of games; got {games!r}.")
    tell = find_listeners(callbacks, "solve_many", ("on_solution",))["on_solution"]
    stop: dict[str, Any] = {"until": until, "iterations": iterations, "seconds": seconds}
    config = new_config(algorithm=algorithm, precision=precision, threads=threads, **stop)
    workers = config.threads or cores()
    config = replace(config, threads=1)
    runs = [_begin_run(game, number, config) for number, game in enumerate(games)]
    solutions: dict[int, Solution] = {}
    with note_signals() as signals, ThreadPoolExecutor(workers) as pool:
        numbers = {
            pool.submit(run.execute, _SILENT, signals): number for number, run in enumerate(runs)
        }
        try:
            for done in as_completed(numbers):
                number = numbers[done]
                solutions[number] = done.result()
                if tell is not None:
                    tell(number, solutions[number])
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            signals.append(0)  # ends those that have begun
            raise
    return [solutions[number] for number in range(len(runs))]


def _begin_run(game: Playable, number: int, config: SolveConfig) -> Run:
    """Return the run of a game before its first iteration; an error names its number."""
    try:
        compiled, settings, spent = plan(game, config, None, unfollowed=True)
        solver = make_solver(compiled, settings)
        check_promises(solver, settings)
    except EquilibristError as error:
        error.args = (f"Game {number}: {error}",)
        raise
    return Run(solver, game if isinstance(game, str) else solver.game_name, settings, spent)
