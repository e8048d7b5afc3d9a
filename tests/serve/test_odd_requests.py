"""Odd requests to the routes of recordings, training and histories: each is answered or refused, none fails."""

import random

import pytest

ODD = [
    *(None, True, -1, 0, 1, 3.5, 2**63, 1e308, "", "0", "-1", "nan", "x" * 300, "\x00", "é♠", "*", "?", "[", "X-B"),
    *({}, [], {"run": "kuhn"}, {"grade": 1}, {"table": "x"}, [1]),
    *("kuhn", "kuhn-cfr", "../kuhn", "Kb", "=1+1", "csv", "grouped"),
]
GETS = {
    "/api/runs/kuhn-cfr/recording": ("start", "count", "frames", "other"),
    "/api/runs/kuhn/recording": ("start",),
    "/api/runs/kuhn/overview": (),
    "/api/runs/kuhn/training": ("most",),
    "/api/history": ("by", "most", "format", "street", "class", "since", "grade", "run", "table"),
    "/api/history/hands": ("order", "most", "skip", "street", "class"),
}
TABLE = (
    *("run", "game", "seat", "seed", "line", "board", "hands", "answers", "missing", "search"),
    *("sizes", "mixing", "timer", "mistakes", "other"),
)


@pytest.mark.parametrize("seed", range(4))
def test_no_request_fails(client, seed):
    dice = random.Random(seed)
    statuses = set()
    for _ in range(120):
        path = dice.choice(list(GETS))
        chosen = dice.sample(GETS[path], min(len(GETS[path]), dice.choice((0, 1, 1, 2, 3))))
        reply = client.get(path, params={name: dice.choice(ODD) for name in chosen})
        assert reply.status_code < 500, (path, chosen, reply.text)
        statuses.add(reply.status_code)
    for _ in range(60):
        data = {"run": "kuhn", "line": "*", "answers": 1}
        for name in dice.sample(TABLE, dice.choice((1, 1, 2, 3))):
            data[name] = dice.choice(ODD)
        reply = client.post("/api/tables", json=data)
        assert reply.status_code < 500, (data, reply.text)
        statuses.add(reply.status_code)
        if reply.status_code == 201:
            table = reply.json()["id"]
            move = {name: dice.choice(ODD) for name in dice.sample(("hand", "step", "action"), 2)}
            assert client.post(f"/api/tables/{table}/moves", json=move).status_code < 500
    assert {200, 400} <= statuses
