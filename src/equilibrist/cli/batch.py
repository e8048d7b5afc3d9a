"""``equilibrist batch``: the runs of a study, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from typer import Argument, Option

from .._util.callbacks import Callbacks
from .._util.command_line import quote_word
from .._util.text import escape_controls
from ..evaluation.gaps import gap_heading
from ..show.columns import fit_table
from ..show.numbers import format_cell, format_seconds
from ..show.text import paint_text
from . import options
from .output import Output
from .progress import Progress

if TYPE_CHECKING:
    from ..batches.batch import BatchProgress
    from ..batches.result import BatchResult

_ROWS_SHOWN = 12
_MOST_PRINTED = 60  # rows of the table at the end

MemoryOption = Annotated[
    float | None,
    Option(
        "--max-memory-gb",
        help="Gigabytes that the runs at work may take together. [what the machine has free]",
    ),
]


def batch(
    study: Annotated[
        Path,
        Argument(
            metavar="STUDY", help="A TOML file: a game, what varies, a limit.", show_default=False
        ),
    ],
    out: Annotated[
        Path,
        Option(
            "--out", metavar="FOLDER", help="Where results and runs are kept, and gone on with."
        ),
    ],
    processes: options.Processes = 1,
    ray: options.Ray = None,
    max_memory_gb: MemoryOption = None,
    results_only: Annotated[
        bool,
        Option(
            "--results-only", help="Keep no run folders, but the results alone: for large batches."
        ),
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show the runs and the memory of each, and begin none.")
    ] = False,
    track: options.Track = None,
    trust: Annotated[
        bool,
        Option(
            "--trust", help="Run the Python files that STUDY names as games, which are programs."
        ),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Carry out the runs of STUDY, each until its limit; what is in FOLDER already is not computed again.

    Ctrl-C stops cleanly and saves; the same command goes on. A run that fails is reported, and the
    others go on.
    """
    output = Output(as_json)
    from ..batches.batch import batch as run
    from ..batches.study import read_study

    study_read = read_study(study, trust=trust)
    if dry_run:
        output.emit(
            lambda: {"items": plan_rows(study_read)},
            [_plan_table(plan_rows(study_read), output.console.width)],
        )
        return
    with (
        options.open_trackers(track) as trackers,
        batch_options(output, study_read.name, processes, ray, trackers) as executor_options,
    ):
        result = run(
            study_read,
            save=out,
            keep="results" if results_only else "runs",
            max_memory_gb=max_memory_gb,
            **executor_options,
        )
    output.emit(result.summary, batch_report(result, out, output.console.width))
    if result.failed:
        raise typer.Exit(1)


@contextmanager
def batch_options(
    output: Output, title: str, processes: int, ray: str | None, trackers: Sequence[Any] = ()
) -> Iterator[dict[str, Any]]:
    """Give the keywords of a batch that say where its runs are carried out and who follows them; show its progress."""
    progress = BatchLive(title, output.console)
    with (
        options.open_executor(processes, ray) as executor,
        output.live(title="", progress=progress),
    ):
        callbacks = Callbacks(on_progress=progress.update, on_stage=progress.stage)
        yield {"executor": executor, "callbacks": [callbacks, *trackers]}


def plan_rows(study: Any) -> list[dict[str, Any]]:
    """Return each run of a study with the memory that it is going to take."""
    from ..batches.predict import predict_gigabytes

    return [
        {
            **item.labels,
            "game": str(item.game),
            "gigabytes": predict_gigabytes(item.game, item.options, item.limits),
            "run": item.name,
        }
        for item in study.items
    ]


def _plan_table(rows: list[dict[str, Any]], width: int) -> Table:
    from ..batches.result import rows_to_columns

    columns = {
        heading: list(map(format_cell, cells)) for heading, cells in rows_to_columns(rows).items()
    }
    return fit_table(
        f"{len(rows):,} runs", columns, width, text=("game", "run"), droppable=("game", "run")
    )


class BatchLive(Progress):
    """A live picture: how many runs are done, how long the others are going to take, and the last that ended."""

    def __init__(self, title: str, console: Console) -> None:
        super().__init__(title, console)
        self.now: BatchProgress | None = None
        self.players: set[int] = set()  # of the games of the runs that ended

    def update(self, progress: BatchProgress) -> None:
        """Note how far the batch is."""
        self.now = progress
        if progress.item is not None and progress.outcome is not None:
            outcome = progress.outcome
            last = outcome.trace[-1] if outcome.trace else None
            gap = ""
            if last is not None and last.is_certified:
                gap = f"{last.gap:.3e}"
                self.players.add(len(last.value))
            self.rows.append((str(progress.item), outcome.error or outcome.stop_reason, gap))
        super().stage(self.line())

    def line(self) -> str:
        """Return how far the batch is, in words."""
        if self.now is None:
            return self.title
        if self.now.seconds_left is None:
            time_left = ""
        else:
            time_left = f", about {format_seconds(self.now.seconds_left)} left"
        failed = f", {self.now.failed} failed" if self.now.failed else ""
        return f"{self.title}: {self.now.done:,} of {self.now.total:,} runs done{failed}{time_left}"

    def table(self) -> Table:
        rows = self.rows[-_ROWS_SHOWN:]
        columns = dict(
            zip(
                ("run", "ended by", gap_heading(self.players)),
                map(list, zip(*rows, strict=True)),
                strict=True,
            )
        )
        return fit_table(
            self.line(),
            columns,
            self.console.width,
            text=("run", "ended by"),
            droppable=("ended by",),
        )


def batch_report(result: BatchResult, out: Path, width: int) -> Iterator[RenderableType]:
    """Iterate over what is printed: the table of results, why runs failed, and what was written."""
    from ..batches.result_blocks import failure_sentences, result_table

    num_runs = len(result.records)
    title = f"{result.name}: {num_runs:,} runs"
    yield from paint_text([result_table(result, title, _MOST_PRINTED)], width)
    for sentence in failure_sentences(result.failed):
        yield escape_controls(f"Failed: {sentence}")
    files = "results.parquet, study.json, report.html"
    yield f"Written to {quote_word(str(out))}: {files}; {result.computed:,} computed now"
    num_unfinished = result.count("unfinished")
    if num_unfinished:
        yield Text(
            f"Interrupted: {num_unfinished:,} of {num_runs:,} runs are not finished. The same "
            "command goes on.",
            "bold",
        )
