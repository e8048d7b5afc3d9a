"""Charts of push or fold, and the way from a solved game before the flop to a spot after it."""

import json
import random
import re
import shutil

import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASSES


@pytest.fixture(scope="module")
def preflop(tmp_path_factory):
    """Give the folder of a run of a small preflop game."""
    folder = tmp_path_factory.mktemp("preflop") / "run"
    eq.solve("preflop(stack=10, sizes='2x; a')", iterations=50, save=folder)
    return folder


@pytest.fixture
def folder(folder, preflop):
    shutil.copytree(preflop, folder / "preflop")
    return folder


@pytest.mark.slow
def test_charts_are_those_of_the_package(client):
    asked = {"stacks": "4..8", "step": 4, "ante": "0.5"}
    told = client.get("/api/charts", params=asked).json()
    chart = eq.poker.push_fold_charts([4, 8], ante=0.5, until=1e-6)
    assert told["stacks"] == [4, 8]
    assert told["exploitability"] <= 1e-6
    assert told["push"] == chart.columns()["push"]
    assert told["probabilities"]["call"][1] == pytest.approx(chart.call[1].tolist(), abs=1e-3)
    text = client.get("/api/charts", params=asked | {"format": "csv"})
    assert text.headers["content-disposition"] == 'attachment; filename="push-or-fold.csv"'
    assert text.text.splitlines()[:2] == [
        "hand,push,push at,call,call at",
        f"AA,8.0,{chart.text('push', 'AA')},8.0,8-4",
    ]
    assert len(text.text.splitlines()) == 1 + len(CLASSES)


@pytest.mark.slow
def test_a_chart_grows_until_it_is_whole(client, monkeypatch):
    """A request answers with what is solved by then, and the next one goes on; stacks below the antes are left out."""
    from equilibrist.poker.pages import charts

    monkeypatch.setattr(charts, "_PATIENCE", {"json": -1.0, "csv": -1.0})
    monkeypatch.setattr(charts, "_AT_ONCE", 2)
    asked = {"stacks": "2..6", "ante": "0.1", "bb_ante": "1.5"}
    assert "are not solved yet" in client.get("/api/charts", params=asked | {"format": "csv"}).text
    answers = [client.get("/api/charts", params=asked).json() for _ in range(2)]
    assert [answer["stacks"] for answer in answers] == [[3, 4, 5, 6], [3, 4, 5, 6]]
    assert [answer["remaining"] for answer in answers] == [0, 0]
    assert answers[0]["left_out"] == [2]
    wider = client.get("/api/charts", params=asked | {"stacks": "3..9"}).json()
    assert (wider["stacks"], wider["remaining"]) == ([3, 4, 5, 6, 7, 8], 1)
    whole = client.get("/api/charts", params=asked | {"stacks": "3..9"}).json()
    assert whole["remaining"] == 0
    assert (
        whole["push"]
        == eq.poker.push_fold_charts(
            [3, 4, 5, 6, 7, 8, 9], ante=0.1, bb_ante=1.5, until=1e-6
        ).columns()["push"]
    )


def test_any_ante_fits_the_stacks_that_the_page_begins_with(client):
    told = client.get("/api/charts", params={"stacks": "1..2", "ante": "0.1"}).json()
    assert (told["stacks"], told["left_out"]) == ([2], [1])


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"stacks": "1..1000"}, "At most 200 stacks"),
        ({"stacks": "a"}, "stacks must be"),
        ({"step": "0"}, "step must be a number of big blinds above 0"),
        ({"step": "1e-300"}, "At most 200 stacks|stacks must be"),
        ({"stacks": "1..2", "ante": "-1"}, "ante must be a number of big blinds"),
        ({"stacks": "1..2", "ante": "5"}, "stack must be"),
        ({"stacks": "1..2", "bb_ante": "x"}, "bb_ante must be a number"),
        ({"stacks": "5", "format": "xml"}, "format must be"),
        ({"stack": "5"}, "There is no field 'stack'"),
    ],
)
def test_refuses_other_charts(client, wrong, message):
    response = client.get("/api/charts", params=wrong)
    assert response.status_code in (400, 422), response.text
    assert re.search(message, response.json()["error"]["message"])


def test_a_preflop_run_leads_to_a_flop(client):
    assert client.get("/api/runs/preflop/overview").json()["flops"] is True
    assert client.get("/api/runs/kuhn/overview").json()["flops"] is False
    lines = client.get("/api/runs/preflop/flops").json()["lines"]
    assert lines == [
        {"line": "C-X", "pot": 2.0, "stack": 9.0},
        {"line": "C-R2-C", "pot": 4.0, "stack": 8.0},
        {"line": "R2-C", "pot": 4.0, "stack": 8.0},
    ]
    asked = {"line": "R2-C", "board": "QsJh2h", "bets": "75%"}
    told = client.post("/api/runs/preflop/flops", json=asked).json()["settings"]
    run = eq.load_solution(client.app.state.workspace.folder / "preflop")
    assert str(eq.poker.Holdem(**told)) == str(
        eq.load(run.game).spot(run.strategy, "R2-C", "QsJh2h", bets="75%")
    )


def test_what_classes_of_hands_play_before_the_flop(client):
    about = client.get("/api/runs/preflop/overview").json()
    assert about["names"] == ["SB", "BB"]
    assert about["classes"][:2] == [{"line": "", "player": 0}, {"line": "C", "player": 1}]
    assert client.get("/api/runs/kuhn/overview").json()["classes"] == []
    run = eq.load_solution(client.app.state.workspace.folder / "preflop")
    told = client.get("/api/runs/preflop/classes", params={"line": "r2"}).json()
    assert (told["line"], told["name"], len(told["values"])) == ("R2", "BB", 169)
    assert told["strategy"]["C"][1] == run.strategy[1, "AKs R2"]["C"]
    infoset = client.get(
        "/api/runs/preflop/infoset", params={"player": 1, "infoset": "AKs R2"}
    ).json()
    assert told["values"][1] == infoset["value"]
    assert (
        "nobody decides after"
        in client.get("/api/runs/preflop/classes", params={"line": "F"}).json()["error"]["message"]
    )
    assert client.get("/api/runs/kuhn/classes").status_code == 404


@pytest.mark.parametrize(
    ("run", "wrong", "status", "message"),
    [
        ("kuhn", {}, 404, "No flop comes after 'kuhn'"),
        ("preflop", {"line": "R2-F"}, 400, "nobody decides on a flop after 'R2-F'"),
        ("preflop", {"line": "R3"}, 400, "There is no 'R3'"),
        ("preflop", {"board": "QsJh"}, 400, "board"),
        ("preflop", {"board": None}, 400, "board is missing"),
        ("preflop", {"bets": "x"}, 400, "x"),
    ],
)
def test_refuses_ways_to_no_flop(client, run, wrong, status, message):
    response = client.post(
        f"/api/runs/{run}/flops", json={"line": "R2-C", "board": "QsJh2h"} | wrong
    )
    assert response.status_code == status, response.text
    assert message in response.json()["error"]["message"]


@pytest.mark.slow
def test_no_mutated_request_is_an_error_of_the_server(client):
    dice = random.Random(2)
    good = {"line": "R2-C", "board": "QsJh2h", "bets": "50%, a; a"}
    odd = [
        None,
        True,
        -1,
        0.5,
        "",
        "x" * 1000,
        "\x00",
        "\ud800",
        "-",
        "R",
        "|",
        "AsAs",
        "1e999%",
        [],
        {},
        [[]],
    ]
    seen = set()
    for _ in range(200):
        fields = dict(good)
        for _ in range(dice.choice((0, 1, 2))):
            name = dice.choice([*good, "odd"])
            value = fields.get(name)
            if isinstance(value, str) and value and dice.random() < 0.6:
                place = dice.randrange(len(value))
                fields[name] = (
                    value[:place]
                    + dice.choice(["", "-", "9", "%", ";", value])
                    + value[place + 1 :]
                )
            else:
                fields[name] = dice.choice(odd)
        response = client.post("/api/runs/preflop/flops", content=json.dumps(fields))
        seen.add(response.status_code)
        assert response.status_code < 500, (fields, response.text)
        words = {
            name: str(value).encode(errors="replace").decode() for name, value in fields.items()
        }
        assert client.get("/api/charts", params=words | {"stacks": words["line"]}).status_code < 500
    assert {200, 400} <= seen
