"""The variants of CFR as data: one update rule, and the numbers that each variant puts into it.

With discounts taken on entering iteration t, the rule is

    regret_sum    = d(t, sign of regret_sum) · regret_sum + instant_regret,   then max(·, 0) if floor
    strategy(t+1) ∝ max(d_predicted(t) · regret_sum + predict · instant_regret, 0),   uniform where all are ≤ 0
    strategy_sum  = ((t − 1) / t)^γ · strategy_sum + own_reach(t) · strategy(t)

where d(t) = (t − 1)^e / ((t − 1)^e + 1) with the exponent e = α for positive sums and β for
negative ones, or 1 where the exponent is None. Familiar cases: e = 0 is one half, e = 1 is (t − 1)
/ t (linear CFR). Exponents that are schedules are taken at t − 1, the number that is raised to
them. Where the average restarts, its t counts from the last restart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .._util.arrays import Floats
from .._util.names import canonical_name, plain_name
from .._util.plain import fields_from_plain, to_plain
from .._util.spec import parse_call, split_place
from .._util.text import short_repr
from .._util.validate import is_number
from ..errors import AlgorithmError
from .own_rule import OwnRule
from .powers import powers
from .rule_text import describe_rule
from .treeplex_rule import AnyRule


class Steps(NamedTuple):
    """The scalars of consecutive iterations, computed once outside the kernel; arrays of shape (iterations,).

    Attributes
    ----------
    discount_positive : float array
    discount_negative : float array
    discount_predicted : float array
    discount_average : float array
    iteration : float array
        Their numbers, the first of a run is 1.
    """

    discount_positive: Floats
    discount_negative: Floats
    discount_predicted: Floats
    discount_average: Floats
    iteration: Floats


@dataclass(frozen=True, slots=True)
class Ramp:
    """An exponent that moves linearly over a planned number of iterations N: start + slope · t / N."""

    start: float
    slope: float


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a function of t gave for t = 0, 1, …, N, over a planned number of iterations N; the last number stays."""

    numbers: tuple[float, ...]


Exponent = float | Ramp | Schedule | tuple[float, ...] | Callable[[int], float]
"""A number, a ramp, numbers for t = 0, 1, 2, …, the last of which stays, or a function of t."""

_EXPONENTS = ("alpha", "beta", "gamma")
_MOST_NUMBERS = 1_000_000  # of a function, which are saved with the run: some 20 MB


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A variant of CFR, as the numbers that make it different from the others.

    Parameters
    ----------
    name : str
        As in ``eq.solve(game, algorithm=name)``.
    source : str
        The paper.
    alpha, beta : float, Ramp, numbers or function, optional
        The exponents α and β of the discounts of positive and negative regret sums; None: no
        discount. Numbers are those at t = 0, 1, 2, … (learned weights); the last stays. A function
        is given t; a run keeps its numbers for the iterations that are planned, and never calls it
        again.
    floor : bool
        Whether regret sums are cut at 0 (CFR+); then ``beta`` has no meaning and must be None.
    predict : float
        Weight of the prediction, which is the last instant regret (0: no prediction).
    discount_predicted : bool
        Whether the regret sum is discounted once more, as in the next iteration, before the
        prediction is added.
    gamma : float, Ramp, numbers or function
        The exponent γ of the weights of the average strategy: iteration t counts t^γ.
    restart : float, optional
        The average starts afresh whenever the iterations have grown by this factor: after 1, 4, 16,
        64, … iterations where it is 4. Between two restarts, iterations are counted from the first
        of them for the weights.
    alternating : bool
        Whether each player updates against the others' newest strategies (the default), or all at
        once against the old ones.
    rule : Rule, optional
        An update of your own in the place of the one above: then alpha, beta, floor and what is
        predicted mean nothing.

    Raises
    ------
    AlgorithmError
        The numbers make no sense.

    Examples
    --------
    An algorithm of your own runs like the built-in ones:

    >>> import equilibrist as eq
    >>> mine = eq.Algorithm("mine", "this docstring", alpha=2.0, floor=True, gamma=3.0)
    >>> eq.solve("kuhn", mine, iterations=100).exploitability < 0.01
    True
    """

    name: str
    source: str
    alpha: Exponent | None = None
    beta: Exponent | None = None
    floor: bool = False
    predict: float = 0.0
    discount_predicted: bool = False
    gamma: Exponent = 0.0
    restart: float | None = None
    alternating: bool = True
    rule: OwnRule | None = None

    def __post_init__(self) -> None:
        if self.rule is not None:
            object.__setattr__(self, "rule", OwnRule.of(self.rule))
            self._refuse_numbers_of_update()
        for label in _EXPONENTS:
            self._check_exponent(label)
        self._check_gamma()
        if self.floor and self.beta is not None:
            self._refuse(
                f"with floor=True no regret sum is negative, so beta={self.beta!r} would do "
                "nothing. Leave beta out, or set floor=False."
            )
        if not (is_number(self.predict) and self.predict >= 0):
            self._refuse(f"predict must be 0 or more; got {self.predict!r}.")
        if self.discount_predicted and (self.predict == 0 or self.alpha is None):
            self._refuse(
                "discount_predicted needs predict > 0 and an alpha; "
                f"got predict={self.predict!r}, alpha={self.alpha!r}."
            )
        if self.restart is not None and not is_number(self.restart, above=1):
            self._refuse(f"restart must be a factor above 1, or None; got {self.restart!r}.")
        for flag in ("floor", "discount_predicted", "alternating"):
            value = getattr(self, flag)
            if np.ndim(value) or value not in (True, False):
                field = "alternating" if flag == "alternating" else None
                self._refuse(f"{flag} must be True or False; got {value!r}.", field=field)
            object.__setattr__(self, flag, bool(value))  # NumPy's

    def _check_gamma(self) -> None:
        """Refuse weights of the average that fall."""
        if isinstance(self.gamma, Ramp):
            ends: tuple[float, ...] = self.gamma.start, self.gamma.start + self.gamma.slope
        elif isinstance(self.gamma, Schedule):
            ends = self.gamma.numbers
        elif isinstance(self.gamma, tuple):
            ends = self.gamma
        elif callable(self.gamma):
            return  # whose numbers are checked once they are known
        else:
            ends = (self.gamma,)
        if min(ends) < 0:
            self._refuse(
                "gamma must be 0 or more, as early iterations never count more; got "
                f"{short_repr(min(ends))}."
            )

    def _check_exponent(self, label: str) -> None:
        """Refuse an exponent that is no number, ramp, function or table of numbers; a table is kept as a tuple."""
        exponent = getattr(self, label)
        if isinstance(exponent, type):
            self._refuse(f"{label} must be a number or a function of t; got a class, {exponent!r}.")
        if callable(exponent):
            return
        if isinstance(exponent, np.ndarray | np.number):
            exponent = exponent.tolist()  # a list of Python's numbers, or one of them
        if isinstance(exponent, list):
            exponent = tuple(exponent)
        object.__setattr__(self, label, exponent)
        if isinstance(exponent, Ramp):
            numbers: tuple[Any, ...] = exponent.start, exponent.slope
        elif isinstance(exponent, Schedule):
            numbers = exponent.numbers
        elif isinstance(exponent, tuple):
            numbers = exponent
        else:
            numbers = (exponent,)
        missing = exponent is None and label != "gamma"
        are_numbers = all(
            isinstance(number, int | float) and is_number(number) for number in numbers
        )
        if not missing and not (numbers and are_numbers):
            self._refuse(f"{label} must be finite; got {exponent!r}. None means 'no discount'.")

    @classmethod
    def of_rule(cls, rule: Any) -> Algorithm:
        """Return the algorithm that a rule of one's own makes, with the attributes that the rule has."""
        own_rule = OwnRule.of(rule)
        name = own_rule.read("name", None)
        if name is None:
            name = describe_rule(own_rule.rule)
        if not (isinstance(name, str) and name.isprintable() and name.strip()):
            raise AlgorithmError(
                f"The name of a rule must be text on one line; got {name!r}.", field="rule"
            )
        if name in ALGORITHMS:
            raise AlgorithmError(
                f"A rule has the name {name!r}, which is that of a built-in algorithm. Give it "
                "another.",
                field="rule",
            )
        return cls(
            name=name,
            source=str(own_rule.read("source", "a rule of one's own")),
            gamma=own_rule.read("gamma", 0.0),
            alternating=own_rule.read("alternating", True),
            rule=own_rule,
        )

    def _refuse_numbers_of_update(self) -> None:
        """Refuse numbers that only the update of the family reads."""
        is_set = {
            "alpha": self.alpha is not None,
            "beta": self.beta is not None,
            "floor": self.floor,
            "predict": self.predict != 0,
            "discount_predicted": self.discount_predicted,
        }
        names = [name for name, is_given in is_set.items() if is_given]
        if names:
            self._refuse(
                f"a rule of one's own makes the update, so that {', '.join(names)} would do "
                "nothing. Leave them out.",
                field="rule",
            )

    def to_plain(self) -> dict[str, Any]:
        """Return the fields as plain data; a rule is its text, and left out where there is none."""
        table = {name: to_plain(getattr(self, name)) for name in self.__slots__}
        if self.rule is None:
            del table["rule"]
        return table

    @classmethod
    def from_plain(cls, table: Any) -> Algorithm:
        """Return an algorithm from plain data, checked field by field."""
        fields = dict(table)
        text = fields.pop("rule", None)
        rule = None if text is None else OwnRule.from_plain(text)
        return cls(**fields_from_plain(cls, fields | {"rule": None}) | {"rule": rule})

    def _refuse(self, why: str, **details: Any) -> NoReturn:
        raise AlgorithmError(f"Algorithm {self.name!r}: {why}", **details)

    def __str__(self) -> str:
        if self.alternating or self.rule is not None:
            return self.name
        if self.name.endswith(")"):
            return f"{self.name[:-1]}, alternating=False)"
        return f"{self.name}(alternating=False)"

    @property
    def needs_horizon(self) -> bool:
        """Whether an exponent is a schedule over a number of iterations that must be planned beforehand."""
        exponents = (self.alpha, self.beta, self.gamma)
        return any(
            isinstance(exponent, Ramp | Schedule) or callable(exponent) for exponent in exponents
        )

    @property
    def is_schedule(self) -> bool:
        """Whether an exponent is not the same in all iterations."""
        return self.needs_horizon or any(
            isinstance(exponent, tuple) for exponent in (self.alpha, self.beta, self.gamma)
        )

    def planned(self, horizon: int | None) -> Algorithm:
        """Return the algorithm with functions of t as their numbers for so many iterations.

        So a run can be saved, gone on with and told from another, though functions are code.

        Raises
        ------
        AlgorithmError
            A function is given and no number of iterations is planned, or its numbers make no sense.
        """
        exponents = {label: getattr(self, label) for label in _EXPONENTS}
        functions = {label: value for label, value in exponents.items() if callable(value)}
        if not functions:
            return self
        if horizon is None:
            self._refuse(
                f"{next(iter(functions))} is a function of t, of which a run keeps the numbers: "
                "give iterations=, for which they are computed.",
                field="iterations",
            )
        tables: dict[str, Any] = {
            label: self._tabulate(label, function, horizon) for label, function in functions.items()
        }
        return replace(self, **tables)

    def _tabulate(self, label: str, function: Callable[[int], float], horizon: int) -> Schedule:
        """Return the numbers of a function of t, without those at the end that repeat the one before."""
        if horizon > _MOST_NUMBERS:
            self._refuse(
                f"{label} is a function of t, of which a run keeps the numbers, for at most "
                f"{_MOST_NUMBERS:,} iterations; got iterations={horizon:,}. Give a list of numbers, "
                "whose last one stays, or eq.Ramp.",
                field="iterations",
            )
        numbers: list[float] = []
        for t in range(horizon + 1):
            try:
                number = function(t)
            except Exception as error:
                raise AlgorithmError(
                    f"Algorithm {self.name!r}: {label}({t}) raised {type(error).__name__}: {error}. "
                    "A schedule is given t, a whole number from 0, and returns a number.",
                ) from error
            if isinstance(number, np.number | np.ndarray) and np.ndim(number) == 0:
                number = number.item()
            if not (isinstance(number, int | float) and is_number(number)):
                self._refuse(f"{label}({t}) must be a finite number; got {short_repr(number)}.")
            numbers.append(float(number))
        while len(numbers) > 1 and numbers[-1] == numbers[-2]:
            numbers.pop()
        return Schedule(tuple(numbers))

    def steps(self, first: int, count: int, *, horizon: int | None = None) -> Steps:
        """Return the scalars of iterations ``first … first + count - 1`` (the first iteration is 1).

        ``horizon`` is the planned number of iterations; only algorithms with a :class:`Ramp` read
        it.
        """
        t = np.arange(first, first + count, dtype=np.float64)
        discount_positive = _discount_factors(self.alpha, t - 1, horizon)
        if self.beta == self.alpha:
            discount_negative = discount_positive
        else:
            discount_negative = _discount_factors(self.beta, t - 1, horizon)
        if self.discount_predicted:
            discount_predicted = _discount_factors(self.alpha, t, horizon)
        else:
            discount_predicted = np.ones(count)
        if self.restart is None:
            before = t - 1
        else:
            before = _count_since_restart(t - 1, self.restart)
        discount_average = powers(before / (before + 1), _exponent_at(self.gamma, t - 1, horizon))
        if self.restart is not None:
            discount_average = np.where(before == 0, 0.0, discount_average)
        return Steps(discount_positive, discount_negative, discount_predicted, discount_average, t)


def _exponent_at(exponent: Exponent, t: Floats, horizon: int | None) -> Floats | float:
    """Return the exponent at each t, the same for all unless it is a schedule."""
    if isinstance(exponent, tuple | Schedule):
        numbers = exponent if isinstance(exponent, tuple) else exponent.numbers
        at = np.minimum(t, len(numbers) - 1).astype(np.int64)
        exponents: Floats = np.array(numbers)[at]
        return exponents
    if isinstance(exponent, int | float):
        return exponent
    if horizon is None or not isinstance(exponent, Ramp):
        raise AlgorithmError("A schedule needs the planned number of iterations: give iterations=.")
    return exponent.start + exponent.slope * t / horizon


def _count_since_restart(done: Floats, factor: float) -> Floats:
    """Return how many of the iterations done, in increasing order, come after the last restart of the average."""
    restarts = [0.0, 1.0]
    while restarts[-1] < done[-1]:
        restarts.append(max(restarts[-1] + 1, math.floor(restarts[-1] * factor)))
    since: Floats = done - np.array(restarts)[np.searchsorted(restarts, done, side="right") - 1]
    return since


def _discount_factors(exponent: Exponent | None, t: Floats, horizon: int | None) -> Floats:
    """Return t^e / (t^e + 1), or 1 where there is no exponent."""
    if exponent is None:
        return np.ones(len(t))
    # 1 / (1 + t^-e) is the same fraction, without inf / inf at t = 0 when the exponent is negative.
    return 1.0 / (1.0 + powers(t, -_exponent_at(exponent, t, horizon)))


ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("cfr", "Zinkevich et al. 2007"),
        Algorithm("cfr+", "Tammelin 2014", floor=True, gamma=1),
        Algorithm("lcfr", "Brown & Sandholm 2019", alpha=1, beta=1, gamma=1),
        Algorithm("dcfr", "Brown & Sandholm 2019", alpha=1.5, beta=0, gamma=2),
        Algorithm("dcfr+", "Xu et al. 2024", alpha=1.5, floor=True, gamma=4),
        Algorithm("pcfr+", "Farina, Kroer & Sandholm 2021", floor=True, predict=1, gamma=2),
        Algorithm("sapcfr+", "arXiv 2503.12770", floor=True, predict=1 / 3, gamma=2),
        Algorithm(
            "pdcfr+",
            "Xu et al. 2024",
            alpha=2.3,
            floor=True,
            predict=1,
            discount_predicted=True,
            gamma=5,
        ),
        Algorithm(
            "hs-dcfr", "arXiv 2404.09097", alpha=Ramp(1, 3), beta=Ramp(-1, -2), gamma=Ramp(30, -5)
        ),
        Algorithm("hs-pcfr+", "arXiv 2404.09097", floor=True, predict=1, gamma=Ramp(30, -5)),
    )
}
"""The built-in algorithms by name."""

SETTINGS = (
    "alpha",
    "beta",
    "floor",
    "predict",
    "discount_predicted",
    "gamma",
    "restart",
    "alternating",
)
"""What a text may change of an algorithm, as in ``"cfr+(gamma=3)"``."""

TITLES = {
    "cfr": "counterfactual regret minimisation",
    "cfr+": "CFR⁺: regrets that are cut at 0",
    "lcfr": "linear CFR",
    "dcfr": "discounted CFR",
    "dcfr+": "discounted CFR⁺",
    "pcfr+": "predictive CFR⁺",
    "sapcfr+": "simple asymmetric predictive CFR⁺",
    "pdcfr+": "predictive discounted CFR⁺",
    "hs-dcfr": "discounted CFR by hyperparameter schedules",
    "hs-pcfr+": "predictive CFR⁺ by a hyperparameter schedule",
}
"""What the names of the built-in algorithms stand for."""

ALIASES = {
    "discounted": "dcfr",
    "discounted-cfr": "dcfr",
    "linear": "lcfr",
    "linear-cfr": "lcfr",
    "predictive": "pcfr+",
    "predictive-cfr+": "pcfr+",
    "vanilla": "cfr",
    "vanilla-cfr": "cfr",
}
"""What else the algorithms are called (:func:`equilibrist._util.names.canonical_name`)."""

SAMPLING_ALIASES = {
    "as": "average-strategy",
    "cfrcs": "chance",
    "cs": "chance",
    "es": "external",
    "es-mccfr": "external",
    "full-width": "full",
    "mccfr": "external",
    "os": "outcome",
    "os-mccfr": "outcome",
    "pcs": "public-chance",
    "vanilla": "full",
}
"""What else the samplings are called, which some take for algorithms."""


AUTO = Algorithm("auto", "the fastest on most games of a form (docs/algorithms.md)")
"""Stands for the algorithm that :mod:`equilibrist.solving.plan` chooses once the form of the game is known."""


def find_algorithm(algorithm: str | Algorithm | AnyRule) -> Algorithm:
    """Return the algorithm that a text names, ``"cfr"`` or ``"cfr(alternating=False)"``; or the algorithm itself.

    Names are those of :data:`ALGORITHMS` and what else they are called, as "vanilla" or "CFR plus";
    "auto" is
    :data:`AUTO`.
    """
    if isinstance(algorithm, Algorithm):
        return algorithm
    if hasattr(algorithm, "observe"):
        return Algorithm.of_rule(algorithm)
    if not isinstance(algorithm, str):
        raise AlgorithmError(
            f"There is no algorithm {algorithm!r}: give a name, an eq.Algorithm or a rule (eq.types.Rule)."
        )
    if split_place(algorithm) is not None:
        raise AlgorithmError(
            f"{algorithm!r} is a rule in a file, no algorithm: give it as rule= (--rule). Studies "
            "and comparisons take it beside algorithms.",
            field="algorithm",
        )
    text, settings = parse_call(algorithm, AlgorithmError, example="cfr(alternating=False)")
    algorithms = {**ALGORITHMS, AUTO.name: AUTO}
    try:
        name, settings = canonical_name(
            "algorithm", text, settings, algorithms, ALIASES, AlgorithmError
        )
    except AlgorithmError:
        sampling = SAMPLING_ALIASES.get(plain_name(text))
        if sampling is None:
            raise
        raise AlgorithmError(
            f"There is no algorithm {text!r}. It is a sampling: use the algorithm 'cfr' with "
            f"sampling={sampling!r} (--sampling {sampling}).",
        ) from None
    algorithm = algorithms[name]
    allowed = ("alternating",) if algorithm == AUTO else SETTINGS
    for setting in settings:
        if setting not in allowed:
            raise AlgorithmError(
                f"Settings of the algorithm {name!r} are {', '.join(allowed)}, as in "
                f"{f'{name}(alternating=False)'!r}; got {setting!r}.",
                field="algorithm",
            )
    changes: dict[str, Any] = {
        setting: tuple(value) if isinstance(value, list) else value
        for setting, value in settings.items()
        if value != getattr(algorithm, setting)
    }
    if not changes:
        return algorithm
    numbers = [f"{key}={value!r}" for key, value in changes.items() if key != "alternating"]
    if numbers:
        changes |= {
            "name": f"{name}({', '.join(numbers)})",
            "source": f"{algorithm.source}; with {', '.join(numbers)}",
        }
    return replace(algorithm, **changes)
