"""Rhode Island hold'em: a private card, two public cards, three rounds of bets."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .._util.spec import whole, wholes
from ..errors import GameError
from ..game.card_game import CardGame
from ..game.deal import Deal, Reveal
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import PublicGame, Showdown
from ..game.public_rules import PublicRules
from ..game.rules import Rules, State, helper, next_player
from .cards import (
    MAX_SUITS,
    SymmetricCards,
    chances_of_kinds,
    chips,
    kinds_left,
    rank_names,
    suit_names,
    suit_permutations,
)
from .limit import CALL, FOLD, RAISE, WORDS, LimitGame

# What p and s hold. Card number SUITS · rank + suit. CARDS are the private card of either player,
# then the public ones; LEFT counts the moves to come in this round if nobody raises; PAID is what
# either player has paid; LINES holds, for each round, a 1 and then the moves in base 4.
P_RANKS, P_SUITS, P_RAISES, P_BETS = range(4)
MOVER, DEALT, CARDS = range(3)
LEFT, RAISES, FOLDED, PAID, _, LINES = range(CARDS + 4, CARDS + 10)
NOBODY = -1

MAX_RANKS = 13
CATEGORIES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
"""Categories of hands of three cards, the weakest first."""


@helper
def strength_of_three(first: int, second: int, third: int, ranks: int, suits: int) -> int:
    """Return the strength of three cards: category, then ranks, highest first, as the digits of a number."""
    a = first // suits
    b = second // suits
    c = third // suits
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    suited = first % suits == second % suits and second % suits == third % suits
    category = 2 if suited else 0
    if a == c:
        category = 4
    elif a == b:
        category = 1
    elif b == c:
        category = 1
        a, c = c, a  # the pair comes first
    elif a - c == 2 or (a == ranks - 1 and b == 1 and c == 0):
        category = 5 if suited else 3
        if a - c > 2:
            # the highest rank counts below the lowest as well
            a = 1
            b = 0
            c = 0
    return ((category * ranks + a) * ranks + b) * ranks + c


@cache
def strength_table(ranks: int) -> NDArray[np.int64]:
    """Return the strength of three cards by their ranks, shape (2, ranks, ranks, ranks): not of one suit, or suited."""
    deck = range(0, 2 * ranks, 2)  # two suits, and all cards but the last of one
    strengths = [
        strength_of_three(first, second, last + (not suited), ranks, 2)
        for suited in (False, True)
        for first, second, last in product(deck, repeat=3)
    ]
    return np.array(strengths).reshape(2, ranks, ranks, ranks)


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the cards left in the deck, or those of fold, call and raise that are legal."""
    if s[MOVER] == CHANCE:
        return kinds_left(s, CARDS, s[DEALT], p[P_RANKS] * p[P_SUITS], 1, out)
    count = 0
    if s[RAISES] > 0:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if s[RAISES] < p[P_RAISES]:
        out[count] = RAISE
        count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the same probability for every card left."""
    return chances_of_kinds(s, CARDS, s[DEALT], p[P_RANKS] * p[P_SUITS], 1, out)


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a private or a public card, or fold, call or raise."""
    mover = s[MOVER]
    if mover == CHANCE:
        s[CARDS + s[DEALT]] = action
        s[DEALT] += 1
        if s[DEALT] >= 2:
            s[MOVER] = 0
            s[RAISES] = 0
            s[LEFT] = 2
        return 0
    other = 1 - mover
    turn = s[DEALT] - 2
    s[LINES + turn] = 4 * s[LINES + turn] + action
    s[MOVER] = other
    if action == FOLD:
        s[FOLDED] = mover
        s[MOVER] = TERMINAL
        return 0
    s[PAID + mover] = s[PAID + other]
    s[LEFT] -= 1
    if action == RAISE:
        s[PAID + mover] += p[P_BETS + turn]
        s[RAISES] += 1
        s[LEFT] = 1
    if s[LEFT] == 0:
        s[MOVER] = CHANCE if s[DEALT] < 4 else TERMINAL
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player wins: who did not fold or has the better hand takes what the other has paid."""
    winner = 1 - s[FOLDED]
    if s[FOLDED] == NOBODY:
        strength = strength_of_three(s[CARDS], s[CARDS + 2], s[CARDS + 3], p[P_RANKS], p[P_SUITS])
        other = strength_of_three(s[CARDS + 1], s[CARDS + 2], s[CARDS + 3], p[P_RANKS], p[P_SUITS])
        if strength == other:
            winner = NOBODY
        elif strength > other:
            winner = 0
        else:
            winner = 1
    for i in range(2):
        out[i] = 0
        if winner != NOBODY:
            out[i] = s[PAID + 1 - i] if i == winner else -s[PAID + i]
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's card and the first round, then each public card and the round after it."""
    out[0] = s[CARDS + s[MOVER]]
    out[1] = s[LINES]
    for turn in range(1, s[DEALT] - 1):
        out[2 * turn] = s[CARDS + 1 + turn]
        out[2 * turn + 1] = s[LINES + turn]
    return 2 * (s[DEALT] - 1)


def public(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the rounds and public cards so far before a public card; the private cards are seen by one player only."""
    if s[DEALT] < 2:
        return -1
    out[0] = s[LINES]
    for turn in range(1, s[DEALT] - 1):
        out[2 * turn - 1] = s[CARDS + 1 + turn]
        out[2 * turn] = s[LINES + turn]
    return 2 * s[DEALT] - 3


class RhodeIsland(LimitGame):
    """Rhode Island hold'em: one private card, two public cards, three rounds of bets.

    Both players ante and are dealt one private card, player 0 first; after a round of bets a public
    card is turned, after a second round another, and a third round follows. Player 0 opens each
    round. Each in turn checks or bets, or facing a bet folds, calls or raises, by the size of the
    round. Who folds loses what he has paid; otherwise the best hand of three cards wins what the
    other has paid, and equal hands win nothing. Hands are, best first: straight flush, three of a
    kind, straight, flush, pair, high card; between hands of one kind their ranks decide, the pair's
    first and then the highest. An ace is the highest rank and also the one below the lowest: A23 is
    the lowest straight. An infoset is written as the private card, the first round, and after each
    slash a public card and the round after it, ``f`` for fold, ``c`` for check and call and ``r``
    for bet and raise: ``Ksrc/Qhcc/2dr``.

    Parameters
    ----------
    ranks, suits : int
        The deck: up to 13 ranks, the highest ones, in up to four suits; at least four cards.
    raises : int
        The most bets and raises in a round, together.
    bets : three of int
        The size of a bet in each round; chips.
    ante : int
        What both pay at the start; chips.

    Notes
    -----
    The defaults are the game of the papers. Either player has 26,064,064 infosets and 65,160,161
    sequences, the empty one included: its linear programme has the 91,224,226 rows that Gilpin and
    Sandholm report.

    References
    ----------
    J. Shi and M. Littman (2001), "Abstraction methods for game theoretic poker", Computers and
    Games; A. Gilpin and T. Sandholm (2007), "Lossless abstraction of imperfect information games",
    Journal of the ACM 54.
    """

    name = "rhode_island"
    rules = Rules(next_player, actions, chances, play, payoffs, observe, public)

    def __init__(
        self,
        *,
        ranks: int = 13,
        suits: int = 4,
        raises: int = 3,
        bets: Sequence[int] = (10, 20, 20),
        ante: int = 5,
    ) -> None:
        whole(self.name, "ranks", ranks, least=1, most=MAX_RANKS)
        whole(self.name, "suits", suits, least=1, most=MAX_SUITS)
        if ranks * suits < 4:
            raise GameError(
                f"rhode_island: the deck must hold 4 cards; got ranks={ranks} × suits={suits}.",
                wrong_use=True,
            )
        whole(self.name, "raises", raises, least=1, most=28)  # LINES holds 30 moves of a round
        bets = wholes(self.name, "bets", bets, count=3, least=1)
        whole(self.name, "ante", ante, least=1)
        self.cards = [rank + suit for rank in rank_names(ranks) for suit in suit_names(suits)]
        self.separator = ""
        super().__init__(
            players=2,
            parameters=[ranks, suits, raises, *bets],
            start=[CHANCE, 0, -1, -1, -1, -1, 0, 0, NOBODY, ante, ante, 1, 1, 1],
            max_actions=max(3, ranks * suits),
            max_observation=6,
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        """Return the card dealt; or check or bet, or where somebody has bet fold, call or raise."""
        if state[MOVER] == CHANCE:
            return self.cards[action]
        return WORDS[state[RAISES] > 0][action]

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        public = (
            " ".join(self.cards[card] for card in state[CARDS + 2 : CARDS + state[DEALT]])
            or "not turned yet"
        )
        card = ("your card", self.cards[state[CARDS + player]])
        return [card, ("public cards", public), *chips(state[PAID : PAID + 2], player)]

    def public_states(self) -> PublicGame:
        return _InPublic(self)

    def card_game(self) -> CardGame:
        ranks, suits = self.parameters[:2]
        places = range(CARDS, CARDS + 4)
        return SymmetricCards(
            _InPublic(self), places=places, symmetries=suit_permutations(ranks, suits), streets=2
        )


class _InPublic(PublicRules):
    """Rhode Island hold'em by its public states: the public cards, what is paid, and who may still do what."""

    def __init__(self, game: RhodeIsland) -> None:
        self.infoset = game.infoset_after
        hands = [[card] for card in range(len(game.cards))]
        prior = Deal([hands, hands], cards=len(hands))
        private = range(CARDS, CARDS + 2)
        super().__init__(
            game,
            hands=(game.cards, game.cards),
            prior=prior,
            private=private,
            history=range(LINES, LINES + 3),
        )

    def probabilities(self, state: State) -> list[Reveal]:
        """Return the probability of each card that is not public, where neither player holds it."""
        probability = 1.0 / (len(self.hands[0]) - state[DEALT])
        return [Reveal((card,), probability) for card in self.actions(state)]

    def payoff(self, state: State) -> float | Showdown:
        """Return what whoever folds has paid, or the showdown for what both have paid."""
        paid = state[PAID : PAID + 2]
        if state[FOLDED] != NOBODY:
            if state[FOLDED] == 1:
                return paid[1]
            return -paid[0]
        strength = self.strengths(np.array([state[CARDS + 2 : CARDS + 4]]))[0]
        return Showdown((strength, strength), win=paid[0], lose=-paid[0])

    def strengths(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the strength of each hand on each board of two cards, shape (boards, hands)."""
        ranks, suits = self.game.parameters[:2]
        cards = np.arange(ranks * suits)
        first, second = boards.T[:, :, None]
        suited = (first % suits == second % suits) & (second % suits == cards % suits)
        suits_of_hand = cards // suits, first // suits, second // suits
        plain, flush = strength_table(ranks)
        strengths: NDArray[np.int64] = np.where(suited, flush[suits_of_hand], plain[suits_of_hand])
        return strengths
