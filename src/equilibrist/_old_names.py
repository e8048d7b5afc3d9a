"""Public names that have another place since an earlier version: the old ones warn, and go after the next major one."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NamedTuple

from ._util.deprecation import warn_of_old_name


class Place(NamedTuple):
    """Where what had an old name is now."""

    name: str  # below ``eq``, such as ``poker.equity``
    last_version: str  # the last one that has the old name as well, such as ``1.4``


OLD_NAMES: dict[str, Place] = {}
"""The place of each name that was ``equilibrist.NAME``. None is there: 1.0 has no earlier version."""


def find_old_name(name: str) -> Any:
    """Return what had a name in the package itself, and warn of its new place.

    Raises
    ------
    KeyError
        No such name was there.
    """
    place = OLD_NAMES[name]
    package = __package__ or "equilibrist"
    # 3: whoever asks for an attribute of the package, through its __getattr__
    warn_of_old_name(f"eq.{name}", f"eq.{place.name}", last_version=place.last_version, level=3)
    module, _, attribute = place.name.rpartition(".")
    holder = import_module(f"{package}.{module}") if module else sys.modules[package]
    return getattr(holder, attribute)
