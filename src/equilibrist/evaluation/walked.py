"""Certificates of strategies in games that are walked, not compiled (:mod:`equilibrist.form.walk`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, SolutionError
from ..form.infosets import ObservedInfosets, StateInfosets
from ..form.walk.kernels import Profile
from ..form.walk.walk import Say, Walked, estimate_walk, observed_profile, profile_of, walk_values, walkable_rules
from ..game.compiled_rules import CompiledRules
from ..game.protocol import CHANCE, TERMINAL, game_name
from ..game.rules import RulesGame, State
from ..strategy.convert import AnyStrategy, as_strategy
from ..strategy.observed import is_observed
from ..strategy.reading import Key, check_missing
from ..strategy.strategy import Strategy

_LOOKED_AT = 100  # observations of a strategy
_MOST_LOOKED_AT = 1_000_000
"""Histories among which infosets are looked for by name, in Python: some ten seconds."""


class Walkable(NamedTuple):
    """A game whose rules are compiled, to be walked."""

    game: RulesGame
    machine: CompiledRules

    @classmethod
    def of(cls, game: Any) -> Walkable | None:
        """Return a game that can be walked, or None."""
        machine = walkable_rules(game)
        return None if machine is None else cls(game, machine)


def walk_of(game: Any) -> Walkable:
    """Return a game that can be walked, or refuse it."""
    walkable = Walkable.of(game)
    if walkable is None:
        raise GameError(
            f"{game_name(game)} has no rules that compile, which form='walk' needs: those of the built-in games "
            "but holdem and matrices do. Use form='auto'.",
            wrong_use=True,
        )
    return walkable


def is_by_observation(source: object) -> bool:
    """Return whether a strategy is known by what players observe, so that it has no names to be looked for."""
    if isinstance(source, str | Path):
        return is_observed(source)
    return isinstance(getattr(source, "infosets", None), ObservedInfosets)


def walked(walkable: Walkable, strategy: AnyStrategy, *, missing: str | None, threads: int, say: Say | None) -> Walked:
    """Return what walks for all players find of a strategy."""
    game, machine = walkable
    profile = _profile(walkable, strategy, missing)
    estimate = estimate_walk(game, threads=threads)
    if say is not None:
        say(f"Walking {game_name(game)}: {estimate}")
    return walk_values(game, machine, profile, threads=threads, histories=estimate.histories, say=say)


def _profile(walkable: Walkable, source: AnyStrategy, missing: str | None) -> Profile:
    """Return a strategy as walks take it."""
    check_missing(missing)
    game, machine = walkable
    strategy = as_strategy(source, lambda _: range(game.players))
    infosets = strategy.infosets
    if isinstance(infosets, ObservedInfosets):
        _check_observed(game, infosets)
        profile = observed_profile(
            game, infosets.owner, infosets.observation, infosets.length, infosets.num_actions, strategy.probabilities
        )
        return profile._replace(complete=np.array([missing is None]), num_actions=infosets.num_actions)
    states = infosets.states_of(game) if isinstance(infosets, StateInfosets) else None
    if states is None:
        states, num_actions, probability = _by_name(game, strategy, source)
    else:
        num_actions, probability = infosets.num_actions, strategy.probabilities
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
        player, observation = int(infosets.owner[i]), infosets.observation[i, : infosets.length[i]].tolist()
        with suppress(IndexError):
            if game.state_of(player, game.infoset_name(tuple(observation))) is not None:
                continue
        raise SolutionError(
            f"{observation} of player {player} (row {i}) is no observation of {game_name(game)}: write_observations of "
            "a strategy of this game shows what they look like."
        )


def _by_name(game: RulesGame, strategy: Strategy, source: AnyStrategy) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Return a state in each infoset that a strategy names, and the probabilities in the order of the game."""
    keys = [(infoset.player, infoset.key) for infoset in strategy.infosets]
    state_of = {key: game.state_of(*key) for key in keys}
    wanted = [key for key, state in state_of.items() if state is None]
    if wanted:
        state_of |= _looked_for(game, wanted)
    # Where a dict names an infoset without a player, it is one of every player who has it.
    bare = {str(key) for key in source if not isinstance(key, tuple)} if isinstance(source, dict) else set()
    bare &= {name for (_, name), state in state_of.items() if state is not None}
    unknown = [key for key in keys if state_of[key] is None and key[1] not in bare]
    if unknown:
        raise SolutionError(
            f"The strategy names infosets that {game_name(game)} does not have ({len(unknown)}): player "
            f"{unknown[0][0]} {unknown[0][1]!r} (names are looked for at the first {_MOST_LOOKED_AT:,} histories)."
        )
    states, counts, rows = [], [], list[float]()
    for key in keys:
        state = state_of[key]
        if state is not None:
            actions = [game.action_label(state, action) for action in game.actions(state)]
            rows += strategy.probabilities_at(key, actions, game_name(game)) or []
            states.append(state)
            counts.append(len(actions))
    width = len(game.start())
    return np.array(states, np.int64).reshape(-1, width), np.array(counts, np.uint32), np.array(rows)


def _looked_for(game: RulesGame, wanted: Iterable[Key]) -> dict[Key, State | None]:
    """Return a state in each of some infosets, from a walk in Python that ends when all are found."""
    states: dict[Key, State | None] = dict.fromkeys(wanted)
    left, looked_at, waiting = len(states), 0, [game.start()]
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
