"""``equilibrist compare``: the runs while they run, then what each reached and which is best when."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from rich.table import Table
from typer import Argument, Exit, Option

from .._util.command_line import quote_word
from .._util.files import write_atomically
from ..errors import AlgorithmError, EquilibristError, GameError, nearest
from ..evaluation.gaps import gap_words
from ..show.columns import fit_table
from ..show.latex import find_latex
from ..show.numbers import format_count, format_seconds
from ..show.text import paint_result
from . import options
from .arguments import COUNT, file_option, is_game
from .output import Output
from .progress import Progress

if TYPE_CHECKING:
    from ..comparison.comparison import Comparison
    from ..comparison.series import Frame, Run, View
    from ..solving.trace import Checkpoint

_ROWS_SHOWN = 12  # of the runs at work


def compare(
    games: Annotated[
        list[str],
        Argument(
            metavar="GAME...",
            help=f"{options.GAME_HELP} Several are compared one after the other.",
            show_default=False,
        ),
    ],
    algorithms: Annotated[
        str,
        Option(
            "--algorithms",
            "-a",
            help="Algorithms that 'equilibrist algorithms' lists, or rules of your own (FILE.py:CLASS), separated by "
            "commas.",
        ),
    ] = options.DEFAULT_ALGORITHMS,
    sampling: Annotated[
        str, Option("--sampling", help="Sampling schemes, separated by commas.")
    ] = "full",
    form: options.Form = None,
    seconds: Annotated[
        float | None,
        Option(
            "--seconds",
            help="The budget of each run: seconds of iterating. [10, if no other is given]",
        ),
    ] = None,
    nodes: Annotated[
        int | None, Option("--nodes", **COUNT, help="The budget of each run: nodes touched.")
    ] = None,
    iterations: Annotated[
        int | None,
        Option("--iterations", "-n", **COUNT, help="The budget of each run: iterations."),
    ] = None,
    seeds: Annotated[
        int, Option("--seeds", help="Runs of each combination that draws at random.")
    ] = 1,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            metavar="FOLDER",
            help="Write picture, table and runs there, and go on with the runs in it.",
        ),
    ] = None,
    interval: Annotated[
        str,
        Option(
            "--interval",
            help="What stands for several seeds: range (median, lowest, highest), student or bootstrap (mean and 95 % "
            "confidence interval), 'student(confidence=0.99)'.",
        ),
    ] = "range",
    picture: Annotated[
        Path | None,
        Option(
            "--picture",
            **file_option("A picture", ".svg", ".png", ".pdf", ".pgf"),
            help="Draw the comparison there, all games in one picture; .pgf needs LaTeX.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        Option(
            "--latex",
            **file_option("LaTeX", ".tex"),
            help="Write the table of what was reached there, all games in one table.",
        ),
    ] = None,
    measure: Annotated[
        str,
        Option("--measure", help="What is drawn and listed: exploitability, nash_conv, ..."),
    ] = "exploitability",
    against: Annotated[
        str | None,
        Option(
            "--against",
            help="Draw against nodes, seconds or iterations alone. [a panel for each]",
        ),
    ] = None,
    curves: Annotated[
        list[str] | None,
        Option(
            "--curve",
            metavar="NAME",
            help="Draw and list this curve alone, or several: 'cfr', 'cfr, external'.",
        ),
    ] = None,
    log: Annotated[
        str, Option("--log", help="Which axes are logarithmic: xy, x, y or none.")
    ] = "xy",
    size: Annotated[
        str | None,
        Option("--size", metavar="WxH", help="Width and height of the picture in inches: 5.5x2.6."),
    ] = None,
    processes: options.Processes = 1,
    ray: options.Ray = None,
    track: options.Track = None,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    as_json: options.Json = False,
) -> None:
    """Compare algorithms and samplings on GAME, each with the same budget, and rank them.

    Ctrl-C stops cleanly and reports the results so far. With --out the same command goes on where
    it stopped, and a larger budget extends the comparison; several games have a folder each there.
    """
    output = Output(as_json)
    from .._util.callbacks import Callbacks
    from .._util.files import check_writable
    from ..comparison.compare import compare as run
    from ..comparison.intervals import find_interval
    from ..comparison.series import Frame, View
    from ..form.limits import Limits

    # What is wrong in these is said before anything is solved.
    view = View(measure, find_interval(interval), tuple(curves) if curves else None)
    frame = Frame(against, "" if log == "none" else log, _parse_size(size))
    _check_curves(view, algorithms, sampling)
    _check_games(games, algorithms, sampling)
    if picture is not None and picture.suffix.lower() == ".pgf":
        find_latex()
    # The folder of the comparison is made on the way.
    elsewhere = [
        path for path in (picture, table) if path and (out is None or out not in path.parents)
    ]
    check_writable(*elsewhere)
    folders = _folders(out, games)
    comparisons: list[Comparison] = []

    def show(shown_view: View) -> None:
        output.emit(
            lambda: _summary(comparisons),
            report(comparisons, shown_view, folders=folders, width=output.console.width),
        )

    def compare_on(
        game: str, folder: Path | None, trackers: Sequence[Any], executor: Any
    ) -> Comparison:
        progress = RunsProgress(game, output.console)
        watch = Callbacks(
            on_run=progress.run, on_checkpoint=progress.checkpoint, on_stage=progress.stage
        )
        with output.live(title=game, progress=progress):
            return run(
                game,
                algorithms=algorithms,
                sampling=sampling,
                form=form or "auto",
                seeds=seeds,
                seconds=seconds,
                nodes=nodes,
                iterations=iterations,
                save=folder,
                executor=executor,
                callbacks=[watch, *trackers],
                limits=Limits(histories=max_histories, depth=max_depth),
            )

    try:
        with (
            options.open_trackers(track) as trackers,
            options.open_executor(processes, ray) as executor,
        ):
            for game, folder in zip(games, folders, strict=True):
                comparisons.append(compare_on(game, folder, trackers, executor))
                if not comparisons[-1].finished:
                    break
        _check_measure(comparisons, view)
        _write_for_paper(comparisons, view, frame, picture, table)
    except EquilibristError:
        # What was compared is not lost with a later game, or a picture; with --json the error is all.
        if comparisons and not as_json:
            show(View(interval=view.interval))
        raise
    show(view)
    if not as_json:
        output.list_files([path for path in (picture, table) if path is not None], {})
    if any(comparison.failed for comparison in comparisons):
        raise Exit(1)


def _folders(out: Path | None, games: Sequence[str]) -> list[Path | None]:
    """Return the folder of each game: that which is given, or folders in it where there are several games."""
    if out is None or len(games) == 1:
        return [out] * len(games)
    names = [re.sub(r"[^A-Za-z0-9+]+", "-", game).strip("-") for game in games]
    if len(set(names)) < len(names):
        raise AlgorithmError(
            f"Give each game once; got {', '.join(map(repr, games))}, whose folders have one name."
        )
    return [out / name for name in names]


def _check_curves(view: View, algorithms: str, sampling: str) -> None:
    """Refuse a curve that no run will have."""
    from ..comparison.compare import find_combinations

    names: set[str] = set()
    for combination in find_combinations(algorithms, sampling):
        algorithm, scheme = combination.names
        names |= {algorithm, f"{algorithm}, {scheme}"}
    for name in view.curves or ():
        if name not in names:
            raise AlgorithmError(f"--curve: there is no curve {name!r}.{nearest(name, names)}")


def _check_games(games: Sequence[str], algorithms: str, sampling: str) -> None:
    """Refuse what stands after the first game and cannot be loaded, before that game is solved."""
    from ..cfr.algorithms import find_algorithm
    from ..games.load import load
    from ..games.registry import find_game
    from ..mccfr.sampling import find_sampling

    for word in games[1:]:
        if is_game(word):
            load(word)  # which refuses settings that the game does not take
            continue
        if _is_found(find_algorithm, word):
            belongs_to = f"-a {algorithms}"
        elif _is_found(find_sampling, word):
            belongs_to = f"--sampling {sampling}"
        else:
            find_game(word, {})  # which says what games there are
            continue
        raise GameError(
            f"There is no game {word!r}. Several are separated by commas: {belongs_to},{word}",
            wrong_use=True,
        )


def _is_found(find: Callable[[str], Any], word: str) -> bool:
    """Return whether a word names an algorithm or a sampling."""
    try:
        find(word)
    except AlgorithmError:
        return False
    return True


def _parse_size(text: str | None) -> tuple[float, float] | None:
    """Return width and height of ``5.5x2.6``."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*([\d.]+)\s*[x×,]\s*([\d.]+)\s*", text)
    with suppress(ValueError):
        if match is not None:
            return float(match[1]), float(match[2])
    raise AlgorithmError(f"--size is WIDTHxHEIGHT in inches, as 5.5x2.6; got {text!r}.")


def _check_measure(comparisons: Sequence[Comparison], view: View) -> None:
    """Refuse a measure that the runs on a game lack."""
    for comparison in comparisons:
        view.series(comparison)


def _write_for_paper(
    comparisons: Sequence[Comparison],
    view: View,
    frame: Frame,
    picture: Path | None,
    table: Path | None,
) -> None:
    """Write the picture and the table that were asked for."""
    first, *others = comparisons
    looked_at: dict[str, Any] = {
        "measure": view.measure,
        "interval": view.interval,
        "curves": view.curves,
    }
    if picture is not None:
        from ..plot.style import write_picture

        shape: dict[str, Any] = {"against": frame.against, "log": frame.log, "size": frame.size}
        write_picture(partial(first.plot, *others, **looked_at, **shape), picture)
    if table is not None:
        content = first.to_latex(*others, **looked_at)
        write_atomically(table, content.encode())


def _summary(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Return the summary of a comparison, or of several."""
    summaries = [comparison.summary() for comparison in comparisons]
    if len(summaries) == 1:
        return summaries[0]
    return {"comparisons": summaries}


class RunsProgress(Progress):
    """A live picture: the last runs, each with its newest checkpoint, and the stage at work."""

    def stage(self, text: str) -> None:
        """Show what is being done; drawing is no news for a log."""
        from ..comparison.compare import DRAWING

        super().stage(text)
        if text == DRAWING:
            self.timer.cancel()

    def run(self, run: Run, number: int, runs: int) -> None:
        self.rows.append((run, run.trace[-1] if run.trace else None))

    def checkpoint(self, point: Checkpoint) -> None:
        self.rows[-1] = self.rows[-1][0], point

    def table(self) -> Table:
        rows: list[tuple[Run, Checkpoint | None]] = self.rows[-_ROWS_SHOWN:]
        players = max((len(point.value) for _, point in rows if point is not None), default=0)
        headings = ("iteration", "nodes", "time", gap_words(players).mean)
        columns: dict[str, list[str]] = {"run": [str(run) for run, _ in rows]}
        columns |= {heading: [] for heading in headings}
        for _, point in rows:
            cells = ("", "", "", "")  # of a run that has no checkpoint yet
            if point is not None:
                cells = (
                    f"{point.iteration:,.0f}",
                    format_count(point.nodes_touched),
                    format_seconds(point.seconds),
                    f"{point.exploitability:.3e}",
                )
            for heading, cell in zip(headings, cells, strict=True):
                columns[heading].append(cell)
        hidden_columns = ("nodes", "time", "iteration")
        return fit_table(
            f"Comparing on {self.title}",
            columns,
            self.console.width,
            text=("run",),
            droppable=hidden_columns,
        )


def report(
    comparisons: Sequence[Comparison],
    view: View,
    *,
    folders: Sequence[Path | None],
    width: int,
) -> Iterator[RenderableType]:
    """Iterate over what is printed: what each combination reached, who is best when, what was skipped and written."""
    for comparison, out in zip(comparisons, folders, strict=False):
        if out is None:
            written = ""
            remedy = "Nothing is saved; with --out FOLDER it could go on."
        else:
            pictures = (
                "comparison.svg, comparison.png, comparison.csv, " if comparison.curves else ""
            )
            folder = quote_word(str(out))
            written = f"Written to {folder}: {pictures}comparison.json; each run in runs/"
            remedy = "The same command goes on."
        yield from paint_result(comparison, width, written=written, remedy=remedy, view=view)
