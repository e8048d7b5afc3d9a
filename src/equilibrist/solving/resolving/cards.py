"""Parts of card games: what follows on a line and a board, with the ranges that a solution brings there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..._util.arrays import Floats
from ...errors import GameError, SolutionError
from ...form.cards.build import compile_cards
from ...form.cards.form import CardForm
from ...form.cards.subgame import Step, ranges_at
from ...game.card_game import Pair, ShowdownPayoffs
from ...game.card_places import by_street, line_tokens, public_cards
from ...game.card_subgame import CardSubgame
from ...game.deal import Deal
from ...game.locks import AnyLock, Lock, as_lock, lock_board, lock_where, locks_of
from ...game.protocol import CHANCE, TERMINAL
from ..solution import Solution


class Resolved(CardSubgame):
    """The part of a card game that follows on a line and a board, with the ranges that a strategy brings there.

    Payoffs are what is received in the end less what is put in from here on, where the game says what was paid before.
    ``state`` is the betting state at the start, ``board`` all cards that are public there; ``ranges`` are weight × own
    reach of each hand of the game, and the lines of ``locks`` begin there.
    """

    def __init__(
        self,
        game: Any,
        state: Any,
        board: Sequence[int],
        ranges: tuple[Floats, Floats],
        locks: Sequence[Lock] = (),
    ) -> None:
        super().__init__(game, state, board)
        self._deal = Deal(game.deal.hands, ranges, cards=game.deal.cards)
        self._paid: Pair = game.paid(state) if hasattr(game, "paid") else (0.0, 0.0)
        self.locks = tuple(locks)
        self.symmetries = game.symmetries  # the compiler drops those under which board or ranges are others
        has_pot = hasattr(game, "pot") and hasattr(game, "paid")
        self.pot: float | None = game.pot + sum(self._paid) if has_pot else None

    def __str__(self) -> str:
        return f"part of {self.game}"

    @property
    def deal(self) -> Deal:
        return self._deal

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs:
        payoff = self.game.payoff(state)
        paid_0, paid_1 = self._paid
        if isinstance(payoff, ShowdownPayoffs):
            return ShowdownPayoffs(*((pair[0] + paid_0, pair[1] + paid_1) for pair in payoff))
        return payoff[0] + paid_0, payoff[1] + paid_1


def part_of(
    solution: Solution, line: str = "", board: str | Sequence[int] = (), *, locks: Iterable[AnyLock] | None = None
) -> tuple[Any, str]:
    """Return the game that :func:`equilibrist.resolve` solves, with the ranges that a solution brings there; and where it begins.

    Parameters and errors are those of :func:`equilibrist.resolve`.
    """
    slots = solution.strategy.slots
    if slots is None:
        raise SolutionError(
            f"{solution.game} was not solved in the card form, whose lines and boards are solved again; solve a card "
            "game with form='cards'.",
            wrong_use=True,
        )
    form = slots.form
    state, steps, streets = _follow(form, line)
    cards = public_cards(form.game, board, streets)
    first = next((node for node, _ in steps if node.street >= slots.streets), None)
    if first is not None:
        raise SolutionError(
            f"The strategy has the first {slots.streets} of the {form.num_streets} streets of {form.name}, and the "
            f"line {line!r} goes on after them: end it with {first.line.rpartition('|')[0].strip()!r}.",
            wrong_use=True,
        )
    ranges = ranges_at(form, slots.weights, steps, cards)
    held, make_part = _locks(form, line, cards, locks), getattr(form.game, "part", None)
    shown = "".join(form.game.cards[card] for card in cards) or "no cards"
    where = f"after {line.strip(' |') or 'the deal'} on {shown}{f', {len(held)} locked' if held else ''}"
    try:
        if make_part is not None:
            return make_part(line, cards, ranges, held), where
        return Resolved(form.game, state, cards, ranges, held), where
    except GameError:
        raise SolutionError(
            f"No two hands get to {line!r} on this board under the strategy of {form.name}; give another line.",
            wrong_use=True,
        ) from None


def _locks(form: CardForm, line: str, cards: tuple[int, ...], wanted: Iterable[AnyLock] | None) -> list[Lock]:
    """Return the locks of a part, by the lines from there on: those given, or those of the game that hold there."""
    game, before, shown = form.game, line_tokens(line), by_street(form.game, cards)
    read = getattr(game, "read_locks", lambda locks: map(as_lock, locks))
    held = []
    for lock in locks_of(game) if wanted is None else read(wanted):
        tokens, begins = line_tokens(lock.line), lock_board(game, lock)
        on_line = tokens[: len(before)] == before
        if on_line and begins[: len(shown)] == shown[: len(begins)]:
            later = [card for street in begins for card in sorted(street)]
            below = "-".join(tokens[len(before) :]) if before else lock.line
            held.append(lock._replace(line=below, board=later if len(begins) > len(shown) else None))
        elif wanted is not None:
            what = "line" if not on_line else "board"
            raise GameError(f"{lock_where(lock)} its {what} is not in the part that is solved again.", wrong_use=True)
    return held


def _follow(form: CardForm, line: str) -> tuple[Any, list[Step], int]:
    """Return the betting state after a line, the decisions and actions on the way, and the streets dealt."""
    game, nodes = form.game, {node.line: node for node in form.betting.nodes}
    tokens = line_tokens(line)
    state, steps, streets, so_far = game.start(), [], 0, ""
    for token in [*tokens, None]:
        while game.player(state) == CHANCE:
            state, streets, so_far = game.next(state, None), streets + 1, f"{so_far} |"
        if game.player(state) == TERMINAL:
            raise GameError(f"line: the hand is over after {so_far.strip(' |')!r}; got {line!r}.", wrong_use=True)
        if token is not None:
            node = nodes[so_far]
            names = [name.upper() for name in node.actions]
            if token not in names:
                there = f"after {so_far.strip(' |') or 'the deal'} there are {', '.join(node.actions)}"
                raise GameError(f"line: {there}; got {token!r} in {line!r}.", wrong_use=True)
            number = names.index(token)
            steps.append(Step(node, number))
            state = game.next(state, game.actions(state)[number])
            joint = "" if not so_far else " " if so_far.endswith("|") else "-"
            so_far = f"{so_far}{joint}{node.actions[number]}"
    return state, steps, streets
