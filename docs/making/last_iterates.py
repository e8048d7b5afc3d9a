"""The picture and the table of docs/play-and-average.md: ``python -m docs.making.last_iterates``.

How exploitable the average is, and what is played last, as iterations pass; and how many are needed.
"""

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

PICTURE = Path(__file__).parents[1] / "last-iterates.svg"
LAST = {"rtcfr+": {"concept": eq.LastIterate()}, "mmd": {"concept": eq.QRE(0)}}
RUNS = {name: {"algorithm": name} for name in ("cfr", "cfr+", "pcfr+")} | LAST
GAMES = ("kuhn", "leduc", "liars_dice(faces=4)")
GOALS = (1e-3, 1e-4, 1e-6)
ITERATIONS = [2**k for k in range(14)]


def curves(options: dict[str, object]) -> np.ndarray:
    """Return the exploitability of the average, and of what is played last, shape (iterations, 2)."""
    solutions = (eq.solve("leduc", iterations=count, **options) for count in ITERATIONS)
    return np.array(
        [
            (each.exploitability, eq.evaluate("leduc", each.current).exploitability)
            for each in solutions
        ]
    )


def needed(game: str, options: dict[str, object]) -> list[str]:
    """Return after how many iterations a run is first seen to be as good as each of the goals."""
    trace = eq.solve(game, until=min(GOALS), iterations=100_000, form="sequence", **options).trace
    first = (
        next((each.iteration for each in trace if each.exploitability <= goal), None)
        for goal in GOALS
    )
    return ["more than 100,000" if count is None else f"{count:,}" for count in first]


def table() -> None:
    """Print the rows of the table."""
    for game in GAMES:
        for name, options in {
            "cfr+": {"algorithm": "cfr+"},
            "dcfr+": {"algorithm": "dcfr+"},
            **LAST,
        }.items():
            print(f"| {game} | `{name}` | {' | '.join(needed(game, options))} |", flush=True)


CURVES = {name: curves(options) for name, options in RUNS.items()}


def draw(theme: str) -> Figure:
    """Return the panels: of the averages, and of the last iterates."""
    with use_theme(theme) as palette:
        figure = make_figure(COLUMN, 3.4)
        panels = figure.subplots(1, 2, sharey=True)
        for which, (axes, title) in enumerate(
            zip(panels, ("the average", "played last"), strict=True)
        ):
            for number, (name, exploitability) in enumerate(CURVES.items()):
                style = {
                    "color": palette.colour(number),
                    "linestyle": DASHES[number % len(DASHES)],
                    "linewidth": 2,
                }
                if name not in LAST or which == 1:
                    axes.loglog(ITERATIONS, exploitability[:, which], label=name, **style)
            axes.set(xlabel="iterations", title=title)
            axes.grid(visible=True, linewidth=0.7)
            axes.legend(loc="lower left", fontsize=7)
        panels[0].set_ylabel("exploitability")
        write_title(
            figure,
            "Leduc poker",
            "rtcfr+ and magnetic mirror descent (mmd) keep no average.",
            theme=palette,
        )
        return figure


if __name__ == "__main__":
    table()
    write_picture(draw, PICTURE)
