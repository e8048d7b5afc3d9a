"""Reading files of hand histories one hand after the other: PHH and PHHS, the texts of PokerStars and GGPoker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from ..._util.files import check_path, open_regular, unreadable_file
from ...errors import SolutionError
from .first_line import BEGINS
from .hand import PlayedHand, Unread, UnreadableError
from .phh import read_phh
from .pokerstars import read_pokerstars

SUFFIXES = (".phh", ".phhs", ".txt")
"""Of the files that are read in a folder."""
ROOMS = {
    "Winamax": r"Winamax Poker - ",
    "888poker": r"#Game No :|\*{5} .*888|888poker ",
    "partypoker": r"\*{5} Hand History [Ff]or Game ",
    "iPoker": r"<\?xml|<session",
    "Ignition or Bovada": r"(?:Ignition|Bovada|Bodog) Hand #",
    "Full Tilt": r"Full Tilt Poker .*#",
    "the Winning Poker Network": r"(?:Game )?Hand #\d+ - ",
    "the ACPC": r"STATE:\d+:",
}
"""Rooms and formats whose histories are not read, and how these begin."""
NO_HAND = "a text that is no hand of PHH, PokerStars or GGPoker"
_ANY_ROOM = re.compile(rf"\s*(?:{'|'.join(f'({begins})' for begins in ROOMS.values())})")
_TABLE = re.compile(r"\[[\w.\"'-]+\]\s*$")
_PHH = re.compile(r"\s*(#|\w+\s*=|\[)")
# characters
_LONGEST_LINE = 1 << 16
_LONGEST_HAND = 1 << 18


def read_hands(paths: Iterable[str | Path]) -> Iterator[PlayedHand | Unread]:
    """Yield the hands in files and folders, and what else there is, with the reason; one at a time is in memory.

    Raises
    ------
    SolutionError
        A file cannot be read, or a folder has none of histories.
    """
    files = [file for path in map(check_path, paths) for file in _list_files(path)]
    for file in files:
        for number, text in enumerate(_read_texts(file), 1):
            try:
                if BEGINS.match(text):
                    yield read_pokerstars(text.lstrip())
                elif _find_room(text) is None and _PHH.match(text):
                    yield read_phh(text, f"{file.stem} {number}")
                else:
                    yield _explain_unread(text)
            except UnreadableError as error:
                yield Unread(str(error))


def _explain_unread(text: str) -> Unread:
    """Return what is said of a text of no format that is read."""
    room = _find_room(text)
    if room is None:
        return Unread(NO_HAND, is_hand=False)
    return Unread(f"a history of {room}, which is not read: PHH, PokerStars and GGPoker are")


def _find_room(text: str) -> str | None:
    """Return the room, none of those that are read, one of whose histories begins a text."""
    match = _ANY_ROOM.match(text)
    if match is None or match.lastindex is None:
        return None
    return list(ROOMS)[match.lastindex - 1]  # a group for each room


def _list_files(path: Path) -> list[Path]:
    if not path.exists():
        raise SolutionError(
            f"{path} is not there; give files of hand histories, or folders.", wrong_use=True
        )
    if not path.is_dir():
        return [path]
    files = sorted(
        file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()
    )
    if not files:
        raise SolutionError(
            f"{path} has no file that ends in {', '.join(SUFFIXES)}; give histories.",
            wrong_use=True,
        )
    return files


def _read_texts(path: Path) -> Iterator[str]:
    """Yield the text of each hand in a file; what is longer than any hand is cut."""
    try:
        with TextIOWrapper(open_regular(path), encoding="utf-8-sig", errors="replace") as file:
            yield from _split_hands(file)
    except OSError as error:
        raise unreadable_file(path, error) from error


def _split_hands(file: TextIO) -> Iterator[str]:
    """Yield texts that begin at the first line of a hand, or in other formats after an empty line."""
    hand: list[str] = []
    size = 0
    begins_are_marked = False  # by its first line where the next one begins
    room: str | None = None
    for line in iter(partial(file.readline, _LONGEST_LINE), ""):
        begins = BEGINS.match(line) or _TABLE.match(line)
        other_room = _find_room(line)
        leaves_room = other_room is not None and other_room != room
        if size and (begins or leaves_room or (not begins_are_marked and not line.strip())):
            yield "".join(hand)
            hand = []
            size = 0
        if not size:
            room = other_room
            begins_are_marked = bool(begins or (room is None and _PHH.match(line)))
        if line.strip() or size:
            size += len(line)
            if size <= _LONGEST_HAND:
                hand.append(line)
    if size:
        yield "".join(hand)
