"""Solve a part of a card game again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from . import options
from .base import app
from .commands import deliver, read_criteria
from .output import Output


@app.command(short_help="Solve a later street of a saved run again.")
def resolve(
    run: options.Run,
    line: Annotated[str, Option("--line", help='The actions before: "X-B120-C | X-X".')] = "",
    board: Annotated[str, Option("--board", help="All public cards there, QsJh2h7c, or those dealt since.")] = "",
    until: options.Until = None,
    iterations: options.Iterations = None,
    threads: options.Threads = 1,
    locks: Annotated[
        Path | None, Option("--locks", help="A TOML file with [[locks]] to keep, in place of those of the game.")
    ] = None,
    save: options.Save = None,
    suits: options.Suits = False,
    trust: options.Trust = False,
    strategy: options.StrategyFile = None,
    as_json: options.Json = False,
) -> None:
    """Solve what follows on a line and a board of a saved RUN again, with the ranges that come there.

    It stops at 0.1 % of the pot there, where no other limit is given. The certificate is that of this part alone.
    """
    output = Output(as_json)
    from .._util.files import check_writable
    from ..games.holdem.spot import read_locks_file
    from ..solving.callbacks import Callbacks
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
            until=read_criteria(until),
            iterations=iterations,
            threads=threads,
            save=save,
            callbacks=Callbacks(on_checkpoint=live.checkpoint, on_stage=live.stage),
        )
    deliver(output, solution, saved=save, strategy=strategy, suits=suits)
