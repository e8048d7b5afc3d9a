"""Push or fold with four to nine seats as a sequence form, by ranges: no hand of a player is played one by one.

A hand a meets the range of each opponent exactly: it is known how many hands of each class share no
card with it. That opponents do not share cards with each other is a factor for each two of them,
κ = E[r_q r_q'] / (E[r_q] E[r_q']) over all pairs of hands, which takes the ranges of those who have
folded into account as well. So a line z in which the others move with probabilities r_q comes with

    w_z(a) = P(a) · Π_q E[r_q | a] · Π_{q < q'} κ_qq'

A pot of two pays by the exact table of all-ins, a pot of three by that of three hands. In a pot of
four and more a hand wins as often as it beats each one, times a factor of the hand for each two
opponents that comes from the table of three hands.
"""
# mypy: disable-error-code="override"

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Indices, Ints
from ...form.infosets import Infoset, NamedInfosets
from ...form.sequence.canonical import CanonicalForm
from ...form.sequence.form import SequenceForm, sequence_form
from ...form.sequence.leaves import LeafForm
from ..cards.cards import CLASS_OF_HAND, CLASSES
from .all_in import BOARDS, load_all_in
from .stakes import Stakes, share_pots, value_chips
from .three_way import deals_of_classes, load_three_way

PUSH, FOLD = range(2)
_NUM = len(CLASSES)
_COMBOS = np.bincount(CLASS_OF_HAND)
_PRIOR: Floats = _COMBOS / _COMBOS.sum()
_RARE = 1e-5
"""Classes that are played less often are left out of a range that two others meet."""
_MOST_TWICE = 0.99
_LEAST_SPREAD = 1e-6
_LEAST = 1e-300
"""What probabilities of ranges that nobody plays are divided by."""


class _Tables(NamedTuple):
    """What hands of all classes come to against each other; classes are the axes.

    Attributes
    ----------
    pairs : float64 array, shape (169, 169)
        The probability of the second class, given the first.
    win, tie : float64 array, shape (169, 169)
        The same, and that the first one wins, or ties.
    deals : float64 array, shape (169, 169, 169)
        Deals of three hands.
    won : float64 array, shape (169, 169, 169)
        The same times the share of the pot of the first.
    beats_both : float64 array, shape (169,)
        How much more often a class beats two random hands than their independence says.
    """

    pairs: Floats
    win: Floats
    tie: Floats
    deals: Floats
    won: Floats
    beats_both: Floats


@cache
def _load_tables() -> _Tables:
    two = load_all_in()
    pairs = two.pairs / two.pairs.sum(axis=1, keepdims=True)
    deals = deals_of_classes().astype(np.float64)
    won = deals * load_three_way().share
    beats_two = won.sum(axis=(1, 2)) / deals.sum(axis=(1, 2))
    beats_one = (pairs * two.equity).sum(axis=1)
    return _Tables(
        pairs,
        pairs * two.wins / (two.pairs * BOARDS),
        pairs * two.ties / (two.pairs * BOARDS),
        deals,
        won,
        beats_two / beats_one**2,
    )


class _Line(NamedTuple):
    """A line of moves of all players but one, who has moved in some way.

    Attributes
    ----------
    nodes : tuple of int
        Where the others moved, in their order; a last player who did not act is left out.
    moves : tuple of int
        Whether they went all-in or folded there.
    shown : tuple of int
        The others who are all-in.
    """

    nodes: tuple[int, ...]
    moves: tuple[int, ...]
    shown: tuple[int, ...]


class Betting:
    """The nodes of push or fold: of each player one for each line of moves before."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.node_of: dict[tuple[int, ...], int] = {}
        self.lines: list[tuple[int, ...]] = []
        for player in range(seats):
            for bits in range(2**player):
                moves = tuple(
                    PUSH if bits >> (player - 1 - place) & 1 else FOLD for place in range(player)
                )
                if player == seats - 1 and PUSH not in moves:
                    continue  # who wins without acting
                self.node_of[moves] = len(self.lines)
                self.lines.append(moves)

    def words(self, node: int) -> tuple[str, str]:
        """Return what the others did, ``fold-push``, and what going all-in is called there."""
        words = list[str]()
        for move in self.lines[node]:
            words.append("fold" if move == FOLD else "call" if "push" in words else "push")
        return "-".join(words), "call" if "push" in words else "push"

    def lines_after(self, node: int, move: int) -> list[_Line]:
        """Return the lines of the others that begin as a node does, whose player makes a move."""
        player = len(self.lines[node])
        result = list[_Line]()

        def walk(moves: tuple[int, ...]) -> None:
            if len(moves) < self.seats and moves in self.node_of:
                walk((*moves, PUSH))
                walk((*moves, FOLD))
                return
            others = [place for place in range(len(moves)) if place != player]
            result.append(
                _Line(
                    tuple(self.node_of[moves[:place]] for place in others),
                    tuple(moves[place] for place in others),
                    tuple(place for place in others if moves[place] == PUSH),
                )
            )

        walk((*self.lines[node], move))
        return result


class _Moves(NamedTuple):
    """How players move, by node; what is known of it before a hand is looked at.

    Attributes
    ----------
    push : float64 array, shape (nodes, 169)
        How likely each class goes all-in.
    conditional : float64 array, shape (2 · nodes, 169)
        How likely an opponent goes all-in or folds, by a player's own class.
    factor : float64 array, shape (2 · nodes, 2 · nodes)
        κ of two moves.
    win, tie : float64 array, shape (nodes, 169)
        How often the own class wins and ties against who goes all-in there.
    """

    push: Floats
    conditional: Floats
    factor: Floats
    win: Floats
    tie: Floats

    @property
    def equity(self) -> Floats:
        return self.win + 0.5 * self.tie


@dataclass(frozen=True, eq=False)
class ManyRanges:
    """Push or fold with many seats, as values of each player's hands against the ranges of the others.

    Attributes
    ----------
    name : str
        Of the game.
    stakes : Stakes
    prizes : sequence of float or None
    """

    name: str
    stakes: Stakes
    prizes: Sequence[float] | None

    @property
    def seats(self) -> int:
        return len(self.stakes.stacks)

    @cached_property
    def betting(self) -> Betting:
        return Betting(self.seats)

    @cached_property
    def _shares(self) -> dict[tuple[int, int], tuple[Floats, Floats, Floats]]:
        return {}

    @cached_property
    def _worth(self) -> dict[tuple[tuple[int, ...], ...], Floats]:
        return {}

    def worth(self, ranking: Sequence[Sequence[int]], player: int) -> float:
        """Return what a player earns where hands rank so."""
        key = tuple(map(tuple, ranking))
        if key not in self._worth:
            gains = share_pots(self.stakes, ranking)
            self._worth[key] = value_chips(self.stakes, gains, self.prizes)
        return float(self._worth[key][player])

    def read_moves(self, push: Floats) -> _Moves:
        """Return what is known of players who go all-in so, shape (nodes, 169)."""
        table = _load_tables()
        conditional = np.einsum("kb,ab->ka", push, table.pairs)
        likely = push @ _PRIOR
        both = np.einsum("ka,la->kl", push * _PRIOR, conditional)
        first = likely[:, None]
        second = likely[None]
        joint = np.block([[both, first - both], [second - both, 1.0 - first - second + both]])
        of_moves = np.concatenate([likely, 1.0 - likely])
        independent = np.outer(of_moves, of_moves)
        factor = np.where(independent > _LEAST, joint, 1.0) / np.where(
            independent > _LEAST, independent, 1.0
        )
        likely_push = np.maximum(conditional, _LEAST)
        win = np.einsum("kb,ab->ka", push, table.win) / likely_push
        tie = np.einsum("kb,ab->ka", push, table.tie) / likely_push
        return _Moves(push, np.concatenate([conditional, 1.0 - conditional]), factor, win, tie)

    def line_weights(self, moves: _Moves, lines: Sequence[_Line]) -> Floats:
        """Return how likely the others move so, by the own class, shape (lines, 169)."""
        nodes = len(moves.push)
        weights = np.ones((len(lines), _NUM))
        for number, line in enumerate(lines):
            places = [
                node + nodes * move for node, move in zip(line.nodes, line.moves, strict=True)
            ]
            for place in places:
                weights[number] *= moves.conditional[place]
            factor = 1.0
            for place, other_place in combinations(places, 2):
                factor *= moves.factor[place, other_place]
            weights[number] *= factor
        return weights

    def values_all_in(self, moves: _Moves, player: int, lines: Sequence[_Line]) -> Floats:
        """Return what each class earns all-in against the others of each line, shape (lines, 169)."""
        values = np.zeros((len(lines), _NUM))
        for number, line in enumerate(lines):
            ranges = [
                node for node, move in zip(line.nodes, line.moves, strict=True) if move == PUSH
            ]
            values[number] = self._value(moves, player, line.shown, ranges)
        return values

    def _value(
        self, moves: _Moves, player: int, shown: Sequence[int], ranges: Sequence[int]
    ) -> Floats | float:
        if not shown:
            return self.worth([[player]], player)
        if len(shown) == 1:
            other = shown[0]
            win = moves.win[ranges[0]]
            tie = moves.tie[ranges[0]]
            value: Floats = win * self.worth([[player], [other]], player)
            value += tie * self.worth([[player, other]], player)
            value += (1.0 - win - tie) * self.worth([[other], [player]], player)
            return value
        if len(shown) == 2:
            return self._value_of_three(moves, player, shown, ranges)
        share = _share_of_many(moves.equity[ranges])
        won = self.worth([[player], *([other] for other in shown)], player)
        lost = np.mean(
            [
                self.worth(
                    [[other], *([third] for third in shown if third != other), [player]], player
                )
                for other in shown
            ]
        )
        return share * won + (1.0 - share) * float(lost)

    def _value_of_three(
        self, moves: _Moves, player: int, shown: Sequence[int], ranges: Sequence[int]
    ) -> Floats:
        """Return what each class earns in a pot of three; of two losers the order follows as with three seats."""
        first, second = shown
        of_first, of_second = (moves.push[node] for node in ranges)
        worth = {
            order: self.worth([[who] for who in order], player)
            for order in (
                (player, first, second),
                (player, second, first),
                (first, player, second),
                (first, second, player),
                (second, player, first),
                (second, first, player),
            )
        }
        own_share = self._share(ranges, of_first, of_second)
        won = {worth[player, first, second], worth[player, second, first]}
        lost = {value for order, value in worth.items() if order[0] != player}
        if max(len(won), len(lost)) == 1:
            return own_share * won.pop() + (1.0 - own_share) * lost.pop()
        share_of_first = self._share_of_other(of_first, of_second)
        share_of_second = 1.0 - own_share - share_of_first
        first_equity, second_equity = (moves.equity[node] for node in ranges)
        between = _mean_equity(of_first, of_second)
        value = np.zeros(_NUM)
        for winner, share, upper, lower, ahead in (
            (player, own_share, first, second, between - share_of_first),
            (first, share_of_first, player, second, second_equity - own_share),
            (second, share_of_second, player, first, first_equity - own_share),
        ):
            before = np.clip(ahead, 0.0, share)
            value += before * worth[winner, upper, lower]
            value += (share - before) * worth[winner, lower, upper]
        return value

    def _share(self, ranges: Sequence[int], first: Floats, second: Floats) -> Floats:
        """Return the share of the pot of each class against two ranges; cached until they change."""
        key = ranges[0], ranges[1]
        cached = self._shares.get(key)
        if cached and np.array_equal(cached[0], first) and np.array_equal(cached[1], second):
            return cached[2]
        table = _load_tables()
        first_held = np.flatnonzero(first > _RARE)
        second_held = np.flatnonzero(second > _RARE)
        share = np.full(_NUM, 1 / 3)
        if len(first_held) and len(second_held):
            weight = np.outer(first[first_held], second[second_held])
            block = np.ix_(np.arange(_NUM), first_held, second_held)
            dealt: Floats = np.einsum("abc,bc->a", table.deals[block], weight)
            won: Floats = np.einsum("abc,bc->a", table.won[block], weight)
            share = won / np.maximum(dealt, _LEAST)
        self._shares[key] = first, second, share
        return share

    def _share_of_other(self, first: Floats, second: Floats) -> Floats:
        """Return the share of the pot of the first of two ranges, by the class that meets them."""
        table = _load_tables()
        first_held = np.flatnonzero(first > _RARE)
        second_held = np.flatnonzero(second > _RARE)
        if not len(first_held) or not len(second_held):
            return np.full(_NUM, 1 / 3)
        weight = np.outer(first[first_held], second[second_held])
        block = np.ix_(first_held, np.arange(_NUM), second_held)
        dealt = np.einsum("bac,bc->a", table.deals[block], weight)
        won = np.einsum("bac,bc->a", table.won[block], weight)
        share: Floats = won / np.maximum(dealt, _LEAST)
        return share

    def values_folded(self, moves: _Moves, player: int, lines: Sequence[_Line]) -> Floats:
        """Return what a player earns who has folded, in each line of the others."""
        values = np.zeros(len(lines))
        for number, line in enumerate(lines):
            shown = line.shown
            ranges = [
                moves.push[node]
                for node, move in zip(line.nodes, line.moves, strict=True)
                if move == PUSH
            ]
            if not shown:
                values[number] = self.worth([[self.seats - 1]], player)
            elif len(shown) == 1:
                values[number] = self.worth([shown], player)
            elif len(shown) == 2:
                first, second = shown
                equity = _mean_equity(*ranges)
                values[number] = equity * self.worth([[first], [second]], player)
                values[number] += (1.0 - equity) * self.worth([[second], [first]], player)
            else:
                values[number] = np.mean(
                    [
                        self.worth(
                            [[other], *([third] for third in shown if third != other)], player
                        )
                        for other in shown
                    ]
                )
        return values


def _share_of_many(equity: Floats) -> Floats:
    """Return how often each class beats three and more ranges, against each of which it has some equity.

    The share of a random hand that it beats once the board is out is taken as a beta distribution:
    its mean is the geometric mean of the equities, its second moment exceeds the square of the mean
    as it does for two random hands, of which the table of three knows; and the share of the pot is
    its moment of that order.
    """
    count = len(equity)
    mean = np.exp(np.log(np.maximum(equity, _LEAST)).mean(axis=0))
    excess = _load_tables().beats_both
    twice = np.minimum(excess * mean, _MOST_TWICE)
    size = (1.0 - twice) / np.maximum(twice - mean, _LEAST_SPREAD)
    share = np.ones(_NUM)
    for number in range(count):
        share *= (mean * size + number) / (size + number)
    return share


def _mean_equity(first: Floats, second: Floats) -> float:
    """Return the share of the pot of a range against another."""
    two = load_all_in()
    weight = np.outer(first, second) * two.pairs
    return float((weight * two.equity).sum() / max(float(weight.sum()), _LEAST))


@dataclass(frozen=True, eq=False)
class RangeValues:
    """What is added to the values of slots: all payoffs. ``slot`` has those of each node, by move and class."""

    game: ManyRanges
    slot: tuple[Ints, ...]
    first_slot: Indices
    _lines: dict[tuple[int, int], list[_Line]] = field(default_factory=dict)

    def __call__(self, player: int, reach: NDArray[Any], cf_value: NDArray[Any]) -> None:
        """Add the values of the hands of a player to those of their slots, in place."""
        game = self.game
        moves = self._moves(reach)
        for node, line in enumerate(game.betting.lines):
            if len(line) != player:
                continue
            lines = self._lines_after(node, PUSH)
            weights = game.line_weights(moves, lines)
            values = game.values_all_in(moves, player, lines)
            pushed = (weights * values).sum(axis=0) / np.maximum(weights.sum(axis=0), _LEAST)
            folded = self._mean_folded(moves, player, node)
            reached = self._line_reach(moves, line)
            cf_value[self.slot[node][PUSH]] += reached * pushed
            cf_value[self.slot[node][FOLD]] += reached * folded
        if player == game.seats - 1:
            unpushed = self._line_reach(moves, tuple([FOLD] * player))
            cf_value[self.first_slot[player]] += unpushed.sum() * game.worth([[player]], player)

    def _line_reach(self, moves: _Moves, line: tuple[int, ...]) -> Floats:
        """Return the probability of each class and that the players before move so."""
        nodes = tuple(self.game.betting.node_of[line[:place]] for place in range(len(line)))
        weights = self.game.line_weights(moves, [_Line(nodes, line, ())])
        reached: Floats = _PRIOR * weights[0]
        return reached

    def _mean_folded(self, moves: _Moves, player: int, node: int) -> Floats | float:
        """Return what who folds at a node earns, by class: with prizes others' pots count as well."""
        game = self.game
        if game.prizes is None:
            blind = game.stakes.blinds[player]
            return -blind - game.stakes.antes[player] - game.stakes.dead / game.seats
        lines = self._lines_after(node, FOLD)
        weights = game.line_weights(moves, lines)
        values = game.values_folded(moves, player, lines)
        mean: Floats = values @ weights / np.maximum(weights.sum(axis=0), _LEAST)
        return mean

    def _lines_after(self, node: int, move: int) -> list[_Line]:
        if (node, move) not in self._lines:
            self._lines[node, move] = self.game.betting.lines_after(node, move)
        return self._lines[node, move]

    def _moves(self, reach: NDArray[Any]) -> _Moves:
        push = np.stack([np.asarray(reach[slots[PUSH]], np.float64) for slots in self.slot])
        return self.game.read_moves(push)

    def cf_reach(self, reach: Floats) -> Floats:
        """Return the probability that chance and the others come to each infoset, in the order of the nodes."""
        moves = self._moves(reach)
        return np.concatenate([self._line_reach(moves, line) for line in self.game.betting.lines])


@dataclass(frozen=True, eq=False, repr=False)
class ManyRangesForm(LeafForm):
    """A sequence form whose payoffs are those of hands against the ranges of all others."""

    leaf_values: RangeValues = field(kw_only=True)  # type: ignore[assignment]

    @property
    def payoff_kind(self) -> str:
        """What is paid, in words."""
        return (
            f"ranges of {self.players} players; what folded hands take from the board is left out"
        )

    def cf_reach(self, strategy: Floats) -> Floats:
        return self.leaf_values.cf_reach(self.reach(strategy))


def many_ranges_form(game: ManyRanges) -> ManyRangesForm:
    """Return the form of push or fold with many seats."""
    betting = game.betting
    infosets = []
    for node, line in enumerate(betting.lines):
        after, move = betting.words(node)
        infosets += [
            Infoset(len(line), f"{hand} {after}".strip(), (move, "fold")) for hand in CLASSES
        ]
    named = NamedInfosets(infosets)
    largest = max(game.stakes.stacks) * game.seats if game.prizes is None else max(game.prizes)
    form = sequence_form(
        CanonicalForm(
            name=game.name,
            histories=len(infosets) * 3,
            depth=2 * game.seats,
            payoff_sum=0.0,
            largest_payoff=float(largest),
            infosets=named,
            parent_sequence=np.zeros(len(named), np.uint32),  # nobody decides twice
            leaf_sequence=np.zeros((0, game.seats), np.uint32),
            weights=np.zeros((0, game.seats)),
        )
    )
    slots = form.slot.astype(np.int64).reshape(len(betting.lines), _NUM, 2).transpose(0, 2, 1)
    values = RangeValues(game, tuple(slots), form.treeplex.first_slot)
    arrays = {
        name: getattr(form, name)
        for name in SequenceForm.__dataclass_fields__
        if name != "fingerprint"
    }
    digest = hashlib.sha256(named.digest())
    digest.update(repr((game.stakes, game.prizes)).encode())
    return ManyRangesForm(**arrays, fingerprint=digest.hexdigest()[:16], leaf_values=values)
