"""All colours: of pictures, of the page, of labs, of pages that stand alone. No other file has one of its own.

``python tests/palette.py`` writes the style sheets ``colours.css``, from which the others take them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Colour = str | tuple[str, str]
"""A colour of style sheets; or two, in the light and in the dark."""

BLACK = "#000000"
WHITE = "#FFFFFF"

# --- Pictures ---

# What people with any colour vision can tell apart (Okabe & Ito); black and grey come last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", BLACK, "#999999")
# the lighter colours of the palette
ON_DARK = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", WHITE, "#999999")

# paper, ink, muted, faint, and the ends of the scale of a heat map
PICTURE_LIGHT = (WHITE, "#1A1A1A", "#5F6368", "#E3E3E3", "#0072B2", "#D55E00")
PICTURE_DARK = ("#14171C", "#ECECEC", "#A3A9B2", "#343A44", "#2E8BC7", "#D98200")

# --- Pages that stand alone, and fragments in notebooks ---

SHEET: Mapping[str, Colour] = {
    "paper": ("#fff", "#14171c"),
    "ink": ("#1a1a1a", "#ececec"),
    "muted": ("#5f6368", "#a3a9b2"),
    "link": ("#0060a0", "#56b4e9"),
}
FRAGMENT: Mapping[str, Colour] = {"eq-line": "#8883", "eq-track": "#8883", "eq-bar": "#0072b2"}

# --- The page, and reports over boards ---

_PANEL = ("#fff", "#1b1f23")
_INK = ("#1b1e21", "#e7e9ea")
_TEAL = ("#00695c", "#5cc4b5")
_AMBER = "#e6b23c"

PAGE: Mapping[str, Colour] = {
    "paper": ("#f7f7f5", "#14171a"),
    "panel": _PANEL,
    "sunk": ("#efefec", "#101315"),
    "ink": _INK,
    "ink-2": ("#5c636a", "#9da5ac"),
    "line": ("#dedfdc", "#2b3136"),
    "line-2": ("#c3c6c4", "#465058"),
    "accent": _TEAL,
    "on-accent": ("#fff", "#06201c"),
    "accent-soft": ("#e0f0ed", "#17332f"),
    "wrong": ("#b3261e", "#ff8a80"),
    "wrong-soft": ("#fbe9e7", "#3a1d1b"),
    "good": ("#1b7f4b", "#6fcf97"),
    "warn": ("#9a5b00", "#f0b460"),
    # actions
    "fold": ("#4f8fd0", "#5b9bd8"),
    "passive": ("#3fa272", "#4fb583"),
    "bet-1": "#f5d06c",
    "bet-2": "#f1b24d",
    "bet-3": "#ec9140",
    "bet-4": "#e57238",
    "bet-5": "#dc5450",
    # What is held: text on it may lie over several of these colours at once, so that one dark ink
    # must do on all.
    "held": ("#fff", "#8b949b"),
    "range": _AMBER,
    "range-2": "#cf9a24",
    "on-action": "#101214",
    "ring": "#fff",
    # several things, after Okabe and Ito
    "cat-1": ("#0072b2", "#56a8e0"),
    "cat-2": ("#d55e00", "#f0813a"),
    "cat-3": ("#009e73", "#2fbf95"),
    "cat-4": ("#b85c94", "#d98cb9"),
    "cat-5": ("#b98200", _AMBER),
    "cat-6": ("#3a9bd9", "#8fd0f7"),
    "cat-7": ("#555", "#b0b5b9"),
    "cat-8": ("#8a6d3b", "#c9a877"),
    # suits
    "spade": _INK,
    "heart": ("#c62828", "#ff8a80"),
    "diamond": ("#1565c0", "#82b1ff"),
    "club": ("#2e7d32", "#81c784"),
    # shadows, what lies behind a dialog, and what a mask lets through
    "shade-1": ("#0001", "#0006"),
    "shade-2": ("#0000000f", "#0004"),
    "shade-edge": ("#0004", "#000c"),
    "shade-dialog": "#0004",
    "backdrop": "#0006",
    "mask": "#000",
}

ICON = ("#00796b", "#fff")
"""The ground of ``page/icon.svg``, which no style sheet colours, and what stands on it."""

# --- Labs ---

LABS: Mapping[str, Colour] = {
    "lab-paper": _PANEL,
    "lab-sunk": ("#f3f6f5", "#14181b"),
    "lab-ink": _INK,
    "lab-ink-2": ("#566067", "#a3abb2"),
    "lab-line": ("#dfe3e1", "#30373d"),
    "lab-line-2": ("#b4bdb9", "#55606a"),
    "lab-0": _TEAL,
    "lab-0-soft": ("#d5ece8", "#17403a"),
    "lab-1": ("#bf4408", "#ff9e6b"),
    "lab-1-soft": ("#fde3d6", "#4a2a1b"),
    "lab-lit": ("#ffd54f", "#8a6d00"),
    "lab-on": ("#fff", "#10201d"),
    # surfaces
    "heat-0": ("#35a596", "#1f7d71"),
    "heat-1": ("#f08a55", "#a8501f"),
    "heat-both": ("#8a949b", "#77828a"),
    "heat-middle": ("#fbfaf7", "#22272b"),
    "heat-line": ("#5f6b6b", "#0f1214"),
}

# --- Actions of betting in pictures ---

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
        return BLACK
    return WHITE


def write_rule(selector: str, colours: Mapping[str, Colour]) -> str:
    """Return a rule of a style sheet that gives colours as custom properties.

    >>> print(write_rule(":root", {"ink": ("#111", "#eee"), "ring": "#fff"}), end="")
    :root {
      --ink: light-dark(#111, #eee);
      --ring: #fff;
    }
    """
    lines = [f"  --{name}: {_write_colour(colour)};\n" for name, colour in colours.items()]
    return f"{selector} {{\n{''.join(lines)}}}\n"


def _write_colour(colour: Colour) -> str:
    if isinstance(colour, str):
        return colour
    return f"light-dark({', '.join(colour)})"
