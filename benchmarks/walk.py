"""What the walk takes for each history, and how much memory, on games with hidden moves and uniform play.

    python -m benchmarks.walk                         # half a minute
    python -m benchmarks.walk --game "dark_hex" --called --threads 2    # hours

Uniform play is the hardest strategy: nothing is cut. Rules are called by the kernel, or become part of it, as they do
by themselves from half a billion histories on. Seconds are those of the processor, of one player's walk after the
other; compiling a kernel is not counted.
"""

from __future__ import annotations

import time

import numpy as np

import equilibrist as eq
from equilibrist.form.walk.walk import Walked, profile_of, walk_values
from equilibrist.game.compiled_rules import compile_rules
from equilibrist.game.rules import RulesGame

from .machine import Table, arguments, describe, duration, publish

GAMES = ("phantom_ttt(rows=2, columns=3)", "phantom_ttt(rows=1, columns=7)")


def walk_seconds(game: RulesGame, *, inline: bool, threads: int) -> tuple[Walked, float]:
    """Return what a walk finds, and the seconds of the processor that it takes."""
    machine = compile_rules(game, inline=inline)
    uniform = profile_of(game, machine, np.zeros((0, len(machine.start))), np.zeros(0), np.zeros(0))
    began = time.process_time()
    return walk_values(game, machine, uniform, threads=threads), time.process_time() - began


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="a game (several times for several)")
    parser.add_argument("--called", action="store_true", help="only with rules that are called")
    parser.add_argument("--threads", type=int, default=1, help="how many threads walk")
    options = parser.parse_args()
    columns = ("game", "rules", "histories", "infosets", "most at a time", "seconds", "ns a history", "exploitability")
    table = Table("The walk, uniform play, all players", columns)
    results = []
    for name in options.game or GAMES:
        game = eq.load(name)
        for inline in (False,) if options.called else (False, True):
            walk_seconds(eq.load("kuhn"), inline=inline, threads=1)  # which loads the kernel, where rules are called
            if inline:
                walk_seconds(game, inline=inline, threads=options.threads)  # which compiles it
            found, seconds = walk_seconds(game, inline=inline, threads=options.threads)
            each = 1e9 * seconds / (game.players * found.histories)
            cells = [f"{found.histories:,}", f"{sum(found.infosets):,}", f"{found.widest:,}", duration(seconds)]
            rules = "part of the kernel" if inline else "called"
            table.rows.append([name, rules, *cells, f"{each:.0f}", f"{found.values.exploitability:.9f}"])
            results.append({"game": name, "inline": inline, "histories": found.histories, "seconds": seconds})
    publish([table], options, machine=describe(), results={"games": results})


if __name__ == "__main__":
    main()
