"""Criteria: the numbers that say how far a run has come, and how small they are to become."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from .._util.validate import is_number
from ..errors import AlgorithmError
from ..evaluation.gaps import tells_gains
from ..form.any_form import GameForm
from .solver import Solver, promises_correlated

_PERCENT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*%\s*")
_TEXT = re.compile(
    r"\s*([A-Za-z_]\w*)\s*\(\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(%?)\s*\)\s*"
)


def read_percent(share: object) -> float | None:
    """Return 0.5 for the text ``"0.5%"``, and None for what is no such text."""
    match = _PERCENT.fullmatch(share) if isinstance(share, str) else None
    if match is None:
        return None
    return float(match[1])


class Criterion(ABC):
    """A number of a solver that ends a run when it is at most a threshold.

    It is computed at each checkpoint, and stands in :attr:`Checkpoint.measures` under its name. A
    criterion of your own is a subclass with a name and :meth:`evaluate`.

    Parameters
    ----------
    threshold : float
        Above 0.

    Attributes
    ----------
    name : str
        What :attr:`Checkpoint.measures` calls it; letters, digits and underscores.
    unit : str
        What its threshold is, as errors say it.
    needs_tree, needs_full_width : bool
        Whether it is known only where the game is compiled, and only with full-width CFR.

    Raises
    ------
    AlgorithmError
        The threshold makes no sense.

    Examples
    --------
    >>> import equilibrist as eq
    >>> class Loss(eq.types.Criterion):
    ...     name = "loss_of_player_0"
    ...     def evaluate(self, solver):
    ...         value, best_response_value = solver.values()
    ...         return best_response_value[0] - value[0]
    >>> solution = eq.solve("kuhn", until=Loss(0.01))
    >>> solution.stop_reason, solution.final.measures["loss_of_player_0"] <= 0.01
    ('until', True)
    """

    name: str
    unit = "a number"
    needs_tree = True
    needs_full_width = False

    def __init__(self, threshold: float) -> None:
        if not is_number(threshold, above=0):
            raise AlgorithmError(
                f"The threshold of {type(self).__name__} must be {self.unit} above 0; got "
                f"{threshold!r}.",
                field=self.name,
            )
        self.threshold = float(threshold)

    @abstractmethod
    def evaluate(self, solver: Solver) -> float:
        """Return the number as it is now; at least one iteration has been run."""

    def promise(self, form: GameForm) -> bool:
        """Return whether CFR promises to reach any threshold on a game: if not, a run without other limit may not end.

        By default nothing is promised.
        """
        return False

    def check(self, solver: Solver) -> None:  # noqa: B027 (most can be evaluated on every solver)
        """Refuse a solver that cannot tell the number, before the first iteration.

        Raises
        ------
        AlgorithmError
            It cannot.
        """

    def for_game(self, form: GameForm) -> Criterion:
        """Return the criterion with what only the game knows in its form.

        Raises
        ------
        AlgorithmError
            It makes no sense for this game.
        """
        return self

    def is_met(self, measures: Mapping[str, float]) -> bool:
        """Return whether a run with these measures has got there."""
        return measures.get(self.name, math.inf) <= self.threshold

    def to_plain(self) -> float | str:
        """Return the criterion as plain data for JSON, a text such as ``"cce_distance(0.001)"``."""
        return f"{self.name}({self.threshold!r})"

    @classmethod
    def from_plain(cls, value: Any) -> Criterion:
        """Return the criterion that :meth:`to_plain` made plain data of; an unknown one cannot be evaluated."""
        return _read_criterion(value, _UnknownCriterion)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Criterion) and self.to_plain() == other.to_plain()

    def __hash__(self) -> int:
        return hash(self.to_plain())

    def __str__(self) -> str:
        return str(self.to_plain())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.threshold!r})"


class Exploitability(Criterion):
    """The exploitability: nash_conv / players, payoff per game; with three or more players :class:`LargestGain`.

    Parameters
    ----------
    threshold : float or str
        Above 0; or a share of the pot, ``"0.5%"``, where a card game has one.
    """

    name = "exploitability"

    def __init__(self, threshold: float | str) -> None:
        self.percent = read_percent(threshold)
        if self.percent:
            self.threshold = math.nan  # until for_game() knows the pot
        elif is_number(threshold, above=0):
            self.threshold = float(threshold)
        else:
            raise AlgorithmError(
                "until must be a number above 0, or a share of the pot such as '0.5%'; got "
                f"{threshold!r}.",
                field="until",
            )

    def evaluate(self, solver: Solver) -> float:
        return solver.values().exploitability

    def promise(self, form: GameForm) -> bool:
        return not promises_correlated(form.players, zero_sum=bool(form.zero_sum))

    def for_game(self, form: GameForm) -> Exploitability:
        kind = type(self)
        if kind is Exploitability and tells_gains(form.players):
            kind = LargestGain
        if not self.percent:
            return self if kind is type(self) else kind(self.threshold)
        if form.pot is None:
            raise AlgorithmError(
                f"until='{self}' is a share of the pot, and {form.name} as a {form.title} has "
                "none: give until= as "
                "payoff per game, or a card game with the attribute pot.",
                field="until",
            )
        return kind(self.percent / 100 * form.pot)

    def is_met(self, measures: Mapping[str, float]) -> bool:
        if self.percent:
            return measures.get(f"{self.name}_percent", math.inf) <= self.percent
        return super().is_met(measures)

    def to_plain(self) -> float | str:
        if self.percent:
            return f"{self.percent:.15g}%"
        return self.threshold

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.to_plain()!r})"


class _NamedExploitability(Exploitability):
    """A measure with a threshold as that of the exploitability, which a text has to name."""

    def to_plain(self) -> float | str:
        return f"{self.name}({super().to_plain()})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().to_plain()!r})"


class LargestGain(_NamedExploitability):
    """The largest gain of a player who deviates alone, payoff per game: what a number means with three or more players.

    Parameters
    ----------
    threshold : float or str
        Above 0; or a share of the pot, ``"0.5%"``, where a card game has one.
    """

    name = "largest_gain"

    def evaluate(self, solver: Solver) -> float:
        return max(solver.values().deviation_gains)


class WithinFloors(_NamedExploitability):
    """The exploitability of the game with the floors of :class:`Floors`, in which best responses keep to them as well.

    Parameters
    ----------
    threshold : float or str
        Above 0; or a share of the pot, ``"0.5%"``, where a card game has one.
    """

    name = "exploitability_within_floors"

    def evaluate(self, solver: Solver) -> float:
        return solver.values(within_floors=True).exploitability


class QREGap(Criterion):
    """How far the strategy is from a quantal response equilibrium: the largest |σ − softmax(q / τ)| of an infoset.

    Of runs with ``concept=eq.QRE(...)``, whose τ it takes.

    Parameters
    ----------
    threshold : float
        Above 0.
    """

    name = "qre_gap"
    unit = "a difference of probabilities, a number"
    needs_full_width = True

    def evaluate(self, solver: Solver) -> float:
        return solver.minimiser.gap(solver)

    def promise(self, form: GameForm) -> bool:
        return True

    def check(self, solver: Solver) -> None:
        if not math.isfinite(self.evaluate(solver)):
            raise AlgorithmError(
                f"QREGap({self.threshold:g}) is for runs that approach a quantal response "
                "equilibrium: give concept=eq.QRE(...) with a temperature above 0 as well.",
                field=self.name,
            )


class ResponseGap(Exploitability):
    """How far an answer to a model of the opponent may be from the best one: upper less lower bound, payoff per game.

    Of runs of :func:`equilibrist.exploit`.

    Parameters
    ----------
    threshold : float or str
        Above 0; or a share of the pot, ``"0.5%"``, where a card game has one.
    """

    name = "response_gap"
    needs_full_width = True
    attribute = "gap"

    def evaluate(self, solver: Solver) -> float:
        minimiser: Any = solver.minimiser
        bounds = minimiser.bounds(solver)
        return float(getattr(bounds, self.attribute))

    def promise(self, form: GameForm) -> bool:
        return True

    def to_plain(self) -> float | str:
        return f"{self.name}({super().to_plain()})"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().to_plain()!r})"


class LowerBound(ResponseGap):
    """What an answer to a model reaches: trust · model value + (1 − trust) · worst case."""

    name = "lower_bound"
    attribute = "lower_bound"


class UpperBound(ResponseGap):
    """More than any answer to a model can reach."""

    name = "upper_bound"
    attribute = "upper_bound"


class ModelValue(ResponseGap):
    """What an answer wins from the model."""

    name = "model_value"
    attribute = "model_value"


class WorstCase(ResponseGap):
    """What an answer wins from the opponent who knows it."""

    name = "worst_case"
    attribute = "worst_case"


class CCE(Criterion):
    """The distance of the play from a coarse correlated equilibrium (:attr:`Solution.cce_distance`); payoff per game.

    What CFR promises to reach in games that are general-sum or have more than two players.

    Parameters
    ----------
    threshold : float
        Above 0.
    """

    name = "cce_distance"
    needs_full_width = True

    def evaluate(self, solver: Solver) -> float:
        return max(solver.plan_regrets())

    def promise(self, form: GameForm) -> bool:
        return True

    def check(self, solver: Solver) -> None:
        if not solver.tracks_play:
            raise AlgorithmError(
                f"CCE({self.threshold:g}) is for games that are general-sum or have more than "
                "two players, solved as a sequence form and not by a rule with weights(), where "
                f"the play is tracked; got {solver.game_name}. Give until= an exploitability.",
                field=self.name,
            )


class _UnknownCriterion(Criterion):
    """A criterion of a saved run, whose class is not known here."""

    def __init__(self, name: str, threshold: float) -> None:
        self.name = name
        super().__init__(threshold)

    def evaluate(self, solver: Solver) -> float:
        raise AlgorithmError(f"The run was solved until={self}: give that criterion itself.")


CRITERIA: dict[str, type[Criterion]] = {
    each.name: each
    for each in (Exploitability, CCE, WithinFloors, QREGap, ResponseGap, LargestGain)
}
"""Those that texts may name, ``"cce_distance(0.001)"``."""

Until: TypeAlias = float | str | Criterion | Iterable[float | str | Criterion]


def find_criteria(
    until: Until | None, plain: type[Criterion] = Exploitability
) -> tuple[Criterion, ...]:
    """Return the criteria that end a run: numbers are those of the criterion ``plain``, ``"0.5%"`` is a share of the
    pot.
    """
    if until is None:
        return ()
    if isinstance(until, Iterable) and not isinstance(until, str):
        several = until
    else:
        several = [until]
    criteria = tuple(
        criterion
        if isinstance(criterion, Criterion)
        else _read_criterion(criterion, _refuse_unknown, plain)
        for criterion in several
    )
    names = [criterion.name for criterion in criteria]
    if len(set(names)) < len(names):
        raise AlgorithmError(f"until names a criterion twice: {', '.join(names)}.", field="until")
    return criteria


def _read_criterion(
    value: Any, unknown: Callable[[str, float], Criterion], plain: type[Criterion] = Exploitability
) -> Criterion:
    """Return the criterion that a number or a text means; ``unknown`` makes it where no criterion has that name."""
    match = _TEXT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return plain(value)
    name = match[1]
    percent = match[2] + "%" if match[3] else None
    kind = CRITERIA.get(name)
    if percent is not None and kind is not None and issubclass(kind, Exploitability):
        return kind(percent)
    if kind is None:
        return unknown(name, float(match[2]))
    return kind(float(match[2]))


def _refuse_unknown(name: str, threshold: float) -> NoReturn:
    raise AlgorithmError(
        f"until names an unknown criterion {name!r}; use one of {', '.join(CRITERIA)}, or an "
        "object.",
        field="until",
    )
