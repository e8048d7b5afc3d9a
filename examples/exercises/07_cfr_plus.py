"""Exercise 7: CFR+.

Write cfr_plus(game, iterations). It returns the average strategy: for each (player, infoset) a list of probabilities.
Change three things of CFR:

* The players are updated in turn. First walk for player 0, and give player 0 a new strategy; then walk for player 1,
  against that new strategy.
* After each walk, regret sums of the player below 0 become 0. (After the walk: an infoset has several histories, and
  only when all have been added is the sum known.)
* Iteration t counts t times in the average strategy, besides the weight by the player's own reach.
"""

import equilibrist as eq


def regret_matching(regrets):
    positive = [max(regret, 0) for regret in regrets]
    total = sum(positive)
    if total > 0:
        return [regret / total for regret in positive]
    return [1 / len(regrets)] * len(regrets)


def cfr_plus(game, iterations):
    # solution
    regrets, sums = {}, {}

    def walk(state, player, mine, others, sigma):
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
            reach = (mine * p, others) if mover == player else (mine, others * p)
            below.append(walk(game.next(state, action), player, *reach, sigma))
        mean = sum(p * value for p, value in zip(probabilities, below, strict=True))
        if mover == player:
            row = regrets.setdefault(infoset, [0.0] * len(actions))
            total = sums.setdefault(infoset, [0.0] * len(actions))
            for number, value in enumerate(below):
                row[number] += others * (value - mean)
                total[number] += mine * probabilities[number]
        return mean

    for t in range(1, iterations + 1):
        for player in (0, 1):
            sigma = {infoset: regret_matching(row) for infoset, row in regrets.items()}
            walk(
                game.start(), player, t, 1.0, sigma
            )  # the reach begins at t: so iteration t counts t times
            for infoset, row in regrets.items():
                regrets[infoset] = [max(regret, 0.0) for regret in row]
    return {
        infoset: [p / sum(row) for p in row] if sum(row) > 0 else [1 / len(row)] * len(row)
        for infoset, row in sums.items()
    }


if __name__ == "__main__":
    strategy = cfr_plus(eq.load("kuhn"), 200)
    named = {
        key: dict(
            zip(("pass", "bet") if key[1][1:] in ("", "p") else ("fold", "call"), row, strict=True)
        )
        for key, row in strategy.items()
    }
    print("exploitability on Kuhn poker:", eq.evaluate("kuhn", named).exploitability)
