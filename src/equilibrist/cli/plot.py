"""``equilibrist plot`` and ``report``: the pictures of a run, of several or of a game, and one page about a run."""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from ..errors import GameError, SolutionError, nearest
from ..plot.kinds import KINDS, OF_GAMES, OF_HANDS, OF_INFOSETS, OF_TWO, SUFFIXES
from . import options
from .arguments import PAGE
from .output import Output

_ALL = "all"
_KINDS = tuple(dict.fromkeys((*KINDS, *OF_HANDS)))
_THEMES = ("auto", "light", "dark")
# the first decision, whoever decides
_FIRST = {
    "line": "",
    "board": None,
    "hand": None,
    "player": None,
}
_PICTURES = tuple(f".{suffix}" for suffix in SUFFIXES)


def plot(
    runs: Annotated[
        list[str],
        Argument(
            metavar="RUN...",
            help="Folders of saved runs, several of them for convergence on the same axes; or a game, for its tree.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        str | None,
        Option(
            "--kind",
            "-k",
            help=f"{', '.join(_KINDS)} (of a spot, or before the flop), or all. [all; convergence for several runs "
            "or one file; tree for a game]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            metavar="FILE",
            help="A .svg, .png, .pdf or .pgf (needs LaTeX); for all, a folder. [KIND.svg in the folder of the run]",
        ),
    ] = None,
    theme: Annotated[
        str, Option("--theme", help="auto (an .svg as the page it stands on), light or dark.")
    ] = "auto",
    infosets: Annotated[
        list[str] | None,
        Option(
            "--infosets",
            metavar="INFOSETS",
            help="Draw only these: names separated by commas; two for spiral, scatter and landscape.",
        ),
    ] = None,
    noise: Annotated[
        float,
        Option(
            "--noise",
            metavar="NUMBER",
            min=0.0,
            help="Scatter the points of --kind scatter that lie on each other: by so much, as 0.02.",
        ),
    ] = 0.0,
    line: options.Line = "",
    board: options.Board = None,
    hand: options.Hand = None,
    player: options.Player = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Draw a RUN: how it converged, its strategy, how that moved, regrets, payoffs; or the tree of a game.

    Of a spot of hold'em or Omaha, push_fold and preflop: the range at any decision (--kind range, --line, --board).
    """
    output = Output(as_json)
    if kind not in (None, _ALL, *_KINDS):
        raise SolutionError(
            f"There is no kind of picture {kind!r}.{nearest(str(kind), (*_KINDS, _ALL))}",
            wrong_use=True,
        )
    if theme not in _THEMES:
        raise SolutionError(
            f"--theme must be auto, light or dark; got {theme!r}.{nearest(theme, _THEMES)}",
            wrong_use=True,
        )
    suffix = "" if out is None else out.suffix.lower()
    place = {"line": line, "board": board, "hand": hand, "player": player}
    place_options = [f"--{name}" for name, value in place.items() if value != _FIRST[name]]
    if kind is None and place_options:
        kind = "range"
    if place_options and kind != "range":
        raise SolutionError(
            f"{place_options[0]} chooses for --kind range only; got --kind {kind}.", wrong_use=True
        )
    folders = [Path(run) for run in runs]
    is_folder = [folder.is_dir() for folder in folders]
    if not all(is_folder):
        _check_game(runs, is_folder, kind)
    if kind is None:
        is_album = len(runs) == 1 and suffix == ""
        if not all(is_folder):
            kind = "tree"
        elif is_album:
            kind = _ALL
        else:
            kind = "convergence"
    _check_out(out, suffix, kind)
    if len(runs) > 1 and kind != "convergence":
        raise SolutionError(
            f"Several runs share the axes of --kind convergence only; got {kind!r}.", wrong_use=True
        )
    if infosets and kind not in (_ALL, *OF_INFOSETS):
        raise SolutionError(
            f"--infosets chooses for --kind {', '.join(OF_INFOSETS)} or all; {kind} is drawn "
            "whole.",
            wrong_use=True,
        )
    if noise and kind != "scatter":
        raise SolutionError(
            f"--noise is for --kind scatter only; got --kind {kind}.", wrong_use=True
        )
    from ..plot.curves import convergence
    from ..plot.forests import infosets as infosets_of
    from ..plot.forests import tree
    from ..plot.style import write_picture

    with output.live(title=runs[0]) as live:
        live.stage("Drawing")
        if all(is_folder) and len(runs) == 1:
            files, reasons = _draw_run(
                folders[0], kind, out, theme, infosets or [], place, noise, trust=trust
            )
        else:
            named = {folder.resolve().name: folder for folder in folders}
            draw = partial(convergence, named if len(named) == len(folders) else folders)
            if not all(is_folder):
                draw = partial(tree if kind == "tree" else infosets_of, runs[0])
            files = [out or Path(f"{kind}.svg")]
            reasons = {}
            write_picture(draw, files[0], theme=theme)
    output.list_files(files, reasons)


def _check_game(runs: list[str], is_folder: list[bool], kind: str | None) -> None:
    """Refuse what is neither the folder of a run nor a game, and pictures of games that need a run."""
    from ..games.load import load
    from ..games.registry import BUILT_IN

    name = runs[is_folder.index(False)]
    try:
        load(name)
    except GameError as error:
        if str(error).startswith("There is no game") and not get_close_matches(name, BUILT_IN):
            raise SolutionError(
                f"There is no run {name!r}: a run is a folder that 'equilibrist solve GAME "
                "--save FOLDER' has written.",
                wrong_use=True,
            ) from None
        raise SolutionError(
            f"{name!r} is neither the folder of a saved run nor a game: {error}", wrong_use=True
        ) from None
    if len(runs) > 1 or kind not in (None, *OF_GAMES):
        if len(runs) > 1:
            picture = "several on the same axes"
        else:
            picture = f"--kind {kind}"
        raise SolutionError(
            f"{name!r} is a game, and {picture} needs a run. Solve it first: equilibrist solve "
            f"{name!r} --save FOLDER.",
            wrong_use=True,
        )


def _check_out(out: Path | None, suffix: str, kind: str) -> None:
    """Refuse a file that the picture cannot be written to, before any work is done for it."""
    from .._util.files import check_writable

    if out is None:
        return
    if kind == _ALL:
        if suffix in _PICTURES:
            raise SolutionError(
                f"--kind all draws several pictures: give --out a folder; got {out}.",
                wrong_use=True,
            )
        return
    if suffix not in _PICTURES:
        if suffix == ".html":
            page = " A page with all of a run is what 'equilibrist report' writes."
        else:
            page = ""
        raise SolutionError(
            f"{out}: a picture is written as {', '.join(_PICTURES)}; got "
            f"{out.suffix or 'no suffix'!r}.{page}",
            wrong_use=True,
        )
    check_writable(out)


def _draw_run(
    folder: Path,
    kind: str,
    out: Path | None,
    theme: str,
    infosets: list[str],
    place: dict[str, Any],
    noise: float,
    *,
    trust: bool,
) -> tuple[list[Path], dict[str, str]]:
    from .._util.files import make_folder
    from ..plot.album import draw_figure, parse_infosets, write_all
    from ..plot.style import write_picture
    from ..show.registry import find_decision, find_picture
    from ..solving.load import load_solution

    solution = load_solution(folder, trust=trust)
    names = parse_infosets(solution, infosets)
    if kind in OF_TWO and names is not None and len(names) != 2:
        raise SolutionError(
            f"--kind {kind} has two axes: --infosets names two; got {len(names)}: "
            f"{', '.join(infosets)}.",
            wrong_use=True,
        )
    if kind == _ALL:
        return write_all(
            solution, make_folder(out or folder), infosets=names, theme=theme, trust=trust
        )
    file = out or folder / f"{kind}.svg"
    draw = partial(draw_figure, kind, solution, infosets=names, noise=noise, trust=trust)
    if kind == "range":
        node = find_decision(solution, place["line"], place["board"])
        draw = partial(find_picture("range"), node, player=place["player"], hand=place["hand"])
    write_picture(draw, file, theme=theme)
    return [file], {}


def report(
    run: options.Run,
    out: Annotated[
        Path | None, Option("--out", **PAGE, help="Where to write the page. [report.html in RUN]")
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Write one page of HTML about RUN, to be read without anything else: certificate, pictures, strategy, settings."""
    output = Output(as_json)
    from .._util.files import check_writable
    from ..form.limits import Limits
    from ..runs.report import write_report
    from ..solving.load import load_solution

    path = out or run / "report.html"
    with output.live(title=str(run)) as live:
        solution = load_solution(run, game, trust=trust)
        check_writable(path)
        reasons = write_report(
            solution,
            path,
            game=game,
            trust=trust,
            callbacks=live.stage,
            limits=Limits(histories=max_histories),
        )
    output.list_files([path], reasons)
