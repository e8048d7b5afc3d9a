"""HTML of results: one function for each type that notebooks show, found by the type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, singledispatch
from typing import Any

from ..batches.board_report import BoardReport
from ..batches.result import BatchResult
from ..evaluation.spot_node import SpotNode, number_text
from ..evaluation.spots import SolvedSpot, has_decisions
from ..explanation.explanation import Explanation
from ..explanation.rendering import Grid, Story, make_view, write_headline
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.cards import CLASSES
from ..games.holdem.lines import action_words
from ..histories.grades import Grades
from ..plot.ranges import chart_grid, range_grid
from ..show.markup import (
    Cell,
    Markup,
    escape_html,
    facts,
    fragment,
    image,
    page,
    paint_markup,
    probabilities,
    table,
)
from ..show.registry import make_blocks
from ..solving.charts import Charts
from ..solving.solution import Solution
from ..strategy.strategy import Strategy
from .batch import batch_html, batch_page
from .boards import boards_html, boards_page
from .grades import grades_html, grades_page
from .lab import lab_html
from .lab.explained import lab_options

_INFOSETS = 24

_CERTIFICATE = ("nash_conv", "exploitability", "exploitability_percent")


@singledispatch
def render(result: Any) -> str:
    """Return the HTML fragment of a result, a game or a compiled game."""
    return fragment(paint_markup(make_blocks(result)))


@singledispatch
def render_page(result: Any) -> str:
    """Return a page with nothing but the HTML of a result."""
    return page(_page_title(result), render(result))


@singledispatch
def _page_title(result: Any) -> str:
    return str(
        getattr(result, "game", None) or getattr(result, "name", None) or type(result).__name__
    )


render.register(BatchResult, batch_html)
render_page.register(BatchResult, batch_page)
render.register(BoardReport, boards_html)
render_page.register(BoardReport, boards_page)
render.register(Grades, grades_html)
_page_title.register(Explanation, write_headline)


@render.register
def _strategy_html(strategy: Strategy) -> str:
    return fragment(_first_infosets_html(strategy))


def _first_infosets_html(strategy: Strategy) -> str:
    if has_decisions(strategy):
        return decision_html(SolvedSpot(strategy).node())
    hidden = len(strategy) - _INFOSETS
    if hidden > 0:
        rest_note = f"<p>… and {hidden:,} more infosets.</p>"
    else:
        rest_note = ""
    return strategy_table(strategy, _INFOSETS, caption="Strategy") + rest_note


def strategy_table(strategy: Strategy, max_infosets: int, *, caption: str = "") -> str:
    """Return a table of the first infosets of a strategy, with bars."""
    rows: list[list[Cell]] = []
    for index in strategy.order[:max_infosets]:
        player, key, _ = strategy.infosets[index]
        rows.append([str(player), key, probabilities(strategy.at(index))])
    return table(("player", "infoset", "probabilities"), rows, caption=caption)


def certificate_facts(solution: Solution) -> dict[str, Cell]:
    """Return what is known of a solution, in words."""
    facts: dict[str, Cell] = {"exploitability": "unknown: the game was sampled without a tree"}
    if solution.exploitability is not None:
        facts = {
            "value": ", ".join(f"{value:+.9f}" for value in solution.value)
            + " (payoff per game, player 0 first)",
            "exploitability": f"{solution.exploitability:.6e} (nash_conv / players, payoff per game)",
            "nash_conv": f"{solution.nash_conv:.6e}",
        }
        if solution.players != 2 or not solution.zero_sum:
            facts["deviation gains"] = (
                ", ".join(f"{gain:.6e}" for gain in solution.deviation_gains)
                + " (by deviating alone)"
            )
    other_distances = {
        name: number for name, number in solution.final.measures.items() if name not in _CERTIFICATE
    }
    facts |= {name.replace("_", " "): f"{number:.6e}" for name, number in other_distances.items()}
    return {**facts, "means": solution.guarantee}


@render.register
def _solution_html(solution: Solution) -> str:
    title = (
        f"<p><b>{escape_html(solution.game)}</b>, {escape_html(solution.algorithm)}, "
        f"{solution.iterations:,} iterations, "
        f"{solution.seconds.get('solve', 0.0):.3g} s</p>"
    )
    return fragment(
        title,
        facts(certificate_facts(solution)),
        _trace_picture(solution),
        _first_infosets_html(solution.strategy),
    )


def _trace_picture(solution: Solution) -> str:
    # On logarithmic scales.
    if len([point for point in solution.trace if (point.exploitability or 0.0) > 0]) < 2:
        return ""
    from ..plot import convergence

    description = (
        "exploitability against iterations, nodes touched and seconds, all scales logarithmic"
    )
    return image(partial(convergence, solution), description)


def decision_html(node: SpotNode) -> str:
    """Return the EV of both players, the frequencies of a node's actions, and its grid of hands."""
    rows = [
        [
            name,
            number_text(ev, ".4f"),
            *(number_text(share, ".2%") for share in (ev / node.pot, equity, eqr)),
        ]
        for name, ev, equity, eqr in zip(PLAYERS, node.evs, node.equities, node.eqrs, strict=True)
    ]
    mix = [
        [action, action_words(action), f"{share:.2%}"]
        for action, share in zip(node.actions, node.frequencies.tolist(), strict=True)
    ]
    title = f"{PLAYERS[node.player]} {node.where}, board {node.board}, pot {node.pot:g}"
    return (
        f"<h3>{escape_html(title)}</h3>"
        + table(["", "EV", "% of pot", "equity", "EQR"], rows, numbers=4)
        + table(["action", "", "frequency"], mix, numbers=1)
        + image(partial(range_grid, node), f"what each hand plays: {title}")
        + (f"<p>{escape_html(node.off_path)}</p>" if node.off_path else "")
    )


@render.register
def _node_html(node: SpotNode) -> str:
    return fragment(decision_html(node))


@render_page.register
def _grades_html(grades: Grades) -> str:
    return grades_page(grades, decision_html)


@render.register
def _charts_html(chart: Charts) -> str:
    """Return the grids of a chart of push or fold, and the stacks of each hand."""
    grids = "".join(
        image(partial(chart_grid, chart, action), f"the highest stacks to {action}")
        for action in chart.actions
    )
    rows = [[hand, *(chart.text(action, hand) for action in chart.actions)] for hand in CLASSES]
    return fragment(
        grids,
        table(
            ["hand", *chart.actions], rows, caption="big blinds, from … to, with the gaps between"
        ),
    )


@render.register
def _explanation_html(explanation: Explanation) -> str:
    """Return a table for each walk, the story, and all infosets before and after it; Kuhn poker has its lab below."""
    explanation_view = make_view(explanation, split=True)  # as wide as a page of text
    document = make_view(explanation, story=True, infosets=True)
    notes = "".join(f"<p>Note: {escape_html(note)}</p>" for note in explanation_view.notes)
    legend = "; ".join(
        f"<b>{escape_html(column)}</b> {escape_html(text)}"
        for column, text in explanation_view.legend.items()
    )
    folded = "".join(
        f"<details><summary>{title}</summary>{_block_html(block)}</details>"
        for title, block in zip(
            ("Step by step", "All infosets, before and after"), document.blocks, strict=True
        )
    )
    walks = "".join(map(_block_html, explanation_view.blocks))
    title = f"<p><b>{escape_html(explanation_view.headline)}</b></p>"
    tables = f'<div style="font-size:.9em">{title}{notes}{walks}<p><small>{legend}</small></p>{folded}</div>'
    options = lab_options(explanation)
    if options:
        lab = f"<details open><summary>The lab</summary>{lab_html('kuhn', options)}</details>"
    else:
        lab = ""
    return fragment(tables, lab)


def _block_html(block: Grid | Story) -> str:
    if isinstance(block, Grid):
        return table(
            ("", *block.columns),
            _grid_cells(block),
            numbers=len(block.columns),
            caption=block.title,
        )
    return "".join(
        '<p style="margin:0 0 0 '
        f'{1.5 * depth:g}em">{"<b>" * is_title}{escape_html(sentence)}{"</b>" * is_title}</p>'
        for depth, sentence, is_title in block.steps
    )


def _grid_cells(grid: Grid) -> Iterator[list[Cell]]:
    for row in grid.rows:
        guides = escape_html(row.guides).replace(" ", "&nbsp;")
        words = escape_html(row.what).replace("  ", "&ensp;")
        cell = words if row.is_move else f"<b>{words}</b>"
        first = Markup(f'<span class="line"><span class="guides">{guides}</span>{cell}</span>')
        yield [first, *(row.cells.get(column, "") for column in grid.columns)]
