"""What other distributions bring: games, commands and pages, by the entry points of their metadata."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EquilibristError
from .files import read_bytes

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_METADATA = (".dist-info", ".egg-info")
"""The endings of folders with the metadata of a distribution."""


def find_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, such as ``"equilibrist.commands"``; nothing is imported.

    Of several with one name that of the first distribution on the path counts, as with modules.
    """
    if not any(_may_name(folder, group) for folder in sys.path):
        return {}
    from importlib.metadata import entry_points  # which takes 20 ms

    by_name: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        by_name.setdefault(entry.name, entry)
    return by_name


def _may_name(folder: str, group: str) -> bool:
    """Return whether a place of modules may hold a distribution with entry points of a group."""
    heading = f"[{group}]".encode()
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in entries if entry.name.endswith(_METADATA)]
    except NotADirectoryError:  # an archive, whose metadata others read
        return True
    except OSError:
        return False
    for name in names:
        with suppress(OSError):
            if heading in read_bytes(Path(folder, name, "entry_points.txt")):
                return True
    return False


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
