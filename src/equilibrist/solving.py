"""Solve a game: compile it, iterate until a limit is met, certify on the way, and return a Solution."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NamedTuple

from .certificate import certify
from .cfr.algorithms import Algorithm, find_algorithm
from .cfr.full import FullWidth
from .cfr.ground import Ground, Tree
from .cfr.sampled import DrawingInterrupted, MemoryLimitError, Sampled
from .cfr.sampling import Sampling, find_sampling
from .cfr.unwritten import unwritten
from .errors import AlgorithmError, SolutionError
from .files import make_folder
from .form import MAX_DEPTH, MAX_HISTORIES
from .form.sequence import SequenceForm
from .game import Game
from .prepare import Seconds, prepare, prepare_unwritten, stopwatch
from .solution import Checkpoint, Solution, fingerprint, load_solution, set_aside
from .strategy import Strategy

DEFAULT_ITERATIONS = 1000
_MOST = 2**62  # where there is no limit

Solver = FullWidth | Sampled
_SLICE = 0.1  # seconds that a compiled call may take, so that Ctrl-C and limits are heard
_SAVE_EVERY = 30.0  # seconds between two saves of a running solve, more where saving is slow


def solve(
    game: str | Game | SequenceForm | None = None,
    algorithm: str | Algorithm = "auto",
    *,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    threads: int = 1,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    alternating: bool | None = None,
    resume: Solution | str | Path | None = None,
    save: str | Path | None = None,
    on_checkpoint: Callable[[Checkpoint], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
) -> Solution:
    """Return the solution of a game: the average strategy of a CFR variant, with its exact exploitability.

    Stops at the first limit met; without any, after 1,000 iterations. An interrupt (Ctrl-C) also stops the run and
    returns what there is.

    Parameters
    ----------
    game : str, Game or SequenceForm
        As for :func:`equilibrist.load`, or compiled already by :func:`equilibrist.compile_game`. May be left out when
        a saved run is resumed whose game was given as text.
    algorithm : str or Algorithm
        A row by name (``equilibrist algorithms`` lists them), a row of your own, or ``"auto"``: the row that is
        fastest on most games (:data:`equilibrist.cfr.algorithms.AUTO`).
    sampling : str or Sampling, optional
        What an iteration visits: ``"full"`` (the default: everything), ``"chance"``, ``"external"``, ``"outcome"``,
        ``"average-strategy"`` or ``"public-chance"``; with options as text, ``"outcome(epsilon=0.4)"``, or as a
        :class:`Sampling`.
    seed : int, optional
        Decides all that is drawn, with sampling; 0 by default. The same seed gives the same result on every machine.
    threads : int
        How many samples of a batch are drawn at the same time (``Sampling.batch``); changes nothing in the result.
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
    on_checkpoint, on_stage : callable, optional
        Called with each :class:`Checkpoint` of the trace, and with a short text when a long stage begins.
    max_histories, max_depth : int
        Limits of compilation.

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
    limits = _Limits.checked(iterations, until, seconds, nodes)
    if alternating not in (None, True, False):
        raise AlgorithmError(f"alternating must be True, False or None; got {alternating!r}.", wrong_use=True)
    say = on_stage or (lambda text: None)
    old = load_solution(resume) if isinstance(resume, str | Path) else resume
    if game is None and old is None:
        raise AlgorithmError("solve() needs a game, or a saved run to resume.", wrong_use=True)
    if old is not None and not old.memory:
        raise SolutionError("This solution holds no regrets to go on with; it can be read, not resumed.")
    way = find_sampling(sampling if sampling is not None else old.sampling if old is not None else "full")
    luck = _checked_seed(seed, way, old)
    row = find_algorithm(
        old.algorithm if algorithm == "auto" and old is not None else algorithm, sampled=not way.full_width
    )
    way.check_algorithm(row)
    _check_threads(threads, way)
    if not way.tree and limits.until is not None:
        raise AlgorithmError(
            f"until={limits.until} needs the exact exploitability, which is not known without a tree. Give iterations, "
            "seconds or nodes.",
            wrong_use=True,
        )
    if limits == _Limits():
        planned = DEFAULT_ITERATIONS if old is None else old.horizon or max(DEFAULT_ITERATIONS, old.iterations)
        limits = _Limits(planned)
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
        _check_resumed(old, row, way, alternating=alternating, iterations=limits.iterations)
        alternating = old.alternating
    horizon = old.horizon if old is not None else limits.iterations if row.needs_horizon else None
    turns = alternating is not False
    solver: Solver
    if way.full_width:
        form, spent = prepare(spec, max_histories=max_histories, max_depth=max_depth, say=say)
        solver = FullWidth(form, row, alternating=turns, horizon=horizon)
        name = form.name
    else:
        if way.tree:
            form, spent = prepare(
                spec, max_histories=max_histories, max_depth=max_depth, say=say, sampled=True, threads=int(threads)
            )
            ground: Ground = Tree(form)
        else:
            rules, spent = prepare_unwritten(spec, say=say, threads=int(threads))
            ground = unwritten(rules, max_histories=max_histories, max_depth=max_depth)
        solver = Sampled(ground, row, way, alternating=turns, seed=luck, threads=threads)
        name = ground.name
    if old is not None:
        _recall(solver, old)
        spent.update({stage: old.seconds.get(stage, 0.0) for stage in ("solve", "certify")})
    name = spec if isinstance(spec, str) else name
    say(f"Solving {name} with {row.name}" + ("" if way.full_width else f", sampling {way}"))
    return _Run(name, solver, spent, old).go(limits, on_checkpoint, save)


def exact(
    game: str | Game | SequenceForm,
    *,
    max_histories: int = MAX_HISTORIES,
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
    from .referee import equilibrium

    form, spent = prepare(game, max_histories=max_histories, max_depth=max_depth, say=on_stage)
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
    return _solution(name, "exact", _sizes(form), shares, point, spent, stopped="optimal", trace=(point,))


def _solution(
    name: str,
    algorithm: str,
    sizes: Mapping[str, Any],
    strategy: Strategy,
    point: Checkpoint,
    spent: Seconds,
    **others: Any,
) -> Solution:
    """Return the solution that a strategy makes; ``others`` are the remaining fields of Solution."""
    return Solution(
        game=name,
        algorithm=algorithm,
        strategy=strategy,
        value=point.value,
        nash_conv=point.nash_conv,
        exploitability=point.exploitability,
        gains=point.gains,
        cce_distance=point.cce_distance,
        iterations=point.iteration,
        nodes_touched=point.nodes_touched,
        seconds=dict(spent),
        **sizes,
        **others,
    )


def _sizes(form: SequenceForm) -> dict[str, Any]:
    """Return what a solution says of a compiled game."""
    return {
        "players": form.players,
        "histories": form.histories,
        "infosets": len(form.infosets),
        "slots": form.slots,
        "zero_sum": form.zero_sum,
        "fingerprint": fingerprint(form),
    }


def _sizes_met(ground: Ground, strategy: Strategy) -> dict[str, Any]:
    """Return what a solution says of a game that is not compiled, of which this much has been met."""
    return {
        "players": ground.players,
        "histories": None,
        "infosets": len(strategy),
        "slots": len(strategy.probabilities) + ground.players,
        "zero_sum": None,
        "fingerprint": ground.fingerprint,
    }


def _checked_seed(seed: int | None, way: Sampling, old: Solution | None) -> int:
    """Return the seed to draw with: that of the run that goes on, or the one given, or 0."""
    if seed is None:
        return 0 if old is None or old.seed is None else old.seed
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**63:
        raise AlgorithmError(f"seed must be a whole number, 0 to 2^63 - 1; got {seed!r}.", wrong_use=True)
    if way.full_width:
        raise AlgorithmError(f"Full-width CFR draws nothing, so that seed={seed} would do nothing.", wrong_use=True)
    if old is not None and old.seed != seed:
        raise AlgorithmError(
            f"The saved run drew with seed={old.seed}; got seed={seed}. Leave it out to go on, or start afresh.",
            wrong_use=True,
        )
    return int(seed)


def _check_threads(threads: int, way: Sampling) -> None:
    if isinstance(threads, bool) or not isinstance(threads, Integral) or not 1 <= threads <= 1024:
        raise AlgorithmError(f"threads must be a whole number, 1 to 1024; got {threads!r}.", wrong_use=True)
    if threads > 1 and way.batch == 1:
        raise AlgorithmError(
            f"Threads draw the samples of a batch, so that threads={threads} would do nothing for '{way}'. Leave it "
            "out, or give a batch: 'external(batch=64)'.",
            wrong_use=True,
        )


def _check_resumed(
    old: Solution, row: Algorithm, way: Sampling, *, alternating: bool | None, iterations: int | None
) -> None:
    """Refuse to go on with a saved run in another way than it began."""
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
    if old.fingerprint != _fingerprint(solver):
        name = solver.ground.name if isinstance(solver, Sampled) else solver.form.name
        raise SolutionError(
            f"The saved run solved another game: {name} as it is now has other infosets, actions or payoffs than "
            f"{old.game} had then. Start afresh."
        )
    if isinstance(solver, Sampled):
        solver.ground.recall_infosets(old.strategy.infosets)
    solver.recall(old.memory, iteration=old.iterations)


def _fingerprint(solver: Solver) -> str:
    """Return the digest of the game that a solver works on."""
    if solver.form is None:
        return solver.ground.fingerprint
    return fingerprint(solver.form)


class _Limits(NamedTuple):
    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    nodes: int | None = None

    @classmethod
    def checked(cls, iterations: int | None, until: float | None, seconds: float | None, nodes: int | None) -> _Limits:
        """Return the limits as plain numbers, or refuse those that make no sense."""
        for label, count in (("iterations", iterations), ("nodes", nodes)):
            if count is not None and (isinstance(count, bool) or not isinstance(count, Integral) or count < 1):
                raise AlgorithmError(f"{label} must be a whole number, 1 or more; got {count!r}.", wrong_use=True)
        for label, number in (("until", until), ("seconds", seconds)):
            if number is not None and (
                isinstance(number, bool) or not isinstance(number, Real) or not 0 < number < math.inf
            ):
                raise AlgorithmError(f"{label} must be a number above 0; got {number!r}.", wrong_use=True)
        return cls(
            None if iterations is None else int(iterations),
            None if until is None else float(until),
            None if seconds is None else float(seconds),
            None if nodes is None else min(int(nodes), _MOST),
        )


class _Run:
    """One run of a solver: iterate, certify, keep the trace, save."""

    def __init__(self, name: str, solver: Solver, spent: Seconds, old: Solution | None) -> None:
        self.name = name
        self.solver = solver
        self.spent = spent
        # Only what an uninterrupted run would have kept as well: not the last checkpoint, where the old run ended.
        self.trace = [point for point in old.trace if _on_grid(point.iteration)] if old is not None else []
        self.newest: Checkpoint | None = None
        self.full = False  # whether the memory that the user allows is used up
        self.slice = 1  # iterations that take about _SLICE seconds, as far as is known

    def go(
        self, limits: _Limits, on_checkpoint: Callable[[Checkpoint], None] | None, save: str | Path | None
    ) -> Solution:
        """Iterate until a limit is met."""
        last = min(n for n in (limits.iterations, self.solver.horizon, _MOST) if n is not None)
        enough = _MOST if limits.nodes is None else limits.nodes
        self.solver.most_nodes = enough
        deadline = math.inf if limits.seconds is None else self.spent["solve"] + limits.seconds
        saver = _Saver(save)
        with _heard_interrupt(self.solver) as interrupted:

            def pause() -> bool:
                return bool(interrupted) or self.full or self.spent["solve"] >= deadline or saver.due()

            def met() -> str | None:
                done = self.solver.iteration
                looks = done >= last or _next_look(done - 1) == done
                if limits.until is not None and looks and _at_most(self._look().exploitability, limits.until):
                    return "until"
                if done >= last:
                    return "iterations"
                if self.solver.nodes_touched >= enough:
                    return "nodes"
                if self.full:
                    return "memory"
                if interrupted:
                    return "interrupt"
                return "seconds" if self.spent["solve"] >= deadline else None

            stopped = met() if self.solver.iteration else None
            while stopped is None:
                done = self.solver.iteration
                look = _next_look(done) if limits.until is not None else last
                self._iterate_to(min(last, _next_on_grid(done), look), pause)
                stopped = met()
                if _on_grid(self.solver.iteration):
                    self._keep(on_checkpoint)
                if stopped is None and saver.due():
                    saver.save_on_the_way(self._solution("interrupt"))
        self._keep(on_checkpoint)
        solution = self._solution(stopped)
        try:
            saver.save(solution)
        except SolutionError as error:
            error.solution = solution
            raise
        return solution

    def _iterate_to(self, target: int, pause: Callable[[], bool]) -> None:
        """Iterate once or more, in slices short enough to hear an interrupt or a deadline between two of them."""
        while True:
            count = min(self.slice, target - self.solver.iteration)
            began = time.perf_counter()
            try:
                self.solver.run(count)
            except MemoryLimitError:
                self.full = True
            except DrawingInterrupted:
                pass  # it was heard
            took = time.perf_counter() - began
            self.spent["solve"] += took
            if count == self.slice:
                self.slice = min(2 * count, 1 + int(count * _SLICE / max(took, 1e-9)))
            enough = self.solver.nodes_touched >= self.solver.most_nodes
            if self.solver.iteration >= target or enough or pause():
                return

    def _look(self) -> Checkpoint:
        """Return the certificate of the average strategy as it is now."""
        if self.newest is None or self.newest.iteration != self.solver.iteration:
            certificate = cce_distance = None
            if self.solver.form is not None:
                with stopwatch(self.spent, "certify"):
                    certificate = certify(self.solver.form, self.solver.average_strategy())
                    if isinstance(self.solver, FullWidth):
                        cce_distance = self.solver.cce_distance()
            self.newest = Checkpoint(
                iteration=self.solver.iteration,
                nodes_touched=self.solver.nodes_touched,
                seconds=self.spent["solve"],
                value=certificate.value if certificate else (),
                nash_conv=certificate.nash_conv if certificate else None,
                exploitability=certificate.exploitability if certificate else None,
                gains=certificate.gains if certificate else (),
                cce_distance=cce_distance,
            )
        return self.newest

    def _keep(self, on_checkpoint: Callable[[Checkpoint], None] | None) -> None:
        """Add the current checkpoint to the trace, unless it is there."""
        point = self._look()
        if not self.trace or self.trace[-1].iteration < point.iteration:
            self.trace.append(point)
            if on_checkpoint is not None:
                on_checkpoint(point)

    def _solution(self, stopped: str) -> Solution:
        solver = self.solver
        point = self._look()
        memory = solver.memory()  # of samples: copies, which need not be copied once more
        if isinstance(solver, FullWidth):
            memory = {name: array.copy() for name, array in memory.items()}
        others = {
            "row": repr(solver.algorithm),
            "alternating": solver.alternating,
            "stopped": stopped,
            "trace": tuple(self.trace),
            "horizon": solver.horizon,
            "memory": memory,
        }
        if isinstance(solver, Sampled):
            others |= {"sampling": str(solver.sampling), "seed": solver.seed, "table_bytes": solver.nbytes}
        if solver.form is None:
            strategy = solver.strategy()
            sizes = _sizes_met(solver.ground, strategy)
        else:
            strategy = Strategy.from_form(solver.form, solver.average_strategy())
            sizes = _sizes(solver.form)
        return _solution(self.name, solver.algorithm.name, sizes, strategy, point, self.spent, **others)


def _at_most(number: float | None, limit: float) -> bool:
    return number is not None and number <= limit


class _Saver:
    """Saves a running solve now and then: every 30 s at most, and never so often that it costs more than 5 %."""

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = folder
        self.next = time.perf_counter() + _SAVE_EVERY

    def due(self) -> bool:
        return self.folder is not None and time.perf_counter() >= self.next

    def save(self, solution: Solution) -> None:
        if self.folder is not None:
            solution.save(self.folder)

    def save_on_the_way(self, solution: Solution) -> None:
        began = time.perf_counter()
        with suppress(SolutionError):  # perhaps there is room again by the next time; the last save tells if not
            self.save(solution)
        ended = time.perf_counter()
        self.next = ended + max(_SAVE_EVERY, 20 * (ended - began))


def _on_grid(iteration: int) -> bool:
    return iteration > 0 and _next_on_grid(iteration - 1) == iteration


def _next_on_grid(iteration: int) -> int:
    """Return the next of 1, 2, 3, 4, 6, 8, 12, 16, 23, 32, and so on: the powers of √2, rounded up."""
    k = max(0, 2 * iteration.bit_length() - 3)
    while True:
        point = math.isqrt(2**k - 1) + 1 if k > 0 else 1
        if point > iteration:
            return point
        k += 1


def _next_look(iteration: int) -> int:
    """Return when to look at ``until`` next: at fixed iterations 5 % apart, the same whether resumed or not."""
    look = 1
    while look <= iteration:
        look += max(1, look // 20)
    return look


@contextmanager
def _heard_interrupt(solver: Solver) -> Iterator[list[int]]:
    """Give a list that is empty until Ctrl-C is pressed; pressed again, it interrupts at once as usual.

    Drawing samples by rules in Python is interrupted the first time: a sample may take long, and costs nothing else.

    Only the main thread hears signals, and a handler that somebody else has set stays in charge.
    """
    heard: list[int] = []
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield heard
        return

    def hear(number: int, _frame: Any) -> None:
        heard.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if isinstance(solver, Sampled) and solver.interruptible:
            raise DrawingInterrupted

    signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
