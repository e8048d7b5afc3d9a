"""Every picture that makes sense for a run, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from .._util.files import write_atomically
from ..errors import EquilibristError
from ..show.registry import find_picture, find_subject, has_picture
from ..solving.solution import Solution
from . import curves, forests, grid, movement, paths, regrets, surface, triangles
from .inputs import GameOfRun
from .kinds import KINDS
from .movement import recording_of
from .pairs import Choice
from .paths import pair_of_choices
from .style import Draw, picture


def draw_figure(
    kind: str,
    solution: Solution,
    *,
    game: Any = None,
    trust: bool = False,
    infosets: Sequence[Any] | None = None,
    most: int | None = None,
    noise: float = 0.0,
    theme: str = "light",
) -> Figure:
    """Return one picture of a run.

    The game is the one that is given, or else what the run names; a Python file that it names is
    run with ``trust`` alone. A :class:`GameOfRun` is compiled once for several pictures. ``most``
    limits the infosets of those kinds that have a limit; ``noise`` is that of the scatter plot.
    """
    game_of_run = GameOfRun.of(solution, game, trust=trust)
    limits: dict[str, Any] = {} if most is None else {"most": most}
    makers: dict[str, Callable[[], Figure]] = {
        "convergence": lambda: curves.convergence(solution, theme=theme),
        "strategy": lambda: grid.strategy(
            solution, game=game_of_run.form_if_known(), infosets=infosets, theme=theme, **limits
        ),
        "trajectories": lambda: movement.trajectories(solution, infosets, theme=theme, **limits),
        "spiral": lambda: _draw_choices(paths.spiral, solution, game_of_run, infosets, theme),
        "scatter": lambda: _draw_choices(
            partial(paths.scatter, noise=noise), solution, game_of_run, infosets, theme
        ),
        "simplex": lambda: triangles.simplex(solution, infosets, theme=theme),
        "regret": lambda: regrets.regret(
            solution, infosets, game=game_of_run.form_of_tables(), theme=theme
        ),
        "landscape": lambda: surface.landscape(
            game_of_run.form,
            *choices(solution, game_of_run, infosets),
            strategy=solution,
            path=solution,
            theme=theme,
        ),
        "tree": lambda: forests.tree(game_of_run.rules, solution, theme=theme),
        "infosets": lambda: forests.infosets(game_of_run.form, solution, theme=theme),
        "range": lambda: find_picture("range")(solution, theme=theme),
    }
    return makers[kind]()


def kinds_of(solution: Solution) -> tuple[str, ...]:
    """Return the kinds of pictures that suit the game of a run."""
    subject = find_subject(solution.strategy)
    if subject is not None:
        return subject.pictures
    if has_picture("range", solution):
        return (*KINDS, "range")
    return KINDS


def _draw_choices(
    draw: Draw, solution: Solution, game: GameOfRun, infosets: Sequence[Any] | None, theme: str
) -> Figure:
    """Return the picture of one probability against another; the game, if it is there, says which and where they go."""
    return draw(
        solution, *choices(solution, game, infosets), game=game.form_if_known(), theme=theme
    )


def choices(
    solution: Solution, game: GameOfRun, infosets: Sequence[Any] | None
) -> tuple[Choice, Choice] | tuple[None, None]:
    """Return the two probabilities of spiral, scatter and landscape: at the infosets asked for, or the usual ones."""
    _, recording = recording_of(solution)
    x, y = pair_of_choices(recording, infosets)
    if x is not None and y is not None:
        return x, y
    axes = None if game.form_if_known() is None else game.default_axes
    return axes or (None, None)


def parse_infosets(solution: Solution, texts: Sequence[str]) -> list[Any] | None:
    """Return the infosets that texts name, each one or, joined by commas, several; None out of nothing.

    A name that several players have stands for the infosets of all of them, as where it is
    recorded.
    """
    if not texts:
        return None
    keys: set[str] = set()
    if any("," in text for text in texts):  # some names have one of their own
        keys = {infoset.key for infoset in solution.strategy.infosets}
    names = [
        name
        for text in texts
        for name in ([text] if text in keys else [part.strip() for part in text.split(",")])
    ]
    owners: dict[str, list[Any]] = {}
    for player, key, _ in () if solution.recording is None else solution.recording.infosets:
        owners.setdefault(key, []).append((player, key))
    owners_of_shared = {key: pairs for key, pairs in owners.items() if len(pairs) > 1}
    return [
        infoset
        for name in dict.fromkeys(names)
        if name
        for infoset in owners_of_shared.get(name, [name])
    ]


def write_all(
    solution: Solution,
    folder: Path,
    *,
    kinds: Sequence[str] | None = None,
    game: Any = None,
    trust: bool = False,
    theme: str = "auto",
    **options: Any,
) -> tuple[list[Path], dict[str, str]]:
    """Write every picture that makes sense for a run as SVG; return the files, and why the others are missing.

    Parameters are those of :func:`draw_figure`, and the theme of
    :func:`equilibrist.plot.style.picture`; by default the kinds are those of :func:`kinds_of`.
    """
    game_of_run = GameOfRun(solution, game, trust=trust)
    files = []
    reasons = {}
    for kind in kinds or kinds_of(solution):
        try:
            content = picture(
                partial(draw_figure, kind, solution, game=game_of_run, **options), theme=theme
            )
        except EquilibristError as error:
            reasons[kind] = str(error)
            continue
        write_atomically(folder / f"{kind}.svg", content)
        files.append(folder / f"{kind}.svg")
    return files, reasons
