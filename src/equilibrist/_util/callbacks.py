"""What is called while something goes on: functions, objects with methods of their names, and several of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from ..errors import AlgorithmError


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """Functions that are called while something goes on; those that are None are not.

    Each function of the library says which of them it calls: all that take long call ``on_stage``.

    Parameters
    ----------
    on_start : callable, optional
        Called with what is known of the run (:class:`equilibrist.track.About`) when it is about to iterate.
    on_checkpoint : callable, optional
        Called with each :class:`equilibrist.types.Checkpoint` of the trace.
    on_first_decision : callable, optional
        Called after it with the checkpoint and ``{action: frequency}`` of the first decision, over
        the range of who takes it; of card games (form ``"cards"``) alone. The EV of both players is
        :attr:`equilibrist.types.Checkpoint.value`.
    on_stage : callable, optional
        Called with a short text when a long stage begins.
    on_end : callable, optional
        Called with the solution.
    on_progress : callable, optional
        Called with how far a batch is (:class:`equilibrist.types.BatchProgress`), or with the number
        of histories that were found so far where a game is compiled.
    on_run : callable, optional
        Called with the settings of each run of a comparison before it begins.
    on_plan : callable, optional
        Called with what is going to be solved, in words, before it is.
    on_stack : callable, optional
        Called with the number of stacks of a chart that are solved, and of all.
    on_solution : callable, optional
        Called with number and solution of each of several games.
    on_error : callable, optional
        Called with the exception where a run that has started ends without a solution.
    should_stop : callable, optional
        Called about ten times a second while the run iterates; when it returns True the run ends as
        at any limit.

    Examples
    --------
    >>> import equilibrist as eq
    >>> stages = []
    >>> solution = eq.solve("kuhn", iterations=10, callbacks=eq.Callbacks(on_stage=stages.append))
    >>> stages[-1]
    'Solving kuhn with sapcfr+'
    """

    quick: ClassVar[bool] = True
    """Whether no stage is to name what is called: functions are not trackers."""

    on_start: Callable[[Any], object] | None = None
    on_checkpoint: Callable[[Any], object] | None = None
    on_first_decision: Callable[[Any, Mapping[str, float]], object] | None = None
    on_stage: Callable[[str], object] | None = None
    on_end: Callable[[Any], object] | None = None
    on_error: Callable[[BaseException], object] | None = None
    should_stop: Callable[[], object] | None = None
    on_progress: Callable[[Any], object] | None = None
    on_run: Callable[..., object] | None = None
    on_plan: Callable[[str], object] | None = None
    on_stack: Callable[..., object] | None = None
    on_solution: Callable[[int, Any], object] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            function = getattr(self, field.name)
            if not (function is None or callable(function)):
                raise AlgorithmError(f"{field.name} must be a callable; got {function!r}.")


_METHODS = tuple(field.name for field in fields(Callbacks))


EVENTS = tuple(field.name for field in fields(Callbacks))
"""The names of what is called."""

AnyCallbacks: TypeAlias = object
"""A callable, an object with any of the methods of :class:`Callbacks`, several of them, or None."""


def list_members(
    callbacks: AnyCallbacks, main_event: str, *, label: str = "callbacks"
) -> list[Any]:
    """Return callbacks as objects with methods; ``label`` is what error messages call them.

    A callable without such methods becomes that of the ``main_event``.

    Raises
    ------
    AlgorithmError
        One of them is none.
    """
    if callbacks is None:
        return []
    is_single = callable(callbacks) or _has_methods(callbacks) or isinstance(callbacks, str)
    if is_single or not isinstance(callbacks, Iterable):
        members = [callbacks]
    else:
        members = list(callbacks)
    for number, member in enumerate(members):
        if callable(member) and not _has_methods(member):
            members[number] = Callbacks(**{main_event: member})
        elif not _has_methods(member):
            raise AlgorithmError(
                f"{label} must be a callable, eq.Callbacks(...), a tracker such as "
                f"eq.track.MLflow(), or a list of them; got {member!r}.",
            )
    return members


def find_listener(
    callbacks: AnyCallbacks, event: str, *, main_event: str = "on_stage"
) -> Callable[..., None] | None:
    """Return what calls all callbacks that listen to an event; None where none does."""
    listeners = [
        function
        for member in list_members(callbacks, main_event)
        if (function := getattr(member, event, None)) is not None
    ]
    if not listeners:
        return None

    def tell(*values: Any) -> None:
        for function in listeners:
            function(*values)

    return tell


def _has_methods(value: object) -> bool:
    return any(hasattr(value, name) for name in EVENTS)
