"""Luck taken out of hands of a spot that is too large to be written out: AIVAT by values of pairs of hands.

With σ the baseline, q(I, a) what an action is worth to who takes it, given both hands and σ
afterwards, and V the value of σ, all corrections of :mod:`equilibrist.play.variance` add up to

    payoff + luck = V + Σ over decisions of Σ_a (p(a) - σ(a)) q(I, a),

where p is the strategy of the player where it is known, else 1 for the action that was taken.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._util.arrays import Floats
from ...errors import GameError
from ...form.cards.build import compile_cards
from ...form.cards.subgame import Subgame, part_weights_of
from ...game.card_places import Cards
from ...game.card_subgame import CardSubgame
from ...game.protocol import CHANCE
from ...play.hand import Move
from .infoset_names import split_infoset
from .spots import SolvedSpot

MOST_SLOTS = (
    50_000_000  # of the spot with all boards by themselves, as values of single hands need them
)


class SpotLuck:
    """Luck in hands of a spot, seen by a baseline.

    Parameters
    ----------
    spot : SolvedSpot
        The spot with the baseline strategy of both players.
    is_known : sequence of bool
        Of which players the strategy is known.

    Raises
    ------
    GameError
        The payoffs do not sum to a constant, or the spot is too large.
    """

    def __init__(self, spot: SolvedSpot, is_known: Sequence[bool]) -> None:
        form = spot.form
        if not form.zero_sum:
            raise GameError(
                f"AIVAT needs payoffs that sum to a constant in a spot of this size; {form.name} "
                "has a rake or prizes: leave them out.",
                wrong_use=True,
            )
        self.spot = spot
        self.is_known = is_known
        self.value = form.values(spot.weights, weights=True).value
        self._parts: dict[tuple[str, Cards], Subgame] = {}
        self._values: dict[tuple[str, Cards, int, int], Floats] = {}

    def of_hand(self, moves: Sequence[Move], payoffs: Sequence[float], *, begun: int = 0) -> Floats:
        """Return what is to be added to the payoffs of a hand, from move ``begun`` on, shape (players,)."""
        game = self.spot.game
        estimate = self.value[0]
        hands = [game.hands[player].index(moves[player].action) for player in range(2)]
        for number, move in enumerate(moves):
            if move.player == CHANCE or number < begun:
                continue
            player = move.player
            (_, board, line) = split_infoset(move.infoset)
            baseline = self.spot.mix(line, board, game.hands[player][hands[player]])
            played = np.eye(len(baseline))[move.taken]
            if self.is_known[player] and move.probabilities is not None:
                played = np.asarray(move.probabilities)
            if number != begun and (played == baseline).all():
                continue
            worth = self._action_values(player, line, board, hands)
            if number == begun:  # else it is the deal, which comes first
                estimate = float(baseline @ worth)
                if player != 0:
                    estimate = sum(self.value) - estimate
            gain = float((played - baseline) @ worth)
            estimate += gain if player == 0 else -gain
        luck: Floats = np.array([estimate, sum(self.value) - estimate]) - np.asarray(payoffs)
        return luck

    def _action_values(self, player: int, line: str, board: str, hands: Sequence[int]) -> Floats:
        """Return what each action at a decision is worth to the player, given both hands."""
        cards, _ = self.spot.reaching(line, board)
        key = (line, cards, player, hands[1 - player])
        if key not in self._values:
            part = self._find_part(line, cards)
            ranges = np.ones(len(self.spot.game.hands[0])), np.ones(len(self.spot.game.hands[1]))
            ranges[1 - player][:] = 0.0
            ranges[1 - player][hands[1 - player]] = 1.0
            node = next(node for node in part.form.betting.streets[0].decisions if not node.line)
            first = node.first
            count = len(node.actions)
            rows = part.values(ranges).value[player][first : first + count]
            self._values[key] = rows + part.shift[player]
        return np.asarray(self._values[key][:, hands[player]])

    def _find_part(self, line: str, cards: Cards) -> Subgame:
        """Return what follows on a decision, with all boards by themselves, as one hand is not like another.

        It begins there, so that values do not count how often the other comes there, which may be
        never.
        """
        if (line, cards) not in self._parts:
            form = self.spot.form
            form_below = compile_cards(
                CardSubgame(form.game, self.spot.game.tree.find(line), cards)
            )
            if form_below.length > MOST_SLOTS:
                raise GameError(
                    f"AIVAT needs {form_below.length:,} slots for single hands of {form.name}, and "
                    f"takes up to {MOST_SLOTS:,}: play without it, or narrower ranges.",
                    wrong_use=True,
                )
            line_before = line and line + (" " if line.endswith("|") else "-")
            street = len(cards) - len(form.game.board)
            self._parts[line, cards] = Subgame(
                form_below,
                part_weights_of(form_below, form, self.spot.weights, line_before, street),
            )
        return self._parts[line, cards]
