"""Samples in abstractions: full passes where nothing is left out, what runs approach, and how they go on."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.abstract_cfr import AbstractCFR
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.mccfr.sampled_abstraction import SampledAbstraction
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


def test_a_sampled_run_goes_on_bit_for_bit(tmp_path):
    game = eq.abstract("kuhn", forget_first_card)
    settings = {"sampling": "external", "seed": 3}
    whole = eq.solve(game, "cfr", iterations=60, **settings)
    eq.solve(game, "cfr", iterations=25, save=tmp_path, record="all", **settings)
    for solution in (
        eq.solve(resume=tmp_path, iterations=60),
        eq.solve(game, resume=tmp_path, iterations=60),
    ):
        assert np.array_equal(solution.strategy.probabilities, whole.strategy.probabilities)
        assert solution.recording.regret_sum.shape[1] == 24
    loaded = eq.load_solution(tmp_path)
    assert loaded.current["Jpb"] == loaded.current["Qpb"]
    assert loaded.current["J"] != loaded.current["K"]
    with pytest.raises(eq.SolutionError, match=r"^The map <lambda> puts other infosets together"):
        eq.solve(eq.abstract("kuhn", lambda infoset: None), resume=tmp_path, iterations=60)


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
    game = eq.abstract("kuhn", forget_first_card, opponent="unabstracted")
    with pytest.raises(eq.AlgorithmError, match=r"is for full passes .* got sampling='external'"):
        eq.solve(game, "cfr", sampling="external", iterations=5)
