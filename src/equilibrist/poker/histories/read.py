"""Reading files of hand histories one hand after the other: PHH and PHHS, and what poker rooms and the ACPC write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple, TextIO

from ..._util.files import check_path, open_regular, unreadable_file
from ...errors import SolutionError
from . import acpc, first_line, ipoker, poker888, winamax
from .hand import PlayedHand, Unread, UnreadableError
from .phh import read_phh
from .pokerstars import read_pokerstars


class _Format(NamedTuple):
    """How the texts of a room are known and read.

    Attributes
    ----------
    begins : re.Pattern
        What a hand begins with.
    read : function
        From the text of a hand to the hand.
    """

    begins: re.Pattern[str]
    read: Callable[[str], PlayedHand]


_FORMATS = (
    _Format(first_line.BEGINS, read_pokerstars),
    _Format(winamax.BEGINS, winamax.read_winamax),
    _Format(poker888.BEGINS, poker888.read_poker888),
    _Format(acpc.BEGINS, acpc.read_acpc),
)
READ = "PHH, PokerStars, GGPoker, Winamax, 888poker, iPoker and the ACPC"
"""The formats that are read."""
SUFFIXES = (".phh", ".phhs", ".txt", ".xml", ".log")
"""Of the files that are read in a folder."""
_GAME_NUMBER = r"#Game No : \d+\s*"
ROOMS = {
    "partypoker": rf"(?:{_GAME_NUMBER})?\*{{5}} Hand History [Ff]or Game ",
    "Ignition or Bovada": r"(?:Ignition|Bovada|Bodog) Hand #",
    "Full Tilt": r"Full Tilt Poker .*#",
    "the Winning Poker Network": r"(?:Game )?Hand #\d+ - ",
}
"""Rooms whose histories are not read, and how these begin."""
NO_HAND = f"a text that is no hand of {READ}"
_FIRST_LINE = re.compile(
    rf"\s*{_GAME_NUMBER}|{'|'.join(history.begins.pattern for history in _FORMATS)}"
)
_ONLY_NUMBER = re.compile(rf"\s*{_GAME_NUMBER}")
_COMMENTS = re.compile(r"\s*(?:#.*\s*)*")
_ANY_ROOM = re.compile(rf"\s*(?:{'|'.join(f'({begins})' for begins in ROOMS.values())})")
_TABLE = re.compile(r"\[[\w.\"'-]+\]\s*$")
_VARIANT = re.compile(r"^variant\s*=.*$", re.MULTILINE)
_PHH = re.compile(r"\s*(#|\w+\s*=|\[)")
# characters
_LONGEST_BEGINNING = 1 << 10
_LONGEST_LINE = 1 << 16
_LONGEST_HAND = 1 << 18
_LONGEST_TEXT = 100  # of how a hand begins


class Place(NamedTuple):
    """Where a hand begins.

    Attributes
    ----------
    name : str
        File and line: ``"session.txt, line 12"``.
    text : str
        Its first words, which tell the game.
    """

    name: str
    text: str = ""


def read_hands(paths: Iterable[str | Path]) -> Iterator[PlayedHand | Unread]:
    """Yield the hands in files and folders, and what else there is, with the reason; one at a time is in memory.

    Raises as :func:`read_placed_hands`.
    """
    for hand, _ in read_placed_hands(paths):
        yield hand


def read_placed_hands(paths: Iterable[str | Path]) -> Iterator[tuple[PlayedHand | Unread, Place]]:
    """Yield the same, each with where it begins.

    Raises
    ------
    SolutionError
        A file cannot be read, or a folder has none of histories.
    """
    files = [file for path in map(check_path, paths) for file in _list_files(path)]
    for file in files:
        try:
            with TextIOWrapper(
                open_regular(file), encoding="utf-8-sig", errors="replace"
            ) as stream:
                yield from _read_stream(stream, file)
        except OSError as error:
            raise unreadable_file(file, error) from error


def _read_stream(stream: TextIO, file: Path) -> Iterator[tuple[PlayedHand | Unread, Place]]:
    """Yield the hands of a file; what is longer than any hand is cut."""
    name = file.name
    hand: PlayedHand | Unread
    beginning = stream.read(_LONGEST_BEGINNING)
    stream.seek(0)
    if ipoker.BEGINS.match(beginning):
        for number, played in enumerate(ipoker.read_ipoker(stream), 1):
            hand = Unread(str(played)) if isinstance(played, UnreadableError) else played
            yield hand, Place(f"{name}, hand {number}")
        return
    for number, (line, text) in enumerate(_split_hands(stream), 1):
        try:
            hand = _read_text(text, f"{file.stem} {number}")
        except UnreadableError as error:
            hand = Unread(str(error))
        yield hand, Place(f"{name}, line {line}", _first_words(text))


def _first_words(text: str) -> str:
    """Return how a hand begins: its first line, or in PHH the one that names the variant."""
    variant = _VARIANT.search(text, 0, _LONGEST_BEGINNING)
    first_line = text.strip().partition("\n")[0]
    return (variant[0] if variant else first_line)[:_LONGEST_TEXT]


def _read_text(text: str, name: str) -> PlayedHand | Unread:
    """Return the hand in a text, or what is said of a text that is none."""
    for history in _FORMATS:
        if history.begins.match(text):
            return history.read(text.lstrip())
    if _find_room(text) is None and _PHH.match(text) and not _COMMENTS.fullmatch(text):
        return read_phh(text, name)
    return _explain_unread(text)


def _explain_unread(text: str) -> Unread:
    """Return what is said of a text of no format that is read."""
    room = _find_room(text)
    if room is None:
        return Unread(NO_HAND, is_hand=False)
    return Unread(f"a history of {room}, which is not read: {READ} are")


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


def _split_hands(file: TextIO) -> Iterator[tuple[int, str]]:
    """Yield texts that begin at the first line of a hand, or in other formats after an empty line.

    Each comes with the number of its first line, 1 that of the file.
    """
    hand: list[str] = []
    size = 0
    begins_are_marked = False  # by its first line where the next one begins
    room: str | None = None
    first_line = 1
    num_lines = 0  # that have ended
    for line in iter(partial(file.readline, _LONGEST_LINE), ""):
        begins = _FIRST_LINE.match(line) or _TABLE.match(line)
        other_room = _find_room(line)
        leaves_room = other_room is not None and other_room != room
        follows_number = len(hand) == 1 and _ONLY_NUMBER.fullmatch(hand[0])
        is_next_hand = (begins or leaves_room) and not follows_number
        if size and (is_next_hand or (not begins_are_marked and not line.strip())):
            yield first_line, "".join(hand)
            hand = []
            size = 0
        if not size:
            first_line = num_lines + 1
            room = other_room
            begins_are_marked = bool(begins or (room is None and _PHH.match(line)))
        if line.strip() or size:
            size += len(line)
            if size <= _LONGEST_HAND:
                hand.append(line)
        num_lines += line.endswith("\n")
    if size:
        yield first_line, "".join(hand)
