"""Hands dealt at a line of a solved spot, as often as the strategy comes there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.text import shorten
from ...errors import GameError
from ...play.dealing import draw_index
from ...play.lines import MOST_TRIES, OFTEN, Start
from ..cards.cards import blocked, cards_text, parse_cards, parse_hand
from ..cards.ranges import Range
from ..spot.betting_tree import PLAYERS
from .spots import SolvedSpot


class SpotLine:
    """A decision of a hold'em spot at which hands are dealt, with the ranges that come there.

    ``line`` has the actions before, ``"X-B120-C | X"``, and ``board`` all public cards there; by
    default they are dealt as well. ``hands`` is the range that is dealt to who decides, by default
    all. It is an error if nobody comes there.
    """

    often = OFTEN

    def __init__(
        self,
        spot: SolvedSpot,
        line: str,
        *,
        board: str | None = None,
        hands: str | None = None,
        tries: int = MOST_TRIES,
    ) -> None:
        self._tries = tries
        self._spot = spot
        tree = spot.game.tree
        node = tree.nodes[tree.find(line)]
        self.seat = node.player
        self.name = node.line.strip(" |") or "the first decision"
        later = node.street - tree.rules.street
        self._drawn = later if board is None else 0
        self._board, ranges = spot.reaching(line, board)
        # The street, counted from the first, the node and the action of each step of the line:
        self._path = [
            (node.street - tree.rules.street, node, node.actions[a]) for node, a in tree.path(line)
        ]
        weights = ranges[self.seat] * spot.form.mass_of_others(ranges, self.seat, self._board)
        if hands is not None:
            wanted = Range(hands, deck=spot.game.deck).weights
            weights = weights * [wanted[parse_hand(name)] for name in spot.game.hands[self.seat]]
        if not weights.sum() > 0:
            only = "" if hands is None else f" with {shorten(hands)}"
            raise GameError(
                f"Nobody comes to {self.name!r}{only} with this strategy; choose another line.",
                wrong_use=True,
            )
        self._own = weights
        self._others = ranges[1 - self.seat]
        self._other_numbers = [parse_hand(name) for name in spot.game.hands[1 - self.seat]]

    def deal(self, source: random.Random) -> Start:
        """Return the beginning of a hand that leads to the line.

        Hands are drawn with the ranges that come there on the board that is known; the cards that
        are not are dealt, and the deal is taken with the probability of the actions after them,
        else repeated.
        """
        for _ in range(self._tries):
            hands = self._draw_pair(source)
            cards = list(self._board)
            names = self._spot.game.cards
            held = {*cards, *(card for hand in hands for card in parse_cards(hand, names=names))}
            unseen = [card for card in range(len(names)) if card not in held]
            cards += source.sample(unseen, self._drawn)
            chance = self._chance_of_line(hands, cards) * self._chance_of_cards(hands, cards)
            if source.random() < chance:
                return Start(self.seat, (*hands, *self._move_names(cards)))
        raise GameError(
            f"{self.name!r} was not met in {self._tries:,} deals; choose a board, or another line.",
            wrong_use=True,
        )

    def _draw_pair(self, source: random.Random) -> tuple[str, str]:
        names = self._spot.game.hands
        hand = names[self.seat][draw_index(source, self._own.tolist())]
        weights_apart = np.where(blocked(parse_cards(hand))[self._other_numbers], 0.0, self._others)
        folded = self._spot.game.deal.folded
        if folded is not None:
            held = self._hand_cards(self.seat, hand)
            others = np.array(self._spot.game.deal.hands[1 - self.seat])
            weights_apart = weights_apart * folded.pair_chances(held, others, self._board)[0]
        other = names[1 - self.seat][draw_index(source, weights_apart.tolist())]
        if self.seat == 0:
            return (hand, other)
        return (other, hand)

    def _hand_cards(self, player: int, hand: str) -> NDArray[np.int64]:
        """Return the cards of a hand by its name, shape (1, cards)."""
        number = list(self._spot.game.hands[player]).index(hand)
        return np.array([self._spot.game.deal.hands[player][number]])

    def _chance_of_cards(self, hands: tuple[str, str], cards: Sequence[int]) -> float:
        """Return how likely cards are that were drawn from all unseen ones, as those who folded may hold them.

        As a part of what it would be if none of them could.
        """
        folded = self._spot.game.deal.folded
        if folded is None or not self._drawn:
            return 1.0
        first = self._hand_cards(0, hands[0])
        second = self._hand_cards(1, hands[1])
        before = folded.pair_chances(first, second, self._board)
        after = folded.pair_chances(first, second, cards)
        return float(after[0, 0] / before[0, 0])

    def _chance_of_line(self, hands: tuple[str, str], cards: Sequence[int]) -> float:
        """Return the probability of the actions on the streets whose cards were not known."""
        first = len(self._spot.game.board)
        chance = 1.0
        for street, node, action in self._path:
            if self._drawn and street > 0:
                board = cards_text(cards[: first + street], self._spot.game.cards)
                chance *= float(
                    self._spot.mix(node.line, board, hands[node.player])[node.actions.index(action)]
                )
        return chance

    def _move_names(self, cards: Sequence[int]) -> Iterator[str]:
        """Yield the names of the moves after the deal: the actions of the line, and the cards between streets."""
        names = self._spot.game.cards
        num_shown = len(self._spot.game.board)
        for street, _, action in self._path:
            while num_shown < len(self._spot.game.board) + street:
                yield names[cards[num_shown]]
                num_shown += 1
            yield action
        for card in cards[num_shown:]:
            yield names[card]


def lines_of_spot(spot: SolvedSpot, pattern: str) -> list[list[str]]:
    """Return by street the lines of a spot that fit a pattern, after which somebody decides as the strategy says."""
    tree = spot.game.tree
    streets: dict[int, list[str]] = {}
    for node in tree.nodes:
        line = node.line.strip(" |")
        if (
            node.player >= 0
            and node.street - tree.rules.street < spot.streets
            and fnmatchcase(line, pattern)
        ):
            streets.setdefault(node.street, []).append(line)
    if not streets:
        raise GameError(
            f"No line of the spot fits {pattern!r}; '*' stands for any text, '?' for one "
            "character.",
            wrong_use=True,
        )
    return list(streets.values())


def lines_to_train(spot: SolvedSpot) -> list[dict[str, Any]]:
    """Return the lines of a spot of hold'em after which somebody decides; those of the first street by their reach."""
    tree = spot.game.tree
    lines = []
    first = tree.rules.street
    whole = spot.line_reach("")
    for node in tree.nodes:
        if node.player >= 0 and node.street - first < spot.streets:
            if node.street == first:
                reach = spot.line_reach(node.line) / whole
            else:
                reach = None
            place = {"line": node.line.strip(" |"), "seat": node.player, "actions": node.actions}
            lines.append(
                {**place, "street": node.street, "reach": reach, "position": PLAYERS[node.player]}
            )
    return sorted(
        lines, key=lambda place: (place["street"], -(place["reach"] or 0.0), len(place["line"]))
    )
