"""Recording while a run goes on: which infosets, after which iterations, and what the solver knows of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.names import suggest_names
from .._util.validate import is_whole
from ..cfr.solver import Solver
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.infosets import Infoset, Infosets, NamedInfosets
from ..mccfr.update import normalise
from ..strategy.by_name import Key
from ..strategy.tables import ranges
from .recording import MEASURES, Recording, Wanted
from .trace import is_on_grid, next_on_grid

ALL = "all"


class Row(NamedTuple):
    """What is kept after one iteration: a number for each action of the infosets; ``reach`` one for each infoset."""

    strategy: Floats
    average_strategy: Floats
    regret_sum: Floats
    reach: Floats


class Watch(ABC):
    """The chosen infosets, as a solver knows them."""

    wanted: tuple[Wanted, ...] | None  # what was asked for, None for everything
    infosets: Infosets  # in the order of the numbers in a row

    @property
    def width(self) -> int:
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


def _read_row(
    solver: Solver, slots: NDArray[np.int64], count: NDArray[np.uint32], reach: Floats
) -> Row:
    """Return what a solver remembers of infosets, whose slots are given one infoset after the other."""
    strategy, regret_sum, strategy_sum = solver.state_at(slots, count)
    first = (np.cumsum(count) - count).astype(np.uint32)
    average = np.empty(len(slots))
    normalise(first, count, strategy_sum, average)
    return Row(strategy, average, regret_sum, reach)


class WatchCompiled(Watch):
    """Infosets of a compiled game: all are known from the start."""

    def __init__(self, solver: Solver, wanted: tuple[Wanted, ...] | None) -> None:
        form = solver.form
        assert is_compiled(form)  # which is why this class is taken
        if wanted is None:
            chosen = np.arange(form.num_infosets)
        else:
            chosen = _find_infosets(form, wanted)
        self.everything = wanted in (None, ((None, ALL),)) and len(chosen) == form.num_infosets
        if self.everything:
            self.infosets = form.infosets
        else:
            self.infosets = NamedInfosets([form.infosets[i] for i in chosen.tolist()])
        if self.everything:
            self.wanted = None
        else:
            self.wanted = tuple((player, key) for player, key, _ in self.infosets)
        slot = solver.action_slots()
        actions = ranges(form.first_action[:-1][chosen], self.infosets.num_actions)
        self._slots = slot[actions].astype(np.int64)
        self._reach = _OwnReach(form, chosen, slot)

    def continues(self, old: Recording) -> bool:
        return self.infosets == old.infosets

    def look(self, solver: Solver) -> Row:
        return _read_row(solver, self._slots, self.infosets.num_actions, self._reach(solver))


class _OwnReach:
    """The own reach of some infosets of a compiled game, by what is played now.

    It is the product of the probabilities of what the player did before, from the first move on.
    """

    def __init__(self, form: CompiledGame, chosen: NDArray[np.int64], slot: NDArray[Any]) -> None:
        first = form.infosets.first_action()[:-1]
        self._size = len(chosen)
        # Whose among the chosen, and slots.
        self._moves: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        whose = np.arange(len(chosen))
        infosets = chosen
        while len(whose):
            distinct, place = np.unique(infosets, return_inverse=True)
            action = form.parents(distinct)[place]
            whose = whose[action >= 0]
            action = action[action >= 0]
            self._moves.insert(0, (whose, slot[action].astype(np.int64)))
            infosets = np.searchsorted(first, action, side="right") - 1

    def __call__(self, solver: Solver) -> Floats:
        reach = np.ones(self._size)
        for whose, slots in self._moves:
            reach[whose] *= solver.strategy_at(slots)
        return reach


def _find_infosets(form: CompiledGame, wanted: tuple[Wanted, ...]) -> NDArray[np.int64]:
    """Return the numbers of the infosets that are meant, each once.

    A text is the name of an infoset, of every player who has one; else it is "all", or several
    names with commas between them.
    """
    pieces = {
        name: [part.strip() for part in name.split(",") if part.strip()]
        for player, name in wanted
        if player is None
    }
    sought = {name for _, name in wanted} | {part for parts in pieces.values() for part in parts}
    numbers: dict[str, dict[int, int]] = {}
    for i, infoset in enumerate(form.infosets):
        if infoset.key in sought:
            numbers.setdefault(infoset.key, {})[infoset.player] = i
    numbers_found: list[int] = []
    for player, name in wanted:
        if player is None and name == ALL and name not in numbers:
            numbers_found += range(form.num_infosets)
            continue
        is_list = (
            player is None and name not in numbers and any(part in numbers for part in pieces[name])
        )
        for part in pieces[name] if is_list else [name]:
            by_owner = numbers.get(part, {})
            owners = [owner for owner in sorted(by_owner) if player in (None, owner)]
            if not owners:
                owner_text = "" if player is None else f" of player {player}"
                keys = (
                    infoset.key for infoset in form.infosets if player in (None, infoset.player)
                )
                raise AlgorithmError(
                    f"record asks for an infoset {part!r}{owner_text}, which {form.name} does not have."
                    f"{suggest_names(part, keys)}"
                )
            numbers_found += [by_owner[owner] for owner in owners]
    return np.array(list(dict.fromkeys(numbers_found)), np.int64)


class WatchMet(Watch):
    """Infosets of a game that is sampled without a tree: each is looked for among those met, until it is found.

    They are in the order in which they were found, so that a row that is there already need not
    change.
    """

    def __init__(self, wanted: tuple[Wanted, ...] | None, old: Recording | None) -> None:
        if wanted is None or (None, ALL) in wanted:
            raise AlgorithmError(
                "Without a tree the infosets are not known beforehand, so that 'all' cannot be "
                "recorded. Name them (record=['J', 'Qpb']), or leave tree=False out.",
            )
        self.wanted = wanted
        self._place = {name: i for i, name in reversed(list(enumerate(wanted)))}
        self._found: list[Infoset] = list(old.infosets) if old is not None else []
        # Their actions, by number among those of all infosets met.
        self._action_numbers: dict[Key, range] = {}
        # infosets that have been looked at, and their actions
        self._seen = 0
        self._actions = 0
        self.infosets = NamedInfosets(self._found)

    def continues(self, old: Recording) -> bool:
        return self.wanted == old.wanted

    def order(self) -> NDArray[np.int64]:
        places = [min(self._places_asked(infoset)) for infoset in self.infosets]
        return np.array(
            sorted(range(len(places)), key=lambda i: (places[i], self.infosets[i].player)), np.int64
        )

    def _places_asked(self, infoset: Infoset) -> list[int]:
        keys = (infoset.player, infoset.key), (None, infoset.key)
        return [self._place[key] for key in keys if key in self._place]

    def look(self, solver: Solver) -> Row:
        self._look_for(solver.infosets())
        ranges = [self._action_numbers[player, key] for player, key, _ in self.infosets]
        slots = solver.action_slots()[
            np.array([action for actions in ranges for action in actions], np.int64)
        ]
        return _read_row(solver, slots, self.infosets.num_actions, np.full(len(ranges), np.nan))

    def _look_for(self, infosets: Sequence[Infoset]) -> None:
        """Look for the infosets among those met since the last time."""
        keys_found = {(infoset.player, infoset.key) for infoset in self._found}
        for number in range(self._seen, len(infosets)):
            infoset = infosets[number]
            key = infoset.player, infoset.key
            if self._places_asked(infoset):
                self._action_numbers[key] = range(
                    self._actions, self._actions + len(infoset.actions)
                )
                if key not in keys_found:
                    self._found.append(infoset)
            self._actions += len(infoset.actions)
        self._seen = len(infosets)
        self.infosets = NamedInfosets(self._found)


MOST_NUMBERS = 100_000_000
"""Of a recording: it is kept in memory until the run ends, eight bytes each."""

# iterations, where the number is not limited, to see beforehand whether there is room
_USUAL = 1_000_000


@dataclass(frozen=True, slots=True)
class Record:
    """What a run records: current and average strategy, regret sums and reach of infosets (:attr:`Solution.recording`).

    Parameters
    ----------
    infosets : "all", or list of str or (player, str)
        A name without a player is that of every player who has an infoset of that name. A text that
        is the name of none is cut at its commas.
    every : int, optional
        Keep them after every so many iterations; by default at the checkpoints. Always kept at the
        end.

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
                field="record_every",
            )
        try:
            listed = [self.infosets] if isinstance(self.infosets, str) else self.infosets
            wanted = tuple(dict.fromkeys(map(_check_infoset, listed)))
        except TypeError:
            wanted = ()
        if not wanted:
            raise AlgorithmError(
                "record must be 'all' or a list of infosets, such as ['J', (1, 'Qpb')], each a "
                f"name or (player, name); got {self.infosets!r}.",
            )
        # As (player, name), with player None where only a name is given.
        object.__setattr__(self, "wanted", wanted)


def _check_infoset(infoset: Any) -> Wanted:
    if isinstance(infoset, str):
        return None, infoset
    if (
        isinstance(infoset, tuple)
        and len(infoset) == 2
        and is_whole(infoset[0], 0)
        and isinstance(infoset[1], str)
    ):
        return int(infoset[0]), infoset[1]
    raise TypeError("neither a name nor a pair")


class Recorder:
    """Keeps what a run is asked to record: ``record``, or None to go on with what ``old`` records.

    ``solver`` is at the iteration where the run begins or goes on, and after so many ``iterations``
    it ends at the latest. :class:`AlgorithmError` where there is no such infoset, ``old`` records
    something else, or the recording would be too large.
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
        if every is not None or old is None:
            self.every = every
        else:
            self.every = old.every
        wanted: tuple[tuple[int | None, str], ...] | None
        if record is not None:
            wanted = record.wanted
        elif old is not None:
            wanted = old.wanted
        else:
            wanted = None
        self._watch: Watch = (
            WatchCompiled(solver, wanted) if solver.form.is_complete else WatchMet(wanted, old)
        )
        if old is not None and not (self.every == old.every and self._watch.continues(old)):
            raise AlgorithmError(
                f"The saved run records {_wanted_text(old.wanted)} {_rhythm_text(old.every)}, and can only "
                f"go on so; got {_wanted_text(wanted)} {_rhythm_text(self.every)}. Leave record out to go "
                "on, or start afresh.",
            )
        self._iteration: list[int] = []
        self._rows: list[Row] = []
        if old is not None:
            for i, t in enumerate(old.iteration.tolist()):
                if self.due(
                    t
                    # as an uninterrupted run would have kept it: not the row where the old run ended
                ):
                    self._iteration.append(t)
                    self._rows.append(
                        Row(*(getattr(old, name)[i] for name in (*MEASURES, "reach")))
                    )
        self._check_size(iterations)

    def due(self, iteration: int) -> bool:
        """Return whether a row is kept after this iteration, wherever the run ends."""
        if self.every is None:
            return is_on_grid(iteration)
        return iteration > 0 and iteration % self.every == 0

    def next(self, iteration: int) -> int:
        """Return after which iteration the next row is kept."""
        if self.every is None:
            return next_on_grid(iteration)
        return (iteration // self.every + 1) * self.every

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
        infosets = self._watch.infosets
        order = self._watch.order()
        pairs = ranges(infosets.first_action()[:-1][order], infosets.num_actions[order])
        in_order = bool((order[1:] > order[:-1]).all())
        return Recording(
            iteration=np.array(self._iteration, np.int64),
            infosets=infosets if in_order else NamedInfosets([infosets[i] for i in order.tolist()]),
            **{
                name: _stack_rows([getattr(row, name) for row in self._rows], len(pairs))[:, pairs]
                for name in MEASURES
            },
            reach=_stack_rows([row.reach for row in self._rows], len(order))[:, order],
            wanted=self._watch.wanted,
            every=self.every,
        )

    def _check_size(self, iterations: int | None) -> None:
        """Refuse a recording that would be too large, as far as that is known beforehand."""
        if self.every is not None:
            if iterations is None:
                times = 1
            else:
                times = iterations // self.every + 1
        else:
            times = 1
            last = iterations or _USUAL
            point = 0
            while (point := next_on_grid(point)) < last:
                times += 1
        if times * self._watch.width > MOST_NUMBERS:
            if self.every is None:
                rarely = ""
            else:
                rarely = ", or more rarely (a larger record_every)"
            raise AlgorithmError(
                f"Recording {len(self._watch.infosets):,} infosets {times:,} times makes "
                f"{times * self._watch.width:,} "
                f"numbers; there is room for {MOST_NUMBERS:,}. Record fewer infosets{rarely}.",
            )


def _stack_rows(rows: Sequence[Floats], width: int) -> Floats:
    """Return rows as one array; those from before an infoset was met are filled up with NaN."""
    stacked = np.full((len(rows), width), np.nan)
    for i, row in enumerate(rows):
        stacked[i, : len(row)] = row
    return stacked


def _wanted_text(wanted: tuple[Wanted, ...] | None) -> str:
    """Return what is recorded, for error messages."""
    if wanted is None:
        return "all infosets"
    names = [
        name if player is None else f"{name} of player {player}" for player, name in wanted[:5]
    ]
    return ", ".join(names) + (f" and {len(wanted) - 5:,} more" if len(wanted) > 5 else "")


def _rhythm_text(every: int | None) -> str:
    if every is None:
        return "at the checkpoints"
    return f"every {every:,} iterations"
