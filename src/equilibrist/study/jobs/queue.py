"""The queue of runs: those that wait, those at work in processes of their own, and those that a restart has left."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..._util.files import SMALL, read_bytes, write_atomically
from ..._util.workers import LineProcess
from ...errors import EquilibristError, SolutionError
from ...runs.catalogue import CHECKPOINT
from ...solving.notes import NOTES
from ...solving.settings import ENDS
from ...web.answers import JobSummary
from ...web.requests import check_request
from ...web.respond import LOG, RequestError
from ...web.workspace import Workspace
from ..answers import Event
from ..library.batches import PLAN
from .batches import check_plan, write_lines
from .estimates import Estimates
from .exploits import check_question, write_answer_lines
from .job import (
    AT_WORK,
    DONE,
    FAILED,
    INTERRUPTED,
    JOB,
    PAUSED,
    QUEUED,
    RUNNING,
    STARTING,
    STOPPED,
    STOPPING,
    Job,
)
from .worker import EVENTS

_LEAST_FREE = 1 << 20  # bytes: less holds no checkpoint


class JobQueue:
    """Runs of a folder, solved so many at a time by worker processes.

    Every job lives in the folder of its run: its request and state in ``job.json``, the events of
    its worker in ``events.jsonl``. A queue that is made anew finds there what was at work when the
    last one ended. ``publish`` is called with each event for whoever listens, from any thread.
    """

    def __init__(self, workspace: Workspace, publish: Callable[[Event], None]) -> None:
        self.workspace = workspace
        self.publish = publish
        self.jobs: dict[str, Job] = {}
        self.workers = max(workspace.workers, 1)
        self.estimates = Estimates(
            lambda active: workspace.compiling.tell("estimates", active=active)
        )
        self.charts = Estimates(lambda active: workspace.compiling.tell("charts", active=active))
        self._lock = threading.RLock()
        self._closed = False
        for path in sorted(workspace.folder.glob(f"*/{JOB}")):
            self._find(path)

    # --- What clients ask for ---

    def listed(self) -> list[JobSummary]:
        """Return the jobs, first come first."""
        with self._lock:
            missing_jobs = [
                job
                for job in self.jobs.values()
                if job.state not in AT_WORK and not job.folder.is_dir()
            ]
            for job in missing_jobs:  # renamed or deleted
                del self.jobs[job.id]
            return [job.summary() for job in self.jobs.values()]

    def job(self, job_id: str) -> Job:
        with self._lock:
            job = self.jobs.get(job_id)
        if job is None:
            raise RequestError(f"There is no job {job_id!r}.", status=404)
        return job

    def busy(self, run_id: str) -> bool:
        """Return whether a run is queued or at work, so that its folder is not to be touched."""
        with self._lock:
            job = self.jobs.get(run_id)
            return job is not None and job.state in (QUEUED, *AT_WORK)

    def add(
        self, request: dict[str, Any], name: str, files: Mapping[str, str] | None = None
    ) -> Job:
        """Return a new job at the end of the queue, in a new folder, with files in it as texts by name."""
        folder = self.workspace.new_folder(name)
        job = Job(self.workspace.id_of(folder), folder, request, _time_text())
        try:
            for file, text in (files or {}).items():
                write_atomically(folder / file, text.encode())
            _write_job(job)
        except SolutionError as error:
            self._forget(job)
            raise RequestError(
                f"The run cannot begin, for nothing can be kept of it. {error}", status=422
            ) from error
        with self._lock:
            self.jobs[job.id] = job
            self._announce(job)
            self._fill()
        return job

    def go_on(self, job_id: str, limits: dict[str, Any]) -> Job:
        """Let a paused job go on, or put one that has ended at the end of the queue, to be resumed."""
        job = self.job(job_id)
        with self._lock:
            if job.state == PAUSED:
                self._send(job, "go")
            elif job.state in (QUEUED, *AT_WORK):
                raise RequestError(f"{job_id!r} is {job.state} already.", status=409)
            else:
                self._requeue(job, limits)
        return job

    def resume_run(
        self, run_id: str, title: str, limits: dict[str, Any], *, holds: str = CHECKPOINT
    ) -> Job:
        """Return a job that goes on with a saved run, or with a batch; the folder of a run ``holds`` a checkpoint."""
        with self._lock:
            if run_id not in self.jobs:
                folder = self.workspace.folder_of(run_id, holds=holds)
                request = _read_request(folder) or {
                    "game": title,
                    "title": title,
                    "keywords": {},
                    "resume": True,
                }
                self.jobs[run_id] = Job(run_id, folder, request, _time_text(), state=STOPPED)
            elif self.busy(run_id):
                raise RequestError(f"{run_id!r} is {self.jobs[run_id].state} already.", status=409)
            job = self.jobs[run_id]
            self._requeue(job, limits)
        return job

    def pause(self, job_id: str) -> Job:
        """Let a job pause; its memory stays taken."""
        job = self.job(job_id)
        with self._lock:
            if job.is_batch:
                raise RequestError(
                    "A batch does not pause: stop it, and let it go on later.", status=409
                )
            if job.state != RUNNING:
                raise RequestError(
                    f"{job_id!r} is {job.state}: only a run that iterates can pause.", status=409
                )
            self._send(job, "pause")
        return job

    def stop(self, job_id: str) -> Job:
        """Let a job stop and keep what it has; one that waits leaves the queue."""
        job = self.job(job_id)
        with self._lock:
            if job.state in AT_WORK:
                job.state = STOPPING
                self._send(job, "stop")
            elif job.state == QUEUED:
                job.state = STOPPED
            self._announce(job)
        return job

    def dismiss(self, job_id: str) -> None:
        """Take a job from the list: one that waits or has ended. What it has saved stays."""
        job = self.job(job_id)
        with self._lock:
            if job.state in AT_WORK:
                raise RequestError(f"{job_id!r} is {job.state}: stop it first.", status=409)
            del self.jobs[job_id]
            self._forget(job)
            self.publish({"type": "gone", "job": job_id})

    def move(self, job_id: str, position: int) -> None:
        """Move a job that waits to a position among those that wait, 0 the first."""
        job = self.job(job_id)
        with self._lock:
            if job.state != QUEUED:
                raise RequestError(
                    f"{job_id!r} is {job.state}: only what waits can be moved.", status=409
                )
            waiting = [
                queued
                for queued in self.jobs.values()
                if queued.state == QUEUED and queued is not job
            ]
            waiting.insert(position, job)
            jobs_begun = [other for other in self.jobs.values() if other.state != QUEUED]
            self.jobs = {job.id: job for job in (*jobs_begun, *waiting)}
            self._announce_all()

    def set_workers(self, workers: int) -> None:
        """Change how many runs are solved side by side; none that is at work is stopped for it."""
        with self._lock:
            self.workers = workers
            self._fill()
            self._announce_all()

    def close(self) -> None:
        """End with the server: what is at work stops by itself, and saves."""
        with self._lock:
            self._closed = True
            self.estimates.close()
            self.charts.close()
            for job in self.jobs.values():
                if job.process is not None:
                    job.process.end_input()

    # --- The workers ---

    def _fill(self) -> None:
        with self._lock:
            while not self._closed:
                at_work = sum(
                    job.state in (STARTING, RUNNING, STOPPING) for job in self.jobs.values()
                )
                waiting = next((job for job in self.jobs.values() if job.state == QUEUED), None)
                if waiting is None or at_work >= self.workers:
                    return
                self._start(waiting)

    def _start(self, job: Job) -> None:
        job.state = STARTING
        job.stage = "Starting"
        job.message = ""
        job.field_at_fault = None
        job.stop_reason = ""
        job.warnings = []
        request = {
            **job.request,
            "folder": str(job.folder),
            "resume": job.saved,
            "trust": [*self.workspace.trusted],
        }
        if not job.saved:
            (job.folder / EVENTS).unlink(missing_ok=True)
            job.points = []
        try:
            if job.is_batch:
                check_plan(self.workspace, request["batch"])
            elif job.is_answer:
                check_request(self.workspace, {**request, "resume": True})
                request["run"] = str(check_question(self.workspace, request))
            else:
                check_request(self.workspace, request)
            job.process = LineProcess("equilibrist.study.jobs.worker")
        except (OSError, EquilibristError) as error:
            job.state = FAILED
            job.message = str(error)
            self._announce(job)
            return
        self._send(job, json.dumps(request))
        self._announce(job)
        threading.Thread(target=self._follow, args=(job, job.process), daemon=True).start()

    def _follow(self, job: Job, process: LineProcess) -> None:
        end: dict[str, Any] | None = None
        for line in process.lines():
            with suppress(ValueError, KeyError, TypeError):
                event = json.loads(line)
                if event["event"] in ("end", "cancelled", "error"):
                    end = event  # which counts once the process has gone, and its folder is free
                else:
                    self._hear(job, event)
        code = process.wait()
        errors = process.last_errors()
        with self._lock:
            job.process = None
            if end is not None:
                job.hear(end)
            else:
                job.state = FAILED
                if code < 0:
                    killed = f"was killed by signal {-code}, perhaps for want of memory"
                else:
                    killed = "ended unexpectedly"
                if job.saved:
                    saved = "what it saved on the way can be resumed"
                else:
                    saved = "nothing had been saved yet"
                job.message = (
                    f"The process that solved it {killed}; {saved}.{_disk_sentence(job.folder)}"
                )
            if job.state == FAILED and errors:
                LOG.error("The worker of %s:\n%s", job.id, errors)
            if self._closed:
                return
            self._announce(job)
            self._fill()

    def _hear(self, job: Job, event: dict[str, Any]) -> None:
        with self._lock:
            state_before = job.state
            job.hear(event)
            if state_before == STOPPING and job.state in (RUNNING, PAUSED):
                job.state = STOPPING
            if event.get("event") == "checkpoint":
                self.publish({"type": "checkpoint", "job": job.id, "point": event["point"]})
            self._announce(job, write=job.state != state_before)

    def _send(self, job: Job, line: str) -> None:
        if job.process is not None:
            job.process.send(line)

    def _requeue(self, job: Job, limits: dict[str, Any]) -> None:
        keywords = job.request["keywords"]
        if limits:
            keywords = {key: value for key, value in keywords.items() if key not in ENDS} | limits
        if job.saved:  # all but limits, threads and memory is the old run's
            keywords = {
                key: keywords[key] for key in (*ENDS, "threads", "max_memory_gb") if key in keywords
            }
        job.request = {**job.request, "keywords": keywords}
        job.state = QUEUED
        del self.jobs[job.id]
        self.jobs[job.id] = job  # the last
        self._announce(job)
        self._fill()

    # --- Files ---

    def _announce(self, job: Job, *, write: bool = True) -> None:
        if write:
            with suppress(SolutionError):
                _write_job(job)
        self.publish({"type": "job", "job": job.summary()})

    def _announce_all(self) -> None:
        self.publish(
            {
                "type": "jobs",
                "jobs": self.listed(),
                "workers": self.workers,
                "compiling": self.workspace.compiling.active,
            }
        )

    def _forget(self, job: Job) -> None:
        if job.saved:
            return
        for name in (JOB, EVENTS, PLAN, NOTES):
            (job.folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it
            job.folder.rmdir()

    def _find(self, path: Path) -> None:
        """Add the job in a folder, unless a server has seen that its run has come to its end.

        A worker may outlive its server and finish: that job is listed once, as one that is done.
        """
        if path.is_symlink() or path.parent.is_symlink():
            return
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            record = json.loads(read_bytes(path, most=SMALL))
            request = record["request"]
            job = Job(
                self.workspace.id_of(path.parent),
                path.parent,
                request,
                record["created"],
                message=record["message"],
            )
            for line in _read_lines(path.parent / EVENTS):
                job.hear(json.loads(line))
            heard = job.state
            job.state = record["state"]
            job.stage = ""
            if job.state in AT_WORK:
                if heard in (DONE, FAILED):
                    job.state = heard
                else:
                    job.state = INTERRUPTED
            elif job.state == QUEUED:
                job.state = (
                    INTERRUPTED  # somebody else may have written this file: it waits for a click
                )
            ended_unseen = job.state == DONE and record["state"] in AT_WORK
            if job.state in (INTERRUPTED, FAILED) or ended_unseen:
                # Or an error.
                _ = (
                    request["keywords"].items(),
                    request["game"].upper(),
                    request["title"].upper(),
                )  # or an error
                _ = write_lines(request["batch"], "") if job.is_batch else {}  # likewise
                _ = write_answer_lines(request, "") if job.is_answer else {}  # likewise
                self.jobs[job.id] = job
                if ended_unseen:
                    with suppress(SolutionError):
                        _write_job(job)


def _write_job(job: Job) -> None:
    """Keep the request and the state of a job in its folder."""
    record = {
        "request": job.request,
        "created": job.created,
        "state": job.state,
        "message": job.message,
    }
    write_atomically(job.folder / JOB, json.dumps(record, indent=1).encode())


def _disk_sentence(folder: Path) -> str:
    """Return a sentence on the disk of a folder where it is full, to be added to another."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # the folder is gone
        return ""
    if free > _LEAST_FREE:
        return ""
    return " The disk of the served folder is full: make room there."


def _read_request(folder: Path) -> dict[str, Any] | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        request: dict[str, Any] = json.loads(read_bytes(folder / JOB, most=SMALL))["request"]
        return request
    return None


def _read_lines(path: Path) -> list[str]:
    """Return the whole lines of a file: of the last one a killed process may have written a part."""
    with suppress(FileNotFoundError):
        text = read_bytes(path).decode(errors="replace")
        return [line for line in text.splitlines() if line.endswith("}")]
    return []


def _time_text() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
