"""Places in the package as texts, ``"games.kuhn:Kuhn"``: tables of them name what is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from typing import Any

PACKAGE = __name__.partition(".")[0]


def import_place(place: str) -> Any:
    """Return what stands at a place: the module below the package, and the name there.

    >>> import_place("errors:GameError").__name__
    'GameError'
    """
    module, name = place.split(":")
    return attrgetter(name)(import_module(f"{PACKAGE}.{module}"))
