"""The tables of docs/resolving.md: Leduc with its 15 parts after the public card solved again by each method, and what
a searcher is worth by the depth of its parts and what their leaves are.

``python -m benchmarks.resolving`` prints the first, which takes a minute; ``--depth`` the second, some minutes.
"""

from __future__ import annotations

import re
import sys

import numpy as np

import equilibrist as eq
from equilibrist.form.gadget import METHODS

GAME = "openspiel:leduc_poker(suit_isomorphism=True)"


SEARCHED = ("leduc", "liars_dice(faces=3)", "no_limit_leduc(stack=3)")
LEAVES = ("blueprint", "continuations(2)", "continuations(4)", "best response")
DEPTHS = (1, 2, 3)


def depths() -> None:
    """Print the exploitability of searchers at each decision, by depth and leaves; the end of the game comes last."""
    print(f"| game, iterations | before | leaves | {' | '.join(map(str, DEPTHS))} | end |\n|---|---:|---|{'---:|' * 4}")
    for name in SEARCHED:
        form = eq.compile_game(eq.load(name), keep_tree=True)
        for iterations in (5, 50):
            blueprint = eq.solve(form, "cfr", iterations=iterations)
            start = f"{name}, {iterations} | {eq.evaluate(form, blueprint.strategy).exploitability:.4f}"
            end = _searched(form, blueprint, None, None)
            for leaves in LEAVES:
                row = [_searched(form, blueprint, depth, leaves) for depth in DEPTHS]
                print(f"| {start} | {leaves} | {' | '.join(f'{each:.4f}' for each in [*row, end])} |", flush=True)


def _searched(form: eq.SequenceForm, blueprint: eq.Solution, depth: int | None, leaves: str | None) -> float:
    searcher = eq.Searcher(blueprint, depth=depth, leaves=leaves, every="decision", game=form)
    return eq.evaluate(form, searcher.strategy()).exploitability


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
    if "--depth" in sys.argv[1:]:
        depths()
    else:
        main()
