"""Strategies and evaluations in other processes: the same, and not larger than they need to be."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import equilibrist as eq
from support.systems import START_METHODS


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_strategies_and_evaluations_survive(form):
    strategy = eq.solve("kuhn", iterations=5, form=form).strategy
    strategy["J"]  # makes the index of names, which is not pickled
    again = pickle.loads(pickle.dumps(strategy))
    assert list(again.rows()) == list(strategy.rows())
    assert again["J"] == strategy["J"]
    evaluation = eq.evaluate("kuhn", strategy)
    read = pickle.loads(pickle.dumps(evaluation))
    assert (read.summary(), dict(read.best_response)) == (
        evaluation.summary(),
        dict(evaluation.best_response),
    )


@pytest.mark.thinned(3)
@pytest.mark.parametrize("method", START_METHODS)
def test_other_processes_evaluate(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {method} here")
    strategy = eq.solve("kuhn", iterations=5).strategy
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
        there = pool.submit(eq.evaluate, "kuhn", strategy).result(timeout=120)
    here = eq.evaluate("kuhn", strategy)
    assert (there.value, there.nash_conv, there.losses) == (here.value, here.nash_conv, here.losses)
    assert dict(there.best_response) == dict(here.best_response)


@pytest.mark.slow
def test_a_large_strategy_is_small():
    """Of 442,368 infosets: probabilities, who decides and among how many actions, and the rules that make the names."""
    game = eq.load("liars_dice(dice=(2, 1), order='face', wild_biddable=False)")
    form = eq.compile_public(game.public_states())
    strategy = eq.Strategy.from_form(form, form.average_from_sums(np.zeros(form.length)))
    data = pickle.dumps(strategy)
    assert len(strategy) == 442_368
    assert len(data) < 1.6 * strategy.probabilities.nbytes
    again = pickle.loads(data)
    assert again.probabilities.tobytes() == strategy.probabilities.tobytes()
    assert [again.infosets[i] for i in (0, 200_000, -1)] == [
        strategy.infosets[i] for i in (0, 200_000, -1)
    ]
