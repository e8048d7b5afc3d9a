"""Forced deals: outcomes of chance named by the user, and samples in which they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import GameError
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..mccfr.source import SOURCES
from ..mccfr.table import InfosetTable

_BLANK = " ,;"
_BETWEEN = _BLANK + "/|-"  # may stand between two outcomes
_SHOWN = 60  # characters of a deal in an error


class ForcedDeal:
    """Outcomes of chance, in the order in which they come up: all, or the first of them.

    Parameters
    ----------
    outcomes : str or sequence of str
        The names of the outcomes: one after the other (``"QK"``, ``"Qs Kh"``), or apart. Where a name ends in a colon
        and something, as those of OpenSpiel do, that something is enough.
    """

    def __init__(self, outcomes: str | Sequence[str]) -> None:
        if not isinstance(outcomes, Sequence):
            raise GameError(f"A deal must be a text or a list of texts; got {outcomes!r}.", wrong_use=True)
        self._parts = (outcomes,) if isinstance(outcomes, str) else tuple(map(str, outcomes))
        self.text = " ".join(self._parts)
        self.remaining = tuple(part for part in self._parts if part.strip())
        """What is still to come at the start of the game, as :meth:`take` wants it."""

    def take(self, remaining: tuple[str, ...], names: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
        """Return the number of the outcome that comes next and what remains after it; None where none fits."""
        text, separators = remaining[0], len(remaining[0]) - len(remaining[0].lstrip(_BETWEEN))
        for skipped in range(separators + 1):  # a name may begin with what separates others, as −1 does
            found = _longest(text[skipped:], names)
            if found is not None:
                n, length = found
                rest = text[skipped + length :].lstrip(_BLANK)
                if not rest.strip(_BETWEEN):
                    return n, remaining[1:]
                return None if len(self._parts) > 1 else (n, (rest,))  # named apart, each part is one outcome
        return None


def _longest(text: str, names: Sequence[str]) -> tuple[int, int] | None:
    """Return the number and the length of the longest name with which a text begins, of equal ones the first."""
    fits = [(len(spelt), n) for n, name in enumerate(names) for spelt in _spellings(name) if text.startswith(spelt)]
    length, n = max(fits, key=lambda fit: (fit[0], -fit[1]), default=(0, 0))
    return (n, length) if length else None


def _spellings(name: str) -> tuple[str, ...]:
    head, colon, tail = name.rpartition(":")
    return (name, tail.strip()) if colon and head else (name,)


class ForcedDealTable:
    """The infoset table of a sampled run whose samples draw the outcomes of a forced deal; in all else another table.

    Its sources are asked in Python.
    """

    interpreted = True

    def __init__(self, table: InfosetTable, rules: Game, deal: ForcedDeal) -> None:
        self._table, self._rules, self._deal = table, rules, deal

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def source(self, old: Any, *, records: int = 0) -> Any:
        """Return a source that draws the forced outcomes."""
        inner = self._table.source(None if old is None else old.inner, records=records)
        return ForcedDealSource(inner, self._rules, self._deal)


class ForcedDealSource:
    """A source (:mod:`equilibrist.mccfr.source`) that passes questions on, but deals by itself."""

    def __init__(self, inner: Any, rules: Game, deal: ForcedDeal) -> None:
        self.inner = inner
        self._answers = SOURCES[type(inner)]
        self._rules, self._deal = rules, deal
        self._at: dict[int, tuple[Any, tuple[str, ...]]] = {}  # of each record: the state, and what is still to come
        self._next: tuple[int, tuple[str, ...]] | None = None  # of the history looked at last, if chance is to move

    def set_root(self, records: Any, k: int) -> None:
        """Begin the game."""
        self._answers["set_root"](self.inner, records, k)
        self._at[k] = self._rules.start(), self._deal.remaining

    def observe(self, records: Any, k: int, player: int) -> None:
        """Look at a history, and find out what chance is to deal there."""
        self._answers["observe"](self.inner, records, k, player)
        state, remaining = self._at[k]
        self._next = None
        if records[k].mover == CHANCE and remaining:
            self._next = forced_outcome(self._deal, remaining, self._rules, state)

    def chance_probability(self, records: Any, k: int, n: int) -> float:
        """Return 1 for the outcome that is to be dealt, else its probability."""
        if self._next is not None:
            return float(n == self._next[0])
        return float(self._answers["chance_probability"](self.inner, records, k, n))

    def step(self, records: Any, k: int, n: int, new: int) -> None:
        """Keep the state after a move."""
        self._answers["step"](self.inner, records, k, n, new)
        state, remaining = self._at[k]
        after = self._rules.next(state, self._rules.actions(state)[n])
        self._at[new] = after, remaining if self._next is None else self._next[1]

    def child(self, records: Any, k: int, n: int) -> int:
        """Pass the question on."""
        return int(self._answers["child"](self.inner, records, k, n))

    def is_public_chance(self, records: Any, k: int) -> bool:
        """Pass the question on."""
        return bool(self._answers["is_public_chance"](self.inner, records, k))

    def public_outcome(self, records: Any, k: int, u: float, traversal: int) -> Any:
        """Pass the question on."""
        return self._answers["public_outcome"](self.inner, records, k, u, traversal)

    def insert_infoset(self, records: Any, k: int) -> int:
        """Pass the question on."""
        return int(self._answers["insert_infoset"](self.inner, records, k))

    def new_infosets(self, records: Any, slots: Any, end: int) -> int:
        """Pass the question on."""
        return int(self._answers["new_infosets"](self.inner, records, slots, end))


SOURCES[ForcedDealSource] = vars(ForcedDealSource)


def forced_outcome(
    deal: ForcedDeal, remaining: tuple[str, ...], rules: Game, state: Any
) -> tuple[int, tuple[str, ...]]:
    """Return the outcome that a deal wants where chance is to move, and what remains of the deal.

    Raises
    ------
    GameError
        Chance has no such outcome there.
    """
    names = [action_label(rules, state, action) for action in rules.actions(state)]
    possible = [name if p > 0 else "" for name, p in zip(names, rules.probabilities(state), strict=True)]
    found = deal.take(remaining, possible)
    if found is None:
        outcomes = ", ".join(repr(name) for name in possible if name)
        raise GameError(
            f"The deal {brief(deal.text)!r} does not fit {game_name(rules)}: at {brief(' '.join(remaining))!r} chance "
            f"deals one of {outcomes}. Name outcomes in the order in which they are dealt.",
            wrong_use=True,
        )
    return found


def brief(text: str) -> str:
    """Return a deal as errors show it."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class HistoryCount(NamedTuple):
    """How many histories there are, and what of the deal no play has used; both as far as they were looked at."""

    histories: int
    unused: tuple[str, ...]


def count_histories(rules: Game, deal: ForcedDeal | None, most: int) -> HistoryCount:
    """Go through the histories of a deal, at most ``most`` and one more of them.

    Raises
    ------
    GameError
        The deal does not fit the game, or the rules make no sense.
    """
    moves_back: Any = ()  # the moves to where we are, the last first

    def path_text(_: int) -> str:
        moves, here = [], moves_back
        while here:
            move, here = here
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
