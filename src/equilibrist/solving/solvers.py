"""The factory of solvers: the one place that knows which solver suits which game, form, sampling and backend."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._util.stopwatch import Seconds, stopwatch
from ..cfr.abstract_cfr import AbstractCFR
from ..cfr.concepts import NASH, Concept
from ..cfr.criteria import Exploitability, ResponseGap, WithinFloors
from ..cfr.public_pruned import PrunedCFR
from ..cfr.rule_cfr import RuleCFR
from ..cfr.solver import Solver
from ..cfr.solvers import CPU, FULL_WIDTH
from ..cfr.treeplex_solver import TreeplexSolver
from ..cluster.backend import Cluster
from ..errors import AlgorithmError, SolutionError
from ..form.abstract.infoset_map import SavedBuckets
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.limits import make_sentence, within_memory
from ..form.public.form import PublicForm
from ..form.responses import Values
from ..form.walk.walk import WalkStoppedError
from ..mccfr.sampled_abstraction import BucketedCFR, SampledAbstraction
from ..mccfr.sampled_opponents import SampledOpponents
from ..mccfr.sampled_rule import SampledRule
from ..mccfr.sampling import ZERO_REACH
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import InfosetTable, make_table
from ..mccfr.table_walked import WalkedTable
from ..mccfr.walk_cfr import WalkCFR
from ..mccfr.walked_abstraction import WalkedAbstraction
from .config import SolveConfig
from .info import GameInfo
from .solution import Solution
from .trace import Checkpoint


def make_solver(
    game: CompiledGame | InfosetTable,
    config: SolveConfig,
    *,
    checkpoint: Path | None = None,
    streets: int | None = None,
) -> Solver:
    """Return the solver of a compiled game, or of a table of infosets that are met without one.

    The one place where the form, what is sampled, how numbers are stored, threads and the backend
    become a solver. A backend has its solvers in :data:`~equilibrist.cfr.solvers.FULL_WIDTH`, or
    makes them as :class:`Cluster` does. Nothing of ``config`` is left open
    (:func:`~equilibrist.solving.plan.with_defaults`); ``checkpoint`` is the folder to which actors
    have saved the run that goes on, ``streets`` how many of a card game are asked for in the end.
    """
    precision = config.precision or "float64"
    threads = config.threads or 1
    sampled: dict[str, Any] = {
        "sampling": config.sampling,
        "seed": config.seed or 0,
        "threads": threads,
    }
    if isinstance(game, WalkedTable) and config.abstraction is not None:
        return WalkedAbstraction(
            game,
            config.algorithm,
            abstraction=config.abstraction,
            horizon=config.horizon,
            threads=threads,
        )
    if isinstance(game, WalkedTable):
        return WalkCFR(game, config.algorithm, horizon=config.horizon, threads=threads)
    if not is_compiled(game) and config.abstraction is not None:
        if isinstance(config.backend, Cluster):
            return config.backend.sampler(
                game,
                config.algorithm,
                config.sampling,
                abstraction=config.abstraction,
                seed=config.seed or 0,
            )
        return BucketedCFR(game, config.algorithm, abstraction=config.abstraction, **sampled)
    if not is_compiled(game):
        return MonteCarloCFR(game, config.algorithm, **sampled)
    with within_memory(game.name, make_sentence(game.smaller)):
        if config.abstraction is not None and not config.sampling.full_width:
            kind = SampledAbstraction if config.abstraction.binds_opponents else SampledOpponents
            return kind(
                game,
                config.algorithm,
                config.sampling,
                abstraction=config.abstraction,
                minimiser=config.concept.minimiser(game),
                seed=config.seed or 0,
                threads=threads,
            )
        if config.abstraction is not None:
            return AbstractCFR(
                game,
                config.algorithm,
                abstraction=config.abstraction,
                minimiser=config.concept.minimiser(game),
                horizon=config.horizon,
                threads=threads,
            )
        rule = config.algorithm.rule
        if rule is not None and rule.plays_plans:
            return TreeplexSolver(
                game, config.algorithm, rule, horizon=config.horizon, threads=threads
            )
        if rule is not None and not config.sampling.full_width:
            table = make_table(game)
            return SampledRule(table, config.algorithm, config.sampling, seed=config.seed or 0)
        if rule is not None:
            return RuleCFR(game, config.algorithm, rule, horizon=config.horizon, threads=threads)
        if isinstance(game, PublicForm) and config.sampling == ZERO_REACH:
            return PrunedCFR(game, config.algorithm)
        minimiser = config.concept.minimiser(game)
        if not config.sampling.full_width:
            return MonteCarloCFR(make_table(game), config.algorithm, minimiser=minimiser, **sampled)
        options: dict[str, Any] = {
            "horizon": config.horizon,
            "precision": precision,
            "threads": threads,
        }
        if isinstance(config.backend, Cluster):
            more: dict[str, Any] = {
                "memory_gb": config.limits.memory_gb,
                "checkpoint": checkpoint,
                "top_only": streets == 1,
            }
            return config.backend.solver(game, config.algorithm, **options, **more)
        return FULL_WIDTH[config.backend, game.kind](
            game, config.algorithm, minimiser=minimiser, **options
        )


def saved_settings(old: Solution) -> SolveConfig:
    """Return the settings of a saved run, its form as it was resolved."""
    if old.config is None or not old.state:
        raise SolutionError(
            "This solution holds no regrets to go on with; it can be read, not resumed."
        )
    config = old.config
    if config.abstraction is not None:
        bucket = old.state.get("bucket", np.zeros(0, np.int64))
        abstraction = replace(config.abstraction, source=SavedBuckets(bucket))
        config = replace(config, abstraction=abstraction)
    game = old.info.game
    if game.traits.is_complete:
        return replace(config, form=game.form)
    return config


def restore_solver(form: CompiledGame, old: Solution) -> Solver:
    """Return the solver of a run on a compiled game where it stopped; errors are those of :func:`restore`."""
    solver = make_solver(form, replace(saved_settings(old), backend=CPU))
    restore(solver, old)
    return solver


def restore(solver: Solver, old: Solution, checkpoint: Path | None = None) -> None:
    """Bring a new solver to where a saved run stopped, if it is the same game; its actors to their checkpoint."""
    if old.info.game.fingerprint != solver.fingerprint:
        raise SolutionError(
            f"The saved run solved another game: {solver.game_name} as it is now has other "
            f"infosets, actions or payoffs than {old.game} had then. Start afresh."
        )
    if checkpoint is not None and solver.store is not None:
        solver.store.load(checkpoint)
    else:
        solver.load_state(old.state)
    reached = solver.iteration, solver.nodes_touched
    if (
        reached != (old.final.iteration, old.final.nodes_touched)
        or not solver.plays_probabilities()
    ):
        raise SolutionError(
            f"The state of the saved run on {old.game} does not belong to it. Start afresh."
        )


def certify(
    solver: Solver, seconds: Seconds, concept: Concept = NASH, *, exact: bool = True
) -> Checkpoint:
    """Return what is known of the average strategy as it is now: its certificate, and other :data:`MEASURES`.

    There is no certificate where not ``exact``, where the solver has none, or where it is to stop
    in the middle of it.
    """
    measures: dict[str, float] = {}
    certificate = None
    if solver.certifies and exact:
        with stopwatch(seconds, "certify"), suppress(WalkStoppedError):
            certificate = solver.values()
            if not all(map(math.isfinite, (*certificate.value, *certificate.best_response_value))):
                raise AlgorithmError(
                    f"The value of {solver.game_name} after iteration {solver.iteration:,} is no "
                    f"finite number ({certificate.value}), so that nothing is certified, and the "
                    "run ends. Give payoffs in a larger unit.",
                    wrong_use=False,
                )
            if solver.tracks_play:
                measures["cce_distance"] = max(solver.plan_regrets())
            for criterion in concept.measures():
                measures[criterion.name] = criterion.evaluate(solver)
    return make_checkpoint(solver, seconds["solve"], certificate, measures)


def make_checkpoint(
    solver: Solver,
    seconds: float,
    values: Values | None,
    more_measures: dict[str, float],
    iteration: int | None = None,
) -> Checkpoint:
    """Return the checkpoint of a certificate, now or after an earlier iteration of full-width CFR, and of other
    measures.
    """
    iterations = solver.iteration
    nodes_touched = solver.nodes_touched
    measures = more_measures if values is None else values.measures | more_measures
    pot = solver.form.pot
    if pot is not None:
        measures |= {
            f"{name}_percent": 100 * measures[name] / pot for name in _OF_POT if name in measures
        }
    return Checkpoint(
        iteration=iterations if iteration is None else iteration,
        nodes_touched=nodes_touched
        if iteration is None
        else nodes_touched // iterations * iteration,
        seconds=seconds,
        value=() if values is None else values.value,
        deviation_gains=() if values is None else values.deviation_gains,
        measures=measures,
    )


_OF_POT = (Exploitability.name, WithinFloors.name, ResponseGap.name)
"""What is told as a share of the pot as well."""


def game_info(name: str, solver: Solver) -> GameInfo:
    """Return what a solution says of the game that a solver works on."""
    definition = solver.form.definition
    if definition == name:
        definition = ""
    return GameInfo(name=name, definition=definition, **solver.describe_game())
