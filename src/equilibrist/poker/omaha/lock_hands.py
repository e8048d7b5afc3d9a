"""How locks name the hands of Omaha: as its ranges do, or by a filter of hands of four cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..cards.hand_filter import is_filter, read_filter
from ..cards.hand_ranks import FULL_DECK
from .filter_words import FOUR_CARDS, FourCardTable
from .hands import class_of, hand_names, rows_of
from .made_hands import draws, made_hands
from .ranges import OmahaRange, hands_of_token, range_tokens, read_range

_RANKS = 4  # characters of the ranks of a class


@dataclass(frozen=True)
class FourCardHands:
    """How locks name the hands of a spot of Omaha.

    Attributes
    ----------
    ranges : pair of OmahaRange
        The range of each player, without hands that the board blocks.
    ranges_read : dict of str by player and names
        Ranges that were read, each for the hands that it named: they are written as they were.
    """

    ranges: tuple[OmahaRange, OmahaRange]
    ranges_read: dict[tuple[int, tuple[str, ...]], str] = field(default_factory=dict, repr=False)

    def is_filter(self, text: str) -> bool:
        return is_filter(text, FOUR_CARDS)

    def match_range(self, text: str, player: int, seat: str) -> tuple[str, ...]:
        hands = self.ranges[player].hands
        rows = rows_of(hands)
        chosen = np.zeros(len(hands), bool)
        for token in range_tokens(text):
            of_player = hands_of_token(token)[rows]
            if not of_player.any():
                raise GameError(f"{token} is not in the range of {seat} on this board.")
            chosen |= of_player
        names = tuple(hand_names(hands[chosen]))
        self.ranges_read[player, names] = read_range(text).text
        return names

    def match_filter(self, text: str, player: int, board: tuple[int, ...]) -> tuple[str, ...]:
        held = self.ranges[player]
        is_possible = ~np.isin(held.hands, board).any(axis=1)
        hands = held.hands[is_possible]
        made = made_hands(board, hands)
        table = FourCardTable(
            hands=hands,
            board=board,
            deck=FULL_DECK,
            weight=held.weights[is_possible],
            mix={},
            made=made,
            draw=draws(board, hands, made),
        )
        passes = read_filter(text, name="hands", hand_words=FOUR_CARDS).passes(table)
        return tuple(hand_names(hands[passes]))

    def write(self, names: Sequence[str], player: int) -> str:
        """Return a range that names these hands, by ranks and suits where all such hands of the player are there."""
        text = self.ranges_read.get((player, tuple(names)))
        if text is not None:
            return text
        hands = self.ranges[player].hands
        is_written = np.isin(hand_names(hands), list(names))
        classes = [class_of(hand) for hand in hands.tolist()]
        ranks_of_hands = [name[:_RANKS] for name in classes]
        tokens = []
        for ranks, of_ranks in _group(range(len(hands)), ranks_of_hands).items():
            if is_written[of_ranks].all():
                tokens.append(ranks)
                continue
            for name, of_class in _group(of_ranks.tolist(), classes).items():
                # A range has no word for three or four cards of a suit: their class is the ranks alone.
                if name != ranks and is_written[of_class].all():
                    tokens.append(name)
                else:
                    tokens += hand_names(hands[of_class[is_written[of_class]]])
        return ",".join(tokens)


def _group(places: Iterable[int], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Return places of hands by their names."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place in places:
        groups[names[place]].append(place)
    return {name: np.array(of_name) for name, of_name in groups.items()}
