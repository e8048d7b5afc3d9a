"""``equilibrist compare``: the runs while they run, then what each reached and which is best when."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import RenderableType
from rich.table import Table
from typer import Option

from ..show.columns import fit_table
from ..show.numbers import format_count, format_seconds
from ..show.text import paint_result
from . import options
from .arguments import COUNT
from .output import Output
from .progress import Progress

if TYPE_CHECKING:
    from ..comparison.comparison import Comparison, Run
    from ..solving.trace import Checkpoint

_ROWS_SHOWN = 12  # of the runs at work


def compare(
    game: options.Game,
    algorithms: Annotated[
        str,
        Option(
            "--algorithms",
            "-a",
            help="Algorithms that 'equilibrist algorithms' lists, separated by commas.",
        ),
    ] = options.DEFAULT_ALGORITHMS,
    sampling: Annotated[
        str, Option("--sampling", help="Sampling schemes, separated by commas.")
    ] = "full",
    form: options.Form = None,
    seconds: Annotated[
        float | None,
        Option(
            "--seconds",
            help="The budget of each run: seconds of iterating. [10, if no other is given]",
        ),
    ] = None,
    nodes: Annotated[
        int | None, Option("--nodes", **COUNT, help="The budget of each run: nodes touched.")
    ] = None,
    iterations: Annotated[
        int | None,
        Option("--iterations", "-n", **COUNT, help="The budget of each run: iterations."),
    ] = None,
    seeds: Annotated[
        int, Option("--seeds", help="Runs of each combination that draws at random.")
    ] = 1,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            metavar="FOLDER",
            help="Write picture, table and runs there, and go on with the runs in it.",
        ),
    ] = None,
    processes: options.Processes = 1,
    ray: options.Ray = None,
    track: options.Track = None,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    as_json: options.Json = False,
) -> None:
    """Compare algorithms and samplings on GAME, each with the same budget, and rank them.

    Ctrl-C stops cleanly and reports the results so far. With --out the same command goes on where
    it stopped, and a larger budget extends the comparison.
    """
    output = Output(as_json)
    from .._util.callbacks import Callbacks
    from ..comparison.compare import compare as run
    from ..form.limits import Limits

    progress = RunsProgress(game, output.console)
    with (
        options.open_trackers(track) as trackers,
        options.open_executor(processes, ray) as executor,
        output.live(title=game, progress=progress),
    ):
        comparison = run(
            game,
            algorithms=algorithms,
            sampling=sampling,
            form=form or "auto",
            seeds=seeds,
            seconds=seconds,
            nodes=nodes,
            iterations=iterations,
            save=out,
            executor=executor,
            callbacks=[
                Callbacks(
                    on_run=progress.run,
                    on_checkpoint=progress.checkpoint,
                    on_stage=progress.stage,
                ),
                *trackers,
            ],
            limits=Limits(histories=max_histories, depth=max_depth),
        )
    output.emit(comparison.summary, report(comparison, out=out, width=output.console.width))


class RunsProgress(Progress):
    """A live picture: the last runs, each with its newest checkpoint, and the stage at work."""

    def stage(self, text: str) -> None:
        """Show what is being done; drawing is no news for a log."""
        from ..comparison.compare import DRAWING

        super().stage(text)
        if text == DRAWING:
            self.timer.cancel()

    def run(self, run: Run, number: int, runs: int) -> None:
        self.rows.append((run, run.trace[-1] if run.trace else None))

    def checkpoint(self, point: Checkpoint) -> None:
        self.rows[-1] = self.rows[-1][0], point

    def table(self) -> Table:
        rows: list[tuple[Run, Checkpoint | None]] = self.rows[-_ROWS_SHOWN:]
        headings = ("iteration", "nodes", "time", "exploitability")
        columns: dict[str, list[str]] = {"run": [str(run) for run, _ in rows]}
        columns |= {heading: [] for heading in headings}
        for _, point in rows:
            cells = ("", "", "", "")  # of a run that has no checkpoint yet
            if point is not None:
                cells = (
                    f"{point.iteration:,.0f}",
                    format_count(point.nodes_touched),
                    format_seconds(point.seconds),
                    f"{point.exploitability:.3e}",
                )
            for heading, cell in zip(headings, cells, strict=True):
                columns[heading].append(cell)
        hidden_columns = ("nodes", "time", "iteration")
        return fit_table(
            f"Comparing on {self.title}",
            columns,
            self.console.width,
            text=("run",),
            droppable=hidden_columns,
        )


def report(comparison: Comparison, *, out: Path | None, width: int) -> Iterator[RenderableType]:
    """Iterate over what is printed: what each combination reached, who is best when, what was skipped and written."""
    if out is None:
        written = ""
        remedy = "Nothing is saved; with --out FOLDER it could go on."
    else:
        pictures = "comparison.svg, comparison.png, comparison.csv, " if comparison.curves else ""
        folder = shlex.quote(str(out))
        written = f"Written to {folder}: {pictures}comparison.json; each run in runs/"
        remedy = "The same command goes on."
    yield from paint_result(comparison, width, written=written, remedy=remedy)
