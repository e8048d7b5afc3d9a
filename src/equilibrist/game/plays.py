"""Random plays of a game, to see that its rules give the same answers whenever they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from ..errors import GameError
from .protocol import CHANCE, TERMINAL, Game, action_label, game_name

_PLAYS = 24
_MAX_CALLS = 3_000  # of next(), after which no other play begins
_MOVES = 500  # of a play, at most
_SIBLINGS = 3  # moves that are tried besides the one that is made
_MOVES_SHOWN = 20


class Step(NamedTuple):
    """One history of a play: what the rules answer there, and the number of the action that is taken."""

    answers: tuple[Any, ...]
    number: int


def check_repeatable(game: Game, *, plays: int = _PLAYS, seed: int = 0) -> None:
    """Raise an error if some plays come out differently once ``next`` has been called for other moves as well.

    Each play is made once alone and once as a solver walks a game: from each state other moves are
    tried too before the play goes on. Rules that fail are left to whoever asks them next.
    """
    random = Random(seed)
    calls = 0
    difference = ""
    with suppress(Exception, SystemExit):
        for _ in range(plays):
            steps = random_play(game, random)
            difference = _find_difference(game, steps)
            calls += (2 + _SIBLINGS) * len(steps)
            if difference or calls > _MAX_CALLS:
                break
    if difference:
        raise GameError(
            f"{game_name(game)}: next() must return a new state and leave the one that it is "
            f"given as it was; {difference}. Copy lists and objects before they are changed, and "
            "draw nothing at random."
        )


def random_play(game: Game, random: Random, *, max_moves: int = _MOVES) -> list[Step]:
    """Return a play in which all actions and outcomes are equally likely, cut where it has too many moves."""
    state = game.start()
    steps = []
    for _ in range(max_moves):
        answers = _ask_rules(game, state)
        if answers[0] != TERMINAL:
            number = random.randrange(len(answers[1]))
        else:
            number = 0
        steps.append(Step(answers, number))
        if answers[0] == TERMINAL:
            break
        state = game.next(state, answers[1][number])
    return steps


def _ask_rules(game: Game, state: Any) -> tuple[Any, ...]:
    """Return what the rules say of a state, in a form that can be compared."""
    player = game.player(state)
    if player == TERMINAL:
        return player, tuple(repr(float(payoff)) for payoff in game.payoffs(state))
    answer = (
        tuple(map(float, game.probabilities(state))) if player == CHANCE else game.infoset(state)
    )
    return player, tuple(game.actions(state)), answer


def _find_difference(game: Game, steps: Sequence[Step]) -> str:
    """Return what differs when a play is made again with other moves tried on the way, or nothing."""
    state = game.start()
    for moves, step in enumerate(steps):
        answers = _ask_rules(game, state)
        if answers != step.answers:
            numbers = [earlier_step.number for earlier_step in steps[:moves]]
            return (
                f"after {name_moves(game, numbers)} the rules first say {_answer_text(step.answers)}, "
                "and when the play is "
                f"made again {_answer_text(answers)}"
            )
        if step.answers[0] == TERMINAL:
            break
        actions = answers[1]
        next_state = game.next(state, actions[step.number])
        for shift in range(1, min(len(actions), _SIBLINGS + 1)):
            game.next(state, actions[(step.number + shift) % len(actions)])
        state = next_state
    return ""


def _answer_text(answers: tuple[Any, ...]) -> str:
    """Return answers in words, the one that matters most alone."""
    player, *other_answers = answers
    if player == TERMINAL:
        return f"payoffs ({', '.join(other_answers[0])})"
    if player == CHANCE:
        mover = "chance"
    else:
        mover = f"player {player} at infoset {other_answers[1]!r}"
    return f"{mover} with {list(other_answers[0])!r}"


def name_moves(game: Game, numbers: Sequence[int]) -> str:
    """Return the names of the moves with these numbers, or the numbers where the rules fail, for error messages."""
    try:
        return replay(game, numbers)
    except Exception:  # the rules have failed, and may fail again
        if numbers:
            return f"the moves numbered {list(numbers)}"
        return "the start"


def replay(game: Game, numbers: Sequence[int]) -> str:
    """Return the names of the moves with these numbers, from the start: "['J', 'Q', 'p']"."""
    state = game.start()
    labels = []
    for number in numbers:
        action = game.actions(state)[number]
        labels.append(repr(action_label(game, state, action)))
        state = game.next(state, action)
    if len(labels) > _MOVES_SHOWN:
        left_out = len(labels) - _MOVES_SHOWN
        labels[_MOVES_SHOWN // 2 : -_MOVES_SHOWN // 2] = [f"… {left_out:,} more moves …"]
    if labels:
        return f"[{', '.join(labels)}]"
    return "the start"
