"""Notes and tags of a saved run: a file of their own in its folder, which resuming, renaming and copying keep."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from .._util.files import read_bytes, write_atomically
from .._util.text import short_repr
from ..errors import SolutionError

NOTES = "notes.json"
MOST_TAGS = 50
LONGEST_TAG = 60
LONGEST_NOTE = 20_000
LONGEST_AT_DECISION = 5_000
MOST_AT_DECISIONS = 50_000  # characters of all notes at decisions, with their lines and boards
_MOST_BYTES = 1_000_000  # of a file that is read: each character may take twelve


class DecisionNote(NamedTuple):
    """What somebody wrote about a decision of a spot: its line and its board, and a text."""

    line: str
    board: str
    text: str


class Notes(NamedTuple):
    """What somebody wrote about a run.

    Attributes
    ----------
    note : str
        A text of any number of lines.
    tags : tuple of str
        Words to find the run by, without spaces and commas, each once, in alphabetical order.
    decisions : tuple of DecisionNote
        Notes at decisions of a spot, one at each, by line and board.
    """

    note: str = ""
    tags: tuple[str, ...] = ()
    decisions: tuple[DecisionNote, ...] = ()

    def at_decision(self, note: DecisionNote) -> Notes:
        """Return these notes with another one at a decision; an empty text takes one away.

        Raises
        ------
        SolutionError
            The text is too long, or all are together; ``field`` is "text".
        """
        place = (note.line, note.board)
        others = [other for other in self.decisions if (other.line, other.board) != place]
        return make_notes(self.note, self.tags, [*others, note])


def make_notes(note: str, tags: Iterable[str], decisions: Iterable[DecisionNote] = ()) -> Notes:
    """Return notes, checked: lines without spaces around them, tags sorted, and each once whatever its case.

    >>> make_notes("Solid. ", ["turn", "3bet", "Turn", ""]).tags
    ('3bet', 'turn')

    Raises
    ------
    SolutionError
        A tag is no word, or there are too many of them, or a note is too long; ``field`` says
        which.
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
                f"A tag is a word of at most {LONGEST_TAG} characters, without spaces and "
                f"commas; got {short_repr(word)}.",
                wrong_use=True,
                field="tags",
            )
    return Notes(note, tuple(words[name] for name in sorted(words)), _check_decisions(decisions))


def _check_decisions(decisions: Iterable[DecisionNote]) -> tuple[DecisionNote, ...]:
    """Return notes at decisions in their order, without those that are empty; refuse what is too long."""
    stripped = [note._replace(text=note.text.strip()) for note in decisions]
    notes = sorted(note for note in stripped if note.text)
    for note in notes:
        if len(note.text) > LONGEST_AT_DECISION:
            raise SolutionError(
                f"A note at a decision has at most {LONGEST_AT_DECISION:,} characters; got "
                f"{len(note.text):,}.",
                wrong_use=True,
                field="text",
            )
    total = sum(len(part) for note in notes for part in note)
    if total > MOST_AT_DECISIONS:
        raise SolutionError(
            f"The notes at decisions of a run have at most {MOST_AT_DECISIONS:,} characters "
            f"together; these would have {total:,}. Shorten some, or take some away.",
            wrong_use=True,
            field="text",
        )
    return tuple(notes)


def read_notes(folder: Path) -> Notes:
    """Return the notes in the folder of a run; none where it has none, or a file that is not as it is written here."""
    return _read_own_notes(folder) or Notes()


def _read_own_notes(folder: Path) -> Notes | None:
    """Return the notes in the folder of a run; None where its file is none, or is not as it is written here."""
    path = folder / NOTES
    try:
        data = json.loads(read_bytes(path, most=_MOST_BYTES))
        decisions = [DecisionNote(**note) for note in data.get("decisions", ())]
        return make_notes(data["note"], data["tags"], decisions)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        SolutionError,
    ):
        return None


def write_notes(folder: Path, notes: Notes) -> None:
    """Write notes into the folder of a run, also while it is solved: whole or not at all."""
    write_atomically(folder / NOTES, notes_text(notes).encode())


def change_notes(folder: Path, change: Callable[[Notes], Notes]) -> Notes:
    """Write what a function makes of the notes of a run, one change after the other, and return it.

    Raises
    ------
    SolutionError
        The run has a file of notes that cannot be read: written over, it would be lost.
    """
    with _CHANGING:
        old_notes = _read_own_notes(folder)
        if old_notes is None and os.path.lexists(folder / NOTES):
            raise SolutionError(
                f"The notes in {folder / NOTES} cannot be read, so they are not written over: mend the "
                "file, or take it away.",
                wrong_use=True,
            )
        notes = change(old_notes or Notes())
        write_notes(folder, notes)
    return notes


_CHANGING = threading.Lock()


def notes_text(notes: Notes) -> str:
    """Return notes as their file has them: those at decisions where there are some."""
    content: dict[str, Any] = {"note": notes.note, "tags": notes.tags}
    if notes.decisions:
        content["decisions"] = [note._asdict() for note in notes.decisions]
    return f"{json.dumps(content, indent=1)}\n"


def copy_notes(folder: Path | None, target: Path) -> None:
    """Take the notes of a run along where it is saved to another folder that has none."""
    notes = Notes() if folder is None else read_notes(folder)
    if notes != Notes() and not (target / NOTES).exists():
        write_notes(target, notes)
