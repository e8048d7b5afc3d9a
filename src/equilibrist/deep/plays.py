"""Plays of many games side by side, level by level, and the values that come back up through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..game.protocol import CHANCE
from .vector_game import Level, VectorGame

NOBODY = -3
"""The traverser of plays in which all players follow their strategies."""

Strategies = Callable[[int, Ints, NDArray[np.bool_]], Floats]
"""A function of a player, observations and legal columns: probabilities, shape (n, columns)."""

Draw = Callable[[int, Ints], Floats]
"""A function of the number of a level and of plays: a number in [0, 1) for each of these."""


class Step(NamedTuple):
    """A level of some plays: n histories of the same length.

    Attributes
    ----------
    level : Level
        What the rules say of them.
    play : int64 array, shape (n,)
        The play of each.
    parent : int64 array, shape (n,)
        The history before each, by its number in the level before.
    action : int64 array, shape (n,)
        The number of the action that led there from it.
    legal : bool array, shape (n, columns)
        Which columns are legal actions, where a player decides.
    strategy : float array, shape (n, columns)
        What who decides there plays.
    sampling : float array, shape (n, columns)
        With what probabilities the action was drawn: other ones where the traverser explores.
    sampled_reach : float array, shape (n,)
        The product of ``sampling`` of the actions of the traverser so far; 1 where all are followed.
    """

    level: Level
    play: Ints
    parent: Ints
    action: Ints
    legal: NDArray[np.bool_]
    strategy: Floats
    sampling: Floats
    sampled_reach: Floats


def sample_plays(
    game: VectorGame,
    count: int,
    strategies: Strategies,
    draw: Draw,
    *,
    traverser: int = NOBODY,
    exploration: float | None = 0.0,
) -> list[Step]:
    """Return the levels of some plays, the first of which is the start of the game.

    Parameters
    ----------
    game : VectorGame
        The game.
    count : int
        Number of plays.
    strategies : callable
        What players do.
    draw : callable
        Random numbers.
    traverser : int
        A player who explores; by default nobody.
    exploration : float or None
        How likely the traverser is to play uniformly; None to follow all of the traverser's actions,
        which is external sampling.
    """
    steps: list[Step] = []
    states = game.root(count)
    play = np.arange(count)
    parent = np.zeros(count, np.int64)
    came_by = np.zeros(count, np.int64)
    sampled_reach = np.ones(count)
    while len(states):
        level = game.observe(states)
        legal = game.legal(level)
        strategy = np.zeros(legal.shape)
        for player in range(game.players):
            decides = level.mover == player
            if decides.any():
                strategy[decides] = strategies(player, level.observation[decides], legal[decides])
        sampling = strategy.copy()
        explores = level.mover == traverser
        if exploration:
            uniform = legal[explores] / legal[explores].sum(axis=1, keepdims=True)
            sampling[explores] = (1 - exploration) * strategy[explores] + exploration * uniform
        steps.append(Step(level, play, parent, came_by, legal, strategy, sampling, sampled_reach))
        uniforms = draw(len(steps) - 1, play)
        branches = explores & (exploration is None)
        parent, came_by = _choose_actions(level, legal, sampling, branches, uniforms)
        factor = np.ones(len(parent))
        if exploration is not None:
            explored = explores[parent]
            factor[explored] = sampling[parent[explored], came_by[explored]]
        sampled_reach = sampled_reach[parent] * factor
        play = play[parent]
        states = game.children(level, parent, came_by)
    return steps


def _choose_actions(
    level: Level,
    legal: NDArray[np.bool_],
    sampling: Floats,
    branches: NDArray[np.bool_],
    uniforms: Floats,
) -> tuple[Ints, Ints]:
    """Return the histories that go on, and the number of the action of each: all legal ones where it branches."""
    chance = np.flatnonzero(level.mover == CHANCE)
    outcome = draw_columns(level.probability[chance], uniforms[chance])
    single = np.flatnonzero((level.mover >= 0) & ~branches)
    drawn = draw_columns(sampling[single], uniforms[single])
    branching = np.flatnonzero(branches)
    row, column = np.nonzero(legal[branching])
    parent = np.concatenate([chance, single, branching[row]])
    action = np.concatenate([level.actions[chance, outcome], drawn, column])
    order = np.argsort(parent, kind="stable")
    return parent[order], action[order]


def draw_columns(probability: Floats, uniforms: Floats) -> Ints:
    """Return a column of each row of probabilities, given a number in [0, 1) for each."""
    cumulated = probability.cumsum(axis=1)
    threshold = uniforms * cumulated[:, -1]
    column: Ints = (cumulated <= threshold[:, None]).sum(axis=1)
    return column


def back_up_branches(steps: list[Step], traverser: int) -> list[Floats]:
    """Return the counterfactual advantages of external sampling at each level, shape (n, columns): payoff.

    The value of a history is that of what was drawn there; of the traverser's, on average over all
    actions. An advantage is the value of an action less that of its history; 0 where the traverser
    does not decide.
    """
    advantages: list[Floats] = []
    value_below = np.zeros(0)
    for depth in range(len(steps) - 1, -1, -1):
        step = steps[depth]
        value = step.level.payoffs[:, traverser].copy()
        is_traverser = step.level.mover == traverser
        action_values = np.zeros(step.strategy.shape)
        if depth + 1 < len(steps):
            below = steps[depth + 1]
            branches = is_traverser[below.parent]
            action_values[below.parent[branches], below.action[branches]] = value_below[branches]
            value[below.parent[~branches]] = value_below[~branches]
        value[is_traverser] = (step.strategy * action_values).sum(axis=1)[is_traverser]
        advantage = np.where(
            step.legal & is_traverser[:, None], action_values - value[:, None], 0.0
        )
        advantages.append(advantage)
        value_below = value
    return advantages[::-1]


class BackedUp(NamedTuple):
    """Values of plays of which each drew one action at each history.

    Attributes
    ----------
    values : list of float array, shape (n,)
        An estimate of the value of each history to the traverser, payoff.
    action_values : list of float array, shape (n, columns)
        Estimates of the values of actions, where players decide.
    """

    values: list[Floats]
    action_values: list[Floats]


def back_up_plays(steps: list[Step], traverser: int, baselines: list[Floats]) -> BackedUp:
    """Return estimates of values to the traverser that do not depend, on average, on the baselines.

    Parameters
    ----------
    steps : list of Step
        Levels of plays that drew one action at each history.
    traverser : int
        Whose values.
    baselines : list of float array, shape (n, columns)
        A guess of the value of each action at each level, payoff.

    Notes
    -----
    With the baseline b, the probability ξ with which actions were drawn, and the estimate v of the
    history that followed, the estimate of the action a that was drawn is b(a) + (v − b(a)) / ξ(a),
    and that of any other is its baseline (Schmid et al. 2019, as DREAM has it).
    """
    values: list[Floats] = []
    all_action_values: list[Floats] = []
    value_below = np.zeros(0)
    for depth in range(len(steps) - 1, -1, -1):
        step = steps[depth]
        value = step.level.payoffs[:, traverser].copy()
        decides = step.level.mover >= 0
        action_values = np.where(step.legal, baselines[depth], 0.0)
        if depth + 1 < len(steps):
            below = steps[depth + 1]
            value[below.parent] = value_below
            drawn = decides[below.parent]
            row = below.parent[drawn]
            column = below.action[drawn]
            error = value_below[drawn] - action_values[row, column]
            action_values[row, column] += error / step.sampling[row, column]
        value[decides] = (step.strategy * action_values).sum(axis=1)[decides]
        values.append(value)
        all_action_values.append(action_values)
        value_below = value
    return BackedUp(values[::-1], all_action_values[::-1])
