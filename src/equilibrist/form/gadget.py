"""How a part of a game is solved again safely: what the opponent knows at its boundary, and what they may do there.

A player's strategy below a public state is looked for, σ; the other, the *opponent*, holds one of
the hands h there. The hand is worth f_h(σ) to the opponent who answers as well as possible, by
probabilities of chance and the player alone (counterfactual, in the unit of payoffs). Against the
strategy that is there already, the blueprint, it was CBV_h. All methods are games in which the
opponent decides above the part with which hands to enter it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._util.arrays import Floats

PENALTIES = (10.0, 100.0, 1e3, 1e4)
"""Of ``"refined"``: what a hand's value above CBV_h costs, in multiples of what the hand counts for in the blueprint's
range where it is largest; 1 / δ of the limit δ → 0. A linear programme is exact from some penalty
on, often the first; CFR converges more slowly with a larger one.
"""


class Boundary(NamedTuple):
    """What the opponent's hands bring to a part, each of shape (hands,).

    Attributes
    ----------
    reach : float array
        x_h: the probability of the opponent's actions before, in the blueprint.
    weight : float array
        w_h: the probability of chance and the player to meet the hand there.
    value : float array
        CBV_h: the best response to the blueprint below, × the probability of chance and the player.
    gift : float array
        What the opponent gave away per w_h by coming here: Σ over their infosets J on the way,
        where they took a, of (CBV(J) - CBV(J, a)) / w_J.
    """

    reach: Floats
    weight: Floats
    value: Floats
    gift: Floats


class Gadget(NamedTuple):
    """What the opponent decides above a part: hand h enters it with ``always`` + ``chosen`` × what is decided.

    Without ``picks`` each hand decides between entering and ``value``, else one hand is picked, and
    pays its value.
    """

    always: Floats  # shape (hands,)
    chosen: Floats  # shape (hands,)
    value: Floats  # shape (hands,), counterfactual
    picks: bool

    @property
    def decides(self) -> bool:
        """Whether there is anything to decide."""
        return bool(self.chosen.any())


def _range(at: Boundary) -> Floats:
    """Return the reach of the hands, as shares of a play that comes there; alike where the blueprint never comes."""
    if (at.reach @ at.weight) > 0:
        reach = at.reach
    else:
        reach = np.ones(len(at.reach))
    return reach / (reach @ at.weight)


def _unsafe(at: Boundary) -> Gadget:
    return Gadget(_range(at), np.zeros(len(at.reach)), at.value, picks=False)


def _resolve(at: Boundary) -> Gadget:
    return Gadget(
        np.zeros(len(at.reach)),
        np.full(len(at.reach), 1.0 / at.weight.sum()),
        at.value,
        picks=False,
    )


def _refined(at: Boundary, penalty: float = PENALTIES[0]) -> Gadget:
    reach = _range(at)
    return Gadget(reach, np.full(len(reach), penalty * reach.max()), at.value, picks=False)


def _maxmargin(at: Boundary) -> Gadget:
    return Gadget(np.zeros(len(at.reach)), 1.0 / at.weight, at.value, picks=True)


def _reach(at: Boundary) -> Gadget:
    return _maxmargin(at._replace(value=at.value + at.weight * at.gift))


METHODS: dict[str, Callable[..., Gadget]] = {
    "refined": _refined,
    "resolve": _resolve,
    "maxmargin": _maxmargin,
    "reach": _reach,
    "unsafe": _unsafe,
}


def make_gadget(method: str, boundary: Boundary, **options: float) -> Gadget:
    """Return what a method lets the opponent decide; hands that cannot be met (w_h = 0) are left out: theirs is 0.

    The one option is the ``penalty`` of ``"refined"``.
    """
    is_met = boundary.weight > 0
    gadget = METHODS[method](Boundary(*(array[is_met] for array in boundary)), **options)
    of_all_hands = [np.zeros(len(is_met)) for _ in range(3)]
    for array, of_met in zip(of_all_hands, gadget[:3], strict=True):
        array[is_met] = of_met
    return gadget._replace(always=of_all_hands[0], chosen=of_all_hands[1], value=of_all_hands[2])
