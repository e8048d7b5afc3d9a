"""Passes over a sequence form against plain sums over the leaves."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.sequence.passes import counterfactual_values, reach
from support.random_games import RandomGame, random_strategy
from support.reference import unfold


def terminal_values(root, strategy, player):
    """Return Σ payoff × probability of chance and of the others over the leaves, by the player's last move before."""
    found = {}

    def visit(node, weight, last):
        if node.payoffs:
            found[last] = found.get(last, 0.0) + weight * node.payoffs[player]
        for label, child in node.children.items():
            own = node.key is not None and node.player == player
            below = strategy[node.key][label] if node.key is not None else node.probabilities[label]
            visit(child, weight if own else weight * below, (node.key, label) if own else last)

    visit(root, 1.0, None)
    return found


@pytest.mark.parametrize(
    "game", ["kuhn", "goofspiel(cards=3)", "kuhn(players=3)", RandomGame(5)], ids=str
)
def test_counterfactual_values_are_sums_over_leaves(game):
    """Whatever was there before: the pass also clears the slots of the player after which no game ends."""
    rules = eq.load(game) if isinstance(game, str) else game
    form, root = eq.compile_game(rules), unfold(rules)
    table = random_strategy(form.infosets, 3)
    strategy = eq.Strategy.from_dict(table).at_slots(form)
    cf_value = np.full(form.length, np.nan)
    for player in range(form.players):
        counterfactual_values(
            form.treeplex, form.payoff, player, reach(form.treeplex, strategy), cf_value
        )
        first, end = form.treeplex.first_slot[player : player + 2]
        expected, found = np.zeros(form.length), terminal_values(root, table, player)
        slots = iter(form.slot)
        for infoset in form.infosets:
            for action in infoset.actions:
                expected[next(slots)] = found.get(((infoset.player, infoset.key), action), 0.0)
        expected[first] = found.get(None, 0.0)
        np.testing.assert_allclose(cf_value[first:end], expected[first:end], rtol=1e-12, atol=1e-15)
