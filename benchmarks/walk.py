"""What the walk takes for each history, and how much memory, on games with hidden moves and uniform play.

    python -m benchmarks.walk                         # half a minute
    python -m benchmarks.walk --passes                # passes of CFR, beside the sequence form: a minute
    python -m benchmarks.walk --schedule              # certificates of sampled runs: a minute
    python -m benchmarks.walk --game phantom_ttt --rules inlined --threads 2    # a quarter of an hour

Uniform play is the hardest strategy: nothing is cut. Rules are called by the kernel, or inlined, as they are by
themselves from 200 million histories on. Seconds are those of the processor, of one player's walk after the
other; compiling a kernel is not counted. Passes of CFR are the first ten iterations of cfr, which cuts little: those
later are shorter, as the others stop doing what loses. Tables are counted with their room to grow.

The schedule of certificates counts so many walked histories as one that is sampled; ``--schedule`` measures how many
take as long, once a run has touched 30 million nodes, and how much of the time certificates take therefore.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist.cfr.algorithms import ALGORITHMS
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.sequence.form import SequenceForm
from equilibrist.form.walk.build import compile_walk
from equilibrist.form.walk.walk import Walked, WalkStoppedError, make_profile, walk_values
from equilibrist.game.compiled_rules import compile_rules
from equilibrist.game.rules import RulesGame
from equilibrist.mccfr.table_solver import WALKED_PER_SAMPLED
from equilibrist.mccfr.table_walked import WalkedTable
from equilibrist.mccfr.walk_cfr import WalkCFR
from equilibrist.solving.run import ITERATING

from .machine import Table, arguments, describe, duration, publish

_ITERATIONS = 10
_SAMPLED = 30_000_000
_SCHEMES = ("external", "outcome")
GAMES = ("phantom_ttt(rows=2, columns=3)", "phantom_ttt(rows=1, columns=7)")


def walk_seconds(
    game: RulesGame, *, inline: bool, threads: int, should_stop: Callable[[], bool] = lambda: False
) -> tuple[Walked, float]:
    """Return what a walk finds, and the seconds of the processor that it takes."""
    machine = compile_rules(game, inline=inline)
    uniform = make_profile(
        game, machine, np.zeros((0, len(machine.start))), np.zeros(0), np.zeros(0)
    )
    began = time.process_time()
    walked = walk_values(game, machine, uniform, threads=threads, should_stop=should_stop)
    return walked, time.process_time() - began


def iteration_seconds(solver: WalkCFR | SequenceCFR) -> float:
    """Return the seconds of the processor of one of the first ten iterations."""
    began = time.process_time()
    solver.run(_ITERATIONS)
    return (time.process_time() - began) / _ITERATIONS


def passes(names: list[str], threads: int) -> tuple[Table, list[dict[str, Any]]]:
    """Return what an iteration of CFR takes by walks, and on the sequence form of the same games."""
    columns = (
        "game",
        "histories",
        "slots",
        "an iteration",
        "tables",
        "sequence form: an iteration",
        "compiled, tables",
    )
    table, results = Table("Passes of CFR by walks", columns), []
    cfr = ALGORITHMS["cfr"]
    for name in ("kuhn", *names):  # the first loads the kernels
        walked = WalkedTable(compile_walk(eq.load(name)))
        walked.enter_infosets(threads=threads)
        form = eq.compile_game(eq.load(name))
        assert isinstance(form, SequenceForm)
        seconds = [
            iteration_seconds(WalkCFR(walked, cfr, threads=threads)),
            iteration_seconds(SequenceCFR(form, cfr)),
        ]
        stored = form.nbytes + SequenceCFR.bytes_per_slot(cfr, "float64") * form.length
        if name == "kuhn":
            continue
        sizes = [f"{walked.sizes.histories:,}", f"{walked.used:,}"]
        memory = [f"{nbytes / 1e6:.3g} MB" for nbytes in (walked.nbytes, stored)]
        table.rows.append(
            [name, *sizes, duration(seconds[0]), memory[0], duration(seconds[1]), memory[1]]
        )
        results.append({"game": name, "histories": walked.sizes.histories, "seconds": seconds})
    return table, results


def schedule(names: list[str]) -> tuple[Table, list[dict[str, Any]]]:
    """Return how many histories a certificate walks in the time of one that is sampled, and its share of a run."""
    columns = (
        "game",
        "sampling",
        "ns sampled",
        "ns walked",
        "walked for one sampled",
        "share of certificates",
    )
    table, results = Table("Certificates of runs without a tree", columns), []
    for name in names:
        game = eq.load(name)
        histories = game.players * walk_seconds(game, inline=False, threads=1)[0].histories
        for scheme in _SCHEMES:
            options = {"algorithm": "cfr", "sampling": f"{scheme}(tree=False)", "seed": 1}
            eq.solve(name, **options, iterations=1)  # loads the kernels
            began = time.process_time()
            run = eq.solve(name, **options, limits=eq.Limits(nodes=_SAMPLED))
            sampled = (time.process_time() - began) / run.nodes_touched
            eq.evaluate(name, run.strategy, missing="uniform", form="walk")  # loads what is needed
            began = time.process_time()
            eq.evaluate(name, run.strategy, missing="uniform", form="walk")
            walked = (time.process_time() - began) / histories
            share = walked / (walked + ITERATING * sampled / WALKED_PER_SAMPLED)
            each = [f"{1e9 * sampled:.0f}", f"{1e9 * walked:.0f}"]
            table.rows.append([name, scheme, *each, f"{sampled / walked:.1f}", f"{share:.0%}"])
            results.append(
                {
                    "game": name,
                    "sampling": scheme,
                    "sampled": sampled,
                    "walked": walked,
                    "share": share,
                }
            )
    return table, results


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--game", action="append", help="a game (several times for several)")
    parser.add_argument(
        "--rules", choices=("called", "inlined"), help="only with rules that are called, or inlined"
    )
    parser.add_argument("--threads", type=int, default=1, help="how many threads walk")
    parser.add_argument(
        "--passes", action="store_true", help="passes of CFR instead, beside the sequence form"
    )
    parser.add_argument(
        "--schedule", action="store_true", help="what certificates of sampled runs take instead"
    )
    options = parser.parse_args()
    if options.schedule:
        table, results = schedule(options.game or list(GAMES))
        publish([table], options, machine=describe(), results={"games": results})
        return
    if options.passes:
        table, results = passes(options.game or ["dark_hex(size=2)", *GAMES], options.threads)
        publish([table], options, machine=describe(), results={"games": results})
        return
    columns = (
        "game",
        "rules",
        "histories",
        "infosets",
        "most at a time",
        "seconds",
        "ns a history",
        "exploitability",
    )
    table = Table("The walk, uniform play, all players", columns)
    results = []
    for name in options.game or GAMES:
        game = eq.load(name)
        for inline in (False, True) if options.rules is None else (options.rules == "inlined",):
            with suppress(WalkStoppedError):  # after a moment: the kernel is compiled, or loaded
                walk_seconds(game, inline=inline, threads=1, should_stop=lambda: True)
            found, seconds = walk_seconds(game, inline=inline, threads=options.threads)
            each = 1e9 * seconds / (game.players * found.histories)
            cells = [
                f"{found.histories:,}",
                f"{sum(found.infosets):,}",
                f"{found.widest:,}",
                duration(seconds),
            ]
            rules = "inlined" if inline else "called"
            table.rows.append(
                [name, rules, *cells, f"{each:.0f}", f"{found.values.exploitability:.9f}"]
            )
            results.append(
                {"game": name, "inline": inline, "histories": found.histories, "seconds": seconds}
            )
    publish([table], options, machine=describe(), results={"games": results})


if __name__ == "__main__":
    main()
