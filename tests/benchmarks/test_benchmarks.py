"""The benchmarks run, at their smallest: what they print is judged by people, that they print is judged here."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
needs_openspiel = pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="compares with OpenSpiel")
needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="starts a Ray cluster")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        pytest.param(["picture", "{folder}/picture.svg"], "", id="picture"),
        pytest.param(["quality", "--game", "biased_rps", "--algorithm", "pcfr+"], "pcfr+", id="quality"),
        pytest.param(["seeing", "--game", "kuhn", "--repeats", "1"], "recorded after each", id="seeing"),
        pytest.param(
            ["public", "--parts", "endings", "--game", "kuhn", "--picture", "{folder}/kuhn.svg"],
            "sorted faster",
            id="public",
        ),
        pytest.param(
            ["holdem", "--spots", "m-river", "--threads", "1", "--json", "{folder}/figures.json"],
            "Beside postflop-solver",
            id="holdem",
        ),
        pytest.param(["threads", "--games", "turn", "--rounds", "1"], "with threads", id="threads"),
        pytest.param(["serve", "--rounds", "1", "--clients", "2", "--seconds", "1"], "a run being solved", id="serve"),
        pytest.param(
            ["cluster", "--items", "4", "--iterations", "1", "--game", "leduc", "--cap", "2000"],
            "times as fast",
            marks=needs_ray,
            id="cluster",
        ),
        pytest.param(
            ["peers", "--game", "kuhn_poker", "--rounds", "1"], "OpenSpiel", marks=needs_openspiel, id="peers"
        ),
    ],
)
@pytest.mark.slow
def test_benchmarks(arguments, shown, tmp_path):
    filled = [argument.format(folder=tmp_path) for argument in arguments]
    ran = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{filled[0]}", *filled[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert shown in ran.stdout
    assert all(file.stat().st_size > 1000 for file in tmp_path.iterdir())


def test_the_tables_of_the_page_about_holdem_are_those_of_the_command(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.holdem import all_tables

    slice_ = {"slices": [1e-3], "goals": {}, "value": (1.0, 1.0), "peak": 1e8, "tables": 1e8, "moved": 1e8, "copy": 1e9}
    size = {"hands": [1, 1], "boards": [1], "infosets": 1, "compile": 1e-3, "algorithm": "dcfr+"}
    size["openspiel"] = [5e-3]
    made = all_tables({("turn", "auto", 1): slice_ | size})
    page = (ROOT / "docs" / "holdem.md").read_text(encoding="utf-8")
    for table in made[:2]:
        head = table.markdown().partition("| turn")[0]
        assert head in page
        assert all(note in page for note in table.notes if "published" not in note)
