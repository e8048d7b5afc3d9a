"""Exercise 1: regret matching.

Write regret_matching(regrets). It takes a list of regret sums, one for each action, and returns a list of
probabilities: each action in proportion to its regret sum if that is positive, and never otherwise. If no sum is
positive, all actions are equally likely.

    regret_matching([3, -1, 1])  →  [0.75, 0, 0.25]
"""


def regret_matching(regrets):
    # solution
    positive = [max(regret, 0) for regret in regrets]
    total = sum(positive)
    if total > 0:
        return [regret / total for regret in positive]
    return [1 / len(regrets)] * len(regrets)


if __name__ == "__main__":
    print(regret_matching([3, -1, 1]))
