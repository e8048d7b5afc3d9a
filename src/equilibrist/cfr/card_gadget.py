"""What the opponent decides above a part of a card game (:mod:`equilibrist.form.gadget`), as a step of CFR's walk."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.compile import by_type, record
from .._util.arrays import Floats
from ..form.cards.form import CardForm
from ..form.cards.passes import response_walk
from ..form.cards.walker import CardWalker
from ..form.floors import NO_FLOORS
from ..form.responses import NO_TABLES, Values
from .minimiser import update_regret

enter = by_type("enter", lambda above, game, scratch, street, player: None)
"""Put what is decided into the reach of the hands on the first board, before they play there."""

decide = by_type("decide", lambda above, game, scratch, street, player, rule, discount: None)
"""Decide anew, by the values of the opponent's hands on the first board."""


@record
class Nothing(NamedTuple):
    """Nobody decides above the game."""

    opponent: int = -1


NOTHING = Nothing()


@record
class CardGadget(NamedTuple):
    """The tables of what the opponent decides; arrays are of the hands on the first board.

    ``always``, ``chosen`` and ``value`` are those of :class:`~equilibrist.form.gadget.Gadget`, the
    latter without the hand's own weight, as walks have values.

    Attributes
    ----------
    opponent : int
    picks : bool
    always : float array
    chosen : float array
    value : float array
    weight : float array
        Own weights of the hands.
    regret_sum : float array, shape (2, hands)
        Of entering, and of taking the value, which nobody does who picks a hand.
    entering : float array, shape (hands,)
        The probability to enter.
    decision_sum : float array, shape (hands + 1,)
        Of that, for the average; at the end the sum of the weights.
    """

    opponent: int
    picks: bool
    always: Floats
    chosen: Floats
    value: Floats
    weight: Floats
    regret_sum: Floats
    entering: Floats
    decision_sum: Floats

    def enter(self, game, scratch, street, player):
        if street == 0:
            row = game.terminal.first_row[self.opponent]
            for i in range(len(self.chosen)):
                scratch.reach[row + i] *= self.always[i] + self.chosen[i] * self.entering[i]

    def decide(self, game, scratch, street, player, rule, discount):
        if street == 0 and player == self.opponent:
            row = game.terminal.first_row[player]
            last = len(self.chosen)
            self.decision_sum[last] = self.decision_sum[last] * discount + 1.0
            mean = 0.0
            total = 0.0
            count = 0
            for i in range(last):
                if self.chosen[i] > 0.0:
                    enters = self.entering[i]
                    gain = scratch.value[row + i] - self.value[i]
                    self.decision_sum[i] = self.decision_sum[i] * discount + enters
                    if self.picks:
                        mean += enters * gain * self.chosen[i] * self.weight[i]
                        count += 1
                    else:
                        self.regret_sum[0, i], share = update_regret(
                            rule, self.regret_sum[0, i], (1.0 - enters) * gain
                        )
                        self.regret_sum[1, i], other = update_regret(
                            rule, self.regret_sum[1, i], -enters * gain
                        )
                        if share + other > 0.0:
                            self.entering[i] = share / (share + other)
                        else:
                            self.entering[i] = 0.5
            if self.picks:
                for i in range(last):
                    if self.chosen[i] > 0.0:
                        gain = (
                            (scratch.value[row + i] - self.value[i])
                            * self.chosen[i]
                            * self.weight[i]
                        )
                        self.regret_sum[0, i], share = update_regret(
                            rule, self.regret_sum[0, i], gain - mean
                        )
                        self.entering[i] = share
                        total += share
                for i in range(last):
                    if self.chosen[i] > 0.0:
                        if total > 0.0:
                            self.entering[i] = self.entering[i] / total
                        else:
                            self.entering[i] = 1.0 / count


def make_card_gadget(form: CardForm, state: Floats) -> CardGadget | Nothing:
    """Return the tables of a form; ``state`` holds what is saved of them (:func:`initial_state`)."""
    if form.gadget is None:
        return NOTHING
    opponent, gadget = form.gadget
    hands = form.hands_on(0, 0, opponent)
    first = int(form.arrays.first_weight[opponent])
    count = len(hands)
    weight = form.arrays.own_weights[first : first + count].copy()
    value = np.divide(gadget.value[hands], weight, out=np.zeros(count), where=weight > 0)
    regret_sum, entering, decision_sum = np.split(state, [2 * count, 3 * count])
    return CardGadget(
        opponent,
        gadget.picks,
        gadget.always[hands],
        gadget.chosen[hands],
        value,
        weight,
        regret_sum.reshape(2, count),
        entering,
        decision_sum,
    )


def initial_state(form: CardForm) -> Floats:
    """Return what is known at first of the decisions above a form, all alike: empty where nothing is decided."""
    if form.gadget is None:
        return np.zeros(0)
    opponent, gadget = form.gadget
    chosen = gadget.chosen[form.hands_on(0, 0, opponent)] > 0
    entering = np.where(chosen, 1.0 / max(int(chosen.sum()), 1) if gadget.picks else 0.5, 0.0)
    return np.concatenate([np.zeros(2 * len(chosen)), entering, np.zeros(len(chosen) + 1)])


class GadgetValues:
    """The exact values of the part with the decisions above it, less half of a constant sum of payoffs."""

    def __init__(self, form: CardForm, above: CardGadget) -> None:
        self._weights = form.arrays.weights.copy()
        self._above = above
        self._form = form
        self._walker = CardWalker(form.conditional._replace(weights=self._weights))

    def __call__(self, strategy: NDArray[Any]) -> Values:
        """Return the value of the average strategy and decisions, and of the best responses of both to them."""
        above = self._above
        arrays = self._form.arrays
        opponent = self._above.opponent
        count = len(above.chosen)
        first = int(arrays.first_weight[opponent])
        enters = above.decision_sum[:count] / max(float(above.decision_sum[count]), 1e-300)
        self._weights[first : first + count] = arrays.weights[first : first + count] * (
            above.always + above.chosen * enters
        )
        sums = np.zeros((2, 4))
        self._walker.walk(response_walk, strategy, (0, 2), NO_TABLES, NO_FLOORS, sums)
        scratch = self._walker.scratch
        row = int(arrays.terminal.first_row[opponent])
        value, best = (
            table[row : row + count].astype(np.float64)
            for table in (scratch.value, scratch.best_value)
        )
        price = above.chosen * above.value
        paid = -enters * price if above.picks else (1.0 - enters) * price
        worth = float(above.weight @ (value * (above.always + above.chosen * enters) + paid))
        if above.picks:
            gains = (above.weight * above.chosen * (best - above.value))[above.chosen > 0]
            answer = float(gains.max(initial=-np.inf))
        else:
            answer = float(
                above.weight @ (above.always * best + above.chosen * np.maximum(best, above.value))
            )
        other = float(sums[1 - opponent, 2:].sum() - above.weight @ paid)
        values = [-worth, -worth]
        responses = [other, other]
        values[opponent] = worth
        responses[opponent] = answer
        return Values((values[0], values[1]), (responses[0], responses[1]))
