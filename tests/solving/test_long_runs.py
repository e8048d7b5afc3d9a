"""Long runs: no precision gets worse with time, and a run ends where none helps.

Certificates are computed in float64, in passes of their own, so that they judge what float32 and 16 bits come to.
"""

import warnings

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr import storage
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
from equilibrist.cluster.cards import CardSplit
from equilibrist.cluster.cluster_cfr import ClusterCFR
from equilibrist.cluster.public import PublicSplit
from equilibrist.errors import GameTooLargeError
from equilibrist.games.compile import compile_any
from equilibrist.solving.exhausted import is_exhausted
from equilibrist.solving.trace import Checkpoint
from support.actors import Here, bits

WORSE = 4.0
"""How many times its least so far a nash_conv may be after a later checkpoint, as docs/performance.md states."""
ROUNDING = 1e-11
"""Of the largest payoff: below, float64 decides by rounding."""
RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,KK', ip='QQ,JJ,98s', pot=100, stack=200, bets='100%; a')"
)
MORE = "holdem(board='Td9d6hQc2s', oop='AA,KK,JJ,88,A5s,54s', ip='QQ,JJ,98s', pot=100, stack=200, bets='100%; a')"
TURN = (
    "holdem(board='Qs Jh 2h 7c', oop='QQ,AKs,87s', ip='JJ,KTs,65s', pot=60, stack=100, bets='50%')"
)
LOCKED = (
    f"{TURN[:-1]}, locks=[{{'line': '', 'strategy': {{'X': 0.25, 'B30': 0.75}}, 'hands': 'QQ'}}])"
)
MILLION = 10**6

LONG = [
    (RIVER, "cards", "auto", "float32"),
    (RIVER, "cards", "auto", "int16"),
    (RIVER, "cards", "pcfr+", "float32"),
    (RIVER, "cards", "auto", "float64"),
    (RIVER, "cards", "dcfr", "float32"),
    (MORE, "cards", "auto", "float32"),
    (MORE, "cards", "cfr+", "int16"),
    (MORE, "cards", "pcfr+", "int16"),
    ("kuhn", "sequence", "dcfr+", "float32"),
    ("kuhn", "sequence", "pcfr+", "float32"),
    ("kuhn", "sequence", "cfr", "float32"),
    ("kuhn", "sequence", "auto", "float64"),
    ("kuhn", "public", "dcfr+", "float32"),
    ("kuhn", "public", "sapcfr+", "float32"),
    ("kuhn", "public", "dcfr+", "float64"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "form", "algorithm", "precision"), LONG)
def test_a_million_iterations_never_get_much_worse(game, form, algorithm, precision):
    solution = eq.solve(game, algorithm, form=form, precision=precision, iterations=MILLION)
    largest = solution.trace[0].nash_conv
    least = np.inf
    for point in solution.trace:
        if point.iteration >= 1_024:  # before that the algorithm goes up and down in any precision
            assert point.nash_conv <= WORSE * least + ROUNDING * largest, point.iteration
        least = min(least, point.nash_conv)
    assert solution.nash_conv <= 1e-5 * largest


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "least"), [("pcfr+", 1e-8), ("dcfr+", 1e-4)])
def test_a_walk_does_not_get_worse_either(algorithm, least):
    solution = eq.solve("kuhn", algorithm, form="walk", iterations=8_192)
    assert solution.nash_conv <= least
    assert solution.nash_conv <= WORSE * min(point.nash_conv for point in solution.trace)


@pytest.fixture
def short(monkeypatch):
    """Have tables stored anew after 6 iterations in 16 bits, and after 10 in float32."""
    monkeypatch.setattr(storage, "_LONGEST", {"int16": 6, "float32": 10})
    monkeypatch.setattr(storage, "_LONGEST_PREDICTED", {"int16": 6, "float32": 6})


def solver_of(game, form, algorithm, precision, **options):
    compiled = compile_any(game, form=form)
    return FULL_WIDTH[CPU, form](compiled, eq.ALGORITHMS[algorithm], precision=precision, **options)


def card_solver(game, algorithm, precision):
    return CardCFR(eq.compile_cards(eq.load(game)), algorithm, precision=precision)


CASES = [
    lambda: solver_of("leduc", "sequence", "dcfr+", "float32"),
    lambda: solver_of("leduc", "sequence", "pcfr+", "float32"),
    pytest.param(
        lambda: solver_of("kuhn(players=3)", "sequence", "dcfr", "float32"), marks=pytest.mark.slow
    ),
    lambda: card_solver(RIVER, eq.ALGORITHMS["dcfr+"], "float32"),
    # Kernels of their own: those of public forms in float32, and of cards in 16 bits, of three combinations of tables.
    *(
        pytest.param(make, marks=pytest.mark.slow)
        for make in (
            lambda: solver_of("leduc", "public", "dcfr", "float32"),
            lambda: solver_of("leduc", "public", "dcfr+", "float32", threads=2),
            lambda: card_solver(TURN, eq.ALGORITHMS["dcfr+"], "int16"),
            lambda: card_solver(TURN, eq.ALGORITHMS["dcfr"], "int16"),
            lambda: card_solver(TURN, eq.ALGORITHMS["pcfr+"], "int16"),
            lambda: card_solver(LOCKED, eq.ALGORITHMS["dcfr+"], "int16"),
            lambda: card_solver(
                TURN, eq.Algorithm("both", "at once", gamma=1, alternating=False), "int16"
            ),
        )
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("make", CASES)
def test_tables_stored_anew_hold_what_they_held_and_a_run_can_be_cut_anywhere(short, make):
    straight = make()
    straight.run(15)
    assert straight.stored == "float64"
    for cut in (5, 6, 7, 10, 11, 14):
        first, second = make(), make()
        first.run(cut)
        second.load_state({name: array.copy() for name, array in first.state_dict().items()})
        assert (
            second.stored
            == first.stored
            == storage.stored_precision(cut, first.precision, first.algorithm)
        )
        second.run(15 - cut)
        assert bits(second) == bits(straight)


@pytest.mark.parametrize("make", CASES)
def test_what_is_known_of_each_infoset_stays_the_same(short, make):
    solver = make()
    solver.run(
        6
        if solver.finer is None and storage.last_iteration(solver.stored, solver.algorithm) == 6
        else 10
    )
    slots = np.asarray(solver.action_slots(), np.int64)
    counts = solver.form.infosets.num_actions
    before = solver.state_at(slots, counts)
    values, coarse = solver.values(), solver.stored
    assert solver.finer is not None
    solver.refine_tables()
    after = solver.state_at(slots, counts)
    assert solver.stored != coarse
    free = np.ones(len(slots), bool)
    if solver.form.kind == "cards" and solver.form.locks is not None:
        free = ~np.isin(slots, solver.form.locks.slots)  # whose numbers have no unit
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new[free], old[free], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(solver.values().value, values.value, rtol=1e-6, atol=1e-9)


def test_the_first_iterations_are_those_of_the_precision_that_was_asked_for():
    solution = eq.solve(RIVER, iterations=20_000)
    assert solution.state["strategy_sum"].dtype == np.float32
    further = eq.solve(RIVER, iterations=20_001, resume=solution)
    assert further.state["strategy_sum"].dtype == np.float64
    assert further.config.precision == "float32"


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("kuhn", "sequence"),
        pytest.param("kuhn", "public", marks=pytest.mark.slow),
        (RIVER, "cards"),
    ],
)
def test_a_saved_run_goes_on_as_if_it_had_not_been_cut(short, tmp_path, game, form):
    straight = eq.solve(game, "dcfr+", form=form, precision="float32", iterations=40)
    for cut in (10, 25):
        folder = tmp_path / str(cut)
        eq.solve(game, "dcfr+", form=form, precision="float32", iterations=cut, save=folder)
        loaded = eq.load_solution(folder)
        assert loaded.current is not None
        further = eq.solve(resume=folder, iterations=40)
        assert further.value == straight.value
        assert np.array_equal(further.strategy.probabilities, straight.strategy.probabilities)


@pytest.mark.parametrize("form", ["sequence", pytest.param("public", marks=pytest.mark.slow)])
def test_a_checkpoint_of_an_earlier_version_goes_on_in_float64(short, form):
    old = solver_of("leduc", form, "dcfr+", "float32")
    old.run(10)
    state = {
        **old.state_dict(),
        "iteration": np.array(50),
    }  # which then was float32 at any iteration
    solver = solver_of("leduc", form, "dcfr+", "float32")
    solver.load_state(state)
    assert solver.stored == "float32"
    solver.run(1)
    assert (solver.iteration, solver.stored) == (51, "float64")
    wide = solver_of("leduc", form, "dcfr+", "float64")
    wide.run(5)
    with pytest.raises(eq.SolutionError, match="other arrays"):
        solver_of("leduc", form, "dcfr+", "float32").load_state(wide.state_dict())


@pytest.mark.slow
@pytest.mark.parametrize("cut", [7, 10, 12])
def test_actors_store_their_tables_anew_as_one_machine_does(short, tmp_path, cut):
    form = compile_any("leduc", form="public")
    for alone, split in (
        (card_solver(TURN, eq.ALGORITHMS["dcfr"], "float32"), CardSplit),
        (FULL_WIDTH[CPU, "public"](form, eq.ALGORITHMS["dcfr"], precision="float32"), PublicSplit),
    ):
        alone.run(15)

        def cluster(split=split, form=alone.form):
            return ClusterCFR(
                split(form, 2), eq.ALGORITHMS["dcfr"], actors=Here(), precision="float32"
            )

        first, second, third = cluster(), cluster(), cluster()
        first.run(cut)
        name = first.save(tmp_path / split.__name__)
        state = first.state_dict()
        second.load(tmp_path / split.__name__ / name)
        third.load_state(state)
        for solver in (first, second, third):
            solver.run(15 - cut)
            assert bits(solver) == bits(alone)


def test_an_actor_that_dies_comes_back_in_the_precision_of_the_checkpoint(short, tmp_path):
    alone = card_solver(TURN, eq.ALGORITHMS["dcfr"], "float32")
    alone.run(15)
    solver = ClusterCFR(
        CardSplit(alone.form, 2), eq.ALGORITHMS["dcfr"], actors=Here(), precision="float32"
    )
    solver.run(8)
    solver.save(tmp_path)
    solver.run(4)
    assert solver.stored == "float64"
    solver._recover([0])
    assert (solver.iteration, solver.stored) == (8, "float32")
    solver.run(7)
    assert bits(solver) == bits(alone)


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("kuhn", "sequence"),
        ("kuhn", "public"),
        pytest.param(RIVER, "cards", marks=pytest.mark.slow),
    ],
)
def test_a_goal_below_rounding_ends_the_run_and_says_so(game, form):
    ends = []
    for callbacks in (None, lambda point: None):
        with pytest.warns(eq.EquilibristWarning, match="until=1e-17 is less than float64 can tell"):
            solution = eq.solve(game, "pcfr+", form=form, until=1e-17, callbacks=callbacks)
        assert solution.stop_reason == "precision"
        assert solution.nash_conv <= ROUNDING * solution.trace[0].nash_conv
        ends.append((solution.iterations, solution.nash_conv))
    assert ends[0] == ends[1]
    resumed = eq.solve(game, "pcfr+", form=form, iterations=5_000)
    with pytest.warns(eq.EquilibristWarning, match="less than float64"):
        resumed = eq.solve(game, form=form, resume=resumed, until=1e-17)
    assert (resumed.iterations, resumed.nash_conv) == ends[0]


def test_a_goal_that_is_only_far_away_does_not_end_the_run():
    with warnings.catch_warnings():
        warnings.simplefilter("error", eq.EquilibristWarning)
        solution = eq.solve("kuhn", "dcfr+", until=1e-13, iterations=70_000)
    assert solution.stop_reason == "iterations"


def points(*numbers):
    """Return checkpoints at 1, 2, 4, … with these exploitabilities."""
    return [
        Checkpoint(2**k, 0, 0.0, (), (), {"exploitability": number})
        for k, number in enumerate(numbers)
    ]


def test_a_run_is_exhausted_where_it_is_at_rounding_and_does_not_fall():
    goal = [eq.Exploitability(1e-20)]
    flat = [1.0] * 10 + [1e-12, 0.9e-12, 0.8e-12]
    assert is_exhausted(points(*flat), goal)
    assert not is_exhausted(points(*flat[:-1]), goal)  # not after 2,048
    assert not is_exhausted(points(*flat), [])
    assert not is_exhausted(points(*[1.0] * 10, 1e-12, 0.7e-12, 0.4e-12), goal)  # it falls
    assert not is_exhausted(points(*[1.0] * 13), goal)  # far from rounding: three players, say
    assert not is_exhausted(points(*[1.0] * 10, 1e-12, -1e-12, 0.0), goal)
    noise = [0.5] * 10 + [
        3e-8,
        2e-8,
        2.5e-8,
    ]  # what float64 tells of payoffs of a billion, with little at stake
    assert not is_exhausted(points(*noise), goal)
    assert is_exhausted([point._replace(value=(1e9, -1e9)) for point in points(*noise)], goal)


@pytest.mark.parametrize("game", [RIVER, "leduc"])
def test_a_run_ends_where_there_is_no_room_for_more_digits_and_goes_on_where_there_is(
    short, monkeypatch, tmp_path, game
):
    straight = eq.solve(game, "dcfr+", precision="float32", iterations=30)

    with monkeypatch.context() as patch:
        patch.setattr("equilibrist.solving.run.estimate_run", lambda *_, **__: Refusing())
        with pytest.warns(
            eq.EquilibristWarning, match="float32 tells averages no better.*It is too large"
        ):
            cut = eq.solve(game, "dcfr+", precision="float32", iterations=30, save=tmp_path)
    assert (cut.stop_reason, cut.iterations) == ("precision", 10)
    assert eq.load_solution(tmp_path).stop_reason == "precision"
    further = eq.solve(resume=tmp_path, iterations=30)
    assert further.value == straight.value


class Refusing:
    """An estimate that refuses any memory."""

    def check(self, memory):
        raise GameTooLargeError("It is too large.")
