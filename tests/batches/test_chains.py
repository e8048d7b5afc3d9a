"""Chains of Monte Carlo CFR merged by weight: unbiased, certified, the same by any executor."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.batches import chains
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.mccfr.sampling import find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from support.solvers import variant


@pytest.fixture(scope="module")
def kuhn():
    return eq.compile_game(eq.load("kuhn"), keep_tree=True)


def sums_of(form, sampling, seed, iterations):
    solver = MonteCarloCFR(
        make_table(form),
        variant(eq.ALGORITHMS["cfr"], alternating=False),
        find_sampling(sampling),
        seed=seed,
        threads=1,
    )
    solver.run(iterations)
    return solver.average_weights()


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["outcome", "external"])
def test_the_merged_sums_are_unbiased(kuhn, sampling):
    """After one iteration all play the same: the sums expected are those of a full pass, over as many chains.

    What is drawn is met with the probability of chance, that of the own card: a factor of the infoset.
    """
    chains = 1500
    each = np.array([sums_of(kuhn, sampling, seed, 1)[kuhn.slot] for seed in range(chains)])
    full = SequenceCFR(kuhn, variant(eq.ALGORITHMS["cfr"], alternating=False))
    full.run(1)
    expected = full.average_weights()[kuhn.slot] / 3
    total = sum(each)
    spread = each.std(axis=0) * np.sqrt(chains) + 1e-12
    assert (spread < chains * expected / 5).all()  # so that the next line says something
    assert (np.abs(total - chains * expected) < 5 * spread).all()


def test_the_merged_average_is_that_of_the_sums(kuhn):
    found = eq.solve_chains(kuhn, "cfr", chains=3, sampling="outcome", seed=7, iterations=400)
    each = []
    for seed in (7, 8, 9):
        solution = eq.solve(kuhn, "cfr", sampling="outcome", seed=seed, iterations=400)
        each.append(solution)
    assert found.seeds == (7, 8, 9)
    assert [end.nash_conv for end in found.ends] == [solution.nash_conv for solution in each]
    certificate = kuhn.values(kuhn.to_slots(found.strategy.probabilities))
    assert certificate.nash_conv == pytest.approx(found.certificate.nash_conv, abs=1e-12)
    alone = eq.solve_chains(kuhn, "cfr", chains=1, sampling="outcome", seed=8, iterations=400)
    assert (alone.strategy.probabilities == each[1].strategy.probabilities).all()


def test_a_chain_weighs_what_it_has_added_up(kuhn, monkeypatch):
    sums = {0: np.ones(kuhn.length), 1: np.zeros(kuhn.length)}
    sums[1][kuhn.slot[0]] = 2.0  # 1 + 2 of the first action, 1 + 0 of the other
    monkeypatch.setattr(chains, "_run_chain", lambda *options: (None, sums[options[-1]]))
    merged = eq.solve_chains(kuhn, chains=2)
    assert merged.strategy.probabilities[:2].tolist() == [0.75, 0.25]


def test_executors_and_folders_change_nothing(kuhn, tmp_path):
    options = {"chains": 3, "iterations": 200}
    straight = eq.solve_chains(kuhn, **options)
    with ThreadPoolExecutor(2) as executor:
        eq.solve_chains(kuhn, chains=2, iterations=120, save=tmp_path, executor=executor)
        again = eq.solve_chains(
            kuhn, **options, save=tmp_path, executor=executor
        )  # two go on, one begins
    assert again.certificate == straight.certificate
    assert (again.strategy.probabilities == straight.strategy.probabilities).all()


def test_what_is_not_drawn_is_refused(kuhn):
    with pytest.raises(eq.AlgorithmError, match="got sampling='full'"):
        eq.solve_chains(kuhn, chains=2, sampling="full")
    with pytest.raises(eq.AlgorithmError, match="chains must be"):
        eq.solve_chains(kuhn, chains=0)
