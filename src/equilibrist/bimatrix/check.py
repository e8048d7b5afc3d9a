"""Best responses in fractions to one strategy at a time: equilibria are checked by them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ..evaluation.rational import RationalGame, RationalStrategy


class Response(NamedTuple):
    """What a player can earn against a strategy of the other player.

    Attributes
    ----------
    worth : mapping of int to Fraction
        For each sequence of the player, the payoffs where play ends after it × the reach of chance
        and of the other player.
    best : Fraction
        What a best response earns; payoff per game.
    """

    worth: Mapping[int, Fraction]
    best: Fraction

    def earn(self, reach: Mapping[int, Fraction]) -> Fraction:
        """Return what a strategy of the player with this reach earns; payoff per game."""
        return sum((reach[sequence] * worth for sequence, worth in self.worth.items()), Fraction(0))


def find_reach(game: RationalGame, player: int, strategy: RationalStrategy) -> dict[int, Fraction]:
    """Return the probability that a player's strategy plays each sequence of the player."""
    reach = {player: Fraction(1)}
    for infoset in game.infosets:
        if infoset.player == player:
            row = strategy[player, infoset.key]
            for number, action in enumerate(infoset.actions):
                reach[infoset.first + number] = reach[infoset.parent] * row[action]
    return reach


def respond(game: RationalGame, player: int, reach: Mapping[int, Fraction]) -> Response:
    """Return what a player can earn against a strategy of the other player, given by its reach."""
    worth: dict[int, Fraction] = {}
    for end in game.ends:
        weight = end.weights[player]
        others_reach = reach[end.sequences[1 - player]]
        if weight and others_reach:
            sequence = end.sequences[player]
            worth[sequence] = worth.get(sequence, Fraction(0)) + weight * others_reach
    values = dict(worth)
    for infoset in reversed(game.infosets):
        if infoset.player == player:
            best = max(values.get(s, Fraction(0)) for s in range(infoset.first, infoset.end))
            values[infoset.parent] = values.get(infoset.parent, Fraction(0)) + best
    return Response(worth, values.get(player, Fraction(0)))
