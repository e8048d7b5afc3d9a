"""What games are called in lists and headings: never the path of a file on the server."""

from __future__ import annotations

import re
from pathlib import PurePath

_SPOT = re.compile(r"holdem\(board='(\w+)'.*?\bpot=([\d.]+), stack=([\d.]+)", re.DOTALL)


def title_of(name: str, definition: str = "") -> str:
    """Return what lists call a game, whose name is a text that :func:`equilibrist.load` takes.

    ``definition`` is what the game calls itself where its name is another, as that of a file is: the title of a Gambit
    file.

    >>> title_of("kuhn(cards=4)")
    'kuhn(cards=4)'
    >>> title_of("/srv/uploads/poker.efg", "A poker game"), title_of("/srv/uploads/rules.py:Poker(ante=2)", "Poker")
    ('A poker game', 'rules.py:Poker(ante=2)')
    >>> title_of("spot.toml", "holdem(board='Kh9s4d7c', oop='AA', ip='KK', pot=100, stack=300)")
    "Hold'em Kh9s4d 7c, pot 100, stacks 300"
    """
    spot = _SPOT.match(name) or _SPOT.match(definition)
    if spot:
        board, pot, stack = spot.groups()
        cards = " ".join(part for part in (board[:6], board[6:8], board[8:]) if part)
        return f"Hold'em {cards}, pot {pot}, stacks {stack}"
    path, colon, call = name.partition(".py:")
    if colon:
        return f"{PurePath(path).name}{colon}{call}"
    return (definition or PurePath(name).name) if name.lower().endswith(".efg") else name
