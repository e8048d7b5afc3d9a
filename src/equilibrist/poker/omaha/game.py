"""Omaha after the flop: two ranges of hands of four cards, a board, a pot, stacks and bet sizes, as a card game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ...errors import in_field
from ...game.locks import AnyLock
from ..cards.cards import CARDS, SUIT_PERMUTATIONS, parse_cards
from ..cards.hand_ranks import FULL_DECK, Strengths
from ..spot.betting_of_spot import (
    BetSettings,
    ShowdownShares,
    Spot,
    make_deal,
    takes_bet_settings,
)
from ..spot.settings import read_settings
from .hands import class_of, hand_names, strengths
from .lock_hands import FourCardHands
from .made_hands import MADE_HANDS, made_hands
from .ranges import OmahaRange, read_range


class Omaha(Spot):
    """Omaha after the flop: a hand has four cards, of which exactly two count, with exactly three of the board.

    Two players, out of position (OOP, player 0) and in position (IP, player 1), as in
    :class:`equilibrist.poker.Holdem`, from which betting, sizes and payoffs are; bets are limited by the
    pot unless ``pot_limit`` says otherwise.

    Parameters
    ----------
    board : str
        Three, four or five public cards: ``"Kh9s4d7c2h"``.
    oop, ip : str, or mapping
        The range of each player: hands such as ``AsAhKdQc``, ranks such as ``AAxx``, ``AKQJds`` or
        ``KQxxss`` (x is any card; ds double-suited, ss single-suited, r four suits), ``random`` or
        ``100%``, with a weight after a colon and commas between. Or a table with the key ``range``
        and sizes of this player's own.
    pot, stack, bets, flop, turn, river, add_all_in, force_all_in, merge, max_raises, min_bet, chip,
    rake, rake_cap, prizes, others, surplus
        As in :class:`equilibrist.poker.Holdem`; ``bets`` are half of the pot and the pot by default.
    add_lines, remove_lines, after
        As in :class:`equilibrist.poker.Holdem`.
    locks : sequence of Lock or of mappings
        As in :class:`equilibrist.poker.Holdem`; ``hands`` are a range, ``"AAxx,KK+"``, or a filter,
        ``"set"``.
    pot_limit : bool
        Whether no bet is larger than the pot, and no raise larger than the pot once the bet is
        called; a larger size becomes that one.

    Attributes
    ----------
    tree : BettingTree
        All lines of betting; ``print(game.tree)`` shows them, before anything is solved.
    ranges : pair of OmahaRange
        The ranges, without hands that the board blocks.
    pot : float or None
        Chips in the middle at the first decision; None with prizes.
    locks : tuple of Lock
        Strategies that are fixed; others may be set before the spot is solved.
    deal, hands, cards, board, streets, symmetries
        As in :class:`equilibrist.CardGame`.

    Raises
    ------
    GameError
        A value is not allowed; the message names it and says what is.

    Examples
    --------
    >>> game = Omaha("Kh9s4d7c2h", "KK77,KxQJds", "99xxss,7744:0.5", pot=100, stack=250)
    >>> [len(hands) for hands in game.hands], game.hands[0][-1], len(game.tree.nodes)
    ([276, 1844], 'AdKdQsJs', 27)
    >>> print(game)
    omaha(board='Kh9s4d7c2h', oop='KK77,KQJxds', ip='99xxss,7744:0.5', pot=100, stack=250)
    """

    name = "omaha"
    title = "Omaha"
    deck = FULL_DECK
    hole_cards = 4
    has_grid = False
    ranges: tuple[OmahaRange, OmahaRange]
    example = "\"omaha(board='Kh9s4d7c2h', oop='AAxx,KKxxds', ip='random', pot=100, stack=200, bets='50%, 100%')\"."

    @takes_bet_settings(bets="50%, 100%; 100%")
    def __init__(
        self,
        board: str,
        oop: str | Mapping[str, Any],
        ip: str | Mapping[str, Any],
        *,
        locks: Iterable[AnyLock] = (),
        pot_limit: bool = True,
        **bet_settings: Unpack[BetSettings],
    ) -> None:
        values = {"board": board, "oop": oop, "ip": ip, **bet_settings, "pot_limit": pot_limit}
        with in_field("board"):
            self.board = parse_cards(board, "board", count=(3, 4, 5))

        def read(player: str, text: Any) -> tuple[str, OmahaRange]:
            player_range = read_range(text, self.board, player)
            return player_range.text, player_range

        self.settings, self.ranges = read_settings(values, read)
        self.cards: Sequence[str] = CARDS
        self.symmetries: NDArray[np.int64] = SUIT_PERMUTATIONS
        self.streets = (1,) * (5 - len(self.board))
        self._set_betting(self.settings)
        texts = [hand_range.text for hand_range in self.ranges]
        self.deal = make_deal(
            [hand_range.hands for hand_range in self.ranges],
            [hand_range.weights for hand_range in self.ranges],
            52,
            texts,
        )
        self.lock_hands = FourCardHands(self.ranges)
        self.locks = locks

    @cached_property
    def hands(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the hands of each player, such as ``AsAhKdQc``."""
        return hand_names(self.ranges[0].hands), hand_names(self.ranges[1].hands)

    def hand_of(self, cards: Sequence[int]) -> str:
        """Return the name of a hand of these cards."""
        return hand_names(np.sort([cards]))[0]

    def describe(self, hand: str, board: Sequence[int]) -> tuple[str, str]:
        """Return the class of a hand, ``AKQJds``, and what it makes of a board."""
        cards = np.sort([parse_cards(hand)])
        made = int(made_hands(board, cards)[0])
        return class_of(cards[0].tolist()), tuple(MADE_HANDS)[made]

    def strengths(self, boards: NDArray[np.int64]) -> tuple[Strengths, Strengths]:
        return strengths(boards, self.ranges[0].hands), strengths(boards, self.ranges[1].hands)

    def showdown_on(self, board: tuple[int, ...]) -> ShowdownShares:
        from ..spot.showdown import CheckedDownShares

        return CheckedDownShares(self, board)
