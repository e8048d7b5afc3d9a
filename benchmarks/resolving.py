"""The table of docs/resolving.md: Leduc with its 15 parts after the public card solved again by each method.

``python -m benchmarks.resolving`` prints it; it takes a minute.
"""

from __future__ import annotations

import re

import numpy as np

import equilibrist as eq
from equilibrist.form.gadget import METHODS

GAME = "openspiel:leduc_poker(suit_isomorphism=True)"


def main() -> None:
    form = eq.compile_game(eq.load(GAME), keep_tree=True)
    value, lines = eq.exact(form).value, dict[str, str]()
    for infoset in form.infosets:
        if match := re.search(r"\[Public: \d\]\[Round1: [\d ]+\]\[Round2: \]$", infoset.key):
            lines.setdefault(match[0], infoset.key)
    uniform = eq.Strategy.from_form(form, form.average_from_sums(np.zeros(form.length)))
    blueprints = {"uniform": uniform}
    blueprints |= {f"cfr, {n} iterations": eq.solve(form, "cfr", iterations=n).strategy for n in (3, 200)}
    print(f"| blueprint, player | before | {' | '.join(METHODS)} |\n|---|{'---:|' * (1 + len(METHODS))}")
    for name, blueprint in blueprints.items():
        for player in range(2):
            gains = [eq.evaluate(form, blueprint).best_response_value[1 - player]]
            for method in METHODS:
                parts = [
                    eq.resolve(blueprint, line, method=method, player=player, game=form) for line in lines.values()
                ]
                gains.append(eq.evaluate(form, eq.splice(blueprint, *parts)).best_response_value[1 - player])
            print(f"| {name}, {player} | {' | '.join(f'{gain - value[1 - player]:.4f}' for gain in gains)} |")


if __name__ == "__main__":
    main()
