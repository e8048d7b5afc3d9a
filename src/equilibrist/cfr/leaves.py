"""CFR on a sequence form that is cut, which asks in every iteration what its leaves are worth."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from .._jit.compile import compiled
from ..form.sequence.leaves import LeafValues
from ..form.sequence.passes import counterfactual_values, fill_reach
from .kernels import add_to_average, update_regrets
from .minimiser import rule_at


def iterate_above_leaves(
    leaf_values: LeafValues, treeplex, payoff, state, rules, average_discounts, alternating: bool
) -> None:
    """Run iterations of regret matching as :func:`.kernels.iterate` does, with the values of the leaves besides."""
    for t in range(len(average_discounts)):
        for phase in ((0,), (1,)) if alternating else ((0, 1),):
            for player in phase:
                counterfactual_values(treeplex, payoff, player, state.reach, state.cf_value)
                leaf_values(player, state.reach, state.cf_value)
            for player in phase:
                _update(treeplex, player, state, rules, t, average_discounts)


@compiled(allocates=False)
def _update(treeplex, player, state, rules, t, average_discounts):
    """Fill in place what a player does next, and the sums of the average."""
    strategy, reach, regret_sum, strategy_sum, cf_value, _ = state
    update_regrets(treeplex, player, cf_value, strategy, regret_sum, rule_at(rules, t))
    add_to_average(treeplex, player, reach, strategy_sum, float(average_discounts[t]))
    fill_reach(treeplex, player, strategy, reach)
