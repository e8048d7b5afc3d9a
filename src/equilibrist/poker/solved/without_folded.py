"""What folded hands change: a spot that was solved beside them, and the same spot solved without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import SolutionError
from ...evaluation.gaps import gap_words
from ...runs.reproduce import carried_settings
from ...show.blocks import Block, Column, Facts, Table
from ...solving.keywords import solve_keywords
from ...solving.solution import Solution
from ...solving.solve import solve
from ..spot.game import Holdem
from .spot_node import SpotNode
from .spots import SolvedSpot

_EV = ".4f"
_CHANGE = "+.4f"
_SHARE = ".2%"
_SHARE_OF_CHANGE = "+.2%"


@dataclass(frozen=True, slots=True)
class FoldedEffect:
    """What each player of a spot has at its start, beside folded hands and without them.

    Attributes
    ----------
    solution, solution_without : Solution
        The run beside the folded hands, and that of the same spot without them.
    node, node_without : SpotNode
        The first decision in each.
    """

    solution: Solution
    solution_without: Solution
    node: SpotNode
    node_without: SpotNode

    def summary(self) -> dict[str, Any]:
        """Return EV, equity and how exact they are, with folded hands and without, as plain data for JSON."""
        return {
            "game": self.solution.game,
            "players": list(self.node.names),
            "folded": self.node.folded,
            "with_folded": _summarise(self.solution, self.node),
            "without_folded": _summarise(self.solution_without, self.node_without),
        }

    def blocks(self) -> list[Block]:
        """Return a row for each player, and how exact both runs are."""
        node = self.node
        evs = list(node.evs)
        evs_without = list(self.node_without.evs)
        changes = [ev - other for ev, other in zip(evs, evs_without, strict=True)]
        columns = [
            Column("", node.names),
            Column("EV" if node.in_chips else "EV, prizes", evs, _EV),
            Column("EV without", evs_without, _EV),
            Column("change", changes, _CHANGE),
        ]
        if node.in_chips:
            shares = [change / node.pot for change in changes]
            columns.append(Column("% of pot", shares, _SHARE_OF_CHANGE))
        columns += [
            Column("equity", node.equities, _SHARE),
            Column("equity without", self.node_without.equities, _SHARE),
        ]
        word = gap_words(self.solution.players).gap
        exactness = (
            f"{word} {_gap_text(self.solution)} with folded hands, "
            f"{_gap_text(self.solution_without)} without; smaller changes say nothing"
        )
        return [Table(columns, is_small=True), Facts([f"dealt with {node.folded}", exactness])]


def compare_without_folded(
    solution: Solution, game: Any = None, *, say: Callable[[str], None] | None = None
) -> FoldedEffect:
    """Solve the spot of a run again without its folded hands, as it was solved, and return both.

    Parameters
    ----------
    solution : Solution
        A run of a spot of two or three ranges beside folded hands.
    game : str, path or Holdem, optional
        The spot, as for :class:`SolvedSpot`.
    say : callable, optional
        Is told what is being done.

    Raises
    ------
    SolutionError
        Nobody has folded in the spot, or it is a part that begins with ranges of its own.
    """
    spot = SolvedSpot(solution, game)
    settings = dict(spot.game.settings)
    if not settings.get("folded"):
        raise SolutionError(
            f"{solution.game} has no folded hands, so there is nothing to leave out; give the ranges "
            "of those who folded as folded=[…] of the spot, and solve it.",
            wrong_use=True,
        )
    settings["folded"] = ()
    if say is not None:
        say("Solving the spot without folded hands")
    keywords = solve_keywords(carried_settings(solution))
    solution_without = solve(Holdem(**settings), iterations=solution.iterations or None, **keywords)
    return FoldedEffect(
        solution, solution_without, spot.node(), SolvedSpot(solution_without).node()
    )


def _summarise(solution: Solution, node: SpotNode) -> dict[str, Any]:
    return {
        "ev": list(node.evs),
        "equity": list(node.equities),
        "iterations": solution.iterations,
        gap_words(solution.players).gap.replace(" ", "_"): solution.final.gap,
    }


def _gap_text(solution: Solution) -> str:
    """Return how exact a run is: in % of the pot, or in prizes."""
    final = solution.final
    if "exploitability_percent" in final.measures:
        return f"{final.gap_percent:.3g} % of the pot"
    return f"{final.gap:.3g}"
