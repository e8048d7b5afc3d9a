"""What matches and local best responses show, as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..show.blocks import Block, Column, Facts, Table
from .variance import worth_sentence

if TYPE_CHECKING:
    from .local_best_response import LocalBestResponse
    from .match import Match, Payoff


def bound_blocks(bound: LocalBestResponse) -> list[Block]:
    """Return what a lower bound of the exploitability shows."""
    gains = bound.gains.values()
    means = [(gain.value, gain.value_error) for gain in gains]
    more = [(gain.gain, gain.gain_error) for gain in gains]
    sentences = [bound.promise, f"Again with --seed {bound.seed}"]
    if bound.lacking:
        sentences.append(
            f"The strategy lacks {bound.lacking:,} of the infosets met, and was taken to play "
            "uniformly there."
        )
    return [
        Facts(title=f"{bound.game}: a lower bound of the exploitability"),
        Table(
            [
                Column("player", list(bound.gains), "d"),
                Column("local best response", means, _mean_text),
                Column("gain", more, _mean_text),
            ],
            title="Per player (± standard error)",
        ),
        Facts(sentences),
    ]


def match_blocks(match: Match, name: str = "", other: str = "") -> list[Block]:
    """Return what a match shows; ``name`` and ``other`` are what plays, where that has names."""
    title = match.game
    if name:
        opponent = other or f"an opponent that {match.opponent}"
        title = f"{match.game}: {name} against {opponent}"
    payoffs = list(match.seats.values())
    seats = [f"player {seat}" for seat in match.seats]
    has_total = len(payoffs) > 1
    if has_total:
        payoffs.insert(0, match.overall)
        seats.insert(0, "all")
    columns = [
        Column("seat", seats),
        Column("hands", [payoff.hands for payoff in payoffs], ",d", leaves=2),
        Column("mean payoff (95 %)", payoffs, _interval_text),
    ]
    exact = Column("exact", [payoff.exact for payoff in payoffs], _exact_text, leaves=3)
    if match.overall.aivat is None:
        z_scores = [payoff.z_score for payoff in payoffs]
        columns += [exact, Column("z", z_scores, _z_text, leaves=1)]
    else:
        by_aivat = [payoff.aivat for payoff in payoffs]
        columns += [Column("by AIVAT", by_aivat, _interval_text), exact]
    sentences = [_verdict(match)]
    if match.overall.aivat is not None:
        error = match.overall.aivat.standard_error
        sentences.append(worth_sentence(match.overall.hands, error, match.overall.worth))
    sentences.append(f"Again with --seed {match.seed}")
    if match.lacking:
        sentences.append(
            f"{match.lacking:,} decisions were at infosets that a strategy lacks, and uniform."
        )
    return [
        Facts(title=title),
        Table(columns, has_total=has_total),
        Facts(sentences),
    ]


def _mean_text(mean: tuple[float, float | None]) -> str:
    number, error = mean
    return f"{number:+.6f}" + ("" if error is None else f" ± {error:.6f}")


def _interval_text(payoff: Payoff | None) -> str:
    if payoff is None:
        return ""
    reach = None if payoff.interval is None else payoff.interval[1] - payoff.mean
    return _mean_text((_without_minus_zero(payoff.mean), reach))


def _exact_text(exact: float | None) -> str:
    if exact is None:
        return "unknown"
    return f"{_without_minus_zero(exact):+.6f}"


def _without_minus_zero(number: float) -> float:
    return round(number, 6) + 0.0


def _z_text(z_score: float | None) -> str:
    return "" if z_score is None else f"{z_score:+.2f}"


def _verdict(match: Match) -> str:
    payoff = match.overall
    if payoff.interval is None or payoff.standard_error is None:
        return "Too few hands for an interval."
    if payoff.holds_exact is None:
        return "The exact payoff is unknown, as hands were played one by one."
    if payoff.holds_exact:
        return "The exact payoff lies in the 95 % interval, as in 95 of 100 matches."
    if payoff.standard_error == 0:
        return (
            "Every hand in a seat paid the same, so that the interval tells nothing: what is "
            "rare did not happen."
        )
    return "The exact payoff lies outside of the 95 % interval, as in 5 of 100 matches."
