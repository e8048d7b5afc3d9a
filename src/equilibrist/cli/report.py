"""``equilibrist report``: one page about a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .base import JsonOption, MaxHistories, TrustOption, app
from .output import Output, quiet_matplotlib


@app.command(short_help="Write one page about a run.")
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a saved run.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write the page. [report.html in RUN]")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="The game, where the run does not know it by a name.")
    ] = None,
    trust: TrustOption = False,
    max_histories: MaxHistories = None,
    as_json: JsonOption = False,
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
