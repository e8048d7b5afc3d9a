"""Make the table of three-way all-ins: ``python -m benchmarks.three_way --boards 40000``.

For each three of the 169 classes of hands it estimates the share of the pot of each, and how often two of them tie for
it. Boards are sampled without replacement from the 134,459 that differ by more than their suits, each with the number
that it stands for (:mod:`benchmarks.all_in`); on a board all hands of all three players that share no card are counted,
so that the boards alone are sampled. Hands that tie are put in a random order, which gives each its share on average.
``--check`` compares with a count of all deals, one by one, on a few boards.

On a board, L_h says how many weaker hands of each class share no card with hand h. Then h wins against Σ L_h L_hᵀ pairs
of hands of two classes, less the pairs that share a card with each other, which are counted card by card.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from itertools import product

import numba
import numpy as np
from scipy.linalg.blas import ssyrk

from benchmarks.all_in import boards_up_to_suits
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS, hand_index
from equilibrist.poker.cards.hand_ranks import strengths
from equilibrist.poker.preflop.three_way import (
    FILE,
    MOST_SHARE,
    MOST_TIES,
    deals_of_classes,
    triple_numbers,
)

NUM = len(CLASSES)
_LANES = 176  # numbers of a row, of which 169 are used
_RANKS, _OF_RANK = (
    13,
    26,
)  # classes with cards of one rank: the pair, 12 suited, 12 offsuit; one is not used
_ROWS = 512  # of each class, before they are multiplied: products and sums stay whole numbers in float32
_TIES_EVERY = 4  # boards
PARTS = 24  # of the boards; each takes half a minute
PARTS_SAMPLED = 8
_BATCH = 800  # boards whose hands are ranked at a time
_SEED = 27

_CARD = np.arange(NUM_CARDS)
HAND = np.array(
    [[hand_index(a, b) if a != b else -1 for b in range(NUM_CARDS)] for a in range(NUM_CARDS)]
)
PLACE = np.where(  # of the class of two cards among those with the first one's rank
    (_CARD[:, None] % 4 == _CARD % 4) | (_CARD[:, None] // 4 == _CARD // 4),
    _CARD // 4,
    13 + _CARD // 4,
)
CLASS_AT = np.full((_RANKS, _OF_RANK), NUM)  # the class at each place; 169 where there is none
CLASS_AT[_CARD[:, None].repeat(NUM_CARDS, 1)[HAND >= 0] // 4, PLACE[HAND >= 0]] = CLASS_OF_HAND[
    HAND[HAND >= 0]
]


@numba.njit
def count_rows(order, hands, of_class, rows, filled):
    """Add the rows L_h of a board, whose possible hands are ``order``, the weakest first."""
    low = np.zeros(_LANES, np.int32)  # weaker hands by class
    low_of = np.zeros((NUM_CARDS, _LANES), np.int32)  # those that hold a card
    for h in order:
        x, y = hands[h, 0], hands[h, 1]
        row = rows[of_class[h], filled[of_class[h]]]
        filled[of_class[h]] += 1
        for k in range(_LANES):
            row[k] = low[k] - low_of[x, k] - low_of[y, k]
        row[NUM] = 1.0
        low[of_class[h]] += 1
        low_of[x, of_class[h]] += 1
        low_of[y, of_class[h]] += 1


@numba.njit
def count_ties(order, strength, hands, of_class, hand_of, count, ties):
    """Add the ties of two hands that beat a third one, by the classes of all three."""
    low = np.zeros(_LANES, np.int32)
    low_of = np.zeros((NUM_CARDS, _LANES), np.int32)
    weaker = np.zeros(len(hands), np.int32)
    first = 0
    while first < len(order):
        last = first
        while last < len(order) and strength[order[last]] == strength[order[first]]:
            last += 1
        for at in range(first, last if first else first):
            h = order[at]
            a, x, y = of_class[h], hands[h, 0], hands[h, 1]
            for after in range(at + 1, last):
                g = order[after]
                b, v, w = of_class[g], hands[g, 0], hands[g, 1]
                if v in (x, y) or w in (x, y):
                    continue
                tie = ties[min(a, b), max(a, b)]
                for k in range(_LANES):
                    tie[k] += (
                        low[k] - low_of[x, k] - low_of[y, k] - low_of[v, k] - low_of[w, k]
                    ) * count
                for card in (v, w):
                    for other in (x, y):
                        pair = hand_of[card, other]
                        tie[of_class[pair]] += weaker[pair] * count
        for at in range(first, last):
            h = order[at]
            weaker[h] = 1
            low[of_class[h]] += 1
            low_of[hands[h, 0], of_class[h]] += 1
            low_of[hands[h, 1], of_class[h]] += 1
        first = last


@numba.njit
def count_shared(order, hands, of_class, tables, count, shared):
    """Add the pairs of hands that share one card, by their classes and that of a stronger hand apart from both."""
    hand_of, place = tables
    position = np.full(len(hands), len(order))
    high = np.zeros(_LANES, np.int32)  # stronger hands by class
    high_of = np.zeros((NUM_CARDS, _LANES), np.int32)  # those that hold a card
    stronger = np.zeros(len(hands), np.int32)
    vector = np.zeros(_LANES, np.int32)
    for at in range(len(order)):
        position[order[at]] = at
    for at in range(len(order) - 1, -1, -1):
        h = order[at]
        for side in range(2):
            c, y = hands[h, side], hands[h, 1 - side]
            for k in range(_LANES):
                vector[k] = high[k] - high_of[c, k] - high_of[y, k]
            block = shared[c // 4, place[c, y]]
            for x in range(NUM_CARDS):
                if x not in (c, y) and position[hand_of[c, x]] < at:
                    target, of_x = block[place[c, x]], high_of[x]
                    for k in range(_LANES):
                        target[k] += (vector[k] - of_x[k]) * count
                    target[of_class[hand_of[x, y]]] += stronger[hand_of[x, y]] * count
        stronger[h] = 1
        high[of_class[h]] += 1
        high_of[hands[h, 0], of_class[h]] += 1
        high_of[hands[h, 1], of_class[h]] += 1


class Counts:
    """What is counted over boards: deals of three hands and a board, by the classes of the hands."""

    def __init__(self) -> None:
        self.rows = np.zeros((NUM, _ROWS, _LANES), np.float32)
        self.filled = np.zeros(NUM, np.int64)
        self.products = np.zeros((NUM, _LANES, _LANES))
        self.ties = np.zeros((NUM, NUM, _LANES), np.int32)  # modulo 2**32, as the next
        self.shared = np.zeros((_RANKS, _OF_RANK, _OF_RANK, _LANES), np.int32)

    def flush(self, count: int, full: int = 0) -> None:
        """Multiply the rows of classes with more than ``full`` of them."""
        for a in np.flatnonzero(self.filled > full):
            self.products[a] += float(count) * ssyrk(1.0, self.rows[a, : self.filled[a]].T)
            self.filled[a] = 0

    def add(
        self,
        boards: np.ndarray,
        count: int,
        rng: np.random.Generator,
        *,
        ties_every: int = _TIES_EVERY,
    ) -> None:
        """Add boards, each of which stands for ``count``."""
        for number, (board, strength) in enumerate(
            zip(boards, strengths(boards, HANDS), strict=True)
        ):
            order = rng.permutation(np.flatnonzero(~np.isin(HANDS, board).any(axis=1)))
            order = order[np.argsort(strength[order], kind="stable")]
            count_rows(order, HANDS, CLASS_OF_HAND, self.rows, self.filled)
            count_shared(order, HANDS, CLASS_OF_HAND, (HAND, PLACE), np.int32(count), self.shared)
            if number % ties_every == 0:
                weight = np.int32(ties_every * count)
                count_ties(order, strength, HANDS, CLASS_OF_HAND, HAND, weight, self.ties)
            self.flush(count, _ROWS - 12)
        self.flush(count)

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return wins[a, b, c], of a against b and c, and ties[a, b, c], of a and b that beat c."""
        products = np.rint(self.products)
        products = (np.triu(products) + np.triu(products, 1).transpose(0, 2, 1)).astype(np.int64)
        wins, each = products[:, :NUM, :NUM].copy(), np.arange(NUM)
        wins[:, each, each] -= products[:, :NUM, NUM]  # a hand with itself
        for rank in range(_RANKS):
            places = np.flatnonzero(CLASS_AT[rank] < NUM)
            classes = CLASS_AT[rank, places]
            pairs = (
                self.shared[rank][np.ix_(places, places)][..., :NUM]
                .view(np.uint32)
                .astype(np.int64)
            )
            pairs = (pairs + pairs.transpose(1, 0, 2)).transpose(2, 0, 1)
            wins[:, classes[:, None], classes] -= pairs
        ties = self.ties[..., :NUM].view(np.uint32).astype(np.int64)
        return wins, ties + ties.transpose(
            1, 0, 2
        )  # below the diagonal it was empty; on it both orders count


def part(boards: np.ndarray, counts: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the totals of one part of the sample; parts share no board."""
    rng, total = np.random.default_rng([_SEED, number]), Counts()
    order = np.random.default_rng(_SEED).permutation(len(boards))[number::PARTS]
    for count in np.unique(counts):
        alike = order[counts[order] == count]
        for first in range(0, len(alike), _BATCH):
            total.add(boards[alike[first : first + _BATCH]], int(count), rng)
    return total.totals()


def estimate(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of the classes of each triple, shape (3, triples), and the ties of two, shape (3, triples)."""
    wins, ties = (sum(arrays) for arrays in zip(*parts, strict=True))
    i, j, k = triple_numbers()
    won = np.stack([wins[i, j, k], wins[j, i, k], wins[k, i, j]]).astype(np.float64)
    deals = won.sum(axis=0)
    tied = np.stack([ties[i, j, k], ties[i, k, j], ties[j, k, i]]) / np.maximum(deals, 1)
    for alike, first, second in (
        (i == j, 0, 1),
        (j == k, 1, 2),
    ):  # of equal classes neither is the first
        won[first, alike] = won[second, alike] = (won[first, alike] + won[second, alike]) / 2
    won[:, ((i == j) & (j == k)) | (deals == 0)] = (
        1.0  # no deals: three hands would need a card twice
    )
    return won / won.sum(axis=0), np.minimum(tied, 1)


def check() -> None:
    """Compare the counts of two boards with all deals of some classes, one by one."""
    rng, names = np.random.default_rng(1), ("AA", "AKs", "AKo", "KK", "22", "A2o", "QJo", "JTs")
    boards = np.array([rng.choice(NUM_CARDS, 5, replace=False) for _ in range(2)])
    ranked, place, total = (
        strengths(boards, HANDS).astype(int),
        np.full((2, len(HANDS)), -1),
        Counts(),
    )
    total.add(boards, 12, np.random.default_rng(2), ties_every=1)
    wins, ties = total.totals()
    shuffle = np.random.default_rng(2)
    for number, board in enumerate(boards):
        order = shuffle.permutation(np.flatnonzero(~np.isin(HANDS, board).any(axis=1)))
        place[number, order[np.argsort(ranked[number, order], kind="stable")]] = np.arange(
            len(order)
        )
    for classes in product([CLASSES.index(name) for name in names], repeat=3):
        won = tied = 0
        for hands in product(*(np.flatnonzero(each == CLASS_OF_HAND) for each in classes)):
            for number, board in enumerate(boards):
                if len({*HANDS[list(hands)].ravel().tolist(), *board.tolist()}) == 11:
                    first, second, third = place[number, list(hands)]
                    won += first > second and first > third
                    of_first, of_second, of_third = ranked[number, list(hands)]
                    tied += of_first == of_second > of_third
        assert (12 * won, 12 * tied) == (wins[classes], ties[classes]), [
            CLASSES[each] for each in classes
        ]


def main() -> None:
    """Sample, write the table, and tell its standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--parts", type=int, default=PARTS_SAMPLED, help=f"parts of the boards, of {PARTS}"
    )
    parser.add_argument(
        "--check", action="store_true", help="only compare two boards with all deals, one by one"
    )
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    began, (boards, counts) = time.perf_counter(), boards_up_to_suits()
    parts = []
    for number in range(arguments.parts):
        parts.append(part(boards, counts, number))
        print(
            f"part {number + 1} of {arguments.parts}, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return write(parts)


def write(parts: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Write the table, and tell its standard error by the parts, none of which shares a board with another."""
    shares, ties = estimate(parts)
    whole = np.rint(shares[:2] * MOST_SHARE).astype(np.uint16)
    np.savez_compressed(FILE, shares=whole, ties=np.rint(ties * MOST_TIES).astype(np.uint8))
    print(f"{FILE.stat().st_size:,} bytes, sha256 {hashlib.sha256(FILE.read_bytes()).hexdigest()}")
    if len(parts) > 1:
        i, j, k = triple_numbers()
        spread = np.std([estimate([each])[0] for each in parts], axis=0, ddof=1).max(axis=0)
        error = spread * np.sqrt((1 - len(parts) / PARTS) / len(parts))
        quantiles = np.quantile(error[deals_of_classes()[i, j, k] > 0], (0.5, 0.99, 1.0))
        print("standard error of shares, median, 99% and largest:", quantiles)


if __name__ == "__main__":
    main()
