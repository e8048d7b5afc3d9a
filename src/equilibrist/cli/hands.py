"""Hand histories: ``deal`` writes those of a solution that plays itself, ``grade`` reads those of a session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from .._util.text import counted
from . import options
from .arguments import COUNT, app
from .output import Output

if TYPE_CHECKING:
    from ..histories.grades import Grades

_SUFFIXES = {"phh": ".phhs", "pokerstars": ".txt"}


@app.command(short_help="Let a solved spot of hold'em play itself, and write hand histories.")
def deal(
    run: options.Run,
    hands: Annotated[int, Option("--hands", **COUNT, help="How many hands.")] = 10_000,
    format: Annotated[
        str, Option("--format", help="phh (Poker Hand History, all cards known) or pokerstars (text, OOP's cards).")
    ] = "phh",
    out: Annotated[
        Path | None,
        Option("--out", metavar="FILE", help="The file to write. [the name of RUN, with .phhs or .txt, here]"),
    ] = None,
    seed: Annotated[int | None, Option("--seed", help="Decides the hands. [random, and printed]")] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Have the solution of RUN play both sides of its spot, and write the hands as histories that trackers read.

    Hands come to the spot in the shortest way: IP raises to half of the pot before the flop, OOP calls, and both check
    until the spot begins.
    """
    output = Output(as_json)
    from .._util.files import check_writable
    from ..histories.deal import write_hands

    path = out or Path(Path(run).resolve().name + _SUFFIXES.get(format, ""))
    check_writable(path)
    with output.live(title=str(run)) as live:
        live.stage(f"Loading {run}")
        written = write_hands(
            run, path, hands=hands, format=format, seed=seed, game=game, trust=trust, on_stage=live.stage
        )
    output.emit(
        lambda: {**written._asdict(), "path": str(written.path)},
        [f"{counted(written.hands, 'hand')} in {written.path} ({written.format}); again with --seed {written.seed}"],
    )
