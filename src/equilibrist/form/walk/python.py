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
from ..limits import Limits
from ..projection import project
from .walk import (
    ITEMS,
    MOST_SPLIT,
    NO_SPLIT,
    TEXT_EVERY,
    Say,
    WalkEstimate,
    Walks,
    WalkStoppedError,
    forgets,
    in_parts,
    progress_text,
)

_POLLED = 16  # histories between two questions whether to stop: rules may be slow
_MOST_COUNTED = 1 << 14  # histories above work items: each part makes them again
_TRIED = 0.5  # seconds of walking that tell how fast it is
_MOST_PAYOFFS = 1024  # different ones that are remembered
_NO_MOVES = ()
_NOTHING = Walks(0.0, 0.0, 0, 0, 0, 0, (np.inf, -np.inf, 0.0))
_BEFORE_START = -1  # depth: there is no move to make first

Play = Callable[[int, str, Any, tuple[Hashable, ...]], Sequence[float]]
"""Returns the probabilities of the actions at an infoset: of a player, its key, a state in it, and the actions."""

Enter = Callable[[str, Any, tuple[Hashable, ...], int], int]
"""Returns the first slot of an infoset of the player of the walk: its key, a state, the actions, the slot before it."""


_History = tuple[Any, float, Any, int]
"""A state, its reach, the moves that lead here (the way before the last one, and the number of that), and how many."""


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
        self.after: list[
            _Infoset
        ] = []  # the infosets after the current action that are still to be walked
        self.best = -np.inf
        self.value = 0.0
        self.action_best = self.action_value = 0.0


class Part(NamedTuple):
    """What a part of a walk has found: what lies above all work items, and some of these."""

    walks: Walks
    values: dict[
        int, tuple[float, float]
    ]  # of each of the items: that of a best response, and that of the play
    entered: set[str]
    is_cut: bool


class PythonWalk:
    """The walk of one player through rules in Python, whose answers are checked as when a game is compiled.

    ``play`` says what players do. Where there is a ``cf_value``, at the slots that ``enter`` returns, the
    counterfactual values of the player's actions are filled in.

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
        limits: Limits,
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
        self._ask: Any = CheckedGame(
            game, game.players, self._moves_to
        )  # histories have ways, not numbers, here
        self.entered = set[str]()
        # as in `run_part`, and how many there are
        self._split = NO_SPLIT
        self._part = range(0)
        self.items = 0
        self._values: dict[int, tuple[float, float]] = {}  # of those that are
        self._sums = np.inf, -np.inf, 0.0
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
            raise forgets(game_name(self.game), self.player, key)
        self.entered.add(key)
        self._num_actions += len(infoset.actions)
        if self.enter is not None:
            if depth == 1:
                before = self.player
            else:
                before = above.slot + above.tried
            infoset.slot = self.enter(key, state, infoset.actions, before)
        infoset.played = self.play(self.player, key, state, infoset.actions)
        return infoset

    def _try(self, infoset: _Infoset) -> None:
        """Make the successors of an infoset after its next action."""
        ask = self._ask
        player = self.player
        play = self.play
        max_depth = self.limits.max_depth
        groups: dict[str, _Infoset] = {}
        ends = 0.0
        held = 0
        for before in infoset.histories:
            waiting = [(*before, infoset.actions[infoset.tried], infoset.tried)]
            while waiting:
                state, reach, way, depth, action, n = waiting.pop()
                self.histories += 1
                if self.histories % _POLLED == 0:
                    self._poll()
                try:
                    if depth != _BEFORE_START:
                        state = ask.next(way, state, action)
                        way = (way, n)
                    depth += 1
                    mover = ask.mover(way, state)
                    if mover == TERMINAL:
                        ends += reach * self._payoffs(way, state)[player]
                        continue
                    if depth == max_depth:
                        raise self.limits.too_deep(game_name(self.game), self._moves_to(way))
                    actions = ask.actions(way, state)
                    if mover == CHANCE:
                        probabilities = ask.probabilities(way, state, len(actions))
                    else:
                        key = str(self.game.infoset(state))
                        if mover == player:
                            self._join(groups, key, actions, (state, reach, way, depth))
                            held += 1
                            continue
                        probabilities = play(mover, key, state, actions)
                except (EquilibristError, MemoryError):
                    raise
                except (Exception, SystemExit) as error:
                    raise ask.rule_error(way, error) from error
                for k in range(len(actions) - 1, -1, -1):  # the first is taken first
                    if probabilities[k] > 0.0:
                        waiting.append(
                            (state, reach * float(probabilities[k]), way, depth, actions[k], k)
                        )
                    else:
                        self.is_cut = True
        infoset.after = list(reversed(groups.values()))
        self._held += held
        self.widest = max(self.widest, self._held)
        infoset.action_best = infoset.action_value = ends
        infoset.trying = True

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
        total = sum(numbers)
        (low, high, largest) = self._sums
        self._sums = min(low, total), max(high, total), max(largest, *map(abs, numbers))
        return numbers

    def _join(
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
                f"{game_name(self.game)}: player {self.player} cannot tell {self._moves_to(history[2])} from another "
                f"history (infoset {key!r}), yet the actions differ: {list(actions)!r} against {list(group.actions)!r}."
            )
        else:
            group.histories.append(history)

    def _poll(self) -> None:
        """Stop where the walk is to, and tell how far it is now and then."""
        if self.should_stop():
            raise WalkStoppedError
        now = time.perf_counter()
        if self.say is not None and now > self._next_text:
            self._next_text = now + TEXT_EVERY
            done = self.histories / max(self.expected, self.histories)
            self.say(progress_text(game_name(self.game), self.player, done, now - self._began))

    def _moves_to(self, way: Any) -> str:
        numbers: list[int] = []
        while way:
            way, n = way
            numbers.append(n)
        return name_moves(self.game, numbers[::-1])


def run_elsewhere(
    start: Callable[[], PythonWalk],
    executor: Executor,
    call: Callable[..., Part],
    *work: Any,
    say: Say | None = None,
) -> Part:
    """Return what the walk that ``start`` begins anew finds, bit for bit, as one part.

    An executor walks parts of it elsewhere: ``call(*work, split, part)`` returns :meth:`PythonWalk.run_part` of them.

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
    done = [top]
    for _, each in in_parts(
        executor, call, *work, split, items=items, title=(name, walk.player), say=say
    ):
        twice = entered & (each.entered - top.entered)
        if twice:
            raise forgets(name, walk.player, min(twice))
        values |= each.values
        entered |= each.entered
        done.append(each)
    ends = [each.walks for each in done]
    lowest, highest, largest = zip(*(each.sums for each in ends), strict=True)
    whole = (
        start()
        .run_part(split, range(0), values)
        .walks._replace(
            histories=sum(each.histories for each in ends) - (len(ends) - 1) * top.walks.histories,
            infosets=len(entered),
            actions=sum(each.actions for each in ends) - (len(ends) - 1) * top.walks.actions,
            widest=max(each.widest for each in ends),
            sums=(min(lowest), max(highest), max(largest)),
        )
    )
    return Part(whole, values, entered, any(each.is_cut for each in done))


def uniform_play(
    player: int, key: str, state: Any, actions: tuple[Hashable, ...]
) -> Sequence[float]:
    """Return the same probability for all actions."""
    return (1.0 / len(actions),) * len(actions)


def estimate_python_walk(game: Game, limits: Limits) -> WalkEstimate:
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
        projection = project(game, max_depth=limits.max_depth)
        histories = np.inf if projection is None else projection.expected
    return WalkEstimate(histories, histories * game.players / rate, rate)
