"""Treeplex: the polytope of a player's realisation plans, with its best response, entropy, prox and projection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._util.arrays import Floats, Ints, offsets
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset

Weights = float | Floats
"""The weight of the entropy of each infoset: one for all, or shape (infosets,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Treeplex:
    """The strategies of a player in sequence form: the treeplex of their realisation plans.

    A vector has a number for each sequence of the player. Sequence 0 is the empty one; the actions
    of infoset j are the sequences ``first[j]`` to ``first[j + 1] - 1``. Infosets with fewer moves of
    the player before them come first, so that ``parent[j] < first[j]``. A vector x is a plan where
    x[0] = 1, x ≥ 0, and the sequences of each infoset sum to x[parent[j]].

    Attributes
    ----------
    player : int
        The first is 0.
    infosets : sequence of Infoset
        The player's infosets, each with ``key`` and ``actions``.
    parent : int array, shape (infosets,)
        The sequence that leads to each infoset.
    first : int array, shape (infosets + 1,)
        Where the sequences of each infoset begin.
    levels : int array, shape (levels + 1,)
        Where the infosets begin that have so many moves of the player before them.

    Notes
    -----
    With b the behaviour of x, b[s] = x[s] / x[parent], and weights w, the dilated entropy is

        d(x) = Σ_j w_j x[parent_j] Σ_a b_ja log b_ja

    and its Bregman divergence D(x‖y) = Σ_j w_j x[parent_j] KL(b_j(x) ‖ b_j(y)). Each method but
    :meth:`project` costs one pass over the sequences.

    References
    ----------
    von Stengel 1996 (sequence form); Hoda, Gilpin, Peña and Sandholm 2010 (treeplexes, dilated
    distances); Kroer, Waugh, Kılınç-Karzan and Sandholm 2020 (dilated entropy).
    """

    player: int
    infosets: Sequence[Infoset]
    parent: Ints
    first: Ints
    levels: Ints

    @property
    def num_infosets(self) -> int:
        """The number of infosets of the player."""
        return len(self.parent)

    @property
    def num_sequences(self) -> int:
        """The number of sequences, with the empty one: the length of all vectors."""
        return int(self.first[-1])

    @property
    def infoset_of(self) -> Ints:
        """The infoset of each sequence but the empty one, shape (sequences - 1,)."""
        return np.repeat(np.arange(self.num_infosets), np.diff(self.first))

    def uniform_plan(self) -> Floats:
        """Return the plan that takes all actions of each infoset alike, shape (sequences,)."""
        num_actions = np.diff(self.first)
        return self.to_plan(np.append(1.0, 1.0 / num_actions[self.infoset_of]))

    def to_plan(self, behaviour: Floats) -> Floats:
        """Return the realisation plan of probabilities at the infosets, both of shape (sequences,)."""
        plan = np.array(behaviour, np.float64)
        plan[0] = 1.0
        for level in self._levels():
            plan[level.sequences] *= np.repeat(plan[level.parent], level.num_actions)
        return plan

    def to_behaviour(self, plan: Floats) -> Floats:
        """Return the probabilities at the infosets that a plan has, uniform where it does not lead; shape (sequences,).

        The empty sequence has 1.
        """
        behaviour = np.ones(self.num_sequences)
        if self.num_infosets:
            mass = np.add.reduceat(plan, self.first[:-1])
            num_actions = np.diff(self.first)
            uniform = 1.0 / num_actions[self.infoset_of]
            total = mass[self.infoset_of]
            np.divide(plan[1:], total, out=uniform, where=total > 0)
            behaviour[1:] = uniform
        return behaviour

    def best_response(self, values: Floats) -> Floats:
        """Return a pure plan x that maximises ⟨values, x⟩; the first of equal actions is taken."""
        below = np.array(values, np.float64)
        behaviour = np.zeros(self.num_sequences)
        for level in self._levels(bottom_up=True):
            level_values = below[level.sequences]
            best = np.maximum.reduceat(level_values, level.begin)
            is_best = level_values == np.repeat(best, level.num_actions)
            row = np.arange(len(level_values))
            candidates = np.where(is_best, row, len(row))
            chosen = np.minimum.reduceat(candidates, level.begin)
            behaviour[level.sequences.start + chosen] = 1.0
            np.add.at(below, level.parent, best)
        return self.to_plan(behaviour)

    def counterfactual_values(self, behaviour: Floats, values: Floats) -> Floats:
        """Return what each sequence is worth with what follows, where ``behaviour`` is played; shape (sequences,)."""
        worth = np.array(values, np.float64)
        for level in self._levels(bottom_up=True):
            expected = behaviour[level.sequences] * worth[level.sequences]
            np.add.at(worth, level.parent, np.add.reduceat(expected, level.begin))
        return worth

    def entropy_weights(self) -> Floats:
        """Return weights w_j = 2 + 2 max_a Σ w_j' over the infosets j' that follow action a; shape (infosets,).

        With them the dilated entropy is strongly convex with modulus 1 / M in the norm Σ |x_s|,
        where M is the largest Σ x_s of a plan (Kroer et al. 2020).
        """
        below = np.zeros(self.num_sequences)
        weights = np.zeros(self.num_infosets)
        for level in self._levels(bottom_up=True):
            largest = np.maximum.reduceat(below[level.sequences], level.begin)
            weights[level.infosets] = 2.0 + 2.0 * largest
            np.add.at(below, level.parent, weights[level.infosets])
        return weights

    def entropy(self, plan: Floats, weights: Weights = 1.0) -> float:
        """Return the dilated entropy d(plan), 0 or less; 0 log 0 is 0."""
        behaviour = self.to_behaviour(plan)[1:]
        logarithm = np.log(behaviour, out=np.zeros(len(behaviour)), where=behaviour > 0)
        weight = self._broadcast(weights)[self.infoset_of]
        return float((weight * plan[1:] * logarithm).sum())

    def entropy_gradient(self, plan: Floats, weights: Weights = 1.0) -> Floats:
        """Return ∇d(plan), shape (sequences,); -∞ at sequences of probability 0."""
        weight = self._broadcast(weights)
        gradient = np.zeros(self.num_sequences)
        with np.errstate(divide="ignore"):
            logarithm = np.log(self.to_behaviour(plan)[1:])
        gradient[1:] = weight[self.infoset_of] * (logarithm + 1.0)
        np.subtract.at(gradient, self.parent, weight)
        return gradient

    def divergence(self, plan: Floats, other: Floats, weights: Weights = 1.0) -> float:
        """Return the Bregman divergence D(plan‖other) of the dilated entropy, ∞ where ``other`` excludes an action."""
        played = self.to_behaviour(plan)[1:]
        expected = self.to_behaviour(other)[1:]
        is_played = plan[1:] > 0
        with np.errstate(divide="ignore"):
            ratio = np.log(played[is_played]) - np.log(expected[is_played])
        weight = self._broadcast(weights)[self.infoset_of]
        return float((weight[is_played] * plan[1:][is_played] * ratio).sum())

    def prox(self, values: Floats, center: Floats, weights: Weights = 1.0) -> Floats:
        """Return the plan x that maximises ⟨values, x⟩ − D(x‖center), in closed form bottom-up.

        At infoset j, with v_a what action a is worth with what follows,

            b_a ∝ center_a exp(v_a / w_j),   worth w_j log Σ_a center_a exp(v_a / w_j)

        where center_a is the behaviour of ``center``. From the uniform plan this is the smoothed
        best response with the dilated entropy. Actions of probability 0 stay there.

        Parameters
        ----------
        values : float array, shape (sequences,)
            The gradient, times the step size.
        center : float array, shape (sequences,)
            A plan.
        weights : float or float array, shape (infosets,)
            Above 0.
        """
        weight = self._broadcast(weights)
        with np.errstate(divide="ignore"):
            log_center = np.log(self.to_behaviour(center))
        worth = np.array(values, np.float64)
        behaviour = np.ones(self.num_sequences)
        for level in self._levels(bottom_up=True):
            weight_of_level = weight[level.infosets]
            exponent = worth[level.sequences] / np.repeat(weight_of_level, level.num_actions)
            exponent += log_center[level.sequences]
            highest = np.maximum.reduceat(exponent, level.begin)
            share = np.exp(exponent - np.repeat(highest, level.num_actions))
            total = np.add.reduceat(share, level.begin)
            behaviour[level.sequences] = share / np.repeat(total, level.num_actions)
            np.add.at(worth, level.parent, weight_of_level * (highest + np.log(total)))
        return self.to_plan(behaviour)

    def project(self, vector: Floats) -> Floats:
        """Return the plan nearest to a vector in the Euclidean norm, exactly, shape (sequences,).

        Notes
        -----
        Let F_j(t) be the least squared distance, halved, of what follows infoset j when it is
        reached with t. Its derivative is piecewise linear and increases; the derivative of an
        action is t − vector[s] + Σ F_j'(t) over the infosets after it, and the inverse of F_j' is
        the sum of the inverses of its actions, as all that are played have the same derivative.
        Kinks are merged bottom-up, and plans read off top-down. The cost is O(n · depth) kinks for n
        sequences, each sorted.
        """
        vector = np.asarray(vector, np.float64)
        following: list[list[_Slope]] = [[] for _ in range(self.num_sequences)]
        slopes: list[list[_Slope]] = [[] for _ in range(self.num_infosets)]
        of_infoset: dict[int, _Slope] = {}
        for infoset in range(self.num_infosets - 1, -1, -1):
            for sequence in range(self.first[infoset], self.first[infoset + 1]):
                distance = _Slope(np.zeros(1), np.array([-vector[sequence]]), 1.0)
                slopes[infoset].append(_add_slopes([distance, *following[sequence]]))
            joined = _join_slopes(slopes[infoset])
            of_infoset[infoset] = joined
            following[self.parent[infoset]].append(joined)
        plan = np.zeros(self.num_sequences)
        plan[0] = 1.0
        for infoset in range(self.num_infosets):
            mass = plan[self.parent[infoset]]
            multiplier = of_infoset[infoset].at(np.array([mass]))
            sequences = slice(self.first[infoset], self.first[infoset + 1])
            share = np.concatenate([slope.inverse_at(multiplier) for slope in slopes[infoset]])
            total = share.sum()
            if total > 0:  # rounding
                share *= mass / total
            plan[sequences] = share
        return plan

    def _broadcast(self, weights: Weights) -> Floats:
        """Return a weight for each infoset."""
        return np.broadcast_to(np.asarray(weights, np.float64), (self.num_infosets,))

    def _levels(self, *, bottom_up: bool = False) -> list[_Level]:
        """Return the infosets with as many moves of the player before them, those with fewest first."""
        levels = []
        for begin, end in zip(self.levels[:-1].tolist(), self.levels[1:].tolist(), strict=True):
            start = int(self.first[begin])
            levels.append(
                _Level(
                    infosets=slice(begin, end),
                    sequences=slice(start, int(self.first[end])),
                    begin=self.first[begin:end] - start,
                    num_actions=np.diff(self.first[begin : end + 1]),
                    parent=self.parent[begin:end],
                )
            )
        if bottom_up:
            levels.reverse()
        return levels


class _Level(NamedTuple):
    """Infosets that none of each other follow.

    Attributes
    ----------
    infosets, sequences : slice
        Theirs.
    begin : int array, shape (infosets,)
        Where the sequences of each begin, counted from the first of the level.
    num_actions, parent : int array, shape (infosets,)
    """

    infosets: slice
    sequences: slice
    begin: Ints
    num_actions: Ints
    parent: Ints


class _Slope(NamedTuple):
    """A piecewise linear function on [0, ∞) that increases: the derivative of a convex function.

    Attributes
    ----------
    mass : float array, shape (kinks,)
        Where it has kinks, the first at 0, in order.
    value : float array, shape (kinks,)
        What it is there.
    last : float
        How fast it increases after the last kink.
    """

    mass: Floats
    value: Floats
    last: float

    def at(self, mass: Floats) -> Floats:
        """Return the values at such masses."""
        beyond = np.maximum(mass - self.mass[-1], 0.0)
        values: Floats = np.interp(mass, self.mass, self.value) + self.last * beyond
        return values

    def inverse_at(self, value: Floats) -> Floats:
        """Return the masses that have such values, 0 for what is below all of them."""
        beyond = np.maximum(value - self.value[-1], 0.0)
        masses: Floats = np.interp(value, self.value, self.mass) + beyond / self.last
        return masses


def _add_slopes(slopes: list[_Slope]) -> _Slope:
    """Return the sum of functions."""
    mass = np.unique(np.concatenate([slope.mass for slope in slopes]))
    value = np.sum([slope.at(mass) for slope in slopes], axis=0)
    return _Slope(mass, value, sum(slope.last for slope in slopes))


def _join_slopes(slopes: list[_Slope]) -> _Slope:
    """Return the function whose inverse is the sum of the inverses: one mass shared so that all slopes are equal."""
    value = np.unique(np.concatenate([slope.value for slope in slopes]))
    mass = np.sum([slope.inverse_at(value) for slope in slopes], axis=0)
    return _Slope(mass, value, 1.0 / sum(1.0 / slope.last for slope in slopes))


class Placement(NamedTuple):
    """Where the numbers of a player's treeplex are in the tables of a form.

    Attributes
    ----------
    treeplex : Treeplex
    slots : int array, shape (sequences - 1,)
        The slot of each sequence but the empty one.
    """

    treeplex: Treeplex
    slots: Ints


def make_treeplex(form: CompiledGame, player: int) -> Placement:
    """Return the treeplex of a player of a compiled game, and the slots of its sequences."""
    owner = np.asarray(form.infosets.owner)
    num_actions = np.asarray(form.infosets.num_actions, np.int64)
    first_action = np.asarray(form.first_action, np.int64)
    slot = np.asarray(form.slot, np.int64)
    parent_action = np.asarray(form.parents(np.arange(form.num_infosets)), np.int64)
    infosets = np.flatnonzero(owner == player)
    infoset_of_action = np.repeat(np.arange(form.num_infosets), num_actions)
    moves = np.zeros(len(infosets), np.int64)
    above = parent_action[infosets]
    while (above >= 0).any():
        moves += above >= 0
        above = np.where(above >= 0, parent_action[infoset_of_action[above]], -1)
    order = np.argsort(moves, kind="stable")
    infosets = infosets[order]
    first = 1 + offsets(num_actions[infosets])
    actions = np.repeat(first_action[infosets] - first[:-1], num_actions[infosets])
    actions += np.arange(1, int(first[-1]))
    sequence_of_action = np.zeros(len(infoset_of_action) + 1, np.int64)  # the last is for none
    sequence_of_action[actions] = np.arange(1, int(first[-1]))
    most_moves = int(moves.max(initial=-1))
    treeplex = Treeplex(
        player=player,
        infosets=[form.infosets[int(infoset)] for infoset in infosets],
        parent=sequence_of_action[parent_action[infosets]],
        first=first,
        levels=np.searchsorted(moves[order], np.arange(most_moves + 2)),
    )
    return Placement(treeplex, slot[actions])
