"""The library: listing, renaming, deleting, restoring, comparing, and the catalogue behind it."""

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist._util.files import lock_folder
from equilibrist.runs.catalogue import Catalogue
from equilibrist.study.library import runs as library_runs
from equilibrist.web.workspace import Workspace


def names(client):
    return [row["id"] for row in client.get("/api/runs").json()["runs"]]


def message(response, status=400):
    assert response.status_code == status
    return response.json()["error"]["message"]


def test_rows_say_what_the_solutions_say(client, folder):
    for row in client.get("/api/runs").json()["runs"]:
        solution = eq.load_solution(folder / row["id"])
        assert row["game"] == solution.game
        assert row["algorithm"] == solution.algorithm
        assert row["iteration"] == solution.iterations
        assert row["measures"]["exploitability"] == solution.exploitability
        assert row["infosets"] == solution.infosets
        assert tuple(row["value"]) == solution.value
        assert row["seconds"] == pytest.approx(sum(solution.seconds.values()))
        assert row["recorded"] == (solution.recording is not None)
        assert row["bytes"] == sum(path.stat().st_size for path in (folder / row["id"]).iterdir())


def test_a_run_has_its_checkpoints(client, folder):
    trace = client.get("/api/runs/kuhn").json()["trace"]
    expected = eq.load_solution(folder / "kuhn").trace
    assert [point["iteration"] for point in trace] == [point.iteration for point in expected]
    assert [point["measures"]["exploitability"] for point in trace] == [
        point.exploitability for point in expected
    ]


def test_a_run_that_is_not_there(client):
    assert message(client.get("/api/runs/leduc"), 404) == "There is no run 'leduc' in this folder."


def test_runs_that_change_from_outside_appear(client, folder):
    assert names(client) == ["kuhn", "kuhn-cfr"]
    shutil.copytree(folder / "kuhn", folder / "set" / "one run")
    shutil.rmtree(folder / "kuhn-cfr")
    eq.solve(resume=folder / "kuhn", iterations=300, save=folder / "kuhn")
    rows = {row["id"]: row for row in client.get("/api/runs").json()["runs"]}
    assert {run: row["iteration"] for run, row in rows.items()} == {
        "kuhn": 300,
        "set~1one run": 200,
    }
    assert client.get("/api/runs/set~1one%20run").json()["name"] == "one run"


def test_an_open_run_is_loaded_again_when_it_is_saved(workspace, folder):
    first = workspace.run("kuhn")
    assert workspace.run("kuhn") is first
    eq.solve(resume=folder / "kuhn", iterations=300, save=folder / "kuhn")
    assert workspace.run("kuhn").solution.iterations == 300


def test_eight_runs_stay_open(workspace, folder):
    first = workspace.run("kuhn")
    for number in range(8):
        shutil.copytree(folder / "kuhn", folder / f"copy-{number}")
        workspace.run(f"copy-{number}")
    assert workspace.run("kuhn") is not first
    assert len(workspace._open) == 8


def test_a_broken_run_is_listed_with_the_reason(client, folder):
    (folder / "kuhn" / "checkpoint.npz").write_bytes(b"no archive")
    row = next(row for row in client.get("/api/runs").json()["runs"] if row["id"] == "kuhn")
    assert row["error"].startswith("checkpoint.npz is broken")
    assert "broken" in message(client.get("/api/runs/kuhn/code"), 422)


def test_the_catalogue_is_rebuilt_when_it_is_deleted_or_broken(client, make_client, folder):
    rows = client.get("/api/runs").json()["runs"]
    for text in (
        None,
        "no catalogue" * 1000,
        '{"format": 2, "runs": {}}',
        '{"format": 3, "runs": {"kuhn": [1]}}',
    ):
        (folder / ".equilibrist" / "catalogue.json").unlink(missing_ok=True)
        if text is not None:
            (folder / ".equilibrist" / "catalogue.json").write_text(text)
        workspace = Workspace(folder)
        assert make_client(workspace).get("/api/runs").json()["runs"] == rows
        workspace.catalogue.close()
        assert (folder / ".equilibrist" / "catalogue.json").is_file()


def test_the_next_server_reads_what_has_changed_alone(folder, monkeypatch):
    folders = [(path.name, path) for path in (folder / "kuhn", folder / "kuhn-cfr")]
    first = Catalogue(folder / "catalogue.json")
    rows, run = first.rows(folders), first.find(*folders[0])
    first.close()
    monkeypatch.setattr("equilibrist.runs.catalogue.read_run", None)
    second = Catalogue(folder / "catalogue.json")
    assert second.rows(folders) == rows
    assert second.find(*folders[0]) == run
    assert [row["id"] for row in second.rows(folders[1:])] == ["kuhn-cfr"]


def test_the_catalogue_reads_what_has_changed_alone(workspace, folder, monkeypatch):
    read = []
    monkeypatch.setattr(
        "equilibrist.runs.catalogue.read_run",
        lambda run, path: read.append(run) or ({"id": run}, []),
    )
    listed = [(workspace.id_of(path), path) for path in workspace.run_folders()]
    workspace.catalogue.rows(listed)
    workspace.catalogue.rows(listed)
    assert sorted(read) == ["kuhn", "kuhn-cfr"]
    os.utime(folder / "kuhn" / "checkpoint.npz", (1, 1))
    workspace.catalogue.rows(listed)
    assert sorted(read) == ["kuhn", "kuhn", "kuhn-cfr"]


def test_on_a_full_disk_the_catalogue_is_in_memory(client, folder, make_client, monkeypatch):
    def no_room(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    rows = client.get("/api/runs").json()["runs"]
    monkeypatch.setattr(os, "fsync", no_room)
    workspace = Workspace(folder)
    assert make_client(workspace).get("/api/runs").json()["runs"] == rows
    workspace.catalogue.close()


def test_renames(client, folder):
    assert client.patch("/api/runs/kuhn", json={"name": "Kuhn, first"}).json() == {
        "id": "Kuhn, first"
    }
    assert names(client) == ["Kuhn, first", "kuhn-cfr"]
    assert not (folder / "kuhn").exists()
    taken = client.patch("/api/runs/kuhn-cfr", json={"name": "Kuhn, first"})
    assert message(taken) == "There is a 'Kuhn, first' already: choose another name."
    assert taken.json()["error"]["field"] == "name"


def test_deletes_and_restores(client, folder):
    before = (folder / "kuhn" / "checkpoint.npz").read_bytes()
    gone = client.delete("/api/runs/kuhn").json()
    assert names(client) == ["kuhn-cfr"]
    assert [one["id"] for one in client.get("/api/deleted").json()["deleted"]] == ["kuhn"]
    assert client.post(f"/api/deleted/{gone['deleted']}/restore").json() == {"id": "kuhn"}
    assert names(client) == ["kuhn", "kuhn-cfr"]
    assert (folder / "kuhn" / "checkpoint.npz").read_bytes() == before
    assert message(client.post(f"/api/deleted/{gone['deleted']}/restore"), 404)


def test_deletes_and_restores_in_a_folder_within(client, folder):
    shutil.copytree(folder / "kuhn", folder / "a~b" / "kuhn")
    gone = client.delete("/api/runs/a~0b~1kuhn").json()
    (kept,) = client.get("/api/deleted").json()["deleted"]
    assert (kept["id"], kept["path"], kept["name"]) == ("a~0b~1kuhn", "a~b/kuhn", gone["deleted"])
    assert client.post(f"/api/deleted/{gone['deleted']}/restore").json() == {"id": "a~0b~1kuhn"}


def test_a_run_that_cannot_be_put_away_stays(client, folder, monkeypatch):
    def no_room(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(library_runs, "move_path", no_room)
    assert "No space left" in message(client.delete("/api/runs/kuhn"), 422)
    assert names(client) == ["kuhn", "kuhn-cfr"]
    assert not list((folder / ".equilibrist" / "deleted").iterdir())


def test_deletes_where_no_file_can_be_written(client, monkeypatch):
    client.get("/api/runs")
    monkeypatch.setattr(Path, "write_text", None)
    monkeypatch.setattr(Path, "write_bytes", None)
    gone = client.delete("/api/runs/kuhn").json()["deleted"]
    assert client.post(f"/api/deleted/{gone}/restore").json() == {"id": "kuhn"}


def test_the_folder_of_the_server_is_made_again(client, folder):
    rows = client.get("/api/runs").json()["runs"]
    assert client.get("/api/history").status_code == 200
    shutil.rmtree(folder / ".equilibrist")
    assert client.get("/api/runs").json()["runs"] == rows
    assert (folder / ".equilibrist").stat().st_mode & 0o077 == 0
    shutil.rmtree(folder / ".equilibrist")
    assert client.get("/api/history").json()["total"]["hands"] == 0
    shutil.rmtree(folder / ".equilibrist")
    assert client.post("/api/uploads?name=a.txt", content=b"a").status_code == 201


def test_an_upload_on_a_full_disk_leaves_nothing(client, folder, monkeypatch):
    def no_room(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    assert "No space left" in message(client.post("/api/uploads?name=a.txt", content=b"a"), 422)
    assert not list((folder / ".equilibrist" / "uploads").iterdir())


def test_a_full_disk_is_one_sentence(client, monkeypatch):
    def no_room(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", no_room)
    response = client.get("/api/runs/kuhn/report")
    assert (
        message(response, 422)
        == "Nothing can be written to the served folder: No space left on device."
    )


def test_a_restored_run_takes_nobodys_place(client, folder):
    gone = client.delete("/api/runs/kuhn").json()
    shutil.copytree(folder / "kuhn-cfr", folder / "kuhn")
    assert "another 'kuhn' by now" in message(
        client.post(f"/api/deleted/{gone['deleted']}/restore")
    )
    assert eq.load_solution(folder / "kuhn").algorithm == "cfr"


def test_deleted_runs_go_for_good_after_a_week_or_at_once(client, make_client, workspace):
    first = client.delete("/api/runs/kuhn").json()["deleted"]
    client.delete("/api/runs/kuhn-cfr")
    week_ago = time.time() - 8 * 86_400
    os.utime(workspace.private / "deleted" / first, (week_ago, week_ago))
    client = make_client(Workspace(workspace.folder))  # the next start of the server
    assert [one["id"] for one in client.get("/api/deleted").json()["deleted"]] == ["kuhn-cfr"]
    client.delete("/api/deleted")
    assert client.get("/api/deleted").json()["deleted"] == []
    assert not list(workspace.private.glob("deleted/*"))


@pytest.mark.parametrize("method", ["DELETE", "PATCH"])
def test_a_run_that_is_being_saved_to_stays_where_it_is(client, folder, method):
    with lock_folder(folder / "kuhn"):
        response = client.request(
            method, "/api/runs/kuhn", json={"name": "other"} if method == "PATCH" else None
        )
    assert message(response) == "kuhn is being solved: stop it first."
    assert names(client) == ["kuhn", "kuhn-cfr"]
    assert client.get("/api/deleted").json()["deleted"] == []


def test_compares(client):
    found = client.get("/api/compare", params={"run": ["kuhn", "kuhn-cfr"]}).json()["runs"]
    assert [run["algorithm"] for run in found] == ["sapcfr+", "cfr"]
    assert all(len(run["trace"]) > 5 for run in found)
    assert message(client.get("/api/compare")) == "From 1 to 12 runs are compared; got 0."
    assert message(client.get("/api/compare", params={"run": ["kuhn", "x"]}), 404)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "name is missing."),
        ({"name": 3}, "name must be a text; got 3."),
        ({"name": "x", "namee": 1}, "There is no field 'namee'. Did you mean 'name'?"),
    ],
)
def test_fields_are_checked(client, fields, sentence):
    assert message(client.patch("/api/runs/kuhn", json=fields)) == sentence


AT_ONCE = """
import sys, threading, time
from equilibrist.study.server import warm_up
from equilibrist.web.workspace import Workspace

workspace, wrong = Workspace(sys.argv[1]), []

def attempt(run, seconds):
    time.sleep(seconds)
    try:
        workspace.run(run) if run else warm_up()
    except Exception as error:
        wrong.append(error)

plan = [(None, 0), ("kuhn", 0.1), ("kuhn-cfr", 0.2)]
threads = [threading.Thread(target=attempt, args=one) for one in plan]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("".join(map(repr, wrong)) or 0)
"""


@pytest.mark.slow
def test_runs_are_opened_while_the_server_warms_up(folder):
    """Numba's modules import one another in circles, which threads that come from different ends do not survive."""
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE, str(folder)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_a_long_name_in_any_script_is_cut_to_what_a_file_system_takes(workspace):
    for name in ("x" * 300, "\u30dd" * 100, "\U00020000" * 100):
        folder = workspace.new_folder(name)
        assert folder.is_dir()
        assert name.startswith(folder.name)
    assert workspace.new_folder("../" + "\u30dd" * 100).parent == workspace.folder
