"""Exercise 3: reach and counterfactual values.

Write counterfactual_values(game, strategy, player). It walks through the whole game and returns a dictionary: for each
infoset of the player the list of the counterfactual values of the actions there, in the order of game.actions(state).

The counterfactual value of an action is a sum over the histories of the infoset: the probability that chance and the
other player lead to the history, times what the player wins on average after the action. The player's own
probabilities on the way to the infoset are left out.

game answers player(state), actions(state), probabilities(state), next(state, action), payoffs(state) and
infoset(state), and begins at start(). strategy[player, infoset] is a list of probabilities.

    counterfactual_values(kuhn, uniform, 0)["Qpb"]  →  [-1/6, 0]
"""

import equilibrist as eq


def counterfactual_values(game, strategy, player):
    # solution
    values = {}

    def walk(state, others):
        """Return what the player wins on average from here on; others is the reach of chance and the other player."""
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return game.payoffs(state)[player]
        probabilities = (
            game.probabilities(state)
            if mover == eq.CHANCE
            else strategy[mover, game.infoset(state)]
        )
        below = []
        for action, p in zip(game.actions(state), probabilities, strict=True):
            below.append(walk(game.next(state, action), others if mover == player else others * p))
        if mover == player:
            row = values.setdefault(game.infoset(state), [0.0] * len(below))
            for action, value in enumerate(below):
                row[action] += others * value
        return sum(p * value for p, value in zip(probabilities, below, strict=True))

    walk(game.start(), 1.0)
    return values


if __name__ == "__main__":
    names = [(0, card + moves) for card in "JQK" for moves in ("", "pb")]
    names += [(1, card + moves) for card in "JQK" for moves in ("p", "b")]
    uniform = {name: [0.5, 0.5] for name in names}
    for infoset, row in counterfactual_values(eq.load("kuhn"), uniform, 0).items():
        print(infoset, [round(value, 4) for value in row])
