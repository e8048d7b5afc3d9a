"""What an abstraction with perfect recall costs for good: linear programmes that share no code with the package.

Of the package the canonical form of a game is read, and nothing else. ``python -m benchmarks.abstraction`` prints
the numbers, and tests/cfr/test_abstract_cfr.py holds runs against them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

from equilibrist.form.infosets import Infoset
from equilibrist.types import SequenceForm


def value_in_abstraction(form: SequenceForm, player: int, bucket: Sequence[Hashable]) -> float:
    """Return what a player gets in a sequence form of two who is bound to buckets, against anybody: a linear programme.

    The abstraction must have perfect recall. Nothing of the package is read but the canonical form.
    """
    sequences = 1 + form.num_actions
    actions = np.asarray(form.infosets.num_actions, int)
    owner = np.asarray(form.infosets.owner)
    first = 1 + np.asarray(form.first_action[:-1], int)
    parent = np.asarray(form.parent_sequence, int)
    entries = form.entries(player)
    payoff = csr_matrix(
        (entries.weight, (entries.sequence.astype(int), entries.others[0].astype(int))),
        (sequences, sequences),
    )
    own = _Sequences()
    opponent = _Sequences()
    plan_of = np.zeros(sequences, int)  # the sequence in the abstraction
    answer_of = np.zeros(sequences, int)
    for i in range(len(owner)):
        place = slice(first[i], first[i] + actions[i])
        if owner[i] == player:
            plan_of[place] = own.enter(bucket[i], plan_of[parent[i]], actions[i])
        else:
            answer_of[place] = opponent.enter(i, answer_of[parent[i]], actions[i])
    played = np.flatnonzero(plan_of)
    lifted = csr_matrix(
        (np.ones(len(played) + 1), ([0, *played], [0, *plan_of[played]])), (sequences, own.count)
    )
    answered = np.flatnonzero(answer_of)
    answers = csr_matrix(
        (np.ones(len(answered) + 1), ([0, *answer_of[answered]], [0, *answered])),
        (opponent.count, sequences),
    )
    paid = answers @ payoff.T @ lifted  # by answer and plan
    plans, plan_sums = own.rows()
    dual, dual_sums = opponent.rows()
    # max dual_sums · v over plans and v, where no answer costs less than v says.
    result = linprog(
        np.concatenate([np.zeros(own.count), -dual_sums]),
        A_ub=hstack([-paid, dual.T]),
        b_ub=np.zeros(opponent.count),
        A_eq=hstack([plans, csr_matrix((len(plan_sums), len(dual_sums)))]),
        b_eq=plan_sums,
        bounds=[(0, None)] * own.count + [(None, None)] * len(dual_sums),
        method="highs",
    )
    assert result.status == 0, result.message
    return float(-result.fun)


def floors(form: SequenceForm, find_bucket: Callable[[Infoset], Hashable]) -> tuple[float, float]:
    """Return what each player of a sequence form loses for good by an abstraction with perfect recall."""
    infosets = list(form.infosets)
    by_itself = range(len(infosets))
    names: list[Hashable] = [find_bucket(infoset) for infoset in infosets]
    buckets = [i if name is None else name for i, name in enumerate(names)]
    lost = [
        value_in_abstraction(form, player, by_itself) - value_in_abstraction(form, player, buckets)
        for player in range(2)
    ]
    return lost[0], lost[1]


class _Sequences:
    """The sequences of a player, numbered as their infosets are met, and the rows that make them plans."""

    def __init__(self) -> None:
        self.count = 1
        # By infoset: its parent, its first sequence and how many there are.
        self._first: dict[Hashable, tuple[int, int, int]] = {}

    def enter(self, infoset: Hashable, parent: int, actions: int) -> range:
        """Return the sequences of an infoset, new or seen before."""
        if infoset not in self._first:
            self._first[infoset] = parent, self.count, actions
            self.count += actions
        known_parent, first, _ = self._first[infoset]
        assert parent == known_parent, f"{infoset}: imperfect recall"
        return range(first, first + actions)

    def rows(self) -> tuple[csr_matrix, np.ndarray]:
        """Return the matrix and the right-hand side of the equations of plans."""
        matrix = np.zeros((1 + len(self._first), self.count))
        matrix[0, 0] = 1
        for row, (parent, first, actions) in enumerate(self._first.values(), 1):
            matrix[row, parent] = -1
            matrix[row, first : first + actions] = 1
        sums = np.zeros(len(matrix))
        sums[0] = 1
        return csr_matrix(matrix), sums
