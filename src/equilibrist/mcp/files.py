"""Which files tools may name: those of the folders that the server was started with; and files made of contents."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .._util.file_names import is_portable
from ..errors import SolutionError
from ..games.load import python_file
from ..games.registry import BUILT_IN
from ..strategy.strategy import Strategy

_LEAVES = re.compile(r"""(?:^|[\s'"=(,:\[{])(?:[/\\~]|[A-Za-z]:[/\\])|\.\.""")
"""What a text has that names a path from a root, or one that goes up."""
_WORD = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")


class Folders(NamedTuple):
    """The folders of a server.

    Attributes
    ----------
    read : Path
        The folder whose files tools may name.
    write : Path or None
        The folder in which they may save runs, and whose runs they may name; None where they may not.
    trust_files : bool
        Whether files of Python in these folders may be run as games.
    """

    read: Path
    write: Path | None
    trust_files: bool

    def find(self, name: Any) -> Path:
        """Return the file or folder of a name, in one of the folders.

        Raises
        ------
        SolutionError
            It is in neither, or is not there; or the name is no text.
        """
        if not isinstance(name, str):
            raise SolutionError(
                f"A file or a saved run is named by a text; got {name!r}.", wrong_use=True
            )
        for folder in (self.read, self.write):
            if folder is None or not os.path.exists(folder / name):
                continue
            path = (folder / name).resolve()
            if path.is_relative_to(folder.resolve()):
                return path
        raise SolutionError(
            f"There is no {name!r} in the folder of this server, whose files alone it reads.",
            wrong_use=True,
        )

    def check_text(self, text: str, *, is_game: bool = False) -> str:
        """Return a text that may name a file, such as a game, or refuse one that leads out of the folder.

        What is in the folder of saved runs alone is named by its whole path; but the name of a
        built-in game is that game's, also where a run was saved under it.
        """
        if _LEAVES.search(text) or (text.startswith("openspiel:") and "file" in text):
            raise SolutionError(
                f"{text!r} names a file out of the folder of this server, whose files alone it "
                "reads: give a path in it.",
                wrong_use=True,
            )
        file = python_file(text)
        if file is not None:
            if not self.trust_files:
                raise SolutionError(
                    f"{text!r} is a file of Python, which loading runs: this server runs none, as it "
                    "was started without --trust-files.",
                    wrong_use=True,
                )
            self.find(file)
        elif os.path.exists(self.read / text):
            self.find(text)
        elif is_game and text in BUILT_IN:
            return text
        elif self.write is not None and os.path.exists(self.write / text):
            return str(self.find(text))
        return text

    def place_of(self, name: Any) -> Path:
        """Return the folder in which a run of this name is saved."""
        assert self.write is not None
        if not isinstance(name, str) or not _WORD.fullmatch(name):
            raise SolutionError(
                "A run is saved under a word of letters, digits, points and hyphens; got "
                f"{name!r}.",
                wrong_use=True,
            )
        if not is_portable(name):
            raise SolutionError(
                f"{name!r} is no name of a folder on every system: save under another word.",
                wrong_use=True,
            )
        place = self.write / name
        if os.path.lexists(place):
            raise SolutionError(
                f"There is a run {name!r} already, which this server does not replace: save under "
                "another word.",
                wrong_use=True,
            )
        return place


def write_content(kind: str, value: Any, folder: Path) -> Path:
    """Write what was given in the place of a file, and return the file.

    Raises
    ------
    SolutionError
        It is no content of this kind.
    """
    if kind == "hands":
        path = folder / (
            "hands.phhs" if re.search(r"^variant\s*=", value, re.MULTILINE) else "hands.txt"
        )
        path.write_text(value, encoding="utf-8")
        return path
    if kind == "table":
        path = folder / "table.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        return path
    path = folder / "strategy.csv"
    _read_strategy(value).write_csv(path)
    return path


def _read_strategy(value: Mapping[str, Any]) -> Strategy:
    """Return the strategy that an object is, by player and infoset.

    Raises
    ------
    SolutionError
        It is none.
    """
    table: dict[Any, Mapping[str, float]] = {}
    for player, infosets in value.items():
        if not player.isdecimal() or not isinstance(infosets, Mapping):
            raise SolutionError(
                "A strategy is {player: {infoset: {action: probability}}}, with players from '0'; got "
                f"{player!r}: {infosets!r}.",
                wrong_use=True,
            )
        for infoset, row in infosets.items():
            table[int(player), infoset] = row
    return Strategy.from_dict(table)


def is_content(kind: str, value: Any) -> bool:
    """Return whether a value is what would be in a file, and not the name of one."""
    if kind == "hands":
        return isinstance(value, str) and "\n" in value
    return isinstance(value, Mapping)
