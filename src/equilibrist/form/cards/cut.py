"""Where a part of a card game is cut, and what each pair of hands gets there if both go on by a strategy below."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...game.card_game import HandPayoffs, Pair, ShowdownPayoffs
from ...game.card_places import line_tokens
from ...game.card_subgame import CardSubgame
from ...game.locks import find_locks
from ...game.protocol import CHANCE, TERMINAL
from .form import CardForm
from .locks import Locks

_ONE_THREAD = 1 << 18  # multiplications, up to which OpenBLAS starts no threads
_FULL = np.iinfo(np.int16).max - 1  # what the probability 1 is where tables have whole numbers


class CutLeaf(NamedTuple):
    """A betting state at which a part is cut."""

    state: Hashable
    street: int
    rows: tuple[int, int]  # of both players, in the form of the part
    decides: bool  # whether the opponent decides anything below
    line: str  # as nodes have it


@dataclass(frozen=True)  # which equals no state of the part, as a tuple may
class _ChosenWay:
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
    deepest = 0
    lines = set[str]()
    stack: list[tuple[Any, str, int, tuple[int, int], int]] = [(game.start(), "", 0, (0, 0), 0)]
    while stack:
        state, line, street, rows, count = stack.pop()
        mover = game.player(state)
        deepest = max(deepest, street)
        if mover == TERMINAL:
            continue
        if count == number:
            leaves.append(CutLeaf(state, street, rows, _decides_below(game, state, opponent), line))
        elif mover == CHANCE:
            line = f"{line} | ".lstrip()
            first = form.betting.streets[street + 1].lines.index(line)
            stack.append((game.next(state, None), line, street + 1, (first, first), count))
        else:
            node = nodes[line.strip()]
            lines.add(node.line)
            joint = "" if not line or line.endswith("| ") else "-"
            for k, action in enumerate(game.actions(state)):
                below = game.next(state, action)
                after = list(rows)
                after[mover] = node.first + k
                counts = game.player(below) == CHANCE if streets else True
                line_below = f"{line}{joint}{node.actions[k]}"
                stack.append((below, line_below, street, (after[0], after[1]), count + counts))
    return CardCut(leaves, deepest, lines)


def _decides_below(game: Any, state: Any, player: int) -> bool:
    mover = game.player(state)
    if mover in (player, TERMINAL):
        return bool(mover == player)
    actions = [None] if mover == CHANCE else game.actions(state)
    return any(_decides_below(game, game.next(state, action), player) for action in actions)


class CutGame(CardSubgame):
    """A part of a card game that ends at leaves, where the opponent chooses with each hand among ways to go on.

    ``payoffs`` are those of each leaf, one for each way that can be chosen; the names of the ways
    are ``names``.
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
        self._payoffs = payoffs
        self._names = tuple(names)
        self._opponent = opponent
        self._shows = cut.streets == len(self.streets)
        self.streets = self.streets[: cut.streets]
        self.pot = part.pot
        tokens = set(map(line_tokens, cut.lines))
        self.locks = tuple(lock for lock in find_locks(part) if line_tokens(lock.line) in tokens)

    def strengths(self, boards: Ints) -> tuple[Any, Any]:
        if self._shows:
            return self.game.strengths(boards)
        first, second = (np.zeros((len(boards), len(hands)), np.int64) for hands in self.deal.hands)
        return first, second

    def player(self, state: Any) -> int:
        if isinstance(state, _ChosenWay):
            return TERMINAL
        if state in self._number:
            if len(self._payoffs[self._number[state]]) > 1:
                return self._opponent
            return TERMINAL
        return self.game.player(state)

    def actions(self, state: Any) -> Sequence[Hashable]:
        if state in self._number:
            return range(len(self._names))
        return self.game.actions(state)

    def next(self, state: Any, action: Any) -> Hashable:
        if state in self._number:
            return _ChosenWay(self._number[state], action)
        return self.game.next(state, action)

    def action_label(self, state: Any, action: Any) -> str:
        if state in self._number:
            return str(self._names[action])
        return super().action_label(state, action)

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs | HandPayoffs:  # type: ignore[override]
        if isinstance(state, _ChosenWay):
            return self._payoffs[state.leaf][state.way]
        if state in self._number:
            return self._payoffs[self._number[state]][0]
        return self.game.payoff(state)


class _LeafEnds(NamedTuple):
    """The ends of a street that follow on one leaf: their rows, and what they pay player 0 by row of the two players.

    Arrays have the rows of the player before those of the opponent, and the signs of the player's
    hands.
    """

    rows: tuple[Ints, Ints]
    # tie + difference · sign + mean · |sign|, with sign 1 where the player's hand is stronger
    tie: Floats
    difference: Floats
    mean: Floats


class PairPayoffs:
    """What each pair of hands gets on average below the leaves of a part, by strategies at the slots of its form.

    ``ways`` are strategies, those of the player are the same in all. The cost is that of a matrix
    product for each leaf and board below: (hands of the player) × (hands of the opponent) × ways ×
    rows. Boards of the form stand for themselves alone.
    """

    def __init__(
        self, form: CardForm, leaves: Sequence[CutLeaf], ways: Sequence[Floats], opponent: int
    ) -> None:
        self._form = form
        self._leaves = leaves
        self._ways = len(ways)
        self._order = (1 - opponent, opponent)
        # of each street, player and opponent: shape (ways, boards, rows of actions, positions)
        self._played = [
            [
                np.array(
                    [form.rows_of(way, street, p) for way in (ways if p == opponent else ways[:1])]
                )
                for p in self._order
            ]
            for street in range(form.num_streets)
        ]
        self._leaf_of_line = self._trace_leaves()
        self._ends = [self._group_ends(street) for street in range(form.num_streets)]

    def of_leaves(self) -> list[list[HandPayoffs]]:
        """Return the payoffs of each leaf, one for each way that the opponent can choose."""
        form = self._form
        held = [holds.astype(np.float64) for holds in form.blockers.holds]
        meet = held[0] @ held[1].T == 0
        total = form.payoff_sum
        assert total is not None
        values = [
            np.zeros(
                (
                    self._ways if leaf.decides else 1,
                    len(form.boards.streets[leaf.street]),
                    *meet.shape,
                )
            )
            for leaf in self._leaves
        ]
        for street in sorted({leaf.street for leaf in self._leaves}):
            for board in range(len(form.boards.streets[street])):
                for leaf, sums in self._sums_on_board(street, board).items():
                    for way in range(len(values[leaf])):
                        if self._order[0] == 0:
                            matrix = sums[way]
                        else:
                            matrix = sums[way].T
                        values[leaf][way, board] = np.where(meet, matrix, 0.0)
        return [[HandPayoffs(way, total) for way in of_leaf] for of_leaf in values]

    def _trace_leaves(self) -> list[Ints]:
        """Return the leaf that each line of each street follows on, -1 where it does on none."""
        streets = self._form.betting.streets
        lines = [np.full(len(streets[0].lines), -1)]
        for street, (above, below) in enumerate(pairwise(streets)):
            rows = self._leaves_of_rows(street, lines[-1])
            lines.append(
                np.array([_find_leaf(pair, rows) for pair in above.leaves], np.int64).reshape(
                    len(below.lines)
                )
            )
        return lines

    def _leaves_of_rows(self, street: int, lines: Ints) -> list[list[set[int]]]:
        """Return the leaves that the rows of both players are at or follow on."""
        betting = self._form.betting.streets[street]
        result = []
        for player in range(2):
            rows: list[set[int]] = [set() for _ in range(betting.rows[player])]
            for line, leaf in enumerate(lines.tolist()):
                rows[line] |= {leaf} - {-1}
            for number, leaf in enumerate(self._leaves):
                if leaf.street == street:
                    rows[leaf.rows[player]].add(number)
            for node in betting.nodes[player]:
                for row in range(node.first, node.first + len(node.actions)):
                    rows[row] |= rows[node.parent]
            result.append(rows)
        return result

    def _group_ends(self, street: int) -> dict[int, _LeafEnds]:
        """Return the ends of a street that follow on each leaf."""
        rows = self._leaves_of_rows(street, self._leaf_of_line[street])
        groups = dict[int, list[Any]]()
        for end in self._form.betting.streets[street].ends:
            leaf = _find_leaf(end.rows, rows)
            if leaf >= 0:
                groups.setdefault(leaf, []).append(end)
        result = {}
        for leaf, ends in groups.items():
            pairs = [
                np.unique([end.rows[p] for end in ends], return_inverse=True) for p in self._order
            ]
            tables = np.zeros((3, len(pairs[0][0]), len(pairs[1][0])))
            for k, end in enumerate(ends):
                win, tie, lose = (pair[0] for pair in end.payoff)
                if self._order[0] == 1:
                    win, lose = lose, win
                if end.shown:
                    terms = (tie, (win - lose) / 2, (win + lose) / 2 - tie)
                else:
                    terms = (tie, 0.0, 0.0)
                tables[:, pairs[0][1][k], pairs[1][1][k]] += terms
            result[leaf] = _LeafEnds((pairs[0][0], pairs[1][0]), *tables)
        return result

    def _sums_on_board(self, street: int, board: int) -> dict[int, Floats]:
        """Return sums of payoff × probability below the leaves of a street on one of its boards.

        Each is of shape (ways, hands of the player, hands of the opponent), all hands of the game.
        """
        form = self._form
        betting = self._form.betting.streets[street]
        leaves = [number for number, leaf in enumerate(self._leaves) if leaf.street == street]
        hands = [len(self._form.game.deal.hands[p]) for p in self._order]
        sums = {leaf: np.zeros((self._ways, *hands)) for leaf in leaves}
        onward = [
            np.zeros((ways, len(betting.leaves), count))
            for ways, count in zip((1, self._ways), hands, strict=True)
        ]
        for leaf in leaves:
            reach = []
            for k, p in enumerate(self._order):
                rows = np.zeros((len(onward[k]), betting.rows[p], hands[k]))
                rows[:, self._leaves[leaf].rows[p]] = 1.0
                reach.append(
                    reach_on_board(form, self._played[street][k][:, board], street, board, p, rows)
                )
            self._add_ends(street, board, reach, {leaf: sums[leaf]})
            for line, pair in enumerate(betting.leaves):
                if self._leaf_of_line[street + 1][line] == leaf:
                    for k, p in enumerate(self._order):
                        onward[k][:, line] = reach[k][:, pair[p]]
        self._add_below(street, board, onward, sums)
        return sums

    def _add_below(
        self, street: int, board: int, onward: list[Floats], sums: dict[int, Floats]
    ) -> None:
        """Add what follows on the boards below; ``onward`` is the reach of the lines, shape (ways, lines, hands)."""
        if street + 1 == self._form.num_streets or not all(reach.any() for reach in onward):
            return
        form = self._form
        arrays = self._form.arrays.boards
        betting = self._form.betting.streets[street + 1]
        number = int(arrays.first_board[street]) + board
        first = int(arrays.first_board[street + 1])
        for child in range(
            int(arrays.first_child[number]) - first, int(arrays.first_child[number + 1]) - first
        ):
            reach = []
            for k, p in enumerate(self._order):
                rows = np.zeros((len(onward[k]), betting.rows[p], onward[k].shape[2]))
                rows[:, : len(betting.lines)] = onward[k] * (
                    1.0 if k else arrays.chance[street + 1]
                )
                reach.append(
                    reach_on_board(
                        form, self._played[street + 1][k][:, child], street + 1, child, p, rows
                    )
                )
            self._add_ends(street + 1, child, reach, sums)
            further = [
                reach[k][:, [pair[p] for pair in betting.leaves]] for k, p in enumerate(self._order)
            ]
            if betting.leaves:
                self._add_below(street + 1, child, further, sums)

    def _add_ends(
        self, street: int, board: int, reach: list[Floats], sums: dict[int, Floats]
    ) -> None:
        """Add what the ends of a street pay on a board, by the reach of the rows, to the sums of their leaves."""
        sign: Any = None
        if self._ends[street] and street + 1 == self._form.num_streets:
            first, second = (
                self._form.boards.strengths[p][board].astype(np.int64) for p in self._order
            )
            stronger = first[:, None] > second
            weaker = first[:, None] < second
            sign = np.subtract(stronger, weaker, dtype=np.float64)
        for leaf in sums.keys() & self._ends[street].keys():
            ends = self._ends[street][leaf]
            ways = self._ways if self._leaves[leaf].decides else 1
            own_reach = reach[0][0, ends.rows[0]]
            other_reach = reach[1][:ways, ends.rows[1]]
            for table, factor in ((ends.tie, None), (ends.difference, sign), (ends.mean, sign)):
                if table.any():
                    products = _multiply_by_one_thread(own_reach, table @ other_reach)
                    if factor is not None:
                        products *= np.abs(factor) if table is ends.mean else factor
                    sums[leaf][:ways] += products


def reach_on_board(
    form: CardForm, node_weights: Floats, street: int, board: int, player: int, reach: Floats
) -> Floats:
    """Return the reach of a player's rows on a board, shape (ways, rows, hands), below those that have one.

    ``node_weights`` are strategies there, shape (ways, rows of actions, positions); hands that the board
    blocks get 0.
    """
    betting = form.betting.streets[street]
    lines = len(betting.lines)
    hands = form.hands_on(street, board, player)
    row_reach = reach[:, :, hands]
    for node in betting.nodes[player]:
        rows = slice(node.first, node.first + len(node.actions))
        shares = node_weights[:, node.first - lines : rows.stop - lines, : len(hands)]
        row_reach[:, rows] += shares * row_reach[:, node.parent, None]
    result = np.zeros_like(reach)
    result[:, :, hands] = row_reach
    return result


def _multiply_by_one_thread(columns_left: Floats, right: Floats) -> Floats:
    """Return ``columns_left.T @ right`` in products so small that BLAS does each by one thread.

    Several would wait for each other, on a busy machine ten times as long as they compute.
    """
    rows = columns_left.shape[1]
    (ways, _, columns) = right.shape
    size = max(1, _ONE_THREAD // (len(columns_left) * columns))
    padded = np.zeros((-(-rows // size) * size, len(columns_left)))
    padded[:rows] = columns_left.T
    products: Floats = np.matmul(padded.reshape(-1, size, len(columns_left)), right[:, None])
    return products.reshape(ways, -1, columns)[:, :rows]


def _find_leaf(pair: tuple[int, int], rows: list[list[set[int]]]) -> int:
    """Return the leaf that both rows are at or follow on; -1 if there is none."""
    return max(rows[0][pair[0]] & rows[1][pair[1]], default=-1)


def fix_player_on_cards(form: CardForm, cut: CardCut, strategy: Floats, player: int) -> CardForm:
    """Return a part of a card game in which a player goes on below the cut as a strategy at the slots does.

    The opponent still decides everything there.
    """
    betting = form.arrays.betting
    boards = form.arrays.boards
    records = betting.nodes.copy()
    masks = [betting.locked]
    slots = [np.zeros(0, np.int64) if form.locks is None else form.locks.slots]
    for node in (
        node for node in form.betting.nodes if node.player == player and node.line not in cut.lines
    ):
        q = 2 * node.street + player
        size = int(boards.width[q]) * len(form.boards.streets[node.street])
        records[int(betting.first_node[q]) + node.number]["lock"] = sum(map(len, masks))
        masks.append(np.ones(size))
        slots += [
            form.slots_of(node, board).ravel()
            for board in range(len(form.boards.streets[node.street]))
        ]
    fixed_slots = np.unique(np.concatenate(slots))
    probabilities = strategy.copy()
    weights = np.rint(strategy * _FULL)
    if form.locks is not None:
        probabilities[form.locks.slots] = form.locks.probabilities
        weights[form.locks.slots] = form.locks.weights
    locks = Locks(fixed_slots, probabilities[fixed_slots], weights[fixed_slots])
    arrays = form.arrays._replace(
        betting=betting._replace(nodes=records, locked=np.concatenate(masks))
    )
    return replace(form, arrays=arrays, locks=locks)
