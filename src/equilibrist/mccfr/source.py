"""Sources of samples: a tree of histories, public states, compiled rules or rules in Python, asked the same questions.

The histories of a sample are numbered as they are drawn: record k of ``records`` (see :mod:`equilibrist.mccfr.draw`). A
*source* answers:

============================================  =======================================================================
``set_root(source, records, k)``              makes record k the start of the game
``observe(source, records, k, player)``       fills in record k: who moves, among how many actions, at which slots; at
                                              an end the payoff of ``player``
``chance_probability(source, records, k, n)`` the probability of outcome n of chance at k, which was observed last
``step(source, records, k, n, new)``          makes record ``new`` the history after move n of k
``child(source, records, k, n)``              the number of the history after move n of k, where histories have numbers
``is_public_chance(source, records, k)``      whether everybody sees the outcome of the chance node at k
``public_outcome(source, records, k, u,       the outcome of such a node, which all histories that look like k from
traversal)``                                  outside share in a traversal, and its probability; u is uniform on [0, 1)
``insert_infoset(source, records, k)``        the slot of the infoset at k, which may be met for the first time
``new_infosets(source, records, slots, span)`` how many histories in records ``span[0] … span[1] - 1`` are at infosets
                                              without a slot, or -1 if there are too few slots for them
============================================  =======================================================================

Compiled code finds the answer by the type of the source when it is compiled; in Python the same table is looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._jit.compile import Functions, by_type

SOURCES: Functions = {}
"""The answers of each kind of source; the modules that define the kinds fill it."""

set_root = by_type(SOURCES, "set_root")
observe = by_type(SOURCES, "observe")
chance_probability = by_type(SOURCES, "chance_probability")
step = by_type(SOURCES, "step")
child = by_type(SOURCES, "child")
is_public_chance = by_type(SOURCES, "is_public_chance")
public_outcome = by_type(SOURCES, "public_outcome")
insert_infoset = by_type(SOURCES, "insert_infoset")
new_infosets = by_type(SOURCES, "new_infosets")


def _known_slot(source: Any, records: Any, k: Any) -> Any:
    return records[k].slot


def _none_new(source: Any, records: Any, slots: Any, span: Any) -> Any:
    return 0


def _no_number(source: Any, records: Any, k: Any, n: Any) -> Any:
    return np.int64(0)


def _never_public(source: Any, records: Any, k: Any) -> Any:
    return False


def _no_outcome(source: Any, records: Any, k: Any, u: Any, traversal: Any) -> Any:
    return np.int64(-1), 1.0


ALL_KNOWN: Mapping[str, Callable[..., Any]] = {"insert_infoset": _known_slot, "new_infosets": _none_new}
"""The answers where all infosets have slots from the start."""

NO_NUMBERS: Mapping[str, Callable[..., Any]] = {"child": _no_number}
"""The answer where histories have no numbers."""

NOT_PUBLIC: Mapping[str, Callable[..., Any]] = {"is_public_chance": _never_public, "public_outcome": _no_outcome}
"""The answers where rules do not say what everybody sees."""
