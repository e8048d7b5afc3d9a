"""What other distributions bring: games, commands and pages, by the entry points of their metadata."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..errors import EquilibristError


def find_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, such as ``"equilibrist.commands"``; nothing is imported.

    Of two with the same name the first one counts, as with modules of one name.
    """
    by_name: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        by_name.setdefault(entry.name, entry)
    return by_name


def load_entry_point(entry: EntryPoint) -> Any:
    """Return what an entry point names.

    Raises
    ------
    EquilibristError
        It cannot be imported, whatever its module raises.
    """
    try:
        return entry.load()
    except Exception as error:
        distribution = getattr(entry.dist, "name", None) or "another distribution"
        raise EquilibristError(
            f"{entry.group}: {entry.name!r} of {distribution} cannot be imported from "
            f"{entry.value!r} ({type(error).__name__}: {error}); mend or uninstall {distribution}."
        ) from error
