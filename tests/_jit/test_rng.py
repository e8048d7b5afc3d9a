"""Random numbers: known vectors of SplitMix64, and what sampling relies on."""

import numpy as np
import pytest

from equilibrist._jit import rng

# The first outputs of SplitMix64 for the seeds 0 and 1234567: of the authors' own program, as Rosetta Code and the
# tests of several libraries give them.
VECTORS = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}


def stream(seed=0, moves=4):
    return rng.make_rng(seed, moves)


@pytest.mark.parametrize("seed", VECTORS)
def test_splitmix64(seed):
    state, golden = np.array([seed], np.uint64), np.uint64(0x9E3779B97F4A7C15)
    for expected in VECTORS[seed]:
        state += golden
        assert int(rng.splitmix64(state[0])) == expected


@pytest.mark.parametrize("seed", VECTORS)
def test_uniform_is_the_highest_bits_of_splitmix64(seed):
    numbers = stream()
    numbers.state[0] = seed
    assert [rng.uniform(numbers) for _ in VECTORS[seed]] == [
        (number >> 11) * 2.0**-53 for number in VECTORS[seed]
    ]


def test_a_traversal_has_the_same_numbers_whatever_came_before():
    numbers, other = stream(seed=5), stream(seed=5)
    rng.begin(numbers, 41)
    for _ in range(9):
        rng.uniform(numbers)
    rng.begin(numbers, 42)
    rng.begin(other, 42)
    assert [rng.uniform(numbers) for _ in range(5)] == [rng.uniform(other) for _ in range(5)]
    assert [rng.evenly(numbers) for _ in range(12)] == [rng.evenly(other) for _ in range(12)]


def test_seeds_differ_and_large_ones_are_taken():
    firsts = set()
    for seed in (0, 1, 2, 2**63, 2**64 - 1, -1, 10**30):
        numbers = stream(seed)
        rng.begin(numbers, 0)
        firsts.add(float(rng.uniform(numbers)))
    assert len(firsts) == 6  # 2**64 - 1 is -1 modulo 2**64


def test_uniform_numbers_are_uniform():
    numbers = stream(seed=1)
    rng.begin(numbers, 0)
    drawn = np.sort([rng.uniform(numbers) for _ in range(20_000)])
    assert drawn[0] >= 0.0
    assert drawn[-1] < 1.0
    distance = np.abs(drawn - (np.arange(20_000) + 0.5) / 20_000).max()
    assert distance < 1.95 / np.sqrt(20_000)  # Kolmogorov and Smirnov, 1 in 1,000


def test_the_numbers_of_a_low_discrepancy_sequence_are_even():
    numbers, drawn = stream(seed=3), []
    for number in range(1000):
        rng.begin(numbers, number)
        drawn.append(rng.evenly(numbers))
    gaps = np.abs(np.sort(drawn) - (np.arange(1000) + 0.5) / 1000).max()
    assert gaps < 0.01  # independent numbers would give some 0.03


@pytest.mark.parametrize("u", [0.0, 0.1, 0.2499, 0.25, 0.5, 0.75, 0.999999999, 1.0 - 2.0**-53])
def test_choose(u):
    probability = np.array([9.0, 0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    expected = 1 if u < 0.25 else 3 if u < 0.75 else 4
    assert rng.choose(probability, 1, 6, u) == expected


def test_choose_never_takes_what_is_impossible_even_where_shares_do_not_sum_to_1():
    probability = np.array([0.3, 0.3, 0.0])
    assert rng.choose(probability, 0, 3, 0.99) == 1


def test_bernoulli():
    assert rng.bernoulli(0.5, 0.49999)
    assert not rng.bernoulli(0.5, 0.5)
    assert not rng.bernoulli(0.0, 0.0)
    assert rng.bernoulli(1.0, 1.0 - 2.0**-53)
