"""Check the proof of a game's value with nothing but Python: check_proof.py kuhn.proof.json my_rules.py:Kuhn

The rules are a class with seven methods: start, player (-1: chance, -2: the game is over), actions, probabilities,
next, payoffs and infoset; action_label(state, action) where it has names. Without rules, Equilibrist's are taken."""

import json
import re
import runpy
import sys
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction


def demand(is_so, complaint):
    return is_so or sys.exit(f"not proved: {complaint}")  # unlike assert, with python -O as well


def read(text):
    demand(re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", text), f"{text} is no fraction")
    return Fraction(*(int(Decimal(digits)) for digits in text.split("/")))  # of any length


def ratio(number):
    """Return a number as a fraction; of a float, a simple fraction that is this float."""
    powers = range(64 if isinstance(number, float) else 0)
    candidates = (Fraction(number).limit_denominator(2**power) for power in powers)
    return next((ratio for ratio in candidates if float(ratio) == number), Fraction(number))


def check(game, proof):
    """Return whether the best response to each plan wins just the value that is told, and what it wins."""
    plans = defaultdict(dict)
    for row in proof["strategy"]:
        plan = {action: read(text) for action, text in row["probabilities"].items()}
        demand(min(plan.values()) >= 0 and sum(plan.values()) == 1, f"no probabilities: {row}")
        plans[row["player"], row["infoset"]] = plan
    label = getattr(game, "action_label", lambda state, action: str(action))
    # Of each player: the last action before each infoset, and payoff × reach of others by last action.
    parents, worth = {}, defaultdict(Fraction)

    def walk(state, chance, reach, last):
        mover = game.player(state)
        if mover == -2:
            paid = [ratio(payoff) for payoff in game.payoffs(state)]
            demand(len(paid) == 2 and sum(paid) == 0, "payoffs of two players do not sum to 0")
            for player in (0, 1):
                worth[last[player]] += chance * reach[1 - player] * paid[player]
        elif mover == -1:
            chances = [ratio(p) for p in game.probabilities(state)]
            demand(min(chances) >= 0 and sum(chances) == 1, "chances are no probabilities")
            for outcome, p in zip(game.actions(state), chances, strict=True):
                walk(game.next(state, outcome), chance * p, reach, last)
        else:
            infoset = (mover, str(game.infoset(state)))
            names = [label(state, action) for action in game.actions(state)]
            demand(sorted(plans[infoset]) == sorted(names), f"other actions at {infoset}")
            before = parents.setdefault(infoset, last[mover])
            demand(before == last[mover], f"{infoset} does not tell what its player did")
            for name, action in zip(names, game.actions(state), strict=True):
                after = reach | {mover: reach[mover] * plans[infoset][name]}
                walk(game.next(state, action), chance, after, last | {mover: (infoset, name)})

    walk(game.start(), Fraction(1), {0: 1, 1: 1}, {0: 0, 1: 1})
    for infoset, parent in reversed(parents.items()):
        worth[parent] += max(worth[infoset, action] for action in plans[infoset])
    best = [worth[0], worth[1]]
    return best == [read(text) for text in proof["value"]] and sum(best) == 0, best


if __name__ == "__main__":
    with open(*(sys.argv[1:2] or sys.exit(__doc__)), encoding="utf-8") as file:
        proof = json.load(file)
    path, _, name = sys.argv[2].rpartition(":") if sys.argv[2:] else ("", "", "")
    rules = runpy.run_path(path)[name]() if path else None
    rules = rules or __import__("equilibrist").load(proof["game"], trust=False)
    proved, best = check(getattr(rules, "in_fractions", lambda: rules)(), proof)
    print("equal: proved" if proved else f"not equal: best responses win {best[0]} and {best[1]}")
    sys.exit(not proved)
