"""Where an iteration's time goes: each pass of full-width CFR by itself, and how far it is from memory bandwidth.

python -m benchmarks.kernels
python -m benchmarks.kernels --precision float32    # tables and arithmetic
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

import equilibrist as eq
from equilibrist._jit.compile import compiled
from equilibrist.cfr import kernels
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.minimiser import rule_at
from equilibrist.cfr.regret_matching import RegretMatchingRule
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.sequence import passes
from equilibrist.form.sequence.payoff.layout import convert_precision

from .machine import Table, arguments, describe, duration, pin_to_one_core, publish

GAMES = {
    "kuhn_poker": "openspiel:kuhn_poker",
    "leduc_poker": "openspiel:leduc_poker",
    "liars_dice": "openspiel:liars_dice",
    "goofspiel-4": "goofspiel(cards=4)",
}
RULES = RegretMatchingRule(
    np.ones(1), np.ones(1), np.ones(1), 0.0, 0.0, 0.0
)  # of an iteration of CFR+
PASSES = ("payoff", "regrets", "average", "reach")
TOUCHES = 13  # arrays of one number a slot that an iteration reads or writes once: see `moved`


@compiled(allocates=False)
def repeat(which, treeplex, payoff, state, rules, times):  # type: ignore[no-untyped-def]
    """Run one pass of both players so many times, inside one compiled call."""
    strategy, reach, regret_sum, strategy_sum, cf_value, _ = state
    rule = rule_at(rules, 0)
    for _ in range(times):
        for player in range(len(treeplex.first_slot) - 1):
            if which == 0:
                passes.counterfactual_values(treeplex, payoff, player, reach, cf_value)
            elif which == 1:
                kernels.update_regrets(treeplex, player, cf_value, strategy, regret_sum, rule)
            elif which == 2:
                kernels.add_to_average(treeplex, player, reach, strategy_sum, 1.0)
            else:
                passes.fill_reach(treeplex, player, strategy, reach)


def fastest(run: Callable[[int], object], *, rounds: int = 7) -> float:
    """Return seconds for one, from the fastest of several rounds of some 20 ms."""
    run(1)
    times = 1
    while True:
        began = time.perf_counter()
        run(times)
        if time.perf_counter() - began > 0.02:
            break
        times *= 2
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        run(times)
        best = min(best, (time.perf_counter() - began) / times)
    return best


def moved(form: eq.types.SequenceForm, size: int) -> int:
    """Return the bytes that one iteration reads and writes, each array counted as often as a pass goes over it.

    A number has ``size`` bytes. The passes: payoff writes values; regrets reads values and strategy twice, reads and
    writes the regret sum, writes strategy twice; average reads and writes its sum and reads reach; reach reads strategy
    and writes reach. Payoff entries are apart.
    """
    payoff = convert_precision(form.payoff, f"float{8 * size}")
    return (
        size * form.length * TOUCHES + sum(array.nbytes for array in payoff) - payoff.weights.nbytes
    )


def copy_bandwidth(nbytes: int) -> float:
    """Return the bytes a second that a plain copy reads and writes, within arrays that together have that size."""
    source, target = np.ones(max(1, nbytes // 16)), np.zeros(max(1, nbytes // 16))

    def run(times: int) -> None:
        for _ in range(times):
            np.copyto(target, source)

    return 2 * source.nbytes / fastest(run)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument(
        "--precision", choices=("float64", "float32"), default="float64", help="[float64]"
    )
    options = parser.parse_args()
    kind = np.dtype(options.precision)
    table = Table(
        "Time of each pass, both players", ("game", *PASSES, "sum", "moved", "rate", "plain copy")
    )
    table.notes = [
        f"{pin_to_one_core()} Tables and arithmetic in {kind}. Moved: bytes read and written by an iteration; "
        "plain copy: within that size."
    ]
    results = []
    for name, spec in GAMES.items():
        form = eq.compile_game(eq.load(spec))
        solver, payoff = (
            SequenceCFR(form, find_algorithm("cfr+"), precision=kind.name),
            convert_precision(form.payoff, kind.name),
        )
        solver.run(10)
        spent = []
        for which in range(len(PASSES)):
            solver.state.cf_value[:] = 0.0
            spent.append(
                fastest(partial(repeat, which, form.treeplex, payoff, solver.state, RULES))
            )
        size = moved(form, kind.itemsize)
        rate = size / sum(spent)
        copy = copy_bandwidth(size)
        table.rows.append(
            [
                name,
                *map(duration, spent),
                duration(sum(spent)),
                f"{size / 1e6:.3g} MB",
                f"{rate / 1e9:.0f} GB/s",
                f"{copy / 1e9:.0f} GB/s",
            ]
        )
        results.append(
            {
                "game": name,
                "seconds": dict(zip(PASSES, spent, strict=True)),
                "bytes": size,
                "copy": copy,
            }
        )
    publish([table], options, machine=describe(), results={"games": results})


if __name__ == "__main__":
    main()
