"""What tests ask of solvers, and how they set full-width ones to numbers of their own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.solving.estimate import estimate_run
from equilibrist.solving.plan import fill_defaults, new_config

GENERAL = "matrix(payoffs=[[3, 0, 1], [5, 1, -2]], payoffs2=[[3, 5, 0.3], [0, 1, 0.7]])"
seeds = st.integers(0, 2**32 - 1)
rows = pytest.mark.parametrize("name", eq.ALGORITHMS)
turn = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])


def variant(algorithm, *, alternating):
    """Return an algorithm with this order of updates."""
    return replace(find_algorithm(algorithm), alternating=alternating)


def estimate(form, *, algorithm="cfr", **settings):
    """Return what a run on a compiled game takes with such settings."""
    return estimate_run(form, fill_defaults(new_config(algorithm=algorithm, **settings), form))


def certificate(solver):
    """Return the certificate of the average strategy of a solver on a compiled game."""
    return solver.form.values(solver.average_weights(), weights=True, threads=solver.threads)


def arrays(solver):
    """Return copies of the tables of a full-width solver, a number a slot, by name."""
    return {name: array.copy() for name, array in solver.tables.items()}


def tables(solver):
    """Return the same as {name: {(player, infoset): {action: number}}}."""
    return {
        name: dict(eq.Strategy.from_form(solver.form, array))
        for name, array in solver.tables.items()
    }


def set_arrays(solver, new, iteration):
    """Let a full-width solver go on from these tables."""
    solver.load_state({**new, "iteration": np.array(iteration, np.int64)})


def set_tables(solver, reference):
    """Let a full-width solver go on from the numbers of the reference."""
    new = arrays(solver)
    for name in ("strategy", "regret_sum", "strategy_sum"):
        table = getattr(reference, name)
        new[name][solver.form.slot] = [
            table[p, key][a] for p, key, actions in solver.form.infosets for a in actions
        ]
    set_arrays(solver, new, reference.t)
