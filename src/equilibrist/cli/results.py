"""Solutions on a terminal: what they show, and what was written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType

from .._util.command_line import quote_word
from .._util.text import escape_controls
from ..show.text import paint_result

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from .output import Output


def solution_report(
    solution: Solution,
    output: Output,
    *,
    saved: Path | None,
    strategy: Path | None,
    suits: bool = False,
    unit: str = "chips",
) -> Iterator[RenderableType]:
    """Iterate over what is printed of a solution."""
    from ..solving.save import too_long_for_csv

    width = output.console.width
    yield from paint_result(solution, width, verbose=output.verbose, suits=suits, unit=unit)
    if saved is not None:
        folder = quote_word(str(saved))
        files = ["solution.json", "checkpoint.npz"]
        files += [] if too_long_for_csv(solution.strategy) else ["strategy.csv"]
        files += [] if solution.recording is None else ["recording.parquet"]
        if solution.state and solution.part is None:
            resumes = f" (--resume {folder} goes on)"
        else:
            resumes = ""
        yield f"Saved in {folder}: {', '.join(files)}{resumes}"
    if solution.recording is not None and solution.recording.unmet:
        names = ", ".join(escape_controls(name) for _, name in solution.recording.unmet)
        yield f"Never met, so not recorded: {names}"
    if strategy is not None:
        yield f"Strategy written to {strategy}"
