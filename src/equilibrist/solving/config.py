"""The settings of a run, checked once: what a run folder stores and a resumed run goes on with."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from .._util.plain import fields_from_plain, to_plain
from .._util.validate import check_seed, is_number, is_whole
from ..cfr.algorithms import AUTO, Algorithm
from ..cfr.concepts import NASH, Concept
from ..cfr.criteria import Criterion, find_criteria
from ..cfr.solvers import BACKENDS
from ..cfr.tabular import PRECISIONS
from ..cluster.backend import Cluster
from ..errors import AlgorithmError
from ..form.abstract.abstraction import Abstraction
from ..form.limits import NEVER, Limits
from ..form.traits import WalkTraits
from ..games.compile import FORMS
from ..mccfr.sampling import Full, Sampling


def _setting_error(
    label: str, value: object, expected: str, *, name: str | None = None
) -> AlgorithmError:
    return AlgorithmError(f"{label} must be {expected}; got {value!r}.", field=name or label)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """Where a run ends, however many histories it touches: at the first of these that is met.

    Parameters
    ----------
    iterations : int, optional
        Total number of iterations.
    until : tuple of Criterion
        Given as :func:`equilibrist.solve` takes it: a number, a share of the pot, a criterion, or
        several.
    seconds : float, optional
        Time for iterating since the start or the resume.

    Raises
    ------
    AlgorithmError
        A limit makes no sense.
    """

    iterations: int | None = None
    until: tuple[Criterion, ...] = ()
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is not None:
            if not is_whole(self.iterations, 1, math.inf):
                raise _setting_error("iterations", self.iterations, "a whole number, 1 or more")
            object.__setattr__(self, "iterations", min(int(self.iterations), NEVER))
        object.__setattr__(self, "until", find_criteria(self.until))
        if self.seconds is not None:
            if not is_number(self.seconds, above=0):
                raise _setting_error("seconds", self.seconds, "a number above 0")
            object.__setattr__(self, "seconds", float(self.seconds))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveConfig:
    """Settings of a run, all that decides it but the game.

    :func:`equilibrist.solve` makes one of its keywords, a run folder stores it whole, and a resumed run goes on with
    it. What is None is left open, and chosen by :mod:`equilibrist.solving.plan`.

    Attributes
    ----------
    algorithm : Algorithm
        The numbers of the algorithm, not its name alone.
    sampling : Sampling
        The scheme with its options.
    concept : Concept
        What the run is to approach.
    abstraction : Abstraction or None
        Which infosets are played alike, where the game is one whose players forget
        (:func:`equilibrist.abstract`).
    form : {"sequence", "public", "cards", "walk"} or None
        What was asked for; :attr:`GameInfo.form` says what it became.
    precision : {"float64", "float32", "int16"} or None
        How the tables of full-width CFR are stored.
    backend : "cpu" or Cluster
        Where the tables are, and the kernels run.
    seed : int or None
        None where nothing is drawn.
    horizon : int or None
        The planned number of iterations, for algorithms that are schedules.
    threads : int or None
        How many threads work.
    limits : Limits
        What the run may take.
    stop : StopRule
        When the run ends.

    Raises
    ------
    AlgorithmError
        A setting makes no sense, or does nothing together with the others.
    """

    algorithm: Algorithm
    sampling: Sampling = field(default_factory=Full)
    concept: Concept = NASH
    abstraction: Abstraction | None = None
    form: str | None = None
    precision: str | None = None
    backend: str | Cluster = "cpu"
    seed: int | None = None
    horizon: int | None = None
    threads: int | None = 1
    limits: Limits = field(default_factory=Limits)
    stop: StopRule = field(default_factory=StopRule)

    def __post_init__(self) -> None:
        self.sampling.check_algorithm(self.algorithm)
        if self.concept != NASH:
            self._check_concept()
        if self.algorithm.rule is not None:
            self._check_own_rule()
        if self.abstraction is not None:
            self._check_abstraction()
        choices = {
            "form": (*FORMS, WalkTraits.kind),
            "precision": ("auto", *PRECISIONS),
            "backend": BACKENDS,
        }
        for name, allowed in choices.items():
            value = getattr(self, name)
            if not (value is None or value in allowed or isinstance(value, Cluster)):
                more = " or eq.Cluster(...)" if name == "backend" else ""
                raise _setting_error(name, value, f"one of {', '.join(map(repr, allowed))}{more}")
        if self.threads is not None:
            if not is_whole(self.threads, 1, 1024):
                raise _setting_error(
                    "threads", self.threads, "a whole number, 1 to 1024, or 'auto'"
                )
            object.__setattr__(self, "threads", int(self.threads))  # NumPy's
        if self.horizon is not None and not is_whole(self.horizon, 1):
            raise _setting_error("horizon", self.horizon, "a whole number, 1 or more")
        if self.algorithm.needs_horizon != (self.horizon is not None):
            raise AlgorithmError(
                f"{self.algorithm.name!r} is a schedule over a planned number of iterations: "
                "give iterations=."
                if self.horizon is None
                else f"{self.algorithm.name!r} is no schedule, so that horizon={self.horizon} would do nothing.",
                field="iterations",
            )
        if self.sampling.random:
            object.__setattr__(self, "seed", check_seed(self.seed))
        elif self.seed is not None:
            raise AlgorithmError(
                f"Sampling '{self.sampling}' draws nothing, so that seed={self.seed} would do "
                "nothing.",
                field="seed",
            )
        if not self.sampling.full_width:
            self._check_sampling()
        if not self.sampling.tree:
            self._check_without_tree()
        elif self.walks:
            self._check_walk()
        if isinstance(self.backend, Cluster) and not self.sampling.full_width:
            self._check_sampling_actors(self.backend)

    def to_plain(self) -> dict[str, Any]:
        """Return the fields as plain data; the abstraction is left out where there is none."""
        table = {name: to_plain(getattr(self, name)) for name in self.__slots__}
        if self.abstraction is None:
            del table["abstraction"]
        return table

    @classmethod
    def from_plain(cls, table: Any) -> SolveConfig:
        """Return the settings from plain data, checked field by field."""
        return cls(**fields_from_plain(cls, {"abstraction": None, **table}))

    @property
    def walks(self) -> bool:
        """Whether each pass walks the whole game, of which nothing is stored."""
        return self.form == WalkTraits.kind

    def _check_own_rule(self) -> None:
        """Refuse what a rule of one's own does not do."""
        assert self.algorithm.rule is not None
        conditions = (
            ("sampling", str(self.sampling), self.sampling.pruning is None),
            ("form", self.form, not self.walks),
            ("precision", self.precision, self.precision in (None, PRECISIONS[0])),
            ("concept", str(self.concept), self.concept == NASH),
            ("backend", str(self.backend), not isinstance(self.backend, Cluster)),
        )
        for label, value, is_allowed in conditions:
            if not is_allowed:
                raise AlgorithmError(
                    "A rule of one's own makes full-width passes or samples in float64, in this "
                    f"process, through a compiled game; got {label}={value!r}. Leave it out.",
                    field=label,
                )
        if not self.sampling.full_width:
            self._check_sampled_rule()

    def _check_sampled_rule(self) -> None:
        """Refuse what a rule of one's own does not do where samples are drawn."""
        assert self.algorithm.rule is not None
        because = None
        if self.algorithm.rule.plays_plans:
            because = "it plays for a whole player, and a sample tells it of a few infosets"
        elif not self.sampling.tree:
            because = "it has to be asked before what it plays at infosets that no sample has met"
        if because is not None:
            raise AlgorithmError(
                f"The rule {self.algorithm.rule.text} cannot play with sampling='{self.sampling}': "
                f"{because}. Leave sampling out, or draw from a compiled game.",
                field="sampling",
            )
        if self.threads not in (1, None):
            raise AlgorithmError(
                f"One thread draws the samples of a rule of one's own; got threads={self.threads}. "
                "Leave it out.",
                field="threads",
            )

    def _check_abstraction(self) -> None:
        """Refuse what does not learn by buckets."""
        conditions = (
            (
                "sampling",
                str(self.sampling),
                self.sampling.pruning is None,
            ),
            ("precision", self.precision, self.precision in (None, PRECISIONS[0])),
            (
                "concept",
                str(self.concept),
                self.concept.algorithm is None and not self.concept.varies,
            ),
            ("rule", str(self.algorithm), self.algorithm.rule is None),
            (
                "backend",
                str(self.backend),
                not (isinstance(self.backend, Cluster) and self.sampling.tree),
            ),
        )
        for label, value, is_allowed in conditions:
            if not is_allowed:
                raise AlgorithmError(
                    "A game whose players forget (eq.abstract) is solved by full passes or by "
                    "samples of the tree, in float64 and in this process, towards "
                    "'nash' or 'floors(ε)' that are the same everywhere and stay; got "
                    f"{label}={value!r}. "
                    "Leave it out.",
                    field=label,
                )

    def _check_walk(self) -> None:
        conditions = (
            (
                "sampling",
                str(self.sampling),
                self.sampling.full_width and self.sampling.pruning is None,
            ),
            ("precision", self.precision, self.precision in (None, PRECISIONS[0])),
            ("concept", str(self.concept), self.concept == NASH),
            ("backend", self.backend, not isinstance(self.backend, Cluster)),
            ("limits", self.limits, self.limits.histories is None),
        )
        for label, value, is_allowed in conditions:
            if not is_allowed:
                raise AlgorithmError(
                    "form='walk' makes full-width passes in float64, in this process, towards "
                    "Nash equilibria, through "
                    f"all of the game; got {label}={value!r}. Leave it out, or form='walk'.",
                    field=label,
                )

    def _check_concept(self) -> None:
        """Refuse what does not lead there."""
        because = None
        if self.sampling.pruning is not None:
            because = (
                f"leaves out what is never played (pruning={self.sampling.pruning!r}), and here "
                "everything is"
            )
        elif not self.sampling.tree:
            because = "does not know how many actions infosets have before it meets them"
        elif not self.sampling.full_width and self.concept.algorithm is not None:
            because = "draws samples, and responses to them do not settle"
        elif not self.sampling.full_width and self.concept.varies:
            because = "knows floors that are the same everywhere and stay"
        if because is not None:
            raise AlgorithmError(
                f"Sampling '{self.sampling}' {because}; got concept='{self.concept}'.",
                field="concept",
            )
        if self.concept.algorithm is not None:
            self._check_own_algorithm(self.concept.algorithm)
        if isinstance(self.backend, Cluster):
            raise AlgorithmError(
                f"Actors approach Nash equilibria alone; got concept='{self.concept}'. Leave one "
                "of them out.",
                field="concept",
            )

    def _check_own_algorithm(self, algorithm: Algorithm) -> None:
        if self.algorithm not in (AUTO, algorithm):
            raise AlgorithmError(
                f"concept='{self.concept}' has dynamics of its own, so that "
                f"algorithm={self.algorithm.name!r} would do nothing. Leave it out.",
                field="algorithm",
            )
        if self.precision not in (None, PRECISIONS[0]):
            raise AlgorithmError(
                f"concept='{self.concept}' is computed in float64; got "
                f"precision={self.precision!r}. Leave it out.",
                field="precision",
            )

    def _check_sampling(self) -> None:
        if self.precision not in (None, PRECISIONS[0]):
            raise AlgorithmError(
                f"Samples are kept in float64, so that precision={self.precision!r} would do "
                "nothing. Leave it out.",
                field="precision",
            )
        certified = not self.sampling.tree and any(
            criterion.needs_tree for criterion in self.stop.until
        )
        if self.threads not in (1, None) and self.sampling.batch == 1 and not certified:
            raise AlgorithmError(
                f"Threads draw the samples of a batch, so that threads={self.threads} would do "
                "nothing for "
                f"'{self.sampling}'. Leave it out, or give a batch: 'external(batch=64)'.",
                field="threads",
            )
        for criterion in self.stop.until:
            if criterion.needs_full_width:
                raise AlgorithmError(
                    f"until={criterion} needs full-width CFR; got sampling='{self.sampling}'. "
                    "Leave one of them out.",
                    field=criterion.name,
                )

    def _check_sampling_actors(self, cluster: Cluster) -> None:
        """Refuse samples that actors do not draw."""
        if self.abstraction is None or self.sampling.tree:
            raise AlgorithmError(
                "Actors hold the tables of full-width CFR, or draw samples of a game in buckets "
                f"without a tree (eq.abstract('nlhe', buckets)); got sampling='{self.sampling}'. "
                "Leave sampling out, or merge independent chains (solve_chains).",
            )
        is_external = (
            self.sampling.others == "one"
            and self.sampling.updating == "all"
            and self.sampling.average in (None, "opponent")
            and self.sampling.baseline is None
            and self.sampling.pruning is None
        )
        if not is_external:
            raise AlgorithmError(
                "Actors draw samples by 'external(tree=False, batch=…)', with no average, baseline or "
                f"pruning but the usual; got sampling='{self.sampling}'.",
                field="sampling",
            )
        if self.sampling.batch < cluster.actors:
            raise AlgorithmError(
                f"Actors share the samples of a batch; got sampling='{self.sampling}' for "
                f"{cluster.actors} actors. Give a batch of some thousand: "
                "'external(tree=False, batch=4096)'.",
                field="sampling",
            )
        if self.threads not in (1, None):
            raise AlgorithmError(
                f"An actor draws samples in one thread; got threads={self.threads}. Leave it out, and "
                "use more actors.",
                field="threads",
            )

    def _check_without_tree(self) -> None:
        for label, value in (("memory_gb", self.limits.memory_gb), ("form", self.form)):
            if value is not None:
                raise AlgorithmError(
                    f"Without a tree nothing is compiled, so that {label}={value!r} would do "
                    "nothing. Leave it out; sampling='external(tree=False, gigabytes=4)' limits "
                    "the memory.",
                )
