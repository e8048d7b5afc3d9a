"""``equilibrist chart``: push or fold by stacks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Option

from ...cli import options
from ...cli.arguments import CSV
from ...cli.output import Output
from ...errors import GameError
from ...show.registry import make_blocks
from ...show.text import paint_text

_WRITTEN = (".html", ".svg", ".png", ".pdf")


def chart(
    stacks: Annotated[
        str, Option("--stacks", help="From and to in big blinds, such as 1..20, or one stack.")
    ] = "1..20",
    step: Annotated[float, Option("--step", help="Big blinds between two stacks.")] = 0.1,
    seats: Annotated[
        int, Option("--seats", help="2 to 9; a stack of three and more takes a minute or so.")
    ] = 2,
    ante: Annotated[float, Option("--ante", help="What each player pays, big blinds.")] = 0.0,
    bb_ante: Annotated[
        float, Option("--bb-ante", help="What the big blind pays for both, big blinds.")
    ] = 0.0,
    dead: Annotated[
        float, Option("--dead", help="Antes of those who have folded before, big blinds.")
    ] = 0.0,
    straddle: Annotated[
        float,
        Option("--straddle", help="What is bet before the cards, by the button of three seats."),
    ] = 0.0,
    action: Annotated[
        str | None,
        Option(
            "--action",
            help="Whose grid is drawn into a picture: push or call; 'push from BTN', … of three seats.",
        ),
    ] = None,
    csv: Annotated[
        Path | None, Option("--csv", **CSV, help="Write all hands with their stacks as CSV.")
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            metavar="FILE",
            help="Write a page (.html), or draw a grid: .svg, .png or .pdf.",
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Solve push or fold at many stacks: the highest at which each hand is pushed or called with, and gaps."""
    output = Output(as_json)
    from ..._util.files import check_writable, write_atomically
    from ..preflop.charts import push_fold_charts

    files = [path for path in (csv, out) if path is not None]
    check_writable(*files)
    if out is not None and out.suffix not in _WRITTEN:
        raise GameError(
            f"{out}: a chart is written as {', '.join(_WRITTEN)}; got '{out.suffix}'.",
            wrong_use=True,
        )
    with output.live(title="push_fold") as live:
        result = push_fold_charts(
            stacks,
            step=step,
            seats=seats,
            ante=ante,
            bb_ante=bb_ante,
            dead=dead,
            straddle=straddle,
            callbacks=lambda done, count: live.stage(f"{done:,} of {count:,} stacks solved"),
        )
        action = action or result.actions[0]
        result.highest(action)  # which refuses other actions
    if csv is not None:
        result.write_csv(csv)
    if out is not None and out.suffix == ".html":
        write_atomically(out, result.to_html(page=True).encode())
    elif out is not None:
        from ...plot.style import write_picture
        from ..pictures import chart_grid

        write_picture(partial(chart_grid, result, action), out)
    blocks = make_blocks(result)
    output.emit(result.summary, paint_text(blocks, output.console.width, begins_page=True))
    if files and not as_json:
        output.list_files(files, {})
