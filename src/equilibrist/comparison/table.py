"""The table of what each combination of a comparison had reached; terminals, notebooks and papers paint it."""

from __future__ import annotations

from ..evaluation.gaps import gap_words, name_measures
from ..show.blocks import Column, Table
from ..show.numbers import format_count, format_seconds
from .intervals import Range
from .series import EXPLOITABILITY, Compared, Series, View, count_players


def result_table(
    comparison: Compared,
    view: View,
    *,
    title: str | None = None,
    has_samplings: bool | None = None,
    has_seeds: bool | None = None,
) -> Table:
    """Return the row of each combination: what its runs had reached at the end, the best first.

    Whether it ``has_samplings`` and ``has_seeds`` is by default what the comparison needs.
    """
    if has_samplings is None:
        has_samplings = not has_one_sampling(comparison)
    if has_seeds is None:
        has_seeds = comparison.seeds > 1
    series = sorted(view.series(comparison), key=lambda curve: curve.last[0])
    columns = [Column("algorithm", [_algorithm_text(curve) for curve in series])]
    if has_samplings:
        columns.append(Column("sampling", [curve.sampling for curve in series]))
    if has_seeds:
        runs = [_count_runs(comparison, curve) for curve in series]
        columns.append(Column("runs", runs, str, leaves_last=True))
    columns += [
        Column("iterations", [curve.iteration[-1] for curve in series], ",.0f", leaves=6),
        Column("nodes", [curve.nodes_touched[-1] for curve in series], format_count, leaves=7),
        Column("time", [curve.seconds[-1] for curve in series], format_seconds, leaves=5),
    ]
    if view.measure == EXPLOITABILITY and title is None:
        nash_conv = {
            curve.label: curve.last[0] for curve in view.series(comparison, measure="nash_conv")
        }
        values = [nash_conv[curve.label] for curve in series]
        total = gap_words(count_players([comparison])).total
        columns.append(Column(total, values, ".3e", leaves=1))
    heading = view.measure
    if heading in ("exploitability", "nash_conv"):
        heading = name_measures(heading, count_players([comparison]))
    columns.append(Column(heading, [curve.last[0] for curve in series], ".3e"))
    if has_seeds:
        low_heading, high_heading = view.interval.headings
        columns += [
            Column(low_heading, [curve.last[1] for curve in series], ".2e", leaves=3),
            Column(high_heading, [curve.last[2] for curve in series], ".2e", leaves=4),
        ]
    if title is None:
        title = _result_title(view, has_seeds=has_seeds)
    return Table(columns, title=title, first_leads=True)


def _result_title(view: View, *, has_seeds: bool) -> str:
    """Return what the numbers at the end are, and their unit."""
    unit = view.quantity.rpartition(", ")[2]
    if has_seeds and view.interval != Range():
        return f"At the end: {view.interval.middle}s, and {view.interval.text}; {unit}"
    return f"At the end: {view.interval.middle}s, {unit}"


def has_one_sampling(comparison: Compared) -> bool:
    """Return whether all runs have the same sampling, which then goes without saying."""
    return len({run.sampling for run in comparison.runs}) == 1


def _algorithm_text(series: Series) -> str:
    return series.algorithm + ("" if series.finished else " (unfinished)")


def _count_runs(comparison: Compared, series: Series) -> str:
    """Return how many runs of a combination count, of how many."""
    num_planned = sum(run.combination == series.combination for run in comparison.runs)
    if series.seeds == num_planned:
        return f"{series.seeds}"
    return f"{series.seeds} of {num_planned}"
