"""Folders of hand histories: files in parts, their grading in the background, and what is asked of the decisions."""

import json
import time

import pyarrow.parquet
import pytest

import equilibrist as eq
from equilibrist.poker.pages import hand_folders, hand_gradings
from equilibrist.poker.pages.hand_folders import find_folder
from equilibrist.poker.pages.hand_gradings import WORKER
from equilibrist.poker.pages.hand_worker import grade_folder
from equilibrist.web.workspace import Workspace

RIVER = (
    "holdem(board='2s3h4d6c7c', oop='AA,QQ,T9s', ip='KK,JJ,98s', pot=20, stack=10, bets='50%, a')"
)
LIMIT = "PokerStars Hand #7:  Hold'em Limit ($1/$2 USD) - 2026/01/02 3:04:05 ET\nTable 'T' 2-max\n"
CUT = "PokerStars Hand #8:  Hold'em No Limit ($1/$2 USD) - 2026/01/02 3:04:05 ET\nTable 'T' 2-max\n"


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """Give a folder with a river, and hands in which a worse solution of it plays, beside the folder."""
    folder = tmp_path_factory.mktemp("hands")
    eq.solve(RIVER, until="0.1%", save=folder / "river")
    eq.solve("kuhn", iterations=5, save=folder / "kuhn")
    coarse = eq.solve(RIVER, iterations=1)
    eq.poker.write_hands(coarse, folder / "dealt.phhs", hands=60, seed=1)
    return folder


class InThisProcess:
    """What the server starts to grade, without a process: each start of one imports the package."""

    def __init__(self, module):
        assert module == WORKER
        self._events = []

    def send(self, line):
        def tell_event(event, **facts):
            self._events.append({"event": event, **facts})

        try:
            grade_folder(json.loads(line), tell_event)
            tell_event("end")
        except eq.EquilibristError as error:
            tell_event("error", message=str(error))

    def lines(self):
        yield from map(json.dumps, self._events)

    def end_input(self):
        pass

    def wait(self):
        return 0

    def last_errors(self):
        return ""


@pytest.fixture
def at_once(monkeypatch):
    """Grade without a process."""
    monkeypatch.setattr(hand_gradings, "LineProcess", InThisProcess)


def make(client, name="Sunday"):
    response = client.post("/api/hands", json={"name": name})
    assert response.status_code == 201
    return response.json()["id"]


def send(client, hands, name, content, part=20_000):
    for offset in range(0, len(content), part):
        response = client.post(
            f"/api/hands/{hands}/files",
            params={"name": name, "offset": offset},
            content=content[offset : offset + part],
        )
        assert response.status_code == 200, response.text
    return response.json()


def wait(client, hands):
    """Return what is known of hands once their grading has ended."""
    for _ in range(600):
        found = client.get(f"/api/hands/{hands}").json()
        if found["collection"]["state"] not in ("waiting", "running"):
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def test_hands_are_graded_in_the_background(client, folder, at_once):
    """The sums are those of the command, every hand is accounted for, and its mistakes are dealt again."""
    hands = make(client)
    dealt = (folder / "dealt.phhs").read_bytes()
    assert send(client, hands, "day/dealt.phhs", dealt)["bytes"] == len(dealt)
    send(client, hands, "other.txt", (LIMIT + "\n\n" + CUT).encode())
    assert client.post(f"/api/hands/{hands}/grade", json={}).json()["state"] in (
        "waiting",
        "running",
    )
    assert client.post(f"/api/hands/{hands}/grade", json={}).status_code == 409
    found = wait(client, hands)
    assert found["collection"] | {"created": "", "bytes": 0} == {
        "id": hands,
        "name": "Sunday",
        "created": "",
        "files": 2,
        "bytes": 0,
        "state": "done",
        "stage": "",
        "message": "",
        "hands": 62,
        "graded": found["report"]["graded"],
    }
    expected = eq.poker.grade(folder / "dealt.phhs", folder / "river")
    report = found["report"]
    assert report["graded"] == len(expected.decisions)
    assert {row["reason"]: row["count"] for row in report["uncovered"]} == expected.uncovered
    assert [row["id"] for row in report["runs"]] == ["river"]
    places = {row["reason"]: row["places"] for row in report["skipped"]}
    assert places["another game than no-limit hold'em and pot-limit Omaha"] == [
        "other.txt, line 1: PokerStars Hand #7:  Hold'em Limit ($1/$2 USD) - 2026/01/02 3:04:05 ET"
    ]
    assert places["cut off, or not as such histories are written"][0].startswith(
        "other.txt, line 5: PokerStars Hand #8"
    )
    assert [row["name"] for row in report["players"]] == ["OOP", "IP"]

    for group in ("street", "position", "line", "class", "made"):
        answer = client.get(f"/api/hands/{hands}/decisions", params={"by": group}).json()
        sums = [{group: row.pop("name"), **row} for row in answer["sums"]]
        assert sums == expected.by(group)
        assert answer["cost_percent"] == pytest.approx(sum(row["cost_percent"] for row in sums))
    dearest = answer["rows"][0]
    assert dearest["run"] == "river"
    assert dearest["cost_percent"] == max(row["cost_percent"] for row in answer["rows"]) > 0
    alone = client.get(
        f"/api/hands/{hands}/decisions", params={"position": "IP", "line": dearest["line"]}
    ).json()
    assert {(row["position"], row["line"]) for row in alone["rows"]} <= {("IP", dearest["line"])}
    file = client.get(f"/api/hands/{hands}/decisions", params={"format": "parquet"}).content
    assert pyarrow.parquet.read_table(pyarrow.BufferReader(file)).num_rows == report["graded"]

    chosen = {"hands": hands, "position": dearest["position"]}
    table = client.post("/api/tables", json={"run": "river", "mistakes": chosen, "answers": 1})
    assert table.status_code == 201, table.text
    places = {
        f"{row['cards']} {row['board']} {row['line']}".rstrip()  # nothing where nobody has acted
        for row in answer["rows"]
        if row["position"] == dearest["position"] and row["cost_percent"] > 0
    }
    assert table.json()["turn"]["infoset"] in places
    assert table.json()["settings"]["mistakes"] == len(places)
    refused = client.post("/api/tables", json={"run": "kuhn", "mistakes": {"hands": hands}})
    assert refused.status_code == 400

    assert client.delete(f"/api/hands/{hands}").json() == {"id": hands}
    assert client.get(f"/api/hands/{hands}").status_code == 404
    assert client.get("/api/hands").json() == {"collections": []}


def test_spots_that_no_run_covers_are_told_with_their_settings(
    make_client, folder, tmp_path, at_once
):
    """They can be solved as any other spot."""
    (folder / "river").rename(tmp_path / "river")
    client = make_client(Workspace(folder))
    hands = make(client)
    send(client, hands, "dealt.phhs", (folder / "dealt.phhs").read_bytes())
    ranges = {**eq.load(RIVER).settings, "board": "2s3h4d6c8c"}
    assert client.post(f"/api/hands/{hands}/grade", json={"ranges": ranges}).status_code == 201
    report = wait(client, hands)["report"]
    assert (report["graded"], report["runs"]) == (0, [])
    (spot,) = report["missing"]["spots"]
    assert (spot["board"], spot["pot"], spot["stack"]) == ("2s3h4d6c7c", 20, 10)
    assert spot["decisions"] == report["missing"]["decisions"] > 60
    same = eq.poker.Holdem(**spot["settings"]).settings
    assert json.loads(json.dumps(same)) == spot["settings"]
    assert {row["reason"] for row in report["uncovered"]} == {"no run has the board"}


def test_files_without_any_hand_are_refused(client, at_once):
    hands = make(client)
    assert "There is no file" in client.post(f"/api/hands/{hands}/grade", json={}).text
    send(client, hands, "notes.txt", b"nothing of cards\n")
    client.post(f"/api/hands/{hands}/grade", json={})
    found = wait(client, hands)
    assert found["collection"]["state"] == "failed"
    assert found["collection"]["message"].startswith(
        "No hand can be read in these files; there is a text"
    )
    assert found["report"] is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("../a.txt", "cannot have the name"),
        ("/a.txt", "cannot have the name"),
        (".a.txt", "cannot have the name"),
        ("a/b/c/d/e/f/g.txt", "cannot have the name"),
        ("a.exe", "is no file of hands, whose names end in .phh, .phhs, .txt, .xml, .log"),
    ],
)
def test_names_of_files(client, name, sentence):
    hands = make(client)
    response = client.post(f"/api/hands/{hands}/files", params={"name": name}, content=b"x")
    assert response.status_code == 400
    assert sentence in response.json()["error"]["message"]


def test_a_part_begins_where_the_last_one_ended(client):
    hands = make(client)
    send(client, hands, "a.txt", b"abc")
    params = {"name": "a.txt", "offset": 9}
    response = client.post(f"/api/hands/{hands}/files", params=params, content=b"x")
    assert response.status_code == 409
    assert response.json()["error"]["message"].startswith("a.txt has 3 bytes here")
    assert send(client, hands, "a.txt", b"again")["bytes"] == 5
    below = client.post(f"/api/hands/{hands}/files", params={"name": "a.txt/b.txt"}, content=b"x")
    assert below.status_code == 400


def test_limits_of_folders(client, monkeypatch):
    hands = make(client)
    monkeypatch.setattr(hand_folders, "_MOST_FILES", 1)
    monkeypatch.setattr(hand_folders, "_MOST_BYTES", 4)
    monkeypatch.setattr(hand_folders, "_MOST_FOLDERS", 1)
    send(client, hands, "a.txt", b"abc")
    for name, content in (("b.txt", b"x"), ("a.txt", b"abcdef")):
        response = client.post(f"/api/hands/{hands}/files", params={"name": name}, content=content)
        assert "A folder of hands has at most" in response.json()["error"]["message"]
    assert "delete one first" in client.post("/api/hands", json={}).text


def test_a_grading_that_a_server_left_is_interrupted(make_client, folder):
    """A server that ends takes its gradings with it; the next one says so."""
    client = make_client(Workspace(folder))
    hands = make(client)
    find_folder(client.app.state.workspace, hands).write_state(state="running")
    assert client.get("/api/hands").json()["collections"][0]["state"] == "interrupted"
    state = find_folder(client.app.state.workspace, hands)
    (state.path / "state.json").write_text("[1]")
    assert client.get(f"/api/hands/{hands}").json()["collection"]["state"] == "new"


@pytest.mark.slow
def test_a_grading_is_stopped(client, folder):
    hands = make(client)
    send(client, hands, "dealt.phhs", (folder / "dealt.phhs").read_bytes())
    client.post(f"/api/hands/{hands}/grade", json={})
    assert client.post(f"/api/hands/{hands}/stop", json={}).status_code == 200
    assert wait(client, hands)["collection"]["state"] == "stopped"


@pytest.mark.slow
def test_no_process_is_left_behind(client, folder):
    """The process of a grading that is deleted ends, as its input does."""
    hands = make(client)
    send(client, hands, "dealt.phhs", (folder / "dealt.phhs").read_bytes())
    client.post(f"/api/hands/{hands}/grade", json={})
    grading = client.app.state.gradings._gradings[hands]
    client.delete(f"/api/hands/{hands}")
    for _ in range(300):
        if hands not in client.app.state.gradings._gradings:
            break
        time.sleep(0.1)
    assert grading.process is None or grading.process.poll() is not None


@pytest.mark.slow
def test_the_process_tells_how_far_it_is(client, folder):
    """A process of its own grades as this one does; one that cannot is heard as well."""
    hands = make(client)
    send(client, hands, "dealt.phhs", (folder / "dealt.phhs").read_bytes())
    client.post(f"/api/hands/{hands}/grade", json={})
    assert wait(client, hands)["report"]["graded"] > 60
    (folder / ".equilibrist" / "hands" / hands / "files" / "dealt.phhs").write_text("nothing")
    client.post(f"/api/hands/{hands}/grade", json={})
    assert wait(client, hands)["collection"]["state"] == "failed"
