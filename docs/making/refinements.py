"""The pictures of docs/refinements.md: ``python -m docs.making.refinements``.

What Kuhn poker plays as quantal responses grow precise, and as floors rise; and the answers to a raise that nobody
makes, in a Nash equilibrium and in a quantal response equilibrium.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import equilibrist as eq
from equilibrist.plot.style import (
    COLUMN,
    DASHES,
    make_figure,
    use_theme,
    write_picture,
    write_title,
)

DOCS = Path(__file__).parents[1]
PRECISIONS = np.geomspace(0.05, 100, 34)
FLOORS = np.geomspace(0.001, 0.3, 26)
INFOSETS = (("J", "Q", "K", "Jpb", "Qpb", "Kpb"), ("Jp", "Qp", "Kp", "Jb", "Qb", "Kb"))
KEYS = INFOSETS[0] + INFOSETS[1]
LINE = "X-B100-A200"
JUMP = 0.15  # of a probability, between neighbouring points: another equilibrium, not a slope


def bets(solution: eq.Solution) -> list[float]:
    """Return how often chips are put in at each infoset, in the order of ``KEYS``."""
    at = solution.strategy
    return [next(p for action, p in at[key].items() if action in {"bet", "call"}) for key in KEYS]


@cache
def by_precision() -> np.ndarray:
    """Return the probabilities at each λ, shape (λ, infosets)."""
    concepts = (eq.QRE(float(1 / precision)) for precision in PRECISIONS)
    return np.array([bets(eq.solve("kuhn", concept=concept, until=1e-9)) for concept in concepts])


@cache
def by_floor() -> np.ndarray:
    """Return the probabilities with each floor, shape (floors, infosets)."""
    concepts = (eq.Floors(float(floor)) for floor in FLOORS)
    return np.array([bets(eq.solve("kuhn", concept=concept, until=1e-6)) for concept in concepts])


def with_gaps(x: np.ndarray, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a line with NaN between two where the probability jumps, so that no slope joins them."""
    jumps = np.flatnonzero(np.abs(np.diff(probabilities)) > JUMP) + 1
    return np.insert(x, jumps, np.nan), np.insert(probabilities, jumps, np.nan)


@cache
def spots() -> dict[str, eq.poker.SolvedSpot]:
    """Return the river of the page, solved both ways."""
    ranges = "AA,KK,JJ,88,A5s,54s", "QJs,QTs,T9s,99,AQo,KQs"
    river = eq.poker.Holdem("Td9d6hQc2s", *ranges, pot=100, stack=200, bets="100%; a")
    solutions = {
        "nash": eq.solve(river, until="0.1%"),
        "qre": eq.solve(river, concept=eq.QRE("1%"), until=1e-9),
    }
    return {name: eq.poker.SolvedSpot(solution) for name, solution in solutions.items()}


def lines(
    x: np.ndarray, table: Callable[[], np.ndarray], words: tuple[str, str, str], *, theme: str
) -> Figure:
    """Return a panel for each player, with a line for each infoset."""
    title, note, label = words
    with use_theme(theme) as palette:
        figure = make_figure(COLUMN, 3.7)
        panels = figure.subplots(1, 2, sharey=True)
        for player, (axes, keys) in enumerate(zip(panels, INFOSETS, strict=True)):
            for number, key in enumerate(keys):
                style = {
                    "color": palette.colour(number % 3),
                    "linestyle": DASHES[number // 3],
                    "linewidth": 2,
                }
                probabilities = table()[:, 6 * player + number]
                axes.plot(
                    *with_gaps(x, probabilities), label=key, marker=".", markersize=4, **style
                )
            axes.set(xscale="log", ylim=(-0.03, 1.03), xlabel=label, title=f"player {player}")
            axes.grid(visible=True, linewidth=0.7)
            axes.legend(ncols=2, loc="best", fontsize=7)
        panels[0].set_ylabel("probability of the bet or call")
        write_title(figure, title, note, theme=palette)
        return figure


PICTURES: dict[str, Callable[..., Figure]] = {
    "refinements-precision": partial(
        lines,
        PRECISIONS,
        by_precision,
        (
            "Kuhn poker: quantal responses",
            "From uniform play, where nothing counts, to an equilibrium. Dashed: facing a bet.",
            "λ = 1 / τ, per chip",
        ),
    ),
    "refinements-floors": partial(
        lines,
        FLOORS,
        by_floor,
        (
            "Kuhn poker: floors",
            "No action is played less than ε, nor more than 1 − ε. Dashed: facing a bet.",
            "floor ε",
        ),
    ),
    "refinements-nash": lambda theme: eq.plot.range_grid(spots()["nash"], LINE, theme=theme),
    "refinements-qre": lambda theme: eq.plot.range_grid(spots()["qre"], LINE, theme=theme),
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        write_picture(draw, DOCS / f"{name}.svg")
