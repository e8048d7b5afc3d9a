"""Hold'em after the flop: two ranges, a board, a pot, stacks and bet sizes, as a card game."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ...game.locks import AnyLock, Lock
from ..cards.cards import (
    CARDS,
    CLASS_OF_HAND,
    CLASSES,
    HAND_NAMES,
    HANDS,
    NUM_HANDS,
    SUIT_PERMUTATIONS,
    cards_text,
    hand_index,
    hand_name,
    parse_cards,
    parse_hand,
)
from ..cards.hand_ranks import DECKS, Strengths, strengths
from ..cards.made_hands import made_hand
from ..cards.ranges import Range
from .betting_of_spot import (
    BetSettings,
    ShowdownShares,
    Spot,
    make_deal,
    takes_bet_settings,
)
from .betting_tree import PLAYER_KEYS
from .locks import TwoCardHands
from .settings import OfFolded, OfPlayer, canonical_settings, fold_hands, read_folded


class Holdem(Spot):
    """Texas hold'em after the flop, or short deck: two ranges, a board, a pot and stacks.

    Two players, out of position (OOP, player 0) and in position (IP, player 1); OOP acts first on
    each street. The payoff is what a player receives at the end less what this player has put in
    since the start, so that without rake both payoffs sum to the pot. With ``prizes`` it is what the
    player's whole stack is then worth.

    Sizes are written ``"bets; raises; donk bets"``, each a list with commas:

    * ``50%``: of the pot; a raise of 50% is "call, then 50% of the pot after the call"
    * ``2.5x``: a raise to 2.5 times the bet
    * ``100c``: chips; a raise of 100c is "call, then 100 chips"
    * ``e``, ``2e``: geometric: the share of the pot that, bet and called once on each street left
      (or twice), is all-in
    * ``2e200%``: the same, but at most 200% of the pot
    * ``a``: all-in

    A donk bet is OOP's bet on a street after calling on the street before; where no size of one is
    given, those of other bets are used, and ``none`` means no such bet. What is left empty (``";
    3x"``) stays as it was. Sizes of streets that are over have no effect.

    Parameters
    ----------
    board : str
        Three, four or five public cards: ``"QsJh2h"``, ``"Qs Jh 2h"``.
    oop, ip : str, Range, array-like of float with shape (1326,), or mapping
        The range of each player, such as ``"66+,A8s+,KQo:0.5,AhKh"``. Or a table with the key
        ``range`` and sizes of this player's own: ``{"range": "66+", "bets": "33%; 3x", "river":
        {"donk": "50%"}}``.
    pot : float
        Chips in the middle at the start.
    stack : float
        Chips that each player has left at the start: of unequal stacks the smaller one.
    bets : str
        Sizes of both players on all streets.
    flop, turn, river : str or mapping, optional
        Sizes of both players on one street, for ``bets``: ``"33%, 75%; 3x"`` or ``{"raise": "3x,
        a"}``. Those in the table of a player replace them in turn.
    add_all_in : float, optional
        Add all-in wherever it is at most this share of the pot (of the pot after the call, for
        raises): 1.5 is 150%.
    force_all_in : float, optional
        Go all-in instead, if after the call the stack left would be at most this share of the pot.
        0.15 is usual.
    merge : float, optional
        From the largest size down, drop sizes y where (1 + x) / (1 + y) is at most 1 + ``merge``
        for a size x that is kept, both as shares of the pot. 0.1 is usual. :attr:`tree` says what
        was merged where.
    max_raises : int, optional
        The most raises on a street; a bet is none.
    min_bet : float, optional
        The least bet, and the least difference of a raise: the big blind. By default one ``chip``.
    chip : float, optional
        What bets are rounded to; 0 rounds nothing. By default 1 if pot and stack are whole numbers,
        else 0.01, and 0 where one of them is less than that. To count a spot in another unit,
        multiply it as well.
    rake : float
        The share of the pot that the house takes, 0.05 is 5%; an uncalled bet is returned before.
    rake_cap : float, optional
        The most that the house takes, chips.
    prizes : sequence of float
        Prizes of the first place, the second, …, of a tournament: payoffs are then not chips, but
        what a player's stack is worth at the end of the hand by :func:`equilibrist.poker.icm`.
        There is no rake then.
    others : sequence of float
        Chips of each player of the tournament who is not in the hand.
    surplus : pair of float
        With prizes: chips that OOP and IP have beyond ``stack``, such as ``[0, 50]``; one of them
        has none. They are never at stake, but are worth prizes.
    add_lines, remove_lines : sequence of str
        Lines to add to the betting tree, or to cut off with all that follows: ``["X-B120-R500",
        "B50-C | X-B90"]``.
    after : str, optional
        Begin after these actions, ``"X-B120-C | X"``: pot, stack and sizes are those before them,
        board and ranges those after them; what was put in before is in the pot, and payoffs are
        counted from here.
    locks : sequence of Lock or of mappings
        Decisions at which a strategy is fixed: ``[{"line": "X-B100", "strategy": {"F": 0.3, "C":
        0.7}}]``, with ``"hands": "AA,AKs"`` for these hands alone, and with ``"board": "QsJh2h7c"``
        on the boards alone that begin so. Probabilities may be written ``"30%"``, all-in without
        its chips.
    folded : sequence of str, Range or array-like
        The range of each player who folded before the board was dealt, at most seven: the hands that
        this player would have folded. What they hold is no more in the deck, nor in the hands of
        both.
    deck : {"full", "short", "short, trips beat straights"}
        All 52 cards, or short deck (six plus): the 36 from the sixes up, where a flush beats a full
        house, A-6-7-8-9 is the lowest straight, and three of a kind loses to a straight, or beats
        it.

    Attributes
    ----------
    tree : BettingTree
        All lines of betting; ``print(game.tree)`` shows them, before anything is solved.
    ranges : pair of Range
        The ranges, without hands that the board blocks.
    pot : float or None
        Chips in the middle at the first decision; None with prizes, which are no share of them.
    in_chips : bool
        Whether payoffs are chips; else they are prizes.
    locks : tuple of Lock
        Strategies that are fixed; others may be set before the spot is solved.
    deal, hands, cards, board, streets, symmetries
        As in :class:`equilibrist.CardGame`: cards are numbered from the lowest of the deck on.

    Raises
    ------
    GameError
        A value is not allowed; the message names it and says what is.

    Notes
    -----
    At each decision: the sizes in chips, rounded; all-in, if ``add_all_in`` says so; not below the
    least bet or raise nor above the stack; all-in for what ``force_all_in`` says; sorted, each
    once; merged; then the lines added and removed. The least raise is by as much as the last bet or
    raise, or all-in. After an all-in and a call, cards are only dealt. Shares of the pot that
    thresholds name are rounded to chips as bets are, and with whole chips trees have the node
    counts of postflop-solver, save where a share is half a chip: it is rounded up here, and there
    as the rounding of floats has it.

    Examples
    --------
    >>> game = Holdem("Td9d6h Qc 2s", "66+,A8s+", "QQ-22,ATo+", pot=200, stack=900, bets="50%, a; 60%, a")
    >>> len(game.hands[0]), game.hands[0][-1], len(game.tree.nodes)
    (63, 'AsAh', 45)
    >>> print(game)
    holdem(board='Td9d6hQc2s', oop='66+,A8s+', ip='QQ-22,ATo+', pot=200, stack=900, bets='50%, a; 60%, a')
    """

    name = "holdem"
    title = "Hold'em"
    hole_cards = 2
    has_grid = True
    ranges: tuple[Range, Range]
    example = (
        "\"holdem(board='QsJh2h', oop='QQ+,AKs', ip='JJ-99,AQs', pot=50, stack=200, bets='50%')\". 'equilibrist spot' "
        'shows a spot before it is solved, and writes it to a file with --out; the page "Hold\'em" of the '
        "documentation says what else there is."
    )

    def __new__(cls, *arguments: Any, **settings: Any) -> Any:
        """Return a spot of two ranges, or of three where ``ranges`` are given, with prizes or without."""
        if "ranges" in settings:
            spot_class = cls.choose_class(settings)
            parameters = inspect.signature(spot_class).parameters
            for name in settings.keys() - parameters.keys():
                raise GameError(
                    f"{spot_class.title} has no {name}; it takes {', '.join(parameters)}. A spot of "
                    "two has oop and ip in the place of ranges.",
                    wrong_use=True,
                    field=name,
                )
            return spot_class(*arguments, **settings)
        return super().__new__(cls)

    @staticmethod
    def choose_class(settings: Collection[str]) -> type[Any]:
        """Return the class of a spot with these settings: another one for ``ranges``, and for these with prizes."""
        if "ranges" in settings and "prizes" in settings:
            from .three_prizes import ThreePrizes

            return ThreePrizes
        if "ranges" in settings:
            from .three_ranges import ThreeRanges

            return ThreeRanges
        return Holdem

    @takes_bet_settings(bets="50%, a; a")
    def __init__(
        self,
        board: str,
        oop: OfPlayer,
        ip: OfPlayer,
        *,
        locks: Iterable[AnyLock] = (),
        folded: Sequence[OfFolded] = (),
        deck: str = "full",
        **bet_settings: Unpack[BetSettings],
    ) -> None:
        self.settings, self.ranges = canonical_settings(
            board=board, oop=oop, ip=ip, **bet_settings, folded=folded, deck=deck
        )
        self.deck = DECKS[self.settings["deck"]]
        self.cards: Sequence[str] = CARDS[self.deck.first :]
        self.symmetries: NDArray[np.int64] = (
            SUIT_PERMUTATIONS[:, self.deck.first :] - self.deck.first
        )
        self.board = parse_cards(self.settings["board"], names=self.cards)
        self.streets = (1,) * (5 - len(self.board))
        self._set_betting(self.settings)
        rows = [np.flatnonzero(player_range.weights) for player_range in self.ranges]
        names = [[HAND_NAMES[row] for row in player_rows.tolist()] for player_rows in rows]
        self._hands = (names[0], names[1])
        self._cards = [HANDS[player_rows] - self.deck.first for player_rows in rows]
        weights = [
            player_range.weights[row] for player_range, row in zip(self.ranges, rows, strict=True)
        ]
        dead = [card + self.deck.first for card in self.board]
        folded_ranges = [each for _, each in read_folded(folded, dead, self.deck)]
        folded_hands = fold_hands(folded_ranges, self.board, self.deck, players=2)
        self.deal = make_deal(
            self._cards, weights, len(self.cards), self.ranges, folded=folded_hands
        )
        self.lock_hands = TwoCardHands(self._hands, self.ranges, dead, self.deck)
        self.locks = locks

    @property
    def hands(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the hands of each player, such as ``AsAh``."""
        return self._hands

    def hand_of(self, cards: Sequence[int]) -> str:
        """Return the name of a hand of these cards of the full deck."""
        first, second = cards
        return hand_name(hand_index(first, second))

    def describe(self, hand: str, board: Sequence[int]) -> tuple[str, str]:
        """Return the class of a hand, ``AKs``, and what it makes of a board, in words."""
        number = parse_hand(hand)
        return CLASSES[CLASS_OF_HAND[number]], made_hand(number, board, self.deck) or ""

    def strengths(self, boards: NDArray[np.int64]) -> tuple[Strengths, Strengths]:
        first = self.deck.first
        oop, ip = (strengths(boards + first, hands + first, self.deck) for hands in self._cards)
        return oop, ip

    def showdown_on(self, board: tuple[int, ...]) -> ShowdownShares:
        from .showdown import CheckedDownShares, showdown_shares

        if self.deal.folded is not None:
            return CheckedDownShares(self, board)
        return partial(showdown_shares, self.deal, self.strengths, board)

    def part(
        self,
        after: str,
        board: Sequence[int],
        ranges: Sequence[NDArray[np.float64]],
        locks: Iterable[Lock] = (),
    ) -> Holdem:
        """Return the spot that begins after a line on a board, with these weights of the hands of both players.

        The lines of ``locks`` begin there, too; hands that have no weight any more are left out of
        them.
        """
        spot = dict(self.settings)
        board_text = cards_text(board, self.cards)
        names_held: set[str] = set()
        for seat, names, weights in zip(PLAYER_KEYS, self.hands, ranges, strict=True):
            every = np.zeros(NUM_HANDS)
            every[[parse_hand(name) for name in names]] = weights
            setting = spot[seat]
            remaining = Range(every, board=parse_cards(board_text), name=seat)
            if isinstance(setting, dict):
                spot[seat] = {**setting, "range": remaining}
            else:
                spot[seat] = remaining
            names_held |= {
                name for name, weight in zip(names, weights.tolist(), strict=True) if weight > 0
            }
        locks_left = [
            lock
            if lock.hands is None
            else lock._replace(hands=[*filter(names_held.__contains__, lock.hands)])
            for lock in locks
        ]
        spot["after"] = f"{spot['after'] or ''} {after}"
        spot["board"] = board_text
        spot["locks"] = [lock for lock in locks_left if lock.hands != []]
        return Holdem(**spot)


# As `help` shows it; what is made with other settings shows its own.
Holdem.__new__.__signature__ = inspect.signature(Holdem.__init__)  # type: ignore[attr-defined]
