"""Monte Carlo CFR in an abstraction: the infosets of a bucket share the slots that samples read and add to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cfr.algorithms import Algorithm
from ..errors import AlgorithmError, SolutionError
from ..form.abstract.abstraction import Abstraction
from ..form.abstract.infoset_map import InfosetMap
from ..form.compiled_game import CompiledGame
from .records import OPPONENT, STOCHASTIC
from .sampling import Sampling
from .solver import MonteCarloCFR
from .table import CompiledTable, InfosetTable, make_table

BUCKET = "bucket"


class BucketedCFR(MonteCarloCFR):
    """CFR on samples of a table whose infosets are buckets already; parameters are those of :class:`MonteCarloCFR`."""

    abstraction: Abstraction

    def __init__(
        self,
        table: InfosetTable,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        abstraction: Abstraction,
        **options: Any,
    ) -> None:
        abstraction.check_bound("sampling", str(sampling))
        super().__init__(table, algorithm, sampling, **options)
        self.abstraction = replace(abstraction, buckets=len(table.infosets()))
        check_average(self.abstraction, sampling, self.plan.average)


class SampledAbstraction(MonteCarloCFR):
    """CFR on samples of a game whose players forget; parameters are those of :class:`MonteCarloCFR`.

    The average is one over what is sampled: an infoset weighs in its bucket by its player's reach
    and that of chance, where full passes weigh it by the former alone. With perfect recall both are
    the same.
    """

    table: CompiledTable
    abstraction: Abstraction

    def __init__(
        self,
        form: CompiledGame,
        algorithm: Algorithm,
        sampling: Sampling,
        *,
        abstraction: Abstraction,
        **options: Any,
    ) -> None:
        abstraction.check_game(form)
        abstraction.check_bound("sampling", str(sampling))
        infoset_map = abstraction.make_map(form)
        super().__init__(make_table(form, infoset_map), algorithm, sampling, **options)
        self.abstraction = abstraction.describe_map(infoset_map)
        self._map = infoset_map
        if not infoset_map.has_perfect_recall:
            check_average(abstraction, sampling, self.plan.average)

    def action_slots(self) -> NDArray[np.int64]:
        return self.table.action_slots()

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return {**super().state_dict(), BUCKET: self._map.bucket.copy()}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        super().load_state(take_buckets(state, self.game_name, self.abstraction, self._map))


def take_buckets(
    state: dict[str, NDArray[Any]], game: str, abstraction: Abstraction, infoset_map: InfosetMap
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a saved state but its buckets, which must be those of a map.

    Raises
    ------
    SolutionError
        There are none, or they are others.
    """
    other_arrays = dict(state)
    bucket = other_arrays.pop(BUCKET, None)
    if bucket is None:
        raise SolutionError(f"The saved run on {game} has no buckets. Start afresh.")
    abstraction.check_saved(infoset_map, bucket)
    return other_arrays


def check_average(abstraction: Abstraction, sampling: Sampling, average: int) -> None:
    """Refuse an average that needs to know what a player did before an infoset, which players forget."""
    if average in (OPPONENT, STOCHASTIC):
        return
    raise AlgorithmError(
        f"Players forget by the map {abstraction.map}, so that their actions before an "
        f"infoset do not follow from its bucket, as this average needs; got "
        f"sampling='{sampling}'. Use average='opponent' or 'stochastic', or leave sampling "
        "out.",
        field="sampling",
    )
