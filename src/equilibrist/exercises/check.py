"""A check of a function: cases, the right answers, and those of known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .program import NotPassedError, Program

Rows = dict[str, Any]
"""The lists of numbers of an answer, by the words that say where they stand in it."""


@dataclass(frozen=True)
class Check:
    """A function of the reader's, and what it must answer: a number, a list of numbers, or dicts or pairs of such.

    ``cases`` makes arguments, in words and as they are; ``mistakes`` has what a wrong program answers, by the sentence
    about it; ``ask`` gets an answer from the reader's program, by default in one call.
    """

    function: str
    cases: Callable[[], Iterable[tuple[str, tuple[Any, ...]]]]
    right: Callable[..., Any]
    mistakes: Mapping[str, Callable[..., Any]]
    ask: Callable[..., Any] = lambda function, *args: function(*args)

    def __call__(self, program: Program) -> int:
        """Return how many cases there are; the answers to all must be right."""
        function = program.get(self.function)
        received = list[tuple[tuple[Any, ...], Rows]]()
        sentence = ""
        for words, args in self.cases():
            call = f"{self.function}({words})"
            expected = flat(self.right(*args))
            try:
                answer = program.run(call, partial(self.ask, function, *args))
                rows = _formed(answer, expected, call)
            except NotPassedError:
                if sentence:
                    break
                raise
            received.append((args, rows))
            wrong = (place for place in expected if not _close(rows[place], expected[place]))
            for place in wrong if not sentence else ():
                sentence = (
                    f"{call}{place}: expected {shown(expected[place])}, got {shown(rows[place])}."
                )
                break
        if sentence:
            raise NotPassedError(f"{sentence} {self._hint(received)}".rstrip())
        return len(received)

    def _hint(self, received: list[tuple[tuple[Any, ...], Rows]]) -> str:
        """Return the sentence about the mistake that answers the same to everything; empty where none does."""
        for sentence, mistake in self.mistakes.items():
            with suppress(ArithmeticError, LookupError), np.errstate(all="ignore"):
                pairs = ((flat(mistake(*args)), rows) for args, rows in received)
                if all(
                    a.keys() == b.keys() and all(_close(a[k], b[k]) for k in a) for a, b in pairs
                ):
                    return sentence
        return ""


def flat(answer: Any, place: str = "") -> Rows:
    """Return the lists of numbers of an answer."""
    if isinstance(answer, dict):
        return {
            k: row
            for key, value in answer.items()
            for k, row in flat(value, f"{place} at {key!r}").items()
        }
    if isinstance(answer, tuple):
        parts = zip(answer, (" (first part)", " (second part)"), strict=True)
        return {k: row for value, part in parts for k, row in flat(value, place + part).items()}
    return {place: np.asarray(answer, np.float64)}


def _formed(answer: Any, expected: Rows, call: str) -> Rows:
    """Return the lists of numbers of an answer that has the form of the right one."""
    if answer is None:
        raise NotPassedError(f"{call} returned None: is there a 'return' missing?")
    try:
        rows = flat(
            tuple(answer)
            if isinstance(answer, list) and any("part)" in k for k in expected)
            else answer
        )
    except (TypeError, ValueError):
        rows = {}
    for place, row in expected.items():
        if place not in rows or rows[place].shape != row.shape:
            got = str(answer) if place not in rows else shown(rows[place])
            raise NotPassedError(f"{call}{place}: expected {shown(row)}, got {got[:80]}.")
    for place in rows.keys() - expected.keys():
        raise NotPassedError(f"{call}: the answer has something{place}, where nothing is expected.")
    return rows


def _close(row: Any, right: Any) -> bool:
    return bool(np.shape(row) == np.shape(right) and np.allclose(row, right, rtol=1e-7, atol=1e-9))


def shown(row: Any) -> str:
    """Return a number, or a list of numbers, in four digits."""
    numbers = [f"{number:.4g}" for number in np.ravel(row)]
    if np.ndim(row):
        return f"[{', '.join(numbers)}]"
    return numbers[0]
