"""The table of tests/mutants.py: what it names is there."""

from pathlib import Path

import pytest

import mutants
from support.sources import syntax_trees


@pytest.fixture(scope="module")
def lines():
    """The lines of the functions of the table, as an entry of NOT_SEEN names them."""
    names = set()
    for entry in mutants.ENTRIES:
        of_function = list(mutants.lines_of(syntax_trees()[entry.file], entry.function))
        assert of_function, entry
        names |= {f"{entry.function}: {mutants.first_line(line)}" for line in of_function}
    return names


def test_what_no_test_sees_is_a_line_of_the_table(lines):
    """A reason whose line was changed stands for nothing, and hides the next line that reads like it."""
    assert set(mutants.NOT_SEEN) - lines == set()


def test_each_function_stands_once_with_tests_that_are_there():
    places = [(entry.file, entry.function) for entry in mutants.ENTRIES]
    assert len(set(places)) == len(places)
    for entry in mutants.ENTRIES:
        files = [word for word in entry.test.split() if word.endswith(".py")]
        assert files
        assert all(Path(mutants.ROOT, file).exists() for file in files)


def test_the_parts_are_the_whole():
    broken = list(range(1455))
    parts = [mutants.take_part(broken, part, 20) for part in range(1, 21)]
    assert [mutant for part in parts for mutant in part] == broken
    assert {len(part) for part in parts} == {72, 73}
