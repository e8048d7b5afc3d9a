"""Card games history by history: hands are dealt, then public cards, one possible set after the other.

:class:`Dealt` is an ordinary game, so that :mod:`support.reference` (CFR, values and best responses by recursion over
dictionaries) and the sequence form judge card games, with rake or without. It uses nothing but the protocol.
"""

from itertools import combinations

import numpy as np

from equilibrist import CHANCE
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.game.protocol import action_label


class Dealt:
    """A card game as an ordinary one. A state is (numbers of both hands or None, board, text of the line, betting).

    Payoffs are those of the card game, less ``pot / 2`` for both.
    """

    players = 2

    def __init__(self, game, *, pot=0.0):
        self.game, self.half = game, pot / 2
        self.pairs = {}  # numbers of both hands: weight
        for i, one in enumerate(game.deal.hands[0]):
            for j, other in enumerate(game.deal.hands[1]):
                weight = float(game.deal.weights[0][i] * game.deal.weights[1][j])
                if weight and len({*one, *other, *game.board}) == len(one) + len(other) + len(
                    game.board
                ):
                    self.pairs[i, j] = weight
        self.total = sum(self.pairs.values())

    def start(self):
        return None, tuple(self.game.board), "", self.game.start()

    def player(self, state):
        return CHANCE if state[0] is None else self.game.player(state[3])

    def actions(self, state):
        pair, board, _, here = state
        if pair is None:
            return list(self.pairs)
        if self.game.player(here) != CHANCE:
            return self.game.actions(here)
        known = {*board, *self.game.deal.hands[0][pair[0]], *self.game.deal.hands[1][pair[1]]}
        shown, street = len(board) - len(self.game.board), 0
        while sum(self.game.streets[:street]) < shown:
            street += 1
        unseen = [card for card in range(self.game.deal.cards) if card not in known]
        return list(combinations(unseen, self.game.streets[street]))

    def probabilities(self, state):
        if state[0] is None:
            return [weight / self.total for weight in self.pairs.values()]
        count = len(self.actions(state))
        return [1 / count] * count

    def next(self, state, action):
        pair, board, line, here = state
        if pair is None:
            return action, board, line, here
        if self.game.player(here) == CHANCE:
            return pair, board + action, line + "/", self.game.next(here, None)
        label = action_label(self.game, here, action)
        joined = f"{line}{label}" if line[-1:] in ("", "/") else f"{line}-{label}"
        return pair, board, joined, self.game.next(here, action)

    def payoffs(self, state):
        pair, board, _, here = state
        paid = self.game.payoff(here)
        if isinstance(paid, ShowdownPayoffs):
            one, other = self.game.strengths(np.array([board], np.int64).reshape(1, -1))
            mine, yours = int(one[0][pair[0]]), int(other[0][pair[1]])
            paid = paid.win if mine > yours else paid.lose if mine < yours else paid.tie
        return [paid[0] - self.half, paid[1] - self.half]

    def infoset(self, state):
        pair, board, line, here = state
        player = self.game.player(here)
        text = "".join(self.game.cards[card] for card in board)
        line = line.replace("/", " | ").strip()
        return " ".join(
            part for part in (self.game.hands[player][pair[player]], text, line) if part
        )

    def action_label(self, state, action):
        pair, _, _, here = state
        if pair is None or self.game.player(here) == CHANCE:
            return str(action)
        return action_label(self.game, here, action)

    def public(self, state):
        return state[1:3] if state[0] is not None else None


def close(game):
    """Return the tolerance of comparisons: inclusion and exclusion rounds the sum over all pairs of hands.

    Pairs that share a card cancel in it; what is left of them counts where the others are few or of small weight.
    """
    one, other = (weights.sum() for weights in game.deal.weights)
    return max(1e-12, 1e-14 * one * other / Dealt(game).total)
