"""The search of the library: words, and filters such as ``exploitability<0.01 game:leduc tag:turn``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..errors import SolutionError, nearest
from ..evaluation.gaps import find_gap, find_gap_percent

_TERM = re.compile(r"([A-Za-z_]+)(<=|>=|<|>|=|:)(.*)", re.DOTALL)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
_NUMBERS = {
    "infosets": "infosets",
    "histories": "histories",
    "iterations": "iteration",
    "nodes": "nodes_touched",
    "seconds": "solve_seconds",
    "players": "players",
    "pot": "pot",
    "bytes": "bytes",
    "seed": "seed",
}
"""Filters by number, and the columns of the library that they look at; ``exploitability`` and other measures beside."""
_TEXTS = (
    "game",
    "title",
    "name",
    "algorithm",
    "sampling",
    "concept",
    "form",
    "stop_reason",
)
_NOTE = "note"
_TAG = "tag"
_ALL_TEXTS = (*_TEXTS, _NOTE, _TAG)
_GAPS = ("exploitability", "largest_gain")
"""Two names of the column that says how far a run is, which has the largest gain of three players and more."""
_MEASURES = (*_GAPS, "nash_conv", "qre_gap", "cce_distance")
Row = Mapping[str, Any]


def read_search(text: str) -> Callable[[Row], bool]:
    """Return whether a run is found by a search: by all of its words and filters.

    >>> found = read_search("exploitability<1% game:holdem")
    >>> found({"game": "holdem(…)", "measures": {"exploitability_percent": 0.4}}), found({"game": "kuhn"})
    (True, False)

    Raises
    ------
    SolutionError
        There is no such filter, or it has no number where one is needed.
    """
    tests = [_make_test(word) for word in text.split()]
    return lambda row: all(test(row) for test in tests)


def _make_test(word: str) -> Callable[[Row], bool]:
    match = _TERM.fullmatch(word)
    if match is None:
        plain = _plain_text(word)
        names = ("id", "game", "title", "algorithm", "sampling", "stop_reason")

        def has_word(row: Row) -> bool:
            texts = [str(row.get(name) or "") for name in names]
            return plain in _plain_text(" ".join([*texts, *_list_notes(row), *_list_tags(row)]))

        return has_word
    name = match[1].lower()
    sign = match[2]
    value = match[3]
    if name in _ALL_TEXTS:
        if sign not in ":=":
            raise SolutionError(
                f"{name} is a text: write {name}:{value or 'word'}.", wrong_use=True, field="search"
            )
        text_wanted = _plain_text(value)
        if name == _TAG:
            return lambda row: text_wanted in map(_plain_text, _list_tags(row))
        read_texts = _list_notes if name == _NOTE else partial(_list_text, name)
        if sign == "=":
            return lambda row: text_wanted in map(_plain_text, read_texts(row))
        return lambda row: any(text_wanted in _plain_text(text) for text in read_texts(row))
    if name not in (*_NUMBERS, *_MEASURES):
        raise SolutionError(
            f"There is no filter {name!r}.{nearest(name, (*_ALL_TEXTS, *_NUMBERS, *_MEASURES))} Filters are "
            f"{', '.join((*_ALL_TEXTS, *_MEASURES, *_NUMBERS))}.",
            wrong_use=True,
            field="search",
        )
    compare = _COMPARE["=" if sign == ":" else sign]
    is_share = name in _GAPS and value.endswith("%")
    limit = _read_number(name, value.removesuffix("%") if is_share else value)

    def test(row: Row) -> bool:
        if name in _NUMBERS:
            number = row.get(_NUMBERS[name])
        elif name in _GAPS:
            number = _gap_of(row, is_share=is_share)
        else:
            number = (row.get("measures") or {}).get(name)
        return isinstance(number, int | float) and compare(number, limit)

    return test


def _gap_of(row: Row, *, is_share: bool) -> float | None:
    """Return the exploitability of a run, or the largest gain of three players and more; or that in % of the pot."""
    measures = row.get("measures") or {}
    gains = row.get("deviation_gains") or ()
    amount = measures.get("exploitability")
    if not is_share:
        return find_gap(amount, gains)
    percent = measures.get("exploitability_percent")
    if amount is None or percent is None:
        return percent
    return find_gap_percent(percent, amount, gains)


def _list_text(name: str, row: Row) -> list[str]:
    """Return the one text that a run has by this name, in a list."""
    return [str(row.get(name) or "")]


def _list_notes(row: Row) -> list[str]:
    """Return the note of a run, and those at its decisions."""
    return [str(row.get("note") or ""), *(row.get("decision_notes") or [])]


def _list_tags(row: Row) -> list[str]:
    return row.get("tags") or []


def _read_number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SolutionError(
            f"{name} is compared with a number: {name}<0.01; got {text!r}.",
            wrong_use=True,
            field="search",
        ) from None


def _plain_text(text: str) -> str:
    return re.sub(r"['’\"]", "", text.lower())
