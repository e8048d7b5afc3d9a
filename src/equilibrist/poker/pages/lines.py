"""Places of a solved spot as the page walks them: decisions, cards to come, and ends, with the way that leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...game.protocol import CHANCE
from ...web.respond import Fields, RequestError
from ..cards.cards import cards_text, parse_cards
from ..spot.bet_sizes import STREETS
from ..spot.betting_tree import BettingNode
from ..spot.lines import action_words, extend_line, match_action, split_line

if TYPE_CHECKING:
    from ..solved.spots import SolvedSpot


class Walk:
    """A line of a spot, followed as far as the cards that are given lead.

    ``board`` has all public cards, or those dealt since the start; none where the last street of
    the line is still to be dealt. The walk ends at ``node``, whose ``kind`` is "decision", "end",
    or "deal" where a card is dealt that is not given. ``steps`` are the decisions on the way with
    the actions taken, and the cards dealt.
    """

    def __init__(self, spot: SolvedSpot, line: str, board: str) -> None:
        self.spot = spot
        self._nodes = spot.game.tree.nodes
        self._cards = list(spot.game.board)
        self._names = spot.game.cards
        self._left = list(self._later_cards(board))
        self.steps: list[dict[str, Any]] = []
        self.line = ""
        index = 0
        tokens = split_line(line)
        for number, token in enumerate(tokens):
            index = self._deal_cards(index)
            node = self._nodes[index]
            if node.player == CHANCE:
                street = STREETS[node.street + 1]
                raise RequestError(
                    f"board: the {street} is dealt before {token!r} in the line {line!r}; give "
                    "its card.",
                    field="board",
                )
            action = match_action(node.line, node.actions, (line, tokens[number:]))
            self.steps.append(self._decision(node, action))
            self.line = extend_line(self.line, action)
            index = node.children[node.actions.index(action)]
        index = self._deal_cards(index)
        self.node = self._nodes[index]
        if self._left:
            raise RequestError(
                f"board: {cards_text(self._left, self._names)} is not dealt after the line "
                f"{line!r}; leave it out.",
                field="board",
            )
        self.board = self._cards_text()
        if self.node.player >= 0:
            self.kind = "decision"
        elif self.node.player == CHANCE:
            self.kind = "deal"
        else:
            self.kind = "end"

    def _cards_text(self) -> str:
        return cards_text(self._cards, self._names)

    def _later_cards(self, board: str) -> tuple[int, ...]:
        start = self.spot.game.board
        if board.strip():
            cards = parse_cards(board, "board", names=self._names)
        else:
            cards = ()
        if set(cards[: len(start)]) == set(start):
            cards_dealt = cards[len(start) :]
        else:
            cards_dealt = cards
        if set(cards_dealt) & set(start) or len(set(cards_dealt)) < len(cards_dealt):
            raise RequestError(f"board: a card is there twice in {board!r}.", field="board")
        return cards_dealt

    def _deal_cards(self, index: int) -> int:
        """Return the node after the cards that are dealt there, as far as they are given or nobody decides any more."""
        while self._nodes[index].player == CHANCE:
            next_index = self.spot.game.tree.after_cards(index)
            if self._nodes[next_index].player < 0:
                return next_index
            if not self._left:
                return index
            card = self._left.pop(0)
            self._cards.append(card)
            index = self._nodes[index].children[0]
            street = STREETS[self._nodes[index].street]
            self.steps.append(
                {
                    "kind": "deal",
                    "street": street,
                    "card": self._names[card],
                    "board": self._cards_text(),
                }
            )
            self.line = f"{self.line} |"
        return index

    def _decision(self, node: BettingNode, action: str) -> dict[str, Any]:
        return {
            "kind": "decision",
            "line": self.line.strip(" |"),
            "board": self._cards_text(),
            "street": STREETS[node.street],
            "player": node.player,
            "pot": self.spot.game.tree.rules.pot + sum(node.paid),
            "actions": self.actions(node),
            "chosen": action,
        }

    def actions(self, node: BettingNode) -> list[dict[str, Any]]:
        return [
            {"action": action, "words": action_words(action), **self._action_row(child)}
            for action, child in zip(node.actions, node.children, strict=True)
        ]

    def _action_row(self, child: int) -> dict[str, Any]:
        node = self._nodes[self.spot.game.tree.after_cards(child)]
        if node.player < 0:
            return {"next": "end", "result": self.spot.game.tree.result(node)}
        if self._nodes[child].player == CHANCE:
            return {"next": "deal", "street": STREETS[node.street]}
        return {"next": "decision", "player": node.player}

    def summary(self) -> dict[str, Any]:
        node = self.node
        game = self.spot.game
        rules = game.tree.rules
        summary: dict[str, Any] = {
            "kind": self.kind,
            "line": self.line.strip(" |"),
            "board": self.board,
            "street": STREETS[node.street],
            "pot": rules.pot + sum(node.paid),
            "stacks": [
                stack - paid for stack, paid in zip(game.tree.stacks, node.paid, strict=True)
            ],
            "steps": self.steps,
        }
        if self.kind == "end":
            summary["result"] = game.tree.result(node)
        elif self.kind == "deal":
            summary["next_street"] = STREETS[node.street + 1]
        else:
            summary["to_call"] = max(node.paid) - node.paid[node.player]
            summary["next"] = self.actions(node)
        return summary


def walk_along(spot: SolvedSpot, fields: Fields) -> Walk:
    """Return the walk to which the fields ``line`` and ``board`` lead."""
    return Walk(spot, fields.text("line", ""), fields.text("board", ""))


def walk_to_decision(spot: SolvedSpot, fields: Fields) -> Walk:
    """Return the walk to a decision that the fields ``line`` and ``board`` lead to, or refuse them."""
    walk = walk_along(spot, fields)
    if walk.kind != "decision":
        raise RequestError(
            f"line: nobody decides after {walk.line!r}; give a line that leads to a decision.",
            field="line",
        )
    return walk
