"""What tests of solvers share: their numbers by infoset, and going on from those of the reference."""

import pytest
from hypothesis import strategies as st

import equilibrist as eq

GENERAL = "matrix(payoffs=[[3, 0, 1], [5, 1, -2]], payoffs2=[[3, 5, 0.3], [0, 1, 0.7]])"
seeds = st.integers(0, 2**32 - 1)
turn = pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])


def tables(solver):
    """Return what the solver remembers as {name: {(player, infoset): {action: number}}}."""
    return {name: dict(eq.Strategy.from_form(solver.form, array)) for name, array in solver.memory().items()}


def set_memory(solver, reference):
    """Let the solver go on from the numbers of the reference."""
    memory = {name: array.copy() for name, array in solver.memory().items()}
    for name in ("strategy", "regret_sum", "strategy_sum"):
        table = getattr(reference, name)
        memory[name][solver.form.slot] = [table[p, key][a] for p, key, actions in solver.form.infosets for a in actions]
    solver.recall(memory, iteration=reference.t)
