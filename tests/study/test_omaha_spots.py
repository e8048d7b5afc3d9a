"""Spots of Omaha through the routes of the page: settings, ranges, what is kept, and solved decisions by made hand."""

import csv
import io
from itertools import combinations
from math import comb

import pytest

import equilibrist as eq
from equilibrist.web.workspace import Workspace
from support.workspaces import OpenWorkspace

SPOT = {
    "game": "omaha",
    "board": "Kh9s4d7c",
    "oop": "KKQJ,AAKK,JT98ds",
    "ip": "99AK,77AK,JT86:0.5",
    "pot": 100,
    "stack": 100,
    "bets": "50%",
}
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.fixture(scope="module")
def solution(tmp_path_factory):
    folder = tmp_path_factory.mktemp("omaha") / "omaha"
    settings = {name: value for name, value in SPOT.items() if name != "game"}
    return eq.solve(eq.poker.Omaha(**settings), iterations=20, save=folder), folder.parent


@pytest.fixture(scope="module")
def shared(solution):
    """Give the workspace of a folder with a solved spot of Omaha, which is loaded once."""
    return OpenWorkspace(solution[1])


@pytest.fixture
def omaha(make_client, shared):
    """Give a client of that workspace."""
    return make_client(shared)


def settings_of(response):
    """Return what a spot means, whatever is written of it."""
    settings = dict(response.json()["settings"])
    game = settings.pop("game")
    assert game == "omaha"
    return str(eq.poker.Omaha(**settings))


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"pot_limit": False, "bets": "50%, 200%; a"},
        {"locks": [{"line": "X", "strategy": {"B50": 1.0}, "hands": "set"}]},
    ],
)
def test_a_spot_goes_through_estimates_files_and_presets(client, change):
    spot = {**SPOT, **change}
    meant = str(eq.poker.Omaha(**{key: value for key, value in spot.items() if key != "game"}))
    estimate = client.post("/api/spots/estimate", json={"spot": spot, "sizes": False})
    assert settings_of(estimate) == meant == estimate.json()["game"]
    file = client.post("/api/spots/file", json={"spot": spot})
    read = client.post("/api/spots/read", json={"text": file.text, "name": "spot.toml"})
    assert settings_of(read) == meant
    assert all(name in file.text for name in change)
    assert ("pot_limit" in file.text) == ("pot_limit" in change)
    saved = client.put("/api/presets", json={"kind": "spot", "name": "four", "settings": spot})
    assert saved.json()["settings"] == spot
    assert client.get("/api/presets").json()["spots"][0]["settings"] == spot


def test_a_spot_is_solved_as_a_job(client):
    spot = {**SPOT, "board": "Kh9s4d7c2h", "oop": "AsAhKsKd", "ip": "9h9dQc3c"}
    job = client.post("/api/jobs", json={"spot": spot, "iterations": 5}).json()
    assert job["spot"] is True
    told = client.get(f"/api/jobs/{job['id']}").json()
    assert told["settings"]["game"] == "omaha"
    assert told["game"].startswith("omaha(")


def test_ranges_are_counted_on_the_board(client):
    def told(text, board=""):
        return client.post("/api/spots/range", json={"game": "omaha", "text": text, "board": board})

    board = "Kh9s4d7c2h"
    aces = comb(4, 2) * comb(43, 2) + comb(4, 3) * 43 + 1
    found = told("AA", board).json()
    assert (found["hands"], found["combos"]) == (aces, aces)
    assert found["share"] == pytest.approx(aces / comb(47, 4))
    double_suited = told("AAxxds:0.5").json()
    counted = 0  # two aces, and one more card of each of their suits; of three aces no suit is there twice
    for suits in combinations("cdhs", 2):
        for cards in combinations([card for card in DECK if card[0] != "A"], 2):
            counted += sorted(card[1] for card in cards) == sorted(suits)
    assert (double_suited["hands"], double_suited["combos"]) == (counted, counted / 2)
    assert told(" ").json()["hands"] == 0


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("text", "span"), [("AA, KKK+", [4, 4]), ("15%", [0, 3]), ("AsAsKdQc", [0, 8])]
)
def test_a_range_that_cannot_be_read_has_the_sentence_of_the_command(client, text, span):
    answered = client.post("/api/spots/range", json={"game": "omaha", "text": text})
    with pytest.raises(eq.GameError) as refused:
        eq.poker.Omaha("Kh9s4d", text, "random", pot=1, stack=1)
    error = answered.json()["error"]
    assert answered.status_code == 400
    assert error["message"].partition(": ")[2] == str(refused.value).partition(": ")[2]
    assert error["span"] == span


def test_ranges_are_kept_apart_from_those_of_two_cards(client):
    row = {"kind": "range", "name": "aces", "text": "AA:xxyy", "hole_cards": 4}
    assert client.put("/api/presets", json=row).status_code == 200
    assert client.put("/api/presets", json={**row, "hole_cards": 3}).status_code == 400
    refused = client.put("/api/presets", json={**row, "hole_cards": 2})
    assert "AA:xxyy" in refused.json()["error"]["message"]
    kept = client.get("/api/presets").json()["ranges"]
    assert [(one["name"], one["hole_cards"]) for one in kept] == [("aces", 4)]
    exported = client.get("/api/presets/file").text
    assert client.delete("/api/presets?kind=range&name=aces").status_code == 200
    client.post("/api/presets/file", json={"name": "x.json", "text": exported})
    assert client.get("/api/presets").json()["ranges"] == kept


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"game": "draw"}, "game", "game must be 'holdem' or 'omaha'; got 'draw'."),
        (
            {"locks": [{"line": "", "strategy": {"X": 1}, "hands": "2222"}]},
            None,
            "lock on 'the start': 2222 is not in the range of OOP on this board.",
        ),
        ({"deck": "short"}, "deck", "A spot has no setting 'deck'."),
        ({"oop": ""}, "oop", "The spot lacks OOP's range."),
    ],
)
def test_wrong_settings_are_refused(client, change, field, text):
    answered = client.post("/api/spots/estimate", json={"spot": {**SPOT, **change}})
    assert (answered.status_code, answered.json()["error"]["field"]) == (400, field)
    assert answered.json()["error"]["message"] == text


def test_what_is_for_holdem_alone_is_refused(omaha):
    requests = {
        "/api/runs/omaha/spot/locks": {"text": "AA: X 70", "line": ""},
        "/api/runs/omaha/spot/locks/read": {"text": "AA: X 70", "line": ""},
        "/api/runs/omaha/spot/resolve": {"line": "X"},
    }
    answers = [omaha.post(path, json=body) for path, body in requests.items()]
    answers.append(omaha.get("/api/compare/node", params={"run": ["omaha", "omaha"]}))
    for answered in answers:
        assert answered.status_code == 400
        assert "for hold'em alone; 'omaha' is a spot of Omaha." in answered.text


def test_a_run_is_opened_as_a_spot_and_as_infosets(omaha):
    row = omaha.get("/api/runs").json()["runs"][0]
    assert (row["spot"], row["hole_cards"]) == (True, 4)
    about = omaha.get("/api/runs/omaha/overview").json()
    assert (about["spot"], about["decisions"]) == (False, True)
    spot = omaha.get("/api/runs/omaha/spot").json()
    assert spot["hole_cards"] == 4
    assert spot["settings"]["game"] == "omaha"
    assert "wrap" in spot["draws"]
    assert spot["ranges"] == ["KKQJ,AAKK,JT98ds", "AK99,AK77,JT86:0.5"]


def hand_rows(omaha, line, player):
    """Return all hands of a decision, as the file of the page has them."""
    fields = {"what": "node", "format": "csv", "line": line, "player": player}
    text = omaha.get("/api/runs/omaha/table", params=fields).text
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("line", ["X", "X-B50"])
def test_cells_are_sums_of_hands(omaha, line):
    """The rows of the file are summed up in plain Python, with what each is and draws to."""
    node = omaha.get("/api/runs/omaha/spot/node", params={"line": line}).json()
    for player in range(2):
        rows = [row for row in hand_rows(omaha, line, player) if float(row["range"]) > 0]
        kinds = {}
        for row in rows:
            name = ", ".join(filter(None, [row["made"], row["draws"]]))
            kinds.setdefault(name, []).append({**row})
        cells = {cell["name"]: cell for cell in node["cells"][player]}
        assert set(cells) == set(kinds)
        for name, hands in kinds.items():
            cell = cells[name]
            weights = [float(hand["range"]) for hand in hands]
            held = [float(hand["probability"]) for hand in hands]
            assert cell["hands"] == len(hands)
            assert cell["combos"] == pytest.approx(sum(weights))
            assert cell["probability"] == pytest.approx(sum(held))
            evs = [float(hand["ev"]) for hand in hands]
            mean = sum(share * ev for share, ev in zip(held, evs, strict=True)) / sum(held)
            assert cell["ev"] == pytest.approx(mean)
            if player != node["player"]:
                assert cell["mix"] is None
                continue
            for place, action in enumerate(node["actions"]):
                shares = [float(hand[action]) for hand in hands]
                mix = sum(w * share for w, share in zip(weights, shares, strict=True))
                assert cell["mix"][place] == pytest.approx(mix / sum(weights))
                assert cell["played"][place] == pytest.approx(
                    sum(p * share for p, share in zip(held, shares, strict=True))
                )
        assert sum(cell["probability"] for cell in cells.values()) == pytest.approx(1)
    for place, action in enumerate(node["actions"]):
        played = sum(cell["played"][place] for cell in node["cells"][node["player"]])
        assert played == pytest.approx(node["frequencies"][action])


@pytest.mark.slow
def test_of_a_cell_the_hands_that_are_held_most_are_told(make_client, solution, monkeypatch):
    from equilibrist.poker.solved import omaha_spot

    omaha = make_client(Workspace(solution[1]))  # which has no cells yet
    monkeypatch.setattr(omaha_spot, "MOST_HANDS_OF_A_CELL", 3)
    node = omaha.get("/api/runs/omaha/spot/node", params={"line": "X"}).json()
    for player, table in enumerate([node["others"][0], node["hands"]]):
        rows = hand_rows(omaha, "X", player)
        for cell in node["cells"][player]:
            told = [place for place, name in enumerate(table["class"]) if name == cell["name"]]
            assert len(told) == min(3, cell["hands"])
            of_cell = [
                float(row["probability"])
                for row in rows
                if ", ".join(filter(None, [row["made"], row["draws"]])) == cell["name"]
            ]
            most = sorted(of_cell, reverse=True)[: len(told)]
            told_shares = [table["probability"][place] for place in told]
            assert sorted(told_shares, reverse=True) == pytest.approx(most, rel=1e-6)


def test_a_filter_leaves_the_hands_that_pass_and_their_cells(omaha):
    """Sets of OOP are kings or nines in the hand, counted from its names."""
    fields = "line=X-X&board=2h&player=0&only=set"
    reply = omaha.get(f"/api/runs/omaha/spot/filter?{fields}").json()
    node = omaha.get("/api/runs/omaha/spot/node?line=X-X&board=2h").json()
    assert node["player"] == 0
    every = dict(zip(node["hands"]["hand"], node["hands"]["ev"], strict=True))
    shown = dict(zip(reply["hands"]["hand"], reply["hands"]["ev"], strict=True))
    sets = {hand for hand in every if hand.count("K") == 2}
    assert sets <= set(shown)
    assert set(reply["hands"]["made"]) == {"set"}
    assert all(shown[hand] == every[hand] for hand in sets)
    whole = [cell for cell in node["cells"][0] if cell["made"] == "set"]
    assert [cell["hands"] for cell in reply["cells"]] == [cell["hands"] for cell in whole]
    assert sum(cell["probability"] for cell in reply["cells"]) == pytest.approx(1)
    other = omaha.get("/api/runs/omaha/spot/filter?line=X-X&board=2h&player=1&only=99").json()
    assert other["cells"][0]["mix"] is None
    assert all(hand.count("9") == 2 for hand in other["hands"]["hand"])
    chips = omaha.get("/api/runs/omaha/spot/filter?line=&only=EV>50").json()
    shares = omaha.get("/api/runs/omaha/spot/filter?line=&only=EV>50&unit=pot").json()
    assert chips == shares  # the pot has 100 chips


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("only=top+set", "'top set' at character 1 is no hand"),
        ("only=straight+flush", "no hand in the range of OOP passes 'straight flush'"),
        ("", "only is missing."),
        ("only=set&player=2", "player must be a whole number from 0 to 1"),
        ("only=set&unit=euro", "unit must be chips, bb, bb=2, pot or net"),
        ("only=set&line=X-X", "nobody decides after"),
    ],
)
def test_a_filter_that_cannot_be_is_refused(omaha, fields, message):
    reply = omaha.get(f"/api/runs/omaha/spot/filter?{fields}")
    assert reply.status_code == 400
    assert message in reply.json()["error"]["message"]
