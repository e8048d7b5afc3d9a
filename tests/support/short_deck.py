"""Short deck once more, slow and obvious: strengths, equities, and the values of a strategy by plain recursion.

Nothing here reads ``equilibrist.poker.spot``, which it judges. A card is its name.
"""

from collections import Counter
from itertools import combinations

RANKS = "6789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]
STRAIGHTS = [set("A6789"), *(set(RANKS[low : low + 5]) for low in range(5))]
KINDS = [
    "high",
    "pair",
    "two pair",
    "three",
    "straight",
    "full house",
    "flush",
    "four",
    "straight flush",
]
OTHER_ORDER = [
    "high",
    "pair",
    "two pair",
    "straight",
    "three",
    "full house",
    "flush",
    "four",
    "straight flush",
]


def kind_of(hand):
    """Return what five cards are, and their ranks in the order in which they count."""
    count = Counter(card[0] for card in hand)
    ranks = sorted(
        map(RANKS.index, count), key=lambda rank: (count[RANKS[rank]], rank), reverse=True
    )
    straight = next(
        (place for place, ranks_of_it in enumerate(STRAIGHTS) if ranks_of_it == set(count)), None
    )
    flush = len({card[1] for card in hand}) == 1
    if straight is not None:
        return "straight flush" if flush else "straight", [straight]
    if flush:
        return "flush", ranks
    groups = tuple(sorted(count.values()))
    names = {
        (1, 4): "four",
        (2, 3): "full house",
        (1, 1, 3): "three",
        (1, 2, 2): "two pair",
        (1, 1, 1, 2): "pair",
    }
    return names.get(groups, "high"), ranks


def strength(hand, kinds=KINDS):
    """Return the strength of the best five of five to seven cards."""
    return max((kinds.index(kind), ranks) for kind, ranks in map(kind_of, combinations(hand, 5)))


def cards_of(text):
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def share(hand, other, board, kinds=KINDS):
    """Return the share of the pot that a hand wins from another one without betting, over all cards to come."""
    hand, other, board = map(cards_of, (hand, other, board))
    left = [card for card in DECK if card not in {*hand, *other, *board}]
    shares = []
    for cards in combinations(left, 5 - len(board)):
        mine, theirs = (strength([*two, *board, *cards], kinds) for two in (hand, other))
        shares.append(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return sum(shares) / len(shares)


class Recursion:
    """The values of a strategy where the only bet is all-in.

    ``mix(line, board, hand)`` gives the probabilities of who decides, in the order X, A or F, C; ``hands`` has,
    for each player, names and weights.
    """

    def __init__(self, board, hands, mix, *, pot, stack, kinds=KINDS):
        self.hands, self.mix, self.pot, self.stack, self.kinds = hands, mix, pot, stack, kinds
        self.board, self.strengths = board, {}
        self.total = sum(
            weight * other_weight
            for hand, weight in hands[0].items()
            for other, other_weight in hands[1].items()
            if not set(cards_of(hand)) & set(cards_of(other))
        )

    def value(self, player, *, best):
        """Return what a player receives with the strategy, or with the best response to it."""
        values = self._walk(player, best, "", "", self.board, dict(self.hands[1 - player]))
        return (
            sum(weight * values[hand] for hand, weight in self.hands[player].items()) / self.total
        )

    def _walk(self, player, best, line, street, board, reach):
        """Return the value of each hand of a player: Σ over the other's hands that go with it of reach × payoff."""
        if street == "A-F":
            return self._end(player, board, reach, lambda: self._folded(player, winner=0))
        if street == "X-A-F":
            return self._end(player, board, reach, lambda: self._folded(player, winner=1))
        if street in ("X-X", "A-C", "X-A-C"):
            return self._next_street(player, best, line, street, board, reach)
        mover = 1 if street in ("X", "A") else 0
        actions = ["F", "C"] if street.endswith("A") else ["X", "A"]
        values, mixes = [], {hand: self._mix(line, board, hand) for hand in self.hands[mover]}
        for number, action in enumerate(actions):
            after = f"{street}-{action}".strip("-")
            line_after = f"{line}-{action}".replace("| -", "| ").strip("-")
            below = reach
            if mover != player:
                below = {hand: weight * mixes[hand][number] for hand, weight in reach.items()}
            values.append(self._walk(player, best, line_after, after, board, below))
        if mover != player:
            return {hand: sum(each[hand] for each in values) for hand in values[0]}
        if best:
            return {hand: max(each[hand] for each in values) for hand in values[0]}
        return {
            hand: sum(p * each[hand] for p, each in zip(mixes[hand], values, strict=True))
            for hand in values[0]
        }

    def _mix(self, line, board, hand):
        blocked = set(cards_of(hand)) & set(cards_of(board))
        return (0.0, 0.0) if blocked else self.mix(self._spelled(line), board, hand)

    def _spelled(self, line):
        return line.replace("A", f"A{self.stack}")

    def _next_street(self, player, best, line, street, board, reach):
        shown = cards_of(board)
        if len(shown) == 5:
            paid = 0 if street == "X-X" else self.stack
            return self._end(player, board, reach, lambda: None, paid)
        values = dict.fromkeys(self.hands[player], 0.0)
        chance = 1 / (len(DECK) - len(shown) - 4)
        for card in DECK:
            if card in shown:
                continue
            left = {
                hand: 0.0 if card in cards_of(hand) else weight for hand, weight in reach.items()
            }
            if street == "X-X":
                below = self._walk(player, best, f"{line} | ", "", board + card, left)
            else:  # all-in: nobody decides any more
                below = self._next_street(player, best, line, street, board + card, left)
            for hand in values:
                values[hand] += 0.0 if card in cards_of(hand) else chance * below[hand]
        return values

    def _folded(self, player, winner):
        return self.pot if player == winner else 0.0

    def _end(self, player, board, reach, folded, paid=0):
        shown, values = cards_of(board), {}
        fixed = folded()
        if fixed is None and frozenset(shown) not in self.strengths:
            self.strengths[frozenset(shown)] = self._strengths(shown)
        strengths = self.strengths.get(frozenset(shown), {})
        for hand in self.hands[player]:
            values[hand] = 0.0
            for other, weight in reach.items():
                cards = [*cards_of(hand), *cards_of(other), *shown]
                if weight == 0.0 or len(set(cards)) < len(cards):
                    continue
                payoff = fixed
                if payoff is None:
                    mine, theirs = strengths[hand], strengths[other]
                    won = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    payoff = won * (self.pot + 2 * paid) - paid
                values[hand] += weight * payoff
        return values

    def _strengths(self, shown):
        names = {*self.hands[0], *self.hands[1]}
        free = [name for name in names if not set(cards_of(name)) & set(shown)]
        return {name: strength([*cards_of(name), *shown], self.kinds) for name in free}
