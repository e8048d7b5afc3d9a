"""``equilibrist export``: a solved spot as one page that is walked without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from ...cli import options
from ...cli.arguments import PAGE
from ...cli.output import Output


def export(
    run: options.Run,
    line: Annotated[
        str, Option("--line", help="Begin after these actions: X-B120-C. [the first decision]")
    ] = "",
    board: Annotated[
        str, Option("--board", help="All public cards there. [those of the start]")
    ] = "",
    streets: Annotated[
        int, Option("--streets", min=1, help="How many streets from there on, on all cards.")
    ] = 1,
    size: Annotated[
        bool, Option("--size", help="Say how large the page is, and write nothing.")
    ] = False,
    out: Annotated[
        Path | None, Option("--out", **PAGE, help="Where to write the page. [spot.html in RUN]")
    ] = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Write a solved spot as one page of HTML that is walked without a server or a network.

    It has the grid, frequencies, EV and all hands of the decisions of a street, or of several. How
    many decisions and about how many bytes these are is told first.
    """
    output = Output(as_json)
    from ..._util.files import check_writable, write_atomically
    from ...solving.load import load_solution
    from ..pages.offline import Part, measure_part, write_offline_page
    from ..solved.spots import SolvedSpot

    path = out or run / "spot.html"
    part = Part(line, board, streets)
    with output.live(title=str(run)) as live:
        solution = load_solution(run, trust=trust)
        spot = SolvedSpot(solution)
        if not size:
            check_writable(path)
        decisions, about_bytes = measure_part(spot, part)
        if not size:
            live.stage(f"Writing {decisions:,} decisions, about {about_bytes / 1e6:.2g} MB")
            text = write_offline_page(run.resolve().name, solution, spot, part)
            write_atomically(path, text.encode())
    output.emit(
        lambda: {"decisions": decisions, "bytes": about_bytes, "file": None if size else str(path)},
        [f"{decisions:,} decisions, about {about_bytes / 1e6:.2g} MB"],
    )
    if not size and not as_json:
        output.list_files([path], {})
