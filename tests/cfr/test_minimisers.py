"""Local minimisers other than regret matching, defined here: all forms and samples play them as the recursion does."""

import math
from typing import NamedTuple

import numpy as np
import pytest

import equilibrist as eq
from equilibrist._jit.compile import inlined, record
from equilibrist._jit.simd import maximum
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.minimiser import LocalMinimiser
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.regret_matching import REGRET_MATCHING, FlooredRegretMatching
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.cards.build import compile_cards
from equilibrist.mccfr.sampling import ZERO_REACH
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from support.card_reference import Dealt
from support.kuhn_cards import KuhnCards
from support.reference import CFR
from support.solvers import turn, variant

CARDS = KuhnCards([[(0,), (1,), (2,)]] * 2, cards=3)


class Floored(FlooredRegretMatching):
    """Regret matching within floors, with its step in the words of the formula, for the recursion."""

    def step(self, regret_sum, played, q):
        """Update an infoset: in the words of the formula, for the recursion."""
        free = 1 - self.least * len(played)
        reference = sum((p - self.least) / free * q[a] for a, p in played.items())
        for a in played:
            regret_sum[a] += q[a] - reference
        total = sum(max(regret, 0) for regret in regret_sum.values())
        share = {
            a: max(regret, 0) / total if total > 1e-12 else 1 / len(played)
            for a, regret in regret_sum.items()
        }
        return {a: self.least + free * share[a] for a in played}


@record
class HedgeRule(NamedTuple):
    """Softmax of the regret sums times a rate that changes with the iteration."""

    rate: float
    rounding: float

    def rule_at(self, t):
        return HedgeRule(self.rate[t], self.rounding)

    def rule_with(self, t, positive, negative):
        return HedgeRule(self.rate[t], self.rounding)

    def reference_value(self, value, sum_values, uniform):
        return value

    def update_regret(self, regret_sum, instant_regret):
        regret_sum = regret_sum + instant_regret
        return regret_sum, regret_sum * self.rate

    def no_shares(self, zero):
        return zero - 50.0, zero

    def add_share(self, total, share):
        largest, weights = total
        new = maximum(largest, share)
        return new, weights * exponential(largest - new) + exponential(share - new)

    def next_probability(self, share, total, uniform):
        largest, weights = total
        return exponential(share - largest) / weights


class Hedge(LocalMinimiser):
    def __init__(self, rate):
        self.rate = rate

    def rules(self, algorithm, steps, rounding):
        return HedgeRule(self.rate * steps.discount_positive, 0.0)

    def step(self, regret_sum, played, q):
        value = sum(p * q[a] for a, p in played.items())
        for a in played:
            regret_sum[a] += q[a] - value
        largest = max(regret_sum.values())
        weights = {a: math.exp(self.rate * (regret - largest)) for a, regret in regret_sum.items()}
        return {a: weight / sum(weights.values()) for a, weight in weights.items()}


@inlined
def exponential(x):
    """Return e^x of a number between -50 and 0, or of eight of them."""
    x = x * (1 / 256)
    power = x * 0.0 + 1.0
    for n in range(10, 0, -1):
        power = power * x * (1.0 / n) + 1.0
    for _ in range(8):
        power = power * power
    return power


class Recursion(CFR):
    """CFR by recursion over histories, with another step at the infosets."""

    def __init__(self, game, minimiser, **options):
        super().__init__(game, eq.ALGORITHMS["cfr"], **options)
        self.step = minimiser.step

    def update(self, key):
        played = self.strategy[key]
        self.strategy[key] = self.step(self.regret_sum[key], played, self.cf_value[key])
        for action, probability in played.items():
            self.strategy_sum[key][action] += self.own_reach[key] * probability


def sequence(algorithm, minimiser, **options):
    return eq.load("kuhn"), SequenceCFR(
        eq.compile_game(eq.load("kuhn")), algorithm, minimiser=minimiser, **options
    )


def public(algorithm, minimiser, **options):
    form = eq.compile_public(eq.load("kuhn").public_states())
    return eq.load("kuhn"), PublicCFR(form, algorithm, minimiser=minimiser, **options)


def cards(algorithm, minimiser, **options):
    if isinstance(
        minimiser, Hedge
    ):  # regrets there are those of a hand that is held, without its weight
        minimiser = Hedge(minimiser.rate * CARDS.deal.weights[0][0])
    return Dealt(CARDS), CardCFR(compile_cards(CARDS), algorithm, minimiser=minimiser, **options)


def short_cards(algorithm, minimiser, **options):
    return cards(algorithm, minimiser, precision="int16", **options)


def sampled(algorithm, minimiser, **options):
    table = make_table(eq.compile_game(eq.load("kuhn"), keep_tree=True))
    return eq.load("kuhn"), MonteCarloCFR(
        table, algorithm, ZERO_REACH, minimiser=minimiser, **options
    )


def threaded(algorithm, minimiser, **options):
    return public(algorithm, minimiser, threads=2, **options)


@turn
@pytest.mark.parametrize(
    "minimiser",
    [Floored(0.05), Floored(0.3), pytest.param(Hedge(2.0), marks=pytest.mark.slow)],
    ids=["floor", "high floor", "hedge"],
)
@pytest.mark.parametrize(
    "make",
    [
        sequence,
        *(
            pytest.param(make, marks=pytest.mark.slow)
            for make in (public, threaded, cards, short_cards, sampled)
        ),
    ],
)
def test_every_form_plays_the_minimiser(make, minimiser, alternating):
    game, solver = make(variant("cfr", alternating=alternating), minimiser)
    reference = Recursion(game, minimiser, alternating=alternating)
    slots = np.asarray(solver.action_slots(), np.int64)
    close = 2e-3 if make is short_cards else 1e-10
    for _ in range(4):
        solver.run(5)
        for _ in range(5):
            reference.iterate()
        average, expected_average = dict(solver.strategy()), reference.average()
        rows = [
            (player, key, action)
            for player, key, actions in solver.infosets()
            for action in actions
        ]
        expected = [reference.strategy[player, key][action] for player, key, action in rows]
        np.testing.assert_allclose(solver.strategy_at(slots), expected, atol=close)
        for player, key, action in rows:
            assert average[player, key][action] == pytest.approx(
                expected_average[player, key][action], abs=close
            )


@pytest.mark.parametrize("floors", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_without_positive_regrets_a_sampled_run_plays_uniformly(floors):
    """Two actions against three that all pay the same: regrets are 0, so that nothing is preferred."""
    table = make_table(
        eq.compile_game(eq.load("matrix(payoffs=[[1, 1, 1], [1, 1, 1]])"), keep_tree=True)
    )
    minimiser = Floored(0.1) if floors else REGRET_MATCHING
    solver = MonteCarloCFR(table, eq.ALGORITHMS["cfr"], eq.External(), minimiser=minimiser)
    solver.run(3)
    played = solver.strategy_at(np.asarray(solver.action_slots(), np.int64))
    assert played == pytest.approx([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3])
