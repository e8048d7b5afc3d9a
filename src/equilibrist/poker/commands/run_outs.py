"""``equilibrist runouts``: what a solved spot plays and earns on each card that may come, and by texture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from typer import Argument, Option

from ...cli import options
from ...cli.arguments import CSV
from ...cli.output import Output
from ...errors import GameError
from ...show.text import paint_text

if TYPE_CHECKING:
    from ...evaluation.units import Unit
    from ..solved.run_outs import RunOutReport


def runouts(
    runs: Annotated[
        list[Path],
        Argument(
            metavar="RUN…", help="Folders of saved runs of spots; several stand side by side."
        ),
    ],
    line: Annotated[
        str,
        Option(
            "--line",
            help="The actions before the decision, over a card that is not given: X-B120-C, or X-X | B50.",
        ),
    ],
    board: Annotated[
        str | None,
        Option("--board", help="The public cards that are given. [those of the start]"),
    ] = None,
    by: Annotated[
        list[str] | None,
        Option(
            "--by",
            help="What is told apart: rank, flush or straight of the last card, or suits, pairing, connected or "
            "high of the board. Repeatable. [flush]",
        ),
    ] = None,
    only: options.Only = None,
    player: options.Player = None,
    cards: Annotated[bool, Option("--cards", help="Show the boards one by one as well.")] = False,
    unit: options.Unit = "chips",
    csv: Annotated[
        Path | None, Option("--csv", **CSV, help="Write all boards as CSV, of one RUN.")
    ] = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Show what a solved RUN plays and earns on each card that may come, as it is: nothing is solved anew.

    Cards are met with the ranges that get there. To solve each board by itself, with the ranges of the
    spot, is what 'equilibrist aggregate' does.
    """
    output = Output(as_json)
    from ..._util.files import check_writable
    from ...evaluation.units import find_unit
    from ...solving.load import load_solution
    from ..solved.run_outs import run_out_report
    from ..solved.spots import SolvedSpot

    check_writable(csv)
    if csv is not None and len(runs) > 1:
        raise GameError("--csv writes the boards of one RUN; give one.", wrong_use=True)
    textures = tuple(by or ("flush",))
    names = [run.name for run in runs]
    reports: dict[str, RunOutReport] = {}
    with output.live(title=", ".join(names)) as live:
        for run in runs:
            live.stage(f"Loading {run}")
            spot = SolvedSpot(load_solution(run, trust=trust))
            shown_unit = find_unit(unit, spot.game)
            report = run_out_report(
                spot,
                line,
                board,
                only=only,
                player=player,
                unit=shown_unit,
                callbacks=live.stage,
            )
            report.by_texture(textures)  # refused before the next run is walked
            name = run.name if names.count(run.name) == 1 else str(run)
            reports[name] = report
    if csv is not None:
        report.write_csv(csv)
    output.emit(
        lambda: _summarise(reports, textures),
        _show(reports, textures, shown_unit, output.console.width, cards=cards),
    )
    if csv is not None and not as_json:
        output.list_files([csv], {})


def _summarise(reports: dict[str, RunOutReport], by: tuple[str, ...]) -> dict[str, Any]:
    summaries = {
        name: {**report.summary(), "by_texture": report.by_texture(by)}
        for name, report in reports.items()
    }
    if len(summaries) == 1:
        return next(iter(summaries.values()))
    return {"runs": summaries}


def _show(
    reports: dict[str, RunOutReport], by: tuple[str, ...], unit: Unit, width: int, *, cards: bool
) -> Iterator[RenderableType]:
    from ..solved.run_out_blocks import board_table, run_out_blocks, side_by_side, texture_table

    first, *others = reports.values()
    blocks = run_out_blocks(first)[:1]
    if others:
        blocks += side_by_side(reports, by, unit)
    else:
        blocks.append(texture_table(first, by, unit))
    if cards:
        blocks += [board_table(report, unit) for report in reports.values()]
    yield from paint_text(blocks, width)
