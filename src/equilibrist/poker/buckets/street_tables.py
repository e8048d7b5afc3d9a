"""Buckets of all hands of hold'em on a street: features of each hand up to suits, clusters, and a table by number.

Hands are described board by board, of boards up to suits, against an opponent who may hold any
hand. Where the features of all of them would not fit, the clusters are found on a sample of boards,
and then every hand is given to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, islice
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..._util.processes import cores
from ..cards.cards import CLASS_OF_HAND, HANDS, NUM_CARDS, NUM_HANDS, SUIT_PERMUTATIONS
from ..cards.hand_ranks import strengths
from ..preflop.all_in import load_all_in
from .clustering import Clustering, cluster_hands
from .features import (
    OPPONENT_CLUSTERS,
    Features,
    describe_by_buckets,
    mean_equities,
    round_features,
)
from .hand_index import HandIndexer
from .k_means import EUCLIDEAN, Singles, assign_points, find_clusters
from .outcomes import Outcomes, Side, find_outcomes

STREETS = ("preflop", "flop", "turn", "river")
PUBLIC = (0, 3, 4, 5)
"""How many cards are public on each street."""
COMPLETE = 5
MOST_FITTED = 1_400_000
"""Hands on which clusters are found: all of the flop; of the turn and the river, a sample of boards."""
BOARDS_AT_ONCE = 1_176
"""Complete boards whose hands are compared in one call."""

Say = Callable[[str], None]


class Described(NamedTuple):
    """Hands with what tells them apart, each up to suits once.

    Attributes
    ----------
    number : int array, shape (hands,)
        The number of each hand up to suits.
    points : float32 array, shape (hands, dimensions)
        Its features.
    weight : float64 array, shape (hands,)
        How many hands it stands for.
    equity : float64 array, shape (hands,)
        Its equity.
    """

    number: Ints
    points: Singles
    weight: Floats
    equity: Floats


class StreetTable(NamedTuple):
    """Buckets of a street.

    Attributes
    ----------
    bucket : uint16 array, shape (hands up to suits,)
        The bucket of each hand, from the weakest to the strongest.
    position : float64 array, shape (buckets,)
        The mean equity of the hands of each bucket.
    """

    bucket: NDArray[np.uint16]
    position: Floats


@cache
def street_indexer(street: int) -> HandIndexer:
    """Return what numbers the hands of a street up to suits: private cards, and the board as a set."""
    if PUBLIC[street] == 0:
        return HandIndexer((2,))
    return HandIndexer((2, PUBLIC[street]))


class Boards(NamedTuple):
    """Boards up to suits: the cards of each, shape (boards, cards), and how many boards it stands for."""

    cards: Ints
    copies: Ints


@cache
def list_boards(public: int) -> Boards:
    """Return the boards of so many cards up to suits."""
    if public == 0:
        return Boards(np.empty((1, 0), np.int64), np.ones(1, np.int64))
    indexer = HandIndexer((public,))
    boards = indexer.hands(np.arange(indexer.size))
    images = np.sort(SUIT_PERMUTATIONS[:, boards], axis=2)
    keys = images @ (NUM_CARDS ** np.arange(public))
    alike = (keys == keys[0]).sum(axis=0)
    return Boards(boards, len(SUIT_PERMUTATIONS) // alike)


class Describer:
    """Tells what hands of a street are like, board by board.

    Parameters
    ----------
    street : int
        0 to 3: before the flop, on the flop, on the turn, on the river.
    features : Features
        What tells hands apart.
    following : StreetTable or None
        The buckets of the next street, where features need them.
    seed : int
        Of the clusters of the opponent's hands.
    """

    def __init__(
        self, street: int, features: Features, following: StreetTable | None, seed: int
    ) -> None:
        self.street = street
        self.features = features
        self.following = following
        self.weights = [np.ones(NUM_HANDS)]
        if features.needs_clusters:
            labels = cluster_opponents(seed)
            self.weights += [(labels == label).astype(float) for label in range(labels.max() + 1)]

    def describe(self, boards: Ints) -> list[tuple[Ints, Singles, Floats]]:
        """Return, for each board, its possible hands, their features and their equities."""
        run_outs = [_list_run_outs(board) for board in boards]
        complete = np.concatenate(run_outs)
        side = _make_side(complete)
        outcomes = [find_outcomes(side, side, weight, NUM_CARDS) for weight in self.weights]
        described = []
        first = 0
        for board, rows in zip(boards, run_outs, strict=True):
            possible = np.flatnonzero(~(HANDS[:, :, None] == board).any(axis=(1, 2)))
            part = slice(first, first + len(rows))
            on_board = [
                Outcomes(each.equity[part, possible], each.weight[part, possible])
                for each in outcomes
            ]
            described.append((possible, *self._describe(board, possible, on_board)))
            first += len(rows)
        return described

    def _describe(
        self, board: Ints, hands: Ints, outcomes: list[Outcomes]
    ) -> tuple[Singles, Floats]:
        """Return features and equities of hands on a board."""
        equity = mean_equities(outcomes[0])
        if self.following is not None:
            numbers = self._describe_next(board, hands, self.following)
        elif self.features.needs_clusters:
            numbers = self.features.describe(outcomes[1:])
        else:
            numbers = self.features.describe(outcomes[:1])
        return round_features(numbers), equity

    def _describe_next(self, board: Ints, hands: Ints, following: StreetTable) -> Floats:
        """Return how the buckets of the next street are distributed for hands on a board."""
        indexer = street_indexer(self.street + 1)
        dealt = PUBLIC[self.street + 1] - len(board)
        left = [card for card in range(NUM_CARDS) if card not in board]
        bucket = []
        weight = []
        for cards in combinations(left, dealt):
            is_free = ~(HANDS[hands][:, :, None] == np.array(cards)).any(axis=(1, 2))
            number = np.zeros(len(hands), np.int64)
            whole = np.empty((int(is_free.sum()), indexer.num_cards), np.int64)
            whole[:, :2] = HANDS[hands][is_free]
            whole[:, 2:] = (*board.tolist(), *cards)
            number[is_free] = following.bucket[indexer.index(whole)]
            bucket.append(number)
            weight.append(is_free.astype(float))
        return describe_by_buckets(np.array(bucket), np.array(weight), following.position)


def _list_run_outs(board: Ints) -> Ints:
    """Return the complete boards that may follow on a board, shape (run-outs, 5)."""
    dealt = COMPLETE - len(board)
    left = [card for card in range(NUM_CARDS) if card not in board]
    run_outs = list(combinations(left, dealt))
    rows = np.empty((len(run_outs), COMPLETE), np.int64)
    rows[:, : len(board)] = board
    rows[:, len(board) :] = np.array(run_outs, np.int64).reshape(len(run_outs), dealt)
    return rows


def _make_side(boards: Ints) -> Side:
    """Return all hands on complete boards."""
    bits = (np.int64(1) << boards).sum(axis=1)
    hand_bits = (np.int64(1) << HANDS).sum(axis=1)
    blocked = (bits[:, None] & hand_bits) != 0
    return Side(HANDS, strengths(boards, HANDS).astype(np.int64), blocked)


@cache
def cluster_opponents(seed: int) -> Ints:
    """Return the cluster of each of the 1,326 hands by its equity before the flop, the weakest first."""
    equity = preflop_equities()
    points = round_features(equity[:, None])
    centres = find_clusters(
        points,
        np.ones(NUM_HANDS),
        OPPONENT_CLUSTERS,
        distance=EUCLIDEAN,
        seed=seed,
    ).centres
    labels, _ = assign_points(points, np.sort(centres, axis=0), distance=EUCLIDEAN)
    return labels.astype(np.int64)


@cache
def preflop_equities() -> Floats:
    """Return the equity of each of the 1,326 hands against any hand, shape (1326,), by the counts of all boards."""
    table = load_all_in()
    by_class = (table.equity * table.pairs).sum(axis=1) / table.pairs.sum(axis=1)
    equities: Floats = by_class[CLASS_OF_HAND]
    return equities


def build_table(
    street: int,
    *,
    count: int,
    features: Features,
    following: StreetTable | None,
    seed: int,
    say: Say,
) -> StreetTable:
    """Return the buckets of all hands of a street.

    Parameters
    ----------
    street : int
        0 to 3: before the flop, on the flop, on the turn, on the river.
    count : int
        How many buckets at most.
    features : Features
        What tells hands apart.
    following : StreetTable or None
        The buckets of the next street, where features need them.
    seed : int
        Of the sample of boards and of the clusters.
    say : function
        Is told in a few words how far it is.
    """
    indexer = street_indexer(street)
    if street == 0 and count >= indexer.size:
        return _tell_all_apart()
    if street == 0:
        described = describe_preflop(features, following, seed)
        clustering = _cluster(described, count=count, features=features, seed=seed, say=say)
        bucket = np.zeros(indexer.size, np.uint16)
        bucket[described.number] = clustering.assign(described.points)
        return StreetTable(bucket, clustering.position)
    boards = list_boards(PUBLIC[street])
    describer = Describer(street, features, following, seed)
    chosen = _choose_boards(street, len(boards.cards), seed)
    parts = []
    done = 0
    for part in _describe_boards(describer, boards, chosen):
        parts.append(part)
        done += len(part.number)
        say(f"{STREETS[street]}: {done:,} hands described")
    described = _join(parts)
    del parts
    clustering = _cluster(
        described,
        count=count,
        features=features,
        seed=seed,
        say=lambda text: say(f"{STREETS[street]}: {text}"),
    )
    bucket = np.zeros(indexer.size, np.uint16)
    if len(chosen) == len(boards.cards):
        bucket[described.number] = clustering.assign(described.points)
        return StreetTable(bucket, clustering.position)
    done = 0
    for part in _describe_boards(describer, boards, np.arange(len(boards.cards))):
        bucket[part.number] = clustering.assign(part.points)
        done += len(part.number)
        say(f"{STREETS[street]}: {done:,} of {indexer.size:,} hands given to buckets")
    return StreetTable(bucket, clustering.position)


def _tell_all_apart() -> StreetTable:
    """Return a bucket for each of the 169 hands before the flop, by their equities."""
    number_of_hand = street_indexer(0).index(HANDS)
    _, first = np.unique(number_of_hand, return_index=True)
    equity = preflop_equities()[first]
    order = np.argsort(equity, kind="stable")
    bucket = np.empty(len(order), np.uint16)
    bucket[order] = np.arange(len(order))
    return StreetTable(bucket, equity[order])


def _cluster(
    described: Described, *, count: int, features: Features, seed: int, say: Say
) -> Clustering:
    """Return the clusters of hands that are described."""
    return cluster_hands(
        described.points,
        described.weight,
        described.equity,
        count=count,
        features=features,
        seed=seed,
        say=say,
    )


def _choose_boards(street: int, boards: int, seed: int) -> Ints:
    """Return the boards on whose hands clusters are found, in ascending order: all, or a sample of them."""
    hands = comb(NUM_CARDS - PUBLIC[street], 2)
    most = max(1, MOST_FITTED // hands)
    if street == 1 or boards <= most:
        return np.arange(boards)
    source = np.random.default_rng([seed, street])
    order = np.argsort(source.random(boards), kind="stable")
    return np.sort(order[:most])


def _describe_boards(describer: Describer, boards: Boards, numbers: Ints) -> Iterator[Described]:
    """Yield the hands on boards of these numbers, in their order, some boards at a time, on all cores."""
    indexer = street_indexer(describer.street)
    run_outs = comb(NUM_CARDS - boards.cards.shape[1], COMPLETE - boards.cards.shape[1])
    at_once = max(1, BOARDS_AT_ONCE // run_outs)

    def describe(batch: Ints) -> Described:
        of_boards = describer.describe(boards.cards[batch])
        parts = []
        for number, (hands, points, equity) in zip(batch.tolist(), of_boards, strict=True):
            whole = np.empty((len(hands), indexer.num_cards), np.int64)
            whole[:, :2] = HANDS[hands]
            whole[:, 2:] = boards.cards[number]
            keys, first, times = np.unique(
                indexer.index(whole), return_index=True, return_counts=True
            )
            weight = times.astype(np.float64) * boards.copies[number]
            parts.append(Described(keys, points[first], weight, equity[first]))
        return _join(parts)

    batches = iter([numbers[first : first + at_once] for first in range(0, len(numbers), at_once)])
    threads = cores()
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(describe, batch) for batch in islice(batches, 2 * threads)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(describe, batch) for batch in islice(batches, 1)]


def _join(parts: Sequence[Described]) -> Described:
    """Return parts as one."""
    columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Described(*columns)


def describe_preflop(features: Features, following: StreetTable | None, seed: int) -> Described:
    """Return the 169 hands before the flop; the hands of a class on all boards up to suits are as one on all boards."""
    indexer = street_indexer(0)
    number_of_hand = indexer.index(HANDS)
    equity = preflop_equities()
    points: list[Singles] = []
    classes = range(indexer.size)
    if following is not None:
        points = _describe_classes_by_buckets(number_of_hand, following)
    else:
        describer = Describer(0, features, None, seed)
        for first in range(0, len(classes), _CLASSES_AT_ONCE):
            some = classes[first : first + _CLASSES_AT_ONCE]
            points += _describe_classes(number_of_hand, some, describer)
    _, representative, copies = np.unique(number_of_hand, return_index=True, return_counts=True)
    return Described(
        np.arange(indexer.size),
        np.stack(points),
        copies.astype(float),
        equity[representative],
    )


_CLASSES_AT_ONCE = 12


def _describe_classes(
    number_of_hand: Ints, classes: Sequence[int], describer: Describer
) -> list[Singles]:
    """Return the features of some classes of hands before the flop, over all boards."""
    boards = list_boards(COMPLETE)
    everyone = _make_side(boards.cards)
    hands = np.flatnonzero(np.isin(number_of_hand, classes))
    side = Side(
        HANDS[hands],
        np.ascontiguousarray(everyone.strength[:, hands]),
        np.ascontiguousarray(everyone.blocked[:, hands]),
    )
    outcomes = [find_outcomes(side, everyone, weights, NUM_CARDS) for weights in describer.weights]
    if len(outcomes) > 1:
        outcomes = outcomes[1:]
    points = []
    for number in classes:
        columns = np.flatnonzero(number_of_hand[hands] == number)
        on_board = [
            Outcomes(
                each.equity[:, columns].reshape(-1, 1),
                (each.weight[:, columns] * boards.copies[:, None]).reshape(-1, 1),
            )
            for each in outcomes
        ]
        points.append(round_features(describer.features.describe(on_board))[0])
    return points


def _describe_classes_by_buckets(number_of_hand: Ints, following: StreetTable) -> list[Singles]:
    """Return how the buckets of the flop are distributed for each class of hands before the flop."""
    boards = list_boards(PUBLIC[1])
    indexer = street_indexer(1)
    buckets = len(following.position)
    classes = int(number_of_hand.max()) + 1
    chances = np.zeros(classes * buckets)
    for board, copies in zip(boards.cards, boards.copies.tolist(), strict=True):
        hands = np.flatnonzero(~(HANDS[:, :, None] == board).any(axis=(1, 2)))
        whole = np.hstack([HANDS[hands], np.broadcast_to(board, (len(hands), len(board)))])
        place = number_of_hand[hands] * buckets + following.bucket[indexer.index(whole)]
        chances += copies * np.bincount(place, minlength=len(chances))
    numbers = [
        describe_by_buckets(np.arange(buckets)[:, None], of_class[:, None], following.position)
        for of_class in chances.reshape(classes, buckets)
    ]
    return [round_features(each)[0] for each in numbers]
