"""Parts of card games: what follows on a line and a board, with the ranges that a solution brings there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..errors import GameError, SolutionError
from ..form.cards.build import compile_cards
from ..form.cards.form import CardForm
from ..form.cards.leaves import Above
from ..form.cards.passes import street_values
from ..form.cards.ranged_subgame import RangedSubgame, compile_part, follow_line
from ..form.cards.subgame import (
    SharedSlots,
    Step,
    find_board,
    hands_at,
    part_weights_of,
    ranges_at,
    shared_slots,
)
from ..form.cards.walker import CardWalker
from ..form.gadget import Boundary, Gadget
from ..game.card_places import line_tokens, public_cards, split_by_street
from ..game.locks import AnyLock, Lock, as_lock, find_locks, lock_board, lock_place
from ..game.protocol import CHANCE, action_label, game_name
from ..solving.resolved_part import PartRules
from ..solving.solution import Solution
from ..strategy.strategy import Strategy
from .added_actions import adds_actions
from .depth import DepthLimit


def make_part(
    run: Solution | Strategy,
    line: str = "",
    board: str | Sequence[int] = (),
    *,
    locks: Iterable[AnyLock] | None = None,
) -> tuple[Any, str]:
    """Return the game that :func:`equilibrist.resolve` solves, with the ranges that a strategy brings there, and where.

    Parameters and errors are those of :func:`equilibrist.resolve`.
    """
    place = _find_place(run, line, board, locks)
    game = place.form.game
    make_own_part = getattr(game, "part", None)
    with _explain_empty_part(place):
        if make_own_part is not None:
            part = make_own_part(line, place.cards, place.ranges, place.locks)
        else:
            part = RangedSubgame(game, place.state, place.cards, place.ranges, place.locks)
    return part, place.description


class _Place(NamedTuple):
    """Where a part begins in a card form, and what both players bring there.

    Attributes
    ----------
    form : CardForm
        The form of the strategy.
    weights : array, shape (slots,)
        Those of the strategy, at the slots of the form.
    line : str
        The line that was asked for.
    so_far : str
        The line as nodes have it.
    state : object
        Betting state after the line.
    steps : list of Step
        Decisions on the line, each with the action that was taken.
    streets : int
        How many were dealt.
    cards : tuple of int
        Public cards.
    ranges : pair of float array, each of shape (hands of the game,)
        Weight × own reach.
    locks : list of Lock
        Locks of the part, by the lines from there on.
    """

    form: CardForm
    weights: NDArray[Any]
    line: str
    so_far: str
    state: Any
    steps: list[Step]
    streets: int
    cards: tuple[int, ...]
    ranges: tuple[Floats, Floats]
    locks: list[Lock]

    @property
    def description(self) -> str:
        """Where the part begins, in words: after X-B50 on Td9d6hQc."""
        cards_text = "".join(self.form.game.cards[card] for card in self.cards) or "no cards"
        locked_text = f", {len(self.locks)} locked" if self.locks else ""
        return f"after {self.line.strip(' |') or 'the deal'} on {cards_text}{locked_text}"

    @property
    def line_prefix(self) -> str:
        """What lines of the form have before those of the part."""
        return self.so_far and self.so_far + (" " if self.so_far.endswith("|") else "-")


def _find_place(
    run: Solution | Strategy, line: str, board: str | Sequence[int], locks: Iterable[AnyLock] | None
) -> _Place:
    """Return where a part begins; refuse a strategy that has not all that leads there."""
    strategy = run.strategy if isinstance(run, Solution) else run
    slots = strategy.slots
    if slots is None:
        name = run.game if isinstance(run, Solution) else "The strategy"
        raise SolutionError(
            f"{name} was not solved in the card form, whose lines and boards are solved again; "
            "solve a card game with form='cards'.",
            wrong_use=True,
        )
    form = slots.form
    state, steps, streets, so_far = follow_line(form, line)
    cards = public_cards(form.game, board, streets)
    node_beyond = next((node for node, _ in steps if node.street >= slots.streets), None)
    if node_beyond is not None:
        raise SolutionError(
            f"The strategy has the first {slots.streets} of the {form.num_streets} streets of "
            f"{form.name}, and the line {line!r} goes on after them: end it with "
            f"{node_beyond.line.rpartition('|')[0].strip()!r}.",
            wrong_use=True,
        )
    ranges = ranges_at(form, slots.weights, steps, cards)
    part_locks = _part_locks(form, line, cards, locks)
    return _Place(
        form, slots.weights, line, so_far, state, steps, streets, cards, ranges, part_locks
    )


@contextmanager
def _explain_empty_part(place: _Place) -> Iterator[None]:
    """Say in one sentence that nobody comes to a part."""
    try:
        yield
    except GameError:
        raise SolutionError(
            f"No two hands get to {place.line!r} on this board under the strategy of "
            f"{place.form.name}; give another line.",
            wrong_use=True,
        ) from None


class CardPart:
    """A part of a card game in which a player is solved again, with all hands that the opponent can hold there."""

    def __init__(
        self,
        run: Solution | Strategy,
        line: str,
        board: str | Sequence[int],
        locks: Iterable[AnyLock] | None,
        player: int,
        finer: Any = None,
        limit: DepthLimit | None = None,
        locks_of_part: Sequence[Lock] | None = None,
    ) -> None:
        place = _find_place(run, line, board, locks)
        if locks_of_part is not None:  # locks by the lines of the part
            place = place._replace(locks=list(locks_of_part))
        self._place = place
        form = place.form
        if len(place.weights) < form.length:
            raise SolutionError(
                f"The strategy has not all streets of {form.name}, and a player is solved again "
                "against the values of a whole one: leave player out, or save all streets.",
                wrong_use=True,
            )
        self.opponent = opponent = 1 - player
        prior = np.where(
            form.blockers.blocked(opponent, place.cards), 0.0, form.game.deal.weights[opponent]
        )
        if opponent == 0:
            self._ranges = (prior, place.ranges[1])
        else:
            self._ranges = (place.ranges[0], prior)
        self.form = self.coarse = self._compile(form.game, place.state)
        if finer is not None:
            self.form = self._compile(finer, _find_state(finer, place.so_far))
        self.weights = part_weights_of(
            self.coarse, form, place.weights, place.line_prefix, place.streets
        )
        self.description = place.description
        self.cards = place.cards
        self._player = player
        mass = prior * self.form.mass_of_others(self._ranges, opponent, place.cards)
        self._total = float(mass.sum())
        self._reach = np.divide(
            place.ranges[opponent], prior, out=np.zeros(len(prior)), where=prior > 0
        )
        self._weight = mass / self._total
        self.scale = (
            self._total
            / _deal_weight(form)
            * float(np.prod(_street_chances(form)[: place.streets]))
        )
        """The probability of chance and the player to come to the part: its values × this are those of the whole."""
        cut_form = None
        if limit is not None:
            first, second = form.game.deal.weights
            above = Above((first, second), self.scale / self._total, place.line_prefix)
            cut_form = limit.cut_cards(self.coarse, self.weights, opponent, above)
        self.is_cut = cut_form is not None
        self.form = cut_form or self.form

    def _compile(self, game: Any, state: Any) -> CardForm:
        """Return the form of what follows on a betting state, with the ranges of the part."""
        place = self._place
        with _explain_empty_part(place):
            part = RangedSubgame(game, state, place.cards, self._ranges, place.locks)
        return compile_part(part)

    def rules(self, gadget: Gadget) -> PartRules:
        """Return what the part is made of again, with what the opponent decides above it."""
        part: Any = self.form.game
        return PartRules(
            game_name(part.game), self._ranges, tuple(self._place.locks), self.opponent, gadget
        )

    @property
    def shift(self) -> float:
        """Half of a constant sum of payoffs, which values leave out."""
        return float(self.form.arrays.betting.shift[self.opponent])

    @property
    def hands(self) -> tuple[str, ...]:
        """The opponent's hands by their cards."""
        game = self.form.game
        return tuple(
            "".join(game.cards[card] for card in hand) for hand in game.deal.hands[self.opponent]
        )

    def values(self, form: CardForm, weights: NDArray[Any]) -> Floats:
        """Return the best-response value of each hand of the opponent to a strategy of the part, by probabilities of a
        play that comes there, less half of a constant sum of payoffs; shape (hands,).

        ``form`` is that of the part, or of the coarse one where that is another.
        """
        hands = form.hands_on(0, 0, self.opponent)
        first_weight = int(form.arrays.first_weight[self.opponent])
        rows = street_values(CardWalker(form.conditional), weights)[self.opponent][1]
        values = np.zeros(len(self._weight))
        values[hands] = form.arrays.own_weights[first_weight : first_weight + len(hands)] * rows[0]
        return values

    def continue_below(self, weights: NDArray[Any]) -> Strategy:
        """Return a strategy of a part that is cut, with what is below as it was."""
        shared = shared_slots(self.form, self.coarse, "", 0, (self._player,))
        return Strategy.from_weights(self.coarse, _overlay_part(self.weights, weights, shared))

    def boundary(self, *, gifts: bool) -> Boundary:
        """Return what the opponent's hands bring, by probabilities of a play that comes to the part."""
        gift = self._gifts() if gifts else np.zeros(len(self._weight))
        return Boundary(self._reach, self._weight, self.values(self.coarse, self.weights), gift)

    def _gifts(self) -> Floats:
        """Return what each hand of the opponent gave away on the way to the part, shape (hands,); payoff of a play
        that comes there.
        """
        place = self._place
        form = self._place.form
        gift = np.zeros(len(self._weight))
        best_value = form.best_responses(place.weights).best_value
        reach = form.cf_reach_at_slots(place.weights)
        for node, action in place.steps:
            if node.player == self.opponent:
                num_shown = len(form.game.board) + sum(form.game.streets[: node.street])
                board = find_board(form, place.cards[:num_shown])
                slots = form.slots_of(node, board.board)
                hands = hands_at(form, board, self.opponent)
                loss = best_value[slots].max(axis=0) - best_value[slots[action]]
                weight = reach[slots[action]]
                gift[hands] += np.divide(loss, weight, out=np.zeros(len(hands)), where=weight > 0)
        return gift


def range_at(strategy: Strategy, line: str, board: str | Sequence[int], player: int) -> Floats:
    """Return weight × own reach of a player's hands where a part of a card form begins, shape (hands,)."""
    return _find_place(strategy, line, board, []).ranges[player]


def _deal_weight(form: CardForm) -> float:
    """Return the weight of all pairs of hands that are dealt: those that the board at the start leaves."""
    game = form.game
    first, second = (
        np.where(form.blockers.blocked(player, game.board), 0.0, game.deal.weights[player])
        for player in range(2)
    )
    return float((first * form.mass_of_others((first, second), 0, game.board)).sum())


def _street_chances(form: CardForm) -> list[float]:
    """Return the probability of the cards that each street after the first shows, for hands that leave them."""
    num_cards = form.game.deal.cards - len(form.game.board) - form.game.deal.cards_held
    chances = []
    for num_shown in form.game.streets:
        chances.append(1.0 / math.comb(num_cards, num_shown))
        num_cards -= num_shown
    return chances


def splice_cards(
    strategy: Strategy, part: Strategy, line: str, players: Iterable[int], *, is_finer: bool = False
) -> Strategy:
    """Return a strategy of a card form with that of a part in its place, for some players.

    With ``is_finer`` the part is one of a finer game, and so is the strategy then.
    """
    slots = strategy.slots
    part_slots = part.slots
    if slots is None or part_slots is None:
        raise SolutionError(
            "A part of a card form is spliced into a strategy of that form; this is another.",
            wrong_use=True,
        )
    form = slots.form
    weights = slots.weights
    if is_finer:
        form, weights = _lift(form, weights, cast("RangedSubgame", part_slots.form.game).game)
    _, _, streets, so_far = follow_line(form, line)
    # Hands that differ by suits alone need not play alike any more.
    if form.merged and streets < form.num_streets - 1:
        unmerged_form = form.unmerged()
        form, weights = unmerged_form, part_weights_of(unmerged_form, form, weights)
    line_before = so_far and so_far + (" " if so_far.endswith("|") else "-")
    try:
        shared = list(shared_slots(part_slots.form, form, line_before, streets, players))
    except KeyError as error:
        raise SolutionError(
            f"{form.name} has not the lines and boards of {part_slots.form.name}: give the strategy "
            "that the part was solved with.",
            wrong_use=True,
        ) from error
    return Strategy.from_weights(form, _overlay_part(weights, part_slots.weights, shared))


def _lift(form: CardForm, weights: NDArray[Any], game: Any) -> tuple[CardForm, NDArray[Any]]:
    """Return a strategy of a card form as one of a finer game: added actions are not played, and what follows on them
    is uniform. One of the finer game stays as it is.
    """
    if not adds_actions(form.game, game):
        return form, weights
    finer = compile_cards(game)
    return finer, _overlay_part(
        np.zeros(finer.length, weights.dtype), weights, shared_slots(form, finer, "", 0)
    )


def _overlay_part(
    weights: NDArray[Any], part: NDArray[Any], shared: Iterable[SharedSlots]
) -> NDArray[Any]:
    """Return the weights of a strategy with the shares of a part, which does not play actions that it has not."""
    weights = weights.astype(np.promote_types(weights.dtype, np.float32))
    for node in shared:
        part_weights = part[node.part].astype(np.float64)
        total = part_weights.sum(axis=0)
        weights[node.whole] = np.divide(
            part_weights,
            total,
            out=np.full(part_weights.shape, 1.0 / len(part_weights)),
            where=total > 0,
        )
        weights[node.added] = 0
    return weights


def _find_state(game: Any, line: str) -> Any:
    """Return the betting state of a card game after a line as nodes have it."""
    state = game.start()
    for street in line.split("|"):
        for name in filter(None, street.strip().split("-")):
            state = game.next(
                state,
                next(
                    action
                    for action in game.actions(state)
                    if action_label(game, state, action) == name
                ),
            )
        while game.player(state) == CHANCE:
            state = game.next(state, None)
    return state


def _part_locks(
    form: CardForm, line: str, cards: tuple[int, ...], user_locks: Iterable[AnyLock] | None
) -> list[Lock]:
    """Return the locks of a part, by the lines from there on: those given, or those of the game that hold there."""
    game = form.game
    line_tokens_of_part = line_tokens(line)
    board = split_by_street(form.game, cards)
    read_locks = getattr(game, "read_locks", lambda locks: map(as_lock, locks))
    locks = []
    for lock in find_locks(game) if user_locks is None else read_locks(user_locks):
        tokens = line_tokens(lock.line)
        lock_cards = lock_board(game, lock)
        on_line = tokens[: len(line_tokens_of_part)] == line_tokens_of_part
        if on_line and lock_cards[: len(board)] == board[: len(lock_cards)]:
            cards_below = [card for street in lock_cards for card in sorted(street)]
            if line_tokens_of_part:
                line_below = "-".join(tokens[len(line_tokens_of_part) :])
            else:
                line_below = lock.line
            locks.append(
                lock._replace(
                    line=line_below, board=cards_below if len(lock_cards) > len(board) else None
                )
            )
        elif user_locks is not None:
            kind = "line" if not on_line else "board"
            raise GameError(
                f"{lock_place(lock)} its {kind} is not in the part that is solved again.",
                wrong_use=True,
            )
    return locks
