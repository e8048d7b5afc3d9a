"""Forced deals, outcomes of chance that the user names, and games in which chance deals them: a tree, or rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...errors import GameError
from ...form.sequence.form import SequenceForm
from ...form.sequence.tree import ROOT
from ...game.checked import CheckedGame
from ...game.protocol import CHANCE, TERMINAL, Game, action_label, game_name

_BLANK = " ,;"
_BETWEEN = _BLANK + "/|-"  # may stand between two outcomes
_SHOWN = 60  # characters of a deal in an error


class ForcedDeal:
    """Outcomes of chance, in the order in which they come up: all, or the first of them.

    Names stand one after the other (``"QK"``, ``"Qs Kh"``), or apart in a sequence. Where a name
    ends in a colon and something, as those of OpenSpiel do, that something is enough. A deal of no
    outcomes leaves chance free.
    """

    def __init__(self, outcomes: str | Sequence[str]) -> None:
        if not isinstance(outcomes, Sequence):
            raise GameError(
                f"A deal must be a text or a list of texts; got {outcomes!r}.", wrong_use=True
            )
        self._parts = (outcomes,) if isinstance(outcomes, str) else tuple(map(str, outcomes))
        self.text = " ".join(part.strip() for part in self._parts)
        self.remaining = tuple(part for part in self._parts if part.strip())
        """What is still to come at the start of the game, as :meth:`take` wants it."""

    def take(
        self, texts: tuple[str, ...], names: Sequence[str]
    ) -> tuple[int, tuple[str, ...]] | None:
        """Return the number of the outcome that comes next and what remains after it; None where none fits."""
        text = texts[0]
        separators = len(texts[0]) - len(texts[0].lstrip(_BETWEEN))
        for num_skipped in range(
            separators + 1
        ):  # a name may begin with what separates others, as −1 does
            text_ahead = text[num_skipped:]
            match = _longest_match(text_ahead, names) or _longest_match(
                text_ahead.casefold(), [name.casefold() for name in names]
            )
            if match is not None:
                n, length = match
                text_left = text[num_skipped + length :].lstrip(_BLANK)
                if not text_left.strip(_BETWEEN):
                    return n, texts[1:]
                # named apart, each part is one outcome
                if len(self._parts) > 1:
                    return None
                return (n, (text_left,))
        return None


class Deals:
    """The forced deal of each iteration: ``every``, that of all, or ``each``, those of iterations 1, 2, ….

    In a text, commas stand between those of ``each``.
    """

    def __init__(
        self,
        every: str | Sequence[str] | None = None,
        each: str | Sequence[str | Sequence[str]] | None = None,
    ) -> None:
        if every is not None and each is not None:
            raise GameError(
                "deal names the outcomes of all iterations, deals those of each; got both, "
                f"{every!r} and {each!r}.",
                wrong_use=True,
            )
        if each is not None and not isinstance(each, Sequence):
            raise GameError(
                f"deals must be a text or a list of deals; got {each!r}.", wrong_use=True
            )
        self._every = ForcedDeal("" if every is None else every)
        self._each = [
            ForcedDeal(deal_text)
            for deal_text in (each.split(",") if isinstance(each, str) else each or ())
        ]
        if each is not None and not all(
            deal_text.remaining for deal_text in self._each or [ForcedDeal("")]
        ):
            raise GameError(
                f"deals must name the deal of each iteration, as 'QK,QJ' does; got {each!r}.",
                wrong_use=True,
            )

    @property
    def last(self) -> int:
        """The last iteration for which there is a deal of its own; 0 where all have the same."""
        return len(self._each)

    def at(self, iteration: int) -> ForcedDeal:
        """Return the deal of an iteration, the first of which is 1."""
        if self._each:
            return self._each[iteration - 1]
        return self._every

    def different(self) -> list[ForcedDeal]:
        """Return the deals of all iterations that name outcomes."""
        return list(
            {deal.text: deal for deal in (*self._each, self._every) if deal.remaining}.values()
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """The deals as text: that of all iterations, or those of each."""
        return tuple(deal.text for deal in self._each) or tuple(
            deal.text for deal in self.different()
        )


def _longest_match(text: str, names: Sequence[str]) -> tuple[int, int] | None:
    """Return the number and the length of the longest name with which a text begins, of equal ones the first."""
    fits = [
        (len(spelling), n)
        for n, name in enumerate(names)
        for spelling in _spellings(name)
        if text.startswith(spelling)
    ]
    length, n = max(fits, key=lambda fit: (fit[0], -fit[1]), default=(0, 0))
    if length:
        return (n, length)
    return None


def _spellings(name: str) -> tuple[str, ...]:
    start, colon, tail = name.rpartition(":")
    if colon and start:
        return (name, tail.strip())
    return (name,)


def forced_outcome(
    deal: ForcedDeal, texts: tuple[str, ...], rules: Game, state: Any
) -> tuple[int, tuple[str, ...]]:
    """Return the outcome that a deal wants where chance is to move, and what remains of the deal."""
    names = [action_label(rules, state, action) for action in rules.actions(state)]
    possible_outcomes = [
        name if p > 0 else "" for name, p in zip(names, rules.probabilities(state), strict=True)
    ]
    outcome_and_texts = deal.take(texts, possible_outcomes)
    if outcome_and_texts is None:
        outcomes = ", ".join(repr(name) for name in possible_outcomes if name)
        raise GameError(
            f"The deal {brief(deal.text)!r} does not fit {game_name(rules)}: at "
            f"{brief(' '.join(texts))!r} chance "
            f"deals one of {outcomes}. Name outcomes in the order in which they are dealt.",
            wrong_use=True,
        )
    return outcome_and_texts


def brief(text: str) -> str:
    """Return a deal as errors show it."""
    if len(text) <= _SHOWN:
        return text
    return f"{text[:_SHOWN]}…"


class HistoryCount(NamedTuple):
    """How many histories there are, and what of the deal no play has used; both as far as they were looked at."""

    histories: int
    unused: tuple[str, ...]


def count_histories(rules: Game, deal: ForcedDeal, max_histories: int) -> HistoryCount:
    """Go through the histories of a deal, at most ``max_histories`` and one more of them."""
    moves_back: Any = ()  # the moves to where we are, the last first

    def describe_path(_: int) -> str:
        moves = []
        back = moves_back
        while back:
            move, back = back
            moves.append(move)
        return f"{moves[::-1]}"

    checked_rules = CheckedGame(rules, rules.players, describe_path)
    unused_texts = deal.remaining
    with checked_rules.rule_errors(0):
        stack = [(rules.start(), unused_texts, moves_back)]
    histories = 0
    while stack and histories <= max_histories:
        state, texts, moves_back = stack.pop()
        histories += 1
        with checked_rules.rule_errors(0):
            mover = checked_rules.mover(0, state)
            if mover == TERMINAL:
                unused_texts = min(
                    unused_texts, texts, key=lambda texts_left: len("".join(texts_left))
                )
                continue
            actions = checked_rules.actions(0, state)
            if texts and mover == CHANCE:
                checked_rules.probabilities(0, state, len(actions))
                n, texts = forced_outcome(deal, texts, rules, state)
                actions = actions[n : n + 1]
            stack += [
                (checked_rules.next(0, state, action), texts, (action, moves_back))
                for action in actions
            ]
    return HistoryCount(histories, unused_texts)


State = tuple[Any, tuple[str, ...]]
"""A state of the rules, and what of the deal is still to come."""


Force = Callable[[ForcedDeal], None]
"""Tells chance to deal from now on what a deal says, and what it does not name by the rules."""


def deal_form(form: Any, rules: Game) -> tuple[SequenceForm, Force]:
    """Return a compiled game whose tree has probabilities of its own, and what makes them those of a deal."""
    chance_probability = form.tree.probability
    tree = replace(form.tree, probability=chance_probability.copy())

    def force(deal: ForcedDeal) -> None:
        tree.probability[:] = chance_probability
        stack = [(ROOT, rules.start(), deal.remaining)]
        while stack:
            history, state, texts = stack.pop()
            if not texts or not tree.num_children[history]:
                continue
            first = int(tree.first_child[history])
            actions = rules.actions(state)
            numbers = range(int(tree.num_children[history]))
            if tree.player[history] == CHANCE:
                n, texts = forced_outcome(deal, texts, rules, state)
                tree.probability[first : first + len(numbers)] = 0.0
                tree.probability[first + n] = 1.0
                numbers = numbers[n : n + 1]
            stack += [(first + n, rules.next(state, actions[n]), texts) for n in numbers]

    return replace(form, tree=tree), force


class DealtGame:
    """Rules of a game whose chance can be told what to deal."""

    def __init__(self, rules: Game) -> None:
        self.players = rules.players
        self._rules = rules
        self._deal = ForcedDeal("")

    def __str__(self) -> str:
        return str(self._rules)

    def force(self, deal: ForcedDeal) -> None:
        """Deal from the next start on what a deal says, and what it does not name by the rules."""
        self._deal = deal

    def start(self) -> State:
        return self._rules.start(), self._deal.remaining

    def player(self, state: State) -> int:
        return self._rules.player(state[0])

    def actions(self, state: State) -> Sequence[Hashable]:
        return self._rules.actions(state[0])

    def probabilities(self, state: State) -> Sequence[float]:
        rules_state, texts = state
        if not texts:
            return self._rules.probabilities(rules_state)
        outcome, _ = forced_outcome(self._deal, texts, self._rules, rules_state)
        return [float(n == outcome) for n in range(len(self._rules.actions(rules_state)))]

    def next(self, state: State, action: Any) -> State:
        rules_state, texts = state
        if texts and self._rules.player(rules_state) == CHANCE:
            _, texts = forced_outcome(self._deal, texts, self._rules, rules_state)
        return self._rules.next(rules_state, action), texts

    def payoffs(self, state: State) -> Sequence[float]:
        return self._rules.payoffs(state[0])

    def infoset(self, state: State) -> Hashable:
        return self._rules.infoset(state[0])

    def action_label(self, state: State, action: Hashable) -> str:
        return action_label(self._rules, state[0], action)
