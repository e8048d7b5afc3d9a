"""How a part of a game is solved again safely: what the opponent knows at its boundary, and what they may do there.

A player's strategy below a public state is looked for, σ; the other, the *opponent*, holds one of
the hands h there. The hand is worth f_h(σ) to the opponent who answers as well as possible, by
probabilities of chance and the player alone (counterfactual, in the unit of payoffs). Against the
strategy that is there already, the blueprint, it was CBV_h. All methods are games in which the
opponent decides above the part with which hands to enter it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.validate import is_number
from ..errors import GameError

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


class ResolvingMethod:
    """How a part of a game is solved again: base of :class:`Refined` and its like.

    Attributes
    ----------
    name : str
        What it is called: in texts, in saved parts, on the command line.
    is_safe : bool
        Whether it holds the opponent's hands to what they may get, so that one player is solved again.
    takes_gifts : bool
        Whether it needs what the opponent gave away on the way (:attr:`Boundary.gift`).
    values : mapping of str to float, optional
        Estimates of the payoff that each of the opponent's hands expects at the part when it comes
        there, by name, in place of the exact best-response values of the blueprint. What they let a
        hand have is then not proved.
    """

    name: ClassVar[str]
    is_safe: ClassVar[bool] = True
    takes_gifts: ClassVar[bool] = False
    values: Mapping[str, float] | None = None

    def gadgets(self, at: Boundary) -> list[Gadget]:
        """Return what the opponent decides above the part, for hands that can be met (w_h > 0).

        Where there are several, a linear programme takes the first that holds all hands to their
        values, and CFR the first of all.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Unsafe(ResolvingMethod):
    """Solve a part again with the ranges that come there, and hold no hand to its value.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.resolve(eq.solve("kuhn", iterations=10), "Qp", method=eq.Unsafe()).part.method
    'unsafe'
    """

    name: ClassVar[str] = "unsafe"
    is_safe: ClassVar[bool] = False

    def gadgets(self, at: Boundary) -> list[Gadget]:
        return [Gadget(_range(at), np.zeros(len(at.reach)), at.value, picks=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve(ResolvingMethod):
    """Let each hand choose between the part and its value (Burch, Johanson & Bowling 2014).

    Parameters
    ----------
    values : mapping of str to float, optional
        Estimates in the place of the values against the blueprint: :class:`ResolvingMethod`.
    """

    name: ClassVar[str] = "resolve"
    values: Mapping[str, float] | None = None

    def gadgets(self, at: Boundary) -> list[Gadget]:
        chosen = np.full(len(at.reach), 1.0 / at.weight.sum())
        return [Gadget(np.zeros(len(at.reach)), chosen, at.value, picks=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refined(ResolvingMethod):
    """Let the ranges come as they do, and make a hand's value above what it may get expensive.

    Parameters
    ----------
    values : mapping of str to float, optional
        Estimates in the place of the values against the blueprint: :class:`ResolvingMethod`.
    penalty : float, optional
        What a hand's value above CBV_h costs, in multiples of what the hand counts for in the
        blueprint's range where it is largest. By default :data:`PENALTIES`, one after the other.

    Examples
    --------
    >>> import equilibrist as eq
    >>> part = eq.resolve(eq.solve("kuhn", iterations=10), "Qp", player=1, method=eq.Refined(penalty=100))
    >>> part.part.excess < 1e-9
    True
    """

    name: ClassVar[str] = "refined"
    values: Mapping[str, float] | None = None
    penalty: float | None = None

    def __post_init__(self) -> None:
        if self.penalty is not None and not is_number(self.penalty, above=0):
            raise GameError(
                f"penalty must be a number above 0; got {self.penalty!r}.", wrong_use=True
            )

    def gadgets(self, at: Boundary) -> list[Gadget]:
        reach = _range(at)
        penalties = PENALTIES if self.penalty is None else (self.penalty,)
        return [
            Gadget(reach, np.full(len(reach), penalty * reach.max()), at.value, picks=False)
            for penalty in penalties
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxMargin(ResolvingMethod):
    """Make the least margin of any hand below its value as large as possible (Moravčík et al. 2016).

    Parameters
    ----------
    values : mapping of str to float, optional
        Estimates in the place of the values against the blueprint: :class:`ResolvingMethod`.
    """

    name: ClassVar[str] = "maxmargin"
    values: Mapping[str, float] | None = None

    def gadgets(self, at: Boundary) -> list[Gadget]:
        return [Gadget(np.zeros(len(at.reach)), 1.0 / at.weight, at.value, picks=True)]


@dataclass(frozen=True, slots=True)
class Reach(ResolvingMethod):
    """As :class:`MaxMargin`, where hands may also have what they gave away on the way (Brown & Sandholm 2017)."""

    name: ClassVar[str] = "reach"
    takes_gifts: ClassVar[bool] = True

    def gadgets(self, at: Boundary) -> list[Gadget]:
        return MaxMargin().gadgets(at._replace(value=at.value + at.weight * at.gift))


METHODS: dict[str, type[ResolvingMethod]] = {
    method.name: method for method in (Refined, Resolve, MaxMargin, Reach, Unsafe)
}
"""The methods, by what texts call them."""


def find_method(method: str | ResolvingMethod) -> ResolvingMethod:
    """Return a method, given as such or by its name.

    Raises
    ------
    GameError
        There is no such method.
    """
    if isinstance(method, ResolvingMethod):
        return method
    if not isinstance(method, str) or method not in METHODS:
        raise GameError(
            f"method must be one of {', '.join(map(repr, METHODS))}; got {method!r}.",
            wrong_use=True,
        )
    return METHODS[method]()


def make_gadgets(method: ResolvingMethod, boundary: Boundary) -> list[Gadget]:
    """Return what a method lets the opponent decide; hands that cannot be met (w_h = 0) are left out: theirs is 0."""
    is_met = boundary.weight > 0
    of_met = method.gadgets(Boundary(*(array[is_met] for array in boundary)))
    return [_fill_in(gadget, is_met) for gadget in of_met]


def _fill_in(gadget: Gadget, is_met: NDArray[np.bool_]) -> Gadget:
    """Return a gadget of all hands, with 0 for those that are not met."""
    arrays = [np.zeros(len(is_met)) for _ in range(3)]
    for array, of_met in zip(arrays, gadget[:3], strict=True):
        array[is_met] = of_met
    always, chosen, value = arrays
    return gadget._replace(always=always, chosen=chosen, value=value)
