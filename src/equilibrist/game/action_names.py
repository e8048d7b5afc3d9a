"""Names of actions: the word that a game has for an action, and the other spellings of it that people type.

Games name an action by its context (``action_label``): in Kuhn poker a player who faces no bet may
pass or bet, and one who faces a bet may fold or call. Papers and tutorials write letters, and often
the same one in both places: ``p`` and ``b``. Wherever a user gives an action, :func:`find_action`
accepts these as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SPELLINGS = {
    "pass": ("p", "k", "x", "c", "check"),
    "check": ("k", "x", "c", "p", "pass", "call"),
    "bet": ("b", "r", "raise"),
    "fold": ("f", "p", "pass"),
    "call": ("c", "b", "bet"),
    "raise": ("r", "b", "bet"),
}
"""What else is written for a word of betting: ``p`` pays nothing, ``b`` pays, whichever action of an infoset does."""

_WITH_CHIPS = re.compile(r"([a-z]+?)(?: to)? ?([0-9]*)")  # "raise to 7", "r7", "fold"


def find_action(name: str, actions: Sequence[str]) -> int | None:
    """Return the number of the action that a user means, or None if it is none of them or could be several.

    It is named by its word, by another spelling of it, or by a word of betting where the game
    itself writes letters; capital letters make no difference.

    Examples
    --------
    >>> find_action("p", ["fold", "call"]), find_action("b", ["fold", "call"]), find_action("b", ["pass", "bet"])
    (0, 1, 1)
    >>> find_action("r7", ["fold", "call", "raise to 7"]), find_action("call", ["p", "b"])
    (2, 1)
    >>> find_action("b", ["fold", "call", "raise"])  # either call or raise
    """
    if name in actions:
        return actions.index(name)
    matches = [number for number, action in enumerate(actions) if same_action(name, action)]
    if len(matches) == 1:
        return matches[0]
    return None


def same_action(name: str, action: str) -> bool:
    """Return whether what a user has given may mean an action of a game."""
    (word, chips) = _split_name(name)
    (other, other_chips) = _split_name(action)
    if chips != other_chips:
        return False
    return (
        word == other
        or word in SPELLINGS.get(other, ())
        or (len(other) == 1 and other in SPELLINGS.get(word, ()))
    )


def _split_name(action: str) -> tuple[str, str]:
    text = action.strip().casefold()
    match = _WITH_CHIPS.fullmatch(text)
    if match:
        return (match[1], match[2])
    return (text, "")
