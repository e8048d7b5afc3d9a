"""Many states of compiled rules at a time: what is to be done at each, and the states that follow."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from .._jit.compile import compiled
from ..game.protocol import CHANCE, TERMINAL


@compiled(allocates=False)
def observe_states(machine, states, mover, num_actions, actions, probability, observation, payoffs):
    """Ask the rules about n states.

    Filled in place: ``mover``, shape (n,); ``num_actions``, shape (n,), and ``actions``, shape
    (n, most actions), 0 and nothing at an end; ``probability``, of the same shape, where chance
    moves; ``observation``, shape (n, most integers), of the player to move; ``payoffs``, shape (n,
    players), at an end.
    """
    for i in range(len(states)):
        state = states[i]
        mover[i] = machine.player(machine.parameters, state)
        if mover[i] == TERMINAL:
            machine.payoffs(machine.parameters, state, payoffs[i])
            continue
        num_actions[i] = machine.actions(machine.parameters, state, actions[i])
        if mover[i] == CHANCE:
            machine.chances(machine.parameters, state, probability[i])
        else:
            machine.observe(machine.parameters, state, observation[i])


@compiled(allocates=False)
def make_children(machine, states, parent, action, children):
    """Fill ``children``, shape (n, length of a state), with the states after ``action`` at ``states[parent]``."""
    for k in range(len(parent)):
        before = states[parent[k]]
        after = children[k]
        for j in range(len(before)):
            after[j] = before[j]
        machine.play(machine.parameters, after, action[k])
