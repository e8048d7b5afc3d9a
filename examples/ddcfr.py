"""Dynamic discounted CFR (Xu et al. 2024): the discounts that its network chose, iteration by iteration, as schedules.

    python examples/ddcfr.py                        # 30 iterations on Leduc
    python examples/ddcfr.py leduc results/DDCFR_es_model/LeducPoker/data.csv

The files are those that are published with the paper, at github.com/rpSebastian/DDCFR (MIT licence): a row an
iteration, with α, β and γ, and the exploitability that came out. What comes out here stands beside it. The rows of the
first 30 iterations on Leduc are in ddcfr_leduc.csv.
"""

import csv
import sys
from pathlib import Path

import equilibrist as eq

COLUMNS = ("conv", "alpha", "beta", "gamma")


def read_rows(path):
    """Return the columns of a published file by name; the row of iteration 0 has no discounts."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for label in rows[0]:
        name = label.rpartition("/")[2]  # LeducPoker/alpha
        if name in COLUMNS:
            columns[name] = [float(row[label]) for row in rows if row[label]]
    return columns


def make_algorithm(columns):
    """Return the algorithm with these exponents: the first is that of iteration 1."""
    exponents = {name: columns[name] for name in ("alpha", "beta", "gamma")}
    return eq.Algorithm("ddcfr", "Xu et al. 2024 (ICLR)", **exponents)


def main():
    game, path = sys.argv[1:] or ("leduc", Path(__file__).parent / "ddcfr_leduc.csv")
    columns = read_rows(path)
    algorithm = make_algorithm(columns)
    published = columns["conv"]
    iterations = 1
    while iterations < len(published):
        solution = eq.solve(game, algorithm, iterations=iterations)
        print(
            f"{iterations:5} iterations: {solution.exploitability:.6g}, "
            f"published {published[iterations]:.6g}"
        )
        iterations *= 10


if __name__ == "__main__":
    main()
