"""Kuhn poker: one card each, one bet."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

import numpy as np
from numpy.typing import NDArray

from .._util.spec import flag, whole
from ..errors import GameError
from ..game.card_game import CardGame
from ..game.deal import Deal
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import PublicGame, Showdown
from ..game.public_rules import PublicRules
from ..game.rules import Rules, RulesGame, State, next_player
from .cards import (
    MAX_CARDS,
    SymmetricCards,
    card_names,
    chances_of_kinds,
    chips,
    kinds_left,
    rank_names,
    separator,
    suit_permutations,
)

PASS, BET = range(2)
_WORDS = (("pass", "bet"), ("fold", "call"))  # where nobody has bet, and where somebody has
_LETTERS = {"pass": "p", "fold": "p", "bet": "b", "call": "b"}

# What p and s hold. LINE is a 1 and then the moves so far in binary; LEFT counts the moves to come
# if nobody bets from here on; bit i of BETTORS says that player i has bet or called; the cards of
# the players start at HANDS.
P_CARDS, P_PLAYERS, P_ANTE, P_BET, P_PASS_ENDS = range(5)
MOVER, DEALT, LINE, LEFT, BETTORS, HANDS = range(6)


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the cards left in the deck, or pass and bet."""
    if s[MOVER] == CHANCE:
        return kinds_left(s, HANDS, s[DEALT], p[P_CARDS], 1, out)
    out[0] = PASS
    out[1] = BET
    return 2


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the same probability for every card left."""
    return chances_of_kinds(s, HANDS, s[DEALT], p[P_CARDS], 1, out)


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a card to the next player, or pass or bet."""
    players = p[P_PLAYERS]
    mover = s[MOVER]
    if mover == CHANCE:
        s[HANDS + s[DEALT]] = action
        s[DEALT] += 1
        if s[DEALT] == players:
            s[MOVER] = 0
            s[LEFT] = 1 if p[P_PASS_ENDS] else players
        return 0
    s[LINE] = 2 * s[LINE] + action
    s[LEFT] -= 1
    if action == BET:
        if s[BETTORS] == 0:
            s[LEFT] = players - 1  # every other player answers the first bet, once
        s[BETTORS] |= 1 << mover
    s[MOVER] = TERMINAL if s[LEFT] == 0 else (mover + 1) % players
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player wins: the best card among those still in takes the pot."""
    pot = 0
    winner = -1
    for i in range(p[P_PLAYERS]):
        bet = (s[BETTORS] >> i) & 1
        stake = p[P_ANTE] + bet * p[P_BET]
        out[i] = -stake
        pot += stake
        if (bet == 1 or s[BETTORS] == 0) and (winner < 0 or s[HANDS + i] > s[HANDS + winner]):
            winner = i
    out[winner] += pot
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's card and the moves so far."""
    out[0] = s[HANDS + s[MOVER]]
    out[1] = s[LINE]
    return 2


class Kuhn(RulesGame):
    """Kuhn poker: one card each, one bet, the highest card wins.

    Every player antes and is dealt one card of a deck of distinct ranks, player 0 first. Then,
    player 0 first, each player passes or bets. After the first bet every other player in turn has
    one move: fold or call. If nobody bets, the highest card wins the antes; otherwise the highest
    card among the bettor and the callers wins the pot. An infoset is written as the card and the
    moves, ``p`` for pass and fold and ``b`` for bet and call: ``J``, ``Qpb``, ``17 pb``.

    Parameters
    ----------
    cards : int, optional
        Number of cards in the deck; by default one more than there are players, which is the least.
    names : str or sequence of str, optional
        What the cards are called, lowest first, as ``"QKA"``; by default ``J``, ``Q``, ``K`` for
        three, the highest ones up to the ace for 4 to 13, and numbers for more.
    players : int
        2 or 3.
    ante, bet : int
        What everyone pays at the start, and the size of a bet; chips.
    pass_ends : bool
        Whether a pass of player 0 ends the game with a showdown for the antes (two players only).

    References
    ----------
    H. W. Kuhn (1950), "A simplified two-person poker", Contributions to the Theory of Games 1.
    """

    name = "kuhn"
    rules = Rules(next_player, actions, chances, play, payoffs, observe)

    def __init__(
        self,
        *,
        cards: int | None = None,
        names: str | Sequence[str] | None = None,
        players: int = 2,
        ante: int = 1,
        bet: int = 1,
        pass_ends: bool = False,
    ) -> None:
        whole(self.name, "players", players, least=2, most=3)
        if cards is None:
            deck = players + 1
        else:
            deck = whole(self.name, "cards", cards, least=players + 1, most=MAX_CARDS)
        whole(self.name, "ante", ante, least=1)
        whole(self.name, "bet", bet, least=1)
        if flag(self.name, "pass_ends", pass_ends) and players != 2:
            raise GameError(
                f"kuhn: pass_ends needs players=2; got players={players}.", wrong_use=True
            )
        if names is None:
            self._cards = rank_names(deck)
        else:
            self._cards = card_names(self.name, names, deck)
        self._separator = separator(self._cards)
        super().__init__(
            players=players,
            parameters=[deck, players, ante, bet, pass_ends],
            start=[CHANCE, 0, 1, 0, 0, *[0] * players],
            max_actions=deck,
            max_observation=2,
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        """Return the card dealt; or pass or bet, or where somebody has bet fold or call."""
        if state[MOVER] == CHANCE:
            return self._cards[action]
        return _WORDS[state[BETTORS] > 0][action]

    def infoset_name(self, observation: State) -> str:
        card, line = observation
        return self._infoset_text(
            self._cards[card], "".join("pb"[int(bit)] for bit in f"{line:b}"[1:])
        )

    def infoset_after(self, card: str, moves: tuple[str, ...]) -> str:
        return self._infoset_text(card, "".join(_LETTERS[move] for move in moves))

    def _infoset_text(self, card: str, moves: str) -> str:
        return f"{card}{self._separator}{moves}".rstrip()

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        ante = self.parameters[P_ANTE]
        bet = self.parameters[P_BET]
        paid = [ante + bet * (state[BETTORS] >> i & 1) for i in range(self.players)]
        return [("your card", self._cards[state[HANDS + player]]), *chips(paid, player)]

    def public_states(self) -> PublicGame | None:
        """Return the game by its public states; three players have none."""
        if self.players == 2:
            return _InPublic(self, self._cards)
        return None

    def card_game(self) -> CardGame | None:
        """Return the game by its cards; three players have none."""
        if self.players != 2:
            return None
        symmetries = suit_permutations(len(self._cards), 1)
        public = _InPublic(self, self._cards)
        return SymmetricCards(public, places=(HANDS, HANDS + 1), symmetries=symmetries, streets=0)


class _InPublic(PublicRules):
    """Two-player Kuhn poker by its public states: who is to move, and who has bet."""

    def __init__(self, game: Kuhn, cards: list[str]) -> None:
        self.infoset = game.infoset_after
        hands = [[card] for card in range(len(cards))]
        deal = Deal([hands, hands], cards=len(cards))
        super().__init__(
            game, hands=(cards, cards), prior=deal, private=range(HANDS, HANDS + 2), history=[LINE]
        )

    def payoff(self, state: State) -> float | Showdown:
        """Return the stake of whoever folds to a bet, or the showdown for what both have paid."""
        ante = self.game.parameters[P_ANTE]
        bet = self.game.parameters[P_BET]
        if state[BETTORS] in (1, 2):
            if state[BETTORS] == 1:
                return ante
            return -ante
        stake = ante + (bet if state[BETTORS] else 0)
        ranks = range(len(self.hands[0]))
        return Showdown((ranks, ranks), win=stake, lose=-stake)

    def strengths(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rank of each card, shape (boards, hands): there is no board."""
        return np.tile(np.arange(len(self.hands[0])), (len(boards), 1))
