"""What the machine allows hold'em: folds, showdowns and updates in plain C, and copies, beside the kernels.

python -m benchmarks.limits
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist._jit.compile import compiled
from equilibrist._jit.simd import LANES, zeros
from equilibrist._util.arrays import Floats
from equilibrist.cfr.card_kernels import CardTables, _update
from equilibrist.cfr.minimiser import rule_at
from equilibrist.cfr.regret_matching import RegretMatchingRule
from equilibrist.form.cards.form import CardForm
from equilibrist.form.cards.walk import CardArrays, CardScratch, make_scratch

from .holdem import add_ends
from .kernels import copy_bandwidth, fastest
from .machine import NONE, ROOT, Table, arguments, describe, duration, pin_to_one_core, publish

SPOTS = ROOT / "examples" / "spots"
SLOTS = 786_432  # of the update
COPIES = {"256 KB": 1 << 18, "1 GB": 1 << 30}
KINDS = {"float32": "float", "float64": "double"}
RULES = RegretMatchingRule(
    np.ones(1), np.ones(1), np.ones(1), 0.0, 0.0, 0.0
)  # of an iteration of CFR+
NO_COMPILER = "There is no C compiler here (cc): the column of C is empty."

Call = Callable[[int], object]


@compiled(allocates=False)
def update_boards(game, tables, scratch, rules, first, boards, count):  # type: ignore[no-untyped-def]
    """Update player 0's regrets and averages on so many boards of the last street, from the same rows, repeatedly."""
    street, rule = len(game.betting.lines) - 1, rule_at(rules, 0)
    for _ in range(count):
        for board in range(first, first + boards):
            scratch.open_board[street] = board
            _update(game, tables, scratch, street, 0, rule, 1.0)


def library(kind: str, folder: Path) -> Any:
    """Return the C functions for lanes of a kind, compiled for this processor; None without a compiler."""
    if shutil.which("cc") is None:
        return None
    target = folder / f"{kind}.so"
    flags = [
        "-O3",
        "-march=native",
        "-fno-trapping-math",
        "-shared",
        "-fPIC",
        "-w",
        f"-DT={KINDS[kind]}",
    ]
    subprocess.run(
        ["cc", *flags, str(Path(__file__).with_suffix(".c")), "-o", str(target)], check=True
    )
    return ctypes.CDLL(str(target))


def pointers(*arrays: Any) -> list[Any]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def group(arrays: CardArrays, q: int, shown: int) -> CardArrays:
    """Return a game with the first eight ends of a player alone, so many of them with a showdown."""
    terminal = arrays.terminal
    first, count = terminal.first_lane.copy(), terminal.num_shown.copy()
    first[q + 1], count[q] = first[q] + LANES, shown
    return arrays._replace(terminal=terminal._replace(first_lane=first, num_shown=count))


def ends_in_c(
    c: Any, arrays: CardArrays, scratch: CardScratch, player: int, shown: int
) -> tuple[Call, Floats]:
    """Return a call of the C function for eight ends of a river, and the array that it fills: rows of eight plays."""
    boards, terminal, kind = arrays.boards, arrays.terminal, scratch.pays.dtype
    own, other = int(boards.counts[player]), int(boards.counts[1 - player])
    at, there = (int(boards.first_position[who]) for who in (player, 1 - player))
    lane = int(terminal.first_lane[player])
    columns = (terminal.fold, terminal.tie, terminal.difference)
    paid, reach, pays = (
        zeros(3 * LANES, kind),
        zeros(len(scratch.others), kind),
        zeros(2 * own * LANES, kind),
    )
    paid[:] = np.concatenate([column[lane : lane + LANES] for column in columns])
    reach[:] = scratch.others
    same, counts = boards.same[at : at + own].copy(), (ctypes.c_int64(own), ctypes.c_int64(other))
    if shown:
        index = [
            (boards.sums.added[2 * there : 2 * (there + other)] // LANES).astype(np.uint32),
            (boards.sums.asked[9 * at : 9 * (at + own)] // LANES).astype(np.uint32),
        ]
        kept = [
            *index,
            same,
            reach,
            paid,
            pays,
            zeros(len(scratch.totals), kind),
            zeros(len(scratch.card_sums), kind),
        ]
    else:
        cards = boards.cards.reshape(2, -1, 4)
        hands = boards.hand[at : at + own], boards.hand[there : there + other]
        kept = [
            cards[player][hands[0], 2:].copy(),
            cards[1 - player][hands[1], :2].copy(),
            same,
            reach,
            paid,
            pays,
        ]
    function = c.showdowns if shown else c.folds

    def call(times: int) -> None:  # which keeps the arrays
        function(ctypes.c_int64(times), *counts, *pointers(*kept))

    return call, pays


def ends(c: Any, form: CardForm, kind: str, shown: int) -> tuple[float, float | None]:
    """Return the seconds of eight ends of both players by the kernels and in C, having compared what they pay."""
    ours, in_c = 0.0, 0.0
    scratch = make_scratch(form.arrays, kind)
    scratch.reach[:] = np.random.default_rng(0).random(len(scratch.reach))
    for player in range(2):
        game = group(form.arrays, player, shown)
        run = partial(add_ends, game, scratch, 0, player)
        ours += fastest(run, rounds=25)
        if c is not None:
            call, pays = ends_in_c(c, game, scratch, player, shown)
            in_c += fastest(call, rounds=25)
            own, width = int(game.boards.counts[player]), int(game.boards.width[player])
            lanes = (
                pays.reshape(own, 2, LANES) if shown else pays[: own * LANES].reshape(own, 1, LANES)
            )
            for k in range(lanes.shape[1]):
                begin = k * width * LANES
                expected = scratch.pays[begin : begin + own * LANES].reshape(own, LANES)
                np.testing.assert_allclose(
                    lanes[:, k], expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max()
                )
    return ours, in_c if c is not None else None


def update(c: Any, form: CardForm, kind: str) -> tuple[float, float | None]:
    """Return the seconds of the update of regrets and averages at :data:`SLOTS` slots, by the kernels and in C."""
    arrays, street, rng = form.arrays, form.num_streets - 1, np.random.default_rng(0)
    scratch, tables = make_scratch(arrays, kind), [zeros(form.length, np.float32) for _ in range(2)]
    for array in (
        scratch.reach,
        scratch.value,
    ):  # with sigma 0 nothing is added to the rows above, call after call
        array[:] = rng.random(len(array)) - 0.5
    rows, width = (
        int(arrays.betting.rows[2 * street] - arrays.betting.lines[street]),
        int(arrays.boards.width[-2]),
    )
    first, last = arrays.boards.first_board[street], arrays.boards.first_board[street + 1]
    boards = min(int(last - first), -(-SLOTS // (rows * width)))
    card_tables = CardTables(tables[0], *tables, np.zeros(0, np.float32))
    ours = fastest(
        partial(update_boards, arrays, card_tables, scratch, RULES, int(first), boards), rounds=25
    )
    in_c = None
    if c is not None:
        board_rows = max(2, rows // 2 * 2)
        value, sigma, reach = (zeros(board_rows * 256, kind) for _ in range(3))
        value[:], sigma[:], reach[:] = rng.random(len(value)) - 0.5, 0.5, 0.5
        number = ctypes.c_float if kind == "float32" else ctypes.c_double
        floats = [zeros(SLOTS, np.float32) for _ in range(2)]
        sizes = ctypes.c_int64(SLOTS), ctypes.c_int64(board_rows)

        def call(times: int) -> None:
            start = pointers(value, sigma, reach)
            c.update(
                ctypes.c_int64(times), *sizes, *start, number(1.0), number(1.0), *pointers(*floats)
            )

        in_c = fastest(call, rounds=25)
    return ours * SLOTS / (boards * rows * width), in_c


def main() -> None:
    options = arguments(__doc__).parse_args()
    pinned = pin_to_one_core()
    river, turn = (
        eq.compile_cards(eq.load(str(SPOTS / f"{name}.toml"))) for name in ("m-river", "m-turn")
    )
    table = Table(
        "What the machine allows, one thread", ("work", "lanes", "kernels", "C", "kernels / C")
    )
    results: list[dict[str, Any]] = []

    def row(work: str, kind: str, ours: float, in_c: float | None) -> None:
        results.append({"work": work, "lanes": kind, "kernels": ours, "c": in_c})
        cells = (NONE, NONE) if in_c is None else (duration(in_c), f"{ours / in_c:.2f}×")
        table.rows.append([work, kind, duration(ours), *cells])

    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            c = library(kind, Path(folder))
            row("eight folds, both players", kind, *ends(c, river, kind, 0))
            row("eight showdowns and folds, both players", kind, *ends(c, river, kind, LANES))
            row(f"update of {SLOTS:,} slots", kind, *update(c, turn, kind))
    rates = {size: copy_bandwidth(nbytes) for size, nbytes in COPIES.items()}
    copies = ", ".join(f"{rate / 1e9:.3g} GB/s within {size}" for size, rate in rates.items())
    table.notes = [
        f"{pinned} The fastest of 25 rounds. 167 × 246 hands; tables of the update are in float32. The kernels also "
        "gather rows into lanes and scatter what is paid, and add values to the rows above; C does not.",
        f"A plain copy reads and writes {copies}.",
    ]
    if shutil.which("cc") is None:
        table.notes = [*table.notes, NO_COMPILER]
    publish([table], options, machine=describe(), results={"work": results, "copies": rates})


if __name__ == "__main__":
    main()
