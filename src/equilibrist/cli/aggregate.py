"""``equilibrist aggregate``: a spot of hold'em over many boards."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from .._util.text import visible
from .base import JsonOption, app
from .batch import MemoryOption, carried_out
from .columns import fitted
from .executors import ProcessesOption, RayOption
from .output import Output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..batches.board_report import BoardReport

_DROPPED = ("EQR IP", "EQR OOP", "equity IP", "equity OOP", "boards")


@app.command(short_help="Solve a spot of hold'em on many boards, and report the means.")
def aggregate(
    spot: Annotated[
        str, typer.Argument(metavar="SPOT", help="A spot file, whose board is replaced.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where results are kept, and gone on with.")],
    boards: Annotated[
        str,
        typer.Option(
            "--boards",
            help="A weighted subset of 25, 49, 95 or 184 flops; all (1,755); turns or rivers of the spot; boards with "
            "weights as in 'QsJh2h:12, AhKd2c'; or a file of these.",
        ),
    ] = "25",
    line: Annotated[
        list[str] | None,
        typer.Option("--line", help="A decision of the first street, such as X-B50. Repeatable. [the first, and X]"),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", "-u", help="Stop at this exploitability, chips or % of the pot. [0.5%]")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="Stop after so many iterations on each board.")
    ] = None,
    algorithm: Annotated[str, typer.Option("--algorithm", "-a", help="As for solve.")] = "auto",
    precision: Annotated[str | None, typer.Option("--precision", help="As for solve. [float32]")] = None,
    threads: Annotated[int, typer.Option("--threads", help="Threads of each run.")] = 1,
    processes: ProcessesOption = 1,
    ray: RayOption = None,
    max_memory_gb: MemoryOption = None,
    save_runs: Annotated[
        bool, typer.Option("--save-runs", help="Keep the strategies of the first street, in a folder for each board.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve SPOT on many boards: EV, equity, EQR and frequencies on each, by class of hands, and weighted means.

    Ctrl-C stops cleanly; the same command goes on at the board where it stopped.
    """
    output = Output(as_json)
    from ..batches.aggregate import aggregate as run

    given: dict[str, Any] = {"until": until, "iterations": iterations, "save_streets": 1 if save_runs else None}
    with carried_out(output, "boards", processes, ray) as where:
        report = run(
            spot,
            boards,
            lines=tuple(line) if line else ("", "X"),
            out=out,
            keep="runs" if save_runs else "results",
            max_memory_gb=max_memory_gb,
            algorithm=algorithm,
            precision=precision,
            threads=threads,
            **where,
            **{name: value for name, value in given.items() if value is not None},
        )
    output.emit(report.summary, _shown(report, out, output.console.width))
    if report.failed and not as_json:
        raise typer.Exit(1)


def _shown(report: BoardReport, out: Path, width: int) -> Iterator[RenderableType]:
    """Iterate over what is printed: the means, what failed, and what was written."""
    for mean in report.means():
        known = list(mean)
        actions = known[known.index("eqr_ip") + 1 :]
        columns = {"boards": [str(mean["boards"])]}
        for what, heading in (("ev", "EV"), ("equity", "equity"), ("eqr", "EQR")):
            for who in ("OOP", "IP"):
                number = mean[f"{what}_{who.lower()}"]
                form = ".3f" if what == "ev" else ".2%"
                columns[f"{heading} {who}"] = ["–" if number is None else format(number, form)]
        columns |= {action: [f"{mean[action]:.1%}"] for action in actions}
        where = f"after {mean['line']}" if mean["line"] else "at the start"
        yield fitted(f"{mean['player']} {where}: weighted means", columns, width, droppable=_DROPPED)
    for board, reason in list(report.failed.items())[:20]:
        yield visible(f"Failed on {board}: {reason}")
    if report.solved:
        files = "boards.csv, boards.parquet, classes.parquet, report.html"
        yield f"Written to {shlex.quote(str(out))}: {files}"
        yield f"{report.computed:,} boards computed now"
    left = len(report.records) - len(report.solved) - len(report.failed)
    if left:
        yield Text(
            f"Interrupted: {left:,} of {len(report.records):,} boards are left. The same command goes on.", "bold"
        )
