"""Search on the river: a blueprint solves the river again, with every hand and the bets that were really made.

Where the river comes, a spot of hold'em begins: the pot is what it really is, and either player has
the hands with which the blueprint comes there. In that spot the blueprint's strategy is what its
buckets say, and :func:`equilibrist.resolve` solves the player again who is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...errors import GameError
from ...form.cards.build import compile_cards
from ...form.cards.subgame import find_board, node_strategy
from ...form.gadget import find_method
from ...resolving.resolve import check_options, resolve
from ...strategy.strategy import Strategy
from ..cards.cards import HANDS, cards_text, parse_hand
from ..spot.bet_sizes import write_sizes
from ..spot.betting_tree import BettingNode
from ..spot.betting_tree import BettingTree as SpotTree
from ..spot.game import Holdem
from .betting import (
    BIG_BLIND,
    BOARD_CARDS,
    CALL,
    FOLD,
    RAISE,
    STREETS,
    Action,
    Stand,
    find_stand,
    label_actions,
)
from .blueprint import Blueprint

_RIVER = len(STREETS) - 1
_OPTIONS = {"until": "0.5%"}
_OVER = -1
"""In the place of a node of the blueprint's tree: its betting is over, and that of the river goes on."""
_LETTERS = {FOLD: "F", CALL: "XC"}
_KINDS = {"F": FOLD, "X": CALL, "C": CALL}
_CLOSING = frozenset(_KINDS)
"""Actions of a spot that are no bet or raise."""
_DOUBT = 0.05
"""How much of the other's range is any hand: whoever plays otherwise than the blueprint comes with other hands."""
_KEPT = 64
"""Rivers that are remembered."""


class RiverRecord(NamedTuple):
    """What was done on a river to which play came.

    Attributes
    ----------
    player : int
        Who was solved again; 0 has the button.
    board : str
        The public cards.
    line : str
        The actions up to the river, as the tree has them.
    pot : float
        Big blinds in the middle there.
    excess : float or None
        What a best response of the other gains there at most beyond what it gains from the
        blueprint; big blinds. None: nothing was solved.
    reason : str
        Why nothing was solved, and the blueprint is played.
    """

    player: int
    board: str
    line: str
    pot: float
    excess: float | None = None
    reason: str = ""


class _River(NamedTuple):
    """A river to which play came.

    Attributes
    ----------
    node : int
        The node of the blueprint's tree where it begins.
    board : tuple of int, shape (5,)
        Public cards.
    paid : int
        What either has really paid before; chips.
    added_line : str
        What was really done on it, where the sizes of the blueprint do not come to it.
    """

    node: int
    board: tuple[int, ...]
    paid: int
    added_line: str


class _Solved(NamedTuple):
    """A river that was solved again for a player.

    Attributes
    ----------
    tree : BettingTree
        Its betting, with the bets that were really made.
    rows : dict of str to float array, shape (1326, actions)
        What the player does with each hand at each of its nodes, by line; NaN for hands that are
        not in the spot.
    """

    tree: SpotTree
    rows: dict[str, Floats]


class RiverSearch(Blueprint):
    """A blueprint that solves rivers again, with every hand and the bets that were really made.

    Before the river it plays as the blueprint, and where a hand is asked that the blueprint never
    has there. Each river is solved once for the player who is asked, and remembered.

    Parameters
    ----------
    blueprint : Blueprint
        What is played before the river.
    method : Refined, Resolve, MaxMargin, Reach, or one of these as text
        How a river is solved again, as for :func:`equilibrist.resolve`: so that the other gains no
        more there than from the blueprint.
    **options
        Of :func:`equilibrist.solve`; by default ``until="0.5%"`` of the pot.

    Attributes
    ----------
    log : list of RiverRecord
        What was done, in order.

    Raises
    ------
    GameError
        A setting makes no sense.

    Notes
    -----
    A twentieth of the other's range is any hand: who plays otherwise than the blueprint comes with
    other hands. A bet that is not in the tree is answered as it is; against it the blueprint is
    taken to do what it does against the nearest one.
    """

    def __init__(self, blueprint: Blueprint, *, method: Any = "refined", **options: Any) -> None:
        check_options(options)
        self.method = find_method(method)
        self.game = blueprint.game
        self.buckets = blueprint.buckets
        self.blueprint = blueprint
        self.log: list[RiverRecord] = []
        self._options = options or _OPTIONS
        self._solved: dict[tuple[_River, int], _Solved | None] = {}
        self._trees: dict[int, SpotTree] = {}

    def __repr__(self) -> str:
        solved = sum(record.excess is not None for record in self.log)
        return f"<Blueprint of {self.game} in {self.buckets}, {solved:,} rivers solved again>"

    def hand_rows(self, node: int, board: tuple[int, ...]) -> Floats:
        blueprint_rows = self.blueprint.hand_rows(node, board)
        if self.game.tree.street[node] < _RIVER:
            return blueprint_rows
        stand = find_stand(self.game.betting, self.game.tree, node)
        solved = self._solve(stand, board)
        if solved is None:
            return blueprint_rows
        spot_node = _find_node(solved.tree, stand)
        if len(spot_node.actions) != blueprint_rows.shape[1]:
            return blueprint_rows
        rows = solved.rows[spot_node.line]
        return np.where(np.isnan(rows), blueprint_rows, rows)

    def _play_at(self, stand: Stand, hand: int, board: tuple[int, ...]) -> dict[str, float]:
        solved = None
        if stand.place.street == _RIVER:
            solved = self._solve(stand, board)
        if solved is None:
            return self.blueprint._play_at(stand, hand, board)
        spot_node = _find_node(solved.tree, stand)
        row = solved.rows[spot_node.line][hand]
        if np.isnan(row).any():
            return self.blueprint._play_at(stand, hand, board)
        labels = _label_actions(solved.tree, spot_node, stand)
        return dict(zip(labels, row.tolist(), strict=True))

    def _solve(self, stand: Stand, board: tuple[int, ...]) -> _Solved | None:
        """Return the river of a hand, solved again for who acts; None where it cannot be."""
        added_line = _line_beyond(self._betting(stand.river_paid), stand)
        # The flop comes in any order.
        in_order = (*sorted(board[:3], reverse=True), *board[3:])
        river = _River(stand.river_node, in_order, stand.river_paid, added_line)
        key = (river, stand.place.mover)
        if key not in self._solved:
            while len(self._solved) >= _KEPT:
                self._solved.pop(next(iter(self._solved)))
            self._solved[key] = self._solve_river(river, stand.place.mover)
        return self._solved[key]

    def _solve_river(self, river: _River, player: int) -> _Solved | None:
        record = RiverRecord(
            player,
            cards_text(river.board),
            "/".join(self.game.tree.lines(river.node)),
            2 * river.paid / BIG_BLIND,
        )
        reaches = [self._reach(river, other) for other in range(2)]
        if not all(reach.any() for reach in reaches):
            self.log.append(record._replace(reason="The blueprint never comes there."))
            return None
        reaches[1 - player] = _doubt(reaches[1 - player], river.board)
        try:
            spot = self._spot(river, reaches)
            blueprint = self._enter_blueprint(spot, river)
        except GameError as error:  # a bet that the rules of a spot do not allow
            self.log.append(record._replace(reason=str(error)))
            return None
        solution = resolve(
            blueprint,
            method=self.method,
            player=_seat(player),
            **self._options,
        )
        assert solution.part is not None
        self.log.append(record._replace(excess=solution.part.excess / BIG_BLIND))
        return _Solved(spot.tree, _read_rows(spot, solution.strategy, _seat(player)))

    def _reach(self, river: _River, player: int) -> Floats:
        """Return how likely the blueprint comes to a river with each hand, but for a factor; shape (1326,)."""
        tree = self.game.tree
        reach = np.ones(len(HANDS))
        reach[np.isin(HANDS, river.board).any(axis=1)] = 0.0
        node = river.node
        while node > 0:
            parent = int(tree.parent[node])
            if tree.mover[parent] == player:
                shown = BOARD_CARDS[tree.street[parent]]
                rows = self.blueprint.hand_rows(parent, river.board[:shown])
                reach *= rows[:, node - int(tree.first_child[parent])]
            node = parent
        return reach

    def _spot(self, river: _River, reaches: Sequence[Floats]) -> Holdem:
        """Return a river as a spot of hold'em, in which the player with the button is in position."""
        ranges = [reaches[_seat(seat)] / reaches[_seat(seat)].max() for seat in range(2)]
        settings = self._bet_settings(river.paid)
        if river.added_line:
            settings["add_lines"] = [river.added_line]
        return Holdem(cards_text(river.board), *ranges, **settings)

    def _bet_settings(self, paid: int) -> dict[str, Any]:
        """Return the pot, the stacks and the sizes of a river before which either has paid so much."""
        betting = self.game.betting
        sizes = betting.sizes[_RIVER]
        bets = tuple(size for size in sizes if size.kind != "x")
        return {
            "pot": 2 * paid,
            "stack": betting.stack - paid,
            "bets": f"{write_sizes(bets)}; {write_sizes(sizes)}",
            "max_raises": betting.max_raises - 1,
            "min_bet": min(BIG_BLIND, betting.stack - paid),
        }

    def _betting(self, paid: int) -> SpotTree:
        """Return the betting of a river before which either has paid so much."""
        if paid not in self._trees:
            ranges = ["random"] * 2
            self._trees[paid] = Holdem("2c2d2h2s3c", *ranges, **self._bet_settings(paid)).tree
        return self._trees[paid]

    def _enter_blueprint(self, spot: Holdem, river: _River) -> Strategy:
        """Return the strategy of a spot that plays as the blueprint, and checks and calls where its tree ends."""
        form = compile_cards(spot)
        weights = np.zeros(form.length)
        form_nodes = {node.line: node for node in form.betting.nodes}
        hands = [_hand_numbers(spot, player) for player in range(2)]
        pending = [(spot.tree.nodes[0], river.node)]
        while pending:
            node, tree_node = pending.pop()
            raises = _raise_shares(spot.tree, node, river.paid)
            if tree_node == _OVER:
                shares = _check_or_call(node)
            else:
                shares = self._share_out(tree_node, raises, river.board)
            slots = form.slots_of(form_nodes[node.line], 0)
            weights[slots] = shares[hands[node.player]].T
            for number, child_number in enumerate(node.children):
                child = spot.tree.nodes[child_number]
                if child.player >= 0:
                    pending.append((child, self._tree_child(tree_node, number, raises)))
        return Strategy.from_weights(form, weights)

    def _share_out(self, tree_node: int, raises: Floats, board: tuple[int, ...]) -> Floats:
        """Return what the blueprint does where a spot has some raises, shape (1326, actions of the spot).

        What the tree bets is bet by the size of the spot that is the nearest share of the pot.
        ``raises`` are those of the spot, by :func:`_raise_shares`.
        """
        rows = self.blueprint.hand_rows(tree_node, board)
        tree_raises = self._tree_raises(tree_node)
        closing = rows.shape[1] - len(tree_raises)
        shares = np.zeros((len(HANDS), closing + len(raises)))
        shares[:, :closing] = rows[:, :closing]
        for number, share in enumerate(tree_raises.tolist()):
            column = closing - 1
            if len(raises):
                column = closing + int(np.abs(raises - share).argmin())
            shares[:, column] += rows[:, closing + number]
        return shares

    def _tree_raises(self, tree_node: int) -> Floats:
        """Return the raises of a node of the tree as shares of the pot after a call."""
        tree = self.game.tree
        other = int(tree.paid[tree_node, 1 - tree.mover[tree_node]])
        paid = [action.paid for action in tree.actions[tree_node] if action.kind == RAISE]
        return (np.array(paid, np.float64) - other) / (2 * other)

    def _tree_child(self, tree_node: int, number: int, raises: Floats) -> int:
        """Return the node of the tree after an action of the spot, by number; ``_OVER`` where it goes no further."""
        tree = self.game.tree
        if tree_node == _OVER:
            return _OVER
        tree_raises = self._tree_raises(tree_node)
        closing = int(tree.num_actions[tree_node]) - len(tree_raises)
        if number >= closing:
            if not len(tree_raises):
                return _OVER
            number = closing + int(np.abs(tree_raises - raises[number - closing]).argmin())
        child = int(tree.first_child[tree_node]) + number
        return child if tree.mover[child] >= 0 else _OVER


def _seat(player: int) -> int:
    """Return the player of a spot that a player of the blueprint is, or the other way round: the button acts last."""
    return 1 - player


def _doubt(reach: Floats, board: tuple[int, ...]) -> Floats:
    """Return a range of which a share of :data:`_DOUBT` is any hand that the board leaves."""
    possible = ~np.isin(HANDS, board).any(axis=1)
    doubted: Floats = (1 - _DOUBT) * reach / reach.sum() + _DOUBT * possible / possible.sum()
    return doubted


def _check_or_call(node: BettingNode) -> Floats:
    """Return the rows of a node where every hand checks or calls, shape (1326, actions)."""
    shares = np.zeros((len(HANDS), len(node.actions)))
    shares[:, [name in _LETTERS[CALL] for name in node.actions]] = 1.0
    return shares


def _hand_numbers(spot: Holdem, player: int) -> Ints:
    """Return which of the 1,326 hands those of a player of a spot are."""
    return np.array([parse_hand(name) for name in spot.hands[player]])


def _read_rows(spot: Holdem, strategy: Strategy, player: int) -> dict[str, Floats]:
    """Return what a player of a spot does with each of the 1,326 hands, by the line of each node."""
    slots = strategy.slots
    assert slots is not None
    place = find_board(slots.form, spot.board)
    hands = _hand_numbers(spot, player)
    rows = {}
    for node in slots.form.betting.nodes:
        if node.player == player:
            of_node = np.full((len(HANDS), len(node.actions)), np.nan)
            of_node[hands] = node_strategy(slots.form, slots.weights, node, place).T
            rows[node.line] = of_node
    return rows


def _raise_shares(tree: SpotTree, node: BettingNode, river_paid: int) -> Floats:
    """Return the bets and raises of a node of a spot as shares of the pot after a call."""
    other = river_paid + node.paid[1 - node.player]
    paid = [
        river_paid + tree.nodes[child].paid[node.player]
        for child, action in zip(node.children, node.actions, strict=True)
        if action not in _CLOSING
    ]
    return (np.array(paid, np.float64) - other) / (2 * other)


def _find_child(tree: SpotTree, node: BettingNode, action: Action, river_paid: int) -> int | None:
    """Return the node of a spot after what was really done at one; None where the spot has no such bet."""
    for child, name in zip(node.children, node.actions, strict=True):
        if action.kind == RAISE:
            paid = river_paid + tree.nodes[child].paid[node.player]
            if name not in _CLOSING and round(paid) == action.paid:
                return child
        elif name in _LETTERS[action.kind]:
            return child
    return None


def _line_beyond(tree: SpotTree, stand: Stand) -> str:
    """Return what was really done on a river as a line of the spot, where its tree lacks it; else an empty text."""
    node: BettingNode | None = tree.nodes[0]
    tokens = []
    bet = 0
    for action in stand.river:
        chips = action.paid - stand.river_paid
        if action.kind == RAISE:
            tokens.append(f"{'R' if bet else 'B'}{chips}")
            bet = chips
        else:
            tokens.append("C" if bet else "X")
        if node is not None:
            child = _find_child(tree, node, action, stand.river_paid)
            node = None if child is None else tree.nodes[child]
    return "" if node is not None else "-".join(tokens)


def _find_node(tree: SpotTree, stand: Stand) -> BettingNode:
    """Return the node of a spot after what was really done on the river."""
    node = tree.nodes[0]
    for action in stand.river:
        child = _find_child(tree, node, action, stand.river_paid)
        assert child is not None, "the bets that were made are in the spot"
        node = tree.nodes[child]
    return node


def _label_actions(tree: SpotTree, node: BettingNode, stand: Stand) -> tuple[str, ...]:
    """Return the names of the actions at a node of a spot, as those of the game are."""
    actions = []
    for child, name in zip(node.children, node.actions, strict=True):
        paid = stand.river_paid + round(tree.nodes[child].paid[node.player])
        actions.append(Action(_KINDS.get(name, RAISE), paid))
    return label_actions(actions, _RIVER)
