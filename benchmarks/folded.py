"""Folded hands: what they change at a table of six, and what they cost.

    python -m benchmarks.folded
    python -m benchmarks.folded --board Ah8d3c7s --folders 2
    python -m benchmarks.folded --three --folders 1 2 4

BTN raised before the flop, and BB called; the others folded: of their hands, all that they would not have
raised, with equal weights. A line for each number of folded hands, in the order SB, CO, HJ, UTG, MP, UTG+1; of
more than four, deals are sampled. *EV*, *equity*: in chips, and as a share of the pot. *Change*: of OOP's EV by
the folded hands, as a share of the pot. *Weights*: seconds to find the weights of all pairs of hands. *An
iteration*: its seconds, and how many times as long it takes as one without folded hands. Seconds are those of the
processor.

With ``--three`` SB called as well, and those from CO on folded. *Terms*: products that are added up for the weight of
three hands. *By 4,096*: the equity by as many sampled deals, where not all deals are counted. *EV*: after as many
iterations as ``--iterations`` says.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.form.ranges import folded_terms
from equilibrist.poker.cards.ranges import Range
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.plan import fill_defaults
from equilibrist.solving.solvers import make_solver

from .machine import Table, arguments, describe, duration, publish

POT = 55
STACK = 975
BETS = "33%, 75%; 60%"
BB = "22-TT,A2s-AJs,K2s-KQs,Q5s+,J7s+,T7s+,96s+,86s+,75s+,64s+,54s,A3o-ATo,K9o-KJo,Q9o+,J9o+,T9o"
BTN = "22+,A2s+,K3s+,Q5s+,J7s+,T7s+,97s+,86s+,76s,65s,54s,A4o+,K8o+,Q9o+,J9o+,T9o"
RAISED = {
    "SB": "22+,A2s+,K7s+,Q8s+,J8s+,T8s+,98s,87s,76s,A7o+,KTo+,QTo+,JTo",
    "CO": "33+,A2s+,K7s+,Q9s+,J9s+,T8s+,98s,87s,76s,A8o+,KTo+,QTo+,JTo",
    "HJ": "44+,A2s+,K9s+,QTs+,J9s+,T9s,98s,87s,ATo+,KJo+,QJo",
    "UTG": "55+,A4s+,KTs+,QTs+,JTs,T9s,98s,AJo+,KQo",
    "MP": "55+,A5s+,KTs+,QTs+,JTs,T9s,AJo+,KQo",
    "UTG+1": "66+,A8s+,KTs+,QJs,JTs,AQo+",
}
SB = "22-TT,A2s-AQs,K9s-KQs,QTs+,JTs,T9s,98s,ATo-AQo,KQo"
STEPS = 20
MORE_DEALS = 4096


def fold_others(raised: str) -> np.ndarray:
    """Return the weights of the hands that are not in a range."""
    return 1.0 - Range(raised).weights


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--board", default="AhQd8c3s6d")
    parser.add_argument("--folders", type=int, nargs="+", default=list(range(len(RAISED))))
    parser.add_argument("--percent", type=float, default=0.02, help="of the pot, exploitability")
    parser.add_argument("--three", action="store_true", help="three ranges")
    parser.add_argument("--iterations", type=int, default=100, help="of three ranges")
    options = parser.parse_args()
    if options.three:
        measure_three(options)
        return
    table = Table(
        f"Folded hands on {options.board}, exploitability {options.percent:g} % of the pot",
        [
            "folded",
            "EV of OOP",
            "EV of IP",
            "change, %",
            "equity of OOP, %",
            "weights",
            "an iteration",
            "times",
        ],
    )
    results: dict[str, Any] = {}
    first_ev = 0.0
    first_iteration = 0.0
    for folders in sorted({0, *options.folders}):
        folded = [fold_others(raised) for raised in list(RAISED.values())[:folders]]
        spot = eq.poker.Holdem(
            options.board, BB, BTN, pot=POT, stack=STACK, bets=BETS, max_raises=1, folded=folded
        )
        begun = time.process_time()
        form = eq.compile_game(spot, form="cards")
        compiling = time.process_time() - begun
        settings = SolveConfig(algorithm=find_algorithm("dcfr+"), precision="float64")
        solver = make_solver(form, fill_defaults(settings, form))
        solver.run(1)
        begun = time.process_time()
        solver.run(STEPS)
        iteration = (time.process_time() - begun) / STEPS
        solution = eq.solve(spot, until=f"{options.percent}%", precision="float64")
        evs = solution.value
        equity = eq.poker.equity(options.board, BB, BTN, folded=folded).equities[0]
        if not folders:
            first_ev = evs[0]
            first_iteration = iteration
        change = 100 * (evs[0] - first_ev) / POT
        table.rows.append(
            [
                str(folders),
                f"{evs[0]:.3f}",
                f"{evs[1]:.3f}",
                f"{change:+.2f}",
                f"{100 * equity:.2f}",
                duration(compiling),
                duration(iteration),
                f"{iteration / first_iteration:.1f}",
            ]
        )
        results[str(folders)] = {
            "evs": list(evs),
            "exploitability": solution.exploitability,
            "change_percent": change,
            "equity": equity,
            "weights_seconds": compiling,
            "iteration_seconds": iteration,
            "dealt": None if spot.deal.folded is None else spot.deal.folded.describe(),
        }
    publish([table], options, machine=describe(), results=results)


def make_three(board: str, folders: int) -> Any:
    """Return the spot of three ranges after so many folds."""
    others = [raised for name, raised in RAISED.items() if name != "SB"]
    return eq.poker.Holdem(
        board,
        ranges=[SB, BB, BTN],
        pot=POT,
        stacks=STACK,
        bets="60%",
        max_raises=0,
        folded=[fold_others(raised) for raised in others[:folders]],
    )


def measure_three(options: Any) -> None:
    """Measure three ranges."""
    table = Table(
        f"Folded hands of three ranges on {options.board}, {options.iterations} iterations",
        ["folded", "terms", "EV of SB", "equity of SB, %", "by 4,096", "an iteration", "times"],
    )
    results: dict[str, Any] = {}
    first_iteration = 0.0
    for folders in sorted({0, *options.folders}):
        spot = make_three(options.board, folders)
        form = eq.compile_game(spot, form="auto")
        settings = SolveConfig(algorithm=find_algorithm("dcfr"), precision="float64")
        solver = make_solver(form, fill_defaults(settings, form))
        solver.run(1)
        begun = time.process_time()
        solver.run(STEPS)
        iteration = (time.process_time() - begun) / STEPS
        solution = eq.solve(spot, "dcfr", iterations=options.iterations)
        if not folders:
            first_iteration = iteration
        equity = eq.poker.SolvedSpot(solution).node().equities[0]
        by_more = None
        if spot.folded is not None and not spot.folded.is_exact:
            by_more = find_equity_by_more(options.board, folders)
        table.rows.append(
            [
                str(folders),
                "–" if spot.folded is None else str(spot.folded.num_terms),
                f"{solution.value[0]:.3f}",
                f"{100 * equity:.2f}",
                "–" if by_more is None else f"{100 * by_more:.2f}",
                duration(iteration),
                f"{iteration / first_iteration:.0f}",
            ]
        )
        results[str(folders)] = {
            "evs": list(solution.value),
            "gains": list(solution.deviation_gains),
            "equity": equity,
            "equity_by_more": by_more,
            "iteration_seconds": iteration,
        }
    publish([table], options, machine=describe(), results=results)


def find_equity_by_more(board: str, folders: int) -> float:
    """Return the equity of SB by more sampled deals."""
    usual = folded_terms.SAMPLED
    folded_terms.SAMPLED = MORE_DEALS
    try:
        spot = make_three(board, folders)
        solution = eq.solve(spot, "dcfr", iterations=1)
        return float(eq.poker.SolvedSpot(solution).node().equities[0])
    finally:
        folded_terms.SAMPLED = usual


if __name__ == "__main__":
    main()
