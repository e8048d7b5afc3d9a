"""Where a part of a card game is cut, and what each pair of hands gets there if both go on by a strategy below."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...game.card_game import HandPayoffs, Pair, ShowdownPayoffs
from ...game.card_places import line_tokens
from ...game.card_subgame import CardSubgame
from ...game.locks import locks_of
from ...game.protocol import CHANCE, TERMINAL
from .form import CardForm


class CutLeaf(NamedTuple):
    """A betting state at which a part is cut."""

    state: Hashable
    street: int
    rows: tuple[int, int]  # of both players, in the form of the part
    decides: bool  # whether the opponent decides anything below


@dataclass(frozen=True)  # which equals no state of the part, as a tuple may
class _Chosen:
    """The betting state after the opponent chose at a leaf how to go on."""

    leaf: int
    way: int


class CardCut(NamedTuple):
    """Where a part is cut."""

    leaves: list[CutLeaf]
    streets: int  # that are dealt before
    lines: set[str]  # of the decisions before


def cut_cards(form: CardForm, number: int, *, streets: bool, opponent: int) -> CardCut:
    """Return where a part is cut after so many actions of the players, or where cards are dealt after theirs so often.

    Cards are dealt below the leaf: whoever chooses there has not seen them.
    """
    game: Any = form.game
    nodes = {node.line: node for node in form.betting.nodes}
    leaves: list[CutLeaf] = []
    deepest, lines = 0, set[str]()
    stack: list[tuple[Any, str, int, tuple[int, int], int]] = [(game.start(), "", 0, (0, 0), 0)]
    while stack:
        state, line, street, rows, count = stack.pop()
        mover, deepest = game.player(state), max(deepest, street)
        if mover == TERMINAL:
            continue
        if count == number:
            leaves.append(CutLeaf(state, street, rows, _decides(game, state, opponent)))
        elif mover == CHANCE:
            line = f"{line} | ".lstrip()
            first = form.betting.streets[street + 1].lines.index(line)
            stack.append((game.next(state, None), line, street + 1, (first, first), count))
        else:
            node = nodes[line.strip()]
            lines.add(node.line)
            joint = "" if not line or line.endswith("| ") else "-"
            for k, action in enumerate(game.actions(state)):
                below, after = game.next(state, action), list(rows)
                after[mover] = node.first + k
                counts = game.player(below) == CHANCE if streets else True
                there = f"{line}{joint}{node.actions[k]}"
                stack.append((below, there, street, (after[0], after[1]), count + counts))
    return CardCut(leaves, deepest, lines)


def _decides(game: Any, state: Any, player: int) -> bool:
    mover = game.player(state)
    if mover in (player, TERMINAL):
        return bool(mover == player)
    actions = [None] if mover == CHANCE else game.actions(state)
    return any(_decides(game, game.next(state, action), player) for action in actions)


class CutGame(CardSubgame):
    """A part of a card game that ends at leaves, where the opponent chooses with each hand among ways to go on.

    ``payoffs`` are those of each leaf, one for each way that can be chosen; the names of the ways are ``names``.
    """

    def __init__(
        self,
        part: Any,
        cut: CardCut,
        payoffs: Sequence[Sequence[HandPayoffs]],
        names: Sequence[str],
        opponent: int,
    ) -> None:
        super().__init__(part, part.start(), part.board)
        self._number = {leaf.state: number for number, leaf in enumerate(cut.leaves)}
        self._payoffs, self._names, self._opponent = payoffs, tuple(names), opponent
        self._shows = cut.streets == len(self.streets)
        self.streets = self.streets[: cut.streets]
        self.pot = part.pot
        tokens = set(map(line_tokens, cut.lines))
        self.locks = tuple(lock for lock in locks_of(part) if line_tokens(lock.line) in tokens)

    def strengths(self, boards: Ints) -> tuple[Any, Any]:
        if self._shows:
            return self.game.strengths(boards)
        first, second = (np.zeros((len(boards), len(hands)), np.int64) for hands in self.deal.hands)
        return first, second

    def player(self, state: Any) -> int:
        if isinstance(state, _Chosen):
            return TERMINAL
        if state in self._number:
            return self._opponent if len(self._payoffs[self._number[state]]) > 1 else TERMINAL
        return self.game.player(state)

    def actions(self, state: Any) -> Sequence[Hashable]:
        return range(len(self._names)) if state in self._number else self.game.actions(state)

    def next(self, state: Any, action: Any) -> Hashable:
        return _Chosen(self._number[state], action) if state in self._number else self.game.next(state, action)

    def action_label(self, state: Any, action: Any) -> str:
        return self._names[action] if state in self._number else super().action_label(state, action)

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs | HandPayoffs:  # type: ignore[override]
        if isinstance(state, _Chosen):
            return self._payoffs[state.leaf][state.way]
        return self._payoffs[self._number[state]][0] if state in self._number else self.game.payoff(state)


class _Ends(NamedTuple):
    """The ends of a street that follow on one leaf: their rows, and what they pay player 0."""

    rows: tuple[Ints, Ints]
    # shape (ends, 1): tie + difference · sign + mean · |sign|, with sign 1 where player 0's hand is stronger
    tie: Floats
    difference: Floats
    mean: Floats


class PairPayoffs:
    """What each pair of hands gets on average below the leaves of a part, by strategies at the slots of its form.

    ``ways`` are strategies, those of the player are the same in all. The cost is that of some matrix products for each
    board below: (hands of player 0) × (hands of player 1) × ends. Boards of the form stand for themselves alone.
    """

    def __init__(self, form: CardForm, leaves: Sequence[CutLeaf], ways: Sequence[Floats], opponent: int) -> None:
        self._form, self._leaves = form, leaves
        # of each street and player, the ways: shape (ways, boards, rows of actions, positions)
        self._played = [
            [
                np.array([form.rows_of(way, street, player) for way in (ways if player == opponent else ways[:1])])
                for player in range(2)
            ]
            for street in range(form.num_streets)
        ]
        self._ways = len(ways)
        self._leaf_of_line = self._trace_leaves()
        self._ends = [
            self._group_ends(street, self._leaf_of_row(street, lines))
            for street, lines in enumerate(self._leaf_of_line)
        ]

    def _trace_leaves(self) -> list[Ints]:
        """Return the leaf that each line of each street follows on, -1 where it does on none."""
        streets = self._form.betting.streets
        lines = [np.full(len(streets[0].lines), -1)]
        for street, (above, below) in enumerate(pairwise(streets)):
            rows = self._leaf_of_row(street, lines[-1])
            lines.append(np.array([_leaf(pair, rows) for pair in above.leaves], np.int64).reshape(len(below.lines)))
        return lines

    def _leaf_of_row(self, street: int, lines: Ints) -> list[list[set[int]]]:
        """Return the leaves that the rows of both players are at or follow on."""
        there = self._form.betting.streets[street]
        result = []
        for player in range(2):
            rows: list[set[int]] = [set() for _ in range(there.rows[player])]
            for line, leaf in enumerate(lines.tolist()):
                rows[line] |= {leaf} - {-1}
            for number, leaf in enumerate(self._leaves):
                if leaf.street == street:
                    rows[leaf.rows[player]].add(number)
            for node in there.nodes[player]:
                for row in range(node.first, node.first + len(node.actions)):
                    rows[row] |= rows[node.parent]
            result.append(rows)
        return result

    def _group_ends(self, street: int, rows: list[list[set[int]]]) -> dict[int, _Ends]:
        groups: dict[int, list[Any]] = {}
        for end in self._form.betting.streets[street].ends:
            leaf = _leaf(end.rows, rows)
            if leaf >= 0:
                groups.setdefault(leaf, []).append(end)
        result = {}
        for leaf, ends in groups.items():
            win, tie, lose = np.array([[pair[0] for pair in end.payoff] for end in ends]).T[:, :, None]
            shown = np.array([[end.shown] for end in ends])
            difference, mean = np.where(shown, (win - lose) / 2, 0.0), np.where(shown, (win + lose) / 2 - tie, 0.0)
            pairs = tuple(np.array([end.rows[player] for end in ends]) for player in range(2))
            result[leaf] = _Ends((pairs[0], pairs[1]), tie, difference, mean)
        return result

    def of_leaves(self) -> list[list[HandPayoffs]]:
        """Return the payoffs of each leaf, one for each way that the opponent can choose."""
        form = self._form
        held = [holds.astype(np.float64) for holds in form.blockers.holds]
        meet = np.asarray(held[0] @ held[1].T == 0)
        total = form.payoff_sum
        assert total is not None
        values = [
            np.zeros((self._ways if leaf.decides else 1, len(form.boards.streets[leaf.street]), *meet.shape))
            for leaf in self._leaves
        ]
        for street in sorted({leaf.street for leaf in self._leaves}):
            for board in range(len(form.boards.streets[street])):
                hands = [form.hands_on(street, board, player) for player in range(2)]
                for leaf, sums in self._at(street, board).items():
                    for way, matrix in enumerate(sums[: len(values[leaf])]):
                        values[leaf][way, board][np.ix_(*hands)] = matrix
        return [[HandPayoffs(np.where(meet, way, 0.0), total) for way in of_leaf] for of_leaf in values]

    def _at(self, street: int, board: int) -> dict[int, Floats]:
        """Return the sums of the leaves of a street on one of its boards, each of shape (ways, hands, hands)."""
        form, betting = self._form, self._form.betting.streets[street]
        counts = [len(form.hands_on(street, board, player)) for player in range(2)]
        sums: dict[int, Floats] = {}
        onward = [
            np.zeros((len(played), len(betting.leaves), count))
            for played, count in zip(self._played[street], counts, strict=True)
        ]
        for number, leaf in enumerate(self._leaves):
            if leaf.street != street:
                continue
            reach = [
                np.zeros((len(played), rows, count))
                for played, rows, count in zip(self._played[street], betting.rows, counts, strict=True)
            ]
            for player in range(2):
                reach[player][:, leaf.rows[player]] = 1.0
                self._play(street, board, player, reach[player])
            self._pay(street, board, reach, sums, [number])
            for line, rows in enumerate(betting.leaves):
                if self._leaf_of_line[street + 1][line] == number:
                    for player in range(2):
                        onward[player][:, line] = reach[player][:, rows[player]]
        self._go_on(street, board, onward, sums, [n for n, leaf in enumerate(self._leaves) if leaf.street == street])
        return sums

    def _play(self, street: int, board: int, player: int, reach: Floats) -> None:
        """Fill the reach of the rows below those that have one already."""
        lines = len(self._form.betting.streets[street].lines)
        played = self._played[street][player][:, board, :, : reach.shape[2]]
        for node in self._form.betting.streets[street].nodes[player]:
            rows = slice(node.first, node.first + len(node.actions))
            reach[:, rows] += played[:, node.first - lines : rows.stop - lines] * reach[:, node.parent, None]

    def _go_on(self, street: int, board: int, onward: list[Floats], sums: dict[int, Floats], leaves: list[int]) -> None:
        """Add what follows on the boards below; ``onward`` is the reach of the lines, shape (ways, lines, hands)."""
        if street + 1 == self._form.num_streets or not any(reach.any() for reach in onward):
            return
        arrays, there = self._form.arrays.boards, self._form.betting.streets[street + 1]
        number = int(arrays.first_board[street]) + board
        for child in range(int(arrays.first_child[number]), int(arrays.first_child[number + 1])):
            local = child - int(arrays.first_board[street + 1])
            reach, above = [], []
            for player in range(2):
                count, first = (
                    int(arrays.counts[2 * child + player]),
                    int(arrays.first_map[2 * arrays.first_copy[child] + player]),
                )
                above.append(arrays.map[first : first + count].astype(np.int64))
                rows = np.zeros((len(onward[player]), there.rows[player], count))
                rows[:, : len(there.lines)] = onward[player][:, :, above[-1]]
                self._play(street + 1, local, player, rows)
                reach.append(rows)
            below: dict[int, Floats] = {}
            self._pay(street + 1, local, reach, below, leaves)
            if there.leaves:
                further = [rows[:, [pair[player] for pair in there.leaves]] for player, rows in enumerate(reach)]
                self._go_on(street + 1, local, further, below, leaves)
            counts = [int(arrays.counts[2 * number + player]) for player in range(2)]
            for leaf, matrix in below.items():
                if leaf not in sums:
                    sums[leaf] = np.zeros((self._ways, *counts))
                sums[leaf][:, above[0][:, None], above[1]] += matrix * arrays.chance[street + 1]

    def _pay(self, street: int, board: int, reach: list[Floats], sums: dict[int, Floats], leaves: list[int]) -> None:
        """Add what the ends of a street pay on a board that follow on some leaves, by the reach of the rows."""
        form, sign = self._form, None
        if self._ends[street] and street + 1 == form.num_streets:
            strength = [form.boards.strengths[p][board][form.hands_on(street, board, p)] for p in range(2)]
            first, second = strength[0][:, None], strength[1]
            sign = (first > second).astype(np.float64) - (first < second)
        for leaf, ends in self._ends[street].items():
            if leaf not in leaves:
                continue
            if leaf not in sums:
                sums[leaf] = np.zeros((self._ways, reach[0].shape[2], reach[1].shape[2]))
            first, second = (reach[player][:, ends.rows[player]] for player in range(2))
            for way in range(self._ways if self._leaves[leaf].decides else 1):
                mine, theirs = first[way % len(first)], second[way % len(second)]
                total = (mine * ends.tie).T @ theirs
                if sign is not None:
                    total += sign * ((mine * ends.difference).T @ theirs)
                    if ends.mean.any():
                        total += np.abs(sign) * ((mine * ends.mean).T @ theirs)
                sums[leaf][way] += total


def _leaf(pair: tuple[int, int], rows: list[list[set[int]]]) -> int:
    """Return the leaf that both rows are at or follow on; -1 if there is none."""
    common = rows[0][pair[0]] & rows[1][pair[1]]
    return max(common, default=-1)
