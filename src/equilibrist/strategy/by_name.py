"""Mappings by the names of infosets and of actions, which say what a name may have meant that they do not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from .._util.names import UnknownNameError, suggest_names
from ..game.action_names import find_action

Key = tuple[int, str]
Value = TypeVar("Value")


class ByAction(dict[str, Value]):
    """A value for each action of an infoset, by its name or another spelling of it: ``row["b"]`` for a bet."""

    def __missing__(self, spelling: str) -> Value:
        names = list(self)
        if isinstance(spelling, str):
            number = find_action(spelling, names)
        else:
            number = None
        if number is None:
            raise UnknownNameError(
                spelling,
                lambda: f"There is no action {spelling!r}.{suggest_names(str(spelling), names)}",
            )
        return self[names[number]]


class ByInfoset(dict[Key, Value]):
    """A value for each infoset, by (player, infoset) or by the infoset alone where only one player has it."""

    def __missing__(self, key: Key | str) -> Value:
        whole_key = find_key(key, self)
        return self[whole_key]


def full_key(key: Key | str, keys: Iterable[Key]) -> Key:
    """Return (player, infoset) for an infoset that may be given by its name alone, if only one player has it."""
    if isinstance(key, tuple):
        return key
    owners = sorted({player for player, name in keys if name == key})
    if len(owners) > 1:
        raise UnknownNameError(
            key,
            lambda: f"{key!r} is an infoset of players {owners}: ask for ({owners[0]}, {key!r}).",
        )
    return (owners[0] if owners else 0, key)


def find_key(key: Key | str, index: Mapping[Key, Any]) -> Key:
    """Return (player, infoset) of an infoset that is in an index, given as :func:`full_key` takes it.

    Raises
    ------
    KeyError
        Several players have it, or nobody has.
    """
    whole_key = full_key(key, index)
    if whole_key not in index:
        raise UnknownNameError(key, lambda: _unknown_infoset(key, index))
    return whole_key


def _unknown_infoset(key: Any, keys: Iterable[Key]) -> str:
    """Return the sentence of an infoset that is nowhere: what it may have meant, or whose it is."""
    if isinstance(key, str):
        names = (name for _, name in keys)
        return f"There is no infoset {key!r}.{suggest_names(key, names)}"
    if not (isinstance(key, tuple) and len(key) == 2):
        return f"An infoset is given by its name, or (player, name); got {key!r}."
    player, name = key
    owners = sorted({owner for owner, other_name in keys if other_name == name})
    if owners:
        return f"Player {player!r} has no infoset {name!r}; player {owners[0]} has."
    names = (other_name for owner, other_name in keys if owner == player)
    return f"Player {player!r} has no infoset {name!r}.{suggest_names(str(name), names)}"
