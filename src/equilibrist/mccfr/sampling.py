"""Sampling schemes as data, and the options that go with them.

Whatever the scheme, a *traversal* for one player draws a small piece of the game from the root and updates that
player's regrets there. At each history one of three kinds of mover acts, and a scheme says for each kind how many of
the moves are followed:

* ``"all"``: every one, weighted with its probability;
* ``"one"``: one drawn move (an outcome of chance or a move of another player with its own probability, a move of the
  updating player with ε mixed in and its estimate divided by the probability of having been drawn);
* ``"some"``: of the updating player's moves each with a probability of its own, estimates divided by it;
* ``"public"``: of outcomes of chance that everybody sees one, the same for all histories that look the same from
  outside; of the others all.

Every scheme estimates the same instant regrets without bias, if outcomes of chance are not of low discrepancy; they
differ in cost and in variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from .._util.names import resolve
from .._util.spec import parse_call
from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError, nearest

if TYPE_CHECKING:
    from ..cfr.algorithms import Algorithm


@dataclass(frozen=True, slots=True)
class Scheme:
    """A sampling scheme: how many moves of chance, of the updating player, and of the others are followed."""

    source: str
    chance: str
    own: str
    others: str
    average: str  # the kind of average taken where the user names none
    epsilon: float | None = None


SCHEMES: dict[str, Scheme] = {
    "full": Scheme("Zinkevich et al. 2007", "all", "all", "all", "lazy"),
    "chance": Scheme("Zinkevich et al. 2007", "one", "all", "all", "stochastic"),
    "external": Scheme("Lanctot et al. 2009", "one", "all", "one", "opponent"),
    "outcome": Scheme("Lanctot et al. 2009", "one", "one", "one", "opponent", epsilon=0.6),
    "average-strategy": Scheme("Gibson et al. 2012", "one", "some", "one", "opponent", epsilon=0.05),
    "public-chance": Scheme("Johanson et al. 2012", "public", "all", "all", "stochastic"),
}
"""The built-in schemes by name."""

AVERAGES = ("opponent", "stochastic", "optimistic", "lazy")
BASELINES = ("infoset", "history")
PRUNINGS = ("zero-reach", "regret")
MOST_BATCH = 10**9
_NUMBERS = ("baseline_rate", "epsilon", "tau", "beta", "prune_below", "revisit", "batch", "gigabytes")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a run samples: a scheme, and options that change its variance or its cost, never what it estimates.

    The one exception is regret-based pruning, which leaves regrets out on purpose.

    Parameters
    ----------
    scheme : str
        A key of :data:`SCHEMES`: ``"full"``, ``"chance"``, ``"external"``, ``"outcome"``, ``"average-strategy"`` or
        ``"public-chance"``.
    average : {None, "opponent", "stochastic", "optimistic", "lazy"}
        How the average strategy is summed up. ``"opponent"``: at the histories of the player who is not updated, who
        goes there with the own reach that the average is weighted with; divided by the probability of the updating
        player's draws (Lanctot 2009; schemes that draw the others' moves, two players). ``"stochastic"``: at the
        histories of the updating player, weighted with own reach, which chance visits equally often in all iterations
        (schemes that follow all moves of the others). ``"optimistic"``: the same, as if the present strategy had been
        played since the last visit (Lanctot 2013, 4.4). ``"lazy"``: what has gone by since the last visit is added at
        the next one, exactly, for any number of players. None: the one that comes with the scheme.
    baseline : {None, "infoset", "history"}
        Control variates (Schmid et al. 2019): running estimates of the value of each move, by infoset and move or by
        history, are subtracted where moves are drawn.
    baseline_rate : float
        How fast a baseline follows new estimates, above 0, at most 1.
    epsilon : float, optional
        ``"outcome"``: the share of uniform play mixed into the updating player's draws (0.6). ``"average-strategy"``:
        the least probability with which a move is followed (0.05).
    tau, beta : float
        ``"average-strategy"``: a move with the sum s of average strategy at an infoset with the total S is followed
        with probability max(ε, (β + τ s) / (β + S)).
    pruning : {None, "zero-reach", "regret"}
        ``"zero-reach"``: leave out what the others never reach; the result is the same, but for algorithms with a
        prediction, which goes on there with the last one.
        ``"regret"``: leave out moves whose regret sum is below ``prune_below``, save in a share ``revisit`` of the
        traversals (Brown & Sandholm 2019, Pluribus). The average is ``"lazy"``.
    prune_below : float
        A regret sum, payoff × probability, below 0.
    revisit : float
        Share of traversals that leave nothing out, above 0, at most 1.
    low_discrepancy : bool
        Whether the first eight outcomes of chance of a traversal come from a low-discrepancy sequence. They are more
        even over many traversals; but as they hang on those before, regrets are not estimated without bias given these.
    batch : int
        Traversals of one player against the same strategies, whose updates are then added; at most 10^9.
    tree : bool
        Whether the game is compiled. If not, infosets are kept as they are met and nothing else is.
    gigabytes : float, optional
        Without a tree: stop before infosets and samples take more than this. A saved run may go on with more.

    Raises
    ------
    AlgorithmError
        An option is unknown, or has no meaning for this scheme.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", sampling=eq.Sampling("outcome", average="lazy"), iterations=20_000, seed=1)
    >>> solution.exploitability < 0.05
    True
    >>> eq.Sampling("chance", batch=0)
    Traceback (most recent call last):
    equilibrist.errors.AlgorithmError: Sampling 'chance': batch must be a whole number, 1 to 10^9; got batch=0.
    """

    scheme: str = "full"
    average: str | None = None
    baseline: str | None = None
    baseline_rate: float = 0.5
    epsilon: float | None = None
    tau: float = 1000.0
    beta: float = 1e6
    pruning: str | None = None
    prune_below: float = -30_000.0
    revisit: float = 0.05
    low_discrepancy: bool = False
    batch: int = 1
    tree: bool = True
    gigabytes: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.scheme, str) or self.scheme not in SCHEMES:
            raise AlgorithmError(
                f"There is no sampling {self.scheme!r}.{nearest(str(self.scheme), SCHEMES)}", wrong_use=True
            )
        for option, allowed in (("average", AVERAGES), ("baseline", BASELINES), ("pruning", PRUNINGS)):
            value = getattr(self, option)
            if value is not None and value not in allowed:
                words = ", ".join(map(repr, allowed))
                self._refuse(f"{option} must be None or one of {words}", option)
        for option, least, most in (
            ("epsilon", 0.0, 1.0),
            ("baseline_rate", 0.0, 1.0),
            ("revisit", 0.0, 1.0),
            ("gigabytes", 0.0, math.inf),
        ):
            value = getattr(self, option)
            if value is not None and not (is_number(value) and least < value <= most):
                self._refuse(f"{option} must be above 0" + (", at most 1" if most == 1 else ""), option)
        for option in ("tau", "beta"):
            if not (is_number(getattr(self, option)) and getattr(self, option) >= 0):
                self._refuse(f"{option} must be 0 or more", option)
        if not (is_number(self.prune_below) and self.prune_below < 0):
            self._refuse("prune_below must be below 0", "prune_below")
        batch = self.batch
        if not is_whole(batch, 1, MOST_BATCH):
            self._refuse("batch must be a whole number, 1 to 10^9", "batch")
        for option in ("low_discrepancy", "tree"):
            if not isinstance(getattr(self, option), bool):
                self._refuse(f"{option} must be True or False", option)
        self._check_meaning()
        for option in _NUMBERS:  # plain ones, so that the text of a sampling can be read, and is the same for 1 and 1.0
            value = getattr(self, option)
            if value is not None:
                object.__setattr__(self, option, int(value) if option == "batch" else float(value))

    def _check_meaning(self) -> None:
        """Refuse options that would do nothing, or not what they say, with this scheme."""
        definition = SCHEMES[self.scheme]
        draws_moves = definition.own != "all"
        if self.epsilon is not None and not draws_moves:
            self._refuse(
                "Sampling {scheme!r} draws no moves with epsilon", "epsilon", "use 'outcome' or 'average-strategy'"
            )
        for option, companion, means in (
            ("tau", "scheme", "average-strategy"),
            ("beta", "scheme", "average-strategy"),
            ("prune_below", "pruning", "regret"),
            ("revisit", "pruning", "regret"),
        ):
            if getattr(self, companion) != means and getattr(self, option) != _DEFAULTS[option]:
                part = f"scheme {means!r}" if companion == "scheme" else f"{companion}={means!r}"
                self._refuse(f"{option} is a part of {part} only", option, f"use {part}")
        if self.baseline is None and self.baseline_rate != _DEFAULTS["baseline_rate"]:
            self._refuse("There is no baseline to follow anything", "baseline_rate", "add baseline='history'")
        if self.baseline is not None and definition.chance != "one":
            self._refuse("Sampling {scheme!r} has no use for a baseline", "baseline", "use 'external' or 'outcome'")
        if self.baseline == "infoset" and self.scheme == "chance":
            self._refuse(
                "Sampling 'chance' draws only where nobody has an infoset", "baseline", "use baseline='history'"
            )
        if self.baseline == "history" and not self.tree:
            self._refuse("Without a tree there is nowhere to keep a baseline by history", "baseline", "use 'infoset'")
        if self.average == "opponent" and definition.others != "one":
            self._refuse(
                "Sampling {scheme!r} follows all moves of the others, so that their histories count nothing",
                "average",
                "use 'stochastic' or 'lazy'",
            )
        if self.pruning == "zero-reach" and definition.others != "all":
            self._refuse("Sampling {scheme!r} never goes where nobody goes", "pruning", "use 'regret'")
        if self.average in ("stochastic", "optimistic") and definition.others != "all":
            self._refuse(
                "Sampling {scheme!r} never draws a move that the others play with probability 0, so that this average "
                "leaves out the iterations in which they play it so, and does not converge",
                "average",
                "use 'lazy'",
            )
        if self.pruning is not None and self.average not in (None, "lazy"):
            self._refuse("Only a lazy average makes up for what pruning leaves out", "average", "use 'lazy'")
        if self.pruning == "regret" and draws_moves:
            self._refuse("Sampling {scheme!r} chooses its moves by itself", "pruning", "use 'external' or 'chance'")
        if self.low_discrepancy and definition.chance != "one":
            self._refuse(
                "Sampling {scheme!r} draws no outcomes of chance one by one", "low_discrepancy", "use 'chance'"
            )
        if not self.tree and definition.chance == "public":
            self._refuse("Sampling {scheme!r} reads the tree", "tree", "use 'external'")
        if not self.tree and self.scheme == "full":
            self._refuse("Sampling 'full' visits everything and keeps it", "tree", "use 'external' or 'outcome'")
        if self.gigabytes is not None and self.tree:
            self._refuse("A limit on gigabytes is kept without a tree only", "gigabytes", "add tree=False")
        if self.scheme == "full" and self.pruning is None and str(self) != "full":
            raise AlgorithmError(
                f"Full-width CFR takes no options but pruning; got {self}. Name a scheme: 'external', for example.",
                wrong_use=True,
            )

    def _refuse(self, why: str, option: str, instead: str | None = None) -> None:
        why = why.format(scheme=self.scheme)
        remedy = "." if instead is None else f". Leave it out, or {instead}."
        prefix = "" if why[0].isupper() else f"Sampling {self.scheme!r}: "
        raise AlgorithmError(f"{prefix}{why}; got {option}={getattr(self, option)!r}{remedy}", wrong_use=True)

    def __str__(self) -> str:
        """Return the text that :func:`find_sampling` reads: the scheme, and what differs from the defaults."""
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if field.name != "scheme" and getattr(self, field.name) != field.default
        ]
        return f"{self.scheme}({', '.join(changed)})" if changed else self.scheme

    @property
    def definition(self) -> Scheme:
        """The scheme."""
        return SCHEMES[self.scheme]

    @property
    def full_width(self) -> bool:
        """Whether every history is visited."""
        return self.scheme == "full" and self.pruning is None

    @property
    def random(self) -> bool:
        """Whether something is drawn, so that another seed gives another run."""
        return self.scheme != "full" or self.pruning == "regret"

    def average_for(self, players: int) -> str:
        """Return the kind of average taken in a game of that many players."""
        if self.average is None:
            if self.pruning is not None or (self.definition.average == "opponent" and players != 2):
                return "lazy"
            return self.definition.average
        if self.average == "opponent" and players != 2:
            raise AlgorithmError(
                f"average='opponent' weighs the others' moves right for two players only; this game has {players}. "
                "Leave it out, or use 'lazy'.",
                wrong_use=True,
            )
        return self.average

    def check_algorithm(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that makes no sense with this sampling."""
        if self.full_width:
            return
        if algorithm.needs_horizon:
            raise AlgorithmError(
                f"The sampling of {algorithm.name!r} must be 'full'; got '{self}'. Its schedule plans full passes; "
                "use 'cfr', 'lcfr' or 'dcfr', or sampling='full'.",
                wrong_use=True,
            )
        if algorithm.restart is not None:
            raise AlgorithmError(
                f"The sampling of {algorithm.name!r} must be 'full'; got '{self}'. Its average restarts, which "
                "averages of what is sampled do not.",
                wrong_use=True,
            )
        if self.pruning == "regret" and algorithm.floor:
            raise AlgorithmError(
                f"No regret sum of {algorithm.name!r} is ever below 0, so pruning='regret' would do nothing. "
                "Use 'cfr', 'lcfr' or 'dcfr', or leave pruning out.",
                wrong_use=True,
            )


_DEFAULTS = {field.name: field.default for field in fields(Sampling)}

ZERO_REACH = Sampling(pruning="zero-reach")
"""Full width, but for what the others never reach."""


def find_sampling(sampling: str | Sampling) -> Sampling:
    """Return the sampling that a text names: a scheme, with options as in ``outcome(epsilon=0.4, average='lazy')``.

    Schemes are those of :data:`SCHEMES` and what else they are called, as "cfrcs" for chance sampling.

    Raises
    ------
    AlgorithmError
        The text cannot be read, or an option is unknown or has no meaning.
    """
    if isinstance(sampling, Sampling):
        return sampling
    name, settings = parse_call(str(sampling), AlgorithmError, example="outcome(epsilon=0.4, average='lazy')")
    name, settings = resolve("sampling", name, settings, SCHEMES, AlgorithmError)
    known = [field.name for field in fields(Sampling) if field.name != "scheme"]
    for option in settings:
        if option not in known:
            raise AlgorithmError(f"Sampling has no option {option!r}.{nearest(option, known)}", wrong_use=True)
    return Sampling(name, **settings)
