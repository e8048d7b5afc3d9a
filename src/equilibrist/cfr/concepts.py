"""Concepts: what a run is to approach, a Nash equilibrium or a refinement of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeAlias

import numpy as np

from .._util.arrays import Floats, Ints
from .._util.spec import parse_call
from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError
from ..evaluation.off_path import PROMISES_NOTHING
from ..form.compiled_game import CompiledGame
from ..form.traits import FormTraits, SequenceTraits
from .algorithms import Algorithm
from .criteria import (
    Criterion,
    Exploitability,
    LowerBound,
    ModelValue,
    QREGap,
    ResponseGap,
    UpperBound,
    WithinFloors,
    WorstCase,
    read_percent,
)
from .minimiser import LocalMinimiser
from .quantal import MIRROR_DESCENT, QuantalResponse
from .regret_matching import REGRET_MATCHING, FlooredRegretMatching
from .restricted import BiasedResponse, ModelPayments, RestrictedResponse
from .reward_transformation import RTCFR_PLUS, RewardTransformation


class Concept:
    """Base of the concepts: which minimiser plays, and what ``until=`` counts."""

    kind: str  # its name in texts
    criterion: type[Criterion] = Exploitability  # that ``until=`` names by a number
    varies: bool = False  # whether infosets or iterations differ
    off_path: str = (
        PROMISES_NOTHING  # what is promised where play does not come, as a part of a sentence
    )
    needs_model: bool = False  # whether a run answers a model of the opponent, which no text holds
    guarantee: str = ""  # what nash_conv means in a run for it, where that is nothing usual
    algorithm: Algorithm | None = None  # its own, where those of CFR do not lead there
    is_quantal: bool = (
        False  # whether players err at random, so that no exploitability of 0 is approached
    )
    needs_sequences: bool = False  # whether the dynamics are written for sequence forms alone

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        """Return the local minimiser that leads there.

        Raises
        ------
        AlgorithmError
            The concept makes no sense for this game.
        """
        return REGRET_MATCHING

    def adapt_form(self, form: CompiledGame) -> CompiledGame:
        """Return the game that is iterated on, which has the same slots: by default the game itself."""
        return form

    def check_form(self, form: FormTraits | type[FormTraits], name: str) -> None:
        """Refuse the form of the game of that name if the concept is not for it.

        Raises
        ------
        AlgorithmError
            It is not.
        """
        if self.needs_sequences and form.kind != SequenceTraits.kind:
            raise AlgorithmError(
                f"concept='{self}' is for sequence forms; got {name} as a {form.title}. Give "
                "form='sequence'.",
                field="concept",
            )

    @property
    def rules(self) -> str:
        """The class of its rules, by which kernels are loaded beforehand (:mod:`equilibrist.solving.warm_up`)."""
        return self.kind

    def measures(self) -> tuple[Criterion, ...]:
        """Return what is measured at each checkpoint beside the exploitability."""
        return ()

    def to_plain(self) -> str:
        """Return the concept as text, as ``concept=`` takes it."""
        return str(self)

    @staticmethod
    def from_plain(value: Any) -> Concept:
        """Return the concept that :meth:`to_plain` made a text of."""
        kind = _RESPONSES.get(value.partition("(")[0]) if isinstance(value, str) else None
        if kind is not None:
            _, settings = parse_call(
                value, AlgorithmError, example="trust(0.5)", first=_FIRST_OF_RESPONSES
            )
            return kind(**settings)
        return find_concept(value)


@dataclass(frozen=True)
class Nash(Concept):
    """A Nash equilibrium: what every run approaches where nothing else is asked for."""

    kind = "nash"

    def __str__(self) -> str:
        return self.kind


Least: TypeAlias = float | Mapping[str | tuple[int, str], float]


@dataclass(frozen=True)
class Floors(Concept):
    """An equilibrium of the game in which every action keeps a probability: σ(a) ≥ ε at each infoset.

    A Nash equilibrium says nothing about what nobody plays; here everything is played a little, so
    that the strategy answers everything. With floors that fall to 0 the limit is an approximate
    extensive-form perfect equilibrium.

    Parameters
    ----------
    least : float or mapping
        ε, the same everywhere; or by infoset: keys as ``"J"`` or ``(0, "J")``, with ``*`` for any
        text (``"*"`` is every infoset), of which the last that fits counts. Other infosets have no
        floor, nor have locked hands.
    decay : float, optional
        The floor of iteration t is ε · t^-decay: 0 by default, where it stays.

    Raises
    ------
    AlgorithmError
        A number makes no sense, or a floor leaves nothing to choose at an infoset of the game (n ·
        ε ≥ 1), or a key fits none.

    References
    ----------
    Farina, Kroer & Sandholm 2017, "Regret minimization in behaviorally-constrained zero-sum games".

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", concept=eq.Floors(0.01), until=1e-6)
    >>> round(solution.value[0], 5), solution.strategy["Q"]["bet"] >= 0.01  # the queen is bet as little as can be
    (-0.05277, True)
    >>> solution.final.measures["exploitability_within_floors"] <= 1e-6 < solution.exploitability
    True
    """

    least: Least
    decay: float = 0.0

    kind = "floors"
    criterion = WithinFloors

    def __post_init__(self) -> None:
        by_key = self.least.items() if isinstance(self.least, Mapping) else [("*", self.least)]
        for key, least in by_key:
            if not is_number(least) or not 0 <= least < 1:
                raise AlgorithmError(
                    "A floor is a probability that every action keeps, from 0 to below 1 ÷ the "
                    "number of actions; got "
                    f"{least!r}{f' for {key!r}' if isinstance(self.least, Mapping) else ''}.",
                    field="concept",
                )
            if not isinstance(key[1] if isinstance(key, tuple) and len(key) == 2 else key, str):
                raise AlgorithmError(
                    "A key of floors is an infoset, 'J' or (0, 'J'), with * for any text; got "
                    f"{key!r}.",
                    field="concept",
                )
        if not is_number(self.decay) or self.decay < 0:
            raise AlgorithmError(
                "The decay of floors is an exponent of 0 or more (ε · t^-decay); got "
                f"{self.decay!r}.",
                field="concept",
            )

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        decay = f", decay={self.decay!r}" if self.decay else ""
        return f"floors({dict(self.least) if isinstance(self.least, Mapping) else self.least!r}{decay})"

    @property
    def varies(self) -> bool:  # type: ignore[override]
        return isinstance(self.least, Mapping) or self.decay != 0

    @property
    def off_path(self) -> str:  # type: ignore[override]
        if self.varies:
            return f"the answer there counts as far as {self} make play come there"
        return (
            f"every action keeps {self.least:g}, so that the answer there counts, with the "
            "weight of that reach"
        )

    def measures(self) -> tuple[Criterion, ...]:
        return (WithinFloors(1.0),)

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        if isinstance(self.least, Mapping):
            table = self._floor_table(form)
        else:
            _check_floor(form, form.most_actions, float(self.least))
            if not len(form.locked_slots):
                return FlooredRegretMatching(float(self.least), self.decay)
            table = np.full(form.length, float(self.least))
        table[form.locked_slots] = 0.0
        return FlooredRegretMatching(1.0, self.decay, table)

    def _floor_table(self, form: CompiledGame) -> Floats:
        """Return the floors by infoset, at the slots of a game."""
        by_key: Mapping[Any, float] = self.least  # type: ignore[assignment]  # who calls has looked
        least = np.zeros(form.num_infosets)
        names = [key for _, key, _ in form.infosets]
        counts = form.infosets.num_actions
        for key, number in by_key.items():
            player, name = key if isinstance(key, tuple) else (None, key)
            matches_pattern = re.compile(
                ".*".join(map(re.escape, name.split("*"))), re.DOTALL
            ).fullmatch
            infosets: Ints = np.flatnonzero([matches_pattern(name) is not None for name in names])
            if player is not None:
                infosets = infosets[form.infosets.owner[infosets] == player]
            if not len(infosets):
                raise AlgorithmError(
                    f"No infoset of {form.name} fits the key {key!r} of floors.", field="concept"
                )
            least[infosets] = number
            _check_floor(form, int(counts[infosets].max()), number)
        table = np.zeros(form.length)
        table[form.slot] = np.repeat(least, counts)
        return table


def _check_floor(form: CompiledGame, actions: int, least: float) -> None:
    """Refuse a floor that leaves nothing to choose at infosets with so many actions."""
    if actions * least >= 1:
        raise AlgorithmError(
            f"{form.name} has infosets of {actions} actions, where a floor must be below "
            f"{1 / actions:.3g}, so that there is something to choose; got {least!r}.",
            field="concept",
        )


@dataclass(frozen=True)
class QRE(Concept):
    """A quantal response equilibrium: each action is played the more, the more it is worth, and none never.

    Agent logit QRE: at each infoset the probability of action a is proportional to exp(q(a) / τ),
    with q(a) the value of the action to who is there, given what leads there. It answers
    everything, as players who err a little would. Small τ come near a Nash equilibrium; of several
    equilibria the one on the principal branch is approached, which begins at uniform play. The
    answer is what is played last; nothing is averaged.

    Parameters
    ----------
    temperature : float or str
        τ, payoff per game, 0 or more; or a share of the pot, ``"1%"``, where a card game has one.
        Others give 1 / τ, called λ or precision. With 0 it falls without end, towards the limiting
        logit equilibrium: a Nash equilibrium, which what is played last approaches, by magnetic
        mirror descent; ``until=`` counts the exploitability then.
    dilated : bool
        Another equilibrium of that name, which is unique in zero-sum games of two: that of the game
        in which a player also receives τ × the entropy of each infoset × the own reach of it
        (Sokota et al. 2023). Then q is the counterfactual value, so that where the others rarely
        come nearly anything is played. Locks are refused.

    Raises
    ------
    AlgorithmError
        The temperature makes no sense.

    References
    ----------
    McKelvey & Palfrey 1998, "Quantal response equilibria for extensive form games". Sokota et al.
    2023, "A unified approach to reinforcement learning, quantal response equilibria, and two-player
    zero-sum games".

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", concept=eq.QRE(1.0), until=1e-9)
    >>> round(solution.value[0], 9), round(solution.nash_conv, 9)
    (-0.033624847, 0.339608692)
    """

    temperature: float | str
    dilated: bool = False

    kind = "qre"
    algorithm = MIRROR_DESCENT
    off_path = (
        "each action is played by its value given what leads there, so that the answer there counts"
    )

    def __post_init__(self) -> None:
        percent = read_percent(self.temperature)
        number = self.temperature if percent is None else percent
        if (number != 0 and not is_number(number, above=0)) or percent == 0:
            raise AlgorithmError(
                "The temperature of a QRE must be above 0, payoff per game, or a share of the "
                f"pot such as '1%'; or 0, for the limit; got {self.temperature!r}.",
                field="concept",
            )
        if self.dilated not in (True, False):
            raise AlgorithmError(
                f"dilated must be True or False; got {self.dilated!r}.", field="concept"
            )

    @property
    def criterion(self) -> type[Criterion]:  # type: ignore[override]
        if self.temperature:
            return QREGap
        return Exploitability

    @property
    def is_quantal(self) -> bool:  # type: ignore[override]
        return bool(self.temperature)

    def __str__(self) -> str:
        return f"qre({self.temperature!r}{', dilated=True' if self.dilated else ''})"

    @property
    def rules(self) -> str:
        if self.dilated:
            return "dilated"
        return self.kind

    def measures(self) -> tuple[Criterion, ...]:
        if self.temperature:
            return (QREGap(1.0),)
        return ()

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        percent = read_percent(self.temperature)
        if self.dilated and len(form.locked_slots):
            raise AlgorithmError(
                f"concept='{self}' counts the entropy of what is chosen, and {form.name} has "
                "locks. Leave dilated out, or the locks.",
                field="concept",
            )
        if percent is None:
            return QuantalResponse(form, float(self.temperature), dilated=self.dilated)
        if form.pot is None:
            raise AlgorithmError(
                f"The temperature {self.temperature!r} is a share of the pot, and {form.name} as "
                f"a {form.title} has none: give it as payoff per game.",
                field="concept",
            )
        return QuantalResponse(form, percent / 100 * form.pot, dilated=self.dilated)


@dataclass(frozen=True)
class LastIterate(Concept):
    """A Nash equilibrium that is approached by what is played last, by CFR+ with a transformed reward (RTCFR+).

    Players also pay for leaving a reference strategy, so that what they play comes to rest; it then
    becomes the reference. The answer is what is played last, and no average is kept, but the
    reference. On sequence forms.

    Parameters
    ----------
    weight : float
        How much is paid for leaving the reference, as a share of the largest payoff: above 0. With
        more, what is played comes to rest sooner, and the reference moves less each time.
    every : int, optional
        After how many iterations the reference moves, as in the paper. By default when what players
        can still gain has fallen by half.

    Raises
    ------
    AlgorithmError
        A number makes no sense.

    References
    ----------
    Meng et al. 2025, "Efficient last-iterate convergence in solving extensive-form games", arXiv
    2308.11256.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", concept=eq.LastIterate(), until=1e-9)
    >>> round(solution.value[0], 9), solution.iterations < 2000
    (-0.055555556, True)
    """

    weight: float = 0.02
    every: int | None = None

    kind = "last_iterate"
    algorithm = RTCFR_PLUS
    needs_sequences = True

    def __post_init__(self) -> None:
        if not is_number(self.weight, above=0):
            raise AlgorithmError(
                "The weight of a last iterate must be a share of the largest payoff above 0; "
                f"got {self.weight!r}.",
                field="concept",
            )
        if self.every is not None and not is_whole(self.every, 1):
            raise AlgorithmError(
                f"every must be a number of iterations, 1 or more, or None; got {self.every!r}.",
                field="concept",
            )

    def __str__(self) -> str:
        return f"last_iterate(weight={self.weight!r}{'' if self.every is None else f', every={self.every}'})"

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        self.check_form(form, form.name)
        return RewardTransformation(form, float(self.weight), self.every)  # type: ignore[arg-type]  # a sequence form


@dataclass(frozen=True)
class Trust(Concept):
    """A restricted Nash response: the best answer where the opponent follows a model with a probability, the trust.

    What :func:`equilibrist.exploit` approaches, which gives the model.

    Parameters
    ----------
    trust : float
        p, from 0 to 0.99: v(p) = max over x of p · u(x, σ) + (1 − p) · min over y of u(x, y).
    player : int
        Who answers, 0 or 1.
    low, high : float
        Between these is the value of the game to that player; payoff per game.
    payments : ModelPayments, optional
        What that player is paid against the model; a run that is resumed has them in its tables.

    References
    ----------
    Johanson, Zinkevich & Bowling 2007, "Computing robust counter-strategies".
    """

    trust: float
    player: int = 0
    low: float = 0.0
    high: float = 0.0
    payments: ModelPayments | None = field(default=None, compare=False, repr=False)

    kind = "trust"
    needs_model = True
    criterion = ResponseGap
    guarantee = (
        "An answer to a model of the opponent, which is meant to be exploitable: the bounds say how "
        "good it is, and nash_conv how far it and the opponent's average play are from a Nash "
        "equilibrium."
    )
    off_path = (
        "the answer there is that of a best response to an opponent who may do anything, as far "
        "as play comes there"
    )

    def __str__(self) -> str:
        return f"trust({self.trust!r}, player={self.player}, low={self.low!r}, high={self.high!r})"

    def measures(self) -> tuple[Criterion, ...]:
        return tuple(kind(1.0) for kind in _MEASURES_OF_RESPONSES)

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        return RestrictedResponse(form, float(self.trust), self.player, self.payments)

    def adapt_form(self, form: CompiledGame) -> CompiledGame:
        return form.against(self.player)


@dataclass(frozen=True)
class Bias(Concept):
    """A data-biased response: the best answer where the opponent keeps to a model with a probability at each infoset.

    The choice is drawn anew at each infoset, so that with the same p everywhere this is not :class:`Trust`. What
    :func:`equilibrist.exploit` approaches where the model comes with one.

    Parameters
    ----------
    player : int
        Who answers, 0 or 1.
    low, high : float
        Between these is the value of the game to that player; payoff per game.
    trust : float
        The most that a bias can be.
    model : float array, optional
        Probabilities at the slots; a run that is resumed has them in its tables, as the following.
    bias : float array, optional
        p(I) at the slots, from 0 to 1.

    References
    ----------
    Johanson & Bowling 2009, "Data biased robust counter strategies".
    """

    player: int = 0
    low: float = 0.0
    high: float = 0.0
    trust: float = 1.0
    model: Floats | None = field(default=None, compare=False, repr=False)
    bias: Floats | None = field(default=None, compare=False, repr=False)

    kind = "bias"
    needs_model = True
    varies = True
    guarantee = Trust.guarantee
    criterion = ResponseGap
    off_path = Trust.off_path

    def __str__(self) -> str:
        return f"bias({self.player}, low={self.low!r}, high={self.high!r}, trust={self.trust!r})"

    def measures(self) -> tuple[Criterion, ...]:
        return tuple(kind(1.0) for kind in _MEASURES_OF_RESPONSES)

    def minimiser(self, form: CompiledGame) -> LocalMinimiser:
        return BiasedResponse(form, self.player, self.model, self.bias)

    def adapt_form(self, form: CompiledGame) -> CompiledGame:
        return form.against(self.player)


_MEASURES_OF_RESPONSES = (ResponseGap, LowerBound, UpperBound, ModelValue, WorstCase)

NASH = Nash()
_EXAMPLE = "floors(0.001)"


def find_concept(concept: str | Concept) -> Concept:
    """Return a concept: an instance, or a text such as ``"nash"`` or ``"floors(0.1, decay=1)"``."""
    if isinstance(concept, Concept):
        return concept
    if not isinstance(concept, str):
        raise AlgorithmError(
            "concept must be 'nash', eq.Floors(...), eq.QRE(...), eq.LastIterate(...), or a text "
            f"such as {_EXAMPLE!r}; got {concept!r}.",
            field="concept",
        )
    quoted = re.sub(r"(?<=[(=])\s*([\d.]+\s*%)", r"'\1'", concept)  # qre(1%)
    kind = _KINDS.get(quoted.partition("(")[0].strip())
    if kind is not None:
        name, settings = parse_call(
            quoted, AlgorithmError, example="floors(0.001, decay=1)", first=_FIRST
        )
        if _REQUIRED[name] <= settings.keys() <= set(_parameter_names(kind)):
            return kind(**settings)
    raise AlgorithmError(
        "concept must be 'nash', 'floors(ε)' with decay= if it is to fall, 'qre(τ)', or "
        f"'last_iterate(weight)', such as {_EXAMPLE!r} or 'qre(1%)'; got {concept!r}.",
        field="concept",
    )


def _parameter_names(kind: type[Concept]) -> list[str]:
    return [field.name for field in fields(kind)]  # type: ignore[arg-type]  # all kinds are dataclasses


_KINDS: dict[str, type[Concept]] = {kind.kind: kind for kind in (Nash, Floors, QRE, LastIterate)}
_FIRST = {
    name: field.name
    for name, kind in _KINDS.items()
    for field in fields(kind)[:1]  # type: ignore[arg-type]
}
"""The parameter of a concept that may be given without its name; it must be where it has no default."""
_RESPONSES: dict[str, type[Concept]] = {kind.kind: kind for kind in (Trust, Bias)}
"""Those that a saved run may name; to begin one takes a model, which no text holds."""
_FIRST_OF_RESPONSES = {Trust.kind: "trust", Bias.kind: "player"}
_REQUIRED = {
    name: {field.name for field in fields(kind) if field.default is MISSING}  # type: ignore[arg-type]
    for name, kind in _KINDS.items()
}
