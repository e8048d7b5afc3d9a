"""Solve a part of a card game again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .arguments import COUNT
from .base import JsonOption, StrategyOption, ThreadsOption, TrustOption, app
from .commands import deliver, number_or_share
from .output import Output


@app.command(short_help="Solve a later street of a saved run again.")
def resolve(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a saved run.", show_default=False)],
    line: Annotated[str, typer.Option("--line", help='The actions before: "X-B120-C | X-X".')] = "",
    board: Annotated[str, typer.Option("--board", help="All public cards there, QsJh2h7c, or those dealt since.")] = "",
    until: Annotated[
        str | None, typer.Option("--until", "-u", help="Stop at this exploitability. [0.1% of the pot there]")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", "-n", **COUNT, help="Stop after so many iterations."),
    ] = None,
    threads: ThreadsOption = 1,
    locks: Annotated[
        Path | None,
        typer.Option("--locks", help="A TOML file with [[locks]] to keep, in place of those of the game."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FOLDER", help="Save what is solved as a run of its own, to show, plot or play."
        ),
    ] = None,
    suits: Annotated[bool, typer.Option("--suits", help="Show each hand by itself instead of the grid.")] = False,
    trust: TrustOption = False,
    strategy: StrategyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve what follows on a line and a board of a saved RUN again, with the ranges that come there.

    The certificate is that of this part alone.
    """
    output = Output(as_json)
    from .._util.files import check_writable
    from ..games.holdem.spot import read_locks_file
    from ..solving.resolve import resolve as again

    if strategy is not None:
        check_writable(strategy)
    with output.live(title=f"{run} after {line or 'the deal'}") as live:
        solution = again(
            run,
            line,
            board,
            trust=trust,
            locks=None if locks is None else read_locks_file(locks),
            until=number_or_share(until),
            iterations=iterations,
            threads=threads,
            save=save,
            on_checkpoint=live.checkpoint,
            on_stage=live.stage,
        )
    deliver(output, solution, saved=save, strategy=strategy, suits=suits)
