"""A game whose histories a program has told: plain data, which is checked like any game."""

from __future__ import annotations

from typing import Any

from ...errors import GameError
from ...game.protocol import CHANCE, TERMINAL
from .messages import Other, decode


class UnfoldedGame:
    """The game of a table of histories, as :func:`~.runner.unfold` makes it; a state is a row.

    Raises
    ------
    GameError
        The table is no such table, or has another number of players than two.
    """

    def __init__(self, table: dict[str, Any], *, name: str) -> None:
        self._name = name
        if table.get("players") != 2:
            raise GameError(f"{name}: expected two players, got {decode(table.get('players'))}.")
        self.players = 2
        nodes = table.get("nodes")
        if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
            raise GameError(f"{name}: the histories cannot be read.")
        self._nodes: list[dict[str, Any]] = nodes
        for number, node in enumerate(nodes):
            self._check(number, node)

    def __str__(self) -> str:
        return self._name

    def _check(self, number: int, node: dict[str, Any]) -> None:
        """Refuse a row whose moves lead nowhere, or back."""
        player = node.get("player")
        if not isinstance(player, int) or not TERMINAL <= player < self.players:
            decoded = decode(player)
            raise GameError(
                f"{self._name}: player(state) returns 0, 1, CHANCE ({CHANCE}) or TERMINAL "
                f"({TERMINAL}); got {decoded!r}."
            )
        actions = node.get("actions", [])
        first = node.get("first", number + 1)
        if not isinstance(actions, list) or not isinstance(first, int) or first <= number:
            raise GameError(f"{self._name}: the histories cannot be read.")

    def start(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return int(self._node(state)["player"])

    def actions(self, state: int) -> list[str]:
        return [str(action) for action in self._node(state)["actions"]]

    def probabilities(self, state: int) -> Any:
        return self._decode(state, "probabilities")

    def next(self, state: int, action: str) -> int:
        return int(self._node(state)["first"]) + self.actions(state).index(action)

    def payoffs(self, state: int) -> Any:
        return self._decode(state, "payoffs")

    def infoset(self, state: int) -> Any:
        infoset = self._decode(state, "infoset")
        if isinstance(infoset, Other):
            return str(infoset)
        return infoset

    def _node(self, state: int) -> dict[str, Any]:
        if state >= len(self._nodes):  # where the program has stopped telling
            raise GameError(
                f"{self._name} has more than {len(self._nodes) - 1:,} histories: make it smaller."
            )
        return self._nodes[state]

    def _decode(self, state: int, name: str) -> Any:
        try:
            return decode(self._node(state).get(name))
        except ValueError:
            raise GameError(f"{self._name}: what it says of its {name} cannot be read.") from None
