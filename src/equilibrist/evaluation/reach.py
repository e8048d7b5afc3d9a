"""Reach of infosets: the probability that a play comes there."""

from __future__ import annotations

import numpy as np

from .._util.arrays import Floats
from ..form.compiled_game import CompiledGame


def infoset_reach(form: CompiledGame, strategy: Floats) -> Floats:
    """Return the reach of each infoset by all players and chance, for a strategy at the slots of a compiled game.

    That is the reach of its player, Σ over its actions, times the reach of the others and chance.

    Raises
    ------
    GameError
        The reach of chance cannot be known: a sequence form was compiled without its tree.
    """
    cf_reach = form.cf_reach(strategy)
    if not len(cf_reach):
        return cf_reach
    return np.add.reduceat(form.reach(strategy)[form.slot], form.first_action[:-1]) * cf_reach


def uniform_strategy(form: CompiledGame) -> Floats:
    """Return the strategy that plays all actions of an infoset equally often, at the slots of a compiled game."""
    return form.average_from_sums(np.zeros(form.length))
