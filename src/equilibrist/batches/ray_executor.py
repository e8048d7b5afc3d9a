"""An executor with the interface of concurrent.futures whose calls run on a Ray cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

from ..cluster.ray_cluster import PATIENCE, Machines, Room, connect
from ..errors import AlgorithmError, GameTooLargeError
from ..solving.info import package_versions

# calls handed to Ray for each that the cluster can run at once: the next is there when one ends
_AHEAD = 2
_LOOK_SECONDS = (
    1.0  # between two looks whether machines are still there that can hold the calls that Ray has
)


class _Call(NamedTuple):
    """A call that waits for room on the cluster."""

    future: RayFuture
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    room: Room


class RayFuture(Future[Any]):
    """The future of a call on a Ray cluster.

    It is pending until its result is there, as Ray does not say when a call begins.
    """

    def __init__(self, interrupt: Callable[[RayFuture], bool]) -> None:
        super().__init__()
        self._interrupt = interrupt

    def cancel(self) -> bool:
        """Cancel the call and return True; or return False where Ray has it already.

        Such a call, if it runs, is interrupted as by Ctrl-C: ``solve()`` saves its run and returns.
        Otherwise Ray drops it, and the future is cancelled as soon as Ray says so.
        """
        return not self.done() and self._interrupt(self)

    def drop(self) -> bool:
        """Cancel a call that does not run."""
        return super().cancel() and not self.set_running_or_notify_cancel()


class RayExecutor(Executor):
    """Runs calls on a Ray cluster: on whatever machine has room, again where a process or a machine is lost.

    A call whose worker process is killed, or whose machine disappears, begins again elsewhere,
    ``retries`` times at most; one that has returned does not run again. What a call raises is
    raised by its future.

    Parameters
    ----------
    address : str
        "auto" is the cluster to which this machine belongs, "local" a new one on this machine,
        until ``shutdown()``; otherwise ``HOST:PORT`` of its head, or ``ray://HOST:10001`` from
        outside. Where ``ray.init()`` was called before, its cluster is used.
    cpus : float
        How many CPUs a call takes: the threads of a run.
    memory : int, optional
        How many bytes of memory a call takes; it begins where Ray has so many left. By default what
        the call's attribute ``gigabytes`` tells, as that of a run of :func:`equilibrist.batch`
        does.
    retries : int
        How often a call begins again after its process or machine was lost.
    patience : float
        For how many seconds a call that no machine of the cluster can hold, however idle, waits for
        one that can; then its future raises :class:`GameError`. Give more where an autoscaler
        starts machines.

    Raises
    ------
    AlgorithmError
        Ray is not installed, or no cluster answers.
    """

    isolates = True  # the death of a worker fails no future but its call's
    places_memory = True  # a call that tells its ``gigabytes`` begins where there is so much

    def __init__(
        self,
        address: str = "auto",
        *,
        cpus: float = 1,
        memory: int | None = None,
        retries: int = 3,
        patience: float = PATIENCE,
    ) -> None:
        self._ray, self._connected = connect(address)
        self._remote = self._ray.remote(_run_call)
        self._retries = retries
        self._cpus = cpus
        self._memory = memory
        self._lock = Lock()
        self._waiting: deque[_Call] = deque()
        # The calls that Ray has: reference and room.
        self._ray_calls: dict[RayFuture, tuple[Any, Room]] = {}
        self._refused: dict[RayFuture, GameTooLargeError] = {}
        self._arrived: SimpleQueue[tuple[RayFuture, Future[Any]] | None] = SimpleQueue()
        self._closed = False
        self._broken = ""
        self._machines = Machines(self._ray, patience)
        self._collector = Thread(target=self._collect, name="equilibrist-ray", daemon=True)
        self._collector.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a call, which can be pickled."""
        future = RayFuture(self._interrupt)
        memory = self._memory
        if memory is None and getattr(fn, "gigabytes", None) is not None:
            memory = int(fn.gigabytes * 1e9)  # type: ignore[attr-defined]
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._broken:
                raise BrokenExecutor(self._broken)
            self._waiting.append(_Call(future, fn, args, kwargs, Room(self._cpus, memory)))
            self._submit_waiting()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; with ``cancel_futures`` drop those that wait and interrupt those that run."""
        with self._lock:
            self._closed = True
            futures = [call.future for call in self._waiting] + list(self._ray_calls)
        if cancel_futures:
            for future in futures:
                future.cancel()
        self._arrived.put(None)
        if wait:
            self._collector.join()
            if self._connected:
                self._connected = False
                self._ray.shutdown()

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        self.shutdown(wait=True, cancel_futures=kind is not None)

    def _submit_waiting(self) -> None:
        """Give Ray as many calls as it has room for; the lock is held."""
        num_parallel = max(1, int(sum(room.cpus for room in self._machines.rooms) / self._cpus))
        while self._waiting and len(self._ray_calls) < _AHEAD * num_parallel:
            call = self._waiting.popleft()
            try:
                self._machines.check(call.room)
                remote = self._remote.options(
                    num_cpus=self._cpus, memory=call.room.memory, max_retries=self._retries
                )
                reference = remote.remote(
                    package_versions(), call.function, call.arguments, call.keywords
                )
            except Exception as error:  # no machine can hold the call, or it cannot be pickled
                call.future.set_exception(error)
                continue
            self._ray_calls[call.future] = reference, call.room
            arrival = reference.future()
            arrival.add_done_callback(
                lambda outcome, future=call.future: self._arrived.put((future, outcome))
            )

    def _collect(self) -> None:
        """Fill futures as results arrive, in a thread of their own: Ray's may not wait."""
        is_closed = False
        while not (is_closed and not self._ray_calls and not self._waiting):
            try:
                arrival = self._arrived.get(timeout=_LOOK_SECONDS)
            except Empty:
                self._refuse()
                continue
            if arrival is None:
                is_closed = True
                continue
            future, outcome = arrival
            with self._lock:
                del self._ray_calls[future]
                self._submit_waiting()
            self._fill(future, outcome)

    def _refuse(self) -> None:
        """Cancel the calls that Ray has and that no machine of the cluster can hold: they would wait for ever."""
        with self._lock:
            for future, (reference, room) in self._ray_calls.items():
                try:
                    self._machines.check(room)
                except GameTooLargeError as error:
                    self._refused[future] = error
                    self._ray.cancel(reference)

    def _fill(self, future: RayFuture, outcome: Future[Any]) -> None:
        """Give a future what Ray brings: a result, what the call raised, or why there is neither."""
        errors = self._ray.exceptions
        error = outcome.exception()
        if error is None:
            future.set_result(outcome.result())
        elif future in self._refused:
            future.set_exception(self._refused.pop(future))
        elif isinstance(error, errors.TaskCancelledError):
            future.drop()
        elif isinstance(error, errors.RayTaskError):
            cause: BaseException = error.cause
            future.set_exception(cause)
        else:
            message = f"Ray lost the call: {type(error).__name__}: {error}"
            # Over which this process asks: no call will do better.
            if isinstance(error, errors.LocalRayletDiedError):
                self._broken = message
            future.set_exception(BrokenExecutor(message))

    def _interrupt(self, future: RayFuture) -> bool:
        """Drop a call that waits and return True, or have Ray interrupt it and return False."""
        with self._lock:
            for call in self._waiting:
                if call.future is future:
                    self._waiting.remove(call)
                    return future.drop()
            handle = self._ray_calls.get(future)
        if handle is not None:
            self._ray.cancel(handle[0])
        return False


def _run_call(
    versions: dict[str, str],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> Any:
    """Return what a call returns, on a machine of the cluster, whose versions must be those of the caller."""
    for name, version in package_versions().items():
        if version != versions[name]:
            raise AlgorithmError(
                f"A machine of the cluster has {name} {version}, the one that asks has "
                f"{versions[name]}. Install the same versions on all.",
            )
    return function(*arguments, **keywords)
