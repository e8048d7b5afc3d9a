"""Tables of play by their endpoints: dealing and acting, adding up, training, histories, taking up after a restart."""

import csv
import io
import math
import re

import pytest

import equilibrist as eq
from equilibrist.play.session import Session
from equilibrist.web.workspace import Workspace

RIVER = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"


@pytest.fixture(scope="session")
def river(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots")
    eq.solve(RIVER, iterations=200, save=folder / "river")
    return folder


@pytest.fixture
def spots(make_client, river):
    return make_client(Workspace(river))


def play(client, hands, choose=lambda turn: turn["actions"][0], **settings):
    """Open a table and play some hands; return the id of the table, and the hands as they ended."""
    state = client.post("/api/tables", json=settings)
    assert state.status_code == 201, state.text
    state, played = state.json(), []
    while True:
        while turn := state["turn"]:
            data = {"hand": turn["hand"], "step": turn["step"], "action": choose(turn)}
            reply = client.post(f"/api/tables/{state['id']}/moves", json=data)
            assert reply.status_code == 200, reply.text
            state = reply.json()
        played.append(state["last"])
        if len(played) == hands:
            return state, played
        state = client.post(f"/api/tables/{state['id']}/hands").json()


def test_hands_against_a_run_are_those_of_a_session(client, workspace):
    state, played = play(client, 5, run="kuhn", seed=7)
    solution = workspace.run("kuhn").solution
    session = Session("kuhn", against=solution, seed=7)
    for hand in played:
        same = session.play(lambda turn: 0).summary()
        assert hand["payoffs"] == list(same["payoffs"])
        assert [move["taken"] for move in hand["moves"]] == [
            move["taken"] for move in same["moves"]
        ]
        assert hand["payoff"] == pytest.approx(
            hand["best_response_value"] - hand["cost"] + hand["luck"]
        )
    for label, total in session.totals().items():
        assert state["totals"][label]["total"] == pytest.approx(total.total)
    totals = {label: one["total"] for label, one in state["totals"].items()}
    assert state["course"][0] == [0, 0, 0]
    assert state["course"][5] == pytest.approx(
        [5, totals["payoff"], totals["best play"] + totals["choices"]]
    )
    assert totals["payoff"] == pytest.approx(
        totals["best play"] + totals["choices"] + totals["luck"]
    )


def test_nothing_is_told_before_the_hand_is_over(client):
    state = client.post("/api/tables", json={"run": "kuhn", "seat": 1, "seed": 1}).json()
    turn = state["turn"]
    assert turn["seat"] == 1
    assert [row[0] for row in turn["table"]] == ["your card", "pot", "paid"]
    assert turn["moves"] == [{"player": 0, "action": turn["moves"][0]["action"]}]
    assert state["last"] is None
    assert "JQK".count(turn["infoset"][0]) == 1


def test_a_game_is_solved_at_once(client):
    state, played = play(client, 2, game="kuhn", seat=0, seed=3)
    assert state["opponent"].startswith("plays an equilibrium")
    assert played[0]["best_response_value"] == pytest.approx(-1 / 18)


@pytest.mark.parametrize(
    ("settings", "field", "message"),
    [
        ({}, "run", "either a run"),
        ({"game": "kuhn", "run": "kuhn"}, "run", "either a run"),
        ({"game": "liars_dice"}, "game", "solve it first"),
        ({"game": "kuhn(players=3)"}, "game", "solve it first"),
        ({"game": "rules.py:Game"}, "game", "no built-in game"),
        ({"game": "kuhn(cards=1)"}, "cards", "cards"),
        ({"run": "../kuhn"}, "run", "no name"),
        ({"run": "none"}, "run", "no run"),
        ({"run": "kuhn", "seat": 5}, None, "seat 5"),
        ({"run": "kuhn", "line": "Z"}, None, "no infoset 'Z'"),
        ({"run": "kuhn", "colour": 1}, "colour", "no field"),
        ({"run": "kuhn", "pupil": "x" * 41}, "pupil", "at most 40 characters; got 41"),
        ({"run": "kuhn", "pupil": 7}, "pupil", "a text"),
        ({"run": "kuhn", "pupil": "Ada\u202e"}, "pupil", "letters, digits, signs"),
    ],
)
def test_tables_refused(client, settings, field, message):
    reply = client.post("/api/tables", json=settings)
    assert reply.status_code in (400, 404)
    error = reply.json()["error"]
    assert message in error["message"]
    assert error["field"] == field


def test_moves_refused(client):
    state = client.post("/api/tables", json={"run": "kuhn", "seed": 1}).json()
    path, turn = f"/api/tables/{state['id']}", state["turn"]
    assert (
        client.post(f"{path}/moves", json={"action": "jump"}).json()["error"]["field"] == "action"
    )
    first = {"hand": turn["hand"], "step": 0, "action": turn["actions"][0]}
    assert client.post(f"{path}/moves", json=first).status_code == 200
    assert client.post(f"{path}/moves", json=first).status_code == 409  # a double click is one move
    assert client.get("/api/tables/none").status_code == 404
    assert client.get(f"{path}/hands/99").status_code == 404
    assert client.post(f"{path}/moves", json={"hand": 1}).status_code in (400, 409)


def test_dealing_twice_is_dealing_once(client):
    state = client.post("/api/tables", json={"run": "kuhn", "seed": 1}).json()
    assert client.post(f"/api/tables/{state['id']}/hands").json() == state
    assert client.get(f"/api/tables/{state['id']}").json() == state


def test_a_table_goes_on_after_a_restart(make_client, folder):
    """In the middle of a hand: the same cards, the same choices so far."""
    first = make_client(Workspace(folder))
    state, _ = play(first, 3, run="kuhn", seat=0, seed=11)
    state = first.post(f"/api/tables/{state['id']}/hands").json()
    while True:  # a hand in which player 0 is asked twice
        turn = state["turn"]
        state = first.post(
            f"/api/tables/{state['id']}/moves", json={"action": turn["actions"][0]}
        ).json()
        if state["turn"]:
            break
        state = first.post(f"/api/tables/{state['id']}/hands").json()
    again = make_client(Workspace(folder)).get(f"/api/tables/{state['id']}").json()
    assert again == state
    assert again["turn"]["step"] == 1


def test_a_hand_of_a_spot(spots):
    state, played = play(spots, 3, lambda turn: turn["actions"][-1], run="river", seed=1, seat=1)
    assert state["unit"] == 20
    hand = played[0]
    own = next(move for move in hand["moves"] if move["player"] == 1)
    assert dict(map(tuple, own["table"]))["your hand"] == "KsKh"
    assert hand["payoff"] == pytest.approx(
        hand["best_response_value"] - hand["cost"] + hand["luck"]
    )
    assert sum(own["mix"]) == pytest.approx(1)
    assert len(hand["grades"]) == len(hand["moves"])
    assert hand["grades"].count(None) < len(hand["grades"])
    exploitability = spots.get("/api/runs/river").json()["measures"]["exploitability"]
    limits = [max(share * 20, exploitability) for share in (0.001, 0.01, 0.05)]
    assert state["grading"]["limits"] == pytest.approx(limits)
    assert (state["grading"]["note"] is None) is (exploitability <= 0.02)


def test_training_at_a_line(spots):
    places = spots.get("/api/runs/river/training").json()
    assert (places["kind"], places["places"][0]["line"], places["places"][0]["reach"]) == (
        "lines",
        "",
        1.0,
    )
    calls = next(place for place in places["places"] if place["line"] == "A10")
    assert calls["reach"] == pytest.approx(2 / 3, abs=0.01)  # all aces, a third of the queens
    assert (calls["seat"], calls["position"]) == (1, "IP")
    state, played = play(spots, 6, lambda turn: "F", run="river", line="A10", answers=1, seed=2)
    assert state["kind"] == "train"
    assert [hand["payoff"] for hand in played] == [None] * 6
    assert state["score"]["decisions"] == 6
    values = played[0]["moves"][-1]["action_values"]
    assert values[0] == pytest.approx(0)
    assert played[0]["best_response_value"] == max(values) - 10  # beyond half the pot


@pytest.mark.slow
def test_training_at_infosets(client):
    places = client.get("/api/runs/kuhn/training").json()
    assert places["kind"] == "infosets"
    worth = [place["reach"] * place["at_stake"] for place in places["places"]]
    assert worth == sorted(worth, reverse=True)
    fold = next(place for place in places["places"] if place["line"] == "Kb")
    assert fold["at_stake"] == pytest.approx(3, abs=1e-9)  # calling wins 2, folding loses 1
    state, played = play(client, 8, run="kuhn", line="?pb", seed=2)
    assert {hand["seat"] for hand in played} == {0}
    assert state["score"]["hands"] == 8


def test_histories_are_summed_up(client, folder):
    """Folding a king costs 3, folding a jack nothing: by hand from the rules."""
    kings, _ = play(client, 4, lambda turn: "fold", run="kuhn", line="Kb", answers=1, seed=1)
    play(client, 3, lambda turn: "fold", run="kuhn", line="Jb", answers=1, seed=1)
    found = client.get("/api/history", params={"by": "infoset"}).json()
    assert [(row["name"], row["decisions"]) for row in found["rows"]] == [("Kb", 4), ("Jb", 3)]
    assert found["rows"][0]["cost"] == pytest.approx(12)
    assert found["rows"][0]["lost"] == pytest.approx(12 / 2)  # the largest payoff is 2
    assert (found["rows"][0]["unit"], found["rows"][0]["score"]) == (2, pytest.approx(0))
    assert found["rows"][0]["grades"] == {"best": 0, "inaccuracy": 0, "mistake": 0, "blunder": 4}
    assert (found["total"]["decisions"], found["rows"][1]["score"]) == (7, 1)
    for by in ("game", "action", "line", "seat", "grade"):
        rows = client.get("/api/history", params={"by": by}).json()["rows"]
        assert sum(row["decisions"] for row in rows) == 7
        assert math.fsum(row["cost"] for row in rows) == pytest.approx(12)
    assert (
        client.get("/api/history", params={"by": "line", "infoset": "Kb"}).json()["rows"][0]["name"]
        == "bet"
    )
    hands = client.get("/api/history/hands", params={"order": "cost", "most": 4}).json()["hands"]
    assert {hand["table_id"] for hand in hands} == {kings["id"]}
    shown = client.get(f"/api/tables/{kings['id']}/hands/2").json()
    assert shown["moves"][-1]["taken"] == "fold"
    assert shown["table"]["game"] == "kuhn"
    assert client.get("/api/history", params={"by": "colour"}).json()["error"]["field"] == "by"

    # Chips of a game with a hundredfold stakes are not added to those: shares of the largest payoff are.
    assert (found["total"]["game"], found["total"]["unit"], found["total"]["cost"]) == (
        "kuhn",
        2,
        pytest.approx(12),
    )
    eq.solve("kuhn(ante=100, bet=100)", iterations=100, save=folder / "large")
    play(client, 2, lambda turn: "fold", run="large", line="Kb", answers=1, seed=1)
    both = client.get("/api/history").json()
    assert [(row["unit"], row["cost"]) for row in both["rows"]] == [
        (2, pytest.approx(12)),
        (200, pytest.approx(600)),
    ]
    total = both["total"]
    assert [total[name] for name in ("game", "unit", "cost", "at_stake")] == [None] * 4
    assert total["lost"] == pytest.approx(12 / 2 + 600 / 200)
    assert total["score"] == pytest.approx(1 - 9 / (9 + 3 * 1 / 2))  # a jack's call costs 1 of 2
    table = client.get("/api/history", params={"format": "csv"}).text.splitlines()
    assert [line.rpartition(",")[2] for line in table] == ["unit", "2.0", "200.0"]


def test_a_table_is_deleted_and_taken_back(client):
    state, _ = play(client, 2, run="kuhn", seed=1)
    listed = client.get("/api/tables").json()["tables"]
    assert [(table["id"], table["hands"]) for table in listed] == [(state["id"], 2)]
    assert listed[0]["payoff"] == pytest.approx(state["totals"]["payoff"]["total"])
    assert client.delete(f"/api/tables/{state['id']}").json()["deleted"]
    assert client.get("/api/tables").json()["tables"] == []
    assert client.get("/api/history").json()["total"]["decisions"] == 0
    client.patch(f"/api/tables/{state['id']}", json={"deleted": False})
    assert client.get("/api/history").json()["total"]["hands"] == 2
    assert client.delete("/api/tables/none").status_code == 404


def test_a_history_that_is_none(make_client, folder):
    workspace = Workspace(folder)
    (workspace.private / "play.sqlite").write_text(
        "this is no database, whatever its name says " * 40
    )
    broken = (workspace.private / "play.sqlite").read_bytes()
    assert make_client(workspace).get("/api/tables").json()["tables"] == []
    assert (workspace.private / "play.sqlite.broken").read_bytes() == broken


def test_an_opponent_that_searches(make_client, tmp_path):
    """It says how much it solved again, and where, which may tell its hand, once the hand is over."""
    blueprint = eq.solve("kuhn", "cfr", iterations=5, save=tmp_path / "kuhn")
    client = make_client(Workspace(tmp_path))
    settings = {"run": "kuhn", "seat": 0, "seed": 1, "search": True}
    state = client.post("/api/tables", json=settings).json()
    assert state["search"] == {"parts": 0, "new": 0, "seconds": 0.0, "sentences": []}
    first = {"hand": 1, "step": 0, "action": state["turn"]["actions"][0]}
    asked = client.post(f"/api/tables/{state['id']}/moves", json=first).json()
    assert asked["turn"]
    assert (asked["search"]["parts"], asked["search"]["new"], asked["search"]["sentences"]) == (
        1,
        1,
        [],
    )
    state, played = play(client, 6, **settings)
    assert state["opponent"] == "kuhn, which searches"
    assert (state["costs"], state["reason"]) == (
        False,
        "the opponent searches, and only where play comes.",
    )
    assert set(state["totals"]) == {"payoff"}
    assert (state["search"]["parts"], state["search"]["new"]) == (1, 0)
    searcher = eq.Searcher(blueprint)
    for hand in played:
        move = next(move for move in hand["moves"] if move["player"] == 1)
        row = searcher.probabilities_at((1, move["infoset"]), move["actions"])
        assert move["probabilities"] == pytest.approx(row)
    for wrong, message in (
        ({"game": "kuhn", "search": True}, "give a run"),
        ({**settings, "line": "Kb"}, "the opponent searches"),
        ({**settings, "search": "yes"}, "search must be true or false"),
    ):
        assert message in client.post("/api/tables", json=wrong).json()["error"]["message"]


def test_an_opponent_that_searches_a_spot(make_client, tmp_path):
    turn = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=100, bets='a; a')"
    eq.solve(turn, iterations=5, save=tmp_path / "turn")
    client = make_client(Workspace(tmp_path))
    state, _ = play(client, 1, run="turn", seat=0, seed=2, search=True)
    assert state["search"]["new"] == 1
    assert re.match(
        r"Solved again at X-X on KdQd2d7d.. by refined", state["search"]["sentences"][0]
    )


@pytest.fixture
def sized(make_client, tmp_path):
    """Give a client of a river with two sizes, of which hands can be trained and lost."""
    game = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh,TsTh', ip='KsKh,JsJh', pot=20, stack=40, bets='33%, 75%; a')"
    eq.solve(game, iterations=100, save=tmp_path / "sized")
    return make_client(Workspace(tmp_path))


def test_sizes_may_not_count_and_a_number_is_given_to_mix_by(sized):
    def bet(turn):
        assert turn["actions"] == ["X", "bet"]
        return "bet"

    fields = {
        "run": "sized",
        "line": "",
        "answers": 1,
        "seed": 1,
        "sizes": "grouped",
        "mixing": True,
        "timer": 20,
    }
    state, played = play(sized, 12, bet, **fields)
    assert (state["settings"]["sizes"], state["settings"]["timer"]) == ("grouped", 20)
    for hand in played:
        move, number = hand["moves"][-1], hand["random"][-1]
        bets = [place for place, action in enumerate(move["actions"]) if action != "X"]
        most = max(move["mix"][place] for place in bets)
        taken = move["actions"].index(move["taken"])
        assert move["mix"][taken] == most or most < 0.03
        assert 1 <= number <= 100
        assert hand["random"][:-1] == [None] * (len(hand["moves"]) - 1)
    assert len({hand["random"][-1] for hand in played}) > 3
    again = sized.get(f"/api/tables/{state['id']}").json()
    assert again["last"]["random"] == played[-1]["random"]
    path = f"/api/tables/{state['id']}"
    turn = sized.post(f"{path}/hands").json()["turn"]
    assert 1 <= turn["random"] <= 100
    error = sized.post(f"{path}/moves", json={"action": "B7"}).json()["error"]
    assert error["message"] == "The actions are X, bet; got 'B7'."


def test_mistakes_are_trained_until_they_are_answered_right(sized):
    def worst(turn):
        return "F" if "F" in turn["actions"] else turn["actions"][-1]

    state, played = play(sized, 30, worst, run="sized", line="*", answers=1, seed=5)
    wrong = {hand["moves"][-1]["infoset"] for hand in played if hand["grades"][-1] > 0}
    assert wrong
    assert sized.get("/api/runs/sized/training").json()["mistakes"] == len(wrong)
    drilled, played = play(
        sized, 20, run="sized", mistakes={"table": state["id"]}, answers=1, seed=1
    )
    assert drilled["settings"]["mistakes"] == len(wrong)
    assert {hand["moves"][-1]["infoset"] for hand in played} <= wrong
    assert sized.get("/api/tables").json()["tables"][0]["settings"]["mistakes"] == len(wrong)

    def best(turn):
        name = turn["infoset"]
        hand, _, rest = name.partition(" ")
        board, _, line = rest.partition(" ")
        found = sized.get(
            "/api/runs/sized/spot/hand", params={"line": line, "board": board, "hand": hand}
        ).json()
        return max(found["actions"], key=lambda action: action["probability"])["action"]

    while sized.get("/api/runs/sized/training").json()["mistakes"]:
        play(sized, 5, best, run="sized", mistakes={}, answers=1)
    refused = sized.post("/api/tables", json={"run": "sized", "mistakes": {}}).json()["error"]
    assert "no decision that costs anything" in refused["message"]


@pytest.mark.slow
def test_choices_are_summed_up_by_street_and_class(sized):
    state, played = play(sized, 12, run="sized", line="*", answers=1, seed=2)
    by = {
        name: sized.get("/api/history", params={"by": name, "table": state["id"]}).json()
        for name in ("street", "class")
    }
    assert [row["name"] for row in by["street"]["rows"]] == ["river"]
    made = {row["name"]: row["decisions"] for row in by["class"]["rows"]}
    assert sum(made.values()) == 12
    held = [hand["moves"][-1]["infoset"][:4] for hand in played]
    assert set(made) == {"overpair"}  # each of these pairs is above the board
    assert len(held) == 12
    total = sized.get(
        "/api/history", params={"class": "overpair", "street": "river", "table": state["id"]}
    ).json()["total"]
    assert total["decisions"] == 12
    table = sized.get("/api/history", params={"by": "class", "format": "csv"})
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.text.splitlines()[0].startswith("name,game,decisions,hands,cost")
    assert table.text.splitlines()[1].startswith("overpair,")


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"sizes": "some"}, "sizes"),
        ({"timer": 0}, "timer"),
        ({"mixing": 7}, "mixing"),
        ({"mistakes": 7}, "mistakes"),
        ({"mistakes": {"colour": 1}}, "colour"),
        ({"mistakes": {}, "line": "K"}, "mistakes"),
        ({"mistakes": {"grade": "x"}}, "grade"),
    ],
)
def test_settings_of_training_refused(client, settings, field):
    reply = client.post("/api/tables", json={"run": "kuhn", **settings})
    assert reply.status_code == 400
    assert reply.json()["error"]["field"] == field


def test_push_or_fold_is_trained(make_client, tmp_path):
    eq.solve("push_fold(stack=10)", iterations=100, save=tmp_path / "chart")
    client = make_client(Workspace(tmp_path))
    state, played = play(client, 8, run="chart", line="*", answers=1, seed=1)
    assert state["score"]["decisions"] == 8
    assert {hand["seat"] for hand in played} == {0, 1}


def take(client, table, choose=lambda turn: turn["actions"][0]):
    """Take one action at a table that somebody has before them, or deal there; return what they see then."""
    turn, path = table["turn"], f"/api/tables/{table['id']}"
    if turn is None:
        reply = client.post(f"{path}/hands")
    else:
        data = {"hand": turn["hand"], "step": turn["step"], "action": choose(turn)}
        reply = client.post(f"{path}/moves", json=data)
    assert reply.status_code == 200, reply.text
    return reply.json()


SEEN = ("hand", "turn", "totals", "score", "course")
"""Of a table: all that its player sees, but for the last hand, which is in the history."""


@pytest.mark.slow
def test_twenty_tables_are_played_at_by_turns(client):
    """More tables than stay in memory: each goes on as if it were the only one, which a table alone shows."""
    settings = [{"run": "kuhn", "seed": seed} for seed in range(17)]
    settings += [
        {"game": "kuhn", "seed": 1},
        {"game": "leduc", "seed": 2},
        {"run": "kuhn-cfr", "line": "?b", "seed": 3},
    ]
    tables = [client.post("/api/tables", json=one).json() for one in settings]
    for _ in range(3):
        tables = [take(client, table) for table in tables]
    for table, one in zip(tables, settings, strict=True):
        alone = client.post("/api/tables", json=one).json()
        for _ in range(3):
            alone = take(client, alone)
        assert {name: table[name] for name in SEEN} == {name: alone[name] for name in SEEN}
        assert client.get(f"/api/tables/{table['id']}").json() == table


@pytest.mark.slow
def test_a_dealt_hand_outlasts_the_server(make_client, folder):
    client = make_client(Workspace(folder))
    dealt = [
        client.post("/api/tables", json={"run": "kuhn", "seed": seed}).json() for seed in range(3)
    ]
    moved = take(client, take(client, dealt[2]))
    again = make_client(Workspace(folder))
    for before in (dealt[0], dealt[1], moved):
        assert again.get(f"/api/tables/{before['id']}").json() == before
        assert take(again, before)["hand"] >= before["hand"]


def test_a_table_that_a_request_holds_is_never_set_up_twice(client, monkeypatch):
    """While a move at a table is under way, others put it out of memory, and a second request asks for it."""
    import threading

    from equilibrist.study.inspect import play_tables

    monkeypatch.setattr(play_tables, "_MOST_LIVE", 3)
    state = client.post("/api/tables", json={"run": "kuhn", "seed": 1}).json()
    tables = client.app.state.tables
    live = tables.table(state["id"])
    replies = []
    with live.lock:
        for seed in range(play_tables._MOST_LIVE + 1):
            client.post("/api/tables", json={"run": "kuhn", "seed": seed})
        data = {"hand": 1, "step": 0, "action": state["turn"]["actions"][0]}
        path = f"/api/tables/{state['id']}/moves"
        others = [
            threading.Thread(
                target=lambda: replies.append(client.post(path, json=data).status_code)
            )
            for _ in range(2)
        ]
        for other in others:
            other.start()
        assert tables.table(state["id"]) is live
    for other in others:
        other.join(60)
    assert sorted(replies) == [200, 409]


# --- A class ---


def test_what_pupils_choose_is_told_one_by_one_and_summed_up(client):
    """A king that folds to a bet loses 1 in the place of winning 2, and the program never folds it."""
    for pupil, choose in (("Ada", "fold"), ("Bo", "call")):
        play(client, 2, lambda turn, name=choose: name, run="kuhn", line="Kb", pupil=pupil)
    reply = client.get("/api/history/decisions?pupil=Ada").json()
    assert reply["total"] == 2
    for row in reply["decisions"]:
        assert (row["pupil"], row["infoset"], row["hand"]) == ("Ada", "Kb", None)
        assert (row["action"], row["best"], row["grade"]) == ("fold", ["call"], 3)
        assert row["cost"] == pytest.approx(3)
        mix = client.get("/api/runs/kuhn/strategy?infoset=Kb").json()
        assert (row["actions"], row["mix"]) == (mix["actions"], pytest.approx(mix["probabilities"]))
    every = client.get("/api/history/decisions").json()
    assert [row["pupil"] for row in every["decisions"]] == ["Bo", "Bo", "Ada", "Ada"]
    dearest = client.get("/api/history/decisions?order=cost&most=1").json()
    assert (dearest["total"], dearest["decisions"][0]["pupil"]) == (4, "Ada")
    sums = client.get("/api/history?by=pupil").json()["rows"]
    assert [(row["name"], row["decisions"], row["hands"]) for row in sums] == [
        ("Ada", 2, 2),
        ("Bo", 2, 2),
    ]
    assert [row["cost"] for row in sums] == pytest.approx([6, 0])
    assert client.get("/api/tables?pupil=Bo").json()["tables"][0]["settings"]["pupil"] == "Bo"
    assert client.get("/api/runs/kuhn/training?pupil=Ada").json()["mistakes"] == 1
    assert client.get("/api/runs/kuhn/training?pupil=Bo").json()["mistakes"] == 0


def test_a_pupil_at_several_games_has_one_row_without_payoffs(client):
    play(client, 1, run="kuhn", line="Kb", pupil="Ada")
    play(client, 1, game="leduc", seed=1, pupil="Ada")
    play(client, 1, run="kuhn", line="Kb", pupil="Bo")
    play(client, 1, run="kuhn", line="Kb")
    rows = {row["name"]: row for row in client.get("/api/history?by=pupil").json()["rows"]}
    assert set(rows) == {"Ada", "Bo", None}
    both = client.get("/api/history?by=game&pupil=Ada").json()["rows"]
    assert len(both) == 2
    assert (rows["Ada"]["game"], rows["Ada"]["cost"]) == (None, None)
    assert rows["Ada"]["lost"] == pytest.approx(sum(row["lost"] for row in both))
    assert rows["Ada"]["decisions"] == sum(row["decisions"] for row in both)
    assert rows["Bo"]["game"] == "kuhn"


def test_names_are_kept_as_texts_and_files_have_no_formulas(client):
    names = ["=1+1", "<b>Zoë</b> & Søn"]
    for name in names:
        play(client, 1, run="kuhn", line="Kb", pupil=f"  {name}\n ")
    rows = client.get("/api/history/decisions").json()["decisions"]
    assert {row["pupil"] for row in rows} == set(names)
    reply = client.get("/api/history/decisions?format=csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="decisions.csv"'
    heads, *table = csv.reader(io.StringIO(reply.content.decode()))
    assert heads[:2] == ["pupil", "played"]
    assert {row[0] for row in table} == {"'=1+1", names[1]}
    first = dict(zip(heads, table[0], strict=True))
    assert (first["infoset"], first["chose"], first["best"]) == ("Kb", "fold", "call")
    assert first["strategy_plays"] == "fold 0.0%, call 100.0%"
    assert (float(first["cost"]), first["grade"]) == (pytest.approx(3), "blunder")
    sums = client.get("/api/history?by=pupil&format=csv").text
    assert "'=1+1" in sums


def test_a_file_of_too_many_decisions_is_refused_with_what_to_do(client, monkeypatch):
    from equilibrist.study.inspect import play_tables

    play(client, 2, run="kuhn", line="Kb", pupil="Ada")
    monkeypatch.setattr(play_tables, "_MOST_DECISIONS", 1)
    reply = client.get("/api/history/decisions?format=csv")
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == (
        "A file has at most 1 decisions, and these are 2: restrict them by pupil, run or since."
    )


def test_a_hand_of_cards_is_told_of_a_decision_of_a_spot(spots):
    play(spots, 1, run="river", line="", pupil="Ada")
    row = spots.get("/api/history/decisions").json()["decisions"][-1]
    assert row["hand"] == row["infoset"][:4]
    assert row["hand"] in ("AsAh", "QsQh", "KsKh")


def test_a_class_of_thirty_stays_in_memory_as_long_as_there_is_some(client, monkeypatch):
    from equilibrist.study.inspect import play_tables

    settings = [{"run": "kuhn", "seed": seed, "pupil": f"pupil {seed}"} for seed in range(30)]
    opened = [client.post("/api/tables", json=one).json() for one in settings]
    tables = client.app.state.tables
    kept = [tables.table(state["id"]) for state in opened]
    reply = client.get("/api/tables").json()
    assert (reply["live"], reply["most_live"]) == (30, 1_000)
    assert all(tables.table(live.table["id"]) is live for live in kept)
    monkeypatch.setattr(play_tables, "free_memory", lambda: 0.5)
    client.post("/api/tables", json=settings[0])
    reply = client.get("/api/tables").json()
    assert (reply["live"], reply["most_live"]) == (12, 12)
    for state in opened:  # set up again, with the hand that was dealt
        now = client.get(f"/api/tables/{state['id']}").json()
        assert now["turn"] == state["turn"]
