"""One run of a solver: iterate until a limit is met, certify and save on the way, and make a Solution of it."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from .._util.interrupt import note_signals
from .._util.stopwatch import Seconds, stopwatch
from .._util.validate import is_number
from ..cfr.concepts import NASH
from ..cfr.criteria import Criterion, Exploitability
from ..cfr.solver import Solver
from ..cfr.solvers import CPU
from ..cluster.checkpoint import ACTORS
from ..errors import AlgorithmError, EquilibristWarning, GameTooLargeError, SolutionError
from ..form.compiled_game import is_compiled
from ..form.traits import FormTraits
from ..mccfr.solver import MemoryLimitError
from .callbacks import CallbackList
from .config import SolveConfig
from .estimate import estimate_run
from .exhausted import is_exhausted, next_check
from .info import RunInfo, new_run_id, utc_now
from .load import current_strategy
from .recorder import Recorder
from .save import MOST_ROWS, Save, write_folder
from .solution import PRECISION, Solution
from .solvers import certify, game_info, make_checkpoint
from .trace import Checkpoint, Trace, is_on_grid, next_on_grid
from .warm_up import warm_up

ITERATING = 3
"""Times the work of a certificate of walks that is iterated before the next one: ``python -m benchmarks.walk
--schedule``."""
_UNLIMITED = 2**62
_SLICE_SECONDS = 0.1  # that a compiled call may take, so that signals and limits are heard
_SLICE_SLOTS = 1 << 24  # slots that are updated in about as long
_SAVE_FIRST = 2.0  # seconds before the first save on the way, so that a run can be looked at soon
_SAVE_EVERY = 30.0  # seconds between two later ones at the most, more where saving is slow
_FIRST_MIDDLE = 32
_SAVE_SHARE = 20  # and never more often than takes a twentieth of the time
_SAVE_RATE = 1e8  # bytes of state that are saved in a second,
_NAME_RATE = 2e4  # and infosets with their names: about, before it is known


class Run:
    """One run of a solver: iterate, certify, keep the trace and the recording, save.

    ``solver`` is at the iteration where the run begins or goes on; ``name`` is what the solution
    will call the game; ``old`` is the solution of the run that goes on; the folder of ``save`` is
    locked, and its streets are those that are saved at the end: on the way all are.
    """

    def __init__(
        self,
        solver: Solver,
        name: str,
        config: SolveConfig,
        seconds: Seconds,
        *,
        old: Solution | None = None,
        recorder: Recorder | None = None,
        save: Save | None = None,
    ) -> None:
        self.solver = solver
        self.config = config
        self.seconds = seconds
        self.recorder = recorder
        self.name = name
        self.run_id = new_run_id() if old is None else old.info.run_id
        self.started = utc_now() if old is None else old.info.started
        # Only what an uninterrupted run would have kept as well: not the last checkpoint, where the
        # old run ended.
        if old is not None:
            self.trace = [point for point in old.trace if is_on_grid(point.iteration)]
        else:
            self.trace = []
        self._row_is_due = self._has_row_without_certificate()
        if self._row_is_due:
            self.trace.pop()
        self._saver = None if save is None else _Saver(solver, save)
        # The certificate whose turn it was, where the old run ended just then; any other is none of
        # this run's.
        self._newest: Checkpoint | None = None
        if (
            old is not None
            and solver.form.certificate_is_walked
            and solver.certified_at == old.final.nodes_touched > 0
        ):
            self._newest = old.final
        self._out_of_memory = recorder is not None and recorder.full
        self._error: BaseException | None = None  # of a callback
        self._held = 0.0  # seconds that stop() took: it may hold the run for as long as it likes
        self._slice = 1  # iterations that take about _SLICE_SECONDS, as far as is known

    def _has_row_without_certificate(self) -> bool:
        """Return whether the old run ended just at the last row of its trace, with no certificate there.

        A signal may have left its walk: the row is kept again then, with the certificate if it is its turn.
        """
        if not self.trace or self.trace[-1].value:
            return False
        last = self.trace[-1]
        now = (self.solver.iteration, self.solver.nodes_touched)
        return (last.iteration, last.nodes_touched) == now

    @property
    def info(self) -> RunInfo:
        """What a solution says of the run and its game, as they are now."""
        return RunInfo(
            game=game_info(self.name, self.solver),
            run_id=self.run_id,
            started=self.started,
            config=self.config,
            table_bytes=self.solver.table_bytes,
        )

    def execute(self, callbacks: CallbackList, signals: list[int] | None = None) -> Solution:
        """Iterate until a limit is met, a callback wants to stop, or a signal arrives; save, and return the solution.

        ``signals`` are those that somebody else notes, for a run that need not be in the main
        thread. What a callback raises ends the run like a limit: the solution is made and saved,
        and then the exception is raised with the solution as its attribute ``solution``. A
        :class:`SolutionError` where the last save fails has it as well.
        """
        self._callbacks = callbacks
        # Rules in Python may stop answering later, and the solution has to be saved all the same.
        self.solver.describe_game()
        with note_signals(self.solver.interrupt) as noted:
            self._signals = noted if signals is None else signals
            # In the middle of a long iteration as well.
            self.solver.should_stop = lambda: bool(self._signals) or self._is_stopped()
            solution = self._solution(self._iterate())
            try:
                if self._saver is not None:
                    self._saver.write(solution, streets=self._saver.streets)
            except SolutionError as error:
                self._error = self._error or error
        if self._error is not None:
            with suppress(AttributeError):
                self._error.solution = solution  # type: ignore[attr-defined]
            raise self._error
        return solution

    def _iterate(self) -> str:
        """Iterate until the run ends; return why it does."""
        rule = self.config.stop
        horizon = self.solver.horizon
        self._last = min(n for n in (rule.iterations, horizon, _UNLIMITED) if n is not None)
        if self.config.limits.nodes is None:
            self.solver.max_nodes = _UNLIMITED
        else:
            self.solver.max_nodes = self.config.limits.nodes
        if rule.seconds is None:
            self._deadline = math.inf
        else:
            self._deadline = self.seconds["solve"] + rule.seconds
        reason = self._stop_reason() if self.solver.iteration else None
        if self._row_is_due:
            self._keep_checkpoint()
        while reason is None:
            if not self._refine_tables():
                reason = PRECISION
                break
            if not self._run_ahead():
                done = self.solver.iteration
                if self.recorder is not None:
                    row = self.recorder.next(done)
                else:
                    row = self._last
                self._iterate_to(min(self._next_stop(done), row, self.solver.serves_until))
            if self.recorder is not None and self.recorder.due(self.solver.iteration):
                self._record(self.recorder)
            reason = self._stop_reason()
            if is_on_grid(self.solver.iteration):
                self._keep_checkpoint()
                if reason is None and is_exhausted(self.trace, rule.until):
                    self._tell_exhausted()
                    reason = PRECISION
            if (
                reason is None
                and self._error is None
                and self._saver is not None
                and self._saver.due()
            ):
                self._call_guarded(self._saver.save_on_the_way, self._solution("interrupt"))
            if self._error is not None:
                reason = "error"
        self._keep_checkpoint(last=True)
        if self.recorder is not None:
            self._record(self.recorder)
        if self._error is None:
            return reason
        return "error"

    def _refine_tables(self) -> bool:
        """Store the tables in more digits where the next iteration needs them; return False where there is no room."""
        solver = self.solver
        finer = self.solver.finer
        if finer is None:
            return True
        form = solver.form
        config = replace(self.config, precision=finer)
        if config.backend == CPU:
            assert is_compiled(form)  # for others have tables in float64 alone
            try:
                estimate_run(form, config, timed=False).check(config.limits.memory_gb)
            except GameTooLargeError as error:
                self._warn(
                    f"After {solver.iteration:,} iterations {solver.stored} tells averages no "
                    "better, and the run ends, because there is no room for its tables in "
                    f"{finer}. {error}"
                )
                return False
            with stopwatch(self.seconds, "jit"):
                warm_up(
                    form.kernels,
                    form.players,
                    precision=finer,
                    sampled=False,
                    threads=solver.threads,
                    concept=config.concept.rules,
                )
        with stopwatch(self.seconds, "solve"):
            solver.refine_tables()
        return True

    def _tell_exhausted(self) -> None:
        point = self.trace[-1]
        until = ", ".join(map(str, self.config.stop.until))
        measures_text = ", ".join(
            f"{criterion.name} {point.measures[criterion.name]:.2g}"
            for criterion in self.config.stop.until
        )
        self._warn(
            f"until={until} is less than float64 can tell of {self.name}: after "
            f"{point.iteration:,} iterations "
            f"({measures_text}) rounding decides, and the run ends. Ask for more than that."
        )

    def _warn(self, text: str) -> None:
        warnings.warn(text, EquilibristWarning, stacklevel=2)

    def _next_stop(self, done: int) -> int:
        """Return the next iteration after so many at which there is a certificate."""
        if self.config.stop.until:
            certificate = next_certificate(done, self.solver.form)
        else:
            certificate = self._last
        return min(self._last, next_on_grid(done), certificate)

    def _run_ahead(self) -> bool:
        """Pass some checkpoints in one compiled call, up to the first with an exploitability that ends the run.

        Return False where that is not possible, because somebody follows the run, or limits or
        criteria are others.
        """
        rule = self.config.stop
        slots = self.solver.slots_ahead
        first = self.solver.iteration
        followed = self.recorder is not None or not self._callbacks.unfollowed
        limited = self._deadline < math.inf or self.config.limits.nodes is not None
        if not slots or followed or limited or self.config.concept != NASH:
            return False
        if len(rule.until) > 1 or any(
            type(criterion) is not Exploitability for criterion in rule.until
        ):
            return False
        looks = [first]
        end = first + _SLICE_SLOTS // slots
        end = min(end, self.solver.serves_until, next_check(first) if rule.until else end)
        while looks[-1] < self._last and (look := self._next_stop(looks[-1])) <= end:
            looks.append(look)
        began = time.perf_counter()
        values = self.solver.run_until(
            looks[1:], rule.until[0].threshold if rule.until else -math.inf
        )
        took = time.perf_counter() - began
        before = self.seconds["solve"]
        self.seconds |= {"solve": before + took, "certify": self.seconds.get("certify", 0.0)}
        for look, each in zip(looks[1:], values, strict=False):
            if is_on_grid(look) or look == self.solver.iteration:
                share = (look - first) / (self.solver.iteration - first)
                self._newest = point = make_checkpoint(
                    self.solver, before + share * took, each, {}, look
                )
                self.trace += [point] if is_on_grid(look) else []
        return len(values) > 0

    def _stop_reason(self) -> str | None:
        rule = self.config.stop
        iteration = self.solver.iteration
        if rule.until and (iteration >= self._last or self._ends_stage(next_certificate)):
            measures = self._certify(last=iteration >= self._last).measures
            if any(criterion.is_met(measures) for criterion in rule.until):
                return "until"
        if iteration >= self._last:
            return "iterations"
        if self.solver.nodes_touched >= self.solver.max_nodes:
            return "nodes"
        if self._out_of_memory:
            return "out of memory"
        if self._signals:
            return "interrupt"
        if self._is_stopped():
            return "stop"
        if self.seconds["solve"] >= self._deadline:
            return "seconds"
        return None

    def _is_stopped(self) -> bool:
        """Return whether the run is to stop from outside."""
        if self._error is not None:
            return False
        start = time.perf_counter()
        stop = self._call_guarded(self._callbacks.should_stop)
        self._held += time.perf_counter() - start
        return bool(stop) or self._error is not None

    def _call_guarded(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call what is not ours; what it raises ends the run, and is raised when the solution is there."""
        try:
            return call(*arguments)
        except BaseException as error:
            self._error = error

    def _must_pause(self) -> bool:
        """Return whether something waits for the iterations to stop."""
        return (
            bool(self._signals)
            or self._out_of_memory
            or self.seconds["solve"] >= self._deadline
            or (self._saver is not None and self._saver.due())
            or self._is_stopped()
        )

    def _iterate_to(self, target: int) -> None:
        """Iterate once or more, in slices short enough to hear a signal or a deadline between two of them."""
        while True:
            count = min(self._slice, target - self.solver.iteration)
            began = time.perf_counter() - self._held
            try:
                self.solver.run(count)
            except MemoryLimitError:
                self._out_of_memory = True
            took = time.perf_counter() - self._held - began
            self.seconds["solve"] += took
            if count == self._slice:
                self._slice = min(2 * count, 1 + int(count * _SLICE_SECONDS / max(took, 1e-9)))
            enough = self.solver.nodes_touched >= self.solver.max_nodes
            if self.solver.iteration >= target or enough or self._must_pause():
                return

    def _ends_stage(self, next_stage: Callable[[int, FormTraits], int]) -> bool:
        """Return whether an iteration is just over with which a stage ends, as those of certificates do."""
        done = self.solver.iteration
        return (
            self.solver.is_between_iterations
            and done > 0
            and next_stage(done - 1, self.solver.form) == done
        )

    def _is_due(self) -> bool:
        """Return whether it is the turn of a certificate that is walked.

        That is decided by what the run has counted, so that the same seed gives the same run,
        resumed or not. On the way to a save, and where the run ends, strategies are certified out
        of turn, which puts nothing off.
        """
        solver = self.solver
        next_stage = next_certificate if self.config.stop.until else _next_row
        iterated = solver.nodes_touched - solver.certified_at
        return self._ends_stage(next_stage) and iterated >= ITERATING * solver.certificate_nodes

    def _certify(self, *, last: bool = False) -> Checkpoint:
        """Return the certificate of the average strategy as it is now, and what the criteria of the run measure.

        One of walks that takes longer than a moment is computed if iterations have done three times
        its work since the one before, or if it is the last one.
        """
        solver = self.solver
        newest = self._newest
        is_walked = solver.form.certificate_is_walked
        is_due = is_walked and self._is_due()
        walks = (is_due or last or not solver.certificate_nodes) and not self._signals
        exact = solver.certifies and (walks or not is_walked)
        now = solver.iteration, solver.nodes_touched  # it may have stopped within an iteration
        if (
            newest is None
            or (newest.iteration, newest.nodes_touched) != now
            or (exact and not newest.value)
        ):
            self._newest = newest = certify(solver, self.seconds, self.config.concept, exact=exact)
            if is_due and newest.value:  # not where a signal has left the walk
                solver.certified_at = solver.nodes_touched
            for criterion in self.config.stop.until:
                measurable = newest.value or not criterion.needs_tree
                if criterion.name not in newest.measures and measurable and solver.iteration:
                    self._call_guarded(self._measure, criterion, newest.measures)
        return newest

    def _measure(self, criterion: Criterion, measures: dict[str, float]) -> None:
        """Add what a criterion measures, which may be a user's own."""
        with stopwatch(self.seconds, "certify"):
            number = criterion.evaluate(self.solver)
        if not is_number(number):
            name = type(criterion).__name__
            raise AlgorithmError(
                f"{name}.evaluate() must return a number; got {number!r}.", wrong_use=False
            )
        measures[criterion.name] = float(number)

    def _keep_checkpoint(self, *, last: bool = False) -> None:
        """Add the current checkpoint to the trace, unless it is there."""
        point = self._certify(last=last)
        if self.trace and self.trace[-1].iteration >= point.iteration:
            return
        self.trace.append(point)
        if self._error is None:
            self._call_guarded(self._callbacks.on_checkpoint, point)
        if self._error is None:
            self._call_guarded(self._callbacks.on_first_decision, point, self.solver.first_decision)

    def _record(self, recorder: Recorder) -> None:
        with stopwatch(self.seconds, "record"):
            recorder.keep(self.solver)
        self._out_of_memory = self._out_of_memory or recorder.full

    def _solution(self, stop_reason: str) -> Solution:
        """Return the solution as it is now; its state is that of the solver, not a copy."""
        strategy = self.solver.strategy()
        return Solution(
            strategy=strategy,
            final=self._certify(),
            trace=Trace(self.trace),
            seconds=dict(self.seconds),
            stop_reason=stop_reason,
            info=self.info,
            recording=None if self.recorder is None else self.recorder.recording(),
            state=self.solver.state_dict() if self.solver.store is None else {},
            current_by=partial(
                current_strategy,
                slots=self.solver.action_slots() if strategy.form is None else None,
            ),
        )


def _seconds_to_save(solver: Solver) -> float:
    """Return about how long a save takes, without copying the tables of a sampled run."""
    state = solver.table_bytes or sum(int(array.nbytes) for array in solver.state_dict().values())
    form = solver.form
    seconds = state / _SAVE_RATE
    if not form.keeps_weights and form.num_actions <= MOST_ROWS:
        seconds += form.num_infosets / _NAME_RATE
    return seconds


class _Saver:
    """Saves a run on its way: soon, then at times twice as far apart up to 30 s; it never costs more than 5 %."""

    def __init__(self, solver: Solver, save: Save) -> None:
        self._solver = solver
        self._folder = Path(save.folder)
        self.streets = save.streets
        if solver.store is None:
            expected = _seconds_to_save(solver)
        else:
            expected = 0.0
        self._wait = min(max(_SAVE_FIRST, _SAVE_SHARE * expected), _SAVE_EVERY)
        self._next = time.perf_counter() + self._wait
        self._warned = False

    def due(self) -> bool:
        return time.perf_counter() >= self._next

    def write(self, solution: Solution, *, streets: int | None = None, pack: bool = True) -> None:
        """Write the run folder; what a solver saves by itself comes first, and replaces the older one last."""
        store = self._solver.store if streets is None else None
        if store is None:
            checkpoint = None
        else:
            checkpoint = store.save(self._folder / ACTORS)
        write_folder(solution, self._folder, streets=streets, pack=pack, actors=checkpoint)
        if store is not None:
            store.drop_older()

    def save_on_the_way(self, solution: Solution) -> None:
        """Save; where that fails, say so once and go on: perhaps there is room again by the next time."""
        began = time.perf_counter()
        try:
            self.write(solution, pack=False)
        except SolutionError as error:
            if not self._warned:
                warnings.warn(
                    f"{error} The run goes on, and tries again later.",
                    EquilibristWarning,
                    stacklevel=2,
                )
            self._warned = True
        ended = time.perf_counter()
        self._wait = min(2 * self._wait, _SAVE_EVERY)
        self._next = ended + max(self._wait, _SAVE_SHARE * (ended - began))


def next_certificate(iteration: int, form: FormTraits) -> int:
    """Return when the next certificate is computed: at fixed iterations, the same whether resumed or not.

    They are 5 % apart, and at the checkpoints as well where the game is walked; where one takes as
    long as iterations, the checkpoints and from 32 on the middle between two.
    """
    following = _next_certificate(iteration, form.certificate_is_slow)
    if form.certificate_is_walked:
        return min(following, next_on_grid(iteration))
    return following


def _next_row(iteration: int, _form: FormTraits) -> int:
    """Return when the next row of the trace is kept."""
    return next_on_grid(iteration)


@lru_cache(1 << 12)  # of the thousands of games of a list all but the first find it there
def _next_certificate(iteration: int, is_slow: bool) -> int:
    if is_slow:
        last = 0
        following = 1
        while following <= iteration:
            last = following
            following = next_on_grid(following)
        middle = (last + following) // 2
        if iteration < middle and last >= _FIRST_MIDDLE:
            return middle
        return following
    following = 1
    while following <= iteration:
        following += max(1, following // 20)
    return following
