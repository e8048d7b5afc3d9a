"""What is told of spots and charts before they are solved: in the process that estimates."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from ...errors import GameError
from ...games.registry import CARD_GAMES
from ..omaha.game import Omaha
from ..preflop.charts import push_fold_charts
from ..spot.betting_of_spot import Spot
from ..spot.betting_tree import BettingTree
from ..spot.game import Holdem

_MOST_ROWS = 400  # of a betting tree, at once
_WORDS = {
    "board": "a board",
    "oop": "OOP's range",
    "ip": "IP's range",
    "pot": "a pot",
    "stack": "a stack",
}


def estimate_charts(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of charts of push or fold, for keywords of :func:`equilibrist.poker.push_fold_charts`."""
    chart = push_fold_charts(**keywords)
    tables = {action: table.tolist() for action, table in chart.tables.items()}
    return {
        "stacks": chart.stacks.tolist(),
        "tables": tables,
        "exploitability": chart.exploitability.tolist(),
    }


def make_spot(settings: Mapping[str, Any]) -> Holdem | Omaha:
    """Return the spot of settings, of Omaha where ``game`` says so; the first that is unknown or lacks is named in the
    error.
    """
    game_class = _find_class(settings.get("game", Holdem.name))
    settings = {key: value for key, value in settings.items() if key != "game"}
    parameters = signature(game_class).parameters
    for key in settings:
        if key not in parameters:
            raise GameError(f"A spot has no setting {key!r}.", wrong_use=True, field=key)
    for key in ("board", "oop", "ip", "pot", "stack"):
        if settings.get(key) in (None, ""):
            raise GameError(f"The spot lacks {_WORDS.get(key, key)}.", wrong_use=True, field=key)
    return game_class(**settings)


def _find_class(name: object) -> type[Holdem] | type[Omaha]:
    """Return the class of a game that settings name."""
    if not isinstance(name, str) or name not in CARD_GAMES:
        raise GameError(
            f"game must be {' or '.join(map(repr, CARD_GAMES))}; got {name!r}.",
            wrong_use=True,
            field="game",
        )
    game_class: type[Holdem] | type[Omaha] = CARD_GAMES[name]
    return game_class


def whole_settings(game: Spot) -> dict[str, Any]:
    """Return the settings of a spot with its game, as a spot file has it: only where it is not hold'em."""
    if game.name == Holdem.name:
        return game.settings
    return {"game": game.name, **game.settings}


def describe_spot(game: Spot, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, hands and betting tree of a spot, whose rows begin at the ``line`` of a request."""
    tree = game.tree
    return {
        "settings": whole_settings(game),
        "hands": [len(hands) for hands in game.hands],
        "combos": [weights.combos for weights in game.ranges],
        "counts": tree.counts(),
        "nodes": len(tree.nodes),
        "changes": [change._asdict() for change in tree.changes[:_MOST_ROWS]],
        "change_rows": tree.change_rows(),
        "rows": tree_rows(tree, request.get("line", "")),
    }


def tree_rows(tree: BettingTree, line: str) -> list[dict[str, Any]]:
    """Return the rows of a betting tree below a line, to the end of its street."""
    rows: list[dict[str, Any]] = []

    def row(index: int, action: str, depth: int, street: int) -> None:
        node = tree.nodes[tree.after_cards(index)]
        is_later_street = node.street > street
        rows.append(
            {
                "line": node.line,
                "action": action,
                "depth": depth,
                "street": ("flop", "turn", "river")[node.street],
                "player": node.player,
                "folded": node.folded,
                "pot": tree.rules.pot + sum(node.paid),
                "left": [tree.rules.stack - paid for paid in node.paid],
                "more": is_later_street and node.player >= 0,
            }
        )
        if is_later_street or len(rows) > _MOST_ROWS:
            return
        for name, child in zip(node.actions, node.children, strict=True):
            row(child, name, depth + 1, street)

    top = tree.find(line)
    row(top, "", 0, tree.nodes[top].street)
    return rows
