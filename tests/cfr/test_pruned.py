"""Pruned CFR on public states: the iterates of the full pass, in less work, however it is cut into runs."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import ALGORITHMS, find_algorithm
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.public_pruned import PrunedCFR
from equilibrist.mccfr.sampling import ZERO_REACH
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from support.random_public_games import RandomPublicGame
from support.solvers import variant

BLUFF = "liars_dice(wild_biddable=False, order='face')"  # regrets that cancel exactly, from the first iteration on
GAMES = [
    "kuhn",
    "leduc",
    "liars_dice(dice=(2, 1), faces=3)",
    BLUFF,
    RandomPublicGame(5),
    RandomPublicGame(8),
]
PREDICT_NOTHING = ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+"]
PRUNED = {"sampling": "full(pruning='zero-reach')", "form": "public"}


def form_of(game):
    return eq.compile_public(eq.load(game).public_states() if isinstance(game, str) else game)


@pytest.mark.slow
@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("row", PREDICT_NOTHING)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_iterates_are_those_of_the_full_pass(game, row, alternating):
    form = form_of(game)
    pruned = PrunedCFR(form, variant(ALGORITHMS[row], alternating=alternating))
    full = PublicCFR(form, variant(ALGORITHMS[row], alternating=alternating))
    every = np.asarray(form.slot, np.int64)
    for iterations in (1, 2, 5, 8):  # beyond, chaos parts them
        pruned.run(iterations)
        full.run(iterations)
        assert pruned.average_strategy()[every] == pytest.approx(
            full.average_strategy()[every], abs=1e-9
        )
        state, wanted = (
            solver.state_at(every, form.infosets.num_actions) for solver in (pruned, full)
        )
        assert state.strategy == pytest.approx(wanted.strategy, abs=1e-9)
        assert state.regret_sum == pytest.approx(wanted.regret_sum, abs=1e-9)
    assert (pruned.iteration, pruned.nodes_touched) < (full.iteration, full.nodes_touched)


@pytest.mark.slow
@pytest.mark.parametrize("row", ["pcfr+", "pdcfr+", "dcfr"])
def test_predictions_are_kept_as_where_histories_are_pruned_one_by_one(row):
    """Dice exclude no pair of hands, so that both leave out the same infosets."""
    form = form_of("liars_dice(faces=3)")
    pruned = PrunedCFR(form, ALGORITHMS[row])
    sampled = MonteCarloCFR(make_table(form), ALGORITHMS[row], ZERO_REACH)
    for _ in range(4):
        pruned.run(6)
        sampled.run(6)
        assert pruned.average_strategy()[form.slot] == pytest.approx(
            sampled.average_strategy()[form.slot], abs=1e-6
        )
        assert pruned.nodes_touched == pytest.approx(
            sampled.nodes_touched, rel=0.01
        )  # rounding may reach a hand


@pytest.mark.slow
def test_whole_subtrees_are_left_out():
    form = form_of("liars_dice(dice=(2, 1), faces=3)")
    solver = PrunedCFR(form, ALGORITHMS["cfr"])
    solver.run(100)
    seen = solver.tables["updated"]
    assert (seen > 0).sum() > (seen == 100).sum() > 0
    assert solver.nodes_touched < 0.3 * 100 * 2 * form.histories
    assert solver.tables["deferred"].any()


@pytest.mark.slow
@pytest.mark.parametrize("row", ["cfr", "dcfr", "pcfr+"])
def test_three_iterations_then_four_are_seven(row):
    form = form_of("leduc")
    whole, parts = PrunedCFR(form, ALGORITHMS[row]), PrunedCFR(form, ALGORITHMS[row])
    whole.run(70)
    parts.run(31)
    parts.average_weights()  # to be asked changes nothing
    parts.state_at(np.asarray(form.slot, np.int64), form.infosets.num_actions)
    saved = {name: array.copy() for name, array in parts.state_dict().items()}
    parts = PrunedCFR(form, ALGORITHMS[row])
    parts.load_state(saved)
    parts.run(39)
    for name, array in whole.state_dict().items():
        assert np.array_equal(array, parts.state_dict()[name]), name
    assert np.array_equal(whole.average_strategy(), parts.average_strategy())


@pytest.mark.slow
def test_a_run_is_saved_and_resumed(tmp_path):
    whole = eq.solve("leduc", "dcfr", iterations=60, record=["Q"], **PRUNED)
    eq.solve("leduc", "dcfr", iterations=25, record=["Q"], save=tmp_path, **PRUNED)
    resumed = eq.solve(resume=tmp_path, iterations=60)
    assert resumed.strategy == whole.strategy
    assert (resumed.nodes_touched, resumed.nash_conv) == (whole.nodes_touched, whole.nash_conv)
    full = eq.solve("leduc", "dcfr", iterations=60, form="public")
    assert whole.nash_conv == pytest.approx(full.nash_conv, abs=1e-5)
    assert whole.nodes_touched < 0.8 * full.nodes_touched


@pytest.mark.slow
def test_nodes_are_a_limit():
    limited = eq.solve("leduc", "cfr", limits=eq.Limits(nodes=50_000), **PRUNED)
    assert limited.stop_reason == "nodes"
    assert (
        eq.solve("leduc", "cfr", iterations=limited.iterations - 1, **PRUNED).nodes_touched < 50_000
    )
    assert limited.nodes_touched >= 50_000


@pytest.mark.parametrize(
    ("name", "number"),
    [("updated", 11), ("updated", -1), ("deferred", 2), ("deferred_weight", -1.0), ("nodes", -5)],
)
def test_a_state_out_of_range_is_refused(name, number):
    solver = PrunedCFR(form_of("kuhn"), ALGORITHMS["cfr"])
    solver.run(10)
    state = {name: array.copy() for name, array in solver.state_dict().items()}
    state[name][0] = number
    with pytest.raises(eq.SolutionError, match=f"{name!r} that are out of range"):
        PrunedCFR(form_of("kuhn"), ALGORITHMS["cfr"]).load_state(state)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(eq.AlgorithmError, match="threads=2 would do nothing"):
        eq.solve("kuhn", "cfr", threads=2, iterations=5, **PRUNED)
    with pytest.raises(eq.AlgorithmError, match="must be 'full'"):
        eq.solve("kuhn", "hs-dcfr", iterations=5, **PRUNED)
    with pytest.raises(eq.AlgorithmError, match="is a schedule"):
        PrunedCFR(form_of("kuhn"), find_algorithm("hs-dcfr"))
    with pytest.raises(
        eq.AlgorithmError, match="restarts its average, which pruning does not keep"
    ):
        PrunedCFR(form_of("kuhn"), eq.Algorithm("mine", "me", restart=4))
