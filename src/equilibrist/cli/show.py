"""``equilibrist show``: any decision of a solved spot of hold'em."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from . import options
from .base import app, number_of
from .output import Output, quiet_matplotlib
from .ranges import decision, earnings, one_hand

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..evaluation.spot_node import SpotNode


@app.command(short_help="Show any decision of a solved spot of hold'em.")
def show(
    run: options.Run,
    line: options.Line = "",
    board: options.Board = None,
    hand: options.Hand = None,
    player: options.Player = None,
    suits: options.Suits = False,
    csv: Annotated[
        Path | None, Option("--csv", metavar="FILE", help="Write all hands as CSV: range, EV, equity, actions.")
    ] = None,
    parquet: Annotated[
        Path | None, Option("--parquet", metavar="FILE", help="Write the same table as Parquet.")
    ] = None,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Draw the grid of hands: a .svg, .png or .pdf.")
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Show who earns what at a decision of RUN, how often each action is played, and by which hands."""
    output = Output(as_json)
    number = number_of(player)
    from .._util.files import check_writable
    from ..evaluation.spots import SolvedSpot
    from ..solving.load import load_solution

    for path in (csv, parquet, out):
        if path is not None:
            check_writable(path)
    with output.live(title=str(run)) as live:
        live.stage(f"Loading {run}")
        solution = load_solution(run, game, trust=trust)
        live.stage("Walking the boards")
        node = SolvedSpot(solution, game).node(line, board)
    who = node.player if number is None else number
    if hand is not None:
        node.number(hand, who)
    if csv is not None:
        node.write_csv(csv, who)
    if parquet is not None:
        node.write_parquet(parquet, who)
    if out is not None:
        _draw(node, who, hand, out)
    output.emit(node.summary, _report(node, who, hand, output.console.width, suits=suits))
    files = [path for path in (csv, parquet, out) if path is not None]
    if files and not as_json:
        output.written(files, {})


def _draw(node: SpotNode, player: int, hand: str | None, path: Path) -> None:
    from ..plot.ranges import range_grid
    from ..plot.style import write_picture

    quiet_matplotlib()
    write_picture(partial(range_grid, node, player=player, hand=hand), path)


def _report(node: SpotNode, player: int, hand: str | None, width: int, *, suits: bool) -> Iterator[RenderableType]:
    yield earnings(node)
    if hand is not None:
        yield ""
        yield one_hand(node, hand, player)
        return
    yield from decision(node, width, player=player, suits=suits)
