"""Names of files and folders that all systems can hold."""

from __future__ import annotations

from .system import IS_WINDOWS

_NOWHERE = frozenset("/\0")
_NOT_ON_WINDOWS = frozenset('\\<>:"|?*')
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)
"""What Windows takes for a device, whatever the suffix."""


def is_portable(name: str) -> bool:
    """Return whether a file or a folder can have a name on every system.

    >>> [is_portable(name) for name in ("kuhn-2", "C:kuhn", "nul.txt", "kuhn.", "a/b")]
    [True, False, False, False, False]
    """
    return (
        name.isprintable()
        and not set(name) & (_NOWHERE | _NOT_ON_WINDOWS)
        and name.partition(".")[0].strip().casefold() not in _DEVICES
        and name == name.rstrip(". ")
        and name != ""
    )


def is_allowed_here(name: str) -> bool:
    """Return whether a file or a folder can have a name on this system, below the folder that it is said to be in.

    A backslash is refused everywhere: it would lead elsewhere on Windows.
    """
    if IS_WINDOWS:
        return is_portable(name)
    return name != "" and not set(name) & (_NOWHERE | {"\\"})
