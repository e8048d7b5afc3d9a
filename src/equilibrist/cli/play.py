"""``equilibrist play``: a person against a strategy in the terminal, or one strategy against another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from typer import Option

from .._util.text import count_text
from ..errors import EquilibristError
from ..show.text import paint_result
from . import options
from .dialogue import PlayDialogue
from .output import Output

if TYPE_CHECKING:
    from ..resolving.searcher import Searcher

_TABLES = (".csv", ".parquet")


def play(
    game: options.Game,
    against: Annotated[
        Path | None,
        Option(
            "--against",
            metavar="RUN",
            help="The folder of a saved run, or a strategy as CSV, which all others play. [an equilibrium, found now]",
            show_default=False,
        ),
    ] = None,
    played_as: Annotated[
        Path | None,
        Option(
            "--as",
            metavar="RUN",
            help="Let this strategy play instead of you: a CSV file, or a run.",
            show_default=False,
        ),
    ] = None,
    hands: Annotated[
        int | None,
        Option("--hands", min=1, help="Stop after so many hands. [when you leave; 1000 with --as]"),
    ] = None,
    seat: Annotated[
        int | None, Option("--seat", help="The player that you are, 0 the first. [each in turn]")
    ] = None,
    seed: Annotated[
        int | None,
        Option("--seed", help="Seed of chance and of the other players. [random, and printed]"),
    ] = None,
    line: Annotated[
        str | None,
        Option(
            "--from",
            metavar="LINE",
            help="Train: deal each hand at this infoset (or pattern, '?pb'), at this line of a spot, 'X-B120', at "
            "any decision, '*', or at the mistakes that 'equilibrist grade' wrote to a file.csv or file.parquet.",
            show_default=False,
        ),
    ] = None,
    board: Annotated[
        str | None,
        Option(
            "--board",
            help="With --from in a spot: all public cards there. [dealt]",
            show_default=False,
        ),
    ] = None,
    answers: Annotated[
        int | None,
        Option(
            "--answers",
            min=1,
            help="Break each hand off after so many of your choices. [never; 1 with --from]",
        ),
    ] = None,
    search: Annotated[
        bool,
        Option(
            "--search",
            help="The opponent solves again, safely, the parts to which play comes (docs/resolving.md).",
        ),
    ] = False,
    depth: options.Depth = None,
    leaves: options.Leaves = None,
    variance: Annotated[
        str | None,
        Option(
            "--variance",
            metavar="aivat",
            help="Take the luck of chance, and of strategies that are known, out of the result: aivat, or "
            "\"aivat(sides='against', baseline='RUN')\".",
            show_default=False,
        ),
    ] = None,
    missing: options.Missing = None,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    unit: options.Unit = "chips",
    as_json: options.Json = False,
) -> None:
    """Play GAME against a strategy; after each hand the cost of your choices is shown.

    In place of GAME the folder of a saved run stands for its game, and its strategy is what others
    play. With --as nobody is asked: two strategies play each other, and the exact expected payoff
    is printed beside the mean. With --from one decision is dealt again and again, and your answers
    are scored.
    """
    output = Output(as_json)
    opponent: Any = against
    name = game
    rules = game
    label = "" if against is None else str(against)
    if Path(game, "checkpoint.npz").is_file():
        name, rules, run = _read_game(game)
        opponent = against or run
        label = label or game
    searcher = None
    if not search and (depth or leaves):
        raise EquilibristError(
            "--depth and --leaves say how far --search goes: give that as well.", wrong_use=True
        )
    if search:
        if opponent is None:
            raise EquilibristError(
                "--search solves parts of a strategy again: give a saved run in place of GAME, "
                "or --against.",
                wrong_use=True,
            )
        from ..resolving.searcher import Searcher

        opponent = searcher = Searcher(opponent, game=rules, depth=depth, leaves=leaves)
        label = f"{label}, which searches"
    from ..form.limits import Limits

    limits = Limits(histories=max_histories, depth=max_depth)
    settings = {
        "seat": seat,
        "seed": seed,
        "missing": missing,
        "variance": variance,
        "limits": limits,
    }
    if played_as is not None:
        if line is not None or unit != "chips":
            raise EquilibristError(
                "--from trains you, and --unit tells what you are shown; with --as nobody is "
                "asked: leave them out.",
                wrong_use=True,
            )
        from ..play.match import DEFAULT_HANDS, play_match

        with output.live(title=name) as live:
            match = play_match(
                rules,
                played_as,
                against=opponent,
                hands=DEFAULT_HANDS if hands is None else hands,
                callbacks=live.stage,
                **settings,  # type: ignore[arg-type]
            )
        output.emit(
            match.summary,
            chain(
                paint_result(match, output.console.width, name=str(played_as), other=label),
                _search_lines(searcher),
            ),
        )
        return
    from ..evaluation.units import find_unit
    from ..play.session import Session

    with output.live(title=name) as live:
        start: Any = Path(line) if line is not None and Path(line).suffix in _TABLES else line
        training_options: dict[str, Any] = {
            "line": start,
            "board": board,
            "answers": 1 if answers is None and line is not None else answers,
        }
        session = Session(
            rules,
            against=opponent,
            callbacks=live.stage,
            **training_options,
            **settings,  # type: ignore[arg-type]
        )
    shown_unit = find_unit(unit, getattr(session.playable.form, "game", rules))
    PlayDialogue(output, session, name, label, shown_unit).sit_down(hands)


def _read_game(run: str) -> tuple[str, Any, Any]:
    """Return the game of a saved run, as it is called and itself, unless it runs code of its own; and the run."""
    from ..solving.sources import find_game, read_run

    saved_run = read_run(run)
    return saved_run.game, find_game(saved_run), saved_run


def _search_lines(searcher: Searcher | None) -> Iterator[RenderableType]:
    """Iterate over what is said of the parts that were solved again in a match."""
    if searcher is not None:
        parts = [record for record in searcher.log if record.excess is not None]
        yield (
            f"The opponent solved {count_text(len(parts), 'part')} again in "
            f"{math.fsum(record.seconds for record in searcher.log):.1f} s; a best response to "
            f"it may gain at most {math.fsum(record.excess or 0.0 for record in parts):.2g} "
            "more, all in all (excess)."
        )
