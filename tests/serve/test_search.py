"""The search of the library: words and filters, read on the server."""

import pytest

import equilibrist as eq
from equilibrist.serve.library.search import read_search
from equilibrist.serve.library.workspace import Workspace

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


def test_the_route_gives_the_runs_that_are_found(make_client, tmp_path):
    eq.solve("kuhn", "cfr", iterations=5, save=tmp_path / "rough")
    eq.solve("kuhn", "cfr", iterations=500, save=tmp_path / "fine")
    client = make_client(Workspace(tmp_path))

    def found(search):
        return [row["id"] for row in client.get("/api/runs", params={"search": search}).json()["runs"]]

    assert found("") == ["fine", "rough"]
    assert found("exploitability<0.01 game:kuhn") == ["fine"]
    assert found("exploitability>0.01 algorithm=cfr") == ["rough"]
    for search in ("exploitability<x", "colour:red", "game<3", "exploitability<", "=", "x" * 501):
        response = client.get("/api/runs", params={"search": search})
        assert response.status_code == (200 if search == "=" else 400)
        assert search == "=" or response.json()["error"]["field"] == "search"
