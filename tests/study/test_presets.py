"""Saved ranges and settings of spots: kept whole or not at all, exported and imported, and the usual ranges."""

import json
import random

import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES
from equilibrist.poker.pages.presets import BROKEN, FILE, usual_ranges

RANGE = {
    "kind": "range",
    "name": "BTN vs BB/call",
    "position": "BB",
    "text": "22+,[50]A2s+[/50]; KQo",
}
SPOT = {
    "kind": "spot",
    "name": "single raised",
    "settings": {"board": "QsJh2h", "pot": 50, "oop": "QQ+"},
}


@pytest.fixture
def ask(client):
    def ask(method, status=200, path="/api/presets", **options):
        response = client.request(method, path, **options)
        assert response.status_code == status, response.text
        return response.json()

    return ask


def test_locks_of_a_saved_spot_survive_saving_files_and_import(ask, client):
    lock = {"line": "X-B50", "strategy": {"F": "60%", "C": 0.4}, "hands": "top pair, not hearts"}
    settings = {**SPOT["settings"], "locks": [lock, {**lock, "line": "", "board": "QsJh2h7c"}]}
    ask("PUT", json=SPOT | {"settings": settings})
    assert ask("GET")["spots"][0]["settings"] == settings
    text = client.get("/api/presets/file").text
    ask("DELETE", params={"kind": "spot", "name": SPOT["name"]})
    ask("POST", path="/api/presets/file", json={"name": "saved.json", "text": text})
    assert ask("GET")["spots"][0]["settings"] == settings


def test_ranges_and_spots_are_saved_renamed_and_deleted(ask):
    saved = ask("PUT", json=RANGE)
    assert saved == RANGE | {"combos": eq.poker.Range(RANGE["text"]).combos}
    ask("PUT", json=SPOT)
    listed = ask("GET")
    assert [row["name"] for row in listed["ranges"]] == ["BTN vs BB/call"]
    assert listed["spots"][0]["settings"] == SPOT["settings"]
    assert ask("PUT", 409, json=RANGE | {"replace": False})["error"]["field"] == "name"
    ask("PUT", json=RANGE | {"text": "AA"})
    ask("PATCH", json={"kind": "range", "name": RANGE["name"], "to": "other / call "})
    assert ask("GET")["ranges"] == [
        {"name": "other/call", "position": "BB", "text": "AA", "combos": 6.0}
    ]
    ask("PATCH", 404, json={"kind": "range", "name": RANGE["name"], "to": "x"})
    deleted = ask("DELETE", params={"kind": "range", "name": "other/call"})
    assert deleted["text"] == "AA"
    assert ask("GET")["ranges"] == []
    ask("DELETE", 404, params={"kind": "range", "name": "other/call"})


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a//b"}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"kind": "run"}, "kind"),
        ({"text": "AY"}, "text"),
        ({"text": ""}, "text"),
        ({"position": "x" * 21}, "position"),
        ({"weights": 1}, "weights"),
        ({"kind": "spot"}, "settings"),
        ({"kind": "spot", "settings": {"bord": "QsJh2h"}}, "settings"),
    ],
)
def test_refuses_what_is_no_range_and_no_spot(ask, workspace, wrong, field):
    error = ask("PUT", 400, json=RANGE | wrong)["error"]
    assert error["field"] == field
    assert not (workspace.private / FILE).exists()


def test_an_export_is_imported_elsewhere_and_so_is_any_dialect(ask, client, workspace):
    ask("PUT", json=RANGE)
    ask("PUT", json=SPOT)
    text = client.get("/api/presets/file").text
    (workspace.private / FILE).unlink()
    assert ask("GET")["ranges"] == []
    added = ask(
        "POST", path="/api/presets/file", json={"name": "equilibrist-ranges.json", "text": text}
    )["added"]
    assert [row["name"] for row in added] == ["BTN vs BB/call", "single raised"]
    assert client.get("/api/presets/file").text == text
    hands = eq.poker.Range("AA,KQs:0.5,AhKd:0.25")
    for dialect in ("text", "gto+", "json", "weights"):
        name = {"name": f"Pio/CO/{dialect}.txt", "text": hands.export(dialect)}
        assert (
            ask("POST", path="/api/presets/file", json=name)["added"][0]["name"]
            == f"Pio/CO/{dialect}"
        )
    assert all(
        eq.poker.Range(row["text"]) == hands
        for row in ask("GET")["ranges"]
        if row["name"].startswith("Pio/")
    )
    ask("POST", 400, path="/api/presets/file", json={"name": "x.txt", "text": "no range"})
    ask("POST", 400, path="/api/presets/file", json={"name": "x.json", "text": '{"ranges": [1]}'})


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"ranges": [{"name": "a", "position": "", "text": "AA", "combos": Infinity}], "spots": []}',
        '{"ranges": [{}], "spots": []}',
        '{"ranges": [{"name": 1}], "spots": 2}',
    ],
)
def test_a_damaged_file_is_set_aside(ask, workspace, content):
    (workspace.private / FILE).write_text(content)
    found = ask("GET")
    assert (found["ranges"], found["spots"], found["set_aside"]) == ([], [], BROKEN)
    assert (workspace.private / BROKEN).read_text() == content
    ask("PUT", json=RANGE)
    found = ask("GET")
    assert ([row["name"] for row in found["ranges"]], found["set_aside"]) == ([RANGE["name"]], None)
    (workspace.private / FILE).write_text(content)
    ask("PUT", json=RANGE)  # whoever saves first finds it
    assert len(ask("GET")["ranges"]) == 1


def test_a_link_in_its_place_is_not_followed(ask, workspace, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text('{"ranges": [], "spots": []}')
    (workspace.private / FILE).symlink_to(outside)
    ask("PUT", json=RANGE)
    assert outside.read_text() == '{"ranges": [], "spots": []}'
    assert len(ask("GET")["ranges"]) == 1


def test_usual_ranges_are_those_of_our_own_solutions(ask):
    rows = ask("GET")["usual"]
    assert len({row["name"] for row in rows}) == len(rows) > 50
    push = next(row for row in rows if row["name"] == "Heads-up 10 bb/SB pushes")
    assert push["game"] == "push_fold(stack=10)"
    solution = eq.solve(push["game"], until=1e-4)
    played = [solution.strategy[0, hand]["push"] for hand in CLASSES]
    weights = eq.poker.Range(push["text"]).weights
    for number, share in enumerate(played):
        assert abs(weights[number == CLASS_OF_HAND] - share).max() < 0.03
    assert all(row["combos"] > 0 for row in usual_ranges())


def test_no_mutated_request_is_an_error_of_the_server(client):
    """Fields of requests that are answered, changed, doubled and left out."""
    dice = random.Random(1)
    requests = [
        ("PUT", "/api/presets", RANGE),
        ("PUT", "/api/presets", SPOT),
        ("PATCH", "/api/presets", {"kind": "range", "name": "BTN vs BB/call", "to": "x"}),
        ("DELETE", "/api/presets", {"kind": "range", "name": "x"}),
        ("GET", "/api/presets", {}),
        ("POST", "/api/presets/file", {"name": "a.txt", "text": "AA"}),
        (
            "POST",
            "/api/presets/file",
            {"name": "a.json", "text": json.dumps({"ranges": [RANGE | {"kind": None}]})},
        ),
        (
            "POST",
            "/api/spots/range",
            {"text": "AA,[50]KK[/50]", "board": "QsJh2h", "dialect": "gto+"},
        ),
        (
            "POST",
            "/api/spots/equity",
            {"board": "QsJh2h7c2d", "oop": "AA", "ip": "KK,QQ:0.5", "calls": 0.4, "format": "csv"},
        ),
    ]
    odd = [
        None,
        True,
        -1,
        0,
        0.5,
        2**63,
        1e308,
        "",
        "x" * 1000,
        "nan",
        "\x00",
        "\ud800",
        "é♠",
        "/",
        "{",
        "[50]",
        [],
        {},
        [[]],
    ]
    seen = set()
    for _ in range(500):
        method, path, fields = dice.choice(requests)
        fields = dict(fields)
        for _ in range(dice.choice((0, 1, 1, 2))):
            name = dice.choice([*fields, "kind", "name", "odd"])
            value = fields.get(name)
            if isinstance(value, str) and value and dice.random() < 0.5:
                place = dice.randrange(len(value))
                fields[name] = (
                    value[:place]
                    + dice.choice(["", "{", "[", ":", "9", "\n", value])
                    + value[place + 1 :]
                )
            else:
                fields[name] = dice.choice(odd)
        if method in ("GET", "DELETE"):
            words = {
                name: str(value).encode(errors="replace").decode() for name, value in fields.items()
            }
            response = client.request(method, path, params=words)
        else:
            response = client.request(method, path, content=json.dumps(fields))
        seen.add(response.status_code)
        assert response.status_code < 500, (method, path, fields, response.text)
    assert {200, 400, 404} <= seen
