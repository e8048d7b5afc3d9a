"""The betting of heads-up no-limit hold'em as a tree: the same whatever the cards.

Chips are whole numbers, of which a big blind is :data:`BIG_BLIND`. Player 0 has the button: pays the
small blind, acts first before the flop and last after it. What a player has *paid* is counted over
the whole hand, blinds included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..spot.bet_sizes import BetSize, number

BIG_BLIND = 100
SMALL_BLIND = 50
STREETS = ("preflop", "flop", "turn", "river")
BOARD_CARDS = (0, 3, 4, 5)
"""How many public cards there are on each street."""

_RIVER = len(STREETS) - 1

FOLDED, SHOWDOWN = -2, -3
"""What stands in the place of the player to move where a hand is over: somebody folded, or hands are compared."""

FOLD, CALL, RAISE = range(3)
_LETTERS = ("f", "c", "r")


class Action(NamedTuple):
    """An action at a node of the betting.

    Attributes
    ----------
    kind : {FOLD, CALL, RAISE}
        A check is a call of nothing, a bet a raise.
    paid : int
        Chips that the player has paid in all, after it.
    """

    kind: int
    paid: int

    @property
    def text(self) -> str:
        """The action as lines have it: ``f``, ``c``, or ``r`` with the big blinds paid in all, ``r2.5``."""
        if self.kind == RAISE:
            return f"r{in_big_blinds(self.paid)}"
        return _LETTERS[self.kind]


class Place(NamedTuple):
    """Where the betting of a hand is, before somebody acts.

    Attributes
    ----------
    street : int
        0 before the flop … 3 on the river.
    mover : int
        Who acts.
    paid : tuple of int, shape (2,)
        Chips that either player has paid in all.
    before : int
        Chips that either had paid when the street began.
    least_raise : int
        Chips by which a raise must exceed what the other has paid, unless it is all-in.
    raises : int
        Bets and raises on this street; the big blind is none.
    acted : int
        Actions on this street.
    """

    street: int
    mover: int
    paid: tuple[int, int]
    before: int
    least_raise: int
    raises: int
    acted: int


@dataclass(frozen=True)
class BettingRules:
    """What decides the betting.

    Attributes
    ----------
    stack : int
        Chips of either player at the start.
    sizes : tuple of tuple of BetSize, shape (4,)
        The sizes of bets and raises on each street.
    max_raises : int
        The most bets and raises on a street, together.
    """

    stack: int
    sizes: tuple[tuple[BetSize, ...], ...]
    max_raises: int

    def first_place(self) -> Place:
        """Return where the betting begins: both blinds are paid, and the button acts."""
        return Place(
            street=0,
            mover=0,
            paid=(SMALL_BLIND, BIG_BLIND),
            before=0,
            least_raise=BIG_BLIND,
            raises=0,
            acted=0,
        )

    def actions(self, place: Place) -> list[Action]:
        """Return the actions at a place: fold where there is something to call, check or call, raises by size."""
        paid = place.paid[place.mover]
        other = place.paid[1 - place.mover]
        actions = []
        if other > paid:
            actions.append(Action(FOLD, paid))
        actions.append(Action(CALL, other))
        if place.raises < self.max_raises and other < self.stack:
            raised = {self.raise_to(place, size) for size in self.sizes[place.street]}
            actions += [Action(RAISE, chips) for chips in sorted(raised)]
        return actions

    def raise_to(self, place: Place, size: BetSize) -> int:
        """Return the chips that a raise of some size comes to, paid in all: at least a legal one, at most all-in."""
        other = place.paid[1 - place.mover]
        chips = size.chips(
            pot=2 * other,
            bet=other - place.before,
            stack=self.stack - other,
            streets=len(STREETS) - place.street,
            raises=place.raises,
        )
        least = other + place.least_raise
        return min(max(place.before + round(chips), least), self.stack)

    def next_place(self, place: Place, action: Action) -> Place | None:
        """Return where the betting is after an action; None where the hand is over, or nobody can bet any more."""
        other = place.paid[1 - place.mover]
        if action.kind == FOLD:
            return None
        if action.kind == RAISE:
            return place._replace(
                mover=1 - place.mover,
                paid=_with_paid(place, action.paid),
                least_raise=max(action.paid - other, place.least_raise),
                raises=place.raises + 1,
                acted=place.acted + 1,
            )
        if place.acted == 0:
            # The other player has the option: to check behind, or to raise a blind.
            return place._replace(
                mover=1 - place.mover, paid=_with_paid(place, action.paid), acted=1
            )
        if place.street == len(STREETS) - 1 or other == self.stack:
            return None
        return Place(
            street=place.street + 1,
            mover=1,
            paid=(other, other),
            before=other,
            least_raise=BIG_BLIND,
            raises=0,
            acted=0,
        )


def _with_paid(place: Place, paid: int) -> tuple[int, int]:
    """Return what both players have paid once the one to move has paid so much."""
    if place.mover == 0:
        return paid, place.paid[1]
    return place.paid[0], paid


class BettingTree(NamedTuple):
    """The betting as flat arrays; a node comes after the one before it, and the children of a node stand together.

    Attributes
    ----------
    mover : int array, shape (nodes,)
        0 or 1 where a player acts; :data:`FOLDED` or :data:`SHOWDOWN` where the betting is over.
    street : int array, shape (nodes,)
        The street of the node; of an end, that of the last action.
    paid : int array, shape (nodes, 2)
        Chips that either player has paid in all.
    first_child : int array, shape (nodes,)
        The node after the first action.
    num_actions : int array, shape (nodes,)
        Number of actions, 0 at an end.
    parent : int array, shape (nodes,)
        The node before; of the first, itself.
    actions : list of tuple of Action, length nodes
        The actions of each node.
    """

    mover: NDArray[np.int64]
    street: NDArray[np.int64]
    paid: NDArray[np.int64]
    first_child: NDArray[np.int64]
    num_actions: NDArray[np.int64]
    parent: NDArray[np.int64]
    actions: list[tuple[Action, ...]]

    @property
    def decisions(self) -> NDArray[np.int64]:
        """The nodes where somebody acts, by number."""
        return np.flatnonzero(self.mover >= 0)

    def won_by_fold(self, node: int) -> tuple[float, float]:
        """Return what each player wins at an end where somebody has folded; big blinds."""
        loser = int(self.mover[self.parent[node]])
        lost = float(self.paid[node, loser] / BIG_BLIND)
        if loser == 0:
            return -lost, lost
        return lost, -lost

    def lines(self, node: int) -> tuple[str, ...]:
        """Return the actions up to a node, a text for each street: ``("r2.5c", "c")``."""
        texts = [""] * (int(self.street[node]) + 1)
        while node > 0:
            parent = int(self.parent[node])
            action = self.actions[parent][node - int(self.first_child[parent])]
            texts[int(self.street[parent])] = action.text + texts[int(self.street[parent])]
            node = parent
        return tuple(texts)


def build_tree(rules: BettingRules, most_nodes: int) -> BettingTree | None:
    """Return the betting as a tree; None where it has more nodes than ``most_nodes``."""
    places: list[Place | None] = [rules.first_place()]
    movers = [0]
    streets = [0]
    paid = [(SMALL_BLIND, BIG_BLIND)]
    parents = [0]
    first_children: list[int] = []
    actions: list[tuple[Action, ...]] = []
    while len(actions) < len(places):
        node = len(actions)
        place = places[node]
        first_children.append(len(places))
        if place is None:  # the betting is over
            actions.append(())
            continue
        choices = tuple(rules.actions(place))
        actions.append(choices)
        for action in choices:
            following = rules.next_place(place, action)
            places.append(following)
            parents.append(node)
            if following is not None:
                movers.append(following.mover)
                streets.append(following.street)
                paid.append(following.paid)
            else:
                movers.append(FOLDED if action.kind == FOLD else SHOWDOWN)
                streets.append(place.street)
                paid.append(_with_paid(place, action.paid))
        if len(places) > most_nodes:
            return None
    return BettingTree(
        mover=np.array(movers),
        street=np.array(streets),
        paid=np.array(paid),
        first_child=np.array(first_children),
        num_actions=np.array([len(choices) for choices in actions]),
        parent=np.array(parents),
        actions=actions,
    )


class Stand(NamedTuple):
    """Where a hand is: what was really paid, and the node that a tree has for it.

    Attributes
    ----------
    node : int
        The node of the tree.
    place : Place
        What was really paid.
    river_node : int
        The node where the river began; -1 before the river.
    river_paid : int
        What either had really paid when it began; chips.
    river : tuple of Action
        The actions on the river as they really were.
    """

    node: int
    place: Place
    river_node: int = -1
    river_paid: int = 0
    river: tuple[Action, ...] = ()

    def after(
        self, action: Action, step: int, rules: BettingRules, tree: BettingTree
    ) -> Stand | None:
        """Return where it is after an action, for which the tree has a step, by number; None where it is over."""
        place = rules.next_place(self.place, action)
        node = int(tree.first_child[self.node]) + step
        if place is None or tree.mover[node] < 0:
            return None
        if place.street < _RIVER:
            return Stand(node, place)
        if place.street > self.place.street:
            return Stand(node, place, node, place.before)
        return self._replace(node=node, place=place, river=(*self.river, action))


def find_stand(rules: BettingRules, tree: BettingTree, node: int) -> Stand:
    """Return where a hand is at a node of the tree, when all bets were those of the tree."""
    steps = []
    while node > 0:
        parent = int(tree.parent[node])
        steps.append(node - int(tree.first_child[parent]))
        node = parent
    stand = Stand(0, rules.first_place())
    for step in reversed(steps):
        following = stand.after(tree.actions[stand.node][step], step, rules, tree)
        assert following is not None, "somebody acts at the node"
        stand = following
    return stand


def match_raise(paid: int, place: Place, actions: Sequence[Action], tree_other: int) -> int | None:
    """Return the number of the action of a tree for which a raise is taken; None where the tree has no raise.

    Of the two raises next to it, as shares of the pot, it is the likelier one by :func:`translate`.

    Parameters
    ----------
    paid : int
        Chips that who raises has paid in all, after it.
    place : Place
        Where it is made, as it really is.
    actions : sequence of Action
        Those of the tree there.
    tree_other : int
        Chips that the other has paid in the tree.
    """
    raises = [step for step, action in enumerate(actions) if action.kind == RAISE]
    if not raises:
        return None
    other = place.paid[1 - place.mover]
    share = (paid - other) / (2 * other)
    pot = 2 * tree_other
    beyond = [actions[step].paid - tree_other for step in raises]
    likely = translate(share * pot, beyond, pot)
    return raises[int(np.argmax(likely))]


def label_actions(actions: Sequence[Action], street: int) -> tuple[str, ...]:
    """Return the names of the actions at a place: ``("fold", "call", "raise to 6")``."""
    is_called = actions[0].kind == FOLD
    # Before the flop even the first raise is one, of the big blind.
    verb = "raise" if is_called or street == 0 else "bet"
    names = {FOLD: "fold", CALL: "call" if is_called else "check"}
    return tuple(
        names.get(action.kind, f"{verb} to {in_big_blinds(action.paid)}") for action in actions
    )


def in_big_blinds(chips: int) -> str:
    """Return chips as a number of big blinds: 2.5."""
    return number(chips / BIG_BLIND)


def translate(paid: float, choices: Sequence[int], pot: int) -> list[float]:
    """Return how likely a bet that is not in the tree is taken for each of the bets there (pseudo-harmonic).

    With A and B the next smaller and the next larger of ``choices``, as shares of the pot, a bet x
    is taken for A with probability (B − x)(1 + A) / ((B − A)(1 + x)).

    Parameters
    ----------
    paid : float
        Chips beyond what is to be called.
    choices : sequence of int
        The same of what is in the tree, in increasing order.
    pot : int
        Chips in the pot after a call.

    References
    ----------
    Ganzfried & Sandholm 2013, "Action translation in extensive-form games with large action spaces".
    """
    likely = [0.0] * len(choices)
    if paid <= choices[0]:
        likely[0] = 1.0
        return likely
    if paid >= choices[-1]:
        likely[-1] = 1.0
        return likely
    above = next(n for n, choice in enumerate(choices) if choice >= paid)
    smaller = choices[above - 1] / pot
    larger = choices[above] / pot
    bet = paid / pot
    share = (larger - bet) * (1 + smaller) / ((larger - smaller) * (1 + bet))
    likely[above - 1] = share
    likely[above] = 1 - share
    return likely
