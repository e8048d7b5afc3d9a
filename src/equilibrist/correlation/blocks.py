"""What correlated equilibria and equilibria of teams show, as blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..show.blocks import Block, Column, Fact, Facts, Rest, Table
from .deviations import KINDS

if TYPE_CHECKING:
    from .correlated import CorrelatedEquilibrium
    from .teams import NamedPlan, TeamEquilibrium

_MOST_ROWS = 20
_REMEDY = "--json has all"
_PER_PLAYER = "payoff per game, player 0 first"


def correlated_blocks(result: CorrelatedEquilibrium) -> list[Block]:
    """Return what a correlated equilibrium shows: its value, its proof, the plays, and what deviations gain."""
    facts: list[Fact | str | Rest] = [
        Fact("value", result.value, _payoff_text, _PER_PLAYER),
        Fact("sum", sum(result.value), _payoff_text),
        Fact("largest gain of a deviation", result.largest_gain, ".3g", leads=True),
    ]
    about = f"{KINDS[result.kind]} with the largest {result.objective}"
    if result.mixture is not None:
        about = (
            f"{KINDS[result.kind]}, approached in {len(result.mixture):,} iterations of trigger "
            f"regrets, ended by {result.stop_reason}"
        )
        facts.append(result.guarantee)
    return [Facts(facts, title=result.game, about=about), _play_table(result), _gain_table(result)]


def _play_table(result: CorrelatedEquilibrium) -> Table:
    plays = result.outcomes[:_MOST_ROWS]
    return Table(
        [
            Column("moves", [play.moves for play in plays]),
            Column("probability", [play.probability for play in plays], ".6f"),
            Column("payoffs", [", ".join(f"{pay:g}" for pay in play.payoffs) for play in plays]),
        ],
        title="Plays",
        rest=_rest(len(result.outcomes), "plays"),
    )


def _gain_table(result: CorrelatedEquilibrium) -> Table:
    tempting = sorted(result.deviations, key=lambda deviation: -deviation.gain)[:_MOST_ROWS]
    return Table(
        [
            Column("player", [deviation.player for deviation in tempting], "d"),
            Column("infoset", [deviation.infoset or "before the game" for deviation in tempting]),
            Column("recommended", [deviation.action or "" for deviation in tempting]),
            Column("gain", [deviation.gain for deviation in tempting], _payoff_text),
        ],
        title="Deviations",
        rest=_rest(len(result.deviations), "deviations"),
    )


def team_blocks(result: TeamEquilibrium) -> list[Block]:
    """Return what an equilibrium of two teams shows: its value, its proof, and the plans that each team draws from."""
    about = f"players {_join_names(result.teams[0])} against {_join_names(result.teams[1])}"
    facts = [
        Fact("value", result.value, _payoff_text, "payoff per game of the first team together"),
        Fact("gap of best responses", max(result.gap, 0.0), ".3g", leads=True),
    ]
    tables = [
        _plan_table(team, plans) for team, plans in zip(result.teams, result.plans, strict=True)
    ]
    return [Facts(facts, title=result.game, about=about), *tables]


def _plan_table(team: Sequence[int], plans: Sequence[tuple[float, NamedPlan]]) -> Table:
    drawn = plans[:_MOST_ROWS]
    texts = [
        ", ".join(f"{player} {key}: {action}" for (player, key), action in sorted(plan.items()))
        for _, plan in drawn
    ]
    return Table(
        [
            Column("probability", [probability for probability, _ in drawn], ".6f"),
            Column("plan", texts),
        ],
        title=f"Plans of {_join_names(team)}",
        rest=_rest(len(plans), "plans"),
    )


def _join_names(team: Sequence[int]) -> str:
    return " and ".join(map(str, team))


def _rest(count: int, what: str) -> Rest | None:
    if count <= _MOST_ROWS:
        return None
    return Rest(f"and {count - _MOST_ROWS:,} more {what}", _REMEDY)


def _payoff_text(number: float) -> str:
    return f"{number + 0.0:.9f}"  # no sign before 0
