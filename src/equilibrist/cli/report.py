"""``equilibrist report``: one page about a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from . import options
from .base import app
from .output import Output, quiet_matplotlib


@app.command(short_help="Write one page about a run.")
def report(
    run: options.Run,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Where to write the page. [report.html in RUN]")
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Write one page of HTML about RUN, to be read without anything else: certificate, pictures, strategy, settings."""
    output = Output(as_json)
    from .._util.files import check_writable
    from ..html.report import write_report
    from ..solving.load import load_solution

    quiet_matplotlib()
    path = out or run / "report.html"
    with output.live(title=str(run)) as live:
        solution = load_solution(run, game, trust=trust)
        check_writable(path)
        lacking = write_report(solution, path, game=game, trust=trust, on_stage=live.stage, max_histories=max_histories)
    output.written([path], lacking)
