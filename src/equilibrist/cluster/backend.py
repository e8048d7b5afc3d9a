"""The backend of runs over several actors: how many there are, where they live, and which split suits which form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .._util.validate import is_whole
from ..cfr.algorithms import Algorithm
from ..cfr.solvers import CPU, FULL_WIDTH
from ..errors import AlgorithmError, GameTooLargeError
from ..form.abstract.abstraction import Abstraction
from ..form.cards.form import CardForm
from ..form.compiled_game import CompiledGame
from ..form.limits import PROCESS_GB, free_memory
from ..form.public.form import PublicForm
from ..mccfr.sampling import Sampling
from ..mccfr.table import InfosetTable
from ..show.numbers import format_two_digits
from .actors import ProcessActors
from .cards import CardSplit
from .checkpoint import read_facts
from .cluster_cfr import ClusterCFR
from .parts import Split
from .public import PublicSplit
from .ray_cluster import Actors, RayActors, check_ray
from .sampled_cfr import SampledClusterCFR

_SPLITS: dict[str, Callable[..., Split]] = {PublicForm.kind: PublicSplit, CardForm.kind: CardSplit}


@dataclass(frozen=True, slots=True)
class Cluster:
    """One game over several processes: full-width CFR, whose tables they hold, or samples, which they draw.

    Of full-width CFR each process holds the tables of a part of the game: of its public states, or
    of the boards after the first street. The result is the same, bit for bit, and threads are those
    of each process. What is saved is written by the processes, and one that dies costs the
    iterations since the last save. The average strategy is brought here, a third of the tables, but
    where the first street alone is saved (``save=eq.Save(folder, streets=1)``). The solution has no
    state: such a run is resumed from its folder, over actors or on one machine.

    Samples are drawn of games that offer a table of buckets, such as ``nlhe``
    (``sampling="external(tree=False, batch=4096)"``). The table is in this process; each other one
    has the strategy, and draws a share of every batch. The samples are those of one process, and
    sums differ by rounding alone.

    Parameters
    ----------
    actors : int
        How many processes there are beside this one.
    ray : str, optional
        The address of a Ray cluster where they are (:class:`RayExecutor`); by default this machine.

    Raises
    ------
    AlgorithmError
        ``actors`` is no whole number.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.solve("leduc", "dcfr", form="public", iterations=3, backend=eq.Cluster(actors=2)).iterations
    3
    """

    actors: int
    ray: str | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.actors, 1):
            raise AlgorithmError(
                f"actors must be a whole number, 1 or more; got {self.actors!r}.", field="actors"
            )
        object.__setattr__(self, "actors", int(self.actors))  # NumPy's

    def check(self, kind: str, name: str) -> None:
        """Refuse a game that is compiled into a kind of form which is not split, and a Ray that is not installed."""
        if kind not in _SPLITS:
            raise AlgorithmError(
                f"{name} is compiled as a {kind} form, which is not split over actors. Compile "
                "its public states (form='public', --form public; compile_public) or its boards "
                "(form='cards'; compile_cards).",
            )
        if self.ray is not None:
            check_ray()

    def solver(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        *,
        horizon: int | None = None,
        precision: str = "float64",
        threads: int = 1,
        memory_gb: float | None = None,
        checkpoint: Path | None = None,
        top_only: bool = False,
    ) -> ClusterCFR:
        """Return the solver of a compiled game over these actors, which are started.

        Parameters
        ----------
        form, algorithm, horizon, precision, threads
            As for :class:`~equilibrist.cfr.full_width.FullWidthCFR`.
        memory_gb : float, optional
            Gigabytes that it may take here; by default what is free.
        checkpoint : Path, optional
            The folder of one that it is going to load.
        top_only : bool
            Whether the strategy of the first street is all that is asked for.

        Raises
        ------
        AlgorithmError
            The game or the algorithm is not for actors, or no cluster answers.
        GameError
            There is not memory enough, here or on the machines of the cluster.
        """
        facts = None if checkpoint is None else read_facts(checkpoint)
        is_same = (
            facts is not None and facts.run.get("fingerprint") == form.fingerprint
        )  # else it is refused later
        split = make_split(
            form,
            self.actors,
            max_subtree_slots=facts.most if facts is not None and is_same else None,
        )
        slot_bytes = FULL_WIDTH[CPU, form.kind].bytes_per_slot(
            algorithm, precision, locked=len(form.locked_slots) > 0
        )
        gigabytes_of_actor = (
            max(split.lengths, default=0) * slot_bytes + form.nbytes
        ) / 1e9 + PROCESS_GB  # of the largest actor
        strategy_gigabytes = 0.0 if top_only else 8 * form.length / 1e9
        actor_gigabytes = gigabytes_of_actor * len(split.lengths) if self.ray is None else 0.0
        free_gigabytes = free_memory() if memory_gb is None else memory_gb
        if strategy_gigabytes + actor_gigabytes > free_gigabytes:
            raise GameTooLargeError(
                f"{form.name} takes {format_two_digits(actor_gigabytes)} GB in actors on this machine and "
                f"{format_two_digits(strategy_gigabytes)} GB for its average strategy, and there are "
                f"{format_two_digits(free_gigabytes)} GB. Use a Ray cluster (Cluster(ray=), --ray), or "
                "keep the strategy of the first street alone (Save(streets=1), --streets 1)."
            )
        return ClusterCFR(
            split,
            algorithm,
            actors=_make_actors(self.ray, cpus=threads, gigabytes=gigabytes_of_actor),
            horizon=horizon,
            precision=precision,
            threads=threads,
            top_only=top_only,
        )

    def sampler(
        self,
        table: InfosetTable,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        abstraction: Abstraction,
        seed: int,
    ) -> SampledClusterCFR:
        """Return the solver of a table in buckets, whose actors draw the samples and are started.

        Raises
        ------
        AlgorithmError
            No cluster answers.
        GameError
            There is not memory enough, here or on the machines of the cluster.
        """
        gigabytes_of_actor = table.nbytes / 1e9 + PROCESS_GB
        if self.ray is None and gigabytes_of_actor * self.actors > free_memory():
            raise GameTooLargeError(
                f"{self.actors} actors on {table.name} take {format_two_digits(gigabytes_of_actor)} GB "
                f"each on this machine, and there are {format_two_digits(free_memory())} GB. Use a "
                "Ray cluster (Cluster(ray=), --ray), fewer actors or fewer buckets."
            )
        return SampledClusterCFR(
            table,
            algorithm,
            sampling,
            abstraction=abstraction,
            seed=seed,
            actors=_make_actors(self.ray, cpus=1, gigabytes=gigabytes_of_actor),
            count=self.actors,
        )


def _make_actors(ray: str | None, *, cpus: int, gigabytes: float) -> Actors:
    """Return actors that are not started yet, on a Ray cluster or on this machine; of each what it takes there."""
    if ray is None:
        return ProcessActors()
    return RayActors(ray, cpus=cpus, memory=int(1e9 * gigabytes))


def make_split(form: CompiledGame, actors: int, *, max_subtree_slots: int | None = None) -> Split:
    """Return a game cut for so many actors.

    ``max_subtree_slots`` is that of another cut, whose checkpoints are to be read.
    """
    return _SPLITS[form.kind](form, actors, max_subtree_slots=max_subtree_slots)
