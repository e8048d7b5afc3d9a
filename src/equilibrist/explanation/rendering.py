"""An explanation as text, Markdown and HTML: the same rows of cells, laid out three times."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .._util.text import drop_columns, visible
from ..game.protocol import CHANCE, TERMINAL
from ..mccfr.sampling import find_sampling
from .records import ExplainedIteration, Move, Node, Update, Walk

if TYPE_CHECKING:
    from rich.console import RenderableType

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
}
_COLUMNS = tuple(_LEGEND)
# In this order, where the page is narrow:
_DROPPED = ("cf value", "reach", "average", "before", "weight", "cf regret", "discounted", "instant", "after", "regret")
_GAP = 1  # between columns
_LEAST = 12  # characters of the tree


class Row(NamedTuple):
    """A line: a history, or a move with what ends there.

    ``guides`` draw the branches of the tree in front of it, and ``history`` says the same in words.
    """

    guides: str
    history: str
    what: str
    cells: dict[str, str]
    is_move: bool


def columns(explanation: ExplainedIteration) -> list[str]:
    """Return the columns that tell something."""
    shown = list(_COLUMNS)
    if explanation.discount[:2] == (1.0, 1.0):
        shown.remove("discounted")
    if all(_tells_all(explanation, node) for walk in explanation.walks for node in walk.nodes):
        shown.remove("instant")
    return shown


def _tells_all(explanation: ExplainedIteration, node: Node) -> bool:
    """Return whether what a history adds to its infoset's instant regrets is all that there is."""
    if node.weight is None:
        return True
    instant = explanation.updates[node.player, node.infoset or ""].instant_regret
    pairs = zip((move.cf_regret or 0.0 for move in node.moves), instant, strict=True)
    return all(math.isclose(here, whole, rel_tol=1e-9, abs_tol=1e-12) for here, whole in pairs)


def rows(explanation: ExplainedIteration, walk: Walk) -> Iterator[Row]:
    """Iterate over the histories of a walk and their moves, each move before what comes after it."""
    children, roots = _children(walk)
    waiting: list[Row | tuple[int, str]] = [(root, "") for root in reversed(roots)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Row):
            yield item
            continue
        i, guides = item
        i, dealt, probability = _past_chance(walk, children, i)
        node = walk.nodes[i]
        player = node.player if node.player in walk.players else walk.players[0]
        history = " ".join(node.history)
        if dealt:
            yield Row(guides, history, f"chance: {' '.join(dealt)}", {"σ": number(probability)}, False)
        if node.player == TERMINAL:
            yield Row(guides, history, _ends(node), {}, False)
            continue
        yield Row(guides, history, _title(node), _node_cells(node, player), False)
        update = explanation.updates.get((node.player, node.infoset or "")) if node.weight is not None else None
        shown = [(a, move) for a, move in enumerate(node.moves) if move.action in children[i] or node.player != CHANCE]
        after: list[Row | tuple[int, str]] = []
        for a, move in shown:
            last = a == shown[-1][0]
            child = children[i].get(move.action)
            ends = "" if child is None or walk.nodes[child].player != TERMINAL else f"  {_ends(walk.nodes[child])}"
            note = ends if move.visited else "  (not visited)"
            cells = _move_cells(move, player, update, a)
            branch = guides + ("└─ " if last else "├─ ")
            after.append(Row(branch, f"{history} {move.action}".strip(), f"{move.action}{note}", cells, True))
            if child is not None and not ends:
                after.append((child, guides + ("   " if last else "│  ")))
        waiting.extend(reversed(after))


def _children(walk: Walk) -> tuple[list[dict[str, int]], list[int]]:
    """Return, for each node, which node comes after which move; and the nodes where a sample begins."""
    children: list[dict[str, int]] = [{} for _ in walk.nodes]
    path: list[int] = []
    roots = []
    for i, node in enumerate(walk.nodes):
        del path[len(node.history) :]
        if path:
            children[path[-1]][node.history[-1]] = i
        else:
            roots.append(i)
        path.append(i)
    return children, roots


def _past_chance(walk: Walk, children: list[dict[str, int]], i: int) -> tuple[int, list[str], float]:
    """Return the first node from i on where more than one outcome of chance is shown, what was dealt, how probably."""
    dealt: list[str] = []
    probability = 1.0
    while walk.nodes[i].player == CHANCE and len(children[i]) == 1:
        ((outcome, after),) = children[i].items()
        probability *= next(move.probability for move in walk.nodes[i].moves if move.action == outcome)
        dealt.append(outcome)
        i = after
    return i, dealt, probability


def _title(node: Node) -> str:
    return "chance" if node.player == CHANCE else f"player {node.player} at {node.infoset}"


def _ends(node: Node) -> str:
    return "ends: " + ", ".join("?" if value is None else number(value) for value in node.value)


def _node_cells(node: Node, player: int) -> dict[str, str]:
    value = node.value[player]
    return {
        "reach": "·".join(number(reach) for reach in (*node.reach, node.chance_reach)),
        "weight": "" if node.weight is None else number(node.weight),
        "value": "" if value is None else number(value),
        "cf value": "" if node.cf_value is None else number(node.cf_value),
    }


def _move_cells(move: Move, player: int, update: Update | None, a: int) -> dict[str, str]:
    value = move.value[player]
    cells = {"σ": number(move.probability), "value": "" if value is None else number(value)}
    if move.regret is not None:
        cells["regret"] = number(move.regret)
    if move.cf_regret is not None:
        cells["cf regret"] = number(move.cf_regret)
    if update is not None:
        cells |= {
            "instant": number(update.instant_regret[a]),
            "before": number(update.regret_sum_before[a]),
            "discounted": number(update.regret_sum_discounted[a]),
            "after": number(update.regret_sum[a]),
            "average": number(update.strategy_sum[a]),
            "next σ": number(update.next_strategy[a]),
        }
    return cells


def number(value: float) -> str:
    """Return a number in four digits, 0 without a sign."""
    text = f"{value:.4g}"
    return "0" if text == "-0" else text.replace("-", "−", 1)


def headline(explanation: ExplainedIteration) -> str:
    """Return what is explained, in one line."""
    turns = "alternating" if explanation.alternating else "simultaneous"
    parts = [
        f"Iteration {explanation.iteration:,} of {explanation.algorithm} on {explanation.game}",
        f"{turns} updates",
    ]
    if explanation.seed is not None:
        parts.append(f"sampling {explanation.sampling} (seed {explanation.seed})")
    if explanation.deal:
        parts.append(f"dealt {explanation.deal}")
    return ", ".join(parts)


def walk_title(explanation: ExplainedIteration, walk: Walk) -> str:
    """Return whose regrets a walk changes."""
    if len(walk.players) > 1:
        return "All players update at once; values are those of the player who moves"
    (player,) = walk.players
    others = " against the others' newest strategies" if explanation.alternating and player > 0 else ""
    return f"Player {player} updates{others}; values are those of player {player}"


def legend(explanation: ExplainedIteration) -> dict[str, str]:
    """Return what each column says."""
    texts = {column: _LEGEND[column] for column in columns(explanation)}
    scheme = find_sampling(explanation.sampling)
    if not scheme.full_width:
        texts["weight"] += ", divided by the probability that a sample comes here"
    if scheme.definition.own != "all":
        untried = "0" if scheme.baseline is None else "its baseline"
        texts["regret"] = (
            f"how much better the action looks than the strategy: {untried} − value where it was not tried"
        )
    if any(len(walk.players) == 1 for walk in explanation.walks) and explanation.players > 1:
        texts["value"] = "payoff per game, for the player who updates (at the end: for each player)"
    return texts


def as_text(explanation: ExplainedIteration, width: int) -> str:
    """Return the explanation as text, at most so many characters wide where that is enough for the tree."""
    file = io.StringIO()
    if _fitted(explanation, width).width > width:  # a file is as wide as it takes
        width = _fitted(explanation, None).width
    console = Console(file=file, width=width, color_system=None, highlight=False, emoji=False)
    console.print(*renderables(explanation, width), sep="\n")
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def renderables(explanation: ExplainedIteration, width: int) -> list[RenderableType]:
    """Return what Rich prints, with the columns for which there is room."""
    shown, tree, numbers = fitted = _fitted(explanation, width)
    parts: list[RenderableType] = [Text(visible(headline(explanation)), "bold")]
    for walk in explanation.walks:
        parts.append(Text(f"\n{walk_title(explanation, walk)}\n"))
        table = Table(box=None, padding=(0, 0, 0, _GAP), show_edge=False)
        table.add_column("", no_wrap=True, max_width=max(_LEAST, min(tree, width - numbers) - _GAP))
        for column in shown:
            table.add_column(column, justify="right", no_wrap=True)
        for row in rows(explanation, walk):
            what = Text.assemble((row.guides, "dim"), (visible(row.what), "" if row.is_move else "bold"))
            table.add_row(what, *(row.cells.get(column, "") for column in shown))
        parts.append(table)
    texts = legend(explanation)
    words = Table.grid(padding=(0, 2, 0, 0))
    for column in shown:
        words.add_row(Text(column, "bold"), texts[column])
    parts += ["", words]
    left_out = [column for column in texts if column not in shown]
    if left_out:
        parts.append(Text(f"Left out for want of room: {', '.join(left_out)}. A wider terminal shows them."))
    if fitted.width > width:
        parts.append(Text("The tree is too wide, and was cut: a file or a pipe ('| less -S') gets all of it."))
    return parts


class _Fitted(NamedTuple):
    """The columns for which there is room, and how wide the tree and they are."""

    columns: list[str]
    tree: int
    numbers: int

    @property
    def width(self) -> int:
        return self.tree + self.numbers


def _fitted(explanation: ExplainedIteration, width: int | None) -> _Fitted:
    """Return the columns that fit, all of them without a width."""
    lines = [row for walk in explanation.walks for row in rows(explanation, walk)]
    tree = _GAP + max(cell_len(row.guides + visible(row.what)) for row in lines)
    widths = {
        column: _GAP + max(len(column), *(len(row.cells.get(column, "")) for row in lines))
        for column in columns(explanation)
    }
    if width is not None:
        widths = drop_columns(widths, _DROPPED, width - tree)
    return _Fitted(list(widths), tree, sum(widths.values()))


def as_markdown(explanation: ExplainedIteration) -> str:
    """Return the explanation in Markdown."""
    shown = columns(explanation)
    parts = [f"**{_in_markdown(headline(explanation))}**"]
    for walk in explanation.walks:
        parts.append(f"{_in_markdown(walk_title(explanation, walk))}.")
        lines = [["history", "", *shown], ["---", "---", *("---:" for _ in shown)]]
        for row in rows(explanation, walk):
            what = _in_markdown(row.what)
            cells = (row.cells.get(column, "") for column in shown)
            lines.append([_in_markdown(row.history), what if row.is_move else f"**{what}**", *cells])
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    parts.append("\n".join(f"* {column}: {text}" for column, text in legend(explanation).items()))
    return "\n\n".join(parts) + "\n"


def _in_markdown(text: str) -> str:
    """Return a text as Markdown that shows it as it is."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"[\\`*|\[\]~$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", text)
