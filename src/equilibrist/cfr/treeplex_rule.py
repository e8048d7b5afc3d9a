"""Rules for a player's whole treeplex: what is played as a realisation plan, learned from the gradient."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from ..errors import AlgorithmError
from .own_rule import OwnRule, Rule, RuleAnswer, RuleState, kept_type
from .treeplex import Treeplex


class TreeplexRule(Protocol):
    """A rule for the treeplex of a player, for :func:`equilibrist.solve` and all that takes a rule.

    Vectors have a number for each sequence of the player (:class:`equilibrist.types.Treeplex`).
    One object serves all players: what differs between them belongs into the state. Iterations
    count from 1.

    It may have the attributes of :class:`equilibrist.types.Rule`, ``name``, ``source``, ``gamma``,
    ``alternating`` and ``last_iterate``, and a method ``answer(treeplex, state, t)``: the plan that
    is the answer after iteration t, in the place of the average.

    Examples
    --------
    Mirror ascent with the dilated entropy:

    >>> import equilibrist as eq
    >>> class MirrorAscent:
    ...     alternating = False
    ...     def init(self, treeplex):
    ...         return {"plan": treeplex.uniform_plan()}
    ...     def plan(self, treeplex, state, t):
    ...         return state["plan"]
    ...     def observe(self, treeplex, state, plan, values, t):
    ...         return {"plan": treeplex.prox(5 * values / t**0.5, plan)}
    >>> eq.solve("kuhn", rule=MirrorAscent(), iterations=500).exploitability < 0.03
    True
    """

    def init(self, treeplex: Treeplex) -> RuleAnswer:
        """Return what is known of a player at first: arrays by name, of any shape."""

    def plan(self, treeplex: Treeplex, state: RuleState, t: int) -> Floats:
        """Return the realisation plan of iteration t, shape (sequences,)."""

    def observe(
        self, treeplex: Treeplex, state: RuleState, plan: Floats, values: Floats, t: int
    ) -> RuleAnswer | None:
        """Return what is known after iteration t, or change the arrays of ``state`` in place and return None.

        ``values`` is the gradient of what the player is paid, shape (sequences,): ⟨values, plan⟩ is
        the expected payoff. Each number is payoff × probability that chance and the others come to
        the ends of the game to which the sequence leads by itself.
        """


AnyRule = Rule | TreeplexRule
"""A rule of one's own, for infosets or for a whole player."""


class OwnTreeplexRule(OwnRule):
    """A rule of one's own for the treeplex of a player, called with what it is to see."""

    __slots__ = ()

    def init_player(self, treeplex: Treeplex) -> dict[str, NDArray[Any]]:
        """Return what is known at first of a player."""
        state = self._call("init", treeplex)
        arrays = self.read_arrays(state, "{'plan': treeplex.uniform_plan()}")
        return {
            name: np.array(numbers, dtype=kept_type(numbers), order="C")
            for name, numbers in arrays.items()
        }

    def make_plan(
        self, method: str, treeplex: Treeplex, state: dict[str, NDArray[Any]], t: int
    ) -> Floats:
        """Return what ``plan`` or ``answer`` returns; whether it is a plan is for the solver to see.

        What ``plan`` changes in the state is kept. ``answer`` sees copies: how often a run asks for
        it is not to change the run.
        """
        if method == "plan":
            seen = dict(state)
        else:
            seen = {name: array.copy() for name, array in state.items()}
        plan: Floats = self._to_array(method, self._call(method, treeplex, seen, t))
        if method == "plan":
            self._store(method, state, seen)
        if plan.shape != (treeplex.num_sequences,) or plan.dtype.kind not in "fiu":
            raise AlgorithmError(
                f"The rule {self.text}: {method}() must return a realisation plan of shape "
                f"({treeplex.num_sequences},), a number for each sequence; got {plan.dtype} of "
                f"shape {plan.shape}.",
                wrong_use=False,
            )
        return plan

    def learn_plan(
        self,
        treeplex: Treeplex,
        state: dict[str, NDArray[Any]],
        plan: Floats,
        values: Floats,
        t: int,
    ) -> None:
        """Put into ``state`` what is known after iteration t; what the rule returns is copied."""
        state_of_rule = dict(state)
        after = self._call("observe", treeplex, state_of_rule, plan.copy(), values, t)
        if after is None:
            after = state_of_rule
        self._store("observe", state, after)

    def _store(self, method: str, state: dict[str, NDArray[Any]], after: Any) -> None:
        """Write into the arrays of ``state`` what stands in their place after a method was called."""
        arrays = dict(state)
        self._keep(method, arrays, after)
        for name, numbers in arrays.items():
            if numbers is not state[name]:
                state[name][...] = numbers
