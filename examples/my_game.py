"""A game of your own: Kuhn poker, in the seven methods that Equilibrist asks for.

equilibrist check examples/my_game.py:MyKuhn
equilibrist solve examples/my_game.py:MyKuhn --until 1e-6
"""

import equilibrist as eq


class MyKuhn:
    """Three cards, one each, one bet. A state is the text of all that happened: "JK", "JKp", "JKpb", …"""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        if len(state) < 2:
            return eq.CHANCE
        return eq.TERMINAL if state[2:] in ("pp", "pbp", "pbb", "bp", "bb") else len(state) % 2

    def actions(self, state):
        return [card for card in "JQK" if card not in state] if len(state) < 2 else ["p", "b"]

    def probabilities(self, state):
        return [1 / (3 - len(state))] * (3 - len(state))

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        bets = state[2:]
        higher = 0 if "JQK".index(state[0]) > "JQK".index(state[1]) else 1
        winner = len(bets) % 2 if bets.endswith("bp") else higher  # "bp": the last player folded
        chips = 2 if bets.endswith("bb") else 1
        return (chips, -chips) if winner == 0 else (-chips, chips)

    def infoset(self, state):
        return state[len(state) % 2] + state[2:]
