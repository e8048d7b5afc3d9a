"""Notes at decisions of a spot by their endpoints: kept with the run, and refused where they are too long."""

import csv
import io
import json
import shutil
import threading

import pytest

import equilibrist as eq
from equilibrist.solving.notes import MOST_AT_DECISIONS, Notes, make_notes, read_notes
from equilibrist.web.workspace import Workspace

TURN = eq.poker.Holdem("Td9d6hQc", "AA,QJs,T8s", "KK,JTs,98s", pot=100, stack=200, bets="100%; a")
OMAHA = eq.poker.Omaha("Kh9s4d7c2h", "AAKK,KKQJ", "99AK", pot=100, stack=100, bets="50%")


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Give a folder with runs, to be copied from."""
    folder = tmp_path_factory.mktemp("noted")
    eq.solve(TURN, iterations=5, save=folder / "turn")
    eq.solve(OMAHA, iterations=5, save=folder / "omaha")
    eq.solve("kuhn", iterations=5, save=folder / "kuhn")
    return folder


@pytest.fixture
def folder(tmp_path, solved):
    shutil.copytree(solved, tmp_path / "runs")
    return tmp_path / "runs"


@pytest.fixture
def client(make_client, folder):
    return make_client(Workspace(folder))


def write(client, run="turn", **fields):
    return client.put(f"/api/runs/{run}/spot/notes", json=fields)


@pytest.mark.slow
def test_a_note_is_kept_at_its_decision_whatever_the_way_it_is_written(client, folder):
    assert client.get("/api/runs/turn/spot/notes").json() == {"notes": [], "longest": 5_000}
    write(client, line="X-B100-C", board="2s", text=" Checks\n<all>. ")
    reply = write(client, line="X", board="", text="Bets.").json()
    node = client.get("/api/runs/turn/spot/node?line=X-B100-C&board=2s").json()
    first = {"line": "X", "board": "Td9d6hQc", "text": "Bets."}
    later = {"line": node["line"], "board": node["board"], "text": "Checks\n<all>."}
    assert reply["notes"] == [first, later]
    assert client.get("/api/runs/turn/spot/notes").json() == reply
    # Another spelling is the same decision; an empty text takes it away.
    reply = write(client, line=node["line"], board=node["board"], text="  ").json()
    assert reply["notes"] == [first]
    assert read_notes(folder / "turn").decisions == (("X", "Td9d6hQc", "Bets."),)


def test_notes_stay_beside_others_and_go_with_the_run(client, folder):
    client.patch("/api/runs/turn", json={"note": "Solid.", "tags": ["turn"]})
    write(client, line="", text="Never.")
    client.patch("/api/runs/turn", json={"tags": ["river"]})
    expected = Notes("Solid.", ("river",), (("", "Td9d6hQc", "Never."),))
    assert read_notes(folder / "turn") == expected
    client.patch("/api/runs/turn", json={"name": "other"})
    assert client.get("/api/runs/other/spot/notes").json()["notes"][0]["text"] == "Never."
    eq.load_solution(folder / "other").save(folder / "copied")
    assert read_notes(folder / "copied") == expected


def test_a_run_is_found_by_what_is_noted_at_its_decisions(client, folder, run):
    def found(search):
        reply = client.get("/api/runs", params={"search": search}).json()
        return [row["id"] for row in reply["runs"]]

    before = found("")
    assert found("note:limps") == []
    write(client, line="X", text="Limps here,\nnever there.")
    assert found("note:limps") == found("never") == ["turn"]
    assert found("note:folds") == []
    assert found("") == before
    code, text, _ = run("runs", folder, "--search", "note:limps", "--json")
    (row,) = json.loads(text)["runs"]
    assert (code, row["id"], row["decision_notes"]) == (0, "turn", ["Limps here,\nnever there."])


def test_notes_are_a_file(client):
    write(client, line="X", text="=1+1\n, twice")
    reply = client.get("/api/runs/turn/spot/notes?format=csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="turn-notes.csv"'
    rows = list(csv.reader(io.StringIO(reply.text, newline="")))
    assert rows == [["board", "line", "note"], ["Td9d6hQc", "X", "'=1+1\n, twice"]]


def test_omaha_has_notes_too(client):
    reply = write(client, "omaha", line="X", text="Folds.").json()
    assert reply["notes"] == [{"line": "X", "board": "Kh9s4d7c2h", "text": "Folds."}]


@pytest.mark.parametrize(
    ("run", "fields", "field", "message"),
    [
        ("turn", {"line": "X-X", "text": "a"}, "line", "nobody decides after"),
        ("turn", {"line": "Z", "text": "a"}, None, "Z"),
        ("turn", {"line": "X", "board": "3d", "text": "a"}, "board", "is not dealt after"),
        ("turn", {"text": 5}, "text", "text must be a text; got 5"),
        ("turn", {"text": "x" * 5_001}, "text", "at most 5,000 characters; got 5,001"),
        ("turn", {"note": "a"}, "note", "There is no field 'note'"),
        ("kuhn", {"text": "a"}, None, "spot"),
        ("none", {"text": "a"}, "run", "There is no run 'none'"),
    ],
)
def test_what_is_no_note_is_refused_in_one_sentence(client, run, fields, field, message):
    reply = write(client, run, **fields)
    assert reply.status_code in (400, 404, 422)
    error = reply.json()["error"]
    assert message in error["message"]
    assert field in (None, error["field"])


def test_all_notes_have_a_bound_and_what_was_there_stays(client, folder):
    """The file may hold the most characters, each of which takes twelve of its own."""
    spot = client.get("/api/runs/turn/spot/node?line=X-X&board=").json()
    cards = [card for card, *_ in spot["cards"]]
    texts = ["😀" * 4_900] * (MOST_AT_DECISIONS // 5_000)
    for card, text in zip(cards, texts, strict=False):
        assert write(client, line="X-X", board=card, text=text).status_code == 200
    write(client, line="", text="x" * 5_000)
    reply = write(client, line="X", text="x" * 5_000)
    assert reply.json()["error"]["field"] == "text"
    assert "have at most 50,000 characters together; these would have" in reply.text
    assert len(client.get("/api/runs/turn/spot/notes").json()["notes"]) == len(texts)
    make = make_notes("😀" * 20_000, [], read_notes(folder / "turn").decisions)
    assert len(make.decisions) == len(texts)
    client.patch("/api/runs/turn", json={"note": "😀" * 20_000})
    assert read_notes(folder / "turn") == make


def test_notes_that_are_written_at_once_are_all_kept(client):
    spot = client.get("/api/runs/turn/spot/node?line=X-X&board=").json()
    cards = [card for card, *_ in spot["cards"]][:12]
    threads = [
        threading.Thread(target=lambda card=card: write(client, line="X-X", board=card, text=card))
        for card in cards
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    notes = client.get("/api/runs/turn/spot/notes").json()["notes"]
    assert {note["text"] for note in notes} == set(cards)


@pytest.mark.parametrize(
    "decisions",
    [
        5,
        [5],
        [{"line": "X"}],
        [{"line": 1, "board": "", "text": "a"}],
        [{"line": "X", "board": "", "text": "a", "b": 1}],
    ],
)
def test_a_file_of_others_that_is_not_so_is_no_error(client, folder, decisions):
    content = {"note": "a", "tags": [], "decisions": decisions}
    (folder / "turn" / "notes.json").write_text(json.dumps(content))
    assert client.get("/api/runs/turn/spot/notes").json()["notes"] == []
    assert client.get("/api/runs").status_code == 200
    written = (folder / "turn" / "notes.json").read_bytes()
    reply = client.put("/api/runs/turn/spot/notes", json={"line": "", "board": "", "text": "b"})
    assert reply.status_code == 400
    assert "cannot be read, so they are not written over" in reply.json()["error"]["message"]
    assert (folder / "turn" / "notes.json").read_bytes() == written
