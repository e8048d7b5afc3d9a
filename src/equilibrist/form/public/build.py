"""Compile the rules of a public game: find its public states, checking all of them on the way."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..._util.arrays import Floats
from ..._util.callbacks import AnyCallbacks, find_listeners
from ...errors import GameError, GameTooLargeError
from ...game.checked import CheckedGame
from ...game.plays import check_repeatable
from ...game.protocol import CHANCE, TERMINAL, game_name
from ...game.public import PublicGame, is_public_game
from ...game.unfold import to_extensive_form
from ..limits import (
    CompileBudget,
    Limits,
    Meter,
    compile_budget,
    within_memory,
)
from .answers import PublicAnswers
from .form import PublicForm
from .states import Deal, Outcome, PublicState, PublicStates
from .tree import END, NATURE

_BYTES_PER_STATE = 1_000  # besides matrices
# with a number for each pair of hands, while they are checked and kept
_MATRICES_OF_DEAL = 6
_MATRICES_OF_OUTCOME = 6
_NAMES_CHECKED = 20_000
_LOOK_AT = 16  # public states, for a first look at the memory
_MOVES_SHOWN = 20  # in an error message


def compile_public(
    game: PublicGame,
    *,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    check_names: bool = True,
) -> PublicForm:
    """Return the public form of a game, having checked all of it on the way.

    Parameters
    ----------
    game : PublicGame
        The rules.
    limits : Limits, optional
        Where to give up: ``histories`` are how many different public states there may be, by
        default as many as there is memory for.
    callbacks : Callbacks, callable or several, optional
        ``on_histories`` (or a callable) is called now and then with the number of histories found so
        far.
    check_names : bool
        Whether to see that no two infosets have the same name, as far as the first 20,000 of them,
        and that rules of your own leave states as they are.

    Raises
    ------
    GameError
        The game is not well formed, or exceeds a limit.
    """
    if not is_public_game(game):
        raise GameError(
            "A public game is needed here (see equilibrist.PublicGame), as "
            f"eq.load('kuhn').public_states() is one; got {game!r}.",
            wrong_use=True,
        )
    listeners = find_listeners(callbacks, "compile_public", ("on_histories",))
    budget = compile_budget(limits, "compile_public")._replace(progress=listeners["on_histories"])
    return compile_public_within(game, budget, check_names=check_names)


def compile_public_within(
    game: PublicGame, limits: CompileBudget, *, check_names: bool
) -> PublicForm:
    """Return the public form of a game, as :func:`compile_public` does."""
    with within_memory(game_name(game)):
        compiler = _Compiler(game, limits)
        form = compiler.run()
        if check_names:
            compiler.check_names(form)
            check_repeatable(to_extensive_form(game))
    return form


class _Open:
    """A public state whose moves are being followed."""

    def __init__(
        self,
        key: tuple[Hashable, Deal],
        mover: int,
        actions: Sequence[Hashable],
        labels: tuple[str, ...],
    ):
        self.key = key
        self.mover = mover
        self.actions = actions
        self.labels = labels
        self.outcomes: list[Outcome] = []
        self.children: list[int] = []


class _Compiler:
    """Finds the public states of a game, depth first; one is numbered when all below it are."""

    states: PublicStates

    def __init__(self, game: PublicGame, limits: CompileBudget) -> None:
        self.game = game
        self.path: list[_Open] = []
        self.ask = CheckedGame(game, 2, lambda _: self._location())
        self.answers = PublicAnswers(game, self.ask)
        self.name = game_name(game)
        self.limits = limits
        self.meter = Meter(limits, self.name, things="public states")
        self.look_at = _LOOK_AT
        self.number: dict[tuple[Hashable, Deal], int] = {}
        self.largest_payoff = 0.0

    def run(self) -> PublicForm:
        with self.ask.rule_errors(0):
            hands = self.answers.hands()
            self.meter.check(
                _MATRICES_OF_DEAL * self.answers.matrix_nbytes,
                f"{_pairs_text(self.answers.shape)} take",
            )
            prior = self.answers.prior()
            self.states = PublicStates(self.answers.shape, self.answers.deal_histories(prior))
            begin = (self.answers.state(self.game.start()), Deal(self.states.deal(prior), 1.0))
        self._visit(begin)
        while self.path:
            top = self.path[-1]
            if len(top.children) == len(top.actions):
                self.path.pop()
                mover = NATURE if top.mover == CHANCE else top.mover
                matrix = top.key[1].matrix
                done = PublicState(
                    mover, matrix, tuple(top.children), top.labels, tuple(top.outcomes)
                )
                self._add_state(top.key, done)
                continue
            with self.ask.rule_errors(0):
                state, deal = top.key
                move = len(top.children)
                after = self.answers.state(self.ask.next(0, state, top.actions[move]))
                key = (after, top.outcomes[move].deal if top.mover == CHANCE else deal)
            number = self.number.get(key)
            if number is None:
                self._visit(key)
            else:
                top.children.append(number)
        return self.states.form(self.game, self.name, hands, self.largest_payoff)

    def _location(self) -> str:
        moves = [
            top.labels[len(top.children)]
            for top in self.path
            if len(top.children) < len(top.labels)
        ]
        if len(moves) > _MOVES_SHOWN:
            moves[_MOVES_SHOWN // 2 : -_MOVES_SHOWN // 2] = [
                f"… {len(moves) - _MOVES_SHOWN:,} more moves …"
            ]
        if moves:
            return f"the public moves {' '.join(moves)}"
        return "the deal"

    def check_names(self, form: PublicForm) -> None:
        """Refuse two infosets of a player with the same name."""
        seen = set()
        with self.ask.rule_errors(0):
            for index in range(min(form.num_infosets, _NAMES_CHECKED)):
                player, key, _ = form.names.infoset(index)
                self.answers.check_text(key)
                if (player, key) in seen:
                    raise GameError(
                        f"{self.name}: two infosets of player {player} have the same name: "
                        f"{key!r}. Let infoset(hand, moves) tell all hands and moves apart."
                    )
                seen.add((player, key))

    def _visit(self, key: tuple[Hashable, Deal]) -> None:
        if len(self.path) >= self.limits.max_depth:
            raise self.limits.too_deep(self.name, self._location())
        state, deal = key
        with self.ask.rule_errors(0):
            mover = self.ask.mover(0, state)
            if mover == TERMINAL:
                self._add_end(key)
                return
            actions = self.ask.actions(0, state)
            labels = self.ask.labels(0, state, actions, "")
            top = _Open(key, mover, actions, labels)
            if mover == CHANCE:
                top.outcomes = self._list_outcomes(deal, state, len(actions))
        self.path.append(top)

    def _list_outcomes(self, deal: Deal, state: Any, count: int) -> list[Outcome]:
        """Return the outcomes of public chance: how probable each of them is, and makes each pair of hands."""
        needed = self.states.nbytes + _MATRICES_OF_OUTCOME * count * self.answers.matrix_nbytes
        self.meter.check(
            needed, f"{count:,} outcomes of chance for {_pairs_text(self.answers.shape)} take"
        )
        before = self.states.deals[deal.matrix]
        outcomes = []
        for share, matrix in self.answers.outcomes(state, count, before):
            if np.ndim(share) == 0 and share != 0:  # what is impossible for all is nobody's
                after = Deal(deal.matrix, deal.share * float(matrix[0, 0]))
            else:
                after = Deal(self.states.deal(before * matrix), deal.share)
            outcomes.append(
                Outcome(
                    after,
                    *self._number_chance(share, matrix),
                    mean=_mean_in_order(matrix[before > 0]),
                )
            )
        return outcomes

    def _number_chance(self, share: Any, matrix: Floats) -> tuple[float, int]:
        """Return a probability as a number, and the number of the matrix that it is multiplied with."""
        is_number = np.ndim(share) == 0
        number = self.states.chance(np.ones(self.answers.shape) if is_number else matrix)
        return float(matrix[0, 0]) if is_number else 1.0, number

    def _add_end(self, key: tuple[Hashable, Deal]) -> None:
        state, deal = key
        payoff = self.answers.payoff(state)
        self.largest_payoff = max(self.largest_payoff, payoff.largest)
        number = self.states.payoff(deal.matrix, payoff.content, payoff.payoff)
        end = PublicState(
            END,
            deal.matrix,
            terminal=number,
            scale=payoff.scale * deal.share,
            amounts=payoff.amounts,
        )
        self._add_state(key, end)
        # Nobody moves; walks begin with a move, here one of chance that has one outcome.
        if not self.path:
            outcome = Outcome(deal, *self._number_chance(1.0, np.ones((1, 1))), mean=1.0)
            self.states.states.append(PublicState(NATURE, deal.matrix, (0,), ("",), (outcome,)))

    def _add_state(self, key: tuple[Hashable, Deal], public_state: PublicState) -> None:
        number = self.number[key] = len(self.states.states)
        self.states.states.append(public_state)
        if self.path:
            self.path[-1].children.append(number)
        most_states = self.limits.max_histories
        count = len(self.number)
        if most_states is not None and count > most_states:
            raise GameTooLargeError(
                f"{self.name}: more than {most_states:,} different public states. Raise Limits(histories=) "
                "(--max-histories) if there is memory for more, or let states hold less."
            )
        if count >= self.look_at:
            self.look_at = self.meter.look(count, _BYTES_PER_STATE + self.states.nbytes / count)


def _pairs_text(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,} × {shape[1]:,} pairs of hands"


def _mean_in_order(numbers: Floats) -> float:
    """Return the mean of numbers, summed up in their order as a tree does; 0 where there are none."""
    if len(numbers):
        return float(numbers.cumsum()[-1] / len(numbers))
    return 0.0
