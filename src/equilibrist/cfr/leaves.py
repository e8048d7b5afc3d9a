"""CFR on a sequence form that is cut, which asks in every iteration what its leaves are worth."""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._jit.compile import compiled
from ..form.sequence.passes import counterfactual_values, fill_reach
from .kernels import add_to_average, add_to_deviations, update_regrets
from .minimiser import rule_at

NO_SLOTS = np.zeros(0, np.int64)
NO_PROBABILITIES = np.zeros(0)


def iterate_above_leaves(
    leaf_values: Callable[..., None],
    treeplex,
    payoff,
    state,
    rules,
    average_discounts,
    alternating: bool,
    locked_slots=NO_SLOTS,
    locked=NO_PROBABILITIES,
) -> None:
    """Run iterations of regret matching as :func:`.kernels.iterate` does, with the values of the leaves besides.

    At ``locked_slots`` the strategy has the probabilities ``locked``.
    """
    players = range(len(treeplex.first_slot) - 1)
    tracked = len(state.deviation_sum) > 0

    def fill_values(player: int) -> None:
        counterfactual_values(treeplex, payoff, player, state.reach, state.cf_value)
        leaf_values(player, state.reach, state.cf_value)

    for t in range(len(average_discounts)):
        if tracked or not alternating:
            for player in players:
                fill_values(player)
                if tracked:
                    discount = float(average_discounts[t])
                    add_to_deviations(
                        treeplex, player, state.cf_value, state.reach, state.deviation_sum, discount
                    )
        for player in players:
            if alternating and not (tracked and player == 0):
                fill_values(player)
            _update_player(
                treeplex, player, state, rules, t, average_discounts, locked_slots, locked
            )


@compiled(allocates=False)
def _update_player(treeplex, player, state, rules, t, average_discounts, locked_slots, locked):
    """Fill in place what a player does next, and the sums of the average."""
    strategy, reach, regret_sum, strategy_sum, cf_value, _ = state
    update_regrets(treeplex, player, cf_value, strategy, regret_sum, rule_at(rules, t))
    for k in range(len(locked_slots)):
        strategy[locked_slots[k]] = locked[k]
    add_to_average(treeplex, player, reach, strategy_sum, float(average_discounts[t]))
    fill_reach(treeplex, player, strategy, reach)
