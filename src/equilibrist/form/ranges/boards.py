"""The boards of a game of three ranges, in numbers: their hands, in the order of strength where they are shown.

Boards and hands that permutations of suits turn into each other are taken for one: of boards the
first of each class is listed, and of the hands on a board the first of each class under the
permutations that leave the board as it is. An infoset is a class of pairs of board and hand. The
pairs of a class come from pairs of one class, so that infosets have one parent each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.simd import padded
from ..._util.arrays import Floats, Ints, offsets
from .game import PLAYERS, RangeGame, RangeLock
from .values import RangeBoards


class ListedBoard(NamedTuple):
    """A board, while boards are listed.

    Attributes
    ----------
    dealt : tuple of int
        The cards that have been dealt since the start.
    ancestors : tuple of int
        The board of each street up to this one, itself included.
    symmetries : int64 array, shape (n, cards)
        The permutations of the deck under which it and the game are as they are.
    copies : int
        How many boards it stands for, itself included.
    """

    dealt: tuple[int, ...]
    ancestors: tuple[int, ...]
    symmetries: Ints
    copies: int


@dataclass(frozen=True, eq=False)
class BoardTree:
    """All boards, those of a street next to each other.

    Attributes
    ----------
    arrays : RangeBoards
        What kernels read.
    first : int64 array, shape (streets + 1,)
        The first board of each street.
    dealt : list of tuple of int
        The cards that have been dealt since the start, by board.
    symmetries : int64 array, shape (n, cards)
        The permutations of the deck under which the game is as it is; the identity first.
    copies : float64 array, shape (boards,)
        How many boards each stands for, itself included.
    ancestor : int64 array, shape (boards, streets)
        The board of each street up to that of a board itself; -1 beyond.
    counts : int64 array, shape (players, boards)
        How many hands each player has, of which one stands for those that are alike.
    chance : list of float
        By street, the probability of a board given three hands that it leaves possible.
    held : list of list of int64 arrays
        By player and board, the hands of the player.
    number : list of list of int32 arrays, shape (hands,)
        By player and board, where each hand of the game stands among those: that of the one that
        stands for it; -1 for hands that the player cannot have.
    """

    arrays: RangeBoards
    first: Ints
    dealt: list[tuple[int, ...]]
    symmetries: Ints
    copies: Floats
    ancestor: Ints
    counts: Ints
    chance: list[float]
    held: list[list[Ints]]
    number: list[list[NDArray[np.int32]]]

    def boards_of(self, street: int) -> Ints:
        """Return the numbers of the boards of a street."""
        return np.arange(self.first[street], self.first[street + 1])

    def permute_hands(self, game: RangeGame, permutation: Ints) -> Ints:
        """Return what a permutation of the deck makes of each hand of the game."""
        return _permute_hands(game, _number_hands(game), permutation)

    def find(self, dealt: Sequence[int]) -> tuple[int, Ints] | None:
        """Return the board that stands for these cards, and the permutation that leads there; None if there is none."""
        for permutation in self.symmetries:
            image = tuple(permutation[list(dealt)].tolist())
            if image in self._places:
                return self._places[image], permutation
        return None

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        return {cards: board for board, cards in enumerate(self.dealt)}


def find_symmetries(game: RangeGame) -> Ints:
    """Return the permutations of the deck under which the board, all ranges and locks are as they are; the identity
    first.
    """
    number = _number_hands(game)
    board = sorted(game.board)
    symmetries = [np.arange(len(game.cards))]
    for permutation in game.symmetries:
        if np.array_equal(permutation, symmetries[0]):
            continue
        if sorted(permutation[board].tolist()) != board:
            continue
        images = _permute_hands(game, number, permutation)
        if not (images >= 0).all() or not np.array_equal(game.weights[:, images], game.weights):
            continue
        if game.folded is not None and not game.folded.is_symmetric(permutation):
            continue
        if all(_keeps_lock(lock, permutation, images) for lock in game.locks):
            symmetries.append(permutation)
    return np.array(symmetries)


def _keeps_lock(lock: RangeLock, permutation: Ints, images: Ints) -> bool:
    """Return whether a lock holds for the same hands on the same boards after a permutation of the deck."""
    dealt = permutation[list(lock.dealt)].tolist()
    return tuple(dealt) == lock.dealt and np.array_equal(lock.is_locked[images], lock.is_locked)


def list_dealt(game: RangeGame, symmetries: Ints) -> list[list[ListedBoard]]:
    """Return the boards of each street, the first one of each class."""
    streets = [[ListedBoard((), (0,), symmetries, 1)]]
    number = 1
    for _ in range(1, game.streets):
        street: list[ListedBoard] = []
        for above in streets[-1]:
            gone = {*game.board, *above.dealt}
            for card in range(len(game.cards)):
                if card in gone:
                    continue
                images = set(above.symmetries[:, card].tolist())
                if card != min(images):
                    continue
                leaves_card = above.symmetries[:, card] == card
                board = ListedBoard(
                    dealt=(*above.dealt, card),
                    ancestors=(*above.ancestors, number),
                    symmetries=above.symmetries[leaves_card],
                    copies=above.copies * len(images),
                )
                street.append(board)
                number += 1
        streets.append(street)
    return streets


def count_hands(game: RangeGame, board: ListedBoard) -> tuple[int, Ints]:
    """Return how many hands there are on a board, and how many each player has, those that are alike counted once."""
    hands = _possible_hands(game, board)
    alike = _find_alike(game, board)
    counts = [len(_held_hands(game, player, hands, alike)) for player in PLAYERS]
    return len(hands), np.array(counts)


def list_boards(game: RangeGame, symmetries: Ints) -> BoardTree:
    """Return all boards of a game with these symmetries."""
    streets = list_dealt(game, symmetries)
    listed = [board for street in streets for board in street]
    first = offsets(np.array([len(street) for street in streets]))
    chance = [1.0]
    num_folded = 0 if game.folded is None else game.folded.folded.count
    cards_left_at_start = len(game.cards) - len(game.board) - 2 * (len(PLAYERS) + num_folded)
    for street in range(1, game.streets):
        cards_left = cards_left_at_start - (street - 1)
        chance.append(chance[-1] / cards_left)
    ancestor = np.full((len(listed), game.streets), -1)
    for number, board in enumerate(listed):
        ancestor[number, : len(board.ancestors)] = board.ancestors
    orders = [
        _order_hands(game, board, is_complete=number >= first[-2])
        for number, board in enumerate(listed)
    ]
    held: list[list[Ints]] = [[] for _ in PLAYERS]
    number_of_hand: list[list[NDArray[np.int32]]] = [[] for _ in PLAYERS]
    for board, (hands, _) in zip(listed, orders, strict=True):
        alike = _find_alike(game, board)
        for player in PLAYERS:
            of_player = _held_hands(game, player, hands, alike)
            numbers = np.full(len(game.hand_names), -1)
            numbers[of_player] = np.arange(len(of_player))
            is_held = np.zeros(len(game.hand_names), bool)
            is_held[hands] = game.weights[player, hands] > 0
            held[player].append(of_player)
            number_of_hand[player].append(np.where(is_held, numbers[alike], -1).astype(np.int32))
    return BoardTree(
        arrays=_make_arrays(game, listed, ancestor, orders, number_of_hand),
        first=first,
        dealt=[board.dealt for board in listed],
        symmetries=symmetries,
        copies=np.array([float(board.copies) for board in listed]),
        ancestor=ancestor,
        counts=np.array([[len(hands) for hands in held[player]] for player in PLAYERS]),
        chance=chance,
        held=held,
        number=number_of_hand,
    )


def _number_hands(game: RangeGame) -> Ints:
    """Return the number of the hand of each two cards, in both orders, shape (cards, cards); -1 where there is none."""
    first, second = game.hand_cards.T
    number = np.full((len(game.cards), len(game.cards)), -1)
    number[first, second] = np.arange(len(game.hand_cards))
    number[second, first] = np.arange(len(game.hand_cards))
    return number


def _permute_hands(game: RangeGame, number: Ints, permutation: Ints) -> Ints:
    """Return what a permutation of the deck makes of each hand; -1 for a hand that nobody may hold."""
    first, second = permutation[game.hand_cards].T
    return np.asarray(number[first, second])


def _find_alike(game: RangeGame, board: ListedBoard) -> Ints:
    """Return for each hand the first one that is alike on a board."""
    alike = np.arange(len(game.hand_cards))
    if len(board.symmetries) == 1:
        return alike
    number = _number_hands(game)
    for permutation in board.symmetries:
        alike = np.minimum(alike, _permute_hands(game, number, permutation))
    return alike


def _possible_hands(game: RangeGame, board: ListedBoard) -> Ints:
    """Return the hands that a board leaves possible."""
    blocked = np.isin(game.hand_cards, (*game.board, *board.dealt)).any(axis=1)
    return np.flatnonzero(~blocked)


def _held_hands(game: RangeGame, player: int, hands: Ints, alike: Ints) -> Ints:
    """Return those of some hands that a player may have, of hands that are alike the first one."""
    is_held = (game.weights[player, hands] > 0) & (alike[hands] == hands)
    return np.sort(hands[is_held])


def _order_hands(game: RangeGame, board: ListedBoard, *, is_complete: bool) -> tuple[Ints, Ints]:
    """Return the hands on a board, in the order of strength where all cards are dealt, and their strengths."""
    hands = _possible_hands(game, board)
    strength = np.zeros(len(hands), np.int64)
    if is_complete:
        full_board = np.array([[*game.board, *board.dealt]])
        strength = game.strengths(full_board)[0, hands].astype(np.int64)
        order = np.argsort(strength, kind="stable")
        hands = hands[order]
        strength = strength[order]
    return hands, strength


def _make_arrays(
    game: RangeGame,
    listed: list[ListedBoard],
    ancestor: Ints,
    orders: list[tuple[Ints, Ints]],
    number_of_hand: list[list[NDArray[np.int32]]],
) -> RangeBoards:
    """Return what kernels read of the boards."""
    first_hand = offsets(np.array([len(hands) for hands, _ in orders]))
    total = int(first_hand[-1])
    cards = np.zeros((total, 2), np.int64)
    group_end = np.zeros(total, np.int64)
    place = np.full((len(PLAYERS), game.streets, total), -1, np.int32)
    weight = np.zeros((len(PLAYERS), total))
    paid_weight = np.zeros((len(PLAYERS), total))
    for board, (hands, strength) in enumerate(orders):
        span = slice(int(first_hand[board]), int(first_hand[board + 1]))
        on_board = {*game.board, *listed[board].dealt}
        number_of_card = np.zeros(len(game.cards), np.int64)
        left = [card for card in range(len(game.cards)) if card not in on_board]
        number_of_card[left] = np.arange(len(left))
        cards[span] = number_of_card[game.hand_cards[hands]]
        alike = _find_alike(game, listed[board])
        copies = np.bincount(alike[hands], minlength=len(alike))[hands]
        ends = np.searchsorted(strength, strength, side="right")
        group_end[span] = span.start + ends
        for player in PLAYERS:
            weight[player, span] = game.weights[player, hands]
            paid_weight[player, span] = game.weights[player, hands] * copies
            for street, above in enumerate(ancestor[board].tolist()):
                if above >= 0:
                    place[player, street, span] = number_of_hand[player][above][hands]
    width = padded(len(game.cards) - len(game.board))
    coefficient, factor = _make_terms(game, listed, orders)
    return RangeBoards(
        width, first_hand, cards, group_end, place, weight, paid_weight, coefficient, factor
    )


def _make_terms(
    game: RangeGame, listed: list[ListedBoard], orders: list[tuple[Ints, Ints]]
) -> tuple[Floats, Floats]:
    """Return the terms of the weights of three hands beside folded hands, by board and by hand; none without any."""
    total = sum(len(hands) for hands, _ in orders)
    num_terms = 0 if game.folded is None else game.folded.num_terms
    coefficient = np.zeros((len(listed), num_terms))
    factor = np.zeros((num_terms, total))
    if game.folded is None:
        return coefficient, factor
    begin = 0
    for number, (board, (hands, _)) in enumerate(zip(listed, orders, strict=True)):
        of_board, of_hands = game.folded.terms(game.hand_cards[hands], board.dealt)
        coefficient[number] = of_board
        factor[:, begin : begin + len(hands)] = of_hands
        begin += len(hands)
    return coefficient, factor
