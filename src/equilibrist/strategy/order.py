"""Order of infosets in tables, files and pictures: by player, round, line of moves, and rank of the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from ..form.infosets import Infoset

MOST_IN_ORDER = 20_000  # infosets: the names of more take seconds
_PART = re.compile(r"\d+|.", re.DOTALL)
_CARDS = {card: rank for rank, card in enumerate("TJQKA", 10)}
_OTHERS = 100  # above all numbers of cards and of letters of actions

Parts = tuple[int, ...]


def reading_order(infosets: Sequence[Infoset]) -> list[int]:
    """Return the numbers of infosets in the order in which they are shown.

    They come by player, then by round, then by the moves so far (short lines first, moves as the
    actions are ordered, boards by rank), then by what the player holds: 2 to 10, J, Q, K, A, and
    numbers by their size. All of that is read from the names, so that a strategy has the same order
    however it came about. More than 20,000 infosets stay as they are.

    Examples
    --------
    >>> from equilibrist.form.infosets import Infoset
    >>> names = ["K", "Jpb", "Q", "Kpb", "J"]
    >>> [names[i] for i in reading_order([Infoset(0, name, ("p", "b")) for name in names])]
    ['J', 'Q', 'K', 'Jpb', 'Kpb']
    """
    if len(infosets) > MOST_IN_ORDER:
        return list(range(len(infosets)))
    infosets = list(infosets)  # each name is made once
    split = make_name_splitter(infoset.key for infoset in infosets)
    first = sorted(infosets, key=lambda infoset: (len(infoset.key), infoset.key))
    letters = dict.fromkeys(action[:1].lower() for infoset in first for action in infoset.actions)
    moves = {letter: number for number, letter in enumerate(letters)}

    @cache
    def split_parts(text: str) -> Parts:
        """Return numbers that compare as the parts of a name do."""
        return tuple(
            int(part)
            if part.isdecimal()
            else _CARDS.get(part) or moves.get(part, _OTHERS + ord(part[0]))
            for part in _PART.findall(text)
        )

    def sort_key(number: int) -> tuple[int, int, list[tuple[int, Parts]], Parts]:
        infoset = infosets[number]
        hand_name, history = split(infoset.key)
        rounds = [split_parts(line) for line in history.split("/")]
        return (
            infoset.player,
            len(rounds),
            [(len(line), line) for line in rounds],
            split_parts(hand_name),
        )

    return sorted(range(len(infosets)), key=sort_key)


def make_name_splitter(names: Iterable[str]) -> Callable[[str], tuple[str, str]]:
    """Return what splits the name of an infoset in two: what the player holds, and what has happened since.

    The hand ends at the first space; where no name has one it is the shortest beginning that is a
    name by itself (``K`` of ``Kpb``, as there is an infoset ``K``).
    """
    names = set(names)
    # A name of a million characters is not tried at each of them.
    lengths = sorted({len(name) for name in names})
    spaced = any(" " in name for name in names)

    def split(name: str) -> tuple[str, str]:
        ends = [name.find(" ")] if spaced else (end for end in lengths if name[:end] in names)
        end = next((end for end in ends if 0 < end < len(name)), len(name))
        return name[:end], name[end + spaced :]

    return split
