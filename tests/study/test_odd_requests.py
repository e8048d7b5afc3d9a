"""Odd requests to every route of the table: each is answered, or refused in a sentence; none fails.

``python tests/drills/server.py --cases 15000`` sends more of them.
"""

import json
import threading
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
import pytest

from drills.server import GOOD, Attack
from equilibrist.study.routes import TABLE
from equilibrist.web.respond import to_json
from equilibrist.web.workspace import Workspace


def test_every_route_has_a_good_request():
    assert list(GOOD) == [f"{method} {path}" for method, path, _ in TABLE]


@pytest.mark.slow
def test_no_request_fails(tmp_path):
    with Attack(tmp_path, seed=0) as attack:
        assert attack.good() == []
        for number in range(150):
            attack.case(number)
        assert attack.failures == []
        assert {200, 400, 404} <= set(attack.statuses)


@pytest.mark.parametrize("path", ["/api/spots/read", "/api/trust"])
@pytest.mark.parametrize("text", ["\ud800", "\0"])
def test_a_text_that_no_file_takes_is_refused(make_client, workspace, path, text):
    client = make_client(workspace, trust_files=True)
    content = json.dumps({"text" if "read" in path else "file": text})
    assert 400 <= client.post(path, content=content).status_code < 500


def test_an_error_does_not_repeat_all_that_was_sent(client):
    message = client.post("/api/settings", json={"until": "A" * 20_000}).json()["error"]["message"]
    assert message.startswith("until must be")
    assert message.endswith("A'.")
    assert len(message) < 1_100


def test_a_run_that_is_deleted_while_it_is_asked_for_is_not_there(client, workspace, monkeypatch):
    monkeypatch.setattr(
        Workspace, "folder_of", lambda workspace, run_id, **_: workspace.folder / "gone"
    )
    response = client.get("/api/runs/kuhn/overview")
    assert (response.status_code, response.json()["error"]["message"]) == (
        404,
        "What was asked for was moved or deleted meanwhile.",
    )


def test_a_table_may_be_deleted_while_it_is_asked_for(client):
    table = client.post("/api/tables", json={"run": "kuhn"}).json()["id"]
    tables = client.app.state.tables

    class Deleting(OrderedDict):
        def get(self, key, default=None):
            live = super().get(key, default)
            thread = threading.Thread(target=tables.forget, args=(table,))
            thread.start()
            thread.join(0.1)
            return live

    tables._live = Deleting(tables._live)
    assert client.get(f"/api/tables/{table}").status_code == 200


def test_a_hand_has_no_number_that_no_database_takes(client):
    table = client.post("/api/tables", json={"run": "kuhn"}).json()["id"]
    assert client.get(f"/api/tables/{table}/hands/{9**99}").status_code == 404


class Pair(NamedTuple):
    """A tuple whose parts have names."""

    first: int
    second: float


def test_json_has_no_nan_whole_numbers_of_any_size_and_all_texts():
    data = {
        "nan": [np.nan, np.float64("inf")],
        1: Pair(2, 0.1),
        "array": np.arange(2),
        "half": "\ud800é",
        "large": 2**70,
    }
    assert json.loads(to_json(data)) == {
        "nan": [None, None],
        "1": [2, 0.1],
        "array": [0, 1],
        "half": "\ud800é",
        "large": 2**70,
    }
    del data["half"], data["large"]
    assert to_json(data) == b'{"nan":[null,null],"1":[2,0.1],"array":[0,1]}'
