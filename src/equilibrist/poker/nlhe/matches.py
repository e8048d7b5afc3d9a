"""Matches of blueprints with most of the luck taken out: AIVAT by what hands are worth when they are checked down.

Let b(h) be a guess at what the button wins from history h on. Wherever chance moves, or a player
whose strategy σ is known, the guess at what comes less the guess at what came has the mean 0:

    c(h, a) = Σ_a' σ(a'|h) b(h·a') − b(h·a).

So what is won plus all c(h, a) has the mean of what is won. Here all that happens is known: cards,
and what either blueprint does. The guess is what the hands win when nobody bets again. After a bet
it also knows how often this very hand of the other folds.

Before the flop the hands are known as one of 169 classes, whose shares of a pot are in a table;
which suits they have is dealt with the flop. That is right as long as the play before the flop does
not depend on suits.

Source: Burch, Schmid, Moravčík, Morrill & Bowling 2018, "AIVAT: a new variance reduction technique
for agent evaluation in imperfect information games"; without its averages over the hands that a
player could have held.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.validate import check_seed, is_whole
from ...errors import AlgorithmError, GameError
from ...play.match import Match, Payoff, mean_payoff
from ..cards.cards import CLASS_OF_HAND, CLASSES, HANDS, NUM_CARDS, hand_index
from ..cards.hand_ranks import strengths
from ..preflop.all_in import load_all_in
from .betting import BIG_BLIND, BOARD_CARDS, FOLD, FOLDED, STREETS
from .blueprint import Blueprint, assign_all_hands

_RIVER = len(STREETS) - 1
_BOARD = BOARD_CARDS[-1]


class _Played(NamedTuple):
    """What came of a hand, to the button; big blinds.

    Attributes
    ----------
    won : float
        What it won.
    luck : float
        Σ c(h, a): what is added to take luck out.
    """

    won: float
    luck: float


def play_match(first: Blueprint, second: Blueprint, *, hands: int, seed: int) -> Match:
    """Return what the first blueprint wins of the second; see :meth:`Blueprint.play_match`."""
    if not isinstance(second, Blueprint):
        raise GameError(f"A blueprint plays against a blueprint; got {second!r}.", wrong_use=True)
    if str(first.game) != str(second.game):
        raise GameError(
            f"Both blueprints must be of the same game; got {first.game} and {second.game}.",
            wrong_use=True,
        )
    if not is_whole(hands, 2):
        raise AlgorithmError(f"hands must be a whole number, 2 or more; got {hands!r}.")
    check_seed(seed)
    for blueprint in (first, second):
        _check_suits(blueprint)
    won: list[tuple[float, float]] = []
    luck: list[tuple[float, float]] = []
    try:
        for number in range(hands):
            deal = _Deal(np.random.default_rng([seed, number]))
            as_button = _play([first, second], deal, np.random.default_rng([seed, number, 0]))
            as_blind = _play([second, first], deal, np.random.default_rng([seed, number, 1]))
            won.append((as_button.won, -as_blind.won))
            luck.append((as_button.luck, -as_blind.luck))
    except KeyboardInterrupt:
        if len(won) < 2:
            raise
    payoffs = np.array(won)
    reduced = payoffs + np.array(luck[: len(won)])
    overall = _payoff(payoffs.mean(axis=1), reduced.mean(axis=1))
    return Match(
        game=str(first.game),
        players=2,
        seed=seed,
        sampled="rules",
        opponent="",
        overall=overall._replace(hands=2 * len(won)),
        seats={seat: _payoff(payoffs[:, seat], reduced[:, seat]) for seat in range(2)},
    )


def _check_suits(blueprint: Blueprint) -> None:
    """Refuse buckets that tell hands of a class apart before the flop."""
    assigned = assign_all_hands(blueprint.buckets, 0, ())
    of_class = np.zeros(len(CLASSES), np.int64)
    of_class[CLASS_OF_HAND] = assigned
    if not np.array_equal(of_class[CLASS_OF_HAND], assigned):
        raise GameError(
            f"Luck can be taken out where suits do not matter before the flop; {blueprint.buckets!r} "
            "put hands that differ in their suits alone into different buckets.",
            wrong_use=True,
        )


def _payoff(payoffs: Floats, reduced: Floats) -> Payoff:
    """Return the mean of what was won, raw and with luck taken out."""
    largest = float(np.abs(payoffs).max(initial=0.0))
    once = np.ones(len(payoffs), np.int64)
    raw = mean_payoff(payoffs, once, None, largest)
    return raw._replace(aivat=mean_payoff(reduced, once, None, largest))


class _Deal:
    """The cards of a hand.

    Attributes
    ----------
    hands : tuple of int, shape (2,)
        The hand of the button and of the big blind, by number.
    board : tuple of int, shape (5,)
        The public cards, in the order of their deal.
    """

    def __init__(self, random: np.random.Generator) -> None:
        cards = random.choice(NUM_CARDS, 4 + _BOARD, replace=False).tolist()
        self.hands = (hand_index(*cards[:2]), hand_index(*cards[2:4]))
        self.board: tuple[int, ...] = tuple(cards[4:])
        self._shares: dict[int, float] = {}

    def share(self, street: int) -> float:
        """Return the button's share of a pot that is checked down, as far as it is known on a street."""
        if street not in self._shares:
            self._shares[street] = self._find_share(street)
        return self._shares[street]

    def _find_share(self, street: int) -> float:
        if street == 0:
            classes = CLASS_OF_HAND[list(self.hands)]
            return float(load_all_in().equity[classes[0], classes[1]])
        shown = self.board[: BOARD_CARDS[street]]
        left = np.setdiff1d(np.arange(NUM_CARDS), [*HANDS[list(self.hands)].reshape(-1), *shown])
        rest = np.array(list(combinations(left.tolist(), _BOARD - len(shown))), np.int64)
        boards = np.hstack([np.tile(np.array(shown, np.int64), (len(rest), 1)), rest])
        both = strengths(boards, HANDS[list(self.hands)]).astype(np.int64)
        shares = (both[:, 0] > both[:, 1]) + 0.5 * (both[:, 0] == both[:, 1])
        return float(shares.mean())


def _play(seats: Sequence[Blueprint], deal: _Deal, random: np.random.Generator) -> _Played:
    """Return what came of a deal, where ``seats`` has the button's blueprint first."""
    tree = seats[0].game.tree
    node = 0
    street = 0
    luck = -_check_down(deal, street, 1.0)
    while tree.mover[node] >= 0:
        luck += _luck_of_cards(deal, street, int(tree.street[node]), tree.paid[node])
        street = int(tree.street[node])
        row = _row(seats, deal, node)
        first_child = int(tree.first_child[node])
        children = range(first_child, first_child + len(row))
        guesses = np.array([_guess(seats, deal, child, street) for child in children])
        number = int(random.choice(len(row), p=row / row.sum()))
        luck += float(row @ guesses) / float(row.sum()) - float(guesses[number])
        node = first_child + number
    if tree.mover[node] == FOLDED:
        return _Played(tree.won_by_fold(node)[0], luck)
    luck += _luck_of_cards(deal, street, _RIVER, tree.paid[node])
    return _Played(_check_down(deal, _RIVER, tree.paid[node].max() / BIG_BLIND), luck)


def _row(seats: Sequence[Blueprint], deal: _Deal, node: int) -> Floats:
    """Return what is done at a node with the hand of who acts there, shape (actions,)."""
    tree = seats[0].game.tree
    mover = int(tree.mover[node])
    board = deal.board[: BOARD_CARDS[tree.street[node]]]
    row: Floats = seats[mover].hand_rows(node, board)[deal.hands[mover]]
    return row


def _check_down(deal: _Deal, street: int, paid: float) -> float:
    """Return what the button wins where both have paid so many big blinds, and nobody bets again."""
    return paid * (2 * deal.share(street) - 1)


def _luck_of_cards(deal: _Deal, before: int, after: int, paid: Sequence[int]) -> float:
    """Return Σ c(h, a) of the cards that come after one street, up to another."""
    if before == after:
        return 0.0
    stake = max(paid) / BIG_BLIND
    return _check_down(deal, before, stake) - _check_down(deal, after, stake)


def _guess(seats: Sequence[Blueprint], deal: _Deal, node: int, street: int) -> float:
    """Return b(h) of a node that was come to on a street: what the button is thought to win; big blinds."""
    tree = seats[0].game.tree
    if tree.mover[node] == FOLDED:
        return tree.won_by_fold(node)[0]
    checked_down = _check_down(deal, street, tree.paid[node].max() / BIG_BLIND)
    if tree.mover[node] < 0 or tree.actions[node][0].kind != FOLD:
        return checked_down
    folds = float(_row(seats, deal, node)[0])
    won_by_fold = tree.won_by_fold(int(tree.first_child[node]))[0]
    return folds * won_by_fold + (1 - folds) * checked_down
