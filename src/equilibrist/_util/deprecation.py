"""How a public name or keyword goes: the old one works on, warns, and says what to use instead and when it goes.

docs/stability.md promises for how long. All warnings are of one class.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ..errors import AlgorithmError, EquilibristDeprecationWarning

P = ParamSpec("P")
R = TypeVar("R")


def warn_of_old_name(old: str, new: str, *, last_version: str, level: int) -> None:
    """Warn that something has another name, and goes after a version.

    ``level`` says whose line is named: 1 that of whoever calls this function, 2 that of its caller.
    """
    warnings.warn(
        f"{old} is {new} now; the old name goes after version {last_version}.",
        EquilibristDeprecationWarning,
        stacklevel=level + 1,
    )


def accept_old_keyword(
    old: str, new: str, *, last_version: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of a function that takes a keyword by its old name as well, and warns of it.

    Raises
    ------
    AlgorithmError
        When the function is called with both.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__

        @wraps(function)
        def accept(*args: P.args, **kwargs: P.kwargs) -> R:
            if old in kwargs:
                if new in kwargs:
                    raise AlgorithmError(
                        f"{name}: {old}= is the old name of {new}=; give one of them.",
                        wrong_use=True,
                    )
                warn_of_old_name(
                    f"{name}({old}=)", f"{name}({new}=)", last_version=last_version, level=2
                )
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return accept

    return decorate
