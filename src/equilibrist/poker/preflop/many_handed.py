"""Push or fold with four to nine seats, as rules that compile: real cards, sampled without a tree."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from itertools import product
from math import frexp
from typing import Any

import numpy as np

from ..._util.arrays import Floats
from ..._util.spec import spec, whole
from ...errors import GameError
from ...game.protocol import CHANCE, TERMINAL
from ...game.rules import Rules, RulesGame, State, helper, next_player
from ..cards.cards import CARDS as CARD_NAMES
from ..cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS
from ..cards.hand_ranks import BINOMIAL, NUM_RANKS, tables
from .game import PushFold, read_push_fold
from .many_ranges import ManyRanges, ManyRangesForm, many_ranges_form
from .stakes import Stakes, share_pots, value_chips
from .three_handed import ThreeHanded

MOST_SEATS = 9

# What s holds. DEALT counts the cards dealt, and bit c of USED says that card c is; bit i of IN
# says that player i is all-in; LINE is a 1 and then the moves in base 2, 1 for a push or a call.
# Both cards of each player begin at CARDS, and the board comes after them.
MOVER, DEALT, USED, IN, LINE, CARDS = range(6)
ALL_IN, FOLD = range(2)
_BOARD = 5
_SUIT = 4
_SUIT_BITS = (1 << NUM_RANKS) - 1

# What p holds: the number of players; the number of units in 1; the dead money, and of each player
# what may be bet, the blind and the ante, in units; binomial coefficients, strengths by the ranks of
# a suit and by the index of seven ranks (:mod:`.hand_ranks`); and with prizes what is paid, in units
# (:func:`payment_number`), of which there is nothing without.
P_PLAYERS, P_UNIT, P_PRIZES, P_DEAD, P_BEHIND = range(5)
P_BLIND = P_BEHIND + MOST_SEATS
P_ANTE = P_BLIND + MOST_SEATS
P_BINOMIAL = P_ANTE + MOST_SEATS
P_FLUSH = P_BINOMIAL + BINOMIAL.size
P_PLAIN = P_FLUSH + (1 << NUM_RANKS)
P_PAID = P_PLAIN + 50_388  # multisets of seven ranks

WON, LOST, OUT = range(3)
"""Who shares the pot, who is all-in and gets nothing, and who has folded."""
SMALL, BIG, OTHER = range(3)
"""The small blind, the big blind and anybody else."""
_MOST_UNITS = 62  # as a power of two


@helper
def payment_number(all_in: int, winners: int, small: int, big: int, seat: int, fate: int) -> int:
    """Return where it stands what somebody is paid: by how many are all-in and share the pot, and what became of both
    blinds and of the player.
    """
    return ((((all_in * (MOST_SEATS + 1) + winners) * 3 + small) * 3 + big) * 3 + seat) * 3 + fate


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the cards that are left, or all-in and fold."""
    if s[MOVER] != CHANCE:
        out[0] = ALL_IN
        out[1] = FOLD
        return 2
    count = 0
    for card in range(NUM_CARDS):
        if (s[USED] >> card) & 1 == 0:
            out[count] = card
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write that all cards left are equally likely."""
    cards_left = NUM_CARDS - s[DEALT]
    for i in range(cards_left):
        out[i] = 1.0 / cards_left
    return 0


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a card, go all-in or fold; the board comes where two or more are all-in."""
    players = p[P_PLAYERS]
    if s[MOVER] == CHANCE:
        s[CARDS + s[DEALT]] = action
        s[USED] |= 1 << action
        s[DEALT] += 1
        if s[DEALT] == 2 * players:
            s[MOVER] = 0
        elif s[DEALT] == 2 * players + _BOARD:
            s[MOVER] = TERMINAL
        return 0
    mover = s[MOVER]
    s[LINE] = 2 * s[LINE] + 1 - action
    if action == ALL_IN:
        s[IN] |= 1 << mover
    s[MOVER] = mover + 1
    if mover + 1 == players or (mover + 2 == players and s[IN] == 0):
        s[MOVER] = CHANCE if s[IN] & (s[IN] - 1) else TERMINAL
    return 0


@helper
def strength(p: Sequence[int], s: Sequence[int], player: int) -> int:
    """Return the strength of a player's cards on the board, as :func:`.hand_ranks.strength_of` does."""
    counts = suits = 0  # of each rank, in four bits; the ranks of each suit, as bits
    for i in range(2 + _BOARD):
        if i < 2:
            card = s[CARDS + 2 * player + i]
        else:
            card = s[CARDS + 2 * p[P_PLAYERS] + i - 2]
        counts += 1 << 4 * (card // _SUIT)
        suits |= 1 << (NUM_RANKS * (card % _SUIT) + card // _SUIT)
    index = place = 0
    for rank in range(NUM_RANKS):
        for _ in range((counts >> 4 * rank) & 15):
            index += p[P_BINOMIAL + NUM_RANKS * place + rank]
            place += 1
    best = p[P_PLAIN + index]
    for suit in range(_SUIT):
        best = max(best, p[P_FLUSH + ((suits >> NUM_RANKS * suit) & _SUIT_BITS)])
    return best


@helper
def fate(s: Sequence[int], winners: int, player: int) -> int:
    """Return whether a player shares the pot, has lost all-in, or is out; ``winners`` are bits."""
    if (winners >> player) & 1:
        return WON
    if (s[IN] >> player) & 1:
        return LOST
    return OUT


@helper
def best_hands(p: Sequence[int], s: Sequence[int], players_in: int) -> int:
    """Return who has the best hand of some players, as bits; a single one needs no board."""
    if players_in & (players_in - 1) == 0:
        return players_in
    best = -1
    winners = 0
    for i in range(p[P_PLAYERS]):
        if (players_in >> i) & 1:
            its_strength = strength(p, s, i)
            if its_strength > best:
                best = its_strength
                winners = 0
            if its_strength == best:
                winners |= 1 << i
    return winners


@helper
def bet_of(p: Sequence[int], players_in: int, player: int) -> int:
    """Return what a player has put in besides the ante, in units: the blind, or all."""
    if (players_in >> player) & 1:
        return p[P_BEHIND + player]
    return p[P_BLIND + player]


@helper
def largest_called(p: Sequence[int], players_in: int) -> int:
    """Return the second-largest bet, in units: what is above it comes back."""
    largest = second = 0
    for i in range(p[P_PLAYERS]):
        bet = bet_of(p, players_in, i)
        if bet > largest:
            second = largest
            largest = bet
        elif bet > second:
            second = bet
    return second


@helper
def next_level(p: Sequence[int], players_in: int, most: int, below: int) -> int:
    """Return the next all-in above a level, in units; 0 where there is none."""
    level = 0
    for i in range(p[P_PLAYERS]):
        if (players_in >> i) & 1:
            bet = min(p[P_BEHIND + i], most)
            if bet > below and (level == 0 or bet < level):
                level = bet
    return level


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player wins: the best hands among those that have bet for a pot share it."""
    players = p[P_PLAYERS]
    players_in = s[IN] if s[IN] else 1 << (players - 1)
    if p[P_PRIZES]:
        pay_prizes(p, s, out)
        return 0
    most = largest_called(p, players_in)
    pot = p[P_DEAD]
    for i in range(players):
        pot += p[P_ANTE + i]
        paid = p[P_ANTE + i] + min(bet_of(p, players_in, i), most)
        out[i] = (-paid - p[P_DEAD] / players) / p[P_UNIT]
    below = 0
    level = next_level(p, players_in, most, below)
    while level > 0:
        eligible = 0
        for i in range(players):
            bet = min(bet_of(p, players_in, i), most)
            pot += min(bet, level) - min(bet, below)
            if (players_in >> i) & 1 and bet >= level:
                eligible |= 1 << i
        winners = best_hands(p, s, eligible)
        count = 0
        for i in range(players):
            count += (winners >> i) & 1
        for i in range(players):
            if (winners >> i) & 1:
                out[i] += pot / count / p[P_UNIT]
        pot = 0
        below = level
        level = next_level(p, players_in, most, below)
    return 0


@helper
def pay_prizes(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player's stack then is worth more than before, where all have the same to bet."""
    players = p[P_PLAYERS]
    winners = best_hands(p, s, s[IN] if s[IN] else 1 << (players - 1))
    all_in = share = 0
    for i in range(players):
        all_in += (s[IN] >> i) & 1
        share += (winners >> i) & 1
    small = fate(s, winners, players - 2)
    big = fate(s, winners, players - 1)
    for i in range(players):
        seat = OTHER if i < players - 2 else i - (players - 2)
        out[i] = (
            p[P_PAID + payment_number(all_in, share, small, big, seat, fate(s, winners, i))]
            / p[P_UNIT]
        )
    return 0


@helper
def class_of(first: int, second: int) -> int:
    """Return the class of a hand of two cards: 13 · row + column of the grid, aces first."""
    low = 12 - min(first, second) // _SUIT
    high = 12 - max(first, second) // _SUIT
    if first % _SUIT == second % _SUIT:
        return 13 * high + low
    return 13 * low + high


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the class of hands, and what the others did."""
    first = CARDS + 2 * s[MOVER]
    out[0] = class_of(s[first], s[first + 1])
    out[1] = s[LINE]
    return 2


class ManyHanded(RulesGame):
    """Push or fold with four to nine seats; ``push_fold(seats=6)`` makes it, with the parameters of :class:`PushFold`.

    Each player in turn goes all-in or folds, the big blind (or who straddles) last, who wins if
    nobody goes all-in. Cards are dealt one by one, and where two or more are all-in five more for
    the board: whatever a fold takes out of the deck is missing there. All-ins of unequal stacks have
    side pots.

    Infosets are those of three seats: ``AKs``, ``AKs fold``, ``AKs push-call``.
    """

    name = PushFold.name
    rules = Rules(next_player, actions, chances, play, payoffs, observe)
    has_many_deals = True

    def __init__(
        self,
        *,
        stack: float = 10,
        seats: int = 6,
        stacks: Sequence[float] | None = None,
        ante: float = 0,
        bb_ante: float = 0,
        dead: float = 0,
        straddle: float = 0,
        payouts: Sequence[float] | None = None,
    ) -> None:
        self.stakes = stakes = read_push_fold(locals())
        self._prizes = payouts
        if payouts is None:
            payments = np.zeros(0)
        else:
            payments = _list_payments(stakes, payouts)
        missing_seats = [0.0] * (MOST_SEATS - seats)
        chips = np.array(
            [
                stakes.dead,
                *(*stakes.behind, *missing_seats),
                *(*stakes.blinds, *missing_seats),
                *(*stakes.antes, *missing_seats),
            ]
        )
        # as whole numbers of a power of two, so that none loses a digit that the largest keeps
        largest = max(float(chips.sum()), float(np.abs(payments).max(initial=0.0)))
        units = max(0, min(_MOST_UNITS, 52 - frexp(largest)[1]))
        lookup = tables()
        super().__init__(
            players=seats,
            parameters=[
                *(seats, 1 << units, int(payouts is not None)),
                *np.rint(chips * 2.0**units).tolist(),
                *BINOMIAL.ravel().tolist(),
                *lookup.flush.tolist(),
                *lookup.plain[7].tolist(),
                *np.rint(payments * 2.0**units).tolist(),
            ],
            start=[CHANCE, 0, 0, 0, 1, *[-1] * (2 * seats + _BOARD)],
            max_actions=NUM_CARDS,
            max_observation=2,
            settings=locals(),
        )

    def __str__(self) -> str:
        return spec(self.name, PushFold, self.settings)

    def offer_form(self, *, keep_tree: bool) -> ManyRangesForm:
        """Return the game by ranges; a tree of its histories would have too many of them."""
        if keep_tree:
            raise GameError(
                f"{self} has too many deals to be written out, as explanations and samples of a "
                "tree need: leave sampling out, or sample its rules: "
                "sampling='external(tree=False)'.",
                wrong_use=True,
            )
        return many_ranges_form(ManyRanges(str(self), self.stakes, self._prizes))

    def action_label(self, state: State, action: int) -> str:
        if state[MOVER] == CHANCE:
            return CARD_NAMES[action]
        if action == FOLD:
            return "fold"
        return _move_word(state[IN] > 0)

    def infoset_name(self, observation: State) -> str:
        hand, line = observation
        moves = list[str]()
        pushed = False
        for bit in f"{line:b}"[1:]:
            moves.append(_move_word(pushed) if bit == "1" else "fold")
            pushed = pushed or bit == "1"
        return f"{CLASSES[hand]} {'-'.join(moves)}".rstrip()

    def state_of(self, player: int, infoset: str) -> State | None:
        hand, _, line = infoset.partition(" ")
        moves = line.split("-") if line else []
        if hand not in CLASSES or not len(moves) == player < self.players:
            return None
        state = list(self._start)
        cards = HANDS[int(np.argmax(CLASSES.index(hand) == CLASS_OF_HAND))].tolist()
        other_cards = [card for card in range(NUM_CARDS) if card not in cards]
        cards_in_order = [*other_cards[: 2 * player], *cards, *other_cards[2 * player :]]
        for card in cards_in_order[: 2 * self.players]:
            play(self.parameters, state, card)
        for move in moves:
            play(self.parameters, state, FOLD if move == "fold" else ALL_IN)
        is_same = state[MOVER] == player and self.infoset(tuple(state)) == infoset
        if is_same:
            return tuple(state)
        return None


def _move_word(pushed: bool) -> str:
    if pushed:
        return "call"
    return "push"


def _list_payments(stakes: Stakes, payouts: Sequence[float]) -> Floats:
    """Return what is paid in all cases, by :func:`payment_number`; 0 in those that there are not."""
    seats = len(stakes.stacks)
    if len(set(stakes.stacks)) > 1 or stakes.names[-1] != "BB":
        raise GameError(
            f"{PushFold.name}: with {seats} seats prizes go with equal stacks and without a "
            "straddle; leave payouts out, or take 2 or 3 seats.",
            wrong_use=True,
        )
    least = min(stakes.behind)
    # Nobody can lose more than the big blind has after the antes.
    least_stacks = tuple(least + ante for ante in stakes.antes)
    paid = np.zeros((MOST_SEATS + 1) ** 2 * 3**4)
    for all_in, winners, small, big in product(
        range(seats + 1), range(1, seats + 1), range(3), range(3)
    ):
        counts = [winners, all_in - winners, seats - all_in]
        if all_in == 0:  # the big blind wins
            counts = [1, 0, seats - 1]
        for blind in (small, big):
            counts[blind] -= 1
        if min(counts) < 0 or (all_in == 0 and (winners, big) != (1, WON)):
            continue
        fates = [*[WON] * counts[WON], *[LOST] * counts[LOST], *[OUT] * counts[OUT], small, big]
        ranking = [
            [player for player, of in enumerate(fates) if of == fate] for fate in (WON, LOST)
        ]
        gains = share_pots(stakes._replace(stacks=least_stacks), ranking)
        seat_of = [*[OTHER] * (seats - 2), SMALL, BIG]
        for seat, of, worth in zip(
            seat_of, fates, value_chips(stakes, gains, payouts), strict=True
        ):
            paid[payment_number(all_in, winners, small, big, seat, of)] = worth
    return paid


def push_fold(*, seats: int = 2, **settings: Any) -> PushFold | ThreeHanded | ManyHanded:
    """Return push or fold with two to nine seats.

    Raises
    ------
    GameError
        There are other seats, or a setting is not allowed.
    """
    whole(PushFold.name, "seats", seats, least=2, most=MOST_SEATS)
    if seats > 3:
        return ManyHanded(seats=seats, **settings)
    if seats == 3:
        return ThreeHanded(**settings)
    return PushFold(**settings)
