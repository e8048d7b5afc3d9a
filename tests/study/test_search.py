"""The search of the library: words and filters, read on the server; notes and tags, which it finds."""

import json
import shutil

import pytest

import equilibrist as eq
from equilibrist.runs.search import read_search
from equilibrist.solving.notes import NOTES
from equilibrist.web.workspace import Workspace

NOT_ONE = "Notes and tags are those of one run: give its folder; {} is none."

SPOT = {
    "id": "flops~1mine",
    "name": "mine",
    "game": "holdem(board='Td9d6hQc', pot=20, stack=40)",
    "title": "Hold'em Td9d6h Qc, pot 20, stacks 40",
    "algorithm": "dcfr+",
    "sampling": "full",
    "stop_reason": "until",
    "iteration": 100,
    "seed": 0,
    "measures": {"exploitability": 0.05, "exploitability_percent": 0.25},
}


@pytest.mark.parametrize(
    ("text", "finds"),
    [
        ("", True),
        ("hold'em td9d6h", True),
        ("kuhn", False),
        ("exploitability<0.1", True),
        ("exploitability<0.05", False),
        ("exploitability<=0.05", True),
        ("exploitability<0.5%", True),
        ("exploitability>0.5%", False),
        ("iterations>=100 iterations<101", True),
        ("iterations=99", False),
        ("game:HOLDEM algorithm:dcfr", True),
        ("algorithm=dcfr", False),
        ("algorithm=dcfr+ seed:0", True),
        ("infosets>1", False),  # which is not known of this run
        ("qre_gap<1", False),
    ],
)
def test_words_and_filters(text, finds):
    assert read_search(text)(SPOT) is finds


THREE = SPOT | {
    "measures": {"exploitability": 0.02, "exploitability_percent": 0.1},
    "deviation_gains": [0.0, 0.05, 0.01],
}
"""A run of three players of a pot of 20: their gains sum to three times the number that two would have."""


@pytest.mark.parametrize("name", ["exploitability", "largest_gain"])
def test_of_three_players_the_largest_gain_is_searched(name):
    assert [read_search(f"{name}{limit}")(THREE) for limit in ("<0.05", "<=0.05")] == [False, True]
    shares = [read_search(f"{name}{limit}")(THREE) for limit in ("<0.24%", "<0.26%")]
    assert shares == [False, True]


def test_the_route_gives_the_runs_that_are_found(make_client, tmp_path):
    eq.solve("kuhn", "cfr", iterations=5, save=tmp_path / "rough")
    eq.solve("kuhn", "cfr", iterations=500, save=tmp_path / "fine")
    client = make_client(Workspace(tmp_path))

    def found(search):
        return [
            row["id"] for row in client.get("/api/runs", params={"search": search}).json()["runs"]
        ]

    assert found("") == ["fine", "rough"]
    assert found("exploitability<0.01 game:kuhn") == ["fine"]
    assert found("exploitability>0.01 algorithm=cfr") == ["rough"]
    for search in ("exploitability<x", "colour:red", "game<3", "exploitability<", "=", "x" * 501):
        response = client.get("/api/runs", params={"search": search})
        assert response.status_code == (200 if search == "=" else 400)
        assert search == "=" or response.json()["error"]["field"] == "search"


def test_notes_and_tags_are_kept_with_the_run_and_searched(client, folder):
    reply = client.patch(
        "/api/runs/kuhn",
        json={"note": "Limps less\nthan before.", "tags": ["turn", "3bet", "Turn"]},
    )
    assert reply.json() == {
        "id": "kuhn",
        "note": "Limps less\nthan before.",
        "tags": ["3bet", "turn"],
    }
    client.patch("/api/runs/kuhn-cfr", json={"tags": "turn"})

    def ids(search):
        return [
            row["id"] for row in client.get("/api/runs", params={"search": search}).json()["runs"]
        ]

    assert ids("tag:TURN") == ["kuhn", "kuhn-cfr"]
    assert ids("tag:turn note:less") == ids("tag=3bet") == ids("limps") == ["kuhn"]
    assert ids("tag:tur") == ids("tag:turn note:more") == []
    client.patch("/api/runs/kuhn", json={"tags": ""})  # the note stays
    eq.solve(resume=folder / "kuhn", iterations=300, save=folder / "kuhn")
    eq.solve(resume=folder / "kuhn", iterations=301, save=folder / "further")
    eq.load_solution(folder / "kuhn").save(folder / "copied")
    eq.load_solution(folder / "kuhn").save(folder / "kuhn-cfr")  # which has notes of its own
    shutil.copytree(folder / "kuhn", folder / "set" / "one")
    client.patch("/api/runs/copied", json={"name": "renamed"})
    assert ids("note:less") == ["further", "kuhn", "renamed", "set~1one"]
    assert ids("tag:turn") == ["kuhn-cfr"]
    (folder / "kuhn" / NOTES).write_text('{"note": 3, "tags": "turn"}')  # as nobody here writes it
    assert ids("note:less") == ["further", "renamed", "set~1one"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"tags": ["a b"]}, "tags"),
        ({"tags": ["x" * 61]}, "tags"),
        ({"tags": [3]}, "tags"),
        ({"tags": {"a": 1}}, "tags"),
        ({"tags": [str(n) for n in range(51)]}, "tags"),
        ({"note": "x" * 20_001}, "note"),
        ({"note": "x", "name": "y"}, "name"),
    ],
)
def test_notes_that_are_refused(client, folder, fields, field):
    reply = client.patch("/api/runs/kuhn", json=fields)
    assert (reply.status_code, reply.json()["error"]["field"]) == (400, field)
    assert not (folder / "kuhn" / NOTES).exists()


def test_the_command_lists_searches_and_notes(folder, run, somewhere):
    def command(*words):
        return run("runs", *words)

    assert command(folder)[1].splitlines()[0].split("\t")[:3] == ["run", "game", "algorithm"]
    assert command(folder / "kuhn", "--note", "Limps", "--tags", "turn,3bet")[0] == 0
    code, text, _ = command(folder, "--search", "tag:turn note:limp", "--json")
    assert code == 0
    assert [(row["id"], row["note"], row["tags"]) for row in json.loads(text)["runs"]] == [
        ("kuhn", "Limps", ["3bet", "turn"])
    ]
    assert command(folder, "--search", "tag:none")[1].count("\n") == 1  # the headings
    assert command(folder, "--note", "x")[::2] == (2, f"Error: {NOT_ONE.format(folder)}\n")
    assert command(folder / "none")[0] == 2


def test_the_command_names_what_it_tells_of_two_and_of_three_players(run, tmp_path, somewhere):
    """Headings of runs of one kind say which; in a list of both kinds each gain says so itself."""
    three = eq.solve("kuhn(players=3)", iterations=5, save=tmp_path / "all" / "three")
    eq.solve("kuhn", iterations=5, save=tmp_path / "all" / "two")
    gain = f"{max(three.deviation_gains):.3g}"

    def table(*words):
        text = run("runs", tmp_path / "all", *words)[1]
        return [line.split("\t")[4] for line in text.splitlines()]

    assert table("--search", "players=3") == ["largest gain", gain]
    assert table("--search", "players=2")[0] == "exploitability"
    heading, of_three, of_two = table()
    assert heading == "exploitability / largest gain"
    assert of_three == f"{gain} (largest gain)"
    assert "gain" not in of_two
