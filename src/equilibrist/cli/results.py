"""Solutions and evaluations on a terminal: certificate, sizes, times, strategy, and where it loses."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .._util.text import escape_controls
from .columns import BAR, bar, fit_table, format_count, format_seconds, pack_pieces
from .ranges import spot_report

if TYPE_CHECKING:
    from ..evaluation.action_values import ActionValueTable
    from ..evaluation.evaluate import Evaluation
    from ..evaluation.off_path import OffPath
    from ..evaluation.teams import TeamResponse
    from ..play.local_best_response import LocalBestResponse
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


def evaluation_report(
    result: Evaluation, width: int, teams: Sequence[TeamResponse] = ()
) -> Iterator[RenderableType]:
    """Iterate over what is printed of an evaluation."""
    yield Text(f"\n{escape_controls(result.game)}", "bold")
    yield _facts_table(result)
    gains = [
        best - value for value, best in zip(result.value, result.best_response_value, strict=True)
    ]
    players = {
        "player": [str(player) for player in range(len(gains))],
        "value": [f"{value:+.9f}" for value in result.value],
        "best response": [f"{value:+.9f}" for value in result.best_response_value],
        "gain": [f"{gain:.3e}" for gain in gains],
    }
    yield fit_table("Per player", players, width)
    if teams:
        yield from _team_lines(teams, width)
    if result.losses:
        yield from _loss_lines(result, width)
    if result.action_values is not None:
        yield from _action_value_lines(result.action_values, width)
    if result.off_path is not None:
        yield from _off_path_lines(result.off_path, width)


def bound_report(bound: LocalBestResponse, width: int) -> Iterator[RenderableType]:
    """Iterate over what is printed of a lower bound of the exploitability."""
    yield Text(f"\n{escape_controls(bound.game)}: a lower bound of the exploitability", "bold")
    players = {
        "player": [str(player) for player in bound.gains],
        "local best response": [
            _mean_text(gain.value, gain.value_error) for gain in bound.gains.values()
        ],
        "gain": [_mean_text(gain.gain, gain.gain_error) for gain in bound.gains.values()],
    }
    yield fit_table("Per player (± standard error)", players, width)
    yield bound.promise
    yield f"Again with --seed {bound.seed}"
    if bound.lacking:
        yield f"The strategy lacks {bound.lacking:,} of the infosets met, and was taken to play uniformly there."


def _mean_text(mean: float, error: float | None) -> str:
    return f"{mean:+.6f}" + ("" if error is None else f" ± {error:.6f}")


def _team_lines(teams: Sequence[TeamResponse], width: int) -> Iterator[RenderableType]:
    columns = {
        "team": [",".join(map(str, team.players)) for team in teams],
        "value": [f"{team.value:+.9f}" for team in teams],
        "one alone": [f"{team.alone:+.9f}" for team in teams],
        "together": [f"{team.best_response_value:+.9f}" for team in teams],
        "at most": [f"{team.upper_bound:+.9f}" for team in teams],
    }
    yield fit_table("Per team", columns, width, droppable=("one alone",))
    yield (
        "together: the best strategies found for partners who change together; at most: if they "
        "told each other, at each move, all that they have seen."
    )


def _loss_lines(result: Evaluation, width: int) -> Iterator[RenderableType]:
    total = sum(
        loss.loss for loss in result.losses
    )  # nash_conv, but for rounding, which may make that 0
    worst_losses = result.losses[:_LOSSES]
    losses = {
        "player": [str(loss.player) for loss in worst_losses],
        "infoset": [loss.infoset for loss in worst_losses],
        "loss": [f"{loss.loss:.3e}" for loss in worst_losses],
        "share": [f"{bar(loss.loss / total)} {loss.loss / total:.0%}" for loss in worst_losses],
    }
    yield fit_table(
        "Where it loses most (payoff per game)", losses, width, text=("infoset", "share")
    )
    if len(result.losses) > _LOSSES:
        yield f"… and {len(result.losses) - _LOSSES:,} more infosets; --json lists all."


def _action_value_lines(table: ActionValueTable, width: int) -> Iterator[RenderableType]:
    infosets = table.strategy.infosets
    indices = [infosets[index] for index in _first_infosets(table.strategy)]
    cells = [
        (str(player), key, action, *(("never reached" if isnan(n) else f"{n:.4g}") for n in value))
        for player, key, _ in indices
        for action, value in table[player, key].items()
    ]
    headings = ("player", "infoset", "action", "probability", "value", "cf value", "best value")
    columns = dict(zip(headings, map(list, zip(*cells, strict=True)), strict=True))
    yield fit_table(
        "Action values (payoff)",
        columns,
        width,
        text=("infoset", "action"),
        droppable=("best value",),
    )
    yield (
        "value: expected payoff of who is there, takes the action and follows the strategy; cf "
        "value: that × the reach "
        "of chance and the others; best value: with the best response afterwards."
    )
    if len(infosets) > len(indices):
        yield f"… and {len(infosets) - len(indices):,} more infosets; --json lists all."


def _off_path_lines(off_path: OffPath, width: int) -> Iterator[RenderableType]:
    from ..evaluation.off_path import MARK, PROMISES_NOTHING, off_path_note

    indices = [i for i in off_path.order if off_path.gain[i] > _ROUNDING][:_LOSSES]
    columns = {
        "player": [str(off_path.infosets[i].player) for i in indices],
        "infoset": [
            f"{off_path.infosets[i].key}{f' {MARK}' * bool(off_path.rare[i])}" for i in indices
        ],
        "gain": [f"{off_path.gain[i]:.4g}" for i in indices],
        "own reach": [f"{off_path.own_reach[i]:.4g}" for i in indices],
        "cf reach": [f"{off_path.cf_reach[i]:.4g}" for i in indices],
    }
    by_depth = "  ".join(f"{gain if gain > _ROUNDING else 0:.4g}" for gain in off_path.by_depth)
    yield f"Largest gain after 0, 1, … own decisions: {by_depth}"
    if indices:
        yield fit_table(
            "What a best response from there gains (payoff, given that play is there)",
            columns,
            width,
            text=("infoset",),
        )
    if off_path.rare[indices].any():
        yield off_path_note(PROMISES_NOTHING)
    num_unknown = sum(map(isnan, off_path.gain.tolist()))
    if num_unknown:
        yield f"{num_unknown:,} infosets are never reached by chance and the others: no beliefs, no gain."
    if len(off_path) > len(indices):
        yield f"… {len(off_path):,} infosets in all; --json lists them."


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
