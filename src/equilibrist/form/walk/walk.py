"""Values of a strategy and of the best responses to it, by a walk that stores nothing of the game but one way down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, cast

import numba  # noqa: F401  # whole before its parts
import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from ..._jit.hashtable import KEY, KEYS, make_table, with_room
from ..._util.arrays import Floats, offsets
from ...errors import GameError, GameTooLargeError, SolutionError
from ...game.compiled_rules import CompiledRules, compile_rules
from ...game.protocol import game_name
from ...game.rules import RulesGame
from ...show.numbers import format_duration, format_estimate, format_two_digits
from ..infosets import StateInfosets
from ..limits import (
    MAX_DEPTH,
    MOST_WALKED,
    WALKED_EACH,
    free_memory,
)
from ..projection import estimate_histories
from ..responses import Values
from ..sequence.walk_jit import follows_its_rules, grow_array
from . import kernels
from .kernels import Entered, Groups, Histories, Levels, Others, Profile, Walker, Whole

_FIRST_HISTORIES = 1 << 12
_FIRST_GROUPS = 1 << 8
_FIRST_LEVELS = 64
_BUDGET = 1 << 18  # histories between two looks at the clock and at signals: some 20 ms
ITEMS = 128  # work items that are enough for all threads to have something to do
_PARTS = 16  # into which an executor's work is divided: a strategy goes out with each
MOST_SPLIT = 4  # the level at which an item begins at the most
_MOST_COUNTED = 1 << 20  # histories above the items: each thread walks them
NO_SPLIT = 1 << 60  # the level of work items where there are none
TEXT_EVERY = 2.0  # seconds
_USUAL_RATE = 150_000  # histories a second of rules in Python
LEAST_INLINED = (
    2e8  # histories from which on compiling for one game pays: it takes some ten seconds
)

Say = Callable[[str], None]


class Walked(NamedTuple):
    """What a walk for each player has found.

    Attributes
    ----------
    values : Values
    histories : int
        How many the longest of the walks made: all of the game where nothing is cut.
    infosets : tuple of int, shape (players,)
        How many chance and the others lead to.
    actions : int
        Of all these infosets together.
    widest : int
        The most histories that were held at a time.
    zero_sum : bool
        Of the ends that were walked.
    """

    values: Values
    histories: int
    infosets: tuple[int, ...]
    actions: int
    widest: int
    zero_sum: bool


class WalkStoppedError(Exception):
    """A walk was left before its end, because somebody wanted it to stop."""


def walkable_rules(game: object) -> CompiledRules | None:
    """Return the compiled rules of a game that has them, and None of others, which Python walks."""
    if isinstance(game, RulesGame) and follows_its_rules(game):
        with suppress(NumbaError):  # rules that only Python understands
            return compile_rules(game)
    return None


class WalkEstimate(NamedTuple):
    """How long the walks of all players take, where nothing is cut.

    Attributes
    ----------
    histories : float
    seconds : float
    rate : float or None
        Histories a second, where rules are in Python.
    threads : int
        That walk.
    """

    histories: float
    seconds: float
    rate: float | None = None
    threads: int = 1

    @property
    def too_long(self) -> bool:
        """Whether walks take days, and are refused; where rules fail, a walk is going to say how.

        Of rules in Python that is decided by the usual rate: how fast the machine just was decides
        nothing.
        """
        if self.rate is None:
            seconds = self.seconds
        else:
            seconds = self.seconds * self.rate / _USUAL_RATE
        return MOST_WALKED < seconds < np.inf

    def __str__(self) -> str:
        if self.rate is None:
            rate = ""
        else:
            rate = f" ({format_estimate(self.rate)} a second, as the rules are in Python)"
        return (
            f"about {format_estimate(self.histories)} histories by random plays, "
            f"{format_duration(self.seconds)} at most{rate}"
        )


def estimate_walk(game: RulesGame, *, threads: int = 1) -> WalkEstimate:
    """Return an estimate by random plays."""
    projection = estimate_histories(game, max_depth=MAX_DEPTH)
    histories = np.inf if projection is None else projection.expected
    return WalkEstimate(
        histories, histories * game.players * WALKED_EACH / threads, threads=threads
    )


def make_profile(
    game: RulesGame,
    machine: CompiledRules,
    states: NDArray[Any],
    num_actions: NDArray[Any],
    probability: Floats,
) -> Profile:
    """Return a strategy as walks take it, from a state in each infoset, different ones; uniform elsewhere."""
    owner, observation, length = _observe_states(game, machine, states)
    return observed_profile(game, owner, observation, length, num_actions, probability)


def observed_profile(
    game: RulesGame,
    owner: NDArray[Any],
    observation: NDArray[Any],
    length: NDArray[Any],
    num_actions: NDArray[Any],
    probability: Floats,
) -> Profile:
    """Return a strategy as walks take it, from what the player of each infoset observes; uniform elsewhere."""
    most_integers = max(game.max_observation, observation.shape[1])
    table = with_room(make_table(most_integers), len(owner), len(owner) * KEY + int(length.sum()))
    arrays = [np.ascontiguousarray(array, np.int64) for array in (owner, observation, length)]
    count = kernels.number_infosets(table, *arrays)
    if count != len(owner):
        seen = arrays[1][count, : arrays[2][count]].tolist()
        raise SolutionError(
            f"The strategy names an infoset of {game_name(game)} twice: number {count}, of "
            f"player {owner[count]} who observes {seen}."
        )
    first = offsets(num_actions)[:-1].astype(np.uint32)
    return Profile(table, first, np.asarray(probability, np.float64), np.zeros(1, np.bool_))


def choose_machine(game: RulesGame, machine: CompiledRules, histories: float) -> CompiledRules:
    """Return the compiled rules, or those that become part of the kernel, where so many histories are worth it."""
    if histories > LEAST_INLINED:
        return compile_rules(game, inline=True)
    return machine


def uniform_profile(game: RulesGame) -> Profile:
    """Return the strategy that plays uniformly."""
    return Profile(
        make_table(game.max_observation), np.zeros(0, np.uint32), np.zeros(0), np.zeros(1, np.bool_)
    )


def observe(game: RulesGame, states: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what the player to move observes at some states, and how many integers that is; else zeros."""
    _, observation, length = _observe_states(game, compile_rules(game), states)
    return observation, length


def _observe_states(
    game: RulesGame, machine: CompiledRules, states: NDArray[Any]
) -> tuple[NDArray[np.int64], ...]:
    count = len(states)
    owner = _zero_integers(count)
    observation = _zero_integers(count, game.max_observation)
    length = _zero_integers(count)
    kernels.observe_states(
        machine, np.ascontiguousarray(states, np.int64), owner, observation, length
    )
    return owner, observation, length


def walk_values(
    game: RulesGame,
    machine: CompiledRules,
    profile: Profile,
    *,
    threads: int = 1,
    histories: float = 0.0,
    say: Say | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    executor: Executor | None = None,
) -> Walked:
    """Return the value of a strategy for each player, and that of each player's best response to the others.

    The result does not depend on the number of threads, not a bit, nor on an executor, which walks
    parts of the game in processes of its own, a thread in each. ``histories`` is about how many
    there are, where that is known: for many, kernels are compiled for this game alone.
    ``should_stop`` is asked every 20 ms.

    Raises
    ------
    SolutionError
        The strategy lacks an infoset that it leads to, and may not.
    WalkStoppedError
        ``should_stop`` returned True.
    GameTooLargeError
        What cannot be told apart takes more memory than there is.

    Notes
    -----
    A player's walk makes each history once that chance and the others let happen: with n actions of
    the player at an infoset of h histories, n · h of them. Players must have perfect recall: what
    is told apart once stays apart.
    """
    machine = choose_machine(game, machine, histories)
    walks = [
        PlayersWalk(game, machine, profile, player, threads, say, should_stop, histories)
        for player in range(game.players)
    ]
    return combine_walks([walk.run(executor) for walk in walks])


def combine_walks(walks: list[Walks]) -> Walked:
    """Return what walks of all players have found."""
    return Walked(
        values=Values(tuple(end.value for end in walks), tuple(end.best for end in walks)),
        histories=max(end.histories for end in walks),
        infosets=tuple(end.infosets for end in walks),
        actions=sum(end.actions for end in walks),
        widest=max(end.widest for end in walks),
        zero_sum=has_common_sum(walks),
    )


def has_common_sum(ends: Sequence[Walks]) -> bool:
    """Return whether payoffs sum to the same at all ends, as :func:`common_sum` judges it."""
    low = max(end.sums[0] for end in ends)
    high = min(end.sums[1] for end in ends)
    return low <= high


def walked_infosets(
    game: RulesGame, machine: CompiledRules, *, histories: float = 0.0, say: Say | None = None
) -> StateInfosets:
    """Return all infosets of a game, those of one player after those of another, by a walk for each through all of it.

    Raises
    ------
    GameError
        A player forgets.
    GameTooLargeError
        They take more memory than there is.
    """
    machine, width = choose_machine(game, machine, histories), len(machine.start)
    table = make_table(game.max_observation)
    counts = [0]
    entered = Entered(
        table,
        _zero_integers(0, width),
        np.zeros(0, np.uint32),
        _zero_integers(0),
        _zero_integers(1),
    )

    def more_room() -> Entered:
        nonlocal entered
        count = len(entered.first) * 3 // 2 + _FIRST_GROUPS
        more = count - int(entered.table.used[KEYS])
        needed = 3 * count * (8 * width + 16 * KEY)  # the old arrays, and the longer ones
        if needed > 1e9 * free_memory():
            raise GameTooLargeError(
                f"{game_name(game)} has too many infosets: more than {len(entered.first):,} take "
                f"{format_two_digits(needed / 1e9)} GB, and this machine has {format_two_digits(free_memory())} GB "
                "free."
            )
        entered = Entered(
            with_room(entered.table, more, more * (KEY + game.max_observation)),
            grow_array(entered.state, count),
            grow_array(entered.first, count),
            grow_array(entered.parent_slot, count * game.max_actions),
            entered.used_slots,
        )
        return entered

    for player in range(game.players):
        walk = PlayersWalk(
            game, machine, uniform_profile(game), player, say=say, expected=histories
        )
        walk.enter(more_room() if player == 0 else entered, more_room)
        counts.append(int(entered.table.used[KEYS]))
    owner = np.repeat(np.arange(game.players, dtype=np.uint32), np.diff(counts))
    first = entered.first[: counts[-1]]
    num_actions = np.diff(first, append=entered.used_slots[0]).astype(np.uint32)
    return StateInfosets(game, owner, num_actions, entered.state[: counts[-1]])


class Walks(NamedTuple):
    """What a walk of one player has found.

    Attributes
    ----------
    best : float
    value : float
    histories : int
    infosets : int
    actions : int
    widest : int
    sums : (float, float, float)
        From where to where the sum lies that all ends have in common, and the largest payoff.
    """

    best: float
    value: float
    histories: int
    infosets: int
    actions: int
    widest: int
    sums: tuple[float, float, float]


class PlayersWalk:
    """The walk of one player: its items are counted, walked by threads, and put together."""

    def __init__(
        self,
        game: RulesGame,
        machine: CompiledRules,
        profile: Profile,
        player: int,
        threads: int = 1,
        say: Say | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        expected: float = 0.0,
    ) -> None:
        self.expected = expected  # histories, as far as is known
        self.game = game
        self.machine = machine
        self.profile = profile
        self.player = player
        self.threads = threads
        self.say = say
        self.should_stop = should_stop
        self.claimed = np.zeros(0, np.int64)
        self.result = np.zeros((0, 2))
        self.stopped = False
        self.thread = threading.current_thread()
        # of `fill_values`
        self.level = NO_SPLIT
        self.walkers = list[Walker]()

    def run(self, executor: Executor | None = None) -> Walks:
        first, split, items = self._choose_split(self._walker())
        self.claimed = np.zeros(items, np.int64)
        self.result = np.zeros((items, 2))
        if executor is None or not items:
            walkers = [first, *(self._walker() for _ in range(self.threads - 1))]
            walkers = self._walk_items_by_threads(
                [self._share_items(walker) for walker in walkers], split
            )
            counts = [walker.at.copy() for walker in walkers]
            sums = [walker.sums for walker in walkers]
            first = walkers[0]
        else:
            counts, sums = self._walk_by_executor(executor, split, items)
            first = self._share_items(first)
        first, _ = self._walk_to_end(first, split, kernels.GATHER)
        return _sum_up_walkers([*sums, first.sums], first, np.array(counts))

    def _walk_by_executor(
        self, executor: Executor, split: int, items: int
    ) -> tuple[list[Whole], list[Floats]]:
        """Let an executor walk the items; return what its walkers have counted, and their sums of payoffs."""
        counts = list[Whole]()
        sums = list[Floats]()
        work = self.game, self.profile, self.player, split, items, self.expected
        title = game_name(self.game), self.player
        parts = run_parts(executor, walk_items, *work, items=items, title=title, say=self.say)
        for part, (result, at, payoffs) in parts:
            self.result[part] = result
            counts.append(at)
            sums.append(payoffs)
        return counts, sums

    def walk_items(self, split: int, items: int, part: range) -> tuple[Floats, Whole, Floats]:
        """Walk some of the items; return best and value of each, what was counted, and the sums of payoffs."""
        self.claimed = np.ones(items, np.int64)
        self.result = np.zeros((items, 2))
        self.claimed[part] = 0
        walker, _ = self._walk_to_end(self._share_items(self._walker()), split, kernels.WORK)
        return self.result[part], walker.at, walker.sums

    def enter(self, entered: Entered, more_room: Callable[[], Entered]) -> Walks:
        """Give numbers to all infosets of the player, in the order of a depth-first walk through the whole game.

        Filled in place: ``entered``, or what ``more_room`` returns whenever there is no room in it.

        Raises
        ------
        GameError
            The player forgets.
        WalkStoppedError, GameTooLargeError
            As :func:`walk_values`.
        """
        self.more_room = more_room
        walker, _ = self._walk_to_end(
            self._walker()._replace(entered=entered), NO_SPLIT, kernels.ENTER
        )
        return _sum_up_walkers([walker.sums], walker)

    def fill_values(self, cf_value: Floats) -> None:
        """Fill in, at the slots, the counterfactual values of the player's actions: where the others' play leads.

        They are those of the strategy that the profile holds when this is called. ``cf_value`` is
        the same array in every call.

        Raises
        ------
        WalkStoppedError, GameTooLargeError
            As :func:`walk_values`.
        """
        self.stopped = False
        self.thread = threading.current_thread()
        if not self.walkers:
            first = self._walker()
            items = 0
            # By uniform play, which cuts nothing: there are never more of them.
            if self.threads > 1:
                profile = self.profile
                self.profile = uniform_profile(self.game)
                first, self.level, items = self._choose_split(first)
                self.profile = profile
            self.claimed = np.zeros(items, np.int64)
            self.result = np.zeros((items, 2))
            walkers = [first, *(self._walker() for _ in range(self.threads - 1))]
            self.walkers = [
                self._share_items(walker)._replace(cf_value=cf_value) for walker in walkers
            ]
        if self.threads > 1:
            self.claimed[:] = 0
            self.walkers = self._walk_items_by_threads(self.walkers, self.level)
        self.walkers[0], _ = self._walk_to_end(self.walkers[0], self.level, kernels.GATHER)

    def _choose_split(self, first: Walker) -> tuple[Walker, int, int]:
        """Return the walker, the level at which work items begin, and how many there are."""
        split = 0
        items = 0
        histories = 0
        while split < MOST_SPLIT and items < ITEMS and histories < _MOST_COUNTED:
            split += 1
            first, histories = self._walk_to_end(first, split, kernels.COUNT)
            items = int(first.at[kernels.ITEM])
        return first, split, items

    def _walk_items_by_threads(self, walkers: list[Walker], split: int) -> list[Walker]:
        """Let each thread walk the items that no other has begun."""
        if self.threads == 1:
            return [self._walk_to_end(walkers[0], split, kernels.WORK)[0]]
        with ThreadPoolExecutor(self.threads - 1) as pool:
            walks_elsewhere = [
                pool.submit(self._walk_to_end, walker, split, kernels.WORK)
                for walker in walkers[1:]
            ]
            try:
                own_walker, _ = self._walk_to_end(walkers[0], split, kernels.WORK)
            except BaseException:
                self.stopped = True
                raise
            return [own_walker, *(other.result()[0] for other in walks_elsewhere)]

    def _walk_to_end(self, walker: Walker, split: int, task: int) -> tuple[Walker, int]:
        """Walk from the start to the end; return the walker, which may have grown, and how many histories were made."""
        _begin_walk(walker, self.player, split, task)
        status = kernels.RUNNING
        began = time.perf_counter()
        next_text = time.perf_counter() + TEXT_EVERY
        while status != kernels.DONE and not self.stopped:
            status = kernels.walk(self.machine, self.profile, walker, _BUDGET)
            self.stopped = self.stopped or status == kernels.LACKS
            if status == kernels.LACKS:
                raise self._lacking_error(walker)
            if status == kernels.NO_ROOM:
                walker = self._grow_walker(walker)
            if status == kernels.NO_NUMBERS:
                walker = walker._replace(entered=self.more_room())
            if status == kernels.IMPERFECT:
                state = tuple(walker.others.state[0].tolist())
                raise recall_error(game_name(self.game), self.player, self.game.infoset(state))
            if threading.current_thread() is self.thread and self.should_stop():
                raise WalkStoppedError
            now = time.perf_counter()
            if self.say is not None and now > next_text and task in (kernels.WORK, kernels.ENTER):
                next_text = now + TEXT_EVERY
                made = walker.at[kernels.MADE] / max(self.expected, walker.at[kernels.MADE])
                done = float((self.claimed > 0).mean() if task == kernels.WORK else made)
                self.say(progress_text(game_name(self.game), self.player, done, now - began))
        return walker, int(walker.at[kernels.MADE])

    def _walker(self) -> Walker:
        width = len(self.machine.start)
        most_actions = self.game.max_actions
        keys = self.game.max_observation
        levels: list[Any] = [_zero_integers(_FIRST_LEVELS) for _ in range(10)]
        levels += [*np.zeros((4, _FIRST_LEVELS)), _zero_integers(_FIRST_LEVELS, most_actions)]
        groups: list[Any] = [
            *(_zero_integers(_FIRST_GROUPS) for _ in range(3)),
            _zero_integers(_FIRST_GROUPS, keys),
        ]
        walker = Walker(
            Histories(
                _zero_integers(_FIRST_HISTORIES, width),
                np.zeros(_FIRST_HISTORIES),
                _zero_integers(_FIRST_HISTORIES),
            ),
            Groups(*groups),
            Levels(*levels),
            Others(
                _zero_integers(_FIRST_LEVELS, width),
                np.zeros(_FIRST_LEVELS),
                _zero_integers(_FIRST_LEVELS),
                _zero_integers(_FIRST_LEVELS),
                _zero_integers(_FIRST_LEVELS, most_actions),
                np.zeros((_FIRST_LEVELS, most_actions)),
            ),
            _zero_integers(kernels.COUNTS),
            _zero_integers(keys),
            np.zeros(self.game.players),
            np.array([-np.inf, np.inf, 0.0]),
            self.claimed,
            self.result,
            np.zeros(0),
            Entered(
                make_table(keys),
                _zero_integers(0, width),
                np.zeros(0, np.uint32),
                _zero_integers(0),
                _zero_integers(1),
            ),
        )
        walker.histories.state[0] = self.machine.start
        walker.histories.reach[0] = 1.0
        walker.histories.following[0] = -1
        return walker

    def _share_items(self, walker: Walker) -> Walker:
        return walker._replace(claimed=self.claimed, result=self.result)

    def _grow_walker(self, walker: Walker) -> Walker:
        """Return a walker with twice the room."""
        needed = 2 * sum(array.nbytes for array in walker.histories)
        if needed > 1e9 * free_memory():
            raise GameTooLargeError(
                f"{game_name(self.game)} is too large to walk: what player {self.player} cannot "
                f"tell apart takes {format_two_digits(needed / 1e9)} GB, and this machine has "
                f"{format_two_digits(free_memory())} GB free. Bound the strategy by local_best_response "
                "instead."
            )
        records: dict[str, Any] = {
            name: type(record)(*(grow_array(array, len(array) + 1) for array in record))
            for name, record in zip(_WAY_DOWN, cast("tuple[Any, ...]", walker), strict=False)
        }
        return walker._replace(**records)

    def _lacking_error(self, walker: Walker) -> SolutionError:
        state = tuple(walker.others.state[0].tolist())
        count = int(walker.at[kernels.LACKING]) - 2
        if count >= 0:
            return SolutionError(
                f"The strategy has {count} probabilities for player {self.game.player(state)} at "
                f"{self.game.infoset(state)!r}, where {game_name(self.game)} has "
                f"{len(self.game.actions(state))} actions: leave NaN or null where there is none."
            )
        return lacking_error(
            game_name(self.game), self.game.player(state), self.game.infoset(state)
        )


def run_parts(
    executor: Executor,
    call: Callable[..., Any],
    *work: Any,
    items: int,
    title: tuple[str, int],
    say: Say | None,
) -> list[tuple[range, Any]]:
    """Return work items in parts, and what an executor has for ``call(*work, part)`` of each.

    ``say`` is told how far the walk is, of the game and the player in the title.
    """
    parts = [range(first, items, _PARTS) for first in range(min(items, _PARTS))]
    began = time.perf_counter()
    futures = [executor.submit(call, *work, part) for part in parts]
    results = list[Any]()
    try:
        for future in futures:
            results.append(future.result())
            if say is not None:
                say(progress_text(*title, len(results) / len(parts), time.perf_counter() - began))
    finally:
        for future in futures:
            future.cancel()
    return list(zip(parts, results, strict=True))


def progress_text(name: str, player: int, done: float, seconds: float) -> str:
    """Return how far a walk is after so many seconds, and how long it still takes."""
    if done > 0:
        left_text = f", about {format_duration(seconds * (1 - done) / done)} left"
    else:
        left_text = ""
    return f"Walking {name} for player {player}: {done:.0%}{left_text}"


def lacking_error(name: str, player: int, key: str) -> SolutionError:
    """Return the error that a strategy lacks an infoset to which it leads."""
    return SolutionError(
        f"The strategy lacks infosets of {name} that it leads to, among them player {player} "
        f"{key!r}. Add them, or complete it with missing='uniform' (--missing uniform)."
    )


def recall_error(name: str, player: int, key: str) -> GameError:
    """Return the error that a player comes to an infoset by different infosets or actions of its own."""
    return GameError(
        f"{name}: player {player} comes to infoset {key!r} from several infosets or actions, and "
        "forgets which. A walk needs perfect recall: leave form='walk' out."
    )


_WAY_DOWN = ("histories", "groups", "levels", "others")
"""The first fields of a walker: those that grow."""


def walk_items(
    game: RulesGame,
    profile: Profile,
    player: int,
    split: int,
    items: int,
    histories: float,
    part: range,
) -> tuple[Floats, Whole, Floats]:
    """Walk some work items of a player, in a process that may be another: see :meth:`PlayersWalk.walk_items`."""
    machine = choose_machine(game, compile_rules(game), histories)
    return PlayersWalk(game, machine, profile, player).walk_items(split, items, part)


def _sum_up_walkers(sums: list[Floats], first: Walker, items: Whole | None = None) -> Walks:
    """Return what walkers have found, the first to the end; ``items`` is what was counted below work items."""
    counts = first.at if items is None else first.at + items.sum(axis=0)
    if items is None:
        widest = first.at[kernels.WIDEST]
    else:
        widest = max(first.at[kernels.WIDEST], *items[:, kernels.WIDEST])
    lows, highs, largest = np.array(sums).T
    return Walks(
        best=float(first.levels.best[0]),
        value=float(first.levels.value[0]),
        histories=int(counts[kernels.HISTORIES]),
        infosets=int(counts[kernels.INFOSETS]),
        actions=int(counts[kernels.SLOTS]),
        widest=int(widest),
        sums=(float(lows.max()), float(highs.min()), float(largest.max())),
    )


def _begin_walk(walker: Walker, player: int, split: int, task: int) -> None:
    """Put a walker to the start of a walk."""
    levels = walker.levels
    at = walker.at
    at[:] = 0
    at[kernels.PLAYER] = player
    at[kernels.SPLIT] = split
    at[kernels.TASK] = task
    at[kernels.USED] = 1
    for array in levels:
        array[0] = 0
    levels.histories[0] = levels.num_actions[0] = 1
    levels.row[0] = levels.item[0] = kernels.NO_ROW
    levels.best[0] = -np.inf


def _zero_integers(*shape: int) -> Any:
    return np.zeros(shape, np.int64)
