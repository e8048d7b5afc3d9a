"""The betting of a spot, as card games answer for it: what hold'em and Omaha have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import GameError, in_field
from ...game.card_game import Pair, ShowdownPayoffs
from ...game.deal import Deal
from .bet_sizes import number
from .betting import find_betting
from .betting_tree import PLAYERS, BettingTree
from .settings import betting_rules


def make_deal(
    hands: Sequence[Any], weights: Sequence[Any], deck: int, ranges: Sequence[Any]
) -> Deal:
    """Return the deal of the hands of two ranges, with cards of a deck of so many; an error names the ranges."""
    try:
        return Deal(hands, weights, cards=deck)
    except GameError:
        raise GameError(
            f"oop and ip: each hand of {ranges[0]} shares a card with each hand of {ranges[1]}, "
            "so that no two can be dealt; give other ranges.",
            wrong_use=True,
        ) from None


class BettingOfSpot:
    """A betting tree from a pot, stacks and sizes; a state of the game is the number of a node.

    Attributes
    ----------
    tree : BettingTree
        All lines of betting.
    pot : float
        Chips in the middle at the first decision.
    """

    tree: BettingTree

    def _set_betting(self, settings: dict[str, Any]) -> None:
        """Build the tree that canonical settings say, or find one that was built."""
        rules = betting_rules(settings)
        self.tree = find_betting(rules)
        if settings["after"] is not None:
            with in_field("after"):
                begin = self.tree.nodes[self.tree.find(settings["after"])]
                settings["after"], self.tree = begin.line.strip(" |"), self.tree.below(begin.line)
        self.betting_key = rules, settings["after"]
        self.pot = self.tree.pot

    def start(self) -> int:
        """Return the first node of the betting tree; a state of the game is the number of a node."""
        return 0

    def player(self, state: int) -> int:
        """Return whose move it is."""
        return self.tree.nodes[state].player

    def actions(self, state: int) -> Sequence[str]:
        """Return the actions, such as ``X``, ``B120``, ``C``, ``F``, ``R350`` and ``A900``."""
        return self.tree.nodes[state].actions

    def next(self, state: int, action: str | None) -> int:
        """Return the node after an action, or after the cards of the next street."""
        node = self.tree.nodes[state]
        return node.children[0 if action is None else node.actions.index(action)]

    def payoff(self, state: int) -> Pair | ShowdownPayoffs:
        """Return what both players receive at the end, less what they have put in since the start."""
        return self.tree.payoff(self.tree.nodes[state])

    def paid(self, state: int) -> Pair:
        """Return what both players have put in since the start."""
        return self.tree.put_in(self.tree.nodes[state])

    def line(self, state: int) -> str:
        """Return the actions that lead to a node: ``X-B120-C | B200``."""
        return self.tree.nodes[state].line

    def table(self, state: int, player: int) -> list[tuple[str, str]]:
        """Return what a player sees of the betting, as rows of label and text: the pot, what is to call, the stacks."""
        rules = self.tree.rules
        paid = self.tree.nodes[state].paid
        stacks_left = [rules.stack - chips for chips in paid]
        player_name = PLAYERS[player]
        other = PLAYERS[1 - player]
        return [
            ("pot", number(rules.pot + sum(paid))),
            ("to call", number(max(0.0, paid[1 - player] - paid[player]))),
            (
                "stacks",
                f"you ({player_name}) {number(stacks_left[player])}, {other} {number(stacks_left[1 - player])}",
            ),
        ]
