"""Colours that people with any colour vision can tell apart, and which of them an action of betting has."""

from __future__ import annotations

from collections.abc import Sequence

# Okabe & Ito's palette; black and grey come last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")

_FOLD = 0
_CALL = 2
_RAISES = (4, 1, 3, 5, 7)


def betting_colours(actions: Sequence[str]) -> list[int]:
    """Return the number of the colour of each action of betting: fold, check or call, then bets and raises by size.

    >>> betting_colours(["F", "C", "R300", "A900"])
    [0, 2, 4, 1]
    """
    passive = {"F": _FOLD, "fold": _FOLD, "X": _CALL, "C": _CALL, "call": _CALL}
    raises = [action for action in actions if action not in passive]
    return [
        passive[action] if action in passive else _RAISES[raises.index(action) % len(_RAISES)]
        for action in actions
    ]


def text_colour(colour: str) -> str:
    """Return black or white: what can be read on a colour, by the contrast of luminances (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    if (luminance + 0.05) ** 2 > 0.05 * 1.05:
        return "#000000"
    return "#FFFFFF"
