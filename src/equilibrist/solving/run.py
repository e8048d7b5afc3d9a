"""One run of a solver: iterate until a limit is met, certify and save on the way, and make a Solution of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from .._util.interrupt import heard_interrupt
from .._util.validate import is_number, is_whole
from ..cfr.full_width import FullWidthCFR
from ..cfr.solver import Solver
from ..errors import AlgorithmError, SolutionError
from ..evaluation.certificate import certify
from ..mccfr.solver import MemoryLimitError, MonteCarloCFR
from ..strategy.strategy import Strategy
from .prepare import Seconds, stopwatch
from .recorder import Recorder
from .solution import Checkpoint, Solution
from .trace import Trace, next_on_grid, on_grid

_MOST = 2**62  # where there is no limit

_SLICE = 0.1  # seconds that a compiled call may take, so that Ctrl-C and limits are heard
_SAVE_EVERY = 30.0  # seconds between two saves of a running solve, more where saving is slow


class StopRule(NamedTuple):
    """When a run ends: at the first of these that is met; payoff per game, seconds of iterating, nodes touched."""

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    nodes: int | None = None

    @classmethod
    def checked(cls, iterations: int | None, until: float | None, seconds: float | None, nodes: int | None) -> StopRule:
        """Return the limits as plain numbers, or refuse those that make no sense."""
        for label, count in (("iterations", iterations), ("nodes", nodes)):
            if count is not None and not is_whole(count, 1):
                raise AlgorithmError(f"{label} must be a whole number, 1 or more; got {count!r}.", wrong_use=True)
        for label, number in (("until", until), ("seconds", seconds)):
            if number is not None and not is_number(number, above=0):
                raise AlgorithmError(f"{label} must be a number above 0; got {number!r}.", wrong_use=True)
        return cls(
            None if iterations is None else int(iterations),
            None if until is None else float(until),
            None if seconds is None else float(seconds),
            None if nodes is None else min(int(nodes), _MOST),
        )


class Run:
    """One run of a solver: iterate, certify, keep the trace and the recording, save."""

    def __init__(
        self, name: str, solver: Solver, spent: Seconds, old: Solution | None, recorder: Recorder | None = None
    ) -> None:
        self.name = name
        self.solver = solver
        self.spent = spent
        self.recorder = recorder
        # Only what an uninterrupted run would have kept as well: not the last checkpoint, where the old run ended.
        self.trace = [point for point in old.trace if on_grid(point.iteration)] if old is not None else []
        self.newest: Checkpoint | None = None
        self.full = recorder is not None and recorder.full  # whether the memory that there is is used up
        self.slice = 1  # iterations that take about _SLICE seconds, as far as is known

    def execute(
        self, limits: StopRule, on_checkpoint: Callable[[Checkpoint], None] | None, save: str | Path | None
    ) -> Solution:
        """Iterate until a limit is met."""
        last = min(n for n in (limits.iterations, self.solver.horizon, _MOST) if n is not None)
        enough = _MOST if limits.nodes is None else limits.nodes
        self.solver.max_nodes = enough
        deadline = math.inf if limits.seconds is None else self.spent["solve"] + limits.seconds
        saver = _Saver(save)
        with heard_interrupt() as interrupted:
            self.solver.should_stop = lambda: bool(interrupted)  # in the middle of an iteration

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
                kept = self.recorder.next(done) if self.recorder is not None else last
                self._iterate_to(min(last, next_on_grid(done), look, kept), pause)
                if self.recorder is not None and self.recorder.due(self.solver.iteration):
                    self._record(self.recorder)
                stopped = met()
                if on_grid(self.solver.iteration):
                    self._keep(on_checkpoint)
                if stopped is None and saver.due():
                    saver.save_on_the_way(self._solution("interrupt"))
        self._keep(on_checkpoint)
        if self.recorder is not None:
            self._record(self.recorder)
        solution = self._solution(stopped)
        try:
            saver.save(solution)
        except SolutionError as error:
            error.solution = solution
            raise
        return solution

    def parameters(self, limits: StopRule) -> dict[str, str | int | float | bool | None]:
        """Return all that decides the run, as plain values by name."""
        solver = self.solver
        sizes = {} if solver.form is None else solver.form.describe()
        return {
            "game": self.name,
            "row": repr(solver.algorithm),
            **solver.describe(),
            **limits._asdict(),
            **sizes,
        }

    def _iterate_to(self, target: int, pause: Callable[[], bool]) -> None:
        """Iterate once or more, in slices short enough to hear an interrupt or a deadline between two of them."""
        while True:
            count = min(self.slice, target - self.solver.iteration)
            began = time.perf_counter()
            try:
                self.solver.run(count)
            except MemoryLimitError:
                self.full = True
            took = time.perf_counter() - began
            self.spent["solve"] += took
            if count == self.slice:
                self.slice = min(2 * count, 1 + int(count * _SLICE / max(took, 1e-9)))
            enough = self.solver.nodes_touched >= self.solver.max_nodes
            if self.solver.iteration >= target or enough or pause():
                return

    def _look(self) -> Checkpoint:
        """Return the certificate of the average strategy as it is now."""
        if self.newest is None or self.newest.iteration != self.solver.iteration:
            certificate = cce_distance = None
            if self.solver.form is not None:
                with stopwatch(self.spent, "certify"):
                    certificate = certify(
                        self.solver.form, self.solver.average_weights(), weights=True, threads=self.solver.threads
                    )
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

    def _record(self, recorder: Recorder) -> None:
        """Keep a row of the recording, unless it is there; see whether there is room for another."""
        with stopwatch(self.spent, "record"):
            recorder.keep(self.solver)
        self.full = self.full or recorder.full

    def _solution(self, stopped: str) -> Solution:
        solver = self.solver
        point = self._look()
        others = {
            "row": repr(solver.algorithm),
            "alternating": solver.alternating,
            "stopped": stopped,
            "trace": Trace(self.trace),
            "recording": None if self.recorder is None else self.recorder.recording(),
            "horizon": solver.horizon,
            "memory": solver.state_dict(),  # not copied: it is read before the solver goes on, or never does
        }
        if isinstance(solver, FullWidthCFR):
            others["precision"] = solver.precision
        if isinstance(solver, MonteCarloCFR):
            others |= {"sampling": str(solver.sampling), "seed": solver.seed, "table_bytes": solver.nbytes}
        strategy = solver.strategy()
        sizes = _sizes_met(solver, strategy) if solver.form is None else solver.form.describe()
        return solved(self.name, solver.algorithm.name, sizes, strategy, point, self.spent, **others)


def _at_most(number: float | None, limit: float) -> bool:
    return number is not None and number <= limit


def solved(
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


def _sizes_met(solver: Solver, strategy: Strategy) -> dict[str, Any]:
    """Return what a solution says of a game that is not compiled, of which this much has been met."""
    return {
        "players": solver.players,
        "histories": None,
        "infosets": len(strategy),
        "slots": len(strategy.probabilities) + solver.players,
        "zero_sum": None,
        "form": "none",
        "payoff": "",
        "fingerprint": solver.fingerprint,
    }


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


def _next_look(iteration: int) -> int:
    """Return when to look at ``until`` next: at fixed iterations 5 % apart, the same whether resumed or not."""
    look = 1
    while look <= iteration:
        look += max(1, look // 20)
    return look
