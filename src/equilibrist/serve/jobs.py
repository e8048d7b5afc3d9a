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
from starlette.routing import Route

from .compiling import Compiling, CompilingWatch
from .games import read_order
from .orders import check_resumed, read_keywords
from .queue import JobQueue
from .recipe import as_command, as_python
from .respond import Fields, answer, body
from .workspace import Workspace

_HEARTBEAT = 15.0  # seconds without an event after which a comment is sent, so that nobody takes the stream for dead
_MOST_WAITING = 1_000  # events that a client has not taken; it is told anew then
_MOST_WORKERS = 64


class Listeners:
    """Clients that hear of events, from whichever thread they come."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self._loop = asyncio.get_running_loop()

    def publish(self, event: dict[str, Any]) -> None:
        """Pass an event on to all."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._deliver, event)

    def close(self) -> None:
        """Tell all that there is nothing more."""
        self._deliver(None)

    def _deliver(self, event: dict[str, Any] | None) -> None:
        for queue in list(self._queues):
            if queue.qsize() < _MOST_WAITING or event is None:
                queue.put_nowait(event)
            else:
                self._queues.discard(queue)  # its client has gone to sleep, and begins anew when it wakes
                queue.put_nowait(None)

    def listen(self) -> asyncio.Queue[dict[str, Any] | None]:
        """Return a queue that events are put into, None where there are no more."""
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._queues.add(queue)
        return queue

    async def stream(self, queue: asyncio.Queue[dict[str, Any] | None], first: dict[str, Any]) -> AsyncIterator[str]:
        """Yield events as text, the state of all jobs first."""
        try:
            yield _text(first)
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    yield ": alive\n\n"
                    continue
                if event is None:
                    return
                yield _text(event)
        finally:
            self._queues.discard(queue)


def _text(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event)}\n\n"


async def start(workspace: Workspace) -> None:
    """Begin with the server: find what waits in the folder, and what the last server has left."""
    workspace.listeners = Listeners()
    workspace.compiling = compiling = Compiling(workspace.listeners.publish)
    workspace.compiling_watch = CompilingWatch(lambda active: compiling.tell("server", active=active))
    workspace.queue = await run_in_threadpool(JobQueue, workspace, workspace.listeners.publish)


async def stop(workspace: Workspace) -> None:
    """End with the server: what is at work saves, and is there to be resumed."""
    workspace.compiling_watch.close()
    workspace.queue.close()
    workspace.listeners.close()


def _queue(request: Request) -> JobQueue:
    queue: JobQueue = request.app.state.workspace.queue
    return queue


def jobs(request: Request) -> Response:
    """Return all jobs."""
    queue = _queue(request)
    return answer({"jobs": queue.listed(), "workers": queue.workers})


def new_job(request: Request) -> Response:
    """Put a run into the queue: a game or a spot with settings, or a saved run that goes on with new limits."""
    queue, fields = _queue(request), body(request)
    if "resume" in fields:
        workspace = request.app.state.workspace
        run_id, limits = fields.text("resume"), _limits(fields)
        check_resumed(workspace, run_id, limits)
        job = queue.resume_run(run_id, run_id, limits)
        return answer(job.summary(), status=201)
    order = read_order(request, fields)
    name = fields.text("name", "", longest=100).strip() or _name_of(order)
    return answer(queue.add(order, name).summary(), status=201)


def _name_of(order: dict[str, Any]) -> str:
    """Return the name of a folder for a new run, by its game and its algorithm: ``leduc-ranks-4-cfr+-outcome``."""
    words = "".join(char if char.isalnum() else " " for char in order["title"].replace("'", "")).split()
    chosen = [order["keywords"].get(name, "auto") for name in ("algorithm", "sampling")]
    kinds = [kind.partition("(")[0] for kind in chosen if kind not in ("auto", "full")]
    return "-".join(["-".join(words)[:60], *kinds])


def _limits(fields: Fields) -> dict[str, Any]:
    names = ("iterations", "until", "until_cce", "seconds", "nodes", "threads", "max_memory_gb")
    return read_keywords(Fields({name: fields.any(name) for name in names if name in fields}))


def one_job(request: Request) -> Response:
    """Return a job with all its checkpoints, and the lines that would do the same elsewhere."""
    job = _queue(request).job(request.path_params["job"])
    game, keywords = job.order["game"], job.order["keywords"]
    told = {"points": job.points, "facts": job.facts, "keywords": keywords, "settings": job.order.get("settings")}
    return answer({**job.summary(), **told, "command": as_command(game, keywords), "python": as_python(game, keywords)})


def pause(request: Request) -> Response:
    """Let a job pause."""
    return answer(_queue(request).pause(request.path_params["job"]).summary())


def go_on(request: Request) -> Response:
    """Let a paused job go on, or resume one that has ended, with new limits if there are any."""
    queue, job_id, limits = _queue(request), request.path_params["job"], _limits(body(request))
    if queue.job(job_id).saved:
        check_resumed(request.app.state.workspace, job_id, limits)
    return answer(queue.go_on(job_id, limits).summary())


def stop_job(request: Request) -> Response:
    """Let a job stop and keep what it has."""
    return answer(_queue(request).stop(request.path_params["job"]).summary())


def move(request: Request) -> Response:
    """Move a job that waits to another position."""
    queue, fields = _queue(request), body(request).only("position")
    queue.move(request.path_params["job"], fields.whole("position", high=10_000))
    return jobs(request)


def dismiss(request: Request) -> Response:
    """Take a job that waits, or has ended, from the list."""
    _queue(request).dismiss(request.path_params["job"])
    return answer({"dismissed": request.path_params["job"]})


def workers(request: Request) -> Response:
    """Change how many runs are solved side by side."""
    queue = _queue(request)
    queue.set_workers(body(request).only("workers").whole("workers", low=1, high=_MOST_WORKERS))
    return jobs(request)


async def events(request: Request) -> Response:
    """Return a stream of events: first all jobs, then what changes."""
    queue, workspace = _queue(request), request.app.state.workspace
    listeners = workspace.listeners
    heard = listeners.listen()  # before the state is read, so that nothing is missed between
    compiling = workspace.compiling.active
    first = {"type": "jobs", "jobs": queue.listed(), "workers": queue.workers, "compiling": compiling}
    return StreamingResponse(
        listeners.stream(heard, first), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


ROUTES: list[Route] = [
    Route("/jobs", jobs),
    Route("/jobs", new_job, methods=["POST"]),
    Route("/jobs", workers, methods=["PATCH"]),
    Route("/jobs/{job}", one_job),
    Route("/jobs/{job}", move, methods=["PATCH"]),
    Route("/jobs/{job}", dismiss, methods=["DELETE"]),
    Route("/jobs/{job}/pause", pause, methods=["POST"]),
    Route("/jobs/{job}/resume", go_on, methods=["POST"]),
    Route("/jobs/{job}/stop", stop_job, methods=["POST"]),
    Route("/events", events),
]
