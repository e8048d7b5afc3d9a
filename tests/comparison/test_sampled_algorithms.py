"""The table in docs/sampling.md of algorithms where a game is sampled, and the pages that say what ``auto`` takes."""

import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.solving.plan import default_algorithms

DOCS = Path(__file__).parents[2] / "docs"


def page_table():
    """Return the exploitability that the page prints, as text, by algorithm and sampling."""
    page = (DOCS / "sampling.md").read_text(encoding="utf-8")
    section = page.split("<!-- begin sampled algorithms -->")[1].split(
        "<!-- end sampled algorithms -->"
    )[0]
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in section.split("\n")
        if "|" in line
    ]
    head, _, *body = rows
    return {
        (algorithm, row[0]): cell
        for row in body
        for algorithm, cell in zip(head[1:], row[1:], strict=True)
    }


@pytest.mark.slow
def test_the_table_is_what_its_command_computes():
    table = page_table()
    algorithms = list(dict.fromkeys(algorithm for algorithm, _ in table))
    samplings = list(dict.fromkeys(sampling for _, sampling in table))
    comparison = eq.compare(
        "leduc",
        algorithms=algorithms,
        sampling=samplings,
        nodes=30_000_000,
        seeds=3,
        form="sequence",
    )
    ends = {(curve.algorithm, curve.sampling): curve.points[-1] for curve in comparison.results}
    computed = {run: f"{point.exploitability:.2e}" for run, point in ends.items()}
    assert computed == table


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("sampling.md", r"`auto` is `(.+?)` where the game is sampled"),
        ("command.md", r"`([^`]+)` if the game is sampled"),
        ("algorithms.md", r"where the game is sampled \[`(.+?)`\]"),
    ],
)
def test_pages_agree_on_what_auto_takes(page, sentence):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert re.findall(sentence, text) == [default_algorithms()["sampled"]]


def test_what_is_said_of_algorithms_that_predict():
    """docs/algorithms.md, in its first list: what ``sapcfr+`` and ``pdcfr+`` need on small games, by its tables."""
    page = (DOCS / "algorithms.md").read_text(encoding="utf-8")
    bound = int(re.search(r"small dice games within (\d+) iterations", page)[1])
    small = ("kuhn", "liars_dice(faces=4)", "goofspiel(cards=4)", "biased_rps", "blotto")
    for game in small:
        cells = page.split(f"**{game}: iterations to an exploitability of**")[1].split("\n**")[0]
        for algorithm in ("sapcfr+", "pdcfr+"):
            last = re.search(rf"^\| {re.escape(algorithm)} \|.* (\S+) \|$", cells, re.MULTILINE)[1]
            assert int(last.strip("*").replace(",", "")) <= bound, (game, algorithm)
