"""Buckets of the hands of a card game: on its board and all its run-outs, against the other player's range."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..._util.text import short_repr
from ...errors import GameError
from ...form.infosets import Infoset
from ...game.card_game import CardGame
from .clustering import Clustering, cluster_hands
from .features import (
    OPPONENT_CLUSTERS,
    Features,
    describe_by_buckets,
    mean_equities,
    round_features,
)
from .k_means import EUCLIDEAN, assign_points, find_clusters
from .outcomes import Outcomes, Side, find_outcomes

MOST_OUTCOMES = 60_000_000
"""Pairs of a hand and a complete board that are held in memory at once, some 50 bytes each."""

MOST_CARDS = 63
"""Cards of a deck of which sets are 64 bits."""


class BoardHands(NamedTuple):
    """The hands of a player on the boards of a street.

    Attributes
    ----------
    number : dict of tuple of int to int
        The number of each board, by its cards in ascending order.
    bucket : int32 array, shape (boards, hands)
        The bucket of each hand; of one that the board blocks, any.
    clustering : Clustering
        What the buckets are.
    """

    number: dict[tuple[int, ...], int]
    bucket: NDArray[np.int32]
    clustering: Clustering


class GameBuckets:
    """The map of the infosets of a card game to buckets: a function of an infoset, for any form of the game.

    A bucket is the player, how many cards are public, the bucket of the hand among all hands on all
    boards of the street, and the line of betting. So players forget what their hand was before.

    Parameters
    ----------
    game : CardGame
        The cards of the game.
    name : str
        What the map is called.
    counts : list of int
        How many buckets there are at most on each street of the game, from its start on.
    features : Features
        What tells hands apart.
    seed : int
        Of the clusters.
    """

    def __init__(
        self, game: CardGame, *, name: str, counts: list[int], features: Features, seed: int
    ) -> None:
        self.__name__ = name
        self.game = game
        self.counts = counts
        self.features = features
        self.seed = seed
        dealt = np.concatenate([[0], np.cumsum(game.streets)]).astype(int).tolist()
        self.dealt = dealt
        self._cards = [np.array(hands) for hands in game.deal.hands]
        self._check_size()
        names = sorted(game.cards, key=len, reverse=True)
        self._card = re.compile("|".join(map(re.escape, names)))
        self._number_of_card = {card: number for number, card in enumerate(game.cards)}
        self._number_of_hand = [
            {hand: number for number, hand in enumerate(names)} for names in game.hands
        ]
        self._length = [max(map(len, names)) for names in game.hands]
        self._parts: dict[str, tuple[tuple[int, ...], str]] = {}

    def _check_size(self) -> None:
        """Refuse hands of more than two cards, and more run-outs than memory holds."""
        game = self.game
        held = self._cards[0].shape[1]
        if game.deal.cards > MOST_CARDS:
            raise GameError(
                f"Buckets are for decks of up to {MOST_CARDS} cards; {game} has {game.deal.cards}. "
                "Write a map of your own.",
                wrong_use=True,
                field="map",
            )
        if held > 2:
            raise GameError(
                f"Buckets are for hands of one card or two; {game} has hands of {held}. Write a map "
                "of your own.",
                wrong_use=True,
                field="map",
            )
        boards = comb(game.deal.cards - len(game.board), self.dealt[-1])
        outcomes = boards * max(map(len, self._cards))
        if outcomes > MOST_OUTCOMES:
            raise GameError(
                f"{game} has {boards:,} complete boards, with {outcomes:,} hands: at most "
                f"{MOST_OUTCOMES:,} fit. Begin on the flop or later.",
                wrong_use=True,
                field="map",
            )

    def __call__(self, infoset: Infoset) -> tuple[int, int, int, str]:
        """Return the bucket of an infoset: player, public cards, bucket of the hand, line."""
        player, key, _ = infoset
        hand, rest = self._split_hand(player, key)
        if rest not in self._parts:
            self._parts[rest] = self._split_board(rest)
        board, line = self._parts[rest]
        street = self._street_of(len(board))
        of_street = self.buckets(player, street)
        bucket = int(of_street.bucket[of_street.number[board], hand])
        return player, len(board), bucket, line

    def _split_hand(self, player: int, key: str) -> tuple[int, str]:
        """Return the number of the hand that the name of an infoset begins with, and what follows it."""
        numbers = self._number_of_hand[player]
        for length in range(self._length[player], 0, -1):
            hand = numbers.get(key[:length])
            if hand is not None:
                return hand, key[length:]
        raise GameError(
            f"The infoset {key!r} of player {player} does not begin with the name of a hand, such as "
            f"{short_repr(self.game.hands[player][0])}, so that buckets cannot tell what it holds. "
            "Write a map of your own.",
            wrong_use=True,
            field="map",
        )

    def _split_board(self, rest: str) -> tuple[tuple[int, ...], str]:
        """Return the public cards in the name of an infoset, in ascending order, and the line without them."""
        shown = {self._number_of_card[name] for name in self._card.findall(rest)}
        board = tuple(sorted({*self.game.board, *shown}))
        return board, self._card.sub("", rest)

    def _street_of(self, public: int) -> int:
        """Return the number of the street on which so many cards are public."""
        street: int = self.dealt.index(public - len(self.game.board))
        return street

    def buckets(self, player: int, street: int) -> BoardHands:
        """Return the buckets of the hands of a player on a street of the game, counted from its start."""
        key = player, street
        if key not in self._found:
            self._found[key] = self._find_buckets(player, street)
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[int, int], BoardHands]:
        return {}

    @cached_property
    def _complete_boards(self) -> Ints:
        """All complete boards, the cards of each in ascending order, shape (boards, public cards)."""
        return self._list_boards(len(self.dealt) - 1)

    def _list_boards(self, street: int) -> Ints:
        """Return the boards of a street, the cards of each in ascending order, shape (boards, public cards)."""
        start = self.game.board
        left = [card for card in range(self.game.deal.cards) if card not in start]
        shown = combinations(left, self.dealt[street])
        boards = [sorted((*start, *cards)) for cards in shown]
        return np.array(boards, np.int64).reshape(len(boards), len(start) + self.dealt[street])

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        """The hands of both players on all complete boards."""
        boards = self._complete_boards
        strengths = [np.asarray(values, np.int64) for values in self.game.strengths(boards)]
        _, ranks = np.unique(np.concatenate([s.ravel() for s in strengths]), return_inverse=True)
        first = ranks[: strengths[0].size].reshape(strengths[0].shape)
        second = ranks[strengths[0].size :].reshape(strengths[1].shape)
        sides = [
            Side(cards, np.ascontiguousarray(strength, np.int64), _find_blocked(boards, cards))
            for cards, strength in zip(self._cards, (first, second), strict=True)
        ]
        return sides[0], sides[1]

    def _outcomes(self, player: int, weights: Floats) -> Outcomes:
        """Return what the hands of a player come to against weighed hands of the other."""
        sides = self._sides
        return find_outcomes(sides[player], sides[1 - player], weights, self.game.deal.cards)

    @cached_property
    def _against_range(self) -> list[Outcomes]:
        """What the hands of each player come to against the other's range."""
        weights = self.game.deal.weights
        return [self._outcomes(player, weights[1 - player]) for player in range(2)]

    @cached_property
    def _against_clusters(self) -> list[list[Outcomes]]:
        """What the hands of each player come to against each cluster of the other's range."""
        return [self._outcomes_against_clusters(player) for player in range(2)]

    def _outcomes_against_clusters(self, player: int) -> list[Outcomes]:
        """Return what the hands of a player come to against each of the clusters of the other's equities."""
        other = 1 - player
        outcomes = self._against_range[other]
        weights = self.game.deal.weights[other]
        points = round_features(mean_equities(outcomes)[:, None])
        mass = weights * outcomes.weight.sum(axis=0)
        centres = find_clusters(
            points, mass, OPPONENT_CLUSTERS, distance=EUCLIDEAN, seed=self.seed
        ).centres
        labels, _ = assign_points(points, np.sort(centres, axis=0), distance=EUCLIDEAN)
        return [
            self._outcomes(player, np.where(labels == cluster, weights, 0.0))
            for cluster in range(len(centres))
        ]

    def _outcomes_told(self, player: int) -> list[Outcomes]:
        """Return the outcomes from which the features of a player's hands are told."""
        if self.features.needs_clusters:
            return self._against_clusters[player]
        return [self._against_range[player]]

    def _find_buckets(self, player: int, street: int) -> BoardHands:
        """Return the clusters of all hands of a player on all boards of a street."""
        boards = self._list_boards(street)
        run_outs = [self._find_run_outs(board) for board in boards]
        outcomes = self._outcomes_told(player)
        of_range = self._against_range[player]
        last = len(self.dealt) - 1
        rows = []
        equities = []
        masses = []
        for board, rows_of_board in zip(boards, run_outs, strict=True):
            on_board = _take(of_range, rows_of_board)
            if self.features.needs_next_street and street < last:
                numbers = self._describe_next(player, street, board, on_board, rows_of_board)
            else:
                numbers = self.features.describe([_take(each, rows_of_board) for each in outcomes])
            rows.append(round_features(numbers))
            equities.append(mean_equities(on_board))
            masses.append(on_board.weight.sum(axis=0) * self.game.deal.weights[player])
        points = np.concatenate(rows)
        clustering = cluster_hands(
            points,
            np.concatenate(masses),
            np.concatenate(equities),
            count=self.counts[street],
            features=self.features,
            seed=self.seed,
        )
        bucket = clustering.assign(points).reshape(len(boards), -1)
        number = {tuple(board): i for i, board in enumerate(boards.tolist())}
        return BoardHands(number, bucket, clustering)

    def _find_run_outs(self, board: Ints) -> Ints:
        """Return the numbers of the complete boards that may follow on a board."""
        complete = _card_bits(self._complete_boards)
        bits = int(_card_bits(board[None])[0])
        return np.flatnonzero(complete & bits == bits)

    def _describe_next(
        self, player: int, street: int, board: Ints, on_board: Outcomes, run_outs: Ints
    ) -> Floats:
        """Return how the buckets of the next street are distributed for each hand on a board."""
        following = self.buckets(player, street + 1)
        held = set(board.tolist())
        dealt = self.dealt[street + 1] - self.dealt[street]
        left = [card for card in range(self.game.deal.cards) if card not in held]
        numbers = []
        weights = []
        complete = _card_bits(self._complete_boards[run_outs])
        for cards in combinations(left, dealt):
            numbers.append(following.number[tuple(sorted((*held, *cards)))])
            bits = sum(1 << card for card in cards)
            weights.append(on_board.weight[complete & bits == bits].sum(axis=0))
        position = following.clustering.position
        return describe_by_buckets(
            following.bucket[numbers].astype(np.int64), np.array(weights), position
        )


def _take(outcomes: Outcomes, rows: Ints) -> Outcomes:
    """Return the outcomes on some of the complete boards."""
    return Outcomes(outcomes.equity[rows], outcomes.weight[rows])


def _card_bits(cards: Ints) -> Ints:
    """Return the cards of each row as bits, shape (rows,)."""
    return np.asarray((np.int64(1) << cards).sum(axis=1))


def _find_blocked(boards: Ints, cards: Ints) -> NDArray[np.bool_]:
    """Return whether a board has a card of each hand, shape (boards, hands)."""
    return np.asarray(_card_bits(boards)[:, None] & _card_bits(cards) != 0)
