"""``runs``: the saved runs of a folder, searched; and notes and tags on one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from rich.console import RenderableType
from typer import Argument, Option

from ..errors import SolutionError
from ..evaluation.gaps import gap_heading, gap_words, tells_gains
from ..show.columns import fit_table, tab_lines
from ..show.numbers import format_count
from . import options
from .output import Output

_DROPPABLE = ("iterations", "algorithm", "note")
_SHOWN = 60  # characters of a note in a table


def runs(
    folder: Annotated[
        Path,
        Argument(metavar="FOLDER", help="A folder with saved runs below it, or the folder of one."),
    ] = Path("runs"),
    search: Annotated[
        str,
        Option(
            "--search",
            metavar="WORDS",
            help="Words and filters, as in the browser: 'game:leduc tag:turn note:limp exploitability<0.01'.",
        ),
    ] = "",
    note: Annotated[str | None, Option("--note", help="Write this note about the one run.")] = None,
    tags: Annotated[
        str | None,
        Option(
            "--tags", help="Give the one run these tags, separated by commas; '' takes all away."
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """List the saved runs below FOLDER, with their notes and tags, which are kept in the folder of each run."""
    output = Output(as_json)
    from .._util.files import check_path
    from ..runs.catalogue import CHECKPOINT, read_run
    from ..runs.folders import id_of, run_folders
    from ..runs.search import read_search
    from ..solving.notes import Notes, change_notes, make_notes

    path = check_path(folder)
    matches = read_search(search)
    is_run = (path / CHECKPOINT).is_file()
    if not path.is_dir():
        raise SolutionError(f"There is no folder {folder}.", wrong_use=True)
    if note is not None or tags is not None:
        if not is_run:
            raise SolutionError(
                f"Notes and tags are those of one run: give its folder; {folder} is none.",
                wrong_use=True,
            )

        def annotate(old: Notes) -> Notes:
            words = old.tags if tags is None else tags.split(",")
            text = old.note if note is None else note
            return make_notes(text, words, old.decisions)

        change_notes(path, annotate)
    if is_run:
        folders = {path.name: path}
    else:
        folders = {id_of(run.relative_to(path)): run for run in run_folders(path)}
    rows = [
        row for run_id, run in sorted(folders.items()) if matches(row := read_run(run_id, run)[0])
    ]
    output.emit(lambda: {"folder": str(path), "runs": rows}, _run_lines(rows, output.width))


def _run_lines(rows: Sequence[Mapping[str, Any]], width: int | None) -> Iterator[RenderableType]:
    from ..runs.folders import path_of

    notes = [" ".join(row["note"].split()) for row in rows]
    heading = gap_heading(len(_gains_of(row)) for row in rows if not row["error"])
    columns = {
        "run": [path_of(row["id"]) for row in rows],
        "game": [row.get("title", "") for row in rows],
        "algorithm": [row.get("algorithm", "") for row in rows],
        "iterations": ["" if row["error"] else format_count(row["iteration"]) for row in rows],
        heading: [_gap_text(row, heading) for row in rows],
        "tags": [", ".join(row["tags"]) for row in rows],
        "note": [
            text if len(text) <= _SHOWN or width is None else f"{text[:_SHOWN]}…" for text in notes
        ],
    }
    if width is None:
        yield tab_lines(columns)
    elif rows:
        text = ("run", "game", "algorithm", "tags", "note")
        yield fit_table("", columns, width, text=text, droppable=_DROPPABLE)
    else:
        yield "No run fits."


def _gains_of(row: Mapping[str, Any]) -> list[float]:
    """Return what each player gains by deviating alone; nothing of a run without a certificate."""
    return [gain for gain in row["deviation_gains"] if gain is not None]


def _gap_text(row: Mapping[str, Any], heading: str) -> str:
    """Return how far a run is, and of three players and more what that is where the heading leaves it open."""
    if row["error"]:
        return "broken"
    measures = row["measures"]
    gains = _gains_of(row)
    if tells_gains(len(gains)):
        words = gap_words(len(gains)).gap
        note = "" if heading == words else f" ({words})"
        if row["pot"]:
            return f"{100 * max(gains) / row['pot']:.3g}%{note}"
        return f"{max(gains):.3g}{note}"
    if "exploitability_percent" in measures:
        return f"{measures['exploitability_percent']:.3g}%"
    if "exploitability" in measures:
        return f"{measures['exploitability']:.3g}"
    return "–"
