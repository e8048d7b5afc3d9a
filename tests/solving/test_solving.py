"""solve(): what ends a run, what it reports, and that stopping and resuming leaves no mark."""

import re
import signal
import subprocess
import sys
import threading
import time

import numba
import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cluster import ray_cluster
from equilibrist.form.compiling import tell_compiling
from equilibrist.solving import plan
from equilibrist.solving.keywords import solve_keywords
from support.runs import FOREVER, GENERAL, powers_of_root_2, stop_at_6, without_seconds
from support.spelled import turns

rows = pytest.mark.parametrize("name", eq.ALGORITHMS)


# --- What ends a run ---


def test_iterations():
    solution = eq.solve("kuhn", "cfr", iterations=37)
    assert (solution.iterations, solution.stop_reason) == (37, "iterations")


def test_until():
    solution = eq.solve("kuhn", "cfr+", until=1e-3)
    assert solution.stop_reason == "until"
    assert solution.exploitability <= 1e-3
    assert solution.exploitability == solution.nash_conv / 2
    # Not much later than it could have been (exploitability goes up and down on its way): half are too few.
    assert eq.solve("kuhn", "cfr+", iterations=solution.iterations // 2).exploitability > 1e-3


@pytest.mark.slow
def test_seconds():
    solution = eq.solve("leduc", "cfr", seconds=0.3)
    assert solution.stop_reason == "seconds"
    assert solution.seconds["solve"] > 0.2
    assert solution.iterations == solution.trace[-1].iteration > 0


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [
        ({"iterations": 5, "until": 1e-12, "seconds": 60}, "iterations"),
        ({"iterations": FOREVER, "until": 0.1, "seconds": 60}, "until"),
        ({"iterations": FOREVER, "until": 1e-300, "seconds": 0.1}, "seconds"),
        ({"iterations": 1, "until": 100}, "until"),
    ],
)
def test_the_first_limit_met_ends_the_run(limits, stopped):
    assert eq.solve("kuhn", "cfr", **limits).stop_reason == stopped


def test_without_a_limit_there_are_1000_iterations():
    solution = eq.solve("kuhn")
    assert (solution.iterations, solution.stop_reason) == (1000, "iterations")


def test_auto_says_what_it_chose():
    assert eq.solve("kuhn", iterations=1).algorithm in eq.ALGORITHMS


# --- What it reports ---


def test_the_trace_is_kept_at_powers_of_root_2_and_at_the_end():
    solution = eq.solve("kuhn", "cfr", iterations=1000)
    grid = [1, 2, 3, 4, 6, 8, 12, 16, 23, 32, 46, 64, 91, 128, 182, 256, 363, 512, 725]
    assert [point.iteration for point in solution.trace] == [*grid, 1000]
    assert powers_of_root_2(1000) == grid
    # Where the end is on the grid, it is there once.
    assert [point.iteration for point in eq.solve("kuhn", iterations=8).trace] == [1, 2, 3, 4, 6, 8]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_the_trace_tells_the_truth(spec, alternating):
    """Each checkpoint is what a run of that length returns."""
    solution = eq.solve(spec, f"dcfr(alternating={alternating})", iterations=46)
    for point in solution.trace:
        alone = eq.solve(spec, f"dcfr(alternating={alternating})", iterations=point.iteration)
        assert (alone.value, alone.nash_conv) == (point.value, point.nash_conv)
        assert point.exploitability == point.nash_conv / solution.players
        assert point.nodes_touched == point.iteration * solution.players * solution.histories
    assert solution.nodes_touched == solution.trace[-1].nodes_touched
    assert [point.seconds for point in solution.trace] == sorted(
        point.seconds for point in solution.trace
    )


def test_the_certificate_is_that_of_the_strategy():
    for spec in ("kuhn", "kuhn(players=3)", "leduc", GENERAL):
        solution = eq.solve(spec, iterations=25)
        result = eq.evaluate(spec, solution.strategy)
        assert (result.value, result.nash_conv) == (solution.value, solution.nash_conv)
        assert (result.histories, result.infosets, result.slots) == (
            solution.histories,
            solution.infosets,
            solution.slots,
        )


def test_sizes_and_seconds():
    solution = eq.solve("kuhn", iterations=5)
    assert (solution.game, solution.players, solution.zero_sum) == ("kuhn", 2, True)
    assert (solution.histories, solution.infosets, solution.slots) == (58, 12, 26)
    assert {"compile", "jit", "solve"} <= set(solution.seconds)
    assert all(spent >= 0 for spent in solution.seconds.values())
    assert "kuhn" in repr(solution)


@pytest.mark.parametrize(
    ("game", "label"),
    [
        ("kuhn", "Nash equilibrium up to nash_conv, which CFR drives to 0"),
        ("kuhn(players=3)", "3-player.*No theorem says that CFR finds an equilibrium"),
        (GENERAL, "general-sum.*promises no Nash equilibrium"),
    ],
)
def test_other_games_run_and_are_labelled(game, label):
    solution = eq.solve(game, iterations=50)
    assert solution.zero_sum == (game != GENERAL)
    assert re.search(label, solution.guarantee)
    assert solution.exploitability == solution.nash_conv / solution.players


def test_five_players():
    solution = eq.solve(turns([3, 1, 4, 0, 2], 5), iterations=50)
    assert (solution.players, len(solution.value)) == (5, 5)
    assert solution.nodes_touched == 50 * 5 * 63
    assert sum(solution.value) == pytest.approx(0, abs=1e-12)


def test_a_dominant_strategy_is_found_in_a_general_sum_game():
    assert eq.solve(GENERAL, "cfr+", iterations=2000).value == pytest.approx((1, 1), abs=0.01)


def test_callbacks():
    points, stages = [], []
    solution = eq.solve(
        "kuhn",
        iterations=20,
        callbacks=eq.Callbacks(on_checkpoint=points.append, on_stage=stages.append),
    )
    assert tuple(points) == solution.trace
    compiling, loading, solving = (
        next(i for i, stage in enumerate(stages) if text in stage)
        for text in ("Compiling kuhn", "Loading the kernels", "Solving kuhn")
    )
    assert compiling < loading < solving


def test_nothing_is_printed(capfd):
    eq.solve("kuhn", iterations=5)
    eq.exact("kuhn")
    assert capfd.readouterr() == ("", "")


def test_the_same_run_twice_is_the_same_solution():
    one, other = (eq.solve("leduc", iterations=30) for _ in range(2))
    assert without_seconds(one) == without_seconds(other)


def test_runs_do_not_share_memory():
    first = eq.solve("kuhn", iterations=5)
    before = without_seconds(first)
    eq.solve(resume=first, iterations=50)
    assert without_seconds(first) == before


# --- Stopped and resumed equals uninterrupted ---


@pytest.mark.thinned(4)
@rows
@pytest.mark.parametrize("alternating", [True, False])
def test_resumed_equals_uninterrupted(name, alternating, tmp_path):
    """For schedules, the first part is cut short by a limit, so that the plan stays the same."""
    whole = eq.solve("kuhn", f"{name}(alternating={alternating})", iterations=100)
    cut = eq.solve(
        "kuhn",
        f"{name}(alternating={alternating})",
        iterations=100,
        until=whole.trace[4].exploitability * 1.2,
    )
    assert cut.iterations < 100
    assert without_seconds(eq.solve(resume=cut, iterations=100)) == without_seconds(whole)
    cut.save(tmp_path)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=100)) == without_seconds(whole)
    assert without_seconds(
        eq.solve("kuhn", cut.config.algorithm, resume=str(tmp_path), iterations=100)
    ) == without_seconds(whole)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", ["kuhn(players=3)", GENERAL, "leduc"])
def test_resumed_three_times_equals_uninterrupted(spec, tmp_path):
    for iterations in (1, 5, 23, 60):
        solution = eq.solve(
            spec, resume=tmp_path if iterations > 1 else None, iterations=iterations, save=tmp_path
        )
    assert without_seconds(solution) == without_seconds(eq.solve(spec, iterations=60))


def test_a_game_of_ones_own_is_given_again():
    game = turns([1, 0], 2)
    first = eq.solve(game, iterations=10)
    resumed = eq.solve(game, resume=first, iterations=30)
    assert without_seconds(resumed) == without_seconds(eq.solve(game, iterations=30))


def test_an_algorithm_of_ones_own_is_stored_whole(tmp_path):
    mine = eq.Algorithm("mine", "me", alpha=2.0, gamma=eq.Ramp(3, 1))
    whole = without_seconds(eq.solve("kuhn", mine, iterations=30))
    for again in ({}, {"algorithm": mine}):
        eq.solve("kuhn", mine, iterations=30, limits=eq.Limits(nodes=500), save=tmp_path)
        resumed = eq.solve("kuhn", resume=tmp_path, iterations=30, **again)
        assert without_seconds(resumed) == whole
        assert resumed.config.algorithm == mine


def test_an_algorithm_of_the_same_name_but_other_numbers_is_refused():
    first = eq.solve("kuhn", eq.Algorithm("dcfr", "me", alpha=3.0), iterations=10)
    with pytest.raises(
        eq.AlgorithmError,
        match=r"has algorithm='dcfr' with source='me', .* got algorithm='dcfr' with source=",
    ):
        eq.solve(algorithm="dcfr", resume=first, iterations=20)


def test_a_run_that_is_already_there_stops_at_once():
    first = eq.solve("kuhn", iterations=50)
    for limits, stopped in (
        ({"iterations": 50}, "iterations"),
        ({"iterations": 20}, "iterations"),
        ({"until": 1}, "until"),
    ):
        again = eq.solve(resume=first, **limits)
        assert (again.iterations, again.stop_reason) == (50, stopped)
        assert without_seconds(again) | {"stop_reason": ""} == without_seconds(first) | {
            "stop_reason": ""
        }


def test_time_is_added_up():
    first = eq.solve("leduc", iterations=200)
    assert eq.solve(resume=first, iterations=201).seconds["solve"] >= first.seconds["solve"]


def test_resuming_without_a_limit():
    assert eq.solve(resume=eq.solve("kuhn", iterations=10)).iterations == 1000


def test_resuming_a_schedule_without_a_limit_ends_where_it_was_planned_to():
    cut = eq.solve("kuhn", "hs-pcfr+", iterations=100, until=0.3)
    assert cut.iterations < 100
    assert without_seconds(eq.solve(resume=cut)) == without_seconds(
        eq.solve("kuhn", "hs-pcfr+", iterations=100)
    )


# --- Ctrl-C ---


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["pcfr+", "hs-dcfr"])
def test_an_interrupt_ends_the_run_and_leaves_no_mark(name, tmp_path):
    limits = {"iterations": 10**7} if name == "hs-dcfr" else {}
    cut = eq.solve(
        "leduc", name, **limits or {"iterations": FOREVER}, save=tmp_path, callbacks=stop_at_6
    )
    assert cut.stop_reason == "interrupt"
    assert 6 <= cut.iterations < 10**6
    assert cut.trace[-1].iteration == cut.iterations
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    assert without_seconds(eq.load_solution(tmp_path)) == without_seconds(cut)
    # Going on for a while, against a run that was never interrupted and planned the same.
    last = cut.iterations + 50
    if name == "hs-dcfr":
        planned = eq.cfr.sequence_cfr.SequenceCFR(
            eq.compile_game(eq.load("leduc")), eq.ALGORITHMS[name], horizon=limits["iterations"]
        )
        planned.run(last)
        resumed = eq.solve(resume=tmp_path, iterations=last)
        assert resumed.iterations == last
        for key, array in planned.state_dict().items():
            assert np.array_equal(resumed.state[key], array)
    else:
        whole = eq.solve("leduc", name, iterations=last)
        assert without_seconds(eq.solve(resume=tmp_path, iterations=last)) == without_seconds(whole)


def test_an_interrupt_is_heard_between_checkpoints():
    cut = eq.solve("liars_dice(faces=5)", "cfr", iterations=FOREVER, callbacks=stop_at_6)
    assert cut.stop_reason == "interrupt"
    assert cut.iterations < 10**6


def test_solving_in_another_thread_leaves_signals_alone():
    before, results = signal.getsignal(signal.SIGINT), []
    thread = threading.Thread(target=lambda: results.append(eq.solve("kuhn", iterations=10)))
    thread.start()
    thread.join()
    assert results[0].iterations == 10
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
def test_a_handler_of_the_users_own_stays_in_charge():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        solution = eq.solve("leduc", seconds=0.5, callbacks=stop_at_6)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (heard, solution.stop_reason) == ([1], "seconds")


# --- Saving while solving ---


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_a_folder_that_goes_on(tmp_path):
    """SIGKILL in the midst of saving again and again."""
    program = f"""
import time
import equilibrist.solving.run
equilibrist.solving.run._SAVE_EVERY = 0.0
import equilibrist as eq
from equilibrist.cluster import ray_cluster
from equilibrist.form.compiling import tell_compiling
from equilibrist.solving import plan
eq.solve("kuhn", "cfr+", iterations={FOREVER}, save={str(tmp_path)!r}, callbacks=lambda point: time.sleep(0.02))
"""
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        deadline = time.monotonic() + 60
        while (
            not (tmp_path / "solution.json").exists()
            and time.monotonic() < deadline
            and process.poll() is None
        ):
            time.sleep(0.01)
        time.sleep(0.1)
    finally:
        process.kill()
        process.wait()
    saved = eq.load_solution(tmp_path)
    assert saved.stop_reason == "interrupt"
    last = saved.iterations + 10
    assert without_seconds(eq.solve(resume=tmp_path, iterations=last)) == without_seconds(
        eq.solve("kuhn", "cfr+", iterations=last)
    )


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    stages = []
    with pytest.raises(eq.SolutionError, match=r"Nothing can be written to the folder .*file"):
        eq.solve(
            "kuhn",
            iterations=1,
            save=tmp_path / "file",
            callbacks=eq.Callbacks(on_stage=stages.append),
        )
    assert stages == []


# --- Wrong options ---


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"iterations": 0}, "iterations must be a whole number, 1 or more; got 0"),
        ({"iterations": -3}, "iterations must be a whole number"),
        ({"iterations": 2.5}, "iterations must be a whole number, 1 or more; got 2.5"),
        ({"iterations": True}, "iterations must be a whole number"),
        ({"iterations": "10"}, "iterations must be a whole number, 1 or more; got '10'"),
        ({"until": 0}, "until must be a number above 0, .*; got 0"),
        ({"until": -1e-3}, "until must be a number above 0"),
        ({"until": float("nan")}, "until must be a number above 0, .*; got nan"),
        ({"until": float("inf")}, "until must be a number above 0, .*; got inf"),
        ({"until": "1e-3"}, "until must be a number above 0, .*; got '1e-3'"),
        ({"seconds": 0}, "seconds must be a number above 0; got 0"),
        ({"seconds": float("inf")}, "seconds must be a number above 0"),
        ({"until": 10**400}, "until must be a number above 0"),
        ({"seconds": 10**400}, "seconds must be a number above 0"),
        ({"max_memory_gb": 10**400}, "memory_gb must be gigabytes above 0"),
        ({"max_histories": 10**400}, "histories must be a whole number"),
        ({"max_depth": 10**400}, "depth must be a whole number"),
        ({"callbacks": 3}, "callbacks must be a callable, .*; got 3"),
        ({"limits": 3}, "limits must be eq.Limits"),
        ({"algorithm": "crf"}, "There is no algorithm 'crf'. Did you mean .*'cfr'"),
        ({"algorithm": "hs-dcfr", "until": 1e-3}, "'hs-dcfr' is a schedule .* give iterations="),
        ({"algorithm": "hs-pcfr+", "seconds": 1}, "'hs-pcfr.' is a schedule .* give iterations="),
    ],
)
def test_options_that_make_no_sense(options, match):
    with pytest.raises(eq.AlgorithmError, match=match) as caught:
        eq.solve("kuhn", **solve_keywords(options))
    assert caught.value.wrong_use


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_no_folder_is_called_so(name, somewhere, tmp_path):
    for call in (
        lambda: eq.solve("kuhn", iterations=2, save=name),
        lambda: eq.solve(resume=name),
        lambda: eq.load_solution(name),
        lambda: eq.Strategy.read_csv(name),
        lambda: eq.Strategy.from_dict({(0, "J"): {"b": 1}}).write_csv(name),
    ):
        with pytest.raises(eq.SolutionError, match="No file or folder can be named"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_a_game_or_a_saved_run_is_needed():
    with pytest.raises(eq.AlgorithmError, match="needs a game, or a saved run to resume"):
        eq.solve()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda folder: eq.solve("kuhn", backend=eq.Cluster(2)),
            "kuhn is compiled as a sequence form, which is not split",
        ),
        (
            lambda folder: eq.solve("kuhn", save=eq.Save(folder, streets=1)),
            "streets=1 would do nothing",
        ),
        (
            lambda folder: eq.solve(
                "leduc", sampling="external(tree=False)", save=eq.Save(folder, streets=1)
            ),
            "do nothing",
        ),
        (
            lambda folder: eq.solve("kuhn", form="public", backend=eq.Cluster(2, ray="auto")),
            "A cluster needs Ray",
        ),
        (lambda folder: eq.exact("mini_euchre"), "mini_euchre has 4 players. Use solve"),
    ],
)
def test_what_needs_no_kernels_is_refused_before_they_are_loaded(
    call, message, tmp_path, monkeypatch
):
    for name in ("warm_up", "warm_up_lazy"):
        monkeypatch.setattr(plan, name, lambda *_, **__: pytest.fail("kernels are loaded"))
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)
    with pytest.raises(eq.EquilibristError, match=message) as caught:
        call(tmp_path / "run")
    assert caught.value.wrong_use


def test_compiling_is_told_where_numba_compiles():
    told = []
    kernel = numba.njit(lambda number: number + 1)
    for number, expected in (
        (1, 1),
        (2, 1),
        (0.5, 2),
    ):  # a type that is known is not compiled again
        with tell_compiling(told.append):
            kernel(number)
        assert len(told) == expected
    assert told[0].startswith(
        "Compiling kernels, which takes 5 to 20 seconds, longer on a busy machine: "
    )
    with tell_compiling(None):
        kernel(1j)
    eq.solve("kuhn", iterations=1)
    stages = []
    eq.solve("kuhn", iterations=1, callbacks=eq.Callbacks(on_stage=stages.append))
    assert not [stage for stage in stages if "Compiling kernels" in stage]


def test_limits_of_compilation():
    with pytest.raises(eq.GameError, match="more than 57 histories"):
        eq.solve("kuhn", limits=eq.Limits(histories=57))
    with pytest.raises(eq.GameError, match="does not end within 2 moves"):
        eq.exact("kuhn", limits=eq.Limits(depth=2))


def test_what_cannot_be_resumed():
    first = eq.solve("kuhn", "cfr", iterations=10)
    simultaneous = eq.solve("kuhn", "cfr(alternating=False)", iterations=10)
    schedule = eq.solve("kuhn", "hs-dcfr", iterations=10)
    own = eq.solve(turns([0, 1], 2), iterations=10)
    for old, options, error, match in (
        (
            first,
            {"algorithm": "dcfr"},
            eq.AlgorithmError,
            r"has algorithm='cfr', and can only go on so; got algorithm='dcfr'",
        ),
        (
            first,
            {"algorithm": "auto(alternating=False)"},
            eq.AlgorithmError,
            "got algorithm='cfr\\(alternating=False",
        ),
        (simultaneous, {"algorithm": "cfr"}, eq.AlgorithmError, "got algorithm='cfr'"),
        (first, {"game": "kuhn(ante=2)"}, eq.SolutionError, "another game: .* Start afresh"),
        (first, {"game": "leduc"}, eq.SolutionError, "another game: leduc"),
        (
            schedule,
            {"iterations": 11},
            eq.AlgorithmError,
            "was planned for 10 iterations; got iterations=11",
        ),
        (
            eq.exact("kuhn"),
            {},
            eq.SolutionError,
            "holds no regrets to go on with; it can be read, not resumed",
        ),
        (
            own,
            {},
            eq.SolutionError,
            "solved spelled, which cannot be loaded: There is no game 'spelled'.* Give the game",
        ),
    ):
        with pytest.raises(error, match=match):
            eq.solve(resume=old, **{"iterations": 20} | options)
    assert eq.solve(resume=simultaneous, iterations=20).config.algorithm.alternating is False


@pytest.mark.parametrize("options", [{"resume": 5}, {"save": 5}])
def test_what_is_no_folder_is_refused_in_a_sentence(options):
    with pytest.raises(eq.SolutionError, match="got 5") as refused:
        eq.solve("kuhn", iterations=3, **options)
    assert refused.value.wrong_use


# --- Nothing computed is lost ---


def test_an_older_run_in_the_folder_is_kept(tmp_path):
    eq.solve("kuhn", "cfr", iterations=50, save=tmp_path)
    eq.solve("kuhn", "cfr+", iterations=10, save=tmp_path)
    assert eq.load_solution(tmp_path).algorithm == "cfr+"
    (tmp_path / "checkpoint.previous.npz").replace(tmp_path / "checkpoint.npz")
    assert eq.load_solution(tmp_path).iterations == 50
    eq.solve(resume=tmp_path, iterations=60, save=tmp_path)
    assert not (tmp_path / "checkpoint.previous.npz").exists()


def test_a_solution_that_cannot_be_saved_comes_with_the_error(tmp_path, monkeypatch):
    def full(solution, folder, **options):
        raise eq.SolutionError(f"{folder} cannot be written: No space left on device.")

    monkeypatch.setattr("equilibrist.solving.run.write_folder", full)
    with pytest.raises(eq.SolutionError, match="No space left") as caught:
        eq.solve("kuhn", iterations=20, save=tmp_path)
    assert caught.value.solution.iterations == 20


def test_limits_may_be_numbers_of_numpy(tmp_path):
    limits = {"iterations": np.int64(30), "until": np.float32(1e-9), "seconds": np.float64(60)}
    solution = eq.solve("kuhn", "hs-pcfr+", **limits, save=tmp_path)
    assert eq.load_solution(tmp_path).config.horizon == solution.config.horizon == 30
