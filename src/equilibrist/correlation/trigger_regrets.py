"""Trigger regrets: dynamics of players who learn separately, whose joint play approaches an EFCE."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._util.arrays import Floats, Ints
from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError, GameTooLargeError
from ..form.compiling import tell_compiling
from ..form.infosets import Infoset
from ..form.limits import within_memory
from ..strategy.strategy import Strategy
from . import trigger_kernels as kernels
from .plans import Say, SequenceGame
from .trigger_kernels import Tables

_SLICE_NUMBERS = 1 << 24
"""Numbers of tables that are updated between two looks, a fifth of a second: by count, as a look may end the run."""
_MOST_NUMBERS = 100_000_000
"""Of each of the three tables of continuations: 2.4 gigabytes together."""


@dataclass(frozen=True)
class TriggerRegrets:
    """Regret dynamics that lead to an extensive-form correlated equilibrium, in any game with perfect recall.

    Each player has for every trigger (an infoset and the action recommended there) a regret
    minimiser over what to do from there on instead, and one over triggers. The player plays a fixed
    point of the mixture of these deviations. Then no trigger deviation would have gained much
    against the play of all iterations: a mediator who draws an iteration and recommends its
    strategies is obeyed. Which equilibrium it is cannot be chosen, as an objective of a linear
    programme can.

    Parameters
    ----------
    iterations : int
        How many, at most. All strategies that are played are kept, as the result is their mixture.
    until : float, optional
        The largest gain of a deviation at which to stop, payoff per game, above 0.
    memory_gb : float
        The most that the strategies played may take, in gigabytes; before that the run ends.

    Raises
    ------
    AlgorithmError
        A number makes no sense.

    References
    ----------
    Celli, Marchesi, Farina & Gatti 2020, "No-regret learning dynamics for extensive-form correlated
    equilibrium"; Farina, Celli, Marchesi & Gatti 2022, "Simple uncoupled no-regret learning
    dynamics for extensive-form correlated equilibrium". Here all regrets are cut at 0 and iteration
    t counts t times, as in CFR+.
    """

    iterations: int = 10_000
    until: float | None = None
    memory_gb: float = 1.0

    def __post_init__(self) -> None:
        if not is_whole(self.iterations, 1):
            raise AlgorithmError(
                f"iterations must be a whole number, 1 or more; got {self.iterations!r}."
            )
        if self.until is not None and not is_number(self.until, above=0):
            raise AlgorithmError(
                f"until must be a gain above 0, payoff per game, or None; got {self.until!r}.",
                field="until",
            )
        if not is_number(self.memory_gb, above=0):
            raise AlgorithmError(f"memory_gb must be gigabytes above 0; got {self.memory_gb!r}.")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Mixture:
    """The play of some iterations, of which a mediator draws one: a distribution over profiles of strategies.

    Attributes
    ----------
    profiles : float array, shape (iterations, actions)
        The probability of each action at its infoset, in the order of ``infosets``.
    weights : float array, shape (iterations,)
        How likely each is to be drawn: in proportion to its number, the first of which is 1.
    infosets : tuple of Infoset
        Player, key and action names.
    """

    profiles: Floats
    weights: Floats
    infosets: tuple[Infoset, ...]

    def __len__(self) -> int:
        return len(self.profiles)

    def __repr__(self) -> str:
        return f"<Mixture of {len(self):,} profiles of {len(self.infosets):,} infosets>"

    def __getitem__(self, iteration: int) -> Strategy:
        """Return the strategies of all players in one iteration, the first of which is 0."""
        return Strategy(self.infosets, self.profiles[iteration].copy())

    def draw(self, seed: int | np.random.Generator | None = None) -> Strategy:
        """Return the strategies that a mediator draws, from which moves are recommended, infoset by infoset."""
        return self[int(np.random.default_rng(seed).choice(len(self), p=self.weights))]


class Play(NamedTuple):
    """What the dynamics have come to: arrays in the order of the sequences and leaves of the game.

    Attributes
    ----------
    probability : float array
        Of each leaf but for chance, on average by the weights of iterations.
    gains : float array
        Of each trigger, by the sequence that it ends.
    mixture : Mixture
    stop_reason : str
    """

    probability: Floats
    gains: Floats
    mixture: Mixture
    stop_reason: str


def run_dynamics(game: SequenceGame, method: TriggerRegrets, say: Say) -> Play:
    """Run the dynamics on a game until a limit is met, or until an interrupt (Ctrl-C)."""
    with within_memory(game.name):
        numbers, tables = make_tables(game)
        rows = min(method.iterations, max(1, int(method.memory_gb * 1e9) // (8 * len(numbers))))
        profiles = np.empty((rows, len(numbers)))
        gains = np.zeros(len(numbers))
    end_reason = "iterations" if rows == method.iterations else "memory"
    reason = "interrupt"
    most_iterations = _SLICE_NUMBERS // (len(tables.regret) + len(tables.reached))
    say("Loading the kernels")
    with tell_compiling(say):
        kernels.run_iterations(tables, profiles, 1)
        kernels.deviation_gains(tables, gains)
    with suppress(KeyboardInterrupt):
        while True:
            iterations = int(tables.iterations[0])
            _refuse_numbers(game, numbers, tables, gains)
            largest = float(gains[1:].max(initial=0.0)) / _weight_sum(iterations)
            say(f"Iteration {iterations:,}: the largest gain of a deviation is {largest:.3g}")
            if iterations == rows or (method.until is not None and largest <= method.until):
                if method.until is None or largest > method.until:
                    reason = end_reason
                else:
                    reason = "until"
                break
            count = max(1, min(iterations // 4, most_iterations))
            kernels.run_iterations(tables, profiles, min(count, rows - iterations))
            kernels.deviation_gains(tables, gains)
    iterations = int(tables.iterations[0])
    kernels.deviation_gains(tables, gains)
    _refuse_numbers(game, numbers, tables, gains)
    profiles_played = profiles[:iterations, numbers]
    return Play(
        tables.reached / _weight_sum(iterations),
        gains[numbers] / _weight_sum(iterations),
        _make_mixture(game, profiles_played),
        reason,
    )


def _refuse_numbers(game: SequenceGame, numbers: Ints, tables: Tables, gains: Floats) -> None:
    """Refuse tables in which a trigger has learnt a number that is not finite."""
    is_wrong = ~np.isfinite(gains + tables.followed)
    places = np.flatnonzero(~np.isfinite(tables.gained))
    is_wrong[np.searchsorted(tables.offset, places, side="right") - 1] = True
    sequences = np.flatnonzero(is_wrong[numbers])
    if not len(sequences):
        return
    infoset = game.infosets[int(np.searchsorted(game.first, sequences[0], side="right")) - 1]
    raise AlgorithmError(
        f"What player {infoset.player} gains by a deviation at {infoset.key!r} of {game.name} is "
        f"no finite number after iteration {int(tables.iterations[0]):,}: nothing is certified, "
        "and the run ends. Give payoffs in a larger unit.",
        wrong_use=False,
    )


def _weight_sum(iterations: int) -> float:
    """Return the weight of so many iterations: 1 + 2 + 3 + …."""
    return iterations * (iterations + 1) / 2


def _make_mixture(game: SequenceGame, profiles: Floats) -> Mixture:
    """Return the mixture of profiles that are given as the probabilities of sequences, in the order of the game."""
    counts = np.diff(game.first)
    parent_probability = profiles[:, np.repeat(np.array(game.parent, np.int64), counts)]
    uniform = np.repeat(1.0 / counts, counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        behaviour = np.where(
            parent_probability > 0.0, profiles[:, 1:] / parent_probability, uniform
        )
    weights = np.arange(1, len(profiles) + 1) / _weight_sum(len(profiles))
    return Mixture(behaviour, weights, tuple(game.infosets))


def make_tables(game: SequenceGame) -> tuple[Ints, Tables]:
    """Return the number of each sequence of a game in the tables of its dynamics, and these tables before the start."""
    order, end = _order_depth_first(game)
    counts = np.array([len(game.infosets[i].actions) for i in order], np.int64)
    first = np.cumsum([1, *counts])
    numbers = np.zeros(game.first[-1], np.int64)
    for begin, i in zip(first.tolist(), order, strict=False):
        numbers[game.first[i] : game.first[i + 1]] = range(
            begin, begin + len(game.infosets[i].actions)
        )
    sizes = np.repeat(first[end] - first[:-1], counts)
    offset = np.cumsum([0, 0, *sizes])
    if offset[-1] > _MOST_NUMBERS:
        raise GameTooLargeError(
            f"{game.name}: the continuations after all triggers have {offset[-1]:,} actions; at "
            f"most {_MOST_NUMBERS:,} fit. Choose a smaller game, or solve(), which approaches a "
            "coarse correlated equilibrium.",
            wrong_use=True,
        )
    owners = np.array([game.infosets[i].player for i in order], np.int64)
    width = len(numbers)
    most_sequences = int(counts.max(initial=1))
    behaviour = np.empty(offset[-1])
    uniform = np.repeat(1.0 / counts, counts)
    for i, count in enumerate(counts.tolist()):
        block = uniform[first[i] - 1 : first[end[i]] - 1]
        behaviour[offset[first[i]] : offset[first[i + 1]]] = np.tile(block, count)
    play = np.ones(width)
    weight = np.zeros(width)
    parent = numbers[np.array([game.parent[i] for i in order], np.int64)]
    for i in range(len(order)):
        play[first[i] : first[i + 1]] = play[parent[i]] / counts[i]
    arrays = {
        name: np.zeros(width)
        for name in ("value", "trigger_regret", "inflow", "path", "followed", "scratch")
    }
    return numbers, Tables(
        first=first,
        parent=parent,
        end=end,
        offset=offset,
        first_infoset=np.searchsorted(owners, np.arange(game.players + 1)),
        leaf=numbers[game.leaves],
        payoff=np.ascontiguousarray((game.payoffs * game.chance[:, None]).T),
        play=play,
        weight=weight,
        regret=np.zeros(offset[-1]),
        behaviour=behaviour,
        gained=np.zeros(offset[-1]),
        reached=np.zeros(len(game.leaves)),
        rates=np.zeros((most_sequences + 1, most_sequences + 1)),
        iterations=np.zeros(1, np.int64),
        **arrays,
    )


def _order_depth_first(game: SequenceGame) -> tuple[list[int], Ints]:
    """Return the infosets player by player, each before all that follow it, and where those that follow each end."""
    order: list[int] = []
    end = np.zeros(len(game.infosets), np.int64)
    for player in range(game.players):
        pending = [(i, False) for i in reversed(game.after.get((player, 0), []))]
        place: dict[int, int] = {}
        while pending:
            i, is_done = pending.pop()
            if is_done:
                end[place[i]] = len(order)
                continue
            place[i] = len(order)
            order.append(i)
            next_infosets = [j for s in game.sequences(i) for j in game.after.get((player, s), [])]
            pending += [(i, True), *((j, False) for j in reversed(next_infosets))]
    return order, end
