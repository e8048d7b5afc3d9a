"""The process that solves for the server: it reads an order, a line of JSON, and writes events, a line for each.

Further lines that it reads are ``pause``, ``go`` and ``stop``. It ends by itself, saving what it has, when its input
ends: when its server has gone. ``--preview`` makes it a process that sizes games up instead, one for each line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .._util.plain import to_plain
from ..errors import EquilibristError, EquilibristWarning
from .compiling import CompilingWatch

if TYPE_CHECKING:
    from ..solving.listeners import About
    from ..solving.solution import Solution
    from ..solving.trace import Checkpoint

EVENTS = "events.jsonl"
"""The file in a run's folder that keeps the events."""

_NICE = 5
_PATIENCE = 30.0  # seconds that a worker which has lost its server may still save to the folder


class Events:
    """Events as lines of JSON: in the folder of the run, and to the server as long as there is one."""

    def __init__(self, folder: Path, stream: IO[str]) -> None:
        self._file = (folder / EVENTS).open("a", encoding="utf-8")
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, event: str, **facts: Any) -> None:
        """Write an event."""
        line = json.dumps({"event": event, **facts}) + "\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()
            with suppress(OSError, ValueError):  # nobody listens any more
                self._stream.write(line)
                self._stream.flush()


class Control:
    """What the server wants: to go on, to pause, or to stop, which the end of the input means as well."""

    def __init__(self, stream: IO[str], events: Events) -> None:
        self._events = events
        self._go = threading.Event()
        self._go.set()
        self._stopping = False
        self.iterating = False
        threading.Thread(target=self._listen, args=(stream,), daemon=True).start()

    def _listen(self, stream: IO[str]) -> None:
        with suppress(OSError, ValueError):
            for line in stream:
                if line.strip() == "pause":
                    self._go.clear()
                elif line.strip() == "go":
                    self._go.set()
                elif line.strip() == "stop":
                    break
        self._stopping = True
        self._go.set()
        if not self.iterating:  # nothing is computed yet that could be kept
            self._events.tell("cancelled")
            os._exit(0)

    def should_stop(self) -> bool:
        """Return whether the run is to end; called while it iterates, and held as long as it is to pause."""
        if not self._go.is_set():
            self._events.tell("paused")
            self._go.wait()
            self._events.tell("going")
        return self._stopping


class Follower:
    """Tells the server about a run: its beginning, its checkpoints and its end."""

    quick = True

    def __init__(self, events: Events, control: Control) -> None:
        self._events = events
        self._control = control

    def begin(self, about: About) -> None:
        """Tell what is known of the run, with the checkpoints of the one that goes on."""
        self._control.iterating = True
        keys = (
            "algorithm",
            "sampling",
            "form",
            "precision",
            "infosets",
            "slots",
            "histories",
            "players",
            "pot",
            "until",
        )
        facts = {key: about.parameters.get(key) for key in keys}
        earlier = [to_plain(point) for point in about.earlier]
        self._events.tell("begin", game=about.game, run_id=about.run_id, earlier=earlier, memory=_memory(), **facts)

    def __call__(self, point: Checkpoint) -> None:
        """Tell a checkpoint."""
        self._events.tell("checkpoint", point=to_plain(point), memory=_memory())

    def finish(self, solution: Solution) -> None:
        """Tell how the run ended."""
        self._events.tell("end", stopped=solution.stopped, point=to_plain(solution.final), memory=_memory())


def solve_order(order: dict[str, Any], control: Control, events: Events) -> None:
    """Solve what an order says."""
    from ..solving.solve import solve

    folder = Path(order["folder"])
    _wait_for(folder)
    keywords = dict(order["keywords"])
    if order.get("resume"):
        keywords["resume"] = str(folder)
    solve(
        None if order.get("resume") else order["game"],
        **keywords,
        save=folder,
        trust=order.get("trust", ()),
        on_checkpoint=Follower(events, control),
        on_stage=lambda text: events.tell(
            "stage", text=text.replace(order["game"], order.get("title") or order["game"])
        ),
        stop=control.should_stop,
    )


def _wait_for(folder: Path) -> None:
    """Wait until a worker that has lost its server has saved what it had."""
    from .._util.files import locked_folder
    from ..errors import SolutionError

    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with suppress(SolutionError), locked_folder(folder):
            return
        time.sleep(0.2)


def _memory() -> int:
    """Return the bytes of memory that this process has."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def run_order(stream: IO[str], out: IO[str]) -> int:
    """Read an order, carry it out, and return the exit code."""
    order = json.loads(stream.readline())
    events = Events(Path(order["folder"]), out)
    with suppress(OSError, AttributeError):
        os.nice(_NICE)
    control = Control(stream, events)
    CompilingWatch(lambda active: events.tell("compiling", active=active))

    def show_warning(message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any) -> None:
        if issubclass(category, EquilibristWarning):
            events.tell("warning", message=str(message))

    warnings.showwarning = show_warning
    return _guarded(lambda: solve_order(order, control, events), events)


def _guarded(work: Callable[[], None], events: Events) -> int:
    """Do the work; tell an error as one sentence."""
    try:
        work()
    except EquilibristError as error:
        events.tell("error", message=str(error), field=error.field)
        return 1
    except MemoryError:
        events.tell("error", message="The memory of this machine does not suffice. Choose a smaller game.", field=None)
        return 1
    except Exception as error:
        events.tell("error", message=f"Equilibrist itself failed, with {type(error).__name__}: {error}.", field=None)
        raise
    return 0


def main() -> int:
    """Run the process; what libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if sys.argv[1:] == ["--preview"]:
        from .previews import answer_lines

        return answer_lines(sys.stdin, out)
    return run_order(sys.stdin, out)


if __name__ == "__main__":
    sys.exit(main())
