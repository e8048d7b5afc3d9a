"""The walk of rules in Python: the same steps as the kernel's, some thousand times slower, and for any game."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ...errors import GameError
from ...game.checked import CheckedGame
from ...game.plays import name_moves
from ...game.protocol import CHANCE, TERMINAL, Game, game_name
from ..limits import Limits
from ..projection import project
from .walk import TEXT_EVERY, Say, WalkEstimate, Walks, WalkStoppedError, forgets, progress_text

_POLLED = 256  # histories between two questions whether to stop
_TRIED = 0.5  # seconds of walking that tell how fast it is
_WAY_BACK = ((), 0)

Play = Callable[[int, str, Any, tuple[Hashable, ...]], Sequence[float]]
"""Returns the probabilities of the actions at an infoset: of a player, its key, a state in it, and the actions."""

Enter = Callable[[str, Any, tuple[Hashable, ...], int], int]
"""Returns the first slot of an infoset of the player of the walk: its key, a state, the actions, the slot before it."""


class _History(NamedTuple):
    state: Any
    reach: float
    way: Any  # the moves that lead here: the number of the last one, and the way before it
    depth: int


class _Infoset:
    """An infoset on the way down: its histories, and where its walk is."""

    def __init__(self, key: str, actions: tuple[Hashable, ...], history: _History) -> None:
        self.key, self.actions, self.histories = key, actions, [history]
        self.played: Sequence[float] = (1.0,)
        self.slot = 0
        self.tried, self.trying = 0, False
        self.after: list[_Infoset] = []  # the infosets after the current action that are still to be walked
        self.best, self.value = -np.inf, 0.0
        self.action_best = self.action_value = 0.0


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
        self.say, self.expected = say, expected  # who is told how far the walk is, of about so many histories
        self.game, self.player, self.play, self.limits = game, player, play, limits
        self.enter, self.cf_value, self.should_stop = enter, cf_value, should_stop
        self.histories, self.widest, self.is_cut = 0, 0, False
        self._ask: Any = CheckedGame(game, game.players, self._moves_to)  # histories have ways, not numbers, here
        self._entered = set[str]()
        self._sums = [np.inf, -np.inf, 0.0]
        self._num_actions, self._held = 0, 0
        self._began = self._next_text = 0.0

    def run(self) -> Walks:
        self._began = time.perf_counter()
        self._next_text = self._began + TEXT_EVERY
        with self._ask.rule_errors(_WAY_BACK):
            start = self.game.start()
        stack = [_Infoset("", (None,), _History(start, 1.0, (), 0))]
        while True:
            infoset = stack[-1]
            if infoset.after:
                stack.append(self._enter(infoset, infoset.after.pop(), len(stack)))
            elif infoset.trying:
                n = infoset.tried
                if self.cf_value is not None and len(stack) > 1:
                    self.cf_value[infoset.slot + n] = infoset.action_value
                infoset.value += infoset.played[n] * infoset.action_value
                infoset.best = max(infoset.best, infoset.action_best)
                infoset.tried, infoset.trying = n + 1, False
            elif infoset.tried == len(infoset.actions):
                stack.pop()
                if not stack:
                    break
                self._held -= len(infoset.histories)
                stack[-1].action_best += infoset.best
                stack[-1].action_value += infoset.value
            else:
                self._try(infoset, at_start=len(stack) == 1)
        sums = self._sums[0], self._sums[1], self._sums[2]
        return Walks(
            infoset.best, infoset.value, self.histories, len(self._entered), self._num_actions, self.widest, sums
        )

    def _enter(self, above: _Infoset, infoset: _Infoset, depth: int) -> _Infoset:
        key, state = infoset.key, infoset.histories[0].state
        if key in self._entered:
            raise forgets(game_name(self.game), self.player, key)
        self._entered.add(key)
        self._num_actions += len(infoset.actions)
        if self.enter is not None:
            before = self.player if depth == 1 else above.slot + above.tried
            infoset.slot = self.enter(key, state, infoset.actions, before)
        infoset.played = self.play(self.player, key, state, infoset.actions)
        return infoset

    def _try(self, infoset: _Infoset, *, at_start: bool) -> None:
        """Make the successors of an infoset after its next action."""
        ask, player, n = self._ask, self.player, infoset.tried
        groups: dict[str, _Infoset] = {}
        ends, waiting = 0.0, list[_History]()
        for before in infoset.histories:
            waiting.append(before if at_start else self._after(before, infoset.actions[n], n, before.reach))
            while waiting:
                history = waiting.pop()
                state, reach, way, depth = history
                self._count()
                with ask.rule_errors(way):
                    mover = ask.mover(way, state)
                    if mover == TERMINAL:
                        payoffs = [float(payoff) for payoff in ask.payoffs(way, state)]
                        ends += reach * payoffs[player]
                        total, (low, high, largest) = sum(payoffs), self._sums
                        self._sums = [min(low, total), max(high, total), max(largest, *map(abs, payoffs))]
                        continue
                    actions = ask.actions(way, state)
                    key = "" if mover == CHANCE else str(self.game.infoset(state))
                if depth == self.limits.max_depth:
                    raise self.limits.too_deep(game_name(self.game), self._moves_to(way))
                if mover == player:
                    self._join(groups, key, actions, history)
                    continue
                if mover == CHANCE:
                    with ask.rule_errors(way):
                        probabilities = ask.probabilities(way, state, len(actions))
                else:
                    probabilities = self.play(mover, key, state, actions)
                followed = [
                    self._after(history, actions[k], k, reach * float(probabilities[k]))
                    for k in range(len(actions))
                    if probabilities[k] > 0.0
                ]
                self.is_cut = self.is_cut or len(followed) < len(actions)
                waiting += reversed(followed)
        infoset.after = list(reversed(groups.values()))
        self.widest = max(self.widest, self._held)
        infoset.action_best = infoset.action_value = ends
        infoset.trying = True

    def _after(self, before: _History, action: Hashable, n: int, reach: float) -> _History:
        with self._ask.rule_errors(before.way):
            state = self._ask.next(before.way, before.state, action)
        return _History(state, reach, (before.way, n), before.depth + 1)

    def _join(self, groups: dict[str, _Infoset], key: str, actions: tuple[Hashable, ...], history: _History) -> None:
        self._held += 1
        group = groups.get(key)
        if group is None:
            groups[key] = _Infoset(key, actions, history)
        elif group.actions != actions:
            raise GameError(
                f"{game_name(self.game)}: player {self.player} cannot tell {self._moves_to(history.way)} from another "
                f"history (infoset {key!r}), yet the actions differ: {list(actions)!r} against {list(group.actions)!r}."
            )
        else:
            group.histories.append(history)

    def _count(self) -> None:
        self.histories += 1
        if self.histories % _POLLED == 0:
            if self.should_stop():
                raise WalkStoppedError
            now = time.perf_counter()
            if self.say is not None and now > self._next_text:
                self._next_text = now + TEXT_EVERY
                done = self.histories / max(self.expected, self.histories)
                self.say(progress_text(game_name(self.game), self.player, done, now - self._began))

    def _moves_to(self, way: Any) -> str:
        numbers: list[int] = []
        while way and way != _WAY_BACK:
            way, n = way
            numbers.append(n)
        return name_moves(self.game, numbers[::-1])


def uniform_play(player: int, key: str, state: Any, actions: tuple[Hashable, ...]) -> Sequence[float]:
    """Return the same probability for all actions."""
    return (1.0 / len(actions),) * len(actions)


def estimate_python_walk(game: Game, limits: Limits) -> WalkEstimate:
    """Return an estimate by random plays, which take up to a second, and by the beginning of a walk: half a second."""
    projection = project(game, max_depth=limits.max_depth)
    histories = np.inf if projection is None else projection.expected
    began = time.perf_counter()
    walk = PythonWalk(game, 0, uniform_play, limits=limits, should_stop=lambda: time.perf_counter() - began > _TRIED)
    with suppress(WalkStoppedError):  # else it is over, and they have been counted
        histories = walk.run().histories
    rate = max(walk.histories, 1) / (time.perf_counter() - began)
    return WalkEstimate(histories, histories * game.players / rate, rate)
