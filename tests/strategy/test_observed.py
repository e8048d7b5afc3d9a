"""Strategies by what players observe: the same certificates as by name, from either file, and errors in a sentence."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import equilibrist as eq
from equilibrist.cli.arguments import make_app
from equilibrist.errors import SolutionError

GAME = "dark_hex(size=2)"


@pytest.fixture(scope="module")
def sampled():
    return eq.solve(GAME, sampling="external(tree=False)", iterations=500, seed=1).strategy


@pytest.mark.thinned(2)
@pytest.mark.parametrize("suffix", ["parquet", "npz"])
def test_a_file_has_the_same_certificate(suffix, sampled, tmp_path):
    path = tmp_path / f"strategy.{suffix}"
    sampled.write_observations(path)
    read = eq.Strategy.read(path)
    assert read == sampled  # names and probabilities, through the game that the file names
    assert read.infosets.digest() == eq.Strategy.read_observations(path).infosets.digest()
    expected = eq.evaluate(eq.compile_game(eq.load(GAME)), sampled, missing="uniform")
    result = eq.evaluate(GAME, path, missing="uniform")
    assert result.best_response_value == pytest.approx(expected.best_response_value, abs=1e-12)
    with pytest.raises(SolutionError, match=r"The strategy is of dark_hex\(size=2\), not of kuhn"):
        eq.evaluate("kuhn", path, missing="uniform")
    assert make_app()(
        ["evaluate", GAME, str(path), "--missing", "uniform", "--json"], standalone_mode=False
    ) in (None, 0)


def by_cell(strategy, game):
    """Return the columns of a strategy of a board, with a probability for each cell: NaN where it is seen."""
    columns = {"player": [], "observation": [], "probability": []}
    for player, key in strategy:
        state = game.state_of(player, key)
        observation = [0] * game.max_observation
        game.rules.observe(game.parameters, state, observation)
        row = np.full(4, np.nan)
        row[list(game.actions(state))] = list(strategy[player, key].values())
        for column, value in zip(columns.values(), (player, observation, row), strict=True):
            column.append(value)
    return {name: np.array(column) for name, column in columns.items()}


def test_tables_of_other_programs(sampled, tmp_path):
    columns = by_cell(sampled, eq.load(GAME))
    expected = eq.evaluate(GAME, sampled, form="walk", missing="uniform")
    table = eq.Strategy.from_observations(**columns)
    assert eq.evaluate(GAME, table, missing="uniform").value == expected.value
    lists = {
        name: column.tolist() for name, column in columns.items()
    }  # NaN in lists of Parquet, and nulls, are none
    lists["probability"] = [
        [None if np.isnan(x) else x for x in row] for row in lists["probability"]
    ]
    pa.parquet.write_table(pa.table(lists), tmp_path / "lists.parquet")
    assert eq.evaluate(GAME, tmp_path / "lists.parquet", missing="uniform").value == expected.value
    with pytest.raises(SolutionError, match="have no names without their game"):
        _ = table.infosets[0]
    half = {name: column[:1] for name, column in columns.items()}
    with pytest.raises(SolutionError, match="lacks infosets of dark_hex"):
        eq.evaluate(GAME, eq.Strategy.from_observations(**half))
    zeros = columns | {"probability": np.nan_to_num(columns["probability"])}
    with pytest.raises(
        SolutionError, match=r"has 4 probabilities for player . at '.*', where .* has . actions"
    ):
        eq.evaluate(GAME, eq.Strategy.from_observations(**zeros), missing="uniform")
    twice = {name: np.concatenate([column, column[:1]]) for name, column in columns.items()}
    with pytest.raises(SolutionError, match=r"twice: number \d+, of player . who observes"):
        eq.evaluate(GAME, eq.Strategy.from_observations(**twice), missing="uniform")
    strange = columns | {"observation": columns["observation"] + 7}
    with pytest.raises(SolutionError, match="is no observation of dark_hex"):
        eq.evaluate(GAME, eq.Strategy.from_observations(**strange), missing="uniform")


GOOD = {"player": [0, 1], "observation": [[0], [3]], "probability": [[0.5, 0.5], [1.0, np.nan]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"player": [0]}, r"Shapes for n infosets .* got player \(1,\), observation \(2, 1\)"),
        ({"player": [0, -1]}, "player is a whole number from 0 to 99; got -1, 0"),
        (
            {"observation": [[0.5], [1.0]]},
            "observation holds integers and probability numbers; got float64",
        ),
        (
            {"length": [1]},
            r"length says how many integers each observation has, shape \(2,\); got \(1,\)",
        ),
        ({"length": [1, 2]}, "An observation has 0 to 1 integers, those of its row; got 2"),
        (
            {"probability": [[0.5, 0.5], [0.5, 0.4]]},
            "row 1 has probabilities that sum to 0.9, not to 1",
        ),
        (
            {"probability": [[0.5, 0.5], [1.5, -0.5]]},
            "row 1: a probability is between 0 and 1; got 1.5",
        ),
        (
            {"probability": [[np.nan] * 2, [np.nan] * 2]},
            r"row 0 has no probability \(2 such rows\)",
        ),
    ],
)
def test_what_is_no_strategy_is_refused(change, message, tmp_path):
    with pytest.raises(SolutionError, match=message):
        eq.Strategy.from_observations(**GOOD | change)
    np.savez(tmp_path / "wrong.npz", **GOOD | change)
    with pytest.raises(SolutionError, match=f"wrong.npz: {message}"):
        eq.Strategy.read(tmp_path / "wrong.npz")


def test_files_that_cannot_be_read(sampled, tmp_path):
    for name in ("a.npz", "a.parquet"):
        with pytest.raises(SolutionError, match="cannot be read"):
            eq.Strategy.read(tmp_path / name)
        (tmp_path / name).write_bytes(b"nothing")
        with pytest.raises(SolutionError, match=r"no strategy|no table"):
            eq.Strategy.read(tmp_path / name)
    pa.parquet.write_table(pa.table({"player": [0]}), tmp_path / "a.parquet")
    with pytest.raises(SolutionError, match=r"without \['observation', 'probability'\]"):
        eq.Strategy.read(tmp_path / "a.parquet")
    pa.parquet.write_table(
        pa.table({"player": [0], "observation": [1], "probability": [[1.0]]}),
        tmp_path / "a.parquet",
    )
    with pytest.raises(
        SolutionError, match="observation is a list of numbers in each row; got int64"
    ):
        eq.Strategy.read(tmp_path / "a.parquet")
    with pytest.raises(SolutionError, match=r"is a file .parquet or .npz; got .*csv"):
        sampled.write_observations(tmp_path / "a.csv")
    with pytest.raises(SolutionError, match="that runs without a tree have"):
        eq.Strategy.from_dict({"J": {"bet": 1.0}}).write_observations(tmp_path / "a.npz")
