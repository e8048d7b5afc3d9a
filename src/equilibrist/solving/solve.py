"""Solve a game: compile it, iterate until a limit is met, certify on the way, and return a Solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from .._util.files import make_folder
from .._util.validate import checked_seed, is_number, is_whole
from ..cfr.algorithms import Algorithm, find_algorithm
from ..cfr.full_width import PRECISIONS
from ..cfr.public_cfr import PublicCFR
from ..cfr.sequence_cfr import SequenceCFR
from ..cfr.solver import Solver
from ..errors import AlgorithmError, SolutionError
from ..evaluation.certificate import certify
from ..form.limits import MAX_DEPTH, Limits
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..mccfr.sampling import Sampling, find_sampling
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import InfosetTable, table_of
from ..mccfr.table_lazy import lazy_table
from ..strategy.strategy import Strategy
from .estimate import estimate
from .listeners import About, Listeners, followed, listed
from .prepare import Playable, Seconds, prepare, prepare_lazy, stopwatch
from .recorder import Record, Recorder, checked_record
from .run import Run, StopRule, solved
from .solution import Checkpoint, Solution, load_solution, set_aside
from .trace import Trace

DEFAULT_ITERATIONS = 1000


def solve(
    game: Playable | None = None,
    algorithm: str | Algorithm = "auto",
    *,
    form: str | None = None,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    threads: int = 1,
    precision: str | None = None,
    memory: float | None = None,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    alternating: bool | None = None,
    resume: Solution | str | Path | None = None,
    save: str | Path | None = None,
    record: Record | None = None,
    record_every: int | None = None,
    on_checkpoint: Listeners = None,
    on_stage: Callable[[str], None] | None = None,
    max_histories: int | None = None,
    max_depth: int = MAX_DEPTH,
) -> Solution:
    """Return the solution of a game: the average strategy of a CFR variant, with its exact exploitability.

    Stops at the first limit met; without any, after 1,000 iterations. An interrupt (Ctrl-C) also stops the run and
    returns what there is.

    Parameters
    ----------
    game : str, Game, PublicGame, SequenceForm or PublicForm
        As for :func:`equilibrist.load`, or compiled already by :func:`equilibrist.compile_game` or
        :func:`equilibrist.compile_public`. May be left out when a saved run is resumed whose game was given as text.
    algorithm : str or Algorithm
        A row by name (``equilibrist algorithms`` lists them), a row of your own, or ``"auto"``: the row that is
        fastest on most games (:data:`equilibrist.cfr.algorithms.AUTO`).
    form : {"auto", "sequence", "public"}, optional
        What the game is compiled into: every history (``"sequence"``), or its public states, with all hands at each as
        a vector (``"public"``). ``"auto"``, the default, takes public states where a game has them and more than a
        million histories, is a :class:`PublicGame` with more than 20,000, or has so many hands that its showdowns are
        sorted. The iterates are the same up to rounding, which ties may make visible.
    sampling : str or Sampling, optional
        What an iteration visits: ``"full"`` (the default: everything), ``"chance"``, ``"external"``, ``"outcome"``,
        ``"average-strategy"`` or ``"public-chance"``; with options as text, ``"outcome(epsilon=0.4)"``, or as a
        :class:`Sampling`.
    seed : int, optional
        Decides all that is drawn, with sampling; 0 by default. The same seed gives the same result on every machine.
    threads : int
        How many threads walk the public states, or draw the samples of a batch (``Sampling.batch``); changes nothing
        in the result, not a bit.
    precision : {"float64", "float32"}, optional
        How the numbers of full-width CFR are stored; ``"float32"`` halves the memory. All arithmetic is in float64 and
        so are the certificates, which show where the stored numbers are too coarse to get any better: beyond some
        1e-6 of the largest payoff.
    memory : float, optional
        Gigabytes that the tables and the solution of a game that is compiled may take; by default what the machine has
        free. (Without a tree: ``Sampling.gigabytes``.)
    iterations : int, optional
        Total number of iterations, those before a resume included.
    until : float, optional
        Stop when the exploitability (nash_conv / players; payoff per game) is at most this. It is looked at whenever
        the number of iterations has grown by 5 %.
    seconds : float, optional
        Time for iterating; neither compiling the game nor the certificates at the checkpoints count.
    nodes : int, optional
        Stop when this many histories have been touched (:attr:`Solution.nodes_touched`), those before a resume
        included.
    alternating : bool, optional
        Whether each player updates against the others' newest strategies (True, the default), or all at once against
        the old ones (False).
    resume : Solution or path, optional
        Continue a run: the result equals an uninterrupted one, bit for bit.
    save : path, optional
        A folder to save to, now and then while solving and at the end. Checked before the work begins; an older run
        in it is kept as ``checkpoint.previous.npz``, unless this one resumes a run.
    record : "all", or list of str or (player, str), optional
        Infosets of which to keep current and average strategy, regret sums and reach
        (:attr:`Solution.recording`); a name without a player is that of every player who has an infoset of that
        name. A text that is the name of none is cut at its commas. Changes nothing in the result, not a bit. A run
        that is resumed goes on recording what it did.
    record_every : int, optional
        Keep them after every so many iterations; by default at the checkpoints. Always kept at the end.
    on_checkpoint : callable, or several, optional
        Called with each :class:`Checkpoint` of the trace. One with more methods hears of the beginning and the end as
        well: :class:`equilibrist.track.Tracker`, such as ``eq.track.TensorBoard("runs")`` or ``eq.track.MLflow()``.
    on_stage : callable, optional
        Called with a short text when a long stage begins.
    max_histories, max_depth : int, optional
        Limits of compilation; by default as many histories as there is memory for, and 1,000 moves.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        The algorithm is unknown, or an option is impossible.
    SolutionError
        ``resume`` cannot be read or does not fit, or ``save`` cannot be written.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", until=1e-6)
    >>> abs(solution.value[0] + 1 / 18) < 1e-5
    True
    >>> solution.strategy["Q"]["b"] < 1e-3   # never bet the queen first
    True
    """
    limits = StopRule.checked(iterations, until, seconds, nodes)
    wanted = checked_record(record, record_every)
    listeners = listed(on_checkpoint)
    if alternating not in (None, True, False):
        raise AlgorithmError(f"alternating must be True, False or None; got {alternating!r}.", wrong_use=True)
    if precision not in (None, *PRECISIONS):
        raise AlgorithmError(f"precision must be one of {', '.join(PRECISIONS)}; got {precision!r}.", wrong_use=True)
    if memory is not None and not is_number(memory, above=0):
        raise AlgorithmError(f"memory must be gigabytes above 0; got {memory!r}.", wrong_use=True)
    say = on_stage or (lambda text: None)
    old = load_solution(resume, game) if isinstance(resume, str | Path) else resume
    if game is None and old is None:
        raise AlgorithmError("solve() needs a game, or a saved run to resume.", wrong_use=True)
    if record_every is not None and wanted is None and (old is None or old.recording is None):
        raise AlgorithmError(
            f"record_every={record_every} says when to record, not what: give record=, a list of infosets or 'all'.",
            wrong_use=True,
        )
    if old is not None and not old.memory:
        raise SolutionError("This solution holds no regrets to go on with; it can be read, not resumed.")
    way = find_sampling(sampling if sampling is not None else old.sampling if old is not None else "full")
    luck = _checked_seed(seed, way, old)
    row = find_algorithm(
        old.algorithm if algorithm == "auto" and old is not None else algorithm, sampled=not way.full_width
    )
    way.check_algorithm(row)
    if precision is not None and not way.full_width:
        raise AlgorithmError(
            f"Samples are kept in float64, so that precision={precision!r} would do nothing. Leave it out.",
            wrong_use=True,
        )
    precision = precision or (old.precision if old is not None else "float64")
    if not is_whole(threads, 1, 1024):
        raise AlgorithmError(f"threads must be a whole number, 1 to 1024; got {threads!r}.", wrong_use=True)
    if not way.tree and limits.until is not None:
        raise AlgorithmError(
            f"until={limits.until} needs the exact exploitability, which is not known without a tree. Give iterations, "
            "seconds or nodes.",
            wrong_use=True,
        )
    compiling = {"memory": memory, "form": None if form == "auto" else form}
    for option, value in compiling.items():
        if not way.tree and value is not None:
            raise AlgorithmError(
                f"Without a tree nothing is compiled, so that {option}={value!r} would do nothing. Leave it out; "
                "sampling='external(tree=False, gigabytes=4)' limits the memory.",
                wrong_use=True,
            )
    if limits == StopRule():
        planned = DEFAULT_ITERATIONS if old is None else old.horizon or max(DEFAULT_ITERATIONS, old.iterations)
        limits = StopRule(planned)
    if old is None and row.needs_horizon and limits.iterations is None:
        raise AlgorithmError(
            f"{row.name!r} is a schedule over a planned number of iterations: give iterations=.", wrong_use=True
        )
    if save is not None:
        make_folder(save)
        if not (isinstance(resume, str | Path) and Path(resume).resolve() == Path(save).resolve()):
            set_aside(save)
    spec = game if game is not None else old.game if old is not None else ""
    if old is not None:
        stored = form, precision
        _check_resumed(old, row, way, alternating=alternating, iterations=limits.iterations, stored=stored)
        alternating = old.alternating
    horizon = old.horizon if old is not None else limits.iterations if row.needs_horizon else None
    setting = _Setting(
        row=row,
        way=way,
        form=old.form if old is not None and form in (None, "auto") else form or "auto",
        turns=alternating is not False,
        horizon=horizon,
        seed=luck,
        threads=int(threads),
        precision=precision,
        memory=memory,
        limits=Limits.checked(max_histories, max_depth, None),
    )
    solver, name, spent = setting.full_width(spec, say) if way.full_width else setting.sampled(spec, say)
    if old is not None:
        _recall(solver, old)
        spent.update({stage: old.seconds.get(stage, 0.0) for stage in ("solve", "certify")})
    recorder, kept = None, old.recording if old is not None else None
    if wanted is not None or kept is not None:
        recorder = Recorder(solver, wanted, record_every, old=kept, iterations=limits.iterations)
        spent["record"] = old.seconds.get("record", 0.0) if old is not None else 0.0
    name = spec if isinstance(spec, str) else name
    running = Run(name, solver, spent, old, recorder)

    def work(tell: Callable[[Checkpoint], None] | None) -> Solution:
        say(f"Solving {name} with {row.name}" + ("" if way.full_width else f", sampling {way}"))
        return running.execute(limits, tell, save)

    if not listeners:
        return work(None)
    parameters = {**running.parameters(limits), "threads": setting.threads}
    return followed(listeners, About.made(parameters, folder=save, earlier=running.trace), work, say)


class _Setting(NamedTuple):
    """All that decides how a game is solved, checked."""

    row: Algorithm
    way: Sampling
    form: str
    turns: bool
    horizon: int | None
    seed: int
    threads: int
    precision: str
    memory: float | None
    limits: Limits

    def full_width(self, game: Playable, say: Callable[[str], None]) -> tuple[Solver, str, Seconds]:
        """Return the solver of a game that is visited whole, the name of the game, and the seconds spent so far."""
        form, spent = prepare(game, form=self.form, limits=self.limits, say=say, precision=self.precision)
        stored: dict[str, Any] = {"alternating": self.turns, "horizon": self.horizon, "precision": self.precision}
        plan = estimate(form, threads=self.threads, precision=self.precision)
        plan.check(self.memory)
        if plan.seconds is not None:
            say(str(plan))
        if isinstance(form, PublicForm):
            return PublicCFR(form, self.row, threads=self.threads, **stored), form.name, spent
        if self.threads > 1:
            raise AlgorithmError(
                f"Threads walk public states, so that threads={self.threads} would do nothing for {form.name} as a "
                "sequence form. Leave it out, or use form='public' (--form public) where the game says what is public.",
                wrong_use=True,
            )
        assert isinstance(form, SequenceForm)
        return SequenceCFR(form, self.row, **stored), form.name, spent

    def sampled(self, game: Playable, say: Callable[[str], None]) -> tuple[Solver, str, Seconds]:
        """Return the same where samples are drawn."""
        if self.threads > 1 and self.way.batch == 1:
            raise AlgorithmError(
                f"Threads draw the samples of a batch, so that threads={self.threads} would do nothing for "
                f"'{self.way}'. Leave it out, or give a batch: 'external(batch=64)'.",
                wrong_use=True,
            )
        ground: InfosetTable
        if self.way.tree:
            form, spent = prepare(game, form=self.form, limits=self.limits, say=say, sampled=True, threads=self.threads)
            estimate(form, sampled=True).check(self.memory)
            ground = table_of(form)
        else:
            rules, spent = prepare_lazy(game, say=say, threads=self.threads)
            ground = lazy_table(rules, max_histories=self.limits.max_histories, max_depth=self.limits.max_depth)
        solver = MonteCarloCFR(ground, self.row, self.way, alternating=self.turns, seed=self.seed, threads=self.threads)
        return solver, ground.name, spent


def exact(
    game: Playable,
    *,
    max_histories: int | None = None,
    max_depth: int = MAX_DEPTH,
    on_stage: Callable[[str], None] | None = None,
) -> Solution:
    """Return the equilibrium of a two-player zero-sum game by linear programme (HiGHS), certified like any other.

    Parameters are those of :func:`solve`. The time grows fast with the game: Leduc takes hundredths of a second, liar's
    dice with six faces takes seconds.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        The game is not two-player zero-sum.
    SolutionError
        HiGHS found no optimum.

    Examples
    --------
    >>> import equilibrist as eq
    >>> round(eq.exact("kuhn").value[0], 12) == round(-1 / 18, 12)
    True
    """
    from ..evaluation.linear_program import equilibrium

    limits = Limits.checked(max_histories, max_depth, None)
    form, spent = prepare(game, form="sequence", limits=limits, say=on_stage)
    if not isinstance(form, SequenceForm):
        raise AlgorithmError(
            f"The linear programme needs every history of {form.name}; give the game instead of its public form.",
            wrong_use=True,
        )
    with stopwatch(spent, "solve"):
        strategy = equilibrium(form)
    with stopwatch(spent, "certify"):
        certificate = certify(form, strategy)
    point = Checkpoint(
        iteration=0,
        nodes_touched=0,
        seconds=spent["solve"],
        value=certificate.value,
        nash_conv=certificate.nash_conv,
        exploitability=certificate.exploitability,
        gains=certificate.gains,
    )
    name = game if isinstance(game, str) else form.name
    shares = Strategy.from_form(form, strategy)
    return solved(name, "exact", form.describe(), shares, point, spent, stopped="optimal", trace=Trace([point]))


def _checked_seed(seed: int | None, way: Sampling, old: Solution | None) -> int:
    """Return the seed to draw with: that of the run that goes on, or the one given, or 0."""
    if seed is None:
        return 0 if old is None or old.seed is None else old.seed
    seed = checked_seed(seed)
    if way.full_width:
        raise AlgorithmError(f"Full-width CFR draws nothing, so that seed={seed} would do nothing.", wrong_use=True)
    if old is not None and old.seed != seed:
        raise AlgorithmError(
            f"The saved run drew with seed={old.seed}; got seed={seed}. Leave it out to go on, or start afresh.",
            wrong_use=True,
        )
    return seed


def _check_resumed(
    old: Solution,
    row: Algorithm,
    way: Sampling,
    *,
    alternating: bool | None,
    iterations: int | None,
    stored: tuple[str | None, str],
) -> None:
    """Refuse to go on with a saved run in another way than it began."""
    form, precision = stored
    if form not in (None, "auto", old.form) or precision != old.precision:
        raise AlgorithmError(
            f"The saved run has form={old.form!r} and precision={old.precision!r}, and can only go on so; got "
            f"form={form!r}, precision={precision!r}. Leave these out to go on, or start afresh.",
            wrong_use=True,
        )
    then = find_sampling(old.sampling)
    same = replace(then, gigabytes=None) == replace(way, gigabytes=None)
    if old.row != repr(row) or alternating not in (None, old.alternating) or not same:
        turns = "alternating" if old.alternating else "simultaneous"
        raise AlgorithmError(
            f"The saved run used {old.algorithm!r} with {turns} updates and sampling {old.sampling!r}, and can only go "
            f"on so ({old.row}); got {row!r}, alternating={alternating}, sampling='{way}'. Leave these out to go on, "
            "or start afresh.",
            wrong_use=True,
        )
    if old.horizon is not None and iterations is not None and iterations > old.horizon:
        raise AlgorithmError(
            f"The saved run of {row.name!r} was planned for {old.horizon} iterations; got iterations={iterations}. "
            "Start afresh to plan for more.",
            wrong_use=True,
        )


def _recall(solver: Solver, old: Solution) -> None:
    """Bring a new solver to where a saved run stopped, if it is the same game."""
    if old.fingerprint != solver.fingerprint:
        raise SolutionError(
            f"The saved run solved another game: {solver.game_name} as it is now has other infosets, actions or "
            f"payoffs than {old.game} had then. Start afresh."
        )
    solver.load_state(old.memory)
