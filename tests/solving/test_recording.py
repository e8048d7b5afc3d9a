"""Recordings: the numbers are the solver's own, whatever the solver; nothing changes in the run; files come back."""

import json
import math
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

import equilibrist as eq
from equilibrist.solving import recorder as recorder_module
from equilibrist.solving.keywords import solve_keywords
from support.reference import CFR
from support.runs import powers_of_root_2, without_seconds
from support.spelled import renamed, turns

LEDUC = "leduc"
WAYS = {
    "full": {},
    "simultaneous": {"algorithm": "dcfr(alternating=False)"},
    "public": {"form": "public"},
    "float32": {"form": "public", "precision": "float32"},
    "sequence float32": {"precision": "float32"},
    "external": {"sampling": "external", "seed": 3},
    "lazy": {"sampling": "outcome(average='lazy')", "seed": 3},
    "batch": {"sampling": "external(batch=4)", "threads": 2},
    "hands": {"form": "public", "sampling": "external", "seed": 3},
    "no tree": {"sampling": "external(tree=False)", "seed": 3},
}
SOME = ["J", "Qr", "Kcrc/Jcr", (0, "Jcr")]
ways = pytest.mark.parametrize(
    "options", [{"algorithm": "dcfr", **way} for way in WAYS.values()], ids=WAYS
)


def apart(solution):
    """Return all that a solution says, but for the time it took and what was recorded."""
    table = without_seconds(solution)
    del table["recording"]
    return table


def alike(one, other):
    """See that two recordings are equal, bit for bit; a difference is shown as one."""
    assert (one.wanted, one.every, list(one.infosets)) == (
        other.wanted,
        other.every,
        list(other.infosets),
    )
    assert one.iteration.tolist() == other.iteration.tolist()
    for name in ("strategy", "average_strategy", "regret_sum", "reach"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one == other


# --- The numbers ---


@pytest.mark.thinned(20)
@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+", "hs-dcfr"])
@pytest.mark.parametrize(
    ("spec", "alternating"),
    [("kuhn", True), ("kuhn", False), ("kuhn(players=3)", True), ("leduc(ranks=2)", False)],
)
def test_numbers_are_those_of_the_forty_lines(spec, name, alternating):
    """After each iteration: the strategy of the next, the average so far, the sums, and the own reach."""
    recording = eq.solve(
        spec, f"{name}(alternating={alternating})", iterations=20, record=eq.Record("all", every=1)
    ).recording
    reference = CFR(eq.load(spec), eq.ALGORITHMS[name], alternating=alternating, horizon=20)
    assert recording.iteration.tolist() == list(range(1, 21))
    for i in range(20):
        reference.iterate()
        average, played = reference.average(), {}
        for infoset in recording.infosets:
            key, actions = (infoset.player, infoset.key), infoset.actions
            one = recording.at(key)
            played[key] = dict(zip(actions, one.strategy[i].tolist(), strict=True))
            scale = min(
                reference.wanted[key], 1.0
            )  # where all regrets are rounding errors, so is the choice
            for numbers, row, weight in (
                (one.strategy, reference.strategy[key], scale),
                (one.average_strategy, average[key], 1.0),
                (one.regret_sum, reference.regret_sum[key], 1.0),
            ):
                assert numbers[i] * weight == pytest.approx(
                    [row[a] * weight for a in actions], abs=1e-12
                )
        reach = own_reach(reference.root, played, reference.players)
        assert {key: recording.at(key).reach[i] for key in played} == pytest.approx(
            reach, abs=1e-15
        )


def own_reach(root, strategy, players):
    """Return the product of the player's own probabilities before each infoset, from the histories alone."""
    found = {}

    def visit(node, reach):
        if node.key is not None:
            found[node.key] = reach[node.player]
        for label, child in node.children.items():
            after = list(reach)
            if node.key is not None:
                after[node.player] *= strategy[node.key][label]
            visit(child, after)

    visit(root, [1.0] * players)
    return found


@pytest.mark.slow
@ways
@pytest.mark.parametrize("name", ["cfr", "dcfr"])
def test_each_row_is_what_a_run_of_that_length_knows(name, options):
    """The average strategy is what it returns; the rest is in its memory, with what decays brought up to date."""
    options = {**options, "algorithm": name}
    recording = eq.solve(LEDUC, iterations=20, record=SOME, **options).recording
    assert recording.iteration.tolist() == [*powers_of_root_2(19), 20]
    for i, iterations in enumerate(recording.iteration.tolist()):
        alone = eq.solve(LEDUC, iterations=iterations, **options)
        again = eq.solve(LEDUC, iterations=iterations, record=SOME, **options).recording
        for infoset in recording.infosets:
            key = infoset.player, infoset.key
            one = recording.at(key)
            if key not in alone.strategy:
                assert np.isnan(one.strategy[i]).all()
                continue
            assert one.average_strategy[i].tolist() == list(alone.strategy[key].values())
            for measure in ("strategy", "regret_sum"):
                assert (
                    getattr(one, measure)[i].tobytes()
                    == getattr(again.at(key), measure)[-1].tobytes()
                )


def test_the_regrets_of_full_width_are_those_of_its_memory():
    solution = eq.solve(LEDUC, "cfr", iterations=23, record="all")
    form = eq.compile_game(eq.load(LEDUC))
    assert (
        solution.recording.regret_sum[-1].tolist()
        == solution.state["regret_sum"][form.slot].tolist()
    )
    assert (
        solution.recording.strategy[-1].tolist() == solution.state["strategy"][form.slot].tolist()
    )


def test_regrets_that_decay_when_they_are_needed_are_up_to_date():
    """The memory holds them as they were when their infoset was met last; what each iteration keeps is the row's."""
    row, options = eq.ALGORITHMS["dcfr"], {"sampling": "external", "seed": 1, "record": "all"}
    stale = 0
    for iterations in (2, 5, 30):
        solution = eq.solve(LEDUC, row, iterations=iterations, **options)
        regrets, updated, k = solution.state["regret_sum"], solution.state["updated"], 2
        for infoset in solution.recording.infosets:
            found = solution.recording.at(infoset[:2]).regret_sum[-1]
            then = int(updated[k])
            stale += 0 < then < iterations
            for number in found.tolist():
                powers = [
                    (t - 1) ** (row.alpha if regrets[k] > 0 else row.beta)
                    for t in range(then + 1, iterations + 1)
                ]
                kept = math.prod(power / (power + 1) for power in powers) if then > 0 else 1.0
                assert number == pytest.approx(regrets[k] * kept, rel=1e-12)
                k += 1
    assert stale > 100


def test_forms_agree():
    """The same iterations on public states: the same infosets by name, the same numbers but for rounding."""
    one, other = (
        eq.solve(LEDUC, "dcfr", iterations=12, form=form, record="all").recording
        for form in ("sequence", "public")
    )
    assert {infoset[:2] for infoset in one.infosets} == {infoset[:2] for infoset in other.infosets}
    for infoset in one.infosets:
        left, right = (recording.at((infoset.player, infoset.key)) for recording in (one, other))
        for measure in ("strategy", "average_strategy", "regret_sum", "reach"):
            np.testing.assert_allclose(getattr(left, measure), getattr(right, measure), atol=1e-9)


def test_kuhns_equilibria_are_a_family_of_one_number():
    """Player 0 bets the jack with α ≤ 1/3, the king with 3 α, and calls with the queen with α + 1/3."""
    recording = eq.solve("kuhn", "cfr", iterations=100_000, record=["J", "K", "Qpb"]).recording
    bluff, value, call_ = (recording.at(key).average_strategy[-1, 1] for key in ("J", "K", "Qpb"))
    assert 0 < bluff < 1 / 3 + 0.01
    assert value == pytest.approx(3 * bluff, abs=0.02)
    assert call_ == pytest.approx(bluff + 1 / 3, abs=0.02)
    bets = recording.at("J").strategy[-10:, 1]
    assert np.ptp(bets) > 0.1  # the current one goes on cycling


# --- Nothing changes, and nothing is lost ---


@pytest.mark.thinned(20)
@ways
@pytest.mark.parametrize("every", [None, 7])
def test_recording_changes_nothing(every, options):
    plain = eq.solve(LEDUC, iterations=50, **options)
    recorded = eq.solve(LEDUC, iterations=50, record=eq.Record(SOME, every=every), **options)
    assert apart(recorded) == apart(plain)
    assert plain.recording is None


def test_recording_changes_nothing_over_the_blocks_of_sampled_runs():
    """Every 4096 iterations all sums are brought up to date, recorded or not."""
    options = {"sampling": "external", "seed": 5, "iterations": 8200}
    recorded = eq.solve("kuhn", record=eq.Record("all", every=512), **options)
    assert apart(recorded) == apart(eq.solve("kuhn", **options))
    assert np.isfinite(recorded.recording.regret_sum).all()


@pytest.mark.slow
@ways
@pytest.mark.parametrize("every", [None, 7])
def test_resumed_equals_uninterrupted(every, options, tmp_path):
    whole = eq.solve(LEDUC, iterations=60, record=eq.Record(SOME, every=every), **options)
    first = eq.solve(
        LEDUC, iterations=25, record=eq.Record(SOME, every=every), save=tmp_path, **options
    )
    assert (
        first.recording.iteration[-1] == 25
    )  # neither on the grid nor a multiple: gone when the run goes on
    for again in ({}, {"record": SOME}, {"record": eq.Record(SOME, every=every)}):
        alike(eq.solve(resume=first, iterations=60, **again).recording, whole.recording)
    resumed = eq.solve(resume=tmp_path, iterations=60, save=tmp_path)
    alike(resumed.recording, whole.recording)
    alike(eq.load_solution(tmp_path).recording, whole.recording)
    assert without_seconds(resumed) == without_seconds(whole)


def test_rows_are_kept_where_the_trace_is_or_at_multiples_and_at_the_end():
    solution = eq.solve("kuhn", iterations=50, record=["J"])
    assert solution.recording.iteration.tolist() == [point.iteration for point in solution.trace]
    every = eq.solve("kuhn", iterations=50, record=eq.Record(["J"], every=20))
    assert every.recording.iteration.tolist() == [20, 40, 50]
    assert [point.iteration for point in every.trace] == [*powers_of_root_2(49), 50]
    assert "record" in solution.seconds
    assert "record" not in eq.solve("kuhn", iterations=5).seconds


def test_a_run_without_a_recording_can_begin_one():
    first = eq.solve("kuhn", iterations=20)
    later = eq.solve(resume=first, iterations=40, record=["J"]).recording
    assert later.iteration.tolist() == [23, 32, 40]
    whole = eq.solve("kuhn", iterations=40, record=["J"]).recording
    assert later.regret_sum.tolist() == whole.regret_sum[-3:].tolist()


def test_a_run_that_is_already_there_keeps_its_rows():
    first = eq.solve("kuhn", iterations=50, record="all")
    alike(eq.solve(resume=first, iterations=50).recording, first.recording)


def test_something_else_cannot_be_recorded_later():
    first = eq.solve("kuhn", iterations=20, record=["J"])
    with pytest.raises(
        eq.AlgorithmError,
        match="records J of player 0 at the checkpoints, and can only go on so; got Q",
    ):
        eq.solve(resume=first, iterations=40, record=["Q"])
    with pytest.raises(eq.AlgorithmError, match="got J of player 0 every 5 iterations"):
        eq.solve(resume=first, iterations=40, record=eq.Record([(0, "J")], every=5))


# --- Which infosets ---


def names(spec="kuhn", **options):
    """Return what is recorded, as (player, name)."""
    return [infoset[:2] for infoset in eq.solve(spec, iterations=1, **options).recording.infosets]


def test_names():
    assert names(record=["Qpb", "J"]) == [(0, "Qpb"), (0, "J")]
    assert (
        names(record="J") == names(record=["J", "J", (0, "J")]) == names(record="J,") == [(0, "J")]
    )
    assert names(record="J, Qpb") == [(0, "J"), (0, "Qpb")]
    assert len(names(record="all")) == 12
    assert names("goofspiel(cards=2)", record="2:") == [(0, "2:"), (1, "2:")]
    assert names("goofspiel(cards=2)", record=[(1, "2:")]) == [(1, "2:")]


def test_names_with_commas_are_names_first():
    game = renamed(turns([1, 0], 2), {0: "a,b", 1: "all"})
    assert names(game, record="a,b") == [(0, "a,b")]
    assert names(game, record="all") == [(1, "all")]
    assert names(game, record=["a,b", (1, "all")]) == [(0, "a,b"), (1, "all")]


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (["Jx"], r"asks for an infoset 'Jx', which kuhn does not have\. Did you mean 'J'"),
        ("J,Qbp", r"an infoset 'Qbp', which kuhn does not have\. Did you mean"),
        ([(1, "Qpb")], r"an infoset 'Qpb' of player 1, which kuhn does not have\. Did you mean"),
        ([(7, "Qpb")], r"an infoset 'Qpb' of player 7, which kuhn does not have"),
        ([], r"record must be 'all' or a list of infosets"),
        (5, r"record must be 'all' or a list of infosets, .*got 5"),
        ([("J", 0)], r"each a name or \(player, name\)"),
        ([None], r"each a name or \(player, name\)"),
        ([(True, "J")], r"each a name or \(player, name\)"),
    ],
)
def test_what_cannot_be_recorded(record, sentence):
    with pytest.raises(eq.AlgorithmError, match=sentence) as caught:
        eq.solve("kuhn", iterations=5, record=record)
    assert caught.value.wrong_use


def test_a_name_like_none_lists_some_of_the_others():
    with pytest.raises(eq.AlgorithmError, match=r"Known: J, Jc, .* and 268 more\.$"):
        eq.solve(LEDUC, iterations=5, record="zzzzzz")


@pytest.mark.parametrize("every", [0, -1, 1.5, "often", True])
def test_impossible_intervals(every):
    with pytest.raises(
        eq.AlgorithmError, match="every must be a whole number of iterations, 1 or more"
    ):
        eq.solve("kuhn", iterations=5, record=eq.Record("all", every=every))


def test_when_without_what():
    with pytest.raises(eq.AlgorithmError, match="record_every=5 says when to record, not what"):
        solve_keywords({"iterations": 5, "record_every": 5})


# --- Without a tree ---


def test_without_a_tree_infosets_are_recorded_from_where_they_are_met():
    options = {"sampling": "external(tree=False)", "seed": 2, "iterations": 200}
    record = eq.Record([(0, "K"), "nowhere", "Kcrrc/Jrr"], every=1)
    recording = eq.solve(LEDUC, "cfr", record=record, **options).recording
    assert [infoset.key for infoset in recording.infosets] == ["K", "Kcrrc/Jrr"]
    assert recording.unmet == ((None, "nowhere"),)
    assert np.isnan(recording.reach).all()
    later = recording.at("Kcrrc/Jrr").strategy[:, 0]
    assert np.isnan(later[0])
    assert np.isfinite(later[-1])
    met = np.isfinite(later).argmax()
    assert np.isnan(later[:met]).all()
    assert np.isfinite(later[met:]).all()


def test_without_a_tree_there_is_no_all():
    with pytest.raises(eq.AlgorithmError, match=r"so that 'all' cannot be recorded\. Name them"):
        eq.solve(LEDUC, sampling="external(tree=False)", iterations=5, record="all")


def test_without_a_tree_nothing_may_be_met(tmp_path):
    solution = eq.solve(
        LEDUC, sampling="external(tree=False)", iterations=5, record="nowhere", save=tmp_path
    )
    assert solution.recording.reach.shape == (0, 0)
    assert eq.load_solution(tmp_path).recording == solution.recording
    assert solution.recording.to_arrow().num_rows == 0


# --- Room ---


def test_too_much_is_refused_beforehand(monkeypatch):
    monkeypatch.setattr(recorder_module, "MOST_NUMBERS", 10_000)
    with pytest.raises(
        eq.AlgorithmError,
        match=r"Recording 12 infosets 201 times makes 16,884 numbers; .* for 10,000",
    ):
        eq.solve("kuhn", iterations=1000, record=eq.Record("all", every=5))
    with pytest.raises(
        eq.AlgorithmError, match=r"Recording 288 infosets .* Record fewer infosets\.$"
    ):
        eq.solve(LEDUC, until=1e-6, record="all")


def test_a_run_ends_when_there_is_no_room_for_another_row(monkeypatch):
    """Where nobody knows beforehand how long it is going to be."""
    monkeypatch.setattr(recorder_module, "MOST_NUMBERS", 1000)
    solution = eq.solve("kuhn", "cfr", until=1e-9, record=eq.Record("all", every=5))
    assert solution.stop_reason == "out of memory"
    assert solution.recording.iteration.tolist() == [5 * k for k in range(1, 1000 // 84 + 1)]
    assert solution.iterations == 55
    assert eq.solve(resume=solution, until=1e-9).stop_reason == "out of memory"


# --- Files ---

FILES = {"checkpoint.npz", "recording.parquet", "solution.json", "strategy.csv"}


@pytest.fixture
def solution():
    return eq.solve("kuhn", "hs-dcfr", iterations=12, record="all")


@pytest.fixture
def folder(solution, tmp_path):
    solution.save(tmp_path / "run")
    return tmp_path / "run"


def test_the_folder(folder, solution):
    assert {path.name for path in folder.iterdir()} == FILES
    summary = json.loads((folder / "solution.json").read_text())
    assert summary["recording"] == {"infosets": 12, "times": 7, "every": None}
    alike(eq.load_solution(folder).recording, solution.recording)


@pytest.mark.needs("pandas", "polars")
def test_pandas_and_polars_open_it(folder, solution):
    import pandas as pd
    import polars as pl

    frame, other = (
        pd.read_parquet(folder / "recording.parquet"),
        pl.read_parquet(folder / "recording.parquet"),
    )
    assert [str(kind) for kind in frame.dtypes] == [
        "int64",
        "int64",
        "category",
        "category",
        *4 * ["float64"],
    ]
    assert other.dtypes == [pl.Int64, pl.Int64, pl.Categorical, pl.Categorical, *4 * [pl.Float64]]
    one = solution.recording.at("Qpb")
    for row in (
        frame[(frame["infoset"] == "Qpb") & (frame["action"] == "call")],
        other.filter((pl.col("infoset") == "Qpb") & (pl.col("action") == "call")),
    ):
        assert list(row["iteration"]) == one.iteration.tolist()
        assert list(row["strategy"]) == one.strategy[:, 1].tolist()
        assert list(row["average_strategy"]) == one.average_strategy[:, 1].tolist()
        assert list(row["regret_sum"]) == one.regret_sum[:, 1].tolist()
        assert list(row["reach"]) == one.reach.tolist()
    pd.testing.assert_frame_equal(frame, solution.recording.to_pandas())
    assert other.equals(solution.recording.to_polars())


def test_negative_zeros_and_odd_names_come_back(tmp_path):
    game = renamed(turns([1, 0], 2), {0: 'a "b", ♠\n', 1: ""})
    solution = eq.solve(game, iterations=5, record=['a "b", ♠\n', (1, "")])
    solution.recording.regret_sum[:] = np.resize(
        [0.0, -0.0, 5e-324], solution.recording.regret_sum.shape
    )
    solution.save(tmp_path)
    assert eq.load_solution(tmp_path).recording == solution.recording


def test_large_recordings_are_written_part_by_part(folder, solution, monkeypatch):
    monkeypatch.setattr("equilibrist.solving.recording._ROWS_A_GROUP", 50)
    solution.save(folder)
    read = pq.read_table(folder / "recording.parquet")
    assert read.equals(solution.recording.to_arrow())


def test_an_older_recording_does_not_outlive_its_run(folder):
    eq.solve("kuhn", iterations=5).save(folder)
    assert {path.name for path in folder.iterdir()} == FILES - {"recording.parquet"}
    assert eq.load_solution(folder).recording is None


def test_an_older_run_is_kept_aside_with_its_recording(folder, solution):
    eq.solve("kuhn", iterations=5, save=folder)
    assert not (folder / "recording.parquet").exists()
    (folder / "checkpoint.previous.npz").replace(folder / "checkpoint.npz")
    alike(eq.load_solution(folder).recording, solution.recording)


def test_what_is_written_for_other_programs_is_never_read(folder, solution):
    (folder / "recording.parquet").write_bytes(b"PAR1")
    (folder / "strategy.csv").unlink()
    alike(eq.load_solution(folder).recording, solution.recording)


def test_a_recording_without_rows_keeps_its_infosets(tmp_path):
    """As where a run is saved before the first multiple of ``every``: it goes on recording the same."""
    whole = eq.solve("kuhn", iterations=12, record=eq.Record("all", every=5))
    early = eq.solve("kuhn", iterations=3, record=eq.Record("all", every=5))
    arrays = ("iteration", "strategy", "average_strategy", "regret_sum", "reach")
    no_rows = {name: getattr(early.recording, name)[:0] for name in arrays}
    empty = replace(early, recording=replace(early.recording, **no_rows))
    empty.save(tmp_path)
    loaded = eq.load_solution(tmp_path)
    alike(loaded.recording, empty.recording)
    alike(
        eq.solve(resume=tmp_path, iterations=12, record=eq.Record("all", every=5)).recording,
        whole.recording,
    )
