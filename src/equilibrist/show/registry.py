"""Which function says the blocks of which type, and which draws which picture; all are imported where they are used.

The two tables are the only place that knows both sides: a room fills in what it shows, and painters
ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._util.places import PACKAGE, import_place
from .blocks import Block

BLOCKS: dict[str, str] = {
    "batches.board_report:BoardReport": "batches.blocks:board_blocks",
    "comparison.comparison:Comparison": "comparison.blocks:comparison_blocks",
    "evaluation.equity:Equity": "evaluation.equity_blocks:equity_blocks",
    "evaluation.evaluate:Evaluation": "evaluation.blocks:evaluation_blocks",
    "evaluation.hand_classes:ClassNode": "evaluation.decision_blocks:class_blocks",
    "evaluation.spot_node:SpotNode": "evaluation.decision_blocks:node_blocks",
    "form.compiled_game:CompiledGame": "form.blocks:form_blocks",
    "game.rules:RulesGame": "game.blocks:game_blocks",
    "games.gambit_game:GambitGame": "game.blocks:game_blocks",
    "games.holdem.preflop:HeadsUp": "game.blocks:game_blocks",
    "games.holdem.three_handed:ThreeHanded": "game.blocks:game_blocks",
    "games.openspiel:OpenSpielGame": "game.blocks:game_blocks",
    "histories.grades:Grades": "histories.blocks:grade_blocks",
    "play.local_best_response:LocalBestResponse": "play.blocks:bound_blocks",
    "play.match:Match": "play.blocks:match_blocks",
    "solving.charts:Charts": "solving.chart_blocks:chart_blocks",
    "solving.recording:Recording": "solving.blocks:recording_blocks",
    "solving.solution:Solution": "solving.solution_blocks:solution_blocks",
    "solving.trace:Trace": "solving.blocks:trace_blocks",
    "strategy.strategy:Strategy": "evaluation.blocks:strategy_blocks",
}
"""For each type that is shown, the function that returns its blocks; subclasses are shown as their base."""
PICTURES: dict[str, str] = {
    "chart": "plot.ranges:chart_grid",
    "range": "plot.ranges:range_grid",
    "convergence": "plot.curves:convergence",
    "comparison": "comparison.comparison:Comparison.plot",
}
"""For each kind of picture, the function that draws it in the theme of its argument ``theme``."""
_PICTURE_FILE = "plot.style:picture"


def make_blocks(result: Any, **options: Any) -> Sequence[Block]:
    """Return what a result shows.

    ``options`` are those of the function that is registered for its type, such as ``verbose``.
    """
    for cls in type(result).__mro__:
        name = f"{cls.__module__.removeprefix(f'{PACKAGE}.')}:{cls.__qualname__}"
        if name in BLOCKS:
            blocks: Sequence[Block] = import_place(BLOCKS[name])(result, **options)
            return blocks
    raise TypeError(f"There are no blocks of {type(result).__name__}.")


def find_picture(kind: str) -> Callable[..., Any]:
    """Return what draws a kind of pictures."""
    draw: Callable[..., Any] = import_place(PICTURES[kind])
    return draw


def write_svg(draw: Callable[..., Any]) -> bytes:
    """Return a picture as SVG, light or dark as the page on which it stands; ``draw`` returns it in a theme."""
    file: bytes = import_place(_PICTURE_FILE)(draw)
    return file
