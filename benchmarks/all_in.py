"""Make the table of all-in wins: ``python -m benchmarks.all_in``, 70 s of one core.

For each two of the 169 classes of hands it counts, over all pairs of their hands that share no card and all 1,712,304
boards of each, how often the first one wins. Boards that differ by suits alone are counted once with their number: that
leaves 134,459 of 2,598,960, as a permutation of the suits moves no hand out of its class. The number of ties follows
from the wins of both, so that it is not stored.
"""

from __future__ import annotations

import hashlib
import time
from itertools import combinations, islice

import numba
import numpy as np

from equilibrist.poker.cards.cards import CLASS_OF_HAND, HANDS, NUM_CARDS, SUIT_PERMUTATIONS
from equilibrist.poker.cards.hand_ranks import strengths
from equilibrist.poker.preflop.all_in import FILE, total_all_in

_PART = 200_000  # boards of five cards whose suits are moved at a time
_BATCH = 500  # boards whose hands are ranked at a time


def boards_up_to_suits() -> tuple[np.ndarray, np.ndarray]:
    """Return a board of each class of suits, shape (134459, 5), and how many boards each stands for."""
    every = combinations(range(NUM_CARDS), 5)
    keys = []
    while part := list(islice(every, _PART)):
        bits = (1 << SUIT_PERMUTATIONS[:, np.array(part)]).sum(axis=2)
        keys.append(bits.min(axis=0))
    least, counts = np.unique(np.concatenate(keys), return_counts=True)
    return np.nonzero((least[:, None] >> np.arange(NUM_CARDS)) & 1)[1].reshape(-1, 5), counts


@numba.njit
def add_wins(strength, order, hands, of_class, holding, count, wins):
    """Add the wins of a board, a number for each pair of classes, to ``wins``; ``order`` has the weakest hand first."""
    weaker = np.zeros(169, np.int64)  # hands weaker than the one at hand, by class
    is_weaker = np.zeros(len(hands), np.bool_)
    first = 0
    while first < len(order):
        last = first
        while last < len(order) and strength[order[last]] == strength[order[first]]:
            last += 1
        for place in range(first, last):
            hand = order[place]
            row = wins[of_class[hand]]
            for other in range(169):
                row[other] += count * weaker[other]
            for card in hands[hand]:
                for other in holding[card]:  # no hand weaker than itself: none is taken off twice
                    if is_weaker[other]:
                        row[of_class[other]] -= count
        for place in range(first, last):
            is_weaker[order[place]] = True
            weaker[of_class[order[place]]] += 1
        first = last


def table() -> np.ndarray:
    """Return the wins of each class against each other, shape (169, 169)."""
    boards, counts = boards_up_to_suits()
    holding = np.array([np.flatnonzero((card == HANDS).any(axis=1)) for card in range(NUM_CARDS)])
    wins = np.zeros((169, 169), np.int64)
    for first in range(0, len(boards), _BATCH):
        batch = boards[first : first + _BATCH]
        ranked = strengths(batch, HANDS)
        for board, strength, count in zip(
            batch, ranked, counts[first : first + _BATCH], strict=True
        ):
            order = np.argsort(strength, kind="stable")
            possible = ~np.isin(HANDS[order], board).any(axis=1)
            add_wins(strength, order[possible], HANDS, CLASS_OF_HAND, holding, count, wins)
    return wins


if __name__ == "__main__":
    began = time.perf_counter()
    wins = table()
    ties = total_all_in() - wins - wins.T
    assert (ties >= 0).all()
    assert wins.max() < 2**31
    np.save(FILE, wins.astype("<i4"))
    print(
        f"{time.perf_counter() - began:.0f} s, sha256 {hashlib.sha256(FILE.read_bytes()).hexdigest()}"
    )
