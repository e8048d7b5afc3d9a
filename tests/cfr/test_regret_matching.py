"""The one update rule: one action and eight side by side give the same bits, and these are the formula's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist._jit.compile import compiled
from equilibrist._jit.simd import load, store
from equilibrist.cfr.minimiser import next_probability, update_regret
from equilibrist.cfr.regret_matching import RegretMatchingRule
from equilibrist.form.floors import NO_PAYMENTS
from equilibrist.form.sequence.passes import normalise_share


@compiled(allocates=False)
def eight(regret_sum, instant_regret, total, rule, result):
    """Do eight actions side by side."""
    regret, share = update_regret(rule, load(regret_sum, 0), load(instant_regret, 0))
    store(result, 0, regret)
    store(result, 8, share)
    store(result, 16, next_probability(rule, share, load(total, 0), load(total, 8)))
    store(result, 24, normalise_share(share, load(total, 0), load(total, 8)))


@compiled(allocates=False)
def one(regret_sum, instant_regret, total, rule, result):
    """Do the same one after the other."""
    for i in range(8):
        regret, share = update_regret(rule, regret_sum[i], instant_regret[i])
        result[i], result[8 + i] = regret, share
        result[16 + i] = next_probability(rule, share, total[i], total[8 + i])
        result[24 + i] = normalise_share(share, total[i], total[8 + i])


def formula(regret, instant, total, uniform, rule):
    kept = regret * (rule.discount_positive if regret > 0 else rule.discount_negative)
    new = max(kept + instant, rule.floor)
    share = max(rule.discount_predicted * new + rule.predict * instant, 0.0)
    probabilities = [share / total if total > least else uniform for least in (rule.rounding, 0.0)]
    return new, share, *probabilities


numbers = st.floats(-10, 10)
factors = st.floats(0, 1)


@given(
    regret=st.lists(numbers, min_size=8, max_size=8),
    instant=st.lists(numbers, min_size=8, max_size=8),
    total=st.lists(st.sampled_from([0.0, 1e-14, 1e-12, 1.0, 3.5]), min_size=8, max_size=8),
    rule=st.builds(
        RegretMatchingRule,
        *(factors, factors, factors, factors),
        st.sampled_from([0.0, -math.inf]),
        st.sampled_from([0.0, 1e-13]),
        payments=st.just(NO_PAYMENTS),
    ),
)
def test_the_rule_is_the_formula(regret, instant, total, rule):
    arrays = np.array(regret), np.array(instant), np.array([*total, *[0.25] * 8])
    both = []
    for kernel in (eight, one):
        result = np.full(32, np.nan)
        kernel(*arrays, rule, result)
        both.append(result)
    expected = [formula(*row, 0.25, rule) for row in zip(regret, instant, total, strict=True)]
    np.testing.assert_array_equal(both[0], both[1])
    np.testing.assert_allclose(both[0].reshape(4, 8).T, expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize("floor", [0.0, -math.inf])
def test_a_regret_sum_of_zero_counts_as_negative(floor):
    """So that a discount of positive sums that is infinite or not a number cannot spoil it."""
    result = np.empty(32)
    rule = RegretMatchingRule(math.nan, 0.5, 1.0, 0.0, floor, 0.0)
    eight(np.zeros(8), np.ones(8), np.ones(16), rule, result)
    assert result[:8].tolist() == [1.0] * 8
