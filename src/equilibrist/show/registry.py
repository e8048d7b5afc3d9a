"""Which function says the blocks of which type, and which draws which picture; all are imported where they are used.

The two tables are the only place that knows both sides: a room fills in what it shows, and painters
ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._util.places import find_by_type, import_place
from .blocks import Block
from .subject import Subject

BLOCKS: dict[str, str] = {
    "poker.boards.board_report:BoardReport": "poker.boards.blocks:board_blocks",
    "batches.result:BatchResult": "batches.result_blocks:batch_blocks",
    "bimatrix.equilibria:Equilibria": "bimatrix.blocks:equilibria_blocks",
    "bimatrix.equilibria:ExtremeEquilibrium": "bimatrix.blocks:equilibrium_blocks",
    "comparison.comparison:Comparison": "comparison.blocks:comparison_blocks",
    "correlation.correlated:CorrelatedEquilibrium": "correlation.blocks:correlated_blocks",
    "correlation.teams:TeamEquilibrium": "correlation.blocks:team_blocks",
    "poker.spot.equity:Equity": "poker.spot.equity_blocks:equity_blocks",
    "exploiting.exploitation:Exploitation": "exploiting.blocks:exploitation_blocks",
    "exploiting.frontier:Frontier": "exploiting.blocks:frontier_blocks",
    "exploiting.money:Money": "exploiting.blocks:money_blocks",
    "evaluation.proofs:RationalSolution": "evaluation.rational_blocks:solution_blocks",
    "evaluation.rational:RationalEvaluation": "evaluation.rational_blocks:evaluation_blocks",
    "evaluation.evaluate:Evaluation": "evaluation.blocks:evaluation_blocks",
    "poker.solved.hand_classes:ClassNode": "poker.solved.blocks:class_blocks",
    "poker.solved.run_outs:RunOutReport": "poker.solved.run_out_blocks:run_out_blocks",
    "poker.solved.spot_node:SpotNode": "poker.solved.blocks:node_blocks",
    "form.compiled_game:CompiledGame": "form.blocks:form_blocks",
    "game.rules:RulesGame": "game.blocks:game_blocks",
    "games.gambit_game:GambitGame": "game.blocks:game_blocks",
    "poker.nlhe.blueprint:Blueprint": "poker.nlhe.blocks:blueprint_blocks",
    "poker.nlhe.game:NoLimitHoldem": "game.blocks:game_blocks",
    "poker.preflop.equity:PreflopEquity": "poker.preflop.blocks:equity_blocks",
    "poker.preflop.game:HeadsUp": "game.blocks:game_blocks",
    "poker.preflop.three_handed:ThreeHanded": "game.blocks:game_blocks",
    "games.openspiel:OpenSpielGame": "game.blocks:game_blocks",
    "games.rlcard_leduc:RLCardLeduc": "game.blocks:game_blocks",
    "poker.histories.grades:Grades": "poker.histories.blocks:grade_blocks",
    "play.local_best_response:LocalBestResponse": "play.blocks:bound_blocks",
    "play.match:Match": "play.blocks:match_blocks",
    "poker.preflop.charts:Charts": "poker.preflop.blocks:chart_blocks",
    "solving.recording:Recording": "solving.blocks:recording_blocks",
    "solving.solution:Solution": "solving.solution_blocks:solution_blocks",
    "solving.trace:Trace": "solving.blocks:trace_blocks",
    "strategy.strategy:Strategy": "evaluation.blocks:strategy_blocks",
}
"""For each type that is shown, the function that returns its blocks; subclasses are shown as their base."""
FRAGMENTS: dict[str, str] = {
    "learn.explanation.records:ExplainedIteration": "learn.explanation.page:explanation_html",
}
"""For each type whose HTML is made of more than blocks, the function that returns it."""
PAGES: dict[str, str] = {
    "poker.boards.board_report:BoardReport": "poker.boards.page:boards_page",
    "batches.result:BatchResult": "batches.result_blocks:batch_page",
    "learn.explanation.records:ExplainedIteration": "learn.explanation.page:explanation_page",
    "poker.histories.grades:Grades": "poker.histories.page:grades_page",
}
"""For each type that has a page of its own, the function that returns it."""
PICTURES: dict[str, str] = {
    "batch convergence": "batches.picture:draw_convergence",
    "batch dependence": "batches.picture:draw_dependence",
    "chart": "poker.pictures:chart_grid",
    "range": "poker.pictures:range_grid",
    "convergence": "plot.curves:convergence",
    "comparison": "comparison.comparison:Comparison.plot",
    "frontier": "exploiting.frontier:Frontier.plot",
    "answer": "exploiting.exploitation:Exploitation.plot",
}
"""For each kind of picture, the function that draws it in the theme of its argument ``theme``."""
SUBJECTS: dict[str, str] = {
    "poker.spot.game:Holdem": "poker.solved.subject:SpotSubject",
    "poker.omaha.game:Omaha": "poker.solved.subject:SpotSubject",
    "poker.spot.three_ranges:ThreeRanges": "poker.solved.subject:ThreeRangesSubject",
}
"""For each type of game whose runs have more to show than a table of infosets, the subject that says what."""
_DECISIONS: dict[str, str] = {"range": "poker.solved.hand_classes:HandClasses.of"}
"""For each kind of picture of a decision, the function that returns the decisions of a run; None where it has none."""
_DECISION = "poker.pictures:decision_of"
_PICTURE_FILE = "plot.style:picture"


def make_blocks(result: Any, **options: Any) -> Sequence[Block]:
    """Return what a result shows.

    ``options`` are those of the function that is registered for its type, such as ``verbose``.
    """
    function = find_by_type(BLOCKS, result)
    if function is None:
        raise TypeError(f"There are no blocks of {type(result).__name__}.")
    blocks: Sequence[Block] = function(result, **options)
    return blocks


def find_fragment(result: Any) -> Callable[[Any], str] | None:
    """Return the function that makes the HTML of a result; None where it is made of blocks."""
    make_fragment: Callable[[Any], str] | None = find_by_type(FRAGMENTS, result)
    return make_fragment


def find_page(result: Any) -> Callable[[Any], str] | None:
    """Return the function that makes the page of a result; None where it has none of its own."""
    make_page: Callable[[Any], str] | None = find_by_type(PAGES, result)
    return make_page


def find_subject(strategy: Any) -> Subject | None:
    """Return what is shown of a strategy in the place of its table of infosets; None where there is nothing else.

    Its compiled form has to be known.
    """
    game = getattr(getattr(strategy, "form", None), "game", None)
    subject_class = find_by_type(SUBJECTS, game)
    if subject_class is None:
        return None
    subject: Subject = subject_class()
    return subject


def find_picture(kind: str) -> Callable[..., Any]:
    """Return what draws a kind of pictures."""
    draw: Callable[..., Any] = import_place(PICTURES[kind])
    return draw


def has_picture(kind: str, solution: Any) -> bool:
    """Return whether a run has decisions that are drawn in a kind of pictures, such as ``"range"``."""
    return import_place(_DECISIONS[kind])(solution) is not None


def find_decision(solution: Any, line: str, board: str | None) -> Any:
    """Return the decision of a run after a line, with these public cards, as :func:`find_picture` draws it."""
    return import_place(_DECISION)(solution, line, board)


def write_svg(draw: Callable[..., Any]) -> bytes:
    """Return a picture as SVG, light or dark as the page on which it stands; ``draw`` returns it in a theme."""
    file: bytes = import_place(_PICTURE_FILE)(draw)
    return file
