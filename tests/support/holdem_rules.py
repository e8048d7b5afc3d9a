"""Hold'em once more, slow and obvious: ranges, the strength of hands, and spots with a few sizes of bets.

Nothing here reads ``equilibrist.poker.spot``, which it judges.
"""

from collections import Counter
from itertools import combinations, permutations

import numpy as np

from equilibrist import CHANCE, TERMINAL, Deal
from equilibrist.game.card_game import ShowdownPayoffs

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
SUIT_SWAPS = np.array(
    [[4 * (card // 4) + to[card % 4] for card in range(52)] for to in permutations(range(4))]
)

ALL_IN = "all-in"
"""What stands for a street on which nobody can bet."""

ISSUE_RANGES = (
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
)


def cards(text):
    """Return the numbers of cards: "Td9d6h" is [33, 29, 18]."""
    return [CARDS.index(text[at : at + 2]) for at in range(0, len(text), 2)]


def combos(text):
    """Return the hands of a range without weights, as tuples of two cards, the higher first."""
    found = set()
    for token in text.replace(" ", "").split(","):
        first, _, last = token.partition("-")
        if len(first) == 4 and first[1] in SUITS:
            found.add(tuple(sorted(cards(first), reverse=True)))
            continue
        high, low, kind = RANKS.index(first[0]), RANKS.index(first[1]), first[2:].rstrip("+")
        steps = 0
        if token.endswith("+"):
            steps = 12 - high if high == low else high - 1 - low
        elif last:
            steps = RANKS.index(last[1]) - low
        for step in range(min(steps, 0), max(steps, 0) + 1):
            pair = (high + step if high == low else high, low + step)
            for a, b in combinations(range(52), 2):
                suited = a % 4 == b % 4
                if (b // 4, a // 4) == pair and (
                    not kind or high == low or suited == (kind == "s")
                ):
                    found.add((b, a))
    return sorted(found, reverse=True)


def five_cards(hand):
    """Return the strength of five cards as a tuple: the kind of hand, then ranks in the order in which they count."""
    count = Counter(card // 4 for card in hand)
    ranks = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]  # the ace is low
    flush, straight = (
        len({card % 4 for card in hand}) == 1,
        len(ranks) == 5 and ranks[0] - ranks[4] == 4,
    )
    groups = sorted(count.values(), reverse=True)
    kinds = (
        [1, 1, 1, 1, 1],
        [2, 1, 1, 1],
        [2, 2, 1],
        [3, 1, 1],
        "straight",
        "flush",
        [3, 2],
        [4, 1],
    )
    kind = 8 if flush and straight else 5 if flush else 4 if straight else kinds.index(groups)
    return kind, *ranks


def strength(hand):
    """Return the strength of the best five of five to seven cards as a number."""
    best = max(five_cards(five) for five in combinations(hand, 5))
    return sum(16 ** (5 - place) * (part + 1) for place, part in enumerate(best))


class Spot:
    """A spot of hold'em, a card game: no limits but the stack, each bet a share of the pot, all-in the only raise.

    A state is the tuple of streets, each a tuple of actions: "X", "C", "F" or the chips put in on this street.

    Parameters
    ----------
    board, pot, stack
        "Td9d6hQc"; chips.
    ranges : pair of str
        As :func:`combos` reads them; hands that the board blocks are left out.
    sizes : sequence of numbers
        Bets as shares of the pot; "a" for all-in.
    raises : sequence of numbers, optional
        Raises: shares of the pot after the call, or "a".
    """

    cards = CARDS
    symmetries = SUIT_SWAPS

    def __init__(self, board, ranges, *, pot, stack, sizes=("a",), raises=("a",)):
        self.board = tuple(cards(board))
        self.pot, self.stack, self.sizes, self.raises = float(pot), float(stack), sizes, raises
        self.streets = (1,) * (5 - len(self.board))
        given = [
            [hand for hand in combos(text) if not set(hand) & set(self.board)] for text in ranges
        ]
        self.deal = Deal(given, cards=52)
        self.hands = tuple(["".join(CARDS[card] for card in hand) for hand in own] for own in given)
        self.pairs = given

    def strengths(self, boards):
        return tuple(
            np.array(
                [
                    [0 if set(hand) & set(board) else strength((*hand, *board)) for hand in own]
                    for board in boards.tolist()
                ]
            )
            for own in self.pairs
        )

    def start(self):
        return ((),)

    def _paid(self, state):
        """Return what each player has put in: on the streets before (the same for both), and on this one."""
        paid = [[0.0, 0.0]]
        for street in state:
            paid.append([0.0, 0.0])
            for number, action in enumerate(street):
                if action == "C":
                    paid[-1][number % 2] = max(paid[-1])
                elif not isinstance(action, str):
                    paid[-1][number % 2] = action
        return sum(one for one, _ in paid[:-1]), paid[-1]

    def player(self, state):
        *_, street = state
        if "F" in street or self._closed(street):
            return TERMINAL if "F" in street or len(state) > len(self.streets) else CHANCE
        return len(street) % 2

    def _closed(self, street):
        return street[-1:] == ("C",) or street in {("X", "X"), (ALL_IN,)}

    def actions(self, state):
        *_, street = state
        before, (own, other) = self._paid(state)
        if len(street) % 2:
            own, other = other, own
        left, pot = self.stack - before, self.pot + 2 * before + 2 * max(own, other)
        facing = other > own
        shares = self.raises if facing else self.sizes
        amounts = {left if share == "a" else min(left, other + share * pot) for share in shares}
        more = sorted(amount for amount in amounts if amount > other)
        return ["F", "C", *more] if facing else ["X", *more]

    def next(self, state, action):
        if action is not None:
            return (*state[:-1], (*state[-1], action))
        before, (one, _) = self._paid(state)
        return (*state, (ALL_IN,) if before + one >= self.stack else ())

    def payoff(self, state):
        before, paid = self._paid(state)
        own = [before + chips for chips in paid]
        pot = self.pot + sum(own)
        if state[-1][-1:] == ("F",):
            winner = len(state[-1]) % 2  # who folds has moved last
            return tuple((pot if player == winner else 0.0) - own[player] for player in range(2))
        win, lose = pot - own[0], -own[0]
        return ShowdownPayoffs((win, lose), (pot / 2 - own[0],) * 2, (lose, win))

    def action_label(self, state, action):
        if isinstance(action, str):
            return action
        before, paid = self._paid(state)
        letter = "A" if before + action >= self.stack else "R" if max(paid) else "B"
        return f"{letter}{action:g}"
