"""Small random card games: a seed makes a game, the same one each time."""

import random
from itertools import combinations, permutations

import numpy as np

from equilibrist import CHANCE, TERMINAL, Deal
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.game.protocol import game_name

STREETS = ((), (1,), (1,), (2,), (1, 1), (2, 1))
WEIGHTS = (1.0, 1.0, 0.25, 0.5, 3.0, 1e-3, 0.0)


class RandomCardGame:
    """A deck of ranks and suits, hands of one or two cards each, up to two streets, and a random tree of betting.

    Strengths are random but for permutations of suits, which change them only by a constant of the board. Weights are
    random; the same for hands that some of the permutations make alike, or not at all. Some hands have the weight 0,
    some are blocked by the board, some players have one hand. Players move in any order, several times in a row or
    never, among one to three actions.

    Parameters
    ----------
    seed : int
        Everything follows from it.
    rake : bool
        Whether payoffs are any numbers, rather than sum to the pot.
    hands : int
        Most hands of a player.
    cards : int
        Most cards of the deck.
    streets : sequence of int, optional
        By default the seed decides.
    depth : int
        Most moves on a street.
    ties : bool
        Whether many payoffs are the same whole numbers.
    uneven : bool
        Whether the same cards differ in strength between the players.
    held : int, optional
        Cards of a hand; by default one or two.
    """

    pot = 4.0

    def __init__(
        self,
        seed,
        *,
        rake=False,
        hands=6,
        cards=8,
        streets=None,
        depth=3,
        ties=True,
        uneven=False,
        held=None,
    ):
        self.seed, self.rake, self.depth, self.ties, self.uneven = seed, rake, depth, ties, uneven
        dice = self._dice("deck")
        suits = dice.choice((1, 2, 2, 3, 3, 4))
        held = [dice.choice((1, 1, 2)) if held is None else held] * 2
        self.streets = dice.choice(STREETS) if streets is None else tuple(streets)
        shown = dice.choice((0, 0, 0, 1, 2)) + sum(self.streets)
        least = -(-(sum(held) + shown) // suits)
        ranks = dice.randint(least, max(least, cards // suits))
        self.cards = [
            f"{rank}{'cdhs'[suit]}" for rank in "23456789TJQKA"[-ranks:] for suit in range(suits)
        ]
        self.board = tuple(dice.sample(range(len(self.cards)), shown - sum(self.streets)))
        alike = list(permutations(range(suits)))
        self.symmetries = np.array(
            [[suits * (c // suits) + to[c % suits] for c in range(ranks * suits)] for to in alike]
        )
        kept = [self.symmetries[0]]
        if dice.random() < 0.7:
            kept = dice.choice((self.symmetries, [*kept, dice.choice(self.symmetries)]))
        self.deal = self._deal(dice, held, hands, np.array(kept))
        self.hands = tuple(
            ["".join(self.cards[card] for card in hand) for hand in own] for own in self.deal.hands
        )
        self._nodes, self._known = {}, {}

    def __str__(self):
        return f"random card game {self.seed}"

    def _dice(self, *what):
        return random.Random(f"{self.seed} {what}")

    def _deal(self, dice, held, most, kept):
        """Return hands and weights; those that a permutation in `kept` makes alike mostly have the same weight."""
        for _ in range(100):
            hands, weights = [], []
            for size in held:
                every = list(combinations(range(len(self.cards)), size))
                own = {}
                while every and len(own) < most and (not own or dice.random() < 0.85):
                    hand, weight = dice.choice(every), dice.choice(WEIGHTS)
                    for to in kept:
                        own.setdefault(tuple(sorted(to[list(hand)].tolist())), weight)
                names = list(own)
                dice.shuffle(names)
                hands.append([dice.sample(name, size) for name in names])
                weights.append([own[name] for name in names])
            pairs = (
                weights[0][i] * weights[1][j]
                and len({*one, *other, *self.board}) == sum(held) + len(self.board)
                for i, one in enumerate(hands[0])
                for j, other in enumerate(hands[1])
            )
            if any(pairs):
                return Deal(hands, weights, cards=len(self.cards))
        board = [card for card in range(len(self.cards)) if card not in self.board]
        return Deal([[board[: held[0]]], [board[-held[1] :]]], cards=len(self.cards))

    def strengths(self, boards):
        return tuple(
            np.array(
                [
                    [self._strength(player, hand, board) for hand in own]
                    for board in boards.tolist()
                ],
                np.int64,
            )
            for player, own in enumerate(self.deal.hands)
        )

    def _strength(self, player, hand, board):
        key = player, hand, tuple(board)
        if key not in self._known:
            self._known[key] = self._new_strength(player, hand, board)
        return self._known[key]

    def _new_strength(self, player, hand, board):
        """Return a random number of hand and board, but for the suits, scaled by one of the board."""
        if set(hand) & set(board):
            return self._dice(player, hand, board).randrange(-(2**40), 2**40)
        alike = min(
            (sorted(to[list(hand)].tolist()), sorted(to[board].tolist())) for to in self.symmetries
        )
        dice, whose = self._dice("strengths", tuple(sorted(board))), (player,) * self.uneven
        return dice.randrange(-5, 5) + dice.choice((1, 7, 2**40)) * self._dice(
            "strength", alike, *whose
        ).randrange(4)

    def _node(self, state):
        """Return (who moves, the actions, the payoff)."""
        if state not in self._nodes:
            dice = self._dice(state)
            dealt = sum(move is None for move in state)
            street = state[::-1].index(None) if dealt else len(state)
            over = street >= self.depth or (dice.random() < 0.3 if state else dice.random() < 0.1)
            if over and dealt < len(self.streets) and (dice.random() < 0.8 or not state):
                self._nodes[state] = CHANCE, (), None
            elif over and state:
                self._nodes[state] = (
                    TERMINAL,
                    (),
                    self._paid(dice, shown=dealt == len(self.streets)),
                )
            else:
                self._nodes[state] = (
                    dice.randrange(2),
                    tuple(range(dice.choice((1, 2, 2, 2, 3)))),
                    None,
                )
        return self._nodes[state]

    def _paid(self, dice, *, shown):
        def pair():
            amount = (
                dice.choice((-3.0, 0.0, 2.0, 7.0))
                if self.ties and dice.random() < 0.5
                else dice.uniform(-3, 7)
            )
            return amount, dice.uniform(-3, 5) if self.rake else self.pot - amount

        return ShowdownPayoffs(pair(), pair(), pair()) if shown and dice.random() < 0.7 else pair()

    def start(self):
        return ()

    def player(self, state):
        return self._node(state)[0]

    def actions(self, state):
        return self._node(state)[1]

    def next(self, state, action):
        return (*state, action)

    def payoff(self, state):
        return self._node(state)[2]

    def action_label(self, state, action):
        return "XBR"[action]


class Narrowed:
    """A card game with some of its answers replaced."""

    def __init__(self, game, **answers):
        self._game = game
        vars(self).update(answers)

    def __getattr__(self, name):
        return getattr(self._game, name)

    def __str__(self):
        return game_name(self._game)


def without_symmetries(game):
    """Return the same game, in which no permutation of the cards is known but the identity."""
    return Narrowed(game, symmetries=np.arange(game.deal.cards)[None])
