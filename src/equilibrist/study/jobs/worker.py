"""The process that solves for the server: it reads a request, a line of JSON, and writes events, a line for each.

Further lines that it reads are ``pause``, ``go`` and ``stop``. It ends by itself, saving what it
has, when its input ends: when its server has gone. ``--estimate`` makes it a process that estimates
runs instead, one for each line.
"""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..._util.files import open_regular
from ..._util.interrupt import interrupt_this_process
from ..._util.places import import_place
from ..._util.plain import to_plain
from ..._util.workers import STOP, give_way, take_output
from ...errors import EquilibristError, EquilibristWarning
from ...solving.settings import ENDS
from .compiling import CompilingWatch
from .kinds import REPORTS

if TYPE_CHECKING:
    from ...batches.batch import BatchProgress
    from ...batches.task import Task
    from ...exploiting.exploitation import Exploitation
    from ...solving.callbacks import About
    from ...solving.trace import Checkpoint

EVENTS = "events.jsonl"
"""The file in a run's folder that keeps the events."""

_PATIENCE = 30.0  # seconds that a worker which has lost its server may still save to the folder
_FACTS = (
    "algorithm",
    "sampling",
    "form",
    "precision",
    "infosets",
    "slots",
    "histories",
    "players",
    "pot",
    "until.exploitability",
    "until.largest_gain",
)


class Reporter:
    """Tracker of a run that tells the server about it, and does what the server wants: pause, go on, stop.

    Events are lines of JSON: in the folder of the run, and to ``out`` as long as there is a server.
    The end of ``commands`` is a ``stop`` as well.
    """

    quick = True

    def __init__(self, request: dict[str, Any], commands: IO[str], output: IO[str]) -> None:
        self._game = request["game"]
        self._title = request["title"]
        self._is_batch = "batch" in request
        self._file = io.TextIOWrapper(
            open_regular(Path(request["folder"]) / EVENTS, "ab"), encoding="utf-8"
        )
        self._out = output
        self._lock = threading.Lock()
        self._go = threading.Event()
        self._go.set()
        self._iterating = False
        threading.Thread(target=self._listen, args=(commands,), daemon=True).start()

    def tell(self, event: str, **facts: Any) -> None:
        line = json.dumps({"event": event, **facts}) + "\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()
            with suppress(OSError, ValueError):  # nobody listens any more
                self._out.write(line)
                self._out.flush()

    def _listen(self, commands: IO[str]) -> None:
        with suppress(OSError, ValueError):
            for line in commands:
                if line.strip() == "pause":
                    self._go.clear()
                elif line.strip() == "go":
                    self._go.set()
                elif line.strip() == "stop":
                    break
        STOP.set()
        self._go.set()
        if self._iterating and self._is_batch:  # which listens as a command does, whatever it is at
            interrupt_this_process()
        if not self._iterating:  # nothing is computed yet that could be kept
            self.tell("cancelled")
            os._exit(0)

    def on_stage(self, text: str) -> None:
        self.tell("stage", text=text.replace(self._game, self._title))

    def on_start(self, about: About) -> None:
        self._iterating = True
        facts = {key: about.parameters.get(key) for key in _FACTS}
        earlier_points = [to_plain(point) for point in about.earlier]
        self.tell(
            "begin",
            game=about.game,
            run_id=about.run_id,
            earlier=earlier_points,
            memory=_memory(),
            **facts,
        )

    def on_progress(self, progress: BatchProgress) -> None:
        """Tell how far a batch is."""
        self._iterating = True
        facts = {
            name: getattr(progress, name)
            for name in ("done", "failed", "total", "seconds", "seconds_left")
        }
        self.tell("progress", progress=facts, memory=_memory())

    def on_checkpoint(self, point: Checkpoint) -> None:
        self.tell("checkpoint", point=to_plain(point), memory=_memory())

    def should_stop(self) -> bool:
        """Hold the run as long as it is to pause; that it is to stop, all that this process computes is told."""
        if not self._go.is_set():
            self.tell("paused")
            self._go.wait()
            self.tell("going")
        return False


def make_task(request: dict[str, Any], reporter: Reporter) -> Task:
    """Return the run that a request asks for, as batches carry it out."""
    from ...batches.task import Task

    keywords = request["keywords"]
    return Task(
        name=request["title"],
        game=None if request["resume"] else request["game"],
        options={name: value for name, value in keywords.items() if name not in ENDS},
        limits={name: value for name, value in keywords.items() if name in ENDS},
        folder=Path(request["folder"]),
        trackers=(reporter,),
        trust=request["trust"],
        guard=Exception,
    )


def carry_out(request: dict[str, Any], reporter: Reporter) -> int:
    """Carry out the batch that a request asks for, and return the exit code."""
    from ...batches.batch import batch

    plan = request["batch"]
    folder = Path(request["folder"])
    common: dict[str, Any] = {
        "save": folder,
        "keep": "runs",
        "executor": plan["processes"],
        "callbacks": reporter,
    }
    result: Any
    try:
        if "study" in plan:
            result = batch({"name": folder.name, **plan["study"]}, **common)
        else:
            result = import_place(REPORTS["make"])(
                plan["spot"], plan["boards"], lines=plan["lines"], **plan["options"], **common
            )
    except EquilibristError as error:
        reporter.tell("error", message=str(error))
        return 1
    for reason in dict.fromkeys(result.failed.values()):
        which = [name for name, error in result.failed.items() if error == reason]
        more_text = f" and {len(which) - 3} more" if len(which) > 3 else ""
        reporter.tell("warning", message=f"Failed: {'; '.join(which[:3])}{more_text}: {reason}")
    is_stopped = any(record["state"] == "unfinished" for record in result.records)
    reporter.tell("end", stop_reason="stop" if is_stopped else "done", memory=_memory())
    return 0


def answer_opponent(request: dict[str, Any], reporter: Reporter) -> int:
    """Find the answer to an opponent that a request asks for, and return the exit code."""
    from ...exploiting.exploit import exploit
    from ...exploiting.opponents import read_words
    from ...solving.callbacks import Unfollowed
    from ...solving.keywords import solve_keywords
    from ...solving.load import load_solution
    from .exploits import blamed_field, keep_opponent

    question = request["exploit"]
    folder = Path(request["folder"])
    keywords = solve_keywords(request["keywords"])
    keywords |= {"save": folder, "callbacks": [reporter, Unfollowed(should_stop=STOP.is_set)]}
    try:
        if request["resume"]:
            exploitation = _go_on_answering(folder, keywords, trust=request["trust"])
        else:
            run = load_solution(request["run"], trust=request["trust"])
            goal = {"trust": question["trust"], "player": question["player"]}
            exploitation = exploit(run, read_words(question["opponent"]), **goal, **keywords)
            keep_opponent(folder, question, exploitation)
    except EquilibristError as error:
        reporter.tell("error", message=str(error), field=blamed_field(error))
        return 1
    except MemoryError:
        reporter.tell("error", message="There was not enough memory.")
        return 1
    solution = exploitation.solution
    assert solution is not None  # as it is saved
    point = to_plain(solution.trace[-1])
    reporter.tell("end", stop_reason=solution.stop_reason, point=point, memory=_memory())
    return 0


def _go_on_answering(folder: Path, keywords: dict[str, Any], *, trust: Any) -> Exploitation:
    """Return the answer that a saved one becomes, by default as near to the best one as was asked for at first."""
    from ...exploiting.exploit import exploit
    from ...solving.load import load_solution

    old = load_solution(folder, trust=trust)
    if not keywords.keys() & {"until", "iterations", "seconds"} and old.config is not None:
        keywords = {**keywords, "until": list(old.config.stop.until)}
    if "seconds" in keywords:  # which are those in all
        keywords = {**keywords, "seconds": keywords["seconds"] - old.trace[-1].seconds}
    return exploit(None, resume=old, **keywords)


def _wait_for(folder: Path) -> None:
    """Wait until a worker that has lost its server has saved what it had."""
    from ..._util.files import lock_folder
    from ...errors import SolutionError

    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with suppress(SolutionError), lock_folder(folder):
            return
        time.sleep(0.2)


def _memory() -> int:
    import psutil

    return int(psutil.Process().memory_info().rss)


def solve_request(commands: IO[str], output: IO[str]) -> int:
    """Read a request, carry it out, and return the exit code."""
    request = json.loads(commands.readline())
    reporter = Reporter(request, commands, output)
    give_way()
    CompilingWatch(lambda active: reporter.tell("compiling", active=active))

    def show_warning(
        message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any
    ) -> None:
        if issubclass(category, EquilibristWarning):
            reporter.tell("warning", message=str(message))

    warnings.showwarning = show_warning
    from ...batches import task

    logging.basicConfig()
    logging.getLogger(task.__name__).setLevel(logging.DEBUG)  # tracebacks, which the server logs
    _wait_for(Path(request["folder"]))
    if "batch" in request:
        return carry_out(request, reporter)
    if "exploit" in request:
        return answer_opponent(request, reporter)
    outcome = make_task(request, reporter)()
    if outcome.error:
        reporter.tell("error", message=outcome.error)
        return 1
    reporter.tell(
        "end", stop_reason=outcome.stop_reason, point=to_plain(outcome.trace[-1]), memory=_memory()
    )
    return 0


def main() -> int:
    """Run the process; what libraries print goes to standard error."""
    output = take_output()
    if sys.argv[1:] == ["--estimate"]:
        from .estimates import answer_lines

        return answer_lines(sys.stdin, output)
    return solve_request(sys.stdin, output)


if __name__ == "__main__":
    sys.exit(main())
