"""A hash table for kernels: it numbers keys, which are runs of integers, in the order of their first insertion.

In all kernels ``owner`` and ``count`` are integers of 0 or more, and ``key`` is an int64 array of
at least ``count``; where a record begins is an int64, a place in ``words``.
"""
# mypy: disable-error-code="no-untyped-def", no-check-untyped-defs

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compile import compiled, record

KEYS, WORDS = range(2)
"""What ``used`` counts."""

NUMBER, LENGTH, OWNER, KEY = range(4)
"""The words of a record, from where it begins; ``LENGTH`` counts the owner and the key."""

NO_RECORD = -1
_MOST_WORDS = 2**32 - 2  # the cells have 32 bits for where a record begins
_GOLDEN = 0x9E3779B97F4A7C15


@record
class HashTable(NamedTuple):
    """An open-addressing hash table with linear probing. A key is an owner and a run of integers; both are compared."""

    # length a power of two: 0, or the upper half of a hash and 1 + where the record begins. The
    # cell in which the search for a hash begins is given by its highest bits, so that a table that
    # grows needs nothing else.
    cells: NDArray[np.uint64]
    # records: the number of a key, the length of owner and key, the owner, the key, and whatever is
    # appended: all together, because looking for it in memory takes most of the time
    words: NDArray[np.int64]
    used: NDArray[np.int64]  # shape (2,): KEYS and WORDS in use
    # random odd numbers, one for each place in a key (multilinear hashing: Lemire & Kaser 2014)
    factors: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Bytes in memory: words that are not in use yet take none."""
        return int(self.cells.nbytes + 8 * self.used[WORDS])


def make_table(longest_key: int) -> HashTable:
    """Return an empty table without room, for keys of at most so many integers."""
    generator = np.random.Generator(np.random.PCG64(0))
    factors = generator.integers(-(2**62), 2**62, longest_key, np.int64) * 2 + 1
    return HashTable(np.zeros(1, np.uint64), np.zeros(0, np.int64), np.zeros(2, np.int64), factors)


def with_room(table: HashTable, keys: int, words: int) -> HashTable:
    """Return a table with the same content and room for so many more keys and words.

    At least half of the cells stay empty. What grows becomes twice as large, and the old arrays
    must not be used again.
    """
    needed = int(table.used[WORDS]) + words
    if needed > len(table.words):
        if needed > _MOST_WORDS:
            raise MemoryError(f"a hash table of {needed:,} words")
        larger = np.empty(needed + len(table.words), np.int64)
        larger[: table.used[WORDS]] = table.words[: table.used[WORDS]]
        table = table._replace(words=larger)
    number = int(table.used[KEYS]) + keys
    if len(table.cells) < 2 * number:
        grown = table._replace(cells=np.zeros(1 << (4 * number - 1).bit_length(), np.uint64))
        _move(grown, table.cells)
        table = grown
    return table


@compiled(allocates=False, inline=True)
def find(table, owner, key, count):
    """Return where the record of a key, ``owner`` and ``key[:count]``, begins, or NO_RECORD."""
    return max(_search(table, owner, key, count, _tag(table, owner, key, count)), NO_RECORD)


@compiled(allocates=False, inline=True)
def insert(table, owner, key, count):
    """Return where the record of a key begins; a new key gets a new record, for which there must be room."""
    tag = _tag(table, owner, key, count)
    record = _search(table, owner, key, count, tag)
    if record < 0:
        cell = NO_RECORD - record
        record = table.used[WORDS]
        table.cells[cell] = tag << np.uint64(32) | np.uint64(record + 1)
        table.words[record + NUMBER] = table.used[KEYS]
        table.words[record + LENGTH] = count + 1
        table.words[record + OWNER] = owner
        for i in range(count):
            table.words[record + KEY + i] = key[i]
        table.used[KEYS] += 1
        table.used[WORDS] += count + KEY
    return record


@compiled(allocates=False, inline=True)
def append(table, value):
    """Add an integer to the newest record."""
    table.words[table.used[WORDS]] = value
    table.used[WORDS] += 1


@compiled(allocates=False)
def refill(table, records, owners):
    """Make empty tables what they were: insert each of so many records in ``words``, to which nothing was appended.

    Return whether the records are well formed and different, their owners less than ``owners``.
    """
    words = table.words
    end = np.int64(0)
    for number in range(records):
        record = end
        if record + KEY > len(words):
            return False
        count = words[record + LENGTH] - 1
        end = record + KEY + count
        owner = words[record + OWNER]
        if (
            count < 0
            or count > len(table.factors)
            or end > len(words)
            or owner < 0
            or owner >= owners
        ):
            return False
        table.used[KEYS] = number
        table.used[WORDS] = record
        if insert(table, owner, words[record + KEY : end], count) != record:
            return False
    table.used[KEYS] = records
    table.used[WORDS] = end
    return True


@compiled(allocates=False, entry=False)
def hash_integers(numbers):
    """Return a hash of unsigned integers for tables that keep their keys elsewhere: its lowest bits depend on all."""
    hashed = np.uint64(len(numbers))
    for number in numbers:
        hashed = (hashed ^ np.uint64(number)) * np.uint64(_GOLDEN)
        hashed ^= hashed >> np.uint64(32)
    return hashed


@compiled(allocates=False, inline=True, entry=False)
def _tag(table, owner, key, count):
    """Return the upper half of the hash of a key."""
    hashed = np.uint64(np.int64(owner)) * np.uint64(_GOLDEN)
    for i in range(count):
        hashed += np.uint64(key[i]) * np.uint64(table.factors[i])
    hashed ^= hashed >> np.uint64(32)
    hashed *= np.uint64(_GOLDEN)
    return hashed >> np.uint64(32)


@compiled(allocates=False, inline=True, entry=False)
def _search(table, owner, key, count, tag):
    """Return where the record of a key begins, or NO_RECORD less the cell that is free for it."""
    last = np.uint64(len(table.cells) - 1)
    cell = _first_cell(table, tag)
    while table.cells[cell] != np.uint64(0):
        content = table.cells[cell]
        if content >> np.uint64(32) == tag:
            record = np.int64(content & np.uint64(0xFFFFFFFF)) - 1
            if table.words[record + LENGTH] == count + 1 and table.words[record + OWNER] == owner:
                same = True
                for i in range(count):
                    if table.words[record + KEY + i] != key[i]:
                        same = False
                        break
                if same:
                    return record
        cell = (cell + np.uint64(1)) & last
    return NO_RECORD - np.int64(cell)


@compiled(allocates=False, inline=True, entry=False)
def _first_cell(table, tag):
    """Return the cell where the search for a hash begins: its highest bits, as many as number the cells."""
    return tag * np.uint64(len(table.cells)) >> np.uint64(32)


@compiled(allocates=False)
def _move(table, old):
    """Put the content of old cells into those of the table, which are empty."""
    last = np.uint64(len(table.cells) - 1)
    for i in range(len(old)):
        if old[i] != np.uint64(0):
            cell = _first_cell(table, old[i] >> np.uint64(32))
            while table.cells[cell] != np.uint64(0):
                cell = (cell + np.uint64(1)) & last
            table.cells[cell] = old[i]
