"""The hash table: the same numbers as a dict, whatever collides and however often it grows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist._jit import hashtable
from equilibrist._jit.hashtable import KEY, KEYS, LENGTH, NO_RECORD, NUMBER, OWNER, WORDS, HashTable

LONGEST = 4
RUNS = st.tuples(
    st.integers(-1, 3),
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2), max_size=LONGEST),
)


def scratch(key):
    """Return a key as kernels pass it: in an array that is longer."""
    array = np.full(LONGEST, 99, np.int64)
    array[: len(key)] = key
    return array


def insert(table, owner, key):
    """Insert a key where there may be no room; return the table, and its number."""
    table = hashtable.with_room(table, 1, KEY + len(key))
    record = hashtable.insert(table, owner, scratch(key), len(key))
    return table, int(table.words[record + NUMBER])


def number_of(table, owner, key):
    record = hashtable.find(table, owner, scratch(key), len(key))
    return None if record == NO_RECORD else int(table.words[record + NUMBER])


def colliding():
    """A table in which all keys have the same hash."""
    return hashtable.make_table(LONGEST)._replace(factors=np.zeros(LONGEST, np.int64))


@pytest.mark.parametrize("make", [lambda: hashtable.make_table(LONGEST), colliding])
@given(runs=st.lists(RUNS, max_size=60))
def test_keys_are_numbered_as_a_dict_would(make, runs):
    table, expected = make(), {}
    for owner, key in runs:
        known = number_of(table, owner, key)
        assert known == expected.get((owner, *key))
        table, number = insert(table, owner, key)
        assert number == expected.setdefault((owner, *key), len(expected))
    assert table.used[KEYS] == len(expected)
    assert {run: number_of(table, run[0], run[1:]) for run in expected} == expected
    assert number_of(table, 9, [1]) is None


def test_different_keys_with_the_same_hash():
    table = colliding()
    for number in range(50):
        table, found = insert(table, 0, [number])
        assert found == number
    tags = {int(cell) >> 32 for cell in table.cells if cell}
    assert len(tags) == 1
    assert [number_of(table, 0, [number]) for number in range(50)] == list(range(50))
    assert number_of(table, 0, [50]) is None


def test_owner_and_length_belong_to_the_key():
    table = colliding()
    for number, (owner, key) in enumerate(
        [(0, [1, 0]), (1, [1, 0]), (0, [1]), (0, []), (0, [1, 0, 0]), (-1, [1])]
    ):
        table, found = insert(table, owner, key)
        assert found == number


def test_the_search_goes_round_at_the_end_of_the_cells():
    """The keys whose search begins at the last cell."""
    table = hashtable.with_room(hashtable.make_table(1), 8, 8 * (KEY + 1))
    last, late = len(table.cells) - 1, []
    for number in range(10_000):
        other = hashtable.with_room(hashtable.make_table(1), 8, KEY + 1)
        hashtable.insert(other, 0, np.array([number]), 1)
        if other.cells[last]:
            late.append(number)
        if len(late) == 5:
            break
    for number in late:
        hashtable.insert(table, 0, np.array([number]), 1)
    assert table.cells[last]
    assert all(table.cells[:4])
    found = [hashtable.find(table, 0, np.array([number]), 1) for number in late]
    assert [int(table.words[record + NUMBER]) for record in found] == [0, 1, 2, 3, 4]


def test_growth_keeps_records_and_what_was_appended():
    table, records = hashtable.make_table(2), []
    for number in range(3000):
        table = hashtable.with_room(table, 1, KEY + 3)
        records.append(int(hashtable.insert(table, number % 2, np.array([number, -number]), 2)))
        hashtable.append(table, number * 7)
        assert len(table.cells) >= 2 * (number + 1)
        assert len(table.cells).bit_count() == 1
    for number, record in enumerate(records):
        assert hashtable.find(table, number % 2, np.array([number, -number]), 2) == record
        fields = table.words[record : record + KEY + 3].tolist()
        assert fields == [number, 3, number % 2, number, -number, number * 7]
        assert (fields[NUMBER], fields[LENGTH], fields[OWNER]) == (number, 3, number % 2)
    assert table.used.tolist() == [3000, 3000 * (KEY + 3)]


def test_room_for_many_is_room_for_many():
    table = hashtable.with_room(hashtable.make_table(3), 1000, 1000 * (KEY + 3))
    cells, words = len(table.cells), len(table.words)
    for number in range(1000):
        hashtable.insert(table, 0, np.array([number, 1, 2]), 3)
    assert (len(table.cells), len(table.words)) == (cells, words)
    assert hashtable.with_room(table, 0, 0) is table
    assert table.used[KEYS] == 1000


def test_a_table_that_is_too_large_is_refused():
    with pytest.raises(MemoryError, match="words"):
        hashtable.with_room(hashtable.make_table(1), 1, 2**32)


def refilled(table, records, owners, edit=lambda words: None, words=None):
    """Return whether the words of a table make a table again, and that table."""
    count = int(table.used[WORDS]) if words is None else words
    new = hashtable.with_room(hashtable.make_table(LONGEST), max(records, 1), count)
    new = new._replace(words=table.words[:count].copy())
    edit(new.words)
    return hashtable.refill(new, records, owners), new


@pytest.fixture
def table() -> HashTable:
    table = hashtable.make_table(LONGEST)
    for number in range(20):
        table, _ = insert(
            table, number % 2, list(range(number % 5)) + ([number] if number % 5 < 4 else [])
        )
    return table


def test_a_table_is_made_again_from_its_words(table):
    known = int(table.used[KEYS])
    fine, again = refilled(table, known, 2)
    assert fine
    assert again.used.tolist() == table.used.tolist()
    assert (again.words == table.words[: table.used[WORDS]]).all()


@pytest.mark.parametrize(
    ("word", "value"),
    [
        (LENGTH, 0),
        (LENGTH, -5),
        (LENGTH, 10**18),
        (LENGTH, LONGEST + 2),
        (OWNER, -1),
        (OWNER, 2),
        (OWNER, 10**18),
    ],
)
def test_damaged_words_are_refused(table, word, value):
    def edit(words):
        words[word] = value

    assert not refilled(table, int(table.used[KEYS]), 2, edit)[0]


def test_words_that_are_too_few_or_twice_the_same_are_refused(table):
    known = int(table.used[KEYS])
    assert not refilled(table, known, 2, words=int(table.used[WORDS]) - 1)[0]
    assert not refilled(table, known + 1, 2)[0]
    same, _ = insert(hashtable.make_table(LONGEST), 0, [1])
    twice = same._replace(
        words=np.tile(same.words[: KEY + 1], 2), used=np.array([2, 2 * (KEY + 1)])
    )
    assert not refilled(twice, 2, 1)[0]
