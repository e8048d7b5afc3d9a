"""Exercise 2: rock, paper, scissors, then Blotto.

Write self_play(payoffs, rounds). payoffs is a matrix as a list of rows: payoffs[a][b] is what player 0 wins, and
player 1 loses, when they choose a and b. In every round both players choose by regret matching, at the same time; then
each adds the regrets of the round to their regret sums. Return the average strategies of both players over all rounds,
as a pair (x, y).

The regret of an action is its value against what the other player plays in this round, minus the value of the
player's own strategy of this round.
"""


def regret_matching(regrets):
    positive = [max(regret, 0) for regret in regrets]
    total = sum(positive)
    if total > 0:
        return [regret / total for regret in positive]
    return [1 / len(regrets)] * len(regrets)


def self_play(payoffs, rounds):
    # solution
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    regrets = [[0.0] * len(rows), [0.0] * len(columns)]
    sums = [[0.0] * len(rows), [0.0] * len(columns)]
    for _ in range(rounds):
        x, y = regret_matching(regrets[0]), regret_matching(regrets[1])
        values = (
            [sum(payoffs[a][b] * y[b] for b in columns) for a in rows],
            [sum(-payoffs[a][b] * x[a] for a in rows) for b in columns],
        )
        for player, played in enumerate((x, y)):
            earned = sum(p * value for p, value in zip(played, values[player], strict=True))
            for action, value in enumerate(values[player]):
                regrets[player][action] += value - earned
                sums[player][action] += played[action]
    return [total / rounds for total in sums[0]], [total / rounds for total in sums[1]]


if __name__ == "__main__":
    x, y = self_play([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 2000)
    print("rock, paper, scissors, where rock beats scissors twice:", [round(p, 3) for p in x])

    splits = [
        (a, b, 5 - a - b) for a in range(6) for b in range(6 - a)
    ]  # five soldiers on three fields

    def battle(mine, theirs):
        fields = sum((m > t) - (m < t) for m, t in zip(mine, theirs, strict=True))
        return (fields > 0) - (fields < 0)

    x, y = self_play([[battle(mine, theirs) for theirs in splits] for mine in splits], 500)
    print("Blotto:", {split: round(p, 3) for split, p in zip(splits, x, strict=True) if p > 0.01})
