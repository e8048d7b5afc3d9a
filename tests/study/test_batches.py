"""Batches from the page: planned, sized up, queued, read while they grow, stopped and gone on with."""

import csv
import io
import json
import random
import time
import tomllib

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist._util.toml import toml_text
from equilibrist.batches.study import read_study
from equilibrist.study.app import make_app
from equilibrist.web.workspace import Workspace

ADDRESS = "http://127.0.0.1:8421"
SPOT = {"board": "2s3h4d6c7c", "oop": "AA,QQ", "ip": "KK", "pot": 20, "stack": 10, "bets": "a"}
BOARDS = "2s3h4d6c7c:1, Qs3h4d6c7c:2, 2s3s4s6s7c:3"
GRID = {"games": ["kuhn", "kuhn(cards=4)"], "algorithms": ["cfr", "dcfr"], "iterations": 20}


@pytest.fixture(scope="module")
def planner(tmp_path_factory):
    """Give a client of a server of an empty folder, for requests that begin nothing: its process stays warm."""
    folder = tmp_path_factory.mktemp("planned")
    app = make_app(Workspace(folder), token="token")
    headers = {"authorization": "Bearer token"}
    with TestClient(
        app, base_url=ADDRESS, raise_server_exceptions=False, headers=headers
    ) as client:
        client.folder = folder
        yield client


def wait(client, batch, seconds=400):
    """Return a batch once its job has ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        response = client.get(f"/api/jobs/{batch}")
        if response.status_code == 200 and response.json()["state"] in (
            "done",
            "stopped",
            "failed",
        ):
            assert response.json()["error"] is None, response.text
            return client.get(f"/api/batches/{batch}").json()
        time.sleep(0.2)
    raise AssertionError(response.text)


def begin(client, **fields):
    response = client.post("/api/batches", json=fields)
    assert response.status_code == 201, response.text
    return [job["id"] for job in response.json()["jobs"]]


def refused(client, fields, field=None, path="/api/batches"):
    response = client.post(path, json=fields)
    assert response.status_code in (400, 422), response.text
    error = response.json()["error"]
    assert field is None or error["field"] == field, error
    return error["message"]


@pytest.mark.slow
def test_a_grid_of_games_and_algorithms(client, folder):
    facts = client.post("/api/batches/estimate", json={**GRID, "name": "grid"}).json()
    assert (facts["runs"], facts["batches"], facts["left_out"]) == (4, 1, [])
    assert 0 < facts["gigabytes"] < facts["free"]
    assert 0 <= facts["seconds"][0] <= facts["seconds"][1]
    assert facts["command"] == "equilibrist batch grid.toml --out grid"
    (batch,) = begin(client, **GRID, name="grid")
    result = wait(client, batch)
    assert (result["state"], result["done"], result["failed"], result["total"]) == ("done", 4, 0, 4)
    assert result["varied"] == ["game", "algorithm"]
    plain = eq.batch(
        {"vary": {"game": GRID["games"], "algorithm": GRID["algorithms"]}, "iterations": 20}
    ).rows()
    assert [row["exploitability"] for row in result["rows"]] == [
        row["exploitability"] for row in plain
    ]
    assert [row["algorithm"] for row in result["rows"]] == ["cfr", "dcfr"] * 2
    curve = result["curves"][result["rows"][0]["id"]]
    assert curve[-1][0] == 20
    assert curve[-1][3] == result["rows"][0]["exploitability"]
    assert client.get(f"/api/runs/{result['rows'][0]['run']}").json()["iteration"] == 20
    rows = list(csv.DictReader(io.StringIO(client.get("/api/batches/grid/table").text)))
    assert [row["state"] for row in rows] == ["finished"] * 4
    runs = {row["id"]: row["batch"] for row in client.get("/api/runs").json()["runs"]}
    assert set(runs.values()) == {None, "grid"}
    assert runs["kuhn"] is None
    (report,) = client.get("/api/reports").json()["reports"]
    assert (report["id"], report["batch"]) == ("grid", True)
    assert [row["name"] for row in client.get("/api/batches").json()["batches"]] == ["grid"]


def test_pairs_that_do_not_go_together_are_left_out_with_a_reason(planner):
    pairs = {"algorithms": ["cfr", "hs-dcfr"], "samplings": ["full", "external"]}
    facts = planner.post(
        "/api/batches/estimate", json={**GRID, **pairs, "seeds": 2, "games": ["kuhn"]}
    ).json()
    assert [(each["algorithm"], each["sampling"]) for each in facts["left_out"]] == [
        ("hs-dcfr", "external")
    ]
    assert "must be 'full'" in facts["left_out"][0]["reason"]
    assert (
        facts["runs"] == 4
    )  # cfr and hs-dcfr in full, whatever the seed, and cfr sampled with two
    assert 'name = "cfr, external"' in facts["file"]


def test_the_study_file_that_is_shown_is_the_same_study(planner, tmp_path):
    fields = {
        **GRID,
        "vary": {"ante": [1, 2]},
        "samplings": ["full", "external"],
        "seeds": 2,
        "name": "same",
    }
    facts = planner.post("/api/batches/estimate", json=fields).json()
    (tmp_path / "same.toml").write_text(facts["file"])
    assert len(read_study(tmp_path / "same.toml")) == facts["runs"] == 2 * 2 * (2 + 2 * 2)
    hostile = {"game": 'a"\\\n[x]', "vary": {"oop.bets": ["50%, a"], "ante": [1, 2.5, True]}}
    (tmp_path / "hostile.toml").write_text(toml_text(hostile))
    assert tomllib.loads(toml_text(hostile)) == hostile


@pytest.mark.slow
def test_a_report_over_boards_with_means_by_texture(client, folder):
    fields = {"spot": SPOT, "boards": BOARDS, "until": "1%", "name": "three"}
    facts = client.post("/api/batches/estimate", json=fields).json()
    assert (facts["runs"], facts["batches"]) == (3, 1)
    assert "--boards '2s3h4d6c7c:1, Qs3h4d6c7c:2, 2s3s4s6s7c:3'" in facts["command"]
    (batch,) = begin(client, **fields)
    result = wait(client, batch)
    assert (result["state"], result["done"], result["lines"]) == ("done", 3, ["", "X"])
    report = eq.poker.board_report(SPOT_TEXT, BOARDS, until="1%")
    rows = {row["board"]: row for row in result["rows"]}
    for row in report.rows():
        if row["line"] == "":
            assert {name: rows[row["board"]][name] for name in row} == row
            assert client.get(f"/api/runs/{rows[row['board']]['run']}/spot").status_code == 200
    by_suits = client.get("/api/batches/three", params={"by": "suits", "line": "X"}).json()[
        "textures"
    ]
    assert [(row["suits"], row["boards"]) for row in by_suits] == [
        ("four suited", 1),
        ("two-tone", 2),
    ]
    assert sum(row["share"] for row in by_suits) == pytest.approx(1)
    for name in ("ev_oop", "equity_ip", "X"):
        (mean,) = [mean for mean in report.means() if mean["line"] == "X"]
        assert sum(row["share"] * row[name] for row in by_suits) == pytest.approx(
            mean[name], abs=1e-9
        )
    address = "/api/batches/three/table"
    texts = client.get(address, params={"what": "textures", "by": "high,suits"}).text
    assert [row["high"] for row in csv.DictReader(io.StringIO(texts))] == ["Q", "7", "7"]
    assert client.get(address, params={"what": "textures", "by": "colour"}).status_code == 400
    assert client.get(address, params={"what": "textures", "line": "Z"}).status_code == 400


SPOT_TEXT = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"


def test_variations_of_a_spot_are_reports_of_their_own(planner):
    fields = {
        "spot": SPOT,
        "boards": "rivers",
        "vary": {"stack": [10, 20]},
        "algorithms": ["dcfr", "cfr+"],
    }
    facts = planner.post("/api/batches/estimate", json=fields).json()
    assert facts["batches"] == 4
    assert facts["titles"][0] == "rivers 2s3h4d6c7c, stack 10, algorithm dcfr"
    assert facts["runs"] == 4 * len(
        eq.poker.board_report(SPOT_TEXT, "rivers", iterations=1).records
    )


@pytest.mark.slow
def test_reports_over_several_stacks_are_compared(client, folder):
    fields = {
        "spot": SPOT,
        "boards": BOARDS,
        "iterations": 50,
        "vary": {"stack": [10, 20]},
        "name": "stacks",
    }
    batches = begin(client, **fields)
    for batch in batches:
        result = wait(client, batch)
    assert [(row["id"], row["stack"], row["done"]) for row in result["variations"]] == [
        (batches[0], 10, 3),
        (batches[1], 20, 3),
    ]
    for row in client.get(f"/api/batches/{batches[0]}", params={"line": "X"}).json()["variations"]:
        report = eq.poker.board_report(
            SPOT_TEXT.replace("stack=10", f"stack={row['stack']}"), BOARDS, iterations=50
        )
        (mean,) = [mean for mean in report.means() if mean["line"] == "X"]
        assert {name: row[name] for name in mean} == mean
    address = f"/api/batches/{batches[0]}/table"
    texts = client.get(address, params={"what": "variations", "line": "X"}).text
    assert [row["stack"] for row in csv.DictReader(io.StringIO(texts))] == ["10", "20"]
    (alone,) = begin(client, **{**fields, "vary": {}, "name": "alone"})
    assert wait(client, alone)["variations"] == []
    assert (
        client.get(f"/api/batches/{alone}/table", params={"what": "variations"}).status_code == 404
    )


@pytest.mark.slow
def test_stops_goes_on_and_is_there_after_a_restart(client, make_client, folder):
    fields = {
        "games": ["leduc"],
        "algorithms": ["cfr", "dcfr"],
        "vary": {"ante": [1, 2]},
        "seconds": 3,
    }
    (batch,) = begin(client, **fields, name="long")
    deadline = time.monotonic() + 300
    while (
        not (told := client.get("/api/batches/long").json())["done"] and time.monotonic() < deadline
    ):
        time.sleep(0.1)
    assert told["state"] == "running"
    assert client.post("/api/jobs/long/pause").status_code == 409
    client.post("/api/jobs/long/stop")
    stopped = wait(client, batch)
    assert stopped["state"] == "stopped"
    assert 0 < stopped["done"] < 4
    assert client.post("/api/jobs/long/resume", json={"iterations": 3}).status_code == 400
    again = make_client(Workspace(folder))
    assert again.get("/api/batches/long").json()["done"] == stopped["done"]
    assert again.get("/api/jobs").json()["jobs"] == []
    client.delete("/api/jobs/long")
    client.post("/api/jobs", json={"resume": "long"})
    result = wait(client, batch)
    assert (result["state"], result["done"]) == ("done", 4)
    client.delete("/api/jobs/long")
    assert client.get("/api/batches/long").json()["state"] == "done"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "games"),
        ({"games": []}, "games"),
        ({"games": ["kuhn"], "boards": "25"}, "spot"),
        ({"spot": SPOT, "boards": "/etc/boards.txt"}, "boards"),
        ({"spot": SPOT, "boards": "25"}, None),  # flops for a spot on the river
        ({**GRID, "seeds": [1, 2]}, "seeds"),
        ({"spot": SPOT, "boards": BOARDS, "until": "cce_distance(0.01)"}, "until"),
        ({"spot": SPOT, "boards": BOARDS, "seeds": 3}, "seeds"),
        ({"games": ["/etc/rules.py:Game"]}, "game"),
        ({"games": ["/etc/game.efg"]}, "game"),
        ({"games": ["kuhn"], "vary": {"game": ["/etc/game.efg"]}}, "vary"),
        ({"games": ["kuhn"], "vary": {"items": [1]}}, "vary"),
        ({"games": ["kuhn"], "vary": {"ante": [{"name": "x", "game": "/etc/x.efg"}]}}, "vary"),
        ({"games": ["kuhn"], "vary": {"ante": [1] * 1000, "cards": [3] * 1000}}, "vary"),
        ({"games": ["kuhn"], "algorithms": ["nothing"]}, None),
        ({"games": ["kuhn"], "algorithms": ["hs-dcfr"], "samplings": ["external"]}, None),
        ({"games": ["kuhn"], "vary": {"colour": [1]}}, None),
        ({"games": ["kuhn"], "until": "1%", "unknown": 1}, "unknown"),
    ],
)
def test_refuses_in_a_sentence_and_begins_nothing(planner, fields, field):
    for path in ("/api/batches", "/api/batches/estimate"):
        assert refused(planner, fields, field, path).endswith((".", "?"))
    assert not [path for path in planner.folder.iterdir() if not path.name.startswith(".")]


def test_mutated_requests_are_refused_in_a_sentence(planner):
    """Never a 500: fields of valid requests are replaced at random."""
    rng = random.Random(1)
    odd = [
        None,
        -1,
        0,
        1e308,
        True,
        "",
        "x",
        "\0",
        "../..",
        [],
        [[]],
        {},
        {"a": []},
        [None],
        ["kuhn"] * 3,
        "9" * 400,
    ]
    valid = [
        {**GRID, "seeds": 2, "vary": {"ante": [1]}},
        {"spot": SPOT, "boards": BOARDS, "lines": ["X"]},
    ]
    for _ in range(60):
        fields = json.loads(json.dumps(rng.choice(valid)))
        for _ in range(rng.randint(1, 2)):
            name = rng.choice([*fields, "samplings", "processes", "name", "until"])
            fields[name] = rng.choice(odd)
        response = planner.post("/api/batches/estimate", json=fields)
        assert response.status_code in (200, 400, 404, 422), (fields, response.text)
    for path in (
        "/api/batches/kuhn",
        "/api/batches/%2e%2e~1x",
        "/api/batches/nothing/table?what=textures",
    ):
        assert planner.get(path).status_code == 404


def test_a_batch_that_somebody_else_wrote(client, folder):
    """Broken files are told in a sentence, and a forged plan begins nothing."""
    for number, text in enumerate(("[]", "{}", '{"plan": {}, "items": 1, "weights": []}', "\0")):
        (folder / f"b{number}").mkdir()
        (folder / f"b{number}" / "batch.json").write_text(text)
        assert client.get(f"/api/batches/b{number}").status_code == 422
    plan = {"title": "x", "game": "kuhn", "processes": 1, "study": {"game": "kuhn"}, "left_out": []}
    (folder / "b9").mkdir()
    (folder / "b9" / "batch.json").write_text(
        json.dumps({"plan": plan, "items": [["a", {}]], "weights": []})
    )
    assert client.get("/api/batches/b9").json()["total"] == 1
    record = {
        "name": "a",
        "state": "finished",
        "error": "",
        "results": {"nodes": [{}]},
        "trace": [],
        "game": "",
    }
    (folder / "b9" / "results.jsonl").write_text(json.dumps(record) + "\n")
    assert client.get("/api/batches/b9").status_code in (200, 422)
    assert client.get("/api/batches").status_code == 200
