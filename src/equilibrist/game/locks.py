"""Locks: decisions of a card game at which the strategy of a player is fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, nearest
from .card_places import line_tokens, public_cards, split_by_street

if TYPE_CHECKING:
    from .card_game import CardGame


class Lock(NamedTuple):
    """A decision at which the strategy of a player is fixed, on every board or on some.

    Attributes
    ----------
    line : str
        The actions before, ``"X-B120-C | X"``.
    strategy : mapping of str to float
        The probability of each action by name; actions that are left out have none.
    hands : sequence of str, or str, optional
        Names of the hands that play so; by default all. The others are free. A spot of hold'em
        takes a range as text: ``"AA,AKs"``.
    board : str or sequence of int, optional
        Public cards: the lock holds on the boards that begin with them, street by street; by
        default on all. Those that are public at the start may be left out.
    """

    line: str
    strategy: Mapping[str, float]
    hands: Sequence[str] | str | None = None
    board: str | Sequence[int] | None = None

    @classmethod
    def from_plain(cls, value: Any) -> Lock:
        """Return the lock of a saved table."""
        return as_lock(value)


AnyLock = Lock | Mapping[str, Any]
"""A lock, or a mapping with the names of its attributes, as files have it."""


def as_lock(entry: AnyLock) -> Lock:
    """Return a lock, or refuse what is none."""
    if isinstance(entry, Lock):
        lock = entry
    else:
        keys = entry.keys() if isinstance(entry, Mapping) else ()
        for key in keys:
            if key not in Lock._fields:
                raise GameError(
                    f"A lock has no {key!r}.{nearest(str(key), Lock._fields)}", wrong_use=True
                )
        if not {"line", "strategy"} <= set(keys):
            raise GameError(
                "A lock has a line and a strategy, {'line': 'X-B100', 'strategy': {'F': 0.3, "
                "'C': 0.7}}, and may have "
                f"hands and a board; got {entry!r}.",
                wrong_use=True,
            )
        lock = Lock(**entry)
    if not isinstance(lock.line, str) or not isinstance(lock.strategy, Mapping):
        raise GameError(
            "The line of a lock is a text, and its strategy a table of probabilities; got "
            f"{lock.line!r} and {lock.strategy!r}.",
            wrong_use=True,
        )
    return lock


def find_locks(game: CardGame) -> tuple[Lock, ...]:
    """Return the locks of a game, which it need not have."""
    return tuple(map(as_lock, getattr(game, "locks", None) or ()))


def locked_hands(game: CardGame, lock: Lock, player: int) -> NDArray[np.bool_]:
    """Return whether each hand of a player is locked; names that the player does not have are passed over."""
    names = hand_names(lock)
    if names is None:
        return np.ones(len(game.hands[player]), bool)
    locked = frozenset(names)
    return np.array([name in locked for name in game.hands[player]], bool)


def hand_names(lock: Lock) -> Sequence[str] | None:
    """Return the names of the hands of a lock, or None for all."""
    if isinstance(lock.hands, str):
        return [name.strip() for name in lock.hands.split(",")]
    return lock.hands


def lock_place(lock: Lock) -> str:
    """Return what messages about a lock begin with."""
    return f"lock on {lock.line or 'the start'!r}:"


def lock_board(game: CardGame, lock: Lock) -> tuple[frozenset[int], ...]:
    """Return the cards of each street with which the boards begin that a lock holds on."""
    try:
        return split_by_street(game, public_cards(game, lock.board or ()))
    except GameError as error:
        raise GameError(f"{lock_place(lock)} {error}", wrong_use=True) from None


def check_overlaps(game: CardGame, locks: Iterable[tuple[Lock, int]]) -> None:
    """Refuse locks, each given with who decides, of which two fix a hand at the same decision on the same board."""
    # By line and board: hands that are locked there, and on all boards below.
    locked_on: dict[Any, NDArray[np.bool_]] = {}
    locked_below: dict[
        Any, NDArray[np.bool_]
    ] = {}  # hands that are locked there, or on some board below
    holds = game.deal.holds()
    for lock, player in locks:
        line = line_tokens(lock.line)
        board = lock_board(game, lock)
        *starts, place = [(line, board[:streets]) for streets in range(len(board) + 1)]
        hands = locked_hands(game, lock, player) & ~holds[player][
            :, sorted(frozenset().union(*board))
        ].any(axis=1)
        nothing = np.zeros(len(hands), bool)
        for locked_before in (
            locked_below.get(place, nothing),
            *(locked_on.get(start, nothing) for start in starts),
        ):
            if (hands & locked_before).any():
                name = game.hands[player][int(np.argmax(hands & locked_before))]
                raise GameError(
                    f"{lock_place(lock)} {name} is locked twice; lock each hand once.",
                    wrong_use=True,
                )
        locked_on[place] = locked_on.get(place, nothing) | hands
        for start in (*starts, place):
            locked_below[start] = locked_below.get(start, nothing) | hands
