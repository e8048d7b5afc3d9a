"""Solver: what every algorithm offers to a run, whatever the game is compiled into and whatever it visits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..form.any_form import GameForm
from ..form.floors import NO_FLOORS, Terms
from ..form.infosets import Infoset
from ..form.responses import Values
from ..strategy.strategy import Strategy
from .algorithms import Algorithm
from .minimiser import LocalMinimiser

if TYPE_CHECKING:
    from ..form.abstract.abstraction import Abstraction

NO_LIMIT = 2**62


def promises_correlated(players: int, *, zero_sum: bool) -> bool:
    """Return whether what CFR promises is a coarse correlated equilibrium, not the Nash equilibrium of two players."""
    return players > 2 or (players == 2 and not zero_sum)


class InfosetState(NamedTuple):
    """What a solver knows of some infosets, their actions one infoset after the other."""

    strategy: Floats
    regret_sum: Floats
    strategy_sum: Floats


class StateStore(Protocol):
    """The state of a solver that is spread over processes, which save it by themselves."""

    def save(self, folder: Path) -> str:
        """Save what continues the run to a folder inside this one; return its name."""

    def load(self, checkpoint: Path) -> None:
        """Continue from such a folder."""

    def drop_older(self) -> None:
        """Remove what was saved beside the newest one."""


class Solver(ABC):
    """An algorithm that iterates on a game, stopped and continued at will; it computes no certificate of itself.

    Certificates are computed from :meth:`average_weights` by :meth:`values`.
    """

    form: GameForm  # the game
    algorithm: Algorithm  # the variant of CFR
    horizon: int | None  # the planned number of iterations, of algorithms that are schedules
    minimiser: LocalMinimiser  # what makes the next strategy of each infoset
    abstraction: Abstraction | None = None  # which infosets are played alike
    threads: int = 1  # how many threads work; changes nothing in the result
    tracks_play: bool = False  # whether :meth:`plan_regrets` are known
    stored: str = "float64"  # how the tables are stored now
    max_nodes: int = NO_LIMIT  # :meth:`run` ends once so many nodes are touched
    # the nodes that were touched when the last certificate was computed whose turn it was; a part
    # of the state where certificates are rare
    certified_at: int = 0
    # asked in the middle of iterations that take long; where it returns True, :meth:`run` ends
    # before the iteration is over, with everything as it was after the last whole turn of a player
    should_stop: Callable[[], bool] = staticmethod(lambda: False)

    @property
    def alternating(self) -> bool:
        """Whether each player updates against the others' newest strategies, not all at once against the old ones."""
        return self.algorithm.alternating

    @property
    def game_name(self) -> str:
        return self.form.name

    @property
    def players(self) -> int:
        return self.form.players

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same infosets, actions and payoffs."""
        return self.form.fingerprint

    @property
    @abstractmethod
    def iteration(self) -> int:
        """Number of iterations run."""

    @property
    @abstractmethod
    def nodes_touched(self) -> int:
        """Number of histories touched: those that the recursion of the papers visits.

        An iteration is one traversal for each player, whether they update in turn or at once, and a
        traversal counts the histories that the recursion visits in it, the empty one, those of
        chance and the terminal ones included: all of them, or those that sampling draws and pruning
        leaves. So the count does not depend on what the game is compiled into, on turns, threads or
        batches. A solver may do less work than it counts (full passes), or more (pruned passes over
        vectors of hands): seconds say which.
        """

    @property
    def table_bytes(self) -> int:
        """Bytes of the table of infosets for which samples are drawn; 0 where nothing is drawn."""
        return 0

    @property
    def store(self) -> StateStore | None:
        """What saves and loads the state where other processes have it; None where it is :meth:`state_dict`."""
        return None

    @property
    def serves_until(self) -> int:
        """The last iteration for which the tables hold enough digits as they are stored now."""
        return NO_LIMIT

    @property
    def finer(self) -> str | None:
        """How the tables have to be stored for the next iteration, where that takes more digits than they have.

        :meth:`run` stores them so, by :meth:`refine_tables`.
        """
        return None

    def refine_tables(self) -> None:  # noqa: B027 (most are in float64)
        """Store the tables as the next iteration needs them; what they hold stays the same."""

    def close(self) -> None:  # noqa: B027 (most solvers hold nothing but memory)
        """End what works for the solver, which is not used any more."""

    @property
    def certifies(self) -> bool:
        """Whether :meth:`values` are known."""
        return True

    @property
    def certificate_nodes(self) -> float:
        """About how many nodes iterations touch in the time that :meth:`values` take; 0 where that is so short that
        they are computed at each checkpoint.

        By counts alone, never by a clock: it decides which iterations are certified, and so where a
        run ends.
        """
        return 0.0

    @property
    def is_between_iterations(self) -> bool:
        """Whether no iteration has been begun that is not over, as one is that was stopped."""
        return True

    @abstractmethod
    def describe_game(self) -> dict[str, Any]:
        """Return sizes, kind and fingerprint of the game, as plain values by name."""

    def interrupt(self) -> None:  # noqa: B027 (most solvers have nothing to leave)
        """Leave what may take for ever by an exception that :meth:`run` catches; called by the handler of a signal."""

    @property
    def slots_ahead(self) -> int:
        """Slots that an iteration of :meth:`run_until` updates; 0 where there is no such kernel."""
        return 0

    @abstractmethod
    def run(self, iterations: int) -> None:
        """Run that many more iterations, fewer if ``max_nodes`` are touched before. Running 3, then 4 is running 7."""

    def run_until(self, looks: Sequence[int], threshold: float) -> list[Values]:
        """Run on in one compiled call to the iterations of ``looks``, until the exploitability after one of them is at
        most ``threshold``; return the :meth:`values` after each that was reached, none where there
        is no such kernel.

        What it comes to is what :meth:`run` and :meth:`values` do in turn, bit for bit.
        """
        return []

    @abstractmethod
    def average_strategy(self) -> Floats:
        """Return the average strategy: probabilities at the slots of the form (elsewhere they mean nothing)."""

    @abstractmethod
    def strategy(self) -> Strategy:
        """Return the average strategy by infoset: of all of the form, or of those met so far."""

    @abstractmethod
    def average_weights(self) -> NDArray[Any]:
        """Return the sums of the average strategy at the slots of the form, of which each infoset plays its shares."""

    @abstractmethod
    def values(self, *, within_floors: bool = False) -> Values:
        """Return the value of the average strategy, and of the best responses to it.

        Within floors, best responses keep to those of the minimiser
        (:class:`~equilibrist.cfr.concepts.Floors`).
        """

    def floors_of_values(self, *, within_floors: bool) -> Terms:
        """Return the floors to which best responses keep in :meth:`values`."""
        if within_floors:
            return self.minimiser.floors(self.iteration)
        return NO_FLOORS

    @abstractmethod
    def first_decision(self) -> dict[str, float]:
        """Return how often each action of the first decision is taken; empty where the form does not tell it."""

    @abstractmethod
    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that continue the run bit for bit, not copied."""

    @abstractmethod
    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`state_dict` returned."""

    @abstractmethod
    def infosets(self) -> Sequence[Infoset]:
        """Return the infosets that the tables hold: all of the form, or those met so far."""

    @abstractmethod
    def action_slots(self) -> NDArray[Any]:
        """Return the slot in this solver's tables of each action of each of the :meth:`infosets`."""

    @abstractmethod
    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy, which the next iteration plays, at some slots of the tables."""

    @abstractmethod
    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        """Return what is known of infosets with so many actions each, whose slots of the tables follow each other."""

    @abstractmethod
    def describe(self) -> dict[str, str | int | float | bool | None]:
        """Return what decides the result beside the game, as plain values by name."""

    def plays_probabilities(self) -> bool:
        """Return whether the current strategy sums to 1 at each infoset; where it always does, True."""
        return True

    def plan_regrets(self) -> tuple[float, ...]:
        """Return each player's average regret for not having followed their best plan; payoff per game.

        The play is the profile at the start of each iteration, weighted as in the average strategy:

            max over plans σ' of Σ_t w_t (u(σ', σ^t of the others) − u(σ^t)) / Σ_t w_t

        The largest of these is the distance of the play from a coarse correlated equilibrium: no
        player would gain more by leaving the play for any plan of their own, chosen beforehand. It
        can be negative: then following the play is better than any such plan. At least one
        iteration must have been run.
        """
        raise ValueError("The play is not tracked.")
