"""What other distributions bring: games, commands and pages, by the entry points of their metadata."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import EquilibristError


def find_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, such as ``"equilibrist.commands"``; nothing is imported.

    Of several with one name that of the first distribution on the path counts, as with modules.
    """
    by_name: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        by_name.setdefault(entry.name, entry)
    return by_name


def load_entry_point(entry: EntryPoint, error_type: type[EquilibristError]) -> Any:
    """Return what an entry point names, a class or a function.

    Raises
    ------
    EquilibristError
        It cannot be imported, whatever its module raises, or cannot be called; of type ``error_type``.
    """
    with explain_failures(entry, "importing it", error_type):
        function = entry.load()
    if not callable(function):
        raise error_type(
            f"{describe_entry(entry)} cannot be used: it is no class or function, but {function!r}."
        )
    return function


@contextmanager
def explain_failures(
    entry: EntryPoint, doing: str, error_type: type[EquilibristError]
) -> Iterator[None]:
    """Say in one sentence which distribution has failed, and in doing what."""
    try:
        yield
    except EquilibristError:
        raise
    except (Exception, SystemExit) as error:
        message = str(error).removesuffix(".")
        raise error_type(
            f"{describe_entry(entry)}: {doing} failed with {type(error).__name__}: {message}."
        ) from error


def describe_entry(entry: EntryPoint) -> str:
    """Return what messages call an entry of another distribution."""
    if entry.dist is None:
        owner = "another distribution"
    else:
        owner = f"the distribution {entry.dist.name} {entry.dist.version}"
    return f"{entry.name!r} of {owner} ({entry.value})"
