"""The picture of docs/abstraction.md: ``python -m docs.making.abstraction``.

Abstractions of Leduc poker from coarse to fine: what the equilibrium of each is exploited for, and the least that a
strategy of it can be.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from examples.abstractions.buckets import tell_ranks
from matplotlib.figure import Figure

import equilibrist as eq
from equilibrist.plot.style import COLUMN, make_figure, use_theme, write_picture, write_title

DOCS = Path(__file__).parents[1]
STEPS = (
    ("JQK", "JQK"),
    ("JQK", "JQ.K"),
    ("JQK", "J.Q.K"),
    ("JQ.K", "J.Q.K"),
    ("J.Q.K", "J.Q.K"),
)
"""What the first and the second player tell apart: each step has all buckets of the one before it, or parts of them."""
ITERATIONS = 1000


@cache
def exploitabilities(opponent: str) -> list[float]:
    """Return the exploitability in the real game after each step, payoff per game."""
    form = eq.compile_game(eq.load("leduc"))
    return [
        eq.solve(
            eq.abstract(form, tell_ranks(*step), opponent=opponent), "dcfr", iterations=ITERATIONS
        ).exploitability
        for step in STEPS
    ]


def finer(*, theme: str) -> Figure:
    """Return the picture."""
    with use_theme(theme) as palette:
        figure = make_figure(COLUMN, 3.4)
        axes = figure.subplots()
        places = range(len(STEPS))
        words = {
            "abstracted": "both players learn in the abstraction",
            "unabstracted": "against opponents in the real game",
        }
        for number, (opponent, label) in enumerate(words.items()):
            axes.plot(
                places,
                exploitabilities(opponent),
                marker="o",
                label=label,
                color=palette.colour(number),
                linewidth=2,
            )
        axes.set_xticks(places, [f"{first}\n{second}" for first, second in STEPS])
        axes.set(ylim=(0, None), ylabel="exploitability, chips", xlabel="what players tell apart")
        axes.grid(visible=True, axis="y", linewidth=0.7)
        axes.legend(loc="upper right")
        write_title(
            figure,
            "Leduc poker: finer is not always better",
            "From coarse to fine. First line: the first player; JQ.K tells a king from the rest.",
            theme=palette,
        )
        return figure


PICTURES: dict[str, Callable[..., Figure]] = {"abstraction-finer": finer}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        write_picture(draw, DOCS / f"{name}.svg")
