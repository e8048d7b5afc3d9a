"""Runs over several actors: what cannot be one, what they take, and where their checkpoints lie in a run folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from .._util.ray_cluster import need_ray
from ..cluster.checkpoint import read_about, read_state
from ..cluster.cluster_cfr import ClusterCFR
from ..cluster.make import check_actors, make_actors, make_split, part_gigabytes
from ..errors import AlgorithmError, GameTooLargeError
from ..form.compiled_game import CompiledGame
from ..form.limits import free_memory, rounded
from .config import SolveConfig

ACTORS = "actors"
"""The folder of a run folder to which actors save."""
_NEVER = 2**62  # iterations


class Cluster(NamedTuple):
    """Over what a run is spread, and where its parts are saved.

    Attributes
    ----------
    actors : int
        How many processes hold the tables.
    ray : str or None
        The address of a Ray cluster; None for processes of this machine.
    folder : Path or None
        The run folder.
    resume : Path or None
        The checkpoint of a run over actors that goes on.
    top_only : bool
        Whether the strategy of the first street is all that is asked for.
    """

    actors: int
    ray: str | None = None
    folder: Path | None = None
    resume: Path | None = None
    top_only: bool = False

    def solver(self, form: CompiledGame, config: SolveConfig) -> ClusterCFR:
        """Return the solver of a compiled game over these actors, which are started.

        Raises
        ------
        AlgorithmError
            The game or the algorithm is not for actors, or no cluster answers.
        GameError
            There is not memory enough, here or on the machines of the cluster.
        """
        about = None if self.resume is None else read_about(self.resume)
        is_same = about is not None and about.run.get("fingerprint") == form.fingerprint  # else it is refused later
        split = make_split(form, self.actors, most=about.most if about is not None and is_same else None)
        settings: dict[str, Any] = {"alternating": config.alternating, "precision": config.precision}
        each = part_gigabytes(split, config.algorithm, **settings)
        self._check_memory(form, config, each * len(split.lengths) if self.ray is None else 0.0)
        settings["threads"] = config.threads
        return ClusterCFR(
            split,
            config.algorithm,
            actors=make_actors(split, config.algorithm, ray=self.ray, **settings),
            horizon=config.horizon,
            folder=None if self.folder is None else self.folder / ACTORS,
            every=_NEVER,
            top_only=self.top_only,
            **settings,
        )

    def _check_memory(self, form: CompiledGame, config: SolveConfig, actors: float) -> None:
        """Refuse a run that takes more memory here than there is: one table, and actors on this machine."""
        table = 0.0 if self.top_only else 8 * form.length / 1e9
        there = free_memory() if config.max_memory_gb is None else config.max_memory_gb
        if table + actors > there:
            raise GameTooLargeError(
                f"{form.name} takes {rounded(actors)} GB in actors on this machine and {rounded(table)} GB for its "
                f"average strategy, and there are {rounded(there)} GB. Use a Ray cluster (ray=, --ray), "
                "or keep the strategy of the first street alone (save_streets=1, --streets 1)."
            )


def checked_cluster(
    actors: int | None, ray: str | None, config: SolveConfig, *, folder: Path | None, streets: int | None
) -> Cluster | None:
    """Return over what a run is spread; None where it is not.

    Raises
    ------
    AlgorithmError
        The settings do not go together with actors.
    SolutionError
        The folder holds the checkpoints of another run over actors.
    """
    if actors is None:
        if ray is not None:
            raise AlgorithmError(
                f"ray={ray!r} says where actors are, not how many: give actors= (--actors).", wrong_use=True
            )
        return None
    check_actors(actors)
    if ray is not None:
        need_ray()
    if not config.sampling.full_width:
        raise AlgorithmError(
            f"Actors hold the tables of full-width CFR; got sampling='{config.sampling}'. Leave sampling out, or merge "
            "independent chains (solve_chains).",
            wrong_use=True,
        )
    if config.stop.until_cce is not None:
        raise AlgorithmError(
            "The distance from a coarse correlated equilibrium is not tracked over actors: leave until_cce out.",
            wrong_use=True,
        )
    return Cluster(int(actors), ray, folder, top_only=streets == 1)


def state_of_actors(form: CompiledGame, folder: Path) -> dict[str, NDArray[Any]]:
    """Return the whole state that actors wrote."""
    about = read_about(folder)
    return read_state(make_split(form, 1, most=about.most), folder, about)


def remove_checkpoints(folder: Path) -> None:
    """Remove the checkpoints of actors from a run folder whose state is saved otherwise."""
    shutil.rmtree(folder / ACTORS, ignore_errors=True)
