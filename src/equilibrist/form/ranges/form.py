"""The form of three ranges: a sequence form whose ends are paid by sums over hands, and never written out."""
# mypy: disable-error-code="override"

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._jit.simd import LANES
from ..._util.arrays import Floats, Indices, Ints, offsets
from ...errors import GameError
from ..floors import NO_FLOORS, Terms
from ..infosets import Infosets
from ..responses import BestResponses, Values
from ..sequence import passes
from ..sequence.leaves import LeafForm
from ..sequence.payoff.layout import make_payoff
from ..sequence.treeplex import Treeplex
from ..traits import RangeTraits, three_ranges_error
from .boards import BoardTree, find_symmetries, list_boards
from .game import PLAYERS, RangeGame
from .infosets import RangeInfosets
from .locks import Locks, place_locks
from .payments import Decision, Slots, list_decisions, list_payments, list_reaches
from .size import measure_size, time_iteration
from .values import SURE, Payments, RangeValues


@dataclass(frozen=True, eq=False, repr=False)
class RangeForm(RangeTraits, LeafForm):
    """A sequence form of three ranges.

    Attributes
    ----------
    range_game : RangeGame
    boards : BoardTree
    decisions : list of Decision
    slots_of_decisions : Slots
    total : float
        The weight of all deals.
    """

    has_entries = False

    infosets: RangeInfosets
    leaf_values: RangeValues = field(kw_only=True)  # type: ignore[assignment]
    range_game: RangeGame = field(kw_only=True)
    boards: BoardTree = field(kw_only=True)
    decisions: list[Decision] = field(kw_only=True)
    slots_of_decisions: Slots = field(kw_only=True)
    total: float = field(kw_only=True)

    @property
    def game(self) -> Any:
        """The rules, as :func:`equilibrist.load` returns them."""
        return self.range_game.rules

    @property
    def pot(self) -> float:
        return self.range_game.pot

    @property
    def num_streets(self) -> int:
        return self.range_game.streets

    @property
    def boards_per_street(self) -> tuple[int, ...]:
        return tuple(np.diff(self.boards.first).tolist())

    @property
    def size(self) -> str:
        boards = " and ".join(f"{count:,}" for count in self.boards_per_street)
        return (
            f"{len(self.decisions):,} decisions on {boards} boards, {self.num_infosets:,} infosets"
        )

    @property
    def payoff_kind(self) -> str:
        """How many hands the players have, in words."""
        hands = " × ".join(f"{count:,}" for count in self.boards.counts[:, 0].tolist())
        folded = self.range_game.folded
        if folded is None:
            return f"{hands} hands"
        return f"{hands} hands, {folded.describe()}"

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        played = self.average_from_sums(strategy) if weights else strategy
        return self._respond(played, threads).values

    def best_responses(self, strategy: Floats) -> BestResponses:
        return self._respond(strategy, 1)

    @cached_property
    def locks(self) -> Locks | None:
        """Where the strategy is fixed, and to what; None where it is free."""
        if not self.range_game.locks:
            return None
        return place_locks(self.range_game, self.boards, self.decisions, self.slots_of)

    @property
    def locked_slots(self) -> Ints:
        if self.locks is None:
            return super().locked_slots
        return self.locks.slots

    @cached_property
    def response_terms(self) -> Terms:
        """What best responses keep to: the locks."""
        if self.locks is None:
            return NO_FLOORS
        pinned = np.zeros(self.length)
        free = np.ones(self.length)
        pinned[self.locks.slots] = self.locks.probabilities
        free[self.locks.slots] = 0.0
        return Terms.of_model(pinned, free)

    def average_from_sums(self, sums: NDArray[Any]) -> Floats:
        strategy = super().average_from_sums(sums)
        if self.locks is not None:
            strategy[self.locks.slots] = self.locks.probabilities
        return strategy

    def _respond(self, strategy: Floats, threads: int) -> BestResponses:
        """Return the values of a strategy and the best responses to it, by so many threads."""
        treeplex = self.treeplex
        reach = self.reach(strategy)
        cf_value = np.zeros(self.length)
        response = np.ones(self.length)
        sums = np.zeros(2 * LANES)
        values = []
        best_values = []
        for player in PLAYERS:
            self.leaf_values(player, reach, cf_value, threads)
            passes.sum_products(treeplex, player, reach, cf_value, sums)
            values.append(math.fsum(sums))
            best = passes.best_response(treeplex, player, cf_value, response, self.response_terms)
            best_values.append(float(best))
        if self.locks is not None:
            response[self.locks.slots] = self.locks.probabilities
        return BestResponses(tuple(values), tuple(best_values), reach, cf_value, response)

    @property
    def merged(self) -> bool:
        """Whether boards or hands that differ by suits alone are taken for one."""
        return len(self.boards.symmetries) > 1

    def unmerged(self) -> RangeForm:
        if self.merged:
            return range_form(self.range_game, merge=False)
        return self

    def slots_of(self, number: int, board: int) -> Ints:
        """Return the slots of a decision on a board, shape (actions, hands of the player)."""
        decision = self.decisions[number]
        chosen = np.array([board])
        rows = [
            int(self.slots_of_decisions.row((number, action), decision.street, chosen)[0])
            for action in range(decision.actions)
        ]
        hands = np.arange(self.boards.counts[decision.player, board])
        return np.asarray(np.array(rows)[:, None] + hands)

    def length_of_streets(self, streets: int) -> int:
        """Return the length of arrays at the slots of the first streets: of all, for no others are kept alone."""
        return self.length

    def form_with_names(self, infosets: Infosets) -> RangeForm:
        if not self.merged or infosets is self.infosets:
            return self
        names = {infoset[:2] for infoset in self.infosets}
        if all(infoset[:2] in names for infoset in infosets):
            return self
        return self.unmerged()

    def cf_reach(self, strategy: Floats) -> Floats:
        reach = self.reach(strategy)
        table = np.zeros(self.length)
        for player in PLAYERS:
            self._reaches(player, reach, table)
        return np.asarray(table[self.slot[self.first_action[:-1]]])

    @cached_property
    def _reaches(self) -> RangeValues:
        """What adds the reach of each infoset by chance and the others to its first slot."""
        payments = list_reaches(self.boards, self.decisions, self.slots_of_decisions, self.total)
        return RangeValues(self.boards.arrays, payments, self.leaf_values.empty_slots)

    def others_reach(self) -> NoReturn:
        raise self.not_served("logit responses are")

    def fill_detached(self, strategy: NDArray[Any], player: int, table: Floats) -> NoReturn:
        raise self.not_served("rules in NumPy and models of opponents are")

    def not_served(self, what: str) -> GameError:
        """Return the error for something that is not there for this form."""
        return three_ranges_error(what)


def lift_weights(unmerged: RangeForm, form: RangeForm, weights: NDArray[Any]) -> NDArray[Any]:
    """Return weights at the slots of the unmerged form, given those at the slots of one whose suits are merged."""
    lifted = np.ones(unmerged.length, weights.dtype)
    for number, decision in enumerate(unmerged.decisions):
        for board in unmerged.boards.boards_of(decision.street).tolist():
            place_and_permutation = form.boards.find(unmerged.boards.dealt[board])
            assert place_and_permutation is not None
            place, permutation = place_and_permutation
            images = form.boards.permute_hands(form.range_game, permutation)
            held = unmerged.boards.held[decision.player][board]
            classes = form.boards.number[decision.player][place][images[held]]
            slots = form.slots_of(number, place)[:, classes]
            lifted[unmerged.slots_of(number, board)] = weights[slots]
    return lifted


def range_form(game: RangeGame, *, merge: bool = True) -> RangeForm:
    """Return the form of a game of three ranges; boards and hands that differ by suits alone are there once, with
    ``merge=False`` each.

    Raises
    ------
    GameError
        No three hands can be dealt, or nobody decides anything.
    GameTooLargeError
        There is not enough memory, by an estimate that is made before anything is built.
    """
    decisions, ends = list_decisions(game)
    if not decisions:
        raise GameError(
            f"Nobody decides anything in {game.name}; give two players at least chips to bet with.",
            wrong_use=True,
        )
    symmetries = find_symmetries(game)
    if not merge:
        symmetries = symmetries[:1]
    measure_size(game, decisions, ends, symmetries).check(game.name)
    boards = list_boards(game, symmetries)
    infosets = RangeInfosets(game, boards, decisions)
    first_action = infosets.first_action()
    treeplex, slots, slot, parent_sequence = _lay_out(boards, decisions, infosets, first_action)
    empty_slots = tuple(treeplex.first_slot[:-1].tolist())
    total, deals = _count_deals(boards)
    if not total > 0:
        beside = "" if game.folded is None else " beside the folded hands"
        raise GameError(
            f"No three hands of the ranges of {game.name} can be dealt at once{beside}, for they "
            "share cards; give other ranges.",
            wrong_use=True,
        )
    payments = list_payments(game, boards, decisions, ends, slots, total)
    return RangeForm(
        name=game.name,
        players=len(PLAYERS),
        histories=_count_histories(game, deals),
        depth=_count_moves(game),
        payoff_sum=game.payoff_sum,
        largest_payoff=game.largest_payoff,
        infosets=infosets,
        parent_sequence=parent_sequence,
        slot=slot,
        treeplex=treeplex,
        payoff=make_payoff(np.zeros((len(PLAYERS), 0), np.uint32), np.zeros((0, len(PLAYERS)))),
        fingerprint=_fingerprint(game, symmetries),
        leaf_values=RangeValues(boards.arrays, payments, empty_slots),
        range_game=game,
        boards=boards,
        decisions=decisions,
        slots_of_decisions=slots,
        total=total,
    )


def describe_size(game: RangeGame) -> str:
    """Return how large the form of a game is going to be, and how long an iteration takes, in words."""
    decisions, ends = list_decisions(game)
    symmetries = find_symmetries(game)
    size = measure_size(game, decisions, ends, symmetries)
    return size.describe(time_iteration(game, size, symmetries))


def _lay_out(
    boards: BoardTree, decisions: list[Decision], infosets: RangeInfosets, first_action: Ints
) -> tuple[Treeplex, Slots, Indices, Indices]:
    """Return treeplex, slots of decisions, slot of each action, and parent sequence of each infoset.

    Buckets are those of :class:`Treeplex`. In a bucket the hands of a decision on a board stand side
    by side.
    """
    numbers = [boards.boards_of(decision.street) for decision in decisions]
    hands = [
        boards.counts[decision.player, boards_of_decision]
        for decision, boards_of_decision in zip(decisions, numbers, strict=True)
    ]
    kinds = sorted({(each.player, each.level, each.actions) for each in decisions})
    number_of_kind = {kind: number for number, kind in enumerate(kinds)}
    bucket = [number_of_kind[each.player, each.level, each.actions] for each in decisions]
    # Where each decision begins in its bucket, in infosets.
    real_size = np.zeros(len(kinds), np.int64)
    begin = []
    for number, counts in enumerate(hands):
        begin.append(int(real_size[bucket[number]]))
        real_size[bucket[number]] += counts.sum()
    bucket_size = -(-real_size // LANES) * LANES
    bucket_owner = np.array([kind[0] for kind in kinds], np.int64)
    bucket_actions = np.array([kind[2] for kind in kinds], np.int64)
    begin_of_bucket = offsets(bucket_size * bucket_actions)
    first_bucket = np.searchsorted(bucket_owner, np.arange(len(PLAYERS) + 1))
    first_slot = begin_of_bucket[first_bucket] + LANES * np.arange(len(PLAYERS) + 1)
    bucket_slot = begin_of_bucket[:-1] + LANES * (bucket_owner + 1)
    bucket_infoset = offsets(bucket_size)[:-1]
    # What fills up hangs below the unused slots next to the empty sequence, in turn.
    parent_slot = (
        np.repeat(first_slot[bucket_owner], bucket_size)
        + 1
        + np.arange(bucket_size.sum()) % (LANES - 1)
    )
    slots = Slots(
        first=[
            bucket_slot[bucket[number]] + begin[number] + offsets(counts)[:-1]
            for number, counts in enumerate(hands)
        ],
        stride=[int(bucket_size[number]) for number in bucket],
        first_board=boards.first,
    )
    slot = np.empty(int(first_action[-1]), np.uint32)
    parent_sequence = np.zeros(len(infosets), np.uint32)
    first_block = offsets(np.array([len(counts) for counts in hands]))
    for number, decision in enumerate(decisions):
        move = decision.last[decision.player]
        stride = slots.stride[number]
        actions = stride * np.arange(decision.actions)
        for k, count in enumerate(hands[number].tolist()):
            board = int(numbers[number][k])
            first_infoset = int(infosets.first[first_block[number] + k])
            held = np.arange(count)
            base = int(slots.first[number][k])
            span = slice(int(first_action[first_infoset]), int(first_action[first_infoset + count]))
            slot[span] = (base + held[:, None] + actions).ravel()
            in_treeplex = int(bucket_infoset[bucket[number]]) + base
            in_treeplex -= int(bucket_slot[bucket[number]])
            if move is None:
                parent_slot[in_treeplex : in_treeplex + count] = first_slot[decision.player]
                continue
            above = decisions[move[0]]
            board_above = int(boards.ancestor[board, above.street])
            k_above = board_above - int(boards.first[above.street])
            held_here = boards.held[decision.player][board]
            places = boards.number[decision.player][board_above][held_here]
            row = int(slots.first[move[0]][k_above]) + move[1] * slots.stride[move[0]]
            parent_slot[in_treeplex : in_treeplex + count] = row + places
            infoset_above = int(infosets.first[first_block[move[0]] + k_above]) + places
            sequences = 1 + first_action[infoset_above] + move[1]
            parent_sequence[first_infoset : first_infoset + count] = sequences
    arrays = (
        first_slot,
        first_bucket,
        bucket_slot,
        bucket_infoset,
        bucket_size,
        bucket_actions,
        parent_slot,
    )
    treeplex = Treeplex(*(np.ascontiguousarray(array, np.uint32) for array in arrays))
    return treeplex, slots, slot, parent_sequence


def _count_deals(boards: BoardTree) -> tuple[float, list[float]]:
    """Return the weight of all deals, and how many deals there are on all boards of each street together.

    Both are sums over disjoint hands: payments of 1 to a player who has decided nothing.
    """
    arrays = boards.arrays
    is_held = arrays.weight > 0
    ones = arrays._replace(
        coefficient=np.zeros((len(boards.dealt), 0)),
        factor=np.zeros((0, is_held.shape[1])),
        weight=is_held.astype(np.float64),
        paid_weight=np.divide(
            arrays.paid_weight, arrays.weight, out=np.zeros(is_held.shape), where=is_held
        ),
    )
    numbers = np.arange(len(boards.dealt))
    none = np.full((3, len(numbers)), -1)
    street_of_board = np.searchsorted(boards.first, numbers, side="right") - 1
    players = np.repeat(np.arange(3)[:, None], len(numbers), axis=1)

    def weigh(arrays: Any, count: int) -> float:
        payments = Payments(
            first_group=np.array([0, 1, 1, 1]),
            first=np.array([0, count]),
            kind=np.full(count, SURE),
            board=chosen,
            amount=boards.copies[chosen],
            row=np.ascontiguousarray(none[:, :count]),
            street=np.ascontiguousarray(np.broadcast_to(street_of_board[chosen], (3, count))),
            player=np.ascontiguousarray(players[:, :count]),
        )
        sums = np.zeros(LANES)
        RangeValues(arrays, payments, (0, 0, 0))(0, np.zeros(LANES), sums)
        return float(sums[0])

    chosen = numbers[:1]
    total = weigh(arrays, 1)
    deals = []
    for street in range(len(boards.first) - 1):
        chosen = boards.boards_of(street)
        deals.append(weigh(ones, len(chosen)))
    return total, deals


def _count_histories(game: RangeGame, deals: list[float]) -> int:
    """Return the number of histories: the deal as one move, and each node of the betting on each board."""
    return 1 + sum(round(deals[node.street]) for node in game.nodes)


def _count_moves(game: RangeGame) -> int:
    """Return the moves in the longest play: the deal, the actions, and the cards."""
    moves = [0] * len(game.nodes)
    for number in reversed(range(len(game.nodes))):
        children = game.nodes[number].children
        moves[number] = 1 + max((moves[child] for child in children), default=0)
    return moves[0]


def _fingerprint(game: RangeGame, symmetries: Ints) -> str:
    """Return a digest of hands, weights, cards, betting and payoffs, and of what is taken for one."""
    digest = hashlib.sha256()
    cards = [game.cards[card] for card in game.board]
    digest.update(repr((list(game.hand_names), cards, game.streets)).encode())
    digest.update(np.ascontiguousarray(game.weights).data)
    digest.update(np.ascontiguousarray(game.strengths(_some_boards(game))).data)
    for node in game.nodes:
        digest.update(repr(tuple(node)).encode())
    for lock in game.locks:
        hands = np.flatnonzero(lock.is_locked).tolist()
        digest.update(repr((lock.node, lock.shares, hands, lock.dealt)).encode())
    if game.folded is not None:
        digest.update(game.folded.digest())
    if len(symmetries) > 1:
        digest.update(np.ascontiguousarray(symmetries).data)
    return digest.hexdigest()[:16]


def _some_boards(game: RangeGame) -> Ints:
    """Return the first boards of five cards, by which decks that rank hands in other ways are told apart."""
    left = [card for card in range(len(game.cards)) if card not in game.board]
    missing = game.streets - 1
    if missing == 0:
        return np.array([game.board], np.int64).reshape(1, -1)
    return np.array([[*game.board, *left[first : first + missing]] for first in range(20)])
