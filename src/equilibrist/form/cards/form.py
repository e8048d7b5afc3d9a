"""The compiled form of a card game: its betting tree and its boards, as arrays, and how slots are numbered."""
# mypy: disable-error-code="override"

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints, offsets
from ...errors import GameError
from ...game.card_game import CardGame
from ...game.deal import joint_weight
from ...game.locks import find_locks
from ...game.protocol import game_name
from ..compiled_game import VectorForm, WalkerPool
from ..floors import NO_FLOORS, Terms
from ..gadget import Gadget
from ..infosets import Infosets
from ..responses import BestResponses, Values
from ..traits import CardTraits
from . import passes
from .betting import BettingTree, Node, betting_arrays, tree_against
from .boards import BoardTree, list_boards
from .checked import check_symmetric
from .fingerprint import fingerprint
from .infosets import Blocks, CardInfosets, Place, list_blocks, list_infosets
from .locks import Locks, place_locks
from .others_reach import CardOthersReach, others_reach
from .terminal.blockers import Blockers
from .terminal.four_cards import SetSums
from .terminal.hand_matrices import hand_matrices
from .terminal.pair_sums import PairSums
from .terminal.payoffs import make_terminal_payoffs
from .walk import CardArrays, first_slot_of
from .walker import CardWalker

MANY_CARDS = "cards of three or four"
"""The kernels of card games whose hands have three or four cards."""

FOLDED_CARDS = "cards with folded hands"
"""The kernels of card games in which hands were folded before."""

_LOCKS_TOLD = 3  # lines of locks that are named where the game is described


@dataclass(frozen=True, eq=False, repr=False)  # forms are compared by their fingerprints
class CardForm(CardTraits, VectorForm):
    """A card game compiled into a betting tree and its boards: what CFR over vectors of hands reads.

    Attributes
    ----------
    game : CardGame
        The rules.
    betting : BettingTree
        The betting tree.
    boards : BoardTree
        The boards, those that differ by a permutation of suits once.
    arrays : CardArrays
        Both as walks read them.
    locks : Locks or None
        Where the game fixes strategies.
    gadget : (int, Gadget) or None
        What a player decides above the game, where it is a part that is solved again
        (:mod:`equilibrist.form.gadget`).
    """

    name: str
    game: CardGame
    betting: BettingTree
    boards: BoardTree
    arrays: CardArrays
    locks: Locks | None = None
    gadget: tuple[int, Gadget] | None = None

    _passes: ClassVar[Any] = passes

    @property
    def kernels(self) -> str:
        if isinstance(self.arrays.boards.sums, SetSums):
            return MANY_CARDS
        if isinstance(self.arrays.boards.sums, PairSums):
            return FOLDED_CARDS
        return self.kind

    @property
    def pot(self) -> float | None:
        """What is in the middle at the start, where the game says so."""
        return getattr(self.game, "pot", None)

    @property
    def definition(self) -> str:
        """The name of the game that was compiled."""
        return game_name(self.game)

    @property
    def num_streets(self) -> int:
        return len(self.betting.streets)

    @property
    def boards_per_street(self) -> tuple[int, ...]:
        return tuple(len(street) for street in self.boards.streets)

    @property
    def payoff_sum(self) -> float | None:
        return self.betting.payoff_sum

    @property
    def largest_payoff(self) -> float:
        return self.betting.largest

    @property
    def depth(self) -> int:
        """Number of moves in the longest play, the deal of both hands included."""
        return 2 + self.betting.depth

    @property
    def length(self) -> int:
        return int(self.arrays.first_slot[-1])

    @cached_property
    def histories(self) -> int:
        """Number of histories: each board is counted, also those that are walked as one."""
        deal = self.game.deal
        possible = self.boards.streets[0][0].hands
        dealt = np.zeros(len(deal.hands[0])), np.zeros(len(deal.hands[1]))
        for player_dealt, hands, weights in zip(dealt, possible, deal.weights, strict=True):
            player_dealt[hands] = weights[hands] > 0
        mass_of_others = dealt[0] * self.blockers.mass_of_others(dealt, 0)
        pairs = int(mass_of_others.sum())
        total = 1 + int(np.count_nonzero(mass_of_others))
        cards_left = (
            deal.cards
            - len(self.game.board)
            - sum(len(player_hands[0]) for player_hands in deal.hands)
        )
        num_shown = (0, *self.game.streets)
        for number, street in enumerate(self.betting.streets):
            pairs *= math.comb(cards_left, num_shown[number])
            cards_left -= num_shown[number]
            total += pairs * street.num_nodes
        return total

    @property
    def most_actions(self) -> int:
        streets = self.betting.streets
        return max(
            (len(node.actions) for street in streets for nodes in street.nodes for node in nodes),
            default=1,
        )

    @property
    def locked_slots(self) -> Ints:
        if self.locks is None:
            return super().locked_slots
        return self.locks.slots

    @cached_property
    def nodes(self) -> int:
        """Number of public nodes, on the boards that are walked: decisions, ends, and where cards are dealt."""
        pairs = zip(self.betting.streets, self.boards.streets, strict=True)
        return sum(street.num_nodes * len(boards) for street, boards in pairs)

    @property
    def num_infosets(self) -> int:
        return int(self.blocks.first_infoset[-1])

    @cached_property
    def num_actions(self) -> int:
        counts = self.arrays.boards.counts
        first = self.arrays.boards.first_board
        betting = self.arrays.betting
        actions = betting.rows - np.repeat(betting.lines, 2)
        hands = [
            counts[2 * first[q // 2] + q % 2 : 2 * first[q // 2 + 1] : 2].sum()
            for q in range(len(actions))
        ]
        return int(actions @ hands)

    @property
    def size(self) -> str:
        boards = " and ".join(f"{count:,}" for count in self.boards_per_street)
        return f"{self.nodes:,} public nodes on {boards} boards, {self.num_infosets:,} infosets"

    @property
    def payoff_kind(self) -> str:
        hands = " × ".join(
            f"{len(player_hands):,}" for player_hands in self.boards.streets[0][0].hands
        )
        ends = sum(len(street.ends) + len(street.by_hands) for street in self.betting.streets)
        locks = find_locks(self.game)
        lines = ", ".join(lock.line or "the start" for lock in locks[:_LOCKS_TOLD])
        more = ", …" if len(locks) > _LOCKS_TOLD else ""
        if locks:
            locked = f", {len(locks)} lock{'s' * (len(locks) > 1)} ({lines}{more})"
        else:
            locked = ""
        deal = self.game.deal
        folded = "" if deal.folded is None else f", {deal.folded.describe()}"
        return f"{hands} hands, {ends:,} ends of the betting tree{folded}{locked}"

    @cached_property
    def blocks(self) -> Blocks:
        """Where the infosets of each player, street and board begin."""
        return list_blocks(self.arrays, self.betting)

    @property
    def blockers(self) -> Blockers:
        """Which cards each hand holds, and which hands of both players are the same cards."""
        return self.boards.blockers

    def mass_of_others(
        self, ranges: tuple[Floats, Floats], player: int, board: Sequence[int]
    ) -> Floats:
        """Return, for each hand of a player, the weight of the other's hands that go with it on a board.

        ``board`` are all public cards; ranges have the weight 0 where it blocks a hand. Where hands
        were folded, pairs of hands have the chance of :class:`~equilibrist.game.folded.FoldedHands`
        as a factor.
        """
        deal = self.game.deal
        if deal.folded is None:
            return self.blockers.mass_of_others(ranges, player)
        first, second = map(np.array, deal.hands)
        chances = deal.folded.pair_chances(first, second, board)
        if player == 1:
            chances = chances.T
        return np.asarray(chances @ ranges[1 - player])

    @cached_property
    def _infosets_and_slots(self) -> tuple[CardInfosets, NDArray[Any]]:
        return list_infosets(
            self.game, self.betting, self.boards, self.arrays, self.blocks, self.num_actions
        )

    def first_streets(self, streets: int) -> CardForm:
        """Return a form that has the slots and the infosets of the first streets alone, and no values."""
        betting = self.arrays.betting
        boards = self.arrays.boards
        return _FirstStreets(
            name=self.name,
            game=self.game,
            betting=replace(self.betting, streets=self.betting.streets[:streets]),
            boards=self.boards._replace(streets=self.boards.streets[:streets]),
            arrays=self.arrays._replace(
                betting=betting._replace(
                    lines=betting.lines[:streets], rows=betting.rows[: 2 * streets]
                ),
                boards=boards._replace(first_board=boards.first_board[: streets + 1]),
                first_slot=self.arrays.first_slot[: 2 * streets + 1],
            ),
        )

    def slots_of(self, node: Node, board: int) -> Ints:
        """Return the slots of a node of the betting tree on a board of its street, shape (actions, hands there)."""
        boards = self.arrays.boards
        width = boards.width[2 * node.street + node.player]
        number = boards.first_board[node.street] + board
        # In Python, for Numba would compile the helper of kernels by itself, half a second that no
        # cache saves.
        first = getattr(first_slot_of, "py_func", first_slot_of)(
            self.arrays, node.street, number, node.player
        )
        rows = node.first + np.arange(len(node.actions))
        hands = np.arange(boards.counts[2 * number + node.player])
        return np.asarray(first + rows[:, None] * width + hands)

    def rows_of(self, table: NDArray[Any], street: int, player: int) -> NDArray[Any]:
        """Return the slots of a player on a street in a table, shape (boards, rows of actions, positions): a view."""
        q = 2 * street + player
        boards = len(self.boards.streets[street])
        slots = table[int(self.arrays.first_slot[q]) : int(self.arrays.first_slot[q + 1])]
        return slots.reshape(boards, -1, int(self.arrays.boards.width[q]))

    def first_decision(self, weights: NDArray[Any]) -> dict[str, float]:
        node = next((node for node in self.betting.streets[0].decisions if not node.line), None)
        if node is None:
            return {}
        dealt = np.zeros(len(self.game.deal.hands[0])), np.zeros(len(self.game.deal.hands[1]))
        for player, possible in enumerate(dealt):
            hands = self.hands_on(0, 0, player)
            possible[hands] = self.game.deal.weights[player][hands]
        mass = self.mass_of_others(dealt, node.player, self.game.board)
        held = (dealt[node.player] * mass)[self.hands_on(0, 0, node.player)]
        sums = np.maximum(weights[self.slots_of(node, 0)].astype(np.float64), 0.0)
        total = sums.sum(axis=0)
        uniform = np.full_like(sums, 1 / len(sums))
        shares = np.divide(sums, total, out=uniform, where=total > 0) @ (held / held.sum())
        return dict(zip(node.actions, shares.tolist(), strict=True))

    def put_player(self, strategy: NDArray[Any], other: NDArray[Any], player: int) -> None:
        first = self.arrays.first_slot
        for street in range(self.num_streets):
            slots = slice(int(first[2 * street + player]), int(first[2 * street + player + 1]))
            strategy[slots] = other[slots]

    def hands_on(self, street: int, board: int, player: int) -> Ints:
        """Return the hands of the game that a player can hold on a board, in the order of the slots."""
        boards = self.arrays.boards
        at = 2 * (boards.first_board[street] + board) + player
        first = boards.first_position[at]
        return boards.hand[first : first + boards.counts[at]].astype(np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of hands, weights, cards, betting, payoffs, the boards that are walked, and locks."""
        return fingerprint(self.game, self.betting, self.boards, self.gadget)

    def against(self, player: int) -> CardForm:
        if self.zero_sum:
            return self
        form = card_form(self.game, tree_against(self.betting, player), self.boards)
        # The slots are the same, and so is the game from which it is made again.
        form.__dict__["fingerprint"] = self.fingerprint
        return form

    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        return passes.average_from_sums(self.arrays, sums)

    @cached_property
    def conditional(self) -> CardArrays:
        """The arrays for walks whose values are divided by the reach of a hand (:mod:`.terminal.remainders`)."""
        return self.arrays.with_remainders()

    @cached_property
    def _counting_form(self) -> CardForm:
        arrays = self.arrays
        betting = arrays.betting._replace(shift=np.zeros(2))
        terminal = arrays.terminal
        ones = hand_matrices(self.betting, self.boards, terminal.first_row, ones=True)
        counting = terminal.counting()._replace(by_hands=ones)
        return replace(self, arrays=arrays._replace(betting=betting, terminal=counting))

    def others_reach(self) -> CardOthersReach:
        return others_reach(self.conditional, self.betting)

    def hand_weights(self) -> Floats:
        weights = np.ones(self.length)
        passes.weigh_values(self.arrays, weights)
        return weights

    def infoset_counts(self) -> Floats:
        counts: list[Floats] = []
        alike_above = np.ones(1)
        for boards in self.boards.streets:
            parent = np.array([board.parent for board in boards])
            copies = np.array([max(1, len(board.copies)) for board in boards], np.float64)
            if counts:
                copies *= alike_above[parent]
            alike_above = copies
            counts.append(copies)
        blocks = self.blocks
        sizes = np.diff(blocks.first_infoset)
        alike = np.concatenate([counts[street] for _, street in blocks.key])
        return np.repeat(alike, sizes)

    def check_strategy(self, strategy: Floats) -> None:
        check_symmetric(self, strategy)

    @cached_property
    def walkers(self) -> WalkerPool[CardWalker]:
        return WalkerPool(partial(CardWalker, self.arrays))

    @cached_property
    def conditional_walkers(self) -> WalkerPool[CardWalker]:
        """Walkers whose values may be divided by the reach of a hand."""
        return WalkerPool(partial(CardWalker, self.conditional))

    def best_responses(self, strategy: Floats) -> BestResponses:
        with self.conditional_walkers.acquire() as walker:
            responses = passes.best_responses(walker, np.ascontiguousarray(strategy))
        shift = self.arrays.betting.shift  # what walks leave out of payoffs
        if shift.any():
            reach = self._counting_form.best_responses(strategy).best_value
            for q in range(2 * len(self.betting.streets)):
                slots = slice(self.arrays.first_slot[q], self.arrays.first_slot[q + 1])
                responses.best_value[slots] += shift[q % 2] * reach[slots]
        return responses

    def parents(self, infosets: Ints) -> Ints:
        parents = np.full(len(infosets), -1)
        k = 0
        while k < len(infosets):
            place = self.blocks.place(int(infosets[k]))
            end = int(np.searchsorted(infosets, place.first + place.hands))
            parents[k:end] = self._parent(place, infosets[k:end] - place.first)
            k = end
        return parents

    def _parent(self, place: Place, positions: Ints) -> Ints:
        betting = self.arrays.betting
        boards = self.arrays.boards
        street = place.street
        player = place.player
        board = place.board
        row = self.betting.streets[street].nodes[player][place.node].parent
        while row < betting.lines[street]:
            if street == 0:
                return np.full(len(positions), -1)
            q = 2 * street + player
            number = boards.first_board[street] + board
            row = int(betting.leaf_row[2 * (betting.first_leaf[street - 1] + row) + player])
            first = boards.first_map[2 * boards.first_copy[number] + player]
            positions = boards.map[first : first + boards.width[q]][positions].astype(np.int64)
            board = self.boards.streets[street][board].parent
            street -= 1
        nodes = self.betting.streets[street].nodes[player]
        node = next(node for node in nodes if node.first <= row < node.first + len(node.actions))
        first_infoset = self.blocks.first(player, street, board, node.number)
        return np.asarray(self.first_action[first_infoset + positions] + row - node.first)

    @property
    def merged(self) -> bool:
        """Whether boards that differ by suits alone are walked as one."""
        return any(len(board.copies) > 1 for street in self.boards.streets[1:] for board in street)

    def unmerged(self) -> CardForm:
        if self.merged:
            return card_form(self.game, self.betting, list_boards(self.game, merge=False))
        return self

    def length_of_streets(self, streets: int) -> int:
        """Return the length of arrays at the slots of the first streets."""
        return int(self.arrays.first_slot[2 * streets])

    def form_with_names(self, infosets: Infosets) -> CardForm:
        if not self.merged or infosets is self.infosets:
            return self
        names = {infoset[:2] for infoset in self.infosets}
        if all(infoset[:2] in names for infoset in infosets):
            return self
        return self.unmerged()

    def part(self, slots: int) -> CardForm | None:
        """Return the game with as many boards of the second street as have about so many slots: one at least.

        On a single street it is the game itself, or None where it has many more slots. None where
        nobody decides, too.
        """
        if self.length == 0:
            return None
        if len(self.boards.streets) == 1:
            if self.length <= 4 * slots:
                return self
            return None
        boards = max(1, slots * len(self.boards.streets[1]) // self.length)
        return card_form(self.game, self.betting, list_boards(self.game, most_boards=boards))


class _FirstStreets(CardForm):
    """The first streets of a card form: plays do not end there, so that they have no values."""

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        raise self._no_values_error()

    def best_responses(self, strategy: Floats) -> BestResponses:
        raise self._no_values_error()

    def _no_values_error(self) -> GameError:
        streets = len(self.betting.streets)
        return GameError(
            f"The first {streets} street{'s' * (streets > 1)} of {self.name} alone have no "
            "values, for plays end later; compile the whole game.",
            wrong_use=True,
        )


def card_form(game: CardGame, tree: BettingTree, boards: BoardTree) -> CardForm:
    """Return the card form of a game from its betting tree and its boards."""
    betting = tree.once(betting_arrays)
    arrays = boards.arrays
    possible = boards.streets[0][0].hands
    boards_per_street = np.diff(arrays.first_board)
    street = np.arange(len(betting.rows)) // 2
    sizes = (betting.rows - betting.lines[street]) * boards_per_street[street] * arrays.width
    counts = arrays.counts[:2]
    width = arrays.width[:2]
    weights = np.zeros(int(width.sum()))
    first_weight = offsets(width)
    for player, hand_weights in enumerate(game.deal.weights):
        first = arrays.first_position[player]
        at = first_weight[player]
        count = counts[player]
        weights[at : at + count] = hand_weights[arrays.hand[first : first + count]]
    terminal = make_terminal_payoffs(tree, arrays.width)
    total = game.deal.total
    terminal = terminal._replace(by_hands=hand_matrices(tree, boards, terminal.first_row))
    if game.deal.folded is not None:
        total = float(game.deal.pair_weights(game.deal.folded, game.board).sum())
    elif any(
        len(hands) < len(listed) for hands, listed in zip(possible, game.deal.hands, strict=True)
    ):
        dealt = [
            [game.deal.hands[player][hand] for hand in hands.tolist()]
            for player, hands in enumerate(possible)
        ]
        total = joint_weight(
            dealt, [game.deal.weights[player][hands] for player, hands in enumerate(possible)]
        )
    form = CardForm(
        name=game_name(game),
        game=game,
        betting=tree,
        boards=boards,
        arrays=CardArrays(
            betting, arrays, terminal, offsets(sizes), weights / total, weights, first_weight
        ),
    )
    if not find_locks(game):
        return form
    nodes, locked, locks = place_locks(form)
    locked_betting = betting._replace(nodes=nodes, locked=locked)
    return replace(form, arrays=form.arrays._replace(betting=locked_betting), locks=locks)
