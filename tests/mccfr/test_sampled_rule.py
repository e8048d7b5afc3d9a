"""Rules of one's own on samples: values without bias, the iterates of the kernels, saving, and what is refused."""

import itertools
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import Algorithm
from equilibrist.mccfr.sampled_rule import SampledRule
from equilibrist.mccfr.sampling import find_sampling
from equilibrist.mccfr.table import make_table
from support.samples import by_infoset, current, full_values

RULES = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "rules.py"))
CFR = RULES["CFR"]
BUILT_IN = RULES["BUILT_IN"]

WAYS = [
    "chance",
    "external",
    "external(baseline='infoset')",
    "outcome",
    "outcome(baseline='history')",
    "average-strategy(epsilon=0.3, beta=1.0, tau=2.0)",
]


def solver_of(game, rule, way):
    form = eq.compile_game(eq.load(game), keep_tree=True)
    return SampledRule(make_table(form), Algorithm.of_rule(rule), find_sampling(way), seed=5)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("way", WAYS)
def test_the_mean_of_the_values_of_all_samples_is_that_of_the_full_pass(way, enumerate_turns):
    """Values themselves, not up to what all actions of an infoset have in common."""
    solver = solver_of("kuhn", CFR(), way)
    for _ in range(2):
        solver.run(4)
        truth, _ = full_values(eq.load("kuhn"), current(solver))
        for player in range(2):
            mean = 0.0
            total = 0.0
            turns = enumerate_turns(
                solver, player, lambda records, of=player: solver.book.add_values(records, of)
            )
            for probability, slots in itertools.islice(turns, 50_000):
                value_sum = by_first_slot(solver, solver.book.value_sum)
                mean = mean + probability * (slots.instant_regret + value_sum)
                total += probability
                solver.book.value_sum[:] = 0.0
            assert total == pytest.approx(1, abs=1e-12)
            for key, values in by_infoset(solver, mean).items():
                if key[0] == player:
                    assert values == pytest.approx(list(truth[key].values()), abs=1e-12)


def by_first_slot(solver, numbers):
    """Return the number at the first slot of each infoset at all of its slots."""
    first, count = solver.table.shape()
    spread = np.zeros(len(numbers))
    for slot, actions in zip(first.tolist(), count.tolist(), strict=True):
        spread[slot : slot + actions] = numbers[slot]
    return spread


@pytest.mark.thinned(48)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", ["cfr", "cfr+", "pcfr+"])
@pytest.mark.parametrize("way", [*WAYS, "external(batch=4)", "external(average='lazy')"])
def test_the_equations_play_as_the_kernels_do(name, way, alternating):
    rule = BUILT_IN[name]()
    rule.alternating = alternating
    algorithm = replace(eq.ALGORITHMS[name], alternating=alternating)
    expected = eq.solve("kuhn", algorithm, sampling=way, iterations=60, seed=3, threads=1)
    solution = eq.solve("kuhn", rule=rule, sampling=way, iterations=60, seed=3)
    assert solution.strategy.probabilities == pytest.approx(
        expected.strategy.probabilities, abs=1e-12
    )
    assert solution.current.probabilities == pytest.approx(
        expected.current.probabilities, abs=1e-12
    )


def test_values_are_those_of_one_sample_on_average():
    """Without chance a sample of chance is a full pass, however many a batch has; Hedge depends on their size."""
    game = "matrix(payoffs=[[0.0, 2.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])"
    rule = RULES["OptimisticHedge"](0.3)
    expected = eq.solve(game, rule=rule, iterations=30)
    solution = eq.solve(game, rule=rule, sampling="chance(batch=3)", iterations=30)
    assert solution.strategy.probabilities == pytest.approx(
        expected.strategy.probabilities, abs=1e-12
    )


def test_regret_sums_are_kept_beside_what_a_rule_knows():
    solver = solver_of("kuhn", CFR(), "external(batch=2)")
    solver.run(20)
    sums = by_infoset(solver, solver.slots.regret_sum)
    for batch in solver.book.batches:
        for infoset, regret in zip(batch.infosets, batch.state["regret"], strict=True):
            at = solver.table.infosets()[int(infoset)]
            assert sums[at.player, at.key] / 2 == pytest.approx(regret, abs=1e-12)


def test_values_beyond_all_numbers_end_the_run():
    solver = solver_of("kuhn", CFR(), "outcome")
    first, count = solver.table.shape()
    solver.book.value_sum[first[0]] = np.inf
    with pytest.raises(eq.AlgorithmError, match=r"the values are \[inf, inf\] .* not finite"):
        solver.book.update(np.array([[first[0], count[0]]]), 1)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["public-chance", "external(batch=8)", "outcome"])
@pytest.mark.parametrize("name", ["cfr", "cfr+", "pcfr+"])
def test_the_equations_play_as_the_kernels_do_on_leduc(name, way):
    """On public states, where hands are infosets; infosets have two and three actions."""
    game = "leduc(ranks=2, raises=1)"
    expected = eq.solve(game, name, sampling=way, iterations=60, seed=3, threads=1)
    solution = eq.solve(game, rule=BUILT_IN[name](), sampling=way, iterations=60, seed=3)
    assert solution.strategy.probabilities == pytest.approx(
        expected.strategy.probabilities, abs=1e-11
    )


def test_discounts_of_iterations_without_a_visit_are_made_up_for_by_a_rule_that_counts_them():
    """docs/rules.md: linear CFR, whose state has the iteration of the last visit."""

    class LinearCFR(CFR):
        gamma = 1

        def init(self, num_actions):
            return {"regret": np.zeros(num_actions), "seen": 0}

        def observe(self, state, strategy, values, t):
            # (t - 1)/t of each iteration since then: their product
            regret = RULES["instant_regret"](strategy, values)
            kept = (state["seen"] / t)[:, None]
            return {"regret": kept * state["regret"] + regret, "seen": np.full(len(values), t)}

    expected = eq.solve("kuhn", "lcfr", sampling="external", iterations=50, seed=2, threads=1)
    solution = eq.solve("kuhn", rule=LinearCFR(), sampling="external", iterations=50, seed=2)
    assert solution.strategy.probabilities == pytest.approx(
        expected.strategy.probabilities, abs=1e-12
    )


def test_a_sampled_run_goes_on_to_the_same_bits(tmp_path):
    way = {"sampling": "external(batch=2)", "seed": 4}
    whole = eq.solve("kuhn", rule=BUILT_IN["pcfr+"](), iterations=40, **way)
    eq.solve("kuhn", rule=BUILT_IN["pcfr+"](), iterations=15, save=tmp_path, **way)
    resumed = eq.solve(resume=tmp_path, rule=BUILT_IN["pcfr+"](), iterations=40)
    assert (resumed.strategy.probabilities == whole.strategy.probabilities).all()
    with pytest.raises(eq.AlgorithmError, match="give it again"):
        eq.solve(resume=tmp_path, iterations=50)
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(resume=tmp_path, rule=CFR(), iterations=50)


def test_arrays_of_another_rule_are_refused():
    solver = solver_of("kuhn", BUILT_IN["pcfr+"](), "external")
    solver.run(3)
    state = solver.state_dict()
    solver.load_state(state)
    for name, wrong in (
        ("rule_0_2_regret", np.zeros(3)),
        ("rule_0_2_regret", np.full_like(state["rule_0_2_regret"], np.nan)),
        ("value_sum", np.zeros(2)),
    ):
        with pytest.raises(eq.SolutionError, match="Start afresh"):
            solver.load_state({**state, name: wrong})
    del state["rule_1_2_prediction"]
    with pytest.raises(eq.SolutionError, match="Start afresh"):
        solver.load_state(state)


def test_the_last_iterate_is_what_is_played():
    rule = CFR()
    rule.last_iterate = True
    solution = eq.solve("kuhn", rule=rule, sampling="outcome", iterations=30, seed=1)
    assert (solution.strategy.probabilities == solution.current.probabilities).all()


class Broken(CFR):
    def strategy(self, state, t):
        if t == 3:
            return 2 * super().strategy(state, t)
        return super().strategy(state, t)


class PlaysPlans:
    def init(self, treeplex):
        return {}

    def plan(self, treeplex, state, t):
        return treeplex.uniform_plan()

    def observe(self, treeplex, state, plan, values, t):
        return {}


@pytest.mark.parametrize(
    ("rule", "options", "message"),
    [
        (Broken(), {}, "no probabilities that sum to 1"),
        (CFR(), {"sampling": "external(tree=False)"}, "no sample has met"),
        (PlaysPlans(), {}, "plays for a whole player"),
        (CFR(), {"sampling": "chance(pruning='regret')"}, "got sampling="),
        (CFR(), {"sampling": "external(batch=64)", "threads": 2}, "One thread draws"),
    ],
    ids=["no distribution", "no tree", "plans", "pruning", "threads"],
)
def test_what_a_rule_does_not_do_is_refused(rule, options, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve("kuhn", rule=rule, **{"sampling": "external", "iterations": 9, **options})
