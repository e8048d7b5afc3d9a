"""Dilated quantal responses: `concept=eq.QRE(τ, dilated=True)`, the fixed point of the game with entropy."""

import math

import numba
import numpy as np
import pytest
from tests.support.reference import infosets, unfold

import equilibrist as eq
from equilibrist._jit import simd
from equilibrist._jit.compile import compiled
from equilibrist.cfr.minimiser import (
    add_share,
    no_shares,
    rule_at_slot,
    update_regret,
    value_above,
)
from equilibrist.cfr.quantal import DilatedRule, logarithm


def collect(node, player, strategy, reach, last, worth, above):
    """Add payoffs × the reach of chance and the other to the last action of a player before them (``worth``), and tell
    the infoset and action before each infoset (``above``).
    """
    if node.payoffs and last is not None:
        worth[last[0]][last[1]] += reach * node.payoffs[player]
    for number, (label, child) in enumerate(node.children.items()):
        if node.player == player:
            above[node.key] = last
            collect(child, player, strategy, reach, (node.key, label), worth, above)
        else:
            p = node.probabilities[number] if node.key is None else strategy[node.key][label]
            collect(child, player, strategy, reach * p, last, worth, above)


def gap_of(game, strategy, temperature):
    """Return the largest |σ − softmax(v / τ)|, by a recursion over histories: v are counterfactual values, with τ × the
    entropy of each later infoset × the own reach of it.
    """
    root, largest = unfold(eq.load(game)), 0.0
    for player in range(2):
        worth = {
            key: dict.fromkeys(group[0].children, 0.0) for key, group in infosets(root).items()
        }
        above = {}
        collect(root, player, strategy, 1.0, None, worth, above)
        for key, last in sorted(
            above.items(), key=lambda item: -depth(item[0], above)
        ):  # those that come last first
            played, values = strategy[key], worth[key]
            most = max(values.values())
            weights = {
                label: math.exp((value - most) / temperature) for label, value in values.items()
            }
            largest = max(
                largest, *(abs(played[a] - w / sum(weights.values())) for a, w in weights.items())
            )
            if last is not None:
                entropy = -sum(p * math.log(p) for p in played.values() if p > 0)
                worth[last[0]][last[1]] += (
                    sum(played[a] * v for a, v in values.items()) + temperature * entropy
                )
    return largest


def depth(key, above):
    return 0 if above[key] is None else 1 + depth(above[key][0], above)


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    ("game", "temperature"),
    [
        ("kuhn", 1.0),
        ("kuhn", 0.05),
        ("leduc", 0.5),
        ("leduc", 0.05),
        ("liars_dice(faces=3)", 0.05),
        ("blotto", 0.1),
    ],
)
def test_small_games_come_to_the_fixed_point(game, temperature):
    solution = eq.solve(
        game, concept=eq.QRE(temperature, dilated=True), until=1e-9, iterations=20_000
    )
    assert solution.stop_reason == "until"
    assert gap_of(game, solution.strategy, temperature) < 1e-8
    assert (
        gap_of(game, eq.solve(game, iterations=100).strategy, temperature) > 1e-3
    )  # which another is not


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [1.0, 0.1])
def test_openspiel_comes_to_the_same(temperature):
    pyspiel = pytest.importorskip("pyspiel")
    mmd_dilated = pytest.importorskip("open_spiel.python.algorithms.mmd_dilated")
    peer = mmd_dilated.MMDDilatedEnt(pyspiel.load_game("kuhn_poker"), temperature)
    for _ in range(3000):
        peer.update_sequences()
    solution = eq.solve(
        "openspiel:kuhn_poker", concept=eq.QRE(temperature, dilated=True), until=1e-11
    )
    policy = peer.get_policies()
    for (player, key), row in solution.strategy.items():
        state = policy.policy_for_key(key)
        np.testing.assert_allclose(
            [p for p in state if p > 0], list(row.values()), atol=1e-8, err_msg=f"{player} {key}"
        )


@pytest.mark.slow
def test_it_falls_fast():
    """The rate is linear: the second half of the digits takes no more iterations than the first, about."""
    halves = [
        eq.solve(
            "leduc", concept=eq.QRE(0.5, dilated=True), until=gap, iterations=20_000
        ).iterations
        for gap in (1e-2, 1e-6, 1e-10)
    ]
    assert halves[2] - halves[1] < 2 * (halves[1] - halves[0])


def test_it_goes_on_bit_for_bit(tmp_path):
    concept = "qre(0.1, dilated=True)"
    eq.solve("leduc", concept=concept, iterations=100, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=300)
    whole = eq.solve("leduc", concept=concept, iterations=300)
    np.testing.assert_array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)
    assert str(whole.config.concept) == concept


def test_with_a_temperature_that_falls_it_approaches_a_nash_equilibrium():
    solution = eq.solve("kuhn", concept=eq.QRE(0, dilated=True), until=1e-3, iterations=20_000)
    assert solution.stop_reason == "until"
    assert solution.value[0] == pytest.approx(-1 / 18, abs=1e-3)


@pytest.mark.parametrize("dilated", [2, "yes", None])
def test_what_is_no_answer_is_refused(dilated):
    with pytest.raises(eq.AlgorithmError, match="dilated must be True or False"):
        eq.QRE(1.0, dilated=dilated)


@numba.njit(error_model="numpy")
def _logarithms(numbers, out):
    for i in range(0, len(numbers), simd.LANES):
        simd.store(out, i, logarithm(simd.load(numbers, i)))


@pytest.mark.slow
def test_the_logarithm_of_kernels_is_that_of_numpy():
    to_square_root = np.linspace(1.3, 1.42, 64)  # where the series of artanh is the slowest
    x = np.concatenate(
        [
            [1.0, 1.0 + 1e-9, 2.0, 100.0, 2e9],
            to_square_root,
            np.exp(np.random.default_rng(0).uniform(0, 21, 1979)),
        ]
    )
    ours = np.empty_like(x)
    _logarithms(x, ours)
    np.testing.assert_allclose(ours, np.log(x), rtol=6e-16)


# As a kernel, which counts no references: a rule holds an array, and whoever counts would free it.
@compiled(allocates=False)
def _update(rule, slot, logits, values, mean, updated, worth):
    local = rule_at_slot(rule, values, slot, len(logits))
    total = no_shares(local, simd.broadcast(0.0))
    for row in range(len(logits)):
        logit, share = update_regret(local, simd.load(logits[row], 0), simd.load(values[row], 0))
        simd.store(updated[row], 0, logit)
        total = add_share(local, total, share)
    simd.store(worth, 0, value_above(local, simd.load(mean, 0), total))


@pytest.mark.parametrize("weights", [(), (1.0, 0.5, 0.25, 3.0, 1e-6, 1e6, 0.75, 0.125)])
def test_an_infoset_is_worth_its_value_and_the_entropy_of_what_follows(weights):
    """In the game values count with the weight of the hand, which is left out of those that are given and returned."""
    step, temperature, slot = 0.3, 0.25, 3 * simd.LANES
    weight = np.array(weights or np.ones(simd.LANES))
    random = np.random.default_rng(1)
    logits = random.uniform(-9, 9, (5, simd.LANES))
    values = random.uniform(-1, 1, (5, simd.LANES)) / weight
    mean = np.arange(float(simd.LANES))
    updated = np.empty_like(logits)
    worth = np.empty(simd.LANES)
    at_slots = np.concatenate([np.full(slot, np.nan), weights]) if weights else np.zeros(0)
    rule = DilatedRule(1 - step, step / temperature, 0.0, temperature, at_slots)
    _update(rule, slot, logits, values, mean, updated, worth)
    expected = (1 - step) * logits + step * (values * weight) / temperature
    np.testing.assert_allclose(updated, expected, rtol=1e-12)
    played = np.exp(expected) / np.exp(expected).sum(axis=0)
    entropy = -(played * np.log(played)).sum(axis=0)
    in_game = mean * weight + temperature * entropy
    np.testing.assert_allclose(worth, in_game / weight, rtol=1e-12)
