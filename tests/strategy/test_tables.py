"""Strategies and traces as Arrow, pandas and Polars: nothing is copied that need not be, and what is wrong is named."""

import subprocess
import sys
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

import equilibrist as eq
from equilibrist.strategy.strategy import Infoset
from support.bomb import Bomb

SPECS = ["kuhn(players=3)", "leduc", "blotto", "goofspiel(cards=3)"]
KINDS = {"arrow": "to_arrow", "pandas": "to_pandas", "polars": "to_polars"}
kinds = pytest.mark.parametrize(
    "kind",
    [
        "arrow",
        pytest.param("pandas", marks=pytest.mark.needs("pandas")),
        pytest.param("polars", marks=pytest.mark.needs("polars")),
    ],
)
frames = pytest.mark.needs("pandas", "polars")


@pytest.fixture(scope="module")
def solution():
    return eq.solve("leduc", iterations=30)


def same(one, other):
    """Return whether two strategies have the same infosets, actions and bits of probabilities, in the order shown."""
    return list(one.rows()) == list(other.rows())


# --- Strategies ---


@kinds
@pytest.mark.parametrize("spec", SPECS)
def test_there_and_back(spec, kind):
    strategy = eq.solve(spec, iterations=17).strategy
    assert same(eq.Strategy.from_table(getattr(strategy, KINDS[kind])()), strategy)


def test_rows_are_those_of_the_csv_file(solution, tmp_path):
    solution.strategy.write_csv(tmp_path / "strategy.csv")
    assert solution.strategy.to_arrow().to_pylist() == [
        dict(zip(("player", "infoset", "action", "probability"), row, strict=True))
        for row in solution.strategy.rows()
    ]


@frames
def test_a_csv_file_that_others_read_is_the_strategy(solution, tmp_path):
    import pandas as pd
    import polars as pl

    path = tmp_path / "strategy.csv"
    solution.strategy.write_csv(path)
    frame = pd.read_csv(path, float_precision="round_trip")
    assert same(eq.Strategy.from_table(frame), solution.strategy)
    assert same(eq.Strategy.from_table(pl.read_csv(path)), solution.strategy)


def test_types(solution):
    arrow = solution.strategy.to_arrow()
    names = pa.dictionary(pa.int32(), pa.string())
    assert arrow.schema.types == [pa.int64(), names, names, pa.float64()]


@frames
def test_types_of_frames(solution):
    import polars as pl

    frame = solution.strategy.to_pandas()
    other = solution.strategy.to_polars()
    assert [str(kind) for kind in frame.dtypes] == ["int64", "category", "category", "float64"]
    assert other.dtypes == [pl.Int64, pl.Categorical, pl.Categorical, pl.Float64]


@pytest.fixture
def ordered(solution):
    """Return a strategy whose infosets are in the order in which they are shown."""
    return eq.Strategy.from_table(solution.strategy.to_arrow())


def test_probabilities_in_order_are_not_copied(ordered):
    where = ordered.probabilities.ctypes.data
    assert ordered.to_arrow()["probability"].chunk(0).buffers()[1].address == where


@frames
def test_frames_do_not_copy_probabilities(ordered):
    where = ordered.probabilities.ctypes.data
    assert ordered.to_pandas()["probability"].to_numpy().ctypes.data == where
    assert ordered.to_polars()["probability"].to_numpy(allow_copy=False).ctypes.data == where


@frames
def test_nobody_writes_to_a_strategy_by_way_of_a_table(solution):
    before = solution.strategy.probabilities.tobytes()
    frame, other = solution.strategy.to_pandas(), solution.strategy.to_polars()
    with pytest.raises(ValueError, match="read-only"):
        frame.loc[0, "probability"] = 0.5
    with suppress(ValueError):  # pandas 2 refuses to write, pandas 3 writes to a copy
        frame["probability"] *= 2
    other[0, "probability"] = 0.5
    assert solution.strategy.probabilities.tobytes() == before
    frame = solution.strategy.to_pandas().copy()
    back = eq.Strategy.from_table(frame)
    frame.loc[0, "probability"] = 0.0
    assert same(back, solution.strategy)


@pytest.mark.slow
def test_a_strategy_of_two_million_probabilities():
    """Seconds, on a slow machine; a loop over its rows in Python would take many times as long."""
    infosets = [
        (k % 2, f"card {k // 2}", ("fold", "call", "raise") if k % 3 else ("check", "bet"))
        for k in range(750_000)
    ]
    count = [len(actions) for *_, actions in infosets]
    strategy = eq.Strategy(
        [Infoset(*row) for row in infosets], np.repeat(1 / np.array(count), count)
    )
    assert len(strategy.probabilities) == 2_000_000
    assert same(eq.Strategy.from_table(strategy.to_arrow()), strategy)


def table(**changes):
    """Return a strategy as columns, with some of them changed; None leaves one out."""
    columns = {
        "player": [0, 0, 1, 1],
        "infoset": ["J", "J", "Jb", "Jb"],
        "action": ["p", "b", "p", "b"],
        "probability": [0.75, 0.25, 1.0, 0.0],
    } | changes
    return {name: column for name, column in columns.items() if column is not None}


def test_rows_may_come_in_any_order_and_in_parts():
    expected = eq.Strategy.from_table(table())
    mixed = table(
        player=[1, 0, 1, 0],
        infoset=["Jb", "J", "Jb", "J"],
        action=["p", "p", "b", "b"],
        probability=[1, 0.75, 0, 0.25],
    )
    found = eq.Strategy.from_table(mixed | {"note": [1, 2, 3, 4]})
    assert dict(found) == dict(expected)
    assert [infoset[:2] for infoset in found.infosets] == [
        (1, "Jb"),
        (0, "J"),
    ]  # in order of appearance
    assert list(found) == [(0, "J"), (1, "Jb")]  # as all strategies are shown
    whole = pa.table(mixed)
    parts = pa.concat_tables([whole.slice(0, 1), whole.slice(1, 0), whole.slice(1)])
    assert same(eq.Strategy.from_table(parts), found)
    batches = pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches(max_chunksize=1))
    assert same(eq.Strategy.from_table(batches), found)


@pytest.mark.parametrize(
    "changes",
    [
        {"player": [0.0, 0.0, 1.0, 1.0]},
        {"player": np.array([0, 0, 1, 1], np.uint8)},
        {"action": pa.array(["p", "b", "p", "b"], pa.large_string())},
        {"action": pa.array(["p", "b", "p", "b"], pa.string_view())},
        {"probability": pa.array([0.75, 0.25, 1, 0], pa.float32())},
        {"infoset": pa.array(["J", "J", "Jb", "Jb"]).dictionary_encode()},
    ],
    ids=[
        "float",
        "uint8",
        "large string",
        "string view",
        "float32",
        "categories",
    ],
)
def test_other_types_that_mean_the_same(changes):
    assert dict(eq.Strategy.from_table(table(**changes))) == dict(eq.Strategy.from_table(table()))


@frames
def test_categories_of_frames_are_texts():
    import pandas as pd
    import polars as pl

    names = ["J", "J", "Jb", "Jb"]
    expected = dict(eq.Strategy.from_table(table()))
    for infoset in (
        pd.Categorical(names, categories=["x", "Jb", "J"]),
        pl.Series(names, dtype=pl.Categorical).to_arrow(),
    ):
        assert dict(eq.Strategy.from_table(table(infoset=infoset))) == expected
    lost = table(action=pd.Categorical(["p", None, "p", "b"]))
    with pytest.raises(eq.SolutionError, match="action must be a text; got None in row 1"):
        eq.Strategy.from_table(lost)


def test_names_that_are_numbers_are_texts():
    found = eq.Strategy.from_table(table(infoset=[12, 12, 5, 5], action=[0, 1, 0, 1]))
    assert found[1, "5"] == {"0": 1.0, "1": 0.0}


def test_sums_are_rescaled_as_in_csv_files(tmp_path):
    rounded = pa.table(table(probability=[0.3333, 0.6666, 0.1, 0.9]))
    write_csv(rounded, tmp_path / "strategy.csv")
    assert same(eq.Strategy.from_table(rounded), eq.Strategy.read_csv(tmp_path / "strategy.csv"))


def test_an_empty_table_is_an_empty_strategy():
    assert len(eq.Strategy.from_table(pa.table(table()).slice(0, 0))) == 0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"player": None}, "has the columns player, infoset, action, probability; missing: player"),
        ({"infoset": None, "action": None}, "missing: infoset, action"),
        ({"player": [0, 0, 1, None]}, "player must be a whole number; got None in row 3"),
        ({"player": [0, 0.5, 1, 1]}, "player must be a whole number; got 0.5 in row 1"),
        ({"player": [0, float("nan"), 1, 1]}, "player must be a whole number; got nan in row 1"),
        ({"player": ["0", "0", "1", "1"]}, "player must be a whole number; got '0' in row 0"),
        ({"player": [0, 0, -1, -1]}, "Players are numbered from 0 to 99; got -1"),
        ({"player": [0, 0, 100, 100]}, "Players are numbered from 0 to 99; got 100"),
        ({"infoset": ["J", None, "J", "J"]}, "infoset must be a text; got None in row 1"),
        ({"infoset": [0.5, 0.5, 1, 1]}, "infoset must be a text; got 0.5 in row 0"),
        ({"action": ["p", None, "p", "b"]}, "action must be a text; got None in row 1"),
        ({"action": ["p", "p", "p", "b"]}, "Action 'p' of player 0 'J' is there twice"),
        ({"probability": ["a", "b", "c", "d"]}, "probability must be a number; got 'a' in row 0"),
        ({"probability": [0.5, 0.5, None, 1]}, "probability must be a number; got None in row 2"),
        (
            {"probability": [0.5, 0.5, float("nan"), 1]},
            "player 1 'Jb': the probability of 'p' must be between 0 and 1",
        ),
        (
            {"probability": [-0.5, 1.5, 0, 1]},
            "player 0 'J': the probability of 'p' must be between 0 and 1; got -0.5",
        ),
        (
            {"probability": [0.5, 0.4, 0, 1]},
            r"player 0 'J': the probabilities must sum to 1; got \[0.5, 0.4\]",
        ),
        ({"probability": [0.5, 0.5, 1]}, "made from a table that speaks Arrow"),
    ],
)
def test_what_is_wrong_is_said(changes, sentence):
    with pytest.raises(eq.SolutionError, match=sentence) as caught:
        eq.Strategy.from_table(table(**changes))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["player", "infoset", "action", "probability"])
def test_a_column_that_is_there_twice(name):
    once = pa.table(table())
    with pytest.raises(eq.SolutionError, match=f"several are called {name}"):
        eq.Strategy.from_table(once.append_column(name, once[name]))


@pytest.mark.parametrize("thing", [5, "strategy.csv", None, [1, 2], Bomb()])
def test_what_is_no_table(thing):
    with pytest.raises(eq.SolutionError, match="made from a table that speaks Arrow"):
        eq.Strategy.from_table(thing)


# --- Traces ---


def test_traces(solution):
    trace = solution.trace
    assert isinstance(trace, eq.types.Trace)
    assert isinstance(trace, tuple)
    assert type(trace[1:]) is tuple
    assert trace == tuple(trace)
    arrow = trace.to_arrow()
    names = ["iteration", "nodes_touched", "seconds", "nash_conv", "exploitability", "cce_distance"]
    assert arrow.column_names == [*names, "value_0", "value_1", "gain_0", "gain_1"]
    assert arrow["iteration"].to_pylist() == [point.iteration for point in trace]
    assert arrow["nash_conv"].to_pylist() == [point.nash_conv for point in trace]
    assert arrow["value_1"].to_pylist() == [point.value[1] for point in trace]
    assert arrow["gain_0"].to_pylist() == [point.deviation_gains[0] for point in trace]
    assert arrow["cce_distance"].null_count == len(trace)


@frames
def test_frames_of_traces(solution):
    trace = solution.trace
    for frame in (trace.to_pandas(), trace.to_polars()):
        assert list(frame["iteration"]) == [point.iteration for point in trace]
        assert list(frame["nash_conv"]) == [point.nash_conv for point in trace]
        assert list(frame["value_1"]) == [point.value[1] for point in trace]
        assert list(frame["gain_0"]) == [point.deviation_gains[0] for point in trace]
    unknown = eq.solve("leduc", sampling="external(tree=False)", iterations=5).trace
    assert unknown.to_polars()["exploitability"].null_count() == len(unknown)


def test_every_way_to_a_solution_has_a_trace(tmp_path, solution):
    solution.save(tmp_path)
    others = [
        eq.exact("kuhn"),
        eq.load_solution(tmp_path),
        eq.solve(resume=solution, iterations=40),
    ]
    assert all(type(one.trace) is eq.types.Trace for one in others)
    assert eq.load_solution(tmp_path).trace == solution.trace


def test_traces_of_more_players_and_without_a_tree():
    three = eq.solve("kuhn(players=3)", iterations=5).trace.to_arrow()
    assert three.column_names[-6:] == [
        "value_0",
        "value_1",
        "value_2",
        "gain_0",
        "gain_1",
        "gain_2",
    ]
    assert three["cce_distance"].null_count == 0
    unknown = eq.solve("leduc", sampling="external(tree=False)", iterations=5).trace
    assert unknown.to_arrow()["nash_conv"].null_count == len(unknown)
    assert "value_0" not in unknown.to_arrow().column_names


def test_how_traces_are_shown(solution):
    assert repr(eq.exact("kuhn").trace).startswith(
        "<Trace: 1 checkpoint, iteration 0, exploitability "
    )
    assert repr(solution.trace).startswith(
        "<Trace: 10 checkpoints, iterations 1 to 30, exploitability "
    )
    assert repr(eq.types.Trace()) == "<Trace: no checkpoints>"
    unknown = eq.solve("leduc", sampling="external(tree=False)", iterations=5).trace
    assert repr(unknown) == "<Trace: 5 checkpoints, iterations 1 to 5, exploitability unknown>"


# --- What is not installed, and what is not loaded ---


@pytest.mark.parametrize(("kind", "name"), [("pandas", "pandas"), ("polars", "Polars")])
def test_what_is_not_installed(solution, kind, name, monkeypatch):
    monkeypatch.setitem(sys.modules, kind, None)
    recording = eq.solve("kuhn", iterations=2, record="J").recording
    for thing in (solution.strategy, solution.trace, recording):
        with pytest.raises(
            eq.SolutionError, match=rf"^This needs {name}, .* pip install '\.\[data\]' in a copy"
        ):
            getattr(thing, KINDS[kind])()


def test_solving_loads_no_tables():
    """Arrow takes a tenth of a second to import, pandas half a second: only those who ask for them wait."""
    program = (
        "import sys, equilibrist as eq; eq.solve('kuhn', iterations=5);"
        "sys.exit(any(name in sys.modules for name in ('pyarrow', 'pandas', 'polars')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
