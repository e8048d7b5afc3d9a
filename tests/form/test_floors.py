"""Terms of best responses against every plan that keeps to them, enumerated on Kuhn poker."""

from functools import cache
from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.floors import DETACHED, NO_FLOORS, Payments, Terms
from equilibrist.games.compile import compile_any


@cache
def kuhn(kind):
    return compile_any(eq.load("kuhn"), form=kind)


def uniform_on(form):
    return form.average_from_sums(np.zeros(form.length))


def random_strategy(form, seed=0):
    return form.average_from_sums(np.random.default_rng(seed).uniform(0.1, 1.0, form.length))


def slots_of_player(form, player):
    first = form.first_action
    return [
        form.slot[first[i] : first[i + 1]]
        for i in range(len(form.infosets))
        if form.infosets.owner[i] == player
    ]


def terms_of(kind, form):
    """Return terms with a number of its own at each infoset where they can have one."""
    rng = np.random.default_rng(1)
    table = np.zeros(form.length)
    bias = np.zeros(form.length)
    amount = np.zeros(form.length)
    for player in range(2):
        for slots in slots_of_player(form, player):
            amount[slots] = rng.uniform(-1.0, 1.0, len(slots))
            table[slots] = rng.uniform(0.0, 4.0)
            bias[slots] = rng.choice([0.0, 0.3, 1.0])
    return {
        "floors": Terms.of_floors(0.1, np.zeros(0)),
        "floors by infoset": Terms.of_floors(0.1, table),
        "model": Terms.of_model(bias * random_strategy(form, 2), 1.0 - bias),
        "payments": Terms(payments=Payments(1, 0.5, amount)),
        "nothing": NO_FLOORS,
    }[kind]


KINDS = ["floors", "floors by infoset", "model", "payments", "nothing"]


@pytest.mark.parametrize("form", ["sequence", "public"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("player", [0, 1])
def test_no_plan_on_the_same_terms_is_worth_more(kind, form, player):
    form = kuhn(form)
    terms = terms_of(kind, form)
    uniform = uniform_on(form)
    strategy = random_strategy(form)
    best = -np.inf
    places = slots_of_player(form, player)
    for plan in product(range(2), repeat=len(places)):
        shares = strategy.copy()
        for slots, action in zip(places, plan, strict=True):
            shares[slots] = np.arange(2) == action
        mixed = form.with_player(strategy, terms.mix(shares, uniform), player)
        best = max(best, form.values(mixed, floors=terms).value[player])
    values = form.values(strategy, floors=terms)
    assert values.best_response_value[player] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_what_is_played_keeps_what_is_pinned(kind):
    form = kuhn("sequence")
    terms = terms_of(kind, form)
    played = terms.mix(random_strategy(form), uniform_on(form))
    for player in range(2):
        for slots in slots_of_player(form, player):
            assert played[slots].sum() == pytest.approx(1.0, abs=1e-15)
            least = np.broadcast_to(terms.floors, form.length)[slots]
            assert (played[slots] >= least - 1e-15).all()
            assert played[slots] - least == pytest.approx(
                (1.0 - least.sum()) * random_strategy(form)[slots], abs=1e-15
            )


def test_what_is_paid_is_paid_to_one_player():
    """Payments add Σ scale · amount · reach to the payee's value, and nothing to the other's."""
    form = kuhn("sequence")
    strategy = random_strategy(form)
    terms = terms_of("payments", form)
    plain = form.values(strategy)
    paid = form.values(strategy, floors=terms)
    reach = form.best_responses(strategy).reach
    own = np.concatenate(slots_of_player(form, 1))
    added = 0.5 * float(reach[own] @ terms.payments.amount[own])
    assert paid.value == pytest.approx((plain.value[0], plain.value[1] + added), abs=1e-12)


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_nothing_counts_after_the_next_decision(form):
    """Every play of Kuhn poker comes to a decision of each player: nothing is left before it."""
    form = kuhn(form)
    values = form.values(random_strategy(form), floors=DETACHED)
    assert values.best_response_value == pytest.approx((0.0, 0.0), abs=1e-15)
