"""Exercise 4: counterfactual regret minimisation.

Write cfr(game, iterations). It returns a dictionary: for each (player, infoset) the list of regret sums after so many
iterations, in the order of game.actions(state).

An iteration plays one strategy: at every infoset that of regret matching on the regret sums so far. It is fixed before
the walks of the iteration begin, for both players. The regret of an action is its counterfactual value minus the mean
of these values under the strategy that is played; every iteration adds its regrets to the sums.

    cfr(kuhn, 1)[0, "Qpb"]  →  [-1/12, 1/12]
"""

import equilibrist as eq


def regret_matching(regrets):
    positive = [max(regret, 0) for regret in regrets]
    total = sum(positive)
    if total > 0:
        return [regret / total for regret in positive]
    return [1 / len(regrets)] * len(regrets)


def cfr(game, iterations):
    # solution
    regrets = {}

    def walk(state, player, others, sigma):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return game.payoffs(state)[player]
        actions = game.actions(state)
        if mover == eq.CHANCE:
            probabilities = game.probabilities(state)
        else:
            infoset = mover, game.infoset(state)
            probabilities = sigma.get(infoset, [1 / len(actions)] * len(actions))
        below = []
        for action, p in zip(actions, probabilities, strict=True):
            below.append(
                walk(
                    game.next(state, action),
                    player,
                    others if mover == player else others * p,
                    sigma,
                )
            )
        mean = sum(p * value for p, value in zip(probabilities, below, strict=True))
        if mover == player:
            row = regrets.setdefault(infoset, [0.0] * len(actions))
            for action, value in enumerate(below):
                row[action] += others * (value - mean)
        return mean

    for _ in range(iterations):
        sigma = {
            infoset: regret_matching(row) for infoset, row in regrets.items()
        }  # before the walks
        for player in (0, 1):
            walk(game.start(), player, 1.0, sigma)
    return regrets


if __name__ == "__main__":
    for (player, infoset), row in cfr(eq.load("kuhn"), 2).items():
        print(player, infoset, [round(regret, 4) for regret in row], "next:", regret_matching(row))
