"""The settings of a run, resolved and checked once: what a run folder stores and a resumed run goes on with."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any

from .._util.validate import checked_seed, is_number, is_whole
from ..cfr.algorithms import ALGORITHMS, AUTO_OF_FORM, Algorithm, find_algorithm
from ..cfr.tabular import PRECISIONS
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..mccfr.sampling import Sampling, find_sampling
from .prepare import FORMS
from .threads import threads_that_pay

DEFAULT_ITERATIONS = 1000

BACKENDS = ("cpu",)
"""Where kernels run; :func:`equilibrist.solving.solvers.make_solver` turns form, sampling and backend into a solver."""

_MOST_NODES = 2**62  # where there is no limit
_PERCENT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*%\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """Limits of a run, which ends at the first one met.

    Parameters
    ----------
    iterations : int, optional
        Total number of iterations.
    until : float or str, optional
        Exploitability (nash_conv / players), payoff per game; ``"0.5%"`` of the pot until :func:`resolved` knows it.
    until_cce : float, optional
        Distance of the play from a coarse correlated equilibrium, payoff per game.
    seconds : float, optional
        Time for iterating since the start or the resume.
    nodes : int, optional
        Total number of histories touched.

    Raises
    ------
    AlgorithmError
        A limit makes no sense.
    """

    iterations: int | None = None
    until: float | str | None = None
    until_cce: float | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name in ("iterations", "nodes"):
            count = getattr(self, name)
            if count is not None:
                if not is_whole(count, 1, math.inf):
                    raise AlgorithmError(
                        f"{name} must be a whole number, 1 or more; got {count!r}.", wrong_use=True, field=name
                    )
                object.__setattr__(self, name, min(int(count), _MOST_NODES))
        percent = _PERCENT.fullmatch(self.until) if isinstance(self.until, str) else None
        is_share = percent is not None and float(percent[1]) > 0
        for name in ("until", "until_cce", "seconds"):
            number = getattr(self, name)
            if number is not None and not (name == "until" and is_share):
                if not is_number(number, above=0):
                    share = ", or a share of the pot such as '0.5%'" if name == "until" else ""
                    raise AlgorithmError(
                        f"{name} must be a number above 0{share}; got {number!r}.", wrong_use=True, field=name
                    )
                object.__setattr__(self, name, float(number))

    @property
    def limit(self) -> float | None:
        """The exploitability to reach, payoff per game; None where it is no limit, or not known yet."""
        return None if isinstance(self.until, str) else self.until

    @property
    def needs_certificate(self) -> bool:
        """Whether a limit is on how good the strategy is."""
        return self.until is not None or self.until_cce is not None

    @property
    def bounds_work(self) -> bool:
        """Whether some limit is met for certain, however good the strategy gets."""
        return any(limit is not None for limit in (self.iterations, self.seconds, self.nodes))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveConfig:
    """Settings of a run, all that decides it but the game.

    :func:`equilibrist.solve` resolves its keywords into one, a run folder stores it whole, and a resumed run goes on
    with it.

    Attributes
    ----------
    algorithm : Algorithm
        The row of numbers itself, not its name.
    sampling : Sampling
        The scheme with its options.
    form : {"auto", "sequence", "public", "cards"}
        What was asked for; :attr:`GameInfo.form` says what it became.
    precision : {"auto", "float64", "float32", "int16"}
        How the tables of full-width CFR are stored; :func:`resolved` turns ``"auto"`` into one of the others.
    backend : {"cpu"}
        Where the kernels run.
    alternating : bool
        Whether players update in turn.
    seed : int or None
        None where nothing is drawn.
    horizon : int or None
        The planned number of iterations, for algorithms that are schedules.
    threads : int or "auto"
        :func:`resolved` turns ``"auto"`` into a number.
    max_memory_gb : float or None
        None is what the machine has free.
    max_histories, max_depth : int or None
        Limits of compilation; None is the usual one.
    stop : StopRule
        When the run ends.

    Raises
    ------
    AlgorithmError
        A setting makes no sense, or does nothing together with the others.
    """

    algorithm: Algorithm
    sampling: Sampling = field(default_factory=Sampling)
    form: str = "auto"
    precision: str = "auto"
    backend: str = "cpu"
    alternating: bool = True
    seed: int | None = None
    horizon: int | None = None
    threads: int | str = 1
    max_memory_gb: float | None = None
    max_histories: int | None = None
    max_depth: int | None = None
    stop: StopRule = field(default_factory=StopRule)

    def __post_init__(self) -> None:
        self.sampling.check_algorithm(self.algorithm)
        choices = {"form": FORMS, "precision": ("auto", *PRECISIONS), "backend": BACKENDS, "alternating": (True, False)}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise AlgorithmError(
                    f"{name} must be one of {', '.join(map(repr, allowed))}; got {getattr(self, name)!r}.",
                    wrong_use=True,
                    field=name,
                )
        if self.threads != "auto" and not is_whole(self.threads, 1, 1024):
            raise AlgorithmError(
                f"threads must be a whole number, 1 to 1024, or 'auto'; got {self.threads!r}.",
                wrong_use=True,
                field="threads",
            )
        if self.max_memory_gb is not None and not is_number(self.max_memory_gb, above=0):
            raise AlgorithmError(
                f"max_memory_gb must be gigabytes above 0; got {self.max_memory_gb!r}.",
                wrong_use=True,
                field="max_memory_gb",
            )
        for name in ("max_histories", "max_depth", "horizon"):
            count = getattr(self, name)
            if count is not None and not is_whole(count, 1):
                raise AlgorithmError(
                    f"{name} must be a whole number, 1 or more; got {count!r}.", wrong_use=True, field=name
                )
        if self.algorithm.needs_horizon != (self.horizon is not None):
            raise AlgorithmError(
                f"{self.algorithm.name!r} is a schedule over a planned number of iterations: give iterations=."
                if self.horizon is None
                else f"{self.algorithm.name!r} is no schedule, so that horizon={self.horizon} would do nothing.",
                wrong_use=True,
                field="iterations",
            )
        if self.sampling.random:
            object.__setattr__(self, "seed", checked_seed(self.seed))
        elif self.seed is not None:
            raise AlgorithmError(
                f"Sampling '{self.sampling}' draws nothing, so that seed={self.seed} would do nothing.",
                wrong_use=True,
                field="seed",
            )
        if not self.sampling.full_width:
            self._check_sampled()
        if not self.sampling.tree:
            self._check_without_tree()
        for name, kind in (("threads", int), ("max_memory_gb", float), ("alternating", bool)):  # NumPy's numbers
            if getattr(self, name) not in (None, "auto"):
                object.__setattr__(self, name, kind(getattr(self, name)))

    def threads_for(self, form: CompiledGame | None) -> int:
        """Return how many threads work on a form; it may be None where the game is sampled."""
        return threads_that_pay(form, self.sampling) if isinstance(self.threads, str) else self.threads

    def _check_sampled(self) -> None:
        if self.precision not in ("auto", "float64"):
            raise AlgorithmError(
                f"Samples are kept in float64, so that precision={self.precision!r} would do nothing. Leave it out.",
                wrong_use=True,
                field="precision",
            )
        if self.threads not in (1, "auto") and self.sampling.batch == 1:
            raise AlgorithmError(
                f"Threads draw the samples of a batch, so that threads={self.threads} would do nothing for "
                f"'{self.sampling}'. Leave it out, or give a batch: 'external(batch=64)'.",
                wrong_use=True,
                field="threads",
            )
        if self.stop.until_cce is not None:
            raise AlgorithmError(
                f"until_cce={self.stop.until_cce} needs full-width CFR, which alone tracks the distance from a coarse "
                f"correlated equilibrium; got sampling='{self.sampling}'. Leave one of them out.",
                wrong_use=True,
                field="until_cce",
            )

    def _check_without_tree(self) -> None:
        if self.stop.until is not None:
            raise AlgorithmError(
                f"until={self.stop.until} needs the exact exploitability, which is not known without a tree. Give "
                "iterations, seconds or nodes.",
                wrong_use=True,
                field="until",
            )
        for name, usual in (("max_memory_gb", None), ("form", "auto")):
            if getattr(self, name) != usual:
                raise AlgorithmError(
                    f"Without a tree nothing is compiled, so that {name}={getattr(self, name)!r} would do nothing. "
                    "Leave it out; sampling='external(tree=False, gigabytes=4)' limits the memory.",
                    wrong_use=True,
                )


def new_config(
    *, algorithm: str | Algorithm, sampling: str | Sampling | None, stop: StopRule, **settings: Any
) -> SolveConfig:
    """Return the settings of a run from the keywords of :func:`equilibrist.solve`, those that are None left out.

    Raises
    ------
    AlgorithmError
        A name is unknown, or a setting makes no sense.
    """
    scheme = find_sampling("full" if sampling is None else sampling)
    row = find_algorithm(algorithm, sampled=not scheme.full_width)
    given = {name: value for name, value in settings.items() if value is not None}
    if scheme.random:
        given.setdefault("seed", 0)
    if not (stop.needs_certificate or stop.bounds_work):
        stop = replace(stop, iterations=DEFAULT_ITERATIONS)
    horizon = stop.iterations if row.needs_horizon else None
    return SolveConfig(algorithm=row, sampling=scheme, horizon=horizon, stop=stop, **given)


def resolved(config: SolveConfig, form: CompiledGame | None, *, auto: bool = False) -> SolveConfig:
    """Return the settings with what only the compiled game decides: precision, threads, and ``until`` as payoff.

    With ``auto`` the algorithm as well, where another suits the form of the game better.

    Raises
    ------
    AlgorithmError
        ``until`` is a share of the pot, and the game has none.
    """
    stop, precision = config.stop, config.precision
    if precision == "auto":
        precision = form.default_precision if form is not None and config.sampling.full_width else "float64"
    if isinstance(stop.until, str):
        if form is None or form.pot is None:
            kind = "" if form is None or form.kind == "cards" else f" as a {form.kind} form"
            raise AlgorithmError(
                f"until={stop.until!r} is a share of the pot, and {'the game' if form is None else form.name}{kind} "
                "has none: give until= as payoff per game, or a card game with the attribute pot.",
                wrong_use=True,
                field="until",
            )
        stop = replace(stop, until=float(stop.until.replace("%", "")) / 100 * form.pot)
    algorithm = config.algorithm
    if auto and form is not None and config.sampling.full_width and form.kind in AUTO_OF_FORM:
        algorithm = ALGORITHMS[AUTO_OF_FORM[form.kind]]
    return replace(config, algorithm=algorithm, precision=precision, threads=config.threads_for(form), stop=stop)


def resumed_config(
    old: SolveConfig,
    *,
    done: int,
    algorithm: str | Algorithm,
    sampling: str | Sampling | None,
    stop: StopRule,
    **settings: Any,
) -> SolveConfig:
    """Return the settings with which a saved run goes on after ``done`` iterations; ``old.form`` is what it became.

    All that decides the numbers is the old run's; limits, threads and memory are those given now.

    Raises
    ------
    AlgorithmError
        Something is given that the saved run did differently.
    """
    old = replace(old, stop=StopRule(), threads=1, max_memory_gb=None)
    given = {name: value for name, value in settings.items() if value is not None}
    for name in ("form", "precision"):
        if given.get(name) == "auto":
            del given[name]
    if sampling is not None:
        given["sampling"] = find_sampling(sampling)
    if algorithm != "auto":
        given["algorithm"] = find_algorithm(algorithm)
    differs = [name for name in _KEPT if name in given and not _same(getattr(old, name), given[name])]
    if differs:
        pairs = {name: (getattr(old, name), given[name]) for name in differs}
        then = ", ".join(f"{name}={_spelled(before, after)}" for name, (before, after) in pairs.items())
        now = ", ".join(f"{name}={_spelled(after, before)}" for name, (before, after) in pairs.items())
        raise AlgorithmError(
            f"The saved run has {then}, and can only go on so; got {now}. Leave these out to go on, or start afresh.",
            wrong_use=True,
        )
    if old.horizon is not None and stop.iterations is not None and stop.iterations > old.horizon:
        raise AlgorithmError(
            f"The saved run of {old.algorithm.name!r} was planned for {old.horizon} iterations; got "
            f"iterations={stop.iterations}. Start afresh to plan for more.",
            wrong_use=True,
        )
    if stop == StopRule():
        stop = StopRule(iterations=old.horizon or max(DEFAULT_ITERATIONS, done))
    return replace(old, stop=stop, **given)


_KEPT = ("algorithm", "sampling", "form", "precision", "backend", "alternating", "seed")
"""What a resumed run cannot change."""


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, Sampling):  # it may go on with more memory
        return bool(replace(old, gigabytes=None) == replace(new, gigabytes=None))
    return bool(old == new)


def _spelled(value: Any, other: Any) -> str:
    """Return a setting as error messages show it, told apart from another."""
    if isinstance(value, Algorithm) and value.name != other.name:
        return repr(value.name)
    return repr(str(value)) if isinstance(value, Sampling) else repr(value)
