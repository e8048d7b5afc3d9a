"""Routes of jobs: what is solved, what waits, and events of all that happens (server-sent events)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ...runs.reproduce import write_lines as write_run_lines
from ...solving.notes import NOTES, Notes, notes_text
from ...web.answers import Answer, JobSummary
from ...web.requests import read_keywords, resumed_limits
from ...web.respond import Fields, RequestError, answer, body
from ...web.workspace import Workspace, workspace_of
from ..answers import BatchJob, Dismissed, Event, Jobs, RunJob
from ..library.batches import PLAN
from ..library.runs import read_request_notes
from .batches import is_batch, write_lines
from .compiling import Compiling, CompilingWatch
from .exploits import write_answer_lines
from .games import read_request
from .queue import JobQueue

# seconds without an event after which a comment is sent, so that nobody takes the stream for dead
_HEARTBEAT = 15.0
_MOST_WAITING = 1_000  # events that a client has not taken; it is told anew then
_MOST_WORKERS = 64


class Listeners:
    """Clients that hear of events, from whichever thread they come."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Event | None]] = set()
        self._loop = asyncio.get_running_loop()

    def publish(self, event: Event) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._deliver, event)

    def close(self) -> None:
        self._deliver(None)

    def _deliver(self, event: Event | None) -> None:
        for queue in list(self._queues):
            if queue.qsize() < _MOST_WAITING or event is None:
                queue.put_nowait(event)
            else:
                # Its client has gone to sleep, and begins anew when it wakes.
                self._queues.discard(queue)
                queue.put_nowait(None)

    def listen(self) -> asyncio.Queue[Event | None]:
        """Return a queue that events are put into, None where there are no more."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._queues.add(queue)
        return queue

    async def stream(self, queue: asyncio.Queue[Event | None], first: Event) -> AsyncIterator[str]:
        """Yield events as text, the state of all jobs first."""
        try:
            yield _event_text(first)
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    yield ": alive\n\n"
                    continue
                if event is None:
                    return
                yield _event_text(event)
        finally:
            self._queues.discard(queue)


def _event_text(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"


async def start(workspace: Workspace) -> None:
    """Begin with the server: find what waits in the folder, and what the last server has left."""
    workspace.listeners = Listeners()
    workspace.compiling = compiling = Compiling(workspace.listeners.publish)
    workspace.compiling_watch = CompilingWatch(
        lambda active: compiling.tell("server", active=active)
    )
    workspace.queue = await run_in_threadpool(JobQueue, workspace, workspace.listeners.publish)


async def stop(workspace: Workspace) -> None:
    """End with the server: what is at work saves, and is there to be resumed."""
    workspace.compiling_watch.close()
    workspace.queue.close()
    workspace.listeners.close()


def _find_queue(request: Request) -> JobQueue:
    queue: JobQueue = workspace_of(request).queue
    return queue


def jobs(request: Request) -> Answer[Jobs]:
    """Return all jobs."""
    queue = _find_queue(request)
    return answer({"jobs": queue.listed(), "workers": queue.workers})


def new_job(request: Request) -> Answer[JobSummary]:
    """Put a run into the queue: a game or a spot with settings, or a saved run that goes on with new limits."""
    queue = _find_queue(request)
    fields = body(request)
    if "resume" in fields:
        run_id = fields.text("resume")
        if is_batch(workspace_of(request), run_id):
            return answer(queue.resume_run(run_id, run_id, {}, holds=PLAN).summary(), status=201)
        limits = resumed_limits(workspace_of(request), run_id, _read_limits(fields))
        return answer(queue.resume_run(run_id, run_id, limits).summary(), status=201)
    run_request = read_request(request, fields)
    name = fields.text("name", "", longest=100).strip() or _run_name(run_request)
    notes = read_request_notes(fields, Notes())
    files = {NOTES: notes_text(notes)} if notes != Notes() else {}
    return answer(queue.add(run_request, name, files).summary(), status=201)


def _run_name(run_request: dict[str, Any]) -> str:
    """Return the name of a folder for a new run, by its game and its algorithm: ``leduc-ranks-4-cfr+-outcome``."""
    words = "".join(
        char if char.isalnum() else " " for char in run_request["title"].replace("'", "")
    ).split()
    kinds = [
        run_request["keywords"].get(name, "").partition("(")[0]
        for name in ("algorithm", "sampling")
    ]
    return "-".join(["-".join(words)[:60], *(kind for kind in kinds if kind)])


def _read_limits(fields: Fields) -> dict[str, Any]:
    names = ("iterations", "until", "seconds", "nodes", "threads", "max_memory_gb")
    return read_keywords(Fields({name: fields.any(name) for name in names if name in fields}))


def one_job(request: Request) -> Answer[RunJob | BatchJob]:
    """Return a job with all its checkpoints, and the lines that would do the same elsewhere."""
    job = _find_queue(request).job(request.path_params["job"])
    if job.is_batch:
        batch_lines = write_lines(job.request["batch"], job.folder.name)
        return answer({**job.summary(), "points": [], **batch_lines})
    game = job.request["game"]
    keywords = job.request["keywords"]
    if job.is_answer:
        lines = write_answer_lines(job.request, job.folder.name)
    else:
        lines = write_run_lines(game, keywords)
    return answer(
        {
            **job.summary(),
            "points": job.points,
            "facts": job.facts,
            "keywords": keywords,
            "settings": job.request.get("settings"),
            **lines,
        }
    )


def pause(request: Request) -> Answer[JobSummary]:
    """Let a job pause."""
    return answer(_find_queue(request).pause(request.path_params["job"]).summary())


def go_on(request: Request) -> Answer[JobSummary]:
    """Let a paused job go on, or resume one that has ended, with new limits if there are any."""
    queue = _find_queue(request)
    job_id = request.path_params["job"]
    limits = _read_limits(body(request))
    if limits and queue.job(job_id).is_batch:
        raise RequestError("A batch goes on with the limits that it began with: begin another one.")
    if queue.job(job_id).saved and not queue.job(job_id).is_batch:
        limits = resumed_limits(workspace_of(request), job_id, limits)
    return answer(queue.go_on(job_id, limits).summary())


def stop_job(request: Request) -> Answer[JobSummary]:
    """Let a job stop and keep what it has."""
    return answer(_find_queue(request).stop(request.path_params["job"]).summary())


def move(request: Request) -> Answer[Jobs]:
    """Move a job that waits to another position."""
    queue = _find_queue(request)
    fields = body(request).only("position")
    queue.move(request.path_params["job"], fields.whole("position", high=10_000))
    return jobs(request)


def dismiss(request: Request) -> Answer[Dismissed]:
    """Take a job that waits, or has ended, from the list."""
    _find_queue(request).dismiss(request.path_params["job"])
    return answer({"dismissed": request.path_params["job"]})


def workers(request: Request) -> Answer[Jobs]:
    """Change how many runs are solved side by side."""
    queue = _find_queue(request)
    queue.set_workers(body(request).only("workers").whole("workers", low=1, high=_MOST_WORKERS))
    return jobs(request)


async def events(request: Request) -> Response:
    """Return a stream of events: first all jobs, then what changes."""
    queue = _find_queue(request)
    workspace = workspace_of(request)
    listeners = workspace.listeners
    heard = listeners.listen()  # before the state is read, so that nothing is missed between
    compiling = workspace.compiling.active
    first: Event = {
        "type": "jobs",
        "jobs": queue.listed(),
        "workers": queue.workers,
        "compiling": compiling,
    }
    return StreamingResponse(
        listeners.stream(heard, first),
        media_type="text/event-stream",
        headers={"cache-control": "no-store"},
    )
