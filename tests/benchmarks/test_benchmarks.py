"""The benchmarks run, at their smallest: what they print is judged by people, that they print is judged here."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq

ROOT = Path(__file__).parents[2]
needs_openspiel = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="compares with OpenSpiel"
)
needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="starts a Ray cluster"
)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        pytest.param(["picture", "{folder}/picture.svg"], "", id="picture"),
        pytest.param(
            ["quality", "--game", "biased_rps", "--algorithm", "pcfr+"], "pcfr+", id="quality"
        ),
        pytest.param(
            ["abstraction", "--game", "kuhn", "--iterations", "10"],
            "0.055811884",
            id="abstraction",
        ),
        pytest.param(
            ["buckets", "--game", "rivers", "--boards", "1", "--buckets", "5", "--processes", "1"],
            "least below both",
            id="buckets",
        ),
        pytest.param(["walk", "--game", "kuhn", "--rules", "called"], "ns a history", id="walk"),
        pytest.param(["walk", "--game", "dark_hex(size=2)", "--passes"], "by walks", id="passes"),
        pytest.param(
            ["learning", "--game", "kuhn", "--seconds", "0.2"], "average-strategy", id="learning"
        ),
        pytest.param(
            ["pruning", "--game", "kuhn", "--iterations", "40"], "times faster", id="pruning"
        ),
        pytest.param(
            ["exploit", "--spots", "m-river", "--hands", "50", "--threads", "1"],
            "an iteration, ratio",
            id="exploit",
        ),
        pytest.param(
            ["seeing", "--game", "kuhn", "--repeats", "1"], "recorded after each", id="seeing"
        ),
        pytest.param(
            [
                "public",
                "--parts",
                "endings",
                "quantal",
                "--game",
                "kuhn",
                "--picture",
                "{folder}/kuhn.svg",
            ],
            "sorted faster",
            id="public",
        ),
        pytest.param(
            ["holdem", "--spots", "m-river", "--threads", "1", "--json", "{folder}/figures.json"],
            "To a share of the pot",
            id="holdem",
        ),
        pytest.param(
            ["cards", "--spots", "m-river", "--iterations", "8,16", "--rounds", "1"],
            "to the nearest",
            id="cards",
        ),
        pytest.param(
            ["three_ranges", "--spots", "river", "--range", "AA,KK,TT", "--percent", "5"],
            "Three ranges, until no gain is above 5 % of the pot",
            id="three_ranges",
        ),
        pytest.param(
            ["three_ranges_evidence", "--iterations", "50"],
            "Pots of three: the evidence",
            id="three_ranges_evidence",
        ),
        pytest.param(["many", "--spots", "3", "--rounds", "1"], "one by one", id="many"),
        pytest.param(
            ["kernels", "--precision", "float32"], "liars_dice", marks=needs_openspiel, id="kernels"
        ),
        pytest.param(["limits"], "update of 786,432 slots", id="limits"),
        pytest.param(["threads", "--games", "turn", "--rounds", "1"], "with threads", id="threads"),
        pytest.param(
            ["serve", "--rounds", "1", "--clients", "2", "--seconds", "1"],
            "a run being solved",
            id="serve",
        ),
        pytest.param(
            ["cluster", "--items", "4", "--iterations", "1", "--game", "leduc", "--cap", "2000"],
            "times as fast",
            marks=needs_ray,
            id="cluster",
        ),
        pytest.param(
            ["peers", "--game", "kuhn_poker", "--rounds", "1"],
            "OpenSpiel",
            marks=needs_openspiel,
            id="peers",
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


PEER = """
import json, pathlib, sys
told = json.load(sys.stdin)
asked = pathlib.Path(sys.argv[1], "asked")
rounds = asked.read_text().splitlines() if asked.exists() else []
asked.write_text("\\n".join([*rounds, json.dumps(told)]))
ms = [9.0, 1.0, 2.0][len(rounds)]
goals = {"1": {"iterations": 50, "ms": 50 * ms}, "0.5": {"iterations": 100, "ms": 100 * ms}}
print(json.dumps({"name": "fake 1.0", "ms_per_iteration": ms, "goals": goals, "ev": 91.95, "megabytes": 12}))
"""


@pytest.fixture
def holdem(monkeypatch):
    """Return the benchmark, whose own runs take no time: what they found is told."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import holdem

    goals = {
        "1": {"iterations": 64, "solve": 0.3, "certify": 0.1},
        "0.5": {"iterations": 91, "solve": 0.3, "certify": 0.2},
    }
    found = {
        "slices": [4e-3],
        "goals": goals,
        "value": (92.0, 108.0),
        "peak": 1e8,
        "tables": 1e8,
        "moved": 1e8,
    }
    found |= {
        "copy": 1e9,
        "wall": 1.0,
        "hands": [1, 1],
        "boards": [1],
        "infosets": 1,
        "compile": 1e-3,
    }
    monkeypatch.setattr(holdem, "elsewhere", lambda job, **options: found | {"algorithm": "dcfr+"})
    return holdem


def options_of(holdem, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["holdem", *arguments])
    return holdem._options()


def test_a_program_of_others_runs_in_turn_with_ours(holdem, monkeypatch, tmp_path):
    (tmp_path / "peer.py").write_text(PEER)
    command = f"{sys.executable} {tmp_path / 'peer.py'} {tmp_path}"
    order, ours, theirs = [], holdem.elsewhere, holdem.ask
    monkeypatch.setattr(
        holdem, "elsewhere", lambda job, **told: (order.append("ours"), ours(job, **told))[1]
    )
    monkeypatch.setattr(
        holdem, "ask", lambda command, told: (order.append("theirs"), theirs(command, told))[1]
    )
    options = options_of(
        holdem, monkeypatch, "--spots", "turn", "--threads", "2", "--peer", command
    )
    first, second, *_ = holdem.all_tables(holdem.solve_all(options))
    assert order == ["ours", "theirs"] * 3
    # Medians: 4 ms against 2 of 9, 1 and 2; 500 ms, looks included, against 200.
    assert first.rows == [
        ["turn", "2", "4.00 ms", "2.00 ms", "0.500×", "500 ms (91)", "200 ms (100)", "0.400×"]
    ]
    assert first.title == "Beside fake 1.0, in turn on one machine"
    assert second.rows == [["turn", "2", "–", "–", "–", "92.0000", "91.9500", "100 MB", "12 MB"]]
    told = json.loads((tmp_path / "asked").read_text().splitlines()[0])
    sizes = {"bet": "60%, e, a", "raise": "2.5x", "donk": None}
    assert told["sizes"] == {
        "oop": {"turn": sizes, "river": sizes | {"donk": "50%"}},
        "ip": {"turn": sizes, "river": sizes},
    }
    game = eq.load(ROOT / "examples/spots/turn.toml")
    for player, weights in zip(("oop", "ip"), game.ranges, strict=True):
        assert np.array_equal(eq.poker.Range(told["ranges"][player]).weights, weights.weights)
    assert {name: told[name] for name in ("board", "pot", "stack", "threads", "goals", "add_all_in", "rake_cap")} == {
        "board": "Td9d6hQc", "pot": 200, "stack": 900, "threads": 2, "goals": [1, 0.5, 0.1], "add_all_in": 1.5,
        "rake_cap": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "goals", "shown"),
    [
        ([], (1, 0.5), ["1 %", "0.5 %", "0.1 %"]),
        (["--goals", "1,0.29"], [1, 0.29], ["1 %", "0.29 %"]),
    ],
    ids=["those of a flop", "of your own"],
)
def test_the_goals_of_a_spot_of_the_examples(holdem, monkeypatch, asked, goals, shown):
    told, run = [], holdem.elsewhere
    monkeypatch.setattr(
        holdem, "elsewhere", lambda job, **options: (told.append(options), run(job, **options))[1]
    )
    options = options_of(holdem, monkeypatch, "--spots", "qsjh2h", "--threads", "1", *asked)
    runs = holdem.solve_all(options)
    assert [(Path(one["spot"]), one["goals"]) for one in told] == [
        (ROOT / "examples/spots/qsjh2h.toml", goals)
    ]
    shares, *_ = holdem.all_tables(runs, options.goals or holdem.GOALS)
    assert [column for column in shares.columns if column.endswith("%")] == shown
    assert shares.notes[0].startswith(f"{', '.join(shown)}: iterations until")
    assert shares.rows[0][2:5] == ["64", "400 ms", "–" if asked else "91"]


def test_one_goal_beside_a_program_of_others(holdem, monkeypatch):
    runs = holdem.solve_all(options_of(holdem, monkeypatch, "--spots", "qsjh2h", "--threads", "1"))
    goals = {"1": {"iterations": 50, "ms": 200}}
    runs["qsjh2h", "auto", 1]["peer"] = {"name": "fake", "ms_per_iteration": 1.0, "goals": goals}
    for table in holdem.peer_tables(runs, [1.0]):
        at = table.columns.index("to 1 %")
        assert table.rows[0][at : at + 3] == ["400 ms (64)", "200 ms (50)", "0.500×"]


@pytest.mark.parametrize("answer", ["nonsense", '{"name": "fake"}', "[]"])
def test_a_program_of_others_that_gives_no_answer(holdem, monkeypatch, tmp_path, answer):
    (tmp_path / "answer").write_text(answer)
    options = options_of(
        holdem, monkeypatch, "--spots", "turn", "--peer", f"cat {tmp_path / 'answer'}"
    )
    with pytest.raises(
        SystemExit,
        match=r"--peer: 'cat .*' gave no answer as benchmarks/holdem_peer\.py asks for it",
    ):
        holdem.solve_all(options)


def test_a_spot_that_another_program_cannot_be_told(holdem, monkeypatch, tmp_path):
    spot = tmp_path / "capped.toml"
    spot.write_text("max_raises = 2\n" + (ROOT / "examples/spots/turn.toml").read_text("utf-8"))
    options = options_of(holdem, monkeypatch, "--spots", str(spot), "--peer", "true")
    with pytest.raises(
        SystemExit, match="a spot with max_raises cannot be told to another program"
    ):
        holdem.solve_all(options)


def test_the_tables_of_the_page_about_holdem_are_those_of_the_command(holdem, monkeypatch):
    options = options_of(holdem, monkeypatch, "--spots", "turn", "--threads", "1")
    runs = holdem.solve_all(options)
    page = (ROOT / "docs" / "holdem.md").read_text(encoding="utf-8")
    notebook = (ROOT / "benchmarks" / "NOTES.md").read_text(encoding="utf-8")
    name = re.search(r"^\*\*Beside (.+), in turn", page, re.MULTILINE)[1]
    runs["turn", "auto", 1]["peer"] = {"name": name, "ms_per_iteration": 1.0, "goals": {}}
    beside, _, shares, *_ = holdem.all_tables(runs)
    for table, text in ((beside, page), (shares, notebook)):
        assert table.markdown().partition("| turn")[0] in text
        assert all(note in text for note in table.notes)
