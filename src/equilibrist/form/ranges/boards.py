"""The boards of a game of three ranges, in numbers: their hands, in the order of strength where they are shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._jit.simd import padded
from ..._util.arrays import Ints, offsets
from .game import PLAYERS, RangeGame
from .values import RangeBoards


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
    ancestor : int64 array, shape (boards, streets)
        The board of each street up to that of a board itself; -1 beyond.
    counts : int64 array, shape (players, boards)
        How many hands each player has.
    chance : list of float
        By street, the probability of a board given three hands that it leaves possible.
    held : list of list of int64 arrays
        By player and board, the hands of the player.
    """

    arrays: RangeBoards
    first: Ints
    dealt: list[tuple[int, ...]]
    ancestor: Ints
    counts: Ints
    chance: list[float]
    held: list[list[Ints]]

    def boards_of(self, street: int) -> Ints:
        """Return the numbers of the boards of a street."""
        return np.arange(self.first[street], self.first[street + 1])


def list_boards(game: RangeGame) -> BoardTree:
    """Return all boards of a game."""
    dealt: list[tuple[int, ...]] = [()]
    ancestors = [[0]]
    first = [0, 1]
    chance = [1.0]
    deck = range(len(game.cards))
    for street in range(1, game.streets):
        cards_left = len(deck) - len(game.board) - (street - 1) - 2 * len(PLAYERS)
        chance.append(chance[-1] / cards_left)
        for above in range(first[street - 1], first[street]):
            gone = {*game.board, *dealt[above]}
            for card in deck:
                if card not in gone:
                    ancestors.append([*ancestors[above], len(dealt)])
                    dealt.append((*dealt[above], card))
        first.append(len(dealt))
    ancestor = np.full((len(dealt), game.streets), -1)
    for board, line in enumerate(ancestors):
        ancestor[board, : len(line)] = line
    orders = _order_hands(game, dealt, first)
    arrays, held = _make_arrays(game, dealt, ancestor, orders)
    counts = np.array([[len(hands) for hands in held[player]] for player in PLAYERS])
    return BoardTree(arrays, np.array(first), dealt, ancestor, counts, chance, held)


def _order_hands(
    game: RangeGame, dealt: list[tuple[int, ...]], first: list[int]
) -> list[tuple[Ints, Ints]]:
    """Return for each board its hands, in the order of strength where all cards are dealt, and their strengths."""
    orders = []
    for board, cards in enumerate(dealt):
        blocked = np.isin(game.hand_cards, (*game.board, *cards)).any(axis=1)
        hands = np.flatnonzero(~blocked)
        strength = np.zeros(len(hands), np.int64)
        if board >= first[-2]:
            full_board = np.array([[*game.board, *cards]])
            strength = game.strengths(full_board)[0, hands].astype(np.int64)
            order = np.argsort(strength, kind="stable")
            hands = hands[order]
            strength = strength[order]
        orders.append((hands, strength))
    return orders


def _make_arrays(
    game: RangeGame,
    dealt: list[tuple[int, ...]],
    ancestor: Ints,
    orders: list[tuple[Ints, Ints]],
) -> tuple[RangeBoards, list[list[Ints]]]:
    """Return what kernels read of the boards, and the hands of each player on each board."""
    first_hand = offsets(np.array([len(hands) for hands, _ in orders]))
    total = int(first_hand[-1])
    cards = np.zeros((total, 2), np.int64)
    group_end = np.zeros(total, np.int64)
    place = np.full((len(PLAYERS), game.streets, total), -1, np.int32)
    weight = np.zeros((len(PLAYERS), total))
    held: list[list[Ints]] = [[] for _ in PLAYERS]
    # Of each board and player, the number of each hand of the game among those of the player.
    numbers: list[list[Ints]] = []
    for board, (hands, strength) in enumerate(orders):
        span = slice(int(first_hand[board]), int(first_hand[board + 1]))
        on_board = {*game.board, *dealt[board]}
        number_of_card = np.zeros(len(game.cards), np.int64)
        left = [card for card in range(len(game.cards)) if card not in on_board]
        number_of_card[left] = np.arange(len(left))
        cards[span] = number_of_card[game.hand_cards[hands]]
        ends = np.searchsorted(strength, strength, side="right")
        group_end[span] = span.start + ends
        numbers.append([])
        for player in PLAYERS:
            weight[player, span] = game.weights[player, hands]
            of_player = np.sort(hands[game.weights[player, hands] > 0])
            number = np.full(len(game.hand_names), -1)
            number[of_player] = np.arange(len(of_player))
            held[player].append(of_player)
            numbers[board].append(number)
            for street, above in enumerate(ancestor[board].tolist()):
                if above >= 0:
                    places = numbers[above][player][hands]
                    place[player, street, span] = places
    width = padded(len(game.cards) - len(game.board))
    return RangeBoards(width, first_hand, cards, group_end, place, weight), held
