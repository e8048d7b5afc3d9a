"""An explanation as blocks of text, story and tables, which terminals, Markdown and HTML lay out each in its way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ...form.infosets import Infoset
from ...game.protocol import CHANCE, TERMINAL
from ...mccfr.sampling import find_sampling
from ...show.numbers import format_short
from ...strategy.order import reading_order
from .records import ExplainedIteration, Key, Move, Node, Update, Walk
from .story import Step, is_about, payoffs_text, tell_story, walk_title

_LEGEND = {
    "reach": "the probability that each player's own moves lead here, player 0 first, and that of chance",
    "weight": "what a value here counts in regrets: the reach of the others and of chance",
    "σ": "the probability of the action in this iteration",
    "value": "payoff per game, for the player who moves (at the end: for each player)",
    "cf value": "weight × value",
    "regret": "value of the action − value of the history",
    "cf regret": "weight × regret: what this history adds to the instant regret of its infoset",
    "instant": "the infoset's instant regret: cf regret, summed over its histories",
    "before": "the infoset's regret sum before this iteration",
    "discounted": "the same after the discount with which the iteration begins",
    "after": "the infoset's regret sum after this iteration",
    "average": "the infoset's strategy sum after this iteration; its shares are the average strategy",
    "next σ": "the strategy of the next iteration",
    "strategy": "in this iteration → in the next",
    "regret sum": "before this iteration → after it",
    "strategy sum": "before → after; its shares are the average strategy",
}
OF_HISTORIES = ("reach", "weight", "σ", "value", "cf value", "regret", "cf regret")
_OF_BOTH = ("instant", "before", "discounted", "after", "average", "next σ")
OF_INFOSETS = ("strategy", "instant", "regret sum", "strategy sum")
_NOT_VISITED = "not visited"
_LISTED = 6  # infosets by name


class Row(NamedTuple):
    """A line of a table: a history or an infoset, or a move there with what ends after it.

    ``guides`` draw the branches of the tree in front of it, and ``place`` says the same in words.
    """

    guides: str
    place: str
    what: str
    cells: dict[str, str]
    is_move: bool


class Grid(NamedTuple):
    """A table: a tree of rows, with a number of each column that the row has something for."""

    title: str
    columns: Sequence[str]
    rows: list[Row]


class Story(NamedTuple):
    """Sentences in the order of execution."""

    steps: list[Step]


class View(NamedTuple):
    """What is shown, from top to bottom, and what the columns of its tables mean."""

    headline: str
    notes: list[str]
    blocks: list[Grid | Story]
    legend: dict[str, str]


def make_view(
    explanation: ExplainedIteration,
    *,
    story: bool = False,
    infosets: bool = False,
    split: bool = False,
) -> View:
    """Return what is shown of an iteration: the histories as a tree, or with ``story`` in sentences.

    With ``infosets`` all infosets before and after are shown, too; with ``split``, for narrow
    pages, the numbers of infosets have a table of their own.
    """
    blocks: list[Grid | Story] = []
    if story:
        blocks.append(Story(list(tell_story(explanation))))
    else:
        tree_columns = list(OF_HISTORIES) if split else choose_columns(explanation)
        blocks += [
            Grid(walk_title(explanation, walk), tree_columns, list(grid_rows(explanation, walk)))
            for walk in explanation.walks
        ]
    if story or infosets or split:
        visited_infosets = set().union(*(walk.visits() for walk in explanation.walks))
        blocks.append(
            _infoset_grid(
                explanation,
                explanation.updates if infosets else visited_infosets,
                is_complete=infosets,
            )
        )
    columns_in_use = dict.fromkeys(
        column for block in blocks if isinstance(block, Grid) for column in block.columns
    )
    return View(
        write_headline(explanation),
        write_notes(explanation),
        blocks,
        _column_legend(explanation, columns_in_use),
    )


def choose_columns(explanation: ExplainedIteration) -> list[str]:
    """Return the columns of the tree that tell something."""
    chosen_columns = [*OF_HISTORIES, *_OF_BOTH]
    if explanation.discount[:2] == (1.0, 1.0):
        chosen_columns.remove("discounted")
    if all(
        _is_whole_regret(explanation, node) for walk in explanation.walks for node in walk.nodes
    ):
        chosen_columns.remove("instant")
    return chosen_columns


def _is_whole_regret(explanation: ExplainedIteration, node: Node) -> bool:
    """Return whether what a history adds to its infoset's instant regrets is all that there is."""
    if node.weight is None:
        return True
    instant = explanation.updates[node.player, node.infoset or ""].instant_regret
    pairs = zip((move.cf_regret or 0.0 for move in node.moves), instant, strict=True)
    return all(is_about(part, total, *instant) for part, total in pairs)


def _infoset_grid(
    explanation: ExplainedIteration, keys: Collection[Key], *, is_complete: bool
) -> Grid:
    discounts = explanation.discount[:2] != (1.0, 1.0)
    lines: list[Row] = []
    updates = [explanation.updates[key] for key in explanation.updates if key in keys]
    for index in reading_order(
        [Infoset(update.player, update.infoset, update.actions) for update in updates]
    ):
        update = updates[index]
        place = f"player {update.player} at {update.infoset}"
        note = "" if update.visited else f"  ({_NOT_VISITED})"
        lines.append(Row("", place, place + note, {}, False))
        for a, action in enumerate(update.actions):
            regrets = [update.regret_sum_before[a], update.regret_sum[a]]
            if discounts:
                regrets.insert(1, update.regret_sum_discounted[a])
            cells = {
                "strategy": _join_by_arrows(update.strategy[a], update.next_strategy[a]),
                "instant": format_short(update.instant_regret[a]) if update.visited else "",
                "regret sum": _join_by_arrows(*regrets),
                "strategy sum": _join_by_arrows(
                    update.strategy_sum_before[a], update.strategy_sum[a]
                ),
            }
            if a == len(update.actions) - 1:
                branch = "└─ "
            else:
                branch = "├─ "
            lines.append(Row(branch, f"{place} {action}", action, cells, True))
    if is_complete:
        title = f"All {len(explanation.updates):,} infosets"
    else:
        title = "Infosets"
    if is_complete and len(explanation.updates) < explanation.infosets:
        title = f"Infosets that the iteration came to, of {explanation.infosets:,}"
    return Grid(f"{title}, before → after the iteration", OF_INFOSETS, lines)


def _join_by_arrows(*values: float) -> str:
    return " → ".join(map(format_short, values))


def grid_rows(explanation: ExplainedIteration, walk: Walk) -> Iterator[Row]:
    """Iterate over the histories of a walk and their moves, each move before what comes after it."""
    children, roots = walk.children()
    stack: list[Row | tuple[int, str]] = [(root, "") for root in reversed(roots)]
    while stack:
        item = stack.pop()
        if isinstance(item, Row):
            yield item
            continue
        i, guides = item
        i, outcomes, probability = walk.past_chance(children, i)
        node = walk.nodes[i]
        if node.player in walk.players:
            player = node.player
        else:
            player = walk.players[0]
        history = " ".join(node.history)
        if outcomes:
            yield Row(
                guides,
                history,
                f"chance: {' '.join(outcomes)}",
                {"σ": format_short(probability)},
                False,
            )
        if node.player == TERMINAL:
            yield Row(guides, history, f"ends: {payoffs_text(node)}", {}, False)
            continue
        yield Row(
            guides,
            history,
            "chance" if node.player == CHANCE else f"player {node.player} at {node.infoset}",
            _node_cells(node, player),
            False,
        )
        if node.weight is not None:
            update = explanation.updates.get((node.player, node.infoset or ""))
        else:
            update = None
        moves = [
            (a, move)
            for a, move in enumerate(node.moves)
            if move.action in children[i] or node.player != CHANCE
        ]
        rows_below: list[Row | tuple[int, str]] = []
        for a, move in moves:
            last = a == moves[-1][0]
            child = children[i].get(move.action)
            if child is None or walk.nodes[child].player != TERMINAL:
                ends = ""
            else:
                ends = f"  ends: {payoffs_text(walk.nodes[child])}"
            note = ends if move.visited else f"  ({_NOT_VISITED})"
            cells = _move_cells(move, player, update, a)
            branch = guides + ("└─ " if last else "├─ ")
            rows_below.append(
                Row(branch, f"{history} {move.action}".strip(), f"{move.action}{note}", cells, True)
            )
            if child is not None and not ends:
                rows_below.append((child, guides + ("   " if last else "│  ")))
        stack.extend(reversed(rows_below))


def _node_cells(node: Node, player: int) -> dict[str, str]:
    return {
        "reach": "·".join(format_short(reach) for reach in (*node.reach, node.chance_reach)),
        "weight": format_short(node.weight),
        "value": format_short(node.value[player]),
        "cf value": format_short(node.cf_value),
    }


def _move_cells(move: Move, player: int, update: Update | None, a: int) -> dict[str, str]:
    cells = {
        "σ": format_short(move.probability),
        "value": format_short(move.value[player]),
        "regret": format_short(move.regret),
        "cf regret": format_short(move.cf_regret),
    }
    if update is not None:
        cells |= {
            "instant": format_short(update.instant_regret[a]),
            "before": format_short(update.regret_sum_before[a]),
            "discounted": format_short(update.regret_sum_discounted[a]),
            "after": format_short(update.regret_sum[a]),
            "average": format_short(update.strategy_sum[a]),
            "next σ": format_short(update.next_strategy[a]),
        }
    return cells


def write_headline(explanation: ExplainedIteration) -> str:
    """Return what is explained, in one line."""
    scheme = find_sampling(explanation.sampling)
    parts = [
        f"Iteration {explanation.iteration:,} of {explanation.algorithm} on {explanation.game}",
        f"{'alternating' if explanation.alternating else 'simultaneous'} updates",
    ]
    if explanation.seed is not None:
        parts.append(f"sampling {explanation.sampling} (seed {explanation.seed})")
    if explanation.deals:
        parts.append(
            f"{'dealt' if scheme.draws_deals else 'shown for'} {', '.join(explanation.deals)}"
        )
    return ", ".join(parts)


def write_notes(explanation: ExplainedIteration) -> list[str]:
    """Return what a reader may be misled by: infosets that are as they were at the start, or that nothing changes."""
    visits: dict[Key, list[Node]] = {}
    for walk in explanation.walks:
        for key, nodes in walk.visits().items():
            visits.setdefault(key, []).extend(nodes)
    updates = explanation.updates
    new_infosets = [
        key
        for key in visits
        if not any((*updates[key].regret_sum_before, *updates[key].strategy_sum_before))
    ]
    idle_infosets = [
        key for key, nodes in visits.items() if all(node.weight == 0.0 for node in nodes)
    ]
    sentences = []
    if explanation.iteration > 1 and new_infosets:
        sentences.append(
            f"No earlier iteration came to {_list_infosets(new_infosets)}: strategies there are uniform, as in "
            "iteration 1. Name the "
            "deal of every iteration to follow one (deal=, deals=; --deal, --deals)."
        )
    if idle_infosets:
        sentences.append(
            f"The others never come to {_list_infosets(idle_infosets)} (weight 0), so that no regret is added "
            "there."
        )
    return sentences


def _list_infosets(keys: Sequence[Key]) -> str:
    names = ", ".join(key for _, key in keys[:_LISTED])
    if len(keys) <= _LISTED:
        return names
    return f"{names} and {len(keys) - _LISTED:,} more infosets"


def _column_legend(explanation: ExplainedIteration, columns: Collection[str]) -> dict[str, str]:
    texts = dict(_LEGEND)
    scheme = find_sampling(explanation.sampling)
    if not scheme.full_width:
        texts["weight"] += ", divided by the probability that a sample comes here"
    if not scheme.tries_all:
        default_value = "0" if scheme.baseline is None else "its baseline"
        texts["regret"] = (
            f"how much better the action looks than the strategy: {default_value} − value where it "
            "was not tried"
        )
    if any(len(walk.players) == 1 for walk in explanation.walks) and explanation.players > 1:
        texts["value"] = "payoff per game, for the player who updates (at the end: for each player)"
    if explanation.discount[:2] != (1.0, 1.0):
        texts["regret sum"] = "before this iteration → after its discount → after it"
    return {column: texts[column] for column in columns}
