"""Maximal Nash subsets and components: against all subsets of mixtures, one by one."""

import random
from itertools import chain, combinations, product

import pytest

from equilibrist.bimatrix.subsets import find_structure


def all_subsets(numbers):
    return chain.from_iterable(combinations(numbers, size) for size in range(1, len(numbers) + 1))


def maximal_by_definition(pairs):
    """Return the complete bipartite subgraphs to which no mixture can be added."""
    firsts = sorted({first for first, _ in pairs})
    complete = set()
    for side in all_subsets(firsts):
        partners = set.intersection(*({y for x, y in pairs if x == first} for first in side))
        if partners:
            complete.add((side, tuple(sorted(partners))))
    return {
        (first, second)
        for first, second in complete
        if not any(
            set(first) < set(larger) and set(second) <= set(other) for larger, other in complete
        )
    }


def components_by_definition(pairs):
    """Return sets of pairs that are joined until nothing can be joined any more."""
    groups = [{pair} for pair in pairs]
    while True:
        for first, second in combinations(groups, 2):
            if any(a == c or b == d for (a, b), (c, d) in product(first, second)):
                groups.remove(second)
                first.update(second)
                break
        else:
            return groups


@pytest.mark.parametrize("seed", range(30))
def test_subsets_and_components_are_those_of_the_definition(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 6), rng.randint(1, 6)
    density = rng.choice([0.2, 0.5, 0.9])
    everything = product(range(height), range(width))
    pairs = [pair for pair in everything if rng.random() < density] or [(0, 0)]
    structure = find_structure(pairs)
    assert {tuple(subset) for subset in structure.subsets} == maximal_by_definition(pairs)
    assert len(structure.subsets) == len(set(structure.subsets))
    joined = [
        {
            pair
            for number in component
            for pair in product(structure.subsets[number].first, structure.subsets[number].second)
        }
        for component in structure.components
    ]
    assert sorted(map(sorted, joined)) == sorted(map(sorted, components_by_definition(pairs)))


def test_every_pair_is_in_a_subset():
    pairs = [(0, 0), (0, 1), (1, 1), (2, 2)]
    structure = find_structure(pairs)
    assert set(map(tuple, structure.subsets)) == {((0,), (0, 1)), ((0, 1), (1,)), ((2,), (2,))}
    assert list(map(len, structure.components)) == [2, 1]
