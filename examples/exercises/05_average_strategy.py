"""Exercise 5: the average strategy.

Write average_strategy(game, strategies). strategies is a list with the strategy that was played in each iteration;
each has a list of probabilities for every (player, infoset). Return their average, a dictionary of the same form.

At an infoset, an iteration counts as much as the player's own moves lead there in this iteration: its weight is the
product of the player's own probabilities on the way. If all weights are 0, all actions are equally likely.
"""

import equilibrist as eq


def average_strategy(game, strategies):
    # solution
    sums = {}

    def walk(state, reach, sigma):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return
        actions = game.actions(state)
        if mover == eq.CHANCE:
            for action in actions:
                walk(game.next(state, action), reach, sigma)
            return
        infoset = mover, game.infoset(state)
        row = sums.setdefault(infoset, [0.0] * len(actions))
        for number, (action, p) in enumerate(zip(actions, sigma[infoset], strict=True)):
            row[number] += reach[mover] * p
            further = list(reach)
            further[mover] *= p
            walk(game.next(state, action), further, sigma)

    for sigma in strategies:
        walk(game.start(), [1.0, 1.0], sigma)
    return {
        infoset: [p / sum(row) for p in row] if sum(row) > 0 else [1 / len(row)] * len(row)
        for infoset, row in sums.items()
    }


if __name__ == "__main__":
    game = eq.load("kuhn")
    run = eq.solve(
        game, "cfr(alternating=False)", iterations=1000, record=eq.Record("all", every=1)
    ).recording
    played, first = [], {}
    for table in run.strategy[:-1]:
        rows = iter(table.tolist())
        played.append(
            {(one.player, one.key): [next(rows) for _ in one.actions] for one in run.infosets}
        )
    for (player, infoset), row in average_strategy(game, played).items():
        print(player, infoset, [round(p, 3) for p in row])
