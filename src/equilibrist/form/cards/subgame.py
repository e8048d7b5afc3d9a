"""Places in a card form by line and board, whatever suits its boards are stored in; subgames that begin there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ...game.card_subgame import CardSubgame
from .betting import Node
from .build import compile_cards
from .form import CardForm
from .passes import street_values
from .walker import CardWalker


class Place(NamedTuple):
    """A board of a game and the board of its form that stands for it.

    Attributes
    ----------
    street : int
        The number of the street.
    board : int
        The number of the board that is stored.
    permutation : int array, shape (cards,)
        What turns the cards of the board that is stored into those of the board.
    """

    street: int
    board: int
    permutation: Ints


def find_board(form: CardForm, cards: Sequence[int]) -> Place:
    """Return the place of a board, of which the cards of each street may stand in any order."""
    game = form.game
    num_shown = len(game.board)
    if set(cards[:num_shown]) != set(game.board) or len(set(cards)) < len(cards):
        raise KeyError(tuple(cards))
    street = 0
    number = 0
    permutation = np.arange(game.deal.cards)
    while num_shown < len(cards):
        if street == len(game.streets) or num_shown + game.streets[street] > len(cards):
            raise KeyError(tuple(cards))
        stored = np.argsort(permutation)[list(cards[num_shown : num_shown + game.streets[street]])]
        number, copy = _find_child(form, street, number, set(stored.tolist()))
        permutation = permutation[copy]
        num_shown += game.streets[street]
        street += 1
    return Place(street, number, permutation)


def _find_child(form: CardForm, street: int, parent: int, cards: set[int]) -> tuple[int, Ints]:
    """Return the board of the next street that has these cards in one of its copies, and the permutation."""
    first = form.arrays.boards.first_child - int(form.arrays.boards.first_board[street + 1])
    at = int(form.arrays.boards.first_board[street]) + parent
    for number in range(int(first[at]), int(first[at + 1])):
        board = form.boards.streets[street + 1][number]
        for copy in board.copies:
            if {int(copy[card]) for card in board.cards[-form.game.streets[street] :]} == cards:
                return number, copy
    raise KeyError(tuple(cards))


def hands_at(form: CardForm, place: Place, player: int) -> Ints:
    """Return the hands of the game that a player can hold at a place, in the order of the slots."""
    stored = form.hands_on(place.street, place.board, player)
    if (place.permutation == np.arange(len(place.permutation))).all():
        return stored
    return np.asarray(form.blockers.maps[player].permute(place.permutation)[stored])


def node_strategy(form: CardForm, weights: NDArray[Any], node: Node, place: Place) -> Floats:
    """Return the strategy of a node at a place, shape (actions, hands of the game); NaN for hands that it blocks."""
    node_weights = np.maximum(weights[form.slots_of(node, place.board)].astype(np.float64), 0.0)
    total = node_weights.sum(axis=0)
    strategy = np.full((len(node.actions), len(form.game.hands[node.player])), np.nan)
    played = np.divide(
        node_weights, total, out=np.full_like(node_weights, 1 / len(node_weights)), where=total > 0
    )
    strategy[:, hands_at(form, place, node.player)] = played
    return strategy


class StreetValues(NamedTuple):
    """Values of the rows of a street for both players, each of shape (rows, hands of the game).

    They are sums of payoff × weight × reach over the hands of the other player, with half of a
    constant sum of payoffs left out (:attr:`Subgame.shift`). NaN for hands that the board blocks.

    Attributes
    ----------
    value : float64 array for each player
        With the strategy of both afterwards.
    best_value : float64 array for each player
        With the best response to the other's.
    """

    value: tuple[Floats, Floats]
    best_value: tuple[Floats, Floats]


class Subgame(NamedTuple):
    """What follows on a line and a board: its form, and the weights of the strategy at its slots."""

    form: CardForm
    weights: NDArray[Any]

    @property
    def shift(self) -> Floats:
        return self.form.arrays.betting.shift

    def values(self, ranges: tuple[Floats, Floats], *, threads: int = 1) -> StreetValues:
        """Return the values of the rows of the first street, by the weights of both players' hands in ``ranges``."""
        arrays = self.form.conditional
        game = self.form.game
        hands = [self.form.hands_on(0, 0, player) for player in range(2)]
        joined = np.zeros(len(arrays.weights))
        for player, player_hands in enumerate(hands):
            first = arrays.first_weight[player]
            joined[first : first + len(player_hands)] = ranges[player][player_hands]
        results: list[list[Floats]] = [[], []]
        walker = CardWalker(arrays._replace(weights=joined), threads=threads)
        tables = street_values(walker, self.weights)
        for player, both in enumerate(tables):
            for of_kind, rows in zip(results, both, strict=True):
                all_rows = np.full((len(rows), len(game.hands[player])), np.nan)
                all_rows[:, hands[player]] = rows
                of_kind.append(all_rows)
        return StreetValues((results[0][0], results[0][1]), (results[1][0], results[1][1]))


def subgame(
    form: CardForm, weights: NDArray[Any], state: Any, line: str, place: Place, cards: Sequence[int]
) -> Subgame:
    """Return the subgame that begins at a line of a later street, on a board, with the strategy of the whole game."""
    part = compile_cards(CardSubgame(form.game, state, cards))
    return Subgame(part, part_weights_of(part, form, weights, f"{line} | ", place.street))


def part_weights_of(
    part: CardForm, form: CardForm, weights: NDArray[Any], before: str = "", first_street: int = 0
) -> NDArray[Any]:
    """Return the weights of a strategy at the slots of a form that begins at a street of its own, boards by themselves.

    ``before`` is what lines have in the strategy's own form before those of the part.
    """
    part_weights = np.zeros(part.length, weights.dtype)
    for shared in shared_slots(part, form, before, first_street):
        part_weights[shared.part] = weights[shared.whole]
    return part_weights


class SharedSlots(NamedTuple):
    """The slots of a node on a board in two forms, of which the whole may have more actions there.

    Attributes
    ----------
    part : int array, shape (actions, hands)
    whole : int array, shape (actions, hands)
    added : int array, shape (added actions, hands)
        Those of the whole alone.
    """

    part: Ints
    whole: Ints
    added: Ints


def shared_slots(
    part: CardForm,
    form: CardForm,
    before: str,
    first_street: int,
    players: Iterable[int] = range(2),
) -> Iterator[SharedSlots]:
    """Iterate over the nodes of a part on its boards: where they are there and in the whole."""
    for street, boards in enumerate(part.boards.streets):
        for player in players:
            node_of_line = {
                node.line: node
                for node in form.betting.streets[first_street + street].nodes[player]
            }
            nodes = part.betting.streets[street].nodes[player]
            for number, board in enumerate(boards):
                place = find_board(form, board.cards)
                position_of_hand = np.zeros(len(form.game.hands[player]), np.int64)
                held = hands_at(form, place, player)
                position_of_hand[held] = np.arange(len(held))
                order = position_of_hand[part.hands_on(street, number, player)]
                for node in nodes:
                    node_above = node_of_line[f"{before}{node.line}".strip(" -")]
                    slots = form.slots_of(node_above, place.board)[:, order]
                    same = np.isin(node_above.actions, node.actions)  # in the same order
                    yield SharedSlots(part.slots_of(node, number), slots[same], slots[~same])


class Step(NamedTuple):
    """A decision on the way to a place, and the number of the action that was taken."""

    node: Node
    action: int


def ranges_at(
    form: CardForm, weights: NDArray[Any], steps: Iterable[Step], cards: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return weight × own reach of all hands of both players at the end of the steps, on a board."""
    weights_of_hands = enumerate(form.game.deal.weights)
    ranges = [
        np.where(form.blockers.blocked(player, cards), 0.0, hand_weights)
        for player, hand_weights in weights_of_hands
    ]
    for node, action in steps:
        place = find_board(
            form, cards[: len(form.game.board) + sum(form.game.streets[: node.street])]
        )
        ranges[node.player] = ranges[node.player] * np.nan_to_num(
            node_strategy(form, weights, node, place)[action]
        )
    return ranges[0], ranges[1]
