"""Mini euchre: four players in two teams take tricks."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import comb

from .._util.spec import flag, whole
from ..errors import GameError
from ..game.protocol import CHANCE, TERMINAL
from ..game.rules import Rules, RulesGame, State, next_player
from .cards import rank_names

PLAYERS = 4

MAX_DECK = 16
"""The most cards of a deck: chance looks at all sets of cards left to find the hands among them."""

_SUITS = "schd"  # two suits of one colour side by side
_SUIT_NAMES = ("spades", "clubs", "hearts", "diamonds")
_MAX_RANKS = 13

# What p and s hold. A set of cards is the bits of one integer; card c is rank c % ranks of suit c
# // ranks. From P_SUIT on there is, for each suit as trump and each card, the suit that it counts
# as, and from P_SUIT + SUITS × DECK on, in the same way, how high it is in that suit. HANDS are the
# hands as dealt; WON counts the tricks of either team; PLAYED is the set of all cards played, MADE
# their number, and PLAYS their sequence. The first of a trick is played by LEADER.
P_SUITS, P_DECK, P_CARDS, P_TURNED, P_SUIT = range(5)
MOVER, DEALT, TURNED, TRUMP, LEADER, WON, _, PLAYED, MADE, HANDS, _, _, _, PLAYS = range(14)


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the hands that can be dealt, the cards that can be turned, or those that the mover may play."""
    count = 0
    if s[MOVER] == CHANCE:
        cards_left = (1 << p[P_DECK]) - 1
        for i in range(s[DEALT]):
            cards_left -= s[HANDS + i]
        if s[DEALT] == PLAYERS:
            for card in range(p[P_DECK]):
                if (cards_left >> card) & 1:
                    out[count] = card
                    count += 1
            return count
        hand = 0
        while hand != cards_left:
            hand = (hand - cards_left) & cards_left  # the next subset of the cards left
            size = 0
            uncounted = hand
            while uncounted > 0:
                uncounted &= uncounted - 1
                size += 1
            if size == p[P_CARDS]:
                out[count] = hand
                count += 1
        return count
    hand = s[HANDS + s[MOVER]] & ~s[PLAYED]
    suits = P_SUIT + s[TRUMP] * p[P_DECK]
    if s[MADE] % PLAYERS > 0:
        led = p[suits + s[PLAYS + s[MADE] // PLAYERS * PLAYERS]]
        for card in range(p[P_DECK]):
            if (hand >> card) & 1 and p[suits + card] == led:
                out[count] = card
                count += 1
        if count > 0:
            return count
    for card in range(p[P_DECK]):
        if (hand >> card) & 1:
            out[count] = card
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the same probability for every hand, or every card that can be turned."""
    cards_left = p[P_DECK] - s[DEALT] * p[P_CARDS]
    outcomes = cards_left
    if s[DEALT] < PLAYERS:
        outcomes = 1
        for card in range(p[P_CARDS]):
            outcomes = outcomes * (cards_left - card) // (card + 1)
    for outcome in range(outcomes):
        out[outcome] = 1.0 / outcomes
    return 0


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a hand, turn a card, or play one; the last trick is forced and played at once."""
    mover = s[MOVER]
    deck = p[P_DECK]
    cards = p[P_CARDS]
    if mover == CHANCE:
        if s[DEALT] < PLAYERS:
            s[HANDS + s[DEALT]] = action
            s[DEALT] += 1
            if s[DEALT] == PLAYERS and not p[P_TURNED]:
                s[MOVER] = 0
        else:
            s[TURNED] = action
            s[TRUMP] = action * p[P_SUITS] // deck
            s[MOVER] = 0
        return 0
    s[PLAYS + s[MADE]] = action
    s[PLAYED] |= 1 << action
    s[MADE] += 1
    s[MOVER] = (mover + 1) % PLAYERS
    suits = P_SUIT + s[TRUMP] * deck
    heights = suits + p[P_SUITS] * deck
    full = s[MADE] % PLAYERS == 0
    while full:
        first = PLAYS + s[MADE] - PLAYERS
        best_place = 0
        for place in range(1, PLAYERS):
            card = s[first + place]
            high = s[first + best_place]
            if p[suits + card] == p[suits + high]:
                if p[heights + card] > p[heights + high]:
                    best_place = place
            elif p[suits + card] == s[TRUMP]:
                best_place = place
        s[LEADER] = (s[LEADER] + best_place) % PLAYERS
        s[MOVER] = s[LEADER]
        s[WON + s[LEADER] % 2] += 1
        full = False
        if 2 * s[WON + s[LEADER] % 2] > cards or s[MADE] == PLAYERS * cards:
            s[MOVER] = TERMINAL
        elif s[MADE] == PLAYERS * (cards - 1):
            full = True
            for place in range(PLAYERS):
                last_card = s[HANDS + (s[LEADER] + place) % PLAYERS] & ~s[PLAYED]
                for card in range(deck):
                    if last_card == 1 << card:
                        s[PLAYS + s[MADE] + place] = card
            for place in range(PLAYERS):
                s[PLAYED] |= 1 << s[PLAYS + s[MADE] + place]
            s[MADE] += PLAYERS
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write 1 for both players of the team with more tricks, -1 for the others, or 0 for all."""
    lead = int(s[WON] > s[WON + 1]) - int(s[WON] < s[WON + 1])
    for i in range(PLAYERS):
        out[i] = lead if i % 2 == 0 else -lead
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's hand as dealt, the card turned if there is one, and the cards played."""
    out[0] = s[HANDS + s[MOVER]]
    count = 1
    if p[P_TURNED]:
        out[1] = s[TURNED]
        count = 2
    for card in range(s[MADE]):
        out[count] = s[PLAYS + card]
        count += 1
    return count


def public(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write nothing: when a card is turned nobody has played; a hand is seen by one player only."""
    if s[DEALT] == PLAYERS:
        return 0
    return -1


class MiniEuchre(RulesGame):
    """Mini euchre: players 0 and 2 against 1 and 3, a few cards each, most tricks win.

    The deck has ``ranks`` ranks of each suit, the ace being the highest; the suits are, in this
    order, spades and clubs (``s``, ``c``, black), hearts and diamonds (``h``, ``d``, red). Every
    player is dealt ``cards`` cards, player 0 first. Trump is spades; or, where a card is
    ``turned``, one of the cards left over is turned up for all to see, and its suit is trump.

    Player 0 leads to the first trick. The others play in turn, player 1 after 0 and so on, and must
    follow the suit led if they can, else may play any card. The highest trump wins the trick, or
    the highest card of the suit led if there is none; the winner leads to the next. With
    ``bowers``, the jack of trump is the highest trump, and the other jack of the same colour counts
    as a trump too, second to it; the other trumps follow from the ace down.

    The game ends when a team has won more than half of the tricks; the last trick is forced and
    played at once. Both players of the team with more tricks win 1, the others lose 1; equal
    numbers pay 0. Partners do not show each other anything but what they play.

    An infoset is written as the hand as dealt, the card turned in brackets where there is one, and
    the cards played, tricks divided by ``/``: ``JsAc Qs``, ``KsAc (Qh) QsQcKcAs/``.

    Parameters
    ----------
    cards : int
        Cards in a hand, 2 or more.
    suits : int
        1 to 4.
    ranks : int
        Cards of a suit, 2 to 13: ace and king, with queen and jack, ten, nine and so on. For 3,
        king, queen and jack.
    bowers : bool
        Whether jacks of the trump's colour are its highest cards; needs 3 ``ranks`` or more.
    turned : bool
        Whether a card is turned to name the trump.

    Notes
    -----
    A whole hand is one outcome of chance, so that the order of the cards in it makes no difference;
    the number of deals is what makes the game large. With the defaults all of the eight cards are
    dealt, in 2,520 ways, and there are 44,549 histories; three cards each of twelve could be dealt
    in 369,600 ways. A deck has at most 16 cards.

    Every player is one of their own to the solvers: what they find, and what ``nash_conv`` judges,
    is an equilibrium of four players, from which two partners who change their strategies together
    may still gain; how much,
    :func:`equilibrist.team_responses` says.
    """

    name = "mini_euchre"
    rules = Rules(next_player, actions, chances, play, payoffs, observe, public)

    def __init__(
        self,
        *,
        cards: int = 2,
        suits: int = 2,
        ranks: int = 4,
        bowers: bool = True,
        turned: bool = False,
    ) -> None:
        whole(self.name, "cards", cards, least=2, most=MAX_DECK // PLAYERS)
        whole(self.name, "suits", suits, least=1, most=len(_SUITS))
        whole(self.name, "ranks", ranks, least=2, most=_MAX_RANKS)
        deck = suits * ranks
        least_cards = PLAYERS * cards + flag(self.name, "turned", turned)
        if not least_cards <= deck <= MAX_DECK:
            raise GameError(
                f"mini_euchre: the deck must hold {least_cards} to {MAX_DECK} cards for cards={cards} "
                f"and turned={turned}; got suits={suits} × ranks={ranks}.",
                wrong_use=True,
            )
        if flag(self.name, "bowers", bowers) and ranks < 3:
            raise GameError(
                f"mini_euchre: bowers=True needs ranks=3 or more, for a jack; got ranks={ranks}.",
                wrong_use=True,
            )
        names = rank_names(ranks)
        self._cards = [rank + suit for suit in _SUITS[:suits] for rank in names]
        counts_as = []
        height = []
        for trump in range(suits):
            for card in range(deck):
                suit, rank = divmod(card, ranks)
                bower = bowers and names[rank] == "J" and suit // 2 == trump // 2
                counts_as.append(trump if bower else suit)
                height.append(rank if not bower else ranks + (suit == trump))
        super().__init__(
            players=PLAYERS,
            parameters=[suits, deck, cards, turned, *counts_as, *height],
            start=[CHANCE, 0, -1, 0, 0, 0, 0, 0, 0, *[0] * PLAYERS, *[0] * (PLAYERS * cards)],
            max_actions=comb(deck, cards),
            max_observation=2 + PLAYERS * (cards - 1),
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        if state[MOVER] == CHANCE and state[DEALT] < PLAYERS:
            return self._hand(action)
        return self._cards[action]

    def infoset_name(self, observation: State) -> str:
        hand, *cards_played = observation
        words = [self._hand(hand)]
        if self.settings["turned"]:
            words.append(f"({self._cards[cards_played.pop(0)]})")
        if cards_played:
            words.append("")
        for number, card in enumerate(cards_played, 1):
            words[-1] += self._cards[card] + ("/" if number % PLAYERS == 0 else "")
        return " ".join(words)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        cards_in_trick = state[MADE] % PLAYERS
        trick = state[PLAYS + state[MADE] - cards_in_trick : PLAYS + state[MADE]]
        trick_text = [
            f"player {(state[LEADER] + i) % PLAYERS} {self._cards[card]}"
            for i, card in enumerate(trick)
        ]
        team = state[WON + player % 2]
        tricks_of_others = state[WON + 1 - player % 2]
        return [
            ("your cards", self._hand(state[HANDS + player] & ~state[PLAYED])),
            ("your partner", f"player {(player + 2) % PLAYERS}"),
            ("trump", _SUIT_NAMES[state[TRUMP]]),
            ("this trick", ", ".join(trick_text) or "you lead"),
            ("tricks", f"your team {team}, the others {tricks_of_others}"),
        ]

    def _hand(self, hand: int) -> str:
        return "".join(name for card, name in enumerate(self._cards) if hand >> card & 1)
