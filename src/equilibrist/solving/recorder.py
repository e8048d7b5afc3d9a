"""Recording while a run goes on: which infosets, after which iterations, and what the solver knows of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._util.validate import is_whole
from ..cfr.solver import Solver
from ..errors import AlgorithmError
from ..form.infosets import NamedInfosets
from ..strategy.tables import ranges
from .observe import Row, Watch, WatchCompiled, WatchMet
from .recording import MEASURES, Floats, Recording, Wanted
from .trace import next_on_grid, on_grid

MOST_NUMBERS = 100_000_000
"""Of a recording: it is kept in memory until the run ends, eight bytes each."""

_USUAL = 1_000_000  # iterations, where the number is not limited, to see beforehand whether there is room


@dataclass(frozen=True, slots=True)
class Record:
    """What a run records: current and average strategy, regret sums and reach of infosets (:attr:`Solution.recording`).

    Parameters
    ----------
    infosets : "all", or list of str or (player, str)
        A name without a player is that of every player who has an infoset of that name. A text that is the name of none
        is cut at its commas.
    every : int, optional
        Keep them after every so many iterations; by default at the checkpoints. Always kept at the end.

    Raises
    ------
    AlgorithmError
        ``infosets`` is no list of infosets, or ``every`` no whole number.
    """

    infosets: str | Iterable[str | tuple[int, str]]
    every: int | None = None
    wanted: tuple[Wanted, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.every is not None and not is_whole(self.every, 1):
            raise AlgorithmError(
                f"every must be a whole number of iterations, 1 or more; got {self.every!r}.",
                wrong_use=True,
                field="record_every",
            )
        try:
            listed = [self.infosets] if isinstance(self.infosets, str) else self.infosets
            wanted = tuple(dict.fromkeys(map(_checked_infoset, listed)))
        except TypeError:
            wanted = ()
        if not wanted:
            raise AlgorithmError(
                "record must be 'all' or a list of infosets, such as ['J', (1, 'Qpb')], each a name or (player, name); "
                f"got {self.infosets!r}.",
                wrong_use=True,
            )
        object.__setattr__(self, "wanted", wanted)  # as (player, name), with player None where only a name is given


def _checked_infoset(infoset: Any) -> Wanted:
    if isinstance(infoset, str):
        return None, infoset
    if isinstance(infoset, tuple) and len(infoset) == 2 and is_whole(infoset[0], 0) and isinstance(infoset[1], str):
        return int(infoset[0]), infoset[1]
    raise TypeError("neither a name nor a pair")


class Recorder:
    """Keeps what a run is asked to record: ``record``, or None to go on with what ``old`` records.

    ``solver`` is at the iteration where the run begins or goes on, and after so many ``iterations`` it ends at the
    latest. :class:`AlgorithmError` where there is no such infoset, ``old`` records something else, or the recording
    would be too large.
    """

    def __init__(
        self,
        solver: Solver,
        record: Record | None,
        *,
        old: Recording | None = None,
        iterations: int | None = None,
    ) -> None:
        every = None if record is None else record.every
        self.every = every if every is not None or old is None else old.every
        asked = record.wanted if record is not None else old.wanted if old is not None else None
        self._watch: Watch = WatchCompiled(solver, asked) if solver.form is not None else WatchMet(asked, old)
        if old is not None and not (self.every == old.every and self._watch.continues(old)):
            raise AlgorithmError(
                f"The saved run records {_named(old.wanted)} {_rhythm(old.every)}, and can only go on so; got "
                f"{_named(asked)} {_rhythm(self.every)}. Leave record out to go on, or start afresh.",
                wrong_use=True,
            )
        self._iteration: list[int] = []
        self._rows: list[Row] = []
        if old is not None:
            for i, t in enumerate(old.iteration.tolist()):
                if self.due(t):  # as an uninterrupted run would have kept it: not the row where the old run ended
                    self._iteration.append(t)
                    self._rows.append(Row(*(getattr(old, name)[i] for name in (*MEASURES, "reach"))))
        self._check_size(iterations)

    def due(self, iteration: int) -> bool:
        """Return whether a row is kept after this iteration, wherever the run ends."""
        return on_grid(iteration) if self.every is None else iteration > 0 and iteration % self.every == 0

    def next(self, iteration: int) -> int:
        """Return after which iteration the next row is kept."""
        return next_on_grid(iteration) if self.every is None else (iteration // self.every + 1) * self.every

    @property
    def full(self) -> bool:
        return (len(self._rows) + 1) * self._watch.width > MOST_NUMBERS

    def keep(self, solver: Solver) -> None:
        """Keep a row, unless it is there; changes nothing in the solver."""
        if not self._iteration or self._iteration[-1] < solver.iteration:
            row = self._watch.look(solver)
            if len(row.reach) > 0:
                self._iteration.append(solver.iteration)
                self._rows.append(row)

    def recording(self) -> Recording:
        infosets, order = self._watch.infosets, self._watch.order()
        pairs = ranges(infosets.first_action()[:-1][order], infosets.num_actions[order])
        in_order = bool((order[1:] > order[:-1]).all())
        return Recording(
            iteration=np.array(self._iteration, np.int64),
            infosets=infosets if in_order else NamedInfosets([infosets[i] for i in order.tolist()]),
            strategy=_stacked([row.strategy for row in self._rows], len(pairs))[:, pairs],
            average_strategy=_stacked([row.average_strategy for row in self._rows], len(pairs))[:, pairs],
            regret_sum=_stacked([row.regret_sum for row in self._rows], len(pairs))[:, pairs],
            reach=_stacked([row.reach for row in self._rows], len(order))[:, order],
            wanted=self._watch.wanted,
            every=self.every,
        )

    def _check_size(self, iterations: int | None) -> None:
        """Refuse a recording that would be too large, as far as that is known beforehand."""
        if self.every is not None:
            times = 1 if iterations is None else iterations // self.every + 1
        else:
            times, last = 1, iterations or _USUAL
            point = 0
            while (point := next_on_grid(point)) < last:
                times += 1
        if times * self._watch.width > MOST_NUMBERS:
            rarely = "" if self.every is None else ", or more rarely (a larger record_every)"
            raise AlgorithmError(
                f"Recording {len(self._watch.infosets):,} infosets {times:,} times makes {times * self._watch.width:,} "
                f"numbers; there is room for {MOST_NUMBERS:,}. Record fewer infosets{rarely}.",
                wrong_use=True,
            )


def _stacked(rows: Sequence[Floats], width: int) -> Floats:
    """Return rows as one array; those from before an infoset was met are filled up with NaN."""
    whole = np.full((len(rows), width), np.nan)
    for i, row in enumerate(rows):
        whole[i, : len(row)] = row
    return whole


def _named(wanted: tuple[Wanted, ...] | None) -> str:
    """Return what is recorded, for error messages."""
    if wanted is None:
        return "all infosets"
    names = [name if player is None else f"{name} of player {player}" for player, name in wanted[:5]]
    return ", ".join(names) + (f" and {len(wanted) - 5:,} more" if len(wanted) > 5 else "")


def _rhythm(every: int | None) -> str:
    return "at the checkpoints" if every is None else f"every {every:,} iterations"
