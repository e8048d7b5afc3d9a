"""The picture in the README: what `equilibrist solve leduc --until 1e-6` prints, as an SVG.

python -m benchmarks.picture docs/solve-leduc.svg
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from rich.console import Console

import equilibrist as eq
from equilibrist.cli.output import Output
from equilibrist.cli.results import solution_report

GAME, UNTIL = "leduc", 1e-6
WIDTH = 104


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="where to write the SVG")
    file = parser.parse_args().file

    eq.solve(GAME, iterations=1)  # load the kernels, as in any second run
    output = Output(as_json=False)
    output.console = Console(
        record=True, width=WIDTH, file=io.StringIO(), markup=False, emoji=False
    )
    output.console.print(f"$ equilibrist solve {GAME} --until {UNTIL:g}", highlight=False)
    with output.live(title=GAME) as live:
        solution = eq.solve(GAME, until=UNTIL, callbacks=live.checkpoint)
    output.show(live.table())
    output.emit(solution.summary, solution_report(solution, output, saved=None, strategy=None))
    file.write_text(output.console.export_svg(title="equilibrist"))


if __name__ == "__main__":
    main()
