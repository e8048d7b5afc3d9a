"""The factory of runs over several actors: which split suits which form, and where its actors live."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._util.validate import is_whole
from ..cfr.algorithms import Algorithm, find_algorithm
from ..cfr.solvers import FULL_WIDTH
from ..errors import AlgorithmError
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame
from ..form.limits import PROCESS_GB
from ..form.public import PublicForm
from .actors import Actors, ProcessActors
from .card_split import CardSplit
from .cluster_cfr import ClusterCFR
from .public_split import PublicSplit
from .ray_actors import RayActors
from .split import Split

_SPLITS: dict[str, Callable[..., Split]] = {PublicForm.kind: PublicSplit, CardForm.kind: CardSplit}


def cluster_cfr(
    form: CompiledGame,
    algorithm: str | Algorithm = "auto",
    *,
    actors: int = 2,
    ray: str | None = None,
    threads: int = 1,
    alternating: bool = True,
    horizon: int | None = None,
    precision: str = "auto",
    folder: str | Path | None = None,
    every: int = 100,
) -> ClusterCFR:
    """Return full-width CFR on one game whose tables are held by several processes, here or on a Ray cluster.

    Parameters
    ----------
    form : PublicForm or CardForm
        The game, from :func:`~equilibrist.compile_public` or :func:`~equilibrist.compile_cards`.
    algorithm : str or Algorithm
        The variant of CFR.
    actors : int
        How many processes hold the tables.
    ray : str, optional
        The address of a Ray cluster (as for :class:`~equilibrist.RayExecutor`); by default processes of this machine.
    threads : int
        How many threads each uses.
    alternating, horizon
        As in :func:`~equilibrist.solve`.
    precision : {"auto", "float64", "float32"}
        How the tables are stored.
    folder : path, optional
        Where checkpoints go, each process writing its own part: a folder that all machines see. A checkpoint that is
        there is gone on from.
    every : int
        How many iterations there are between checkpoints.

    Returns
    -------
    ClusterCFR
        ``run(iterations)``, ``certificate()``, ``save()``, ``close()``; it can be used in ``with``.

    Raises
    ------
    AlgorithmError
        The game cannot be split, or no cluster answers.
    GameError
        The machines of the cluster are too small or too few for the actors.

    Examples
    --------
    >>> import equilibrist as eq
    >>> form = eq.compile_public(eq.load("leduc").public_states())
    >>> with eq.cluster_cfr(form, "dcfr", actors=2) as solver:
    ...     solver.run(200)
    ...     found = solver.certificate()
    >>> found.nash_conv < 0.05
    True
    """
    check_actors(actors)
    row = find_algorithm(algorithm, sampled=False)
    split = make_split(form, actors)
    settings: dict[str, Any] = {
        "alternating": alternating,
        "precision": form.default_precision if precision == "auto" else precision,
        "threads": threads,
    }
    transport = make_actors(split, row, ray=ray, **settings)
    solver = ClusterCFR(split, row, actors=transport, horizon=horizon, folder=folder, every=every, **settings)
    try:
        solver.resume()
    except Exception:
        solver.close()
        raise
    return solver


def check_actors(actors: int) -> None:
    """Refuse what is no number of actors.

    Raises
    ------
    AlgorithmError
        It is none.
    """
    if not is_whole(actors, 1):
        raise AlgorithmError(
            f"actors must be a whole number, 1 or more; got {actors!r}.", wrong_use=True, field="actors"
        )


def make_split(form: CompiledGame, actors: int, *, most: int | None = None) -> Split:
    """Return a game cut for so many actors; ``most`` is that of another cut whose checkpoints are to be read.

    Raises
    ------
    AlgorithmError
        The game cannot be cut.
    """
    if not isinstance(form, CompiledGame):
        raise AlgorithmError(
            f"Actors share a compiled game: give what compile_public() or compile_cards() returns; got {form!r}.",
            wrong_use=True,
        )
    check_split(form.kind, form.name)
    return _SPLITS[form.kind](form, actors, most=most)


def check_split(kind: str, name: str) -> None:
    """Refuse a form of a game that cannot be cut.

    Raises
    ------
    AlgorithmError
        It cannot.
    """
    if kind not in _SPLITS:
        raise AlgorithmError(
            f"{name} is compiled as a {kind} form, which is not split over actors. Compile its public states "
            "(form='public', --form public; compile_public) or its boards (form='cards'; compile_cards).",
            wrong_use=True,
        )


def part_gigabytes(split: Split, algorithm: Algorithm, *, alternating: bool, precision: str) -> float:
    """Return the gigabytes that the largest actor takes: the game, its tables, and a process."""
    form: CompiledGame = split.form
    each = FULL_WIDTH[form.kind].bytes_per_slot(algorithm, alternating=alternating, precision=precision)
    return (max(split.lengths, default=0) * each + form.nbytes) / 1e9 + PROCESS_GB


def make_actors(
    split: Split, algorithm: Algorithm, *, ray: str | None, alternating: bool, precision: str, threads: int
) -> Actors:
    """Return actors for a split game, not started: processes of this machine, or of a Ray cluster.

    Raises
    ------
    AlgorithmError
        No cluster answers.
    """
    if ray is None:
        return ProcessActors()
    gigabytes = part_gigabytes(split, algorithm, alternating=alternating, precision=precision)
    return RayActors(ray, cpus=threads, memory=int(1e9 * gigabytes))
