"""What is called while work goes on: one class of functions for all public functions, and who hears what."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from ..errors import AlgorithmError


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """Functions that are called while work goes on; those that are None are not.

    A public function refuses those that it never calls.

    Parameters
    ----------
    on_start : callable, optional
        Called with what is known of the run (:class:`About`) when it is about to iterate.
    on_checkpoint : callable, optional
        Called with each :class:`Checkpoint` of the trace.
    on_first_decision : callable, optional
        Called after it with the checkpoint and ``{action: frequency}`` of the first decision, over
        the range of who takes it; of card games (form ``"cards"``) alone. The EV of both players is
        :attr:`Checkpoint.value`.
    on_stage : callable, optional
        Called with a short text when a long stage begins, and now and then on the way.
    on_end : callable, optional
        Called with the solution.
    on_error : callable, optional
        Called with the exception where a run that has started ends without a solution.
    should_stop : callable, optional
        Called about ten times a second while the run iterates; when it returns True the run ends as
        at any limit.
    on_histories : callable, optional
        :func:`compile_game`, :func:`compile_public` and :func:`check_game`: called now and then with
        the number of histories that are found so far.
    on_run : callable, optional
        :func:`compare`: called when a run begins or goes on, with the run so far, its number and
        the number of runs.
    on_progress : callable, optional
        :func:`batch` and :func:`equilibrist.poker.board_report`: called with a
        :class:`BatchProgress` at the beginning and whenever an item ends.
    on_solution : callable, optional
        :func:`solve_many`: called with the number of a game, from 0, and its solution as soon as
        that is there, not always in order.
    on_stack : callable, optional
        :func:`equilibrist.poker.push_fold_charts`: called with the number of stacks that are solved
        and of all stacks.
    on_plan : callable, optional
        :func:`equilibrist.poker.grade`: called once, with a text that says how many spots are going
        to be solved, and about how long that takes.

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

    on_start: Callable[..., object] | None = None
    on_checkpoint: Callable[..., object] | None = None
    on_first_decision: Callable[..., object] | None = None
    on_stage: Callable[[str], object] | None = None
    on_end: Callable[..., object] | None = None
    on_error: Callable[[BaseException], object] | None = None
    should_stop: Callable[[], object] | None = None
    on_histories: Callable[[int], object] | None = None
    on_run: Callable[..., object] | None = None
    on_progress: Callable[..., object] | None = None
    on_solution: Callable[..., object] | None = None
    on_stack: Callable[[int, int], object] | None = None
    on_plan: Callable[[str], object] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            function = getattr(self, field.name)
            if not (function is None or callable(function)):
                raise AlgorithmError(f"{field.name} must be a callable; got {function!r}.")


METHODS = tuple(field.name for field in fields(Callbacks))
"""All that may be called."""

AnyCallbacks: TypeAlias = object
"""A callable, an object with any of the methods of :class:`Callbacks`, several of them, or None."""


def list_members(callbacks: AnyCallbacks) -> list[Any]:
    """Return callbacks as a list, whether they are one or several."""
    if callbacks is None:
        return []
    is_single = callable(callbacks) or has_method(callbacks) or isinstance(callbacks, str)
    if is_single or not isinstance(callbacks, Iterable):
        return [callbacks]
    return list(callbacks)


def has_method(value: object, names: Iterable[str] = METHODS) -> bool:
    """Return whether an object has a method of some names."""
    return any(hasattr(value, name) for name in names)


def check_told(member: Any, function: str, names: tuple[str, ...]) -> None:
    """Refuse callbacks that a public function never calls; ``names`` are those that it calls."""
    if not isinstance(member, Callbacks):
        return
    for name in METHODS:
        if getattr(member, name) is not None and name not in names:
            raise AlgorithmError(
                f"{function} never calls {name}: it calls {', '.join(names)}. Leave {name} out.",
                field="callbacks",
            )


def find_listeners(
    callbacks: AnyCallbacks, function: str, names: tuple[str, ...]
) -> dict[str, Callable[..., None] | None]:
    """Return what a public function calls, by name: None where nobody wants to hear it.

    A plain callable hears the first of the names.
    """
    listeners: dict[str, list[Callable[..., object]]] = {name: [] for name in names}
    for member in list_members(callbacks):
        if not has_method(member) and callable(member):
            listeners[names[0]].append(member)
            continue
        if not has_method(member, names):
            raise AlgorithmError(
                f"callbacks of {function} must be a callable, eq.Callbacks(...) or an object with "
                f"one of the methods {', '.join(names)}, or a list of them; got {member!r}.",
                field="callbacks",
            )
        check_told(member, function, names)
        for name in names:
            method = getattr(member, name, None)
            if method is not None:
                listeners[name].append(method)
    return {name: _call_all(functions) for name, functions in listeners.items()}


def stage_listener(callbacks: AnyCallbacks, function: str) -> Callable[[str], None] | None:
    """Return what a public function calls that tells its stages and nothing else."""
    return find_listeners(callbacks, function, ("on_stage",))["on_stage"]


def _call_all(functions: list[Callable[..., object]]) -> Callable[..., None] | None:
    """Return a function that calls all of some, one after the other; None of none."""
    if not functions:
        return None

    def call(*arguments: Any) -> None:
        for function in functions:
            function(*arguments)

    return call
