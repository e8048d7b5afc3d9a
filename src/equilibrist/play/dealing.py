"""Hands that are played by the rules, one choice after the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..errors import GameError
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, action_label
from .hand import Move, Table
from .playable import PlayableGame

Draw = Callable[[Sequence[float]], int]
"""Given probabilities, decides which happens."""

Decide = Callable[[int, str, tuple[str, ...]], Move | None]
"""Given player, infoset and names of the actions, returns what the player does; None if that is a free choice."""


class HandInPlay:
    """A hand that is being played: it goes on by itself to the next free choice, ``choice``, or to its ``payoffs``.

    ``decide`` says what players do who do not choose freely; a move with probabilities and a
    negative ``taken`` is drawn by ``draw``, as chance is. ``begin`` are the first moves, by number
    or by name, those of chance included; nobody is asked for them. With ``tables`` moves keep what
    the player saw on the table.
    """

    def __init__(
        self,
        playable: PlayableGame,
        decide: Decide,
        draw: Draw,
        *,
        begin: Sequence[int | str] = (),
        tables: bool = False,
    ) -> None:
        self._playable = playable
        self._decide = decide
        self._draw = draw
        self._begin = begin
        self._tables = tables
        self._ask = CheckedGame(
            playable.rules, playable.players, lambda _: f"{[move.action for move in self.moves]}"
        )
        self._state = playable.rules.start()
        self._actions: tuple[Any, ...] = ()
        self.moves: list[Move] = []
        self.choice: Move | None = None
        self.payoffs: tuple[float, ...] = ()
        self._play_on()

    def take(self, move: Move) -> None:
        self.choice = None
        self._make(move)
        self._play_on()

    def _play_on(self) -> None:
        while not self.payoffs:
            move = self._next_move()
            if move is None:
                return
            if len(self.moves) < len(self._begin):
                forced = self._begin[len(self.moves)]
                self._make(
                    move._replace(
                        taken=forced if isinstance(forced, int) else move.actions.index(forced)
                    )
                )
                continue
            decided = (
                move
                if move.player == CHANCE
                else self._decide(move.player, move.infoset, move.actions)
            )
            if decided is None:
                self.choice = move
                return
            if decided.taken < 0 and decided.probabilities is not None:
                decided = decided._replace(taken=self._draw(decided.probabilities))
            self._make(decided._replace(table=move.table))

    def _next_move(self) -> Move | None:
        """Return the move that is to be made, with nothing taken yet; None at the end, with the payoffs kept."""
        ask = self._ask
        state = self._state
        limits = self._playable.limits
        with ask.rule_errors(0):
            who = ask.mover(0, state)
            if who == TERMINAL:
                self.payoffs = tuple(float(payoff) for payoff in ask.payoffs(0, state))
                return None
            actions = self._actions = ask.actions(0, state)
            if who == CHANCE:
                labels = tuple(
                    action_label(self._playable.rules, state, action) for action in actions
                )
                move = Move(
                    CHANCE, "", labels, -1, tuple(ask.probabilities(0, state, len(actions)))
                )
            else:
                key = str(self._playable.rules.infoset(state))
                move = Move(who, key, ask.labels(0, state, actions, key), -1)
        if len(self.moves) >= limits.max_depth:
            raise limits.too_deep(self._playable.name, ask.history(0))
        if self._tables and who != CHANCE:
            move = move._replace(table=visible_table(self._playable, state, who))
        return move

    def _make(self, move: Move) -> None:
        self.moves.append(move)
        with self._ask.rule_errors(0):
            self._state = self._ask.next(0, self._state, self._actions[move.taken])


def visible_table(playable: PlayableGame, state: Any, player: int) -> Table:
    """Return what the rules say that a player sees on the table; nothing where they have no word for it."""
    table = getattr(playable.rules, "table", None)
    if not callable(table):
        return ()
    try:
        return tuple((str(label), str(text)) for label, text in table(state, player))
    except Exception as error:
        raise GameError(
            f"{playable.name}: its table() failed with {type(error).__name__}: {error}."
        ) from error


def follow_strategy(
    strategy: Any, playable: PlayableGame, player: int, infoset: str, actions: tuple[str, ...]
) -> Move:
    """Return the move of somebody who follows a strategy, still to be drawn; uniform where it lacks the infoset."""
    played = strategy.probabilities_at((player, infoset), actions, playable.name)
    if played is None:
        probabilities = [1.0 / len(actions)] * len(actions)
    else:
        probabilities = played
    return Move(player, infoset, actions, -1, tuple(probabilities), unknown=played is None)


def make_draw(seed: int, hand: int) -> Draw:
    """Return what decides the moves of chance and of strategies in one hand."""
    return partial(draw_index, random.Random(f"{seed} {hand}"))


def draw_index(source: random.Random, weights: Sequence[float]) -> int:
    """Return the number of a weight, drawn in proportion to them."""
    return source.choices(range(len(weights)), weights)[0]
