"""``equilibrist aggregate``: a spot of hold'em over many boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from ..._util.command_line import quote_word
from ..._util.text import escape_controls
from ...cli import options
from ...cli.batch import MemoryOption, batch_options
from ...cli.output import Output
from ...show.columns import fit_table
from ...show.numbers import format_seconds
from ...show.text import paint_text

if TYPE_CHECKING:
    from ...batches.study import Study
    from ...evaluation.units import Unit
    from ..boards.board_report import BoardReport


def aggregate(
    spot: Annotated[
        str,
        Argument(metavar="SPOT", help="A spot file, whose board is replaced.", show_default=False),
    ],
    out: Annotated[
        Path, Option("--out", metavar="FOLDER", help="Where results are kept, and gone on with.")
    ],
    boards: Annotated[
        str,
        Option(
            "--boards",
            help="A weighted subset of 25, 49, 95 or 184 flops; all (1,755); turns or rivers of the spot; boards with "
            "weights as in 'QsJh2h:12, AhKd2c'; or a file of these.",
        ),
    ] = "25",
    line: Annotated[
        list[str] | None,
        Option(
            "--line",
            help="A decision of the first street, such as X-B50. Repeatable. [the first, and X]",
        ),
    ] = None,
    until: options.Until = None,
    iterations: options.Iterations = None,
    algorithm: options.Algorithm = "auto",
    precision: options.Precision = None,
    threads: options.Threads = 1,
    processes: options.Processes = 1,
    ray: options.Ray = None,
    max_memory_gb: MemoryOption = None,
    save_runs: Annotated[
        bool,
        Option(
            "--save-runs",
            help="Keep the strategies of the first street, in a folder for each board.",
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run",
            help="Show the boards, their memory and the time of an iteration, and solve none.",
        ),
    ] = False,
    unit: options.Unit = "chips",
    as_json: options.Json = False,
) -> None:
    """Solve SPOT on many boards: EV, equity, EQR and frequencies on each, by class of hands, and weighted means.

    Each board is solved to 0.5 % of the pot, where no other limit is given. Ctrl-C stops cleanly;
    the same command goes on at the board where it stopped.
    """
    output = Output(as_json)
    from ...evaluation.units import find_unit
    from ...games.load import load
    from ..boards.aggregate import board_report, plan_boards

    shown_unit = find_unit(unit, None if unit == "chips" else load(spot))
    given_settings = {
        "until": until,
        "iterations": iterations,
        "save_streets": 1 if save_runs else None,
    }
    settings: dict[str, Any] = {
        name: value for name, value in given_settings.items() if value is not None
    }
    settings |= {"algorithm": algorithm, "precision": precision, "threads": threads}
    if dry_run:
        with output.live(title="") as live:
            text, weights, study = plan_boards(spot, boards, settings)
            plan = _plan_boards(text, weights, study, live.stage)
        output.emit(lambda: plan, _plan_report(plan, processes, output.console.width))
        return
    with batch_options(output, "boards", processes, ray) as executor_options:
        report = board_report(
            spot,
            boards,
            lines=tuple(line) if line else ("", "X"),
            save=out,
            keep="runs" if save_runs else "results",
            max_memory_gb=max_memory_gb,
            **executor_options,
            **settings,
        )
    output.emit(report.summary, _board_lines(report, out, output.console.width, shown_unit))
    if report.failed:
        raise typer.Exit(1)


def _plan_boards(
    spot: str, weights: Mapping[str, float], study: Study, on_stage: Callable[[str], None]
) -> dict[str, Any]:
    """Return each board with its memory, and the time of an iteration on the largest."""
    from ...batches.predict import predict_gigabytes, predict_seconds
    from ..boards.blocks import describe_terms

    rows: list[dict[str, Any]] = []
    largest = study.items[0]
    for item in study.items:
        on_stage(f"Compiling {item}")
        board = str(item.labels["board"])
        gigabytes = predict_gigabytes(item.game, item.options, item.limits) or 0.0
        rows.append({"board": board, "weight": weights[board], "gigabytes": gigabytes})
        if gigabytes >= max(row["gigabytes"] for row in rows):
            largest = item
    on_stage(f"Timing an iteration on {largest}")
    return {
        "terms": describe_terms(spot, list(weights)),
        "boards": rows,
        "seconds_an_iteration": predict_seconds(largest.game, largest.options),
    }


def _plan_report(plan: Mapping[str, Any], processes: int, width: int) -> Iterator[RenderableType]:
    rows = plan["boards"]
    yield plan["terms"]
    columns = {
        "board": [row["board"] for row in rows],
        "weight": [f"{row['weight']:g}" for row in rows],
        "gigabytes": [f"{row['gigabytes']:.2g}" for row in rows],
    }
    yield fit_table(f"{len(rows):,} boards", columns, width, text=("board",))
    seconds = plan["seconds_an_iteration"]
    if seconds is not None:
        duration_of_all = format_seconds(100 * seconds * len(rows) / processes)
        yield (
            f"An iteration takes about {format_seconds(seconds)} on the largest; "
            f"100 iterations on all boards {duration_of_all}"
        )


def _board_lines(
    report: BoardReport, out: Path, width: int, unit: Unit
) -> Iterator[RenderableType]:
    from ..boards.blocks import describe_terms, mean_tables

    yield describe_terms(report.spot, [board for board, _ in report.weights])
    yield from paint_text(mean_tables(report, unit), width)
    for board, reason in list(report.failed.items())[:20]:
        yield escape_controls(f"Failed on {board}: {reason}")
    if report.solved:
        yield f"Written to {quote_word(str(out))}: boards.csv, boards.parquet, classes.parquet, report.html"
        yield f"{report.computed:,} boards computed now"
    num_left = len(report.records) - len(report.solved) - len(report.failed)
    if num_left:
        yield Text(
            f"Interrupted: {num_left:,} of {len(report.records):,} boards are left. The same command "
            "goes on.",
            "bold",
        )
