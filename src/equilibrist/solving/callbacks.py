"""What is called while a run goes on: functions and trackers, at its start, its checkpoints, its stages and its end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias
from urllib.parse import quote

from .._util.callbacks import (
    AnyCallbacks,
    Callbacks,
    check_told,
    find_listeners,
    has_method,
    list_members,
)
from .._util.interrupt import note_signals
from .._util.plain import to_plain
from ..errors import AlgorithmError, EquilibristError, EquilibristWarning, SolutionError
from .config import SolveConfig
from .info import RunInfo
from .trace import Checkpoint

if TYPE_CHECKING:
    from .solution import Solution

Plain: TypeAlias = str | int | float | bool | None


class TrackingError(EquilibristError):
    """An experiment tracker is unknown, not installed, or cannot be reached."""


class TrackingWarning(EquilibristWarning):
    """A tracker failed while a run was at work or over: the run went on without it, and its result is complete."""


class About(NamedTuple):
    """What is known of a run when it begins.

    Attributes
    ----------
    game : str
        The game, as the solution will call it.
    run_id : str
        The same for a run and for all that resume it; no other run has it.
    experiment : str
        What the run belongs to: the game, or ``"compare GAME"`` where it is one of several.
    name : str
        A short name that is safe as a file's: game, algorithm, sampling and seed.
    parameters : mapping
        All that decides the run: game, algorithm and its numbers, sampling, seed, limits, sizes of
        the game, and so on.
    versions : mapping
        Versions of Python, Equilibrist, NumPy and Numba.
    folder : str or None
        Where the run is going to be saved.
    earlier : tuple of Checkpoint
        The checkpoints of the run that goes on, where one is resumed; they are not told again.
    """

    game: str
    run_id: str
    experiment: str
    name: str
    parameters: Mapping[str, Plain]
    versions: Mapping[str, str]
    folder: str | None
    earlier: tuple[Checkpoint, ...]

    @classmethod
    def of(
        cls, info: RunInfo, *, folder: str | Path | None, earlier: Iterable[Checkpoint]
    ) -> About:
        """Return what is known of a run from its identity and its settings."""
        config = info.config
        name = info.game.name
        if config is None:
            raise ValueError("A run without settings is not followed.")
        words = [name, str(config.algorithm)]
        if config.seed is not None:
            words += [str(config.sampling).replace(" ", "").replace("'", ""), f"seed{config.seed}"]
        return cls(
            game=name,
            experiment=name,
            run_id=info.run_id,
            name="-".join(quote(word, safe="+()=,") for word in words),
            parameters=_list_parameters(info, config),
            versions=info.versions,
            folder=None if folder is None else str(Path(folder).resolve()),
            earlier=tuple(earlier),
        )


def _list_parameters(info: RunInfo, config: SolveConfig) -> dict[str, Plain]:
    """Return all that decides a run as plain values by name."""
    settings = to_plain(config)
    game = to_plain(info.game)
    stop = settings.pop("stop")
    limits = settings.pop("limits")
    algorithm = settings.pop("algorithm")
    del stop["until"]
    until = {f"until.{criterion.name}": criterion.threshold for criterion in config.stop.until}
    numbers = {
        f"algorithm.{name}": value
        for name, value in algorithm.items()
        if name not in ("name", "source")
    }
    return {
        "game": game.pop("name"),
        "algorithm": str(config.algorithm),
        **{
            name: str(value) if isinstance(value, dict) else value
            for name, value in numbers.items()
        },
        **{**settings, "sampling": str(config.sampling), "backend": str(config.backend)},
        **stop,
        **until,
        **limits,
        **game,
        "run_id": info.run_id,
    }


RUN_METHODS = (
    "on_start",
    "on_checkpoint",
    "on_first_decision",
    "on_stage",
    "on_end",
    "on_error",
    "should_stop",
)
"""What a run calls."""


@dataclass(frozen=True, kw_only=True)
class Unfollowed(Callbacks):
    """When one of many runs should stop, where nobody hears of its checkpoints before its end.

    Iterations and certificates then go on in one compiled call, and their seconds are not told
    apart.
    """


class Tracker(Protocol):
    """What follows a run: an object with any methods called as the functions of :class:`equilibrist.Callbacks`.

    These are ``on_start(about)``, ``on_checkpoint(point)``, ``on_first_decision(point,
    frequencies)``, ``on_stage(text)``, ``on_end(solution)``,
    ``on_error(error)`` and ``should_stop()``. Ctrl-C, too, ends a run with a solution.

    One tracker may follow several runs, one after the other. An error that it raises before the
    first iteration, or at a checkpoint, ends the run; one that it raises afterwards becomes a
    :class:`TrackingWarning`, for the solution is there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> class Diary:
    ...     def on_start(self, about):
    ...         print("begins:", about.name)
    ...     def on_checkpoint(self, point):
    ...         print(point.iteration, f"{point.exploitability:.3f}")
    ...     def on_end(self, solution):
    ...         print("ends:", solution.stop_reason)
    >>> _ = eq.solve("kuhn", "cfr", iterations=3, callbacks=Diary())
    begins: kuhn-cfr
    1 0.458
    2 0.271
    3 0.194
    ends: iterations
    """


class CallbackList:
    """Callbacks that are called one after the other.

    ``function`` is who calls them. A callable without methods of a :class:`Tracker` is called with each checkpoint.
    """

    def __init__(self, callbacks: AnyCallbacks, *, function: str = "solve") -> None:
        self.members: list[Any] = _name_methods(callbacks)
        for member in self.members:
            if not has_method(member, RUN_METHODS):
                raise AlgorithmError(
                    "callbacks must be a callable, eq.Callbacks(...), a tracker such as "
                    f"eq.track.MLflow(), or a list of them; got {member!r}.",
                )
            check_told(member, function, RUN_METHODS)

    def on_stage(self, text: str) -> None:
        self._call_members("on_stage", text)

    def on_checkpoint(self, point: Checkpoint) -> None:
        self._call_members("on_checkpoint", point)

    def on_first_decision(
        self, point: Checkpoint, frequencies: Callable[[], Mapping[str, float]]
    ) -> None:
        """Tell those who want to know it how often the actions of the first decision are taken, where that is known."""
        asking = [
            member
            for member in self.members
            if getattr(member, "on_first_decision", None) is not None
        ]
        shares = frequencies() if asking else {}
        for member in asking if shares else ():
            member.on_first_decision(point, shares)

    @property
    def unfollowed(self) -> bool:
        """Whether all of them, and there are some, are :class:`Unfollowed`."""
        return bool(self.members) and all(isinstance(member, Unfollowed) for member in self.members)

    def should_stop(self) -> bool:
        """Return whether one of them wants the run to end."""
        answers = [_call_method(member, "should_stop") for member in self.members]  # all are asked
        return any(answers)

    def _call_members(self, name: str, argument: Any) -> None:
        for member in self.members:
            _call_method(member, name, argument)

    def follow(self, about: Callable[[], About], work: Callable[[], Solution]) -> Solution:
        """Return the solution that ``work`` makes, and tell all how it begins and ends.

        Each one that heard of the beginning hears of the end, whatever happens.
        """
        started = []
        try:
            for member in self.members:
                if _takes_long(member, "on_start"):
                    self.on_stage(f"Opening {_tracker_name(member)}")
                with (
                    note_signals() as interrupted
                ):  # an exception inside of MLflow may be lost, or leave a run open
                    if getattr(member, "on_start", None):
                        member.on_start(about())
                    started.append(member)
                if interrupted:
                    raise KeyboardInterrupt
            solution = work()
        except BaseException as error:
            # where only saving it failed
            if isinstance(error, SolutionError):
                computed = error.solution
            else:
                computed = None
            for member in started:
                if computed is not None:
                    _tell_end(member, computed)
                else:
                    with suppress(Exception):
                        _call_method(member, "on_error", error)
            raise
        for member in started:
            if _takes_long(member, "on_end"):
                with suppress(Exception):  # of a callback, which costs no result
                    self.on_stage(f"Writing to {_tracker_name(member)}")
            _tell_end(member, solution)
        return solution


def _name_methods(callbacks: AnyCallbacks) -> list[Any]:
    """Return callbacks as a list in which a plain callable is what is called with each checkpoint."""
    return [
        Callbacks(on_checkpoint=member) if callable(member) and not has_method(member) else member
        for member in list_members(callbacks)
    ]


def split_trackers(
    callbacks: AnyCallbacks, function: str, names: tuple[str, ...]
) -> tuple[dict[str, Callable[..., None] | None], list[Any]]:
    """Return what a function of several runs calls, by name, and the trackers that follow each run.

    A tracker is what has a method that a run calls and the function itself does not, such as
    ``on_start``; the function calls those of its methods that no run does. ``names`` are what the
    function calls, the first of them a plain callable.
    """
    run_names = [name for name in RUN_METHODS if name not in names]
    function_names = [name for name in names if name not in RUN_METHODS]
    listeners: list[Any] = []
    trackers = []
    for member in list_members(callbacks):
        methods = {
            name: getattr(member, name)
            for name in function_names
            if getattr(member, name, None) is not None
        }
        if any(getattr(member, name, None) is not None for name in run_names):
            check_told(member, function, (*names, *run_names))
            trackers.append(member)
            listeners.append(Callbacks(**methods))
        else:
            listeners.append(member)
    return find_listeners(listeners, function, names), trackers


def _call_method(member: Any, name: str, *arguments: Any) -> Any:
    """Return what a method answers that a member may have or not."""
    method = getattr(member, name, None)
    if method is None:
        return None
    return method(*arguments)


def _takes_long(member: Any, name: str) -> bool:
    """Return whether a stage is to name a tracker while it is called: not what says ``quick = True``."""
    return hasattr(member, name) and not getattr(member, "quick", False)


def _tracker_name(member: Any) -> str:
    if isinstance(member, GroupedTracker):
        return _tracker_name(member.tracker)
    return type(member).__name__


def _tell_end(member: Any, solution: Solution) -> None:
    """Tell a member of the end; a result is never lost over it."""
    try:
        _call_method(member, "on_end", solution)
        return
    except TrackingError as error:
        problem = str(error)
    except KeyboardInterrupt:
        problem = f"{_tracker_name(member)} was interrupted at the end of the run."
    except Exception as error:
        problem = f"{_tracker_name(member)} failed at the end of the run, with {type(error).__name__}: {error}."
    warnings.warn(f"{problem} The solution itself is complete.", TrackingWarning, stacklevel=1)


class GroupedTracker:
    """A tracker whose runs all belong to one experiment; its other methods are called as they are."""

    def __init__(self, tracker: Any, experiment: str) -> None:
        self.tracker = tracker
        self.experiment = experiment

    def on_start(self, about: About) -> None:
        _call_method(self.tracker, "on_start", about._replace(experiment=self.experiment))

    def __getattr__(self, name: str) -> Any:
        if name not in (*RUN_METHODS, "quick"):  # of a copy that is not filled yet, too
            raise AttributeError(name)
        return getattr(self.tracker, name)
