"""Forced deals: outcomes of chance that the user names, for all iterations or for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import GameError
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name

_BLANK = " ,;"
_BETWEEN = _BLANK + "/|-"  # may stand between two outcomes
_SHOWN = 60  # characters of a deal in an error


class ForcedDeal:
    """Outcomes of chance, in the order in which they come up: all, or the first of them.

    Names stand one after the other (``"QK"``, ``"Qs Kh"``), or apart in a sequence. Where a name ends in a colon and
    something, as those of OpenSpiel do, that something is enough.
    """

    def __init__(self, outcomes: str | Sequence[str]) -> None:
        if not isinstance(outcomes, Sequence):
            raise GameError(f"A deal must be a text or a list of texts; got {outcomes!r}.", wrong_use=True)
        self._parts = (outcomes,) if isinstance(outcomes, str) else tuple(map(str, outcomes))
        self.text = " ".join(part.strip() for part in self._parts)
        self.remaining = tuple(part for part in self._parts if part.strip())
        """What is still to come at the start of the game, as :meth:`take` wants it."""

    def take(self, remaining: tuple[str, ...], names: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
        """Return the number of the outcome that comes next and what remains after it; None where none fits."""
        text, separators = remaining[0], len(remaining[0]) - len(remaining[0].lstrip(_BETWEEN))
        for skipped in range(separators + 1):  # a name may begin with what separates others, as −1 does
            match = _longest(text[skipped:], names)
            if match is not None:
                n, length = match
                rest = text[skipped + length :].lstrip(_BLANK)
                if not rest.strip(_BETWEEN):
                    return n, remaining[1:]
                return None if len(self._parts) > 1 else (n, (rest,))  # named apart, each part is one outcome
        return None


class Deals:
    """The forced deal of each iteration: ``every``, that of all, or ``each``, those of iterations 1, 2, ….

    In a text, commas stand between those of ``each``.
    """

    def __init__(
        self, every: str | Sequence[str] | None = None, each: str | Sequence[str | Sequence[str]] | None = None
    ) -> None:
        if every is not None and each is not None:
            raise GameError(
                f"deal names the outcomes of all iterations, deals those of each; got both, {every!r} and {each!r}.",
                wrong_use=True,
            )
        if each is not None and not isinstance(each, Sequence):
            raise GameError(f"deals must be a text or a list of deals; got {each!r}.", wrong_use=True)
        blank = isinstance(every, str) and not every.strip()
        self._every = None if every is None or blank else ForcedDeal(every)
        self._each = [ForcedDeal(deal_text) for deal_text in (each.split(",") if isinstance(each, str) else each or ())]
        if each is not None and not all(deal_text.remaining for deal_text in self._each or [ForcedDeal("")]):
            raise GameError(
                f"deals must name the deal of each iteration, as 'QK,QJ' does; got {each!r}.", wrong_use=True
            )

    @property
    def last(self) -> int:
        """The last iteration for which there is a deal of its own; 0 where all have the same."""
        return len(self._each)

    def at(self, iteration: int) -> ForcedDeal | None:
        """Return the deal of an iteration, the first of which is 1; None where chance is free."""
        return self._each[iteration - 1] if self._each else self._every

    def different(self) -> list[ForcedDeal]:
        every = [] if self._every is None else [self._every]
        return list({deal.text: deal for deal in (*self._each, *every)}.values())

    @property
    def texts(self) -> tuple[str, ...]:
        """The deals as text: that of all iterations, or those of each."""
        return tuple(deal.text for deal in self._each) or tuple(deal.text for deal in self.different())


def _longest(text: str, names: Sequence[str]) -> tuple[int, int] | None:
    """Return the number and the length of the longest name with which a text begins, of equal ones the first.

    Where none fits, capitals make no difference.
    """
    return _longest_exact(text, names) or _longest_exact(text.casefold(), [name.casefold() for name in names])


def _longest_exact(text: str, names: Sequence[str]) -> tuple[int, int] | None:
    fits = [(len(spelt), n) for n, name in enumerate(names) for spelt in _spellings(name) if text.startswith(spelt)]
    length, n = max(fits, key=lambda fit: (fit[0], -fit[1]), default=(0, 0))
    return (n, length) if length else None


def _spellings(name: str) -> tuple[str, ...]:
    head, colon, tail = name.rpartition(":")
    return (name, tail.strip()) if colon and head else (name,)


def forced_outcome(
    deal: ForcedDeal, remaining: tuple[str, ...], rules: Game, state: Any
) -> tuple[int, tuple[str, ...]]:
    """Return the outcome that a deal wants where chance is to move, and what remains of the deal."""
    names = [action_label(rules, state, action) for action in rules.actions(state)]
    possible = [name if p > 0 else "" for name, p in zip(names, rules.probabilities(state), strict=True)]
    taken = deal.take(remaining, possible)
    if taken is None:
        outcomes = ", ".join(repr(name) for name in possible if name)
        raise GameError(
            f"The deal {brief(deal.text)!r} does not fit {game_name(rules)}: at {brief(' '.join(remaining))!r} chance "
            f"deals one of {outcomes}. Name outcomes in the order in which they are dealt.",
            wrong_use=True,
        )
    return taken


def brief(text: str) -> str:
    """Return a deal as errors show it."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class HistoryCount(NamedTuple):
    """How many histories there are, and what of the deal no play has used; both as far as they were looked at."""

    histories: int
    unused: tuple[str, ...]


def count_histories(rules: Game, deal: ForcedDeal | None, most: int) -> HistoryCount:
    """Go through the histories of a deal, at most ``most`` and one more of them."""
    moves_back: Any = ()  # the moves to where we are, the last first

    def path_text(_: int) -> str:
        moves, back = [], moves_back
        while back:
            move, back = back
            moves.append(move)
        return f"{moves[::-1]}"

    ask = CheckedGame(rules, rules.players, path_text)
    unused = () if deal is None else deal.remaining
    with ask.rule_errors(0):
        waiting = [(rules.start(), unused, moves_back)]
    histories = 0
    while waiting and histories <= most:
        state, remaining, moves_back = waiting.pop()
        histories += 1
        with ask.rule_errors(0):
            mover = ask.mover(0, state)
            if mover == TERMINAL:
                unused = min(unused, remaining, key=lambda rest: len("".join(rest)))
                continue
            actions = ask.actions(0, state)
            if deal is not None and remaining and mover == CHANCE:
                ask.probabilities(0, state, len(actions))
                n, remaining = forced_outcome(deal, remaining, rules, state)
                actions = actions[n : n + 1]
            waiting += [(ask.next(0, state, action), remaining, (action, moves_back)) for action in actions]
    return HistoryCount(histories, unused)
