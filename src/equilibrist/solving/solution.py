"""What `solve` returns: a strategy, its certificate, the trace of how it came about, and what makes it resumable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .._util.display import Display
from .._util.plain import to_plain
from ..cfr.concepts import NASH
from ..cfr.criteria import WithinFloors
from ..errors import SolutionError
from ..evaluation.evaluate import guarantee
from ..evaluation.gaps import gap_words
from ..game.locks import Lock, find_locks
from ..strategy.strategy import Strategy
from .citation import citation
from .config import SolveConfig
from .info import RunInfo
from .recording import Recording
from .save import save_solution
from .trace import MEASURES, Checkpoint, Trace

if TYPE_CHECKING:
    from pathlib import Path

    from ..games.load import Trust
    from .resolved_part import ResolvedPart

PRECISION = "precision"
STOP_REASONS = (
    "iterations",
    "until",
    PRECISION,
    "seconds",
    "nodes",
    "out of memory",
    "interrupt",
    "stop",
    "error",
    "optimal",
)
"""What may have ended a run."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True, eq=False)
class Solution(Display):
    """A strategy with its certificate, its trace, and what was recorded on the way.

    Attributes
    ----------
    strategy : Strategy
        The average strategy.
    final : Checkpoint
        What is known of it: value, nash_conv, exploitability, and so on, which are attributes of
        the solution as well.
    trace : Trace
        A tuple of :class:`Checkpoint`: at iterations 1, 2, 3, 4, 6, 8, 12, 16, … (powers of √2,
        rounded up) and at the end. It converts to Arrow, pandas and Polars.
    seconds : dict
        Seconds spent on ``compile`` (the game), ``jit`` (loading or compiling the kernels),
        ``solve`` (iterating), ``certify`` (computing nash_conv at the checkpoints), and ``record``
        where something is recorded.
    stop_reason : str
        What ended the run: ``"iterations"``, ``"until"``, ``"precision"`` (``until`` asks for less
        than float64 can tell, or there is no room for tables in more digits, without which it would
        get worse), ``"seconds"``, ``"nodes"``, ``"out of memory"`` (there is room for no more
        infosets, or no more of the recording), ``"interrupt"`` (Ctrl-C, SIGTERM or SIGHUP),
        ``"stop"`` (a callback ``should_stop``), ``"error"`` (a callback raised one) or
        ``"optimal"``.
    info : RunInfo
        Run id, settings, versions, and the name, sizes and kind of the game.
    recording : Recording or None
        What was kept of chosen infosets on the way, where :func:`equilibrist.solve` was asked to
        record them.
    state : dict
        The arrays with which the run goes on: regret sums, sums of the average strategy, and so on.
    folder : Path or None
        Where it was loaded from.
    trust : bool or collection of path
        Whether the Python file that it names as its game may be run where it is resumed.
    current_by : callable or None
        What reads :attr:`current` off the tables; None where there are none.
    part : ResolvedPart or None
        Of a part that :func:`equilibrist.resolve` has solved: by which method and for whom, and
        what the opponent's hands get.
    """

    strategy: Strategy
    final: Checkpoint
    trace: Trace
    seconds: dict[str, float]
    stop_reason: str
    info: RunInfo
    recording: Recording | None = None
    state: dict[str, NDArray[Any]] = field(default_factory=dict)
    folder: Path | None = None
    trust: Trust = False
    current_by: Callable[[Solution], Strategy] | None = None
    part: ResolvedPart | None = None

    def __repr__(self) -> str:
        value = ", ".join(f"{number:.6g}" for number in self.value) or "unknown"
        if self.final.is_certified:
            gap = f"{self.final.gap:.3g}"
        else:
            gap = "unknown"
        return (
            f"<Solution of {self.game} by {self.algorithm}: {self.iterations:,} iterations, "
            f"value ({value}), {gap_words(self.players).gap} {gap}>"
        )

    @property
    def config(self) -> SolveConfig | None:
        """The settings of the run: ``info.config``."""
        return self.info.config

    @property
    def algorithm(self) -> str:
        """Name of the algorithm, or ``"exact"`` for the linear programme."""
        if self.config is None:
            return "exact"
        return self.config.algorithm.name

    @property
    def sampling(self) -> str:
        """What an iteration visits, as :func:`equilibrist.solve` takes it."""
        if self.config is None:
            return "full"
        return str(self.config.sampling)

    @property
    def game(self) -> str:
        """The game, as :func:`equilibrist.load` takes it where it was given as text, else its name."""
        return self.info.game.name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.info.game.players

    @property
    def histories(self) -> int | None:
        """Number of histories; None without a tree."""
        return self.info.game.histories

    @property
    def infosets(self) -> int:
        """Number of infosets of all players; without a tree, of those met."""
        return self.info.game.infosets

    @property
    def slots(self) -> int:
        """Number of actions at infosets, and of players; without a tree, of what was met."""
        return self.info.game.slots

    @property
    def zero_sum(self) -> bool | None:
        """Whether payoffs sum to 0 everywhere; None without a tree."""
        return self.info.game.zero_sum

    @property
    def is_complete(self) -> bool:
        """Whether the strategy has all infosets; without a tree it has those met, and elsewhere plays uniformly."""
        return self.info.game.traits.is_complete

    @property
    def iterations(self) -> int:
        """Iterations run, those before a resume included."""
        return self.final.iteration

    @property
    def nodes_touched(self) -> int:
        """Histories that the recursion of the papers visits: one traversal for each player at each iteration.

        The unit is the same for every form, turns and sampling (docs/sampling.md).
        ``seconds["solve"]`` says what they cost here.
        """
        return self.final.nodes_touched

    @property
    def value(self) -> tuple[float, ...]:
        """Expected payoff of each player; payoff per game. Empty without a tree, where nobody knows."""
        return self.final.value

    @property
    def nash_conv(self) -> float:
        """Σ over players of (best-response value − value), exact and never clamped.

        NaN where it is not known, as of a run that was sampled without a tree.
        """
        return self.final.nash_conv

    @property
    def exploitability(self) -> float:
        """nash_conv / players; payoff per game.

        NaN where it is not known, as of a run that was sampled without a tree: no comparison with a
        number holds of it. The command and JSON say "unknown" and null.

        Examples
        --------
        >>> import equilibrist as eq
        >>> eq.solve("kuhn", iterations=100).exploitability < 0.01
        True
        >>> sampled = eq.solve("kuhn", sampling="external(tree=False)", iterations=100)
        >>> sampled.exploitability, sampled.final.is_certified
        (nan, False)
        """
        return self.final.exploitability

    @property
    def exploitability_percent(self) -> float:
        """Exploitability in % of the pot; NaN where the game has none."""
        return self.final.exploitability_percent

    @property
    def deviation_gains(self) -> tuple[float, ...]:
        """What each player could gain by deviating alone, best-response value − value; their sum is nash_conv."""
        return self.final.deviation_gains

    @property
    def cce_distance(self) -> float:
        """Distance of the play from a coarse correlated equilibrium, payoff per game.

        The play is the profile of each iteration with the weights of the average; the distance is
        the largest gain of a player who leaves it for the best plan of their own. At 0 or below it
        is an equilibrium. NaN where it is not tracked: for one player, for two in a zero-sum game,
        and with sampling.
        """
        return self.final.cce_distance

    @property
    def guarantee(self) -> str:
        """What nash_conv promises for this kind of game, in one sentence."""
        concept = NASH if self.config is None else self.config.concept
        if concept.guarantee:
            return concept.guarantee
        if self.config is not None and self.config.abstraction is not None:
            return self.config.abstraction.guarantee
        locks = len(self.locks)
        floors = WithinFloors.name in self.final.measures
        return guarantee(
            self.players,
            zero_sum=self.zero_sum,
            locks=locks,
            floors=floors,
            quantal=concept.is_quantal,
            walked=self.zero_sum is None and len(self.final.value) > 0,
        )

    @property
    def off_path(self) -> str:
        """What is promised where play does not come, as a part of a sentence: nothing, by a Nash equilibrium."""
        return (NASH if self.config is None else self.config.concept).off_path

    @property
    def current(self) -> Strategy:
        """The strategy that the next iteration would play: the last one, of which ``strategy`` is an average.

        It goes around the equilibria of most games, and approaches one where nothing is averaged
        (``eq.QRE``).

        Raises
        ------
        SolutionError
            The run holds no tables, or those of a saved run cannot be read without a game that no
            name tells.
        """
        if self.current_by is None:
            raise SolutionError(
                f"This solution of {self.game} holds no tables of what was played on the way."
            )
        return self.current_by(self)

    @property
    def locks(self) -> tuple[Lock, ...]:
        """Where the strategy of a card game was fixed beforehand; the best responses of the certificate keep to it."""
        form = self.strategy.form
        if form is None:
            return ()
        return find_locks(form.game)

    def citation(self) -> str:
        """Return what to cite, as BibTeX: this software, and the papers of the algorithm and, where known, the game.

        Examples
        --------
        >>> import equilibrist as eq
        >>> print(eq.solve("kuhn", "cfr+", iterations=1).citation().split("% ")[2])
        the algorithm, cfr+
        @article{tammelin2014solving,
          author = {Oskari Tammelin},
          title = {{Solving large imperfect information games using CFR+}},
          journal = {arXiv:1407.5042},
          year = {2014},
        }
        <BLANKLINE>
        <BLANKLINE>
        """
        return citation(self.info)

    def summary(self) -> dict[str, Any]:
        """Return everything but the strategy, the state and what was recorded, as plain data for JSON."""
        info = to_plain(self.info)
        final = to_plain(self.final)
        game = info.pop("game")
        del final["iteration"], final["seconds"]
        return {
            "game": game.pop("name"),
            "algorithm": self.algorithm,
            **game,
            "iterations": self.iterations,
            **dict.fromkeys(MEASURES),
            **final.pop("measures"),
            **final,
            "stop_reason": self.stop_reason,
            "guarantee": self.guarantee,
            "seconds": dict(self.seconds),
            "recording": None if self.recording is None else self.recording.summary(),
            **info,
            **({} if self.part is None else {"part": self.part.summary()}),
            "trace": to_plain(self.trace),
        }

    def save(self, folder: str | Path, *, streets: int | None = None) -> None:
        """Write a run folder: ``checkpoint.npz``, ``solution.json``, ``strategy.csv``, and ``recording.parquet``.

        The checkpoint alone is enough to load again, and is replaced whole or not at all: an
        interrupted save leaves a folder that loads, as it was before or as it is now. The others
        are for people and other programs; no strategy of more than two million probabilities is
        written as CSV (:meth:`Strategy.write_csv` writes any), and no recording where nothing was
        recorded.

        Parameters
        ----------
        folder : path
            Made where it is not there.
        streets : int, optional
            Of a card game, save the strategy of so many streets, the first ones, and nothing else:
            a small file, which is read but not resumed. :func:`equilibrist.resolve` solves a later
            street again on demand.

        Raises
        ------
        SolutionError
            The folder cannot be written to, a run is saving to it at this moment, it holds the
            checkpoints of a run over actors, or there are no such streets.
        """
        save_solution(self, folder, streets=streets)
