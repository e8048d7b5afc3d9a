"""Progress of a run on a terminal: the stage at work, and a table of the checkpoints so far."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from threading import Timer
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from .._util.text import escape_controls
from ..evaluation.gaps import gap_words
from ..show.columns import fit_table
from ..show.numbers import format_count, format_seconds, format_value

if TYPE_CHECKING:
    from ..solving.trace import Checkpoint

_ROWS = 18
_PERCENT = "% of pot"
_GAP = "response_gap"  # as cfr.criteria.ResponseGap.name, which would import NumPy for --help


class Progress:
    """What is shown while something is computed."""

    def __init__(self, title: str, console: Console) -> None:
        self.title = title
        self.console = console
        self.rows: list[Any] = []  # of the table: here the checkpoints so far
        self.answer = Text()  # EV and the first decision at the newest of them
        self.spinner = Spinner("dots" if console.encoding.startswith("utf") else "line", Text())
        self.text = ""
        self.patience: float | None = (
            None  # where nobody sees the spinner: seconds until a stage is printed
        )
        self.wait = 0.0  # until this stage is printed next
        self.timer = Timer(0, lambda: None)

    def stage(self, text: str) -> None:
        """Show the stage; where nothing moves on a screen, print it if it takes long, and rarely how far it is."""
        previous_text = self.text
        self.text = f"{escape_controls(text)} …"
        self.spinner.update(text=Text(self.text))
        if self.patience is None:
            return
        if self.text.partition(": ")[0] != previous_text.partition(": ")[0]:
            self.timer.cancel()
            self.wait = self.patience
        elif self.timer.is_alive():
            return  # which prints the newest line
        else:
            self.wait *= 2
        self.timer = Timer(self.wait, lambda: print(self.text, file=sys.stderr, flush=True))
        self.timer.daemon = True
        self.timer.start()

    def checkpoint(self, point: Checkpoint) -> None:
        self.rows.append(point)

    def first_decision(self, point: Checkpoint, frequencies: Mapping[str, float]) -> None:
        evs = " / ".join(f"{value:.2f}" for value in point.value)
        mix = "   ".join(
            f"{escape_controls(action)} {share:.1%}" for action, share in frequencies.items()
        )
        self.answer = Text(f"EV {evs}   first decision: {mix}", no_wrap=True, overflow="ellipsis")

    def table(self) -> Table:
        """Return the table of checkpoints, the last ones where there are many."""
        # One row for each doubling tells as much as one for each √2; the newest is always there.
        points = [*self.rows[:-1][::2], *self.rows[-1:]][-_ROWS:]
        words = gap_words(len(points[-1].value))
        headings = (
            "iteration",
            "nodes touched",
            "nodes/s",
            "time",
            words.total,
            words.gap,
            _PERCENT,
        )
        columns = dict(
            zip(headings, zip(*map(_checkpoint_cells, points), strict=True), strict=True)
        )
        if "exploitability_percent" not in points[-1].measures:
            del columns[_PERCENT]
        if _GAP in points[-1].measures:  # of an answer to a model, which is meant to be exploitable
            for heading in (words.total, words.gap, _PERCENT):
                columns.pop(heading, None)
            gaps = [point.measures.get(_GAP) for point in points]
            columns["from the best"] = tuple("–" if gap is None else f"{gap:.3e}" for gap in gaps)
        # In this order, where the terminal is too narrow.
        droppable = ("nodes touched", words.total, "nodes/s", "time")
        return fit_table(f"Solving {self.title}", columns, self.console.width, droppable=droppable)

    def __rich__(self) -> RenderableType:
        if self.rows:
            return Group(self.table(), self.answer, self.spinner)
        return self.spinner


def _checkpoint_cells(point: Checkpoint) -> tuple[str, ...]:
    return (
        f"{point.iteration:,}",
        format_count(point.nodes_touched),
        format_count(point.nodes_touched / point.seconds if point.seconds > 0 else 0.0),
        format_seconds(point.seconds),
        format_value(point.nash_conv, ".3e"),
        format_value(point.gap, ".3e"),
        format_value(point.gap_percent, ".3g"),
    )
