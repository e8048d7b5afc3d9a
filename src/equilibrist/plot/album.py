"""Every picture that makes sense for a run, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EquilibristError
from ..solving.solution import Solution
from . import curves, forests, grid, movement, regrets, surface
from .movement import pair, parsed, recording_of
from .style import write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("convergence", "strategy", "trajectories", "spiral", "regret", "landscape", "tree", "infosets")


def figure_of(
    kind: str, solution: Solution, *, game: Any = None, infosets: Sequence[Any] | None = None, theme: str = "light"
) -> Figure:
    """Return one picture of a run.

    Raises
    ------
    EquilibristError
        It makes no sense for this run.
    """
    rules = solution.game if game is None else game
    makers: dict[str, Callable[[], Figure]] = {
        "convergence": lambda: curves.convergence(solution, theme=theme),
        "strategy": lambda: grid.strategy(solution, game=game, infosets=infosets, theme=theme),
        "trajectories": lambda: movement.trajectories(solution, infosets, theme=theme),
        "spiral": lambda: _spiral(solution, infosets, theme),
        "regret": lambda: regrets.regret(solution, infosets, game=game, theme=theme),
        "landscape": lambda: _landscape(solution, rules, infosets, theme),
        "tree": lambda: forests.tree(rules, solution, theme=theme),
        "infosets": lambda: forests.infosets(rules, solution, theme=theme),
    }
    return makers[kind]()


def _spiral(solution: Solution, infosets: Sequence[Any] | None, theme: str) -> Figure:
    _, recording = recording_of(solution)
    return movement.spiral(solution, *pair(recording, infosets), theme=theme)


def _landscape(solution: Solution, game: Any, infosets: Sequence[Any] | None, theme: str) -> Figure:
    """Return the landscape over the two probabilities that the spiral draws."""
    _, recording = recording_of(solution)
    path = movement.path_of(recording, *pair(recording, infosets))
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
    solution: Solution, folder: Path, *, game: Any = None, infosets: Sequence[Any] | None = None, theme: str = "light"
) -> tuple[list[Path], dict[str, str]]:
    """Write every picture that makes sense for a run as SVG; return the files, and why the others are missing."""
    written, skipped = [], {}
    for kind in KINDS:
        try:
            figure = figure_of(kind, solution, game=game, infosets=infosets, theme=theme)
        except EquilibristError as error:
            skipped[kind] = str(error)
            continue
        write_figure(figure, folder / f"{kind}.svg")
        written.append(folder / f"{kind}.svg")
    return written, skipped
