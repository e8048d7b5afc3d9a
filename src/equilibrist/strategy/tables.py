"""Tables of Arrow, and what becomes of them in pandas and Polars; each library is imported where it is used."""

from __future__ import annotations

import csv
import importlib
import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import psutil
from numpy.typing import NDArray

from .._util.archive import raise_one_sentence
from .._util.arrays import Floats, offsets
from .._util.files import open_regular, write_atomically
from .._util.text import install_command
from ..errors import SolutionError
from ..form.infosets import Infoset

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

COLUMNS = ("player", "infoset", "action", "probability")
"""Of a strategy as a table."""

_FREE = 1 << 24  # bytes of columns that may be packed in any way
_RATIO = 100  # beyond those, bytes of columns for each byte of a file
_WORD = 8  # bytes of a number
_COPIES = 3  # of what is read, while it is checked
_LIBRARIES = {"pandas": "pandas", "polars": "Polars"}


Names = tuple[list[str], NDArray[np.int64]]
"""The different texts of a column, and the number of that of each row."""


class Tabular(ABC):
    """What is a table as well."""

    __slots__ = ()

    @abstractmethod
    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table."""

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table of ``to_arrow()`` as a pandas DataFrame; names are categorical.

        Columns of numbers are shared where that can be, so that pandas does not write to them: work
        on a ``copy()`` to change them.
        """
        _import_library("pandas")
        return self.to_arrow().to_pandas(
            split_blocks=True
        )  # a column by itself need not be copied to join others

    def to_polars(self) -> polars.DataFrame:
        """Return the table of ``to_arrow()`` as a Polars DataFrame; names are categorical, numbers are shared."""
        frame: polars.DataFrame = _import_library("polars").from_arrow(self.to_arrow())
        return frame


def _import_library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SolutionError(
            f"This needs {_LIBRARIES[name]}, which cannot be imported here: {install_command('data')}.",
            wrong_use=True,
        ) from error


def write_csv(
    path: str | Path,
    headings: Iterable[str],
    rows: Iterable[Iterable[Any]],
    quoting: Literal[0, 2] = csv.QUOTE_MINIMAL,
) -> None:
    """Write rows as CSV, whole or not at all; None is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=quoting)
    writer.writerow(headings)
    writer.writerows(rows)
    write_atomically(path, text.getvalue().encode())


def write_parquet(path: str | Path, table: pyarrow.Table) -> None:
    """Write an Arrow table as Parquet; as :func:`write_csv`."""
    import pyarrow as pa
    from pyarrow.parquet import write_table

    buffer = pa.BufferOutputStream()
    write_table(table, buffer)
    write_atomically(path, buffer.getvalue().to_pybytes())


class ParquetColumns:
    """A Parquet file whose sizes are judged before its columns are read.

    A column of equal numbers takes a few bytes, however long it is: what is declared is compared
    with the file and with the memory that is free. Columns of ``texts`` are read with each text
    once (dictionary encoding), as they are kept.
    """

    def __init__(self, file: Any, *, texts: Sequence[str] = ()) -> None:
        from pyarrow.parquet import ParquetFile

        self._size = os.fstat(file.fileno()).st_size  # bytes
        self._file = ParquetFile(file, read_dictionary=list(texts))
        self.names: list[str] = self._file.schema_arrow.names
        self.metadata: dict[bytes, bytes] = self._file.schema_arrow.metadata or {}

    def read(self, columns: Sequence[str]) -> pyarrow.Table:
        """Return some columns; ValueError where there would be too much of them, MemoryError where they do not fit."""
        declared = self._declared_bytes(set(columns))
        if declared > _FREE and declared > _RATIO * self._size:
            raise ValueError(
                f"it is packed too densely: {declared:,} bytes in {self._size:,}, where at most "
                f"{_RATIO} times as many are read"
            )
        if _COPIES * declared > psutil.virtual_memory().available:
            raise MemoryError
        return self._file.read(columns=list(columns), use_threads=False)

    def _declared_bytes(self, columns: set[str]) -> int:
        """Return how many bytes some columns take once they are read, by the numbers that they declare to have."""
        metadata = self._file.metadata
        total = 0
        for group in range(metadata.num_row_groups):
            rows = metadata.row_group(group)
            for place in range(rows.num_columns):
                column = rows.column(place)
                if column.path_in_schema.partition(".")[0] in columns:
                    total += max(_WORD * column.num_values, column.total_uncompressed_size)
        return total


@contextmanager
def open_parquet(path: Path, content: str) -> Iterator[ParquetColumns]:
    """Open a Parquet file that anybody may have written; what goes wrong becomes one sentence: PATH holds no WHAT."""
    with (
        raise_one_sentence(path, f"{path} holds no {content}: {{detail}}."),
        open_regular(path) as file,
    ):
        yield ParquetColumns(file)


def name_columns(infosets: Iterable[Infoset]) -> dict[str, pyarrow.Array]:
    """Return the columns player, infoset and action, with a row for each action of each infoset.

    Names are kept once each, and numbers of them in the rows (dictionary encoding).
    """
    import pyarrow as pa

    infosets = list(infosets)  # each name is made once, which may take long
    count, labels, label_numbers = _number_labels([infoset.actions for infoset in infosets])
    keys = pa.array([infoset.key for infoset in infosets], pa.string()).dictionary_encode()
    key_numbers = keys.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return {
        "player": pa.array(
            np.repeat(np.array([infoset.player for infoset in infosets], np.int64), count)
        ),
        "infoset": pa.DictionaryArray.from_arrays(np.repeat(key_numbers, count), keys.dictionary),
        "action": pa.DictionaryArray.from_arrays(label_numbers, pa.array(labels, pa.string())),
    }


def repeat_columns(columns: dict[str, pyarrow.Array], times: int) -> dict[str, pyarrow.Array]:
    """Return columns of :func:`name_columns` with all rows so many times over."""
    import pyarrow as pa

    return {
        name: pa.DictionaryArray.from_arrays(
            np.tile(column.indices.to_numpy(), times), column.dictionary
        )
        if pa.types.is_dictionary(column.type)
        else pa.array(np.tile(column.to_numpy(), times))
        for name, column in columns.items()
    }


def _number_labels(
    actions: Sequence[tuple[str, ...]],
) -> tuple[NDArray[np.int64], list[str], NDArray[np.int32]]:
    """Return how many actions each infoset has, the different names, and the number of the name of each action.

    Most infosets share their actions with many others, so that names are looked at once for each
    different tuple.
    """
    number_of_row = {row: number for number, row in enumerate(dict.fromkeys(actions))}
    row_numbers = np.fromiter(map(number_of_row.__getitem__, actions), np.int64, len(actions))
    numbers = {
        label: number
        for number, label in enumerate(
            dict.fromkeys(label for row in number_of_row for label in row)
        )
    }
    sizes = np.array([len(row) for row in number_of_row], np.int64)
    flat = np.array([numbers[label] for row in number_of_row for label in row], np.int32)
    count = sizes[row_numbers]
    return count, list(numbers), flat[ranges(offsets(sizes)[:-1][row_numbers], count)]


def ranges(first: NDArray[np.int64], count: NDArray[Any]) -> NDArray[np.int64]:
    """Return first[0], first[0] + 1, …, as many as count[0], then those from first[1], and so on."""
    starts = offsets(count)
    return np.repeat(first - starts[:-1], count) + np.arange(starts[-1])


def strategy_columns(data: Any) -> tuple[NDArray[np.int64], Names, Names, Floats]:
    """Return the columns of a strategy from any table that speaks Arrow, checked but for the probabilities themselves.

    They are players, names of infosets, names of actions, and probabilities.
    """
    import pyarrow as pa

    try:
        table = pa.table(data)
    except (TypeError, ValueError, pa.ArrowException) as error:
        raise SolutionError(
            "A strategy is made from a table that speaks Arrow (of pyarrow, pandas, Polars, …) "
            f"or a dict of columns; got {type(data).__name__}.",
            wrong_use=True,
        ) from error
    missing_columns = [name for name in COLUMNS if name not in table.column_names]
    if missing_columns:
        raise SolutionError(
            f"A strategy has the columns {', '.join(COLUMNS)}; missing: {', '.join(missing_columns)}."
        )
    doubled = [name for name in COLUMNS if table.column_names.count(name) > 1]
    if doubled:
        raise SolutionError(
            f"A strategy has each of its columns once; several are called {', '.join(doubled)}."
        )
    return (
        _read_whole_numbers(table["player"]),
        _read_names(table["infoset"], "infoset"),
        _read_names(table["action"], "action"),
        _read_numbers(table["probability"], "probability must be a number"),
    )


def _read_whole_numbers(column: pyarrow.ChunkedArray) -> NDArray[np.int64]:
    numbers = _read_numbers(column, "player must be a whole number")
    wrong_rows = np.flatnonzero(~(np.isfinite(numbers) & (numbers == np.floor(numbers))))
    if len(wrong_rows):
        raise _row_error(column, int(wrong_rows[0]), "player must be a whole number")
    return numbers.astype(np.int64)


def _read_numbers(column: pyarrow.ChunkedArray, content: str) -> Floats:
    import pyarrow as pa

    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise _row_error(column, 0, content)
    if column.null_count > 0:
        raise _row_error(column, column.is_null().index(True).as_py(), content)
    return np.array(column.cast(pa.float64(), safe=False).to_numpy())


def _read_names(column: pyarrow.ChunkedArray, name: str) -> Names:
    """Return the texts of a column; whole numbers are texts as well."""
    import pyarrow as pa

    encoded = pa.types.is_dictionary(column.type)
    kind = column.type.value_type if encoded else column.type
    texts = (
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )
    if not (texts or pa.types.is_integer(kind)):
        raise _row_error(column, 0, f"{name} must be a text")
    if encoded:
        parts = [part.dictionary.cast(pa.string()).take(part.indices) for part in column.chunks]
        column = pa.chunked_array(parts, pa.string())
    if column.null_count > 0:
        raise _row_error(column, column.is_null().index(True).as_py(), f"{name} must be a text")
    names = column.cast(pa.string()).combine_chunks().dictionary_encode()
    return names.dictionary.to_pylist(), names.indices.to_numpy(zero_copy_only=False).astype(
        np.int64
    )


def _row_error(column: pyarrow.ChunkedArray, row: int, content: str) -> SolutionError:
    if len(column):
        value_text = f"{column[row].as_py()!r} in row {row}"
    else:
        value_text = f"a column of {column.type}"
    return SolutionError(f"A strategy's {content}; got {value_text}.")
