"""Blocks in LaTeX, for papers: tables with the rules of the package booktabs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence

from ..errors import SolutionError
from .blocks import Table
from .numbers import UNKNOWN, format_value

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "…": r"\ldots{}",
    "–": "--",
    "−": r"\ensuremath{-}",
    "·": r"\ensuremath{\cdot}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "√": r"\ensuremath{\surd}",
    "µ": r"\ensuremath{\mu}",
    "♠": r"\ensuremath{\spadesuit}",
    "♥": r"\ensuremath{\heartsuit}",
    "♦": r"\ensuremath{\diamondsuit}",
    "♣": r"\ensuremath{\clubsuit}",
}
"""What LaTeX reads as something else, or lacks, and how it is written."""
_PROGRAMS = ("pdflatex", "xelatex", "lualatex")
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER = re.compile(r"([-+]?[0-9.]+)e([-+][0-9]+)")


def escape_latex(text: str) -> str:
    r"""Return a text as LaTeX shows it: what means something there is escaped, and exponents are raised.

    Letters of other alphabets are left as they are.

    >>> escape_latex("a_b & 50 %"), escape_latex("2·10⁻⁷")
    ('a\\_b \\& 50 \\%', '2\\ensuremath{\\cdot}10\\ensuremath{^{-7}}')
    """
    text = "".join(char if char.isprintable() else " " for char in text)
    text = "".join(_ESCAPES.get(char, char) for char in text)
    return _RAISED.sub(
        lambda raised: rf"\ensuremath{{^{{{raised[0].translate(_PLAIN_DIGITS)}}}}}", text
    )


def find_latex() -> str:
    """Return the program of LaTeX that is installed, or say that there is none."""
    program = next(filter(shutil.which, _PROGRAMS), None)
    if program is None:
        raise SolutionError(
            f"A picture as PGF needs LaTeX, which measures its texts; none of {', '.join(_PROGRAMS)} is "
            "installed here. Install TeX Live or MiKTeX, or write .pdf, which needs no LaTeX.",
            wrong_use=True,
        )
    return program


def number_text(text: str) -> str:
    r"""Return a formatted number in LaTeX, with its power of ten.

    >>> number_text("1.234e-05"), number_text("-0.25"), number_text("7.42 k")
    ('$1.234 \\times 10^{-5}$', '$-0.25$', '7.42 k')
    """
    if text == UNKNOWN:
        return "--"
    power = _POWER.fullmatch(text)
    if power is None:
        if text.startswith(("-", "−")):
            return f"${text.replace('−', '-')}$"
        return escape_latex(text)
    factor, exponent = power.groups()
    if int(exponent) == 0:
        return f"${factor}$"
    return rf"${factor} \times 10^{{{int(exponent)}}}$"


def paint_tables(tables: Sequence[Table], *, caption: str, label: str) -> str:
    """Return tables with the same columns as one, each under its title where there are several.

    ``caption`` is LaTeX, and so is ``label``.
    """
    columns = tables[0].columns
    alignment = "".join("l" if column.is_text else "r" for column in columns)
    headings = " & ".join(escape_latex(column.heading) for column in columns)
    lines = [
        r"\begin{table}  % \usepackage{booktabs}",
        r"  \centering",
        rf"  \caption{{{caption}}}",
        rf"  \label{{{label}}}",
        rf"  \begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        rf"    {headings} \\",
    ]
    for table in tables:
        lines.append(r"    \midrule")
        if len(tables) > 1:
            title = escape_latex(table.title)
            lines.append(rf"    \multicolumn{{{len(columns)}}}{{l}}{{\emph{{{title}}}}} \\")
        lines += [f"    {row}" for row in _rows(table)]
    lines += [r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _rows(table: Table) -> list[str]:
    """Return the rows of a table."""
    cells = []
    for column in table.columns:
        texts = [format_value(value, column.form) for value in column.values]
        if column.is_text:
            cells.append([escape_latex(text) for text in texts])
        else:
            cells.append([number_text(text) for text in texts])
    return [" & ".join(row) + r" \\" for row in zip(*cells, strict=True)]
