"""The stream of events as the application sends it: ASGI by hand, as test clients wait for the end of a response."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from equilibrist._jit import compile_lock
from equilibrist.study.app import make_app
from equilibrist.study.jobs import compiling
from equilibrist.study.jobs import handlers as jobs
from equilibrist.study.jobs.compiling import Compiling, CompilingWatch

TOKEN = "a-token-for-tests"
PATIENCE = 60.0


class Stream:
    """A client of ``GET /api/events``: ``status``, and what has been sent, message by message."""

    def __init__(self, app, token=TOKEN):
        self._gone, self._sent, self.status = asyncio.Event(), asyncio.Queue(), None
        headers = [(b"host", b"127.0.0.1:8421"), (b"authorization", f"Bearer {token}".encode())]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/api/events",
            "raw_path": b"/api/events",
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8421),
        }
        self._asked = False
        self.task = asyncio.create_task(app(scope, self._receive, self._sent.put))

    async def _receive(self):
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def text(self):
        """Return the next piece of the body, None at its end."""
        message = await asyncio.wait_for(self._sent.get(), PATIENCE)
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return await self.text()
        return message["body"].decode() if message.get("more_body") else None

    async def event(self, *types):
        """Return the next event, the next of some types if there are any, None at the end."""
        while (text := await self.text()) is not None:
            if text.startswith("data: "):
                assert text.endswith("\n\n")
                event = json.loads(text.removeprefix("data: "))
                if not types or event["type"] in types:
                    return event
        return None

    async def leave(self):
        self._gone.set()
        await asyncio.wait_for(self.task, PATIENCE)


@asynccontextmanager
async def serving(workspace):
    app = make_app(workspace, token=TOKEN)
    async with app.router.lifespan_context(app):
        yield app


def run(workspace, journey):
    async def whole():
        async with serving(workspace) as app:
            await journey(app)

    with ThreadPoolExecutor(1) as beside:  # Playwright leaves a loop in the thread of the tests
        beside.submit(asyncio.run, whole()).result()


def run_request(game, **keywords):
    return {"game": game, "title": game, "keywords": keywords}


def test_tells_of_a_run_from_its_beginning_to_its_end(workspace):
    async def journey(app):
        stream, other = Stream(app), Stream(app)
        first = await stream.event()
        assert stream.status == 200
        assert stream.headers[b"content-type"].startswith(b"text/event-stream")
        assert first == {"type": "jobs", "jobs": [], "workers": 1, "compiling": False}
        assert await other.event() == first
        job = await asyncio.to_thread(workspace.queue.add, run_request("kuhn", iterations=20), "k")
        heard = []
        while not heard or heard[-1].get("job", {}).get("state") != "done":
            heard.append(await stream.event("job", "checkpoint"))
            if heard[-1]["type"] == "checkpoint":
                assert heard.pop()["point"] in job.points
        assert list(dict.fromkeys(event["job"]["state"] for event in heard)) == [
            "queued",
            "starting",
            "running",
            "done",
        ]
        points = []
        while (event := await other.event("job", "checkpoint"))["type"] == "checkpoint" or event[
            "job"
        ]["state"] != "done":
            points += [event["point"]] if event["type"] == "checkpoint" else []
        assert points == job.points
        assert [point["iteration"] for point in points][-1] == 20
        later = Stream(app)  # which comes when all is over
        assert [one["state"] for one in (await later.event())["jobs"]] == ["done"]
        await asyncio.to_thread(workspace.queue.dismiss, "k")
        assert [await one.event("gone") for one in (stream, other, later)] == [
            {"type": "gone", "job": "k"}
        ] * 3

    run(workspace, journey)


def test_ends_where_the_client_leaves_and_where_the_server_ends(workspace):
    async def journey(app):
        leaves, stays = Stream(app), Stream(app)
        await leaves.event()
        await stays.event()
        await leaves.leave()
        workspace.listeners.publish({"type": "gone", "job": "nobody"})
        assert (await stays.event())["job"] == "nobody"
        workspace.listeners.close()
        assert await stays.event() is None
        await asyncio.wait_for(stays.task, PATIENCE)

    run(workspace, journey)


def test_shows_that_it_is_alive_where_nothing_happens(workspace, monkeypatch):
    monkeypatch.setattr(jobs, "_HEARTBEAT", 0.02)

    async def journey(app):
        stream = Stream(app)
        await stream.event()
        assert [await stream.text() for _ in range(2)] == [": alive\n\n"] * 2
        workspace.listeners.publish({"type": "gone", "job": "nobody"})
        assert (await stream.event())["job"] == "nobody"
        await stream.leave()

    run(workspace, journey)


def test_a_client_that_takes_nothing_begins_anew(workspace, monkeypatch):
    monkeypatch.setattr(jobs, "_MOST_WAITING", 3)

    async def journey(app):
        stream = Stream(app)
        await stream.event()
        for number in range(10):  # all at once, before the stream has its turn
            workspace.listeners._deliver({"type": "gone", "job": number})
        assert [(await stream.event())["job"] for _ in range(3)] == [0, 1, 2]
        assert await stream.event() is None
        await asyncio.wait_for(stream.task, PATIENCE)

    run(workspace, journey)


def test_only_with_the_token(workspace):
    async def journey(app):
        stream = Stream(app, token="another")
        assert await stream.event() is None
        assert stream.status == 401

    run(workspace, journey)


# --- Kernels that are compiled ---


@pytest.fixture
def turn(tmp_path):
    """Give a function that takes the turn at compiling a kernel."""
    return lambda name="kernel": compile_lock.CompileLock(tmp_path, name)


def test_tells_that_kernels_are_compiled(workspace, turn, monkeypatch):
    monkeypatch.setattr(compiling, "_QUIET", 0.05)

    async def journey(app):
        stream = Stream(app)
        assert (await stream.event())["compiling"] is False
        outer = turn()
        assert await stream.event() == {"type": "compiling", "active": True}
        turn("inner").end()
        later = Stream(app)
        assert (await later.event())["compiling"] is True
        workspace.queue.set_workers(2)
        for listener in (stream, later):
            event = await listener.event()
            assert (event["type"], event["workers"], event["compiling"]) == ("jobs", 2, True)
        outer.end()
        turn("next").end()
        assert await stream.event() == {"type": "compiling", "active": False}
        assert await later.event() == {"type": "compiling", "active": False}

    run(workspace, journey)
    assert compile_lock.LISTENERS == []


def test_kernels_one_after_the_other_are_told_once(turn, monkeypatch):
    monkeypatch.setattr(compiling, "_QUIET", 30)
    told = []
    watch = CompilingWatch(told.append)
    for _ in range(3):
        turn().end()
    watch.close()
    assert told == [True]


def test_processes_that_compile_are_told_as_one():
    told = []
    both = Compiling(lambda event: told.append(event["active"]))
    for process, active in (
        ("server", True),
        ("estimates", True),
        ("server", False),
        ("estimates", False),
    ):
        both.tell(process, active=active)
        assert both.active == (len(told) == 1)
    assert told == [True, False]


def test_an_estimate_tells_that_it_compiles():
    from equilibrist.study.jobs.estimates import Estimates

    told = []
    estimates = Estimates(told.append)
    lines = ['{"compiling": true}\n', '{"title": "kuhn"}\n']
    estimates._read(SimpleNamespace(lines=lambda: iter(lines)), estimates._answers)
    assert told == [True, False]  # the process has ended
    assert [estimates._answers.get_nowait() for _ in range(2)] == [lines[1], None]


def test_a_job_tells_that_its_worker_compiles(tmp_path):
    from equilibrist.study.jobs.job import Job

    job = Job("kuhn", tmp_path, run_request("kuhn"), "now", stage="Loading kuhn")
    job.hear({"event": "compiling", "active": True})
    assert job.summary()["stage"].startswith("Compiling kernels")
    job.hear({"event": "compiling", "active": False})
    assert job.summary()["stage"] == "Loading kuhn"
