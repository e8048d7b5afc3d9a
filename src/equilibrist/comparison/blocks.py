"""What comparisons show, as blocks: what each combination reached, who is best when, and what was skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..form.traits import TRAITS
from ..show.blocks import Block, Column, Facts, Figure, Table
from ..show.numbers import format_count, format_seconds

if TYPE_CHECKING:
    from ..plot.curve import Curve
    from .comparison import Comparison, Entry, Standing

_FRACTIONS = {0.01: "1/100", 0.1: "1/10", 1.0: "all"}


def comparison_blocks(
    comparison: Comparison, *, written: str = "", remedy: str = ""
) -> list[Block]:
    """Return what a comparison shows; the command says what it has written, and how an interrupted one goes on."""
    seeds = f", {comparison.seeds} seeds" if comparison.seeds > 1 else ""
    form = TRAITS[comparison.form].title
    subtitle = f"{comparison.budget_text} a run{seeds}, {form}"
    blocks: list[Block] = [Facts(title=comparison.game, about=subtitle)]
    if comparison.curves:
        blocks.append(_result_table(comparison))
        blocks.append(Figure("comparison", comparison, "exploitability, log-log"))
    if len(comparison.curves) > 1 and comparison.standings:
        blocks.append(_standings_table(comparison))
    sentences = [*_skipped_sentences(comparison), written]
    if not comparison.finished:
        num_finished = sum(run.finished for run in comparison.runs)
        count = f"{num_finished} of {len(comparison.runs)}"
        sentences.append(f"Interrupted: {count} runs are finished. {remedy}".rstrip())
    blocks.append(Facts([sentence for sentence in sentences if sentence]))
    return blocks


def _skipped_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield each reason for which combinations were skipped, with these combinations."""
    reasons: dict[str, list[str]] = {}
    for skipped_run in comparison.skipped:
        combination = f"{skipped_run.algorithm} with {skipped_run.sampling}"
        reasons.setdefault(skipped_run.reason, []).append(combination)
    for reason, combinations in reasons.items():
        yield f"Skipped {', '.join(combinations)}: {reason}"


def _has_one_sampling(comparison: Comparison) -> bool:
    """Return whether all runs have the same sampling, which then goes without saying."""
    return len({run.sampling for run in comparison.runs}) == 1


def _result_table(comparison: Comparison) -> Table:
    """Return the row of each combination: what its runs had reached at the end."""
    curves = comparison.results
    last_points = [curve.last for curve in curves]
    columns = [Column("algorithm", [_algorithm_text(curve) for curve in curves])]
    if not _has_one_sampling(comparison):
        columns.append(Column("sampling", [curve.sampling for curve in curves]))
    if comparison.seeds > 1:
        runs = [_count_runs(comparison, curve) for curve in curves]
        columns.append(Column("runs", runs, str, leaves_last=True))
    columns += [
        Column("iterations", [point.iteration for point in last_points], ",.0f", leaves=6),
        Column("nodes", [point.nodes_touched for point in last_points], format_count, leaves=7),
        Column("time", [point.seconds for point in last_points], format_seconds, leaves=5),
        Column("nash_conv", [point.nash_conv for point in last_points], ".3e", leaves=1),
        Column("exploitability", [point.exploitability for point in last_points], ".3e"),
    ]
    if comparison.seeds > 1:
        columns += [
            Column("lowest", [point.lowest for point in last_points], ".1e", leaves=3),
            Column("highest", [point.highest for point in last_points], ".1e", leaves=4),
        ]
    return Table(columns, title="At the end: medians, payoff per game", first_leads=True)


def _algorithm_text(curve: Curve) -> str:
    return curve.algorithm + ("" if curve.finished else " (unfinished)")


def _count_runs(comparison: Comparison, curve: Curve) -> str:
    """Return how many runs of a combination count, of how many."""
    num_planned = sum(run.combination == curve.combination for run in comparison.runs)
    if curve.seeds == num_planned:
        return f"{curve.seeds}"
    return f"{curve.seeds} of {num_planned}"


def _standings_table(comparison: Comparison) -> Table:
    """Return the winner and the second after each part of each common budget."""
    standings = comparison.standings
    has_one_sampling = _has_one_sampling(comparison)

    def entry_label(entry: Entry) -> str:
        if has_one_sampling:
            return entry.algorithm
        return f"{entry.algorithm}, {entry.sampling}"

    def second_text(ranking: Sequence[Entry]) -> str:
        if len(ranking) == 1:
            return ""
        return f"{entry_label(ranking[1])} {_ratio_text(*ranking[:2])}"

    winners = [standing.winner for standing in standings]
    fractions = [_FRACTIONS[standing.fraction] for standing in standings]
    return Table(
        [
            Column("part", fractions, leaves_last=True),
            Column("budget", standings, _budget_text),
            Column("best", [entry_label(winner) for winner in winners]),
            Column("exploitability", [winner.exploitability for winner in winners], ".3e"),
            Column("second", [second_text(standing.ranking) for standing in standings], leaves=2),
        ],
        title="Best after a part of the common budget",
    )


def _budget_text(standing: Standing) -> str:
    if standing.measure == "seconds":
        return format_seconds(standing.budget)
    return f"{format_count(standing.budget)} nodes"


def _ratio_text(best: Entry, rival: Entry) -> str:
    """Return how many times the exploitability of the best the other's is."""
    if best.exploitability <= 0:
        return ""
    times = rival.exploitability / best.exploitability
    if times >= 100:
        return f"({times:,.0f}×)"
    return f"({times:.3g}×)"
