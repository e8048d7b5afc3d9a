"""Notes and tags of a saved run: a file of their own in its folder, which resuming, renaming and copying keep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .._util.files import read_bytes, write_atomically
from .._util.text import short_repr
from ..errors import SolutionError

NOTES = "notes.json"
MOST_TAGS = 50
LONGEST_TAG = 60
LONGEST_NOTE = 20_000
_MOST_BYTES = 1_000_000  # of a file that is read: each character may take twelve


class Notes(NamedTuple):
    """What somebody wrote about a run.

    Attributes
    ----------
    note : str
        A text of any number of lines.
    tags : tuple of str
        Words to find the run by, without spaces and commas, each once, in alphabetical order.
    """

    note: str = ""
    tags: tuple[str, ...] = ()


def make_notes(note: str, tags: Iterable[str]) -> Notes:
    """Return notes, checked: lines without spaces around them, tags sorted, and each once whatever its case.

    >>> make_notes("Solid. ", ["turn", "3bet", "Turn", ""])
    Notes(note='Solid.', tags=('3bet', 'turn'))

    Raises
    ------
    SolutionError
        A tag is no word, or there are too many of them, or the note is too long; ``field`` says which.
    """
    note = note.strip()
    words = {word.casefold(): word for word in reversed([tag.strip() for tag in tags]) if word}
    if len(note) > LONGEST_NOTE:
        raise SolutionError(
            f"A note has at most {LONGEST_NOTE:,} characters; got {len(note):,}.",
            wrong_use=True,
            field="note",
        )
    if len(words) > MOST_TAGS:
        raise SolutionError(
            f"A run has at most {MOST_TAGS} tags; got {len(words)}.", wrong_use=True, field="tags"
        )
    for word in words.values():
        if len(word) > LONGEST_TAG or re.search(r"[\s,]", word) or not word.isprintable():
            raise SolutionError(
                f"A tag is a word of at most {LONGEST_TAG} characters, without spaces and commas; got "
                f"{short_repr(word)}.",
                wrong_use=True,
                field="tags",
            )
    return Notes(note, tuple(words[name] for name in sorted(words)))


def read_notes(folder: Path) -> Notes:
    """Return the notes in the folder of a run; none where it has none, or a file that is not as it is written here."""
    path = folder / NOTES
    try:
        data = json.loads(read_bytes(path, most=_MOST_BYTES))
        return make_notes(data["note"], data["tags"])
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        SolutionError,
    ):
        return Notes()


def write_notes(folder: Path, notes: Notes) -> None:
    """Write notes into the folder of a run, also while it is solved: whole or not at all."""
    write_atomically(folder / NOTES, notes_text(notes).encode())


def notes_text(notes: Notes) -> str:
    """Return notes as their file has them."""
    return f"{json.dumps(notes._asdict(), indent=1)}\n"


def copy_notes(folder: Path | None, target: Path) -> None:
    """Take the notes of a run along where it is saved to another folder that has none."""
    notes = Notes() if folder is None else read_notes(folder)
    if notes != Notes() and not (target / NOTES).exists():
        write_notes(target, notes)
