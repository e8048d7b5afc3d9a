"""The picture of docs/play-and-average.md: ``python -m docs.making.last_iterates``.

How exploitable the average is, and what is played last, as iterations pass.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import equilibrist as eq
from equilibrist.plot.style import COLUMN, DASHES, blank, themed, titled, write_picture

PICTURE = Path(__file__).parents[1] / "last-iterates.svg"
RUNS = {name: {"algorithm": name} for name in ("cfr", "cfr+", "pcfr+")} | {"mmd": {"concept": eq.QRE(0)}}
ITERATIONS = [2**k for k in range(14)]


def curves(options: dict[str, object]) -> np.ndarray:
    """Return the exploitability of the average, and of what is played last, shape (iterations, 2)."""
    solutions = (eq.solve("leduc", iterations=count, **options) for count in ITERATIONS)
    return np.array([(each.exploitability, eq.evaluate("leduc", each.current).exploitability) for each in solutions])


CURVES = {name: curves(options) for name, options in RUNS.items()}


def draw(theme: str) -> Figure:
    """Return the panels: of the averages, and of the last iterates."""
    with themed(theme) as palette:
        figure = blank(COLUMN, 3.4)
        panels = figure.subplots(1, 2, sharey=True)
        for which, (axes, title) in enumerate(zip(panels, ("the average", "played last"), strict=True)):
            for number, (name, exploitability) in enumerate(CURVES.items()):
                style = {"color": palette.colour(number), "linestyle": DASHES[number % len(DASHES)], "linewidth": 2}
                if name != "mmd" or which == 1:
                    axes.loglog(ITERATIONS, exploitability[:, which], label=name, **style)
            axes.set(xlabel="iterations", title=title)
            axes.grid(visible=True, linewidth=0.7)
            axes.legend(loc="lower left", fontsize=7)
        panels[0].set_ylabel("exploitability")
        titled(figure, "Leduc poker", "Magnetic mirror descent (mmd) keeps no average.", theme=palette)
        return figure


if __name__ == "__main__":
    write_picture(draw, PICTURE)
