"""How every picture looks: two themes, colours for any eyes, text as it is; and how a picture becomes a file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import IO, Any, NamedTuple
from warnings import catch_warnings, simplefilter

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .._util.files import write_atomically
from ..errors import SolutionError, nearest
from ..show.numbers import format_power
from ..show.palette import COLOURS, ON_DARK, PICTURE_DARK, PICTURE_LIGHT
from .kinds import SUFFIXES
from .pgf import save_pgf

HATCHES = ("", "\\\\\\", "...", "xxx", "---", "ooo")  # where the colours begin again
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = "os^Dv<>p"  # one for each colour: for eyes and printers without any
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: smaller, and it can be searched
    "svg.hashsalt": "equilibrist",  # the same picture gives the same file
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.labelsize": 8.5,
    "legend.frameon": False,
}
DPI = 150
COLUMN = 7.4
"""Inches: the width of the column of text on a page, which a picture has at most to be shown as large as it is."""
# what has other colours in another theme
_THEMED = re.compile(r'(<image\b[^>]*/>|style="[^"]*"|fill="[^"]*")')
_LINK = re.compile(r"url\(#\w+\)")
# inches, of a letter of a title and of a legend
_TITLE = 0.084
_LETTER = 0.064
_SHORT = 100  # an axis from one to less than this may have only one power of ten,
_SHORTER = 20  # to less than this only one of 1 and 3 times powers of ten,
_SHORTEST = 5  # and to less than this only one of 1, 2 and 5 times powers of ten


Draw = Callable[..., Figure]
"""What returns a picture in the theme of the argument ``theme``."""


class Theme(NamedTuple):
    """The colours of a theme.

    Attributes
    ----------
    paper, ink, muted, faint : str
        Background, text, text that stands back, grid.
    low, high : str
        The ends of the scale of a heat map, whose middle is the background.
    colours : tuple of str
        What tells things apart.
    """

    paper: str
    ink: str
    muted: str
    faint: str
    low: str
    high: str
    colours: tuple[str, ...]

    def colour(self, number: int) -> str:
        return self.colours[number % len(self.colours)]


THEMES = {
    "light": Theme(*PICTURE_LIGHT, colours=COLOURS),
    "dark": Theme(*PICTURE_DARK, colours=ON_DARK),
}


@contextmanager
def use_theme(name: str) -> Iterator[Theme]:
    """Draw in a theme: what is made inside has its colours."""
    if name not in THEMES:
        raise SolutionError(
            f"theme must be 'light' or 'dark'; got {name!r}.{nearest(str(name), THEMES)}",
            wrong_use=True,
        )
    theme = THEMES[name]
    colours: Any = {
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "legend.facecolor"), theme.paper),
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), theme.ink),
        "axes.edgecolor": theme.muted,
        "grid.color": theme.faint,
        "hatch.linewidth": 0.7,
    }
    with rc_context({**STYLE, **colours}), catch_warnings():
        # Of characters that a font lacks, and of numbers that no logarithm shows.
        simplefilter("ignore")
        yield theme


def make_figure(width: float, height: float, *, layout: str | None = "constrained") -> Figure:
    """Return an empty figure of that many inches."""
    return Figure(figsize=(width, height), dpi=DPI, layout=layout)  # type: ignore[arg-type]


def write_title(figure: Figure, title: str, note: str, *, theme: Theme) -> None:
    """Write a title over a figure, and below it a note that stands back, in as many lines as it needs."""
    lines = wrap(note, int(figure.get_figwidth() / _LETTER))
    title = plain_text(shorten_title(title, figure.get_figwidth()))
    figure.suptitle(title + "\n" * len(lines), x=0.008, ha="left", fontsize=11)
    top = 1 - 0.3 / figure.get_figheight()
    figure.text(0.008, top, plain_text("\n".join(lines)), color=theme.muted, va="top")


def legend_shape(labels: Sequence[str], width: float) -> tuple[int, int]:
    """Return the columns and lines of a legend so many inches wide."""
    columns = max(
        1, min(len(labels), int(width / (0.55 + _LETTER * max(map(len, labels), default=0))))
    )
    return columns, -(-len(labels) // columns)


def legend_below(
    figure: Figure, handles: Sequence[Any], labels: Sequence[str] = (), **options: Any
) -> None:
    """Put a legend below the axes of a figure, in as many columns as there is room for."""
    labels = labels or [handle.get_label() for handle in handles]
    columns, _ = legend_shape(labels, figure.get_figwidth())
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, **options)


def label_sparsely(axes: Axes) -> None:
    """Label powers of ten on logarithmic axes; where one has hardly any, multiples of these as well."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() != "log":
            continue
        axis.set_major_formatter(FuncFormatter(lambda value, _: format_power(value)))
        lower, upper = axis.get_view_interval()
        if lower > 0 and upper / lower < _SHORTEST:
            axis.set_major_locator(_LabelsWithRoom(3, steps=[1, 2, 5, 10]))
        elif lower > 0 and upper / lower < _SHORTER:
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
        elif lower > 0 and upper / lower < _SHORT:
            axis.set_major_locator(LogLocator(subs=(1.0, 3.0), numticks=12))
        axis.set_minor_formatter(NullFormatter())


class _LabelsWithRoom(MaxNLocator):
    """Evenly spaced ticks on a logarithmic axis, without those whose labels would run into the one before."""

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        axes: Any = self.axis.axes  # type: ignore[union-attr]  # of a picture
        is_horizontal = self.axis is axes.xaxis
        box = axes.get_window_extent()
        ticks = list[float]()
        inches = (box.width if is_horizontal else box.height) / axes.get_figure().dpi
        for tick in super().tick_values(vmin, vmax):
            if is_horizontal:
                room = _LETTER * (len(format_power(tick)) + 1)
            else:
                room = 3 * _LETTER
            if 0 < vmin <= tick <= vmax and (
                not ticks or inches * math.log(tick / ticks[-1], vmax / vmin) > room
            ):
                ticks.append(float(tick))
        return ticks


def text_outline(theme: Theme) -> dict[str, Any]:
    """Return what is laid between a text and the lines behind it."""
    return {"facecolor": theme.paper, "linewidth": 0.0, "pad": 0.3, "alpha": 0.8}


def plain_text(text: str) -> str:
    """Return a text that Matplotlib shows as it is: no formulas, no control characters, no hidden label."""
    text = "".join(char if char.isprintable() or char == "\n" else "?" for char in text).replace(
        "$", r"\$"
    )
    if text.startswith("_"):
        return f" {text}"
    return text


def brief(text: str, max_length: int) -> str:
    """Return a text of at most so many characters, its middle left out, where that can be between two words."""
    if len(text) <= max_length:
        return text
    size = max(1, max_length // 2)
    start = text[:size]
    tail = text[len(text) - max(0, max_length - size - 1) :]
    return re.sub(r"(?<=\W)\w+$", "", start) + "…" + re.sub(r"^\w+(?=\W)", "", tail)


def shorten_title(title: str, width: float) -> str:
    """Return a title as far as there is room for it, its middle left out."""
    return brief(title, max(12, int((width - 0.2) / _TITLE)))


def save_figure(figure: Figure, file: IO[bytes], *, kind: str) -> None:
    """Write a figure as ``"svg"``, ``"png"``, ``"pdf"`` or ``"pgf"``; the same figure gives the same bytes."""
    if kind == "pgf":
        save_pgf(figure, file)
        return
    metadata: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context(STYLE), catch_warnings():
        simplefilter("ignore")  # of characters that a font lacks
        figure.savefig(file, format=kind, metadata=metadata.get(kind))


def picture(draw: Draw, *, kind: str = "svg", theme: str = "auto") -> bytes:
    """Return a picture as a file; an SVG of the theme ``"auto"`` is light or dark as the page it stands on."""
    themes = {"auto": ("light", "dark")}.get(theme, (theme,))
    files = []
    for name in themes if kind == "svg" else themes[:1]:
        save_figure(draw(theme=name), buffer := BytesIO(), kind=kind)
        files.append(buffer.getvalue())
    if len(files) == 1:
        return files[0]
    return _merge_themes(*(file.decode() for file in files)).encode()


def _merge_themes(light: str, dark: str) -> str:
    """Return one SVG of two of the same figure: what differs becomes a class, which has two looks."""
    styles: dict[tuple[str, str], str] = {}
    pieces = []
    for piece, dark_piece in zip(_THEMED.split(light), _THEMED.split(dark), strict=True):
        # Identifiers, which are digests of the rest.
        if piece == dark_piece or not _THEMED.fullmatch(piece):
            pieces.append(piece)
        elif piece.startswith("<image"):
            pieces += [f'<g class="light">{piece}</g><g class="dark">{dark_piece}</g>']
        else:
            links = iter(_LINK.findall(piece))
            looks = (
                _style_rules(piece),
                _style_rules(_LINK.sub(lambda _, links=links: next(links), dark_piece)),
            )
            pieces.append(f'class="{styles.setdefault(looks, f"t{len(styles)}")}"')
    rules = [
        (f".{name}{{{piece}}}", f".{name}{{{dark_piece}}}")
        for (piece, dark_piece), name in styles.items()
    ]
    rules.append((".dark{display:none}", ".dark{display:inline}.light{display:none}"))
    day, night = ("".join(column) for column in zip(*rules, strict=True))
    return "".join(pieces).replace(
        "</style>", f"{day}@media (prefers-color-scheme:dark){{{night}}}</style>", 1
    )


def _style_rules(attribute: str) -> str:
    """Return the rules of an attribute ``style``, or of ``fill``, which the paper behind hatches has."""
    name, _, value = attribute[:-1].partition('="')
    if name == "style":
        return value
    return f"{name}: {value}"


def write_picture(draw: Draw, path: str | Path, *, theme: str = "auto") -> None:
    """Write a picture whole or not at all, as what the suffix of the file says; ``draw`` returns it in a theme."""
    path = Path(path)
    kind = path.suffix.removeprefix(".").lower()
    if kind not in SUFFIXES:
        suffixes = ", ".join(f".{suffix}" for suffix in SUFFIXES)
        raise SolutionError(
            f"{path}: a picture is written as {suffixes}; got '{path.suffix}'.", wrong_use=True
        )
    write_atomically(path, picture(draw, kind=kind, theme=theme))
