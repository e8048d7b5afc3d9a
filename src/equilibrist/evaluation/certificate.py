"""Certificates: the exact value of a strategy, and of the best responses to it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..form.compiled_game import CompiledGame


class Certificate(NamedTuple):
    """The exact value of a strategy and of the best responses to it; payoff per game.

    Attributes
    ----------
    value : tuple of float
        What each player receives when all follow the strategy.
    best_response_value : tuple of float
        What each player receives with the best response to the others' strategies.
    """

    value: tuple[float, ...]
    best_response_value: tuple[float, ...]

    @property
    def deviation_gains(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone: best-response value − value."""
        return tuple(best - value for best, value in zip(self.best_response_value, self.value, strict=True))

    @property
    def nash_conv(self) -> float:
        """Σ over players of (best-response value − value): 0 exactly at a Nash equilibrium."""
        return math.fsum(self.deviation_gains)

    @property
    def exploitability(self) -> float:
        """nash_conv / number of players (OpenSpiel's definition)."""
        return self.nash_conv / len(self.value)

    @property
    def measures(self) -> dict[str, float]:
        """``nash_conv`` and ``exploitability`` by name."""
        return {"nash_conv": self.nash_conv, "exploitability": self.exploitability}


def guarantee(players: int, *, zero_sum: bool | None, locks: int = 0) -> str:
    """Return what nash_conv and CFR promise for this kind of game, with so many locks, in one sentence."""
    if zero_sum is None:
        return "Sampled without a tree: nothing is proved about this strategy."
    if locks:
        return (
            "The strategy is locked in part, and best responses keep to that: an equilibrium up to nash_conv of the "
            "game with these locks, which says nothing of how good the locked part is."
        )
    if players == 2 and zero_sum:
        return "Two-player zero-sum: a Nash equilibrium up to nash_conv, which CFR drives to 0."
    if players == 1:
        return "One player: nash_conv is what the best plan would earn beyond this strategy."
    kind = f"{players}-player" if zero_sum else f"{players}-player general-sum"
    return (
        f"A {kind} game: CFR promises no Nash equilibrium here, only that its play (all players' strategies of each "
        "iteration together) approaches a coarse correlated equilibrium; nash_conv says how far from a Nash "
        "equilibrium this strategy is."
    )


def certify(form: CompiledGame, strategy: NDArray[Any], *, weights: bool = False, threads: int = 1) -> Certificate:
    """Return the exact value and best-response values of a strategy given at the slots of a compiled game.

    Parameters
    ----------
    form : CompiledGame
        The game.
    strategy : array of numbers, shape (form.length,)
        Probabilities; with ``weights``, any numbers of 0 or more, of which each infoset plays its shares.
    weights : bool
        Whether ``strategy`` are weights, as the sums of an average strategy are.
    threads : int
        How many threads walk a public form; changes nothing in the result.
    """
    return Certificate(*form.values(strategy, weights=weights, threads=threads))
