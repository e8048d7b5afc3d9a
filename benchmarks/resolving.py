"""The figures of docs/resolving.md: Leduc with its 15 parts after the public card solved again, times, and depths.

``python -m benchmarks.resolving`` prints the table, which takes a minute; with ``--times`` it prints what an iteration
with decisions above a part costs, and how long a river takes; with ``--depth`` what a searcher is worth by the depth of
its parts and what their leaves are, which takes some minutes; with ``--turn`` what a turn of hold'em is worth that is
solved again without its rivers; with ``--match`` what a flop's blueprint gets of the pot against itself, without search
and with it, which takes five minutes (``--match 100`` plays a hundred hands).
"""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace

import numpy as np

import equilibrist as eq
from equilibrist.form.gadget import METHODS, make_gadgets
from equilibrist.play.match import QUANTILE, Payoff
from equilibrist.resolving.cards import CardPart

SPOT = "examples/spots/m-turn.toml"
FLOP = "holdem(board='KdQd2d', oop='AA,QJs,TT', ip='KK,JTs,99', pot=100, stack=200, bets='60%')"
HANDS = 1_000
GAME = "openspiel:leduc_poker(suit_isomorphism=True)"


SEARCHED = ("leduc", "liars_dice(faces=3)", "no_limit_leduc(stack=3)")
LEAVES = ("blueprint", "continuations(2)", "continuations(4)", "best response")
DEPTHS = (1, 2, 3)


def depths() -> None:
    """Print the exploitability of searchers at each decision, by depth and leaves; the end of the game comes last."""
    print(
        f"| game, iterations | before | leaves | {' | '.join(map(str, DEPTHS))} | end |\n|---|---:|---|{'---:|' * 4}"
    )
    for name in SEARCHED:
        form = eq.compile_game(eq.load(name), keep_tree=True)
        for iterations in (5, 50):
            blueprint = eq.solve(form, "cfr", iterations=iterations)
            start = (
                f"{name}, {iterations} | {eq.evaluate(form, blueprint.strategy).exploitability:.4f}"
            )
            end = _searched(form, blueprint, None, None)
            for leaves in LEAVES:
                row = [_searched(form, blueprint, depth, leaves) for depth in DEPTHS]
                print(
                    f"| {start} | {leaves} | {' | '.join(f'{each:.4f}' for each in [*row, end])} |",
                    flush=True,
                )


def _searched(
    form: eq.types.SequenceForm, blueprint: eq.Solution, depth: int | None, leaves: str | None
) -> float:
    searcher = eq.Searcher(blueprint, depth=depth, leaves=leaves, every="decision", game=form)
    return eq.evaluate(form, searcher.strategy()).exploitability


def turn() -> None:
    """Print what player 1's best response gets where player 0 of m-turn is solved again from the start."""
    blueprint = eq.solve(SPOT, iterations=20)
    before = blueprint.value[1] + blueprint.deviation_gains[1]
    print(
        "| `depth`, `leaves` | slots | iterations | excess | best response of player 1 |\n|---|---:|---:|---:|---:|"
    )
    print(f"| before | {blueprint.strategy.form.length:,} | 20 | | {before:.2f} |")
    for leaves in (None, "best response", "blueprint", eq.continuations(2), eq.continuations(4)):
        options = {} if leaves is None else {"depth": "1 street", "leaves": leaves}
        part = eq.resolve(blueprint, player=0, until="0.1%", **options)
        spliced = eq.splice(blueprint, part)
        after = eq.evaluate(spliced.form, spliced).best_response_value[1]
        name = "no depth" if leaves is None else f"`'1 street'`, `{leaves}`"
        slots = f"{part.strategy.form.length:,} | {part.iterations}"
        print(f"| {name} | {slots} | {part.part.excess:.2f} | {after:.2f} |", flush=True)


def match(hands: int) -> None:
    """Print the match of a flop's blueprint against itself, and against itself with search."""
    game = eq.load(FLOP)
    columns = (
        "blueprint",
        "exploitability",
        "against",
        "payoffs alone",
        "by AIVAT",
        "parts solved again",
        "worth",
    )
    print(f"| {' | '.join(columns)} |\n|---|---:|---|{'---:|' * 4}")
    for iterations in (5, 20):
        blueprint = eq.solve(game, iterations=iterations)
        start = f"| {iterations} iterations | {blueprint.exploitability_percent:.3g} %"
        for searcher in (None, eq.Searcher(blueprint, game=game)):
            played = eq.play_match(
                game,
                blueprint,
                against=searcher or blueprint,
                hands=hands,
                seed=1,
                variance="aivat",
            ).overall
            means = " | ".join(map(_mean, (played, played.aivat)))
            parts = worth = ""
            if searcher is not None:
                seconds = sum(record.seconds for record in searcher.log)
                parts = f"{sum(record.excess is not None for record in searcher.log):,}, in {seconds:.0f} s"
                worth = f"{played.worth:,.0f}"
            who = "itself" if searcher is None else "itself, with search"
            print(f"{start} | {who} | {means} | {parts} | {worth} |", flush=True)


def _mean(payoff: Payoff) -> str:
    reach = QUANTILE * payoff.standard_error
    return f"{payoff.mean:.1f} {f'± {reach:.2g}' if reach > 1e-9 else 'exactly'}"


def times() -> None:
    """Print the time of an iteration of a river of m-turn, and of solving it again to 0.5 %; the least of ten runs."""
    blueprint = eq.solve(SPOT, iterations=100)
    part = CardPart(blueprint, "X-X", "2c", None, 0)
    boundary = part.boundary(gifts=True)
    forms = {"plain": part.form}
    forms |= {
        name: replace(part.form, gadget=(1, make_gadgets(method(), boundary)[0]))
        for name, method in METHODS.items()
    }
    least = dict.fromkeys(forms, np.inf)
    for _ in range(10):
        for name, form in forms.items():
            least[name] = min(
                least[name], eq.solve(form, iterations=200, threads=1).seconds["solve"] / 200
            )
    for name, seconds in least.items():
        print(
            f"{name:10} {1e6 * seconds:5.1f} µs an iteration, {seconds / least['plain']:.2f} of a plain one"
        )
    shortest = np.inf
    for _ in range(10):
        began = time.perf_counter()
        river = eq.resolve(blueprint, "X-X", part.cards, player=0, until="0.5%")
        shortest = min(shortest, time.perf_counter() - began)
    print(
        f"refined to {river.exploitability_percent:.2f} % in {1e3 * shortest:.0f} ms, {river.iterations} iterations"
    )


def main() -> None:
    form = eq.compile_game(eq.load(GAME), keep_tree=True)
    value, lines = eq.exact(form).value, dict[str, str]()
    for infoset in form.infosets:
        if match := re.search(r"\[Public: \d\]\[Round1: [\d ]+\]\[Round2: \]$", infoset.key):
            lines.setdefault(match[0], infoset.key)
    uniform = eq.Strategy.from_form(form, form.average_from_sums(np.zeros(form.length)))
    blueprints = {"uniform": uniform}
    blueprints |= {
        f"cfr, {n} iterations": eq.solve(form, "cfr", iterations=n).strategy for n in (3, 200)
    }
    print(
        f"| blueprint, player | before | {' | '.join(METHODS)} |\n|---|{'---:|' * (1 + len(METHODS))}"
    )
    for name, blueprint in blueprints.items():
        for player in range(2):
            gains = [eq.evaluate(form, blueprint).best_response_value[1 - player]]
            for method in METHODS:
                parts = [
                    eq.resolve(blueprint, line, method=method, player=player, game=form)
                    for line in lines.values()
                ]
                gains.append(
                    eq.evaluate(form, eq.splice(blueprint, *parts)).best_response_value[1 - player]
                )
            print(
                f"| {name}, {player} | {' | '.join(f'{gain - value[1 - player]:.4f}' for gain in gains)} |"
            )


if __name__ == "__main__":
    if "--depth" in sys.argv:
        depths()
    elif "--times" in sys.argv:
        times()
    elif "--turn" in sys.argv:
        turn()
    elif "--match" in sys.argv:
        match(int(sys.argv[-1]) if sys.argv[-1].isdigit() else HANDS)
    else:
        main()
