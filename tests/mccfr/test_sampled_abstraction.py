"""Samples in abstractions: full passes where nothing is left out, what runs approach, and how they go on."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.abstract_cfr import AbstractCFR
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.mccfr.sampled_abstraction import SampledAbstraction
from equilibrist.mccfr.sampled_opponents import SampledOpponents
from equilibrist.mccfr.sampling import find_sampling
from support.abstractions import LEAST, equal_buckets, forget_first_card
from support.solvers import turn, variant


def own_cards(infoset):
    """Goofspiel in which players remember their own cards, and not who won: an infoset of the real game for three."""
    cards = [round_of.rstrip("wlt") for round_of in infoset.key.split(" ")]
    return infoset.player, tuple(cards)


@turn
@pytest.mark.parametrize("row", ["cfr", "dcfr", "pdcfr+"])
def test_without_chance_a_sample_of_chance_is_a_full_pass(row, alternating):
    form = eq.compile_game(eq.load("goofspiel(cards=3)"), keep_tree=True)
    abstraction = eq.abstract(form, own_cards).abstraction
    algorithm = variant(find_algorithm(row), alternating=alternating)
    sampled = SampledAbstraction(
        form, algorithm, find_sampling("chance"), abstraction=abstraction, seed=1
    )
    full = AbstractCFR(form, algorithm, abstraction=abstraction)
    assert full.abstraction.has_perfect_recall
    assert full.abstraction.buckets == 8
    for _ in range(8):
        sampled.run(1)
        full.run(1)
        assert sampled.average_strategy()[form.slot] == pytest.approx(
            full.average_strategy()[form.slot], abs=1e-12
        )
        assert sampled.strategy_at(sampled.action_slots()) == pytest.approx(
            full.strategy_at(form.slot), abs=1e-12
        )


@turn
@pytest.mark.parametrize("row", ["cfr", "dcfr", "pdcfr+"])
def test_opponents_in_the_real_game_are_those_of_full_passes(row, alternating):
    """As above: without chance a sample of it is all there is."""
    form = eq.compile_game(eq.load("goofspiel(cards=3)"), keep_tree=True)
    abstraction = eq.abstract(form, own_cards, opponent="unabstracted").abstraction
    algorithm = variant(find_algorithm(row), alternating=alternating)
    options = {"abstraction": abstraction}
    sampled = SampledOpponents(form, algorithm, find_sampling("chance"), seed=1, **options)
    full = AbstractCFR(form, algorithm, **options)
    for _ in range(8):
        sampled.run(1)
        full.run(1)
        for mine, theirs in (
            (sampled.average_strategy()[form.slot], full.average_strategy()[form.slot]),
            (sampled.strategy_at(sampled.action_slots()), full.strategy_at(form.slot)),
        ):
            assert mine == pytest.approx(theirs, abs=1e-12)
        counts = form.infosets.num_actions
        state = sampled.state_at(sampled.action_slots(), counts)
        expected = full.state_at(form.slot, counts)
        assert state.regret_sum == pytest.approx(expected.regret_sum, abs=1e-12)
        assert state.strategy == pytest.approx(expected.strategy, abs=1e-12)
    assert sampled.nodes_touched == full.nodes_touched


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["external(batch=16)", "chance(batch=16)"])
def test_against_opponents_in_the_real_game_samples_come_to_the_least(sampling):
    game = eq.abstract("kuhn(cards=12)", equal_buckets(2), opponent="unabstracted")
    solution = eq.solve(game, "cfr", sampling=sampling, iterations=3000, seed=1)
    assert all(point.exploitability >= LEAST["kuhn-2"] - 1e-9 for point in solution.trace)
    assert solution.exploitability < LEAST["kuhn-2"] + 0.004
    threads = eq.solve(game, "cfr", sampling=sampling, iterations=3000, seed=1, threads=2)
    assert np.array_equal(threads.strategy.probabilities, solution.strategy.probabilities)


def test_a_limit_of_nodes_and_a_stop_leave_both_players_in_step():
    form = eq.compile_game(eq.load("kuhn"), keep_tree=True)
    abstraction = eq.abstract(form, forget_first_card, opponent="unabstracted").abstraction

    def make():
        external = find_sampling("external")
        return SampledOpponents(form, find_algorithm("cfr"), external, abstraction=abstraction)

    limited = make()
    limited.max_nodes = 500
    limited.run(10_000)
    assert 500 <= limited.nodes_touched < 560
    assert limited.is_between_iterations
    whole = make()
    whole.run(limited.iteration)
    assert np.array_equal(whole.average_weights(), limited.average_weights())
    stopped = make()
    stopped.should_stop = lambda: True
    stopped.run(5)
    stopped.should_stop = lambda: False
    stopped.run(limited.iteration - stopped.iteration)
    assert np.array_equal(stopped.average_weights(), limited.average_weights())


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["chance", "external", "external(batch=16)"])
def test_samples_approach_what_full_passes_do(sampling):
    """The value of an equilibrium of the abstraction, which all of them share."""
    game = eq.abstract("kuhn(cards=12)", equal_buckets(3))
    full = eq.solve(game, "cfr+", iterations=2000)
    solution = eq.solve(game, "cfr", sampling=sampling, iterations=30_000, seed=1)
    assert solution.exploitability >= LEAST["kuhn-3"] - 1e-9
    assert solution.value[0] == pytest.approx(full.value[0], abs=0.003)
    assert solution.strategy["3"] == solution.strategy["6"]


@pytest.mark.parametrize(("opponent", "slots"), [("abstracted", 24), ("unabstracted", 24)])
def test_a_sampled_run_goes_on_bit_for_bit(opponent, slots, tmp_path):
    game = eq.abstract("kuhn", forget_first_card, opponent=opponent)
    settings = {"sampling": "external", "seed": 3}
    whole = eq.solve(game, "cfr", iterations=60, **settings)
    eq.solve(game, "cfr", iterations=25, save=tmp_path, record="all", **settings)
    for solution in (
        eq.solve(resume=tmp_path, iterations=60),
        eq.solve(game, resume=tmp_path, iterations=60),
    ):
        assert np.array_equal(solution.strategy.probabilities, whole.strategy.probabilities)
        assert solution.recording.regret_sum.shape[1] == slots
    loaded = eq.load_solution(tmp_path)
    assert loaded.current["Jpb"] == loaded.current["Qpb"]
    assert loaded.current["J"] != loaded.current["K"]
    other = eq.abstract("kuhn", lambda infoset: None, opponent=opponent)
    with pytest.raises(eq.SolutionError, match=r"^The map <lambda> puts other infosets together"):
        eq.solve(other, resume=tmp_path, iterations=60)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sampling": "outcome(average='lazy')"}, r"^Players forget by the map forget_first_card"),
        ({"sampling": "external", "form": "public"}, r"sampled from the tree of a sequence form"),
    ],
    ids=["lazy", "public"],
)
def test_what_samples_cannot_do_is_refused(settings, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve(eq.abstract("kuhn", forget_first_card), "cfr", iterations=5, **settings)
    game = eq.abstract("kuhn", forget_first_card, opponent="best_response")
    with pytest.raises(eq.AlgorithmError, match=r"is for full passes; got sampling='external'. Gi"):
        eq.solve(game, "cfr", sampling="external", iterations=5)
