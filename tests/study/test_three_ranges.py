"""Routes of a solved spot of three ranges: its decisions, hands, run-outs and gains."""

import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.poker.solved.spots import SolvedSpot
from support.workspaces import OpenWorkspace

SPOT = (
    "holdem(board='9s9h2h8d', ranges=['9c9d:0.5,AsKs', {'range': 'AsAc,KhJs:0.25', 'river': 'a'}, "
    "'8c7c,QdQc'], pot=6, stacks=[3, 2, 3], bets='50%', max_raises=0)"
)
FILE = """
board = "9s9h2h8d"
ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25", "8c7c,QdQc"]
pot = 6
stacks = 3
"""


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    return folder, eq.solve(SPOT, "dcfr", iterations=10, save=folder / "three")


@pytest.fixture(scope="module")
def workspace(solved):
    """Give the workspace that ``client`` serves: of all tests, each run is loaded once."""
    return OpenWorkspace(solved[0])


def test_the_overview_has_three_players_and_their_gains(get, solved):
    found = get("three/spot")
    assert found["players"] == ["SB", "BB", "BTN"]
    assert found["hands"] == [2, 2, 2]
    assert found["deviation_gains"] == list(solved[1].deviation_gains)
    assert "No player can gain more than" in found["quality"]
    assert "xploitab" not in found["quality"] + found["guarantee"]


def test_a_decision_has_the_tables_of_all_players(get, solved):
    found = get("three/spot/node", line="X")
    node = SolvedSpot(solved[1]).node("X")
    assert found["player"] == 1
    assert found["ev"] == pytest.approx(node.evs)
    assert found["stacks"] == [3, 2, 3]
    assert [table and len(table["hand"]) for table in found["others"]] == [2, None, 2]
    assert found["others"][2]["ev"] == pytest.approx(node.ev[2], rel=1e-7)
    assert found["steps"][0]["actions"][0]["frequency"] == pytest.approx(
        SolvedSpot(solved[1]).node().frequencies[0]
    )
    end = get("three/spot/node", line="A3-F-F")
    assert (end["kind"], end["result"]) == ("end", "SB wins")


def test_cards_that_may_come_and_one_hand(get, client, solved):
    deal = get("three/spot/node", line="X-X-X")
    assert deal["kind"] == "deal"
    rows = get("three/spot/runouts", line="X-X-X")["rows"]
    assert sum(len(row["alike"]) for row in rows) == 48
    only = "only=clubs&player=2"
    part = get("three/spot/runouts", line="X-X-X", only="clubs", player=2)
    row = next(row for row in part["rows"] if row["card"] == "3h")
    node = SolvedSpot(solved[1]).node("X-X-X", "3h")
    clubs = [place for place, name in enumerate(node.hands[2]) if "c" in name]
    held = [node.probabilities[2][place] for place in clubs]
    earned = [node.ev[2][place] * share for place, share in zip(clubs, held, strict=True)]
    assert row["ev"][2] == pytest.approx(sum(earned) / sum(held))
    assert row["ev"][:2] == [None, None]
    file = client.get(f"/api/runs/three/spot/runouts?line=X-X-X&format=csv&{only}").text
    assert file.splitlines()[0].endswith("pot,ev_btn,equity_btn,eqr_btn")
    with pytest.raises(GameError, match="those of three ranges are on the page"):
        eq.poker.run_out_report(solved[1], "X-X-X")
    assert all(len(row["ev"]) == 3 for row in rows if row["player"] is not None)
    hand = get("three/spot/hand", line="X", hand="AsAc")
    assert hand["actions"][0]["best_ev"] >= hand["actions"][0]["ev"] - 1e-12
    assert get("three/spot/hand", line="X", hand="QdQc", player=2)["equity"] >= 0


def test_what_is_of_two_ranges_alone_is_refused(client):
    again = client.post("/api/runs/three/spot/resolve", json={"line": "X", "iterations": 3})
    assert again.status_code == 400
    assert "With three ranges parts that are solved again are not there" in again.text


def test_lines_to_train_on_are_refused_with_what_to_do(client):
    told = client.get("/api/runs/three/training")
    assert told.status_code == 400
    sentence = told.json()["error"]["message"]
    assert sentence.startswith("Hands of three ranges are dealt from the start")
    assert "play three instead" in sentence


def test_a_file_is_read_and_solved_as_a_game(client):
    read = client.post("/api/spots/read", json={"text": FILE, "name": "spot.toml"}).json()
    assert read["settings"]["pot"] == 6
    job = client.post("/api/jobs", json={"game": read["game"], "iterations": 3})
    assert job.status_code == 201, job.text


def test_a_file_with_prizes_is_read_and_solved_as_a_game(client):
    text = FILE.replace("9s9h2h8d", "9s9h2h8d3c") + "prizes = [50, 30, 20]\n"
    read = client.post("/api/spots/read", json={"text": text, "name": "spot.toml"}).json()
    assert list(read["settings"]["prizes"]) == [50, 30, 20]
    job = client.post("/api/jobs", json={"game": read["game"], "iterations": 3})
    assert job.status_code == 201, job.text
