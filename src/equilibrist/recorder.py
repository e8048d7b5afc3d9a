"""Recording while a run goes on: which infosets, after which iterations, and what the solver knows of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cfr import drawing
from .cfr.full import Full
from .cfr.ground import Ground
from .cfr.sampled import Sampled
from .checks import is_whole
from .errors import AlgorithmError
from .form.infosets import Infosets
from .form.parents import first_actions, own_parents
from .form.public import PublicForm
from .form.sequence import SequenceForm
from .form.tree import Infoset
from .recording import MEASURES, Floats, Key, Recording, Wanted, suggested
from .tables import ranges
from .trace import next_on_grid, on_grid

Record = str | Iterable[str | tuple[int, str]]
"""What may be asked for: names of infosets, or pairs (player, name); or "all"."""

ALL = "all"

MOST_NUMBERS = 100_000_000
"""Of a recording: it is kept in memory until the run ends, eight bytes each."""

_USUAL = 1_000_000  # iterations, where the number is not limited, to see beforehand whether there is room


def checked_record(record: Record | None, every: int | None) -> tuple[Wanted, ...] | None:
    """Return what is asked for as (player, name), with player None where only a name is given; nothing is looked up.

    Raises
    ------
    AlgorithmError
        It is no list of infosets, or ``every`` no whole number.
    """
    if every is not None and not is_whole(every, 1):
        raise AlgorithmError(f"record_every must be a whole number, 1 or more; got {every!r}.", wrong_use=True)
    if record is None:
        return None
    try:
        wanted = tuple(dict.fromkeys(map(_checked_infoset, [record] if isinstance(record, str) else record)))
    except TypeError:
        wanted = ()
    if not wanted:
        raise AlgorithmError(
            "record must be 'all' or a list of infosets, such as ['J', (1, 'Qpb')], each a name or (player, name); "
            f"got {record!r}.",
            wrong_use=True,
        )
    return wanted


def _checked_infoset(one: Any) -> Wanted:
    if isinstance(one, str):
        return None, one
    if isinstance(one, tuple) and len(one) == 2 and is_whole(one[0], 0) and isinstance(one[1], str):
        return int(one[0]), one[1]
    raise TypeError("neither a name nor a pair")


class Row(NamedTuple):
    """What is kept after one iteration: numbers of the actions of the infosets, and of the infosets."""

    strategy: Floats
    average_strategy: Floats
    regret_sum: Floats
    reach: Floats


class Recorder:
    """Keeps what a run is asked to record.

    Parameters
    ----------
    solver : Full or Sampled
        The solver, at the iteration where the run begins or goes on.
    wanted : tuple of (player or None, name), or None
        As :func:`checked_record` returns it; None to go on with what ``old`` records.
    every : int, optional
        Rows are kept at multiples of this, instead of where the trace has checkpoints.
    old : Recording, optional
        That of the run which goes on.
    iterations : int, optional
        When the run is going to end at the latest.

    Raises
    ------
    AlgorithmError
        There is no such infoset, ``old`` records something else, or the recording would be too large.
    """

    def __init__(
        self,
        solver: Full | Sampled,
        wanted: tuple[Wanted, ...] | None,
        every: int | None,
        *,
        old: Recording | None = None,
        iterations: int | None = None,
    ) -> None:
        self.every = every if every is not None or old is None else old.every
        asked = wanted if wanted is not None else old.wanted if old is not None else None
        self._watch: _Watch = _Compiled(solver, asked) if solver.form is not None else _Met(solver, asked, old)
        if old is not None and not (self.every == old.every and self._watch.continues(old)):
            raise AlgorithmError(
                f"The saved run records {_named(old.wanted)} {_rhythm(old.every)}, and can only go on so; got "
                f"{_named(asked)} {_rhythm(self.every)}. Leave record and record_every out to go on, or start afresh.",
                wrong_use=True,
            )
        self._iteration: list[int] = []
        self._rows: list[Row] = []
        if old is not None:
            # Only what an uninterrupted run would have kept as well: not the last row, where the old run ended.
            for i in np.flatnonzero([self.due(t) for t in old.iteration.tolist()]).tolist():
                self._iteration.append(int(old.iteration[i]))
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
        """Whether there is no room for another row."""
        return (len(self._rows) + 1) * self._watch.width > MOST_NUMBERS

    def keep(self, solver: Full | Sampled) -> None:
        """Keep a row, unless it is there; changes nothing in the solver."""
        if not self._iteration or self._iteration[-1] < solver.iteration:
            row = self._watch.look(solver)
            if len(row.reach) > 0:
                self._iteration.append(solver.iteration)
                self._rows.append(row)

    def recording(self) -> Recording:
        """Return what has been kept so far."""
        infosets, order = self._watch.infosets, self._watch.order()
        pairs = ranges(first_actions(infosets)[order], infosets.num_actions[order])
        in_order = bool((order[1:] > order[:-1]).all())
        return Recording(
            iteration=np.array(self._iteration, np.int64),
            infosets=infosets if in_order else Infosets.named([infosets[i] for i in order.tolist()]),
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


class _Watch(ABC):
    """The chosen infosets, as a solver knows them.

    Attributes
    ----------
    wanted : tuple of (player or None, name), or None
        What was asked for, None for everything.
    infosets : Infosets
        In the order of the numbers in a row.
    """

    wanted: tuple[Wanted, ...] | None
    infosets: Infosets

    @property
    def width(self) -> int:
        """Of how many numbers a row is made."""
        return len(MEASURES) * int(self.infosets.num_actions.sum()) + len(self.infosets)

    def order(self) -> NDArray[np.int64]:
        """Return the numbers of the infosets in the order in which they were asked for."""
        return np.arange(len(self.infosets))

    @abstractmethod
    def continues(self, old: Recording) -> bool:
        """Return whether an older recording is of the same infosets."""

    @abstractmethod
    def look(self, solver: Any) -> Row:
        """Return what the solver knows of the infosets now."""


def _row(solver: Full | Sampled, slots: NDArray[np.int64], count: NDArray[np.uint32], reach: Floats) -> Row:
    """Return what a solver remembers of infosets, whose slots are given one infoset after the other."""
    strategy, regret_sum, strategy_sum = solver.remembered(slots, count)
    first = (np.cumsum(count) - count).astype(np.uint32)
    average = np.empty(len(slots))
    drawing.normalise(first, count, strategy_sum, average)
    return Row(strategy, average, regret_sum, reach)


class _Compiled(_Watch):
    """Infosets of a compiled game: all are known from the start."""

    def __init__(self, solver: Full | Sampled, wanted: tuple[Wanted, ...] | None) -> None:
        form = solver.form
        if form is None:
            raise ValueError("The game is not compiled.")
        chosen = np.arange(form.num_infosets) if wanted is None else _find(form, wanted)
        self.everything = wanted in (None, ((None, ALL),)) and len(chosen) == form.num_infosets
        self.infosets = (
            form.infosets if self.everything else Infosets.named([form.infosets[i] for i in chosen.tolist()])
        )
        self.wanted = None if self.everything else tuple((player, key) for player, key, _ in self.infosets)
        self._count = self.infosets.num_actions
        slot = form.slot if isinstance(solver, Full) else form.players + np.arange(form.slots - form.players)
        self._slots = slot[ranges(first_actions(form.infosets)[chosen], self._count)].astype(np.int64)
        self._reach = _OwnReach(form, chosen, slot)

    def continues(self, old: Recording) -> bool:
        """Return whether an older recording is of the same infosets."""
        return self.infosets == old.infosets

    def look(self, solver: Full | Sampled) -> Row:
        """Return what the solver knows of the infosets now."""
        return _row(solver, self._slots, self._count, self._reach(solver))


class _OwnReach:
    """The own reach of some infosets of a compiled game, by what is played now.

    It is that of the infoset where the player decided last, times the probability of what was done there: so those are
    looked at as well, level by level.
    """

    def __init__(self, form: SequenceForm | PublicForm, chosen: NDArray[np.int64], slot: NDArray[Any]) -> None:
        first = first_actions(form.infosets)
        needed = np.unique(chosen)
        action = own_parents(form, needed)  # that leads to each, or -1
        while True:
            above = np.unique(np.searchsorted(first, action[action >= 0], side="right") - 1)
            new = np.setdiff1d(above, needed)
            if len(new) == 0:
                break
            order = np.argsort(np.concatenate([needed, new]))
            action = np.concatenate([action, own_parents(form, new)])[order]
            needed = np.concatenate([needed, new])[order]
        self._size = len(needed)
        self._chosen = np.searchsorted(needed, chosen)
        parent = np.searchsorted(needed, np.searchsorted(first, action, side="right") - 1)
        self._levels: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
        reached = action < 0
        while len(level := np.flatnonzero(~reached & reached[parent])):
            self._levels.append((level, parent[level], slot[action[level]].astype(np.int64)))
            reached[level] = True

    def __call__(self, solver: Full | Sampled) -> Floats:
        reach = np.ones(self._size)
        for level, parent, slots in self._levels:
            reach[level] = reach[parent] * solver.played(slots)
        return reach[self._chosen]


def _find(form: SequenceForm | PublicForm, wanted: tuple[Wanted, ...]) -> NDArray[np.int64]:
    """Return the numbers of the infosets that are meant, each once.

    A text is the name of an infoset, of every player who has one; else it is "all", or several names with commas
    between them.
    """
    pieces = {
        name: [part.strip() for part in name.split(",") if part.strip()] for player, name in wanted if player is None
    }
    sought = {name for _, name in wanted} | {part for parts in pieces.values() for part in parts}
    found: dict[str, dict[int, int]] = {}
    for i, infoset in enumerate(form.infosets):
        if infoset.key in sought:
            found.setdefault(infoset.key, {})[infoset.player] = i
    chosen: list[int] = []
    for player, name in wanted:
        owners = found.get(name, {})
        if player is not None:
            if player not in owners:
                own = (infoset.key for infoset in form.infosets if infoset.player == player)
                raise _unknown(form, f"an infoset {name!r} of player {player}", name, own)
            chosen.append(owners[player])
        elif owners:
            chosen += [owners[one] for one in sorted(owners)]
        elif name == ALL:
            chosen += range(form.num_infosets)
        else:
            parts = pieces[name] if any(part in found for part in pieces[name]) else [name]
            for part in parts:
                if part not in found:
                    keys = (infoset.key for infoset in form.infosets)
                    raise _unknown(form, f"an infoset {part!r}", part, keys)
                chosen += [found[part][one] for one in sorted(found[part])]
    return np.array(list(dict.fromkeys(chosen)), np.int64)


def _unknown(form: SequenceForm | PublicForm, what: str, name: str, known: Iterable[str]) -> AlgorithmError:
    return AlgorithmError(
        f"record asks for {what}, which {form.name} does not have.{suggested(name, known)}", wrong_use=True
    )


class _Met(_Watch):
    """Infosets of a game that is sampled without a tree: each is looked for among those met, until it is found.

    They are in the order in which they were found, so that a row that is there already need not change.
    """

    def __init__(self, solver: Any, wanted: tuple[Wanted, ...] | None, old: Recording | None) -> None:
        if wanted is None or (None, ALL) in wanted:
            raise AlgorithmError(
                "Without a tree the infosets are not known beforehand, so that 'all' cannot be recorded. Name them "
                "(record=['J', 'Qpb']), or leave tree=False out.",
                wrong_use=True,
            )
        self.wanted = wanted
        self._names = set(wanted)
        self._place = {one: i for i, one in reversed(list(enumerate(wanted)))}
        self._found: list[Infoset] = list(old.infosets) if old is not None else []
        self._numbers: dict[Key, int] = {}
        self._seen = 0  # infosets that have been looked at
        self.infosets = Infosets.named(self._found)

    def continues(self, old: Recording) -> bool:
        """Return whether an older recording is of the same infosets."""
        return self.wanted == old.wanted

    def order(self) -> NDArray[np.int64]:
        """Return the numbers of the infosets in the order in which they were asked for."""
        places = [min(self._asked(infoset)) for infoset in self.infosets]
        return np.array(sorted(range(len(places)), key=lambda i: (places[i], self.infosets[i].player)), np.int64)

    def _asked(self, infoset: Infoset) -> list[int]:
        both = (infoset.player, infoset.key), (None, infoset.key)
        return [self._place[one] for one in both if one in self._place]

    def look(self, solver: Sampled) -> Row:
        """Return what the solver knows of the infosets now."""
        self._seek(solver.ground)
        first, count = solver.ground.shape()
        numbers = np.array([self._numbers[player, key] for player, key, _ in self.infosets], np.int64)
        count = count[numbers]
        slots = ranges(first[numbers].astype(np.int64), count)
        return _row(solver, slots, count, np.full(len(numbers), np.nan))

    def _seek(self, ground: Ground) -> None:
        """Look for the infosets among those met since the last time."""
        met = ground.infosets()
        known = {(infoset.player, infoset.key) for infoset in self._found}
        for number in range(self._seen, len(met)):
            infoset = met[number]
            key = infoset.player, infoset.key
            if key in self._names or (None, infoset.key) in self._names:
                self._numbers[key] = number
                if key not in known:
                    self._found.append(infoset)
        self._seen = len(met)
        self.infosets = Infosets.named(self._found)
