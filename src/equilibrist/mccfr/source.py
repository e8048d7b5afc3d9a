"""Sources of samples: a tree of histories, public states, compiled rules or rules in Python, asked the same questions.

The histories of a sample are numbered as they are drawn: record k of ``records`` (see
:mod:`equilibrist.mccfr.draw`). A *source* has these methods, of which the last seven may be missing
where nothing is prefetched, histories have no numbers, nobody says what is public, and all infosets
have slots from the start:

``set_root(source, records, k)``
    makes record k the start of the game
``observe(source, records, k, player)``
    fills in record k: who moves, among how many actions, at which slots; at an end the payoff
    of ``player``
``chance_probability(source, records, k, n)``
    the probability of outcome n of chance at k, which was observed last
``step(source, records, k, n, new)``
    makes record ``new`` the history after move n of k
``prefetch(source, array, index)``
    asks for ``array[index]`` to be brought near
``prefetch_next(source, slots, records, k, end)``
    asks for what is going to be read after record k, which was observed, of ``end`` records
``child(source, records, k, n)``
    the number of the history after move n of k, where histories have numbers
``is_public_chance(source, records, k)``
    whether everybody sees the outcome of the chance node at k
``public_outcome(source, records, k, u, traversal)``
    the outcome of such a node, which all histories that look like k from outside share in a
    traversal, and its probability; u is uniform on [0, 1)
``insert_infoset(source, records, k)``
    the slot of the infoset at k, which may be met for the first time
``new_infosets(source, records, slots, span)``
    how many histories in records ``span[0] … span[1] - 1`` are at infosets without a slot, or
    -1 if there are too few slots for them
"""

from __future__ import annotations

import numpy as np

from .._jit.compile import by_type

set_root = by_type("set_root")
observe = by_type("observe")
chance_probability = by_type("chance_probability")
step = by_type("step")
prefetch = by_type("prefetch", lambda source, array, index: None)
prefetch_next = by_type("prefetch_next", lambda source, slots, records, k, end: None)
child = by_type("child", lambda source, records, k, n: np.int64(0))
is_public_chance = by_type("is_public_chance", lambda source, records, k: False)
public_outcome = by_type(
    "public_outcome", lambda source, records, k, u, traversal: (np.int64(-1), 1.0)
)
insert_infoset = by_type("insert_infoset", lambda source, records, k: records[k].slot)
new_infosets = by_type("new_infosets", lambda source, records, slots, span: 0)
