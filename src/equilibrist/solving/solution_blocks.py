"""What solutions show, as blocks: certificate, sizes, times, the trace as a picture, and the strategy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..cfr.criteria import LargestGain
from ..cfr.solver import promises_correlated
from ..evaluation.blocks import gap_facts, time_fact, value_fact
from ..evaluation.gaps import gap_words, tells_gains
from ..show.blocks import Block, Fact, Facts, Figure
from ..show.numbers import UNKNOWN, format_count
from ..show.registry import find_subject
from ..strategy.blocks import strategy_table
from .save import too_long_for_csv
from .trace import MEASURES

if TYPE_CHECKING:
    from .solution import Solution

_STOPPED = {
    "iterations": "stopped at the number of iterations asked for",
    "precision": "stopped where the stored digits tell no more",
    "seconds": "stopped at the time limit",
    "nodes": "stopped at the number of histories asked for",
    "out of memory": "stopped before the memory allowed was used up",
    "interrupt": "interrupted",
    "stop": "stopped",
    "error": "ended by an error",
}


def solution_blocks(
    solution: Solution, *, verbose: bool = False, suits: bool = False, unit: str = "chips"
) -> list[Block]:
    """Return what a solution shows.

    ``verbose`` adds sizes and the time of each stage; ``suits`` and ``unit`` are of spots of
    hold'em: whether each hand stands by itself, and the unit of EVs.
    """
    is_exact = solution.algorithm == "exact"
    method = "linear programme" if is_exact else f"{solution.algorithm}, {_stop_text(solution)}"
    facts = [*certificate_facts(solution), *_size_facts(solution, verbose=verbose)]
    blocks: list[Block] = [Facts(facts, title=solution.game, about=method)]
    if len([point for point in solution.trace if point.exploitability > 0]) > 1:
        blocks.append(
            Figure(
                "convergence",
                solution,
                f"{gap_words(solution.players).mean} against iterations, nodes touched and seconds, "
                "all scales logarithmic",
            )
        )
    keeps_weights = solution.info.game.traits.keeps_weights
    subject = find_subject(solution.strategy)
    if subject is not None:
        blocks += subject.solution_blocks(solution, suits=suits, unit=unit)
    elif not (keeps_weights and too_long_for_csv(solution.strategy)):  # names would take minutes
        blocks.append(strategy_table(solution.strategy))
    return blocks


def certificate_facts(solution: Solution) -> list[Fact]:
    """Return what is known of how good a solution is."""
    facts: list[Fact] = []
    if solution.final.is_certified:
        # Else it is the value of a game with decisions above the part.
        if solution.part is None or not solution.part.hands:
            facts.append(value_fact(solution.value))
        percent: float | None = None
        if "exploitability_percent" in solution.final.measures:
            percent = solution.final.gap_percent
        facts += gap_facts(solution.nash_conv, solution.deviation_gains, percent)
    else:
        facts.append(
            Fact(
                "exploitability",
                "unknown: 'equilibrist evaluate' computes it, where the game can be compiled; elsewhere "
                "a local best response bounds it from below",
            )
        )
    facts += _many_player_facts(solution)
    return facts


def _many_player_facts(solution: Solution) -> Iterator[Fact]:
    """Yield what says more than nash_conv does in games that are not of two players and zero-sum."""
    zero_sum = bool(solution.zero_sum)
    if solution.deviation_gains and promises_correlated(solution.players, zero_sum=zero_sum):
        note = f"by deviating alone; they sum to {gap_words(solution.players).total}"
        if tells_gains(solution.players):
            note = "by deviating alone"
        yield Fact("gain of each player", solution.deviation_gains, ".3e", note)
    if "cce_distance" in solution.final.measures:
        yield Fact(
            "cce distance",
            solution.cce_distance,
            ".6e",
            "of the play of all iterations from a coarse correlated equilibrium: what CFR brings "
            "to 0 (or below) here",
        )
    for name, number in solution.final.measures.items():
        if name not in (*MEASURES, LargestGain.name):
            yield Fact(name.replace("_", " "), number, ".6e")


def _size_facts(solution: Solution, *, verbose: bool) -> Iterator[Fact]:
    """Yield sizes, times, what the certificate promises, and what was solved."""
    info = solution.info
    histories = "" if solution.histories is None else f"{solution.histories:,} histories, "
    slots = f", {solution.slots:,} slots" if verbose else ""
    yield Fact("size", f"{histories}{solution.infosets:,} infosets{slots}")
    yield time_fact(solution.seconds, by_stage=verbose)
    if solution.config is not None and solution.config.abstraction is not None:
        yield Fact("abstraction", str(solution.config.abstraction))
    yield Fact("means", solution.guarantee)
    if solution.algorithm != "exact":
        if info.game.payoff and verbose:
            yield Fact("payoff", f"{info.game.traits.title}: {info.game.payoff}")
        yield Fact("nodes touched", f"{solution.nodes_touched:,}  ({_rate_text(solution)} nodes/s)")
    part = solution.part
    if part is not None:
        players = " and ".join(map(str, part.players))
        text = f"solved again for player {players} by {part.method}"
        if part.hands:
            text += (
                f"; the opponent's hands get at most {part.excess:.3g} more than they may (excess)"
            )
        yield Fact("part", text)
    if info.table_bytes:
        yield Fact("table", f"{info.table_bytes / 1e6:,.3g} MB of infosets")


def _rate_text(solution: Solution) -> str:
    seconds = solution.seconds["solve"]
    if seconds > 0:
        return format_count(solution.nodes_touched / seconds)
    return UNKNOWN


def _stop_text(solution: Solution) -> str:
    config = solution.config
    reason = _STOPPED.get(solution.stop_reason, solution.stop_reason)
    if config is None:
        return reason
    if solution.stop_reason == "until":
        names = [
            criterion.name
            for criterion in config.stop.until
            if criterion.is_met(solution.final.measures)
        ]
        reason = f"reached the {' and the '.join(names).replace('_', ' ')} asked for"
    turns = "alternating" if config.algorithm.alternating else "simultaneous"
    if config.seed is not None:
        turns = f"sampling {config.sampling} (seed {config.seed}), {turns}"
    return f"{turns} updates, {solution.iterations:,} iterations, {reason}"
