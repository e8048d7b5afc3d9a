"""Where the slots of three ranges stand, and all payments to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints, offsets
from ...game.protocol import CHANCE, TERMINAL
from .boards import BoardTree
from .game import PLAYERS, Pot, RangeGame
from .values import AGAIN, NOWHERE, SURE, THREE, TWO, Payments

Move = tuple[int, int]
"""The numbers of a decision and of an action there."""


class Decision(NamedTuple):
    """A decision of the betting.

    Attributes
    ----------
    node : int
        The number of the node of the betting.
    player : int
    street : int
    level : int
        How many decisions of the player come before.
    last : (Move or None, Move or None, Move or None)
        The last move of each player before it.
    actions : int
        How many there are.
    added : tuple of float
        Chips that each puts in.
    """

    node: int
    player: int
    street: int
    level: int
    last: tuple[Move | None, ...]
    actions: int
    added: tuple[float, ...]


class End(NamedTuple):
    """An end of the betting: the street whose cards are all on the board, the last moves, and what is paid."""

    street: int
    last: tuple[Move | None, ...]
    pots: tuple[Pot, ...]


def list_decisions(game: RangeGame) -> tuple[list[Decision], list[End]]:
    """Return the decisions and the ends of the betting, in the order of a depth-first walk."""
    decisions: list[Decision] = []
    ends: list[End] = []
    nobody: tuple[Move | None, ...] = (None, None, None)
    pending: list[tuple[int, tuple[Move | None, ...], tuple[int, ...]]] = [(0, nobody, (0, 0, 0))]
    while pending:
        index, last, levels = pending.pop()
        node = game.nodes[index]
        if node.player == TERMINAL:
            ends.append(End(node.street, last, node.pots))
        elif node.player == CHANCE:
            pending.append((node.children[0], last, levels))
        else:
            number = len(decisions)
            player = node.player
            decisions.append(
                Decision(
                    node=index,
                    player=player,
                    street=node.street,
                    level=levels[player],
                    last=last,
                    actions=len(node.actions),
                    added=node.added,
                )
            )
            deeper = _replace(levels, player, levels[player] + 1)
            for action in reversed(range(len(node.actions))):
                moved = _replace(last, player, (number, action))
                pending.append((node.children[action], moved, deeper))
    return decisions, ends


def _replace(values: tuple, player: int, value: object) -> tuple:  # type: ignore[type-arg]
    """Return a tuple with another value of a player."""
    return (*values[:player], value, *values[player + 1 :])


class Slots(NamedTuple):
    """Where the slots of decisions begin.

    Attributes
    ----------
    first : list of int64 arrays
        By decision, the slot of the first hand and the first action, by number of the board on its
        street.
    stride : list of int
        By decision, how many slots further the next action stands.
    first_board : int64 array
        The first board of each street.
    """

    first: list[Ints]
    stride: list[int]
    first_board: Ints

    def row(self, move: Move | None, street: int, boards: Ints) -> Ints:
        """Return the row of slots of a move on boards of its street; -1 for no move."""
        if move is None:
            return np.full(len(boards), NOWHERE)
        decision, action = move
        rows = self.first[decision][boards - self.first_board[street]]
        return np.asarray(rows + action * self.stride[decision])


class Columns(NamedTuple):
    """Payments of one sum on many boards, before they are put in order."""

    group: Ints
    kind: int
    board: Ints
    amount: Floats
    row: Ints
    street: tuple[int, ...]
    player: tuple[int, ...]

    def on_boards(self, chosen: NDArray[np.bool_]) -> Columns:
        """Return the payments on some of the boards."""
        return self._replace(
            group=self.group[chosen],
            board=self.board[chosen],
            amount=self.amount[chosen],
            row=self.row[:, chosen],
        )


def list_payments(
    game: RangeGame,
    boards: BoardTree,
    decisions: list[Decision],
    ends: list[End],
    slots: Slots,
    total: float,
) -> Payments:
    """Return all payments; ``total`` is the weight of all deals.

    What a player puts in is paid where it is put in, by all that the others may hold there: it
    depends on nothing that follows. So a fold costs nothing more, and an end pays what is won.
    """
    of_players: list[list[Columns]] = [[] for _ in PLAYERS]
    for number, decision in enumerate(decisions):
        costs = [(action, -chips) for action, chips in enumerate(decision.added) if chips > 0]
        of_players[decision.player] += pay_decision(boards, decisions, number, slots, costs, total)
    for end in ends:
        for player in PLAYERS:
            of_players[player] += pay_end(boards, decisions, end, player, slots, total)
    return join_columns(of_players)


def list_reaches(
    boards: BoardTree, decisions: list[Decision], slots: Slots, total: float
) -> Payments:
    """Return payments of 1 for the first action of each decision: the reach of its hands by chance and the others."""
    of_players: list[list[Columns]] = [[] for _ in PLAYERS]
    for number, decision in enumerate(decisions):
        of_players[decision.player] += pay_decision(
            boards, decisions, number, slots, [(0, 1.0)], total
        )
    return join_columns(of_players)


def pay_decision(
    boards: BoardTree,
    decisions: list[Decision],
    number: int,
    slots: Slots,
    amounts: list[tuple[int, float]],
    total: float,
) -> list[Columns]:
    """Return payments to some actions of a decision, whatever the others hold."""
    decision = decisions[number]
    columns: list[Columns] = []
    for action, chips in amounts:
        last = _replace(decision.last, decision.player, (number, action))
        kind = AGAIN if columns else SURE
        columns.append(
            pay(
                boards, decisions, decision.street, last, decision.player, slots, kind, chips, total
            )
        )
    return columns


def pay_end(
    boards: BoardTree,
    decisions: list[Decision],
    end: End,
    player: int,
    slots: Slots,
    total: float,
) -> list[Columns]:
    """Return what a player may win at an end, pot by pot."""
    columns = []
    for pot in end.pots:
        if player not in pot.players or pot.chips == 0:
            continue
        kind = (SURE, TWO, THREE)[len(pot.players) - 1]
        rival = next((other for other in pot.players if other != player), None)
        columns.append(
            pay(
                boards,
                decisions,
                end.street,
                end.last,
                player,
                slots,
                kind,
                pot.chips,
                total,
                rival=rival,
            )
        )
    return columns


def pay(
    boards: BoardTree,
    decisions: list[Decision],
    street: int,
    last: tuple[Move | None, ...],
    player: int,
    slots: Slots,
    kind: int,
    chips: float,
    total: float,
    *,
    rival: int | None = None,
) -> Columns:
    """Return a payment on all boards of a street; ``rival`` is who shares the pot, of whom there may be two."""
    others = [other for other in PLAYERS if other != player]
    if rival is not None:
        others.sort(key=lambda other: other != rival)
    numbers = boards.boards_of(street)
    order = (player, *others)
    rows = []
    streets = []
    for other in order:
        last_move = last[other]
        if last_move is None:
            street_of_move = street
        else:
            street_of_move = decisions[last_move[0]].street
        above = boards.ancestor[numbers, street_of_move]
        rows.append(slots.row(last_move, street_of_move, above))
        streets.append(street_of_move)
    move = last[player]
    if move is None:
        group = np.zeros(len(numbers), np.int64)
    else:
        group = (
            1
            + slots.first[move[0]][
                boards.ancestor[numbers, streets[0]] - slots.first_board[streets[0]]
            ]
        )
    amount = boards.copies[numbers] * (chips * boards.chance[street] / total)
    return Columns(group, kind, numbers, amount, np.array(rows), tuple(streets), order)


def join_columns(of_players: list[list[Columns]]) -> Payments:
    """Return the payments of all players, those of a group next to each other and in their order."""
    pieces = []
    group_sizes = []
    groups_of_player = []
    for columns in of_players:
        if not columns:
            groups_of_player.append(0)
            continue
        group = np.concatenate([column.group for column in columns])
        sizes = [len(column.group) for column in columns]
        board = np.concatenate([column.board for column in columns])
        # In a group board by board: what is AGAIN follows what it repeats.
        order = np.lexsort((np.arange(len(group)), board, group))
        changes = np.flatnonzero(np.diff(group[order], prepend=-1))
        group_sizes.append(np.diff(changes, append=len(group)))
        groups_of_player.append(len(changes))
        pieces.append(
            (
                np.repeat([column.kind for column in columns], sizes)[order],
                board[order],
                np.concatenate([column.amount for column in columns])[order],
                np.concatenate([column.row for column in columns], axis=1)[:, order],
                np.repeat(np.array([column.street for column in columns]).T, sizes, axis=1)[
                    :, order
                ],
                np.repeat(np.array([column.player for column in columns]).T, sizes, axis=1)[
                    :, order
                ],
            )
        )
    if not pieces:
        none = np.zeros((3, 0), np.int64)
        empty = np.zeros(0, np.int64)
        first_group = np.zeros(4, np.int64)
        first = np.zeros(1, np.int64)
        return Payments(first_group, first, empty, empty, np.zeros(0), none, none, none)
    kind, board, amount, row, street, player = (
        np.ascontiguousarray(np.concatenate(parts, axis=-1)) for parts in zip(*pieces, strict=True)
    )
    return Payments(
        first_group=offsets(np.array(groups_of_player)),
        first=offsets(np.concatenate(group_sizes)),
        kind=kind.astype(np.int64),
        board=board.astype(np.int64),
        amount=amount,
        row=row.astype(np.int64),
        street=street.astype(np.int64),
        player=player.astype(np.int64),
    )
