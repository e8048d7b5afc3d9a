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
    """Return a number as the simplest fraction that is this float."""
    simplest = (Fraction(number).limit_denominator(2**power) for power in range(64))
    found = next((r for r in simplest if float(r) == float(number)), Fraction(number))
    return number if isinstance(number, Fraction) else found


def check(game, proof):
    """Return whether the best response to each plan wins just the value that is told, and what it wins."""
    plans = {}
    for row in proof["strategy"]:
        plan = {action: Fraction(text) for action, text in row["probabilities"].items()}
        assert (min(plan.values()) >= 0, sum(plan.values())) == (True, 1), (
            f"no probabilities: {row}"
        )
        plans[row["player"], row["infoset"]] = plan
    label = getattr(game, "action_label", lambda state, action: str(action))
    parents = [
        {},
        {},
    ]  # of each player: the action before an infoset, in the order in which they are met
    worth = [{}, {}]  # payoff × probability of chance and the other, by the player's last action

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
            key = game.infoset(state)
            parents[mover].setdefault(key, last[mover])
            for action in game.actions(state):
                p = plans[mover, key][label(state, action)]
                now = [*reach]
                now[mover] *= p
                after = [*last]
                after[mover] = key, label(state, action)
                walk(game.next(state, action), chance, now, after)

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
    rules = runpy.run_path(path)[name]() if path else None
    proved, best = check(rules or __import__("equilibrist").load(proof["game"]), proof)
    print("equal: proved" if proved else f"not equal: best responses win {best[0]} and {best[1]}")
    sys.exit(not proved)
