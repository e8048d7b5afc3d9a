"""Comparisons as a table in LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SolutionError
from ..evaluation.gaps import name_measures
from ..show.latex import escape_latex, paint_tables
from .series import Compared, View, count_players, describe_terms
from .table import has_one_sampling, result_table


def latex_table(
    comparisons: Sequence[Compared], view: View, *, caption: str | None, label: str
) -> str:
    """Return the tables of comparisons as one, in LaTeX; see :meth:`Comparison.to_latex`."""
    for comparison in comparisons:
        if not comparison.curves:
            raise SolutionError("No run of this comparison has begun: there is nothing to show.")
    has_samplings = any(not has_one_sampling(comparison) for comparison in comparisons)
    has_seeds = any(comparison.seeds > 1 for comparison in comparisons)
    tables = [
        result_table(
            comparison,
            view,
            title=comparison.game,
            has_samplings=has_samplings,
            has_seeds=has_seeds,
        )
        for comparison in comparisons
    ]
    if caption is None:
        games = ", ".join(comparison.game for comparison in comparisons)
        low_heading, high_heading = view.interval.headings
        terms = describe_terms(comparisons, view.interval, band=f"{low_heading} and {high_heading}")
        players = count_players(comparisons)
        quantity = name_measures(view.quantity, players)
        caption = escape_latex(f"{games}: {quantity}, at the end of {terms}.")
    return paint_tables(tables, caption=caption, label=label)
