"""Walks in abstractions: the iterates of the sequence form, in any order of updates, and runs that go on."""

import numpy as np
import pytest
from examples.abstractions.buckets import forget_bets

import equilibrist as eq
from support.abstractions import equal_buckets, forget_first_card
from support.random_games import RandomGame

GAMES = [
    pytest.param("kuhn", forget_first_card, id="kuhn"),
    pytest.param("kuhn(cards=12)", equal_buckets(3), id="thirds"),
    pytest.param("leduc", forget_bets, id="leduc", marks=pytest.mark.slow),
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+(alternating=False)"])
@pytest.mark.parametrize(("game", "find_bucket"), GAMES)
def test_walks_have_the_iterates_of_the_sequence_form(game, find_bucket, algorithm):
    mapped = eq.abstract(game, find_bucket)
    stored = eq.solve(mapped, algorithm, iterations=9, form="sequence")
    walked = eq.solve(mapped, algorithm, iterations=9, form="walk")
    assert walked.config.abstraction.buckets == stored.config.abstraction.buckets
    slots = eq.compile_game(eq.load(game)).slot
    sums = stored.state["strategy_sum"][slots]
    assert np.sort(walked.state["strategy_sum"][2:]) == pytest.approx(np.sort(sums), abs=1e-9)
    assert walked.exploitability == pytest.approx(stored.exploitability, abs=1e-9)
    for infoset, probabilities in stored.strategy.items():
        assert walked.strategy[infoset] == pytest.approx(probabilities, abs=1e-9)
        assert walked.current[infoset] == pytest.approx(stored.current[infoset], abs=1e-9)


def test_rules_in_python_are_walked_as_well():
    game = RandomGame(11, players=2, ties=False)
    stored = eq.solve(eq.abstract(game, {}), "cfr+", iterations=5)
    walked = eq.solve(eq.abstract(game, {}), "cfr+", iterations=5, form="walk")
    for infoset, probabilities in stored.strategy.items():
        assert walked.strategy[infoset] == pytest.approx(probabilities, abs=1e-9)


def test_a_walked_run_goes_on_bit_for_bit(tmp_path):
    game = eq.abstract("kuhn", forget_first_card)
    whole = eq.solve(game, "pcfr+", iterations=12, form="walk")
    eq.solve(game, "pcfr+", iterations=5, form="walk", save=tmp_path)
    for solution in (
        eq.solve(resume=tmp_path, iterations=12),
        eq.solve(game, resume=tmp_path, iterations=12),
    ):
        assert np.array_equal(solution.strategy.probabilities, whole.strategy.probabilities)
    with pytest.raises(eq.SolutionError, match=r"^The map <lambda> puts other infosets together"):
        eq.solve(eq.abstract("kuhn", lambda infoset: None), resume=tmp_path, iterations=12)


def test_what_a_walk_finds_wrong_with_a_map_is_told():
    with pytest.raises(eq.GameError, match="the infosets of a bucket must have the same player"):
        eq.solve(eq.abstract("kuhn", lambda infoset: 0), iterations=2, form="walk")
    with pytest.raises(eq.GameError, match="which comes after it in the same play"):
        eq.solve(
            eq.abstract("leduc", lambda infoset: (infoset.player, infoset.actions)),
            iterations=2,
            form="walk",
        )
    game = eq.abstract("kuhn", forget_first_card, opponent="best_response")
    with pytest.raises(eq.AlgorithmError, match="through a compiled game; got form='walk'"):
        eq.solve(game, iterations=2, form="walk")
