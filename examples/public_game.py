"""A game with private hands of your own, told by its public states: cards, a bet, a die that everybody sees.

equilibrist check examples/public_game.py:Upset
equilibrist solve "examples/public_game.py:Upset(cards=50)" --form public --until 1e-5
"""

import numpy as np

import equilibrist as eq


class Upset:
    """Both ante 1 and draw a card. Player 0 bets, a die is thrown, player 1 calls or folds; on a six the lower wins."""

    def __init__(self, cards=200):
        self.ranks = np.arange(1, cards + 1)
        names = [str(rank) for rank in self.ranks]
        self.hands = names, names  # what player 0 may hold, and player 1

    def prior(self):  # the probability of each pair of hands: a row for each hand of player 0
        cards = len(self.ranks)
        return (1 - np.eye(cards)) / (cards * (cards - 1))

    def start(
        self,
    ):  # a public state: here what comes next, the bet, and whether the lower card wins
        return "bet", 0, False

    def player(self, state):  # whose move: 0, 1, eq.CHANCE for what both see, or eq.TERMINAL
        return {"bet": 0, "die": eq.CHANCE, "answer": 1}.get(state[0], eq.TERMINAL)

    def actions(self, state):  # the legal ones, which no hand may decide; or the outcomes of chance
        return {"bet": [0, 1, 2, 3], "die": ["six", "less"], "answer": ["fold", "call"]}[state[0]]

    def probabilities(
        self, state
    ):  # of each outcome: a number, or a matrix like prior() where hands matter
        return [1 / 6, 5 / 6]

    def next(self, state, action):
        step, bet, upset = state
        if step == "bet":
            return "die", action, False
        if step == "die":
            return "answer" if bet else "call", bet, action == "six"
        return action, bet, upset

    def payoff(self, state):  # what player 0 gets from player 1: a number, a showdown, or a matrix
        end, bet, upset = state
        strength = -self.ranks if upset else self.ranks
        return 1 if end == "fold" else eq.Showdown((strength, strength), win=1 + bet, lose=-1 - bet)


if __name__ == "__main__":
    solution = eq.solve(Upset(), form="public", until=1e-5)
    print(f"value {solution.value[0]:.5f}, exploitability {solution.exploitability:.1e}")
    print("with the highest card:", solution.strategy["200"])
