"""Leduc hold'em: a private card, a bet, a public card, another bet."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

import numpy as np
from numpy.typing import NDArray

from .._util.spec import flag, whole, wholes
from ..errors import GameError
from ..game.card_game import CardGame
from ..game.deal import Deal, Reveal
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import PublicGame, Showdown
from ..game.public_rules import PublicRules
from ..game.rules import Rules, State, next_player
from .cards import (
    MAX_CARDS,
    MAX_SUITS,
    SymmetricCards,
    card_kinds,
    chances_of_kinds,
    chips,
    kinds_left,
    rank_names,
    separator,
    suit_permutations,
)
from .limit import CALL, FOLD, RAISE, WORDS, LimitGame

# What p and s hold. A deck is KINDS kinds of card that can be told apart, COPIES of each; PER_RANK
# kinds share a rank. Bit i of IN says that player i has not folded, ACTIVE counts those; LEFT
# counts the moves to come in this round if nobody raises; STAKE is what it costs in all to stay in;
# LINES holds, for either round, a 1 and then the moves in base 4; the private cards start at HANDS,
# and what each player has paid comes after them.
P_PLAYERS, P_KINDS, P_COPIES, P_PER_RANK, P_RAISES, P_BETS, _ = range(7)
MOVER, DEALT, PUBLIC, LEFT, RAISES, IN, ACTIVE, STAKE, LINES, _, HANDS = range(11)


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the kinds of card left in the deck, or those of fold, call and raise that are legal."""
    if s[MOVER] == CHANCE:
        return kinds_left(s, HANDS, s[DEALT], p[P_KINDS], p[P_COPIES], out)
    count = 0
    if s[STAKE] > s[HANDS + p[P_PLAYERS] + s[MOVER]]:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if s[RAISES] < p[P_RAISES]:
        out[count] = RAISE
        count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write, for each kind left, the share of its copies among the cards left."""
    return chances_of_kinds(s, HANDS, s[DEALT], p[P_KINDS], p[P_COPIES], out)


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a private or the public card, or fold, call or raise."""
    players = p[P_PLAYERS]
    mover = s[MOVER]
    if mover == CHANCE:
        if s[DEALT] < players:
            s[HANDS + s[DEALT]] = action
        else:
            s[PUBLIC] = action
        s[DEALT] += 1
        if s[DEALT] >= players:
            s[RAISES] = 0
            s[LEFT] = s[ACTIVE]
    else:
        turn = s[DEALT] - players
        s[LINES + turn] = 4 * s[LINES + turn] + action
        if action == RAISE:
            s[STAKE] += p[P_BETS + turn]
            s[RAISES] += 1
            s[LEFT] = s[ACTIVE]
        s[LEFT] -= 1
        if action == FOLD:
            s[IN] -= 1 << mover
            s[ACTIVE] -= 1
        else:
            s[HANDS + players + mover] = s[STAKE]
    if s[ACTIVE] == 1 or (s[LEFT] == 0 and s[DEALT] > players):
        s[MOVER] = TERMINAL
    elif s[LEFT] == 0:
        s[MOVER] = CHANCE
    else:
        mover = 0 if mover == CHANCE else (mover + 1) % players
        while (s[IN] >> mover) & 1 == 0:
            mover = (mover + 1) % players
        s[MOVER] = mover
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player wins: the best hands among those still in share the pot."""
    players = p[P_PLAYERS]
    pot = 0
    best = -1
    winners = 0
    for i in range(players):
        pot += s[HANDS + players + i]
        if (s[IN] >> i) & 1:
            rank = s[HANDS + i] // p[P_PER_RANK]
            if rank == s[PUBLIC] // p[P_PER_RANK]:
                rank += p[P_KINDS]  # a pair beats every rank
            if rank > best:
                best = rank
                winners = 0
            if rank == best:
                winners |= 1 << i
    share = 0
    for i in range(players):
        share += (winners >> i) & 1
    for i in range(players):
        out[i] = ((winners >> i) & 1) * pot / share - s[HANDS + players + i]
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's card and the first round, then the public card and the second."""
    out[0] = s[HANDS + s[MOVER]]
    out[1] = s[LINES]
    if s[DEALT] == p[P_PLAYERS]:
        return 2
    out[2] = s[PUBLIC]
    out[3] = s[LINES + 1]
    return 4


def public(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the first round before the public card is turned; the private cards are nobody else's affair."""
    if s[DEALT] < p[P_PLAYERS]:
        return -1
    out[0] = s[LINES]
    return 1


class Leduc(LimitGame):
    """Leduc hold'em: two rounds of bets, a public card between them.

    Every player antes and is dealt one private card, player 0 first; after a round of bets one
    public card is turned, and a second round follows. In either round the first player who is still
    in opens, and each in turn checks or bets, or facing a bet folds, calls or raises, by the size
    of the round, until all who are still in have paid the same. If all but one fold, that one takes
    the pot. Otherwise a pair with the public card beats everything else, then the higher rank wins,
    and ties share the pot. An infoset is written as the private card, the first round, and after a
    slash the public card and the second, ``f`` for fold, ``c`` for check and call and ``r`` for bet
    and raise: ``Krc/Qr``.

    Parameters
    ----------
    ranks, suits : int
        The deck: ``ranks`` × ``suits`` cards, at least one more than there are players.
    players : int
        2 to 10.
    raises : int
        The most bets and raises in a round, together.
    bets : pair of int
        The size of a bet in the first and in the second round; chips.
    ante : int
        What everyone pays at the start; chips.
    merge_suits : bool
        Whether cards of the same rank are one outcome of chance, with the right probability, and
        look the same to the players. Suits decide nothing, so the value is the same either way and
        the game is smaller.

    References
    ----------
    F. Southey et al. (2005), "Bayes' bluff: opponent modelling in poker", UAI. The defaults are
    that game, with the rounds and sizes as in OpenSpiel's ``leduc_poker``; ``merge_suits=False`` is
    OpenSpiel's tree, node for node.
    """

    name = "leduc"
    rules = Rules(next_player, actions, chances, play, payoffs, observe, public)

    def __init__(
        self,
        *,
        ranks: int = 3,
        suits: int = 2,
        players: int = 2,
        raises: int = 2,
        bets: Sequence[int] = (2, 4),
        ante: int = 1,
        merge_suits: bool = True,
    ) -> None:
        whole(self.name, "players", players, least=2, most=10)
        whole(self.name, "ranks", ranks, least=1, most=MAX_CARDS)
        whole(
            self.name,
            "suits",
            suits,
            least=1,
            most=None if flag(self.name, "merge_suits", merge_suits) else MAX_SUITS,
        )
        if ranks * suits <= players:
            raise GameError(
                f"leduc: the deck must hold players + 1 = {players + 1} cards; got ranks={ranks} "
                f"× suits={suits}.",
                wrong_use=True,
            )
        # A round has at most players + raises × (players - 1) moves, and LINES holds 30 of them.
        whole(self.name, "raises", raises, least=1, most=(30 - players) // (players - 1))
        bets = wholes(self.name, "bets", bets, count=2, least=1)
        whole(self.name, "ante", ante, least=1)
        kinds = card_kinds(ranks, suits, merge_suits=merge_suits)
        self.separator = separator(rank_names(ranks))
        self.cards = kinds.names
        super().__init__(
            players=players,
            parameters=[players, len(kinds.names), kinds.copies, kinds.per_rank, raises, *bets],
            start=[
                CHANCE,
                0,
                -1,
                0,
                0,
                (1 << players) - 1,
                players,
                ante,
                1,
                1,
                *[0] * players,
                *[ante] * players,
            ],
            max_actions=max(3, len(kinds.names)),
            max_observation=4,
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        """Return the card dealt; or check or bet, or where somebody has bet fold, call or raise."""
        if state[MOVER] == CHANCE:
            return self.cards[action]
        return WORDS[state[RAISES] > 0][action]

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        if state[DEALT] == self.players:
            board = "not turned yet"
        else:
            board = self.cards[state[PUBLIC]]
        paid = state[HANDS + self.players :]
        rows = [
            ("your card", self.cards[state[HANDS + player]]),
            ("public card", board),
            *chips(paid, player),
        ]
        folded = [f"player {i}" for i in range(self.players) if not state[IN] >> i & 1]
        if folded:
            return [*rows, ("folded", ", ".join(folded))]
        return rows

    def public_states(self) -> PublicGame | None:
        """Return the game by its public states; more than two players have none."""
        if self.players == 2:
            return _InPublic(self, self.cards)
        return None

    def card_game(self) -> CardGame | None:
        """Return the game by its cards, suits apart; more than two players, or more than four suits, have none."""
        suits = self.settings["suits"]
        if self.players != 2 or suits > MAX_SUITS:
            return None
        apart = Leduc(**{**self.settings, "merge_suits": False})
        return SymmetricCards(
            _InPublic(apart, apart.cards),
            places=(HANDS, HANDS + 1, PUBLIC),
            symmetries=suit_permutations(self.settings["ranks"], suits),
            streets=1,
        )


class _InPublic(PublicRules):
    """Two-player Leduc hold'em by its public states: the public card, what is paid, and who may still do what."""

    def __init__(self, game: Leduc, cards: list[str]) -> None:
        self.infoset = game.infoset_after
        self._copies = game.parameters[P_COPIES]
        kinds = len(cards)
        self._left = kinds * self._copies - 2  # cards, once the hands are dealt
        prior: NDArray[np.float64] | Deal
        if self._copies == 1:
            hands = [[card] for card in range(kinds)]
            prior = Deal([hands, hands], cards=kinds)
        else:  # hands are kinds of cards, and those of the same kind do not exclude each other
            deck = kinds * self._copies
            prior = self._copies * (self._copies - np.eye(kinds)) / (deck * (deck - 1))
        private = range(HANDS, HANDS + 2)
        super().__init__(
            game, hands=(cards, cards), prior=prior, private=private, history=[LINES, LINES + 1]
        )

    def probabilities(self, state: State) -> list[NDArray[np.float64]] | list[Reveal]:
        """Return the share of each kind among the cards that neither player holds."""
        kinds = len(self.hands[0])
        if self._copies == 1:
            return [Reveal((card,), 1.0 / self._left) for card in range(kinds)]
        cards_held = np.eye(kinds)
        return [
            (self._copies - cards_held[kind][:, None] - cards_held[kind]) / self._left
            for kind in range(kinds)
        ]

    def payoff(self, state: State) -> float | Showdown:
        """Return what whoever folds has paid, or the showdown for what both have paid."""
        paid = state[HANDS + 2 :]
        if state[IN] in (1, 2):
            if state[IN] == 1:
                return paid[1]
            return -paid[0]
        strength = self.strengths(np.array([[state[PUBLIC]]]))[0]
        return Showdown((strength, strength), win=paid[0], lose=-paid[0])

    def strengths(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the strength of each hand with each public card, shape (boards, hands): pairs above all others."""
        per_rank = self.game.parameters[P_PER_RANK]
        rank = np.arange(len(self.hands[0])) // per_rank
        return np.where(rank == boards // per_rank, rank.max() + 1, rank)
