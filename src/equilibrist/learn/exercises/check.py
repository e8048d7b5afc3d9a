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

    ``cases`` makes arguments, in words and as they are; ``mistakes`` has what a wrong program
    answers, by the sentence about it; ``ask`` gets an answer from the reader's program, by default
    in one call.
    """

    function: str
    cases: Callable[[], Iterable[tuple[str, tuple[Any, ...]]]]
    right: Callable[..., Any]
    mistakes: Mapping[str, Callable[..., Any]]
    ask: Callable[..., Any] = lambda function, *args: function(*args)

    def __call__(self, program: Program) -> int:
        """Return how many cases there are; the answers to all must be right."""
        function = program.get(self.function)
        answers = list[tuple[tuple[Any, ...], Rows]]()
        sentence = ""
        for words, args in self.cases():
            call = f"{self.function}({words})"
            right_rows = flatten_answer(self.right(*args))
            try:
                answer = program.run(call, partial(self.ask, function, *args))
                rows = _check_form(answer, right_rows, call)
            except NotPassedError:
                if sentence:
                    break
                raise
            answers.append((args, rows))
            wrong_places = (
                place for place in right_rows if not _is_close(rows[place], right_rows[place])
            )
            for place in wrong_places if not sentence else ():
                sentence = f"{call}{place}: expected {four_digits(right_rows[place])}, got {four_digits(rows[place])}."
                break
        if sentence:
            raise NotPassedError(f"{sentence} {self._mistake_hint(answers)}".rstrip())
        return len(answers)

    def _mistake_hint(self, answers: list[tuple[tuple[Any, ...], Rows]]) -> str:
        """Return the sentence about the mistake that answers the same to everything; empty where none does."""
        for sentence, mistake in self.mistakes.items():
            with suppress(ArithmeticError, LookupError), np.errstate(all="ignore"):
                pairs = ((flatten_answer(mistake(*args)), rows) for args, rows in answers)
                if all(
                    a.keys() == b.keys() and all(_is_close(a[k], b[k]) for k in a) for a, b in pairs
                ):
                    return sentence
        return ""


def flatten_answer(answer: Any, place: str = "") -> Rows:
    """Return the lists of numbers of an answer."""
    if isinstance(answer, dict):
        return {
            k: row
            for key, value in answer.items()
            for k, row in flatten_answer(value, f"{place} at {key!r}").items()
        }
    if isinstance(answer, tuple):
        parts = zip(answer, (" (first part)", " (second part)"), strict=True)
        return {
            k: row
            for value, part in parts
            for k, row in flatten_answer(value, place + part).items()
        }
    return {place: np.asarray(answer, np.float64)}


def _check_form(answer: Any, right_rows: Rows, call: str) -> Rows:
    """Return the lists of numbers of an answer that has the form of the right one."""
    if answer is None:
        raise NotPassedError(f"{call} returned None: is there a 'return' missing?")
    has_parts = any("part)" in place for place in right_rows)
    if has_parts and isinstance(answer, list):
        answer = tuple(answer)
    try:
        rows = flatten_answer(answer)
    except (TypeError, ValueError):
        rows = {}
    for place, row in right_rows.items():
        if place not in rows or rows[place].shape != row.shape:
            answer_text = str(answer) if place not in rows else four_digits(rows[place])
            raise NotPassedError(
                f"{call}{place}: expected {four_digits(row)}, got {answer_text[:80]}."
            )
    for place in rows.keys() - right_rows.keys():
        raise NotPassedError(f"{call}: the answer has something{place}, where nothing is expected.")
    return rows


def _is_close(row: Any, right_row: Any) -> bool:
    return bool(
        np.shape(row) == np.shape(right_row) and np.allclose(row, right_row, rtol=1e-7, atol=1e-9)
    )


def four_digits(row: Any) -> str:
    """Return a number, or a list of numbers, in four digits."""
    numbers = [f"{number:.4g}" for number in np.ravel(row)]
    if np.ndim(row):
        return f"[{', '.join(numbers)}]"
    return numbers[0]
