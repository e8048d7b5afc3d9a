"""Pictures as PGF: drawings that LaTeX sets with the fonts of a paper."""

from __future__ import annotations

from typing import IO, Any
from warnings import catch_warnings, simplefilter

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from ..errors import SolutionError
from ..show.latex import escape_latex, find_latex


def save_pgf(figure: Figure, file: IO[bytes]) -> None:
    """Write a figure as PGF; its texts are escaped in place, so that it is of no use for another format.

    Raises
    ------
    SolutionError
        There is no LaTeX, which measures the texts; LaTeX fails; or the figure has pixels.
    """
    program = find_latex()
    from matplotlib.backends.backend_pgf import LatexError

    _escape_texts(figure)
    settings: Any = {"pgf.texsystem": program, "pgf.rcfonts": False, "font.family": "sans-serif"}
    with rc_context(settings), catch_warnings():
        simplefilter("ignore")
        try:
            figure.savefig(file, format="pgf")
        except (LatexError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:300]
            raise SolutionError(
                f"{program} could not measure the texts of the picture ({reason}). Install the "
                "packages of LaTeX that Matplotlib needs (pgf, underscore), or write .pdf."
            ) from error
        except ValueError as error:
            if "raster" not in str(error):
                raise
            raise SolutionError(
                "This picture has pixels, which a file of PGF cannot hold: write .pdf.",
                wrong_use=True,
            ) from error


def _escape_texts(figure: Figure) -> None:
    """Write all texts of a figure, the labels of its axes included, in LaTeX."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            write_label = axis.get_major_formatter()
            axis.set_major_formatter(_latex_formatter(write_label))
    ticks = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    artists: list[Any] = figure.findobj(Text)
    for text in artists:
        if text not in ticks:
            lines = text.get_text().replace(r"\$", "$").split("\n")
            text.set_text("\n".join(map(escape_latex, lines)))


def _latex_formatter(write_label: Any) -> FuncFormatter:
    return FuncFormatter(lambda value, place: escape_latex(write_label(value, place)))
