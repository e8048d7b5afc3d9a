"""Decisions that are worth training: where a strategy comes often, and much is at stake."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..evaluation.action_values import ActionValues, infoset_reach
from ..form.compiled_game import CompiledGame
from ..solving.sources import AnySource, read_at_slots

_NEVER = 1e-12
_SIZED = re.compile(r"[BRA]\d[\d.]*")


def size_groups(actions: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the actions of a decision by what they are called when sizes do not count, each with its numbers.

    >>> size_groups(["F", "C", "R60", "A200"]), size_groups(["X", "B10", "B25"])
    ({'F': (0,), 'C': (1,), 'raise': (2, 3)}, {'X': (0,), 'bet': (1, 2)})
    """
    groups: dict[str, list[int]] = {}
    for number, action in enumerate(actions):
        if _SIZED.fullmatch(action):
            if "C" in actions:
                name = "raise"
            else:
                name = "bet"
        else:
            name = action
        groups.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in groups.items()}


def infosets_to_train(form: CompiledGame, source: AnySource) -> list[dict[str, Any]]:
    """Return the infosets with a choice to which chance and the others lead; most worth training first.

    That is how often a play comes there × what the worst action costs against the best.
    """
    strategy = read_at_slots(source, form)
    values = ActionValues(form, strategy)
    reach = infoset_reach(form, strategy)
    first = form.first_action
    spots = []
    for number, infoset in enumerate(form.infosets):
        action_values = values.values[first[number] : first[number + 1]]
        if (
            len(action_values) < 2
            or not values.cf_reach[number] > _NEVER
            or np.isnan(action_values).any()
        ):
            continue
        at_stake = float(action_values.max() - action_values.min())
        place = {"line": infoset.key, "seat": infoset.player, "actions": infoset.actions}
        spots.append({**place, "reach": float(reach[number]), "at_stake": at_stake})
    return sorted(spots, key=lambda place: -place["reach"] * place["at_stake"])
