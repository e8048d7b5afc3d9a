"""Every picture that makes sense for a run, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EquilibristError
from ..solving.solution import Solution
from . import curves, forests, grid, movement, paths, regrets, surface
from .inputs import GameOfRun
from .movement import recording_of
from .paths import pair, parsed
from .style import write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("convergence", "strategy", "trajectories", "spiral", "regret", "landscape", "tree", "infosets")


def figure_of(
    kind: str,
    solution: Solution,
    *,
    game: Any = None,
    trust: bool = False,
    infosets: Sequence[Any] | None = None,
    most: int | None = None,
    theme: str = "light",
) -> Figure:
    """Return one picture of a run.

    The game is the one that is given, or else what the run names; a Python file that it names is run with ``trust``
    alone. A :class:`GameOfRun` is compiled once for several pictures. ``most`` limits the infosets of those kinds
    that have a limit.

    Raises
    ------
    EquilibristError
        The picture makes no sense for this run, or its game is needed and is not there.
    """
    known = GameOfRun.of(solution, game, trust=trust)
    few: dict[str, Any] = {} if most is None else {"most": most}
    makers: dict[str, Callable[[], Figure]] = {
        "convergence": lambda: curves.convergence(solution, theme=theme),
        "strategy": lambda: grid.strategy(solution, game=known.form_if_known(), infosets=infosets, theme=theme, **few),
        "trajectories": lambda: movement.trajectories(solution, infosets, theme=theme, **few),
        "spiral": lambda: _spiral(solution, infosets, theme),
        "regret": lambda: regrets.regret(solution, infosets, game=known.form_of_tables(), theme=theme),
        "landscape": lambda: _landscape(solution, known.form, infosets, theme),
        "tree": lambda: forests.tree(known.rules, solution, theme=theme),
        "infosets": lambda: forests.infosets(known.form, solution, theme=theme),
    }
    return makers[kind]()


def _spiral(solution: Solution, infosets: Sequence[Any] | None, theme: str) -> Figure:
    _, recording = recording_of(solution)
    return paths.spiral(solution, *pair(recording, infosets), theme=theme)


def _landscape(solution: Solution, game: Any, infosets: Sequence[Any] | None, theme: str) -> Figure:
    """Return the landscape over the two probabilities that the spiral draws."""
    _, recording = recording_of(solution)
    path = paths.path_of(recording, *pair(recording, infosets))
    x, y = (((one.player, one.infoset), one.actions[action]) for one, action in (path.x, path.y))
    return surface.landscape(game, parsed(x), parsed(y), strategy=solution, path=solution, theme=theme)


def spelled(solution: Solution, asked: Sequence[str]) -> list[Any] | None:
    """Return the infosets that texts name, each one or, joined by commas, several; None out of nothing.

    A name that several players have stands for the infosets of all of them, as where it is recorded.
    """
    if not asked:
        return None
    known: set[str] = set()
    if any("," in text for text in asked):  # some names have one of their own
        known = {infoset.key for infoset in solution.strategy.infosets}
    names = [
        name for text in asked for name in ([text] if text in known else [part.strip() for part in text.split(",")])
    ]
    owners: dict[str, list[Any]] = {}
    for player, key, _ in () if solution.recording is None else solution.recording.infosets:
        owners.setdefault(key, []).append((player, key))
    shared = {key: pairs for key, pairs in owners.items() if len(pairs) > 1}
    return [one for name in dict.fromkeys(names) if name for one in shared.get(name, [name])]


def write_all(
    solution: Solution, folder: Path, *, game: Any = None, trust: bool = False, **options: Any
) -> tuple[list[Path], dict[str, str]]:
    """Write every picture that makes sense for a run as SVG; return the files, and why the others are missing.

    Parameters are those of :func:`figure_of`.
    """
    known = GameOfRun(solution, game, trust=trust)
    written, skipped = [], {}
    for kind in KINDS:
        try:
            figure = figure_of(kind, solution, game=known, **options)
        except EquilibristError as error:
            skipped[kind] = str(error)
            continue
        write_figure(figure, folder / f"{kind}.svg")
        written.append(folder / f"{kind}.svg")
    return written, skipped
