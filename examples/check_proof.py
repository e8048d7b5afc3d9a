"""Check a proof of the value of a game, with nothing but Python.

    python check_proof.py kuhn.proof.json my_rules.py:Kuhn

The rules are a class with seven methods: start, player (-1: chance, -2: the game is over), actions, probabilities,
next, payoffs and infoset; action_label(state, action) where it has names. Without rules, Equilibrist's own are taken.
"""

import json
import runpy
import sys
from fractions import Fraction


def ratio(number):
    """Return a number as a fraction; of a float, the simplest fraction that is this float."""
    candidates = (Fraction(number).limit_denominator(2**power) for power in range(64))
    exact = Fraction(number)
    if isinstance(number, float):
        return next((candidate for candidate in candidates if float(candidate) == number), exact)
    return exact


def check(game, proof):
    """Return whether the best response to each plan wins just the value that is told, and what it wins."""
    plans = {}
    for row in proof["strategy"]:
        plan = {action: Fraction(text) for action, text in row["probabilities"].items()}
        assert min(plan.values()) >= 0, f"a probability below 0: {row}"
        assert sum(plan.values()) == 1, f"no probabilities: {row}"
        plans[row["player"], row["infoset"]] = plan
    label = getattr(game, "action_label", lambda state, action: str(action))
    # Of each player: the last action before each infoset, in the order in which infosets are met;
    # and payoff × probability of chance and of the other player, by the player's last action.
    parents = [{}, {}]
    worth = [{}, {}]

    def walk(state, chance, reach, last):
        mover = game.player(state)
        if mover == -2:
            for player, payoff in enumerate(game.payoffs(state)):
                weight = chance * reach[1 - player] * ratio(payoff)
                worth[player][last[player]] = worth[player].get(last[player], 0) + weight
        elif mover == -1:
            chances = [ratio(p) for p in game.probabilities(state)]
            assert sum(chances) == 1, f"chance sums to {sum(chances)}"
            for outcome, p in zip(game.actions(state), chances, strict=True):
                walk(game.next(state, outcome), chance * p, reach, last)
        else:
            key = str(game.infoset(state))
            before = parents[mover].setdefault(key, last[mover])
            assert before == last[mover], f"player {mover} forgets at {key}"
            for action in game.actions(state):
                step = (key, label(state, action))
                reach_after = [*reach]
                reach_after[mover] *= plans[mover, key][step[1]]
                last_after = [*last]
                last_after[mover] = step
                walk(game.next(state, action), chance, reach_after, last_after)

    walk(game.start(), Fraction(1), [Fraction(1)] * 2, [None] * 2)
    for player in (0, 1):
        for key, parent in reversed(parents[player].items()):
            best = max(worth[player].get((key, action), 0) for action in plans[player, key])
            worth[player][parent] = worth[player].get(parent, 0) + best
    best = [worth[player].get(None, Fraction(0)) for player in (0, 1)]
    told = [Fraction(text) for text in proof["value"]]
    return best == told and sum(told) == 0, best


if __name__ == "__main__" and len(sys.argv) == 1:
    print(__doc__)
elif __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        proof = json.load(file)
    path, _, name = sys.argv[2].partition(":") if len(sys.argv) > 2 else ("", "", "")
    rules = runpy.run_path(path)[name]() if path else __import__("equilibrist").load(proof["game"])
    proved, best = check(getattr(rules, "in_fractions", lambda: rules)(), proof)
    print("equal: proved" if proved else f"not equal: best responses win {best[0]} and {best[1]}")
    sys.exit(not proved)
