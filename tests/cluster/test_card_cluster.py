"""A card game over several actors: the boards of the second street are the cut; the bits are those of one machine."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cluster.actors import ProcessActors
from equilibrist.cluster.cards import CardSplit
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.poker.spot.game import Holdem
from support.actors import Counted, Here, bits, run_saving
from support.random_card_games import RandomCardGame
from support.solvers import variant

TURN = {
    "board": "Qs Jh 2h 7c",
    "oop": "QQ,AK,JTs,87s",
    "ip": "JJ,AQ,KTs,65s",
    "pot": 60,
    "stack": 200,
    "bets": "50%",
}


@pytest.fixture(scope="module")
def spot():
    return eq.compile_cards(Holdem(**TURN))


def in_cluster(form, count, algorithm="dcfr", *, alternating=True, actors=None, **options):
    chosen = variant(algorithm, alternating=alternating)
    return ClusterCFR(CardSplit(form, count), chosen, actors=actors or Here(), **options)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("algorithm", "alternating", "precision"),
    [
        ("dcfr", True, "float32"),
        ("pcfr+", True, "float64"),
        ("cfr+", False, "float32"),
        ("pcfr+", False, "float64"),
    ],
)
def test_the_bits_of_a_spot_are_those_of_one_machine(spot, algorithm, alternating, precision):
    options = {"precision": precision}
    alone = CardCFR(spot, variant(algorithm, alternating=alternating), **options)
    alone.run(5)
    for count, threads in ((1, 1), (3, 2)):
        solver = in_cluster(
            spot, count, algorithm, alternating=alternating, threads=threads, **options
        )
        assert sum(solver.split.lengths) < spot.length
        solver.run(2)
        solver.run(3)
        assert bits(solver) == bits(alone)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("seed", range(8))
def test_the_bits_of_random_games_on_two_or_three_streets_are_those_of_one_machine(seed):
    form = eq.compile_cards(RandomCardGame(seed))
    alone = CardCFR(form, variant(eq.ALGORITHMS["dcfr"], alternating=seed % 2 == 0))
    alone.run(4)
    solver = in_cluster(form, 2, alternating=seed % 2 == 0, threads=1 + seed % 2)
    solver.run(4)
    assert bits(solver) == bits(alone)


def test_some_of_them_have_three_streets():
    streets = [len(eq.compile_cards(RandomCardGame(seed)).betting.streets) for seed in range(8)]
    assert max(streets) == 3


def test_a_single_street_is_refused():
    with pytest.raises(eq.AlgorithmError, match="single street"):
        CardSplit(eq.compile_cards(RandomCardGame(1, streets=())), 2)


@pytest.mark.parametrize("deaths", [{9: [0]}, {10: [1], 11: [0]}])
def test_an_actor_that_dies_changes_no_bit(spot, tmp_path, deaths):
    actors = Here()
    solver = in_cluster(spot, 2, "pcfr+", actors=actors, alternating=False)
    actors.deaths = dict(deaths)
    run_saving(solver, 7, tmp_path, every=3)
    assert solver.restarts == sum(map(len, deaths.values()))
    alone = CardCFR(spot, variant(eq.ALGORITHMS["pcfr+"], alternating=False))
    alone.run(7)
    assert bits(solver) == bits(alone)
    for count in (1, 3):  # other actors go on from the checkpoint
        again = in_cluster(spot, count, "pcfr+", alternating=False)
        again.load(tmp_path / "iteration-6")
        assert again.iteration == 6
        again.run(1)
        assert bits(again) == bits(alone)


@pytest.mark.slow
def test_a_run_goes_from_one_machine_to_processes(spot):
    alone = CardCFR(spot, eq.ALGORITHMS["dcfr"])
    alone.run(2)
    solver = in_cluster(spot, 2, actors=ProcessActors())
    try:
        solver.load_state({name: np.array(table) for name, table in alone.state_dict().items()})
        solver.run(2)
        alone.run(2)
        assert bits(solver) == bits(alone)
    finally:
        solver.close()


def test_one_message_each_way_per_actor_and_turn(spot):
    solver = in_cluster(spot, 3, actors=Counted())
    solver.run(5)
    assert solver.actors.messages == 5 * 2 * 3


def test_locks_are_refused():
    game = Holdem(**TURN)
    game.locks = [eq.Lock("", {"X": 1.0})]
    with pytest.raises(eq.AlgorithmError, match="has locks"):
        CardSplit(eq.compile_cards(game), 2)
