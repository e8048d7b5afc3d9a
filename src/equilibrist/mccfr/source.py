"""Where samples are drawn from: a tree of histories, compiled rules, or rules in Python, all by the same questions.

The histories of a sample are numbered as they are drawn (see :mod:`equilibrist.mccfr.kernels`). A *source* answers:

=========================================  ==========================================================================
``set_out(source, drawn, k)``               makes record k the start of the game
``look(source, drawn, k, player)``         fills in record k: who moves, among how many actions, at which slots; at
                                           an end the payoff of ``player``
``chance(source, drawn, k, n)``            the probability of outcome n of chance at k, the history looked at last
``step(source, drawn, k, n, new)``         makes record ``new`` the history after move n of k
``child(source, drawn, k, n)``             the number of the history after move n of k, where histories have numbers
``agree(source, drawn, k, u, number)``     the outcome of a public chance node which all histories like k share in
                                           traversal ``number``, and its probability; u is uniform on [0, 1)
``enter(source, drawn, k)``                the slot of the infoset at k, which may be met for the first time
``new_infosets(source, drawn, slots, end)``   how many histories of a sample are at infosets without a slot, or -1 if
                                           there are too few slots for them
=========================================  ==========================================================================

Compiled code finds the answer by the type of the source when it is compiled; in Python the same table is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba.extending import overload

from .._jit.compile import INLINED

UNKNOWN = 2**32 - 1
"""The slot of an infoset that is not in the table yet."""

SOURCES: dict[type, Mapping[str, Callable[..., Any]]] = {}
"""The answers of each kind of source; the modules that define the kinds fill it."""


def _question(name: str) -> Callable[..., Any]:
    """Return the function that puts a question to a source."""

    def ask(source: Any, *rest: Any) -> Any:
        return SOURCES[type(source)][name](source, *rest)

    # Inside compiled code the arguments are types, and that of a named tuple knows its class.
    overload(ask, jit_options=INLINED, strict=False)(lambda source, *rest: SOURCES[source.instance_class][name])
    return ask


set_out = _question("set_out")
look = _question("look")
chance = _question("chance")
step = _question("step")
child = _question("child")
agree = _question("agree")
enter = _question("enter")
new_infosets = _question("new_infosets")


def _known_slot(source: Any, drawn: Any, k: Any) -> Any:
    return drawn[k].slot


def _nobody_new(source: Any, drawn: Any, slots: Any, end: Any) -> Any:
    return 0


def _no_number(source: Any, drawn: Any, k: Any, n: Any) -> Any:
    return np.int64(0)


ALL_KNOWN: Mapping[str, Callable[..., Any]] = {"enter": _known_slot, "new_infosets": _nobody_new}
"""The answers where all infosets have slots from the start."""

NO_NUMBERS: Mapping[str, Callable[..., Any]] = {"child": _no_number}
"""The answer where histories have no numbers."""
