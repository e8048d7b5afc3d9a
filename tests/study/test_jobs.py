"""The queue: runs that are solved, paused, stopped, resumed, moved; what a restart finds."""

import json
import os
import subprocess
import sys
import time

import pytest

import equilibrist as eq
from equilibrist.solving.forecast import LOOKS
from equilibrist.study.jobs.job import Job
from equilibrist.web.workspace import Workspace
from support.jobs import wait

LONG = {"game": "leduc", "algorithm": "cfr", "iterations": 2**40}


def submit(client, **fields):
    response = client.post("/api/jobs", json=fields)
    assert response.status_code == 201, response.text
    return response.json()["id"]


def test_solves_kuhn_in_a_process_of_its_own(client, folder):
    job = submit(client, game={"name": "kuhn", "parameters": {}}, until=1e-6, name="first")
    told = wait(client, job)
    assert (told["id"], told["state"], told["stop_reason"], told["error"]) == (
        "first",
        "done",
        "until",
        None,
    )
    assert told["last"]["value"][0] == pytest.approx(-1 / 18, abs=1e-5)
    assert told["points"][0]["iteration"] == 1
    assert told["command"] == "equilibrist solve kuhn --threads auto --until 1e-06"
    saved = eq.load_solution(folder / "first")
    assert saved.exploitability == told["last"]["measures"]["exploitability"] <= 1e-6
    assert "first" in [row["id"] for row in client.get("/api/runs").json()["runs"]]
    stages = [
        json.loads(line).get("text")
        for line in (folder / "first" / "events.jsonl").read_text().splitlines()
    ]
    assert any(stage and stage.startswith("Solving kuhn with") for stage in stages)
    assert not any(stage and "Follower" in stage for stage in stages)


@pytest.mark.slow
def test_records_and_samples_with_options(client, folder):
    sampling = "outcome(epsilon=0.4, batch=4)"
    job = submit(
        client,
        game="kuhn",
        algorithm="cfr",
        sampling=sampling,
        record=["J"],
        iterations=100,
        name="sampled",
    )
    assert wait(client, job)["state"] == "done"
    solution = eq.load_solution(folder / "sampled")
    assert str(solution.config.sampling) == "outcome(epsilon=0.4, batch=4)"
    assert len(solution.recording.infosets) == 1
    assert solution.recording.at("J").strategy.shape[1] == 2


@pytest.mark.slow
def test_solves_a_spot(client):
    spot = {
        "board": "Kh9s4d7c2h",
        "oop": "AA,KQs,A5s:0.5",
        "ip": "QQ-TT,AKo",
        "pot": 100,
        "stack": 300,
    }
    job = submit(client, spot=spot, until="1%", name="river")
    told = wait(client, job)
    assert (told["state"], told["error"], told["spot"]) == ("done", None, True)
    assert told["last"]["measures"]["exploitability_percent"] <= 1
    assert sum(told["last"]["value"]) == pytest.approx(100)


@pytest.mark.slow
def test_pauses_goes_on_stops_and_resumes_bit_for_bit(client, folder):
    job = submit(client, **LONG)
    wait(client, job, "running")
    client.post(f"/api/jobs/{job}/pause")
    wait(client, job, "paused")
    assert client.post(f"/api/jobs/{job}/pause").status_code == 409
    client.post(f"/api/jobs/{job}/resume")
    wait(client, job, "running")
    client.post(f"/api/jobs/{job}/stop")
    told = wait(client, job)
    assert (told["state"], told["stop_reason"]) == ("stopped", "stop")
    done = told["last"]["iteration"]
    assert client.post(f"/api/jobs/{job}/resume", json={"iterations": done + 10}).status_code == 200
    told = wait(client, job)
    assert (told["state"], told["last"]["iteration"]) == ("done", done + 10)
    points = [point["iteration"] for point in told["points"]]
    assert points == sorted(set(points))
    again = eq.solve("leduc", "cfr", iterations=done + 10)
    assert eq.load_solution(folder / job).strategy == again.strategy


@pytest.mark.slow
def test_a_paused_run_does_not_count_its_pause():
    waited = []

    def hold():
        if len(waited) < 3:
            waited.append(time.sleep(0.2))
        return False

    began = time.perf_counter()
    solution = eq.solve("leduc", "cfr", iterations=3000, callbacks=eq.Callbacks(should_stop=hold))
    took = time.perf_counter() - began
    assert len(waited) == 3
    assert solution.seconds["solve"] <= took - 0.6


def test_jobs_wait_are_moved_and_dismissed(client):
    first = submit(client, **LONG)
    second, third = (submit(client, **LONG, name=name) for name in ("second", "third"))
    assert [wait(client, job, "queued")["state"] for job in (second, third)] == ["queued", "queued"]
    assert client.patch(f"/api/jobs/{third}", json={"position": 0}).status_code == 200
    waiting = [
        job["id"] for job in client.get("/api/jobs").json()["jobs"] if job["state"] == "queued"
    ]
    assert waiting == [third, second]
    assert client.delete(f"/api/jobs/{first}").status_code == 409
    assert client.delete(f"/api/jobs/{second}").status_code == 200
    assert client.get(f"/api/jobs/{second}").status_code == 404
    client.post(f"/api/jobs/{first}/stop")
    wait(client, first)
    wait(client, third, "starting", "running")
    client.post(f"/api/jobs/{third}/stop")
    wait(client, third)


def test_two_are_solved_side_by_side(client):
    assert client.patch("/api/jobs", json={"workers": 2}).json()["workers"] == 2
    both = [submit(client, **LONG) for _ in range(2)]
    for job in both:
        wait(client, job, "starting", "running")
    for job in both:
        client.post(f"/api/jobs/{job}/stop")
        wait(client, job)
    assert client.patch("/api/jobs", json={"workers": 0}).json()["error"]["field"] == "workers"


@pytest.mark.slow
def test_goes_on_with_a_run_that_the_command_saved(client, folder):
    response = client.post("/api/jobs", json={"resume": "kuhn", "iterations": 300})
    assert response.status_code == 201
    assert wait(client, "kuhn")["last"]["iteration"] == 300
    assert (
        client.post("/api/jobs", json={"resume": "nowhere", "iterations": 300}).status_code == 404
    )


def test_seconds_of_a_resumed_run_are_counted_from_its_beginning(client):
    client.app.state.workspace.queue.workers = 0
    spent = client.get("/api/runs/kuhn").json()["solve_seconds"]
    assert spent > 0
    job = client.post("/api/jobs", json={"resume": "kuhn", "seconds": 5}).json()
    assert job["limits"] == {"seconds": spent + 5}


@pytest.mark.slow
def test_a_worker_that_is_killed_is_told_and_can_be_resumed(client, workspace):
    job = submit(client, **LONG)
    wait(client, job, "running")
    workspace.queue.jobs[job].process.kill()
    told = wait(client, job)
    assert (told["state"], "killed by signal 9" in told["error"]) == ("failed", True)
    client.post(f"/api/jobs/{job}/resume", json={"iterations": 10})
    assert wait(client, job)["state"] == "done"


@pytest.mark.slow
def test_a_paused_run_lets_the_next_one_begin(client):
    first = submit(client, **LONG)
    wait(client, first, "running")
    client.post(f"/api/jobs/{first}/pause")
    wait(client, first, "paused")
    assert wait(client, submit(client, game="kuhn", iterations=5))["state"] == "done"
    client.post(f"/api/jobs/{first}/stop")
    assert wait(client, first)["state"] == "stopped"


@pytest.mark.slow
def test_an_error_of_the_game_is_told(client):
    job = submit(client, game="openspiel:kuhn_poker", iterations=5, form="cards")
    told = wait(client, job)
    assert told["state"] == "failed"
    assert "form='cards' needs" in told["error"]


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"game": "kuhn", "iterations": 0}, "iterations", "iterations must be a whole number"),
        ({"game": "kuhn", "until": -1}, "until", "until must be a number above 0"),
        ({"game": "kuhn", "sampling": "outcoem"}, "sampling", "There is no sampling 'outcoem'"),
        (
            {"game": {"name": "kuhn", "parameters": {"players": 7}}},
            "players",
            "players must be a whole number, 2 to 3",
        ),
        ({"game": "/etc/passwd.toml"}, "game", "There is no file 'passwd.toml' here"),
        (
            {"game": "kuhn", "until": "1%"},
            "until",
            "1% is a share of the pot, which this game has not",
        ),
        (
            {"resume": "kuhn", "until": "1%"},
            "until",
            "1% is a share of the pot, which this game has not",
        ),
        ({"game": "../x.py:Poker"}, "game", "--trust-files"),
        (
            {"game": "openspiel:efg_game(filename=/etc/passwd)"},
            "game",
            "that reads a file is not loaded",
        ),
        (
            {"game": "kuhn", "algorithm": "hs-dcfr", "seconds": 1},
            "iterations",
            "planned number of iterations",
        ),
        ({}, "game", "game is missing"),
    ],
)
def test_mistakes_are_told_at_their_field(client, fields, field, sentence):
    response = client.post("/api/jobs", json=fields)
    assert response.status_code == 400
    assert response.json()["error"]["field"] == field
    assert sentence in response.json()["error"]["message"]


# --- Ends of the server ---

SERVE = """
import sys, time
from equilibrist.study.jobs.queue import JobQueue
from equilibrist.web.workspace import Workspace
queue = JobQueue(Workspace(sys.argv[1]), lambda event: None)
job = queue.add({"game": "leduc", "title": "leduc", "keywords": {"algorithm": "cfr", "iterations": 2**40}}, "leduc")
while job.state != "running" or len(job.points) < 8:
    time.sleep(0.02)
print(job.process.pid, flush=True)
time.sleep(1000)
"""


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "kuhn"),
        ({"algorithm": "cfr+"}, "kuhn-cfr+"),
        ({"algorithm": "cfr", "sampling": "outcome(epsilon=0.4)"}, "kuhn-cfr-outcome"),
    ],
)
def test_runs_are_named_by_their_algorithm(make_client, tmp_path, settings, name):
    client = make_client(Workspace(tmp_path))
    client.app.state.workspace.queue.workers = 0
    assert submit(client, game="kuhn", iterations=1, **settings) == name
    assert submit(client, game="kuhn", iterations=1, **settings) == f"{name}-2"


def gone(pid):
    """Return whether a process has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().split()[2] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.slow
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="processes are looked for in /proc"
)
def test_a_server_that_is_killed_leaves_runs_to_be_resumed(tmp_path, make_client):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    worker = int(server.stdout.readline())
    server.kill()
    server.wait()
    deadline = time.monotonic() + 60
    while not gone(worker):
        assert time.monotonic() < deadline, "the worker goes on without its server"
        time.sleep(0.05)
    saved = eq.load_solution(tmp_path / "leduc")
    assert saved.stop_reason == "stop"
    client = make_client(Workspace(tmp_path))
    (job,) = client.get("/api/jobs").json()["jobs"]
    assert (job["id"], job["state"], job["saved"]) == ("leduc", "interrupted", True)
    done = job["last"]["iteration"]
    assert saved.iterations == done > 0
    client.post("/api/jobs/leduc/resume", json={"iterations": done + 5})
    assert wait(client, "leduc")["last"]["iteration"] == done + 5


def write_job(folder, request_made):
    """Write the file of a job that waits, as an earlier server or somebody else may have left it."""
    folder.mkdir()
    kept = {"request": request_made, "created": "x", "state": "queued", "message": ""}
    (folder / "job.json").write_text(json.dumps(kept))


def test_a_strangers_folder_runs_nothing(tmp_path, make_client, monkeypatch):
    canary = tmp_path / "canary"
    folder = tmp_path / "runs"
    folder.mkdir()
    for module in ("numba", "json", "psutil"):
        (folder / f"{module}.py").write_text(f"open({str(canary)!r}, 'w')")
    write_job(folder / "kuhn", {"game": "kuhn", "title": "kuhn", "keywords": {"iterations": 5}})
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", f":{os.environ.get('PYTHONPATH', '')}")
    client = make_client(Workspace(folder), own_estimates=True)
    assert client.get("/api/jobs/kuhn").json()["state"] == "interrupted"
    submit(client, game="kuhn", iterations=5, name="mine")
    assert wait(client, "mine")["state"] == "done"
    client.post("/api/jobs/kuhn/resume")
    assert wait(client, "kuhn")["state"] == "done"
    assert not canary.exists()


@pytest.mark.parametrize(
    "request_made",
    [
        {"game": "rules.py:Evil", "title": "x", "keywords": {}},
        {"game": "/etc/passwd.toml", "title": "x", "keywords": {}},
        {"game": "kuhn", "title": "x", "keywords": {"save": "/tmp/elsewhere"}},
    ],
)
def test_the_file_of_a_job_is_not_believed(tmp_path, make_client, request_made):
    write_job(tmp_path / "run", request_made)
    client = make_client(Workspace(tmp_path))
    assert client.post("/api/jobs/run/resume").json()["state"] == "failed"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"request": 1}', '{"request": {"keywords": 1}}', "\0"]
)
def test_broken_files_of_jobs_are_passed_over(tmp_path, make_client, text):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "job.json").write_text(text)
    client = make_client(Workspace(tmp_path))
    assert client.get("/api/jobs").json()["jobs"] == []


# --- Seconds left ---


def point(iteration, seconds, gap):
    return {
        "iteration": iteration,
        "seconds": seconds,
        "measures": {} if gap is None else {"exploitability": gap},
    }


def test_seconds_left_follow_the_power_law(tmp_path):
    """An exploitability of 1 / t falls to 0.001 after 1,000 iterations of 0.1 s each."""
    request_made = {"game": "kuhn", "title": "kuhn", "keywords": {"until": 0.001}}
    facts = {"until.exploitability": 0.001}
    job = Job(
        "kuhn", tmp_path, request_made, "now", state="running", facts=facts, heard=time.monotonic()
    )
    job.points = [point(t, 0.1 * t, 1 / t) for t in (1, 2, 4, 8, 16, 32)]
    few, many = (
        32 * (1000 / 32) ** power for power in (1 / 1.4, 1.4)
    )  # the law, steeper and flatter
    left = [0.1 * (few - 32), 0.1 * (many - 32) * LOOKS]
    assert job.seconds_left() == pytest.approx(left, rel=0.01)
    assert left[0] < 0.1 * (1000 - 32) < left[1]
    job.request["keywords"]["iterations"] = 132
    assert job.seconds_left() == pytest.approx((min(10, left[0]), 10), rel=0.01)
    job.request["keywords"]["seconds"] = 4.2
    assert job.seconds_left() == pytest.approx((1, 1), rel=0.02)


def test_of_three_players_the_goal_is_a_largest_gain(tmp_path):
    """A largest gain of 1 / t, of which others have a tenth, falls as the exploitability does above."""
    request_made = {"game": "kuhn(players=3)", "title": "kuhn", "keywords": {"until": 0.001}}
    facts = {"until.largest_gain": 0.001, "players": 3}
    job = Job(
        "kuhn", tmp_path, request_made, "now", state="running", facts=facts, heard=time.monotonic()
    )
    for t in (1, 2, 4, 8, 16, 32):
        gains = [0.1 / t, 1 / t, 0.1 / t]
        job.points.append(point(t, 0.1 * t, 0.4 / t) | {"deviation_gains": gains})
    few, many = (32 * (1000 / 32) ** power for power in (1 / 1.4, 1.4))
    left = [0.1 * (few - 32), 0.1 * (many - 32) * LOOKS]
    assert job.seconds_left() == pytest.approx(left, rel=0.01)
    summary = job.summary()
    assert (summary["goal"], summary["players"]) == (0.001, 3)


def test_time_left_is_the_forecast_of_a_spot_until_its_course_is_known(tmp_path):
    """28 to 69 iterations lead others to 1 % of a pot of 100; 12 iterations of a flat course do not change that."""
    request_made = {"game": "holdem", "title": "", "keywords": {"until": "1%"}, "spot": True}
    facts = {"until.exploitability": 1.0, "pot": 100.0}
    job = Job(
        "spot", tmp_path, request_made, "now", state="running", facts=facts, heard=time.monotonic()
    )
    job.points = [point(1, 1.0, 40.0), point(2, 2.0, 20.0)]
    assert job.seconds_left() == pytest.approx((28 - 2, (69 - 2) * LOOKS), rel=0.01)
    job.points += [
        point(t, float(t), 20 * t**-0.5) for t in (4, 6, 8, 12)
    ]  # which alone says 147 iterations or more
    assert job.seconds_left() == pytest.approx((28 - 12, (69 - 12) * LOOKS), rel=0.01)
    job.points += [point(t, float(t), 20 * t**-0.5) for t in (17, 24, 34, 48)]
    few, many = job.seconds_left()
    assert few < 400 - 48 < many
