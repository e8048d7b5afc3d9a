"""Hands whose opponents hardly come: whatever is divided by their reach is exact, however small it is.

The referee is the sequence form of the same game, which has a payoff for each pair of hands and never subtracts.
"""

import itertools

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.games.compile import compile_any

TINY = 1e-30


def conditioned_values(game, strategy):
    """Return q(I, a), and the gain at each infoset, by infoset: of the card form and of the sequence form."""
    found = []
    for form in ("cards", "sequence"):
        evaluation = eq.evaluate(game, strategy, form=form, action_values=True, off_path=True)
        gains = {(row["player"], row["infoset"]): row["gain"] for row in evaluation.off_path.rows()}
        values = {
            (row["player"], row["infoset"], row["action"]): row["value"]
            for row in evaluation.action_values.rows()
        }
        found.append((values, gains))
    return found


def assert_same(found, expected):
    """See that numbers by infoset agree, to 1e-7 of a chip; None is where the others never lead, in both."""
    assert found.keys() == expected.keys()
    for key, number in expected.items():
        assert (found[key] is None) == (number is None), key
        if number is not None:
            assert found[key] == pytest.approx(number, rel=1e-9, abs=1e-7), key


def random_strategy(game, seed):
    """Return a strategy of the card form whose probabilities are 1 to 1e-30, by infoset."""
    rng = np.random.default_rng(seed)
    form = compile_any(game, form="cards")
    table = {}
    for player, key, actions in form.infosets:
        weights = 10.0 ** rng.uniform(np.log10(TINY), 0, len(actions))
        weights[rng.integers(len(actions))] = 1.0
        table[player, key] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
    return table


def hands_of(cards, count, rng):
    """Return a range of so many hands of a few cards, which block each other often, with weights to 1e-6."""
    hands = ["".join(pair) for pair in itertools.combinations(cards, 2)]
    chosen = rng.choice(len(hands), count, replace=False)
    return ",".join(f"{hands[i]}:{10.0 ** rng.uniform(-6, 0):.12f}" for i in chosen)


def random_river(seed, **settings):
    rng = np.random.default_rng(seed)
    cards = ["Jc", "Th", "As", "Jh", "Qc", "Ad", "Jd"]
    ranges = [hands_of(cards, 6, rng) for _ in range(2)]
    return eq.poker.Holdem("Td7s9s6cTc", *ranges, pot=100, stack=600, bets="100%; a", **settings)


@pytest.mark.parametrize("seed", range(6))
def test_values_and_gains_are_those_of_pairs_of_hands(seed):
    """Also with rake, whose payoffs do not sum to zero."""
    game = random_river(seed, **({"rake": 0.05, "rake_cap": 20} if seed % 2 else {}))
    (values, gains), (expected_values, expected_gains) = conditioned_values(
        game, random_strategy(game, seed)
    )
    assert_same(values, expected_values)
    assert_same(gains, expected_gains)


@pytest.mark.slow
def test_values_of_omaha_are_those_of_pairs_of_hands():
    game = eq.poker.Omaha(
        "2c7d9hTs4s",
        "AhAdKcKs,QhQdKcKd,JhJdTcTd",
        "QhQcJcJs,KhKdQsQd,AcAsTdTh",
        pot=100,
        stack=400,
        bets="100%; a",
    )
    (values, gains), (expected_values, expected_gains) = conditioned_values(
        game, random_strategy(game, 5)
    )
    assert_same(values, expected_values)
    assert_same(gains, expected_gains)


def independent_gap(game, solution, temperature):
    """Return the largest |σ − softmax(q / τ)| where the others may come, with q from the sequence form."""
    table = eq.evaluate(game, solution.strategy, form="sequence", action_values=True).action_values
    gap = 0.0
    for player, key, _ in table.strategy.infosets:
        actions = table[player, key].values()
        q = np.array([action.value for action in actions])
        played = np.array([action.probability for action in actions])
        if np.isfinite(q).all():
            weights = np.exp((q - q.max()) / temperature)
            gap = max(gap, float(np.abs(weights / weights.sum() - played).max()))
    return gap


@pytest.mark.slow
def test_a_hand_that_meets_one_hand_that_hardly_comes():
    """QcTh meets AsJh alone, which bets with 2e-22, loses to it, and folds to the raise: both answers earn the same."""
    game = eq.poker.Holdem(
        "Td7s9s6cTc", "JcTh,AsJh", "QcTh,AdJd", pot=100, stack=600, bets="100%; a"
    )
    solution = eq.solve(game, concept=eq.QRE(0.5), until=1e-9)
    played = solution.strategy[1, "QcTh Td7s9s6cTc B100"]
    assert played["C"] == pytest.approx(0.5, abs=1e-9)
    assert played["A600"] == pytest.approx(0.5, abs=1e-9)
    assert independent_gap(game, solution, 0.5) < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_gaps_of_quantal_responses_are_those_of_pairs_of_hands(seed):
    game = random_river(seed + 20)
    solution = eq.solve(game, concept=eq.QRE(1.0), until=1e-9, iterations=200_000)
    told = solution.final.measures["qre_gap"]
    assert told <= 1e-9
    assert independent_gap(game, solution, 1.0) == pytest.approx(told, abs=1e-8)
