"""The library: listing, renaming, deleting, restoring, comparing."""


def names(client):
    return [row["id"] for row in client.get("/api/runs").json()["runs"]]


def test_lists_all_runs(client):
    rows = client.get("/api/runs").json()["runs"]
    assert [(row["id"], row["game"], row["algorithm"], row["iteration"]) for row in rows] == [
        ("kuhn", "kuhn", "sapcfr+", 200),
        ("kuhn-cfr", "kuhn", "cfr", 50),
    ]


def test_deletes_and_restores(client):
    gone = client.delete("/api/runs/kuhn").json()
    assert names(client) == ["kuhn-cfr"]
    assert client.post(f"/api/deleted/{gone['deleted']}/restore").json() == {"id": "kuhn"}
    assert names(client) == ["kuhn", "kuhn-cfr"]
