"""Strategies as walks take them: looked up by what players observe, by states or by names."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import SolutionError
from ...game.compiled_rules import CompiledRules
from ...game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ...game.rules import RulesGame, State
from ..infosets import ObservedInfosets, StateInfosets
from .index import StrategyRows
from .kernels import Profile
from .python import uniform_play
from .walk import lacking_error, make_profile, observed_profile

Key = tuple[int, str]

_LOOKED_AT = 100  # observations of a strategy
_MOST_LOOKED_AT = 1_000_000
"""Histories among which infosets are looked for by name, in Python: some ten seconds."""


class NamedPlay:
    """A strategy as walks of rules in Python take it: each infoset is looked up once."""

    def __init__(self, game: Game, strategy: StrategyRows, missing: str | None) -> None:
        self._game = game
        self._strategy = strategy
        self._missing = missing
        self._rows: dict[Key, Sequence[float]] = {}

    def __call__(
        self, player: int, key: str, state: Any, actions: tuple[Hashable, ...]
    ) -> Sequence[float]:
        probabilities = self._rows.get((player, key))
        if probabilities is None:
            name = game_name(self._game)
            labels = [action_label(self._game, state, action) for action in actions]
            row = self._strategy.probabilities_at((player, key), labels, name)
            if row is None and self._missing is None:
                raise lacking_error(name, player, key)
            probabilities = row or uniform_play(player, key, state, actions)
            self._rows[player, key] = probabilities
        return probabilities


def strategy_keys(strategy: StrategyRows) -> list[Key]:
    """Return player and name of each infoset of a strategy."""
    return [(infoset.player, infoset.key) for infoset in strategy.infosets]


def check_names(
    game: Game, keys: list[Key], present: Collection[Key], bare: Collection[str], hint: str = ""
) -> None:
    """Refuse names of infosets that a game does not have; a ``bare`` one is that of any player who has it."""
    known_bare = set(bare) & {name for _, name in present}
    unknown = [key for key in keys if key not in present and key[1] not in known_bare]
    if unknown:
        raise SolutionError(
            f"The strategy names infosets that {game_name(game)} does not have ({len(unknown)}): "
            f"player {unknown[0][0]} {unknown[0][1]!r}{hint}."
        )


def profile_of_strategy(
    game: RulesGame, machine: CompiledRules, strategy: StrategyRows, bare: Collection[str]
) -> Profile:
    """Return a strategy as walks of compiled rules take it; infosets that it lacks are played uniformly."""
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
        return profile._replace(num_actions=infosets.num_actions)
    if isinstance(infosets, StateInfosets):
        states = infosets.states_of(game)
    else:
        states = None
    if states is None:
        states, num_actions, probability = _find_by_name(game, strategy, bare)
    else:
        num_actions = infosets.num_actions
        probability = strategy.probabilities
    return make_profile(game, machine, states, num_actions, probability)


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


def _find_by_name(
    game: RulesGame, strategy: StrategyRows, bare: Collection[str]
) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Return a state in each infoset that a strategy names, and the probabilities in the order of the game."""
    keys = strategy_keys(strategy)
    state_of = {key: game.state_of(*key) for key in keys}
    unknown = [key for key, state in state_of.items() if state is None]
    if unknown:
        state_of |= _find_states(game, unknown)
    present = {key for key, state in state_of.items() if state is not None}
    hint = f" (names are looked for at the first {_MOST_LOOKED_AT:,} histories)"
    check_names(game, keys, present, bare, hint)
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


def _find_states(game: RulesGame, keys: Iterable[Key]) -> dict[Key, State | None]:
    """Return a state in each of some infosets, from a walk in Python that ends when all are found."""
    states: dict[Key, State | None] = dict.fromkeys(keys)
    missing = len(states)
    looked_at = 0
    waiting = [game.start()]
    while waiting and missing and looked_at < _MOST_LOOKED_AT:
        state = waiting.pop()
        looked_at += 1
        mover = game.player(state)
        if mover == TERMINAL:
            continue
        if mover != CHANCE:
            key = mover, game.infoset(state)
            if key in states and states[key] is None:
                states[key] = state
                missing -= 1
        waiting += [game.next(state, action) for action in game.actions(state)]
    return states
