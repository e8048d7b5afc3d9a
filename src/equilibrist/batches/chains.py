"""Independent chains of Monte Carlo CFR on one game, whose averages are merged by weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.validate import check_executor, is_whole
from ..cfr.algorithms import Algorithm
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.responses import Values
from ..mccfr.sampling import Sampling, find_sampling
from ..solving.save import CHECKPOINT
from ..solving.solve import solve
from ..solving.solvers import restore_solver
from ..solving.trace import Checkpoint
from ..strategy.strategy import Strategy


@dataclass(frozen=True)
class Chains:
    """Chains of one game with seeds of their own, and their merged average.

    Attributes
    ----------
    strategy : Strategy
        The merged average strategy.
    certificate : Values
        Of that strategy: ``value``, ``best_response_value``, ``deviation_gains``, ``nash_conv`` and
        ``exploitability``.
    seeds : tuple of int
        The seeds of the chains.
    ends : tuple of Checkpoint
        What is known of each chain at its end, its own certificate above all.
    """

    strategy: Strategy
    certificate: Values
    seeds: tuple[int, ...]
    ends: tuple[Checkpoint, ...]


def solve_chains(
    form: CompiledGame,
    algorithm: str | Algorithm = "auto",
    *,
    chains: int,
    sampling: str | Sampling = "external",
    seed: int = 0,
    executor: Executor | None = None,
    save: str | Path | None = None,
    **options: Any,
) -> Chains:
    """Return independent runs of Monte Carlo CFR with their own seeds, and the merged average strategy.

    Parameters
    ----------
    form : CompiledGame
        The game, from :func:`~equilibrist.compile_game` or :func:`~equilibrist.compile_public`.
    algorithm, sampling, **options
        As for :func:`~equilibrist.solve`; the limits are those of each chain.
    chains : int
        How many there are.
    seed : int
        Of the first; the others have the next ones.
    executor : concurrent.futures.Executor, optional
        Carries out the chains: processes, or a :class:`~equilibrist.RayExecutor`; by default they
        run one after the other. The result is the same, bit for bit.
    save : path, optional
        A folder in which each chain is saved; one that is there goes on.

    Raises
    ------
    AlgorithmError
        Nothing is drawn, or there is no tree to find a certificate on.

    Notes
    -----
    An average strategy is the share of each action in sums of reach × probability over the
    iterations. Those of a chain are unbiased for its own play, so that the sums of all chains
    together are unbiased for that of all: each chain has the weight of what it has added up, at
    each infoset by itself, as if their iterations were of one run.

    Examples
    --------
    >>> import equilibrist as eq
    >>> merged = eq.solve_chains(eq.compile_game(eq.load("kuhn"), keep_tree=True), chains=4, iterations=2000)
    >>> merged.certificate.nash_conv < max(end.nash_conv for end in merged.ends)
    True
    """
    scheme = find_sampling(sampling)
    if not is_whole(chains, 1):
        raise AlgorithmError(f"chains must be a whole number, 1 or more; got {chains!r}.")
    if not scheme.random or not scheme.tree:
        raise AlgorithmError(
            "Chains differ in what they draw, and their average is certified on a tree; got "
            f"sampling={str(scheme)!r}. Use 'external' or 'outcome'.",
        )
    seeds = tuple(range(seed, seed + chains))
    if executor is not None:
        check_executor(executor)
    task = partial(
        _run_chain, form, algorithm, scheme, options, None if save is None else Path(save)
    )
    results: Sequence[tuple[Checkpoint, Floats]] = list(
        (map if executor is None else executor.map)(task, seeds)
    )
    weights = reduce(np.add, [sums for _, sums in results])  # in the order of the chains
    strategy = Strategy.from_form(form, form.average_from_sums(weights))
    return Chains(
        strategy, form.values(weights, weights=True), seeds, tuple(end for end, _ in results)
    )


def _run_chain(
    form: CompiledGame,
    algorithm: str | Algorithm,
    sampling: Sampling,
    options: Mapping[str, Any],
    save: Path | None,
    seed: int,
) -> tuple[Checkpoint, Floats]:
    """Return the end of a chain and the sums of its average; it is saved and resumed in a folder of its own."""
    path = None if save is None else save / f"seed{seed}"
    if path is not None and (path / CHECKPOINT).exists():
        solution = solve(form, resume=path, save=path, **options)
    else:
        solution = solve(form, algorithm, sampling=sampling, seed=seed, save=path, **options)
    return solution.final, restore_solver(form, solution).average_weights()
