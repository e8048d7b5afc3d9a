"""Half a street with any bet sizes: what an off-tree bet is, in a game that can be solved whole."""


class BetSizes:
    """Two antes of 1 and one card each of J, Q, K: player 0 checks or bets, then player 1 checks or bets, who call.

    ``sizes`` are the bets of player 1 after a check; player 0 bets 1.
    """

    players = 2

    def __init__(self, sizes=(1,), pot=2, deck="JQK"):
        self.sizes, self.pot, self.deck = tuple(sizes), pot, deck

    def __str__(self):
        return f"bets {self.sizes}"

    def start(self):
        return ()

    def player(self, state):
        moves = state[2:]
        if len(state) < 2:
            return -1
        if moves in ((), ("check",)):
            return len(moves)
        if moves[-1].startswith("bet"):
            return len(moves) % 2
        return -2

    def actions(self, state):
        moves = state[2:]
        if len(state) < 2:
            return [card for card in self.deck if card not in state]
        if not moves:
            return ["check", "bet 1"]
        return (
            ["check", *(f"bet {size}" for size in self.sizes)]
            if moves == ("check",)
            else ["fold", "call"]
        )

    def probabilities(self, state):
        return [1 / (len(self.deck) - len(state))] * (len(self.deck) - len(state))

    def next(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return " ".join([state[len(state[2:]) % 2], *state[2:]])

    def payoffs(self, state):
        first, second, *moves = state
        half, stake = (
            self.pot / 2,
            int(moves[-2].split()[1]) if moves[-1] in ("fold", "call") else 0,
        )
        won = half + stake if moves[-1] != "fold" else half
        if moves[-1] == "fold":
            sign = 1 if (len(moves) - 1) % 2 == 1 else -1
        else:
            sign = 1 if self.deck.index(first) > self.deck.index(second) else -1
        return sign * won, -sign * won
