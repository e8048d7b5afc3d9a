"""Games in which chance deals what a forced deal says: the tree of a compiled game, or rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from ..form.sequence.form import SequenceForm
from ..form.sequence.tree import ROOT
from ..game.protocol import CHANCE, Game, action_label
from .deals import ForcedDeal, forced_outcome

State = tuple[Any, tuple[str, ...]]
"""A state of the rules, and what of the deal is still to come."""


Force = Callable[[ForcedDeal | None], None]
"""Tells chance to deal from now on what a deal says, and what it does not name by the rules."""


def dealt_form(form: Any, rules: Game) -> tuple[SequenceForm, Force]:
    """Return a compiled game whose tree has probabilities of its own, and what makes them those of a deal."""
    free = form.tree.probability
    tree = replace(form.tree, probability=free.copy())

    def force(deal: ForcedDeal | None) -> None:
        tree.probability[:] = free
        waiting = [] if deal is None else [(ROOT, rules.start(), deal.remaining)]
        while deal is not None and waiting:
            history, state, remaining = waiting.pop()
            if not remaining or not tree.num_children[history]:
                continue
            first, actions = int(tree.first_child[history]), rules.actions(state)
            numbers = range(int(tree.num_children[history]))
            if tree.player[history] == CHANCE:
                n, remaining = forced_outcome(deal, remaining, rules, state)
                tree.probability[first : first + len(numbers)] = 0.0
                tree.probability[first + n] = 1.0
                numbers = numbers[n : n + 1]
            waiting += [(first + n, rules.next(state, actions[n]), remaining) for n in numbers]

    return replace(form, tree=tree), force


class DealtGame:
    """Rules of a game whose chance can be told what to deal."""

    def __init__(self, rules: Game) -> None:
        self.players = rules.players
        self._rules = rules
        self._deal = ForcedDeal("")

    def __str__(self) -> str:
        return str(self._rules)

    def force(self, deal: ForcedDeal | None) -> None:
        """Deal from the next start on what a deal says, and what it does not name by the rules."""
        self._deal = deal or ForcedDeal("")

    def start(self) -> State:
        return self._rules.start(), self._deal.remaining

    def player(self, state: State) -> int:
        return self._rules.player(state[0])

    def actions(self, state: State) -> Sequence[Hashable]:
        return self._rules.actions(state[0])

    def probabilities(self, state: State) -> Sequence[float]:
        rules_state, remaining = state
        if not remaining:
            return self._rules.probabilities(rules_state)
        dealt, _ = forced_outcome(self._deal, remaining, self._rules, rules_state)
        return [float(n == dealt) for n in range(len(self._rules.actions(rules_state)))]

    def next(self, state: State, action: Any) -> State:
        rules_state, remaining = state
        if remaining and self._rules.player(rules_state) == CHANCE:
            _, remaining = forced_outcome(self._deal, remaining, self._rules, rules_state)
        return self._rules.next(rules_state, action), remaining

    def payoffs(self, state: State) -> Sequence[float]:
        return self._rules.payoffs(state[0])

    def infoset(self, state: State) -> Hashable:
        return self._rules.infoset(state[0])

    def action_label(self, state: State, action: Hashable) -> str:
        return action_label(self._rules, state[0], action)
