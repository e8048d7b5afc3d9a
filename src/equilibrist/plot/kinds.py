"""The kinds of pictures and of their files, for whoever must not import Matplotlib, as the help of the command."""

from ..errors import SolutionError, nearest

KINDS = (
    "convergence", "strategy", "trajectories", "spiral", "scatter", "simplex", "regret", "landscape", "tree",
    "infosets",
)  # fmt: skip
"""The pictures of a run, in the order in which they are shown."""
OF_HANDS = ("range",)
"""Those of the first decision of games whose infosets are hands: solved spots, games before the flop."""
OF_GAMES = ("tree", "infosets")
"""Those of a game without a run; they are drawn whole."""
OF_INFOSETS = tuple(kind for kind in KINDS if kind not in ("convergence", *OF_GAMES))
"""Those of infosets that can be chosen."""
OF_TWO = ("spiral", "scatter", "landscape")
"""Those of two probabilities."""
SHOWN_SUFFIXES = ("svg", "png", "pdf")
"""What a figure can be written as, of what browsers show."""
SUFFIXES = (*SHOWN_SUFFIXES, "pgf")
"""What a figure can be written as; PGF needs LaTeX."""

AXES = {
    "iteration": "iterations",
    "nodes_touched": "nodes touched",
    "seconds": "seconds of iterating",
}
"""What a run can be drawn against, and the words for it."""
_OTHER_NAMES = {"iterations": "iteration", "nodes": "nodes_touched"}


def find_axis(against: str | None) -> str | None:
    """Return what is drawn against, by its name in :data:`AXES`; None for all."""
    name = _OTHER_NAMES.get(str(against), against)
    if name is not None and name not in AXES:
        raise SolutionError(
            f"against must be one of {', '.join(map(repr, AXES))}; got {against!r}."
            f"{nearest(str(against), AXES)}",
            wrong_use=True,
        )
    return name
