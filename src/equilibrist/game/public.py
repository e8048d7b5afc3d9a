"""Games in which everything but the players' private hands is public, told by their public states.

In dice and card games there are few public states and many private hands. A :class:`PublicGame`
says what the hands are and how they are dealt, once; then it answers the questions of
:class:`equilibrist.Game` about public states alone:

``hands``
    the names of what each of the two players may hold
``prior()``
    the probability of each pair of hands: a matrix, or a :class:`Deal` where hands are sets of
    cards
``player(s)``
    whose move it is: 0, 1, :data:`~equilibrist.CHANCE` or :data:`~equilibrist.TERMINAL`
``actions(s)``
    the legal actions, or the outcomes of a chance move that everybody sees
``probabilities(s)``
    the probability of each such outcome: a number; where it depends on the hands a matrix, or a
    :class:`Reveal` where it shows cards
``next(s, a)``
    the public state after an action
``payoff(s)``
    what player 0 gets from player 1 at an end: a number, a :class:`Showdown`, or a matrix

Matrices have a row for each hand of player 0 and a column for each of player 1. What has happened
before is remembered for the game: a state need hold only what the future depends on (the pot, the
last bid). The less it holds the better, for equal states are asked about once, however many ways
lead to them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GameError
from .deal import Deal, Reveal
from .protocol import METHODS

PUBLIC_METHODS = ("hands", "prior", "start", "player", "actions", "probabilities", "next", "payoff")
"""The names that an object must have to be a :class:`PublicGame`."""

Floats = NDArray[np.float64]
Shape = tuple[int, int]
"""Number of hands of player 0 and of player 1."""


class Showdown(NamedTuple):
    """What player 0 earns where the stronger hand wins.

    Attributes
    ----------
    strengths : pair of array-like of numbers
        The strength of each hand of player 0, and of each hand of player 1.
    win, lose, tie : float
        What player 0 earns with the greater, the lesser and the same strength.
    """

    strengths: tuple[ArrayLike, ArrayLike]
    win: float = 1.0
    lose: float = -1.0
    tie: float = 0.0

    def matrix(self) -> Floats:
        """Return what player 0 earns with each pair of hands, shape (hands of player 0, hands of player 1)."""
        row, column = (np.asarray(strength, np.float64) for strength in self.strengths)
        sign = np.sign(row[:, None] - column)
        return np.where(sign > 0, self.win, np.where(sign < 0, self.lose, self.tie)).astype(
            np.float64
        )


class DealHistories(NamedTuple):
    """Histories of the deal, where the rules deal in more or other moves than a hand to each player.

    Attributes
    ----------
    moves : int
        How many moves of chance deal the hands.
    before : int
        Number of histories in which hands are not dealt in full, the empty one included.
    pairs : array-like of whole numbers, shape (hands of player 0, hands of player 1)
        Number of histories that deal each pair of hands: dice that show 1 and 2 are rolled in two
        orders.
    """

    moves: int
    before: int
    pairs: ArrayLike

    @classmethod
    def of_hands(cls, prior: Floats) -> DealHistories:
        """Return those of a game in which chance deals a hand to player 0, then one to player 1."""
        is_possible = prior > 0
        return cls(
            moves=2,
            before=1 + int(is_possible.any(axis=1).sum()),
            pairs=is_possible.astype(np.int64),
        )


class PublicGame(Protocol):
    """The rules of a two-player zero-sum game in which all but the private hands is public.

    As with :class:`equilibrist.Game` there is nothing to inherit. Four optional methods are used
    where they exist: ``action_label(state, action) -> str`` names an action or outcome (default:
    ``str(action)``); ``infoset(hand, moves) -> str`` names an infoset by the name of the hand and
    those of all public moves before (default: all of them, with spaces between); ``str(game)``
    names the game; and ``deal_histories()`` says how many histories deal each pair of hands, as a
    :class:`DealHistories` (default: one), which nodes touched are counted by.

    Attributes
    ----------
    hands : pair of sequences of str
        What each player may hold, by name.

    Examples
    --------
    Both draw a number from 1 to 3, not the same. Player 0 may say "more", for 2 instead of 1, and
    the higher wins:

    >>> import numpy as np, equilibrist as eq
    >>> class Draw:
    ...     hands = ("123", "123")
    ...     def prior(self): return (1 - np.eye(3)) / 6
    ...     def start(self): return 0
    ...     def player(self, stake): return -2 if stake else 0
    ...     def actions(self, stake): return ["less", "more"]
    ...     def probabilities(self, stake): return []
    ...     def next(self, stake, action): return 1 if action == "less" else 2
    ...     def payoff(self, stake): return eq.Showdown(([1, 2, 3], [1, 2, 3]), win=stake, lose=-stake)
    >>> eq.solve(Draw(), until=1e-6).strategy["3"]["more"] > 0.999
    True
    """

    @property
    def hands(self) -> Sequence[Sequence[str]]:
        """What each of the two players may hold, by name."""

    def prior(self) -> ArrayLike | Deal:
        """Return the probability of each pair of hands, shape (hands of player 0, hands of player 1); sums to 1.

        Where hands are sets of cards, a :class:`Deal` says the same with a weight for each hand.
        """

    def start(self) -> Any:
        """Return the public state after the hands are dealt; states are hashable."""

    def player(self, state: Any, /) -> int:
        """Return whose move it is: 0, 1, CHANCE or TERMINAL."""

    def actions(self, state: Any, /) -> Sequence[Hashable]:
        """Return the legal actions, which no hand may decide, or the outcomes of public chance."""

    def probabilities(self, state: Any, /) -> Sequence[ArrayLike | Reveal]:
        """Return the probability of each outcome: a number, a matrix with one for each pair of hands, or a Reveal."""

    def next(self, state: Any, action: Any, /) -> Any:
        """Return the public state after ``action``."""

    def payoff(self, state: Any, /) -> Any:
        """Return what player 0 gets from player 1 at an end: a number, a :class:`Showdown`, or a matrix."""


def infoset_name(game: PublicGame, hand: str, moves: tuple[str, ...]) -> str:
    """Return the name of an infoset: the game's own where it has one."""
    name = getattr(game, "infoset", None)
    if name is None:
        return " ".join((hand, *moves))
    return str(name(hand, moves))


def number_or_matrix(value: Any, shape: Shape) -> float | Floats:
    """Return a number as it is, or a matrix with a number for each pair of hands; nothing is broadcast."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufO" or array.shape not in ((), shape):
        raise ValueError(f"neither a number nor a matrix of shape {shape}")
    try:
        numbers = array.astype(np.float64)
    except TypeError as error:
        raise ValueError(str(error)) from error
    if numbers.ndim:
        return numbers
    return float(numbers)


def prior_matrix(prior: ArrayLike | Deal) -> ArrayLike:
    """Return the dense prior, from whatever :meth:`PublicGame.prior` returned."""
    if isinstance(prior, Deal):
        return prior.matrix()
    return prior


def expand_reveal(outcome: Any, prior: ArrayLike | Deal) -> Any:
    """Return the probability of an outcome of chance with a :class:`Reveal` written out as a matrix."""
    if not isinstance(outcome, Reveal):
        return outcome
    if not isinstance(prior, Deal):
        raise GameError(
            f"{outcome!r} shows cards, so prior() must return a Deal, which says what cards a "
            "hand holds."
        )
    return prior.probability(outcome)


def is_public_game(value: Any) -> TypeGuard[PublicGame]:
    """Return whether an object has the methods of a :class:`PublicGame`, be it by ``__getattr__``."""
    return not isinstance(value, type) and all(hasattr(value, name) for name in PUBLIC_METHODS)


def is_zero_sum(game: PublicGame) -> bool:
    """Return whether the public form can hold a public game: rake makes one that it cannot."""
    return bool(getattr(game, "zero_sum", True))


def public_game(game: Any) -> PublicGame | None:
    """Return the public states of a game, or None.

    They are the game itself, or what it offers by ``public_states()`` (:func:`call_offer`).
    """
    public: PublicGame | None = game if is_public_game(game) else call_offer(game, "public_states")
    return public


def call_offer(game: Any, name: str, **options: Any) -> Any:
    """Return what a method of a game returns by which it offers itself in another shape, or None.

    A class that changes a rule of a game that it inherits from, or forwards to, is another game:
    what that one offers is not taken, unless the class defines the method itself.
    """
    classes = type(game).__mro__
    offers = next((depth for depth, base in enumerate(classes) if name in vars(base)), None)
    if (
        offers is None
        or any(_changes_rules(vars(base)) for base in classes[:offers])
        or _changes_rules(vars(game))
    ):
        return None
    return getattr(game, name)(**options)


def _changes_rules(names: Any) -> bool:
    return any(name in names for name in (*METHODS[1:], "rules"))
