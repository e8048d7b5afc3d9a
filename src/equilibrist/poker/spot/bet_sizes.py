"""Bet sizes as poker players write them, ``50%, 2.5x, 100c, 2e, a``: reading, writing, and the chips that they mean."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from ..._util.text import short_repr
from ...errors import GameError, nearest

GRAMMAR = (
    "a size is 50% (of the pot), 100c (chips), e or 2e (geometric: the stack in equal shares of "
    "the pot over the streets left, or over 2 bets), 2e200% (at most 200%), a (all-in) or, for "
    "raises, 2.5x (times the bet)"
)
"""What a size may be, for messages."""

PARTS = ("bet", "raise", "donk")
"""What sizes are for, in the order of a text such as ``"60%, a; 2.5x; 50%"``."""

STREETS = ("flop", "turn", "river")

NONE = "none"

LEAST_CHIPS = 1e-12
MOST_CHIPS = 1e15
"""The least number of chips above 0, and the largest, of any setting of a spot: beyond, floats cannot tell bets
apart."""

Parts = dict[str, tuple["BetSize", ...]]
"""The sizes of some of the parts."""

_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_FORMS = {
    "%": re.compile(rf"{_NUMBER}%"),
    "x": re.compile(rf"{_NUMBER}x"),
    "c": re.compile(rf"{_NUMBER}c"),
    "e": re.compile(rf"(\d*)e(?:{_NUMBER}%)?"),
    "a": re.compile(r"a|all-?in"),
}


class BetSize(NamedTuple):
    """One size of a bet or a raise.

    Attributes
    ----------
    kind : {"%", "x", "c", "e", "a"}
        Share of the pot, multiple of the bet, chips, geometric, all-in.
    value : float
        The share (0.5 is 50%), the multiple, the chips, or the number of bets (0: one for each
        street left).
    most : float
        Largest share of the pot of a geometric size.
    """

    kind: str
    value: float = 0.0
    most: float = math.inf

    def __str__(self) -> str:
        if self.kind == "a":
            return "a"
        if self.kind == "e":
            if self.most < math.inf:
                limit_text = f"{number(100 * self.most)}%"
            else:
                limit_text = ""
            return f"{number(self.value) if self.value else ''}e{limit_text}"
        return f"{number(self.value * (100 if self.kind == '%' else 1))}{self.kind}"

    def chips(
        self, *, pot: float, bet: float, stack: float, streets: int, raises: int = 0
    ) -> float:
        """Return what the player will have put in on this street, before it is rounded or found illegal; all are chips.

        A raise, where the opponent has put in a ``bet``, is "call, then bet this size"; only a
        multiple is one of the bet itself. ``pot`` and ``stack`` are those after the call;
        ``streets`` counts the streets of betting left, this one included, and ``raises`` those
        before on this street.

        A geometric size over n bets is the share ((1 + 2 · stack / pot)^(1/n) − 1) / 2 of the pot:
        if each of n bets is called, the last one is all-in. Each raise on the street before this
        one leaves one bet less, but at least one.
        """
        if self.kind == "%":
            return bet + pot * self.value
        if self.kind == "x":
            return bet * self.value
        if self.kind == "c":
            return bet + self.value
        if self.kind == "e":
            bets = max((self.value or streets) - raises, 1)
            share: float = ((1 + 2 * stack / pot) ** (1 / bets) - 1) / 2
            return bet + pot * min(share, self.most)
        return bet + stack


class Sizes(NamedTuple):
    """The sizes that one player may choose from on one street; without donk sizes (None) those of bets are used."""

    bet: tuple[BetSize, ...] = ()
    raise_: tuple[BetSize, ...] = ()
    donk: tuple[BetSize, ...] | None = None


def number(value: float) -> str:
    """Return a number of chips, or of per cent, as text: 120, 12.5, 0.0000001; never with an exponent."""
    text = f"{value:.12g}"
    if "e" in text:
        return format(Decimal(text), "f")
    return text


def read_sizes(text: object, setting_name: str, *, raises: bool = False) -> tuple[BetSize, ...]:
    """Return the sizes of a text, separated by commas; none for an empty text and for ``none``.

    ``setting_name`` names the text in messages; with ``raises`` a multiple of the bet has a meaning.

    >>> [str(size) for size in read_sizes("60%, 2e, A", "bets")]
    ['60%', '2e', 'a']
    """
    if not isinstance(text, str):
        raise GameError(
            f"{setting_name} must be a text such as '50%, a'; got {text!r}.", wrong_use=True
        )
    if text.strip().lower() in ("", NONE):
        return ()
    return tuple(_read_size(token, text, setting_name, raises) for token in text.split(","))


def _read_size(token: str, text: str, setting_name: str, raises: bool) -> BetSize:
    plain = re.sub(r"\s", "", token).lower()
    for kind, form in _FORMS.items():
        match = form.fullmatch(plain)
        if match is None:
            continue
        values = [float(group) for group in match.groups() if group]
        if max(values, default=0.0) > MOST_CHIPS:
            raise _size_error(token, text, setting_name, f"no number may be above {MOST_CHIPS:g}")
        if kind == "a":
            return BetSize("a")
        if kind == "e":
            bets = float(match[1] or 0)
            if (match[1] and not bets) or (match[2] and not float(match[2])):
                break
            return BetSize("e", bets, float(match[2]) / 100 if match[2] else math.inf)
        if kind == "x" and not raises:
            raise _size_error(
                token,
                text,
                setting_name,
                "only a raise is a multiple of a bet; write a bet as 50% of the pot",
            )
        if kind == "x" and values[0] <= 1:
            raise _size_error(
                token, text, setting_name, "that is no raise: the least raise of a bet is 2x"
            )
        if not values[0]:
            break
        return BetSize(kind, values[0] / 100 if kind == "%" else values[0])
    if re.fullmatch(_NUMBER, plain):
        hint = f"; write {plain}% for a share of the pot, {plain}c for chips"
    else:
        hint = ""
    raise _size_error(token, text, setting_name, f"{GRAMMAR}{hint}")


def _size_error(token: str, text: str, setting_name: str, reason: str) -> GameError:
    read = (
        f"{setting_name}: cannot read {short_repr(token.strip())} in {short_repr(text)}: {reason}."
    )
    return GameError(read, wrong_use=True)


def write_sizes(sizes: tuple[BetSize, ...]) -> str:
    """Return the text of sizes, ``none`` where there are none."""
    return ", ".join(map(str, sizes)) or NONE


def read_parts(setting: object, setting_name: str) -> Parts:
    """Return the sizes of bets, raises and donk bets that a text or a table gives, of those parts that it names.

    ``"60%, a; 2.5x; 50%"`` is bets; raises; donk bets, of which any may be left empty; ``{"bet":
    "60%, a", "donk": "none"}`` is a table. ``setting_name`` names the setting in messages.
    """
    if isinstance(setting, str):
        texts = setting.split(";")
        if len(texts) > len(PARTS):
            raise GameError(
                f"{setting_name} must be at most three parts, 'bets; raises; donk bets'; got "
                f"{short_repr(setting)}.",
                wrong_use=True,
            )
        setting = {part: text for part, text in zip(PARTS, texts, strict=False) if text.strip()}
    elif not isinstance(setting, Mapping):
        raise GameError(
            f"{setting_name} must be a text such as '60%, a; 2.5x' (bets; raises) or a table such as "
            f"{{'bet': '60%', 'donk': 'none'}}; got {setting!r}.",
            wrong_use=True,
        )
    check_keys(setting, PARTS, setting_name)
    return {
        part: read_sizes(setting[part], f"{setting_name}, {part}", raises=part == "raise")
        for part in PARTS
        if part in setting
    }


def check_keys(table: Mapping[str, Any], allowed: tuple[str, ...], setting_name: str) -> None:
    """Refuse keys that are not known."""
    for key in table:
        if key not in allowed:
            raise GameError(
                f"{setting_name}: there is no {key!r}.{nearest(str(key), allowed)}", wrong_use=True
            )


def write_parts(setting: object, setting_name: str) -> str | dict[str, str]:
    """Return what :func:`read_parts` reads in the one way of writing it, as a text or a table, as it was given."""
    parts = read_parts(setting, setting_name)
    if isinstance(setting, Mapping):
        return {part: write_sizes(sizes) for part, sizes in parts.items()}
    last_part = max((PARTS.index(part) for part in parts), default=-1)
    return "; ".join(
        write_sizes(parts[part]) if part in parts else "" for part in PARTS[: last_part + 1]
    )


def combine(*layers: Parts) -> Sizes:
    """Return the sizes of one player on one street; a later layer replaces the parts that it gives."""
    parts = {part: sizes for layer in layers for part, sizes in layer.items()}
    return Sizes(parts.get("bet", ()), parts.get("raise", ()), parts.get("donk"))
