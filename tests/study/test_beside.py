"""Two strategies side by side: the numbers are those of the two runs, looked up one by one."""

import csv
import io
import random

import pytest

import equilibrist as eq
from support.workspaces import OpenWorkspace

RIVER = "holdem(board='Td9d6hQc2s', oop='AA:0.5,QJs,T8s', ip='KK,JTs:0.25,98s', pot=100, stack=300, bets='50%, a')"


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    eq.solve(RIVER, iterations=30, save=folder / "river")
    eq.solve(RIVER, "cfr+", iterations=5, save=folder / "river-5")
    eq.solve("kuhn", iterations=200, save=folder / "kuhn")
    eq.solve("kuhn(cards=4)", "cfr", iterations=20, save=folder / "four")
    eq.solve("kuhn", concept="qre(0.1)", save=folder / "qre", iterations=200)
    return folder


@pytest.fixture(scope="module")
def workspace(solved):
    """Give the workspace that ``client`` serves: of all tests, each run is loaded once."""
    return OpenWorkspace(solved)


def compare(client, what, status=200, **fields):
    response = client.get(f"/api/compare/{what}", params=fields)
    assert response.status_code == status, response.text
    return response.json() if "json" in response.headers["content-type"] else response.text


def test_infosets_of_nash_beside_qre(client, solved):
    told = compare(client, "infosets", run=["kuhn", "qre"])
    strategies = [eq.load_solution(solved / name).strategy for name in ("kuhn", "qre")]
    assert (told["infosets"], told["alone"], told["total"]) == (12, [0, 0], 12)
    for row in told["rows"]:
        mixes = [dict(strategy[row["player"], row["infoset"]]) for strategy in strategies]
        for side, mix in enumerate(mixes):
            assert dict(zip(row["actions"], row["mixes"][side], strict=True)) == pytest.approx(mix)
        assert row["difference"] == pytest.approx(
            max(abs(mixes[0][a] - mixes[1][a]) for a in row["actions"])
        )
    differences = [row["difference"] for row in told["rows"]]
    assert differences == sorted(differences, reverse=True)
    assert told["largest"] == differences[0] > 0.05  # that a temperature of 0.1 does something
    same = compare(client, "infosets", run=["kuhn", "kuhn"], player=1, search="j")
    assert {row["difference"] for row in same["rows"]} == {0}
    assert {row["player"] for row in same["rows"]} == {1}
    assert all("j" in row["infoset"].lower() for row in same["rows"])


def test_infosets_that_one_of_them_lacks_are_counted(client):
    told = compare(client, "infosets", run=["four", "kuhn"])
    assert told["alone"] == [16 - told["infosets"], 12 - told["infosets"]]
    rows = list(
        csv.DictReader(io.StringIO(compare(client, "infosets", run=["kuhn", "qre"], format="csv")))
    )
    assert len(rows) == 12
    assert {"infoset", "difference", "bet 1", "bet 2", "values 1"} <= set(rows[0])


def test_hands_of_one_decision_in_two_runs(client, solved):
    told = compare(client, "node", run=["river", "river-5"], line="X")
    nodes = [
        eq.poker.SolvedSpot(eq.load_solution(solved / name)).node("X")
        for name in ("river", "river-5")
    ]
    assert told["actions"] == list(nodes[0].actions)
    by_hand = {row["hand"]: row for row in told["hands"]}
    for number, hand in enumerate(nodes[0].hands[1]):
        row = by_hand[hand]
        mixes = [node.strategy[:, number] for node in nodes]
        assert row["mixes"][0] == pytest.approx(mixes[0].tolist())
        assert row["mixes"][1] == pytest.approx(mixes[1].tolist())
        assert row["difference"] == pytest.approx(0.5 * abs(mixes[0] - mixes[1]).sum())
        assert row["ev_difference"] == pytest.approx(
            nodes[1].ev[1][number] - nodes[0].ev[1][number]
        )
    assert [side["ev"] for side in told["sides"]] == [
        pytest.approx(list(node.evs)) for node in nodes
    ]


def test_two_decisions_of_one_run(client, solved):
    told = compare(client, "node", run=["river", "river"], line="", line2="X-B50")
    assert told["actions"] == ["X", "B50", "A300", "F", "C"]
    row = next(row for row in told["hands"] if row["difference"] is not None)
    assert row["difference"] == pytest.approx(1)  # nothing that they do is the same
    assert [mix is None for mix in row["mixes"][0]] == [False] * 3 + [True] * 2
    assert [mix is None for mix in row["mixes"][1]] == [True] * 3 + [False] * 2
    other = compare(client, "node", run=["river", "river"], line="", line2="X")
    assert {row["difference"] for row in other["hands"]} == {
        None
    }  # who does not decide there has no strategy
    assert "ev 1" in compare(client, "node", run=["river", "river"], format="csv").splitlines()[0]


@pytest.mark.parametrize(
    ("what", "fields", "status", "field"),
    [
        ("infosets", {}, 400, "run"),
        ("infosets", {"run": ["kuhn"]}, 400, "run"),
        ("infosets", {"run": ["kuhn", "nothing"]}, 404, "run"),
        ("infosets", {"run": ["kuhn", "river"]}, 400, "run"),
        ("infosets", {"run": ["kuhn", "qre"], "order": "loss"}, 400, "order"),
        ("infosets", {"run": ["kuhn", "qre"], "colour": 1}, 400, "colour"),
        ("node", {"run": ["river", "kuhn"]}, 404, "run"),
        ("node", {"run": ["river", "river"], "line": "Z"}, 400, None),
        ("node", {"run": ["river", "river"], "line2": "X-X"}, 400, "line"),
        ("node", {"run": ["river", "river"], "player": 2}, 400, "player"),
    ],
)
def test_refuses_in_a_sentence(client, what, fields, status, field):
    error = compare(client, what, status, **fields)["error"]
    assert error["field"] == field or field is None


def test_mutated_requests_are_refused_in_a_sentence(client):
    rng = random.Random(2)
    odd = ["", "-1", "x" * 300, "\0", "1e9", "X", "AhKd", "..", "csv", "QcQd", "X-B50-C"]
    names = [
        "line",
        "line2",
        "board",
        "board2",
        "player",
        "order",
        "start",
        "count",
        "format",
        "search",
    ]
    for _ in range(150):
        fields = {
            "run": rng.choices(
                ["kuhn", "river", "river-5", "four", "x"], k=rng.choice([1, 2, 2, 2])
            )
        }
        fields |= {name: rng.choice(odd) for name in rng.sample(names, rng.randint(0, 3))}
        response = client.get(f"/api/compare/{rng.choice(['node', 'infosets'])}", params=fields)
        assert response.status_code in (200, 400, 404, 422), (fields, response.text)
