"""What a tracker is, and how a run tells it about its beginning, its checkpoints and its end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias
from urllib.parse import quote

from .._util.interrupt import noted_signals
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
        All that decides the run: game, algorithm, row, sampling, seed, limits, sizes of the game, and so on.
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
    def of(cls, info: RunInfo, *, folder: str | Path | None, earlier: Iterable[Checkpoint]) -> About:
        """Return what is known of a run from its identity and its settings."""
        config, name = info.config, info.game.name
        if config is None:
            raise ValueError("A run without settings is not followed.")
        words = [name, config.algorithm.name]
        words += [] if config.seed is None else [str(config.sampling).replace(" ", "").replace("'", "")]
        words += [] if config.seed is None else [f"seed{config.seed}"]
        return cls(
            game=name,
            experiment=name,
            run_id=info.run_id,
            name="-".join(quote(word, safe="+()=,") for word in words),
            parameters=_parameters(info, config),
            versions=info.versions,
            folder=None if folder is None else str(Path(folder).resolve()),
            earlier=tuple(earlier),
        )


def _parameters(info: RunInfo, config: SolveConfig) -> dict[str, Plain]:
    """Return all that decides a run as plain values by name."""
    settings, game = to_plain(config), to_plain(info.game)
    stop, algorithm = settings.pop("stop"), settings.pop("algorithm")
    numbers = {f"algorithm.{name}": value for name, value in algorithm.items() if name not in ("name", "source")}
    return {
        "game": game.pop("name"),
        "algorithm": config.algorithm.name,
        **{name: str(value) if isinstance(value, dict) else value for name, value in numbers.items()},
        **{**settings, "sampling": str(config.sampling)},
        **stop,
        **game,
        "run_id": info.run_id,
    }


class Tracker(Protocol):
    """What follows a run: any callable that takes a :class:`Checkpoint`, with these methods or only some of them.

    One tracker may follow several runs, one after the other. An error that it raises before the first iteration, or at
    a checkpoint, ends the run; one that it raises afterwards becomes a :class:`TrackingWarning`, for the solution is
    there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> class Diary:
    ...     def begin(self, about):
    ...         print("begins:", about.name)
    ...     def __call__(self, point):
    ...         print(point.iteration, f"{point.exploitability:.3f}")
    ...     def finish(self, solution):
    ...         print("ends:", solution.stopped)
    >>> _ = eq.solve("kuhn", "cfr", iterations=3, on_checkpoint=Diary())
    begins: kuhn-cfr
    1 0.458
    2 0.271
    3 0.194
    ends: iterations
    """

    def begin(self, about: About) -> None:
        """Hear that a run is about to iterate."""

    def __call__(self, point: Checkpoint) -> None:
        """Hear of the newest checkpoint."""

    def finish(self, solution: Solution) -> None:
        """Hear how it ended; Ctrl-C, too, ends with a solution."""

    def fail(self, error: BaseException) -> None:
        """Hear that it ended without a solution."""


Listener: TypeAlias = "Callable[[Checkpoint], None]"
Listeners: TypeAlias = "Listener | Iterable[Listener] | None"


def listed(listeners: Listeners, *, label: str = "on_checkpoint") -> list[Listener]:
    """Return one callable or several, or none, as a list.

    Raises
    ------
    AlgorithmError
        One of them cannot be called.
    """
    if listeners is None:
        return []
    several = [listeners] if callable(listeners) else listeners
    found = list(several) if isinstance(several, Iterable) and not isinstance(several, str) else [several]
    for each in found:
        if not callable(each):
            raise AlgorithmError(
                f"{label} must be a callable, a tracker such as eq.track.MLflow(), or several; got {each!r}.",
                wrong_use=True,
            )
    return found


def followed(
    listeners: list[Listener],
    about: About,
    work: Callable[[Listener], Solution],
    say: Callable[[str], None],
) -> Solution:
    """Return the solution that ``work`` makes, and tell those who listen how it begins, goes on and ends.

    Each one that heard of the beginning hears of the end, whatever happens. ``say`` hears of what may take long.
    """

    def tell(point: Checkpoint) -> None:
        for listener in listeners:
            listener(point)

    begun = []
    try:
        for listener in listeners:
            if hasattr(listener, "begin") and _takes_long(listener):
                say(f"Opening {_named(listener)}")
            with noted_signals() as interrupted:  # an exception inside of MLflow may be lost, or leave a run open
                _call(listener, "begin", about)
                begun.append(listener)
            if interrupted:
                raise KeyboardInterrupt
        solution = work(tell)
    except BaseException as error:
        computed = error.solution if isinstance(error, SolutionError) else None  # there, where only saving it failed
        for listener in begun:
            if computed is not None:
                _finish(listener, computed)
            else:
                with suppress(Exception):
                    _call(listener, "fail", error)
        raise
    for listener in begun:
        if hasattr(listener, "finish") and _takes_long(listener):
            with suppress(Exception):  # of a callback, which costs no result
                say(f"Writing to {_named(listener)}")
        _finish(listener, solution)
    return solution


def _call(listener: Listener, method: str, given: Any) -> None:
    """Call a method that a listener may have or not."""
    if hasattr(listener, method):
        getattr(listener, method)(given)


def _takes_long(listener: Listener) -> bool:
    """Return whether a stage is to name a listener while it is told: not one that says ``quick = True``."""
    return not getattr(listener, "quick", False)


def _named(listener: Listener) -> str:
    return _named(listener.tracker) if isinstance(listener, Grouped) else type(listener).__name__


def _finish(listener: Listener, solution: Solution) -> None:
    """Tell a listener of the end; a result is never lost over it."""
    try:
        _call(listener, "finish", solution)
    except TrackingError as error:
        _warn(f"{error} The solution itself is complete.")
    except KeyboardInterrupt:
        _warn(f"{_named(listener)} was interrupted at the end of the run. The solution itself is complete.")
    except Exception as error:
        _warn(
            f"{_named(listener)} failed at the end of the run, with {type(error).__name__}: {error}. The "
            "solution itself is complete."
        )


def _warn(text: str) -> None:
    warnings.warn(text, TrackingWarning, stacklevel=2)


class Grouped:
    """A tracker whose runs all belong to one experiment."""

    def __init__(self, tracker: Listener, experiment: str) -> None:
        self.tracker = tracker
        self.experiment = experiment

    def begin(self, about: About) -> None:
        """Pass on the beginning, under the experiment's name."""
        _call(self.tracker, "begin", about._replace(experiment=self.experiment))

    def __call__(self, point: Checkpoint) -> None:
        """Pass on a checkpoint."""
        self.tracker(point)

    def finish(self, solution: Solution) -> None:
        """Pass on the end, warned of under the tracker's own name."""
        _finish(self.tracker, solution)

    def fail(self, error: BaseException) -> None:
        """Pass on the failure."""
        _call(self.tracker, "fail", error)
