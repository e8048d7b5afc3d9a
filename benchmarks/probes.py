"""Short runs that stand for what tables measure: the same work on the code of any commit, in seconds of the processor.

    PYTHONPATH=src python benchmarks/probes.py sequence sampled

``python -m benchmarks.stale`` starts this file with the package of an old commit and with that of now, in turns. So a
probe asks for nothing but what the package had when the first table that names it was measured. Each prints what a unit
of its work takes, an iteration or a whole command; the machine code that it needs is made, and kept, before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import equilibrist as eq

TURN = (
    "holdem(board='Td9d6hQc', oop='66+,A8s+,KTs+,QTs+,AJo+,KQo', ip='QQ-22,AQs-A2s,KTs+,JTs,ATo+,KQo', pot=200, "
    "stack=900, bets='60%, a; 2.5x')"
)
RIVER_OF_OMAHA = (
    "omaha(board='Kh9s4d7c2h', oop='KKxxds,KQJxds,AAxxds:0.5', ip='99xxss,77xxds,AKQxss:0.5', pot=100, stack=250, "
    "bets='50%, 100%; 100%')"
)
RIVER_OF_THREE = (
    "holdem(board='Td9d6hQc2s', ranges=('66+,A8s+,KTs+', 'QQ-22,AQs-ATs,KTs+', '99-22,AJs-A8s,QTs+'), "
    "pot=90, stacks=200, bets='60%')"
)
FOLDED = TURN.replace("oop=", "folded=('K9o-K2o,Q9o-Q2o',), oop=")
HALVES = "halves.py"
"""A map of Leduc: the jack and the queen in hand are one."""


def seconds(call: Callable[[], object]) -> float:
    """Return the seconds of the processor that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def iteration(game: Any, algorithm: str, many: int, **options: Any) -> float:
    """Return the seconds of an iteration: what more of them take, divided by how many more they are.

    A game is compiled before where that takes long, as its noise would be that of the difference.
    """
    few = many // 10

    def solve(iterations: int) -> None:
        eq.solve(game, algorithm, iterations=iterations, threads=1, **options)

    solve(few)  # the machine code is there from here on
    begin = seconds(lambda: solve(few))
    return (seconds(lambda: solve(many)) - begin) / (many - few)


def sequence() -> float:
    return iteration(eq.compile_game(eq.load("liars_dice(faces=4)")), "dcfr", 100_000)


def public() -> float:
    return iteration("liars_dice", "dcfr", 6_000, form="public")


def cards() -> float:
    return iteration(eq.compile_cards(eq.load(TURN)), "dcfr", 200)


def omaha() -> float:
    return iteration(eq.compile_cards(eq.load(RIVER_OF_OMAHA)), "dcfr", 600)


def three_ranges() -> float:
    return iteration(RIVER_OF_THREE, "dcfr", 100)


def folded() -> float:
    return iteration(eq.compile_cards(eq.load(FOLDED)), "dcfr", 40)


def sampled() -> float:
    return iteration("leduc", "lcfr", 200_000, sampling="external", seed=1)


def walked() -> float:
    game = "phantom_tic_tac_toe"
    return iteration(game, "lcfr", 60, sampling="external(tree=False)", seed=1)


def abstracted() -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, HALVES)
        path.write_text(
            "def halve(infoset):\n"
            "    return infoset.player, infoset.key[0] in 'JQ', infoset.key[1:]\n",
            encoding="utf-8",
        )
        return iteration(eq.abstract("leduc", f"{path}:halve"), "dcfr", 10_000)


class PlainCFR:
    """Regret matching in NumPy, as a researcher would write it."""

    def init(self, num_actions: int) -> dict[str, Any]:
        return {"regret": np.zeros(num_actions)}

    def strategy(self, state: dict[str, Any], t: int) -> Any:
        positive = np.maximum(state["regret"], 0)
        total = positive.sum(axis=1, keepdims=True)
        uniform = np.full_like(positive, 1 / positive.shape[1])
        return np.divide(positive, total, out=uniform, where=total > 0)

    def observe(self, state: dict[str, Any], strategy: Any, values: Any, t: int) -> dict[str, Any]:
        expected = (strategy * values).sum(axis=1, keepdims=True)
        return {"regret": state["regret"] + values - expected}


def ruled() -> float:
    def solve(iterations: int) -> None:
        eq.solve("leduc", rule=PlainCFR(), iterations=iterations)

    solve(100)
    few = seconds(lambda: solve(100))
    return (seconds(lambda: solve(3_100)) - few) / 3_000


def compiled() -> float:
    rules = eq.load("liars_dice")
    eq.compile_game(rules)
    return seconds(lambda: eq.compile_game(rules))


def exact() -> float:
    eq.exact("kuhn", rational=True)
    return seconds(lambda: eq.exact("liars_dice(faces=4)", rational=True))


def started() -> float:
    """A process that solves Kuhn poker, from its start to its end."""
    command = [sys.executable, "-m", "equilibrist", "solve", "kuhn", "--iterations", "1000"]
    for _ in range(2):
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


PROBES: dict[str, Callable[[], float]] = {
    probe.__name__: probe
    for probe in (
        sequence,
        public,
        cards,
        omaha,
        three_ranges,
        folded,
        sampled,
        walked,
        abstracted,
        ruled,
        compiled,
        exact,
        started,
    )
}
"""By name, as marks of tables have it."""


def main() -> None:
    print(json.dumps({name: PROBES[name]() for name in sys.argv[1:]}))


if __name__ == "__main__":
    main()
