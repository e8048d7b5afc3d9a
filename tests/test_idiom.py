"""One public idiom: what a thing is called in one public function, it is called in all."""

import inspect
from functools import cache

import pytest

import equilibrist as eq
from equilibrist._util.callbacks import METHODS
from equilibrist.form.limits import Limits

FORBIDDEN = {"max_histories", "max_depth", "out", "processes", "progress", "track"} | set(METHODS)
"""Parameters that no public function has: parts of ``limits`` and ``callbacks``, and other words for the same."""


@cache
def public_functions():
    """Return all public functions, and what makes public classes, by name."""
    found = {}
    for place in (eq, eq.poker, eq.learn, eq.types, eq.plot):
        for name in sorted(set(dir(place))):
            thing = getattr(place, name)
            if not name.startswith("_") and callable(thing):
                found.setdefault(id(thing), (f"{place.__name__}.{name}", thing))
    return dict(found.values())


def parameters(function):
    try:
        return inspect.signature(function).parameters
    except ValueError:  # of a built-in type
        return {}


LIMITED = {
    "all_equilibria": lambda **how: eq.all_equilibria("rps", **how).equilibria[0].payoffs,
    "check_game": lambda **how: eq.check_game(eq.load("kuhn"), **how).histories,
    "compare": lambda **how: len(eq.compare("kuhn", algorithms="cfr", iterations=2, **how).results),
    "compile_game": lambda **how: eq.compile_game(eq.load("kuhn"), **how).fingerprint,
    "compile_public": lambda **how: (
        eq.compile_public(eq.load("kuhn").public_states(), **how).fingerprint
    ),
    "correlated_equilibrium": lambda **how: eq.correlated_equilibrium("kuhn", **how).value,
    "evaluate": lambda **how: eq.evaluate("kuhn", {}, missing="uniform", **how).value,
    "exact": lambda **how: eq.exact("kuhn", **how).value,
    "explain": lambda **how: eq.learn.explain("kuhn", deal="QK", **how).updates,
    "exploit": lambda **how: eq.exploit("kuhn", "uniform", **how).bounds,
    "exploit_frontier": lambda **how: eq.exploit_frontier("kuhn", "uniform", **how).points,
    "local_best_response": lambda **how: (
        eq.local_best_response("kuhn", {}, hands=None, **how).exploitability
    ),
    "merged_histories": lambda **how: eq.merged_histories("kuhn", **how),
    "play_match": lambda **how: eq.play_match(
        "kuhn", {}, against={}, missing="uniform", hands=10, seed=1, **how
    ).summary(),
    "strategy_from_policy": lambda **how: eq.strategy_from_policy(
        "kuhn",
        lambda decisions: decisions.legal / decisions.legal.sum(axis=1, keepdims=True),
        **how,
    ).probabilities.tolist(),
    "team_equilibrium": lambda **how: eq.team_equilibrium("kuhn", "0/1", **how).value,
    "tree": lambda **how: len(eq.plot.tree("kuhn", **how).axes),
    "write_report": lambda **how: how,
}
"""How each function that takes limits is called, and what is seen of its answer."""


def test_no_public_function_has_a_parameter_of_an_old_name():
    guilty = {
        name: sorted(FORBIDDEN & set(parameters(function)))
        for name, function in public_functions().items()
        if function is not eq.Callbacks and FORBIDDEN & set(parameters(function))
    }
    assert guilty == {}


def test_all_that_take_limits_are_looked_at():
    taking = {
        name.rpartition(".")[2]
        for name, function in public_functions().items()
        if "limits" in parameters(function)
    }
    assert taking - {"solve", "SolveConfig"} == set(LIMITED)


def test_there_is_one_class_of_limits():
    assert eq.Limits is Limits


@pytest.mark.thinned(17)
@pytest.mark.parametrize("name", sorted(set(LIMITED) - {"write_report"}))
def test_limits_that_suffice_change_nothing(name):
    call = LIMITED[name]
    assert call(limits=eq.Limits(histories=60)) == call()


@pytest.mark.parametrize("name", sorted(set(LIMITED) - {"write_report", "play_match"}))
def test_limits_are_kept(name):
    with pytest.raises(eq.EquilibristError, match=r"histor|state"):
        LIMITED[name](limits=eq.Limits(histories=2))


def test_a_match_keeps_to_limits_and_goes_by_the_rules():
    match = LIMITED["play_match"](limits=eq.Limits(histories=2))
    assert match["sampled"] == "rules"


@pytest.mark.parametrize("name", sorted(set(LIMITED) - {"write_report"}))
def test_a_limit_that_cannot_be_kept_is_refused(name):
    with pytest.raises(eq.AlgorithmError, match=r"eq\.Limits\(nodes=5\)\. Leave nodes out"):
        LIMITED[name](limits=eq.Limits(nodes=5))
    with pytest.raises(eq.AlgorithmError, match=r"limits must be eq\.Limits"):
        LIMITED[name](limits=60)


def test_a_report_refuses_what_it_cannot_keep_to(tmp_path):
    run = eq.solve("kuhn", iterations=2)
    with pytest.raises(eq.AlgorithmError, match=r"write_report keeps to limits"):
        eq.write_report(run, tmp_path / "page.html", limits=eq.Limits(nodes=5))


@pytest.mark.parametrize("limit", [{"histories": 1_000}, {"memory_gb": 1}])
def test_a_walk_refuses_limits_of_what_is_stored(limit):
    with pytest.raises(eq.GameError, match="A walk stores nothing of the game"):
        eq.evaluate("kuhn", {}, missing="uniform", form="walk", limits=eq.Limits(**limit))
    with pytest.raises(eq.GameError, match="A walk stores nothing of the game"):
        eq.compile_game(eq.load("kuhn"), form="walk", limits=eq.Limits(**limit))


# --- Callbacks ---

SPOT = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"
STUDY = {"game": "kuhn", "iterations": 3}


TOLD = {
    "all_equilibria": ("on_stage", lambda folder, **how: eq.all_equilibria("rps", **how)),
    "batch": ("on_progress", lambda folder, **how: eq.batch(STUDY, **how)),
    "board_report": (
        "on_progress",
        lambda folder, **how: eq.poker.board_report(SPOT, "2s3h4d6c7c:1", iterations=3, **how),
    ),
    "compare": (
        "on_checkpoint",
        lambda folder, **how: eq.compare("kuhn", algorithms="cfr", iterations=3, **how),
    ),
    "correlated_equilibrium": (
        "on_stage",
        lambda folder, **how: eq.correlated_equilibrium("kuhn", **how),
    ),
    "evaluate": (
        "on_stage",
        lambda folder, **how: eq.evaluate("kuhn", {}, missing="uniform", **how),
    ),
    "exact": ("on_stage", lambda folder, **how: eq.exact("kuhn", **how)),
    "explain": ("on_stage", lambda folder, **how: eq.learn.explain("kuhn", iteration=3, **how)),
    "play_match": (
        "on_stage",
        lambda folder, **how: eq.play_match("kuhn", {}, missing="uniform", hands=10, **how),
    ),
    "run_out_report": (
        "on_stage",
        lambda folder, **how: eq.poker.run_out_report(
            eq.solve(SPOT.replace("7c'", "'"), iterations=1), "X-X", **how
        ),
    ),
    "solve": ("on_checkpoint", lambda folder, **how: eq.solve("kuhn", iterations=3, **how)),
    "solve_many": ("on_solution", lambda folder, **how: eq.solve_many(["kuhn"], **how)),
    "push_fold_charts": (
        "on_stack",
        lambda folder, **how: eq.poker.push_fold_charts([2], until=1e-1, **how),
    ),
    "strategy_from_policy": (
        "on_stage",
        lambda folder, **how: LIMITED["strategy_from_policy"](**how),
    ),
    "team_equilibrium": (
        "on_stage",
        lambda folder, **how: eq.team_equilibrium("kuhn", "0/1", **how),
    ),
    "write_report": (
        "on_stage",
        lambda folder, **how: eq.write_report(
            eq.solve("kuhn", iterations=3), folder / "page.html", **how
        ),
    ),
    "write_hands": (
        "on_stage",
        lambda folder, **how: eq.poker.write_hands(
            eq.solve(SPOT, iterations=3), folder / "hands.phhs", hands=1_000, seed=1, **how
        ),
    ),
    "exploit": (
        "on_checkpoint",
        lambda folder, **how: eq.exploit("kuhn", "uniform", until=0.1, **how),
    ),
    "exploit_frontier": (
        "on_checkpoint",
        lambda folder, **how: eq.exploit_frontier("kuhn", "uniform", until=0.1, answers=3, **how),
    ),
    "local_best_response": (
        "on_stage",
        lambda folder, **how: eq.local_best_response("kuhn", {}, hands=2_000, seed=1, **how),
    ),
    "grade": ("on_stage", None),  # tests/poker/histories
    "check_game": ("on_histories", None),  # tests/form: of a game with many histories
    "compile_game": ("on_histories", None),
    "compile_public": ("on_histories", None),
}
"""What a plain function hears of each function that takes callbacks, and how it is called."""
CALLED = sorted(name for name, (_, call) in TOLD.items() if call is not None)


def test_all_that_take_callbacks_are_looked_at():
    taking = {
        name.rpartition(".")[2]
        for name, function in public_functions().items()
        if "callbacks" in parameters(function)
    }
    assert taking == set(TOLD)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "write_report" else ())
        for name in CALLED  # a report draws all its pictures
    ],
)
def test_a_plain_function_and_callbacks_hear_the_same(name, tmp_path):
    method, call = TOLD[name]
    heard = []
    named = []
    call(tmp_path, callbacks=lambda *told: heard.append(len(told)))
    call(tmp_path, callbacks=eq.Callbacks(**{method: lambda *told: named.append(len(told))}))
    assert heard == named
    assert heard


@pytest.mark.parametrize("name", CALLED)
def test_what_is_never_called_is_refused(name, tmp_path):
    call = TOLD[name][1]
    with pytest.raises(eq.AlgorithmError, match=rf"{name} never calls on_plan"):
        call(tmp_path, callbacks=eq.Callbacks(on_plan=print))
    with pytest.raises(eq.AlgorithmError, match=r"must be a callable.*got 3"):
        call(tmp_path, callbacks=3)


def test_objects_with_methods_hear_what_they_name_and_several_hear_the_same():
    class Diary:
        def __init__(self):
            self.stages = []

        def on_stage(self, text):
            self.stages.append(text)

    diary = Diary()
    stages = []
    eq.exact("kuhn", callbacks=[diary, stages.append])
    assert diary.stages == stages
    assert stages


# --- Trackers of several runs ---


class Diary:
    """A tracker that notes what it hears, by name."""

    def __init__(self):
        self.notes = []

    def on_start(self, about):
        self.notes.append(("start", about.experiment))

    def on_checkpoint(self, point):
        self.notes.append(("checkpoint", point.iteration))

    def on_stage(self, text):
        self.notes.append(("stage", text))

    def on_end(self, solution):
        self.notes.append(("end", solution.iterations))


SEVERAL = {
    "batch": lambda **how: eq.batch({"game": "kuhn", "iterations": 3, "name": "small"}, **how),
    "compare": lambda **how: eq.compare("kuhn", algorithms="cfr", iterations=3, **how),
}
"""Functions of several runs, whose trackers follow each run."""


@pytest.mark.parametrize("name", SEVERAL)
def test_a_tracker_among_callbacks_follows_each_run(name):
    diary = Diary()
    heard = []
    SEVERAL[name](callbacks=[diary, eq.Callbacks(on_stage=heard.append)])
    game = "small" if name == "batch" else "kuhn"
    assert ("start", f"{name} {game}") in diary.notes
    assert diary.notes[-1] == ("end", 3)
    assert [number for kind, number in diary.notes if kind == "checkpoint"] == [1, 2, 3]
    stages = [text for kind, text in diary.notes if kind == "stage"]
    assert stages  # of the run
    assert heard  # of the function
    assert not set(stages) & set(heard)


@pytest.mark.parametrize("name", SEVERAL)
def test_one_object_hears_of_the_runs_and_of_the_whole(name):
    method = {"batch": "on_progress", "compare": "on_run"}[name]
    starts = []
    whole = []
    functions = {"on_start": starts.append, method: lambda *told: whole.append(told)}
    SEVERAL[name](callbacks=eq.Callbacks(**functions))
    assert len(starts) == 1
    assert whole


@pytest.mark.parametrize("name", SEVERAL)
def test_a_tracker_with_what_is_never_called_is_refused(name):
    with pytest.raises(
        eq.AlgorithmError, match=rf"{name} never calls on_plan: it calls .*on_start"
    ):
        SEVERAL[name](callbacks=eq.Callbacks(on_start=print, on_plan=print))


# --- Folders, executors, histories ---


@pytest.mark.slow
def test_an_executor_may_be_a_number_of_processes():
    study = {**STUDY, "vary": {"cards": [3, 4]}}
    alone = eq.batch(study).rows()
    side_by_side = eq.batch(study, executor=2).rows()
    assert [row["exploitability"] for row in alone] == [
        row["exploitability"] for row in side_by_side
    ]


def test_an_executor_is_one_process_at_least():
    for executor in (0, -1):
        with pytest.raises(
            eq.AlgorithmError, match="executor must be a number of processes, 1 or more"
        ):
            eq.batch(STUDY, executor=executor)
    assert eq.batch(STUDY, executor=1).finished
