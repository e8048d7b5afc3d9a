"""Places: texts that say where something is defined, ``"module:name"`` below the package, imported when asked for.

Tables of places are how the tower finds what wings bring: no import goes up.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any

PACKAGE = __name__.partition(".")[0]


def import_place(place: str) -> Any:
    """Return what a place names.

    >>> import_place("_util.places:import_place").__name__
    'import_place'
    """
    module, _, name = place.partition(":")
    return attrgetter(name)(import_module(f"{PACKAGE}.{module}"))


def find_by_type(table: Mapping[str, str], value: Any) -> Any:
    """Return what a table names for the type of a value, or for the nearest of its bases; None where it has none.

    The keys are places of types, which are not imported.
    """
    for cls in type(value).__mro__:
        name = f"{cls.__module__.removeprefix(f'{PACKAGE}.')}:{cls.__qualname__}"
        if name in table:
            return import_place(table[name])
    return None
