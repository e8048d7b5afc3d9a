"""What a recording looks at: the chosen infosets, and what a solver knows of them now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cfr.solver import Solver
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset, Infosets, NamedInfosets
from ..mccfr.update import normalise
from ..strategy.tables import ranges
from .recording import MEASURES, Floats, Key, Recording, Wanted, suggested

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


def _row(solver: Solver, slots: NDArray[np.int64], count: NDArray[np.uint32], reach: Floats) -> Row:
    """Return what a solver remembers of infosets, whose slots are given one infoset after the other."""
    strategy, regret_sum, strategy_sum = solver.state_at(slots, count)
    first = (np.cumsum(count) - count).astype(np.uint32)
    average = np.empty(len(slots))
    normalise(first, count, strategy_sum, average)
    return Row(strategy, average, regret_sum, reach)


class WatchCompiled(Watch):
    """Infosets of a compiled game: all are known from the start."""

    def __init__(self, solver: Solver, wanted: tuple[Wanted, ...] | None) -> None:
        form: CompiledGame = solver.form  # type: ignore[assignment]  # which is why this class is taken
        chosen = np.arange(form.num_infosets) if wanted is None else _find(form, wanted)
        self.everything = wanted in (None, ((None, ALL),)) and len(chosen) == form.num_infosets
        self.infosets = form.infosets if self.everything else NamedInfosets([form.infosets[i] for i in chosen.tolist()])
        self.wanted = None if self.everything else tuple((player, key) for player, key, _ in self.infosets)
        slot = solver.action_slots()
        actions = ranges(form.first_action[:-1][chosen], self.infosets.num_actions)
        self._slots = slot[actions].astype(np.int64)
        self._reach = _OwnReach(form, chosen, slot)

    def continues(self, old: Recording) -> bool:
        return self.infosets == old.infosets

    def look(self, solver: Solver) -> Row:
        return _row(solver, self._slots, self.infosets.num_actions, self._reach(solver))


class _OwnReach:
    """The own reach of some infosets of a compiled game, by what is played now.

    It is the product of the probabilities of what the player did before, from the first move on.
    """

    def __init__(self, form: CompiledGame, chosen: NDArray[np.int64], slot: NDArray[Any]) -> None:
        first = form.infosets.first_action()[:-1]
        self._size = len(chosen)
        self._moves: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []  # whose among the chosen, and slots
        whose, infosets = np.arange(len(chosen)), chosen
        while len(whose):
            distinct, place = np.unique(infosets, return_inverse=True)
            action = form.parents(distinct)[place]
            whose, action = whose[action >= 0], action[action >= 0]
            self._moves.insert(0, (whose, slot[action].astype(np.int64)))
            infosets = np.searchsorted(first, action, side="right") - 1

    def __call__(self, solver: Solver) -> Floats:
        reach = np.ones(self._size)
        for whose, slots in self._moves:
            reach[whose] *= solver.strategy_at(slots)
        return reach


def _find(form: CompiledGame, wanted: tuple[Wanted, ...]) -> NDArray[np.int64]:
    """Return the numbers of the infosets that are meant, each once.

    A text is the name of an infoset, of every player who has one; else it is "all", or several names with commas
    between them.
    """
    pieces = {
        name: [part.strip() for part in name.split(",") if part.strip()] for player, name in wanted if player is None
    }
    sought = {name for _, name in wanted} | {part for parts in pieces.values() for part in parts}
    numbers: dict[str, dict[int, int]] = {}
    for i, infoset in enumerate(form.infosets):
        if infoset.key in sought:
            numbers.setdefault(infoset.key, {})[infoset.player] = i
    chosen: list[int] = []
    for player, name in wanted:
        owners = numbers.get(name, {})
        if player is not None:
            if player not in owners:
                keys = (infoset.key for infoset in form.infosets if infoset.player == player)
                raise _unknown(form, f"an infoset {name!r} of player {player}", name, keys)
            chosen.append(owners[player])
        elif owners:
            chosen += [owners[owner] for owner in sorted(owners)]
        elif name == ALL:
            chosen += range(form.num_infosets)
        else:
            parts = pieces[name] if any(part in numbers for part in pieces[name]) else [name]
            for part in parts:
                if part not in numbers:
                    keys = (infoset.key for infoset in form.infosets)
                    raise _unknown(form, f"an infoset {part!r}", part, keys)
                chosen += [numbers[part][owner] for owner in sorted(numbers[part])]
    return np.array(list(dict.fromkeys(chosen)), np.int64)


def _unknown(form: CompiledGame, what: str, name: str, names: Iterable[str]) -> AlgorithmError:
    return AlgorithmError(
        f"record asks for {what}, which {form.name} does not have.{suggested(name, names)}", wrong_use=True
    )


class WatchMet(Watch):
    """Infosets of a game that is sampled without a tree: each is looked for among those met, until it is found.

    They are in the order in which they were found, so that a row that is there already need not change.
    """

    def __init__(self, wanted: tuple[Wanted, ...] | None, old: Recording | None) -> None:
        if wanted is None or (None, ALL) in wanted:
            raise AlgorithmError(
                "Without a tree the infosets are not known beforehand, so that 'all' cannot be recorded. Name them "
                "(record=['J', 'Qpb']), or leave tree=False out.",
                wrong_use=True,
            )
        self.wanted = wanted
        self._names = set(wanted)
        self._place = {asked: i for i, asked in reversed(list(enumerate(wanted)))}
        self._found: list[Infoset] = list(old.infosets) if old is not None else []
        self._action_numbers: dict[Key, range] = {}  # their actions, by number among those of all infosets met
        self._seen, self._actions = 0, 0  # infosets that have been looked at, and their actions
        self.infosets = NamedInfosets(self._found)

    def continues(self, old: Recording) -> bool:
        return self.wanted == old.wanted

    def order(self) -> NDArray[np.int64]:
        places = [min(self._asked(infoset)) for infoset in self.infosets]
        return np.array(sorted(range(len(places)), key=lambda i: (places[i], self.infosets[i].player)), np.int64)

    def _asked(self, infoset: Infoset) -> list[int]:
        both = (infoset.player, infoset.key), (None, infoset.key)
        return [self._place[asked] for asked in both if asked in self._place]

    def look(self, solver: Solver) -> Row:
        self._seek(solver.infosets())
        ranges = [self._action_numbers[player, key] for player, key, _ in self.infosets]
        slots = solver.action_slots()[np.array([action for actions in ranges for action in actions], np.int64)]
        return _row(solver, slots, self.infosets.num_actions, np.full(len(ranges), np.nan))

    def _seek(self, infosets: Sequence[Infoset]) -> None:
        """Look for the infosets among those met since the last time."""
        keys = {(infoset.player, infoset.key) for infoset in self._found}
        for number in range(self._seen, len(infosets)):
            infoset = infosets[number]
            key = infoset.player, infoset.key
            if key in self._names or (None, infoset.key) in self._names:
                self._action_numbers[key] = range(self._actions, self._actions + len(infoset.actions))
                if key not in keys:
                    self._found.append(infoset)
            self._actions += len(infoset.actions)
        self._seen = len(infosets)
        self.infosets = NamedInfosets(self._found)
