"""Routes of a solved spot: their numbers are those of the library, or follow from them."""

import dataclasses
import itertools
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import ALGORITHMS
from equilibrist.cfr.criteria import read_percent
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.keywords import solve_keywords
from equilibrist.solving.plan import new_config
from equilibrist.study.jobs.job import Job
from equilibrist.web.workspace import Workspace
from support.workspaces import OpenWorkspace

TURN = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"
RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA:0.5,QJs,T8s,A5s', ip='KK,JTs:0.25,98s,QTo', pot=100, stack=300, "
    "bets='50%, a; 60%')"
)


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots")
    runs = {"turn": TURN, "river": RIVER}
    solutions = {
        name: eq.solve(game, iterations=30, save=folder / name) for name, game in runs.items()
    }
    eq.solve(TURN, iterations=5, save=eq.Save(folder / "first-street", streets=1))
    eq.solve("kuhn", iterations=5, save=folder / "kuhn")
    return folder, solutions


@pytest.fixture(scope="module")
def workspace(solved):
    """Give the workspace that ``client`` serves: of all tests, each run is loaded once."""
    return OpenWorkspace(solved[0])


@pytest.mark.slow
def test_overview(get, solved):
    found, solution = get("turn/spot"), solved[1]["turn"]
    assert (found["board"], found["pot"], found["stack"]) == ("AsKs7s2s", 100, 150)
    assert found["title"] == "Hold'em AsKs7s 2s, pot 100, stacks 150"
    assert found["streets"] == found["solved_streets"] == ["turn", "river"]
    assert found["value"] == list(solution.value)
    assert found["measures"]["exploitability_percent"] == solution.exploitability_percent
    assert f"{solution.exploitability_percent:.2g}% of the pot" in found["quality"]
    assert eq.load(found["game"]).hands == eq.load(TURN).hands
    assert get("first-street/spot")["solved_streets"] == ["turn"]


def test_a_locked_run_says_what_its_certificate_is_of(make_client, tmp_path):
    game = eq.load(RIVER)
    game.locks = [{"line": "X", "strategy": {"X": 1}, "hands": "KhKc"}]
    locked = eq.solve(game, iterations=5, save=tmp_path / "locked")
    found = make_client(Workspace(tmp_path)).get("/api/runs/locked/spot").json()
    (lock,) = found["locks"]
    assert (lock["player"], lock["line"], lock["text"]) == (1, "X", "IP X: X 100 %, with KhKc")
    assert found["quality"].startswith("Beside what is locked, a perfect opponent would win")
    assert found["guarantee"] == locked.guarantee
    assert "best responses keep to that" in locked.guarantee
    assert "locked" not in eq.solve(RIVER, iterations=1).guarantee


@pytest.mark.parametrize(
    ("run", "line", "board"),
    [
        ("river", "", ""),
        ("river", "x-b50", ""),
        ("turn", "X", ""),
        ("turn", "X-X", "Qc"),
        ("turn", "X-X | X", "Qd"),
    ],
)
def test_a_decision_is_that_of_the_library(get, solved, run, line, board):
    node = eq.poker.SolvedSpot(solved[1][run]).node(line, board or None)
    found = get(f"{run}/spot/node", line=line, board=board)
    for name, value in node.summary(digits=8).items():
        assert found[name] == value if name != "stacks" else found[name] == pytest.approx(value)
    for player, columns in (
        (node.player, found["hands"]),
        (1 - node.player, found["others"][1 - node.player]),
    ):
        for name, column in node.table(player).items():
            if name in ("hand", "class", "made", "draws"):
                assert columns[name] == column
                continue
            assert columns[name] == pytest.approx(column, rel=6e-8, abs=0)
            assert all(
                len(repr(value).rstrip("0").lstrip("-0.").replace(".", "")) <= 8
                for value in columns[name]
                if value and value > 1e-4
            )
    assert (found["kind"], found["actions"]) == ("decision", list(node.actions))
    assert [one["action"] for one in found["next"]] == list(node.actions)


def test_the_way_to_a_decision(get, solved):
    spot = eq.poker.SolvedSpot(solved[1]["turn"])
    steps = get("turn/spot/node", line="X-B50-C | X", board="Qc")["steps"]
    assert [(one["kind"], one.get("chosen") or one["card"]) for one in steps] == [
        ("decision", "X"),
        ("decision", "B50"),
        ("decision", "C"),
        ("deal", "Qc"),
        ("decision", "X"),
    ]
    for step in steps:
        if step["kind"] == "decision":
            node = spot.node(step["line"], step["board"])
            assert [one["frequency"] for one in step["actions"]] == node.frequencies.tolist()
            assert step["pot"] == node.pot
    after = {one["action"]: one for one in steps[2]["actions"]}
    assert after["F"]["result"] == "IP wins"
    assert after["C"]["next"] == "deal"
    assert after["A150"] | {"frequency": 0} == {
        "action": "A150",
        "words": "all-in 150",
        "next": "decision",
        "player": 1,
        "frequency": 0,
    }


def test_where_a_card_is_to_come(get, solved):
    found = get("turn/spot/node", line="X-X")
    assert (found["kind"], found["street"], found["next_street"]) == ("deal", "turn", "river")
    spot = eq.poker.SolvedSpot(solved[1]["turn"])
    assert found["cards"] == [list(alike) for alike in spot.run_outs("X-X")]
    assert found["next_player"] == 0
    assert sorted(itertools.chain(*found["cards"])) == sorted(
        set(spot.game.cards) - {"As", "Ks", "7s", "2s"}
    )


@pytest.mark.parametrize(
    ("line", "result", "pot", "stacks"),
    [("X-B50-F", "IP wins", 150, [150, 100]), ("X-B50-A150-C", "showdown", 400, [0, 0])],
)
def test_the_end_of_a_hand(get, line, result, pot, stacks):
    found = get("turn/spot/node", line=line)
    assert (found["kind"], found["result"], found["pot"], found["stacks"]) == (
        "end",
        result,
        pot,
        stacks,
    )


@pytest.mark.slow
def test_run_outs_are_the_nodes_after_each_card(get, solved):
    spot = eq.poker.SolvedSpot(solved[1]["turn"])
    found = get("turn/spot/runouts", line="X-X")
    total = sum(row["weight"] for row in found["rows"])
    assert found["total"] == len(found["rows"]) < 30
    earned = 0.0
    for row in found["rows"]:
        for card in row["alike"]:
            node = spot.node("X-X", card)
            assert row["frequencies"] == pytest.approx(
                dict(zip(node.actions, node.frequencies, strict=True))
            )
            assert row["ev"] == pytest.approx(node.evs)
            assert row["equity"] == pytest.approx(node.equities)
        earned += row["weight"] / total * row["ev"][0]
    before = spot.node("X")  # of the hands that check behind, and against them
    mix = before.strategy[0] * before.probabilities[1]
    assert 100 - earned == pytest.approx((mix * before.action_ev[0]).sum() / mix.sum())
    part = get("turn/spot/runouts", line="X-X", start=3, count=2)
    assert part["rows"] == found["rows"][3:5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "only", "fits"),
    [
        (0, "QQ and not hearts", lambda hand: hand[::2] == "QQ" and "h" not in hand),
        (1, "JJ or Ah", lambda hand: hand[::2] == "JJ" or "Ah" in hand),
    ],
)
def test_run_outs_count_the_hands_that_pass(get, solved, player, only, fits):
    """Sums over pairs of hands by their names; the names, EVs and mixes are those of the decisions."""
    spot = eq.poker.SolvedSpot(solved[1]["turn"])
    found = get("turn/spot/runouts", line="X-X", only=only, player=player)
    assert found["of"] == player
    assert found["total"] == len(found["rows"]) == 48
    by_card = {row["card"]: row for row in found["rows"]}
    deals = {}
    for card in ("3c", "3h", "Jd"):
        node = spot.node("X-X", card)
        held = {}
        for pair in itertools.product(range(len(node.hands[0])), range(len(node.hands[1]))):
            names = [node.hands[who][place] for who, place in enumerate(pair)]
            cards = {name[start : start + 2] for name in names for start in (0, 2)}
            if len(cards) == 4 and fits(names[player]):
                weight = node.ranges[0][pair[0]] * node.ranges[1][pair[1]]
                held[pair[player]] = held.get(pair[player], 0.0) + weight
        deals[card] = sum(held.values())
        row = by_card[card]
        for name, values in (("ev", node.ev), ("equity", node.equity)):
            mean = sum(weight * values[player][place] for place, weight in held.items() if weight)
            assert row[name][player] == pytest.approx(mean / deals[card])
            assert row[name][1 - player] is None
        if player == node.player:
            for action, mix in zip(node.actions, node.strategy, strict=True):
                mean = sum(weight * mix[place] for place, weight in held.items())
                assert row["frequencies"][action] == pytest.approx(mean / deals[card])
        else:
            assert row["frequencies"] == {}
    for card in ("3h", "Jd"):
        told = by_card[card]["weight"] / by_card["3c"]["weight"]
        assert told == pytest.approx(deals[card] / deals["3c"])


@pytest.mark.slow
def test_the_file_of_run_outs_is_that_of_the_command(client, solved, tmp_path):
    for fields, options in (("", {}), ("&only=EV>60&unit=pot", {"only": "EV>60"})):
        reply = client.get(f"/api/runs/turn/spot/runouts?line=X-X&format=csv{fields}")
        assert reply.headers["content-disposition"] == 'attachment; filename="turn-runouts.csv"'
        eq.poker.run_out_report(solved[1]["turn"], "X-X", **options).write_csv(tmp_path / "a.csv")
        assert reply.text == (tmp_path / "a.csv").read_text()  # the pot has 100 chips


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("only=top+set", "filter: 'top set' at character 1 is no hand, made hand, draw"),
        ("only=AA+and", "filter: a hand or a limit is missing at the end"),
        ("only=QQ&player=2", "player must be a whole number from 0 to 1"),
        ("only=EV>1&unit=euro", "unit must be chips, bb, bb=2, pot or net"),
        ("only=X>50&player=1", "'X' at character 1 is none of weight, equity, EV"),
        ("only=AA&format=csv", "no hand passes 'AA' on any board after 'X-X'"),
        ("format=xls", "format must be"),
    ],
)
def test_run_outs_with_a_filter_that_cannot_be_are_refused(client, fields, message):
    reply = client.get(f"/api/runs/turn/spot/runouts?line=X-X&{fields}")
    assert reply.status_code == 400
    assert message in reply.json()["error"]["message"]


def test_a_filter_that_no_hand_passes_leaves_cards_without_hands(get):
    rows = get("turn/spot/runouts", line="X-X", only="AA")["rows"]
    assert {(row["weight"], row["player"]) for row in rows} == {(0.0, None)}


def test_a_hand(get, solved):
    spot = eq.poker.SolvedSpot(solved[1]["river"])
    node = spot.node("X-B50")
    number = node.number("8sTs")
    found = get("river/spot/hand", line="X-B50", hand="8sTs")
    assert (found["hand"], found["player"], found["ev"]) == ("Ts8s", 0, node.ev[0][number])
    assert [one["probability"] for one in found["actions"]] == node.strategy[:, number].tolist()
    assert [one["ev"] for one in found["actions"]] == node.action_ev[:, number].tolist()
    assert all(one["best_ev"] >= one["ev"] - 1e-9 for one in found["actions"])
    assert found["actions"][0]["best_ev"] == pytest.approx(0.0, abs=1e-9)  # folding
    (way,) = found["way"]
    first = spot.node()
    assert list(way["probabilities"].values()) == first.strategy[:, first.number("Ts8s")].tolist()
    other = get("river/spot/hand", line="X-B50", hand="KcKd", player=1)
    assert other["actions"] is None
    assert other["equity"] == node.equity[1][node.number("KcKd", 1)]


class Queue:
    """Takes orders as the queue of jobs does, and solves nothing."""

    def __init__(self):
        self.added = []

    def add(self, run_request, name):
        self.added.append((run_request, name))
        return Job(id="new", folder=Path("new"), request=run_request, created="now")


@pytest.fixture
def queue(client, monkeypatch):
    queue = Queue()
    monkeypatch.setattr(client.app.state.workspace, "queue", queue)
    return queue


def test_locks_become_a_job(client, queue):
    first = {"line": "X", "strategy": {"X": 0.25, "B50": 0.75}, "hands": "KhKc,KhKd"}
    queued = []
    for locks in ([first], [{"line": "X-B50", "strategy": {"F": 1}}]):
        response = client.post("/api/runs/river/spot/locks", json={"locks": locks, "until": "1%"})
        assert response.status_code == 201, response.text
        answered = response.json()
        assert (answered["job"]["id"], answered["against"]) == ("new", "river")
        queued.append(queue.added[-1])
    (run_request, name), (other, _) = queued
    game = eq.load(run_request["game"])
    assert (name, run_request["keywords"], run_request["spot"]) == (
        "river-locked",
        {"threads": "auto", "until": "1%"},
        True,
    )
    (lock,) = game.locks
    assert (lock.line, dict(lock.strategy)) == ("X", {"X": 0.25, "B50": 0.75})
    assert eq.load(other["game"]).locks[0].line == "X-B50"
    locked = eq.solve(game, iterations=10)
    node = eq.poker.SolvedSpot(locked).node("X")
    assert node.strategy[:, node.number("KcKh")] == pytest.approx([0.25, 0.75, 0])


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({}, "locks is missing"),
        ({"locks": [{"line": "X", "strategy": {"X": 0.5}}]}, "sum"),
        ({"locks": [{"line": "X", "strategy": {"B60": 1}}]}, "B60"),
        ({"locks": [{"line": "X", "strategy": {"X": 1}, "hands": "2c2d"}]}, "2c2d"),
        ({"locks": [{"line": "X", "strategy": {"X": 1}}], "until": "soon"}, "until"),
        ({"locks": [{"line": "X", "strategy": {"X": 1}}], "sampling": "chance"}, "no field"),
    ],
)
def test_locks_that_make_no_sense(client, queue, fields, match):
    response = client.post("/api/runs/river/spot/locks", json=fields)
    assert response.status_code == 400
    assert match in response.json()["error"]["message"]
    assert queue.added == []


def read_locks(client, text, status=200):
    response = client.post("/api/runs/river/spot/locks/read", json={"line": "X-B50", "text": text})
    assert response.status_code == status, response.text
    return response.json()


def test_locks_are_read_from_a_text_as_ranges_are(client):
    mixes = read_locks(
        client, "QJs, T5s+: [as solved]\n\nall: c, f 0%\n  AhAc,A5s: r170 25 %, F 25, c 50\n"
    )["mixes"]
    assert mixes[0] == {"hands": ["Tc8c", "Th8h", "Ts8s", "QdJd", "QhJh", "QsJs"], "strategy": None}
    assert (len(mixes[1]["hands"]), mixes[1]["strategy"]) == (16, [0, 1, 0])
    assert mixes[2] == {
        "hands": ["Ac5c", "Ad5d", "Ah5h", "As5s", "AhAc"],
        "strategy": [0.25, 0.5, 0.25],
    }
    assert read_locks(client, "AA: F 33.33, C 33.33, R170 33.33")["mixes"][0][
        "strategy"
    ] == pytest.approx([1 / 3] * 3)
    assert read_locks(client, " \n")["mixes"] == []


def test_locks_take_made_hands_and_whole_filters(client, solved):
    mixes = read_locks(client, "ace high: F\nAx and not hearts, equity < 100: C")["mixes"]
    columns = eq.poker.SolvedSpot(solved[1]["river"]).node("X-B50").columns()
    made = dict(zip(columns["hand"], columns["made"], strict=True))
    assert mixes[0]["hands"] == [hand for hand, name in made.items() if name == "ace high"]
    assert mixes[1]["hands"] == [hand for hand in made if "A" in hand and "h" not in hand]


@pytest.mark.parametrize(
    ("text", "match", "wrong"),
    [
        ("AA: C\nset or: F", "a hand or a limit is missing at the end", "or"),
        ("AA: C\ntop pear and AA: F", "'top pear' at character 7 is no hand", "top pear"),
        ("straight flush: F", "OOP does not hold straight flush here", "straight flush"),
        ("AA C 100", "a colon stands between", "AA C 100"),
        ("AA: C 100\nQQ,A5s: F 70", "OOP does not hold QQ here", "QQ"),
        ("AA: C 100\nA5s, KYs: F", "'KYs' at character 16 cannot be read", "KYs"),
        ("AA: C 60, F 60", "AA: the shares sum to 120 %, not 100 %", " C 60, F 60"),
        ("AA:0.5: C", "no weights", "AA:0.5"),
        ("AA: C 60, B50 40", "the actions there are F, C, R170; got 'B50'", " B50 40"),
        ("AA: C -60", "a number, in percent; got '-60'", " C -60"),
        ("AA: ", "the shares sum to 0 %", ""),
        (": C", "No hands stand before the colon", ":"),
    ],
)
def test_a_text_of_locks_that_cannot_be_read_says_where(client, queue, text, match, wrong):
    error = read_locks(client, text, 400)["error"]
    assert match in error["message"]
    start, length = error["span"]
    assert text[start : start + length] == wrong
    response = client.post("/api/runs/river/spot/locks", json={"line": "X-B50", "text": text})
    assert response.status_code == 400
    assert match in response.json()["error"]["message"]
    assert queue.added == []


def test_locks_as_a_text_become_a_job(client, queue, solved):
    text = "all: C\nA5s: R170 50, F 50\nAhAc: [as solved]"
    response = client.post("/api/runs/river/spot/locks", json={"line": "X-B50", "text": text})
    assert response.status_code == 201, response.text
    node = eq.poker.SolvedSpot(eq.solve(eq.load(queue.added[-1][0]["game"]), iterations=10)).node(
        "X-B50"
    )
    assert node.strategy[:, node.number("As5s")] == pytest.approx([0.5, 0, 0.5])
    assert node.strategy[:, node.number("AdAc")] == pytest.approx([0, 1, 0])
    before = eq.poker.SolvedSpot(solved[1]["river"]).node("X-B50")
    hand = before.number("AhAc")
    assert node.strategy[:, hand] == pytest.approx(before.strategy[:, hand])
    assert (
        client.post("/api/runs/river/spot/locks", json={"text": " ", "line": ""}).status_code == 400
    )


@pytest.mark.parametrize(("everywhere", "board"), [(False, "AsKs7s2sQc"), (True, None)])
def test_a_lock_on_the_river_holds_there_or_on_all_boards(client, queue, everywhere, board):
    fields = {"line": "X-X | X", "board": "Qc", "text": "JJ: X", "everywhere": everywhere}
    assert client.post("/api/runs/turn/spot/locks", json=fields).status_code == 201
    (lock,) = eq.load(queue.added[-1][0]["game"]).locks
    assert (lock.line, lock.board, len(lock.hands)) == ("X-X | X", board, 6)


@pytest.mark.parametrize(
    ("path", "fields", "status", "match"),
    [
        ("kuhn/spot", {}, 404, "is no spot of hold'em"),
        ("nothing/spot", {}, 404, "no run"),
        ("turn/spot/node", {"line": "B70"}, 400, "the actions at the start are X, B50"),
        ("turn/spot/node", {"line": "X-X | X"}, 400, "the river is dealt before 'X'"),
        ("turn/spot/node", {"line": "X", "board": "Qc"}, 400, "Qc is not dealt"),
        ("turn/spot/node", {"line": "X-X", "board": "As"}, 400, "twice"),
        ("turn/spot/node", {"line": "X-X", "board": "Qx"}, 400, "Qx"),
        ("turn/spot/node", {"way": "X"}, 400, "There is no field 'way'"),
        ("first-street/spot/node", {"line": "X-X | X", "board": "Qc"}, 400, "equilibrist resolve"),
        ("turn/spot/runouts", {"line": "X"}, 400, "no card is dealt"),
        ("turn/spot/hand", {"line": "X", "hand": "AhAc"}, 400, "AhAc is not in the range"),
        ("turn/spot/hand", {"line": "X"}, 400, "hand is missing"),
        ("turn/spot/hand", {"line": "X-B50-F", "hand": "AhAc"}, 400, "nobody decides"),
    ],
)
def test_what_is_not_there(get, path, fields, status, match):
    assert match in get(path, status, **fields)["error"]["message"]


def test_a_part_that_is_solved_again_becomes_a_job(client, queue, solved):
    fields = {"line": "X-X", "board": "Qc", "iterations": 50, "algorithm": "cfr+"}
    response = client.post("/api/runs/turn/spot/resolve", json=fields)
    assert response.status_code == 201, response.text
    assert response.json()["against"] == "turn"
    run_request, name = queue.added[-1]
    assert run_request["keywords"] == {"threads": "auto", "iterations": 50, "algorithm": "cfr+"}
    assert name == "turn-X-X-AsKs7s2sQc"
    part = eq.load(run_request["game"])  # which the worker loads
    again = eq.solve(part, "cfr+", iterations=50)
    expected = eq.resolve(solved[1]["turn"], "X-X", "Qc", algorithm="cfr+", iterations=50)
    assert again.value == pytest.approx(expected.value)
    there, here = (
        eq.poker.SolvedSpot(solved[1]["turn"]).node("X-X", "Qc"),
        eq.poker.SolvedSpot(again).node(),
    )
    assert here.pot == there.pot == 100
    assert here.equities == pytest.approx(there.equities)
    assert here.evs == pytest.approx(
        there.evs, abs=3
    )  # of 100 chips: another strategy from there on


def test_a_part_is_solved_to_a_tenth_of_a_percent_by_default(client, queue):
    client.post("/api/runs/river/spot/resolve", json={"line": "X"})
    run_request, _ = queue.added[-1]
    assert run_request["keywords"] == {"threads": "auto", "until": "0.1%"}
    assert eq.load(run_request["game"]).tree.nodes[0].actions == ("X", "B50", "A300")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"line": "X-X"}, "line"),
        ({"line": "X-B50-F"}, "line"),
        ({"line": "X", "until": "soon"}, "until"),
        ({"line": "X", "seed": 1}, "seed"),
        ({"line": "X", "board": "2d"}, "board"),
    ],
)
def test_a_part_that_cannot_be(client, queue, fields, field):
    response = client.post("/api/runs/river/spot/resolve", json=fields)
    assert response.status_code == 400
    assert response.json()["error"]["field"] == field
    assert queue.added == []


def test_a_street_that_was_not_kept_is_solved_again(get, client, queue):
    deal = get("first-street/spot/node", line="X-X")
    assert (deal["kind"], deal["next_street"]) == ("deal", "river")
    assert any("Qc" in alike for alike in deal["cards"])
    told = get("first-street/spot/node", line="X-X", board="Qc")
    assert (told["kind"], told["street"], told.get("player")) == ("unsolved", "river", None)
    assert [step["kind"] for step in told["steps"]] == ["decision", "decision", "deal"]
    assert "frequency" in told["steps"][0]["actions"][0]
    assert (
        client.post(
            "/api/runs/first-street/spot/resolve", json={"line": "X-X", "board": "Qc"}
        ).status_code
        == 201
    )
    assert eq.load(queue.added[-1][0]["game"]).settings["after"] == "X-X"


HOMES = {
    "abstraction": "of the game by buckets, which is no spot: none of these actions takes it",
    "algorithm": {"algorithm": "cfr+"},
    "sampling": "a sampled run is no spot: none of these actions takes it",
    "concept": {"concept": "floors(0.01)", "precision": "float64"},
    "form": {"form": "cards"},
    "precision": {"precision": "float64"},
    "seed": "of sampled runs, which are no spots",
    "limits": {"max_memory_gb": 3.0},
    "backend": "of the machine: changes no bit",
    "threads": "of the machine: changes no bit",
    "horizon": "of the limits, which the new run has of its own",
    "stop": "the limits, which the new run has of its own",
}
"""Where each setting of a run goes that another run is made from: keywords that both have, or why it has none."""


def test_each_setting_of_a_run_has_a_home():
    assert set(HOMES) == {field.name for field in dataclasses.fields(SolveConfig)}


def made_from(client, queue, folder, monkeypatch, **keywords):
    """Return the settings of a run with keywords that Edit the tree gets, and those that a lock and a part get."""
    solution = eq.solve(RIVER, iterations=2, save=folder / "made", **solve_keywords(keywords))
    workspace = Workspace(folder)
    workspace.queue = queue
    monkeypatch.setattr(client.app.state, "workspace", workspace)
    edit = client.get("/api/runs/made/spot").json()["carried"]
    for action, fields in (
        ("locks", {"locks": [{"line": "X", "strategy": {"X": 1}}]}),
        ("resolve", {"line": "X"}),
    ):
        response = client.post(f"/api/runs/made/spot/{action}", json=fields)
        assert response.status_code == 201, response.text
    lock, part = (run_request["keywords"] for run_request, _ in queue.added[-2:])
    for made in (lock, part):
        assert new_config(**solve_keywords({**made, "threads": 1, "iterations": 1, "until": None}))
    return solution, edit, lock, part


@pytest.mark.thinned(5)
@pytest.mark.parametrize("name", [name for name, home in HOMES.items() if isinstance(home, dict)])
def test_a_run_made_from_another_keeps_its_settings(client, queue, tmp_path, monkeypatch, name):
    keywords = HOMES[name]
    _, *made = made_from(client, queue, tmp_path, monkeypatch, **keywords)
    for settings in made:
        own = {key: settings.get(key) for key in keywords}
        assert own == keywords


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("action", "fields"), [("locks", {"locks": []}), ("resolve", {"line": "X"})]
)
def test_no_run_is_made_from_a_sampled_one(client, queue, tmp_path, monkeypatch, action, fields):
    eq.solve(RIVER, sampling="chance", iterations=2, save=tmp_path / "made")
    workspace = Workspace(tmp_path)
    workspace.queue = queue
    monkeypatch.setattr(client.app.state, "workspace", workspace)
    response = client.post(f"/api/runs/made/spot/{action}", json=fields)
    assert response.status_code == 404
    assert response.json()["error"]["message"] == "'made' is no spot of hold'em or Omaha."
    assert queue.added == []


def test_a_quantal_run_stays_one_at_the_same_temperature_in_chips(
    client, queue, tmp_path, monkeypatch
):
    _, edit, lock, part = made_from(client, queue, tmp_path, monkeypatch, concept="qre(1.0)")
    assert edit["concept"] == "qre('1%')"  # of a pot of 100
    assert lock == {"threads": "auto", "concept": "qre('1%')", "until": 0.001}
    assert part == lock
    fields = {"line": "X-B50", "concept": "nash"}
    assert client.post("/api/runs/made/spot/resolve", json=fields).status_code == 201
    assert queue.added[-1][0]["keywords"] == {"threads": "auto", "until": "0.1%"}
    assert client.post("/api/runs/made/spot/resolve", json={"line": "X-B50"}).status_code == 201
    run_request = queue.added[-1][0]
    pot = eq.load(run_request["game"]).pot
    temperature = (
        run_request["keywords"]["concept"].removeprefix("qre(").removesuffix(")").strip("'")
    )
    assert read_percent(temperature) is None or read_percent(temperature) * pot / 100 == 1.0
    assert read_percent(temperature) is not None or float(temperature) == 1.0


def test_an_algorithm_without_a_name_is_refused(client, queue, tmp_path, monkeypatch):
    own = dataclasses.replace(ALGORITHMS["dcfr"], name="own")
    eq.solve(RIVER, own, iterations=2, save=tmp_path / "made")
    workspace = Workspace(tmp_path)
    workspace.queue = queue
    monkeypatch.setattr(client.app.state, "workspace", workspace)
    assert client.get("/api/runs/made/spot").json()["carried"] is None
    response = client.post("/api/runs/made/spot/resolve", json={"line": "X"})
    assert response.status_code == 422
    assert "'own'" in response.json()["error"]["message"]
    assert queue.added == []
