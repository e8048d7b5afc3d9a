"""Solutions and evaluations on a terminal: certificate, sizes, times, strategy, and where it loses."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .._util.text import escape_controls
from ..show.columns import BAR, bar, pack_pieces
from ..show.numbers import format_count, format_seconds
from .ranges import spot_report

if TYPE_CHECKING:
    from ..evaluation.evaluate import Evaluation
    from ..solving.solution import Solution
    from ..strategy.strategy import Strategy
    from .output import Output

_INFOSETS = 24
_LOSSES = 10
# characters of the column of infosets, and of all that is not that or a probability
_LEAST_KEY = 7
_FRAME = 16
_ROUNDING = 1e-9  # gains below are what rounding leaves of none
_WIDEST = 100  # characters of probabilities beside each other
_NEGLIGIBLE = 0.0005  # probabilities below are left out where an infoset has many actions
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


def solution_report(
    solution: Solution,
    output: Output,
    *,
    saved: Path | None,
    strategy: Path | None,
    suits: bool = False,
    unit: str = "chips",
) -> Iterator[RenderableType]:
    """Iterate over what is printed of a solution."""
    from ..evaluation.spots import has_decisions
    from ..solving.save import too_long_for_csv

    is_long = too_long_for_csv(solution.strategy)
    if solution.algorithm == "exact":
        method = "linear programme"
    else:
        method = f"{solution.algorithm}, {_stop_text(solution)}"
    yield Text.assemble((f"\n{escape_controls(solution.game)}", "bold"), f"  {method}")
    width = output.console.width
    facts = _facts_table(solution, _many_player_facts(solution), verbose=output.verbose)
    if solution.algorithm != "exact":
        game = solution.info.game
        if game.payoff and output.verbose:
            facts.add_row("payoff", f"{game.traits.title}: {game.payoff}")
        solve_seconds = solution.seconds["solve"]
        if solve_seconds > 0:
            rate = format_count(solution.nodes_touched / solve_seconds)
        else:
            rate = "–"
        facts.add_row("nodes touched", f"{solution.nodes_touched:,}  ({rate} nodes/s)")
    part = solution.part
    if part is not None:
        players = " and ".join(map(str, part.players))
        if part.hands:
            held_text = (
                f"; the opponent's hands get at most {part.excess:.3g} more than they may (excess)"
            )
        else:
            held_text = ""
        facts.add_row("part", f"solved again for player {players} by {part.method}{held_text}")
    if solution.info.table_bytes:
        facts.add_row("table", f"{solution.info.table_bytes / 1e6:,.3g} MB of infosets")
    yield facts
    if has_decisions(solution.strategy):
        yield from spot_report(solution, width, suits=suits, unit=unit)
    elif not (solution.info.game.traits.keeps_weights and is_long):  # names would take minutes
        yield from _strategy_lines(solution.strategy, width)
    if saved is not None:
        folder = shlex.quote(str(saved))
        files = ["solution.json", "checkpoint.npz"]
        files += [] if is_long else ["strategy.csv"]
        files += [] if solution.recording is None else ["recording.parquet"]
        if solution.state and part is None:
            resumes = f" (--resume {folder} goes on)"
        else:
            resumes = ""
        yield f"Saved in {folder}: {', '.join(files)}{resumes}"
    if solution.recording is not None and solution.recording.unmet:
        names = ", ".join(escape_controls(name) for _, name in solution.recording.unmet)
        yield f"Never met, so not recorded: {names}"
    if strategy is not None:
        yield f"Strategy written to {strategy}"


def _many_player_facts(solution: Solution) -> dict[str, str]:
    """Return what says more than nash_conv does in games that are not of two players and zero-sum, as printed."""
    from ..cfr.solver import promises_correlated
    from ..solving.trace import MEASURES

    facts = {}
    if solution.deviation_gains and promises_correlated(
        solution.players, zero_sum=bool(solution.zero_sum)
    ):
        gains = "  ".join(f"{gain:.3e}" for gain in solution.deviation_gains)
        facts["gain of each player"] = f"{gains}   by deviating alone; they sum to nash_conv"
    if solution.cce_distance is not None:
        facts["cce distance"] = (
            f"{solution.cce_distance:.6e}   of the play of all iterations from a coarse "
            "correlated equilibrium: what CFR brings to 0 (or below) here"
        )
    measures = solution.final.measures
    return facts | {
        name.replace("_", " "): f"{measures[name]:.6e}" for name in measures if name not in MEASURES
    }


def _facts_table(
    result: Solution | Evaluation, extra: Mapping[str, str] | None = None, *, verbose: bool = False
) -> Table:
    """Return what a solution and an evaluation have in common, and ``extra``, as a table without lines."""
    table = Table.grid(padding=(0, 2))
    if result.histories is None:
        histories = ""
    else:
        histories = f"{result.histories:,} histories, "
    if result.exploitability is None:
        table.add_row(
            "exploitability",
            "unknown: 'equilibrist evaluate' computes it, where the game can be compiled",
        )
    else:
        value = "  ".join(f"{number:+.9f}" for number in result.value)
        part = getattr(result, "part", None)
        # Else it is that of a game with decisions above the part.
        if part is None or not part.hands:
            table.add_row("value", f"{value}   payoff per game, player 0 first")
        share = getattr(result, "exploitability_percent", None)
        of_pot = "" if share is None else f"   {share:.3g} % of the pot"
        table.add_row("exploitability", Text(f"{result.exploitability:.6e}{of_pot}", "bold green"))
        table.add_row("nash_conv", f"{result.nash_conv:.6e}")
    for label, text in (extra or {}).items():
        table.add_row(label, text)
    slots = f", {result.slots:,} slots" if verbose else ""
    table.add_row("size", f"{histories}{result.infosets:,} infosets{slots}")
    if verbose:
        times = result.seconds
    else:
        times = {"solve": result.seconds["solve"], "in all": sum(result.seconds.values())}
    table.add_row(
        "time", "   ".join(f"{stage} {format_seconds(seconds)}" for stage, seconds in times.items())
    )
    table.add_row("means", result.guarantee)
    return table


def _strategy_lines(strategy: Strategy, width: int) -> Iterator[RenderableType]:
    """Yield the first infosets with a bar for each probability, and how many more there are."""
    first = _first_infosets(strategy)
    infosets = [strategy.infosets[index] for index in first]
    max_key_width = max(_LEAST_KEY, (width - _FRAME) // 3)
    keys = min(
        max_key_width,
        max([_LEAST_KEY, *(cell_len(escape_controls(key)) for _, key, _ in infosets)]),
    )
    room = min(_WIDEST, width - _FRAME - keys)
    table = Table(title="Strategy", title_justify="left")
    table.add_column("player", justify="right")
    table.add_column("infoset", overflow="fold", max_width=max_key_width)
    table.add_column("probabilities")
    rows = [strategy.at(index) for index in first]
    rows = [
        row if len(row) <= 3 else {action: p for action, p in row.items() if p >= _NEGLIGIBLE}
        for row in rows
    ]
    words = max((cell_len(escape_controls(action)) for row in rows for action in row), default=0)
    length = max(0, min(BAR, room - words - len("  0.000")))
    for (player, key, _), probability_of in zip(infosets, rows, strict=True):
        action_width = max(map(cell_len, map(escape_controls, probability_of)))
        pieces = [
            f"{escape_controls(action):<{action_width}} {bar(p, length)} {p:.3f}"
            for action, p in probability_of.items()
        ]
        table.add_row(
            str(player), Text(escape_controls(key)), Text(pack_pieces(pieces, room), no_wrap=True)
        )
    yield table
    if len(strategy) > len(first):
        yield f"… and {len(strategy) - len(first):,} more infosets; --strategy FILE.csv writes them all."


def _first_infosets(strategy: Strategy) -> list[int]:
    """Return the numbers of infosets, player by player, as many of each as fit."""
    owner = strategy.infosets.owner
    players = range(int(owner.max(initial=0)) + 1)
    fit = _INFOSETS // len(players)
    return [
        i for player in players for i in [i for i in strategy.order if owner[i] == player][:fit]
    ]


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
    if config.algorithm.alternating:
        turns = "alternating"
    else:
        turns = "simultaneous"
    if config.seed is not None:
        turns = f"sampling {config.sampling} (seed {config.seed}), {turns}"
    return f"{turns} updates, {solution.iterations:,} iterations, {reason}"
