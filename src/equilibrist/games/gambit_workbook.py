"""Files of Gambit's window (``.gbt``): the text of an ``.efg`` or ``.nfg`` file among how it is drawn and analysed.

The file looks like XML, with the game in one element::

    <gambit:document version="0.1"> … <game> <efgfile> EFG 2 R "title" … </efgfile> … </game> </gambit:document>

Gambit writes the text as it is, also where a label has a ``&``, which no parser of XML would take:
the element is found by its tags, and only the entities that XML names are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

from ..errors import GameError
from .gambit_game import GambitGame
from .gambit_nfg import parse_nfg
from .gambit_read import parse_efg, read_text

_PARSERS: dict[str, Callable[[Path, str], GambitGame]] = {
    "efgfile": parse_efg,
    "nfgfile": parse_nfg,
}
"""What reads the text of a game, by the element that has it."""

_GAME = re.compile(r"<(efgfile|nfgfile)>(.*?)</\1>", re.DOTALL)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});")


def read_gbt(path: str | os.PathLike[str]) -> GambitGame:
    """Return the game in a ``.gbt`` file of Gambit's window, as its ``.efg`` or ``.nfg`` file would be read.

    Raises
    ------
    GameError
        There is no such file, or no game in it. Lines in errors are counted from the game on.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "dilemma.gbt"
    >>> game = 'NFG 1 R "dilemma" { "Ann" "Ben" } { 2 2 } 1 1 3 0 0 3 2 2'
    >>> _ = path.write_text(f"<gambit:document><game><nfgfile>{game}</nfgfile></game></gambit:document>")
    >>> print(read_gbt(path))
    dilemma
    """
    path, text = read_text(path)
    element = _GAME.search(text)
    if element is None:
        raise GameError(
            f"{path} is no file of Gambit's window: it has no game between <efgfile> and "
            "</efgfile>, nor between <nfgfile> and </nfgfile>."
        )
    kind, content = element.groups()
    plain_content = _ENTITY.sub(lambda entity: unescape(entity[0]), content)
    return _PARSERS[kind](path, plain_content)
