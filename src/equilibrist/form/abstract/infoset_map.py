"""The map from the infosets of a compiled game to buckets, in numbers, once it is seen to make sense."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, Protocol, runtime_checkable

import numpy as np

from ..._util.arrays import Ints, offsets
from ..._util.text import short_repr
from ...errors import EquilibristError, GameError, SolutionError
from ..infosets import Infoset, Infosets

Bucket = Hashable
"""The name of a bucket; None leaves an infoset by itself."""
MapFunction = Callable[[Infoset], Bucket]
MapTable = Mapping[Any, Bucket]
_FIELD = "map"


@runtime_checkable
class GameMap(Protocol):
    """A map that must know the game: its function of an infoset is made for one game."""

    def bind_game(self, game: Any, /) -> Any:
        """Return the map of the infosets of a game: what :func:`equilibrist.solve` takes, or compiled."""


class InfosetSource(Protocol):
    """What is asked of a compiled game, or of the table of one that is walked, to map its infosets."""

    @property
    def name(self) -> str:
        """Name of the game."""

    @property
    def num_infosets(self) -> int:
        """Number of infosets."""

    @property
    def infosets(self) -> Infosets:
        """The infosets by number, those before others in a play first."""

    @property
    def first_action(self) -> Ints:
        """Number of the first action of each infoset, and at the end the number of all actions."""

    def parents(self, infosets: Ints) -> Ints:
        """Return the number of the same player's action before each infoset, or -1 for none."""


@dataclass(frozen=True, eq=False)
class SavedBuckets:
    """The map that a saved run knows.

    Attributes
    ----------
    bucket : int array, shape (infosets,)
        The bucket of each infoset, as :attr:`InfosetMap.bucket` numbers them, or what a file has in
        its place.
    """

    bucket: Ints


@dataclass(frozen=True, eq=False)
class InfosetMap:
    """A map from infosets to buckets, numbered in the order in which their first infosets stand.

    Attributes
    ----------
    bucket : int array, shape (infosets,)
        The bucket of each infoset.
    owner : int array, shape (buckets,)
        Who decides.
    num_actions : int array, shape (buckets,)
        The number of actions of each infoset of a bucket.
    bucket_action : int array, shape (actions,)
        For each action of each infoset of the form, the number of the action of its bucket.
    has_perfect_recall : bool
        Whether all infosets of a bucket have the same buckets and actions of their player before
        them.
    """

    bucket: Ints
    owner: Ints
    num_actions: Ints
    bucket_action: Ints
    has_perfect_recall: bool

    @property
    def num_buckets(self) -> int:
        return len(self.owner)

    @cached_property
    def first_action(self) -> Ints:
        """Number of the first action of each bucket, and at the end the number of all; shape (buckets + 1,)."""
        return offsets(self.num_actions)

    def of_player(self, form: InfosetSource, player: int) -> InfosetMap:
        """Return the map of one player's infosets, which leaves those of the others by themselves."""
        return number_buckets(form, keep_buckets_of(self.bucket, form.infosets.owner, player))

    @cached_property
    def digest(self) -> str:
        """A digest of which infosets are in a bucket together, whatever the buckets are called."""
        return hashlib.sha256(self.bucket.astype("<i8").tobytes()).hexdigest()


def make_infoset_map(
    form: InfosetSource, source: MapFunction | MapTable | SavedBuckets
) -> InfosetMap:
    """Return the map that a function, a table or a saved run makes of the infosets of a compiled game.

    Raises
    ------
    GameError
        The infosets of a bucket have different players or actions, or one comes after another in a
        play; a key of the table is that of no infoset; or the function fails.
    SolutionError
        The saved run has no buckets of the infosets of this game.
    """
    if isinstance(source, SavedBuckets):
        try:
            return number_buckets(form, source.bucket)
        except ValueError as error:
            raise SolutionError(
                f"The saved run on {form.name} has no buckets of its infosets ({error}). Start "
                "afresh."
            ) from None
    if callable(source):
        name_bucket: MapFunction = source
    else:
        name_bucket = _look_up(form, source)
    number: dict[Any, int] = {}
    first_infoset: list[Infoset] = []
    bucket = np.empty(form.num_infosets, np.int64)
    for i, infoset in enumerate(form.infosets):
        name = _ask(name_bucket, infoset)
        if name is None:
            key: Any = _ByItself(i)
        else:
            key = name
        k = number.setdefault(key, len(first_infoset))
        if k == len(first_infoset):
            first_infoset.append(infoset)
        _check_alike(name, first_infoset[k], infoset)
        bucket[i] = k
    return number_buckets(form, bucket)


def number_buckets(form: InfosetSource, bucket: Ints) -> InfosetMap:
    """Return the map with the bucket of each infoset, as :attr:`InfosetMap.bucket` numbers them.

    Raises
    ------
    ValueError
        These are not the buckets of the infosets of the form.
    GameError
        An infoset of a bucket comes after another one in a play.
    """
    bucket = np.asarray(bucket, np.int64)
    owner = np.asarray(form.infosets.owner, np.int64)
    num_actions = np.asarray(form.infosets.num_actions, np.int64)
    numbers, first = np.unique(bucket, return_index=True)
    if bucket.shape != owner.shape or not np.array_equal(numbers, np.arange(len(numbers))):
        raise ValueError("no numbers of buckets")
    if (owner != owner[first][bucket]).any() or (num_actions != num_actions[first][bucket]).any():
        raise ValueError("buckets of different players or numbers of actions")
    bucket_action = number_actions(bucket, num_actions)
    infoset_of_action = np.repeat(np.arange(len(bucket)), num_actions)
    parent = np.asarray(form.parents(np.arange(len(bucket))), np.int64)
    _refuse_absent_minded(form, bucket, parent, infoset_of_action)
    before = np.where(parent >= 0, bucket_action[parent], -1)
    has_perfect_recall = bool((before == before[first][bucket]).all())
    return InfosetMap(bucket, owner[first], num_actions[first], bucket_action, has_perfect_recall)


def keep_buckets_of(bucket: Ints, owner: Any, player: int) -> Ints:
    """Return the bucket of each infoset where those of other players are by themselves; shape (infosets,).

    ``bucket`` and ``owner``, who decides, are those of the infosets, shape (infosets,) both.
    """
    bucket = np.asarray(bucket, np.int64)
    by_itself = len(bucket) + np.arange(len(bucket))
    names = np.where(np.asarray(owner) == player, bucket, by_itself)
    _, first, place = np.unique(names, return_index=True, return_inverse=True)
    # Numbered in the order in which their first infosets stand.
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    numbers: Ints = number[place]
    return numbers


def number_actions(bucket: Ints, num_actions: Ints) -> Ints:
    """Return the number of the action of its bucket for each action of each infoset; shape (actions,).

    ``bucket`` and ``num_actions`` are those of the infosets, shape (infosets,) both.
    """
    num_actions = np.asarray(num_actions, np.int64)
    _, first = np.unique(bucket, return_index=True)
    first_of_bucket = offsets(num_actions[first])
    infoset = np.repeat(np.arange(len(bucket)), num_actions)
    place = np.arange(len(infoset)) - offsets(num_actions)[infoset]
    numbers: Ints = first_of_bucket[bucket[infoset]] + place
    return numbers


class _ByItself:
    """The name of a bucket that no other infoset is in."""

    def __init__(self, infoset: int) -> None:
        self.infoset = infoset


def _ask(name_bucket: MapFunction, infoset: Infoset) -> Bucket:
    """Return the bucket that a map gives an infoset."""
    try:
        name = name_bucket(infoset)
        hash(name)
    except EquilibristError:
        raise
    except Exception as error:
        raise GameError(
            f"The map failed at the infoset {infoset.key!r} of player {infoset.player} with "
            f"{type(error).__name__}: {str(error).removesuffix('.')}. It takes an infoset, with "
            ".player, .key and .actions, and returns the name of its bucket: anything that can be "
            "a key of a dictionary; None leaves the infoset by itself.",
            wrong_use=True,
            field=_FIELD,
        ) from error
    return name


def _check_alike(name: Bucket, first: Infoset, infoset: Infoset) -> None:
    """Refuse a bucket whose infosets have different players or actions."""
    if first.player == infoset.player and first.actions == infoset.actions:
        return
    raise GameError(
        f"The bucket {short_repr(name)} has {_describe(first)} and {_describe(infoset)}: the "
        "infosets of a bucket must have the same player and the same actions. Make these a part of "
        "its name.",
        wrong_use=True,
        field=_FIELD,
    )


def _describe(infoset: Infoset) -> str:
    return f"{infoset.key!r} of player {infoset.player} ({', '.join(infoset.actions)})"


def _look_up(form: InfosetSource, table: MapTable) -> MapFunction:
    """Return the function that looks buckets up in a table, whose keys are ``"J"`` or ``(0, "J")``."""
    if not isinstance(table, Mapping):
        raise GameError(
            "A map is a function of an infoset, or a table by infoset, {'J': 'low'} or {(0, 'J'): "
            f"'low'}}; got {short_repr(table)}.",
            wrong_use=True,
            field=_FIELD,
        )
    unknown = set(table)
    for infoset in form.infosets:
        unknown -= {infoset.key, (infoset.player, infoset.key)}
    if unknown:
        example = form.infosets[0].key if form.num_infosets else ""
        raise GameError(
            f"{form.name} has no infoset {short_repr(min(unknown, key=repr))}, which the map "
            f"names. Its infosets are called as {example!r} or (0, {example!r}) is.",
            wrong_use=True,
            field=_FIELD,
        )

    def name_bucket(infoset: Infoset) -> Bucket:
        if (infoset.player, infoset.key) in table:
            return table[infoset.player, infoset.key]
        return table.get(infoset.key)

    return name_bucket


def _refuse_absent_minded(
    form: InfosetSource, bucket: Ints, parent: Ints, infoset_of_action: Ints
) -> None:
    """Refuse a bucket in which an infoset comes after another one: its player forgets to have moved."""
    infosets = np.arange(len(bucket))
    above = parent.copy()
    while (above >= 0).any():
        is_below = above >= 0
        infosets = infosets[is_below]
        ancestor = infoset_of_action[above[is_below]]
        again = np.flatnonzero(bucket[ancestor] == bucket[infosets])
        if len(again):
            _refuse_pair(form, int(ancestor[again[0]]), int(infosets[again[0]]))
        above = parent[ancestor]


def _refuse_pair(form: InfosetSource, above: int, below: int) -> NoReturn:
    earlier = form.infosets[above]
    later = form.infosets[below]
    raise GameError(
        f"A bucket has {_describe(earlier)} and {later.key!r}, which comes after it in the same "
        "play: its player would not know whether they have moved already (absent-mindedness), and "
        "no regret can be told there. Give them different buckets.",
        wrong_use=True,
        field=_FIELD,
    )
