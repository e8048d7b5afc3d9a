"""Strategies in CSV files: Arrow's reader against Python's, for texts of every kind."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq

NAMES = st.text(st.sampled_from("abJ,\"'\n\r =+;#\\\t\0é♠"), max_size=6)


def by_python(path):
    """Return the rows of a strategy as Python's reader finds them."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            (int(row["player"]), row["infoset"], row["action"], float(row["probability"]))
            for row in csv.DictReader(file)
        ]


@given(
    rows=st.dictionaries(
        st.tuples(st.integers(0, 3), NAMES),
        st.dictionaries(NAMES, st.floats(0.01, 1), min_size=1, max_size=4),
        max_size=5,
    )
)
def test_any_text_survives_a_file(rows, tmp_path_factory):
    table = {
        key: {action: p / sum(row.values()) for action, p in row.items()}
        for key, row in rows.items()
    }
    strategy = eq.Strategy.from_dict(table)
    path = tmp_path_factory.mktemp("csv") / "strategy.csv"
    strategy.write_csv(path)
    again = eq.Strategy.read_csv(path)
    assert list(again.rows()) == list(strategy.rows()) == by_python(path)


@pytest.mark.parametrize(
    "number", ["0.1", "1e-300", "5e-324", "0.30000000000000004", " 0.5 ", "1E0", "1"]
)
def test_numbers_are_read_to_the_last_bit(tmp_path, number):
    path = tmp_path / "strategy.csv"
    path.write_text(
        f"player,infoset,action,probability\n0,J,p,{number}\n0,J,b,{1 - float(number)!r}\n"
    )
    assert eq.Strategy.read_csv(path)["J"]["p"] == float(number)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig"])
def test_files_of_spreadsheets(tmp_path, end, mark):
    path = tmp_path / "strategy.csv"
    rows = ["comment,player,infoset,action,probability", ',"0",J,p,0.25', "", "so,0,J,b,0.75"]
    path.write_text(end.join(rows) + end, encoding=mark, newline="")
    assert dict(eq.Strategy.read_csv(path)) == {(0, "J"): {"p": 0.25, "b": 0.75}}


def test_cells_that_look_like_formulas_are_kept_as_they_are(tmp_path):
    """Reading back must give the same names; docs/exploitability.md tells how to import such files."""
    path = tmp_path / "strategy.csv"
    strategy = eq.Strategy.from_dict({(0, "=1+1"): {"@a": 0.5, "-2": 0.5}})
    strategy.write_csv(path)
    assert path.read_text().splitlines()[1] == "0,=1+1,@a,0.5"
    assert dict(eq.Strategy.read_csv(path)) == dict(strategy)


def test_a_file_without_rows_is_a_strategy_without_infosets(tmp_path):
    path = tmp_path / "strategy.csv"
    eq.Strategy.from_dict({}).write_csv(path)
    assert len(eq.Strategy.read_csv(path)) == 0
    with pytest.raises(eq.SolutionError, match="lacks 12 of the 12"):
        eq.evaluate("kuhn", path)
