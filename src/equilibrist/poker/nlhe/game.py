"""Heads-up no-limit hold'em: the game from the first card to the last, with the bets of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from ..._util.display import Display
from ..._util.places import import_place
from ..._util.spec import spec, whole
from ..._util.validate import is_number
from ...errors import GameError
from ...game.protocol import CHANCE, TERMINAL
from ..cards.cards import CARDS, HANDS, NUM_CARDS, NUM_HANDS, cards_text, hand_name
from ..cards.hand_ranks import strength_of
from ..spot.bet_sizes import read_sizes, write_sizes
from .betting import (
    BIG_BLIND,
    BOARD_CARDS,
    FOLDED,
    BettingRules,
    BettingTree,
    build_tree,
    in_big_blinds,
    label_actions,
)

if TYPE_CHECKING:
    from ...form.offers import BucketTableOffer

LEAST_STACK = 2
MOST_STACK = 1_000
MOST_RAISES = 20
MOST_NODES = 5_000_000
_ALL_HANDS = tuple(range(NUM_HANDS))
_CARDS_OF_HANDS = tuple(map(tuple, HANDS.tolist()))


class Hand(NamedTuple):
    """A state: what is dealt, and where the betting is.

    Attributes
    ----------
    hands : tuple of int
        The private hands dealt so far, by their row of the 1,326, that of player 0 first.
    board : tuple of int
        The public cards in the order in which they came.
    node : int
        The node of the betting tree.
    """

    hands: tuple[int, ...] = ()
    board: tuple[int, ...] = ()
    node: int = 0


class NoLimitHoldem(Display):
    """Heads-up no-limit hold'em from the first card to the last, with a few sizes of bets.

    Player 0 has the button: pays half a big blind, acts first before the flop and last on each later
    street; player 1 pays the big blind. Payoffs are in big blinds. A bet is as large as the last
    bet or raise of the street and a big blind at least, or all-in; a size that comes to less is the
    least legal one, and one beyond the stack is all-in. Where all chips are in, the other public
    cards are dealt and hands are compared.

    A bet or raise is named by the big blinds that the player has then paid in all, on all streets:
    ``bet to 3``, ``raise to 7.5``. An infoset is written as the hand and the actions, for each later
    street the public cards that came and the actions: ``AhKd r2.5c/Td9d6h c``, with ``c`` for check
    and call and ``r`` for bet and raise.

    Parameters
    ----------
    stack : float
        What either player has at the start; big blinds, 2 to 1,000, whole hundredths.
    sizes : str
        Sizes of bets and raises on all streets: ``50%`` (of the pot after a call), ``2.5x`` (times
        the bet), ``e`` (geometric), ``a`` (all-in).
    preflop : str, optional
        Sizes before the flop; by default ``sizes``.
    max_raises : int
        The most bets and raises of a street, together.

    Notes
    -----
    The game is far too large to be compiled or walked: it is solved in an abstraction of its hands
    (:func:`equilibrist.abstract` with buckets) by samples without a tree.

    Examples
    --------
    >>> import equilibrist as eq
    >>> game = eq.load("nlhe(stack=20, sizes='100%, a')")
    >>> len(game.tree.decisions)
    256
    """

    name = "nlhe"
    players = 2
    has_many_deals = True

    def __init__(
        self,
        *,
        stack: float = 20,
        sizes: str = "50%, 100%",
        preflop: str | None = None,
        max_raises: int = 3,
    ) -> None:
        if not is_number(stack) or not LEAST_STACK <= stack <= MOST_STACK:
            raise GameError(
                f"nlhe: stack must be {LEAST_STACK} to {MOST_STACK:,} big blinds; got {stack!r}.",
                wrong_use=True,
            )
        chips = round(stack * BIG_BLIND)
        if abs(chips - stack * BIG_BLIND) > 1e-6:
            raise GameError(
                "nlhe: stack must be a whole number of hundredths of a big blind, such as 20 or "
                f"12.25; got {stack!r}.",
                wrong_use=True,
            )
        whole(self.name, "max_raises", max_raises, least=1, most=MOST_RAISES)
        later = read_sizes(sizes, "sizes", raises=True)
        first = later if preflop is None else read_sizes(preflop, "preflop", raises=True)
        self.settings: dict[str, Any] = {
            "stack": stack,
            "sizes": write_sizes(later),
            "preflop": None if preflop is None else write_sizes(first),
            "max_raises": max_raises,
        }
        self.betting = BettingRules(
            stack=chips, sizes=(first, later, later, later), max_raises=max_raises
        )

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({settings})"

    @cached_property
    def tree(self) -> BettingTree:
        """The betting tree.

        Raises
        ------
        GameError
            It is too large.
        """
        tree = build_tree(self.betting, MOST_NODES)
        if tree is None:
            raise GameError(
                f"{self} has more than {MOST_NODES:,} places of the betting. Give fewer sizes, or a "
                f"smaller max_raises than {self.betting.max_raises}.",
                wrong_use=True,
            )
        return tree

    def offer_form(self, *, keep_tree: bool) -> NoReturn:
        """Refuse to be compiled.

        Raises
        ------
        GameError
            Always.
        """
        raise GameError(
            f"{self} is too large to be compiled. Solve an abstraction of it without a tree: "
            "eq.solve(eq.abstract(game, buckets), sampling='external(tree=False)'), or in the command "
            "--map FILE.py:BUCKETS --sampling 'external(tree=False)'.",
            wrong_use=True,
        )

    def offer_bucket_table(self, *, buckets: Any) -> BucketTableOffer:
        """Return the table of the game in buckets of hands, before it is made.

        Raises
        ------
        GameError
            These are no buckets of hands.
        """
        offer_table = import_place("poker.nlhe.table:offer_table")
        offer: BucketTableOffer = offer_table(self, buckets)
        return offer

    # --- the protocol of a game ---

    def start(self) -> Hand:
        """Return the state before any card is dealt."""
        return Hand()

    def player(self, state: Hand) -> int:
        """Return who acts: 0 has the button; chance, or nobody at the end."""
        if len(state.hands) < self.players:
            return CHANCE
        mover = int(self.tree.mover[state.node])
        if mover == FOLDED:
            return TERMINAL
        if len(state.board) < self._cards_due(state):
            return CHANCE
        if mover < 0:
            return TERMINAL
        return mover

    def _cards_due(self, state: Hand) -> int:
        """Return how many public cards there are when somebody acts next, or hands are compared."""
        if self.tree.mover[state.node] >= 0:
            return BOARD_CARDS[self.tree.street[state.node]]
        return BOARD_CARDS[-1]

    def actions(self, state: Hand) -> Sequence[int]:
        """Return the hands or cards that can be dealt, by number, or the numbers of the actions at a node."""
        if len(state.hands) < self.players:
            if not state.hands:
                return _ALL_HANDS
            held = _CARDS_OF_HANDS[state.hands[0]]
            return np.flatnonzero(~np.isin(HANDS, held).any(axis=1)).tolist()
        if len(state.board) < self._cards_due(state):
            gone = {
                *state.board,
                *_CARDS_OF_HANDS[state.hands[0]],
                *_CARDS_OF_HANDS[state.hands[1]],
            }
            return [card for card in range(NUM_CARDS) if card not in gone]
        return range(int(self.tree.num_actions[state.node]))

    def probabilities(self, state: Hand) -> list[float]:
        """Return the probability of each hand or card that can be dealt: all are equally likely."""
        outcomes = len(self.actions(state))
        return [1 / outcomes] * outcomes

    def next(self, state: Hand, action: int) -> Hand:
        """Return the state after a hand or card is dealt, or somebody has acted."""
        if len(state.hands) < self.players:
            return state._replace(hands=(*state.hands, action))
        if len(state.board) < self._cards_due(state):
            return state._replace(board=(*state.board, action))
        return state._replace(node=int(self.tree.first_child[state.node]) + action)

    def payoffs(self, state: Hand) -> list[float]:
        """Return what each player wins; big blinds."""
        if self.tree.mover[state.node] == FOLDED:
            return list(self.tree.won_by_fold(state.node))
        paid = self.tree.paid[state.node] / BIG_BLIND
        cards = [[*_CARDS_OF_HANDS[hand], *state.board] for hand in state.hands]
        first, second = strength_of(np.array(cards)).tolist()
        won = float(paid[0]) * ((first > second) - (first < second))
        return [won, -won]

    def infoset(self, state: Hand) -> str:
        """Return the hand of the player to act, the public cards and all actions, as text."""
        hand = hand_name(state.hands[int(self.tree.mover[state.node])])
        return name_infoset(hand, state.board, self.tree.lines(state.node))

    def action_label(self, state: Hand, action: int) -> str:
        """Return the name of a hand, a card or an action."""
        if len(state.hands) < self.players:
            return hand_name(action)
        if len(state.board) < self._cards_due(state):
            return CARDS[action]
        return self.labels(state.node)[action]

    # --- names ---

    def labels(self, node: int) -> tuple[str, ...]:
        """Return the names of the actions at a node of the betting."""
        return label_actions(self.tree.actions[node], int(self.tree.street[node]))

    def table(self, state: Hand, player: int) -> list[tuple[str, str]]:
        """Return what a player sees, in rows of label and text."""
        board = cards_text(_in_order(state.board)) or "not dealt yet"
        paid = self.tree.paid[state.node].tolist()
        chips_left = self.betting.stack - paid[player]
        return [
            ("your hand", hand_name(state.hands[player])),
            ("board", board),
            ("paid by you", f"{in_big_blinds(paid[player])} bb"),
            ("paid by the other", f"{in_big_blinds(paid[1 - player])} bb"),
            ("you have left", f"{in_big_blinds(chips_left)} bb"),
        ]


def name_infoset(hand: str, board: Sequence[int], lines: Sequence[str]) -> str:
    """Return the name of an infoset: the hand, and the actions and public cards of each street."""
    texts = [f"{hand} {lines[0]}"]
    for street, line in enumerate(lines[1:], start=1):
        cards = board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]]
        texts.append(f"{cards_text(sorted(cards, reverse=True))} {line}")
    return "/".join(text.rstrip() for text in texts)


def _in_order(board: Sequence[int]) -> list[int]:
    """Return public cards, those of the flop the highest first."""
    return [*sorted(board[:3], reverse=True), *board[3:]]
