"""The factory of solvers: the one place that knows which solver suits which game, form and sampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..cfr.public_pruned import PrunedCFR
from ..cfr.solver import Solver
from ..cfr.solvers import FULL_WIDTH
from ..cluster.make import check_split
from ..errors import SolutionError
from ..evaluation.certificate import Certificate
from ..form.compiled_game import CompiledGame
from ..form.limits import MAX_DEPTH, Limits, sentence, within_memory
from ..form.public import PublicForm
from ..mccfr.sampling import ZERO_REACH
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import InfosetTable, table_of
from ..mccfr.table_lazy import lazy_table
from .actors import Cluster
from .config import SolveConfig, resolved
from .estimate import estimate_run
from .info import GameInfo
from .prepare import Playable, Seconds, prepare, prepare_lazy, stopwatch
from .save import check_streets
from .solution import Solution
from .trace import Checkpoint

Say = Callable[[str], None]


def prepare_solver(
    game: Playable,
    config: SolveConfig,
    say: Say,
    *,
    auto: bool = False,
    cluster: Cluster | None = None,
    streets: int | None = None,
) -> tuple[Solver, SolveConfig, str, Seconds]:
    """Return the solver of a game that is compiled on the way, what its settings became, its name, the seconds spent.

    With ``auto`` the algorithm is the one that suits the form of the game; with ``cluster`` the run is spread over it;
    ``streets`` are to be saved.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed, or takes too much memory.
    AlgorithmError
        The settings do not go together with the game.
    SolutionError
        The game has not so many streets.
    """

    def accept(form: CompiledGame | type[CompiledGame], name: str) -> None:
        check_streets(form, streets)
        if cluster is not None:
            check_split(form.kind, name)

    limits = Limits.checked(config.max_histories, config.max_depth or MAX_DEPTH)
    limits = limits._replace(memory=config.max_memory_gb)
    scheme = config.sampling
    if not scheme.tree:
        check_streets(None, streets)
        rules, seconds = prepare_lazy(game, say=say, threads=config.threads_for(None))
        table = lazy_table(rules, max_histories=limits.max_histories, max_depth=limits.max_depth)
        config = resolved(config, None)
        return make_solver(table, config), config, table.name, seconds
    form, seconds = prepare(
        game,
        form=config.form,
        limits=limits,
        say=say,
        precision=config.precision,
        sampled=not scheme.full_width,
        threads=config.threads_for(None),
        accept=accept,
    )
    config = resolved(config, form, auto=auto)
    if cluster is not None:
        say(f"Starting {cluster.actors} actors")
        return cluster.solver(form, config), config, form.name, seconds
    with within_memory(form.name, sentence(form.smaller)):
        # Before a part is timed, which takes a while where all is large.
        estimate_run(form, config, timed=False).check(config.max_memory_gb)
        expected = estimate_run(form, config)
        if expected.seconds is not None:
            say(str(expected))
        return make_solver(form, config), config, form.name, seconds


def make_solver(game: CompiledGame | InfosetTable, config: SolveConfig) -> Solver:
    """Return the solver of a compiled game, or of a table of infosets that are met without one.

    The one place where the form, what is sampled, how numbers are stored, threads and the backend become a solver. A
    backend other than the kernels of this package is a subclass of :class:`Solver` that is returned here.

    Raises
    ------
    AlgorithmError
        The settings do not go together with the game.
    """
    if not isinstance(game, CompiledGame):
        return _sampled(game, config)
    if config.sampling == ZERO_REACH and isinstance(game, PublicForm):
        return PrunedCFR(game, config.algorithm, alternating=config.alternating)
    if not config.sampling.full_width:
        return _sampled(table_of(game), config)
    return FULL_WIDTH[game.kind](
        game,
        config.algorithm,
        alternating=config.alternating,
        horizon=config.horizon,
        threads=config.threads_for(game),
        precision=config.precision,
    )


def _sampled(table: InfosetTable, config: SolveConfig) -> Solver:
    return MonteCarloCFR(
        table,
        config.algorithm,
        config.sampling,
        alternating=config.alternating,
        seed=config.seed or 0,
        threads=config.threads_for(table.form),
    )


def settings_of(old: Solution) -> SolveConfig:
    """Return the settings of a saved run, its form as it was resolved.

    Raises
    ------
    SolutionError
        It is no run that can go on.
    """
    if old.config is None or not old.state:
        raise SolutionError("This solution holds no regrets to go on with; it can be read, not resumed.")
    form = old.info.game.form
    return old.config if form == "none" else replace(old.config, form=form)


def restored(form: CompiledGame, old: Solution) -> Solver:
    """Return the solver of a run on a compiled game where it stopped; errors are those of :func:`restore`."""
    solver = make_solver(form, settings_of(old))
    restore(solver, old)
    return solver


def restore(solver: Solver, old: Solution, checkpoint: Path | None = None) -> None:
    """Bring a new solver to where a saved run stopped, if it is the same game; its actors to their checkpoint.

    Raises
    ------
    SolutionError
        It is another game, or the state is not that of such a run.
    """
    if old.info.game.fingerprint != solver.fingerprint:
        raise SolutionError(
            f"The saved run solved another game: {solver.game_name} as it is now has other infosets, actions or "
            f"payoffs than {old.game} had then. Start afresh."
        )
    if checkpoint is None:
        solver.load_state(old.state)
    else:
        solver.load_checkpoint(checkpoint)
    reached = solver.iteration, solver.nodes_touched
    if reached != (old.final.iteration, old.final.nodes_touched) or not solver.plays_probabilities():
        raise SolutionError(f"The state of the saved run on {old.game} does not belong to it. Start afresh.")


def look(solver: Solver, seconds: Seconds) -> Checkpoint:
    """Return what is known of the average strategy as it is now, its certificate above all."""
    known: dict[str, Any] = {"value": (), "nash_conv": None, "exploitability": None}
    if solver.form is not None:
        with stopwatch(seconds, "certify"):
            certificate = Certificate(*solver.values())
            known = {name: getattr(certificate, name) for name in ("value", "nash_conv", "exploitability", "gains")}
            known["cce_distance"] = solver.cce_distance()
        if solver.form.pot is not None:
            known["exploitability_percent"] = 100 * certificate.exploitability / solver.form.pot
    return Checkpoint(iteration=solver.iteration, nodes_touched=solver.nodes_touched, seconds=seconds["solve"], **known)


def game_info(name: str, solver: Solver) -> GameInfo:
    """Return what a solution says of the game that a solver works on."""
    if solver.form is not None:
        definition = solver.form.definition if solver.form.definition != name else ""
        return GameInfo(name=name, definition=definition, **solver.form.describe())
    strategy = solver.strategy()
    return GameInfo(
        name=name,
        players=solver.players,
        histories=None,
        infosets=len(strategy),
        slots=strategy.num_probabilities + solver.players,
        zero_sum=None,
        form="none",
        fingerprint=solver.fingerprint,
    )
