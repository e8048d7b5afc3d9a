"""``equilibrist exercise``: programs to write, and what judges them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ..._util.text import escape_controls
from ...cli import options
from ...cli.arguments import parse_whole
from ...cli.output import Output
from ...errors import GameError
from ...show.columns import fit_table


def exercise(
    number: Annotated[
        int | None, Argument(metavar="NUMBER", parser=parse_whole, help="Which exercise.")
    ] = None,
    file: Annotated[
        Path | None, Argument(metavar="FILE", help="Your program for it.", show_default=False)
    ] = None,
    start: Annotated[
        Path | None,
        Option(
            "--start",
            metavar="FILE",
            help="Write the file to begin with, which says what is asked.",
        ),
    ] = None,
    seconds: Annotated[
        float, Option("--seconds", min=0.1, help="How long one call of your program may take.")
    ] = 20.0,
    as_json: options.Json = False,
) -> None:
    """List the exercises; or check FILE, your program for exercise NUMBER, which is run."""
    output = Output(as_json)
    from ..._util.files import check_writable
    from ..exercises.ladder import EXERCISES

    if number is None:
        rows = [
            {"number": i, "title": step.title, "asks": step.asks}
            for i, step in enumerate(EXERCISES, 1)
        ]
        columns = {
            heading: [str(row[heading]) for row in rows] for heading in ("number", "title", "asks")
        }
        table = fit_table("", columns, output.console.width, text=("title", "asks"))
        output.emit(
            lambda: {"exercises": rows},
            [table, "Begin one: equilibrist exercise 1 --start mine.py"],
        )
        return
    if not 1 <= number <= len(EXERCISES):
        raise GameError(
            f"Exercises have the numbers 1 to {len(EXERCISES)}; got {number}.", wrong_use=True
        )
    exercise_chosen = EXERCISES[number - 1]
    if start is not None and file is None:
        check_writable(start)
        try:
            with start.open("x", encoding="utf-8") as program:
                program.write(exercise_chosen.starter)
        except FileExistsError:
            raise GameError(
                f"{escape_controls(str(start))} is there already: give another name.",
                wrong_use=True,
            ) from None
        output.emit(
            lambda: {"files": [str(start)]},
            [f"Wrote {escape_controls(str(start))}: {exercise_chosen.title}."],
        )
        return
    if file is None or start is not None:
        raise GameError(
            f"Name your program for exercise {number}, or begin one: equilibrist exercise "
            f"{number} --start mine.py",
            wrong_use=True,
        )
    with output.live(title=exercise_chosen.title) as live:
        live.stage(f"Checking {file}")
        checks = exercise_chosen.grade(file, seconds=seconds)
    if number < len(EXERCISES):
        next_command = f" Next: equilibrist exercise {number + 1} --start FILE"
    else:
        next_command = ""
    summary = {"exercise": number, "passed": True, "checks": checks}
    output.emit(lambda: summary, [f"Exercise {number} passed: {checks} checks.{next_command}"])
