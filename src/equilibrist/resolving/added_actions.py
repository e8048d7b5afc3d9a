"""Whether a card game has all that another one has, and more actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import GameError
from ..game.protocol import CHANCE, TERMINAL, action_label, game_name


def not_finer_error(coarse: str, finer: str, reason: str) -> GameError:
    """Return the error that a game has not all that another one has."""
    return GameError(
        f"game: {finer} is not {coarse} with more actions: {reason}; give the rules of the run, or "
        "a game that only adds actions to them.",
        wrong_use=True,
    )


def _pot_text(game: Any) -> str:
    """Return the pot of a game as a text."""
    pot = getattr(game, "pot", None)
    if pot is None:
        return "none"
    return f"{pot:g}"


def adds_actions(coarse: Any, finer: Any) -> bool:
    """Return whether a card game has the betting of another one and more; refuse those that have not all of it."""
    names = game_name(coarse), game_name(finer)
    for player in range(2):
        same_hands = list(coarse.hands[player]) == list(finer.hands[player])
        if not same_hands or not np.array_equal(
            coarse.deal.weights[player], finer.deal.weights[player]
        ):
            raise not_finer_error(*names, f"player {player} has another range")
    if (coarse.board, coarse.streets, list(coarse.cards)) != (
        finer.board,
        finer.streets,
        list(finer.cards),
    ):
        raise not_finer_error(*names, "its board or deck is another")
    coarse_pot, finer_pot = (_pot_text(game) for game in (coarse, finer))
    if coarse_pot != finer_pot:
        raise not_finer_error(*names, f"its pot is {finer_pot}, not {coarse_pot}")
    has_more = False
    pairs = [(coarse.start(), finer.start())]
    while pairs:
        state, finer_state = pairs.pop()
        mover = coarse.player(state)
        if mover != finer.player(finer_state):
            raise not_finer_error(
                *names, "somebody else acts, or the hand is over, after the same actions"
            )
        if mover == TERMINAL:
            if coarse.payoff(state) != finer.payoff(finer_state):
                raise not_finer_error(*names, "the same actions have other payoffs")
        elif mover == CHANCE:
            pairs.append((coarse.next(state, None), finer.next(finer_state, None)))
        else:
            actions = {
                action_label(finer, finer_state, action): action
                for action in finer.actions(finer_state)
            }
            has_more |= len(actions) > len(coarse.actions(state))
            for action in coarse.actions(state):
                label = action_label(coarse, state, action)
                if label not in actions:
                    raise not_finer_error(*names, f"the action {label} is missing")
                pairs.append((coarse.next(state, action), finer.next(finer_state, actions[label])))
    return has_more
