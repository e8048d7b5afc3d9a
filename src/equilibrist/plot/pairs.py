"""Pairs of probabilities that are drawn against each other: those that are named, or that interact most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..errors import SolutionError, nearest
from ..evaluation.action_values import infoset_reach
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..game.action_names import find_action
from ..strategy.order import reading_order
from .movement import find_infosets
from .style import brief

Choice = tuple[Any, str]
"""An infoset, as its key or as (player, key), and one of its actions."""

_CANDIDATES = 16  # probabilities of a player: at the infosets reached most often


class Parameter(NamedTuple):
    """The probability of an action at an infoset.

    Attributes
    ----------
    infoset : Infoset
        Whose it is, and its name.
    slots : int array, shape (actions,)
        Slots of the infoset.
    action : int
        Which of them varies; the others keep their shares of the rest.
    """

    infoset: Infoset
    slots: NDArray[Any]
    action: int

    @property
    def choice(self) -> Choice:
        player, key, actions = self.infoset
        return (player, key), actions[self.action]

    @property
    def label(self) -> str:
        player, key, actions = self.infoset
        return (
            f"probability that player {player} plays {brief(actions[self.action], 12)} at "
            f"{brief(key, 14)}"
        )


def parse_choice(choice: Any) -> tuple[Any, str]:
    """Return the infoset and the action that a choice names, or say how to write one."""
    if not (isinstance(choice, tuple | list) and len(choice) == 2 and isinstance(choice[1], str)):
        raise SolutionError(
            "A probability is given as (infoset, action), as ('J', 'bet') or ((0, 'J'), 'bet'); "
            f"got {choice!r}.",
            wrong_use=True,
        )
    return choice[0], choice[1]


def check_both_or_neither(x: Choice | None, y: Choice | None) -> None:
    """Refuse one probability without the other."""
    if (x is None) != (y is None):
        raise SolutionError(
            "Give both x and y, each as (infoset, action), or neither.", wrong_use=True
        )


def action_number(action: str, actions: Sequence[str], key: str) -> int:
    """Return the number of the action of an infoset that is asked for, by its name or an abbreviation."""
    number = find_action(action, actions)
    if number is None:
        raise SolutionError(
            f"There is no action {action!r} at {key!r}.{nearest(action, actions)}", wrong_use=True
        )
    return number


def parameter_of(form: CompiledGame, choice: Choice) -> Parameter:
    """Return the probability that an infoset and an action name."""
    key, action = parse_choice(choice)
    infosets = list(form.infosets)
    matches = find_infosets([key], infosets)
    if len(matches) > 1:
        owners = [infoset.player for infoset in matches]
        raise SolutionError(
            f"{key!r} is an infoset of players {owners}: ask for (({owners[0]}, {key!r}), "
            f"{action!r}).",
            wrong_use=True,
        )
    index = infosets.index(matches[0])
    return Parameter(
        matches[0],
        _infoset_slots(form, index),
        action_number(action, matches[0].actions, matches[0].key),
    )


def _infoset_slots(form: CompiledGame, index: int) -> NDArray[Any]:
    """Return the slots of the actions of an infoset, shape (actions,)."""
    return np.asarray(form.slot[form.first_action[index] : form.first_action[index + 1]], np.int64)


def vary_probability(slots: Floats, parameter: Parameter, share: float) -> Floats:
    """Return a strategy with another probability; the other actions share the rest as before, or equally."""
    varied_slots = slots.copy()
    other_slots = np.delete(parameter.slots, parameter.action)
    mass_of_others = varied_slots[other_slots].sum()
    shares_of_others: Any = 1.0 / max(1, len(other_slots))
    if mass_of_others > 0:
        shares_of_others = varied_slots[other_slots] / mass_of_others
    varied_slots[other_slots] = (1 - share) * shares_of_others
    varied_slots[parameter.slots[parameter.action]] = share
    return varied_slots


def corner_payoffs(form: CompiledGame, slots: Floats, x: Parameter, y: Parameter) -> Floats:
    """Return what each player earns with two probabilities at 0 or 1; shape (2, 2, players)."""
    return np.array(
        [
            [
                form.values(vary_probability(vary_probability(slots, x, i), y, j)).value
                for j in (0.0, 1.0)
            ]
            for i in (0.0, 1.0)
        ]
    )


def strongest_interaction(
    form: CompiledGame, slots: Floats, infosets: Sequence[tuple[int, str]] | None = None
) -> tuple[Choice, Choice] | None:
    """Return the two probabilities, of different players, whose interaction moves the payoff most; None of none.

    The interaction is the mixed difference of the payoff, u(1, 1) − u(1, 0) − u(0, 1) + u(0, 0),
    with all else as the strategy plays: it contains how often a play comes to both. Looked at are
    the infosets that are reached most often, among ``infosets`` where these are given.
    """
    reach = infoset_reach(form, slots) * (form.infosets.num_actions > 1)
    allowed_infosets = None if infosets is None else set(infosets)
    candidates: dict[int, list[Parameter]] = {}
    for index in np.argsort(-reach, kind="stable").tolist():
        infoset = form.infosets[index]
        parameters = candidates.setdefault(infoset.player, [])
        if (
            len(parameters) < _CANDIDATES
            and reach[index] > 0
            and (allowed_infosets is None or infoset[:2] in allowed_infosets)
        ):
            # of two the first is the rest
            actions = range(len(infoset.actions)) if len(infoset.actions) > 2 else (1,)
            parameters += [
                Parameter(infoset, _infoset_slots(form, index), action) for action in actions
            ]
    for player, parameters in candidates.items():
        candidates[player] = [
            parameters[i] for i in reading_order([item.infoset for item in parameters])
        ]
    largest_interaction = 0.0
    pair = None
    rounding = 1e-12 * form.largest_payoff
    for player, opponent in combinations(sorted(candidates), 2):
        for x, y in product(candidates[player], candidates[opponent]):
            u = corner_payoffs(form, slots, x, y)[:, :, player]
            interaction = abs(u[1, 1] - u[1, 0] - u[0, 1] + u[0, 0])
            # Of equal ones the first.
            if interaction > largest_interaction * (1 + 1e-6) + rounding:
                largest_interaction = float(interaction)
                pair = (x.choice, y.choice)
    return pair
