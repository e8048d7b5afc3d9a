"""Push or fold with three seats: the button, the small blind and the big blind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.display import Display
from ..._util.spec import spec
from ...errors import GameError
from ...game.protocol import CHANCE, TERMINAL
from ..cards.cards import CLASSES
from ..spot.three_hands import (
    PLAYERS,
    HandEnd,
    HandNode,
    Move,
    ThreeHandForm,
    ThreeHands,
    three_hand_form,
)
from .all_in import BOARDS, load_all_in
from .game import PushFold, read_push_fold
from .stakes import share_pots, value_chips
from .three_way import deals_of_classes, load_three_way

_ORDERS = tuple(permutations(PLAYERS))
_AGGRESSIVE = ("push", "call")  # what puts in all chips, where nobody has, and where somebody has


class Table(NamedTuple):
    """A state: the hands that are dealt, by the number of their class, and what has been done."""

    hands: tuple[int, ...] = ()
    moves: tuple[str, ...] = ()


class ThreeHanded(Display):
    """Push or fold with three seats; ``push_fold(seats=3)`` makes it, with the parameters of :class:`PushFold`.

    The button goes all-in or folds, then the small blind, then the big blind, who wins if nobody
    goes all-in. Where the button straddles, it acts last: players are the small blind, the big
    blind and the button. The deal of the three hands is exact. Two hands that are all-in have the exact
    chance to win of their classes, whatever the third player folded; three hands have the shares of
    :mod:`.three_way`. All-ins of unequal stacks have side pots; where a side pot of two is played
    for beside a main pot of three, the order of the two losers follows from the shares of three and
    of two hands.

    Infosets are the class of hands and what others did: ``AKs``, ``AKs fold``, ``AKs push-call``.
    """

    players = 3
    has_many_deals = True

    def __init__(
        self,
        *,
        stack: float = 10,
        stacks: Sequence[float] | None = None,
        ante: float = 0,
        bb_ante: float = 0,
        dead: float = 0,
        straddle: float = 0,
        payouts: Sequence[float] | None = None,
    ) -> None:
        self.settings = {
            "stack": stack,
            "seats": 3,
            "stacks": stacks,
            "ante": ante,
            "bb_ante": bb_ante,
            "dead": dead,
            "straddle": straddle,
            "payouts": payouts,
        }
        self.stakes = read_push_fold(self.settings)
        self._prizes = payouts
        # By moves: tensors take a while.
        self._payoffs: dict[tuple[str, ...], tuple[Any, Any, Any]] = {}

    def __str__(self) -> str:
        return spec(PushFold.name, PushFold, self.settings)

    def __repr__(self) -> str:
        return str(self)

    def start(self) -> Table:
        """Return the state before the deal."""
        return Table()

    def player(self, state: Table) -> int:
        """Return whose move it is: that of chance until all have hands."""
        if len(state.hands) < self.players:
            return CHANCE
        over = len(state.moves) == self.players or state.moves == ("fold", "fold")
        if over:
            return TERMINAL
        return len(state.moves)

    def actions(self, state: Table) -> list[str]:
        """Return ``push`` or ``call``, and ``fold``; of the deal the classes of hands that can be dealt."""
        if self.player(state) == CHANCE:
            return [CLASSES[number] for number in np.flatnonzero(self._deals(state))]
        return [_AGGRESSIVE["push" in state.moves], "fold"]

    def probabilities(self, state: Table) -> list[float]:
        """Return the probability of each class of hands, given those that are dealt."""
        deals = self._deals(state)
        return list(map(float, deals[deals > 0] / deals.sum()))

    def _deals(self, state: Table) -> Floats:
        triples = deals_of_classes()[state.hands]
        return np.asarray(triples.reshape(len(CLASSES), -1).sum(axis=1), np.float64)

    def next(self, state: Table, action: str) -> Table:
        """Return the state after a hand is dealt, or after a move."""
        if self.player(state) == CHANCE:
            return Table((*state.hands, CLASSES.index(action)), state.moves)
        return Table(state.hands, (*state.moves, action))

    def infoset(self, state: Table) -> str:
        """Return the class of hands, and what the others did."""
        return self._key(CLASSES[state.hands[len(state.moves)]], state.moves)

    def payoffs(self, state: Table) -> list[float]:
        """Return what each player wins on average: chips, or the change of what the stack is worth in prizes."""
        result = []
        for player, payoff in enumerate(self._list_payments(state.moves)):
            players_shown = [
                p for p in PLAYERS if p < len(state.moves) and state.moves[p] in _AGGRESSIVE
            ]
            if len(players_shown) == 2:
                order = players_shown
            else:
                order = [player, *(p for p in PLAYERS if p != player)]
            value = np.asarray(payoff)
            result.append(
                float(value[tuple(state.hands[p] for p in order)] if value.ndim else value)
            )
        return result

    def _key(self, hand: str, moves: tuple[str, ...]) -> str:
        return f"{hand} {'-'.join(moves)}".rstrip()

    def offer_form(self, *, keep_tree: bool) -> ThreeHandForm:
        """Return the game compiled, its deal kept once; a tree of its histories would have too many of them."""
        hands = self.three_hands()
        if keep_tree:
            raise GameError(
                f"{self} has {hands.histories:,} histories, which are not written "
                "out, as explanations and samples of a tree need: leave sampling out, or sample "
                "its rules: sampling='external(tree=False)'.",
                wrong_use=True,
            )
        return three_hand_form(hands)

    def three_hands(self) -> ThreeHands:
        """Return the game by its deal, its betting and what is paid."""
        nodes, hand_ends = list[HandNode](), list[HandEnd]()

        def walk(moves: tuple[str, ...], taken: list[Move | None]) -> None:
            state = Table((0,) * 3, moves)
            player = self.player(state)
            if player == TERMINAL:
                out = moves.index("fold") if "fold" in moves else None
                before = [*taken, *[None] * (3 - len(taken))]
                hand_ends.append(
                    HandEnd((before[0], before[1], before[2]), out, self._list_payments(moves))
                )
                return
            number = len(nodes)
            actions = tuple(self.actions(state))
            nodes.append(
                HandNode(player, tuple(self._key(hand, moves) for hand in CLASSES), actions)
            )
            for action, word in enumerate(actions):
                walk((*moves, word), [*taken, (number, action)])

        walk((), [])
        deals = deals_of_classes()
        largest = max(float(np.abs(payoff).max()) for end in hand_ends for payoff in end.payoffs)
        return ThreeHands(str(self), deals / deals.sum(), nodes, hand_ends, largest)

    def _list_payments(self, moves: tuple[str, ...]) -> tuple[Any, Any, Any]:
        if moves not in self._payoffs:
            self._payoffs[moves] = self._payoffs_after(moves)
        return self._payoffs[moves]

    def _payoffs_after(self, moves: tuple[str, ...]) -> tuple[Any, Any, Any]:
        """Return what each player earns after these moves: see :class:`HandEnd`."""
        players_shown = [player for player, move in enumerate(moves) if move in _AGGRESSIVE]
        if len(players_shown) < 2:
            first, second, third = self._utility([players_shown or [2]])
            return first, second, third
        if len(players_shown) == 2:
            table = load_all_in()
            (first, second) = players_shown
            counts = np.stack([table.wins, table.ties, table.wins.T]) / (table.pairs * BOARDS)
            rankings = ([[first], [second]], [[first, second]], [[second], [first]])
            results = np.array([self._utility(ranking) for ranking in rankings])
            first_pays, second_pays, third_pays = np.tensordot(results.T, counts, 1)
            return first_pays, second_pays, third_pays
        return self._three_way(0), self._three_way(1), self._three_way(2)

    def _three_way(self, player: int) -> Floats:
        """Return what a player earns where all show, by the own hand and those of the others.

        A tie of two is worth what it adds to half a win of each; one of all three counts as a third
        of each win. Of two losers x and y, x is before y as often as it beats y less as often as it
        beats both, which is its share.
        """
        table = load_three_way()
        equity = load_all_in().equity
        holder, first, second = players = [player, *(p for p in PLAYERS if p != player)]
        # axes: the own hand, that of the first of the others, that of the second
        share = dict(
            zip(
                players,
                (
                    table.share,
                    table.share.transpose(1, 0, 2),
                    table.share.transpose(1, 2, 0),
                ),
                strict=True,
            )
        )
        beats = {
            (holder, first): equity[:, :, None],
            (holder, second): equity[:, None, :],
            (first, second): equity[None],
        }
        ties = {
            (holder, first): table.ties,
            (holder, second): table.ties.transpose(0, 2, 1),
            (first, second): table.ties.transpose(2, 0, 1),
        }
        paid = np.zeros_like(table.share)
        worth = {order: self._utility([[who] for who in order])[player] for order in _ORDERS}
        for third, (upper, lower) in zip((second, first, holder), beats, strict=True):
            paid += share[third] * worth[third, lower, upper]
            changed = worth[third, upper, lower] - worth[third, lower, upper]
            if changed:
                before = np.clip(beats[upper, lower] - share[upper], 0.0, share[third])
                paid += changed * before
            tied = self._utility([[upper, lower], [third]])[player]
            alone = 0.5 * (worth[upper, lower, third] + worth[lower, upper, third])
            paid += (tied - alone) * ties[upper, lower]
        return paid

    def _utility(self, ranking: list[list[int]]) -> tuple[float, float, float]:
        """Return what each player earns where hands are all-in and rank so, those that tie in one group."""
        gains = share_pots(self.stakes, ranking)
        first, second, third = value_chips(self.stakes, gains, self._prizes).tolist()
        return first, second, third
