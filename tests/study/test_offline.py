"""Spots as pages of their own: their size is told before, they are bounded, and no text of theirs ends their script."""

import base64
import gzip
import json
import re

import pytest

import equilibrist as eq
from equilibrist.poker.pages import offline
from equilibrist.poker.pages.offline import Part, measure_part, write_offline_page
from support.command import call
from support.workspaces import OpenWorkspace

TURN = "holdem(board='Kh9s4d7c', oop='AA,AKs,QJs', ip='QQ,77,KJs', pot=100, stack=100, bets='a')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline")
    eq.solve(TURN, iterations=5, save=folder / "turn")
    return folder


@pytest.fixture(scope="module")
def shared(folder):
    """Give the workspace of all tests, in which the run is loaded once."""
    return OpenWorkspace(folder)


@pytest.fixture
def turn(make_client, shared):
    return make_client(shared)


def content_of(page):
    """Return what a page holds."""
    text = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(text)))


def lines_of(tree, index, streets):
    """Return the lines of all decisions from a node on, up to the end of so many streets."""
    node = tree.nodes[tree.after_cards(index)]
    if node.player < 0 or node.street > tree.rules.street + streets - 1:
        return []
    return [
        node.line.strip(" |"),
        *(line for child in node.children for line in lines_of(tree, child, streets)),
    ]


def test_a_page_has_every_decision_of_the_street_as_the_server_answers_it(turn, folder):
    response = turn.get("/api/runs/turn/spot/offline")
    assert response.headers["content-disposition"].startswith("attachment")
    found = content_of(response.text)
    decisions = {place["line"]: place for place in found["places"] if place["kind"] == "decision"}
    spot = eq.poker.SolvedSpot(eq.load_solution(folder / "turn"))
    assert sorted(decisions) == sorted(lines_of(spot.game.tree, 0, 1))
    for line, place in decisions.items():
        answered = turn.get("/api/runs/turn/spot/node", params={"line": line}).json()
        assert place["frequencies"] == pytest.approx(answered["frequencies"])
        assert place["ev"] == pytest.approx(answered["ev"])
        for name, column in answered["hands"].items():
            told = place["hands"][name]
            if isinstance(column[0], str):
                assert told == column
            else:
                assert told == pytest.approx(column, rel=1e-5, abs=1e-9, nan_ok=True)
    size = turn.get("/api/runs/turn/spot/offline/size").json()
    assert size["decisions"] == len(decisions)
    assert size["bytes"] == pytest.approx(len(response.text), rel=0.3)


@pytest.mark.slow
def test_the_next_street_comes_on_every_card(turn, folder):
    found = content_of(turn.get("/api/runs/turn/spot/offline?streets=2&line=X").text)
    decisions = [place for place in found["places"] if place["kind"] == "decision"]
    boards = {place["board"] for place in decisions}
    assert len(boards) == 1 + 48
    size = turn.get("/api/runs/turn/spot/offline/size?streets=2&line=X").json()
    assert size["decisions"] == len(decisions)
    assert found["start"] == {"line": "X", "board": "Kh9s4d7c"}


def test_what_is_too_large_is_refused_before_it_is_written(turn, folder, monkeypatch):
    monkeypatch.setattr(offline, "LARGEST", 1000)
    refused = turn.get("/api/runs/turn/spot/offline")
    assert refused.status_code == 400
    assert re.search(
        r"The page would have \d+ decisions in about 0\.\d+ MB; at most 2,000 in 0 MB are written",
        refused.json()["error"]["message"],
    )
    monkeypatch.setattr(offline, "LARGEST", 10**9)
    monkeypatch.setattr(offline, "MOST_DECISIONS", 1)
    spot = eq.poker.SolvedSpot(eq.load_solution(folder / "turn"))
    with pytest.raises(eq.GameError, match="at most 1 in 1000 MB"):
        write_offline_page("turn", eq.load_solution(folder / "turn"), spot, Part())


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("line=A100-F", "nobody decides after 'A100-F'"),
        ("line=Z", "line"),
        ("streets=3", "streets"),
        ("streets=0", "streets"),
        ("board=2c", "board"),
    ],
)
def test_wrong_places_are_refused(turn, query, text):
    for path in ("offline", "offline/size"):
        refused = turn.get(f"/api/runs/turn/spot/{path}?{query}")
        assert refused.status_code == 400
        assert text in refused.json()["error"]["message"]


def test_no_name_ends_the_script_and_the_page_loads_nothing(folder):
    solution = eq.load_solution(folder / "turn")
    spot = eq.poker.SolvedSpot(solution)
    name = 'x</script><script>alert("1")</script>'
    page = write_offline_page(name, solution, spot, Part("A100"))
    assert page.count("<script") == page.count("</script>") == 2
    assert content_of(page)["about"]["run"] == name
    assert "default-src &#x27;none&#x27;" in page
    outside = re.findall(r"""(?:src|href)=["'](?!#)[^"']*""", page.partition("<script")[0])
    assert outside == []


def test_places_are_counted_without_being_valued(folder):
    spot = eq.poker.SolvedSpot(eq.load_solution(folder / "turn"))
    decisions, size = measure_part(spot, Part(streets=2))
    lines = lines_of(spot.game.tree, 0, 2)
    first = lines_of(spot.game.tree, 0, 1)
    assert decisions == len(first) + 48 * (len(lines) - len(first))
    assert size > 100_000


def test_the_command_tells_the_size_and_writes_the_page(folder, tmp_path, capsys):
    path = tmp_path / "spot.html"
    told = call(capsys, "export", folder / "turn", "--size", "--json")
    assert told.json["file"] is None
    assert told.json["decisions"] == 4  # "", X, A100 and X-A100
    done = call(capsys, "export", folder / "turn", "--line", "X", "--out", path)
    assert "decisions, about" in done.out
    assert content_of(path.read_text(encoding="utf-8"))["start"]["line"] == "X"
    call(capsys, "export", folder / "turn", "--line", "Z", "--out", path).fails(2, "line")
