"""An iteration as data: the histories that it visited, and the infosets that it updated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from ..._util.display import Display
from ...game.action_names import same_action
from ...game.protocol import CHANCE, TERMINAL
from ...strategy.tables import Tabular

if TYPE_CHECKING:
    import pyarrow

Key = tuple[int, str]


class Move(NamedTuple):
    """One action, or one outcome of chance, at a history.

    Attributes
    ----------
    action : str
    probability : float
        With which it is played, or dealt.
    visited : bool
        Whether the iteration went there.
    value : tuple of float or None
        Of the history after it to each player, as far as the walk knows: payoff per game.
    regret : float or None
        How much better than the history's value the action is for the mover, payoff per game; where
        moves of the mover are drawn, an estimate; None where the mover is not updated.
    cf_regret : float or None
        Weight × regret, what this adds to the mover's instant regret: payoff × probability.
    """

    action: str
    probability: float
    visited: bool
    value: tuple[float | None, ...]
    regret: float | None
    cf_regret: float | None


class Node(NamedTuple):
    """One history.

    Attributes
    ----------
    history : tuple of str
        The moves that lead here.
    player : int
        Who moves; CHANCE or TERMINAL.
    infoset : str or None
    reach : tuple of float
        The probability that each player's own moves lead here.
    chance_reach : float
    weight : float or None
        What a value here counts in the mover's regrets: the reach of the others and of chance,
        divided by the probability with which a sample came here; None where the mover is not
        updated.
    value : tuple of float or None
        To each player (with sampling: an estimate); None where the walk does not know.
    cf_value : float or None
        Weight × value of the player to move.
    moves : tuple of Move
        All; none at the end.
    """

    history: tuple[str, ...]
    player: int
    infoset: str | None
    reach: tuple[float, ...]
    chance_reach: float
    weight: float | None
    value: tuple[float | None, ...]
    cf_value: float | None
    moves: tuple[Move, ...]


class Update(NamedTuple):
    """What the iteration did at one infoset; each field but the first four has one number for each action."""

    player: int
    infoset: str
    actions: tuple[str, ...]
    # whether the iteration came there as the player was updated; else only a discount changes
    # anything
    visited: bool
    strategy: tuple[float, ...]  # as played in this iteration
    # summed over the histories of the infoset visited, payoff × probability
    instant_regret: tuple[float, ...]
    regret_sum_before: tuple[float, ...]
    regret_sum_discounted: tuple[float, ...]  # after the discount on entering this iteration
    regret_sum: tuple[float, ...]
    strategy_sum_before: tuple[float, ...]
    strategy_sum: tuple[float, ...]  # the average strategy has its shares
    average_strategy: tuple[float, ...]
    next_strategy: tuple[float, ...]


class Walk(NamedTuple):
    """One walk through the game: ``players`` are those whose regrets it changes, ``nodes`` go depth first."""

    players: tuple[int, ...]
    nodes: tuple[Node, ...]

    def visits(self) -> dict[Key, list[Node]]:
        """Return the histories at each infoset of the players updated."""
        nodes: dict[Key, list[Node]] = {}
        for node in self.nodes:
            if node.weight is not None:
                nodes.setdefault((node.player, node.infoset or ""), []).append(node)
        return nodes

    def children(self) -> tuple[list[dict[str, int]], list[int]]:
        """Return, for each node, which node comes after which move; and the nodes where a sample begins."""
        children: list[dict[str, int]] = [{} for _ in self.nodes]
        path: list[int] = []
        roots = []
        for i, node in enumerate(self.nodes):
            del path[len(node.history) :]
            if path:
                children[path[-1]][node.history[-1]] = i
            else:
                roots.append(i)
            path.append(i)
        return children, roots

    def past_chance(self, children: list[dict[str, int]], i: int) -> tuple[int, list[str], float]:
        """Return the first node from i on where several outcomes of chance follow, what was dealt, how probably."""
        outcomes: list[str] = []
        probability = 1.0
        while self.nodes[i].player == CHANCE and len(children[i]) == 1:
            ((outcome, child),) = children[i].items()
            probability *= next(
                move.probability for move in self.nodes[i].moves if move.action == outcome
            )
            outcomes.append(outcome)
            i = child
        return i, outcomes, probability


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedIteration(Tabular, Display):
    """One iteration of a CFR variant, number by number.

    The fields are those of :class:`~equilibrist.learn.explanation.explanation.Explanation`, which shows
    them.
    """

    game: str
    algorithm: str
    sampling: str
    iteration: int
    alternating: bool
    seed: int | None
    deals: tuple[str, ...]
    players: int
    discount: tuple[float, float, float]
    infosets: int
    walks: tuple[Walk, ...]
    updates: dict[Key, Update]

    def node(self, *history: str) -> Node:
        """Return the node with these moves, in the walk of the player who moves there.

        Moves may be abbreviated where they are no less clear, as ``"Q", "K", "p", "b"``.
        """
        nodes = [
            (walk, node)
            for walk in self.walks
            for node in walk.nodes
            if len(node.history) == len(history)
        ]
        matches = [(walk, node) for walk, node in nodes if node.history == history]
        if not matches:
            matches = [
                (walk, node) for walk, node in nodes if all(map(same_action, history, node.history))
            ]
            if len({node.history for _, node in matches}) > 1:
                raise KeyError(
                    f"the iteration came to several histories that {' '.join(history)!r} could name"
                )
        if not matches:
            raise KeyError(f"the iteration did not come to {' '.join(history)!r}")
        return next((node for walk, node in matches if node.player in walk.players), matches[0][1])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterate over all histories, a row for each action, as plain values: for a data frame, or JSON."""
        for number, walk in enumerate(self.walks):
            for node in walk.nodes:
                facts_of_node = {
                    "walk": number,
                    "history": " ".join(node.history),
                    "player": _WHO.get(node.player, node.player),
                    "infoset": node.infoset,
                    **{f"reach_{player}": reach for player, reach in enumerate(node.reach)},
                    "chance_reach": node.chance_reach,
                    "weight": node.weight,
                    **{f"value_{player}": value for player, value in enumerate(node.value)},
                    "cf_value": node.cf_value,
                }
                if node.weight is not None:
                    update = self.updates.get((node.player, node.infoset or ""))
                else:
                    update = None
                for a, move in enumerate(node.moves):
                    yield {
                        **facts_of_node,
                        "action": move.action,
                        "probability": move.probability,
                        "visited": move.visited,
                        **{
                            f"action_value_{player}": value
                            for player, value in enumerate(move.value)
                        },
                        "regret": move.regret,
                        "cf_regret": move.cf_regret,
                        **{
                            name: None if update is None else getattr(update, name)[a]
                            for name in _PER_ACTION
                        },
                    }
                if not node.moves:
                    values = [f"action_value_{player}" for player in range(self.players)]
                    of_a_move = (
                        "action",
                        "probability",
                        "visited",
                        *values,
                        "regret",
                        "cf_regret",
                        *_PER_ACTION,
                    )
                    yield {**facts_of_node, **dict.fromkeys(of_a_move)}

    def to_arrow(self) -> pyarrow.Table:
        """Return :meth:`rows` as an Arrow table; the player is a text, as ``"chance"`` and ``"end"`` are."""
        import pyarrow as pa

        return pa.Table.from_pylist([{**row, "player": str(row["player"])} for row in self.rows()])

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        special_fields = {"discount", "walks", "updates"}
        return {
            **{
                field.name: getattr(self, field.name)
                for field in fields(self)
                if field.name not in special_fields
            },
            "discount": dict(zip(("positive", "negative", "average"), self.discount, strict=True)),
            "updates": [update._asdict() for update in self.updates.values()],
            "walks": [
                {
                    "players": walk.players,
                    "nodes": [
                        {**node._asdict(), "moves": [move._asdict() for move in node.moves]}
                        for node in walk.nodes
                    ],
                }
                for walk in self.walks
            ],
        }


_WHO = {CHANCE: "chance", TERMINAL: "end"}
_PER_ACTION = Update._fields[4:]
