"""Reading files of hand histories one hand after the other: PHH and PHHS, and the text of PokerStars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from .._util.files import checked_path, open_regular
from ..errors import SolutionError
from .hand import PlayedHand, UnreadableError
from .phh import read_phh
from .pokerstars import read_pokerstars

SUFFIXES = (".phh", ".phhs", ".txt")
"""Of the files that are read in a folder."""
_POKERSTARS = re.compile(r"\s*PokerStars .*#")
_TABLE = re.compile(r"\[[\w.\"'-]+\]\s*$")
_PHH = re.compile(r"\s*(#|\w+\s*=|\[)")
_LONGEST_LINE, _LONGEST_HAND = 1 << 16, 1 << 18  # characters


def read_hands(paths: Iterable[str | Path]) -> Iterator[PlayedHand | str]:
    """Yield the hands in files and folders, or the reason why one cannot be read; one at a time is in memory.

    Raises
    ------
    SolutionError
        A file cannot be read, or a folder has none of histories.
    """
    files = [file for path in map(checked_path, paths) for file in _files(path)]
    for file in files:
        for number, text in enumerate(_texts(file), 1):
            try:
                if _POKERSTARS.match(text):
                    yield read_pokerstars(text.lstrip())
                else:
                    yield read_phh(text, f"{file.stem} {number}")
            except UnreadableError as error:
                yield str(error)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise SolutionError(f"{path} is not there; give files of hand histories, or folders.", wrong_use=True)
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    if not files:
        raise SolutionError(f"{path} has no file that ends in {', '.join(SUFFIXES)}; give histories.", wrong_use=True)
    return files


def _texts(path: Path) -> Iterator[str]:
    """Yield the text of each hand in a file; what is longer than any hand is cut."""
    try:
        with TextIOWrapper(open_regular(path), encoding="utf-8-sig", errors="replace") as file:
            yield from _split(file)
    except OSError as error:
        raise SolutionError(f"{path} cannot be read: {error.strerror or error}.") from error


def _split(file: TextIO) -> Iterator[str]:
    """Yield texts that begin at the first line of a hand, or in other formats after an empty line."""
    hand: list[str] = []
    size, tells = 0, False
    for line in iter(partial(file.readline, _LONGEST_LINE), ""):
        begins = _POKERSTARS.match(line) or _TABLE.match(line)
        if size and (begins or (not tells and not line.strip())):
            yield "".join(hand)
            hand, size = [], 0
        if not size:
            tells = bool(begins or _PHH.match(line))
        if line.strip() or size:
            size += len(line)
            if size <= _LONGEST_HAND:
                hand.append(line)
    if size:
        yield "".join(hand)
