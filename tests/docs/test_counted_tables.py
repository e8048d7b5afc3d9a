"""Tables of counts in the documentation: iterations, nodes and exploitabilities at them, which are the same anywhere.

Tables of seconds have marks (``benchmarks/stale.py``); what is counted here is computed again, and read off the page.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import equilibrist as eq

ROOT = Path(__file__).parents[2]
ALGORITHMS_PAGE = ROOT / "docs" / "algorithms.md"
KUHN_PAGE = ROOT / "docs" / "from" / "cfr-algorithm.md"
GAME = re.compile(
    r"^\*\*(?P<game>[^*\n]+): iterations to an exploitability of\*\*\n\n.*\n.*\n(?P<rows>(?:\|.*\n)+)",
    re.MULTILINE,
)
NODES = {"M": 1e6, "G": 1e9}


@pytest.fixture
def quality(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import quality

    return quality


def cells_of(line):
    return [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]


def read_counts(game):
    """Return the iterations that each algorithm takes to each threshold, from the page; None where it never does."""
    tables = {found["game"]: found["rows"] for found in GAME.finditer(page_text())}
    counts = {}
    for line in tables[game].splitlines():
        algorithm, *cells = cells_of(line)
        counts[algorithm] = [None if cell == "–" else int(cell.replace(",", "")) for cell in cells]
    return counts


def page_text():
    return ALGORITHMS_PAGE.read_text(encoding="utf-8")


def check_counts(game, most):
    """Compare all counts up to ``most`` iterations of the table of a game with runs."""
    form = eq.compile_game(eq.load(game))
    compared = 0
    for algorithm, counts in read_counts(game).items():
        if eq.ALGORITHMS[algorithm].needs_horizon:
            continue  # the first of several plans, each a run of its own
        solution = None
        for threshold, count in zip((1e-2, 1e-3, 1e-4, 1e-6), counts, strict=True):
            if count is None or count > most:
                break
            given = {"algorithm": algorithm} if solution is None else {"resume": solution}
            solution = eq.solve(form, until=threshold, iterations=most, **given)
            assert (algorithm, threshold, solution.iterations) == (algorithm, threshold, count)
            compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "kuhn(cards=13)", "biased_rps"])
def test_iterations_on_small_games(game):
    assert check_counts(game, 1_000) > 10


@pytest.mark.slow
def test_iterations_on_all_games():
    games = [found["game"] for found in GAME.finditer(page_text())]
    assert len(games) == 11
    assert sum(check_counts(game, 2_000) for game in games) > 150


@pytest.mark.slow
def test_nodes_of_pruned_passes(quality):
    table = quality.pruning_table("leduc", quality.count_pruned("leduc"))
    assert table.markdown().strip() in page_text()


@pytest.mark.slow
def test_nodes_of_pruned_passes_on_a_larger_game(quality):
    table = quality.pruning_table("liars_dice", quality.count_pruned("liars_dice"))
    assert table.markdown().strip() in page_text()


def read_kuhn_table():
    """Return {column: {nodes: exploitability}} of Kuhn poker with a hundred cards."""
    lines = KUHN_PAGE.read_text(encoding="utf-8").splitlines()
    first = next(
        place for place, line in enumerate(lines) if line.startswith("| after | `cfr`, full")
    )
    headings = [heading.replace("`", "") for heading in cells_of(lines[first])[1:]]
    table = {heading: {} for heading in headings}
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        after, *cells = cells_of(line)
        number, unit, *_ = after.split()
        for heading, cell in zip(headings, cells, strict=True):
            table[heading][float(number) * NODES[unit]] = cell
    return table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "algorithm", "alternating", "sampling", "budget"),
    [
        ("cfr, full", "cfr", False, "full", 4_000_000_000),
        ("cfr+, full", "cfr+", False, "full", 4_000_000_000),
        ("cfr, full, in turn", "cfr", True, "full", 4_000_000_000),
        ("cfr+, full, in turn", "cfr+", True, "full", 4_000_000_000),
        ("cfr, chance", "cfr", False, "chance", 20_000_000),
        ("cfr, external", "cfr", False, "external", 20_000_000),
    ],
)
def test_kuhn_poker_with_a_hundred_cards(column, algorithm, alternating, sampling, budget):
    """Sampled runs are compared at the first two of the nodes alone: each draws four billion in minutes."""
    rule = replace(eq.ALGORITHMS[algorithm], alternating=alternating)
    comparison = eq.compare("kuhn(cards=100)", algorithms=[rule], sampling=sampling, nodes=budget)
    (curve,) = comparison.curves
    cells = {nodes: cell for nodes, cell in read_kuhn_table()[column].items() if nodes <= budget}
    assert len(cells) == (5 if sampling == "full" else 2)
    for nodes, cell in cells.items():
        assert f"{curve.at('nodes_touched', nodes):.1e}".replace("e-0", "e-") == cell, nodes
