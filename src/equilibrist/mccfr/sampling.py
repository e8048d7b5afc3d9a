"""Sampling schemes, a class each, whose fields are the options that mean something there.

Whatever the scheme, a *traversal* for one player draws a small piece of the game from the root and
updates that player's regrets there. At each history one of three kinds of mover acts, and a scheme
says for each kind how many of the moves are followed:

* ``"all"``: every one, weighted with its probability;
* ``"one"``: one drawn move (an outcome of chance or a move of another player with its own
  probability, a move of the updating player with ε mixed in and its estimate divided by the
  probability of having been drawn);
* ``"some"``: of the updating player's moves each with a probability of its own, estimates divided
  by it;
* ``"public"``: of outcomes of chance that everybody sees one, the same for all histories that look
  the same from outside; of the others all.

Every scheme estimates the same instant regrets without bias, if outcomes of chance are not of low
discrepancy; they differ in cost and in variance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from .._util.names import canonical_name
from .._util.plain import fields_from_plain
from .._util.spec import parse_call
from .._util.validate import is_number, is_whole
from ..cfr.algorithms import SAMPLING_ALIASES
from ..errors import AlgorithmError, nearest

if TYPE_CHECKING:
    from ..cfr.algorithms import Algorithm

Followed = Literal["all", "one", "some", "public"]
MOST_BATCH = 10**9


class Sampling:
    """Base of the sampling schemes: who is followed, and the options as they are where a scheme does not have them.

    A scheme is a frozen dataclass that says who is followed; its fields are those of the options
    below that mean something there. Options change the variance of a run or its cost, never what it
    estimates, but for regret-based pruning, which leaves regrets out on purpose.

    Attributes
    ----------
    name, source : str
        The name by which :func:`find_sampling` knows the scheme, and who has published it.
    chance, updating, others : {"all", "one", "some", "public"}
        How many moves of chance, of the updating player and of the others are followed.
    average : {None, "opponent", "stochastic", "optimistic", "lazy"}
        How the average strategy is summed up. ``"opponent"``: at the histories of the player who is
        not updated, who goes there with the own reach that the average is weighted with; divided by
        the probability of the updating player's draws (Lanctot 2009; schemes that draw the others'
        moves, two players). ``"stochastic"``: at the histories of the updating player, weighted
        with own reach, which chance visits equally often in all iterations (schemes that follow all
        moves of the others). ``"optimistic"``: the same, as if the present strategy had been played
        since the last visit (Lanctot 2013, 4.4). ``"lazy"``: what has gone by since the last visit
        is added at the next one, exactly, for any number of players. None: the one that comes with
        the scheme.
    baseline : {None, "infoset", "history"}
        Control variates (Schmid et al. 2019): running estimates of the value of each move, by
        infoset and move or by history, are subtracted where moves are drawn.
    baseline_rate : float
        How fast a baseline follows new estimates, above 0, at most 1.
    epsilon, tau, beta : float
        Exploration: see :class:`Outcome` and :class:`AverageStrategySampling`.
    pruning : {None, "zero-reach", "regret"}
        ``"zero-reach"``: leave out what the others never reach; the result is the same, but for
        algorithms with a prediction, which goes on there with the last one.
        ``"regret"``: leave out moves whose regret sum is below ``prune_below``, save in a share
        ``revisit`` of the traversals (Brown & Sandholm 2019, Pluribus). The average is ``"lazy"``.
    prune_below : float
        A regret sum, payoff × probability, below 0.
    revisit : float
        Share of traversals that leave nothing out, above 0, at most 1.
    low_discrepancy : bool
        Whether the first eight outcomes of chance of a traversal come from a low-discrepancy
        sequence. They are more even over many traversals; but as they hang on those before, regrets
        are not estimated without bias given these.
    one_deal : bool
        Whether an iteration has one deal: the n-th outcome of chance is decided by the same number on
        every path of a traversal, and in the traversals of all players. The cards are then the same
        whatever is played, so that luck cancels where actions are compared.
    batch : int
        Traversals of one player against the same strategies, whose updates are then added; at most
        10^9.
    tree : bool
        Whether the game is compiled. If not, infosets are kept as they are met and nothing else is.
    gigabytes : float, optional
        Without a tree: stop before infosets and samples take more than this. A saved run may go on
        with more.

    Raises
    ------
    AlgorithmError
        An option has a value that means nothing for this scheme.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", sampling=eq.Outcome(average="lazy"), iterations=20_000, seed=1)
    >>> solution.exploitability < 0.05
    True
    >>> eq.ChanceSampling(batch=0)
    Traceback (most recent call last):
    equilibrist.errors.AlgorithmError: Sampling 'chance': batch must be a whole number, 1 to 10^9; got batch=0.
    """

    name: ClassVar[str]
    source: ClassVar[str]
    chance: ClassVar[Followed]
    updating: ClassVar[Followed]
    others: ClassVar[Followed]

    average: str | None = None
    baseline: str | None = None
    baseline_rate: float = 0.5
    epsilon: float = 0.0
    tau: float = 0.0
    beta: float = 0.0
    pruning: str | None = None
    prune_below: float = -30_000.0
    revisit: float = 0.05
    low_discrepancy: bool = False
    one_deal: bool = False
    batch: int = 1
    tree: bool = True
    gigabytes: float | None = None

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            SCHEMES[cls.name] = cls

    def __post_init__(self) -> None:
        choices = self.choices()
        for option, usual in self.options().items():
            value = getattr(self, option)
            if option in choices:
                self._check_choice(option, choices[option])
            elif (value, usual) != (None, None):
                accepts, allowed, kind = _ALLOWED[option]
                if not accepts(value):
                    self._refuse(f"{option} must be {allowed}", option)
                # A plain one, so that 1 is written as 1.0 is.
                object.__setattr__(self, option, kind(value))
        self._check_together()

    @classmethod
    def options(cls) -> dict[str, Any]:
        """Return the options of this scheme with their defaults, in the order in which they are written."""
        defaults = {option.name: option.default for option in fields(cls)}  # type: ignore[arg-type]
        return {
            option: defaults[option] for option in Sampling.__annotations__ if option in defaults
        }

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """Return what the options that are words can be for this scheme, but for None; the usual average first."""
        return {
            "average": ("opponent", "lazy")
            if cls.others == "one"
            else ("stochastic", "optimistic", "lazy"),
            "baseline": ("history",)
            if cls.updating == cls.others == "all"
            else ("infoset", "history"),
            "pruning": (
                *["zero-reach"] * (cls.others == "all"),
                *["regret"] * (cls.updating == "all"),
            ),
        }

    def _check_choice(self, option: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, option)
        if value is None or value in choices:
            return
        if str(value) in _WHY_NOT:
            self._refuse(
                f"Sampling {self.name!r} {_WHY_NOT[value]}",
                option,
                f"use {' or '.join(map(repr, choices))}",
            )
        self._refuse(f"{option} must be None or one of {', '.join(map(repr, choices))}", option)

    def _check_together(self) -> None:
        for option in ("prune_below", "revisit"):
            if self.pruning != "regret" and getattr(self, option) != getattr(Sampling, option):
                self._refuse(
                    f"{option} is a part of pruning='regret' only", option, "use pruning='regret'"
                )
        if self.baseline is None and self.baseline_rate != Sampling.baseline_rate:
            self._refuse(
                "There is no baseline to follow anything", "baseline_rate", "add baseline='history'"
            )
        if self.baseline == "history" and not self.tree:
            self._refuse(
                "Without a tree there is nowhere to keep a baseline by history",
                "baseline",
                "use 'infoset'",
            )
        if self.pruning is not None and self.average not in (None, "lazy"):
            self._refuse(
                "Only a lazy average makes up for what pruning leaves out", "average", "use 'lazy'"
            )
        if self.gigabytes is not None and self.tree:
            self._refuse(
                "A limit on gigabytes is kept without a tree only", "gigabytes", "add tree=False"
            )

    def _refuse(self, why: str, option: str, instead: str | None = None) -> None:
        if instead is None:
            remedy = "."
        else:
            remedy = f". Leave it out, or {instead}."
        prefix = "" if why[0].isupper() else f"Sampling {self.name!r}: "
        raise AlgorithmError(f"{prefix}{why}; got {option}={getattr(self, option)!r}{remedy}")

    def __str__(self) -> str:
        """Return the text that :func:`find_sampling` reads: the scheme, and what differs from the defaults."""
        changed = [
            f"{option}={getattr(self, option)!r}"
            for option, usual in self.options().items()
            if getattr(self, option) != usual
        ]
        if changed:
            return f"{self.name}({', '.join(changed)})"
        return self.name

    def to_plain(self) -> dict[str, Any]:
        """Return the scheme and all its options, as run folders keep them."""
        return {"scheme": self.name, **{option: getattr(self, option) for option in self.options()}}

    @staticmethod
    def from_plain(table: dict[str, Any]) -> Sampling:
        """Return the sampling of which :meth:`to_plain` made plain data."""
        scheme = SCHEMES[table["scheme"]]
        options = {name: value for name, value in table.items() if name != "scheme"}
        if "one_deal" in scheme.options():
            # Runs of earlier versions do not say it.
            options.setdefault("one_deal", False)
        return scheme(**fields_from_plain(scheme, options))

    @classmethod
    def summary(cls) -> dict[str, str]:
        """Return the name of the scheme, its source, who is followed, and how the average is summed up."""
        return {
            name: getattr(cls, name) for name in ("name", "source", "chance", "updating", "others")
        } | {"average": cls.average or cls.choices()["average"][0]}

    @property
    def draws(self) -> bool:
        """Whether anybody's moves are drawn, so that regrets are estimates."""
        return not self.chance == self.updating == self.others == "all"

    @property
    def draws_deals(self) -> bool:
        """Whether outcomes of chance are drawn one by one."""
        return self.chance == "one"

    @property
    def tries_all(self) -> bool:
        """Whether all moves of the updating player are followed."""
        return self.updating == "all"

    @property
    def draws_paths(self) -> bool:
        """Whether a traversal is a single path."""
        return self.chance == self.updating == self.others == "one"

    @property
    def full_width(self) -> bool:
        """Whether every history is visited."""
        return not self.draws and self.pruning is None

    @property
    def random(self) -> bool:
        """Whether something is drawn, so that another seed gives another run."""
        return self.draws or self.pruning == "regret"

    def average_for(self, players: int) -> str:
        """Return the kind of average taken in a game of that many players."""
        usual = self.choices()["average"][0]
        if self.average is None and (
            self.pruning is not None or (usual == "opponent" and players != 2)
        ):
            return "lazy"
        if self.average == "opponent" and players != 2:
            raise AlgorithmError(
                "average='opponent' weighs the others' moves right for two players only; this "
                f"game has {players}. Leave it out, or use 'lazy'.",
            )
        return self.average or usual

    def check_algorithm(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that makes no sense with this sampling."""
        if self.full_width:
            return
        if algorithm.is_schedule or algorithm.restart is not None:
            if algorithm.is_schedule:
                why = (
                    "Its schedule plans full passes; use 'cfr', 'lcfr' or 'dcfr', or "
                    "sampling='full'."
                )
            else:
                why = "Its average restarts, which averages of what is sampled do not."
            raise AlgorithmError(
                f"The sampling of {algorithm.name!r} must be 'full'; got '{self}'. {why}"
            )
        if self.pruning == "regret" and algorithm.floor:
            raise AlgorithmError(
                f"No regret sum of {algorithm.name!r} is ever below 0, so pruning='regret' would "
                "do nothing. Use 'cfr', 'lcfr' or 'dcfr', or leave pruning out.",
            )


SCHEMES: dict[str, type[Sampling]] = {}
"""The sampling schemes by name; a subclass of :class:`Sampling` is entered when it is defined."""


_SHARE = lambda value: is_number(value, above=0) and value <= 1, "above 0, at most 1", float
_NOT_NEGATIVE = lambda value: is_number(value) and value >= 0, "0 or more", float
_FLAG = lambda value: isinstance(value, bool), "True or False", bool
_ALLOWED: dict[str, tuple[Callable[[Any], bool], str, type]] = {
    "baseline_rate": _SHARE,
    "epsilon": _SHARE,
    "tau": _NOT_NEGATIVE,
    "beta": _NOT_NEGATIVE,
    "prune_below": (lambda value: is_number(value) and value < 0, "below 0", float),
    "revisit": _SHARE,
    "low_discrepancy": _FLAG,
    "one_deal": _FLAG,
    "batch": (lambda value: is_whole(value, 1, MOST_BATCH), "a whole number, 1 to 10^9", int),
    "tree": _FLAG,
    "gigabytes": (lambda value: is_number(value, above=0), "above 0", float),
}
"""For each option that is no word: a test of its values, the same in words, and the type that it is kept as."""

_DOES_NOT_CONVERGE = (
    "never draws a move that the others play with probability 0, so that this average leaves out "
    "the iterations in which they play it so, and does not converge"
)
_WHY_NOT = {
    "opponent": "follows all moves of the others, so that their histories count nothing",
    "stochastic": _DOES_NOT_CONVERGE,
    "optimistic": _DOES_NOT_CONVERGE,
    "infoset": "draws only where nobody has an infoset",
    "zero-reach": "never goes where nobody goes",
    "regret": "chooses its moves by itself",
}
"""Why a scheme has no use for a word that others have."""


@dataclass(frozen=True, kw_only=True)
class _Pruned(Sampling):
    """Schemes that may leave out moves."""

    pruning: str | None = None
    prune_below: float = -30_000.0
    revisit: float = 0.05
    batch: int = 1


@dataclass(frozen=True, kw_only=True)
class _ChanceDrawn(Sampling):
    """Schemes that draw outcomes of chance one by one."""

    average: str | None = None
    baseline: str | None = None
    baseline_rate: float = 0.5
    low_discrepancy: bool = False
    one_deal: bool = False
    batch: int = 1
    tree: bool = True
    gigabytes: float | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class Full(_Pruned):
    """Full-width CFR: every history, but for what ``pruning`` leaves out. Options: :class:`Sampling`."""

    name = "full"
    source = "Zinkevich et al. 2007"
    chance = "all"
    updating = "all"
    others = "all"
    average = "lazy"

    def _check_together(self) -> None:
        if self.pruning is None and str(self) != self.name:
            raise AlgorithmError(
                f"Full-width CFR takes no options but pruning; got {self}. Name a scheme: "
                "'external', for example.",
            )
        super()._check_together()


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(_ChanceDrawn, _Pruned):
    """Chance sampling: one outcome of chance, all moves of players. Options: :class:`Sampling`."""

    name = "chance"
    source = "Zinkevich et al. 2007"
    chance = "one"
    updating = "all"
    others = "all"


@dataclass(frozen=True, kw_only=True)
class External(_ChanceDrawn, _Pruned):
    """External sampling: one outcome of chance, one move of the others, all moves of the updating player.

    Options: :class:`Sampling`.
    """

    name = "external"
    source = "Lanctot et al. 2009"
    chance = "one"
    updating = "all"
    others = "one"


@dataclass(frozen=True, kw_only=True)
class Outcome(_ChanceDrawn):
    """Outcome sampling: one move everywhere.

    ``epsilon`` is the share of uniform play mixed into the updating player's draws; other options:
    :class:`Sampling`.
    """

    name = "outcome"
    source = "Lanctot et al. 2009"
    chance = "one"
    updating = "one"
    others = "one"

    epsilon: float = 0.6


@dataclass(frozen=True, kw_only=True)
class AverageStrategySampling(_ChanceDrawn):
    """Average strategy sampling: external sampling that follows some moves of the updating player.

    A move with the sum s of average strategy at an infoset with the total S is followed with
    probability max(``epsilon``, (``beta`` + ``tau`` s) / (``beta`` + S)). Other options:
    :class:`Sampling`.
    """

    name = "average-strategy"
    source = "Gibson et al. 2012"
    chance = "one"
    updating = "some"
    others = "one"

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6


@dataclass(frozen=True, kw_only=True)
class PublicChance(_Pruned):
    """Public chance sampling: one outcome of chance where everybody sees it. Options: :class:`Sampling`."""

    name = "public-chance"
    source = "Johanson et al. 2012"
    chance = "public"
    updating = "all"
    others = "all"

    average: str | None = None


ZERO_REACH = Full(pruning="zero-reach")
"""Full width, but for what the others never reach."""


def find_sampling(sampling: str | Sampling) -> Sampling:
    """Return the sampling that a text names: a scheme, with options as in ``outcome(epsilon=0.4, average='lazy')``.

    Schemes are those of :data:`SCHEMES` and what else they are called, as "cfrcs" for chance
    sampling.
    """
    if isinstance(sampling, Sampling):
        return sampling
    name, settings = parse_call(
        str(sampling), AlgorithmError, example="outcome(epsilon=0.4, average='lazy')"
    )
    name, settings = canonical_name(
        "sampling", name, settings, SCHEMES, SAMPLING_ALIASES, AlgorithmError
    )
    scheme = SCHEMES[name]
    for option in settings:
        if option not in scheme.options():
            raise AlgorithmError(_unknown_option_text(scheme, option, settings[option]))
    return scheme(**settings)


def _unknown_option_text(scheme: type[Sampling], option: str, value: Any) -> str:
    """Return what is said of an option that a scheme does not have, but others may."""
    other_schemes = [repr(other.name) for other in SCHEMES.values() if option in other.options()]
    if not other_schemes:
        return (
            f"Sampling {scheme.name!r} has no option {option!r}.{nearest(option, scheme.options())}"
        )
    return (
        f"Sampling {scheme.name!r} takes no {option}; got {option}={value!r}. Leave it out, or use "
        f"{' or '.join(other_schemes)}."
    )
