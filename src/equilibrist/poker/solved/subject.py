"""What is shown of runs of spots of hold'em and Omaha: who earns what, and what is played at decisions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...evaluation.units import find_unit
from ...show.blocks import Block, Fact, Facts, Rest
from ...show.subject import Part
from ..spot.betting_tree import PLAYERS
from ..spot.locks import lock_text
from .blocks import decision_blocks, earnings_table, folded_text, node_blocks
from .spot_node import SpotNode
from .spots import SolvedSpot
from .three_ranges import gains_table

_MOST_DECISIONS = 8  # of a report


class SpotSubject:
    """A solved spot: a :class:`equilibrist.show.subject.Subject`."""

    pictures = ("convergence", "range")

    def strategy_blocks(self, strategy: Any) -> list[Block]:
        """Return the first decision."""
        return node_blocks(SolvedSpot(strategy).node())

    def solution_blocks(self, solution: Any, *, suits: bool, unit: str) -> Iterator[Block]:
        """Yield who earns what, how exploitable that is, what is locked, and the first decision."""
        spot = SolvedSpot(solution)
        node = spot.node()
        unit_of_evs = find_unit(unit, spot.game)
        yield earnings_table(node, unit_of_evs)
        sentences: list[str | Fact | Rest] = []
        if solution.final.is_certified and not spot.game.in_chips:
            gains = zip(PLAYERS, solution.deviation_gains, strict=True)
            texts = [f"{player} {gain:.4g}" for player, gain in gains]
            sentences.append(f"gains by deviating alone, prizes: {', '.join(texts)}")
        elif solution.final.is_certified:
            share = solution.exploitability / node.pot
            sentences.append(
                f"exploitability {solution.exploitability:.4g} chips, {share:.3%} of the pot (half of "
                "nash_conv)"
            )
        if node.folded:
            sentences.append(folded_text(node))
        sentences += _lock_sentences(spot)
        yield Facts(sentences)
        yield from decision_blocks(node, suits=suits, unit=unit_of_evs)

    def report_parts(self, solution: Any) -> Iterator[Part]:
        """Yield the first decision, and further ones of its street, those that are reached most often first."""
        spot = SolvedSpot(solution)
        yield Part("First decision", lambda: node_blocks(spot.node()))
        yield Part("Further decisions of the first street", partial(_further_decisions, spot))


class ThreeRangesSubject(SpotSubject):
    """A solved spot of three ranges."""

    def solution_blocks(self, solution: Any, *, suits: bool, unit: str) -> Iterator[Block]:
        """Yield who earns and gains what, what is locked, and the first decision."""
        spot: Any = SolvedSpot(solution)
        unit_of_evs = find_unit(unit, spot.game)
        yield gains_table(solution, spot.game, unit_of_evs)
        sentences = list(_lock_sentences(spot))
        if sentences:
            yield Facts(sentences)
        yield from node_blocks(spot.node(), unit_of_evs, suits=suits)


def _lock_sentences(spot: SolvedSpot) -> Iterator[str]:
    """Yield what is locked."""
    if spot.game.locks:
        yield "The strategy is locked, and best responses keep to it:"
    for lock in spot.game.locks:
        yield f"  {lock_text(lock)}"


def _further_decisions(spot: SolvedSpot) -> list[Block]:
    nodes: list[SpotNode] = spot.reached(_MOST_DECISIONS)[1:]
    return [block for node in nodes for block in node_blocks(node)]
