"""Certificates of strategies in games that are walked, not compiled (:mod:`equilibrist.form.walk`)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameTooLargeError, SolutionError
from ..form.infosets import ObservedInfosets, StateInfosets
from ..form.limits import MAX_DEPTH, Limits
from ..form.sequence.build import check_and_unfold
from ..form.walk.kernels import Profile
from ..form.walk.python import Part, PythonWalk, estimate_python_walk, run_elsewhere, uniform_play
from ..form.walk.walk import (
    Say,
    Walked,
    estimate_walk,
    lacks,
    observed_profile,
    profile_of,
    together,
    walk_values,
    walkable_rules,
)
from ..game.compiled_rules import CompiledRules
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.rules import RulesGame, State
from ..games.compile import Playable
from ..games.load import load
from ..strategy.convert import AnyStrategy, as_strategy
from ..strategy.observed import is_observed
from ..strategy.reading import Key, check_missing
from ..strategy.strategy import Strategy

_LOOKED_AT = 100  # observations of a strategy
_MOST_LOOKED_AT = 1_000_000
"""Histories among which infosets are looked for by name, in Python: some ten seconds."""


class Walkable(NamedTuple):
    """A game to be walked."""

    game: Any
    machine: CompiledRules | None  # its compiled rules; None where they are in Python

    @classmethod
    def of(cls, game: Any) -> Walkable | None:
        """Return a game whose rules compile, or None."""
        machine = walkable_rules(game)
        if machine is None:
            return None
        return cls(game, machine)


def walk_of(game: Any) -> Walkable:
    """Return a game to be walked, slowly where its rules are in Python."""
    return Walkable.of(game) or Walkable(check_and_unfold(game), None)


def is_by_observation(source: object) -> bool:
    """Return whether a strategy is known by what players observe, so that it has no names to be looked for."""
    if isinstance(source, str | Path):
        return is_observed(source)
    return isinstance(getattr(source, "infosets", None), ObservedInfosets)


def walked(
    walkable: Walkable,
    strategy: AnyStrategy,
    *,
    missing: str | None,
    threads: int,
    say: Say | None,
    histories: float,
    loaded_from: Playable,
    max_depth: int = MAX_DEPTH,
    executor: Executor | None = None,
) -> Walked:
    """Return what walks for all players find of a strategy; there are about so many histories.

    The limit is that of rules in Python, which an executor loads from what names them.
    """
    game, machine = walkable
    if machine is None:
        limits = Limits.checked(None, max_depth)
        return _walked_in_python(
            game, strategy, missing, limits, say, histories, executor, loaded_from
        )
    profile = strategy_profile(walkable, strategy, missing)
    return walk_values(
        game, machine, profile, threads=threads, histories=histories, say=say, executor=executor
    )


def announced(
    walkable: Walkable,
    say: Say | None,
    *,
    threads: int = 1,
    max_depth: int = MAX_DEPTH,
    elsewhere: bool = False,
) -> float:
    """Return about how many histories walks make, having told that; refuse those that take days on this machine."""
    game, machine = walkable
    if machine is None:
        estimate = estimate_python_walk(game, Limits.checked(None, max_depth))
    else:
        estimate = estimate_walk(game, threads=threads)
    draws = "rollouts" if machine is None else "samples"
    if estimate.too_long and not elsewhere:
        raise GameTooLargeError(
            f"{game_name(game)} is too large to walk: {estimate}. Bound the exploitability from "
            f"below by eq.local_best_response(…, {draws}=…) (evaluate --lbr … --{draws} …)."
        )
    if say is not None:
        say(f"Walking {game_name(game)}: {estimate}")
    return estimate.histories


class _Played:
    """A strategy as walks of rules in Python take it: each infoset is looked up once."""

    def __init__(self, game: Game, strategy: Strategy, missing: str | None) -> None:
        self._game = game
        self._strategy = strategy
        self._missing = missing
        self.rows: dict[Key, Sequence[float]] = {}

    def __call__(
        self, player: int, key: str, state: Any, actions: tuple[Hashable, ...]
    ) -> Sequence[float]:
        played = self.rows.get((player, key))
        if played is None:
            name = game_name(self._game)
            labels = [action_label(self._game, state, action) for action in actions]
            row = self._strategy.probabilities_at((player, key), labels, name)
            if row is None and self._missing is None:
                raise lacks(name, player, key)
            played = self.rows[player, key] = row or uniform_play(player, key, state, actions)
        return played


def _walked_in_python(
    game: Game,
    source: AnyStrategy,
    missing: str | None,
    limits: Limits,
    say: Say | None,
    histories: float,
    executor: Executor | None,
    loaded_from: Playable,
) -> Walked:
    check_missing(missing)
    strategy = as_strategy(source, lambda _: range(game.players))
    play = _Played(game, strategy, missing)

    def walk(player: int) -> Part:
        if executor is None:
            return PythonWalk(
                game, player, play, limits=limits, say=say, expected=histories
            ).run_part()
        work = loaded_from, player, strategy, missing, limits
        return run_elsewhere(
            lambda: PythonWalk(game, player, play, limits=limits),
            executor,
            walk_part,
            *work,
            say=say,
        )

    parts = [walk(player) for player in range(game.players)]
    if not any(part.is_cut for part in parts):  # else nobody knows what there is beyond
        keys = [(infoset.player, infoset.key) for infoset in strategy.infosets]
        present = {
            (player, key) for player, part in enumerate(parts) for key in part.entered
        }.intersection(keys)
        _check_names(game, source, keys, present, "")
    return together([part.walks for part in parts])


def walk_part(
    loaded_from: Any,
    player: int,
    strategy: Strategy,
    missing: str | None,
    limits: Limits,
    split: int,
    part: range,
) -> Part:
    """Walk a part of a game in Python, in a process that may be another: see :meth:`PythonWalk.run_part`."""
    game = check_and_unfold(load(loaded_from))
    return PythonWalk(game, player, _Played(game, strategy, missing), limits=limits).run_part(
        split, part
    )


def _check_names(
    game: Game, source: AnyStrategy, keys: list[Key], present: Collection[Key], where: str
) -> None:
    """Refuse names of infosets that a game does not have."""
    # Where a dict names an infoset without a player, it is one of every player who has it.
    if isinstance(source, dict):
        bare = {str(key) for key in source if not isinstance(key, tuple)}
    else:
        bare = set()
    bare &= {name for _, name in present}
    unknown = [key for key in keys if key not in present and key[1] not in bare]
    if unknown:
        raise SolutionError(
            f"The strategy names infosets that {game_name(game)} does not have ({len(unknown)}): "
            f"player {unknown[0][0]} {unknown[0][1]!r}{where}."
        )


def strategy_profile(walkable: Walkable, source: AnyStrategy, missing: str | None) -> Profile:
    """Return a strategy as walks take it."""
    check_missing(missing)
    game, machine = walkable
    assert machine is not None
    strategy = as_strategy(source, lambda _: range(game.players))
    infosets = strategy.infosets
    if isinstance(infosets, ObservedInfosets):
        _check_observed(game, infosets)
        profile = observed_profile(
            game,
            infosets.owner,
            infosets.observation,
            infosets.length,
            infosets.num_actions,
            strategy.probabilities,
        )
        return profile._replace(
            complete=np.array([missing is None]), num_actions=infosets.num_actions
        )
    if isinstance(infosets, StateInfosets):
        states = infosets.states_of(game)
    else:
        states = None
    if states is None:
        states, num_actions, probability = _by_name(game, strategy, source)
    else:
        num_actions = infosets.num_actions
        probability = strategy.probabilities
    profile = profile_of(game, machine, states, num_actions, probability)
    profile.complete[0] = missing is None
    return profile


def _check_observed(game: RulesGame, infosets: ObservedInfosets) -> None:
    """Refuse observations that are of another game, or of none: some are looked at."""
    if infosets.game is not None and str(infosets.game) != str(game):
        raise SolutionError(f"The strategy is of {infosets.game}, not of {game_name(game)}.")
    if infosets.observation.shape[1] > game.max_observation:
        raise SolutionError(
            f"{game_name(game)} observes at most {game.max_observation} integers; the strategy has "
            f"{infosets.observation.shape[1]}."
        )
    if game.state_of(0, game.infoset(game.start())) is None:
        return  # nobody knows what looks like an infoset
    for i in np.linspace(0, len(infosets) - 1, min(len(infosets), _LOOKED_AT)).astype(int).tolist():
        player = int(infosets.owner[i])
        observation = infosets.observation[i, : infosets.length[i]].tolist()
        with suppress(IndexError):
            if game.state_of(player, game.infoset_name(tuple(observation))) is not None:
                continue
        raise SolutionError(
            f"{observation} of player {player} (row {i}) is no observation of {game_name(game)}: "
            "write_observations of a strategy of this game shows what they look like."
        )


def _by_name(
    game: RulesGame, strategy: Strategy, source: AnyStrategy
) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Return a state in each infoset that a strategy names, and the probabilities in the order of the game."""
    keys = [(infoset.player, infoset.key) for infoset in strategy.infosets]
    state_of = {key: game.state_of(*key) for key in keys}
    wanted = [key for key, state in state_of.items() if state is None]
    if wanted:
        state_of |= _looked_for(game, wanted)
    where = f" (names are looked for at the first {_MOST_LOOKED_AT:,} histories)"
    _check_names(
        game, source, keys, {key for key, state in state_of.items() if state is not None}, where
    )
    states = []
    counts = []
    rows = list[float]()
    for key in keys:
        state = state_of[key]
        if state is not None:
            actions = [game.action_label(state, action) for action in game.actions(state)]
            rows += strategy.probabilities_at(key, actions, game_name(game)) or []
            states.append(state)
            counts.append(len(actions))
    width = len(game.start())
    return (
        np.array(states, np.int64).reshape(-1, width),
        np.array(counts, np.uint32),
        np.array(rows),
    )


def _looked_for(game: RulesGame, wanted: Iterable[Key]) -> dict[Key, State | None]:
    """Return a state in each of some infosets, from a walk in Python that ends when all are found."""
    states: dict[Key, State | None] = dict.fromkeys(wanted)
    left = len(states)
    looked_at = 0
    waiting = [game.start()]
    while waiting and left and looked_at < _MOST_LOOKED_AT:
        state = waiting.pop()
        looked_at += 1
        mover = game.player(state)
        if mover == TERMINAL:
            continue
        if mover != CHANCE:
            key = mover, game.infoset(state)
            if key in states and states[key] is None:
                states[key] = state
                left -= 1
        waiting += [game.next(state, action) for action in game.actions(state)]
    return states
