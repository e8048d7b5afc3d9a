"""``equilibrist correlated`` and ``equilibrist team``: equilibria of play that is agreed on beforehand."""

from __future__ import annotations

from typing import Annotated, Any

from typer import Option

from ..show.text import paint_result
from . import options
from .output import Output


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
    from ..correlation.trigger_regrets import TriggerRegrets
    from ..form.limits import Limits

    limits: dict[str, Any] = {"until": until, "iterations": iterations}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    method = TriggerRegrets(**limits) if limits else None
    with output.live(title=game) as live:
        result = correlated_equilibrium(
            game,
            kind,
            objective=objective,
            method=method,
            limits=Limits(histories=max_histories),
            callbacks=live.stage,
        )
    output.emit(result.summary, paint_result(result, output.console.width))


def team(
    game: options.Game,
    teams: Annotated[str, Option("--teams", help="The players of both teams, as 0,1/2.")],
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Find an equilibrium of GAME between two teams, whose partners draw a common plan and cannot talk later."""
    output = Output(as_json)
    from ..correlation.teams import team_equilibrium
    from ..form.limits import Limits

    with output.live(title=game) as live:
        result = team_equilibrium(
            game, teams, limits=Limits(histories=max_histories), callbacks=live.stage
        )
    output.emit(result.summary, paint_result(result, output.console.width))
