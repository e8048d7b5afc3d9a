"""Games spelled out as nested tuples, for tests that need a particular tree, a broken one included."""

from equilibrist.game.protocol import TERMINAL


def end(*payoffs):
    """Return a terminal history."""
    return TERMINAL, payoffs, {}


class Spelled:
    """A game that is its own tree.

    ``tree`` is ``end(payoffs...)``, ``(CHANCE, probabilities, {outcome: tree})`` or
    ``(player, infoset, {action: tree})``.
    """

    def __init__(self, players, tree):
        self.players, self.tree = players, tree

    def __str__(self):
        return "spelled"

    def start(self):
        return self.tree

    def player(self, state):
        return state[0]

    def actions(self, state):
        return list(state[2])

    def probabilities(self, state):
        return state[1]

    def next(self, state, action):
        return state[2][action]

    def payoffs(self, state):
        return state[1]

    def infoset(self, state):
        return state[1]


def turns(order, players):
    """Return a game in which players move in that order, seeing only their own moves; the sum of all decides."""

    def tree(moves):
        if len(moves) == len(order):
            total = sum(map(int, moves))
            return end(*(((total + p) % players) - (players - 1) / 2 for p in range(players)))
        player = order[len(moves)]
        own = "".join(move for mover, move in zip(order, moves, strict=False) if mover == player)
        return player, own, {move: tree(moves + move) for move in "01"}

    return Spelled(players, tree(""))


def renamed(game, keys):
    """Return a game whose infosets are called otherwise: one name for each player."""
    game.infoset = lambda state, player=game.player: keys[player(state)]
    return game
