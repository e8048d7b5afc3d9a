"""What comparisons show, as blocks: what each combination reached, who is best when, and what was skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..batches.result_blocks import failure_sentences
from ..evaluation.gaps import gap_words
from ..form.traits import TRAITS
from ..show.blocks import Block, Column, Facts, Figure, Table
from ..show.numbers import format_count, format_seconds
from .series import View, count_players
from .table import has_one_sampling, result_table

if TYPE_CHECKING:
    from .comparison import Comparison, Entry, Standing

_FRACTIONS = {0.01: "1/100", 0.1: "1/10", 1.0: "all"}


def comparison_blocks(
    comparison: Comparison, *, written: str = "", remedy: str = "", view: View | None = None
) -> list[Block]:
    """Return what a comparison shows; the command says what it has written, and how an interrupted one goes on."""
    seeds = f", {comparison.seeds} seeds" if comparison.seeds > 1 else ""
    form = TRAITS[comparison.form].title
    subtitle = f"{comparison.budget_text} a run{seeds}, {form}"
    blocks: list[Block] = [Facts(title=comparison.game, about=subtitle)]
    if comparison.curves:
        blocks.append(result_table(comparison, view or View()))
        blocks.append(
            Figure(
                "comparison", comparison, f"{gap_words(count_players([comparison])).mean}, log-log"
            )
        )
    if len(comparison.curves) > 1 and comparison.standings:
        blocks.append(_standings_table(comparison))
    reasons = {str(run): run.error for run in comparison.failed}
    failures = [f"Failed {sentence}" for sentence in failure_sentences(reasons)]
    sentences = [*_skipped_sentences(comparison), *failures, written]
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


def _standings_table(comparison: Comparison) -> Table:
    """Return the winner and the second after each part of each common budget."""
    standings = comparison.standings
    without_sampling = has_one_sampling(comparison)

    def entry_label(entry: Entry) -> str:
        if without_sampling:
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
            Column(
                gap_words(count_players([comparison])).mean,
                [winner.exploitability for winner in winners],
                ".3e",
            ),
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
