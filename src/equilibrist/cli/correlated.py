"""``equilibrist correlated`` and ``equilibrist team``: equilibria of play that is agreed on beforehand."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Option

from ..show.columns import fit_table
from . import options
from .output import Output

_SHOWN = 20  # rows of a table; --json has all


def correlated(
    game: options.Game,
    kind: Annotated[
        str,
        Option(
            "--kind",
            help="efce, efcce, nfcce (cce) or ce: what a player knows on leaving the plan.",
        ),
    ] = "efce",
    objective: Annotated[
        str | None,
        Option(
            "--objective",
            help="What is largest: sum (the default), 'player 0', …; or least, after a minus: -sum.",
        ),
    ] = None,
    until: Annotated[
        float | None,
        Option(
            "--until",
            help="Approach an efce by regret dynamics, until no deviation gains more than this.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        Option(
            "--iterations",
            help="Approach an efce by regret dynamics, in so many iterations at most.",
        ),
    ] = None,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Find the correlated equilibrium of GAME that has the largest objective, with what each deviation would gain; or
    approach one of a large game.
    """
    output = Output(as_json)
    from ..correlation.correlated import correlated_equilibrium
    from ..correlation.deviations import KINDS
    from ..correlation.trigger_regrets import TriggerRegrets

    limits: dict[str, Any] = {"until": until, "iterations": iterations}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    method = TriggerRegrets(**limits) if limits else None
    with output.live(title=game) as live:
        result = correlated_equilibrium(
            game,
            kind,
            objective=objective,
            method=method,
            max_histories=max_histories,
            on_stage=live.stage,
        )
    values = "   ".join(
        f"player {player} {_payoff_text(value)}" for player, value in enumerate(result.value)
    )
    tempting = sorted(result.deviations, key=lambda deviation: -deviation.gain)[:_SHOWN]
    gains = fit_table(
        _table_title("Deviations", len(tempting), len(result.deviations)),
        {
            "player": [str(deviation.player) for deviation in tempting],
            "infoset": [deviation.infoset or "before the game" for deviation in tempting],
            "recommended": [deviation.action or "" for deviation in tempting],
            "gain": [_payoff_text(deviation.gain) for deviation in tempting],
        },
        output.console.width,
        text=("infoset", "recommended"),
    )
    plays = result.outcomes[:_SHOWN]
    outcomes = fit_table(
        _table_title("Plays", len(plays), len(result.outcomes)),
        {
            "moves": [play.moves for play in plays],
            "probability": [f"{play.probability:.6f}" for play in plays],
            "payoffs": [", ".join(f"{payoff:g}" for payoff in play.payoffs) for play in plays],
        },
        output.console.width,
        text=("moves", "payoffs"),
    )
    heading = f"{result.game}: {KINDS[kind]} with the largest {result.objective}"
    if result.mixture is not None:
        stop_text = (
            f"{len(result.mixture):,} iterations of trigger regrets, ended by {result.stop_reason}"
        )
        heading = f"{result.game}: {KINDS[kind]}, approached in {stop_text}"
    proof = [
        f"value   {values}",
        f"sum     {_payoff_text(sum(result.value))}",
        f"largest gain of a deviation   {result.largest_gain:.3g}",
    ]
    if result.mixture is not None:
        proof.append(result.guarantee)
    output.emit(result.summary, [heading, *proof, outcomes, gains])


def team(
    game: options.Game,
    teams: Annotated[str, Option("--teams", help="The players of both teams, as 0,1/2.")],
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Find an equilibrium of GAME between two teams, whose partners draw a common plan and cannot talk later."""
    output = Output(as_json)
    from ..correlation.teams import team_equilibrium

    with output.live(title=game) as live:
        result = team_equilibrium(game, teams, max_histories=max_histories, on_stage=live.stage)
    tables = []
    for team, plans in zip(result.teams, result.plans, strict=True):
        names = " and ".join(map(str, team))
        columns = {
            "probability": [f"{probability:.6f}" for probability, _ in plans[:_SHOWN]],
            "plan": [
                ", ".join(
                    f"{player} {key}: {action}" for (player, key), action in sorted(plan.items())
                )
                for _, plan in plans[:_SHOWN]
            ],
        }
        title = _table_title(f"Plans of {names}", min(_SHOWN, len(plans)), len(plans))
        tables.append(fit_table(title, columns, output.console.width, text=("plan",)))
    heading = (
        f"{result.game}: players {' and '.join(map(str, result.teams[0]))} earn "
        f"{_payoff_text(result.value)}"
    )
    output.emit(
        result.summary, [heading, f"gap of best responses   {max(result.gap, 0.0):.3g}", *tables]
    )


def _table_title(name: str, num_rows: int, total: int) -> str:
    if num_rows == total:
        return name
    return f"{name} ({num_rows} of {total:,}; --json has all)"


def _payoff_text(number: float) -> str:
    return f"{number + 0.0:.9f}"
