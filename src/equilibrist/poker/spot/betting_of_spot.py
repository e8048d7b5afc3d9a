"""A spot: what hold'em and Omaha have in common, which is their betting and what is asked of them."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypedDict, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.spec import spec
from ...errors import GameError, in_field
from ...game.card_game import Pair, ShowdownPayoffs
from ...game.deal import Deal
from ...game.folded import FoldedHands
from ...game.locks import AnyLock, Lock
from ..cards.hand_ranks import Deck, Strengths
from .bet_sizes import number
from .betting import find_betting
from .betting_tree import PLAYERS, BettingTree
from .locks import LockHands, lock_setting, read_locks
from .settings import OfStreet, betting_rules

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Init = TypeVar("Init", bound=Callable[..., None])
ShowdownShares = Callable[[tuple[Floats, Floats]], tuple[Floats, Floats]]
"""From the ranges of both players, for each hand, what it gets of the pot at a showdown."""


class Stakes(TypedDict):
    """The bet settings that have no default."""

    pot: float
    stack: float


class BetSettings(Stakes, total=False):
    """Pot, stacks and bet sizes: the keywords that every spot takes, in the order in which they are written.

    :class:`~equilibrist.poker.spot.game.Holdem` says what each of them means.
    """

    bets: str
    flop: OfStreet
    turn: OfStreet
    river: OfStreet
    add_all_in: float | None
    force_all_in: float | None
    merge: float | None
    max_raises: int | None
    min_bet: float | None
    chip: float | None
    rake: float
    rake_cap: float | None
    prizes: Sequence[float]
    others: Sequence[float]
    surplus: Sequence[float]
    add_lines: Sequence[str]
    remove_lines: Sequence[str]
    after: str | None


_DEFAULTS: dict[str, Any] = {
    "rake": 0.0,
    "prizes": (),
    "others": (),
    "surplus": (),
    "add_lines": (),
    "remove_lines": (),
}
"""Values of bet settings that nobody gives, where they are not None."""


_OF_HOLDEM = ("folded", "deck", "ranges")
"""Settings that not every spot has."""


def takes_bet_settings(*, bets: str) -> Callable[[Init], Init]:
    """Return a decorator for the ``__init__`` of a spot that takes ``**bet_settings: Unpack[BetSettings]``.

    Its signature, which ``help`` shows, then names each of them with its default; and it receives
    all of them. ``bets`` is the default of the setting of that name.
    """
    no_default = dict.fromkeys(BetSettings.__required_keys__, inspect.Parameter.empty)
    optional = dict.fromkeys(BetSettings.__optional_keys__)
    defaults = {**no_default, **optional, **_DEFAULTS, "bets": bets}

    def decorate(init: Init) -> Init:
        signature = _name_bet_settings(inspect.signature(init), defaults)

        @wraps(init)
        def init_with_defaults(*arguments: Any, **settings: Any) -> None:
            for name in _OF_HOLDEM:
                if name in settings and name not in signature.parameters:
                    raise GameError(
                        f"{arguments[0].title} has no {name}; leave it out.",
                        wrong_use=True,
                        field=name,
                    )
            bound = signature.bind(*arguments, **settings)
            bound.apply_defaults()
            init(*bound.args, **bound.kwargs)

        init_with_defaults.__signature__ = signature  # type: ignore[attr-defined]
        return cast("Init", init_with_defaults)

    return decorate


def _name_bet_settings(signature: inspect.Signature, defaults: dict[str, Any]) -> inspect.Signature:
    """Return a signature with a parameter for each bet setting in the place of ``**bet_settings``."""
    parameters = list(signature.parameters.values())
    named = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults[name],
            annotation=annotation.__forward_arg__,
        )
        for name, annotation in BetSettings.__annotations__.items()
    ]
    first = [each for each in parameters if each.kind == each.POSITIONAL_OR_KEYWORD]
    last = [each for each in parameters if each.kind == each.KEYWORD_ONLY]
    return signature.replace(parameters=[*first, *named, *last])


def make_deal(
    hands: Sequence[Any],
    weights: Sequence[Any],
    deck: int,
    ranges: Sequence[Any],
    *,
    folded: FoldedHands | None = None,
) -> Deal:
    """Return the deal of the hands of two ranges, with cards of a deck of so many; an error names the ranges."""
    try:
        return Deal(hands, weights, cards=deck, folded=folded)
    except GameError:
        raise GameError(
            f"oop and ip: each hand of {ranges[0]} shares a card with each hand of {ranges[1]}, "
            "so that no two can be dealt; give other ranges.",
            wrong_use=True,
        ) from None


class HandRange(Protocol):
    """What is asked of the range of a player in any spot."""

    @property
    def combos(self) -> float:
        """Number of hands, each by its weight."""

    def treats_suits_alike(self, gone: Sequence[int] = ()) -> bool:
        """Return whether hands that differ by suits alone have the same weight."""


class Spot(ABC):
    """A card game of two ranges, a board, a pot and stacks; a state is the number of a node of the betting tree.

    Attributes
    ----------
    name, title : str
        What the game is called in texts that make it, and in sentences.
    example : str
        How a spot is written, for who has left something out.
    hole_cards : int
        How many cards a hand has.
    has_grid : bool
        Whether hands have classes that make a grid of 13 × 13.
    in_chips : bool
        Whether payoffs are chips; else they are prizes.
    settings : dict
        All settings, each in the one way of writing it.
    tree : BettingTree
        All lines of betting.
    ranges : pair of ranges
        The ranges, without hands that the board blocks.
    pot : float or None
        Chips in the middle at the first decision; None where payoffs are prizes, which are no share
        of them.
    deck : Deck
        The deck, and which hands beat which in it.
    lock_hands : LockHands
        How locks name hands.
    deal, hands, cards, board, streets, symmetries
        As in :class:`equilibrist.CardGame`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    example: ClassVar[str]
    hole_cards: ClassVar[int]
    has_grid: ClassVar[bool]
    in_chips: bool
    has_many_deals = True
    settings: dict[str, Any]
    tree: BettingTree
    ranges: tuple[HandRange, HandRange]
    pot: float | None
    deck: Deck
    lock_hands: LockHands
    deal: Deal
    cards: Sequence[str]
    board: tuple[int, ...]
    streets: tuple[int, ...]
    symmetries: NDArray[np.int64]

    @property
    @abstractmethod
    def hands(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the hands of each player."""

    @abstractmethod
    def strengths(self, boards: NDArray[np.int64]) -> tuple[Strengths, Strengths]:
        """Return the strength of each hand of each player on boards of five cards, shape (n, hands)."""

    @abstractmethod
    def showdown_on(self, board: tuple[int, ...]) -> ShowdownShares:
        """Return what tells, for each hand of both, the sum of weight × share of the pot over the hands of the other.

        It is the mean over the cards to come, where nobody bets any more.
        """

    @abstractmethod
    def hand_of(self, cards: Sequence[int]) -> str:
        """Return the name of a hand of these cards."""

    @abstractmethod
    def describe(self, hand: str, board: Sequence[int]) -> tuple[str, str]:
        """Return the class of a hand, and what it makes of a board, in words."""

    @property
    def locks(self) -> tuple[Lock, ...]:
        """Strategies that are fixed; others may be set before the spot is solved."""
        return self._locks

    @locks.setter
    def locks(self, new: Iterable[AnyLock]) -> None:
        self._locks = self.read_locks(new)
        self.settings["locks"] = tuple(
            lock_setting(lock, self.tree, self.lock_hands) for lock in self._locks
        )

    def read_locks(self, locks: Iterable[AnyLock]) -> tuple[Lock, ...]:
        """Return locks on this spot as it names lines, actions and hands, or refuse them."""
        return read_locks(locks, self, self.tree, self.lock_hands)

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return str(self)

    def _set_betting(self, settings: dict[str, Any]) -> None:
        """Build the tree that canonical settings say, or find one that was built."""
        rules = betting_rules(settings)
        self.tree = find_betting(rules)
        if settings["after"] is not None:
            with in_field("after"):
                begin = self.tree.nodes[self.tree.find(settings["after"])]
                settings["after"], self.tree = begin.line.strip(" |"), self.tree.below(begin.line)
        self.betting_key = rules, settings["after"]
        self.in_chips = not rules.prizes
        self.pot = self.tree.pot if self.in_chips else None

    def start(self) -> int:
        """Return the first node of the betting tree; a state of the game is the number of a node."""
        return 0

    def player(self, state: int) -> int:
        """Return whose move it is."""
        return self.tree.nodes[state].player

    def actions(self, state: int) -> Sequence[str]:
        """Return the actions, such as ``X``, ``B120``, ``C``, ``F``, ``R350`` and ``A900``."""
        return self.tree.nodes[state].actions

    def next(self, state: int, action: str | None) -> int:
        """Return the node after an action, or after the cards of the next street."""
        node = self.tree.nodes[state]
        return node.children[0 if action is None else node.actions.index(action)]

    def payoff(self, state: int) -> Pair | ShowdownPayoffs:
        """Return what both players receive at the end: chips, less what they have put in since the start, or prizes."""
        return self.tree.payoff(self.tree.nodes[state])

    def paid(self, state: int) -> Pair:
        """Return what payoffs count since the start and EVs from a node on do not: the chips that both have put in.

        Prizes are those of whole stacks at any node, so that there it is 0.
        """
        if not self.in_chips:
            return 0.0, 0.0
        return self.tree.put_in(self.tree.nodes[state])

    def line(self, state: int) -> str:
        """Return the actions that lead to a node: ``X-B120-C | B200``."""
        return self.tree.nodes[state].line

    def table(self, state: int, player: int) -> list[tuple[str, str]]:
        """Return what a player sees of the betting, as rows of label and text: the pot, what is to call, the stacks."""
        rules = self.tree.rules
        paid = self.tree.nodes[state].paid
        stacks_left = [rules.stack - chips for chips in paid]
        player_name = PLAYERS[player]
        other = PLAYERS[1 - player]
        return [
            ("pot", number(rules.pot + sum(paid))),
            ("to call", number(max(0.0, paid[1 - player] - paid[player]))),
            (
                "stacks",
                f"you ({player_name}) {number(stacks_left[player])}, {other} {number(stacks_left[1 - player])}",
            ),
        ]


def is_spot(game: object) -> TypeIs[Spot]:
    """Return whether a game is a spot: of hold'em, or of Omaha."""
    return isinstance(game, Spot)
