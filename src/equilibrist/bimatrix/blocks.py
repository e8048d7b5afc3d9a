"""What all equilibria of a game show, as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..evaluation.blocks import time_fact
from ..evaluation.rational import short_fraction
from ..show.blocks import Block, Column, Fact, Facts, Rest, Table
from .equilibria import describe_mixture

if TYPE_CHECKING:
    from .equilibria import Equilibria, ExtremeEquilibrium

_MOST_LISTED = 40  # equilibria, and subsets
_NAMED = 12  # numbers of equilibria in a cell
_REMEDY = "--json has all"


def equilibria_blocks(result: Equilibria) -> list[Block]:
    """Return what all equilibria show: how many, each extreme one, and which are connected."""
    blocks: list[Block] = [
        Facts([*_facts(result)], title=result.game, about="all extreme equilibria, in fractions"),
        _equilibrium_table(result),
    ]
    if len(result.subsets) < len(result.equilibria):
        blocks.append(_subset_table(result))
    return blocks


def equilibrium_blocks(equilibrium: ExtremeEquilibrium) -> list[Block]:
    """Return what an equilibrium shows: payoffs, and what each player plays."""
    about = "in fractions"
    facts = [
        Fact(f"payoff of player {player}", short_fraction(payoff))
        for player, payoff in enumerate(equilibrium.payoffs)
    ]
    rows = [
        (player, name, short_fraction(probability))
        for player, strategy in enumerate(equilibrium.strategies)
        for name, probability in strategy.items()
        if probability
    ]
    table = Table(
        [
            Column("player", [row[0] for row in rows], "d"),
            Column("plan", [row[1] for row in rows]),
            Column("probability", [row[2] for row in rows]),
        ],
        title="Strategies",
    )
    return [Facts(facts, title="Extreme equilibrium", about=about), table]


def _facts(result: Equilibria) -> Iterator[Fact | str]:
    first_plans, second_plans = result.plans
    first_vertices, second_vertices = result.vertices
    yield Fact("extreme equilibria", len(result.equilibria), ",d", leads=True)
    yield Fact("maximal Nash subsets", len(result.subsets), ",d")
    yield Fact("connected components", len(result.components), ",d")
    yield Fact("size", f"{first_plans:,} × {second_plans:,} plans")
    yield Fact("vertices", f"{first_vertices:,} and {second_vertices:,}", note="of the polytopes")
    yield time_fact({"solve": 0.0} | result.seconds)
    if len(result.subsets) < len(result.equilibria):
        yield (
            "Within a subset, any mixture of the strategies of player 0 and any mixture of those "
            "of player 1 are an equilibrium. There are no other equilibria."
        )
    elif result.is_degenerate:
        yield "There are no other equilibria."
    else:
        yield "The game is nondegenerate. There are no other equilibria, and their number is odd."


def _equilibrium_table(result: Equilibria) -> Table:
    listed = result.equilibria[:_MOST_LISTED]
    rows = [
        (number, player, describe_mixture(strategy), short_fraction(payoff))
        for number, equilibrium in enumerate(listed)
        for player, (strategy, payoff) in enumerate(
            zip(equilibrium.strategies, equilibrium.payoffs, strict=True)
        )
    ]
    return Table(
        [
            Column("number", [row[0] for row in rows], "d"),
            Column("player", [row[1] for row in rows], "d"),
            Column("plays", [row[2] for row in rows]),
            Column("payoff", [row[3] for row in rows], leaves=1),
        ],
        title="Extreme equilibria",
        rest=_rest(len(result.equilibria), "equilibria"),
    )


def _subset_table(result: Equilibria) -> Table:
    component_of = {
        number: place for place, component in enumerate(result.components) for number in component
    }
    listed = result.subsets[:_MOST_LISTED]
    return Table(
        [
            Column("component", [component_of[subset[0]] for subset in listed], "d"),
            Column("equilibria", list(map(_number_text, listed))),
            Column("of player 0", [_count_strategies(result, s, 0) for s in listed], "d", leaves=2),
            Column("of player 1", [_count_strategies(result, s, 1) for s in listed], "d", leaves=1),
        ],
        title="Maximal Nash subsets",
        note="Of player 0, of player 1: how many strategies the player has in these equilibria.",
        rest=_rest(len(result.subsets), "subsets"),
    )


def _count_strategies(result: Equilibria, subset: Sequence[int], player: int) -> int:
    """Return how many different strategies a player has in some equilibria."""
    strategies = {tuple(result.equilibria[number].strategies[player].values()) for number in subset}
    return len(strategies)


def _number_text(numbers: Sequence[int]) -> str:
    """Return numbers of equilibria as text, the first ones of many."""
    text = ", ".join(map(str, numbers[:_NAMED]))
    if len(numbers) <= _NAMED:
        return text
    return f"{text} and {len(numbers) - _NAMED:,} more"


def _rest(count: int, what: str) -> Rest | None:
    if count <= _MOST_LISTED:
        return None
    return Rest(f"and {count - _MOST_LISTED:,} more {what}", _REMEDY)
