"""What is known exactly about a strategy: its value, and what the best replies to it earn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cfr import kernels
from ..cfr.algorithms import Floats
from ..form.sequence import SequenceForm


class Certificate(NamedTuple):
    """What is known exactly about a strategy; payoff per game.

    Attributes
    ----------
    value : tuple of float
        What each player earns when all follow the strategy.
    best_response_value : tuple of float
        What each player could earn against the others' strategies.
    """

    value: tuple[float, ...]
    best_response_value: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone: best-response value − value."""
        return tuple(best - own for best, own in zip(self.best_response_value, self.value, strict=True))

    @property
    def nash_conv(self) -> float:
        """Σ over players of (best-response value − value): 0 exactly at a Nash equilibrium."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """nash_conv / number of players (OpenSpiel's definition)."""
        return self.nash_conv / len(self.value)


def guarantee(players: int, *, zero_sum: bool | None) -> str:
    """Return what nash_conv and CFR promise for this kind of game, in one sentence."""
    if zero_sum is None:
        return "Sampled without a tree: nothing is proved about this strategy."
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


class BestResponses(NamedTuple):
    """A certificate with the arrays behind it, one number a slot: own reach, value with best play below, best reply."""

    certificate: Certificate
    reach: Floats
    best_value: Floats
    best_response: Floats


def best_responses(form: SequenceForm, strategy: Floats) -> BestResponses:
    """Return what a strategy earns and how each player would best reply; it is given at the slots of the form."""
    treeplex = form.treeplex
    reach, cf_value, best = np.zeros(form.length), np.zeros(form.length), np.ones(form.length)
    values, best_values = [], []
    for player in range(form.players):
        kernels.spread_reach(treeplex, player, strategy, reach)
    for player in range(form.players):
        kernels.counterfactual_values(treeplex, form.payoff, player, reach, cf_value)
        own = slice(treeplex.first_slot[player], treeplex.first_slot[player + 1])
        values.append(float(np.sum(reach[own] * cf_value[own])))
        best_values.append(float(kernels.best_response(treeplex, player, cf_value, best)))
    return BestResponses(Certificate(tuple(values), tuple(best_values)), reach, cf_value, best)


def certify(form: SequenceForm, strategy: Floats) -> Certificate:
    """Return the exact value and best-response values of a strategy given at the slots of a compiled game."""
    return best_responses(form, strategy).certificate
