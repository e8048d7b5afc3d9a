"""The infosets of a card form: how they are numbered, and their names, made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled
from ..._util.arrays import Ints, offsets
from ...game.card_game import CardGame
from ..infosets import Infoset, Infosets
from .betting import BettingTree
from .boards import BoardTree
from .walk import CardArrays, first_slot_of


class Place(NamedTuple):
    """A node of the betting tree on a board: where its infosets are.

    Attributes
    ----------
    player : int
        Who decides.
    street : int
        The number of the street.
    board : int
        The number of the board.
    node : int
        Among those of the player on the street.
    first : int
        The number of its first infoset.
    hands : int
        How many infosets there are: one for each hand.
    """

    player: int
    street: int
    board: int
    node: int
    first: int
    hands: int


class Blocks(NamedTuple):
    """The infosets of a player, street and board stand together, the nodes of the street one after the other.

    Attributes
    ----------
    key : list of (player, street)
        In the order of the infosets.
    first_of : int array, shape (players and streets + 1,)
        The first block of each of them: a board each.
    first_infoset : int array, shape (blocks + 1,)
        Number of the first infoset of a block.
    hands : int array, shape (blocks,)
        How many hands the player has on the board.
    """

    key: list[tuple[int, int]]
    first_of: Ints
    first_infoset: Ints
    hands: Ints

    def place(self, infoset: int) -> Place:
        block = int(np.searchsorted(self.first_infoset, infoset, side="right")) - 1
        group = int(np.searchsorted(self.first_of, block, side="right")) - 1
        player, street = self.key[group]
        count = int(self.hands[block])
        node = (infoset - int(self.first_infoset[block])) // count
        first = int(self.first_infoset[block]) + node * count
        return Place(player, street, block - int(self.first_of[group]), node, first, count)

    def first(self, player: int, street: int, board: int, node: int) -> int:
        block = int(self.first_of[self.key.index((player, street))]) + board
        return int(self.first_infoset[block]) + node * int(self.hands[block])


def list_blocks(arrays: CardArrays, tree: BettingTree) -> Blocks:
    """Return the blocks of a compiled card game."""
    counts = arrays.boards.counts
    first = arrays.boards.first_board
    key = [(player, street) for player in range(2) for street in range(len(tree.streets))]
    hands = [
        counts[2 * first[street] + player : 2 * first[street + 1] : 2] for player, street in key
    ]
    nodes = [len(tree.streets[street].nodes[player]) for player, street in key]
    sizes = [
        number * counts_of_boards for number, counts_of_boards in zip(nodes, hands, strict=True)
    ]
    return Blocks(
        key,
        offsets([len(counts_of_boards) for counts_of_boards in hands]),
        offsets(np.concatenate(sizes)),
        np.concatenate(hands),
    )


class CardInfosets(Infosets):
    """The infosets of a card form."""

    def __init__(
        self,
        game: CardGame,
        betting: BettingTree,
        boards: BoardTree,
        blocks: Blocks,
        owner: NDArray[np.uint32],
        num_actions: NDArray[np.uint32],
    ) -> None:
        super().__init__(owner, num_actions)
        self._game = game
        self._betting = betting
        self._boards = boards
        self._blocks = blocks

    def make_infoset(self, index: int) -> Infoset:
        place = self._blocks.place(index)
        return next(self._infosets_at(place, index - place.first))

    def first_of_decisions(self) -> Ints:
        """Return the number of the first infoset of each node of the betting tree on each board, in their order."""
        blocks = self._blocks
        numbers = []
        for group, (player, street) in enumerate(blocks.key):
            blocks_of_group = slice(int(blocks.first_of[group]), int(blocks.first_of[group + 1]))
            nodes = np.arange(len(self._betting.streets[street].nodes[player]))
            first = (
                blocks.first_infoset[blocks_of_group, None]
                + blocks.hands[blocks_of_group, None] * nodes
            )
            numbers.append(first.ravel())
        return np.concatenate(numbers)

    def __iter__(self) -> Iterator[Infoset]:
        index = 0
        while index < len(self):  # those of a node on a board at a time: a third of the time
            place = self._blocks.place(index)
            yield from self._infosets_at(place, 0)
            index += place.hands

    def _infosets_at(self, place: Place, position: int) -> Iterator[Infoset]:
        """Iterate over the infosets of a node on a board, from a position on."""
        player = place.player
        arrays = self._boards.arrays
        street = self._boards.streets[place.street]
        node = self._betting.streets[place.street].nodes[player][place.node]
        first = int(
            arrays.first_position[2 * (arrays.first_board[place.street] + place.board) + player]
        )
        name_after_hand = self._name_after_hand(street[place.board].cards, node.line)
        names = self._game.hands[player]
        for hand in arrays.hand[first + position : first + place.hands].tolist():
            yield Infoset(player, _join_parts(names[hand], name_after_hand), node.actions)

    def key(self, player: int, hand: int, board: tuple[int, ...], line: str) -> str:
        """Return the name of an infoset: hand, public cards and line."""
        return _join_parts(self._game.hands[player][hand], self._name_after_hand(board, line))

    def _name_after_hand(self, board: tuple[int, ...], line: str) -> str:
        return _join_parts("".join(self._game.cards[card] for card in board), line)


def _join_parts(part: str, second_part: str) -> str:
    if part and second_part:
        return f"{part} {second_part}"
    return part or second_part


def list_infosets(
    game: CardGame,
    tree: BettingTree,
    boards: BoardTree,
    arrays: CardArrays,
    blocks: Blocks,
    num_actions: int,
) -> tuple[CardInfosets, NDArray[Any]]:
    """Return the infosets of a compiled card game, and the slot of each of their actions."""
    owner, count = (np.empty(int(blocks.first_infoset[-1]), np.uint32) for _ in range(2))
    slot = np.empty(num_actions, np.uint32 if arrays.first_slot[-1] < 2**32 else np.int64)
    _fill_infosets(
        arrays, np.array([2 * street + player for player, street in blocks.key]), owner, count, slot
    )
    return CardInfosets(game, tree, boards, blocks, owner, count), slot


@compiled(allocates=False)
def _fill_infosets(game, order, owner, count, slot):  # type: ignore[no-untyped-def]
    """Fill the arrays in place, for the players and streets ``order``, by ``2 · street + player``."""
    betting = game.betting
    boards = game.boards
    infosets = 0
    actions = 0
    for q in order:
        street = q // 2
        player = q % 2
        width = boards.width[q]
        for board in range(boards.first_board[street], boards.first_board[street + 1]):
            base = first_slot_of(game, street, board, player)
            for n in range(betting.first_node[q], betting.first_node[q + 1]):
                node = betting.nodes[n]
                for i in range(boards.counts[2 * board + player]):
                    owner[infosets] = player
                    count[infosets] = node.actions
                    infosets += 1
                    for action in range(node.actions):
                        slot[actions] = base + (node.first + action) * width + i
                        actions += 1
