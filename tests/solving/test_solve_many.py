"""solve_many gives for each game what solve gives, to the last bit, in the order of the games."""

import signal
import threading
import time

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.card_kernels import iterate, iterate_until
from equilibrist.form.cards.passes import response_walk
from equilibrist.form.cards.walker import CardWalker
from equilibrist.solving.callbacks import Unfollowed
from equilibrist.solving.plan import fill_defaults, new_config
from equilibrist.solving.run import Run
from equilibrist.solving.solvers import make_solver
from equilibrist.solving.warm_up import warm_up_ahead

RANGES = "AA,KQs,JTs,98s,76s,55", "KK-TT,AQs,87s,44"
BOARDS = ("Td9d6hQc2s", "Ah7c7d4s2h", "KsQsJs3d3c")


def river(board, pot=20):
    return eq.poker.Holdem(board, *RANGES, pot=pot, stack=90, bets="50%, a; 60%, a")


SPOTS = [river(board) for board in BOARDS]
TURN = eq.poker.Holdem("Td9d6hQc", *RANGES, pot=20, stack=30, bets="50%; a")
PUBLIC = eq.compile_public(eq.load("kuhn").public_states())
MIXED = ["kuhn", SPOTS[0], "leduc", TURN, PUBLIC, "liars_dice(faces=2)"]


class GainOfOne(eq.types.Criterion):
    name = "gain_of_one"

    def evaluate(self, solver):
        return max(solver.values().deviation_gains)


def same(solution, other):
    """Assert that two solutions differ by their seconds and their run ids alone."""
    assert solution.stop_reason == other.stop_reason
    assert solution.config == other.config
    assert solution.info.game == other.info.game
    assert [point._replace(seconds=0.0) for point in solution.trace] == [
        point._replace(seconds=0.0) for point in other.trace
    ]
    assert solution.final._replace(seconds=0.0) == other.final._replace(seconds=0.0)
    assert solution.state.keys() == other.state.keys()
    for name, array in solution.state.items():
        np.testing.assert_array_equal(array, other.state[name])
    for infoset in other.strategy.infosets[:5]:
        assert (
            solution.strategy[infoset.player, infoset.key]
            == other.strategy[infoset.player, infoset.key]
        )


@pytest.mark.thinned(6)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "limits",
    [
        {"until": 0.05},
        {"until": 1e-9, "iterations": 70},
        {"iterations": 33},
        {"until": [0.02, GainOfOne(0.1)]},
    ],
)
def test_equals_solve(limits, threads):
    for solution, game in zip(eq.solve_many(MIXED, threads=threads, **limits), MIXED, strict=True):
        same(solution, eq.solve(game, **limits))


@pytest.mark.thinned(5)
@pytest.mark.parametrize("algorithm", ["auto", "dcfr", "cfr+", "pcfr+", "dcfr(alternating=False)"])
@pytest.mark.parametrize(
    "precision",
    [None, *(pytest.param(name, marks=pytest.mark.slow) for name in ("float64", "int16"))],
)
def test_equals_solve_with_every_table(algorithm, precision):
    options = {"algorithm": algorithm, "precision": precision, "until": "0.3%"}
    for solution, spot in zip(eq.solve_many(SPOTS, **options), SPOTS, strict=True):
        same(solution, eq.solve(spot, **options))
        assert solution.stop_reason == "until"


def solver_of(game, **settings):
    form = game if isinstance(game, eq.types.PublicForm) else eq.compile_cards(game)
    return make_solver(form, fill_defaults(new_config(**settings), form))


def test_a_run_until_is_iterations_and_values_in_turn():
    """Up to the first look at which the exploitability is at most the threshold."""
    looks = [1, 3, 4, 9, 30, 80]
    there, here = solver_of(SPOTS[0]), solver_of(SPOTS[0])
    expected = []
    for look in looks:
        there.run(look - there.iteration)
        expected.append(there.values())
        if look == 9:
            break
    assert here.run_until(looks, expected[-1].exploitability) == expected
    assert here.iteration == 9
    for name, table in here.tables.items():
        np.testing.assert_array_equal(table, there.tables[name])
    assert len(here.run_until(looks[4:], -1.0)) == 2
    assert here.iteration == 80


def test_no_run_until_where_kernels_cannot():
    locked = river(BOARDS[0])
    locked.locks = [{"line": "X", "strategy": {"X": 1.0}}]
    for solver in (
        solver_of(locked),
        solver_of(SPOTS[0], threads=2),
        solver_of(SPOTS[0], algorithm="cfr(alternating=False)"),
        solver_of(PUBLIC),
    ):
        assert solver.run_until([1, 2], 0.0) == []
        assert solver.iteration == 0


def test_rivers_are_solved_in_one_compiled_call(monkeypatch):
    eq.solve_many(
        [SPOTS[0]], until="0.5%"
    )  # the first of a process warms kernels up, by walks of their own
    walks = []
    walk = CardWalker.walk
    monkeypatch.setattr(
        CardWalker,
        "walk",
        lambda self, kernel, *options: walks.append(kernel) or walk(self, kernel, *options),
    )
    eq.solve_many([SPOTS[0]], until="0.5%")
    assert len(walks) == 1
    assert not {iterate, response_walk} & set(walks)
    walks.clear()
    eq.batch({"game": str(SPOTS[0]), "until": "0.5%"}, measure=iterations_of)
    assert walks.count(iterate_until) == 1
    assert iterate not in walks
    for followed in (
        {},
        {"callbacks": lambda point: None},
        {"callbacks": Unfollowed(), "record": "all"},
    ):
        walks.clear()
        eq.solve(SPOTS[0], until="0.5%", **followed)
        assert {iterate, response_walk} <= set(walks)
        assert iterate_until not in walks


def iterations_of(solution):
    return {"iterations": solution.iterations}


@pytest.mark.parametrize("limits", [{"until": "0.5%"}, {"limits": eq.Limits(nodes=400_000)}])
def test_an_unfollowed_run_goes_on_where_it_was_stopped(limits, tmp_path, monkeypatch):
    monkeypatch.setattr("equilibrist.solving.run._SLICE_SLOTS", 1 << 12)
    asked = iter([False, False, True])
    stopped = eq.solve(
        SPOTS[0], **limits, save=tmp_path, callbacks=Unfollowed(should_stop=lambda: next(asked))
    )
    assert stopped.stop_reason == "stop"
    resumed = eq.solve(resume=tmp_path, save=tmp_path, **limits, callbacks=Unfollowed())
    assert resumed.iterations > stopped.iterations > 0
    whole = eq.solve(SPOTS[0], **limits)
    assert [point._replace(seconds=0.0) for point in resumed.trace] == [
        point._replace(seconds=0.0) for point in whole.trace
    ]
    same(eq.load_solution(tmp_path), resumed)


@pytest.mark.parametrize(
    "precision",
    ["float32", *(pytest.param(name, marks=pytest.mark.slow) for name in ("float64", "int16"))],
)
def test_nothing_is_compiled_while_games_are_solved(precision):
    warm_up_ahead("cards", precision)
    warm = len(iterate_until.signatures)
    eq.solve_many(SPOTS[:2], until="0.5%", precision=precision)
    assert len(iterate_until.signatures) == warm > 0


def test_a_long_run_is_cut_where_signals_are_heard(monkeypatch):
    monkeypatch.setattr("equilibrist.solving.run._SLICE_SLOTS", 1 << 12)
    calls = []
    run_until = CardCFR.run_until
    monkeypatch.setattr(
        CardCFR,
        "run_until",
        lambda self, looks, least: calls.append(looks) or run_until(self, looks, least),
    )
    solution = eq.solve_many(SPOTS[:1], until="0.3%")[0]
    assert len(calls) > 2
    monkeypatch.undo()
    same(solution, eq.solve(SPOTS[0], until="0.3%"))


def test_spots_share_their_betting():
    forms = [eq.compile_cards(spot) for spot in (*SPOTS, river(BOARDS[0], pot=30))]
    assert SPOTS[0].tree is SPOTS[1].tree
    assert forms[0].betting is forms[1].betting
    assert forms[0].arrays.betting is forms[2].arrays.betting
    assert forms[3].betting is not forms[0].betting
    assert forms[3].fingerprint != forms[0].fingerprint
    after = [
        eq.poker.Holdem(BOARDS[0], *RANGES, pot=20, stack=90, after=line) for line in ("X", "B10")
    ]
    assert eq.compile_cards(after[0]).betting is not eq.compile_cards(after[1]).betting


def test_a_lock_is_kept():
    locked = river(BOARDS[0])
    locked.locks = [{"line": "X", "strategy": {"X": 1.0}}]
    many = eq.solve_many([locked, SPOTS[0]], until="0.5%")
    same(many[0], eq.solve(locked, until="0.5%"))
    same(many[1], eq.solve(SPOTS[0], until="0.5%"))
    assert many[0].value != many[1].value


def test_solutions_are_told_as_they_come():
    told = {}
    solutions = eq.solve_many(MIXED, iterations=4, threads=2, callbacks=told.__setitem__)
    assert sorted(told) == list(range(len(MIXED)))
    assert all(told[number] is solution for number, solution in enumerate(solutions))


def test_games_keep_their_names_and_settings():
    solution = eq.solve_many(["kuhn(cards=4)"], "dcfr", iterations=3)[0]
    assert (solution.game, solution.algorithm, solution.iterations) == ("kuhn(cards=4)", "dcfr", 3)


def test_no_games():
    assert eq.solve_many([]) == []


def test_what_is_solved_goes_on():
    begun = eq.solve_many(SPOTS[:1], iterations=10)[0]
    whole = eq.solve(SPOTS[0], iterations=40)
    resumed = eq.solve(resume=begun, iterations=40)
    np.testing.assert_array_equal(resumed.state["regret_sum"], whole.state["regret_sum"])


@pytest.mark.parametrize(
    ("games", "options", "message"),
    [
        (["kuhn", "khun"], {}, "Game 1: There is no game 'khun'. Did you mean 'kuhn'?"),
        (["kuhn"], {"until": "1%"}, "Game 0: until='1%' is a share of the pot"),
        (
            [SPOTS[0], "kuhn"],
            {"until": eq.CCE(0.1)},
            "Game 0: CCE.0.1. is for games that are general-sum",
        ),
        (["kuhn"], {"threads": 0}, "threads must be a whole number, 1 to 1024, or 'auto'; got 0"),
        ("kuhn", {}, "solve_many.. takes a list of games; got 'kuhn'"),
        (["kuhn"], {"callbacks": 3}, "must be a callable, eq.Callbacks.*; got 3"),
        (["kuhn"], {"algorithm": "dfcr"}, "dfcr"),
    ],
)
def test_wrong_use(games, options, message):
    told = []
    with pytest.raises((eq.GameError, eq.AlgorithmError), match=message):
        eq.solve_many(games, **{"callbacks": lambda *solution: told.append(solution), **options})
    assert told == []


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_callback_raises_ends_all(threads):
    told = []

    def refuse(number, solution):
        told.append(number)
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        eq.solve_many(
            [*SPOTS[:2], "leduc"],
            iterations=10**9,
            seconds=0.05,
            threads=threads,
            callbacks=refuse,
        )
    assert len(told) == 1


def test_an_error_ends_the_runs_that_have_begun(monkeypatch):
    """The other run has no end of its own but a limit that is far off, and is told to stop by the error."""
    reasons = []
    execute = Run.execute

    both = threading.Barrier(2, timeout=60)

    def noted(self, callbacks, signals=None):
        both.wait()  # on a busy machine one might have ended before the other begins
        solution = execute(self, callbacks, signals)
        reasons.append(solution.stop_reason)
        return solution

    def refuse(number, solution):
        raise ValueError("enough")

    monkeypatch.setattr(Run, "execute", noted)
    endless = "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])"
    with pytest.raises(ValueError, match="enough"):
        eq.solve_many(
            [Call(), endless], "cfr", until=1e-12, seconds=60.0, threads=2, callbacks=refuse
        )
    assert sorted(reasons) == ["interrupt", "until"]


def test_an_error_cancels_the_runs_that_have_not_begun(monkeypatch):
    """The second run, which may have begun, goes on once it is told to stop: by then the others are cancelled."""
    begun = []
    execute = Run.execute

    def noted(self, callbacks, signals=None):
        begun.append(self)
        while len(begun) > 1 and not signals:
            time.sleep(1e-3)
        return execute(self, callbacks, signals)

    def refuse(number, solution):
        raise ValueError("enough")

    monkeypatch.setattr(Run, "execute", noted)
    with pytest.raises(ValueError, match="enough"):
        eq.solve_many(["kuhn"] * 5, iterations=1, threads=1, callbacks=refuse)
    assert len(begun) <= 2


class Call:
    """A game in which nothing that the player does matters: solved after an iteration."""

    players = 1

    def start(self):
        return ""

    def player(self, state):
        return eq.TERMINAL if state else 0

    def actions(self, state):
        return ["h", "t"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return action

    def payoffs(self, state):
        return [1.0]

    def infoset(self, state):
        return "call"


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_all_runs_and_returns_them(threads):
    def interrupt(number, solution):
        if number == 0:
            signal.raise_signal(signal.SIGINT)

    games = [Call(), SPOTS[0], "leduc", "kuhn"]
    solutions = eq.solve_many(games, until=1e-30, threads=threads, callbacks=interrupt)
    assert [solution.stop_reason for solution in solutions] == ["until", *["interrupt"] * 3]
    assert all(solution.iterations >= 1 for solution in solutions)
