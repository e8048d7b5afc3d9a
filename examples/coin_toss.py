"""The coin toss of Brown & Sandholm 2017, which shows what solving a part of a game again must not forget.

A coin lands heads or tails, and only the first player sees it. They sell it, for 0.5 (heads) or -0.5 (tails), or play:
then the second player guesses, and pays 1 if the guess is wrong, wins 1 if it is right. What the second player should
guess depends on what selling pays, which is outside of the guess: heads with 1/4.
"""


class CoinToss:
    name = "coin_toss"
    players = 2

    def start(self):
        return ()

    def player(self, state):
        moves = len(state)
        return -1 if moves == 0 else 0 if moves == 1 else 1 if state[1:] == ("play",) else -2

    def actions(self, state):
        return (("heads", "tails"), ("sell", "play"), ("heads", "tails"))[len(state)]

    def probabilities(self, state):
        return (0.5, 0.5)

    def next(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return state[0] if len(state) == 1 else "guess"

    def payoffs(self, state):
        side, choice, *guess = state
        price = 0.5 if side == "heads" else -0.5
        gain = price if choice == "sell" else -1.0 if guess == [side] else 1.0
        return gain, -gain
