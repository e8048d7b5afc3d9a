"""Hand histories: ``deal`` writes those of a solution that plays itself, ``grade`` reads those of a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import RenderableType
from typer import Argument, Option

from .._util.text import counted, visible
from . import options
from .arguments import COUNT, app
from .columns import fitted
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
        used_seed = write_hands(
            run, path, hands=hands, format=format, seed=seed, game=game, trust=trust, on_stage=live.stage
        )
    output.emit(
        lambda: {"file": str(path), "format": format, "hands": hands, "seed": used_seed},
        [f"{counted(hands, 'hand')} in {visible(str(path))} ({format}); again with --seed {used_seed}"],
    )


@app.command(short_help="Grade hand histories by runs of their spots: what each decision cost.")
def grade(
    hands: Annotated[
        list[Path],
        Argument(
            metavar="HANDS",
            help="Files of Poker Hand History (.phh, .phhs) or of PokerStars, or folders of them.",
            show_default=False,
        ),
    ],
    run: Annotated[
        list[Path],
        Option("--run", metavar="RUN", help="The folder of a saved run of a spot. Repeatable.", show_default=False),
    ],
    player: Annotated[
        str | None, Option("--player", metavar="NAME", help="Grade this player alone. [all whose cards are known]")
    ] = None,
    tolerance: Annotated[
        float,
        Option("--tolerance", help="By which share stacks and bets, measured by the pot, may differ from the run's."),
    ] = 0.1,
    csv: Annotated[Path | None, Option("--csv", metavar="FILE", help="Write all decisions as CSV.")] = None,
    parquet: Annotated[
        Path | None, Option("--parquet", metavar="FILE", help="Write the same table as Parquet.")
    ] = None,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Write a page (HTML) with the ten dearest decisions.")
    ] = None,
    served_at: Annotated[
        str,
        Option(
            "--serve",
            metavar="ADDRESS",
            help="Where 'equilibrist serve' shows the folder of the runs, http://127.0.0.1:8421; the page links there.",
        ),
    ] = "",
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Grade the decisions after the flop in HANDS, as far as saved runs cover them.

    A decision of two players is covered by a RUN of the same board (up to suits), stacks and line, if the cards are
    known. All others are counted by reason. What costs no more than the run is exact to counts as 0.
    """
    output = Output(as_json)
    from .._util.files import check_writable, write_atomically
    from ..histories.grade import grade as grade_hands

    files = [path for path in (csv, parquet, out) if path is not None]
    check_writable(*files)
    with output.live(title="grade") as live:
        grades = grade_hands(
            hands, run, player=player, tolerance=tolerance, served_at=served_at, trust=trust, on_stage=live.stage
        )
        if csv is not None:
            grades.write_csv(csv)
        if parquet is not None:
            grades.write_parquet(parquet)
        if out is not None:
            live.stage(f"Writing {out}")
            write_atomically(out, grades.to_html(page=True).encode())
    output.emit(grades.summary, _report(grades, output.console.width))
    if files and not as_json:
        output.written(files, {})


def _report(grades: Grades, width: int) -> Iterator[RenderableType]:
    from ..histories.grades import TEXTS

    yield from map(visible, (grades.headline, *grades.certificates))
    for title, columns in grades.tables():
        yield fitted(title, columns, width, text=TEXTS, droppable=("grade", "run plays it", "street", "player", "hand"))
