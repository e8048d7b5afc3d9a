"""Hand histories: ``deal`` writes those of a solution that plays itself, ``grade`` reads those of a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from typer import Argument, Option

from ..._util.callbacks import Callbacks
from ..._util.text import count_text, escape_controls
from ...cli import options
from ...cli.arguments import COUNT, CSV, PARQUET
from ...cli.output import Output
from ...errors import SolutionError
from ...show.text import paint_text

if TYPE_CHECKING:
    from ...evaluation.units import Unit
    from ..histories.grades import Grades

_SUFFIXES = {"phh": ".phhs", "pokerstars": ".txt"}
_PAGES = (".html", ".htm")


def deal(
    run: options.Run,
    hands: Annotated[int, Option("--hands", **COUNT, help="How many hands.")] = 10_000,
    format: Annotated[
        str,
        Option(
            "--format",
            help="phh (Poker Hand History, all cards known) or pokerstars (text, OOP's cards).",
        ),
    ] = "phh",
    out: Annotated[
        Path | None,
        Option(
            "--out",
            metavar="FILE",
            help="The file to write. [the name of RUN, with .phhs or .txt, here]",
        ),
    ] = None,
    seed: Annotated[
        int | None, Option("--seed", help="Decides the hands. [random, and printed]")
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Have the solution of RUN play both sides of its spot, and write the hands as histories that trackers read.

    Hands come to the spot in the shortest way: IP raises to half of the pot before the flop (in
    Omaha both raise each other within the limit of the pot), OOP calls, and both check until the
    spot begins.
    """
    output = Output(as_json)
    from ..._util.files import check_writable
    from ..histories.deal import write_hands

    path = out or Path(Path(run).resolve().name + _SUFFIXES.get(format, ""))
    check_writable(path)
    with output.live(title=str(run)) as live:
        live.stage(f"Loading {run}")
        used_seed = write_hands(
            run,
            path,
            hands=hands,
            format=format,
            seed=seed,
            game=game,
            trust=trust,
            callbacks=live.stage,
        )
    output.emit(
        lambda: {"file": str(path), "format": format, "hands": hands, "seed": used_seed},
        [
            f"{count_text(hands, 'hand')} in {escape_controls(str(path))} ({format}); again with --seed {used_seed}"
        ],
    )


def grade(
    hands: Annotated[
        list[Path],
        Argument(
            metavar="HANDS",
            help="Files of hands, or folders of them: PHH, PokerStars, GGPoker, Winamax, 888poker, iPoker, ACPC.",
            show_default=False,
        ),
    ],
    run: Annotated[
        list[Path] | None,
        Option("--run", metavar="RUN", help="The folder of a saved run of a spot. Repeatable."),
    ] = None,
    player: Annotated[
        str | None,
        Option(
            "--player", metavar="NAME", help="Grade this player alone. [all whose cards are known]"
        ),
    ] = None,
    tolerance: Annotated[
        float,
        Option(
            "--tolerance",
            help="By which share stacks and bets, measured by the pot, may differ from the run's.",
        ),
    ] = 0.1,
    solve: Annotated[
        bool,
        Option(
            "--solve",
            help="Solve spots that no RUN covers, with --ranges: those with the most decisions.",
        ),
    ] = False,
    ranges: Annotated[
        list[Path] | None,
        Option(
            "--ranges",
            metavar="FILE",
            help="With --solve: a spot file, of which all but board and stacks is taken, or a saved run of preflop. "
            "Repeatable.",
        ),
    ] = None,
    bets: Annotated[
        str | None,
        Option(
            "--bets", help="With --solve: sizes after the flop, for a run of preflop. [50%, a; a]"
        ),
    ] = None,
    until: Annotated[
        str | None,
        Option("--until", "-u", help="With --solve: how well each spot is solved. [0.5%]"),
    ] = None,
    spots: Annotated[
        int | None,
        Option("--spots", **COUNT, help="With --solve: the most spots that are solved. [20]"),
    ] = None,
    seconds: Annotated[
        float | None,
        Option("--seconds", help="With --solve: how long all spots may take together."),
    ] = None,
    save: Annotated[
        Path | None,
        Option(
            "--save",
            metavar="FOLDER",
            help="With --solve: save each run there, to be given with --run.",
        ),
    ] = None,
    csv: Annotated[Path | None, Option("--csv", **CSV, help="Write all decisions as CSV.")] = None,
    parquet: Annotated[
        Path | None, Option("--parquet", **PARQUET, help="Write the same table as Parquet.")
    ] = None,
    out: Annotated[
        Path | None,
        Option("--out", metavar="FILE", help="Write a page (HTML) with the ten dearest decisions."),
    ] = None,
    served_at: Annotated[
        str,
        Option(
            "--serve",
            metavar="ADDRESS",
            help="Where 'equilibrist serve' shows the folder of the runs, http://127.0.0.1:8421; the page links there.",
        ),
    ] = "",
    unit: options.Unit = "chips",
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Grade the decisions after the flop in HANDS, as far as saved runs cover them.

    A decision of two players is covered by a RUN of the same board (up to suits), stacks and line,
    if the cards are known. All others are counted by reason. What costs no more than the run is
    exact to counts as 0.

    With --solve, spots that no RUN covers are solved first; before, it is told how many, and about
    how long that takes.
    """
    output = Output(as_json)
    limits: dict[str, Any] = {
        "ranges": ranges,
        "bets": bets,
        "until": options.read_criteria(until),
        "most": spots,
        "seconds": seconds,
        "save": save,
    }
    solving = {name: value for name, value in limits.items() if value is not None}
    if solve != (ranges is not None) or (solving and not solve):
        raise SolutionError(
            "--solve needs --ranges, a spot file or a saved run of preflop, and --ranges, "
            "--bets, --until, --spots, --seconds and --save need --solve; give both.",
            wrong_use=True,
        )
    if out is not None and out.suffix.lower() not in _PAGES:
        raise SolutionError(
            f"{out}: the page is written as {' or '.join(_PAGES)}; got '{out.suffix}'.",
            wrong_use=True,
        )
    from ..._util.files import check_writable, write_atomically
    from ...evaluation.units import find_unit
    from ..histories.grade import grade as grade_hands
    from ..histories.missing import MissingSpots

    shown_unit = find_unit(unit)
    files = [path for path in (csv, parquet, out) if path is not None]
    check_writable(*files)
    with output.live(title="grade") as live:
        grades = grade_hands(
            hands,
            run or (),
            player=player,
            tolerance=tolerance,
            missing_spots=MissingSpots(**solving) if solve else None,
            served_at=served_at,
            trust=trust,
            callbacks=Callbacks(on_stage=live.stage, on_plan=output.show),
        )
        if csv is not None:
            grades.write_csv(csv)
        if parquet is not None:
            grades.write_parquet(parquet)
        if out is not None:
            live.stage(f"Writing {out}")
            write_atomically(out, grades.to_html(page=True).encode())
    output.emit(grades.summary, _grade_report(grades, output.console.width, shown_unit))
    if files and not as_json:
        output.list_files(files, {})


def _grade_report(grades: Grades, width: int, unit: Unit) -> Iterator[RenderableType]:
    from ..histories.blocks import grade_tables

    yield from map(escape_controls, (grades.headline, *grades.certificates))
    yield from paint_text(grade_tables(grades, unit), width)
