"""The walk of rules in Python: the same steps as the kernel's, some thousand times slower, and for any game."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ...errors import EquilibristError, GameError
from ...game.checked import CheckedGame
from ...game.plays import name_moves
from ...game.protocol import CHANCE, TERMINAL, Game, game_name
from ..limits import CompileBudget
from ..projection import estimate_histories
from ..sequence.tree import SUM_TOLERANCE
from .walk import (
    ITEMS,
    MOST_SPLIT,
    NO_SPLIT,
    TEXT_EVERY,
    Say,
    WalkEstimate,
    Walks,
    WalkStoppedError,
    progress_text,
    recall_error,
    run_parts,
)

_POLLED = 16  # histories between two questions whether to stop: rules may be slow
_MOST_COUNTED = 1 << 14  # histories above work items: each part makes them again
_TRIED = 0.5  # seconds of walking that tell how fast it is
_MOST_PAYOFFS = 1024  # different ones that are remembered
_NO_MOVES = ()
_NOTHING = Walks(0.0, 0.0, 0, 0, 0, 0, (-np.inf, np.inf, 0.0))
_BEFORE_START = -1  # depth: there is no move to make first

Play = Callable[[int, str, Any, tuple[Hashable, ...]], Sequence[float]]
"""Returns the probabilities of the actions at an infoset: of a player, its key, a state in it, and the actions."""

Enter = Callable[[str, Any, tuple[Hashable, ...], int], int]
"""Returns the first slot of an infoset of the player of the walk: its key, a state, the actions, the slot before it."""


_History = tuple[Any, float, Any, int]
"""A state, its reach, the moves that lead here (the way before the last one, and the number of that), and how many."""

_Move = tuple[_History, Any, int]
"""A history, with the reach after the move; the action that is taken there, and its number."""


class _Infoset:
    """An infoset on the way down: its histories, and where its walk is."""

    def __init__(self, key: str, actions: tuple[Hashable, ...], history: _History) -> None:
        self.key = key
        self.actions = actions
        self.histories = [history]
        self.played: Sequence[float] = (1.0,)
        self.slot = self.item = 0
        self.tried = 0
        self.trying = False
        # the infosets after the current action that are still to be walked
        self.after: list[_Infoset] = []
        self.best = -np.inf
        self.value = 0.0
        self.action_best = 0.0
        self.action_value = 0.0


class Part(NamedTuple):
    """What a part of a walk has found: what lies above all work items, and some of these."""

    walks: Walks
    # of each of the items: that of a best response, and that of the play
    values: dict[int, tuple[float, float]]
    entered: set[str]  # the keys of infosets
    is_cut: bool  # whether something is never played, and was not walked


class PythonWalk:
    """The walk of one player through rules in Python, whose answers are checked as when a game is compiled.

    ``play`` says what players do. Where there is a ``cf_value``, at the slots that ``enter``
    returns, the counterfactual values of the player's actions are filled in.

    Raises
    ------
    GameError
        The rules make no sense, or the player forgets.
    WalkStoppedError
        ``should_stop`` returned True.
    """

    def __init__(
        self,
        game: Game,
        player: int,
        play: Play,
        *,
        limits: CompileBudget,
        enter: Enter | None = None,
        cf_value: Floats | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        say: Say | None = None,
        expected: float = 0.0,
    ) -> None:
        # who is told how far the walk is, of about so many histories
        self.say = say
        self.expected = expected
        self.game = game
        self.player = player
        self.play = play
        self.limits = limits
        self.enter = enter
        self.cf_value = cf_value
        self.should_stop = should_stop
        self.histories = 0
        self.widest = 0
        self.is_cut = False
        # histories have ways, not numbers, here
        self._ask: Any = CheckedGame(game, game.players, self._moves_text)
        self.entered = set[str]()
        # as in `run_part`, and how many there are
        self._split = NO_SPLIT
        self._part = range(0)
        self.items = 0
        self._values: dict[int, tuple[float, float]] = {}  # of those that are
        self._sums = -np.inf, np.inf, 0.0
        self._checked: dict[Any, list[float]] = {}
        self._num_actions = 0
        self._held = 0
        self._began = self._next_text = 0.0

    def run(self) -> Walks:
        self._began = time.perf_counter()
        self._next_text = self._began + TEXT_EVERY
        with self._ask.rule_errors(_NO_MOVES):
            start = self.game.start()
        stack = [_Infoset("", (None,), (start, 1.0, _NO_MOVES, _BEFORE_START))]
        while True:
            infoset = stack[-1]
            if infoset.after:
                below = infoset.after.pop()
                if len(stack) != self._split or self._is_walked(infoset, below):
                    stack.append(self._enter(infoset, below, len(stack)))
            elif infoset.trying:
                n = infoset.tried
                if self.cf_value is not None and len(stack) > 1:
                    self.cf_value[infoset.slot + n] = infoset.action_value
                infoset.value += infoset.played[n] * infoset.action_value
                infoset.best = max(infoset.best, infoset.action_best)
                infoset.tried = n + 1
                infoset.trying = False
            elif infoset.tried == len(infoset.actions):
                stack.pop()
                if not stack:
                    break
                self._held -= len(infoset.histories)
                if len(stack) == self._split:
                    self._values[infoset.item] = infoset.best, infoset.value
                stack[-1].action_best += infoset.best
                stack[-1].action_value += infoset.value
            else:
                self._try(infoset)
        counts = self.histories, len(self.entered), self._num_actions, self.widest
        return Walks(infoset.best, infoset.value, *counts, self._sums)

    def run_part(
        self,
        split: int = NO_SPLIT,
        part: range = range(0),
        values: dict[int, tuple[float, float]] | None = None,
    ) -> Part:
        """Walk what lies above the infosets at a level, and some of these; the values of others are taken as given."""
        self._split = split
        self._part = part
        self._values = dict(values or {})
        return Part(self.run(), self._values, self.entered, self.is_cut)

    def _is_walked(self, above: _Infoset, item: _Infoset) -> bool:
        """Return whether an item is one of this part; else add its values, where they are known."""
        item.item = self.items
        self.items = self.items + 1
        if item.item in self._part:
            return True
        best, value = self._values.get(item.item, (0.0, 0.0))
        above.action_best += best
        above.action_value += value
        self._held -= len(item.histories)
        return False

    def _enter(self, above: _Infoset, infoset: _Infoset, depth: int) -> _Infoset:
        key = infoset.key
        state = infoset.histories[0][0]
        if key in self.entered:
            raise recall_error(game_name(self.game), self.player, key)
        self.entered.add(key)
        self._num_actions += len(infoset.actions)
        if self.enter is not None:
            if depth == 1:
                slot_before = self.player
            else:
                slot_before = above.slot + above.tried
            infoset.slot = self.enter(key, state, infoset.actions, slot_before)
        infoset.played = self.play(self.player, key, state, infoset.actions)
        return infoset

    def _try(self, infoset: _Infoset) -> None:
        """Make the successors of an infoset after its next action."""
        action = infoset.actions[infoset.tried]
        groups: dict[str, _Infoset] = {}
        ends = 0.0
        for history in infoset.histories:
            waiting: list[_Move] = [(history, action, infoset.tried)]
            while waiting:
                self._count_history()
                move = waiting.pop()
                way = move[0][2]
                try:
                    after = self._next_history(*move)
                    way = after[2]
                    ends += self._visit(after, groups, waiting)
                except (EquilibristError, MemoryError):
                    raise
                except (Exception, SystemExit) as error:
                    raise self._ask.rule_error(way, error) from error
        infoset.after = list(reversed(groups.values()))
        infoset.action_best = ends
        infoset.action_value = ends
        infoset.trying = True
        self.widest = max(self.widest, self._held)

    def _count_history(self) -> None:
        """Count one history more, and now and then ask whether to stop."""
        self.histories += 1
        if self.histories % _POLLED == 0:
            self._poll()

    def _next_history(self, history: _History, action: Any, number: int) -> _History:
        """Return the history after an action; before the start, which no action leads to, the start."""
        (state, reach, way, depth) = history
        if depth == _BEFORE_START:
            return state, reach, way, 0
        return self._ask.next(way, state, action), reach, (way, number), depth + 1

    def _visit(self, history: _History, groups: dict[str, _Infoset], waiting: list[_Move]) -> float:
        """Return payoff × reach at an end, else 0.

        A history where the player moves is put into its group; elsewhere what is played is put to
        what is ``waiting`` to be made.
        """
        ask = self._ask
        (state, reach, way, depth) = history
        mover = ask.mover(way, state)
        if mover == TERMINAL:
            return reach * self._payoffs(way, state)[self.player]
        if depth == self.limits.max_depth:
            raise self.limits.too_deep(game_name(self.game), self._moves_text(way))
        actions = ask.actions(way, state)
        if mover == CHANCE:
            probabilities = ask.probabilities(way, state, len(actions))
        else:
            key = str(self.game.infoset(state))
            if mover == self.player:
                self._join_infoset(groups, key, actions, history)
                return 0.0
            probabilities = self.play(mover, key, state, actions)
        for k in range(len(actions) - 1, -1, -1):  # the first is taken first
            if probabilities[k] > 0.0:
                taken = state, reach * float(probabilities[k]), way, depth
                waiting.append((taken, actions[k], k))
            else:
                self.is_cut = True
        return 0.0

    def _payoffs(self, way: Any, state: Any) -> list[float]:
        """Return the payoffs at an end; what many ends have in common is checked once, and its sums noted."""
        payoffs = self.game.payoffs(state)
        same = tuple(payoffs) if type(payoffs) in (list, tuple) else None
        try:
            return self._checked[same]
        except (KeyError, TypeError):  # the first of its kind, or no numbers
            numbers = [float(payoff) for payoff in self._ask.check_payoffs(way, payoffs)]
        if len(self._checked) < _MOST_PAYOFFS and same is not None:
            self._checked[same] = numbers
        low, high, largest = self._sums
        total = sum(numbers)
        sizes = [abs(number) for number in numbers]
        margin = SUM_TOLERANCE * sum(sizes)
        self._sums = max(low, total - margin), min(high, total + margin), max(largest, *sizes)
        return numbers

    def _join_infoset(
        self,
        groups: dict[str, _Infoset],
        key: str,
        actions: tuple[Hashable, ...],
        history: _History,
    ) -> None:
        """Put a history to those of the same infoset."""
        group = groups.get(key)
        if group is None:
            groups[key] = _Infoset(key, actions, history)
        elif group.actions != actions:
            raise GameError(
                f"{game_name(self.game)}: player {self.player} cannot tell "
                f"{self._moves_text(history[2])} from another history (infoset {key!r}), yet the "
                f"actions differ: {list(actions)!r} against {list(group.actions)!r}."
            )
        else:
            group.histories.append(history)
        self._held += 1

    def _poll(self) -> None:
        """Stop where the walk is to, and tell how far it is now and then."""
        if self.should_stop():
            raise WalkStoppedError
        now = time.perf_counter()
        if self.say is not None and now > self._next_text:
            self._next_text = now + TEXT_EVERY
            done = self.histories / max(self.expected, self.histories)
            self.say(progress_text(game_name(self.game), self.player, done, now - self._began))

    def _moves_text(self, way: Any) -> str:
        numbers: list[int] = []
        while way:
            way, n = way
            numbers.append(n)
        return name_moves(self.game, numbers[::-1])


def run_in_parts(
    start: Callable[[], PythonWalk],
    executor: Executor,
    call: Callable[..., Part],
    *work: Any,
    say: Say | None = None,
) -> Part:
    """Return what the walk that ``start`` begins anew finds, bit for bit, as one part.

    An executor walks parts of it elsewhere: ``call(*work, split, part)`` returns
    :meth:`PythonWalk.run_part` of them.

    Raises
    ------
    GameError
        The player forgets.
    """
    split = 0
    items = 0
    top = Part(_NOTHING, {}, set(), False)
    while split < MOST_SPLIT and items < ITEMS and top.walks.histories < _MOST_COUNTED:
        walk = start()
        deeper = walk.run_part(split + 1, range(0))
        if walk.items < items:
            break
        split = split + 1
        items = walk.items
        top = deeper
    name = game_name(walk.game)
    values = dict[int, tuple[float, float]]()
    entered = set(top.entered)
    parts = [top]
    for _, part in run_parts(
        executor, call, *work, split, items=items, title=(name, walk.player), say=say
    ):
        repeated = entered & (part.entered - top.entered)
        if repeated:
            raise recall_error(name, walk.player, min(repeated))
        values |= part.values
        entered |= part.entered
        parts.append(part)
    walks = [part.walks for part in parts]
    lows, highs, largest = zip(*(part.sums for part in walks), strict=True)
    combined = (
        start()
        .run_part(split, range(0), values)
        .walks._replace(
            histories=sum(part.histories for part in walks)
            - (len(walks) - 1) * top.walks.histories,
            infosets=len(entered),
            actions=sum(part.actions for part in walks) - (len(walks) - 1) * top.walks.actions,
            widest=max(part.widest for part in walks),
            sums=(max(lows), min(highs), max(largest)),
        )
    )
    return Part(combined, values, entered, any(part.is_cut for part in parts))


def uniform_play(
    player: int, key: str, state: Any, actions: tuple[Hashable, ...]
) -> Sequence[float]:
    """Return the same probability for all actions."""
    return (1.0 / len(actions),) * len(actions)


def estimate_python_walk(game: Game, limits: CompileBudget) -> WalkEstimate:
    """Return an estimate by the beginning of a walk, half a second, and by random plays."""
    began = time.perf_counter()
    walk = PythonWalk(
        game,
        0,
        uniform_play,
        limits=limits,
        should_stop=lambda: time.perf_counter() - began > _TRIED,
    )
    try:
        histories: float = walk.run().histories  # all of them: plays can tell nothing more
        rate = histories / (time.perf_counter() - began)
    except WalkStoppedError:
        rate = walk.histories / (time.perf_counter() - began)
        projection = estimate_histories(game, max_depth=limits.max_depth)
        histories = np.inf if projection is None else projection.expected
    return WalkEstimate(histories, histories * game.players / rate, rate)
